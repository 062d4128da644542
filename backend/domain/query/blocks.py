"""The query's blocks (i) to (v), then log, notes, frames and guidance, exactly as they are sent.

ADM-Planner, section IV-D; LogLook, section 3.3. Ids, reasons and messages are a robot's own texts: none of
them can begin a line, and so pose as another fact or another block.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

from backend.domain.digests import digest_of_text
from backend.domain.episode.state import State
from backend.domain.execution import log as execution_log
from backend.domain.execution import notes as note_history
from backend.domain.execution.frames import Frame
from backend.domain.geometry import Pose
from backend.domain.memory.record import EntityRecord, Status
from backend.domain.memory.reports import Report
from backend.domain.memory.retrieval import Retrieval
from backend.domain.mission.site import Site
from backend.domain.plans.catalogue import Skill
from backend.domain.plans.findings import Finding
from backend.domain.plans.validity import Cause
from backend.domain.query.query import Block

CHARACTERS_PER_TOKEN = 4
IMAGE_TOKENS = {512: 255, 256: 85}
"""Size of one picture by its edge in pixels, where no provider has counted."""

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""Whatever some reader takes for the end of a line, and other characters that nobody sees."""


def render_blocks(
    state: State, retrieval: Retrieval, cause: Cause, findings: tuple[Finding, ...], now_s: float
) -> tuple[Block, ...]:
    """The blocks at mission time `now_s`; empty ones are left out. Ids and poses are copied from memory.

    `findings` are those of the plan to be repaired.
    """
    switches = state.mission.memory
    texts = [
        ("goal", _goal(state)),
        ("robot", _robot(state, cause, now_s)),
        ("rules", _rules(state)),
        ("records", _records(state, retrieval, now_s)),
        ("terminal", _terminal(state)),
        (
            "log",
            _lines(execution_log.sentence(line) for line in execution_log.shown(state.log, switches.log)),
        ),
        ("notes", _notes(state)),
        ("frames", _frames(state)),
        ("instructions", paragraphs([state.instructions])),
        ("guidance", paragraphs(f"{said.by}: {said.text}" for said in state.guidance)),
        ("findings", _lines(str(finding) for finding in findings)),
    ]
    images = _returned(state)
    return tuple(block_of(name, text, images if name == "frames" else ()) for name, text in texts if text)


def block_of(name: str, text: str, images: tuple[Frame, ...] = ()) -> Block:
    size = math.ceil(len(text) / CHARACTERS_PER_TOKEN)
    size += sum(IMAGE_TOKENS.get(max(image.width_px, image.height_px), IMAGE_TOKENS[512]) for image in images)
    content = digest_of_text("\n".join([text, *(image.sha256 for image in images)]))
    return Block(name=name, text=text, size=size, digest=content, images=images)


def _goal(state: State) -> str:
    mission = state.mission
    delivered = len(state.delivered)
    return (
        f"{mission.goal}\nDone when: {mission.completion}\nDelivered so far: {delivered} of {mission.total}."
    )


def _robot(state: State, cause: Cause, now_s: float) -> str:
    lines = [
        f"Mission time: {now_s:g} s",
        f"Robot {state.robot.name} at {_place(state.robot.pose)}",
        f"Holding: {_held(state)}",
    ]
    if state.mission.budgets.steps is not None:
        lines.append(f"Steps left: {max(0, state.mission.budgets.steps - state.spent.steps)}")
    if state.last_outcome is not None:
        outcome = state.last_outcome
        lines.append(f"Last skill: {outcome.skill} {outcome.result.value} ({outcome.reason})")
    lines.append(f"A plan is needed because: {cause.message}")
    return _lines(lines)


def _held(state: State) -> str:
    held = state.robot.held
    if held is None:
        return "nothing"
    record = state.memory.records.get(held)
    return f"{held} (class {'unknown' if record is None else record.cls})"


def _rules(state: State) -> str:
    site, note = state.site, state.mission.task_note
    facts = _lines(
        [
            *_map(site),
            *(
                f"Station {station.id} at {_place(station.pose)} takes {_taken_by(state, station.id)}"
                for station in site.stations
            ),
            "The robot carries one object at a time.",
            *(f"Skill {_signature(skill)}: {skill.description}" for skill in state.catalogue.skills),
        ]
    )
    return "\n".join(part for part in (_lines(site.rules), paragraphs([note]), facts) if part)


