"""Who is asked before a plan runs: every plan, every skill, on risk, or nobody (DESIGN: approval policy).

Stopping is never gated, and the planner has no say in whether a person is asked.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from backend.domain.digests import digest
from backend.domain.plans.catalogue import Catalogue

PolicyMode = Literal["every_plan", "every_skill", "on_risk", "auto"]


class RiskRules(Struct, frozen=True, kw_only=True):
    """Readable data: each bound that is set may raise a finding; None or empty switches the rule off.

    `record_disputed`: robot and operator disagree about a record that the plan rests on.
    """

    confidence_below: float | None = 0.6
    belief_older_s: float | None = 60.0
    distance_above_m: float | None = None
    skills: tuple[str, ...] = ()
    first_plan_after_failure: bool = True
    record_disputed: bool = True


class Policy(Struct, frozen=True, kw_only=True):
    mode: PolicyMode = "every_plan"
    risk: RiskRules = RiskRules()

    @property
    def digest(self) -> str:
        return digest(self)


class Risk(Struct, frozen=True):
    """One risk finding: the rule, the step it concerns (None: the plan), and a sentence for the operator.

    `entity` is whose belief is weak. A belief is one risk however many steps rest on it.
    """

    rule: str
    step: int | None
    message: str
    entity: str | None = None

    @property
    def subject(self) -> tuple[str, str | int | None]:
        """What makes two findings the same risk, at whatever step it is found."""
        return self.rule, self.step if self.entity is None else self.entity


class PolicyFlaw(Struct, frozen=True):
    """`field` of the rules, what is wrong with it, and what would be right."""

    field: str
    message: str
    remedy: str


BOUNDS = {"confidence_below": (0.0, 1.0), "belief_older_s": (0.0, 1e9), "distance_above_m": (0.0, 1e9)}


def policy_flaws(policy: Policy, catalogue: Catalogue | None = None) -> Iterator[PolicyFlaw]:
    """What cannot be meant. Without a catalogue the skills are not judged."""
    for field, (least, most) in BOUNDS.items():
        value = getattr(policy.risk, field)
        if value is not None and not (math.isfinite(value) and least <= value <= most):
            yield PolicyFlaw(field, f"{value:g} is out of range.", f"Give {least:,.0f} to {most:,.0f}.")
    if catalogue is not None:
        for skill in misnamed_skills(policy.risk, catalogue):
            yield PolicyFlaw("skills", f"This robot has no skill {skill[:60]!r}.", meant(skill, catalogue))


def misnamed_skills(rules: RiskRules, catalogue: Catalogue) -> tuple[str, ...]:
    """Skills that the rules name and the robot does not have: asking before them would never ask."""
    return tuple(skill for skill in rules.skills if catalogue.skill(skill) is None)


def meant(skill: str, catalogue: Catalogue) -> str:
    known = [each.name for each in catalogue.skills]
    close = difflib.get_close_matches(skill, known, n=1)
    return f"Did you mean {close[0]}?" if close else f"Choose from {', '.join(known)}."
