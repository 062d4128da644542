"""Ground truth told afterwards from tape and journal is what the world itself knew, or is told by nobody."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from backend.domain.episode.events import EpisodeOpened
from backend.domain.hindsight.belief import Trace
from backend.domain.hindsight.truth import Handled
from backend.domain.memory.configuration import NAMED
from backend.domain.mission.mission import World
from backend.evaluation.bare import play_whole
from backend.rig import grid_rig
from backend.truth import telling, truth_of
from backend.usecases.reading import Evaluated
from backend.usecases.results import Arm, Study
from backend.usecases.results_in_memory import MemoryResults
from robot_bridge.grid.scenarios import SCENARIOS
from robot_bridge.grid.world import GridWorld
from tests.domain.hindsight.tracing import traced
from tests.support.episodes import Played, play


def played(scenario: str, memory: str = "attention", seed: int = 1) -> tuple[Played, Trace]:
    done = play(scenario, memory=memory, seed=seed).run()
    return done, traced(done.episode.events)


def opened_of(trace: Trace) -> EpisodeOpened:
    assert trace.opened is not None
    return trace.opened


@pytest.mark.parametrize("memory", ["attention", "unfiltered", "none"])
@pytest.mark.parametrize("scenario", ["dn-14", "live-6", "reveal-5"])
def test_it_is_what_the_world_knew_at_every_step(scenario: str, memory: str) -> None:
    done, trace = played(scenario, memory)
    truth = truth_of(opened_of(trace), trace.handled)

    assert truth.why_not == ""
    for t in range(done.world.t):
        then = {each["entity"]: each for each in done.world.truth(float(t))}
        told = {
            entity: next(fact for fact in reversed(facts) if fact.from_s <= t)
            for entity, facts in truth.facts.items()
        }
        assert {
            entity: (fact.cls, fact.condition, fact.pose.x_m, fact.pose.y_m) for entity, fact in told.items()
        } == {
            entity: (each["cls"], each["state"], each["pose"]["x_m"], each["pose"]["y_m"])
            for entity, each in then.items()
        }, f"at {t} s"


class Restless:
    """A bridge whose world goes on, step by step, while nothing is asked of it."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def poll(self) -> Any:
        if self._inner._running is None:
            self._inner._world.advance()
        return self._inner.poll()


def test_of_a_world_whose_clock_ran_too() -> None:
    done = play("dn-14", seed=3, wrap=Restless)
    for _ in range(2000):
        if done.loop.state.ending is None:
            done.loop.tick()
    trace = traced(done.episode.events)
    truth = truth_of(opened_of(trace), trace.handled)

    assert truth.why_not == ""
    for t in range(done.world.t):
        for each in done.world.truth(float(t)):
            fact = next(f for f in reversed(truth.facts[each["entity"]]) if f.from_s <= t)
            assert (fact.condition, fact.pose.x_m, fact.pose.y_m) == (
                each["state"], each["pose"]["x_m"], each["pose"]["y_m"],
            ), f"{each['entity']} at {t} s"  # fmt: skip


def test_an_evaluation_s_episode_is_told_by_its_arm_s_parameters() -> None:
    parameters = {"containers": 5, "relocation": 0.2, "false_report": 0.4}
    changed = Arm(scenario="dn-14", method="attention", memory=NAMED["attention"], parameters=parameters)
    study = Study(kind="ablation", name="restless", arms=(changed,), first_seed=2, seeds=1)
    results = MemoryResults()
    run = results.start(study, "1.0", "mara")
    _, events = play_whole(changed, 2, grid_rig)
    trace = traced(events)
    place = Evaluated(run=run.id, arm=0, seed=2, title="", measured_by="1.0", rebuilt_by="1.0")

    told = telling(results)(opened_of(trace), trace.handled, place)

    assert told.why_not == ""
    assert len(told.facts) == 5
    assert "gone" in telling(results)(opened_of(trace), trace.handled, replace(place, run=99)).why_not


Change = Callable[[EpisodeOpened], EpisodeOpened]


def in_world(**values: str) -> Change:
    return lambda opened: replace(opened, mission=replace(opened.mission, world=World(**values)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        pytest.param(lambda opened: replace(opened, seed=2), "does not fit", id="another seed"),
        pytest.param(in_world(name="grid", scenario="d-10"), "another one", id="another scenario"),
        pytest.param(in_world(name="grid", scenario="none"), "keeps no record", id="no scenario of ours"),
        pytest.param(in_world(name="ros", scenario="rover"), "keeps no record", id="a robot"),
        pytest.param(in_world(name="arena", scenario="arena-6"), "physics", id="the arena"),
    ],
)
def test_what_does_not_fit_is_told_by_nobody(change: Change, why: str) -> None:
    _, trace = played("s-6")
    truth = truth_of(change(opened_of(trace)), trace.handled)

    assert truth.facts == {}
    assert why in truth.why_not


def test_a_look_that_missed_what_the_tape_has_there_does_not_fit() -> None:
    _, trace = played("s-6")
    world = GridWorld(SCENARIOS["s-6"], 1)
    [first, *_] = world.truth(0.0)
    pose = world.layout.poses[round(first["pose"]["x_m"]), round(first["pose"]["y_m"])]
    missed = Handled(started_s=0.0, ended_s=1.0, held=None, pose=pose, missed=first["entity"])  # type: ignore[arg-type]

    assert "was not found" in truth_of(opened_of(trace), [missed]).why_not


def test_an_arm_s_parameters_make_another_tape() -> None:
    _, trace = played("dn-14")

    assert "does not fit" in truth_of(opened_of(trace), trace.handled, {"relocation": 0.9}).why_not
    assert "cannot be told" in truth_of(opened_of(trace), trace.handled, {"size": 1}).why_not
