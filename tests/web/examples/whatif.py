"""What-ifs: the form with its estimate, refused, one under way, one that was asked and run on."""

import msgspec

from backend.web.pages.context import DiffLine
from backend.web.pages.documents import Fact
from backend.web.pages.exchange import Argument, PlanReading, PlanStep
from backend.web.pages.parts import Choice, FieldError, Mark, Notice, Run, code, plain, strong
from backend.web.pages.view import View
from backend.web.pages.whatif import (
    BlockRow,
    CourseRow,
    CourseView,
    LookView,
    MomentView,
    NumberField,
    RankRow,
    ResultLine,
    ResultView,
    ShownView,
    Side,
    WhatIfForm,
    WhatIfPage,
    WhatIfResultPage,
)
from tests.web.examples.frame import CHROME

EPISODE = "0417"
SHOWN = ShownView(
    records=(
        strong("Leave: "),
        code("can_09"),
        plain(", "),
        code("bottle_04"),
        plain(". "),
        strong("Other rank: "),
        plain("can_07 3 → 1."),
    ),
    ranks=(
        RankRow(
            entity="can_07",
            rank_before="3",
            rank_after="1",
            score_before="0.412",
            score_after="0.520",
            why="Shown",
            is_changed=False,
        ),
        RankRow(
            entity="can_09",
            rank_before="2",
            rank_after="5",
            score_before="0.431",
            score_after="0.212",
            why="Ranked below K: record 4 scores 0.225",
            is_changed=True,
        ),
    ),
    more=3,
    blocks=(
        BlockRow(name="Goal and completion", before="42", after="42", change="–", is_changed=False),
        BlockRow(
            name="Retrieved records",
            before="310",
            after="122",
            change="−188",
            is_changed=True,
            lines=(
                DiffLine(text="can_09: class can, pose (4, 2) m, confidence 0.61", kind="removed"),
                DiffLine(
                    text="can_07: class can, pose (3, 5) m, confidence 0.84",
                    kind="changed",
                    runs=(Run(text="can_07: class can, pose "), Run(text="(3, 5) m", kind="added")),
                ),
            ),
        ),
        BlockRow(name="Execution log", before="96", after="96", change="–", is_changed=False),
    ),
    before="≈ 1,410",
    after="≈ 1,222",
)
COSTS = (
    Fact(label="Calls", value="≈ 5", meaning="To openai; once more each where a plan is sent back"),
    Fact(label="Tokens", value="≈ 9,120 in, 2,400 out", meaning="Out is as long as the answers on record"),
    Fact(label="Money", value="≈ $0.0071, prices of 2026-11-05", meaning="Of the budget of what-ifs"),
    Fact(
        label="Left today", value="188 calls, 1,932,400 tokens, $4.92", meaning="Of what-ifs in any 24 hours"
    ),
)
LOOK = LookView(
    episode=EPISODE,
    title="5 calls from 14 on, K 4, memory static",
    facts=COSTS,
    shown=SHOWN,
    kept=(("at", "1287"), ("k", "4"), ("memory", "static"), ("calls", "5")),
    digest="9f3ac41e22b07d10",
    may_ask=True,
    label="Ask 5 calls and run on",
)
FORM = WhatIfForm(
    when=(
        Choice(value="", label="When call 14 was asked", chosen=True),
        Choice(value="on", label="At event 1,290, as things stood then"),
    ),
    numbers=(
        NumberField(field="k", label="K", value="4", usual="8"),
        NumberField(field="decay_s", label="Decay", value="", usual="18", unit="s"),
        NumberField(field="threshold", label="Threshold", value="", usual="0.55"),
        NumberField(field="w_initial", label="Map", value="", usual="1", unit="×"),
        NumberField(field="w_onboard", label="Onboard", value="", usual="1", unit="×"),
        NumberField(field="w_operator", label="Operator", value="", usual="1", unit="×"),
        NumberField(field="w_aerial", label="Drone", value="", usual="0.8", unit="×"),
    ),
    memories=(
        Choice(value="", label="As it was: attention"),
        Choice(value="static", label="static", chosen=True),
    ),
    planners=(
        Choice(value="", label="As it was: openai", chosen=True),
        Choice(value="recorded", label="recorded", available=False),
    ),
    model="",
    model_usual="as the settings say",
    prompt="",
    instructions="",
    instructions_usual="Keep off the wet corner.",
    deeds=(
        Choice(value="", label="No record edited", chosen=True),
        Choice(value="move", label="Is elsewhere"),
    ),
    entities=(Choice(value="", label="Choose a record", chosen=True), Choice(value="can_07", label="can_07")),
    x_m="",
    y_m="",
    cls="",
    statuses=(Choice(value="observed", label="observed", chosen=True),),
    calls="5",
    calls_most=37,
    run_on=True,
)
RESULTS = (
    ResultLine(
        number=3, call="event 1287, 5 calls, run on", change="K 4, memory static", told="1 of 5 calls asked",
        by="operator-1", when="2026-11-30 14:07 UTC", state="Under way",
    ),
    ResultLine(
        number=2, call="event 1287", change="can_07: moved", told="1 of 1 plans the same", by="operator-2",
        when="2026-11-30 14:01 UTC",
    ),
)  # fmt: skip
PAGE = WhatIfPage(
    chrome=msgspec.structs.replace(CHROME, title="What if, 0417"),
    episode=EPISODE,
    at=1287,
    call="call 14, 00:14:32",
    cause="pose of can_07 changed 0.42 m, seen by drone",
    form=FORM,
    look=LOOK,
    results=RESULTS,
)
ERROR = FieldError(
    field="k", message="K cannot be “many”.", remedy="Write a whole number from 1 to 1000, or leave it empty."
)
REFUSED = msgspec.structs.replace(
    PAGE,
    form=msgspec.structs.replace(
        FORM,
        errors=(
            ERROR,
            FieldError(
                field="planner", message="Planner openai cannot be used.", remedy="Choose another planner."
            ),
        ),
        not_on="This episode’s robot is a real one. Ask the planner without running on.",
        run_on=False,
    ),
    look=LookView(
        episode=EPISODE,
        title="Call 14, K 4",
        facts=COSTS,
        notice=Notice(
            icon="bad",
            title="It takes about 5 calls, and what-ifs have 2 left of a day's.",
            text="Ask fewer calls, do not run on, or wait. Nobody was asked.",
            tone="caution",
        ),
    ),
    results=(),
)


