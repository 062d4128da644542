"""Results as files: CSV for a spreadsheet, JSON lines to be read again, here or elsewhere.

The first JSON line says what the file is: its format, the version that played, the study in full. Each line
after it is one episode.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from backend.evaluation.errors import WrongStudy
from backend.usecases.results import EpisodeResult, Run, Study
from backend.usecases.results_in_memory import MemoryResults

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
    quarterdeck_results: int
    run: int
    code_version: str
    started_utc: str
    finished_utc: str | None
    study: Study


class ImportedResults(MemoryResults):
    """A file's results, as a run of their own."""

    def take(self, header: Header, rows: Iterable[EpisodeResult]) -> Run:
        run = self.start(header.study, header.code_version)
        self._runs[run.id] = replace(run, started_utc=header.started_utc, finished_utc=header.finished_utc)
        self.add(run.id, list(rows))
        return self._counted(self._runs[run.id])


def json_lines(run: Run, rows: Iterable[EpisodeResult]) -> Iterator[str]:
    header = Header(
        quarterdeck_results=FORMAT,
        run=run.id,
        code_version=run.code_version,
        started_utc=run.started_utc,
        finished_utc=run.finished_utc,
        study=run.study,
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


def read_json_lines(text: bytes, name: str) -> tuple[Run, ImportedResults]:
    """What `json_lines` wrote, from the file called `name`. Raises WrongStudy naming the line."""
    lines = text.splitlines()
    header = _header(lines[0] if lines else b"", name)
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            rows.append(msgspec.json.decode(line, type=EpisodeResult))
        except msgspec.DecodeError as error:
            raise WrongStudy(
                f"Line {number} of {name} is no episode: {error}.",
                field=name,
                remedy="Export the run again: the file may have been cut off.",
            ) from None
        if not 0 <= rows[-1].arm < len(header.study.arms):
            raise WrongStudy(
                f"Line {number} of {name} names arm {rows[-1].arm}, which its study lacks.", field=name
            )
    results = ImportedResults()
    return results.take(header, rows), results


def _header(line: bytes, name: str) -> Header:
    try:
        version = msgspec.json.decode(line, type=dict[str, Any]).get("quarterdeck_results")
    except msgspec.DecodeError:
        version = None
    if version is None:
        raise WrongStudy(
            f"{name} holds no exported results.",
            field=name,
            remedy="Name a run, or a file of: evaluate export --format jsonl",
        )
    if version != FORMAT:
        raise WrongStudy(
            f"{name} is of results format {version!s:.20}; this version reads format {FORMAT}.",
            field=name,
            remedy="Compare with the Quarterdeck that wrote it, or run the study again here.",
        )
    try:
        return msgspec.json.decode(line, type=Header)
    except msgspec.DecodeError as error:
        raise WrongStudy(
            f"The first line of {name} describes a study that this version does not know: {error}.",
            field=name,
        ) from None


def _line(value: Any) -> str:
    return msgspec.json.encode(value).decode() + "\n"


def _csv(values: Iterable[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue()
