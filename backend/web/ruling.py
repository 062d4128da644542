"""The form of a policy, read: which plans a person is asked about, and by which rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast, get_args

from backend.domain.command.policy import BOUNDS, Policy, PolicyMode, RiskRules, policy_flaws
from backend.domain.plans.catalogue import Catalogue
from backend.web.pages.parts import FieldError

NUMBERS = ("confidence_below", "belief_older_s", "distance_above_m")
SWITCHES = ("first_plan_after_failure", "record_disputed")
MOST_SKILLS = 50


def read_policy(
    form: Sequence[tuple[str, str]], catalogue: Catalogue | None = None
) -> Policy | tuple[FieldError, ...]:
    """The policy, or an error beside each field that is wrong. An empty number switches its rule off."""
    typed = dict(form)
    errors = list(_errors(typed))
    mode = typed.get("policy", "")
    if mode not in get_args(PolicyMode):
        errors.append(FieldError(field="policy", message="Nothing is chosen.", remedy="Choose one."))
    if errors:
        return tuple(errors)
    rules = RiskRules(
        **{name: _number(typed.get(name, "")) for name in NUMBERS},  # type: ignore[arg-type]
        **{name: name in typed for name in SWITCHES},
        skills=tuple(dict.fromkeys(_skills(form))),
    )
    policy = Policy(mode=cast(PolicyMode, mode), risk=rules)
    flaws = policy_flaws(policy, catalogue)
    return (
        tuple(FieldError(field=flaw.field, message=flaw.message, remedy=flaw.remedy) for flaw in flaws)
        or policy
    )


def _skills(form: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Boxes that are ticked, or one text with names between commas."""
    for name, value in form:
        if name == "skills":
            yield from [part.strip()[:60] for part in value.split(",") if part.strip()][:MOST_SKILLS]


def _errors(typed: dict[str, str]) -> Iterator[FieldError]:
    for name in NUMBERS:
        text = typed.get(name, "").strip()
        try:
            _number(text)
        except ValueError:
            least, most = BOUNDS[name]
            remedy = f"Write a number from {least:,.0f} to {most:,.0f}, or nothing to switch the rule off."
            yield FieldError(field=name, message=f"“{text[:40]}” is no number.", remedy=remedy)


def _number(text: str) -> float | None:
    """Raises ValueError."""
    text = text.strip().replace(",", ".")
    return float(text) if text else None
