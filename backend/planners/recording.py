"""Recorded exchanges: a JSON lines file with one line a reply, written as they come and read as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from backend.domain.query.query import Attempt, AttemptMeta, Query, Reply
from backend.planners.errors import RecordingError

_GOES_ON = frozenset({"api_error", "timeout", "failed"})
"""Verdicts after which the same question may have been asked again within one reply."""


class Exchange(Struct, frozen=True, kw_only=True):
    """All attempts at one question within one reply, at least one; the last decided."""

    attempts: tuple[Attempt, ...]
    metas: tuple[AttemptMeta, ...] = ()


class _Planner(Protocol):
    def propose(self, query: Query) -> Reply: ...


class RecordingPlanner:
    """Passes queries on to another planner, and appends each exchange to a file before it replies."""

    def __init__(self, planner: _Planner, path: Path) -> None:
        self._planner = planner
        self._path = path

    def propose(self, query: Query) -> Reply:
        reply = self._planner.propose(query)
        if reply.attempts:
            append(self._path, Exchange(attempts=reply.attempts, metas=reply.metas))
        return reply


def append(path: Path, exchange: Exchange) -> None:
    try:
        with path.open("ab") as file:
            file.write(msgspec.json.encode(exchange) + b"\n")
    except OSError as error:
        raise RecordingError(
            f"{path} cannot be written: {error}. Free space, or name another file."
        ) from error


def load(path: Path) -> tuple[Exchange, ...]:
    """Every exchange in the file, in order; RecordingError names the line that is none."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise RecordingError(f"{path} cannot be read: {error}. Name a file of recorded exchanges.") from error
    return tuple(_exchange(line, path, number) for number, line in enumerate(lines, start=1) if line.strip())


def exchanges_of(attempts: Iterable[Attempt]) -> Iterator[Exchange]:
    """Exchanges from bare attempts in journal order: tries of one question in a row belong together."""
    group: list[Attempt] = []
    for attempt in attempts:
        if group and (
            group[-1].verdict not in _GOES_ON or group[-1].request_digest != attempt.request_digest
        ):
            yield _grouped(group)
            group = []
        group.append(attempt)
    if group:
        yield _grouped(group)


def _grouped(group: list[Attempt]) -> Exchange:
    return Exchange(attempts=tuple(group), metas=tuple(AttemptMeta() for _ in group))


def _exchange(line: bytes, path: Path, number: int) -> Exchange:
    try:
        exchange = msgspec.json.decode(line, type=Exchange)
    except (ValueError, RecursionError) as error:
        raise RecordingError(
            f"{path}, line {number} is no recorded exchange: {error}. Remove the line, or record anew."
        ) from error
    if not exchange.attempts:
        raise RecordingError(f"{path}, line {number} holds no attempt. Remove the line, or record anew.")
    return exchange
