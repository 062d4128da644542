"""The settings page, made from what planners, prices and policies are set to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from backend.domain.command.policy import RiskRules
from backend.web.endpoints import Endpoint, Probed
from backend.web.pages.chrome import Chrome
from backend.web.pages.documents import Fact
from backend.web.pages.parts import Choice, Mark, plain
from backend.web.pages.settings import PlannerCard, SettingsPage

_MEANINGS = {
    "confidence_below": ("Confidence below", "A belief weaker than this asks"),
    "belief_older_s": ("Belief older than, s", "A belief that nothing renewed for longer asks"),
    "distance_above_m": ("Distance above, m", "A plan longer than this asks"),
    "skills": ("Skills", "A plan with one of these asks"),
    "first_plan_after_failure": ("First plan after a failure", "The plan that follows a failed skill asks"),
    "record_disputed": ("Disputed record", "A plan on what robot and operator disagree about asks"),
}


def settings_page(
    chrome: Chrome,
    endpoints: Sequence[Endpoint],
    prices: Sequence[Fact],
    policies: tuple[Choice, ...],
    may_probe: bool,
) -> SettingsPage:
    return SettingsPage(
        chrome=chrome,
        planners=tuple(planner_card(each, may_probe) for each in endpoints),
        prices=tuple(prices),
        policies=policies,
        rules=_rules(RiskRules()),
    )


def planner_card(endpoint: Endpoint, may_probe: bool) -> PlannerCard:
    return PlannerCard(
        name=endpoint.name,
        title=endpoint.title,
        meaning=endpoint.meaning,
        verdict=_verdict(endpoint),
        probed=_when(endpoint.probed) if endpoint.probed is not None else "",
        facts=endpoint.facts,
        can_probe=endpoint.can_probe and may_probe and not endpoint.refused,
    )


def _verdict(endpoint: Endpoint) -> Mark:
    if endpoint.refused:
        return Mark(icon="bad", text=(plain(endpoint.refused),), tone="caution")
    probed = endpoint.probed
    if probed is None:
        said = "Not probed since this server started." if endpoint.can_probe else "Ready: it needs no server."
        return Mark(icon="idle" if endpoint.can_probe else "ok", text=(plain(said),))
    if probed.enforced is None:
        return Mark(icon="bad", text=(plain(f"No answer. {probed.detail}"),), tone="alarm")
    if not probed.enforced:
        return Mark(icon="warn", text=(plain(f"Schema not enforced. {probed.detail}"),), tone="caution")
    return Mark(icon="ok", text=(plain(f"Schema enforced, {probed.latency_s:.1f} s. {probed.detail}"),))


def _when(probed: Probed) -> str:
    return f"{datetime.fromtimestamp(probed.at_s, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _rules(rules: RiskRules) -> tuple[Fact, ...]:
    facts = []
    for name in RiskRules.__struct_fields__:
        label, meaning = _MEANINGS.get(name, (name.replace("_", " ").capitalize(), ""))
        value = getattr(rules, name)
        said = (
            {True: "on", False: "off", None: "off", (): "none"}.get(value, "")
            if not _is_number(value)
            else ""
        )
        facts.append(Fact(label=label, value=said or f"{value:g}", meaning=meaning))
    return tuple(facts)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
