"""An episode as lines of JSON, an event or a sample a line, in the order of mission time."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from backend.bags.files import new_file
from backend.usecases.reading import Reader

ALWAYS_S = 1e12


def write_lines(reader: Reader, episode: str, path: Path) -> int:
    """How many lines. `line` of each says what it is: event or telemetry. Raises BagRefused."""
    reader.episode(episode)
    count = 0
    with new_file(path) as file:
        for _, _, line in heapq.merge(_events(reader, episode), _samples(reader, episode)):
            file.write(msgspec.json.encode(line) + b"\n")
            count += 1
    return count


Timed = tuple[float, tuple[int, int], dict[str, Any]]


def _events(reader: Reader, episode: str) -> Iterator[Timed]:
    latest_s = 0.0
    for entry in reader.events(episode, limit=None):
        recorded = entry.recorded
        latest_s = max(latest_s, recorded.met_s)
        line = {
            "line": "event",
            "seq": recorded.seq,
            "met_s": recorded.met_s,
            "utc": entry.utc,
            "kind": entry.kind,
            "actor": recorded.actor,
            "event": recorded.event,
            "meta": recorded.meta,
        }
        yield latest_s, (0, recorded.seq), line


def _samples(reader: Reader, episode: str) -> Iterator[Timed]:
    for number, sample in enumerate(reader.telemetry(episode, 0.0, ALWAYS_S)):
        yield sample.met_s, (1, number), {"line": "telemetry", **msgspec.to_builtins(sample)}
