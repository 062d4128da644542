"""What every Inbox does, in memory and on either database."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from backend.domain.command.intents import (
    Abort,
    Action,
    Approve,
    AskAgain,
    Attempted,
    GiveUpConn,
    Guide,
    Hold,
    Intent,
    Propose,
    Reject,
    Release,
    RenewConn,
    Resolve,
    Settlement,
    TakeConn,
    kind_of,
)
from backend.domain.plans.plan import Step, Watch
from backend.usecases.ports import IntentWithdrawn
from tests.contracts.stores import Episode
from tests.support.drill import Drill

ACTIONS: tuple[Action, ...] = (
    Hold(stop_id="s1", reason="a child \x00 on the floor"),
    Release(stop_ids=("s1", "s2")),
    Abort(stop_id="s1"),
    Approve(approval_id="a1", plan_digest="p", pins_digest="q"),
    Reject(approval_id="a1", reason="too far", stop_id="s1"),
    Propose(steps=(Step("explore", {"cell": (1.0, 2.0)}, Watch("all", "front")),), seen_seq=7),
    AskAgain(),
    Guide(text="go round"),
    TakeConn(over="bob"),
    RenewConn(),
    GiveUpConn(),
    Resolve(dispatch_id="d1", executed=True, account="I saw it drop the can."),
)
NAMES = [type(action).__name__ for action in ACTIONS]


@pytest.mark.parametrize("action", ACTIONS, ids=NAMES)
def test_an_intent_is_taken_as_it_was_put(episode: Episode, action: Action) -> None:
    inbox, sent = episode.inbox(), intent("i1", action)

    inbox.put(sent)

    assert list(inbox.take()[0]) == [sent]


def test_intents_are_taken_oldest_first_and_stay_until_they_are_settled(episode: Episode) -> None:
    inbox = episode.inbox()
    for name in ("c", "a", "b"):
        inbox.put(intent(name, AskAgain()))

    assert [each.id for each in inbox.take()[0]] == ["c", "a", "b"]
    assert [each.id for each in inbox.take()[0]] == ["c", "a", "b"]


def test_another_episode_s_intents_are_its_own_even_under_the_same_id(episode: Episode) -> None:
    """A hold must not be lost because an id like it was used elsewhere."""
    other = episode.another()
    other.inbox().put(intent("i1", AskAgain()))

    episode.inbox().put(intent("i1", ACTIONS[0]))

    assert [each.action for each in episode.inbox().take()[0]] == [ACTIONS[0]]
    assert [each.action for each in other.inbox().take()[0]] == [AskAgain()]


def test_the_same_click_sent_twice_is_one_intent(episode: Episode) -> None:
    inbox = episode.inbox()
    inbox.put(intent("i1", Guide(text="first")))
    inbox.put(intent("i1", Guide(text="second")))

    (taken,) = inbox.take()[0]

    assert taken.action == Guide(text="first")


def test_an_intent_came_when_it_was_first_put(episode: Episode) -> None:
    inbox = episode.inbox()
    assert inbox.came_s("i1") is None
    inbox.put(intent("i1", AskAgain()))
    first_s = inbox.came_s("i1")
    inbox.put(intent("i1", AskAgain()))

    assert inbox.came_s("i1") == first_s
    assert first_s is not None
    assert 0.0 <= inbox.take()[1] - first_s < 60.0
    assert episode.another().inbox().came_s("i1") is None


def test_a_settled_intent_sent_again_stays_settled(episode: Episode) -> None:
    inbox, journal = episode.inbox(), episode.claim()
    inbox.put(intent("i1", AskAgain()))
    refused = Settlement(intent_id="i1", applied=False, code="x", message="No.", remedy="Do y.")
    journal.append(Drill(episode.name).events, [refused])

    inbox.put(intent("i1", AskAgain()))

    assert list(inbox.take()[0]) == []
    assert inbox.outcome(refused.intent_id) == refused


def test_an_outcome_may_quote_any_text(episode: Episode) -> None:
    """Else a refusal that quotes what was sent could never be written, nor anything after it."""
    inbox, journal = episode.inbox(), episode.claim()
    inbox.put(intent("i1", Guide(text="\x00")))

    journal.append(
        Drill(episode.name).events, [Settlement(intent_id="i1", applied=False, message="No \x00 ⚓.")]
    )

    told = inbox.outcome("i1")
    assert told is not None
    assert told.message.endswith("⚓.")


def test_overdue_intents_are_still_handed_over_with_a_clock_to_judge_them_by(episode: Episode) -> None:
    """Whether an overdue intent counts depends on what it asks: the domain decides, not the store."""
    inbox = episode.inbox()
    inbox.put(intent("late", AskAgain(), not_after_s=1.0))

    (taken,), clock_s = inbox.take()

    assert taken.not_after_s < clock_s


def test_the_clock_does_not_go_back(episode: Episode) -> None:
    inbox = episode.inbox()
    _, first_s = inbox.take()
    _, second_s = inbox.take()

    assert second_s >= first_s


def test_a_withdrawn_intent_is_never_taken(episode: Episode) -> None:
    inbox, name = episode.inbox(), "i1"
    inbox.put(intent("i1", AskAgain()))

    assert inbox.withdraw(name)

    assert list(inbox.take()[0]) == []
    assert inbox.outcome(name) is None
    assert not inbox.withdraw(name), "only once"


def test_what_is_decided_cannot_be_withdrawn(episode: Episode) -> None:
    inbox, journal, name = episode.inbox(), episode.claim(), "i1"
    inbox.put(intent("i1", AskAgain()))
    journal.append(Drill(episode.name).events, [Settlement(intent_id=name, applied=True)])

    assert not inbox.withdraw(name)

    assert inbox.outcome(name) == Settlement(intent_id=name, applied=True)


@pytest.mark.parametrize("action", [ACTIONS[0], ACTIONS[2], ACTIONS[4]], ids=["hold", "abort", "deny"])
def test_a_stop_cannot_be_taken_back(episode: Episode, action: Action) -> None:
    inbox = episode.inbox()
    inbox.put(intent("stop", action))

    assert not inbox.withdraw("stop")

    assert len(inbox.take()[0]) == 1


def test_unknown_intents_have_no_outcome_and_cannot_be_withdrawn(episode: Episode) -> None:
    inbox = episode.inbox()

    assert inbox.outcome("nobody's") is None
    assert not inbox.withdraw("nobody's")


def test_what_a_person_sent_lately_is_counted_but_for_holds(episode: Episode) -> None:
    """By whatever process it came: so that a bound on it is one for all of them."""
    inbox, journal = episode.inbox(), episode.claim()
    for name in ("refused", "applied", "waits", "back"):
        inbox.put(intent(name, Guide(text=name)))
    for action in (Hold(stop_id="s1"), Attempted(what="x", code="y", message="z")):
        inbox.put(intent(kind_of(action), action))
    inbox.put(intent("bob's", AskAgain(), actor="bob"))
    episode.another().inbox().put(intent("elsewhere", AskAgain()))
    settled = [Settlement(intent_id=name, applied=name == "applied") for name in ("refused", "applied")]
    journal.append(Drill(episode.name).events, settled)
    inbox.withdraw("back")

    sent, now_s = episode.inbox().lately("ada", 60.0)

    assert [(each.kind, each.applied) for each in sent] == [
        ("guide", False), ("guide", True), ("guide", None), ("guide", None)
    ]  # fmt: skip
    assert all(now_s - 60.0 < each.at_s <= now_s for each in sent)
    assert inbox.lately("ada", 0.0)[0] == inbox.lately("eve", 60.0)[0] == type(sent)()


def test_fifty_intents_at_once_are_all_there_once(episode: Episode) -> None:
    inbox, start = episode.inbox(), threading.Barrier(50)

    def put(n: int) -> None:
        start.wait()
        inbox.put(intent(f"i{n}", Guide(text=str(n))))

    with ThreadPoolExecutor(50) as pool:
        list(pool.map(put, range(50)))

    taken = [each.id for each in inbox.take()[0]]
    assert sorted(taken) == sorted(f"i{n}" for n in range(50))


def test_of_a_withdrawal_and_a_decision_at_once_one_wins(episode: Episode) -> None:
    """Never both: the operator is told that nothing happened exactly when nothing did."""
    inbox, journal, name = episode.inbox(), episode.claim(), "i1"
    inbox.put(intent("i1", AskAgain()))
    start = threading.Barrier(2)

    def withdraw() -> bool:
        start.wait()
        return inbox.withdraw(name)

    def decide() -> bool:
        start.wait()
        try:
            journal.append(Drill(episode.name).events, [Settlement(intent_id=name, applied=True)])
        except IntentWithdrawn:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        withdrawn, decided = pool.submit(withdraw), pool.submit(decide)
        assert withdrawn.result() is not decided.result()

    assert (inbox.outcome(name) is not None) is decided.result()


def intent(name: str, action: Action, *, not_after_s: float = 4e9, actor: str = "ada") -> Intent:
    return Intent(id=name, actor=actor, role="operator", action=action, not_after_s=not_after_s)
