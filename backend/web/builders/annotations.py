"""Annotations as the console shows them: the tab's list with its form, and marks on the timeline.

They are the one thing on the page that is of now whatever the cursor: people write them afterwards.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from backend.domain.annotations.annotation import Annotation, refuse_annotating, refuse_change, refuse_removal
from backend.domain.annotations.words import SUGGESTED, parts_of
from backend.web.builders.moment import Moment
from backend.web.builders.words import initials
from backend.web.pages import figures
from backend.web.pages.annotations import AnnotationForm, AnnotationRow, AnnotationsPanel, FormerVersion
from backend.web.pages.environment import url
from backend.web.pages.parts import Choice, Empty, FieldError, Link, Notice, plain, strong
from backend.web.pages.timeline import AnnotatedSpan, Tick, TimelineData, TimelineMark

LABEL = 80
FIELDS = ("text", "tags", "entity", "seq", "until_seq")
NOT_KEPT = "This episode is played again from its row, so that nothing can be written beside it."


class Annotated(Struct, frozen=True, kw_only=True):
    """`found`: as they are now. The rest is for the tab alone: `versions` by annotation, the newest first;
    `accounts` that may be mentioned; `ticks` of the timeline; `typed`: a form that was refused.
    """

    found: Sequence[Annotation] = ()
    versions: Mapping[str, Sequence[Annotation]] = {}
    accounts: Collection[str] = ()
    ticks: Sequence[Tick] = ()
    typed: Mapping[str, str] | None = None
    errors: tuple[FieldError, ...] = ()
    notice: Notice | None = None


def annotations_panel(moment: Moment, annotated: Annotated, chosen: str) -> AnnotationsPanel:
    """`chosen`: the annotation that is edited, if any."""
    refusal = refuse_annotating(moment.viewer.role)
    why_not = f"{refusal.message} {refusal.remedy}" if refusal is not None else ""
    if moment.evaluated is not None and moment.evaluated.rebuilt_by:
        why_not = NOT_KEPT
    rows = tuple(_row(moment, annotated, each, chosen, bool(why_not)) for each in annotated.found)
    is_editing = any(row.form is not None for row in rows)
    return AnnotationsPanel(
        episode=moment.episode,
        at=moment.at,
        rows=rows,
        gone=_gone(annotated),
        form=None if why_not or is_editing else _new_form(moment, annotated),
        why_not=why_not,
        notice=annotated.notice,
        empty=None
        if rows
        else Empty(title="Nobody has written anything", text="What is written here changes no journal."),
    )


def with_annotations(data: TimelineData, found: Sequence[Annotation]) -> TimelineData:
    """The timeline with a mark for each, and a line below for those that last."""
    if not found:
        return data
    marks = [
        TimelineMark(seq=each.seq, met_s=met_of(data.ticks, each.seq), kind="annotation", label=_label(each))
        for each in found
    ]
    spans = tuple(
        AnnotatedSpan(
            start_s=met_of(data.ticks, each.seq), end_s=met_of(data.ticks, each.last_seq), label=_label(each)
        )
        for each in found
        if each.until_seq is not None
    )
    ordered = sorted([*data.marks, *marks], key=lambda mark: mark.seq)
    return replace(data, marks=tuple(ordered), spans=spans)


def met_of(ticks: Sequence[Tick], seq: int) -> float:
    """When an event was, in mission time, as finely as the ticks tell."""
    place = bisect_left(ticks, seq, key=lambda tick: tick.seq)
    return ticks[min(place, len(ticks) - 1)].met_s if ticks else 0.0


def _label(annotation: Annotation) -> str:
    text = " ".join(annotation.text.split())
    return f"{annotation.author}: {text if len(text) <= LABEL else text[: LABEL - 1] + '…'}"


def _row(
    moment: Moment, annotated: Annotated, annotation: Annotation, chosen: str, is_closed: bool
) -> AnnotationRow:
    viewer = moment.viewer
    former = annotated.versions.get(annotation.id, ())[1:]
    may_edit, may_remove = (
        not is_closed and refuse(annotation, viewer.name, viewer.role, annotation.version) is None
        for refuse in (refuse_change, refuse_removal)
    )
    return AnnotationRow(
        id=annotation.id,
        version=annotation.version,
        moment=_place(moment, annotated, annotation.seq),
        until=_place(moment, annotated, annotation.last_seq) if annotation.until_seq is not None else None,
        author=annotation.author,
        initials=initials(annotation.author),
        when=_when(annotation.created_utc),
        text=tuple(
            strong(part) if is_name else plain(part)
            for part, is_name in parts_of(annotation.text, annotated.accounts)
        ),
        entity=annotation.entity,
        tags=tuple(Link(label=tag, href=url("search", q=f"tag:{tag}")) for tag in annotation.tags),
        edited=f"edited {_when(annotation.utc, annotation.created_utc)}" if former else "",
        former=tuple(_former(each) for each in former),
        is_here=annotation.seq <= moment.state.seq <= annotation.last_seq,
        may_edit=may_edit,
        may_remove=may_remove,
        form=_edit_form(moment, annotated, annotation) if may_edit and chosen == annotation.id else None,
    )


def _place(moment: Moment, annotated: Annotated, seq: int) -> Link:
    met = figures.met(met_of(annotated.ticks, seq))
    return Link(label=met, href=url("episodes", moment.episode, tab="annotations", at=seq))


def _former(annotation: Annotation) -> FormerVersion:
    said = f"Version {annotation.version}, {annotation.editor} {_when(annotation.utc)}"
    return FormerVersion(said=said, text=annotation.text)


def _gone(annotated: Annotated) -> tuple[FormerVersion, ...]:
    newest = [versions[0] for versions in annotated.versions.values() if versions]
    return tuple(
        FormerVersion(said=f"{each.author}’s, removed by {each.editor} {_when(each.utc)}", text=each.text)
        for each in newest
        if each.is_removed
    )


def _new_form(moment: Moment, annotated: Annotated) -> AnnotationForm:
    typed = annotated.typed or {}
    form = AnnotationForm(
        id="",
        version=0,
        seq=str(moment.state.seq),
        records=_records(moment, typed.get("entity", "")),
        suggested=SUGGESTED,
        is_open=annotated.typed is not None,
    )
    return _typed(form, annotated)


def _edit_form(moment: Moment, annotated: Annotated, annotation: Annotation) -> AnnotationForm:
    form = AnnotationForm(
        id=annotation.id,
        version=annotation.version,
        seq=str(annotation.seq),
        until_seq="" if annotation.until_seq is None else str(annotation.until_seq),
        text=annotation.text,
        tags=" ".join(annotation.tags),
        records=_records(moment, (annotated.typed or {}).get("entity", annotation.entity)),
        suggested=SUGGESTED,
        is_open=True,
    )
    return _typed(form, annotated)


def _typed(form: AnnotationForm, annotated: Annotated) -> AnnotationForm:
    typed = annotated.typed
    if typed is None:
        return form
    kept = {name: typed[name] for name in FIELDS if name in typed and name != "entity"}
    return replace(form, **kept, errors=annotated.errors)


def _records(moment: Moment, chosen: str) -> tuple[Choice, ...]:
    """None, or one that is known at the cursor; what is chosen already stays."""
    names = list(moment.state.memory.records)
    if chosen and chosen not in names:
        names.append(chosen)
    return (
        Choice(value="", label="No record", chosen=not chosen),
        *(Choice(value=name, label=name, chosen=name == chosen) for name in names),
    )


def _when(utc: str, after: str = "") -> str:
    """2026-11-30 14:06 UTC, or the time alone where the day is that of `after`."""
    if after[:10] == utc[:10]:
        return utc[11:16]
    return f"{utc[:10]} {utc[11:16]} UTC"
