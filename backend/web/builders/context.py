"""The query as it was sent, block by block, what differs from the call before, and where lines came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from backend.domain.digests import digest
from backend.domain.episode import events as e
from backend.domain.execution.frames import Frame, WatchedFrames
from backend.domain.plans.plan import PICTURE_PX
from backend.domain.query.query import Block
from backend.web.builders import words
from backend.web.builders.calls import Call
from backend.web.builders.chosen import Chosen, read_chosen
from backend.web.builders.difference import first_word, line_edits, word_runs
from backend.web.builders.moment import Moment
from backend.web.builders.sources import Origins, action_of, block_sources, line_sources
from backend.web.pages import figures
from backend.web.pages.context import BlockImage, BlockReading, BlockView, ContextPanel, DiffLine, OpenBlock
from backend.web.pages.environment import url
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
    "instructions": "Standing instructions",
    "guidance": "Operator guidance",
    "findings": "Findings to repair",
}


class _Reading(Struct, frozen=True, kw_only=True):
    """The call that is read, against the one before it."""

    sent: e.PlanRequested
    before: e.PlanRequested | None
    earlier: Mapping[str, Block]
    origins: Origins | None
    chosen: Chosen

    @property
    def total(self) -> int:
        return sum(block.size for block in self.sent.blocks)

    @property
    def change(self) -> int:
        return self.total - sum(block.size for block in self.earlier.values())

    def is_changed(self, block: Block) -> bool:
        old = self.earlier.get(block.name)
        return self.before is not None and (old is None or old.digest != block.digest)


def context_panel(
    moment: Moment, call: Call | None, films: Mapping[int, WatchedFrames], chosen: str
) -> ContextPanel:
    """`chosen`: "4:sent", block and view of the newest call; "118.4:sent" of that call."""
    sent = call.sent if call is not None else None
    if call is None or sent is None or not sent.blocks:
        decision = sent.decision if sent is not None else None
        empty = _empty(sent is not None)
        return ContextPanel(episode=moment.episode, at=moment.at, decision=decision, empty=empty)
    before = call.before
    reading = _Reading(
        sent=sent,
        before=before,
        earlier={block.name: block for block in before.blocks} if before is not None else {},
        origins=Origins(state=call.state, at=moment.at, films=films) if call.state is not None else None,
        chosen=read_chosen(chosen),
    )
    opened = _opened(reading)
    return ContextPanel(
        episode=moment.episode,
        at=moment.at,
        decision=sent.decision,
        summary=_summary(reading),
        blocks=_blocks(reading, opened),
        total=size_of(sent.blocks),
        change=figures.change(reading.change) if before is not None else figures.NONE,
        digest=figures.digest(digest([block.digest for block in sent.blocks])),
        gone=_gone(reading),
        open=opened,
        earlier=f"{call.earlier}." if call.earlier is not None else "",
        later=f"{call.later}." if call.later is not None else "",
        newest=str(opened.number) if call.later is not None else "",
        asked_at=call.request.recorded.seq,
    )


def size_of(blocks: Sequence[Block]) -> str:
    """Tokens of a query. No provider counts by block, so that it is an estimate and says so."""
    return f"≈ {figures.count(sum(block.size for block in blocks))}"


def _summary(reading: _Reading) -> Phrase:
    sent, before = reading.sent, reading.before
    said: Phrase = (plain("About "), strong_figure(figures.count(reading.total)), plain(" tokens in call "))
    said = (*said, strong_figure(str(sent.decision)))
    if sent.attempt > 1:
        said = (*said, plain(", to repair"))
    if before is None:
        return (*said, plain("."))
    since = f"{before.decision}" if before.attempt == 1 else f"{before.decision}, to repair"
    return (*said, plain(", "), strong_figure(figures.change(reading.change)), plain(f" since call {since}."))


def _gone(reading: _Reading) -> str:
    here = {block.name for block in reading.sent.blocks}
    gone = [NAMES.get(name, name) for name in reading.earlier if name not in here]
    return f"No longer sent: {', '.join(gone)}." if gone else ""


def _blocks(reading: _Reading, opened: OpenBlock) -> tuple[BlockView, ...]:
    blocks, total = reading.sent.blocks, reading.total
    largest = max((block.size for block in blocks), default=1) or 1
    views, start = [], 0
    for number, block in enumerate(blocks, start=1):
        old = reading.earlier.get(block.name)
        change = block.size - (old.size if old is not None else 0)
        share = block.size / total if total else 0.0
        is_changed = reading.is_changed(block)
        views.append(
            BlockView(
                number=number,
                name=NAMES.get(block.name, block.name),
                size=figures.count(block.size),
                share_text=figures.percent(share, 1),
                start=start / total if total else 0.0,
                share=share,
                meter=block.size / largest,
                change=_change(reading, is_changed, change),
                is_changed=is_changed,
                digest=figures.digest(block.digest),
                chosen=reading.chosen.text(number, opened.view),
                is_open=opened.number == number,
            )
        )
        start += block.size
    return tuple(views)


def _change(reading: _Reading, is_changed: bool, change: int) -> str:
    if reading.before is None:
        return figures.NONE
    return figures.change(change) if not is_changed or change else "same size"


def _opened(reading: _Reading) -> OpenBlock:
    """The block asked for, else the first one that changed, else the records."""
    index = _index(reading)
    block = reading.sent.blocks[index]
    old = reading.earlier.get(block.name)
    as_sent = reading.chosen.view == "sent" or old is None
    lines = _sent(block, reading.origins) if old is None or as_sent else _difference(old, block, reading)
    number = index + 1
    readings = tuple(
        BlockReading(
            name=name,
            label=label,
            chosen=reading.chosen.text(number, name),
            is_open=as_sent is (name == "sent"),
        )
        for name, label in _READINGS
        if old is not None or name == "sent"
    )
    return OpenBlock(
        number=number,
        name=NAMES.get(block.name, block.name),
        summary=_told(block, lines, as_sent),
        view="sent" if as_sent else "difference",
        lines=lines,
        images=tuple(_image(image, reading.origins) for image in block.images),
        readings=readings,
        sources=block_sources(block, reading.origins) if reading.origins is not None else (),
    )


_READINGS: tuple[tuple[Literal["difference", "sent"], str], ...] = (
    ("difference", "Difference"),
    ("sent", "As sent"),
)


def _index(reading: _Reading) -> int:
    blocks, part = reading.sent.blocks, reading.chosen.part
    if part is not None and 0 < part <= len(blocks):
        return part - 1
    changed = [index for index, block in enumerate(blocks) if reading.is_changed(block)]
    named = [index for index, block in enumerate(blocks) if block.name == "records"]
    return next(iter([index for index in changed if index in named] or named or changed), 0)


def _sent(block: Block, origins: Origins | None) -> tuple[DiffLine, ...]:
    lines = block.text.splitlines()
    sources = line_sources(block, origins) if origins is not None else [()] * len(lines)
    return tuple(DiffLine(text=line, sources=of) for line, of in zip(lines, sources, strict=True))


def _difference(old: Block, block: Block, reading: _Reading) -> tuple[DiffLine, ...]:
    before, after = old.text.splitlines(), block.text.splitlines()
    origins = reading.origins
    sources = line_sources(block, origins) if origins is not None else [()] * len(after)
    lines = []
    for kind, then, now in line_edits(before, after, first_word):
        if now is None:
            lines.append(DiffLine(text=before[then or 0], kind="removed"))
            continue
        runs = word_runs(before[then], after[now]) if kind == "changed" and then is not None else ()
        lines.append(DiffLine(text=after[now], kind=kind, runs=runs, sources=sources[now]))
    return tuple(lines)


def _image(image: Frame, origins: Origins | None) -> BlockImage:
    action = action_of(image.sha256, origins.films) if origins is not None else None
    href = ""
    if origins is not None and action is not None:
        href = url("episodes", origins.state.episode, tab="frames", at=origins.at, chosen=str(action))
    return BlockImage(
        sha256=image.sha256,
        alt=f"{image.camera or 'Camera'}, step {image.step}",
        size=sizes_of(image),
        href=href,
    )


def sizes_of(image: Frame) -> str:
    """As recorded, and as sent, where that is another size: a model is shown PICTURE_PX along the longer
    side."""
    longer_px = max(image.width_px, image.height_px)
    recorded = f"{image.width_px} × {image.height_px} px"
    if longer_px == PICTURE_PX:
        return recorded
    sent = " × ".join(
        str(max(1, round(side * PICTURE_PX / longer_px))) for side in (image.width_px, image.height_px)
    )
    return f"{recorded}, sent as {sent} px"


def _told(block: Block, lines: Sequence[DiffLine], as_sent: bool) -> str:
    if as_sent:
        images = f", {words.counted(len(block.images), 'image')}" if block.images else ""
        return f"{words.counted(len(lines), 'line')}{images}, exactly as sent"
    counts = {
        name: sum(line.kind == name for line in lines) for name in ("added", "removed", "changed", "same")
    }
    if counts["same"] == len(lines):
        return f"{words.counted(len(lines), 'line')}, unchanged"
    said = [f"{counts['changed']} changed"] if counts["changed"] else []
    said += [f"{counts['added']} in"] if counts["added"] else []
    said += [f"{counts['removed']} out"] if counts["removed"] else []
    return ", ".join([*said, f"{counts['same']} same"])


def _empty(asked: bool) -> Empty:
    if asked:
        return Empty(title="No text was sent", text="This planner reads values, not text.")
    return Empty(title="Nothing was sent yet", text="The planner has not been asked.")
