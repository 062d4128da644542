"""The tab of annotations, in every state."""

from __future__ import annotations

from msgspec.structs import replace

from backend.web.pages.annotations import AnnotationForm, AnnotationRow, AnnotationsPanel, FormerVersion
from backend.web.pages.parts import Choice, Empty, FieldError, Link, Notice, plain, strong
from backend.web.pages.view import View

FORM = AnnotationForm(
    id="",
    version=0,
    seq="118",
    records=(Choice(value="", label="No record", chosen=True), Choice(value="can_07", label="can_07")),
    suggested=("stale-target", "empty-grasp"),
)
ROW = AnnotationRow(
    id="4f",
    version=2,
    moment=Link(label="00:12:08", href="/episodes/0417?tab=annotations&at=96"),
    until=Link(label="00:12:40", href="/episodes/0417?tab=annotations&at=104"),
    author="operator-1",
    initials="O1",
    when="2026-11-30 14:06 UTC",
    text=(plain("The gripper closed on nothing. "), strong("@kim"), plain(", see the wrist camera.")),
    entity="can_07",
    tags=(Link(label="empty-grasp", href="/search?q=tag:empty-grasp"),),
    edited="edited 2026-11-30 14:10 UTC",
    former=(FormerVersion(said="Version 1, operator-1 2026-11-30 14:06 UTC", text="It slipped."),),
    is_here=True,
    may_edit=True,
    may_remove=True,
)
PANEL = AnnotationsPanel(
    episode="0417",
    at=96,
    rows=(ROW, replace(ROW, id="50", until=None, entity="", tags=(), edited="", former=(), is_here=False)),
    gone=(FormerVersion(said="kim’s, removed by kim 2026-11-30 15:00 UTC", text="Nothing to see."),),
    form=FORM,
)
EDIT = replace(FORM, id="4f", version=2, text="It slipped.", until_seq="120", is_open=True)
LATE = Notice(icon="stale", title="kim changed it meanwhile.", text="Nothing was saved.", tone="caution")
WRONG = FieldError(field="text", message="There is nothing written.", remedy="Write what is to be kept.")

EXAMPLES: dict[str, View] = {
    "annotations": PANEL,
    "annotations/edited": replace(PANEL, form=None, rows=(replace(ROW, form=EDIT),), notice=LATE),
    "annotations/wrong": replace(PANEL, at=None, form=replace(FORM, is_open=True, errors=(WRONG,))),
    "annotations/none": AnnotationsPanel(
        episode="0417",
        at=None,
        why_not="A viewer reads annotations and writes none. Ask an operator.",
        empty=Empty(title="Nobody has written anything", text="What is written here changes no journal."),
    ),
}
