"""No journal holds what cannot be read back; what cannot be read says why."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import Engine

from backend.domain.episode.events import NoteWritten, Recorded, StopUnconfirmed
from backend.persistence.codec import decode, encode
from backend.persistence.errors import EventUnreadable, EventUnwritable
from backend.persistence.journal import SqlJournal
from tests.persistence.episodes import claimed, new_episode
from tests.support.drill import WHOLE, Drill

EVENTS = {
    f"{recorded.seq} {type(recorded.event).__name__}": recorded for recorded in Drill("e1").run(WHOLE).events
}


@pytest.mark.parametrize("recorded", EVENTS.values(), ids=EVENTS.keys())
def test_every_event_is_read_as_it_was_written(recorded: Recorded) -> None:
    assert read_back(recorded) == recorded


@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs"])),
    st.floats(allow_nan=False, allow_infinity=False),
)
def test_any_text_and_number_is_read_as_it_was_written(text: str, number: float) -> None:
    written = note(text, met_s=abs(number))

    assert read_back(written) == written


@pytest.mark.parametrize(
    "event",
    [
        StopUnconfirmed(stop_id="s", waited_s=math.nan),
        StopUnconfirmed(stop_id="s", waited_s=math.inf),
        NoteWritten(decision=1, author="policy", text="half a pair \ud83d"),
        NoteWritten(decision="1", author="policy", text=""),
    ],
    ids=["not a number", "infinite", "half a surrogate pair", "wrong type"],
)
def test_what_would_not_be_read_back_is_not_written(engine: Engine, event: Any) -> None:
    drill = Drill(new_episode(engine))
    journal = SqlJournal(engine, claimed(engine, drill.episode))
    journal.append(drill.events)

    with pytest.raises(EventUnwritable, match="Event 3") as caught:
        journal.append([Recorded(seq=3, met_s=1.0, actor="planner", event=event)])

    assert caught.value.field in ("stop.unconfirmed", "note.written")
    assert len(list(journal.read())) == 2


def test_events_that_no_fold_can_follow_are_not_written(engine: Engine) -> None:
    journal = SqlJournal(engine, claimed(engine, new_episode(engine)))

    with pytest.raises(EventUnwritable, match=r"begins with note\.written"):
        journal.append([replace(note("first"), seq=1)])

    assert list(journal.read()) == []


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        ({"version": 2}, "knows versions up to 1"),
        ({"kind": "robot.danced", "payload": '{"type":"robot.danced"}'}, "robot.danced"),
        ({"payload": '{"type":"note.written"'}, "truncated"),
        ({"payload": '{"type":"note.written"}'}, "required field"),
        ({"version": 0}, "nothing makes version 0"),
    ],
    ids=["newer version", "unknown kind", "cut off", "field missing", "no upcaster"],
)
def test_what_cannot_be_read_says_what_and_why(stored: dict[str, Any], words: str) -> None:
    row = {"seq": 7, "met_s": 1.0, "kind": "note.written", "version": 1, "actor": "planner", "meta": None}
    row["payload"] = '{"type":"note.written","decision":1,"author":"p","text":""}'

    with pytest.raises(EventUnreadable, match=words) as caught:
        decode(**{**row, **stored})

    assert "Event 7" in caught.value.message
    assert caught.value.remedy


def read_back(recorded: Recorded) -> Recorded:
    written = encode(recorded)
    return decode(
        recorded.seq,
        recorded.met_s,
        written.kind,
        written.version,
        recorded.actor,
        written.payload,
        written.meta,
    )


def note(text: str, met_s: float = 1.0) -> Recorded:
    event = NoteWritten(decision=1, author="policy", text=text)
    return Recorded(seq=3, met_s=met_s, actor="planner", event=event)
