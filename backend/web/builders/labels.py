"""The label of a failure: which cause is suggested, which people gave, and the form that gives one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backend.domain.annotations.annotation import Annotation
from backend.domain.command.intents import COMMANDING
from backend.domain.hindsight.labels import CAUSES, LABELS, OUTCOMES, suggested
from backend.domain.hindsight.reliance import WrongSpan
from backend.domain.lineage.back import Lineage
from backend.web.builders.moment import Moment
from backend.web.builders.why_words import said_of
from backend.web.pages.parts import Choice
from backend.web.pages.why import LabelForm


def label_form(
    moment: Moment, back: Lineage, spans: Sequence[WrongSpan], annotations: Sequence[Annotation]
) -> LabelForm:
    """`annotations` of the episode."""
    subject = back.ended or back.subject
    cause = suggested(subject.event, spans)
    what, why, _ = said_of(subject)
    return LabelForm(
        seq=subject.seq,
        text=f"{what}. {why}".strip(),
        causes=_choices(CAUSES, cause),
        outcomes=_choices(OUTCOMES, ""),
        suggested=CAUSES.get(cause, ""),
        given=tuple(
            f"{LABELS[tag]}, by {each.editor}"
            for each in annotations
            if each.seq <= subject.seq <= each.last_seq
            for tag in each.tags
            if tag in LABELS
        ),
        may_label=moment.viewer.role in COMMANDING and is_stored(moment),
    )


def is_stored(moment: Moment) -> bool:
    """Whether anything can be kept beside the episode: one that is only played again stands nowhere."""
    return moment.evaluated is None or not moment.evaluated.rebuilt_by


def _choices(labels: Mapping[str, str], chosen: str) -> tuple[Choice, ...]:
    return tuple(Choice(value=tag, label=words, chosen=tag == chosen) for tag, words in labels.items())
