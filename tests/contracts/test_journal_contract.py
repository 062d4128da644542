"""What every Journal does, in memory and on either database: nothing but whole, ordered, unfenced appends."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

from backend.domain.command.intents import Abort, Action, Approve, Guide, Hold, Intent, Reject, Settlement
from backend.domain.episode.events import NoteWritten, Recorded, StepDispatched
from backend.domain.episode.evolve import fold
from backend.usecases.ports import IntentWithdrawn, Journal, JournalError, LostLease, StopPending
from tests.contracts.stores import Episode
from tests.support.drill import NOW_S, Commit, Drill, whole

STOPS = {
    "hold": Hold(stop_id="s1"),
    "abort": Abort(stop_id="s1"),
    "deny": Reject(approval_id="a1", reason="no", stop_id="s1"),
}
TO_DISPATCH = (("evidence", 0), ("reply", 0), ("approve", 1))


def test_what_was_appended_is_read_back_equal(episode: Episode) -> None:
    drill = whole(episode.name)
    journal = episode.claim()

    write(episode, journal, drill)

    assert list(journal.read()) == drill.events
    assert fold(journal.read()) == drill.state


def test_reading_goes_on_after_a_cursor(episode: Episode) -> None:
    drill = whole(episode.name)
    journal = episode.claim()
    write(episode, journal, drill)

    assert list(journal.read(after=40)) == drill.events[40:]
    assert list(journal.read(after=len(drill.events))) == []


def test_a_successor_reads_what_its_predecessor_wrote_and_goes_on(episode: Episode) -> None:
    drill = whole(episode.name)
    half = len(drill.commits) // 2
    put_and_append(episode, episode.claim(), drill.commits[:half])

    successor = episode.claim()
    put_and_append(episode, successor, drill.commits[half:])

    assert list(successor.read()) == drill.events


@pytest.mark.parametrize("seq", [2, 4, 99], ids=["again", "gap", "far"])
def test_events_that_do_not_follow_the_head_are_refused_whole(episode: Episode, seq: int) -> None:
    journal = episode.claim()
    journal.append(Drill(episode.name).events)

    with pytest.raises(LostLease):
        journal.append([note(seq)])

    assert len(list(journal.read())) == 2


def test_a_gap_within_the_events_is_refused_whole(episode: Episode) -> None:
    journal = episode.claim()
    journal.append(Drill(episode.name).events)

    with pytest.raises(LostLease):
        journal.append([note(3), note(5)])

    assert len(list(journal.read())) == 2


def test_a_claim_fences_whoever_held_the_episode_before(episode: Episode) -> None:
    """Rule: a runner that was overtaken writes nothing more, whatever it still believes."""
    first = episode.claim()
    first.append(Drill(episode.name).events)

    second = episode.claim()

    with pytest.raises(LostLease):
        first.append([note(3)])
    second.append([note(3)])
    assert len(list(second.read())) == 3


def test_a_lease_that_ran_out_writes_nothing_even_if_nobody_else_claimed(episode: Episode) -> None:
    journal = episode.claim(ttl_s=0.0)

    with pytest.raises(LostLease):
        journal.append(Drill(episode.name).events)

    assert list(journal.read()) == []


@pytest.mark.parametrize("action", STOPS.values(), ids=STOPS.keys())
def test_nothing_is_dispatched_over_an_undecided_stop(episode: Episode, action: Action) -> None:
    """Rule: a hold is latched from its commit, whether or not the runner has seen it."""
    journal, dispatching = up_to_dispatch(episode)
    episode.inbox().put(intent("stop", action))

    with pytest.raises(StopPending):
        journal.append(dispatching.events, dispatching.settled)

    assert not any(isinstance(recorded.event, StepDispatched) for recorded in journal.read())


def test_other_intents_keep_no_dispatch_back(episode: Episode) -> None:
    journal, dispatching = up_to_dispatch(episode)
    episode.inbox().put(intent("guide", Guide(text="mind the step")))

    journal.append(dispatching.events, dispatching.settled)

    assert any(isinstance(recorded.event, StepDispatched) for recorded in journal.read())


def test_a_stop_that_the_same_append_decides_keeps_no_dispatch_back(episode: Episode) -> None:
    """A deny that comes for an approval long gone is refused, and the plan goes on."""
    journal, dispatching = up_to_dispatch(episode)
    episode.inbox().put(intent("deny", STOPS["deny"]))
    refused = Settlement(intent_id="deny", applied=False, code="gone", message="No such approval.")

    journal.append(dispatching.events, (*dispatching.settled, refused))

    assert episode.inbox().outcome("deny") == refused


def test_an_outcome_is_written_with_the_events_behind_it_or_not_at_all(episode: Episode) -> None:
    journal, inbox = episode.claim(), episode.inbox()
    journal.append(Drill(episode.name).events)
    inbox.put(intent("guide", Guide(text="left")))

    with pytest.raises(LostLease):
        journal.append([note(9)], [Settlement(intent_id="guide", applied=True)])
    assert inbox.outcome("guide") is None
    assert [each.id for each in inbox.take()[0]] == ["guide"]

    journal.append([note(3)], [Settlement(intent_id="guide", applied=True)])
    assert inbox.outcome("guide") == Settlement(intent_id="guide", applied=True)
    assert inbox.take()[0] == ()


def test_what_decides_a_withdrawn_intent_is_not_written(episode: Episode) -> None:
    """The operator was told that nothing happened; so nothing does."""
    journal, inbox = episode.claim(), episode.inbox()
    journal.append(Drill(episode.name).events)
    inbox.put(intent("approve", Approve(approval_id="a", plan_digest="p", pins_digest="q")))
    assert inbox.withdraw("approve")

    with pytest.raises(IntentWithdrawn):
        journal.append([note(3)], [Settlement(intent_id="approve", applied=True)])

    assert len(list(journal.read())) == 2


def test_of_fifty_threads_that_append_the_same_event_one_succeeds(episode: Episode) -> None:
    journal = episode.claim()
    journal.append(Drill(episode.name).events)
    start = threading.Barrier(50)

    def append(n: int) -> bool:
        start.wait()
        try:
            journal.append([replace(note(3), actor=f"operator:{n}")])
        except LostLease:
            return False
        return True

    with ThreadPoolExecutor(50) as pool:
        won = [n for n, succeeded in enumerate(pool.map(append, range(50))) if succeeded]

    assert len(won) == 1
    assert [recorded.actor for recorded in journal.read(after=2)] == [f"operator:{won[0]}"]


def test_a_hold_and_a_dispatch_at_once_never_pass_each_other(episode: Episode) -> None:
    """Either the dispatch was committed first and the runner finds the hold next, or it was refused."""
    journal, dispatching = up_to_dispatch(episode)
    start = threading.Barrier(2)

    def hold() -> None:
        start.wait()
        episode.inbox().put(intent("hold", STOPS["hold"]))

    def dispatch() -> None:
        start.wait()
        journal.append(dispatching.events, dispatching.settled)

    with ThreadPoolExecutor(2) as pool:
        held, dispatched = pool.submit(hold), pool.submit(dispatch)
        held.result()
        error = dispatched.exception()

    assert error is None or isinstance(error, StopPending)
    assert [each.id for each in episode.inbox().take()[0] if each.id == "hold"] == ["hold"]


@pytest.mark.parametrize(
    "written",
    [
        NoteWritten(decision=1, author="policy", text="nul \x00, ⚓, \U0001f6a2, \u2028, </script>"),
        NoteWritten(decision=1, author="policy", text=""),
        NoteWritten(decision=1, author="policy", text="x" * 200_000),
    ],
    ids=["strange", "empty", "long"],
)
def test_any_text_survives(episode: Episode, written: NoteWritten) -> None:
    journal = episode.claim()
    journal.append(Drill(episode.name).events)

    journal.append([Recorded(seq=3, met_s=1.0, actor="planner", event=written, meta={"latency_s": 0.25})])

    (read,) = journal.read(after=2)
    assert read.event == written
    assert read.meta == {"latency_s": 0.25}


def test_refusals_are_all_journal_errors() -> None:
    assert {LostLease, StopPending, IntentWithdrawn} <= set(JournalError.__subclasses__())


def up_to_dispatch(episode: Episode) -> tuple[Journal, Commit]:
    """A journal with a plan approved, and the commit that would dispatch its first step."""
    drill = Drill(episode.name).run(TO_DISPATCH)
    journal = episode.claim()
    put_and_append(episode, journal, drill.commits[:-1])
    for each in drill.commits[-1].intents:
        episode.inbox().put(each)
    return journal, drill.commits[-1]


def write(episode: Episode, journal: Journal, drill: Drill) -> None:
    put_and_append(episode, journal, drill.commits)


def put_and_append(episode: Episode, journal: Journal, commits: list[Commit]) -> None:
    inbox = episode.inbox()
    for commit in commits:
        for each in commit.intents:
            inbox.put(each)
        journal.append(commit.events, commit.settled)


def note(seq: int) -> Recorded:
    event = NoteWritten(decision=1, author="policy", text="all quiet")
    return Recorded(seq=seq, met_s=1.0, actor="planner", event=event)


def intent(name: str, action: Action) -> Intent:
    return Intent(id=name, actor="ada", role="operator", action=action, not_after_s=NOW_S)
