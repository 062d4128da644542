"""An episode run again comes out as recorded, whatever people did; what was changed since is found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backend.bridge.in_process import InProcessBridge
from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.intents import (
    Action,
    Approve,
    AskAgain,
    Guide,
    Hold,
    Intent,
    Reject,
    Release,
    Settlement,
    TakeConn,
)
from backend.domain.decide.recorded import Commit, Settled
from backend.domain.episode import events as e
from backend.domain.query.query import Query, Reply
from backend.planners.policy import PolicyPlanner
from backend.usecases.doubles import MemoryEpisode, MemoryJournal
from backend.usecases.reexecution import run_again
from backend.usecases.rerun_world import WorldAgain
from robot_bridge.grid.scenarios import SCENARIOS
from robot_bridge.grid.world import GridWorld
from tests.support.drill import MOVES, NOW_S, WHOLE, Drill
from tests.support.episodes import Played, play

SCRIPTS = st.lists(st.tuples(st.sampled_from(sorted(MOVES)), st.integers(0, 40)), max_size=40)
DEEDS = ("wait", "wait", "wait", "approve", "approve", "hold", "hold_directly", "release", "reject", "guide",
         "take", "ask_again", "late", "expire")  # fmt: skip


class Noting(MemoryJournal):
    """A journal that keeps its transactions apart, with the intents that were settled in them."""

    def __init__(self, episode: MemoryEpisode) -> None:
        super().__init__(episode, episode.epoch)
        self.commits = [Commit(events=tuple(episode.events))]

    def append(self, events: Sequence[e.Recorded], settled: Sequence[Settlement] = ()) -> None:
        intents = dict(self.episode.undecided)
        super().append(events, settled)
        if events:
            taken = [Settled(intent=intents[s.intent_id], settlement=s, seq=events[-1].seq, utc="")
                     for s in settled]  # fmt: skip
            self.commits.append(
                Commit(events=tuple(events), settled=tuple(taken), clock_s=self.episode.clock_s())
            )


class Table:
    """People at an episode: each deed is what a page would send just then."""

    def __init__(self, seed: int, policy: str = "every_plan") -> None:
        self.played: Played = play(seed=seed, policy=policy, expires_s=30.0)
        self.journal = Noting(self.played.episode)
        self.played.loop._journal = self.journal
        self.deeds = 0

    def do(self, deed: str) -> None:
        self.deeds += 1
        state, stop_id = self.played.loop.state, f"stop-{self.deeds}"
        approval = state.approval
        waits = approval is not None and approval.status is ApprovalStatus.PENDING
        if deed == "approve" and approval is not None and waits:
            pins = approval.pins
            self._send(
                Approve(approval_id=approval.id, plan_digest=pins.plan_digest, pins_digest=pins.digest)
            )
        elif deed == "reject" and approval is not None:
            self._send(Reject(approval_id=approval.id, reason="not that way", stop_id=stop_id))
        elif deed in ("hold", "hold_directly"):
            if deed == "hold_directly":
                self.played.loop._helm._bridge.stop(stop_id, "ada")
                self.played.loop.tick()
            self._send(Hold(stop_id=stop_id))
        elif deed == "release":
            self._send(Release(stop_ids=tuple(stop.id for stop in state.stops)))
        elif deed in _PLAIN:
            self._send(_PLAIN[deed], late=deed == "late")
        self.played.clock[0] += 31.0 if deed == "expire" else 0.125
        self.played.loop.tick()

    def _send(self, action: Action, *, late: bool = False) -> None:
        after_s = self.played.clock[0] + (-1.0 if late else 10.0)
        intent = Intent(id=f"i{self.deeds}", actor="ada", role="operator", action=action, not_after_s=after_s)
        self.played.inbox.put(intent)


_PLAIN: dict[str, Action] = {
    "guide": Guide(text="Mind the step."),
    "late": Guide(text="Too late."),
    "take": TakeConn(),
    "ask_again": AskAgain(),
}


def world_again(seed: int) -> WorldAgain:
    return WorldAgain(InProcessBridge(GridWorld(SCENARIOS["s-6"], seed, emits_truth=False)))


@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(deeds=st.lists(st.sampled_from(DEEDS), min_size=30, max_size=90), seed=st.integers(1, 5))
def test_whatever_people_did_the_world_run_again_comes_to_the_same(deeds: list[str], seed: int) -> None:
    table = Table(seed)
    for deed in deeds:
        table.do(deed)
    commits = table.journal.commits

    for world in (world_again(seed), None):
        again = run_again(commits, PolicyPlanner(), world)
        assert again.difference is None, again.difference.message
        assert again.events == tuple(table.played.episode.events)


def test_several_ticks_of_one_moment_are_told_apart() -> None:
    table = Table(1, policy="auto")
    table.played.run()
    events = table.played.episode.events
    by_moment: list[list[e.Recorded]] = [[events[0]], []]
    for each in events[1:]:
        if by_moment[-1] and by_moment[-1][-1].met_s != each.met_s:
            by_moment.append([])
        by_moment[-1].append(each)
    commits = [Commit(events=tuple(group)) for group in by_moment]

    for world in (world_again(1), None):
        again = run_again(commits, PolicyPlanner(), world)
        assert again.difference is None, again.difference.message
        assert again.events == tuple(events)


def drilled(moves: Sequence[tuple[str, int]]) -> tuple[list[Commit], Any]:
    """A drill's journal, and a planner that answers as its drill did."""
    drill, replies = Drill(), []
    plain_tick = drill.tick

    def tick(**arrived: Any) -> None:
        replies.extend(arrived.get("replies", ()))
        plain_tick(**arrived)

    drill.tick = tick  # type: ignore[method-assign]
    drill.run(moves)
    commits = []
    for commit in drill.commits:
        given = dict(zip([s.intent_id for s in commit.settled], commit.settled, strict=True))
        if not commit.events:
            continue
        first, rest = (commit.events[:1], commit.events[1:]) if commit.events[0].seq == 1 else ((), ())
        for events in (first, rest) if first else (commit.events,):
            settled = [Settled(intent=i, settlement=given[i.id], seq=events[-1].seq, utc="")
                       for i in commit.intents if i.id in given]  # fmt: skip
            clock_s = NOW_S + events[0].met_s
            commits.append(Commit(events=tuple(events), settled=tuple(settled), clock_s=clock_s))

    class Planner:
        def propose(self, query: Query) -> Reply:
            return next(r for r in replies if (r.decision, r.attempt) == (query.decision, query.attempt))

    return commits, Planner()


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(moves=SCRIPTS)
def test_any_journal_is_decided_again_from_itself(moves: list[tuple[str, int]]) -> None:
    commits, planner = drilled(moves)

    again = run_again(commits, planner)

    assert again.difference is None, again.difference.message


