"""The surrogate's note: what of it is lost at which rate, and what a memory can make good."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.planners.surrogate.facts import Facts, read, recalled, written
from backend.planners.surrogate.rewriting import Rates, Rewritten, rewritten

KNOWN: Facts = {"cube under container 2": "green", "placed": 1}
ALWAYS = Rates(drop=1, miscount=1)

SUBJECTS = st.text(st.characters(exclude_characters="\n:", codec="utf-8"), min_size=1, max_size=12)
TEXTS = st.text(st.characters(exclude_characters="\n", codec="utf-8"), min_size=1, max_size=12)
FACTS = st.dictionaries(
    SUBJECTS,
    st.integers(-9, 99) | TEXTS.filter(lambda text: not text.removeprefix("-").isdigit()),
    max_size=6,
)
RATES = st.floats(0, 1)


@pytest.mark.parametrize(
    ("learned", "rates", "expected"),
    [
        ({}, Rates(), Rewritten("cube under container 2: green\nplaced: 1")),
        ({}, ALWAYS, Rewritten("", ("cube under container 2", "placed"))),
        ({"placed": 2}, Rates(), Rewritten("cube under container 2: green\nplaced: 2")),
        (
            {"placed": 2},
            Rates(miscount=1),
            Rewritten("cube under container 2: green\nplaced: 1", (), ("placed",)),
        ),
        ({"placed": 1}, Rates(miscount=1), Rewritten("cube under container 2: green\nplaced: 1")),
        ({"placed": 0}, Rates(miscount=1), Rewritten("cube under container 2: green\nplaced: 0")),
        ({"lit": "red"}, ALWAYS, Rewritten("lit: red", ("cube under container 2", "placed"))),
        (
            {"presses": 1},
            Rates(miscount=1),
            Rewritten("cube under container 2: green\nplaced: 1\npresses: 0", (), ("presses",)),
        ),
    ],
    ids=[
        "nothing goes wrong",
        "all is dropped",
        "counted",
        "a repetition is not counted",
        "a count that stays cannot be missed",
        "nor one that goes down",
        "what is in view is written",
        "the first of a count is not counted",
    ],
)
def test_what_a_rewrite_loses(learned: Facts, rates: Rates, expected: Rewritten) -> None:
    assert rewritten(KNOWN, learned, rates, 1, 3) == expected


@given(FACTS)
def test_a_note_tells_the_facts_it_was_written_from(facts: dict[str, str | int]) -> None:
    assert read(written(facts)) == facts


@given(FACTS, FACTS, RATES, RATES, st.integers(), st.integers(0, 80))
def test_a_higher_rate_loses_all_that_a_lower_one_does(
    known: Facts, learned: Facts, one: float, other: float, seed: int, decision: int
) -> None:
    low, high = sorted((one, other))
    less = rewritten(known, learned, Rates(drop=low, miscount=low), seed, decision)
    more = rewritten(known, learned, Rates(drop=high, miscount=high), seed, decision)

    assert set(less.dropped) <= set(more.dropped)
    assert set(less.miscounted) <= set(more.miscounted)
    assert set(more.dropped).isdisjoint(learned)
    assert {**known, **learned}.keys() == read(more.note).keys() | set(more.dropped)


def test_the_rates_are_met_over_many_facts() -> None:
    known: Facts = {f"fact {number}": "so" for number in range(4000)}
    counts: Facts = {f"count {number}": 1 for number in range(4000)}

    lost = rewritten(known, counts, Rates(drop=0.1, miscount=0.2), 7, 1)

    assert len(lost.dropped) == pytest.approx(400, rel=0.15)
    assert len(lost.miscounted) == pytest.approx(800, rel=0.15)
    assert lost.dropped != rewritten(known, counts, Rates(drop=0.1), 8, 1).dropped, "another seed, other luck"
    assert lost.dropped != rewritten(known, counts, Rates(drop=0.1), 7, 2).dropped, "and another decision"


def test_the_latest_note_forgets_and_the_history_does_not() -> None:
    told: Facts = {f"container {number}": "red" for number in range(200)}
    rates = Rates(drop=0.1)
    latest = [written(told)]
    history = [written(told)]
    for decision in range(10):
        latest.append(rewritten(recalled(latest[-1:]), {}, rates, 1, decision).note)
        history.append(rewritten(recalled(history), {}, rates, 1, decision).note)

    assert len(recalled(latest[-1:])) == pytest.approx(200 * 0.9**10, rel=0.25)
    assert recalled(history) == told


def test_a_lost_count_stays_lost_in_notes_however_many_are_shown() -> None:
    """Only the execution log makes it good: that is what it is for."""
    notes = [written({"placed": 1})]
    notes.append(rewritten(recalled(notes), {"placed": 2}, Rates(miscount=1), 1, 1).note)

    assert recalled(notes) == {"placed": 1}


@pytest.mark.parametrize("facts", [{"a: b": 1}, {"": 1}, {"a": ""}, {"a": "b\nc"}, {"a": "12"}, {"a\nb": 2}])
def test_a_fact_that_could_not_be_read_back_is_refused(facts: Facts) -> None:
    with pytest.raises(ValueError, match="cannot be written in one line and read back"):
        written(facts)


def test_lines_that_are_no_facts_are_passed_over() -> None:
    assert read("An arm pushes the cube.\nmanner: push\n: 3\nplaced: 2") == {"manner": "push", "placed": 2}


def test_a_rate_is_a_probability() -> None:
    with pytest.raises(ValueError, match=r"drop is 1\.5"):
        Rates(drop=1.5)
