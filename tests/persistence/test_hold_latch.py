"""A hold and a dispatch cannot pass each other: an append is paused between its guard and its commit."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine

from backend.domain.command.intents import Hold, Intent
from backend.domain.episode.events import StepDispatched
from backend.persistence import journal as journal_module
from backend.persistence.inbox import SqlInbox
from backend.persistence.journal import SqlJournal
from backend.usecases.ports import StopPending
from tests.persistence.episodes import claimed, fill, new_episode
from tests.support.drill import Drill


def test_a_hold_waits_for_the_dispatch_that_is_being_committed(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would be answered "held" while a step that nobody checked against it was still to come."""
    drill = Drill(new_episode(engine)).run([("evidence", 0), ("reply", 0), ("approve", 1)])
    fill(engine, drill.episode, drill.commits[:-1])
    dispatching = drill.commits[-1]
    inbox, journal = SqlInbox(engine, drill.episode), SqlJournal(engine, claimed(engine, drill.episode))
    for intent in dispatching.intents:
        inbox.put(intent)
    guarded, go_on = threading.Event(), threading.Event()
    write = journal_module.write_events

    def pause_then_write(*arguments: object) -> object:
        guarded.set()
        assert go_on.wait(10)
        return write(*arguments)

    monkeypatch.setattr(journal_module, "write_events", pause_then_write)
    with ThreadPoolExecutor(2) as pool:
        dispatch = pool.submit(journal.append, dispatching.events, dispatching.settled)
        assert guarded.wait(10)
        hold = pool.submit(inbox.put, hold_intent())
        with pytest.raises(TimeoutError):
            hold.result(timeout=0.2)
        go_on.set()
        dispatch.result(timeout=10)
        hold.result(timeout=10)

    assert [intent.id for intent in inbox.take()[0]] == ["hold"]
    assert any(isinstance(recorded.event, StepDispatched) for recorded in journal.read())


def test_a_dispatch_after_the_hold_s_commit_is_refused_though_nobody_had_seen_it(engine: Engine) -> None:
    drill = Drill(new_episode(engine)).run([("evidence", 0), ("reply", 0), ("approve", 1)])
    fill(engine, drill.episode, drill.commits[:-1])
    dispatching = drill.commits[-1]
    inbox, journal = SqlInbox(engine, drill.episode), SqlJournal(engine, claimed(engine, drill.episode))
    for intent in dispatching.intents:
        inbox.put(intent)

    inbox.put(hold_intent())

    with pytest.raises(StopPending, match="Take the inbox again"):
        journal.append(dispatching.events, dispatching.settled)
    assert [intent.id for intent in inbox.take()[0]] == [*(each.id for each in dispatching.intents), "hold"]


def hold_intent() -> Intent:
    return Intent(id="hold", actor="eve", role="viewer", action=Hold(stop_id="s1"), not_after_s=4e9)
