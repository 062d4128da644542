"""The policy page: as it is, refused, and for somebody who may only look."""

import msgspec

from backend.web.builders.policy import MODES, modes
from backend.web.pages.parts import Choice, FieldError, Mark, plain, strong
from backend.web.pages.policy import Asked, PolicyPage, PreviewView, RuleField, Rules, Said
from backend.web.pages.view import View
from tests.web.examples import frame

PREVIEW = PreviewView(
    title="Would have asked 7 times",
    text="In the last 5 episodes of this mission, with 41 plans, as they went.",
    rows=tuple(
        Asked(label=each.label, count=count, share=share, chosen=each.value == "on_risk")
        for each, count, share in zip(MODES, ("41", "193", "7", "0"), (0.21, 1.0, 0.04, 0.0), strict=True)
    ),
    reasons=(
        Mark(icon="warn", text=(strong("Confidence below"), plain(", 5 times"))),
        Mark(icon="warn", text=(strong("First plan after a failure"), plain(", 2 times"))),
    ),
)
RULES = Rules(
    numbers=(
        RuleField(name="confidence_below", label="Confidence below", value="0.6", unit="0 to 1"),
        RuleField(name="belief_older_s", label="Belief older than", value="60", unit="s"),
        RuleField(name="distance_above_m", label="Path longer than", value="", unit="m"),
    ),
    switches=(
        Choice(value="first_plan_after_failure", label="First plan after a failure", chosen=True),
        Choice(value="record_disputed", label="Record disputed by a person and a robot", chosen=True),
    ),
    skills=(
        Choice(value="navigate", label="navigate", text="Drive there."),
        Choice(value="grasp", label="grasp", text="Pick it up.", chosen=True),
    ),
)
UNKNOWN = msgspec.structs.replace(RULES, skills=(), skills_typed="grasp, deliver")
POLICY = PolicyPage(
    chrome=frame.CHROME,
    episode="0417",
    head=frame.HEAD,
    bar=frame.AWAITING,
    modes=modes("on_risk"),
    rules=RULES,
    shown="71c0" * 16,
    preview=PREVIEW,
    instructions="Keep to the left of the conveyor.",
    instructed="Keep to the left of the conveyor.",
    said=(Said(met="seq 1,204", by="operator-2", text="Leave can_07, take can_12."),),
)
EXAMPLES: dict[str, View] = {
    "policy/page": POLICY,
    "policy/refused": msgspec.structs.replace(
        POLICY,
        errors=(
            FieldError(
                field="confidence_below", message="“low” is no number.", remedy="Write a number from 0 to 1."
            ),
            FieldError(field="guidance", message="The note is empty.", remedy="Write what to tell it."),
        ),
    ),
    "policy/another has the conn": msgspec.structs.replace(
        POLICY, may_change=False, why_not="operator-1 has the conn. Take it over to decide."
    ),
    "policy/skills unknown": msgspec.structs.replace(POLICY, rules=UNKNOWN),
    "policy/preview": PREVIEW,
    "policy/preview of nothing": PreviewView(
        title="What it would have asked", text="No episode of this mission has been played yet."
    ),
}
