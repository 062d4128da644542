"""The audit: every change and refusal, the newest first, in pages."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backend.usecases.reading import Entry
from backend.web.builders import words
from backend.web.builders.audit_filter import Wanted, filter_form
from backend.web.builders.audit_lines import line_of
from backend.web.builders.chosen import read_chosen
from backend.web.builders.moment import Moment
from backend.web.pages import figures
from backend.web.pages.audit import AuditPanel, AuditRow
from backend.web.pages.parts import Empty

PAGE = 100
"""Rows of a page."""


class Page(Struct, frozen=True, kw_only=True):
    """Entries that are wanted, in order. `first`: the oldest event that was looked at for it."""

    entries: Sequence[Entry] = ()
    first: int = 1


def audit_panel(moment: Moment, page: Page, wanted: Wanted, chosen: str) -> AuditPanel:
    """`chosen`: the seq before which events are shown; without it the newest at or before the cursor."""
    rows = tuple(_row(entry) for entry in reversed(page.entries))
    before = read_chosen(chosen).part
    return AuditPanel(
        episode=moment.episode,
        at=moment.at,
        filter=filter_form(wanted),
        rows=rows,
        before=page.first if page.first > 1 else None,
        is_older=before is not None and before <= moment.state.seq,
        shown=_shown(rows, moment.state.seq, page, wanted),
        empty=None if rows else _empty(wanted, page),
    )


def _shown(rows: Sequence[AuditRow], seq: int, page: Page, wanted: Wanted) -> str:
    if not rows:
        return ""
    looked = f"{words.counted(len(rows), 'row')}, seq {figures.count(page.first)} and later"
    return f"{looked}, of {words.counted(seq, 'event')}" + ("" if wanted.is_everything else ", filtered")


def _empty(wanted: Wanted, page: Page) -> Empty:
    if wanted.is_everything:
        return Empty(title="Nothing here", text="These events changed nothing.")
    if page.first > 1:
        return Empty(
            title="None so far", text=f"Looked back to event {figures.count(page.first)}. Look further."
        )
    return Empty(title="None", text="No event is like that. Clear the filter to see all.")


def _row(entry: Entry) -> AuditRow:
    recorded = entry.recorded
    line = line_of(recorded)
    reason = line.reason
    if entry.redacted is not None:
        reason = f"Texts removed: {entry.redacted}"
    return AuditRow(
        seq=recorded.seq,
        seq_text=figures.count(recorded.seq),
        met=figures.met(recorded.met_s),
        actor=line.actor or words.who(recorded.actor),
        verdict=line.verdict,
        subject=line.subject,
        change=line.change,
        reason=reason,
    )
