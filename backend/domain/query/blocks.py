"""The query's blocks (i) to (v), then log, notes, frames and guidance, exactly as they are sent.

ADM-Planner, section IV-D; LogLook, section 3.3. Ids, reasons and messages are a robot's own texts: none of
them can begin a line, and so pose as another fact or another block.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from backend.domain.episode.state import State
from backend.domain.execution import log as execution_log
from backend.domain.execution import notes as note_history
from backend.domain.geometry import Pose
from backend.domain.memory.record import EntityRecord, Status
from backend.domain.memory.reports import Report
from backend.domain.memory.retrieval import Retrieval
from backend.domain.mission.site import Site
from backend.domain.plans.findings import Finding
from backend.domain.plans.validity import Cause
from backend.domain.query.parts import block_of, frames_told, joined, paragraphs, returned, signature
from backend.domain.query.query import Block
from backend.domain.query.table_blocks import table_blocks

MOST_GUIDANCE = 20_000
"""Characters of what people said so far that a call shows: some 5,000 tokens."""


def render_blocks(
    state: State, retrieval: Retrieval, cause: Cause, findings: tuple[Finding, ...], now_s: float
) -> tuple[Block, ...]:
    """The blocks at mission time `now_s`; empty ones are left out. Ids and poses are copied from memory.

    `findings` are those of the plan to be repaired.
    """
    shared = _shared(state, findings)
    if state.at_table is not None:
        return table_blocks(state, state.at_table, shared, cause, now_s)
    texts = [
        ("goal", _goal(state)),
        ("robot", _robot(state, cause, now_s)),
        ("rules", _rules(state)),
        ("records", _records(state, retrieval, now_s)),
        ("terminal", _terminal(state)),
        *shared,
    ]
    images = returned(state)
    return tuple(block_of(name, text, images if name == "frames" else ()) for name, text in texts if text)


def _shared(state: State, findings: tuple[Finding, ...]) -> list[tuple[str, str]]:
    """What every planner is told of the past and by people, the findings last."""
    log = execution_log.shown(state.log, state.mission.memory.log)
    return [
        ("log", joined(execution_log.sentence(line) for line in log)),
        ("notes", _notes(state)),
        ("frames", frames_told(state)),
        ("instructions", paragraphs([state.instructions])),
        ("guidance", _guidance(state)),
        ("findings", joined(str(finding) for finding in findings)),
    ]


def _guidance(state: State) -> str:
    """What people said, verbatim; of very much the newest, and how much earlier there is. The journal keeps
    it all."""
    shown: list[str] = []
    for said in reversed(state.guidance):
        text = f"{said.by}: {said.text}"
        if shown and sum(map(len, shown)) + len(text) > MOST_GUIDANCE:
            break
        shown.append(text)
    left = len(state.guidance) - len(shown)
    earlier = [f"{left} earlier ones are left out here."] if left else []
    return paragraphs([*earlier, *reversed(shown)])


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
    return joined(lines)


def _held(state: State) -> str:
    held = state.robot.held
    if held is None:
        return "nothing"
    record = state.memory.records.get(held)
    return f"{held} (class {'unknown' if record is None else record.cls})"


def _rules(state: State) -> str:
    site, note = state.site, state.mission.task_note
    facts = joined(
        [
            *_map(site),
            *(
                f"Station {station.id} at {_place(station.pose)} takes {_taken_by(state, station.id)}"
                for station in site.stations
            ),
            "The robot carries one object at a time.",
            *(f"Skill {signature(skill)}: {skill.description}" for skill in state.catalogue.skills),
        ]
    )
    return "\n".join(part for part in (joined(site.rules), paragraphs([note]), facts) if part)


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


def _records(state: State, retrieval: Retrieval, now_s: float) -> str:
    told: list[str] = []
    if not retrieval.exposed:
        told = ["No record is known that could be worked on.", *_search(state)]
    if state.mission.memory.entities == "unfiltered":
        told += [_HISTORY, *(_report(state, report) for report in state.memory.reports)]
    else:
        told += [_record(state.memory.records[entity], now_s) for entity in retrieval.exposed]
    return joined(told)


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
    return joined([*lines, *(f"{entity} lost" for entity in lost)])


def _notes(state: State) -> str:
    shown = note_history.shown(state.notes, state.mission.memory.notes)
    return paragraphs(f"[decision {note.decision}] {note.text}" for note in shown)


def _place(pose: Pose) -> str:
    return f"({pose.x_m:g}, {pose.y_m:g}) m"


def _cells(cells: Iterable[tuple[int, int]]) -> str:
    """Row by row."""
    return " ".join(f"({x}, {y})" for x, y in sorted(cells, key=lambda cell: (cell[1], cell[0])))
