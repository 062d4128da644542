"""Train and test are apart, and the shares of difficulty are the benchmark's."""

from collections import Counter

import pytest

from robot_bridge.tabletop.tasks import TASK_NAMES
from robot_bridge.tabletop.tasks.seeds import TEST_EPISODES, TRAIN_EPISODES, difficulty_of, seed_of

LARGEST_SEED = 2**31 - 1


def test_no_two_episodes_share_a_seed() -> None:
    test = [seed_of("test", task, i) for task in TASK_NAMES for i in range(TEST_EPISODES)]
    train = {seed_of("train", task, i) for task in TASK_NAMES for i in range(TRAIN_EPISODES)}

    assert len(set(test)) == len(test) == 800
    assert not train & set(test)
    assert all(0 <= seed <= LARGEST_SEED for seed in (*train, *test))


def test_seeds_stay_what_they_are() -> None:
    """Episodes on record are played again by them."""
    assert seed_of("test", "bin-fill", 4) == 2122245797
    assert seed_of("train", "bin-fill", 4) == 471707994


def test_the_shares_of_difficulty() -> None:
    shares = Counter(difficulty_of(i) for _ in TASK_NAMES for i in range(TEST_EPISODES))

    assert shares == {"easy": 416, "medium": 192, "hard": 192}


@pytest.mark.parametrize(("episode", "split"), [(50, "test"), (-1, "test"), (1000, "train")])
def test_an_episode_beyond_the_split_is_refused(episode: int, split: str) -> None:
    with pytest.raises(ValueError, match=rf"^episode {episode} is not in the {split} split"):
        seed_of("test" if split == "test" else "train", "bin-fill", episode)
