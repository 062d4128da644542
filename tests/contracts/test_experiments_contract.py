"""What every store of what-ifs does, in memory and on either database: kept whole, and never more spent than
a day's budget holds."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace
from sqlalchemy import update

from backend.domain.memory.corrections import Move
from backend.domain.refusal import Refusal
from backend.persistence.connect import writing
from backend.persistence.experiments import SqlExperiments
from backend.persistence.tables.experiments import experiments
from backend.planners.policy import PolicyPlanner
from backend.sandbox.asking import Answer, Composed, ask, compose
from backend.sandbox.change import Asked, Change
from backend.sandbox.estimate import NOTHING, Estimate
from backend.sandbox.purse import Allowance, Purse, Spending
from backend.sandbox.results import DAY_S, SILENT_S, Experiment, Experiments, Found
from backend.sandbox.results_in_memory import MemoryExperiments
from backend.sandbox.running import Course, Deed
from tests.persistence.episodes import new_episode
from tests.sandbox.recorded_episode import before, calls, journal

DAY = Allowance(calls=10, tokens=5_000, money_usd=1.0)
COSTLY = Estimate(asks_model=True, calls=4, tokens_in=900, tokens_out=100, money_usd=0.1)
ASKED = Asked(
    at=7,
    calls=3,
    change=Change(k=2, weights={"aerial": 0.5}, correction=Move(entity="can_01", x_m=1.0, y_m=2.0)),
    run_on=True,
)


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def stored(request: pytest.FixtureRequest) -> Iterator[tuple[Experiments, str, str]]:
    """The store, and two episodes in it."""
    if request.param == "memory":
        yield MemoryExperiments(), "one", "other"
        return
    engine = request.getfixturevalue(f"{request.param}_engine")
    with writing(engine) as connection:  # what other tests spent lies more than a day back
        connection.execute(update(experiments).values(started_s=experiments.c.started_s - DAY_S - 1))
    yield SqlExperiments(engine), new_episode(engine, "one"), new_episode(engine, "other")


def found() -> Found:
    events = journal()
    call = calls(events)[0]
    composed = compose(before(events, call), call, Change(k=2))
    assert isinstance(composed, Composed)
    answer = ask(composed, call, PolicyPlanner(), Purse(DAY, counts=False))
    assert isinstance(answer, Answer)
    course = Course(
        outcome="completed", message="Done.", delivered=6, total=6, met_s=212.0, decisions=9, replans=2,
        stale_visits=1, refusals=0, path_m=80.5, context_units=900,
        deeds=(Deed(met_s=4.0, command="navigate can_01", result="succeeded (arrived)"),),
    )  # fmt: skip
    return Found(answers=(answer,), ran=course, note="No picture is taken.")


def begun(store: Experiments, episode: str, estimate: Estimate = COSTLY) -> Experiment:
    number = store.begin(episode, ASKED, estimate, "ada", DAY)
    assert isinstance(number, int), number
    kept = store.one(episode, number)
    assert kept is not None
    return kept


def test_what_was_asked_is_kept_before_anything_is(stored: tuple[Experiments, str, str]) -> None:
    store, episode, other = stored
    kept = begun(store, episode)

    assert (kept.asked, kept.estimate, kept.by, kept.stage, kept.found) == (
        ASKED,
        COSTLY,
        "ada",
        "running",
        None,
    )
    assert store.one(other, kept.id) is None


def test_what_was_found_comes_back_whole(stored: tuple[Experiments, str, str]) -> None:
    store, episode, _ = stored
    kept, spending = begun(store, episode), Spending(calls=2, tokens=1_234, money_usd=0.02)
    store.hear(kept.id, "1 of 3 calls asked", Spending(calls=1))
    heard = store.one(episode, kept.id)
    store.end(kept.id, "done", "all the same", spending, found())

    again = store.one(episode, kept.id)
    assert heard is not None
    assert (heard.told, heard.spent.calls) == ("1 of 3 calls asked", 1)
    assert again is not None
    assert (again.stage, again.told, again.spent, again.found) == ("done", "all the same", spending, found())


def test_the_newest_come_first_and_each_by_its_episode(stored: tuple[Experiments, str, str]) -> None:
    store, episode, other = stored
    numbers = [begun(store, each, NOTHING).id for each in (episode, other, episode)]

    assert [each.id for each in store.all(episode)] == [numbers[2], numbers[0]]
    assert [each.id for each in store.all(other)] == [numbers[1]]


def test_one_that_is_under_way_holds_what_it_may_cost(stored: tuple[Experiments, str, str]) -> None:
    store, episode, _ = stored
    first = begun(store, episode)
    begun(store, episode)

    refused = store.begin(episode, ASKED, COSTLY, "ada", DAY)

    assert isinstance(refused, Refusal)
    assert "about 4 calls, and what-ifs have 2 left" in refused.message
    store.end(first.id, "done", "", Spending(calls=1, tokens=10), None)
    assert store.spent() == Spending(calls=5, tokens=1_010, money_usd=0.1)
    begun(store, episode)


def test_what_costs_nothing_needs_nothing_left(stored: tuple[Experiments, str, str]) -> None:
    store, episode, _ = stored
    begun(store, episode, replace(COSTLY, calls=10))

    begun(store, episode, NOTHING)


def test_one_that_fell_silent_holds_nothing_back() -> None:
    now = [1_000.0]
    store = MemoryExperiments(lambda: now[0])
    begun(store, "one", replace(COSTLY, calls=10))
    now[0] += SILENT_S + 1

    assert store.spent() == Spending()
    assert store.all("one")[0].is_silent(now[0])


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_two_at_once_are_not_both_given_the_last(kind: str, request: pytest.FixtureRequest) -> None:
    engine = request.getfixturevalue(f"{kind}_engine")
    with writing(engine) as connection:
        connection.execute(update(experiments).values(started_s=0.0))
    store, episode = SqlExperiments(engine), new_episode(engine, "both")
    large = replace(COSTLY, calls=6)

    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: store.begin(episode, ASKED, large, "ada", DAY), range(4)))

    assert sum(isinstance(each, int) for each in made) == 1
