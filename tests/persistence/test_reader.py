"""What pages read: what needs a person first, rows cut at a cursor, pages of events."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Engine

from backend.domain.episode.events import kind_of
from backend.persistence.errors import PersistenceError, UnknownEpisode
from backend.persistence.heads import order_episode
from backend.persistence.leases import release
from backend.persistence.reader import SqlReader
from backend.usecases.reading import EpisodeSummary, Reader, RowsOf
from tests.persistence.episodes import claimed, fill, new_episode, stored_whole
from tests.support.drill import CYCLE, WHOLE, Drill

PENDING = (("evidence", 0), ("reply", 0))
SITUATIONS = {
    "calm": ((("evidence", 0),), "planning", 0, ""),
    "pending": (PENDING, "approval", 2, "Plan 1 waits for approval"),
    "executing": ((*PENDING, ("approve", 1)), "executing", 0, ""),
    "held": ((*PENDING, ("hold", 1)), "held", 1, "Held by ada"),
    "unconfirmed": (
        (*PENDING, ("hold", 1), ("unconfirmed", 0)), "held", 4, "Stop not confirmed: see to the robot"
    ),
    "failed planner": ((("evidence", 0), ("reply", 6)), "asking", 3, "ok"),
    "ended": ((*PENDING, ("abort", 0), ("standstill", 0)), "ended", 0, ""),
}  # fmt: skip
ROWS: tuple[RowsOf, ...] = (
    "approvals",
    "entity_audit",
    "exchanges",
    "execution_log",
    "frames",
    "notes",
    "plans",
    "retrievals",
)


@pytest.mark.parametrize(("moves", "phase", "rank", "need"), SITUATIONS.values(), ids=SITUATIONS.keys())
def test_the_summary_says_what_goes_on_and_what_it_needs(
    engine: Engine, moves: tuple[tuple[str, int], ...], phase: str, rank: int, need: str
) -> None:
    drill = Drill(new_episode(engine)).run(moves)
    fill(engine, drill.episode, drill.commits)

    summary = SqlReader(engine).episode(drill.episode)

    assert (summary.phase, summary.need_rank, summary.need) == (phase, rank, need)
    assert (summary.seq, summary.met_s) == (len(drill.events), drill.state.met_s)


def test_the_summary_tells_the_totals_of_the_state(engine: Engine) -> None:
    drill = stored_whole(engine)
    state = drill.state

    summary = SqlReader(engine).episode(drill.episode)

    assert summary.outcome == "aborted"
    assert (summary.delivered, summary.total) == (len(state.delivered), 3)
    assert (summary.tokens, summary.decisions, summary.steps) == (
        state.spent.tokens,
        state.spent.decisions,
        state.spent.steps,
    )
    assert (summary.replans, summary.context_units) == (state.tally.replans, state.tally.context_units)
    assert summary.request == {"mission": "drill"}
    assert summary.held_by == "runner"


def test_an_ordered_episode_is_listed_before_it_begins(engine: Engine) -> None:
    episode = new_episode(engine)

    summary = SqlReader(engine).episode(episode)

    assert (summary.phase, summary.seq, summary.mission, summary.held_by) == ("ordered", 0, "", "")


def test_a_running_episode_without_a_runner_needs_someone(engine: Engine) -> None:
    drill = Drill(new_episode(engine)).run(PENDING[:1])
    fill(engine, drill.episode, drill.commits)
    release(engine, claimed(engine, drill.episode))

    summary = SqlReader(engine).episode(drill.episode)

    assert (summary.need_rank, summary.need, summary.held_by) == (3, "No runner holds this episode", "")


def test_what_needs_a_person_most_comes_first(engine: Engine) -> None:
    names = {}
    for name, (moves, *_) in SITUATIONS.items():
        drill = Drill(new_episode(engine, f"first-{name.replace(' ', '-')}")).run(moves)
        fill(engine, drill.episode, drill.commits)
        names[drill.episode] = name
    reader = SqlReader(engine)

    listed = [names[summary.episode] for summary in reader.episodes(search="FIRST-")]

    assert listed[:4] == ["unconfirmed", "failed planner", "pending", "held"]
    assert listed[-1] == "ended"
    assert shown(reader.episodes(show="need", search="first-"), names) == set(listed[:4])
    assert shown(reader.episodes(show="ended", search="first-"), names) == {"ended"}
    assert "ended" not in shown(reader.episodes(show="running", search="first-"), names)


def test_the_list_is_cut_into_pages(engine: Engine) -> None:
    mine = [new_episode(engine, "paged") for _ in range(5)]
    reader = SqlReader(engine)

    pages = [reader.episodes(search="paged-", limit=2, offset=offset) for offset in (0, 2, 4)]

    assert sorted(summary.episode for page in pages for summary in page) == sorted(mine)


@pytest.mark.parametrize("search", ["%", "_", "no such thing", "'; DROP TABLE heads; --"])
def test_a_search_is_for_the_text_itself(engine: Engine, search: str) -> None:
    order_episode(engine, "plain", {}, "ada")

    assert SqlReader(engine).episodes(search=search) == []


def test_events_come_in_pages_and_by_kind(engine: Engine) -> None:
    drill = stored_whole(engine)
    reader = SqlReader(engine)

    first = reader.events(drill.episode, limit=30)
    rest = reader.events(drill.episode, after=first[-1].recorded.seq, limit=None)
    middle = reader.events(drill.episode, after=10, until=12)
    ended = reader.events(drill.episode, kinds=["step.ended", "step.dispatched"])

    assert [entry.recorded for entry in (*first, *rest)] == drill.events
    assert [entry.recorded.seq for entry in middle] == [11, 12]
    assert {entry.kind for entry in ended} == {"step.ended", "step.dispatched"}
    assert len(ended) == sum(
        kind_of(each.event) in ("step.ended", "step.dispatched") for each in drill.events
    )
    assert all(entry.utc.endswith("Z") for entry in first)


def test_rows_are_cut_at_the_cursor_and_never_change(engine: Engine) -> None:
    """What a page showed at seq n when n was the head is what it shows when replayed."""
    drill, reader = Drill(new_episode(engine)).run(WHOLE), SqlReader(engine)
    live: dict[int, dict[RowsOf, list[dict[str, Any]]]] = {}
    for cut in range(0, len(drill.commits), 3):
        fill(engine, drill.episode, drill.commits[cut : cut + 3])
        head = reader.episode(drill.episode).seq
        live[head] = {table: reader.rows(table, drill.episode) for table in ROWS}

    assert all(live[max(live)].values()), "something of everything"
    for seq, tables in live.items():
        for table, rows in tables.items():
            assert reader.rows(table, drill.episode, until=seq) == rows


def test_rows_come_in_pages_either_way_with_json_decoded(engine: Engine) -> None:
    drill = stored_whole(engine)
    reader = SqlReader(engine)

    plans = reader.rows("plans", drill.episode)
    newest = reader.rows("plans", drill.episode, newest_first=True, limit=3)
    older = reader.rows("plans", drill.episode, newest_first=True, until=newest[-1]["seq"] - 1)

    assert [*newest, *older] == plans[::-1]
    proposed = next(row for row in plans if row["change"] == "proposed")
    assert [step["skill"] for step in proposed["steps"]] == ["navigate", "grasp", "navigate", "deliver"]


def test_a_state_beyond_the_head_is_refused_with_what_there_is(engine: Engine) -> None:
    drill = Drill(new_episode(engine)).run(CYCLE)
    fill(engine, drill.episode, drill.commits)
    reader, head = SqlReader(engine), len(drill.events)

    assert reader.state(drill.episode, head).seq == head
    for seq in (0, -1, head + 1):
        with pytest.raises(UnknownEpisode, match=f"events 1 to {head}"):
            reader.state(drill.episode, seq)


@pytest.mark.parametrize("read", ["episode", "state", "verify"])
def test_unknown_and_unbegun_episodes_say_so(engine: Engine, read: str) -> None:
    reader: Any = SqlReader(engine)

    with pytest.raises(PersistenceError, match="There is no episode nowhere"):
        getattr(reader, read)("nowhere")
    with pytest.raises(UnknownEpisode, match="has not begun"):
        reader.state(new_episode(engine))


def test_it_is_a_reader(sqlite_engine: Engine) -> None:
    reader: Reader = SqlReader(sqlite_engine)

    assert {name for name in dir(Reader) if not name.startswith("_")} <= set(dir(reader))


def shown(summaries: list[EpisodeSummary], names: dict[str, str]) -> set[str]:
    return {names[summary.episode] for summary in summaries}
