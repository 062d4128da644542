"""Redaction takes words out of every place they stand in, keeps the hashes, and leaves what was done."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import Engine, RowMapping, select

from backend.domain.demonstration.looks import Answer, Range
from backend.domain.episode.events import NoteWritten, kind_of
from backend.persistence.connect import reading
from backend.persistence.errors import FrameMissing, RedactionRefused
from backend.persistence.frames import FrameStore
from backend.persistence.leases import release
from backend.persistence.plain import audit_trail
from backend.persistence.reader import SqlReader
from backend.persistence.redaction import GONE, redact, redact_frame, thinned
from backend.persistence.tables import metadata
from backend.persistence.verify import verify
from tests.domain.decide.table_script import AtTable
from tests.persistence.episodes import claimed, stored_whole
from tests.support.drill import Drill

SECRET = "zwölf ⚓ \U0001f6a2"


@pytest.fixture
def ended(engine: Engine) -> Drill:
    drill = stored_whole(engine)
    release(engine, claimed(engine, drill.episode))
    return drill


def test_the_words_are_gone_from_every_table_and_the_chain_still_holds(engine: Engine, ended: Drill) -> None:
    seqs = [
        recorded.seq
        for recorded in ended.events
        if kind_of(recorded.event) in TEXTUAL and SECRET in repr(recorded.event)
    ]
    assert seqs

    for seq in seqs:
        redact(engine, ended.episode, seq, "ada", "a name was in it")

    assert verify(engine, ended.episode) == []
    assert not places_of(engine, ended.episode, "zwölf")


def test_what_was_done_stays_as_it_was(engine: Engine, ended: Drill) -> None:
    note = next(recorded for recorded in ended.events if isinstance(recorded.event, NoteWritten))
    reader = SqlReader(engine)
    before = reader.state(ended.episode)

    redact(engine, ended.episode, note.seq, "ada", "private")

    after = reader.state(ended.episode)
    assert [each.text for each in after.notes if each.seq == note.seq] == [GONE]
    assert replace(after, notes=(), request=None) == replace(before, notes=(), request=None)
    (entry,) = reader.events(ended.episode, after=note.seq - 1, until=note.seq)
    assert entry.redacted is not None
    assert entry.redacted.endswith("ada: private")


def test_each_redaction_is_audited(engine: Engine, ended: Drill) -> None:
    note = next(recorded for recorded in ended.events if isinstance(recorded.event, NoteWritten))

    redact(engine, ended.episode, note.seq, "ada", "private")

    entry = audit_trail(engine, limit=1)[0]
    assert (entry.action, entry.actor, entry.subject, entry.after) == (
        "event.redacted",
        "ada",
        f"{ended.episode} {note.seq}",
        "private",
    )


@pytest.mark.parametrize("seq", [1, 5, 9999], ids=["opening", "evidence", "none"])
def test_what_the_fold_rests_on_is_not_redacted(engine: Engine, ended: Drill, seq: int) -> None:
    with pytest.raises(RedactionRefused, match="no text that may be taken out"):
        redact(engine, ended.episode, seq, "ada", "private")


def test_a_running_episode_is_not_redacted(engine: Engine) -> None:
    drill = stored_whole(engine)
    note = next(recorded for recorded in drill.events if isinstance(recorded.event, NoteWritten))

    with pytest.raises(RedactionRefused, match="is running"):
        redact(engine, drill.episode, note.seq, "ada", "private")


def test_a_redacted_frame_is_gone_and_no_fault(engine: Engine, ended: Drill, tmp_path: Path) -> None:
    store = FrameStore(str(tmp_path))
    rows = SqlReader(engine).rows("frames", ended.episode)
    for sha256 in {row["sha256"] for row in rows}:
        redact_frame(engine, store, sha256, "ada", "a face")

    assert verify(engine, ended.episode, store) == []
    with pytest.raises(FrameMissing):
        store.get(rows[0]["sha256"])
    assert SqlReader(engine).rows("frames", ended.episode) == rows


def test_of_a_demonstration_no_word_of_the_planner_is_left() -> None:
    script = AtTable(film=20)
    script.sum_up(Answer(SECRET, (Range(0, 4),)))
    script.sum_up(Answer(f"{SECRET} again", ()))

    left = [thinned(each.event) or each.event for each in script.events]

    assert sum(SECRET in repr(each.event) for each in script.events) >= 4
    assert SECRET not in repr(left)


TEXTUAL = {"exchange.recorded", "note.written", "guidance.given", "plan.proposed", "plan.requested"}


def places_of(engine: Engine, episode: str, word: str) -> set[str]:
    """Tables in which a row of the episode's journal, or of what is made from it, still holds the word."""
    found = set()
    with reading(engine) as connection:
        for table in metadata.sorted_tables:
            if "episode" in table.c and table.name not in ("intents", "execution_log"):
                rows = connection.execute(select(table).where(table.c.episode == episode)).mappings()
                if any(word in str(value) for row in rows for name, value in row.items() if kept(row, name)):
                    found.add(table.name)
    return found


def kept(row: RowMapping, name: str) -> bool:
    """Outcomes say what was measured and are no planner's words."""
    return not (name == "payload" and row["kind"] in ("step.ended", "stop.asked", "approval.rejected"))
