"""Who is asked before a plan runs: every plan, every skill, on risk, or nobody (DESIGN: approval policy).

Stopping is never gated, and the planner has no say in whether a person is asked.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

PolicyMode = Literal["every_plan", "every_skill", "on_risk", "auto"]


class RiskRules(Struct, frozen=True, kw_only=True):
    """Readable data: each bound that is set may raise a finding; None or empty switches the rule off."""

    confidence_below: float | None = 0.6
    belief_older_s: float | None = 60.0
    distance_above_m: float | None = None
    skills: tuple[str, ...] = ()
    first_plan_after_failure: bool = True


class Policy(Struct, frozen=True, kw_only=True):
    mode: PolicyMode = "every_plan"
    risk: RiskRules = RiskRules()


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
