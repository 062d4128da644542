"""The Reader with rebuilt episodes among what it reads: each played once, in no list, never commanded."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from backend.domain.command.intents import Approve, Hold, Intent
from backend.domain.episode.evolve import fold
from backend.evaluation.arms import arm
from backend.evaluation.bare import play
from backend.evaluation.errors import NoSuchEpisode, NotYetRebuilt
from backend.evaluation.rebuild import Place, Rebuilt, rebuild
from backend.evaluation.replays import KEPT, ReplayingReader, Replays
from backend.evaluation.sealed import SealedInbox
from backend.rig import grid_rig
from backend.usecases.inline import InlineExecutor
from backend.usecases.results import Study
from backend.usecases.results_in_memory import MemoryResults

STUDY = Study(kind="memory", name="s-6: attention", arms=(arm("s-6", "attention"),), first_seed=0, seeds=2)


class Counting:
    def __init__(self) -> None:
        self.results = MemoryResults()
        self.run = self.results.start(STUDY, "1.0", "mara")
        self.results.add(self.run.id, [play(STUDY.arms[0], seed, grid_rig) for seed in range(2)])
        self.played: list[Place] = []

    def __call__(self, place: Place) -> Rebuilt:
        self.played.append(place)
        return rebuild(place, self.results, grid_rig, "1.0")


class Elsewhere:
    """A Reader that only says that it was asked."""

    def __getattr__(self, name: str) -> Any:
        return lambda *given, **named: (name, given)


@pytest.fixture
def rebuilding() -> Counting:
    return Counting()


@pytest.fixture
def reader(rebuilding: Counting) -> ReplayingReader:
    return ReplayingReader(Elsewhere(), Replays(rebuilding, InlineExecutor()))  # type: ignore[arg-type]


def test_it_reads_like_any_journal(reader: ReplayingReader, rebuilding: Counting) -> None:
    name = Place(rebuilding.run.id, 0, 1).name
    summary = reader.episode(name)
    events = reader.events(name, limit=None)

    assert (summary.seq, summary.outcome, summary.held_by, summary.address) == (
        len(events),
        "completed",
        "",
        "",
    )
    assert summary.evaluated is not None
    assert (summary.evaluated.run, summary.evaluated.seed) == (rebuilding.run.id, 1)
    assert reader.state(name) == fold([entry.recorded for entry in events])
    assert reader.state(name, 40) == fold([entry.recorded for entry in events[:40]])
    assert reader.events(name, after=3, until=6) == events[3:6]
    asked = reader.events(name, kinds=("plan.requested",), limit=2)
    assert asked == [entry for entry in events if entry.kind == "plan.requested"][:2]
    assert (reader.rows("plans", name), reader.telemetry(name, 0, 99), reader.verify(name)) == ([], [], [])
    assert rebuilding.played == [Place(rebuilding.run.id, 0, 1)], "played once, however often it is read"


def test_a_cursor_beyond_its_events_is_none(reader: ReplayingReader, rebuilding: Counting) -> None:
    name = Place(rebuilding.run.id, 0, 0).name

    for at in (0, reader.episode(name).seq + 1):
        with pytest.raises(NoSuchEpisode, match="none is"):
            reader.state(name, at)


def test_every_other_episode_is_read_where_it_lies(reader: ReplayingReader) -> None:
    assert reader.episodes() == ("episodes", ())
    for answer in (
        reader.episode("e1"),
        reader.events("e1"),
        reader.state("e1"),
        reader.rows("plans", "e1"),
        reader.telemetry("e1", 0, 1),
        reader.verify("e1"),
    ):
        assert "e1" in answer[1]  # type: ignore[index]


def test_a_failure_is_not_kept(reader: ReplayingReader, rebuilding: Counting) -> None:
    later = Place(rebuilding.run.id, 0, 7)
    with pytest.raises(NoSuchEpisode):
        reader.episode(later.name)

    rebuilding.results.add(rebuilding.run.id, [play(STUDY.arms[0], 7, grid_rig)])

    assert reader.episode(later.name).outcome == "completed"


def test_only_some_are_kept(rebuilding: Counting) -> None:
    whole = rebuild(Place(rebuilding.run.id, 0, 0), rebuilding.results, grid_rig, "1.0")
    asked: list[Place] = []

    def quick(place: Place) -> Rebuilt:
        asked.append(place)
        return whole

    replays = Replays(quick, InlineExecutor())
    for seed in range(KEPT + 1):
        replays.get(Place(1, 0, seed))
    replays.get(Place(1, 0, KEPT))
    replays.get(Place(1, 0, 0))

    assert asked == [*(Place(1, 0, seed) for seed in range(KEPT + 1)), Place(1, 0, 0)]


def test_what_was_begun_is_played_once_for_whoever_asks(
    rebuilding: Counting, pool: ThreadPoolExecutor
) -> None:
    replays = Replays(rebuilding, pool, within_s=60.0)
    places = [Place(rebuilding.run.id, 0, seed) for seed in (0, 1)]

    replays.begin(places)

    assert [replays.get(place).state.seed for place in (*places, *places)] == [0, 1, 0, 1]
    assert sorted(place.seed for place in rebuilding.played) == [0, 1]


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as pool:
        yield pool


def test_a_long_one_is_asked_for_again_and_played_once(
    rebuilding: Counting, pool: ThreadPoolExecutor
) -> None:
    may_end = threading.Event()

    def slow(place: Place) -> Rebuilt:
        may_end.wait(60)
        return rebuilding(place)

    place = Place(rebuilding.run.id, 0, 0)
    hasty = Replays(slow, pool, within_s=0.01)
    with pytest.raises(NotYetRebuilt, match="being played again"):
        hasty.get(place)
    may_end.set()

    patient = hasty._kept[place].result(60)

    assert hasty.get(place) is patient
    assert rebuilding.played == [place]


@pytest.mark.parametrize(
    "action", [Hold(stop_id="stop-1"), Approve(approval_id="a", plan_digest="", pins_digest="")]
)
def test_an_evaluation_s_episode_takes_no_command(action: Any) -> None:
    inbox = SealedInbox(lambda: 7.0)
    inbox.put(Intent(id="i1", actor="mara", role="admin", action=action, not_after_s=17.0))

    answer = inbox.outcome("i1")

    assert answer is not None
    assert (answer.intent_id, answer.applied, answer.code) == ("i1", False, "evaluation")
    assert "no robot" in answer.message
    assert inbox.take() == ((), 7.0)
    assert not inbox.withdraw("i1")
