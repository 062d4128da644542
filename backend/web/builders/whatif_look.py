"""What a what-if would ask and cost, before anybody is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backend.domain.memory.retrieval import Retrieval
from backend.domain.query.query import Block
from backend.sandbox.change import Asked, in_words
from backend.sandbox.comparing import BlockChange, blocks, shown
from backend.sandbox.estimate import Estimate
from backend.sandbox.looking import Look
from backend.web.builders import words
from backend.web.builders.context import NAMES, size_of
from backend.web.builders.difference import first_word, line_edits, word_runs
from backend.web.builders.whatif_ranks import MOST_RANKED, rank_rows
from backend.web.builders.whatif_read import typed_of
from backend.web.pages import figures
from backend.web.pages.context import DiffLine
from backend.web.pages.documents import Fact
from backend.web.pages.parts import FieldError, Notice, Phrase, Span, code, plain, strong
from backend.web.pages.whatif import BlockRow, LookView, ShownView

UNPRICED = "No dated price is known for this model"


def look_view(
    look: Look,
    typed: Mapping[str, str],
    may_ask: bool,
    errors: tuple[FieldError, ...] = (),
    notice: Notice | None = None,
) -> LookView:
    """`errors`: of the form, so that there is nothing to show. `notice`: why it was not asked just now."""
    episode = look.state.episode
    if errors:
        return LookView(
            episode=episode,
            title="What it would be asked",
            notice=notice
            or Notice(
                icon="bad", title="A field cannot be read.", text="Correct it, then look again.", tone="alarm"
            ),
        )
    refusal = look.refusal
    if refusal is not None:
        told = Notice(
            icon="bad", title=refusal.message, text=f"{refusal.remedy} Nobody was asked.", tone="caution"
        )
        notice = notice or told
    can = may_ask and refusal is None
    if not may_ask and notice is None:
        notice = Notice(icon="person", title="A viewer reads what-ifs.", text="An operator can ask this one.")
    return LookView(
        episode=episode,
        title=f"{_count(look)}, {in_words(look.asked.change)}",
        facts=costs(look.estimate, look.planner) + _left(look),
        shown=None
        if look.composed is None
        else shown_view(
            look.usual.retrieval, look.usual.blocks, look.composed.retrieval, look.composed.blocks
        ),
        kept=(("at", str(look.asked.at)), *typed_of(typed).items()),
        digest=look.digest,
        may_ask=can,
        label=_label(look),
        notice=notice,
    )


def named(look: Look) -> str:
    """Which call is asked again, or at which moment one that nobody made."""
    call = look.calls[0]
    what = f"event {look.asked.at}" if look.asked.here else f"call {call.decision}"
    return f"{what}, {figures.met(call.met_s)}"


def costs(estimate: Estimate, planner: str) -> tuple[Fact, ...]:
    if not estimate.asks_model:
        text = f"{planner} computes, or has its answers on record. No model is asked."
        return (Fact(label="Cost", value="Nothing", meaning=text),)
    money = UNPRICED
    if estimate.money_usd is not None:
        money = f"≈ {figures.cost(estimate.money_usd)}, prices of {estimate.prices_as_of}"
    out = "a guess: no answer was counted here" if estimate.is_guess else "as long as the answers on record"
    return (
        Fact(
            label="Calls",
            value=f"≈ {figures.count(estimate.calls)}",
            meaning=f"To {planner}; once more each where a plan is sent back",
        ),
        Fact(
            label="Tokens",
            value=f"≈ {figures.count(estimate.tokens_in)} in, {figures.count(estimate.tokens_out)} out",
            meaning=f"Out is {out}",
        ),
        Fact(label="Money", value=money, meaning="Of the budget of what-ifs, not of the mission's"),
    )


def shown_view(
    before: Retrieval, blocks_before: Sequence[Block], after: Retrieval, blocks_after: Sequence[Block]
) -> ShownView:
    return ShownView(
        records=_records(before, after),
        ranks=rank_rows(before, after)[:MOST_RANKED],
        more=max(0, len(after.scored) - MOST_RANKED),
        blocks=tuple(_row(change) for change in blocks(blocks_before, blocks_after)),
        before=size_of(blocks_before),
        after=size_of(blocks_after),
    )


def _count(look: Look) -> str:
    first = f"event {look.asked.at}" if look.asked.here else f"call {look.calls[0].decision}"
    if len(look.calls) == 1:
        return first.capitalize()
    return f"{words.counted(len(look.calls), 'call')} from {first} on"


def _label(look: Look) -> str:
    asked: Asked = look.asked
    what = "Ask" if len(look.calls) == 1 else f"Ask {len(look.calls)} calls"
    return f"{what} and run on" if asked.run_on else what


def _left(look: Look) -> tuple[Fact, ...]:
    if not look.estimate.asks_model:
        return ()
    left, money = look.left, look.left.money_usd
    dollars = "" if money is None else f", {figures.cost(money)}"
    value = f"{figures.count(left.calls)} calls, {figures.count(left.tokens)} tokens{dollars}"
    return (Fact(label="Left today", value=value, meaning="Of what-ifs in any 24 hours"),)


def _records(before: Retrieval, after: Retrieval) -> Phrase:
    told = shown(before, after)
    if told.is_same:
        return (
            strong("The same records"),
            plain(f", {words.counted(len(after.exposed), 'record')} in the same order."),
        )
    parts: list[Span] = []
    for label, names in (("Enter: ", told.enters), ("Leave: ", told.leaves)):
        if names:
            parts += [strong(label), *_listed(names), plain(". ")]
    if told.moves:
        moved = ", ".join(f"{name} {old} → {new}" for name, old, new in told.moves[:6])
        more = f" and {len(told.moves) - 6} more" if len(told.moves) > 6 else ""
        parts += [strong("Other rank: "), plain(f"{moved}{more}.")]
    return tuple(parts)


def _listed(names: Sequence[str], most: int = 12) -> list[Span]:
    spans: list[Span] = []
    for index, name in enumerate(names[:most]):
        spans += [*([plain(", ")] if index else []), code(name)]
    return [*spans, plain(f" and {len(names) - most} more")] if len(names) > most else spans


def _row(change: BlockChange) -> BlockRow:
    old, new = change.before, change.after
    size = (0 if new is None else new.size) - (0 if old is None else old.size)
    return BlockRow(
        name=NAMES.get(change.name, change.name),
        before=figures.NONE if old is None else figures.count(old.size),
        after=figures.NONE if new is None else figures.count(new.size),
        change=figures.NONE if change.is_same else figures.change(size) if size else "same size",
        is_changed=not change.is_same,
        lines=() if change.is_same else tuple(_lines(old, new)),
    )


def _lines(old: Block | None, new: Block | None) -> list[DiffLine]:
    """What differs and nothing else."""
    before = [] if old is None else old.text.splitlines()
    after = [] if new is None else new.text.splitlines()
    lines: list[DiffLine] = []
    for kind, then, now in line_edits(before, after, first_word):
        if kind == "same":
            continue
        if now is None:
            lines.append(DiffLine(text=before[then or 0], kind="removed"))
        else:
            runs = word_runs(before[then], after[now]) if kind == "changed" and then is not None else ()
            lines.append(DiffLine(text=after[now], kind=kind, runs=runs))
    return lines
