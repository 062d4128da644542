"""State at any event is the fold of the journal up to it, whatever way a page comes by it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from backend.domain.episode.evolve import fold
from backend.persistence.snapshots import state_bytes
from backend.web.checkpoints import EVERY
from backend.web.chronicle import Chronicle
from tests.domain.comparing.played import journal
from tests.support.drill import CYCLE, MOVES, Drill
from tests.web.moments import MemoryReader, entry_of

MOVE = st.tuples(st.sampled_from([*MOVES, "evidence", "reply", "approve", "outcome"]), st.integers(0, 40))
SCRIPTS = st.lists(st.one_of(MOVE.map(lambda move: [move]), st.just(list(CYCLE))), max_size=25).map(
    lambda parts: [("evidence", 0), *(move for part in parts for move in part)]
)


def chronicle_of(drill: Drill) -> Chronicle:
    return Chronicle(MemoryReader(drill.events), drill.episode)  # type: ignore[arg-type]


@settings(max_examples=60)
@given(moves=SCRIPTS, cursors=st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_any_moment_of_any_episode_is_its_linear_fold(
    moves: list[tuple[str, int]], cursors: list[float]
) -> None:
    drill = Drill("drill").run(moves)
    chronicle, head = chronicle_of(drill), len(drill.events)

    for seq in {1, head, *(1 + round(share * (head - 1)) for share in cursors)}:
        shown = chronicle.at(seq)
        assert state_bytes(shown.state) == state_bytes(fold(drill.events[:seq]))
        assert shown.utc == entry_of(drill.events[seq - 1]).utc


def test_a_moment_costs_fewer_events_than_lie_between_two_checkpoints() -> None:
    events = list(journal("attention", 3))
    reader = MemoryReader(events)
    chronicle = Chronicle(reader, "d-10")  # type: ignore[arg-type]
    chronicle.newest()
    assert len(events) > 2 * EVERY

    read: list[int] = []
    plainly = reader.events
    reader.events = lambda *given, **more: counted(read, plainly(*given, **more))  # type: ignore[method-assign]
    for seq in range(1, len(events), 7):
        read.clear()
        assert chronicle.at(seq).state == fold(events[:seq])
        assert sum(read) <= EVERY


def counted(read: list[int], found: list[object]) -> list[object]:
    read.append(len(found))
    return found
