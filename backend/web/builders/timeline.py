"""The timeline: what went on when, by the mission's clock, gathered event by event so that a request folds
nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backend.domain.episode import events as e
from backend.domain.episode.state import State
from backend.domain.execution.outcome import Result
from backend.domain.memory.record import FIELD_NAME, Field, Status
from backend.web.builders.holding import holding
from backend.web.builders.moment import Moment, waits_for_approval
from backend.web.builders.words import who
from backend.web.pages import figures
from backend.web.pages.timeline import (
    AbortSheet,
    Bin,
    MarkKind,
    PhaseKind,
    PhaseSpan,
    Tick,
    TimelineData,
    TimelineMark,
    TimelineView,
)

BINS = 120
TICKS = 1500
NICE_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400)


class Gathered:
    """What the timeline draws, kept up with the journal. Belongs to whoever feeds it; not for several
    threads."""

    def __init__(self) -> None:
        self._phases: list[tuple[float, PhaseKind | None]] = []
        self._marks: list[TimelineMark] = []
        self._evidence: list[tuple[float, int]] = []
        self._ticks: list[Tick] = []
        self._head: tuple[int, float] = (0, 0.0)
        self._last_cause = ""
        self._is_replan = False

    def add(self, recorded: e.Recorded, after: State) -> None:
        """`after`: the state once the event is applied."""
        self._head = (recorded.seq, recorded.met_s)
        if self._ticks and self._ticks[-1].met_s >= recorded.met_s:
            self._ticks.pop()
        self._ticks.append(Tick(recorded.met_s, recorded.seq))
        if isinstance(recorded.event, e.EvidenceJudged):
            self._evidence.append((recorded.met_s, recorded.seq))
        kind = phase_kind(after)
        if not self._phases or self._phases[-1][1] != kind:
            self._phases.append((recorded.met_s, kind))
        if isinstance(recorded.event, e.PlanRequested):
            self._last_cause, self._is_replan = cause_label(recorded.event), recorded.event.cause.is_replan
        mark = mark_of(recorded.event, self._last_cause, self._is_replan)
        if mark is not None:
            kind_of_mark, label = mark
            self._marks.append(
                TimelineMark(seq=recorded.seq, met_s=recorded.met_s, kind=kind_of_mark, label=label)
            )

    def data(self) -> TimelineData:
        head_seq, head_met_s = self._head
        span_s = _nice_span_s(head_met_s)
        bin_s = next((nice for nice in NICE_S if span_s / nice <= BINS), NICE_S[-1])
        return TimelineData(
            head_seq=head_seq,
            head_met_s=head_met_s,
            span_s=span_s,
            phases=tuple(self._spans(head_met_s)),
            marks=tuple(self._marks),
            bin_s=float(bin_s),
            bins=tuple(self._bins(float(bin_s), head_met_s)),
            ticks=_some(self._ticks),
        )

    def _spans(self, head_met_s: float) -> list[PhaseSpan]:
        """Spans that lasted. Where the world waits for people, being asked takes no time and is no span."""
        spans = []
        for index, (start_s, kind) in enumerate(self._phases):
            is_last = index + 1 == len(self._phases)
            end_s = head_met_s if is_last else self._phases[index + 1][0]
            if kind is None or (end_s <= start_s and not is_last):
                continue
            shown: PhaseKind = "waiting" if kind == "asking" and not is_last else kind
            spans.append(PhaseSpan(start_s=start_s, end_s=end_s, kind=shown))
        return spans

    def _bins(self, bin_s: float, head_met_s: float) -> list[Bin]:
        counts = [0] * (int(head_met_s // bin_s) + 1)
        last = [0] * len(counts)
        for met_s, seq in self._evidence:
            index = min(int(met_s // bin_s), len(counts) - 1)
            counts[index] += 1
            last[index] = max(last[index], seq)
        bins, before = [], 1
        for count, seq in zip(counts, last, strict=True):
            before = max(before, seq)
            bins.append(Bin(evidence=count, seq=before))
        return bins


def _some(ticks: list[Tick]) -> tuple[Tick, ...]:
    """At most about `TICKS` of them, the last always in."""
    every = -(-len(ticks) // TICKS)
    return tuple(tick for place, tick in enumerate(ticks, 1) if place % every == 0 or place == len(ticks))


def phase_kind(state: State) -> PhaseKind | None:
    """What the bar shows for a state; None once it has ended."""
    if state.ending is not None:
        return None
    if state.stops:
        return "held"
    if waits_for_approval(state) or state.asks_person or (state.request and state.planner == "operator"):
        return "asking"
    return "executing" if state.dispatch is not None else "planning"


def cause_label(event: e.PlanRequested) -> str:
    cause = event.cause
    if cause.entity is not None and cause.field is not None:
        return f"{cause.entity} {FIELD_NAME[cause.field]}"
    return cause.message[:1].lower() + cause.message[1:]


def mark_of(event: Any, cause: str, is_replan: bool) -> tuple[MarkKind, str] | None:
    """The shape and label of an event that is worth one."""
    build = _MARKS.get(type(event))
    if build is None:
        return None
    return build(event, cause, is_replan)


def _proposed(event: e.PlanProposed, cause: str, is_replan: bool) -> tuple[MarkKind, str]:
    return ("replan", f"Replan: {cause}") if is_replan else ("plan", f"Plan {event.plan.number}")


def _ended(event: e.StepEnded, cause: str, is_replan: bool) -> tuple[MarkKind, str] | None:
    delivered = [
        change.entity
        for change in event.changes
        if change.field is Field.STATUS and change.new == Status.DELIVERED.value
    ]
    if delivered:
        return "delivery", f"Delivered {', '.join(delivered)}"
    if event.outcome.result in (Result.FAILED, Result.NOT_EXECUTED):
        subject = next((change.entity for change in event.changes), "")
        return "failure", f"{event.outcome.skill.capitalize()} failed{f', {subject}' if subject else ''}"
    return None


def _rejected(event: e.ApprovalRejected, cause: str, is_replan: bool) -> tuple[MarkKind, str]:
    return "rejected", f"Rejected by {event.by}"


def _held(event: e.StopAsked, cause: str, is_replan: bool) -> tuple[MarkKind, str]:
    return "hold", f"{'Aborted' if event.abort else 'Held'} by {event.by}"


def _by(words: str) -> Callable[[Any, str, bool], tuple[MarkKind, str] | None]:
    """What a person did beside what has a shape of its own; what a policy did is no mark."""

    def build(event: Any, cause: str, is_replan: bool) -> tuple[MarkKind, str] | None:
        return ("operator", words.format(by=who(event.by))) if event.by not in _NOBODY else None

    return build


def _taken(event: e.ConnTaken, cause: str, is_replan: bool) -> tuple[MarkKind, str] | None:
    """From somebody: that nobody had it is no news."""
    return ("operator", f"{event.holder} took the conn from {event.over}") if event.over else None


_NOBODY = ("policy", "system")


_MARKS: dict[type, Callable[[Any, str, bool], tuple[MarkKind, str] | None]] = {
    e.PlanProposed: _proposed,
    e.StepEnded: _ended,
    e.ApprovalRejected: _rejected,
    e.StopAsked: _held,
    e.ApprovalGranted: _by("Approved by {by}"),
    e.StopReleased: _by("Released by {by}"),
    e.GuidanceGiven: _by("Guidance by {by}"),
    e.InstructionsChanged: _by("Instructions by {by}"),
    e.PolicyChanged: _by("Who is asked, changed by {by}"),
    e.ConnTaken: _taken,
}


def timeline_view(moment: Moment, aborting: AbortSheet | None = None) -> TimelineView:
    state, head = moment.state, moment.head
    return TimelineView(
        episode=moment.episode,
        at=moment.at,
        met=figures.met(state.met_s),
        met_s=state.met_s,
        seq=state.seq,
        seq_text=figures.count(state.seq),
        head=head.seq,
        back=state.seq - 1 if state.seq > 1 else None,
        forward=state.seq + 1 if state.seq < head.seq else None,
        may_abort=moment.may_command and not moment.is_over,
        is_over=moment.is_over and (moment.is_live or moment.evaluated is not None),
        aborting=aborting,
    )


def abort_sheet(moment: Moment, reason: str = "", errors: tuple[Any, ...] = ()) -> AbortSheet:
    state = moment.head
    left = state.mission.total - len(state.delivered)
    undone = f"{left} of {state.mission.total} {'is' if left == 1 else 'are'} not delivered." if left else ""
    keeps = f"The robot holds {state.robot.held} and keeps it." if state.robot.held else holding(state)
    consequence = f"{undone} {keeps} The journal stays; the episode cannot go on.".strip()
    return AbortSheet(episode=moment.episode, consequence=consequence, reason=reason, errors=errors)


def _nice_span_s(head_met_s: float) -> float:
    """Where the axis ends: a little beyond the newest event, at a round figure."""
    least_s = max(60.0, head_met_s * 1.02)
    step_s = next((nice for nice in NICE_S if least_s / nice <= 20), NICE_S[-1])
    return float(-(-least_s // step_s) * step_s)
