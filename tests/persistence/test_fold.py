"""State at a cursor is the fold from zero, to the byte, whatever way it was come by."""

from __future__ import annotations

import random
from typing import Any, get_args, get_origin, get_type_hints

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct
from sqlalchemy import Engine, delete, func, select, update

from backend.domain.episode.evolve import fold
from backend.domain.episode.state import STATE_VERSION, State
from backend.persistence.connect import open_database, reading, writing
from backend.persistence.events import entries
from backend.persistence.journal import SNAPSHOT_WEIGHT, SqlJournal
from backend.persistence.reader import SqlReader
from backend.persistence.snapshots import state_bytes
from backend.persistence.tables.journal import events, snapshots
from backend.persistence.verify import verify
from tests.persistence.episodes import claimed, fill, new_episode, stored_whole
from tests.support.drill import CYCLE, MOVES, Drill

MOVE = st.tuples(st.sampled_from([*MOVES, "evidence", "reply", "approve", "outcome"]), st.integers(0, 40))
DELIVERY = st.just(list(CYCLE))
SCRIPTS = st.lists(st.one_of(MOVE.map(lambda move: [move]), DELIVERY), max_size=25).map(
    lambda parts: [("evidence", 0), *(move for part in parts for move in part)]
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=SCRIPTS)
def test_any_episode_folds_to_the_same_bytes_from_snapshots_and_from_zero(
    sqlite_engine: Engine, moves: list[tuple[str, int]]
) -> None:
    drill = Drill(new_episode(sqlite_engine)).run(moves)
    fill(sqlite_engine, drill.episode, drill.commits, snapshot_every=7)

    head = len(drill.events)
    for seq in sorted({1, head, *random.Random(head).sample(range(1, head + 1), min(head, 5))}):
        assert from_snapshot(sqlite_engine, drill.episode, seq) == from_zero(
            sqlite_engine, drill.episode, seq
        )
    assert from_snapshot(sqlite_engine, drill.episode, head) == state_bytes(drill.state)
    assert verify(sqlite_engine, drill.episode) == []


def test_every_state_of_a_long_episode_is_the_fold_from_zero(engine: Engine) -> None:
    drill = stored_whole(engine)

    for seq in range(1, len(drill.events) + 1):
        assert from_snapshot(engine, drill.episode, seq) == from_zero(engine, drill.episode, seq)


def test_a_restarted_process_folds_to_the_same_bytes_and_goes_on(engine: Engine) -> None:
    """What a crashed runner leaves is all that its successor has."""
    drill = Drill(new_episode(engine)).run([("evidence", 0), *CYCLE, ("evidence", 1), *CYCLE])
    half = len(drill.commits) // 2
    fill(engine, drill.episode, drill.commits[:half], snapshot_every=5)

    restarted = open_database(engine.url.render_as_string(hide_password=False))
    left = sum(len(commit.events) for commit in drill.commits[:half])
    assert from_snapshot(restarted, drill.episode, left) == from_zero(engine, drill.episode, left)
    fill(restarted, drill.episode, drill.commits[half:], snapshot_every=5)

    assert SqlReader(restarted).state(drill.episode) == drill.state
    assert verify(restarted, drill.episode) == []
    restarted.dispose()


def test_snapshots_are_a_cache_that_may_be_deleted_at_any_time(engine: Engine) -> None:
    drill = stored_whole(engine)
    with writing(engine) as connection:
        assert connection.execute(delete(snapshots).where(snapshots.c.episode == drill.episode)).rowcount > 3

    assert state_bytes(SqlReader(engine).state(drill.episode)) == state_bytes(drill.state)


def test_snapshots_of_another_state_version_are_not_used(engine: Engine) -> None:
    drill = stored_whole(engine)
    with writing(engine) as connection:
        mine = snapshots.c.episode == drill.episode
        connection.execute(
            update(snapshots)
            .where(mine)
            .values(state="from another version", state_version=STATE_VERSION + 1)
        )

    assert SqlReader(engine).state(drill.episode) == drill.state


def test_a_snapshot_is_taken_each_time_the_interval_is_passed(engine: Engine) -> None:
    drill = Drill(new_episode(engine)).run([("evidence", n) for n in range(30)])
    journal = SqlJournal(engine, claimed(engine, drill.episode), snapshot_every=10)
    for commit in drill.commits:
        journal.append(commit.events)

    with reading(engine) as connection:
        query = select(snapshots.c.seq).where(snapshots.c.episode == drill.episode).order_by(snapshots.c.seq)
        assert connection.execute(query).scalars().all() == [10, 20, 30]


def test_snapshots_weigh_no_more_than_a_few_times_the_journal(sqlite_engine: Engine) -> None:
    """However long the log in them grows. What is left out is folded, to the same bytes."""
    drill = Drill(new_episode(sqlite_engine)).run([("evidence", 0), *([*CYCLE, ("evidence", 1)] * 40)])
    fill(sqlite_engine, drill.episode, drill.commits, snapshot_every=2)

    head = len(drill.events)
    with reading(sqlite_engine) as connection:
        kept = connection.execute(
            select(snapshots.c.seq, snapshots.c.state).where(snapshots.c.episode == drill.episode)
        ).all()
        journalled = connection.execute(
            select(func.sum(func.length(events.c.payload))).where(events.c.episode == drill.episode)
        ).scalar_one()
    assert 3 < len(kept) < head // 2
    assert sum(len(state) for _, state in kept) <= SNAPSHOT_WEIGHT * journalled
    for seq in range(1, head + 1, 23):
        assert from_snapshot(sqlite_engine, drill.episode, seq) == from_zero(
            sqlite_engine, drill.episode, seq
        )


def test_no_set_hides_where_state_bytes_does_not_sort_it() -> None:
    """Sets have no order: `state_bytes` sorts those that are fields of State, and there are no others."""
    top = {name for name, hint in get_type_hints(State).items() if holds_set(hint)}
    nested = {struct for struct in structs_in(State) if struct is not State and fields_with_sets(struct)}

    assert top == {"swept", "unreachable"}
    assert nested == set()


def from_snapshot(engine: Engine, episode: str, seq: int) -> bytes:
    return state_bytes(SqlReader(engine).state(episode, seq))


def from_zero(engine: Engine, episode: str, seq: int) -> bytes:
    with reading(engine) as connection:
        return state_bytes(fold(entry.recorded for entry in entries(connection, episode, until=seq)))


def structs_in(hint: Any, seen: set[type] | None = None) -> set[type]:
    seen = set() if seen is None else seen
    if isinstance(hint, type) and issubclass(hint, Struct) and hint not in seen:
        seen.add(hint)
        for inner in get_type_hints(hint).values():
            structs_in(inner, seen)
    for argument in get_args(hint):
        structs_in(argument, seen)
    return seen


def fields_with_sets(struct: type) -> set[str]:
    return {name for name, hint in get_type_hints(struct).items() if holds_set(hint)}


def holds_set(hint: Any) -> bool:
    return (
        hint in (set, frozenset)
        or get_origin(hint) in (set, frozenset)
        or any(map(holds_set, get_args(hint)))
    )
