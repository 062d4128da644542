"""The plan and approval card in every state."""

import msgspec

from backend.domain.command.hold import digest_of_stops
from backend.web.pages.parts import (
    FieldError,
    Icon,
    Link,
    Mark,
    Notice,
    Phrase,
    Tone,
    code,
    entity,
    figure,
    plain,
    strong,
    strong_figure,
)
from backend.web.pages.plan import (
    Argument,
    Asking,
    Belief,
    Cause,
    Countdown,
    Decision,
    Doubt,
    PlanCard,
    Releasing,
    StepRow,
)
from backend.web.pages.view import View
from tests.web.examples import editing
from tests.web.examples.frame import MET_S, NOW_MS


def says(text: str, icon: Icon = "ok", tone: Tone = "quiet") -> Mark:
    return Mark(icon=icon, text=(plain(text),), tone=tone)


WEAK = says("Confidence under 0.80", "warn", "caution")


def step(
    number: int, skill: str, arguments: tuple[tuple[str, str, str], ...], believed: str, check: Mark
) -> StepRow:
    subject, _, field = believed.partition(".")
    share = {"pose": 0.71, "class": 0.93}.get(field)
    return StepRow(
        number=str(number),
        skill=skill,
        arguments=tuple(Argument(name=name, value=value, type=type) for name, value, type in arguments),
        evidence=Belief(entity=subject, field=field, is_record=bool(field)),
        source="drone" if field else "map",
        age="12 s" if field else "fixed",
        age_met_s=MET_S - 12 if field else None,
        confidence="–" if share is None else f"{share:.2f}",
        confidence_share=share,
        is_low=share == 0.71,
        check=check,
        changed=number <= 3,
    )


STEPS = (
    step(
        1,
        "navigate",
        (("to", "5.07, 7.16 m", "pose"), ("yaw", "321°", "number")),
        "can_07.pose",
        says("Reachable, 1.95 m"),
    ),
    step(
        2,
        "approach",
        (("target", "can_07", "entity"), ("stand-off", "0.35 m", "number")),
        "can_07.pose",
        WEAK,
    ),
    step(
        3,
        "grasp",
        (("target", "can_07", "entity"), ("width", "66 mm", "number")),
        "can_07.class",
        says("Gripper empty"),
    ),
    step(4, "navigate", (("to", "station_metal", "station"),), "station_metal", says("Reachable, 7.40 m")),
    step(
        5,
        "deliver",
        (("object", "can_07", "entity"), ("station", "station_metal", "station")),
        "can_07.class",
        says("Metal goes to metal"),
    ),
)
PROGRESS = tuple(
    msgspec.structs.replace(row, progress=progress, changed=False, check=check)
    for row, progress, check in zip(
        STEPS,
        ("done", "running", "", "", ""),
        (
            says("Measured 5.06, 7.18 m"),
            Mark(icon="run", text=(plain("Running "), figure("3 s", met_s=MET_S - 3))),
            *(row.check for row in STEPS[2:]),
        ),
        strict=True,
    )
)
RISKS = (
    Mark(
        icon="warn",
        tone="caution",
        text=(
            plain("Weak belief: can_07 pose "),
            figure("0.71"),
            plain(", policy asks under "),
            figure("0.80"),
        ),
    ),
    Mark(
        icon="warn",
        tone="caution",
        text=(plain("First plan after a failed grasp, bottle_08 at "), figure("00:12:50")),
    ),
    Mark(icon="stale", text=(plain("No newer look is coming: drone link stale "), figure("3.4 s"))),
    Mark(
        icon="ok",
        text=(
            plain("Path "),
            figure("9.35 m"),
            plain(" of "),
            figure("15 m"),
            plain(", one object, no restricted region"),
        ),
    ),
)
CAUSE = Cause(
    why=(
        strong("Replan:"),
        plain(" pose of "),
        entity("can_07"),
        plain(" changed "),
        strong_figure("0.42 m"),
        plain(", seen by drone "),
        strong_figure("12 s", met_s=MET_S - 12),
        plain(" ago"),
    ),
    more=(plain("Steps 1 to 3 use that pose. Plan 13 was stopped before its step 2; nothing is held."),),
)
PINS: Phrase = (
    plain("Approves exactly plan "),
    strong("9f3a"),
    plain(" on memory rev "),
    strong_figure("118"),
    plain(". Lapses if can_07 moves first."),
)
DECISION = Decision(
    approval="a-14",
    plan_digest="9f3ab0c2d1e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8c41e",
    pins_digest="41d0b0c2d1e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8aa07",
    pins=PINS,
    may_decide=True,
)

