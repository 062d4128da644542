"""Which episode is which: train and test apart, fifty test episodes of each task, and how hard each is.

The shares are the benchmark's: of 50 test episodes 26 easy, 12 medium, 12 hard.
"""

from __future__ import annotations

import hashlib
from typing import Literal, get_args

from robot_bridge.tabletop.values import Difficulty

Split = Literal["train", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
TEST_EPISODES = 50
TRAIN_EPISODES = 1000
_EPISODES: dict[Split, int] = {"train": TRAIN_EPISODES, "test": TEST_EPISODES}
_BITS = 30


def seed_of(split: Split, task: str, episode: int) -> int:
    """Of no two episodes the same: the lowest bit tells the split. Below 2**31, as all seeds are.

    Raises ValueError in the operator's words for an episode that the split does not have.
    """
    if split not in SPLITS:
        raise ValueError(f"split {split} is unknown. Choose one of {', '.join(SPLITS)}.")
    last = _EPISODES[split] - 1
    if not 0 <= episode <= last:
        raise ValueError(f"episode {episode} is not in the {split} split. Choose one of 0 to {last}.")
    digest = hashlib.sha256(f"{split}/{task}/{episode}".encode()).digest()
    return (int.from_bytes(digest[:8], "big") % (1 << _BITS)) * 2 + (split == "test")


def difficulty_of(episode: int) -> Difficulty:
    """Every fourth is hard, the one before it medium, the other two easy."""
    return "hard" if episode % 4 == 3 else "medium" if episode % 4 == 2 else "easy"
