"""What is known now of where a thing was then: from the simulator where it tells, else from who witnessed it.

Between two witnesses that agree it was there all the time. Between two that do not it moved at some moment
that nobody saw: it is then told where it was seen next, and that this is not certain.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct

from backend.domain.geometry import Metric, Pose
from backend.domain.hindsight.belief import Trace
from backend.domain.hindsight.truth import Condition, Truth
from backend.domain.hindsight.witness import Basis, Witness
from backend.domain.memory.record import Status


class Known(Struct, frozen=True, kw_only=True):
    """From `from_s` on, until the next of the same course.

    `pose` None: it was no longer where it had been, and nobody knows where. `before`: where it had been, as
    long as it may have been there still. `seq`: the event that tells, 0 where the simulator does.
    """

    from_s: float
    cls: str
    condition: Condition
    pose: Pose | None
    basis: Basis
    before: Pose | None = None
    seq: int = 0
    told_s: float = 0.0


Course = tuple[Known, ...]


class Hindsight(Struct, frozen=True, kw_only=True):
    """`courses`: by entity, in order of time; an entity without one is not known of.

    `has_truth`: a simulator told, so the entities named are all there are.
    """

    courses: dict[str, Course]
    has_truth: bool
    why_no_truth: str = ""

    def at(self, entity: str, met_s: float) -> Known | None:
        """What is known of the entity at that mission time; the first that is known, before it."""
        course = self.courses.get(entity, ())
        if not course:
            return None
        return course[max(0, bisect_right(course, met_s, key=lambda each: each.from_s) - 1)]


def hindsight_of(trace: Trace, truth: Truth, metric: Metric) -> Hindsight:
    """Everything that is known by the trace's head."""
    if truth.is_known:
        return Hindsight(courses=_told(truth), has_truth=True)
    courses: dict[str, Course] = {}
    for entity, beliefs in trace.beliefs.items():
        last = beliefs[-1]
        if last.status is Status.REMOVED:
            gone = Known(from_s=beliefs[0].from_s, cls=last.cls, condition="gone", pose=None, basis="person")
            courses[entity] = (gone,)
            continue
        course = _witnessed(trace.witnesses.get(entity, ()), last.cls, metric)
        if course:
            courses[entity] = course
    return Hindsight(courses=courses, has_truth=False, why_no_truth=truth.why_not)


def _told(truth: Truth) -> dict[str, Course]:
    return {
        entity: tuple(
            Known(
                from_s=fact.from_s,
                cls=fact.cls,
                condition=fact.condition,
                pose=fact.pose,
                basis="truth",
                told_s=fact.from_s,
            )
            for fact in facts
        )
        for entity, facts in truth.facts.items()
    }


def _witnessed(witnesses: Sequence[Witness], cls: str, metric: Metric) -> Course:
    settled = _settled(sorted(witnesses, key=lambda each: (each.at_s, each.seq)), metric)
    course: list[Known] = []
    found: Witness | None = None
    later: Witness | None = None
    for here in reversed(settled):
        course.append(_from(here, found, cls, metric, was_missed=later is not None and later.is_absent))
        found, later = found if here.is_absent else here, here
    return _joined(course[::-1])


def _from(here: Witness, found: Witness | None, cls: str, metric: Metric, *, was_missed: bool) -> Known:
    """What is known from one witness to the next. `found`: the next that says where it was; `was_missed`: a
    look at its place came first, and it was not there."""
    if here.is_absent:
        return _known(here.at_s, found, cls) if found is not None else _vanished(here, cls)
    if here.condition != "floor" or (found is None and not was_missed):
        return _known(here.at_s, here, cls)
    if found is None:
        return _vanished(here, cls, before=here.pose)
    is_same = metric.same_place(here.pose, found.pose)
    if (is_same and not was_missed) or found.condition == "delivered":
        return _known(here.at_s, here, cls)
    return _known(here.at_s, found, cls, before=here.pose)


def _settled(witnesses: Sequence[Witness], metric: Metric) -> list[Witness]:
    """Without the claims that two firsthand witnesses around them, agreeing, show to be wrong."""
    kept: list[Witness] = []
    waiting: list[Witness] = []
    before: Witness | None = None
    for witness in witnesses:
        if not witness.is_firsthand:
            waiting.append(witness)
            continue
        agree = (
            before is not None
            and before.condition == witness.condition == "floor"
            and before.is_absent == witness.is_absent
            and metric.same_place(before.pose, witness.pose)
        )
        if not agree or witness.is_absent:
            kept += [each for each in waiting if not _is_denied(each, witness, metric)]
        kept.append(witness)
        before, waiting = witness, []
    return kept + [each for each in waiting if before is None or before.condition == "floor"]


def _is_denied(claim: Witness, witness: Witness, metric: Metric) -> bool:
    """A look at the very place, no later than a moment after the claim, found nothing there."""
    return witness.is_absent and metric.same_place(claim.pose, witness.pose) and claim.at_s >= witness.at_s


def _known(from_s: float, witness: Witness, cls: str, before: Pose | None = None) -> Known:
    """What is told by a later witness was on the floor until then, whatever became of it."""
    return Known(
        from_s=from_s,
        cls=cls,
        condition=witness.condition if from_s == witness.at_s else "floor",
        pose=witness.pose,
        basis=witness.basis,
        before=before,
        seq=witness.seq,
        told_s=witness.at_s,
    )


def _vanished(here: Witness, cls: str, before: Pose | None = None) -> Known:
    return Known(
        from_s=here.at_s,
        cls=cls,
        condition="floor",
        pose=None,
        basis=here.basis,
        before=before,
        seq=here.seq,
        told_s=here.at_s,
    )


def _joined(course: Sequence[Known]) -> Course:
    """Of several that begin at once the last counts; one that says the same as the one before is left out."""
    joined: list[Known] = []
    for known in course:
        if joined and joined[-1].from_s == known.from_s:
            joined.pop()
        if joined and _says(joined[-1]) == _says(known):
            continue
        joined.append(known)
    return tuple(joined)


def _says(known: Known) -> tuple[object, ...]:
    return known.cls, known.condition, known.pose, known.before
