"""The query as it was sent, block by block, and what differs from the call before."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from backend.domain.digests import digest
from backend.domain.episode import events as e
from backend.domain.query.query import Block
from backend.usecases.reading import Entry
from backend.web.builders import words
from backend.web.builders.moment import Moment
from backend.web.pages import figures
from backend.web.pages.context import BlockImage, BlockView, ContextPanel, DiffLine, OpenBlock
from backend.web.pages.parts import Empty, Phrase, plain, strong_figure

NAMES = {
    "goal": "Goal and completion",
    "robot": "Robot and last outcome",
    "rules": "Rules, stations, skills",
    "records": "Retrieved records",
    "terminal": "Terminal summary",
    "log": "Execution log",
    "notes": "Notes",
    "frames": "Frames returned",
    "guidance": "Operator guidance",
    "findings": "Findings to repair",
}


def context_panel(moment: Moment, requests: Sequence[Entry], chosen: str) -> ContextPanel:
    """`requests`: the newest two `plan.requested` up to the cursor, in order. `chosen`: "4:sent", block and
    view."""
    asked = [entry.recorded.event for entry in requests if isinstance(entry.recorded.event, e.PlanRequested)]
    if not asked or not asked[-1].blocks:
        return ContextPanel(
            episode=moment.episode,
            at=moment.at,
            decision=asked[-1].decision if asked else None,
            empty=_empty(bool(asked)),
        )
    sent, before = asked[-1], asked[-2] if len(asked) > 1 else None
    earlier = {block.name: block for block in before.blocks} if before is not None else {}
    total = sum(block.size for block in sent.blocks)
    change = total - sum(block.size for block in earlier.values())
    return ContextPanel(
        episode=moment.episode,
        at=moment.at,
        decision=sent.decision,
        summary=_summary(sent, before, total, change),
        blocks=_blocks(sent.blocks, earlier, total),
        total=size_of(sent.blocks),
        change=figures.change(change) if before is not None else figures.NONE,
        digest=figures.digest(digest([block.digest for block in sent.blocks])),
        open=_open(sent.blocks, earlier, chosen),
    )


def size_of(blocks: Sequence[Block]) -> str:
    """Tokens of a query. No provider counts by block, so that it is an estimate and says so."""
    return f"≈ {figures.count(sum(block.size for block in blocks))}"


def _summary(sent: e.PlanRequested, before: e.PlanRequested | None, total: int, change: int) -> Phrase:
    said: Phrase = (plain("About "), strong_figure(figures.count(total)), plain(" tokens in call "))
    said = (*said, strong_figure(str(sent.decision)))
    if sent.attempt > 1:
        said = (*said, plain(", to repair"))
    if before is None:
        return (*said, plain("."))
    since = f"{before.decision}" if before.attempt == 1 else f"{before.decision}, to repair"
    return (*said, plain(", "), strong_figure(figures.change(change)), plain(f" since call {since}."))


def _blocks(blocks: Sequence[Block], earlier: dict[str, Block], total: int) -> tuple[BlockView, ...]:
    largest = max((block.size for block in blocks), default=1) or 1
    views, start = [], 0
    for number, block in enumerate(blocks, start=1):
        old = earlier.get(block.name)
        change = block.size - (old.size if old is not None else 0)
        share = block.size / total if total else 0.0
        is_changed = bool(earlier) and (old is None or old.digest != block.digest)
        views.append(
            BlockView(
                number=number,
                name=NAMES.get(block.name, block.name),
                size=figures.count(block.size),
                share_text=figures.percent(share, 1),
                start=start / total if total else 0.0,
                share=share,
                meter=block.size / largest,
                change=figures.change(change) if not is_changed or change else "same size",
                is_changed=is_changed,
                digest=figures.digest(block.digest),
            )
        )
        start += block.size
    return tuple(views)


def _open(blocks: Sequence[Block], earlier: dict[str, Block], chosen: str) -> OpenBlock:
    """The block asked for, else the first one that changed, else the records."""
    number, _, view = chosen.partition(":")
    changed = [i for i, block in enumerate(blocks) if _digest(earlier.get(block.name)) != block.digest]
    named = [i for i, block in enumerate(blocks) if block.name == "records"]
    index = int(number) - 1 if number.isdecimal() and 0 < int(number) <= len(blocks) else -1
    if index < 0:
        index = next(iter([i for i in changed if i in named] or named or changed), 0)
    block = blocks[index]
    as_sent = view == "sent" or block.name not in earlier
    lines = _sent(block.text) if as_sent else _difference(earlier[block.name].text, block.text)
    return OpenBlock(
        number=index + 1,
        name=NAMES.get(block.name, block.name),
        summary=_told(block, lines, as_sent),
        view="sent" if as_sent else "difference",
        lines=lines,
        images=tuple(
            BlockImage(sha256=image.sha256, alt=f"{image.camera or 'Camera'}, step {image.step}")
            for image in block.images
        ),
    )


def _digest(block: Block | None) -> str:
    return block.digest if block is not None else ""


def _sent(text: str) -> tuple[DiffLine, ...]:
    return tuple(DiffLine(text=line) for line in text.splitlines())


def _difference(old: str, new: str) -> tuple[DiffLine, ...]:
    before, after = old.splitlines(), new.splitlines()
    lines: list[DiffLine] = []
    for tag, i, j, k, m in SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
        if tag == "equal":
            lines.extend(DiffLine(text=line) for line in after[k:m])
            continue
        lines.extend(DiffLine(text=line, kind="removed") for line in before[i:j])
        lines.extend(DiffLine(text=line, kind="added") for line in after[k:m])
    return tuple(lines)


def _told(block: Block, lines: Sequence[DiffLine], as_sent: bool) -> str:
    if as_sent:
        images = f", {words.counted(len(block.images), 'image')}" if block.images else ""
        return f"{words.counted(len(lines), 'line')}{images}, exactly as sent"
    kinds = [line.kind for line in lines]
    if "added" not in kinds and "removed" not in kinds:
        return f"{words.counted(len(lines), 'line')}, unchanged"
    added, removed, same = (kinds.count(kind) for kind in ("added", "removed", "same"))
    return f"{words.counted(added, 'line')} in, {removed} out, {same} unchanged"


def _empty(asked: bool) -> Empty:
    if asked:
        return Empty(title="No text was sent", text="This planner reads values, not text.")
    return Empty(title="Nothing was sent yet", text="The planner has not been asked.")
