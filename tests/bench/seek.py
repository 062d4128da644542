"""Going back in an episode: how long the console's page takes at any moment, in short episodes and in very
long ones.

The episodes are one played mission over and over, as a mission would be that never ends: written, derived and
served as any other.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import asdict
from sqlalchemy import Engine, update
from starlette.testclient import TestClient

from backend.domain.episode.events import Event, Recorded
from backend.evaluation.arms import arm
from backend.evaluation.bare import NobodyThere, PlainJournal, play_into
from backend.persistence.codec import encode
from backend.persistence.connect import open_database, sqlite_url, writing
from backend.persistence.derive import passages, write
from backend.persistence.events import Position, write_events
from backend.persistence.heads import order_episode
from backend.persistence.projections import project
from backend.persistence.schema import upgrade
from backend.persistence.tables.journal import heads
from backend.rig import grid_rig
from backend.usecases.reading import Entry
from tests.web.stand import prepared

LENGTHS = (1_000, 50_000, 500_000)
SEEKS = 200
BATCH = 5_000
UTC = "2026-11-30T14:06:51.000Z"
COUNTED = ("number", "plan_number", "decision")
NAMED = ("id", "approval_id", "dispatch_id")
PLACED = ("version", "based_on_seq")
"""What goes on from lap to lap: numbers, names, and places in the journal."""


class Seeks(NamedTuple):
    """`opened_s`: the first page, for which the journal is read once. Then a page at any moment, `worked` on
    the processor alone."""

    events: int
    opened_s: float
    median_ms: float
    p95_ms: float
    worked_p95_ms: float


def seeks(events: int) -> Seeks:
    with tempfile.TemporaryDirectory() as folder:
        engine = open_database(sqlite_url(Path(folder) / "quarterdeck.db"))
        upgrade(engine)
        store(engine, "long", events)
        with prepared(engine, Path(folder) / "frames").client() as client:
            found = measured(client, "long", events)
        engine.dispose()
    return found


def measured(client: TestClient, episode: str, events: int, count: int = SEEKS) -> Seeks:
    opened_s, _ = _page(client, f"/episodes/{episode}")
    chance = random.Random(events)
    took = [_page(client, f"/episodes/{episode}?at={chance.randint(1, events)}") for _ in range(count)]
    walls, works = (sorted(each) for each in zip(*took, strict=True))
    p95 = int(0.95 * (count - 1))
    return Seeks(events, opened_s, 1000 * walls[count // 2], 1000 * walls[p95], 1000 * works[p95])


def _page(client: TestClient, address: str) -> tuple[float, float]:
    """Seconds on the wall's clock and on the processor."""
    began_s, worked_s = time.perf_counter(), time.process_time()
    answer = client.get(address)
    took = time.perf_counter() - began_s, time.process_time() - worked_s
    assert answer.status_code == 200, answer.text
    return took


def store(engine: Engine, episode: str, count: int) -> None:
    """An episode of so many events, with all its rows."""
    order_episode(engine, episode, {"mission": {"name": "dn-14"}}, "op-1")
    position, state = Position(0, "", ""), None
    journal = islice(endless(), count)
    while batch := list(islice(journal, BATCH)):
        encoded = [encode(recorded) for recorded in batch]
        entries = [
            Entry(
                recorded=each.recorded,
                kind=each.kind,
                version=each.version,
                utc=UTC,
                payload_digest=each.digest,
            )
            for each in encoded
        ]
        steps = list(passages(episode, state, entries))
        with writing(engine) as connection:
            position = write_events(connection, episode, position, UTC, encoded)
            write(connection, project(steps))
            connection.execute(update(heads).where(heads.c.episode == episode).values(**asdict(position)))
        state = steps[-1].after


def endless() -> Iterator[Recorded]:
    """A mission that begins anew whenever it is done."""
    chosen, kept = arm("dn-14", "attention"), PlainJournal()
    bridge, planner = grid_rig(chosen, 3)
    play_into(kept, NobodyThere(), chosen, 3, bridge, planner)
    opened, *lap, ended = kept.events
    yield opened
    seq, number = 1, 0
    while True:
        for recorded in lap:
            seq += 1
            yield Recorded(
                seq=seq,
                met_s=recorded.met_s + number * ended.met_s,
                actor=recorded.actor,
                event=_in_lap(recorded.event, number, number * len(lap)),
            )
        number += 1


def _in_lap(event: Event, number: int, before: int) -> Event:
    def carried(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: moved(key, inner) for key, inner in value.items()}
        return [carried(each) for each in value] if isinstance(value, (list, tuple)) else value

    def moved(key: str, value: Any) -> Any:
        if key in COUNTED and isinstance(value, int):
            return value + 1000 * number
        if key in PLACED and isinstance(value, int):
            return value + before
        return f"{value}~{number}" if key in NAMED and isinstance(value, str) else carried(value)

    return msgspec.convert(carried(msgspec.to_builtins(event)), Event)
