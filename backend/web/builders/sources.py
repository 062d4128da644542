"""Where each line of a block came from: the record, note, action or event it tells of, as links.

The blocks are text, and stand in the journal as they were sent; what a line is about is read from its first
words and looked up in the state that the call was made from. A line that names nothing known gets no link.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import quote

from msgspec import Struct

from backend.domain.episode.state import State
from backend.domain.execution.frames import WatchedFrames
from backend.domain.query.query import Block
from backend.web.pages.environment import url
from backend.web.pages.parts import Link

Sources = tuple[Link, ...]

_ACTION = re.compile(r"Frames of action (\d{1,9}),")
_LOGGED = re.compile(r"(\d{1,9})\. t=")
_NOTED = re.compile(r"\[decision (\d{1,9})\] ")


class Origins(Struct, frozen=True, kw_only=True):
    """`state`: what the call was made from. `at`: the page's cursor. `films`: action -> its frames."""

    state: State
    at: int | None
    films: Mapping[int, WatchedFrames] = {}

    def moment(self, label: str, seq: int, tab: str = "audit") -> Link:
        return Link(label=label, href=url("episodes", self.state.episode, tab=tab, at=seq))

    def record(self, entity: str) -> Sources:
        """The record as it was shown, and the event that it last changed by."""
        record = self.state.memory.records[entity]
        anchor = f"#record-{quote(entity.encode('utf-8', 'replace'), safe='')}"
        page = url("episodes", self.state.episode, tab="memory", at=self.state.seq)
        seq = max(record.belief_seq, record.pose_seq, record.status_seq)
        return (Link(label=f"record {entity}", href=page + anchor), self.moment(f"seq {seq}", seq))

    def film(self, action: int) -> Sources:
        page = url("episodes", self.state.episode, tab="frames", at=self.at, chosen=str(action))
        return (Link(label=f"frames of action {action}", href=page),)


def line_sources(block: Block, origins: Origins) -> list[Sources]:
    """One for each line of the block's text."""
    lines = block.text.splitlines()
    read = _READERS.get(block.name)
    return [() for _ in lines] if read is None else read(lines, origins)


def block_sources(block: Block, origins: Origins) -> Sources:
    """What the block as a whole is made from."""
    mission = origins.state.mission.name
    named = {
        "goal": (Link(label=f"mission {mission}", href=url("missions", mission)),),
        "rules": (Link(label=f"mission {mission}", href=url("missions", mission)),),
        "robot": (origins.moment("the state it was asked from", origins.state.seq),),
    }
    return named.get(block.name, ())


def action_of(sha256: str, films: Mapping[int, WatchedFrames]) -> int | None:
    """The newest action that recorded this picture."""
    for action in sorted(films, reverse=True):
        if any(frame.sha256 == sha256 for frame in films[action].frames):
            return action
    return None


def _records(lines: Sequence[str], origins: Origins) -> list[Sources]:
    records = origins.state.memory.records
    named = [line.partition(": ")[0] for line in lines]
    return [origins.record(entity) if entity in records else () for entity in named]


def _terminal(lines: Sequence[str], origins: Origins) -> list[Sources]:
    records = origins.state.memory.records
    named = [re.split(r" (?:delivered|lost)\b", line)[0] for line in lines]
    return [origins.record(entity) if entity in records else () for entity in named]


def _log(lines: Sequence[str], origins: Origins) -> list[Sources]:
    seqs = {line.index: line.seq for line in origins.state.log}
    found = [_number(_LOGGED, line) for line in lines]
    return [
        (origins.moment(f"log line {index}, seq {seqs[index]}", seqs[index], "log"),) if index in seqs else ()
        for index in found
    ]


def _notes(lines: Sequence[str], origins: Origins) -> list[Sources]:
    seqs = {note.decision: note.seq for note in origins.state.notes}
    found = [_number(_NOTED, line) for line in lines]
    return [
        (origins.moment(f"note {number}, seq {seqs[number]}", seqs[number], "log"),) if number in seqs else ()
        for number in found
    ]


def _frames(lines: Sequence[str], origins: Origins) -> list[Sources]:
    found = [_number(_ACTION, line) for line in lines]
    return [origins.film(number) if number in origins.films else () for number in found]


def _robot(lines: Sequence[str], origins: Origins) -> list[Sources]:
    last: Sources = ()
    if origins.state.log:
        line = origins.state.log[-1]
        last = (origins.moment(f"log line {line.index}, seq {line.seq}", line.seq, "log"),)
    return [last if text.startswith("Last skill: ") else () for text in lines]


def _guidance(lines: Sequence[str], origins: Origins) -> list[Sources]:
    """A word's further lines are indented, so that each other line begins the next one."""
    waiting = list(origins.state.guidance)
    found: list[Sources] = []
    for line in lines:
        begins = not line.startswith("  ") and bool(waiting)
        said = waiting.pop(0) if begins else None
        found.append(() if said is None else (origins.moment(f"seq {said.seq}", said.seq),))
    return found


def _findings(lines: Sequence[str], origins: Origins) -> list[Sources]:
    page = url("episodes", origins.state.episode, tab="exchange", at=origins.state.seq)
    return [(Link(label="the answer it is about", href=page),) for _ in lines]


def _number(form: re.Pattern[str], line: str) -> int:
    found = form.match(line)
    return int(found[1]) if found else -1


_READERS: Mapping[str, Callable[[Sequence[str], Origins], list[Sources]]] = {
    "records": _records,
    "terminal": _terminal,
    "log": _log,
    "notes": _notes,
    "frames": _frames,
    "robot": _robot,
    "guidance": _guidance,
    "findings": _findings,
}
