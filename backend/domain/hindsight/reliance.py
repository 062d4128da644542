"""How long plans rested on a belief that was wrong, and what made it wrong.

A plan relies on a field while the field stands in D(P) and a step that needs it is still to come, so from the
proposal on, the wait for approval included. A search, which rests on nothing being known, is not counted.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.geometry import Metric, Pose
from backend.domain.hindsight.belief import Belief, Reliance, Report, Trace
from backend.domain.hindsight.difference import CONDITION, FIELD_OF, Difference, DifferenceKind, differences
from backend.domain.hindsight.known import Hindsight, Known
from backend.domain.memory.record import REMOTE, Field, Source

Item = TypeVar("Item")

Why = Literal["moved", "late_report", "false_report", "refused_report", "person", "status"]

WHY: Mapping[Why, str] = {
    "moved": "It moved after it was last seen",
    "late_report": "The report came after it had moved on",
    "false_report": "A false report was believed",
    "refused_report": "The report that was right was refused",
    "person": "A person's correction was wrong",
    "status": "Its status was wrong",
}


class WrongSpan(Struct, frozen=True, kw_only=True):
    """Plan `plan` rested on a wrong `field` of `entity` from `from_s` to `to_s`, mission seconds.

    `seq`: the event that the belief is of, `by` who told it. `told_seq`: the event by which it is known now,
    0 for the simulator; `refused_seq`: the right report that was refused. `is_certain` False: it moved at a
    moment within the span that nobody saw.
    """

    plan: int
    plan_seq: int
    entity: str
    field: Field
    kind: DifferenceKind
    why: Why
    from_s: float
    to_s: float
    seq: int
    by: str
    told_seq: int
    distance_m: float | None = None
    refused_seq: int | None = None
    is_certain: bool = True


class Misled(Struct, frozen=True, kw_only=True):
    """Of an episode, by what is known at its head. Times are mission seconds and count a moment once,
    however many beliefs were wrong in it: `certain_s` of `at_most_s`, and those by cause.
    """

    spans: tuple[WrongSpan, ...]
    relied_s: float
    certain_s: float
    at_most_s: float
    by_why: Mapping[Why, float]
    has_truth: bool
    why_no_truth: str = ""


def misled(trace: Trace, hindsight: Hindsight, metric: Metric) -> Misled:
    """`metric` of the site. An episode that goes on is counted up to its newest event."""
    head_s = trace.head.met_s if trace.head is not None else 0.0
    relied = trace.relied()
    spans = tuple(span for each in relied for span in _wrong(each, trace, hindsight, metric, head_s))
    reasons = dict.fromkeys(span.why for span in spans)
    return Misled(
        spans=spans,
        relied_s=_union_s((each.from_s, head_s if each.to_s is None else each.to_s) for each in relied),
        certain_s=_union_s((span.from_s, span.to_s) for span in spans if span.is_certain),
        at_most_s=_union_s((span.from_s, span.to_s) for span in spans),
        by_why={
            why: _union_s((span.from_s, span.to_s) for span in spans if span.why == why) for why in reasons
        },
        has_truth=hindsight.has_truth,
        why_no_truth=hindsight.why_no_truth,
    )


def _wrong(
    reliance: Reliance, trace: Trace, hindsight: Hindsight, metric: Metric, head_s: float
) -> Iterator[WrongSpan]:
    """The spans within one reliance, joined where nothing differs but the time."""
    last: WrongSpan | None = None
    end_s = head_s if reliance.to_s is None else reliance.to_s
    for from_s, to_s, belief in _pieces(reliance, trace, hindsight, end_s):
        known = hindsight.at(reliance.entity, from_s)
        found = next(
            (
                each
                for each in differences(belief, known, hindsight, metric)
                if FIELD_OF[each.kind] is reliance.field
            ),
            None,
        )
        if found is None or _is_under_way(trace, reliance.entity, belief, known):
            continue
        told_seq = known.seq if known is not None else 0
        span = _span(reliance, belief, found, trace, hindsight, metric, (from_s, to_s), told_seq)
        if last is not None and last.to_s == from_s and _is_same(last, span):
            span = replace(last, to_s=to_s)
        elif last is not None:
            yield last
        last = span
    if last is not None:
        yield last


def _is_under_way(trace: Trace, entity: str, belief: Belief, known: Known | None) -> bool:
    """The robot was doing just that, and measured it when its skill ended: nothing was believed wrongly."""
    if known is None or known.condition == "floor":
        return False
    after = next(
        (
            each
            for each in _between(trace.beliefs[entity], _begun_s, belief.from_s, math.inf)
            if each.status_seq != belief.status_seq
        ),
        None,
    )
    return after is not None and CONDITION.get(after.status) == known.condition


def _pieces(
    reliance: Reliance, trace: Trace, hindsight: Hindsight, end_s: float
) -> Iterator[tuple[float, float, Belief]]:
    """The time of a reliance, cut where belief, knowledge or what had been refused by then changes."""
    entity = reliance.entity
    beliefs = trace.beliefs.get(entity, [])
    if not beliefs:
        return
    within = (reliance.from_s, end_s)
    refused = [
        each.met_s for each in _between(trace.reports.get(entity, []), _heard_s, *within) if each.refused
    ]
    cuts = {
        *within,
        *(each.from_s for each in _between(beliefs, _begun_s, *within)),
        *(each.from_s for each in _between(hindsight.courses.get(entity, ()), _begun_s, *within)),
        *refused,
    }
    ordered = sorted(cuts)
    for from_s, to_s in pairwise(ordered):
        index = bisect_right(beliefs, from_s, key=lambda each: each.from_s) - 1
        yield from_s, to_s, beliefs[max(0, index)]


def _begun_s(each: Belief | Known) -> float:
    return each.from_s


def _heard_s(each: Report) -> float:
    return each.met_s


def _between(
    items: Sequence[Item], time_of: Callable[[Item], float], from_s: float, to_s: float
) -> Sequence[Item]:
    """Of items in order of time, those after `from_s` and before `to_s`."""
    return items[bisect_right(items, from_s, key=time_of) : bisect_left(items, to_s, key=time_of)]


def _span(
    reliance: Reliance,
    belief: Belief,
    found: Difference,
    trace: Trace,
    hindsight: Hindsight,
    metric: Metric,
    time_s: tuple[float, float],
    told_seq: int,
) -> WrongSpan:
    reports = trace.reports.get(reliance.entity, [])
    count = bisect_right(reports, time_s[0], key=lambda each: each.met_s)
    last = next((reports[n] for n in range(count - 1, -1, -1) if not reports[n].refused), None)
    first = bisect_left(reports, belief.from_s, key=lambda each: each.met_s)
    why, refused = _why(reliance, belief, reports[first:count], last, hindsight, metric, time_s[0])
    return WrongSpan(
        plan=reliance.plan,
        plan_seq=reliance.seq,
        entity=reliance.entity,
        field=reliance.field,
        kind=found.kind,
        why=why,
        from_s=time_s[0],
        to_s=time_s[1],
        seq=belief.pose_seq if reliance.field is Field.POSE else belief.status_seq,
        by="" if last is None else last.sensed_by or last.source.value,
        told_seq=told_seq,
        distance_m=found.distance_m,
        refused_seq=refused,
        is_certain=found.is_certain,
    )


def _why(
    reliance: Reliance,
    belief: Belief,
    since: Sequence[Report],
    last: Report | None,
    hindsight: Hindsight,
    metric: Metric,
    from_s: float,
) -> tuple[Why, int | None]:
    """What made the belief wrong, and the right report that was refused, where one was. `since`: what was
    reported since it is held, up to `from_s`; `last`: what was last believed by then."""
    if reliance.field is not Field.POSE:
        return "status", None
    known = hindsight.at(reliance.entity, from_s)
    for report in since:
        if report.refused and known is not None and known.pose is not None:
            then = hindsight.at(reliance.entity, report.stamp_s)
            if then == known and metric.same_place(report.pose, known.pose):
                return "refused_report", report.seq
    if last is None or last.source is Source.OPERATOR or last.seq < belief.pose_seq:
        # No report made it: a person said so, or the robot measured it there.
        return "person" if belief.is_said else "moved", None
    then = hindsight.at(reliance.entity, last.stamp_s)
    if then is None or not _may_be_at(then, belief.pose, metric):
        return "false_report" if last.source in REMOTE else "moved", None
    return ("moved" if hindsight.at(reliance.entity, last.met_s) == then else "late_report"), None


def _may_be_at(known: Known, pose: Pose, metric: Metric) -> bool:
    places = (known.pose, known.before)
    return any(place is not None and metric.same_place(place, pose) for place in places)


def _is_same(a: WrongSpan, b: WrongSpan) -> bool:
    return replace(a, from_s=b.from_s, to_s=b.to_s) == b


def _union_s(spans: Iterable[tuple[float, float]]) -> float:
    """Seconds that at least one of the spans covers."""
    total_s, end_s = 0.0, float("-inf")
    for from_s, to_s in sorted(spans):
        if to_s > end_s:
            total_s += to_s - max(from_s, end_s)
            end_s = to_s
    return total_s