def step(number: int, skill: str, *arguments: tuple[str, str], findings: tuple[Mark, ...] = ()) -> PlanStep:
    named = tuple(Argument(name=name, value=value, is_bad=bool(findings)) for name, value in arguments)
    return PlanStep(number=number, skill=skill, arguments=named, findings=findings)


BEFORE = Side(
    title="Recorded",
    verdict=Mark(icon="ok", text=(plain("Valid: it could run"),)),
    plan=PlanReading(
        rationale="can_09 is nearest.",
        steps=(step(1, "navigate", ("to", "can_09")), step(2, "grasp", ("target", "can_09"))),
    ),
    spent="gpt-5-mini-2025-08-07, 1 request, 1,902 tokens, 2.4 s, $0.0014",
)
AFTER = Side(
    title="Asked again",
    verdict=Mark(icon="warn", text=(plain("Refused, 1 finding"),), tone="caution"),
    plan=PlanReading(
        rationale="can_07 is surer.",
        steps=(
            step(1, "navigate", ("to", "can_07")),
            step(
                2, "deliver", ("object", "can_07"), ("station", "station_plastic"),
                findings=(
                    Mark(
                        icon="warn",
                        text=(strong("station: "), plain("It takes bottles. Choose station_metal.")),
                        tone="caution",
                    ),
                ),
            ),
        ),
    ),
    spent="gpt-5-mini-2025-08-07, 2 requests, 3,790 tokens, 5.1 s, $0.0029",
)  # fmt: skip
COURSE = CourseView(
    columns=("Recorded", "Run on, nothing changed", "Run on, changed"),
    rows=(
        CourseRow(label="Outcome", values=("completed", "completed", "budget"), differs=True),
        CourseRow(label="Delivered", values=("14 of 14", "14 of 14", "11 of 14"), differs=True),
        CourseRow(label="Stale visits", values=("2", "2", "2")),
    ),
    parting=(
        strong("They part at deed 3. "),
        plain(
            "Unchanged: grasp can_09, succeeded (grasped) at 00:14:51."
            " Changed: grasp can_07, failed (absent) at 00:15:02."
        ),
    ),
)
RESULT = ResultView(
    episode=EPISODE,
    number=3,
    is_running=False,
    state=Mark(
        icon="done",
        text=(
            strong(
                "3 of 5 plans the same; run on: budget, 11 of 14 at 1300 s,"
                " recorded: completed, 14 of 14 at 912 s."
            ),
        ),
    ),
    facts=(
        Fact(label="Changed", value="K 4, memory static"),
        Fact(label="Asked", value="operator-1, 2026-11-30 14:07 UTC"),
        Fact(label="Spent", value="6 calls, 11,040 tokens, $0.0093", meaning="Estimated: calls ≈ 5"),
    ),
    agreement=(
        strong("3 of 5 plans the same, 60 %"),
        plain("; 1 another plan, 1 one may run, the other not."),
    ),
    moments=(
        MomentView(
            title="Call 14, 00:14:32",
            seq=1287,
            kind=Mark(icon="warn", text=(strong("One may run, the other not"),), tone="caution"),
            before=BEFORE,
            after=AFTER,
            differences=(
                Mark(icon="replan", text=(strong("Changed"), plain(" step 1, navigate: to can_09 → can_07"))),
            ),
            shown=SHOWN,
            is_open=True,
        ),
        MomentView(
            title="Call 15, 00:15:20",
            seq=1322,
            kind=Mark(icon="ok", text=(strong("The same plan"),)),
            before=BEFORE,
            after=msgspec.structs.replace(BEFORE, title="Asked again"),
            differences=(),
            shown=msgspec.structs.replace(
                SHOWN, records=(strong("The same records"), plain(".")), blocks=(), ranks=(), more=0
            ),
            is_open=True,
        ),
    ),
    course=COURSE,
    notice=Notice(icon="warn", title="To know", text="No picture is taken while it runs on."),
)
RUNNING = ResultView(
    episode=EPISODE,
    number=3,
    is_running=True,
    state=Mark(
        icon="queue",
        text=(strong("Under way: "), plain("1 of 5 calls asked. Nothing moves.")),
        tone="pending",
    ),
    facts=RESULT.facts,
)
DONE = WhatIfResultPage(
    chrome=msgspec.structs.replace(CHROME, title="What-if 3 of 0417"),
    episode=EPISODE,
    heading="What if: K 4, memory static",
    at=1287,
    result=RESULT,
    results=(msgspec.structs.replace(RESULTS[0], state="", told="3 of 5", is_current=True), RESULTS[1]),
)

EXAMPLES: dict[str, View] = {
    "whatif": PAGE,
    "whatif/refused": REFUSED,
    "whatif/asked": DONE,
    "whatif/look": LOOK,
    "whatif/under way": RUNNING,
}
