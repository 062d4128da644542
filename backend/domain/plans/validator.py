"""The deterministic validator: what is wrong with a plan, found by simulating it from the present state.

Skill names, argument presence and types, references, carrying capacity, target status, object-station
compatibility and each step's preconditions (ADM-Planner, section IV-D). A plan with findings never runs.
"""

from __future__ import annotations

from backend.domain.plans.findings import Finding
from backend.domain.plans.ground import Ground
from backend.domain.plans.plan import Step
from backend.domain.plans.preconditions import Simulated
from backend.domain.plans.rules import Flaw, Rule, choose
from backend.domain.plans.signature import signature_flaws
from backend.domain.plans.skills import SEARCH, meaning_of
from backend.domain.plans.watching import watch_flaw

MAX_STEPS = 40
"""Steps besides those of a search; more is a runaway model. A search may sweep a whole map, cell by cell."""

MAX_SEARCH = 400


def validate(steps: tuple[Step, ...], ground: Ground) -> tuple[Finding, ...]:
    """Every flaw of the plan, step by step; empty for a valid plan.

    A flawed step is still taken to do what it was meant to, so that what follows from it is not found again.
    """
    if not 0 < len(steps) <= (1 if ground.catalogue.is_of_a_table else MAX_STEPS):
        flaw = _wrong_length(steps, ground)
        if flaw is not None:
            return (flaw.at(None),)
    findings: list[Finding] = []
    now = present(ground)
    for index, step in enumerate(steps):
        flaws, now = _examine(step, ground, now)
        if flaws:
            findings.extend(flaw.at(index) for flaw in flaws)
    return tuple(findings)


def recheck(step: Step, ground: Ground, index: int = 0) -> tuple[Finding, ...]:
    """The next step alone, against the latest memory, from where the robot stands with what it holds."""
    flaws, _ = _examine(step, ground, present(ground))
    return tuple([flaw.at(index) for flaw in flaws]) if flaws else ()


def present(ground: Ground) -> Simulated:
    return Simulated(ground.robot, ground.arrived, ground.held)


def _examine(step: Step, ground: Ground, now: Simulated) -> tuple[list[Flaw], Simulated]:
    """The step's flaws, and the state after it."""
    skill = ground.catalogue.skill(step.skill)
    if skill is None:
        return [_unknown_skill(step, ground)], now
    flaws = signature_flaws(step, skill, ground)
    watch = watch_flaw(step.watch, skill, ground.catalogue)
    if watch is not None:
        flaws.append(watch)
    if flaws:
        return flaws, now
    meaning = meaning_of(step.skill)
    for precondition in meaning.before:
        flaw = precondition(step.arguments, ground, now)
        if flaw is not None:
            flaws.append(flaw)
    return flaws, meaning.after(step.arguments, ground, now)


def _wrong_length(steps: tuple[Step, ...], ground: Ground) -> Flaw | None:
    if ground.catalogue.is_of_a_table:
        remedy = "Give exactly one; what was measured and seen comes with the next question."
        return Flaw(None, Rule.PLAN_LENGTH, f"It has {len(steps)} steps.", remedy)
    if not steps:
        return Flaw(None, Rule.PLAN_LENGTH, "It has no step.", f"Give at least one step, such as {SEARCH}.")
    search = sum(step.skill == SEARCH for step in steps)
    if len(steps) - search <= MAX_STEPS and search <= MAX_SEARCH:
        return None
    return Flaw(None, Rule.PLAN_LENGTH, f"It has {len(steps)} steps.", f"Give at most {MAX_STEPS}.")


def _unknown_skill(step: Step, ground: Ground) -> Flaw:
    known = choose((skill.name for skill in ground.catalogue.skills), "This robot has no skill.")
    return Flaw("skill", Rule.SKILL_NAME, f"There is no skill {step.skill[:60]!r}.", known)
