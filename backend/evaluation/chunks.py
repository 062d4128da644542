"""A study cut into chunks: some seeds of one arm, enough to be worth sending to a worker."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import numpy as np
from msgspec import Struct

from backend.evaluation.bare import Rig, play
from backend.usecases.results import Arm, EpisodeResult, Study

SEEDS_A_CHUNK = 10
AT_A_TABLE = 1
"""There an episode takes seconds, and is kept as soon as it is over."""


class Chunk(Struct, frozen=True):
    """`arm` stands at `index` in its study."""

    index: int
    arm: Arm
    seeds: tuple[int, ...]


def chunks(study: Study, done: Iterable[tuple[int, int]], most: int | None = None) -> Iterator[Chunk]:
    """What is still missing of `study`. All arms advance together, so that what is there is paired early."""
    missing = np.zeros((len(study.arms), study.seeds), dtype=np.bool_)
    missing[:, [seed - study.first_seed for seed in study.each_seed]] = True
    for at, seed in done:
        missing[at, seed - study.first_seed] = False
    most = most or (AT_A_TABLE if study.kind == "tabletop" else SEEDS_A_CHUNK)
    for first in range(0, study.seeds, most):
        for index, arm in enumerate(study.arms):
            offsets = np.flatnonzero(missing[index, first : first + most]).tolist()
            if offsets:
                seeds = tuple(study.first_seed + first + offset for offset in offsets)
                yield Chunk(index, arm, seeds)


def play_chunk(rig: Rig, chunk: Chunk) -> tuple[EpisodeResult, ...]:
    """What a worker does. Raises EvaluationError where an episode cannot be played or does not end."""
    with _seldom_collecting():
        return tuple([play(chunk.arm, seed, rig, chunk.index) for seed in chunk.seeds])


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    """An episode makes a great many objects and no cycles: looking for those finds nothing."""
    usual = gc.get_threshold()
    gc.set_threshold(50_000, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)
