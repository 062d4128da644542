"""Where a robot went, on its map (ADM-Planner, Fig. 3): the way, what it picked in which order, what was not
there.
"""

from __future__ import annotations

from itertools import groupby, pairwise

from backend.evaluation.charts import svg
from backend.usecases.recordings import Cell, Trajectory

LARGEST_CELL, SIDE = 44, 360
"""A cell's side in px, and the longest side of a map whose cells are smaller than that."""
LANES = 7
"""Trips that share a corridor run beside each other, so that none hides another."""
SMALLEST_CELL = 12
"""Below that many px the lines between cells would be a grey."""
LEFT, TOP, BOTTOM = 16, 40, 66


def path_chart(title: str, trajectory: Trajectory) -> str:
    """y grows upward, as on the console's map."""
    drawing = Drawing(trajectory)
    body = [svg.text(LEFT, 18, title, role="name"), *drawing.floor(), *drawing.way(), *drawing.marks()]
    width, height = max(380, 2 * LEFT + drawing.width), drawing.bottom + BOTTOM
    return svg.picture(round(width), round(height), title, body + _legend(round(drawing.bottom) + 24))


class Drawing:
    def __init__(self, trajectory: Trajectory) -> None:
        self._trajectory = trajectory
        self.cell = min(LARGEST_CELL, SIDE / max(trajectory.width, trajectory.height))
        self.width = self.cell * trajectory.width
        self.bottom = TOP + self.cell * trajectory.height

    def px(self, cell: Cell, shift: float = 0.0) -> tuple[float, float]:
        """The middle of a cell, `shift` px to the side."""
        x, y = cell
        place = LEFT + self.cell * (x + 0.5) + shift, self.bottom - self.cell * (y + 0.5) + shift
        return round(place[0], 1), round(place[1], 1)

    def floor(self) -> list[str]:
        """Cells where they are large enough to be told, else the edge; and the stations."""
        trajectory, right = self._trajectory, LEFT + self.width
        every = 1 if self.cell >= SMALLEST_CELL else max(trajectory.width, trajectory.height)
        ups = {right, *(LEFT + self.cell * i for i in range(0, trajectory.width + 1, every))}
        acrosses = {
            float(TOP),
            *(self.bottom - self.cell * j for j in range(0, trajectory.height + 1, every)),
        }
        drawn = [svg.line(round(x, 1), TOP, round(x, 1), round(self.bottom, 1)) for x in sorted(ups)]
        drawn += [svg.line(LEFT, round(y, 1), round(right, 1), round(y, 1)) for y in sorted(acrosses)]
        side = round(max(12.0, self.cell - 6), 1)
        for name, cell in trajectory.stations.items():
            x, y = self.px(cell)
            drawn.append(svg.bar(round(x - side / 2, 1), round(y - side / 2, 1), side, side, 3, name))
        return drawn

    def way(self) -> list[str]:
        """A line for each trip: from one delivery to the next."""
        stops = [0, *sorted({each.step for each in self._trajectory.deliveries}), len(self._trajectory.cells)]
        drawn = []
        for trip, (first, last) in enumerate(pairwise(stops)):
            cells = [cell for cell, _ in groupby(self._trajectory.cells[first : last + 1])]
            shift = min(3.0, self.cell / 14) * ((trip * 3) % LANES - LANES // 2)
            if len(cells) > 1:
                drawn.append(svg.polyline([self.px(cell, shift) for cell in cells], 0))
        return drawn

    def marks(self) -> list[str]:
        drawn = [
            svg.mark(*self.px(cell), 4, f"{name}, at the start")
            for name, cell in sorted(self._trajectory.starts.items())
        ]
        if self._trajectory.cells:
            drawn.append(svg.mark(*self.px(self._trajectory.cells[0]), 2, "the robot’s start"))
        number = 0
        for visit in self._trajectory.visits:
            x, y = self.px(visit.cell)
            if visit.picked:
                number += 1
                note = f"{number}: {visit.entity}, picked at step {visit.step}"
                drawn += [svg.mark(x, y, 0, note), svg.text(x + 7, y - 6, str(number), role="name")]
            elif visit.reason == "absent":
                note = f"{visit.entity} was not here at step {visit.step}"
                drawn.append(svg.cross(x + 10, y + 10, note))
        return drawn


def _legend(y: float) -> list[str]:
    drawn = [svg.mark(LEFT + 6, y - 4, 4), svg.text(LEFT + 16, y, "container, at the start")]
    drawn += [svg.mark(LEFT + 176, y - 4, 0), svg.text(LEFT + 186, y, "picked, in this order")]
    below = y + 22
    drawn += [svg.cross(LEFT + 6, below - 4), svg.text(LEFT + 16, below, "looked for in vain")]
    drawn += [svg.bar(LEFT + 170, below - 10, 12, 12, 3), svg.text(LEFT + 186, below, "station")]
    return [*drawn, svg.mark(LEFT + 256, below - 4, 2), svg.text(LEFT + 266, below, "start")]
