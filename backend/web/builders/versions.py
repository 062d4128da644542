"""What a version of a mission or site has otherwise than another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from backend.domain.mission.changes import FieldChange
from backend.web.documents import Kept
from backend.web.pages.documents import ChangeLine, Changes, Shelf
from backend.web.pages.environment import url
from backend.web.pages.parts import Link

SHOWN = 100
"""Fields; who changed more reads the texts."""
NOT_WRITTEN = ""
UNREADABLE = "One of the two is no text of fields, so they cannot be compared."
SAME = "The same fields with the same values: only comments, layout or order differ."


def compared_with(shown: Kept, versions: Sequence[Kept], against: int | None) -> Kept | None:
    """The version that was asked for, or the one before the shown one. `versions`: the newest first."""
    others = [each for each in versions if each.version != shown.version]
    if against is not None:
        return next((each for each in others if each.version == against), None)
    return next((each for each in others if each.version < shown.version), None)


def changes_of(
    shelf: Shelf, shown: Kept, other: Kept, versions: Sequence[Kept], found: tuple[FieldChange, ...] | None
) -> Changes:
    """`found` None: one of the two texts cannot be read."""
    lines = tuple(_line(each) for each in (found or ())[:SHOWN])
    more = len(found or ()) - len(lines)
    note = UNREADABLE if found is None else SAME if not found else f"And {more} more." if more else ""
    return Changes(
        since=_called(other),
        lines=lines,
        note=note,
        others=tuple(
            Link(
                label=_called(each),
                href=url(shelf, shown.name, version=shown.version, against=each.version) + "#changes-h",
            )
            for each in versions
            if each.version not in (shown.version, other.version)
        ),
    )


def _line(change: FieldChange) -> ChangeLine:
    return ChangeLine(
        field=change.field,
        kind="came" if change.was is None else "went" if change.now is None else "changed",
        was=_written(change.was),
        now=_written(change.now),
    )


def _written(value: Any) -> str:
    """As a person writes it: words as they are, the rest as JSON, which is YAML too."""
    if value is None:
        return NOT_WRITTEN
    return value if isinstance(value, str) else msgspec.json.encode(value, enc_hook=str).decode()


def _called(kept: Kept) -> str:
    return f"version {kept.version}" if kept.version else "the file"
