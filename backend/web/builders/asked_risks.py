"""Why a policy asks, as it stands now: what a question pinned was true when it was put.

An age goes on growing on the page. What no longer holds says so; what nobody was shown the first time is
marked as new.
"""

from __future__ import annotations

from collections.abc import Mapping

from backend.domain.command.approval import Approval
from backend.domain.command.policy import Risk
from backend.domain.decide.approving import risks_of
from backend.domain.episode.state import State
from backend.web.builders.story import Told
from backend.web.pages import figures
from backend.web.pages.parts import Mark, Phrase, plain, strong, strong_figure

Subject = tuple[str, str | int | None]


def asked_risks(state: State, told: Told | None) -> tuple[Mark, ...]:
    """The findings that the waiting approval pins, each judged again by the state that is shown."""
    approval = state.approval
    if approval is None or not approval.pins.risks:
        asks = {"every_plan": " before every plan", "every_skill": " before every step"}
        text = f"It asks{asks.get(state.policy.mode, '')}; its rules find no risk"
        return (Mark(icon="ok", text=(plain(text),)),)
    now = _judged(state, approval)
    before = told.superseded if told is not None else None
    shown = None if before is None else {risk.subject for risk in before.pins.risks}
    return tuple(
        _mark(state, risk, now, is_new=shown is not None and risk.subject not in shown)
        for risk in approval.pins.risks
    )


def still_risks(state: State, approval: Approval | None) -> tuple[Risk, ...]:
    """What the approval pins and what holds yet."""
    if approval is None or not approval.pins.risks:
        return ()
    now = _judged(state, approval)
    return tuple(risk for risk in approval.pins.risks if risk.subject in now)


def _judged(state: State, approval: Approval) -> Mapping[Subject, Risk]:
    plan = state.plan
    if plan is None:
        return {}
    last = min(approval.last_step, len(plan.steps) - 1)
    found = risks_of(state, state.policy, plan, approval.first_step, last, state.met_s)
    return {risk.subject: risk for risk in found}


def _mark(state: State, pinned: Risk, now: Mapping[Subject, Risk], *, is_new: bool) -> Mark:
    risk = now.get(pinned.subject)
    if risk is None:
        return Mark(icon="ok", text=(plain(f"No longer so: {pinned.message}"),))
    lead = (strong("New since you were asked: "),) if is_new else ()
    return Mark(icon="warn", text=(*lead, *_words(state, risk)), tone="caution")


def _words(state: State, risk: Risk) -> Phrase:
    record, bound_s = state.memory.records.get(risk.entity or ""), state.policy.risk.belief_older_s
    if risk.rule != "belief_older_s" or record is None or bound_s is None:
        return (plain(risk.message),)
    age = strong_figure(figures.age(state.met_s - record.stamp_s), met_s=record.stamp_s)
    asks = f" ago, policy asks over {figures.age(bound_s)}"
    return (plain(f"Old belief: {record.id} seen "), age, plain(asks))
