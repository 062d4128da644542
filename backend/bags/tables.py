"""An episode as tables for a spreadsheet: a folder of CSV files, one for each kind of thing.

Threat: texts are a model's and a robot's. A cell that begins like a formula would be run by a spreadsheet
(OWASP, "CSV injection"), so such a text is written with an apostrophe before it.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from backend.bags.errors import BagRefused
from backend.bags.lines import ALWAYS_S
from backend.usecases.reading import Reader

FORMULA = ("=", "+", "-", "@", "\t", "\r")
TABLES = ("telemetry", "entities", "entity_changes", "plans", "log", "notes")

Cells = Mapping[str, Any]

_TELEMETRY = (
    "met_s", "robot", "x_m", "y_m", "yaw_rad", "frame_id", "speed_m_s", "held", "extra",
)  # fmt: skip
_ENTITY = (
    "entity", "class", "status", "x_m", "y_m", "yaw_rad", "frame_id", "confidence", "source", "stamp_s",
    "class_seq", "pose_seq", "status_seq", "belief_seq", "supported", "merged_into",
)  # fmt: skip
_CHANGE = (
    "seq", "met_s", "entity", "field", "old", "new", "verdict", "reason", "actor", "source", "sensed_by",
    "stamp_s", "confidence", "times",
)  # fmt: skip
_PLAN = (
    "seq", "met_s", "number", "change", "author", "steps", "rationale", "digest", "based_on_seq", "target",
    "dependencies", "findings", "cause", "message",
)  # fmt: skip
_LINE = (
    "seq", "met_s", "line", "dispatch_id", "skill", "command", "result", "reason", "message", "started_s",
    "ended_s", "measured",
)  # fmt: skip
_NOTE = ("seq", "met_s", "decision", "author", "text")


def write_tables(reader: Reader, episode: str, folder: Path) -> dict[str, int]:
    """Writes TABLES as CSV files into `folder`, which takes its name when all are whole; rows by table.

    Raises BagRefused where the name is taken or cannot be written, and the reader's error for an episode that
    is unknown or has not begun.
    """
    if folder.exists():
        raise BagRefused(f"{folder} is there already. Name another folder.")
    contents = _contents(reader, episode)
    unfinished = folder.with_name(f".{folder.name}.part")
    counts = {}
    try:
        unfinished.mkdir()
        for name, (columns, rows) in contents.items():
            counts[name] = _write(unfinished / f"{name}.csv", columns, rows)
        unfinished.replace(folder)
    except OSError as error:
        raise BagRefused(
            f"{folder} cannot be written: {error.strerror or error}. Name another folder."
        ) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return counts


def _contents(reader: Reader, episode: str) -> dict[str, tuple[Sequence[str], Iterable[Cells]]]:
    return {
        "telemetry": (_TELEMETRY, map(msgspec.structs.asdict, reader.telemetry(episode, 0.0, ALWAYS_S))),
        "entities": (_ENTITY, list(_records(reader, episode))),
        "entity_changes": (_CHANGE, reader.rows("entity_audit", episode)),
        "plans": (_PLAN, reader.rows("plans", episode)),
        "log": (_LINE, reader.rows("execution_log", episode)),
        "notes": (_NOTE, reader.rows("notes", episode)),
    }


def _records(reader: Reader, episode: str) -> Iterator[Cells]:
    """What is believed of each entity at the episode's newest event."""
    for record in reader.state(episode).memory.records.values():
        yield {
            **msgspec.structs.asdict(record),
            **msgspec.structs.asdict(record.pose),
            "entity": record.id,
            "class": record.cls,
            "status": record.status.value,
            "source": record.source.value,
        }


def _write(path: Path, columns: Sequence[str], rows: Iterable[Cells]) -> int:
    lines = [[_cell(row[name]) for name in columns] for row in rows]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([columns, *lines])
    return len(lines)


def _cell(value: Any) -> str | float | int:
    """Nothing for None, JSON for what has parts, and no text that a spreadsheet would run."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return value
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return f"'{text}" if text.startswith(FORMULA) else text
