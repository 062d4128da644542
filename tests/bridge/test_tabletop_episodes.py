"""Which test episode a mission at the tabletop plays."""

import pytest

from backend.bridge.tabletop_episodes import EpisodeError, chosen
from backend.domain.mission.mission import World
from robot_bridge.tabletop.tasks.seeds import seed_of

TABLE = World(name="tabletop", scenario="bin-fill/easy/delegate")
SEED_7 = seed_of("test", "bin-fill", 7)


@pytest.mark.parametrize(
    ("difficulty", "episode", "scenario", "seed"),
    [
        pytest.param(None, None, "bin-fill/easy/delegate", None, id="the mission as it is"),
        pytest.param("hard", None, "bin-fill/hard/delegate", None, id="another difficulty"),
        pytest.param(None, 7, "bin-fill/hard/delegate", SEED_7, id="an episode has its own difficulty"),
        pytest.param("medium", 7, "bin-fill/medium/delegate", SEED_7, id="unless another is asked for"),
    ],
)
def test_what_is_chosen(difficulty: str | None, episode: int | None, scenario: str, seed: int | None) -> None:
    world, found = chosen(TABLE, difficulty, episode)

    assert (world.scenario, found) == (scenario, seed)


@pytest.mark.parametrize(
    ("world", "difficulty", "episode", "told"),
    [
        (World(name="grid", scenario="s-6"), "hard", None, "--difficulty is for missions at the tabletop"),
        (World(name="grid", scenario="s-6"), None, 3, "--episode is for missions at the tabletop, and this"),
        (TABLE, "harder", None, "--difficulty is 'harder'. Choose one of easy, medium, hard."),
        (TABLE, None, 50, "--episode: episode 50 is not in the test split. Choose one of 0 to 49."),
    ],
)
def test_what_cannot_be_had_names_option_and_remedy(
    world: World, difficulty: str | None, episode: int | None, told: str
) -> None:
    with pytest.raises(EpisodeError, match=r"^" + told.replace(".", r"\.")):
        chosen(world, difficulty, episode)


def test_a_mission_as_it_is_may_be_of_any_world() -> None:
    world = World(name="grid", scenario="s-6")

    assert chosen(world, None, None) == (world, None)
