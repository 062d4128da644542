"""One annotation with its versions, and whether one may be written, changed or taken away.

An ended journal is closed: annotations stand beside it, anchored at events, and change no digest.
"""

from __future__ import annotations

from msgspec import Struct

from backend.domain.annotations.words import LONGEST_TAG, MOST_TAGS, tags_of, wrong_tag
from backend.domain.command.intents import COMMANDING
from backend.domain.refusal import Refusal

LONGEST = 4000
LONGEST_ENTITY = 200


class Draft(Struct, frozen=True, kw_only=True):
    """What somebody writes. `seq` to `until_seq`: the span; without the latter it is about one moment.

    `entity`: the record that it is about, empty for none. `tags`: as typed, see `tags_of`.
    """

    seq: int
    text: str
    until_seq: int | None = None
    entity: str = ""
    tags: str = ""


class Annotation(Struct, frozen=True, kw_only=True):
    """One version. `author` wrote the first one, `editor` this one, at `utc`. Versions count from 1.

    `is_removed`: its author, or an admin, took it away with this version; those before stay.
    """

    id: str
    version: int
    episode: str
    seq: int
    text: str
    author: str
    editor: str
    utc: str
    until_seq: int | None = None
    entity: str = ""
    tags: tuple[str, ...] = ()
    created_utc: str = ""
    is_removed: bool = False

    @property
    def last_seq(self) -> int:
        return self.seq if self.until_seq is None else self.until_seq


def refuse_draft(draft: Draft, head_seq: int) -> Refusal | None:
    """The refusal's code is the field that is wrong. `head_seq`: the episode's newest event."""
    text, tags = draft.text.strip(), tags_of(draft.tags)
    if not text:
        return Refusal("text", "There is nothing written.", "Write what is to be kept.")
    if len(text) > LONGEST:
        told = f"The text is {len(text):,} characters long."
        return Refusal("text", told, f"Write at most {LONGEST:,}, or two annotations.")
    if not 1 <= draft.seq <= head_seq:
        return Refusal("seq", f"There is no event {draft.seq}.", f"The events are 1 to {head_seq}.")
    if draft.until_seq is not None and not draft.seq <= draft.until_seq <= head_seq:
        told = f"A span from event {draft.seq} cannot end at {draft.until_seq}."
        return Refusal("until_seq", told, f"Name one of {draft.seq} to {head_seq}, or none.")
    if len(draft.entity) > LONGEST_ENTITY:
        return Refusal("entity", "The record's name is too long.", "Choose one of the episode's records.")
    if (wrong := wrong_tag(draft.tags)) is not None:
        remedy = f"A tag has letters, digits and dashes, {LONGEST_TAG} at most."
        return Refusal("tags", f"{wrong[:60]!r} is no tag.", remedy)
    if len(tags) > MOST_TAGS:
        return Refusal("tags", f"These are {len(tags)} tags.", f"Give at most {MOST_TAGS}.")
    return None


def refuse_annotating(role: str) -> Refusal | None:
    if role in COMMANDING:
        return None
    return Refusal("role", "A viewer reads annotations and writes none.", "Ask an operator.")


def refuse_change(annotation: Annotation | None, by: str, role: str, shown_version: int) -> Refusal | None:
    """An edit by its author; `shown_version`: which one the edit began from."""
    return (
        refuse_annotating(role)
        or _refuse_gone(annotation, shown_version)
        or (
            None
            if annotation is not None and annotation.author == by
            else Refusal(
                "role", "An annotation is changed by its author.", "Write one of your own beside it."
            )
        )
    )


def refuse_removal(annotation: Annotation | None, by: str, role: str, shown_version: int) -> Refusal | None:
    """A removal by its author or by an admin."""
    refusal = refuse_annotating(role) or _refuse_gone(annotation, shown_version)
    if refusal is not None or annotation is None or role == "admin" or annotation.author == by:
        return refusal
    return Refusal("role", "An annotation is removed by its author or an admin.", "Ask one of them.")


def _refuse_gone(annotation: Annotation | None, shown_version: int) -> Refusal | None:
    if annotation is None:
        return Refusal("id", "There is no such annotation.", "Look at the list again.")
    if annotation.version != shown_version or annotation.is_removed:
        done = "removed" if annotation.is_removed else "changed"
        told = f"{annotation.editor} {done} it meanwhile."
        return Refusal("version", told, "Nothing was saved. Look at it as it is now.")
    return None
