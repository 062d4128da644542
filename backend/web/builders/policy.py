"""The policy page: rules in force or as typed, what they would have asked, what people told the planner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from backend.domain.command.policy import Policy
from backend.domain.plans.catalogue import Catalogue
from backend.web.builders import words
from backend.web.builders.moment import Moment
from backend.web.pages.parts import Choice, FieldError, Mark, plain, strong
from backend.web.pages.policy import Asked, PreviewView, RuleField, Rules, Said
from backend.web.previews import Previewed

MODES = (
    Choice(value="every_plan", label="Every plan", text="You approve each plan."),
    Choice(value="every_skill", label="Every skill", text="You approve each step."),
    Choice(value="on_risk", label="On risk", text="You are asked where a rule finds a risk."),
    Choice(value="auto", label="Nobody", text="Plans run as soon as they are valid."),
)
LABELS = {
    "confidence_below": "Confidence below",
    "belief_older_s": "Belief older than",
    "distance_above_m": "Path longer than",
    "skill_in": "Skill in the list",
    "skill_unknown": "Skill that the robot has not",
    "first_plan_after_failure": "First plan after a failure",
    "record_disputed": "Record disputed by a person and a robot",
}
Bound = Literal["confidence_below", "belief_older_s", "distance_above_m"]
UNITS: dict[Bound, str] = {"confidence_below": "0 to 1", "belief_older_s": "s", "distance_above_m": "m"}


def modes(chosen: str) -> tuple[Choice, ...]:
    return tuple(
        Choice(value=each.value, label=each.label, text=each.text, chosen=each.value == chosen)
        for each in MODES
    )


def rules_of(policy: Policy, catalogue: Catalogue | None = None) -> Rules:
    risk = policy.risk
    return Rules(
        numbers=tuple(
            RuleField(name=name, label=LABELS[name], value=_typed(getattr(risk, name)), unit=unit)
            for name, unit in UNITS.items()
        ),
        switches=tuple(
            Choice(value=name, label=LABELS[name], chosen=getattr(risk, name))
            for name in ("first_plan_after_failure", "record_disputed")
        ),
        skills=tuple(
            Choice(value=each.name, label=each.name, text=each.description, chosen=each.name in risk.skills)
            for each in (catalogue.skills if catalogue is not None else ())
        ),
        skills_typed="" if catalogue is not None else ", ".join(risk.skills),
    )


def rules_typed(form: Sequence[tuple[str, str]], catalogue: Catalogue | None = None) -> Rules:
    """As typed, whatever is wrong with it."""
    typed, ticked = dict(form), [value for name, value in form if name == "skills"]
    shown = rules_of(Policy(), catalogue)
    return Rules(
        numbers=tuple(
            RuleField(name=each.name, label=each.label, value=typed.get(each.name, ""), unit=each.unit)
            for each in shown.numbers
        ),
        switches=tuple(
            Choice(value=each.value, label=each.label, chosen=each.value in typed) for each in shown.switches
        ),
        skills=tuple(
            Choice(value=each.value, label=each.label, text=each.text, chosen=each.value in ticked)
            for each in shown.skills
        ),
        skills_typed="" if catalogue is not None else ", ".join(ticked),
    )


def preview_view(found: Previewed, policy: Policy) -> PreviewView:
    labels = {each.value: each.label for each in MODES}
    most = max([count for _, count in found.by_mode] or [0])
    if not found.episodes:
        text = "No episode of this mission has been played yet, so nothing can be counted."
        return PreviewView(title="What it would have asked", text=text)
    times = words.counted(found.preview.asked, "time")
    in_all = "episode" if found.episodes == 1 else f"{found.episodes} episodes"
    plans = words.counted(found.preview.plans, "plan")
    return PreviewView(
        title=f"Would have asked {times}",
        text=f"In the last {in_all} of this mission, with {plans}, as they went.",
        rows=tuple(
            Asked(
                label=labels[mode],
                count=f"{count:,}",
                share=count / most if most else 0.0,
                chosen=mode == policy.mode,
            )
            for mode, count in found.by_mode
        ),
        reasons=tuple(
            Mark(
                icon="warn", text=(strong(LABELS.get(rule, rule)), plain(f", {words.counted(count, 'time')}"))
            )
            for rule, count in sorted(found.preview.reasons.items(), key=lambda item: (-item[1], item[0]))
        ),
    )


def wrong_view(errors: tuple[FieldError, ...]) -> PreviewView:
    return PreviewView(title="Nothing can be counted yet", text="A rule cannot be read.", errors=errors)


def said_of(moment: Moment) -> tuple[Said, ...]:
    """What people told the planner, newest first, to the letter."""
    return tuple(
        Said(met=f"seq {said.seq:,}", by=said.by, text=said.text) for said in reversed(moment.state.guidance)
    )


def _typed(value: Any) -> str:
    return "" if value is None else f"{value:g}"
