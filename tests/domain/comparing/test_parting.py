"""Where two episodes part, found by itself."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from backend.domain.comparing.course import course_of
from backend.domain.comparing.facts import Course
from backend.domain.comparing.ground import ground_of
from backend.domain.comparing.parting import RANK, Parting, partings
from backend.domain.episode import events as e
from backend.domain.episode.events import Recorded
from backend.domain.memory.evidence import Verdict
from backend.domain.memory.record import Source
from tests.domain.comparing.played import course, journal

JOURNAL = journal("attention", 3)
WHOLE = course("attention", 3)


def parted(left: Course, right: Course) -> tuple[Parting, ...]:
    return partings(left, right, ground_of(left, right))


def changed(kind: type, change: Any, number: int = 0) -> Course:
    """The episode with its `number`-th event of `kind` as `change` makes it."""
    seqs = [each.seq for each in JOURNAL if isinstance(each.event, kind)]
    events = list(JOURNAL)
    recorded = events[seqs[number] - 1]
    events[seqs[number] - 1] = replace(recorded, event=change(recorded.event))
    return course_of(events)


def said(recorded: Recorded, event: Any) -> tuple[Recorded, ...]:
    """The journal with one event more at its end."""
    return (*JOURNAL, replace(recorded, seq=len(JOURNAL) + 1, event=event))


def test_an_episode_never_parts_from_itself() -> None:
    assert parted(WHOLE, WHOLE) == ()


def outcome(event: Any) -> Any:
    return replace(event, outcome=replace(event.outcome, reason="slipped", result="failed"))


CHANGES = {
    "a report refused": (
        e.EvidenceJudged,
        lambda it: replace(it, verdict=Verdict.REFUSED, changes=()),
        30,
        "record",
    ),
    "a report of another place": (
        e.EvidenceJudged,
        lambda it: replace(it, evidence=replace(it.evidence, confidence=0.111)),
        30,
        "evidence",
    ),
    "a record left out": (
        e.PlanRequested,
        lambda it: replace(it, retrieval=replace(it.retrieval, exposed=it.retrieval.exposed[1:])),
        2,
        "context",
    ),
    "another plan": (
        e.PlanProposed,
        lambda it: replace(it, plan=replace(it.plan, steps=it.plan.steps[1:])),
        3,
        "plan",
    ),
    "a step that failed": (e.StepEnded, outcome, 5, "outcome"),
    "another end": (e.EpisodeEnded, lambda it: replace(it, delivered=1), 0, "ending"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_the_first_difference_is_found_with_its_place(name: str) -> None:
    kind, change, number, aspect = CHANGES[name]
    remote = [each for each in JOURNAL if isinstance(each.event, kind)]
    if kind is e.EvidenceJudged:
        number = next(at for at, each in enumerate(remote) if is_remote(each, number))
    found = parted(WHOLE, changed(kind, change, number))

    assert found[0].aspect == aspect
    assert found[0].left.seq == found[0].right.seq == remote[number].seq


def is_remote(recorded: Recorded, least: int) -> bool:
    event: Any = recorded.event
    return (
        recorded.seq > least and event.evidence.source is Source.AERIAL and event.verdict is Verdict.ACCEPTED
    )


@given(cut=st.integers(2, len(JOURNAL)))
def test_what_one_has_not_come_to_yet_is_a_difference_of_one_side(cut: int) -> None:
    for each in parted(course_of(JOURNAL[:cut]), WHOLE):
        assert each.left is None
        assert each.right.seq > cut


@given(
    left=st.sampled_from(["attention", "static", "unfiltered"]),
    right=st.sampled_from(["attention", "static", "unfiltered"]),
    seed=st.integers(0, 2),
)
def test_first_comes_first_and_both_sides_tell_the_same(left: str, right: str, seed: int) -> None:
    one, other = course(left, seed, "s-6"), course(right, seed, "s-6")
    found = parted(one, other)

    assert [(each.met_s, RANK[each.aspect]) for each in found] == sorted(
        (each.met_s, RANK[each.aspect]) for each in found
    )
    mirrored = {(each.aspect, each.right, each.left) for each in map(hashable, parted(other, one))}
    assert {(each.aspect, each.left, each.right) for each in map(hashable, found)} == mirrored
    assert (found == ()) is (left == right)


def hashable(parting: Parting) -> Any:
    return replace(parting, left=repr(parting.left), right=repr(parting.right))


def test_memories_part_in_what_they_show_and_in_what_they_take() -> None:
    """Of the paper: an unfiltered history shows more than K, and refuses no false report."""
    found = parted(course("attention", 3), course("unfiltered", 3))
    context = next(each for each in found if each.aspect == "context")

    assert context.left.count < context.right.count
    refused = [each for each in found if each.aspect == "record" and each.left.verdict is Verdict.REFUSED]
    assert any(each.right.verdict is not Verdict.REFUSED for each in refused)


def test_a_person_s_act_that_the_other_lacks_is_told() -> None:
    hold = e.StopAsked(stop_id="s1", by="ada", reason="somebody walks there")
    [found] = parted(WHOLE, course_of(said(JOURNAL[-1], hold)))

    assert (found.aspect, found.left, found.right.by) == ("person", None, "ada")


def test_other_seeds_are_not_compared_report_by_report() -> None:
    found = parted(course("attention", 3), course("attention", 4))

    assert found[0].aspect == "context"
    assert not {"evidence", "record"} & {each.aspect for each in found}


def test_other_worlds_part_nowhere() -> None:
    assert parted(course("attention", 3), course("attention", 3, "s-6")) == ()
