"""One cursor over two episodes."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.domain.comparing.course import course_of
from backend.domain.comparing.cursor import By, at_of, drawn_at, most, next_time, seq_at
from backend.domain.episode import events as e
from backend.domain.episode.evolve import FoldError, fold
from tests.domain.comparing.played import course, journal

WHOLE = course("attention", 3)
JOURNAL = journal("attention", 3)
BY = st.sampled_from(get_args(By))
SEQS = st.integers(1, WHOLE.head)


@given(by=BY, seq=SEQS)
def test_the_place_of_an_event_shows_it(by: By, seq: int) -> None:
    at = at_of(WHOLE, by, seq)

    assert 0 <= at <= most(WHOLE, by)
    assert seq_at(WHOLE, by, at) >= seq or at == most(WHOLE, by)


@given(by=BY, one=st.floats(-5, 2000), other=st.floats(-5, 2000))
def test_later_places_show_later_events(by: By, one: float, other: float) -> None:
    first, second = (seq_at(WHOLE, by, at) for at in sorted((one, other)))

    assert 1 <= first <= second <= WHOLE.head


@given(by=BY, one=SEQS, other=SEQS)
def test_an_axis_never_runs_back(by: By, one: int, other: int) -> None:
    first, second = (drawn_at(WHOLE, by, WHOLE.mets_s[seq - 1]) for seq in sorted((one, other)))

    assert 0 <= first <= second <= most(WHOLE, by)


def test_after_a_step_its_outcome_and_the_next_plan_are_known() -> None:
    for step in range(len(WHOLE.did) + 1):
        state = fold(JOURNAL[: seq_at(WHOLE, "step", step)])
        assert len(state.log) == step
        assert state.dispatch is None


def test_after_a_delivery_it_stands_and_nothing_more_was_sent() -> None:
    for count in range(len(WHOLE.brought) + 1):
        state = fold(JOURNAL[: seq_at(WHOLE, "delivery", count)])
        assert len(state.delivered) == count
        assert state.dispatch is None


def test_by_time_it_stands_at_the_last_event_until_then() -> None:
    assert seq_at(WHOLE, "time", WHOLE.mets_s[40]) >= 41
    assert WHOLE.mets_s[seq_at(WHOLE, "time", 12.5) - 1] <= 12.5
    assert seq_at(WHOLE, "time", 1e9) == WHOLE.head


def test_an_episode_is_taken_up_in_the_middle_of_a_step() -> None:
    sent = next(each.seq for each in JOURNAL if isinstance(each.event, e.StepDispatched))
    begun = course_of(JOURNAL[:sent])

    assert most(begun, "step") == 0
    assert seq_at(begun, "step", 0) == sent


def test_the_next_time_is_that_of_either() -> None:
    other = course("static", 3)

    assert next_time((WHOLE, other), -1.0, 1) == 0.0
    assert next_time((WHOLE, other), 0.0, -1) is None
    end_s = max(WHOLE.end_s, other.end_s)
    assert next_time((WHOLE, other), end_s, 1) is None
    assert next_time((WHOLE, other), end_s + 9, -1) == end_s


@pytest.mark.parametrize(
    ("events", "message"),
    [((), "empty"), (JOURNAL[1:3], "gap"), ((JOURNAL[0], JOURNAL[2]), "gap")],
    ids=["nothing", "no opening", "one missing"],
)
def test_what_is_no_journal_is_refused(events: tuple[e.Recorded, ...], message: str) -> None:
    with pytest.raises(FoldError, match=message):
        course_of(events)