AWAITING = PlanCard(
    episode="0417",
    at=None,
    state="awaiting",
    tone="ask",
    title="Plan 14 needs your approval",
    digest="9f3a…c41e",
    countdown=Countdown(text="0:52", spoken="52 seconds", share=0.87, ends_ms=NOW_MS + 52_000, total_s=60.0),
    cause=CAUSE,
    steps=STEPS,
    steps_caption="Steps of plan 14 with the evidence and the check for each",
    risks_title="Why policy asks",
    risks=RISKS,
    decision=DECISION,
)


def other(**more: object) -> PlanCard:
    """The card without what only an open question has."""
    quiet: dict[str, object] = {
        "tone": "quiet",
        "countdown": None,
        "risks": (),
        "risks_title": "",
        "decision": None,
    }
    return msgspec.structs.replace(AWAITING, **(quiet | more))


NO_CONN = "operator-2 has the conn. Take it over to decide."
REPLAYED = other(
    at=1287,
    state="rejected",
    steps=tuple(
        msgspec.structs.replace(row, age="1:10", age_met_s=518.0) if row.age_met_s else row for row in STEPS
    ),
    title="Plan 9, rejected",
    digest="b27c…09d4",
    note=(plain("Waited "), figure("1:24 min"), plain(", decided "), figure("00:09:48")),
    cause=Cause(
        why=(
            strong("First plan"),
            plain(" after delivery of "),
            entity("bottle_02"),
            plain(" at "),
            strong_figure("00:08:20"),
        ),
        more=(plain("Nothing held, no plan left. Policy asked because the path crosses the aisle."),),
    ),
    risks_title="Why policy asked",
    risks=(
        says("Path 14.1 m crosses the aisle, policy asks over 12 m", "warn", "caution"),
        says("Confidence 0.86 and age 1:10 within policy"),
    ),
    verdict=Mark(
        icon="reject",
        text=(
            strong("Rejected by operator-1"),
            plain(" at "),
            figure("00:09:48"),
            plain(", seq "),
            figure("1,287"),
            plain(": “People in the aisle until ten past. Take something in the lab first.”"),
        ),
    ),
    decision=msgspec.structs.replace(
        DECISION,
        may_decide=False,
        pins=(
            plain("This was plan "),
            strong("b27c"),
            plain(" on memory rev "),
            strong_figure("74"),
            plain(". Nothing here can move the robot."),
        ),
    ),
)
RELEASING = Releasing(
    shown=digest_of_stops(("s-3",)),
    cleared=False,
    may_release=True,
    remaining=(
        plain("Release goes on with step 2 of plan 14, approach "),
        entity("can_07"),
        plain(". It is asked anew: you approve it again."),
    ),
)
HELD = other(
    state="held",
    tone="alarm",
    title="Held by operator-1",
    note=(plain("Bridge confirmed "), figure("14:07:02")),
    cause=None,
    steps=PROGRESS,
    releasing=RELEASING,
)
INVALID = other(
    state="invalid",
    tone="caution",
    title="The planner has no valid plan",
    digest="",
    note=(plain("Call 32, asked and repaired once"),),
    steps=(),
    findings=(
        says(
            "Step 5 station: station_plastic takes bottles, can_07 is a can. Choose station_metal.",
            "bad",
            "alarm",
        ),
        says(
            "Step 2 target: can_99 is no record. Choose one of can_04, can_07, can_10, can_12.",
            "bad",
            "alarm",
        ),
    ),
    asking=Asking(label="Ask the planner again", may_ask=True),
)
COMPOSE = other(
    state="compose",
    tone="ask",
    title="Plan 1 is yours to write",
    digest="",
    cause=Cause(why=(strong("First plan"), plain(": nothing is planned yet"))),
    steps=(),
    editor=editing.BLANK,
    policy="Asks before every plan",
)
DOUBT = other(
    state="doubt",
    tone="alarm",
    title="Step 2 is in doubt",
    note=(plain("The bridge’s ledger is lost"),),
    steps=PROGRESS,
    doubt=Doubt(dispatch="d-41", step="approach can_07", may_say=True),
)

