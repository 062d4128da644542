"""The content digest is the same for the same episode and for no other; the chain is every journal's own."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sqlalchemy import Engine

from backend.domain.command.policy import Policy
from backend.domain.episode.events import EpisodeOpened, NoteWritten, Recorded
from backend.persistence.connect import reading
from backend.persistence.heads import head_of
from backend.persistence.journal import SqlJournal
from backend.persistence.leases import claim, release
from tests.persistence.episodes import fill, new_episode
from tests.support.drill import MISSION, Commit, Drill

AUTO = replace(MISSION, policy=Policy(mode="auto"))
MOVES = [("evidence", 0), ("reply", 0), *[("outcome", 0)] * 4, ("evidence", 1), ("reply", 0), ("outcome", 0)]


def test_the_same_episode_under_another_id_epoch_and_version_has_the_same_content(engine: Engine) -> None:
    first = Drill(new_episode(engine), AUTO, epoch=1).run(MOVES)
    second = Drill(new_episode(engine), AUTO, epoch=7).run(MOVES)
    assert second.state.dispatches > 3
    fill(engine, first.episode, first.commits)
    fill(engine, second.episode, of_version(second.commits, "2.0"))

    assert digests(engine, first.episode)["content"] == digests(engine, second.episode)["content"]
    assert digests(engine, first.episode)["chain"] != digests(engine, second.episode)["chain"]


def test_meta_is_in_the_chain_and_not_in_the_content(engine: Engine) -> None:
    one, other = (
        stored_note(engine, Recorded(**{**NOTE, "meta": meta})) for meta in (None, {"latency_s": 1})
    )

    assert one["content"] == other["content"]


@pytest.mark.parametrize(
    "change",
    [
        {"met_s": 1.5},
        {"actor": "operator:ada"},
        {"event": NoteWritten(decision=1, author="policy", text="a, b")},
    ],
    ids=["time", "actor", "text"],
)
def test_whatever_happened_otherwise_gives_another_content(engine: Engine, change: dict[str, object]) -> None:
    one, other = stored_note(engine, Recorded(**NOTE)), stored_note(engine, Recorded(**{**NOTE, **change}))

    assert one["content"] != other["content"]


def test_cutting_a_journal_into_other_appends_changes_no_digest(engine: Engine) -> None:
    drill = Drill(new_episode(engine), AUTO).run(MOVES)
    other = Drill(new_episode(engine), AUTO).run(MOVES)
    fill(engine, drill.episode, drill.commits)
    fill(engine, other.episode, [Commit((), tuple(other.events), ())])

    assert digests(engine, drill.episode)["content"] == digests(engine, other.episode)["content"]


NOTE = {
    "seq": 3,
    "met_s": 1.0,
    "actor": "planner",
    "event": NoteWritten(decision=1, author="policy", text="a b"),
}


def stored_note(engine: Engine, recorded: Recorded) -> dict[str, str]:
    drill = Drill(new_episode(engine))
    lease = claim(engine, drill.episode, [], "runner")
    SqlJournal(engine, lease).append([*drill.events, recorded])
    release(engine, lease)
    return digests(engine, drill.episode)


def digests(engine: Engine, episode: str) -> dict[str, str]:
    with reading(engine) as connection:
        row = head_of(connection, episode)
    return {"chain": row["chain"], "content": row["content"]}


def of_version(commits: list[Commit], version: str) -> list[Commit]:
    (opened, started), rest = commits[0].events, commits[1:]
    assert isinstance(opened.event, EpisodeOpened)
    changed = tuple(
        replace(each, event=replace(each.event, code_version=version)) for each in (opened, started)
    )
    return [Commit((), changed, ()), *rest]
