"""Where two episodes part: the first difference first, then every other that stands for itself.

Facts are matched by what they are about, never by their place in the journal: a report by who sensed what
when, a question, plan, step or delivery by its number. Of what differs in a row (questions, plans, steps) the
first is told with how many more follow, since all that comes after a first difference may be its consequence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Literal, get_args

from msgspec import Struct

from backend.domain.comparing.facts import Acted, Course, Did, Fact, Heard
from backend.domain.comparing.ground import Ground
from backend.domain.comparing.sameness import same_act, same_delivery, same_plan, same_question, same_step
from backend.domain.execution.outcome import Result
from backend.domain.memory.record import Source

Aspect = Literal[
    "evidence", "record", "context", "plan", "person", "outcome", "delivery", "failure", "ending"
]
"""In the order in which one causes the other at the same time. `evidence`: a report that one alone got, or
that said otherwise; `record`: the same report, of which memory made something else."""

RANK: dict[Aspect, int] = {aspect: rank for rank, aspect in enumerate(get_args(Aspect))}


class Parting(Struct, frozen=True, kw_only=True):
    """`left`, `right`: the facts that differ; None where one has nothing that answers the other's. `more`:
    how many of the kind follow that are not told."""

    aspect: Aspect
    left: Any = None
    right: Any = None
    more: int = 0

    @property
    def facts(self) -> tuple[Fact, ...]:
        return tuple(fact for fact in (self.left, self.right) if fact is not None)

    @property
    def met_s(self) -> float:
        """When the earlier of the two came apart."""
        return min(fact.met_s for fact in self.facts)


def partings(left: Course, right: Course, ground: Ground) -> tuple[Parting, ...]:
    """In order of mission time, what causes before what follows. Empty where nothing can be aligned."""
    if not ground.aligns:
        return ()
    found = [
        *(_reports(left, right) if ground.same_reports else ()),
        *_row("context", left.asked, right.asked, lambda a, b: same_question(a, b, ground.exact)),
        *_row("plan", left.planned, right.planned, same_plan),
        *_acts(left.acted, right.acted),
        *_row("outcome", left.did, right.did, lambda a, b: same_step(a, b, left.opened.site.metric)),
        *_failures(left.did, right.did),
        *_row("delivery", left.brought, right.brought, same_delivery),
        *_ending(left, right),
    ]
    return tuple(sorted(found, key=lambda each: (each.met_s, RANK[each.aspect], each.facts[0].seq)))


def _row(
    aspect: Aspect, left: Sequence[Any], right: Sequence[Any], is_same: Callable[[Any, Any], bool]
) -> Iterator[Parting]:
    """The first pair of a number that differs. One that only one has by now is a difference too."""
    differ = [
        (ours, theirs)
        for ours, theirs in zip_longest(left, right)
        if ours is None or theirs is None or not is_same(ours, theirs)
    ]
    if differ:
        ours, theirs = differ[0]
        yield Parting(aspect=aspect, left=ours, right=theirs, more=len(differ) - 1)


def _reports(left: Course, right: Course) -> Iterator[Parting]:
    """What said otherwise or was judged otherwise, each; and the first of each source that only one got. What
    a robot itself sees depends on where it is, so a sighting of one alone is no cause."""
    ours, theirs = _by_report(left.heard), _by_report(right.heard)
    for key in (each for each in ours if each in theirs):
        mine, other = ours[key], theirs[key]
        if mine.evidence != other.evidence and not _is_own(mine):
            yield Parting(aspect="evidence", left=mine, right=other)
        elif not _same_judgement(mine, other):
            yield Parting(aspect="record", left=mine, right=other)
    for known, others, side in ((ours, theirs, "left"), (theirs, ours, "right")):
        alone = [heard for key, heard in known.items() if key not in others and not _is_own(heard)]
        for source in dict.fromkeys(heard.evidence.source for heard in alone):
            of_it = [heard for heard in alone if heard.evidence.source is source]
            yield Parting(aspect="evidence", more=len(of_it) - 1, **{side: of_it[0]})


def _by_report(heard: Sequence[Heard]) -> dict[Any, Heard]:
    """By who sensed what when; the k-th of several alike is the k-th of the other's."""
    counted: Counter[Any] = Counter()
    found: dict[Any, Heard] = {}
    for each in heard:
        evidence = each.evidence
        key = (evidence.source, evidence.sensed_by, evidence.entity or evidence.cls, evidence.stamp_s)
        counted[key] += 1
        found[*key, counted[key]] = each
    return found


def _same_judgement(one: Heard, other: Heard) -> bool:
    """Wording apart: a confidence in a reason differs with the memory's age."""
    return (one.verdict, one.entity, {change.field for change in one.changes}) == (
        other.verdict,
        other.entity,
        {change.field for change in other.changes},
    )


def _is_own(heard: Heard) -> bool:
    return heard.evidence.source is Source.ONBOARD


def _failures(left: Sequence[Did], right: Sequence[Did]) -> Iterator[Parting]:
    """Steps that failed in one and have no like in the other."""
    ours, theirs = _failed(left), _failed(right)
    for key in dict.fromkeys([*ours, *theirs]):
        mine, others = ours.get(key, []), theirs.get(key, [])
        yield from (Parting(aspect="failure", left=did) for did in mine[len(others) :])
        yield from (Parting(aspect="failure", right=did) for did in others[len(mine) :])


def _failed(did: Sequence[Did]) -> dict[Any, list[Did]]:
    found: dict[Any, list[Did]] = {}
    for each in did:
        if each.outcome.result in (Result.FAILED, Result.NOT_EXECUTED):
            arguments = tuple(sorted(each.step.arguments.items(), key=str)) if each.step is not None else ()
            found.setdefault((each.outcome.skill, each.outcome.reason, repr(arguments)), []).append(each)
    return found


def _acts(left: Sequence[Acted], right: Sequence[Acted]) -> Iterator[Parting]:
    """The n-th act of a kind against the other's n-th of that kind."""
    for kind in dict.fromkeys(each.kind for each in (*left, *right)):
        mine = [each for each in left if each.kind == kind]
        others = [each for each in right if each.kind == kind]
        for ours, theirs in zip_longest(mine, others):
            if ours is None or theirs is None or not same_act(ours, theirs):
                yield Parting(aspect="person", left=ours, right=theirs)


def _ending(left: Course, right: Course) -> Iterator[Parting]:
    """Of episodes that ended both: one that goes on may come to the same."""
    ours, theirs = left.finished, right.finished
    if ours is None or theirs is None:
        return
    if (ours.outcome, ours.delivered, ours.met_s) != (theirs.outcome, theirs.delivered, theirs.met_s):
        yield Parting(aspect="ending", left=ours, right=theirs)
