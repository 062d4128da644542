"""What goes on, in two lines: the one thing about an episode that is worth knowing first.

The cases are tried in the order of how much they matter to who looks at them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from backend.domain.command.approval import ApprovalStatus
from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.plans.plan import describe
from backend.usecases.reading import Entry
from backend.web.builders import words
from backend.web.builders.links import STALE_S
from backend.web.builders.moment import Moment, waits_for_approval
from backend.web.pages import figures
from backend.web.pages.bar import Phase
from backend.web.pages.parts import Icon, Phrase, Tone, figure, plain

_ENDINGS: dict[str, tuple[Icon, str, Tone]] = {
    "completed": ("done", "Complete", "quiet"),
    "budget": ("warn", "Out of budget", "caution"),
    "aborted": ("held", "Aborted", "quiet"),
    "failed": ("bad", "Failed", "alarm"),
}


def phase_of(moment: Moment, entries: Sequence[Entry]) -> Phase:
    """`entries`: the newest of each kind in `bar.KINDS`, up to the cursor."""
    for case in _CASES:
        phase = case(moment, entries)
        if phase is not None:
            return phase
    return Phase(icon="idle", title="Ready", detail=(plain("Nothing planned yet"),))


def ending_of(state: State) -> tuple[Icon, str, Tone]:
    outcome = "" if state.ending is None else state.ending.outcome
    return _ENDINGS.get(outcome, ("bad", outcome.capitalize() or "Ended", "alarm"))


def held_title(state: State) -> str:
    return f"Held by {state.stops[0].asked_by}" if state.stops else ""


def utc_ms(utc: str) -> int:
    return int(datetime.fromisoformat(utc).timestamp() * 1000)


def _replayed(moment: Moment, entries: Sequence[Entry]) -> Phase | None:
    if moment.is_live:
        return None
    head = moment.head
    asked = waiting_words(head)
    if head.ending is not None:
        detail = f"The episode ended: {ending_of(head)[1].lower()}"
    else:
        detail = f"Live waits for you: {asked}" if asked else "Live goes on"
    return Phase(icon="history", title="Replay", detail=(plain(detail),), tone="replay")


def waiting_words(head: State) -> str:
    """What the newest state asks of a person; empty for nothing."""
    if head.stops:
        return "held"
    if head.asks_person:
        return "the planner needs help"
    return f"plan {head.plan.number}" if waits_for_approval(head) and head.plan is not None else ""


def _ended(moment: Moment, entries: Sequence[Entry]) -> Phase | None:
    state = moment.state
    if state.ending is None:
        return None
    icon, title, tone = ending_of(state)
    return Phase(icon=icon, title=title, detail=(plain(state.ending.message),), tone=tone)


def _stopped(moment: Moment, entries: Sequence[Entry]) -> Phase | None:
    state = moment.state
    waiting = [stop for stop in state.stops if not stop.confirmed]
    if waiting or moment.now.undecided_stop:
        asked = _newest(entries, e.StopAsked)
        since = (plain("Asked "), *_since(moment, asked), plain(" ago, not confirmed")) if asked else ()
        if any(stop.unconfirmed_alarm for stop in waiting):
            return Phase(
                icon="bad",
                title="Stop not confirmed",
                detail=(*since, plain(". See to the robot")),
                tone="alarm",
            )
        return Phase(
            icon="stale", title="Stopping", detail=since or (plain("Asked, not confirmed"),), tone="pending"
        )
    if not state.stops:
        return None
    confirmed = _newest(entries, e.StopConfirmed)
    detail: Phrase = (plain("Standstill measured"),)
    if confirmed is not None:
        detail = (plain("Bridge confirmed "), figure(words.time_of_day(confirmed.utc)))
    return Phase(icon="held", title=held_title(state), detail=detail, tone="alarm")


def _lost(moment: Moment, entries: Sequence[Entry]) -> Phase | None:
    """A robot that is silent matters more than whatever its plan was doing."""
    if not moment.now.runner_is_up:
        detail = "No runner holds this episode; the robot is stopped"
        return Phase(icon="bad", title="Link lost", detail=(plain(detail),), tone="alarm")
    age_s = moment.now.ages_s.get(f"robot:{moment.state.robot.name}")
    if age_s is None or age_s < STALE_S:
        return None
    detail_parts = (plain("Robot silent for "), figure(figures.age(age_s)))
    return Phase(icon="bad", title="Link lost", detail=detail_parts, tone="alarm")


def _asks(moment: Moment, entries: Sequence[Entry]) -> Phase | None:
    state = moment.state
    if state.dispatch is not None and state.dispatch.in_doubt:
        detail = f"Step {state.dispatch.index + 1}, {describe(state.dispatch.step)}"
        return Phase(icon="ask", title="Step in doubt", detail=(plain(detail),), tone="ask")
    if state.asks_person:
        return Phase(
            icon="ask", title="The planner needs help", detail=(plain(state.asks_person),), tone="ask"
        )
    if state.request is not None and state.planner == "operator":
        detail = f"Plan {state.plans + 1} is yours to write"
        return Phase(icon="ask", title="A plan is needed", detail=(plain(detail),), tone="ask")
    if waits_for_approval(state) and state.plan is not None:
        detail = f"Plan {state.plan.number}, robot standing by"
        return Phase(icon="ask", title="Awaiting approval", detail=(plain(detail),), tone="ask")
    if (
        state.plan is not None
        and state.approval is not None
        and state.approval.status is ApprovalStatus.EXPIRED
    ):
        detail = f"Plan {state.plan.number}, nobody decided in time"
        return Phase(icon="warn", title="Approval expired", detail=(plain(detail),), tone="caution")
    return None


def _executes(moment: Moment, entries: Sequence[Entry]) -> Phase | None:
    state = moment.state
    if state.dispatch is None:
        return None
    step = state.dispatch
    if step.cancel_asked:
        return Phase(
            icon="stale", title="Cancelling", detail=(plain(f"{describe(step.step)}, its plan lapsed"),)
        )
    steps = f" of {len(state.plan.steps)}" if state.plan is not None else ""
    return Phase(
        icon="run", title="Executing", detail=(plain(f"Step {step.index + 1}{steps}, {describe(step.step)}"),)
    )


def _plans(moment: Moment, entries: Sequence[Entry]) -> Phase | None:
    state = moment.state
    if state.request is None:
        return None
    if state.request.view is not None:
        segment = state.request.view.segment.number
        detail = f"Segment {segment} of {state.request.view.of_segments} of the demonstration"
        return Phase(icon="idle", title="Watching", detail=(plain(detail),))
    asked = _newest(entries, e.PlanRequested)
    since = (plain(", "), *_since(moment, asked)) if asked is not None else ()
    return Phase(icon="idle", title="Planning", detail=(plain(f"Call {state.request.decision}"), *since))


def _shadows(moment: Moment, entries: Sequence[Entry]) -> Phase | None:
    """An approved proposal stands, and nothing comes of it."""
    state = moment.state
    if not state.mission.shadow or state.plan is None:
        return None
    detail = f"Plan {state.plan.number} is approved; nothing is sent"
    return Phase(icon="eye", title="Shadow", detail=(plain(detail),))


_CASES: tuple[Callable[[Moment, Sequence[Entry]], Phase | None], ...] = (
    _replayed, _ended, _stopped, _lost, _asks, _executes, _shadows, _plans,
)  # fmt: skip


def _newest(entries: Sequence[Entry], kind: type) -> Entry | None:
    found = [entry for entry in entries if isinstance(entry.recorded.event, kind)]
    return max(found, key=lambda entry: entry.recorded.seq, default=None)


def _since(moment: Moment, entry: Entry) -> Phrase:
    """How long ago, on the wall's clock: people and planners wait by it."""
    since_ms = utc_ms(entry.utc)
    age_s = moment.now.now_s - since_ms / 1000
    return (figure(figures.link_age(age_s), utc_ms=since_ms),)
