"""Taking a correction back: a further correction, for the journal is never rewritten.

Only what still is as the correction left it can be taken back. Where something else has been seen or said
since, the old value would be no better than a guess.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from backend.domain.decide.rewriting import (
    VALUES,
    VERSIONS,
    Author,
    Revision,
    changed_fields,
    is_locked,
    word_on,
)
from backend.domain.episode.state import State
from backend.domain.memory.corrected import Corrected
from backend.domain.memory.record import FIELD_NAME, EntityRecord, Field, Status, Word
from backend.domain.refusal import Refusal

SAID = (Field.CLASS, Field.POSE, Field.STATUS)


def undone(state: State, seq: int, author: Author) -> Revision | Refusal:
    """The records as they were before the correction of event `seq`."""
    entry = next((each for each in state.corrections if each.seq == seq), None)
    if entry is None:
        return Refusal(
            "no_correction", f"Event {seq} is no correction that can be undone.", "Choose one from the list."
        )
    if entry.undone_by is not None:
        return Refusal("undone", f"The correction of event {seq} was undone already, in {entry.undone_by}.")
    records = []
    for after in entry.after:
        record = state.memory.records[after.id]
        since = _changed_since(after, record)
        if since is not None:
            return since
        records.append(_restored(record, after, entry, author))
    changes = tuple(
        change for record in records for change in changed_fields(state.memory.records[record.id], record)
    )
    return Revision(
        records=tuple(records),
        changes=changes,
        reason=f"takes back the correction of event {seq}",
        undoes=seq,
    )


def _changed_since(after: EntityRecord, record: EntityRecord) -> Refusal | None:
    for field in (*SAID, Field.CONFIDENCE):
        if record.version(field) != after.version(field):
            what = "was reported" if field is Field.CONFIDENCE else f"changed its {FIELD_NAME[field]}"
            return Refusal(
                "changed_since",
                f"{record.id} {what} since, so that what was before may be wrong now.",
                "Correct it anew instead.",
            )
    if record.words != after.words or record.merged_into != after.merged_into:
        return Refusal(
            "changed_since", f"{record.id} was corrected again since.", "Undo the later correction first."
        )
    return None


def _restored(record: EntityRecord, after: EntityRecord, entry: Corrected, author: Author) -> EntityRecord:
    before = entry.was(record.id)
    if before is None:
        gone = replace(record, status=Status.REMOVED, status_seq=author.seq, merged_into=entry.origin)
        return replace(gone, words=(*record.words, word_on(gone, Field.STATUS, author, False)))
    changes: dict[str, Any] = {}
    for field, version in VERSIONS.items():
        if before.version(field) != after.version(field):
            changes[VALUES[field]], changes[version] = getattr(before, VALUES[field]), author.seq
    restored = replace(
        record,
        failed_pose=before.failed_pose,
        failed_s=before.failed_s,
        supported=before.supported,
        merged_into=before.merged_into,
        **changes,
    )
    kept = tuple(
        each for each in record.disputes if restored.version(each.field) == record.version(each.field)
    )
    return replace(restored, words=_words_again(restored, before, author), disputes=kept)


def _words_again(restored: EntityRecord, before: EntityRecord, author: Author) -> tuple[Word, ...]:
    """What people had said before, in force again; and that this person took the later word back."""
    words = []
    for field in SAID:
        word = before.word(field)
        if word is not None:
            version = restored.version(field)
            words.append(replace(word, version=version, seq=author.seq, locked=is_locked(before, field)))
    return tuple(words)
