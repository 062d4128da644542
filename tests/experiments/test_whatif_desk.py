"""A what-if of a stored episode, from its estimate to what is kept of it; and its command."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result
from sqlalchemy import Engine, func, select
from typer.testing import CliRunner

from backend.bootstrap import frame_store
from backend.cli import app
from backend.config import Settings
from backend.domain.episode.evolve import fold
from backend.domain.refusal import Refusal
from backend.experiments.desk import ExperimentDesk
from backend.persistence.connect import reading
from backend.persistence.reader import SqlReader
from backend.persistence.redaction import redact
from backend.persistence.tables.inbox import intents
from backend.persistence.tables.journal import events, heads
from backend.processes.exits import Exit
from backend.sandbox.change import NEWEST, Asked, Change
from backend.sandbox.comparing import agreement
from backend.sandbox.looking import Look
from backend.sandbox.results import Experiment
from backend.sandbox.running import course_of, parting
from backend.usecases.inline import InlineExecutor
from tests.support.fake_planner import FakePlanner
from tests.support.recorded import DEEDS, record

EPISODE = "whatif"
EPISODES_OWN = (events, intents)


@pytest.fixture(scope="module")
def recorded(sqlite_engine: Engine) -> Engine:
    """An episode without people in it, and one that somebody held."""
    record(sqlite_engine, EPISODE, deeds=())
    record(sqlite_engine, "held", deeds=DEEDS)
    return sqlite_engine


@pytest.fixture
def model() -> Iterator[FakePlanner]:
    with FakePlanner() as fake:
        yield fake


@pytest.fixture
def desk(recorded: Engine, tmp_path: Path, model: FakePlanner) -> ExperimentDesk:
    return desk_of(recorded, tmp_path, planner_base_url=model.url)


def desk_of(engine: Engine, home: Path, **given: object) -> ExperimentDesk:
    settings = Settings(home=home, **given)  # type: ignore[arg-type]
    return ExperimentDesk(settings, engine, SqlReader(engine, frame_store(settings)), InlineExecutor())


def looked(desk: ExperimentDesk, asked: Asked, episode: str = EPISODE) -> Look:
    found = desk.look(episode, asked)
    assert isinstance(found, Look), found
    return found


def done(desk: ExperimentDesk, asked: Asked, episode: str = EPISODE) -> Experiment:
    number = desk.start(episode, looked(desk, asked, episode), "ada")
    assert isinstance(number, int), number
    kept = desk.one(episode, number)
    assert kept is not None
    return kept


def everything(engine: Engine) -> list[object]:
    """All that an episode is: what a what-if must leave alone."""
    with reading(engine) as connection:
        counts = [connection.execute(select(func.count()).select_from(t)).scalar_one() for t in EPISODES_OWN]
        return [*counts, connection.execute(select(heads).order_by(heads.c.episode)).all()]


def test_a_batch_of_unchanged_calls_agrees_in_all(desk: ExperimentDesk, recorded: Engine) -> None:
    before = everything(recorded)
    kept = done(desk, Asked(at=20, calls=50))

    assert kept.stage == "done", kept.told
    assert kept.found is not None
    asked = desk.calls(EPISODE, kept)
    pairs = [(call, answer) for (call, _), answer in zip(asked, kept.found.answers, strict=True)]
    assert agreement(pairs).share == 1.0
    assert kept.told == f"{len(pairs)} of {len(pairs)} plans the same"
    assert everything(recorded) == before


def test_run_on_with_nothing_changed_comes_out_as_recorded(desk: ExperimentDesk, recorded: Engine) -> None:
    look = looked(desk, Asked(at=60, run_on=True))
    kept = done(desk, look.asked)

    assert kept.found is not None
    assert kept.found.note == ""
    end = fold(each.recorded for each in SqlReader(recorded).events(EPISODE, limit=None))
    original = course_of(end, len(look.state.log))
    assert kept.found.ran == kept.found.unchanged == kept.found.recorded == original


def test_another_memory_runs_another_way_on_the_same_tape(desk: ExperimentDesk) -> None:
    kept = done(desk, Asked(at=20, change=Change(memory="static"), run_on=True))

    assert kept.found is not None
    assert kept.found.ran is not None
    assert kept.found.unchanged is not None
    assert parting(kept.found.unchanged, kept.found.ran) is not None
    assert "run on:" in kept.told


def test_it_is_the_same_on_postgres(postgres_engine: Engine, tmp_path: Path) -> None:
    record(postgres_engine, EPISODE, deeds=())
    desk = desk_of(postgres_engine, tmp_path)

    kept = done(desk, Asked(at=20, calls=3, run_on=True))

    assert kept.found is not None
    assert kept.found.ran == kept.found.unchanged
    assert "3 of 3 plans the same" in kept.told


def test_a_held_episode_is_run_again_to_a_moment_after_its_hold(desk: ExperimentDesk) -> None:
    [last] = looked(desk, Asked(at=NEWEST), "held").calls[-1:]
    kept = done(desk, Asked(at=last.seq, run_on=True), "held")

    assert kept.found is not None
    assert kept.found.ran is not None, kept.found.note
    assert kept.found.ran.outcome == "completed"


def test_a_model_is_estimated_first_then_asked_and_paid(desk: ExperimentDesk, model: FakePlanner) -> None:
    asked = Asked(at=20, calls=3, change=Change(planner="openai", model="tiny", prompt="Plan.", k=3))
    look = looked(desk, asked)

    assert (look.estimate.asks_model, look.estimate.calls, look.estimate.is_guess) == (True, 3, True)
    assert look.estimate.money_usd is None
    assert model.count == 0

    kept = done(desk, asked)

    assert kept.found is not None
    assert model.count == kept.spent.calls >= 3
    assert {each.body["model"] for each in model.received} == {"tiny"}
    assert "Plan." in json.dumps(model.received[0].body)
    assert kept.spent.tokens > 0
    assert all(answer.attempts[0].model == "tiny" for answer in kept.found.answers)


def test_a_dated_price_is_in_the_estimate(recorded: Engine, tmp_path: Path) -> None:
    desk = desk_of(recorded, tmp_path, planner_api_key="sk-test", planner_model="gpt-5-mini")
    look = looked(desk, Asked(at=20, calls=2, change=Change(planner="openai")))

    cost = look.estimate
    assert cost.money_usd == pytest.approx((cost.tokens_in * 0.25 + cost.tokens_out * 2.0) / 1e6, rel=0.01)
    assert cost.prices_as_of


def test_what_does_not_fit_the_budget_is_refused_and_nobody_asked(
    recorded: Engine, tmp_path: Path, model: FakePlanner
) -> None:
    desk = desk_of(recorded, tmp_path, planner_base_url=model.url, whatif_calls=2)
    look = looked(desk, Asked(at=20, calls=3, change=Change(planner="openai")))

    refused = desk.start(EPISODE, look, "ada")

    assert isinstance(refused, Refusal)
    assert refused == look.refusal
    assert "about 3 calls" in refused.message
    assert model.count == 0


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        (Change(planner="operator"), "planner", "cannot be asked again"),
        (Change(model="tiny"), "model", "asks no model"),
        (Change(planner="dream"), "planner", "unknown"),
        (Change(planner="recorded"), "planner", "RECORDING is not set"),
        (Change(memory="oracle"), "memory", "told none"),
        (Change(memory="dream"), "memory", "no memory 'dream'"),
    ],
)
def test_what_cannot_be_says_which_field_and_what_to_do(
    desk: ExperimentDesk, change: Change, field: str, words: str
) -> None:
    look = looked(desk, Asked(at=20, change=change))

    assert look.refusal is not None
    assert look.refusal.code == field
    assert words in str(look.refusal)
    assert look.refusal.remedy
    assert isinstance(desk.start(EPISODE, look, "ada"), Refusal)


def test_a_planner_without_its_key_says_so(recorded: Engine, tmp_path: Path) -> None:
    look = looked(desk_of(recorded, tmp_path), Asked(at=20, change=Change(planner="openai")))

    assert look.refusal is not None
    assert "QUARTERDECK_PLANNER_API_KEY" in look.refusal.message


def test_before_its_first_call_there_is_nothing_to_ask(desk: ExperimentDesk) -> None:
    found = desk.look(EPISODE, Asked(at=1))

    assert isinstance(found, Refusal)
    assert "had not been asked by event 1" in found.message


def test_after_its_last_event_there_is_nothing_to_ask(desk: ExperimentDesk) -> None:
    head = looked(desk, Asked(at=NEWEST)).head

    found = desk.look(EPISODE, Asked(at=head + 1))

    assert isinstance(found, Refusal)
    assert str(found.remedy) == f"The events are 1 to {head}."
    assert isinstance(desk.look(EPISODE, Asked(at=head)), Look)


def test_a_planner_that_answers_nothing_is_what_came_of_it(desk: ExperimentDesk, model: FakePlanner) -> None:
    model.rewrite(["status_401"])
    kept = done(desk, Asked(at=20, change=Change(planner="openai")))

    assert kept.found is not None
    assert "Incorrect API key" in kept.found.answers[0].failure
    assert kept.told == "0 of 1 plans the same"


def test_texts_that_are_taken_out_go_from_its_what_ifs_too(recorded: Engine, desk: ExperimentDesk) -> None:
    record(recorded, "thinned", seed=4)
    kept = done(desk, Asked(at=20), "thinned")
    look = looked(desk, Asked(at=NEWEST, run_on=True), "thinned")
    redact(recorded, "thinned", look.calls[0].seq, "ada", "a name")

    assert desk.one("thinned", kept.id) is None
    again = done(desk, Asked(at=NEWEST, run_on=True), "thinned")
    assert again.found is not None
    assert again.found.ran is None
    assert "were taken out" in again.found.note


@pytest.fixture
def ask(recorded: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setenv("QUARTERDECK_HOME", str(tmp_path))
    monkeypatch.setenv("QUARTERDECK_DATABASE_URL", recorded.url.render_as_string(hide_password=False))
    return lambda *words: CliRunner().invoke(app, ["episodes", "whatif", EPISODE, *words])


def test_the_command_says_the_cost_and_asks_with_yes_alone(
    ask: Callable[..., Result], desk: ExperimentDesk
) -> None:
    had = len(desk.all(EPISODE))
    told, asked = ask("--at", "20", "--k", "2"), ask("--at", "20", "--k", "2", "--run-on", "--yes", "--json")

    assert "1 call to policy would be asked again, at no cost" in told.stdout
    assert asked.exit_code == 0, asked.output
    kept = json.loads(asked.stdout)
    assert (kept["stage"], kept["asked"]["change"]["k"]) == ("done", 2)
    assert len(desk.all(EPISODE)) == had + 1


def test_the_command_s_refusals_have_their_exit_codes(ask: Callable[..., Result]) -> None:
    early, unknown = ask("--at", "1"), ask("--at", "20", "--memory", "dream", "--yes")

    assert [each.exit_code for each in (early, unknown)] == [Exit.BAD_INPUT] * 2
    assert "had not been asked" in early.stderr
    assert "There is no memory 'dream'" in unknown.stderr


def test_at_the_very_moment_it_stands_beside_what_was_left_of_the_plan(desk: ExperimentDesk) -> None:
    asked = Asked(at=25, here=True, change=Change(k=3))
    look = looked(desk, asked)
    kept = done(desk, asked)

    assert (look.asked.at, look.calls[0].seq, look.state.seq) == (25, 26, 25)
    assert kept.found is not None
    [(call, made)] = desk.calls(EPISODE, kept)
    assert (call, made) == (look.calls[0], None)
    on = looked(desk, Asked(at=25, here=True, run_on=True))
    assert on.refusal is not None
    assert on.refusal.code == "run_on"


def test_a_model_runs_on_within_what_was_estimated(desk: ExperimentDesk, model: FakePlanner) -> None:
    every = looked(desk, Asked(at=NEWEST, calls=1)).calls[0].decision
    asked = Asked(at=60, change=Change(planner="openai"), run_on=True)
    look = looked(desk, asked)
    first = look.calls[0].decision
    kept = done(desk, asked)

    assert look.estimate.calls == 1 + every - first + 1, "once as it was asked, then each to the end"
    assert kept.found is not None
    assert kept.found.ran is not None
    assert kept.found.ran.outcome == "completed"
    assert kept.found.ran.decisions - (first - 1) + 1 == kept.spent.calls == model.count
    assert kept.found.unchanged == kept.found.recorded
