"""A recorded episode's simulated world at one of its moments: run again from its seed to there."""

from __future__ import annotations

from collections.abc import Sequence

from backend.bridge.in_process import InProcessBridge
from backend.bridge.simulation import Simulation
from backend.domain.decide.recorded import Settled
from backend.domain.episode.difference import Difference
from backend.domain.episode.events import EpisodeOpened, RunnerStarted
from backend.domain.refusal import Refusal
from backend.rig import NotRunAgain, answering, recorded_simulation
from backend.usecases.commits import commits_of
from backend.usecases.opening import Unopenable
from backend.usecases.reading import Entry
from backend.usecases.reexecution import run_to
from backend.usecases.rerun_world import WorldAgain

ASK_ALONE = "Ask the planner without running on."


def refuse_running_on(opened: EpisodeOpened, runners: int, evaluated: bool) -> Refusal | None:
    """Why the episode's world cannot be had again; told before anything is asked."""
    if runners > 1:
        return Refusal(
            "run_on",
            f"Its runner was started {runners} times, and what the world did between is not on record.",
            ASK_ALONE,
        )
    if evaluated:
        return Refusal("run_on", "An evaluation's world has parameters of its own.", ASK_ALONE)
    try:
        recorded_simulation(opened)
    except NotRunAgain as error:
        return Refusal("run_on", _why(opened, error), ASK_ALONE)
    return None


def world_at(journal: Sequence[Entry], settled: Sequence[Settled], seq: int) -> Simulation | Refusal:
    """The world when event `seq` was made. `journal`: all of it, at least up to there.

    It is run again from its seed with the recorded answers and commands, and must do what it did.
    """
    thinned = next((entry for entry in journal if entry.redacted and entry.recorded.seq <= seq), None)
    if thinned is not None:
        return Refusal(
            "run_on",
            f"Texts of event {thinned.recorded.seq} were taken out, so the world cannot be run again.",
            ASK_ALONE,
        )
    opened = journal[0].recorded.event
    assert isinstance(opened, EpisodeOpened), "a journal begins with episode.opened"
    try:
        world = recorded_simulation(opened)
        planner = answering([entry.recorded for entry in journal])
        commits = list(commits_of(journal, settled))
        reached = run_to(commits, planner, seq, WorldAgain(InProcessBridge(world)))
    except (NotRunAgain, Unopenable) as error:
        return Refusal("run_on", str(error), ASK_ALONE)
    if isinstance(reached, Difference):
        return Refusal(
            "run_on",
            f"Its world does not come about again here, so this tape is another world's. {reached.message}",
            f"Use the version that recorded it, {opened.code_version or 'unknown'}. {ASK_ALONE}",
        )
    return Simulation(world)


def runners_of(journal: Sequence[Entry]) -> int:
    return sum(isinstance(entry.recorded.event, RunnerStarted) for entry in journal)


def _why(opened: EpisodeOpened, error: NotRunAgain) -> str:
    if opened.mission.world.name == "ros":
        return "This episode's robot is a real one: nothing of what would have happened to it can be known."
    return str(error)
