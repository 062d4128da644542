"""Events as text and back. What is written was read back first: no journal holds what cannot be folded."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from backend.domain.digests import digest_of_text
from backend.domain.episode.events import VERSIONS, Event, Recorded, kind_of
from backend.persistence.errors import EventUnreadable, EventUnwritable
from backend.persistence.upcasters import NoUpcaster, upcast

_encoder = msgspec.json.Encoder()
_canonical = msgspec.json.Encoder(order="sorted")
_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


class Encoded(NamedTuple):
    """`payload` is the text that `digest` is of; `recorded` is what reading it gives."""

    kind: str
    version: int
    payload: str
    digest: str
    meta: str | None
    recorded: Recorded


def encode(recorded: Recorded) -> Encoded:
    """Raises EventUnwritable for a value that JSON does not keep: not finite, or half a surrogate pair."""
    kind = kind_of(recorded.event)
    try:
        payload = _encoder.encode(recorded.event)
        event = _decoder.decode(payload)
        # Equal as values, or, where a field takes anything, equal in writing.
        faithful = event == recorded.event or _encoder.encode(event) == payload
        meta = None if recorded.meta is None else _canonical.encode(recorded.meta).decode()
    except (TypeError, ValueError) as error:  # msgspec's errors and UnicodeEncodeError are ValueErrors
        raise EventUnwritable(
            f"Event {recorded.seq} ({kind}) cannot be written: {error}.", field=kind
        ) from error
    if not faithful:
        raise EventUnwritable(f"Event {recorded.seq} ({kind}) would not be read back as it is.", field=kind)
    text = payload.decode()
    kept = Recorded(
        seq=recorded.seq,
        met_s=float(recorded.met_s),
        actor=recorded.actor,
        event=event,
        meta=None if meta is None else msgspec.json.decode(meta),
    )
    return Encoded(kind, VERSIONS.get(kind, 1), text, digest_of_text(text), meta, kept)


def decode(
    seq: int, met_s: float, kind: str, version: int, actor: str, payload: str, meta: str | None
) -> Recorded:
    """A stored row as the event it is. Raises EventUnreadable."""
    try:
        return Recorded(
            seq=seq,
            met_s=met_s,
            actor=actor,
            event=_event(kind, version, payload),
            meta=None if meta is None else msgspec.json.decode(meta),
        )
    except (NoUpcaster, ValueError) as error:
        raise EventUnreadable(
            f"Event {seq} ({kind}, version {version}) cannot be read: {error}.",
            field=kind,
            remedy="Use the Quarterdeck that wrote it; if that is this one, run: quarterdeck episodes verify",
        ) from error


def _event(kind: str, version: int, payload: str) -> Event:
    current = VERSIONS.get(kind, 1)
    if version == current:
        return _decoder.decode(payload)
    if version > current:
        raise NoUpcaster(f"this Quarterdeck knows versions up to {current}")
    old: dict[str, Any] = msgspec.json.decode(payload, type=dict[str, Any])
    return _decoder.decode(_encoder.encode(upcast(kind, version, old, to=current)))


def payload_text(event: Event) -> str:
    """The text that `encode` gives, of an event that was written before."""
    return _encoder.encode(event).decode()


def json_text(value: Any) -> str:
    """Canonical JSON, as the tables' JSON columns hold it."""
    return _canonical.encode(value).decode()


def storable(values: dict[str, Any]) -> dict[str, Any]:
    """Values of a row that Postgres takes too: it has no place for NUL, which a model or robot may send."""
    for name, value in values.items():
        if type(value) is str and "\x00" in value:
            values[name] = value.replace("\x00", "\ufffd")
    return values