def test_the_long_drill_is_decided_again_from_itself() -> None:
    commits, planner = drilled(WHOLE)
    again = run_again(commits, planner)

    assert again.difference is None, again.difference.message
    assert len(again.events) == sum(len(commit.events) for commit in commits)


def changed(commits: Sequence[Commit], kind: type, n: int, **values: Any) -> tuple[list[Commit], int]:
    """With other values in the `n`th event of a kind; its seq."""
    found = [each for commit in commits for each in commit.events if isinstance(each.event, kind)][n]
    other = replace(found, event=replace(found.event, **values))
    swapped = [
        replace(commit, events=tuple([other if each is found else each for each in commit.events]))
        for commit in commits
    ]
    return swapped, found.seq


@pytest.mark.parametrize(
    ("kind", "n", "values", "told"),
    [
        pytest.param(e.StepEnded, 2, {"predicted": False}, "predicted was false, is true", id="outcome"),
        pytest.param(e.EvidenceJudged, 3, {"reason": "x"}, 'reason was "x", is', id="reason"),
        pytest.param(e.ApprovalGranted, 1, {"by": "eve"}, 'by was "eve", is "policy"', id="approval"),
        pytest.param(e.StepDispatched, 4, {"goal": None}, "goal was null, is", id="goal"),
        pytest.param(e.EpisodeEnded, 0, {"delivered": 5}, "delivered was 5, is 6", id="ending"),
    ],
)
@pytest.mark.parametrize("in_world", [True, False], ids=["world", "decisions"])
def test_a_difference_is_told_by_event_and_field(
    kind: type, n: int, values: dict[str, Any], told: str, in_world: bool
) -> None:
    table = Table(1, policy="auto")
    table.played.run()
    commits, seq = changed(table.journal.commits, kind, n, **values)

    again = run_again(commits, PolicyPlanner(), world_again(1) if in_world else None)

    assert again.difference is not None
    assert (again.difference.seq, len(again.events)) == (seq, again.events[-1].seq)
    assert told in again.difference.message
    assert f"Event {seq} (" in again.difference.message


def test_the_tape_of_another_seed_is_found_out() -> None:
    table = Table(1, policy="auto")
    table.played.run()

    again = run_again(table.journal.commits, PolicyPlanner(), world_again(2))

    assert again.difference is not None
    assert again.difference.seq >= 1
