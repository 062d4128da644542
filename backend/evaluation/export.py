"""Results as files: CSV for a spreadsheet, JSON lines to be read again, here or elsewhere.

The first JSON line says what the file is: its format, the version that played, the study in full, and how
many episodes follow. Each line after it is one.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from backend.usecases.results import EpisodeResult, Run, Study

FORMAT = 1

COLUMNS = (
    "scenario",
    "method",
    "variant",
    "seed",
    "success",
    "outcome",
    "steps",
    "context",
    "planner_calls",
    "stale_visits",
    "delivered",
    "path_m",
    "replans",
    "extra",
)


class Header(Struct, frozen=True, kw_only=True):
    """`episodes`: at least as many lines follow; those of a run that goes on may be more. None: not noted."""

    quarterdeck_results: int
    run: int
    code_version: str
    started_utc: str
    finished_utc: str | None
    study: Study
    episodes: int | None = None


def json_lines(run: Run, rows: Iterable[EpisodeResult]) -> Iterator[str]:
    header = Header(
        quarterdeck_results=FORMAT,
        run=run.id,
        code_version=run.code_version,
        started_utc=run.started_utc,
        finished_utc=run.finished_utc,
        study=run.study,
        episodes=run.done,
    )
    yield _line(header)
    for row in rows:
        yield _line({**described(run.study, row), "arm": row.arm})


def csv_lines(run: Run, rows: Iterable[EpisodeResult]) -> Iterator[str]:
    """`replans` and `extra` as pairs of name and value, parted by semicolons."""
    yield _csv(COLUMNS)
    for row in rows:
        values = described(run.study, row)
        for name in ("replans", "extra"):
            values[name] = "; ".join(f"{key} {value:g}" for key, value in values[name].items())
        values["success"] = int(row.success)
        yield _csv(values[name] for name in COLUMNS)


def described(study: Study, row: EpisodeResult) -> dict[str, Any]:
    """The episode with what its arm says of it in place of the arm's number."""
    arm = study.arms[row.arm]
    values: Mapping[str, Any] = asdict(row)
    names = {"scenario": arm.scenario, "method": arm.method, "variant": arm.variant}
    return {name: names.get(name, values.get(name)) for name in COLUMNS}


def _line(value: Any) -> str:
    return msgspec.json.encode(value).decode() + "\n"


def _csv(values: Iterable[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue()
