"""The arena's settings, fixed before its first run (ADM-Planner, section V-C, and what that leaves open).

Detection, false reports and latency of the drone are DN-14's. Speeds and the robot's own detector are ours.
"""

from __future__ import annotations

from dataclasses import dataclass

Cell = tuple[int, int]
Spot = tuple[float, float]
"""A place on the floor in the frame `map`, (x_m, y_m)."""

CELLS = 7
CELL_M = 0.5
SIDE_M = CELLS * CELL_M
LEAST_M, MOST_M = -CELL_M / 2, SIDE_M - CELL_M / 2
"""The walls: the frame `map` has its origin in the middle of the corner cell (0, 0)."""

STATION_CELLS: tuple[Cell, Cell] = ((0, 0), (CELLS - 1, CELLS - 1))
START_CELL: Cell = (CELLS // 2, CELLS // 2)


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """`code` seeds the tape beside the seed. Probabilities are per container and survey, or look."""

    name: str
    code: int
    containers: int
    obstacles: int
    budget_s: int
    relocation_every_s: int
    survey_every_s: int
    latency_s: int
    detection: float
    false_report: float
    aerial_noise_m: float
    look_every_s: int
    look_detection: float
    look_false: float
    look_noise_m: float
    sight_m: float
    sight_rad: float

    @property
    def relocations(self) -> int:
        return (self.budget_s - 1) // self.relocation_every_s

    @property
    def surveys(self) -> int:
        return -(-self.budget_s // self.survey_every_s)

    @property
    def looks(self) -> int:
        return -(-self.budget_s // self.look_every_s)


SCENARIOS = {
    "arena-6": Scenario(
        name="arena-6", code=200, containers=6, obstacles=3, budget_s=600, relocation_every_s=60,
        survey_every_s=5, latency_s=4, detection=0.68, false_report=0.30, aerial_noise_m=0.02,
        look_every_s=1, look_detection=0.90, look_false=0.02, look_noise_m=0.005, sight_m=0.75,
        sight_rad=0.785,
    )
}  # fmt: skip


def scenario_named(name: str) -> Scenario:
    """Raises ValueError in the operator's words."""
    if name not in SCENARIOS:
        raise ValueError(f"scenario {name} is unknown. Choose one of {', '.join(SCENARIOS)}.")
    return SCENARIOS[name]


def spot_of(cell: Cell) -> Spot:
    return cell[0] * CELL_M, cell[1] * CELL_M


def words(spot: Spot) -> str:
    """The place as an operator reads it."""
    return f"({spot[0]:.2f}, {spot[1]:.2f}) m"
