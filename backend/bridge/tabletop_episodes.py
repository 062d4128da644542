"""Which test episode a tabletop mission plays: its difficulty in the scenario, and its seed."""

from __future__ import annotations

from msgspec.structs import replace

from backend.domain.mission.mission import World
from robot_bridge.tabletop.scenarios import DIFFICULTIES, scenario_named
from robot_bridge.tabletop.tasks.seeds import difficulty_of, seed_of


class EpisodeError(ValueError):
    """An episode cannot be had; the message names option and remedy."""


def chosen(world: World, difficulty: str | None, episode: int | None) -> tuple[World, int | None]:
    """The world of that test episode, with its seed; None where no episode is asked for.

    An episode has the benchmark's difficulty unless another is asked for. Raises EpisodeError.
    """
    if difficulty is None and episode is None:
        return world, None
    if world.name != "tabletop":
        option = "--difficulty" if difficulty is not None else "--episode"
        raise EpisodeError(f"{option} is for missions at the tabletop, and this one's world is {world.name}.")
    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise EpisodeError(f"--difficulty is {difficulty!r}. Choose one of {', '.join(DIFFICULTIES)}.")
    scenario = scenario_named(world.scenario)
    try:
        seed = None if episode is None else seed_of("test", scenario.task, episode)
    except ValueError as error:
        raise EpisodeError(f"--episode: {error}") from None
    own = scenario.difficulty if episode is None else difficulty_of(episode)
    wanted = next((each for each in DIFFICULTIES if each == difficulty), own)
    return replace(world, scenario=scenario._replace(difficulty=wanted).name), seed
