"""What is kept of a measured episode beside its figures: the robot's way, and where the journal stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from backend.domain.episode.events import Recorded
from backend.usecases.results import EpisodeResult

Cell = tuple[int, int]
"""Column and row on the site's map."""


class Visit(Struct, frozen=True, kw_only=True):
    """The robot closed its gripper on `entity` at world step `step`. `reason` is the outcome's: absent, for a
    stale visit.
    """

    step: int
    cell: Cell
    entity: str
    picked: bool
    reason: str


class Delivery(Struct, frozen=True, kw_only=True):
    step: int
    cell: Cell
    entity: str
    station: str


class Trajectory(Struct, frozen=True, kw_only=True):
    """An episode on its map, as the paper's Fig. 3 draws it.

    `cells[t]` is where the robot stands at world step t, from its start to the end. `starts`: where the first
    records placed each entity; `classes`: of every entity that was ever reported.
    """

    width: int
    height: int
    stations: Mapping[str, Cell]
    starts: Mapping[str, Cell]
    classes: Mapping[str, str]
    cells: tuple[Cell, ...]
    visits: tuple[Visit, ...] = ()
    deliveries: tuple[Delivery, ...] = ()


class Recording(Struct, frozen=True, kw_only=True):
    """`episode` names the console's episode that holds journal and exchanges, `content` is the content digest
    of what was played: another run of the very same episode has the same. `arm` is its place in the study.
    """

    arm: int
    seed: int
    episode: str
    content: str
    trajectory: Trajectory


class Recordings(Protocol):
    """Where recordings are kept, beside the results of the same runs."""

    def keep(self, run: int, row: EpisodeResult, recording: Recording, journal: Sequence[Recorded]) -> bool:
        """Keep a result with its recording in one transaction; False, and nothing kept, where it is there.

        `journal` becomes the console's episode `recording.episode`; empty where that one exists already.
        """

    def one(self, run: int, arm: int, seed: int) -> Recording | None:
        """Episodes that can be played again from their seeds alone have none."""

    def all(self, run: int) -> Iterable[Recording]:
        """In order of arm, then seed."""

    def journal(self, episode: str) -> Iterable[Recorded]:
        """Every event of a recording's episode, in order."""