def _map(site: Site) -> Iterator[str]:
    grid = site.map
    columns, rows = grid.columns, grid.rows
    ends = f", from ({columns.start}, {rows.start}) to ({columns.stop - 1}, {rows.stop - 1})"
    span = ends if columns.start or rows.start else ""
    yield f"Map: {grid.width} by {grid.height} cells of {grid.cell_m:g} m{span}, frame {site.frame_id}"
    if grid.occupied:
        yield f"Blocked cells: {_cells(grid.occupied)}"
    for region in site.regions:
        corners = " ".join(f"({x_m:g}, {y_m:g})" for x_m, y_m in region.polygon_m)
        name = f"{region.name}, where the robot may not go" if region.restricted else region.name
        yield f"Region {name}: {corners} m"


def _taken_by(state: State, station_id: str) -> str:
    classes = sorted(cls for cls, station in state.assignments.items() if station == station_id)
    return ", ".join(classes) or "a class not settled yet"


def _signature(skill: Skill) -> str:
    arguments = ", ".join(f"{a.name}: {'|'.join(t.value for t in a.types)}" for a in skill.arguments)
    return f"{skill.name}({arguments})"


def _records(state: State, retrieval: Retrieval, now_s: float) -> str:
    lines: list[str] = []
    if not retrieval.exposed:
        lines = ["No record is known that could be worked on.", *_search(state)]
    if state.mission.memory.entities == "unfiltered":
        lines += [_HISTORY, *(_report(state, report) for report in state.memory.reports)]
    else:
        lines += [_record(state.memory.records[entity], now_s) for entity in retrieval.exposed]
    return _lines(lines)


_HISTORY = "All reports in the order of their arrival. Of an entity the last one counts that was not refused."


def _search(state: State) -> Iterator[str]:
    if state.swept is not None:
        yield f"Cells searched so far: {_cells(state.swept)}"
    if state.unreachable:
        yield f"Cells that no way leads to: {_cells(state.unreachable)}"


def _record(record: EntityRecord, now_s: float) -> str:
    return (
        f"{record.id}: class {record.cls}, pose {_place(record.pose)}, confidence {record.confidence:.2f}, "
        f"status {record.status.value}, seen {now_s - record.stamp_s:g} s ago by {record.source.value}"
    )


def _report(state: State, report: Report) -> str:
    """As it was given, with the status that outcomes have given the entity since: no report tells that."""
    evidence, record = report.evidence, state.memory.records.get(report.entity)
    status = "unknown" if record is None else record.status.value
    told = (
        f"{report.entity}: class {evidence.cls}, pose {_place(evidence.pose)}, confidence "
        f"{evidence.confidence:.2f}, status {status}, seen at {evidence.stamp_s:g} s by "
        f"{evidence.source.value}"
    )
    said = f", said {report.times} times" if report.times > 1 else ""
    return f"{told}{said}{', refused' if report.refused else ''}"


def _terminal(state: State) -> str:
    lost = [record.id for record in state.memory.ordered() if record.status is Status.LOST]
    lines = [f"{entity} delivered to {station}" for entity, station in state.delivered.items()]
    return _lines([*lines, *(f"{entity} lost" for entity in lost)])


def _notes(state: State) -> str:
    shown = note_history.shown(state.notes, state.mission.memory.notes)
    return paragraphs(f"[decision {note.decision}] {note.text}" for note in shown)


def _frames(state: State) -> str:
    """Of each action since the last decision: how many frames follow, and how many were withheld."""
    if state.mission.memory.frames == "off":
        return ""
    return _lines(
        f"Frames of action {each.action}, camera {each.watched.camera}: "
        f"{len(each.watched.frames) - each.watched.withheld} returned, {each.watched.withheld} withheld"
        f"{'' if each.watched.watch is not None else '; nothing was watched'}."
        for each in state.frames
    )


def _returned(state: State) -> tuple[Frame, ...]:
    if state.mission.memory.frames == "off":
        return ()
    return tuple(frame for each in state.frames for frame in each.watched.frames if frame.returned)


def _place(pose: Pose) -> str:
    return f"({pose.x_m:g}, {pose.y_m:g}) m"


def _cells(cells: Iterable[tuple[int, int]]) -> str:
    """Row by row."""
    return " ".join(f"({x}, {y})" for x, y in sorted(cells, key=lambda cell: (cell[1], cell[0])))


def _lines(lines: Iterable[str]) -> str:
    """One line each, whatever it is made of."""
    return "\n".join(_CONTROL.sub(" ", line) for line in lines)


def paragraphs(texts: Iterable[str]) -> str:
    """What people and planners write keeps its lines, all but the first indented."""
    return "\n".join(_lines(text.splitlines()).replace("\n", "\n  ") for text in texts)
