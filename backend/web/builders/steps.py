"""The steps of a plan: the belief each rests on, the check by the validator, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.command.approval import Approval
from backend.domain.command.policy import Risk
from backend.domain.episode.grounding import goal_of, ground_of
from backend.domain.episode.state import State
from backend.domain.execution.outcome import Outcome, Result
from backend.domain.geometry import Pose
from backend.domain.plans.findings import Finding
from backend.domain.plans.plan import Plan, Step, Value, motions, numbers, shown
from backend.domain.plans.skills import meaning_of
from backend.domain.plans.validator import validate
from backend.web.builders import words
from backend.web.builders.asked_risks import still_risks
from backend.web.builders.story import Story
from backend.web.pages import figures
from backend.web.pages.parts import Mark, figure, plain
from backend.web.pages.plan import Argument, Belief, StepRow

Progress = Literal["", "next", "running", "done", "failed", "not_executed"]

SHOWN = 12
"""Steps drawn at once: a search may have hundreds."""


class Window(Struct, frozen=True):
    """The steps drawn: indexes `first` to before `end`."""

    first: int
    end: int


def window_of(state: State, plan: Plan) -> Window:
    """Around the step that is next, if there are too many to draw all."""
    count = len(plan.steps)
    cursor = state.cursor if state.plan is not None and state.plan.number == plan.number else 0
    first = max(0, min(cursor - 2, count - SHOWN))
    return Window(first, min(count, first + SHOWN))


def step_rows(state: State, story: Story, approval: Approval | None) -> tuple[StepRow, ...]:
    """Of the plan that the story tells. Only while it stands are its steps checked."""
    told = story.told
    if told is None:
        return ()
    window = window_of(state, told.plan)
    is_current = state.plan is not None and state.plan.number == told.plan.number
    findings = _findings(state, told.plan, window) if is_current else {}
    risks = still_risks(state, approval) if is_current else ()
    before = story.before.plan.steps if story.before is not None else ()
    rows = []
    place = state.robot.pose
    for index in range(window.first, window.end):
        step = told.plan.steps[index]
        goal = goal_of(state, step)
        progress, check = _became(state, index, told.outcomes.get(index), is_current, approval)
        if check is None:
            check = _check(state, step, index, place, goal, findings, risks)
        row = _row(state, step, index, progress, check, approval, before)
        rows.append(replace(row, plan=told.plan.number))
        place = goal or place
    return tuple(rows)


def _row(
    state: State,
    step: Step,
    index: int,
    progress: Progress,
    check: Mark,
    approval: Approval | None,
    before: Sequence[Step],
) -> StepRow:
    record = state.memory.records.get(_subject(step))
    weak = state.policy.risk.confidence_below
    is_station = state.site.station(_subject(step)) is not None
    return StepRow(
        number=str(index + 1),
        skill=step.skill,
        arguments=tuple(_arguments(state, step)),
        evidence=_belief(state, step),
        source=words.SOURCE[record.source] if record is not None else "map" if is_station else figures.NONE,
        age=figures.age(state.met_s - record.stamp_s)
        if record is not None
        else "fixed"
        if is_station
        else figures.NONE,
        age_met_s=record.stamp_s if record is not None else None,
        confidence=figures.share(record.confidence) if record is not None else figures.NONE,
        confidence_share=record.confidence if record is not None else None,
        is_low=record is not None and weak is not None and record.confidence < weak,
        check=check,
        changed=bool(before) and (index >= len(before) or before[index] != step),
        covered=approval is None or approval.covers(index),
        progress=progress,
        watch=_watch(step),
    )


def _subject(step: Step) -> str:
    """The entity or station that the step is about."""
    meaning = meaning_of(step.skill)
    place = meaning.place_of(step)
    return meaning.entity_of(step) or (place if isinstance(place, str) else "")


def _belief(state: State, step: Step) -> Belief | None:
    subject = _subject(step)
    if subject in state.memory.records:
        return Belief(entity=subject, field="pose" if meaning_of(step.skill).because else "class")
    return Belief(entity=subject, is_record=False) if state.site.station(subject) is not None else None


def _arguments(state: State, step: Step) -> Iterator[Argument]:
    skill = state.catalogue.skill(step.skill)
    for name, value in step.arguments.items():
        declared = skill.argument(name) if skill is not None else None
        kind = " or ".join(declared.types) if declared is not None else "argument"
        yield Argument(name=name, value=_shown(value), type=kind)


def _shown(value: Value) -> str:
    if isinstance(value, Pose):
        return words.place(value)
    if isinstance(value, tuple) and not motions(value):
        return ", ".join(f"{part:g}" for part in numbers(value))
    return shown(value)


def _watch(step: Step) -> str:
    if step.watch is None:
        return ""
    points = step.watch.points
    return "every frame" if points == "all" else words.counted(len(points), "point")


def _became(
    state: State, index: int, outcome: Outcome | None, is_current: bool, approval: Approval | None
) -> tuple[Progress, Mark | None]:
    """Progress, and what is said of it; None where nothing has become of the step yet."""
    if is_current and state.dispatch is not None and state.dispatch.index == index:
        since = state.dispatch.met_s
        age = figure(figures.age(state.met_s - since), met_s=since)
        return "running", Mark(icon="run", text=(plain("Running "), age))
    if outcome is None or (is_current and index >= state.cursor and outcome.result is not Result.FAILED):
        if not is_current:
            return "", Mark(icon="idle", text=(plain("Not run"),))
        is_next = index == state.cursor and approval is not None and approval.covers(index)
        return "next" if is_next else "", None
    if outcome.result is Result.SUCCEEDED:
        return "done", Mark(icon="ok", text=(plain(_measured(outcome)),))
    if outcome.result is Result.NOT_EXECUTED:
        return "not_executed", Mark(icon="reject", text=(plain("Not executed"),), tone="caution")
    text = outcome.message or outcome.reason
    return "failed", Mark(icon="warn", text=(plain(text),), tone="caution")


def _measured(outcome: Outcome) -> str:
    measured = outcome.measured
    if outcome.skill == "grasp" and measured.held:
        return f"Holds {measured.held}"
    if outcome.skill == "deliver":
        return "Delivered"
    return f"At {words.place(measured.pose)}" if measured.pose is not None else "Done"


def _findings(state: State, plan: Plan, window: Window) -> dict[int, Finding]:
    """The validator's first finding for each step still to come, simulated from the present state."""
    first = state.cursor
    if first >= window.end:
        return {}
    found: dict[int, Finding] = {}
    for finding in validate(plan.steps[first : window.end], ground_of(state, None)):
        if finding.step is not None:
            found.setdefault(finding.step + first, finding)
    return found


