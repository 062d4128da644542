"""An exported file of JSON lines read again, whole or not at all; what cannot be is refused by its line."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from backend.evaluation.errors import WrongStudy
from backend.evaluation.export import FORMAT, Header
from backend.usecases.results import EpisodeResult, Run, Study
from backend.usecases.results_in_memory import MemoryResults

COUNTED = ("steps", "context", "planner_calls", "stale_visits", "delivered", "path_m")
"""What no episode has less than 0 of."""
AGAIN = "Export the run again: the file may have been cut off."


class ImportedResults(MemoryResults):
    """A file's results, as a run of their own."""

    def take(self, header: Header, rows: Iterable[EpisodeResult]) -> Run:
        run = self.start(header.study, header.code_version)
        self._runs[run.id] = replace(run, started_utc=header.started_utc, finished_utc=header.finished_utc)
        self.add(run.id, list(rows))
        return self._counted(self._runs[run.id])


def read_json_lines(text: bytes, name: str) -> tuple[Run, ImportedResults]:
    """What `json_lines` wrote, from the file called `name`. Raises WrongStudy naming the line."""
    lines = text.splitlines()
    header = _header(lines[0] if lines else b"", name)
    seen: dict[tuple[int, int], int] = {}
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        row = _episode(line, header.study, f"Line {number} of {name}", name)
        earlier = seen.setdefault((row.arm, row.seed), number)
        if earlier != number:
            raise WrongStudy(
                f"Line {number} of {name} has arm {row.arm}, seed {row.seed} again, after line {earlier}.",
                field=name,
                remedy="An episode counts once: export the run again.",
            )
        rows.append(row)
    _refuse_fewer(header, len(rows), name)
    results = ImportedResults()
    return results.take(header, rows), results


def _episode(line: bytes, study: Study, where: str, name: str) -> EpisodeResult:
    try:
        row = msgspec.json.decode(line, type=EpisodeResult)
    except msgspec.DecodeError as error:
        raise WrongStudy(f"{where} is no episode: {_told(error)}.", field=name, remedy=AGAIN) from None
    if not 0 <= row.arm < len(study.arms):
        raise WrongStudy(f"{where} names arm {row.arm}, which its study lacks.", field=name)
    wrong = _wrong_value(row, study)
    if wrong:
        raise WrongStudy(
            f"{where} is no episode: {wrong}.",
            field=name,
            remedy="Export the run again from where it is kept.",
        )
    return row


def _told(error: msgspec.DecodeError) -> str:
    """Its field first, where it has one."""
    said, _, path = str(error).partition(" - at `$.")
    return f"{path.removesuffix('`')}: {said[:1].lower()}{said[1:]}" if path else said


def _wrong_value(row: EpisodeResult, study: Study) -> str:
    """The first field whose value no episode of the study has, and why not; empty where there is none."""
    last = study.first_seed + study.seeds - 1
    if row.seed not in study.each_seed:
        return f"seed: {row.seed} is none of its study's, {study.first_seed} to {last}"
    counted = {name: getattr(row, name) for name in COUNTED}
    counted |= {f"replans.{cause}": count for cause, count in row.replans.items()}
    for field, value in counted.items():
        if not math.isfinite(value) or value < 0:
            return f"{field}: {value} is below 0" if value < 0 else f"{field}: {value} is no number"
    odd = next((name for name, value in row.extra.items() if not math.isfinite(value)), None)
    return "" if odd is None else f"extra.{odd}: {row.extra[odd]} is no number"


def _refuse_fewer(header: Header, found: int, name: str) -> None:
    """A file that does not note how many there are has all of the study where its run was finished."""
    whole = header.study.episodes if header.finished_utc is not None else 0
    missing = (whole if header.episodes is None else header.episodes) - found
    if missing > 0:
        raise WrongStudy(
            f"{name} lacks {missing} of its {missing + found} episodes.", field=name, remedy=AGAIN
        )


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