EXAMPLES: dict[str, View] = {
    "plan/awaiting": AWAITING,
    "plan/awaiting, another has the conn": msgspec.structs.replace(
        AWAITING,
        decision=msgspec.structs.replace(DECISION, may_decide=False, drawn=False, pins=(plain(NO_CONN),)),
    ),
    "plan/awaiting, every skill": msgspec.structs.replace(
        AWAITING,
        steps=tuple(
            msgspec.structs.replace(row, covered=row.number == "1", watch="2 points") for row in STEPS
        ),
    ),
    "plan/awaiting, rejected without a reason": msgspec.structs.replace(
        AWAITING,
        decision=msgspec.structs.replace(
            DECISION,
            errors=(
                FieldError(
                    field="reason",
                    message="A rejection needs a reason.",
                    remedy="Say what to do instead; the planner is sent your words.",
                ),
            ),
        ),
    ),
    "plan/none": other(
        state="none",
        title="No plan yet",
        digest="",
        note=(plain("The runner is starting"),),
        steps=(),
        cause=None,
    ),
    "plan/planning": other(
        state="planning",
        title="Plan 15 is being made",
        digest="",
        note=(plain("Call 32, "), figure("1.4 s", utc_ms=NOW_MS - 1400)),
        steps=(),
    ),
    "plan/approved": other(
        state="approved",
        title="Plan 14, approved",
        verdict=Mark(
            icon="approve",
            text=(strong("Approved by operator-1"), plain(" at "), figure("00:14:33"), plain(". Starting.")),
        ),
    ),
    "plan/executing": other(
        state="executing",
        title="Plan 14, executing",
        note=(plain("Step 2 of 5"),),
        cause=None,
        steps=PROGRESS,
    ),
    "plan/done": other(
        state="done",
        title="Plan 14, done",
        cause=None,
        steps=tuple(msgspec.structs.replace(row, progress="done", changed=False) for row in STEPS),
    ),
    "plan/superseded": other(
        state="superseded",
        tone="pending",
        title="Plan 14 lapsed before you decided",
        notice=Notice(
            icon="stale",
            title="Your approval came after the change.",
            text="Nothing ran. Plan 15 is being made.",
        ),
        cause=Cause(
            why=(
                strong("Lapsed:"),
                plain(" pose of "),
                entity("can_07"),
                plain(" moved again, "),
                strong_figure("0.31 m"),
                plain(" at "),
                figure("00:14:51"),
            ),
            more=(plain("Nothing ran. Plan 15 is being made."),),
        ),
    ),
    "plan/expired": other(
        state="expired",
        tone="caution",
        title="Plan 14 expired",
        note=(plain("Nobody decided within 60 s. Nothing ran."),),
        asking=Asking(label="Ask for a plan again", may_ask=True),
    ),
    "plan/rejected": other(
        state="rejected",
        title="Plan 14, rejected",
        verdict=Mark(
            icon="reject",
            text=(
                strong("Rejected by operator-1"),
                plain(" at "),
                figure("00:14:40"),
                plain(": “Leave can_07, take can_12.” The planner is asked again."),
            ),
        ),
    ),
    "plan/invalid": INVALID,
    "plan/invalid, another has the conn": msgspec.structs.replace(
        INVALID, asking=Asking(label="Ask the planner again", may_ask=False, why_not=NO_CONN)
    ),
    "plan/compose": COMPOSE,
    "plan/edited": msgspec.structs.replace(
        AWAITING, title="You edit plan 14", steps=(), risks=(), decision=None, editor=editing.EDITOR
    ),
    "plan/edited, refused": msgspec.structs.replace(
        AWAITING, title="You edit plan 14", steps=(), risks=(), decision=None, editor=editing.REFUSED
    ),
    "plan/awaiting, edited by a person": msgspec.structs.replace(
        AWAITING,
        title="Plan 15 needs your approval",
        cause=Cause(
            why=(strong("operator-2’s version"), plain(" of plan 14")),
            more=(plain("Look there first."),),
            changes=editing.EDITOR.changes,
        ),
        decision=msgspec.structs.replace(DECISION, may_edit=True),
    ),
    "plan/planning, by hand": other(state="planning", title="Plan 15 is being made", steps=(), by_hand=True),
    "plan/held": HELD,
    "plan/held, area clear": msgspec.structs.replace(
        HELD, releasing=msgspec.structs.replace(RELEASING, cleared=True)
    ),
    "plan/held, another has the conn": msgspec.structs.replace(
        HELD, releasing=msgspec.structs.replace(RELEASING, may_release=False, why_not=NO_CONN)
    ),
    "plan/doubt": DOUBT,
    "plan/ended": other(
        state="ended",
        title="Complete",
        digest="",
        note=(plain("15 of 15 delivered, nothing held"),),
        cause=None,
        steps=(),
        notice=Notice(
            icon="done",
            title="15 of 15 delivered in 00:31:20.",
            text="33 calls, 17 replans, 1 stale visit.",
            way=Link(label="Replay from the start", href="/episodes/0417?at=1"),
        ),
    ),
    "plan/replayed": REPLAYED,
    "plan/replayed while awaiting": msgspec.structs.replace(
        AWAITING,
        at=1250,
        tone="quiet",
        title="Plan 9 awaited approval",
        countdown=None,
        decision=msgspec.structs.replace(DECISION, may_decide=False, pins=(code("b27c"), plain(", then."))),
    ),
}