def _check(
    state: State,
    step: Step,
    index: int,
    place: Pose,
    goal: Pose | None,
    findings: dict[int, Finding],
    risks: Sequence[Risk],
) -> Mark:
    finding = findings.get(index)
    if finding is not None:
        return Mark(icon="bad", text=(plain(finding.message),), tone="alarm")
    risk = next((risk for risk in risks if risk.step == index), None)
    if risk is not None:
        return Mark(icon="warn", text=(plain(_short(state, risk.rule)),), tone="caution")
    return Mark(icon="ok", text=(plain(_fine(state, step, place, goal)),))


def _short(state: State, rule: str) -> str:
    rules = state.policy.risk
    if rule == "confidence_below":
        return f"Confidence under {rules.confidence_below:.2f}"
    if rule == "belief_older_s":
        return f"Belief over {figures.age(rules.belief_older_s or 0)} old"
    return "Policy asks before it" if rule == "skill_in" else "See the risk below"


def _fine(state: State, step: Step, place: Pose, goal: Pose | None) -> str:
    """What the validator found in order, as far as it can be said in three words."""
    if step.skill in ("navigate", "explore") and goal is not None:
        return f"{state.site.metric.distance_m(place, goal):.2f} m to go"
    if step.skill == "deliver":
        record = state.memory.records.get(str(step.arguments.get("object")))
        return f"Takes {record.cls}" if record is not None else "Valid"
    return {"grasp": "Gripper empty", "approach": "Stands there", "verify": "Looks there"}.get(
        step.skill, "Valid"
    )
