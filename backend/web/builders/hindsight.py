"""What memory held at a moment beside what is known now: the table of the replay, and the map's marks."""

from __future__ import annotations

from collections.abc import Sequence

from backend.domain.episode.state import State
from backend.domain.hindsight.difference import FIELD_OF, Compared, Difference, DifferenceKind, compare
from backend.domain.hindsight.known import Hindsight, Known
from backend.domain.hindsight.reliance import Misled
from backend.domain.hindsight.witness import Basis
from backend.domain.memory.record import ACTIVE, EntityRecord
from backend.web.builders import words
from backend.web.pages import figures
from backend.web.pages.hindsight import KnownData, KnownMark, KnownRow, KnownTable
from backend.web.pages.map import Point

DIFFERENCE: dict[DifferenceKind, str] = {
    "wrong_pose": "Wrong pose",
    "wrong_status": "Wrong status",
    "wrong_class": "Wrong class",
    "not_yet_known": "Not yet known",
    "false_record": "False record",
}
_BASIS: dict[Basis, str] = {
    "truth": "simulator",
    "measured": "measured",
    "seen": "seen by the robot",
    "person": "said by a person",
    "report": "reported",
}
_CONDITION = {"held": "in the gripper", "delivered": "at its station", "gone": "no such thing"}


def compared_at(state: State, hindsight: Hindsight) -> list[Compared]:
    """What differs first, then what agrees, each in order of creation."""
    found = compare(state.memory.records, hindsight, state.met_s, state.site.metric)
    return sorted(found, key=lambda each: not each.differences)


def known_table(state: State, hindsight: Hindsight, misled: Misled) -> KnownTable:
    found = compared_at(state, hindsight)
    wrong = [each for each in found if each.differences]
    relied = [each.entity for each in wrong if _rests_on(state, each)]
    return KnownTable(
        met=figures.met(state.met_s),
        summary=_summary(len(wrong), len(found)),
        source=_source(hindsight),
        misled=misled_words(misled),
        relied=f"The plan of this moment rests on what was wrong of {', '.join(relied)}." if relied else "",
        rows=tuple(_row(state, each) for each in found),
    )


def known_data(state: State, hindsight: Hindsight) -> KnownData:
    marks = [_mark(state, each) for each in compared_at(state, hindsight) if each.differences]
    return KnownData(seq=state.seq, marks=tuple(marks))


def misled_words(misled: Misled) -> str:
    """How long, of how long, in a sentence."""
    if not misled.relied_s:
        return "No plan of this episode rested on a record for any time."
    of = f"of {figures.age(misled.relied_s)} in which plans rested on records"
    if not misled.at_most_s:
        return f"No plan rested on a wrong belief, {of}."
    certain, most = figures.age(misled.certain_s), figures.age(misled.at_most_s)
    told = certain if certain == most else f"{certain} for certain, {most} at most,"
    return f"Plans rested on a wrong belief for {told} {of}."


def difference_words(differences: Sequence[Difference]) -> str:
    return "; ".join(_named(each) for each in differences)


def basis_words(known: Known) -> str:
    if known.basis == "truth":
        return _BASIS["truth"]
    return f"{_BASIS[known.basis]} at {figures.met(known.told_s)}"


def known_words(known: Known | None) -> str:
    """Where it was, as far as anybody knows."""
    if known is None:
        return figures.NONE
    if known.condition != "floor":
        return _CONDITION[known.condition]
    if known.pose is None:
        return f"no longer at {words.place(known.before)}" if known.before else "nobody knows where"
    return words.place(known.pose)


def _named(each: Difference) -> str:
    far = f", {each.distance_m:.2f} m" if each.distance_m else ""
    return f"{DIFFERENCE[each.kind]}{far}{'' if each.is_certain else ', or about to be'}"


def _summary(wrong: int, all_of: int) -> str:
    if not all_of:
        return "Nothing was known then, and nothing is now."
    if not wrong:
        return f"All {words.counted(all_of, 'record')} said what is known now."
    was = "was" if wrong == 1 else "were"
    return f"{wrong} of {words.counted(all_of, 'entity', 'entities')} {was} otherwise than memory had it."


def _source(hindsight: Hindsight) -> str:
    if hindsight.has_truth:
        return "Known now from the simulator, which recorded where everything was."
    return f"Known now from what was seen, measured and said later. {hindsight.why_no_truth}".strip()


def _rests_on(state: State, compared: Compared) -> bool:
    fields = {FIELD_OF[each.kind] for each in compared.differences}
    plan = state.plan
    return plan is not None and any(
        each.entity == compared.entity and each.field in fields and each.last_step >= state.cursor
        for each in plan.dependencies
    )


def _row(state: State, compared: Compared) -> KnownRow:
    record, known = state.memory.records.get(compared.entity), compared.known
    relied = _rests_on(state, compared)
    return KnownRow(
        entity=compared.entity,
        icon=words.shape_of(record, state) if record is not None else "unsupported",
        status=words.shape_of(record, state).capitalize() if record is not None else "No record",
        believed=_believed(record),
        known=known_words(known),
        difference=difference_words(compared.differences),
        basis=basis_words(known) if known is not None else "",
        basis_seq=known.seq if known is not None and known.seq else None,
        tone="alarm" if relied else "caution" if compared.differences else "quiet",
        is_relied_on=relied,
        is_record=record is not None,
    )


def _believed(record: EntityRecord | None) -> str:
    if record is None:
        return figures.NONE
    return words.place(record.pose) if record.status in ACTIVE else record.status.value


def _mark(state: State, compared: Compared) -> KnownMark:
    record, known = state.memory.records.get(compared.entity), compared.known
    place = known.pose if known is not None and known.condition == "floor" else None
    shown = record is not None and record.status in ACTIVE
    said = difference_words(compared.differences)
    return KnownMark(
        entity=compared.entity,
        place=Point(place.x_m, place.y_m) if place is not None else None,
        believed=Point(record.pose.x_m, record.pose.y_m) if record is not None and shown else None,
        label=said,
        spoken=f"Known now: {compared.entity} {known_words(known)}. {said}",
        is_certain=all(each.is_certain for each in compared.differences),
    )
