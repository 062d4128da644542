"""A what-if that was asked, beside what was recorded: agreement, each call, and how it went on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from backend.domain.query.query import Attempt, AttemptMeta
from backend.sandbox.asking import Answer, Composed
from backend.sandbox.calls import Call
from backend.sandbox.change import in_words
from backend.sandbox.comparing import Agreement, agreement, compared
from backend.sandbox.results import Experiment
from backend.sandbox.running import Course, Deed, parting
from backend.web.builders import words
from backend.web.builders.differences import difference_marks
from backend.web.builders.exchange_panes import plan_reading
from backend.web.builders.whatif_look import costs, shown_view
from backend.web.pages import figures
from backend.web.pages.documents import Fact
from backend.web.pages.parts import Icon, Mark, Notice, Phrase, Tone, plain, strong
from backend.web.pages.whatif import CourseRow, CourseView, MomentView, ResultLine, ResultView, Side

Recorded = Sequence[tuple[Call, Composed | None]]

KINDS: dict[str, tuple[Icon, str]] = {
    "same": ("ok", "The same plan"),
    "begins_alike": ("replan", "Begins alike, then goes otherwise"),
    "other": ("replan", "Another plan"),
    "verdict": ("warn", "One may run, the other not"),
    "unanswered": ("idle", "No answer to compare"),
}
LOST = "Nothing was heard of it for a while: the process that asked it has ended. What it spent is counted."


def result_view(experiment: Experiment, calls: Recorded, now_s: float) -> ResultView:
    is_silent = experiment.is_silent(now_s)
    found = experiment.found
    by_seq = {call.seq: (call, made) for call, made in calls}
    pairs = [
        (*by_seq[answer.seq], answer)
        for answer in (found.answers if found is not None else ())
        if answer.seq in by_seq
    ]
    told = agreement((call, answer) for call, _, answer in pairs)
    notice = None
    if found is not None and found.note:
        notice = Notice(icon="warn", title="To know", text=found.note)
    return ResultView(
        episode=experiment.episode,
        number=experiment.id,
        is_running=experiment.stage == "running" and not is_silent,
        state=_state(experiment, is_silent),
        facts=_facts(experiment),
        agreement=_agreement(told) if len(pairs) > 1 else (),
        moments=tuple(
            _moment(call, made, answer, is_open=not index, here=experiment.asked.here and not index)
            for index, (call, made, answer) in enumerate(pairs)
        ),
        course=_course(found.recorded, found.unchanged, found.ran) if found is not None else None,
        notice=notice,
    )


def result_lines(
    experiments: Sequence[Experiment], now_s: float, current: int | None = None
) -> tuple[ResultLine, ...]:
    return tuple(
        ResultLine(
            number=each.id,
            call=f"event {each.asked.at}"
            + (", as things stood" if each.asked.here else "")
            + (f", {words.counted(each.asked.calls, 'call')}" if each.asked.calls > 1 else "")
            + (", run on" if each.asked.run_on else ""),
            change=in_words(each.asked.change),
            told=each.told,
            by=each.by,
            when=_when(each.started_s),
            state={"running": "Lost" if each.is_silent(now_s) else "Under way", "failed": "Failed"}.get(
                each.stage, ""
            ),
            is_current=each.id == current,
        )
        for each in experiments
    )


def _state(experiment: Experiment, is_silent: bool) -> Mark:
    if is_silent:
        return Mark(icon="lost", text=(strong("Lost. "), plain(LOST)), tone="caution")
    if experiment.stage == "running":
        told = experiment.told or "beginning"
        return Mark(
            icon="queue", text=(strong("Under way: "), plain(f"{told}. Nothing moves.")), tone="pending"
        )
    if experiment.stage == "failed":
        return Mark(icon="bad", text=(strong("Came to nothing. "), plain(experiment.told)), tone="alarm")
    return Mark(icon="done", text=(strong(words.sentence(experiment.told)),))


def _facts(experiment: Experiment) -> tuple[Fact, ...]:
    spent = experiment.spent
    facts = [
        Fact(label="Changed", value=in_words(experiment.asked.change)),
        Fact(label="Asked", value=f"{experiment.by}, {_when(experiment.started_s)}"),
    ]
    if experiment.estimate.asks_model:
        value = f"{words.counted(spent.calls, 'call')}, {figures.count(spent.tokens)} tokens"
        if spent.money_usd:
            value += f", {figures.cost(spent.money_usd)}"
        estimate = "; ".join(
            f"{each.label.lower()} {each.value}" for each in costs(experiment.estimate, "it")
        )
        facts.append(Fact(label="Spent", value=value, meaning=f"Estimated: {estimate}"))
    return tuple(facts)


def _agreement(told: Agreement) -> Phrase:
    share = told.share
    if share is None:
        return (strong("No call had an answer to compare."),)
    others = ", ".join(
        f"{count} {KINDS[kind][1].lower()}" for kind, count in told.kinds.items() if kind != "same"
    )
    return (
        strong(f"{told.same} of {told.asked} plans the same, {figures.percent(share)}"),
        plain(f"; {others}." if others else "."),
    )


def _moment(call: Call, made: Composed | None, answer: Answer, *, is_open: bool, here: bool) -> MomentView:
    kind = compared(call, answer)
    icon, told = KINDS[kind]
    tone: Tone = "caution" if kind == "verdict" else "quiet"
    blocks = call.blocks if made is None else made.blocks
    at = call.seq - 1 if here else call.seq
    return MomentView(
        title=f"{f'Event {at}' if here else f'Call {call.decision}'}, {figures.met(call.met_s)}",
        seq=at,
        kind=Mark(icon=icon, text=(strong(told),), tone=tone),
        before=_side("What was left of the plan" if here else "Recorded", call),
        after=_side("Asked again", answer),
        differences=difference_marks(call.steps or (), answer.steps or ()),
        shown=shown_view(call.retrieval, blocks, answer.retrieval, answer.blocks),
        is_open=is_open,
    )


def _side(title: str, of: Call | Answer) -> Side:
    if of.is_valid:
        verdict = Mark(icon="ok", text=(plain("Valid: it could run"),))
    elif of.findings:
        found = words.counted(len(of.findings), "finding")
        verdict = Mark(icon="warn", text=(plain(f"Refused, {found}"),), tone="caution")
    elif of.failure:
        verdict = Mark(icon="bad", text=(plain(of.failure),), tone="alarm")
    else:
        verdict = Mark(icon="idle", text=(plain("Not answered"),))
    return Side(
        title=title,
        verdict=verdict,
        plan=None if of.steps is None else plan_reading(of.steps, of.rationale, of.findings),
        spent=_spent(of.attempts, of.metas if isinstance(of, Answer) else ()),
    )


def _spent(attempts: Sequence[Attempt], metas: Sequence[AttemptMeta]) -> str:
    if not attempts:
        return ""
    tokens = sum(each.usage.total_tokens or 0 for each in attempts)
    parts = [attempts[-1].model, words.counted(len(attempts), "request")]
    parts += [f"{figures.count(tokens)} tokens"] if tokens else []
    if metas:
        parts.append(f"{sum(each.latency_s for each in metas):.1f} s")
    money = [each.cost_usd for each in attempts if each.cost_usd is not None]
    parts += [figures.cost(sum(money))] if money else []
    return ", ".join(part for part in parts if part)


ROWS: tuple[tuple[str, Callable[[Course], str]], ...] = (
    ("Outcome", lambda course: course.outcome),
    ("Delivered", lambda course: f"{course.delivered} of {course.total}"),
    ("Mission time", lambda course: figures.met(course.met_s)),
    ("Calls", lambda course: figures.count(course.decisions)),
    ("Replans", lambda course: figures.count(course.replans)),
    ("Stale visits", lambda course: figures.count(course.stale_visits)),
    ("Plans refused", lambda course: figures.count(course.refusals)),
    ("Way", lambda course: f"{course.path_m:.1f} m"),
    ("Context units", lambda course: figures.count(course.context_units)),
)


def _course(recorded: Course | None, unchanged: Course | None, ran: Course | None) -> CourseView | None:
    if recorded is None or ran is None:
        return None
    courses = [recorded, *([unchanged] if unchanged is not None else []), ran]
    columns = (
        "Recorded",
        *(("Run on, nothing changed",) if unchanged is not None else ()),
        "Run on, changed",
    )
    return CourseView(
        columns=columns,
        rows=tuple(
            CourseRow(
                label=label,
                values=tuple(of(course) for course in courses),
                differs=of(courses[-2]) != of(courses[-1]),
            )
            for label, of in ROWS
        ),
        parting=_parting(courses[-2], ran, "unchanged" if unchanged is not None else "recorded"),
    )


def _parting(before: Course, after: Course, name: str) -> Phrase:
    part = parting(before, after)
    if part is None:
        return (strong("The same deeds to the end."),)
    return (
        strong(f"They part at deed {part.index + 1}. "),
        plain(f"{name.capitalize()}: {_deed(part.before)}. Changed: {_deed(part.after)}."),
    )


def _deed(deed: Deed | None) -> str:
    return "it had ended" if deed is None else f"{deed.command}, {deed.result} at {figures.met(deed.met_s)}"


def _when(epoch_s: float) -> str:
    return datetime.fromtimestamp(epoch_s, UTC).strftime("%Y-%m-%d %H:%M UTC")
