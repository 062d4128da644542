"""Where the robot of a measured episode went, read from its journal (ADM-Planner, Fig. 3)."""

from __future__ import annotations

from collections.abc import Sequence

from backend.domain.episode.events import EpisodeOpened, EvidenceJudged, Recorded, StepDispatched, StepEnded
from backend.domain.execution.outcome import Outcome, Result
from backend.domain.memory.record import Source
from backend.domain.plans.plan import Step
from backend.usecases.recordings import Cell, Delivery, Trajectory, Visit


def trajectory_of(journal: Sequence[Recorded]) -> Trajectory:
    """Of the journal of a stepped world, in which each MOVE, PICK and PLACE takes one step of 1 s."""
    opened = journal[0].event
    assert isinstance(opened, EpisodeOpened), "a journal begins with episode.opened"
    way = Way(opened.site.map.cell_m, (opened.robot_pose.x_m, opened.robot_pose.y_m))
    starts: dict[str, Cell] = {}
    classes: dict[str, str] = {}
    for recorded in journal:
        event = recorded.event
        if isinstance(event, EvidenceJudged):
            classes.setdefault(event.entity, event.evidence.cls)
            if event.evidence.source is Source.INITIAL:
                pose = event.evidence.pose
                starts.setdefault(event.entity, way.cell_at((pose.x_m, pose.y_m)))
        elif isinstance(event, StepDispatched):
            way.step = event.step
        elif isinstance(event, StepEnded):
            way.follow(event.outcome)
    way.stand_until(int(journal[-1].met_s))
    return Trajectory(
        width=opened.site.map.width,
        height=opened.site.map.height,
        stations={each.id: way.cell_at((each.pose.x_m, each.pose.y_m)) for each in opened.site.stations},
        starts=starts,
        classes=classes,
        cells=tuple(way.cells),
        visits=tuple(way.visits),
        deliveries=tuple(way.deliveries),
    )


class Way:
    """The cells so far, one a step of the world; `step` is the one in flight."""

    def __init__(self, cell_m: float, start_m: tuple[float, float]) -> None:
        self.cell_m = cell_m
        self.step: Step | None = None
        self.cells: list[Cell] = [self.cell_at(start_m)]
        self.visits: list[Visit] = []
        self.deliveries: list[Delivery] = []

    def cell_at(self, place_m: tuple[float, float]) -> Cell:
        return round(place_m[0] / self.cell_m), round(place_m[1] / self.cell_m)

    def follow(self, outcome: Outcome) -> None:
        at = int(outcome.started_s)
        self.stand_until(at)
        self.cells.extend(self.cell_at(place_m) for place_m in outcome.measured.path_m)
        self.stand_until(int(outcome.ended_s))
        arguments = {} if self.step is None else self.step.arguments
        if outcome.skill == "grasp" and outcome.measured.moves:
            self.visits.append(
                Visit(
                    step=at,
                    cell=self.cells[-1],
                    entity=str(arguments.get("target", "")),
                    picked=outcome.result is Result.SUCCEEDED,
                    reason=outcome.reason,
                )
            )
        elif outcome.skill == "deliver" and outcome.result is Result.SUCCEEDED:
            entity, station = (str(arguments.get(name, "")) for name in ("object", "station"))
            self.deliveries.append(Delivery(step=at, cell=self.cells[-1], entity=entity, station=station))

    def stand_until(self, step: int) -> None:
        self.cells.extend([self.cells[-1]] * (step + 1 - len(self.cells)))
