"""A journal cut into the transactions that it was written in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from backend.domain.decide.recorded import GIVEN, Commit, Settled
from backend.usecases.reading import Entry


def commits_of(journal: Sequence[Entry], settled: Sequence[Settled] = ()) -> Iterator[Commit]:
    """One transaction has one moment, on the wall clock as in the mission, and ends where intents were
    settled; several that nothing parts come as one."""
    ends = {(each.seq, each.utc) for each in settled}
    group: list[Entry] = []
    for entry in journal:
        if group and not _goes_on(group[-1], entry, ends):
            yield _commit(group, settled)
            group = []
        group.append(entry)
    if group:
        yield _commit(group, settled)


def _goes_on(last: Entry, entry: Entry, ends: set[tuple[int, str]]) -> bool:
    return (
        last.utc == entry.utc
        and last.recorded.met_s == entry.recorded.met_s
        and (last.recorded.seq, last.utc) not in ends
        and not isinstance(last.recorded.event, GIVEN)
        and not isinstance(entry.recorded.event, GIVEN)
    )


def _commit(group: Sequence[Entry], settled: Sequence[Settled]) -> Commit:
    last = group[-1].recorded.seq, group[-1].utc
    return Commit(
        events=tuple([entry.recorded for entry in group]),
        settled=tuple([each for each in settled if (each.seq, each.utc) == last]),
        clock_s=datetime.fromisoformat(group[-1].utc).timestamp(),
    )
