"""A run as one JSON document in pieces, so that it need not fit in memory: its figures, then its episodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from backend.usecases.recordings import Recording
from backend.usecases.results import EpisodeResult, Run


def run_head(run: Run) -> dict[str, Any]:
    """What each document begins with."""
    return {
        "run": run.id,
        "kind": run.study.kind,
        "study": run.study.name,
        "code_version": run.code_version,
        "started_utc": run.started_utc,
        "finished_utc": run.finished_utc,
    }


def in_pieces(
    head: Mapping[str, Any],
    episodes: Iterable[EpisodeResult],
    described: Callable[[EpisodeResult], Mapping[str, Any]],
    recordings: Mapping[tuple[int, int], Recording],
) -> Iterator[str]:
    """`episodes` last and one a line.

    `recordings` by arm and seed: those episodes name the console's episode and their content digest.
    """
    yield msgspec.json.format(msgspec.json.encode(head), indent=2).decode().removesuffix("\n}")
    yield ',\n  "episodes": ['
    comma = ""
    for row in episodes:
        recording = recordings.get((row.arm, row.seed))
        kept = {} if recording is None else {"episode": recording.episode, "content": recording.content}
        yield f"{comma}\n    {msgspec.json.encode({**described(row), **kept}).decode()}"
        comma = ","
    yield "\n  ]\n}\n"
