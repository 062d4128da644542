"""Where two journals part: the first event that differs, and what in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from backend.domain.episode.events import Recorded, kind_of

MOST_TOLD = 5
LONGEST = 80


class Difference(Struct, frozen=True, kw_only=True):
    """`was`, `now`: the kinds there; empty where there is no event. `what`: (field, as recorded, as now)."""

    seq: int
    was: str
    now: str
    what: tuple[tuple[str, str, str], ...] = ()

    @property
    def message(self) -> str:
        if not self.now:
            return f"Event {self.seq} ({self.was}) does not come about again."
        if not self.was:
            return f"Event {self.seq} ({self.now}) comes about now, where the journal has none."
        if self.was != self.now:
            return f"Event {self.seq} was {self.was}, and is {self.now} now."
        told = "; ".join(f"{field} was {old}, is {new}" for field, old, new in self.what[:MOST_TOLD])
        return f"Event {self.seq} ({self.was}) differs: {told}."


def first_difference(then: Sequence[Recorded], now: Sequence[Recorded]) -> Difference | None:
    """Latencies and the provider's ids, which stand in `meta`, are no difference."""
    for old, new in zip(then, now, strict=False):
        if not is_same(old, new):
            what = tuple(_fields("", _plain(old), _plain(new)))
            return Difference(seq=old.seq, was=kind_of(old.event), now=kind_of(new.event), what=what)
    if len(then) > len(now):
        lost = then[len(now)]
        return Difference(seq=lost.seq, was=kind_of(lost.event), now="")
    if len(now) > len(then):
        more = now[len(then)]
        return Difference(seq=more.seq, was="", now=kind_of(more.event))
    return None


def is_same(old: Recorded, new: Recorded) -> bool:
    return (old.seq, old.met_s, old.actor) == (new.seq, new.met_s, new.actor) and (
        old.event == new.event or _plain(old) == _plain(new)
    )


def _plain(recorded: Recorded) -> Any:
    """As it is written: a list read back from a journal is the tuple that was put there."""
    event = msgspec.json.decode(msgspec.json.encode(recorded.event))
    return {"met_s": recorded.met_s, "actor": recorded.actor, **event}


def _fields(path: str, old: Any, new: Any) -> Iterator[tuple[str, str, str]]:
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted(old.keys() | new.keys()):
            yield from _fields(f"{path}.{name}" if path else str(name), old.get(name), new.get(name))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _fields(f"{path}[{index}]", before, after)
    else:
        yield path, _told(old), _told(new)


def _told(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
