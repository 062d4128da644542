"""A journal as lines of JSON, an event a line, its payload byte for byte: to keep, to send, to fold again.

Lines end at \\n and nowhere else: a text may hold other characters that some count as line ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Raw, Struct
from sqlalchemy import Engine, select

from backend.domain.digests import digest_of_text
from backend.persistence.codec import decode, json_text
from backend.persistence.connect import reading
from backend.persistence.errors import EventUnreadable
from backend.persistence.heads import head_of
from backend.persistence.tables.journal import events
from backend.usecases.reading import Entry


class Line(Struct, frozen=True, kw_only=True):
    """What stands in the event's row; `payload_digest` is that of the payload's bytes unless `redacted`."""

    seq: int
    met_s: float
    kind: str
    version: int
    actor: str
    utc: str
    payload: Raw
    payload_digest: str
    meta: Any = None
    redacted: str | None = None


_decoder = msgspec.json.Decoder(Line)


def export(engine: Engine, episode: str) -> Iterator[str]:
    """The lines of the journal, without line ends. Raises UnknownEpisode."""
    query = select(events).where(events.c.episode == episode).order_by(events.c.seq)
    with reading(engine) as connection:
        head_of(connection, episode)
        for row in connection.execute(query).mappings():
            values: dict[str, Any] = {name: row[name] for name in Line.__struct_fields__}
            values["payload"] = Raw(row["payload"].encode())
            values["meta"] = None if row["meta"] is None else msgspec.json.decode(row["meta"])
            yield msgspec.json.encode(Line(**values)).decode()


def entries_of(lines: Iterable[str]) -> Iterator[Entry]:
    """The events of an exported journal, upcast to today's versions. Raises EventUnreadable."""
    for number, text in enumerate(lines, start=1):
        try:
            line = _decoder.decode(text)
        except msgspec.DecodeError as error:
            raise EventUnreadable(
                f"Line {number} is no event of a journal: {error}.", remedy="Export the journal again."
            ) from error
        payload = bytes(line.payload).decode()
        if not line.redacted and digest_of_text(payload) != line.payload_digest:
            raise EventUnreadable(
                f"Line {number} (event {line.seq}): the payload is not what was hashed.",
                field="payload",
                remedy="Export the journal again.",
            )
        meta = None if line.meta is None else json_text(line.meta)
        yield Entry(
            recorded=decode(line.seq, line.met_s, line.kind, line.version, line.actor, payload, meta),
            kind=line.kind,
            version=line.version,
            utc=line.utc,
            payload_digest=line.payload_digest,
            redacted=line.redacted,
        )
