"""The audit: every change and refusal, the newest first, in pages."""

from __future__ import annotations

from collections.abc import Sequence

from backend.usecases.reading import Entry
from backend.web.builders import words
from backend.web.builders.audit_lines import SILENT, line_of
from backend.web.builders.moment import Moment
from backend.web.pages import figures
from backend.web.pages.audit import AuditPanel, AuditRow
from backend.web.pages.parts import Empty

PAGE = 100
"""Events a page looks at; sequence numbers have no gaps, so that this many are `PAGE` back to back."""


def audit_panel(moment: Moment, entries: Sequence[Entry]) -> AuditPanel:
    """`entries`: a page of events in order, the last one at or before the cursor."""
    rows = tuple(_row(entry) for entry in reversed(entries) if entry.kind not in SILENT)
    first = entries[0].recorded.seq if entries else 1
    return AuditPanel(
        episode=moment.episode,
        at=moment.at,
        rows=rows,
        before=first if first > 1 else None,
        shown=f"{len(rows)} of {words.counted(moment.state.seq, 'event')}",
        empty=None if rows else Empty(title="Nothing here", text="These events changed nothing."),
    )


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
