"""One page that explains a failure, or anything else that happened, in order; and what came of it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from backend.domain.annotations.annotation import Annotation
from backend.domain.episode import events as e
from backend.domain.execution.outcome import Result
from backend.domain.hindsight.known import Hindsight
from backend.domain.hindsight.reliance import Misled, WrongSpan
from backend.domain.lineage.back import Lineage
from backend.domain.lineage.forward import Effect, Effects
from backend.domain.lineage.missed import Missed
from backend.domain.memory.evidence import Verdict
from backend.domain.plans.plan import describe
from backend.usecases.reading import Entry
from backend.web.builders.labels import label_form
from backend.web.builders.moment import Moment
from backend.web.builders.report_lines import failure_lines
from backend.web.builders.why_parts import Told, parts_of
from backend.web.builders.why_words import full, said_of, shown, verdict_of
from backend.web.pages import figures
from backend.web.pages.chrome import Chrome
from backend.web.pages.environment import url
from backend.web.pages.parts import Empty, Link, Tone
from backend.web.pages.why import EffectRow, MissedRow, WhyChoice, WhyPage

FAILURES = ("step.ended", "plan.refused", "stop.asked", "stop.unconfirmed", "dispatch.in_doubt")
MOST_CHOICES, MOST_MISSED, MOST_EFFECTS = 24, 12, 30


class Explained(Struct, frozen=True, kw_only=True):
    """`back` and `forward` from the event that is asked about."""

    back: Lineage
    forward: Effects
    missed: Sequence[Missed] = ()


def why_page(
    chrome: Chrome,
    moment: Moment,
    told: Told,
    misled: Misled,
    failures: Sequence[Entry],
    found: Explained | None,
    annotations: Sequence[Annotation] = (),
) -> WhyPage:
    """`failures`: entries of `FAILURES`, in order. `annotations`: people's, of the episode. `found` None:
    nothing has happened that could be told."""
    if found is None:
        return _page(chrome, moment, told.hindsight, failures, None, empty=_empty(moment))
    what, why, tone = _headline(found.back)
    spans = _spans(found.back, misled)
    effects = _effects(found)
    missed = [_missed(each, told) for each in found.missed]
    return _page(
        chrome,
        moment,
        told.hindsight,
        failures,
        found.back.subject.seq,
        headline=f"{what}. {why}".strip(),
        tone=tone,
        verdict=_verdict(found.back, spans),
        parts=parts_of(found.back, told),
        missed=tuple(missed[:MOST_MISSED]),
        missed_more=max(0, len(missed) - MOST_MISSED),
        missed_call=_call(found.back),
        label=label_form(moment, found.back, spans, annotations),
        effects=tuple(effects[:MOST_EFFECTS]),
        effects_more=max(0, len(effects) - MOST_EFFECTS),
    )


def _headline(back: Lineage) -> tuple[str, str, Tone]:
    """A step is named with what it was about, and by how it ended."""
    what, why, tone = said_of(back.ended or back.subject)
    sent, ended = (each.event if each is not None else None for each in (back.dispatch, back.ended))
    if isinstance(sent, e.StepDispatched) and isinstance(ended, e.StepEnded):
        what = f"{full(describe(sent.step))[:-1]} {ended.outcome.result.value.replace('_', ' ')}"
    return what, why, tone


def _page(
    chrome: Chrome,
    moment: Moment,
    hindsight: Hindsight,
    failures: Sequence[Entry],
    seq: int | None,
    **more: object,
) -> WhyPage:
    values: dict[str, object] = {
        "headline": "Nothing to explain yet", "tone": "quiet", "verdict": "", "parts": (), "missed": (),
        "missed_more": 0, "missed_call": "", "effects": (), "effects_more": 0,
    }  # fmt: skip
    source = "Known now from the simulator." if hindsight.has_truth else hindsight.why_no_truth
    return WhyPage(
        chrome=chrome,
        episode=moment.episode,
        mission=moment.state.mission.title,
        at=seq,
        source=source,
        choices=_choices(failures, seq),
        made=f"{chrome.utc_iso[:10]} {chrome.utc} UTC",
        **{**values, **more},  # type: ignore[arg-type]
    )


def _empty(moment: Moment) -> Empty:
    return Empty(
        title="No step has gone yet",
        text="As soon as one ends, this page tells why it was taken and what came of it.",
        way=Link(label="To the episode", href=url("episodes", moment.episode)),
    )


def _choices(failures: Sequence[Entry], seq: int | None) -> tuple[WhyChoice, ...]:
    lines = failure_lines(failures)[-MOST_CHOICES:]
    return tuple(
        WhyChoice(seq=line.seq, met=line.met, what=line.what, is_open=line.seq == seq) for line in lines
    )


def _spans(back: Lineage, misled: Misled) -> list[WrongSpan]:
    """What the step rested on and was wrong while it was to come or under way, once a record."""
    if back.plan is None or not isinstance(back.plan.event, e.PlanProposed):
        return []
    number = back.plan.event.plan.number
    grounds = {(each.dependency.entity, each.dependency.field) for each in back.grounds}
    end = back.ended or back.subject
    found: dict[str, WrongSpan] = {}
    for span in misled.spans:
        if span.plan == number and (span.entity, span.field) in grounds and span.from_s <= end.met_s:
            found[span.entity] = span
    return list(found.values())


def _verdict(back: Lineage, spans: list[WrongSpan]) -> str:
    ended = back.ended.event if back.ended is not None else None
    failed = isinstance(ended, e.StepEnded) and ended.outcome.result is not Result.SUCCEEDED
    return verdict_of(spans, bool(back.grounds), failed) if back.plan is not None else ""


def _call(back: Lineage) -> str:
    asked = back.request.event if back.request is not None else None
    return f"call {asked.decision}" if isinstance(asked, e.PlanRequested) else ""


def _missed(each: Missed, told: Told) -> MissedRow:
    scored, used = each.scored, each.used
    text = "No later plan was about it"
    if used is not None and isinstance(used.event, e.PlanProposed):
        text = f"Plan {used.event.plan.number}, at {figures.met(used.met_s)}"
    return MissedRow(
        entity=scored.entity,
        k=figures.count(scored.rank or 0),
        score=f"{scored.score:.3f}",
        short_by=f"{each.short_by:.3f}",
        used=text,
        used_seq=used.seq if used is not None else None,
    )


def _effects(found: Explained) -> list[EffectRow]:
    rows = [row for effect in found.forward.changes for row in _changed(effect, found.forward.subject)]
    rows += [_row(each) for each in found.forward.dropped]
    if not found.forward.changes and isinstance(found.forward.subject.event, e.EvidenceJudged):
        rows.append(_nothing(found.forward.subject))
    seen = {found.back.subject.seq, *(row.seq for row in rows)}
    rows += [_row(each) for each in found.back.after if each.seq not in seen]
    return sorted(rows, key=lambda row: row.seq)


def _changed(effect: Effect, subject: e.Recorded) -> list[EffectRow]:
    change = effect.change
    rows = [
        EffectRow(
            seq=subject.seq,
            met=figures.met(subject.met_s),
            what=f"{change.entity}: {shown(change.old)} → {shown(change.new)}",
            why=f"So until seq {figures.count(effect.until)}." if effect.until else "So still.",
        )
    ]
    for relied in effect.relied:
        what, why, tone = said_of(relied.plan)
        rows.append(_line(relied.plan, f"{what} rested on it", why, tone))
        for sent, ended in relied.steps:
            rows.append(_row(sent))
            rows += [_row(ended)] if ended is not None else []
    return rows


def _nothing(subject: e.Recorded) -> EffectRow:
    event = subject.event
    assert isinstance(event, e.EvidenceJudged)
    what = "nothing changed"
    if event.verdict is Verdict.MERGED:
        what = "no field changed; confidence, age and source were renewed"
    return _line(subject, f"{event.entity}: {what}", full(event.reason), "quiet")


def _row(recorded: e.Recorded) -> EffectRow:
    return _line(recorded, *said_of(recorded))


def _line(recorded: e.Recorded, what: str, why: str, tone: Tone) -> EffectRow:
    return EffectRow(seq=recorded.seq, met=figures.met(recorded.met_s), what=what, why=why, tone=tone)
