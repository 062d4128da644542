"""A click on its way: awaited, taken back by compare-and-set, and never both."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from msgspec.structs import replace

from backend.domain.command.intents import AskAgain, Hold, Intent, Settlement
from backend.usecases.doubles import MemoryEpisode, MemoryInbox
from backend.web.answers import told
from backend.web.commanding import NOT_AFTER_S, Answer, Commands
from backend.web.deps import Deps
from tests.web.moments import ADA
from tests.web.stand import SETTINGS


@dataclass
class Given:
    """What `Commands` needs of Deps. `on_look` is called before each look at the outcome."""

    inbox_: MemoryInbox
    on_look: Callable[[], None] = lambda: None
    settings: Any = field(default_factory=lambda: replace(SETTINGS, answer_within_s=0.15))

    def inbox(self, episode: str) -> Any:
        given = self

        class Watched(MemoryInbox):
            def outcome(self, intent_id: str) -> Settlement | None:
                given.on_look()
                return super().outcome(intent_id)

        return Watched(given.inbox_.episode)

    def clock_s(self) -> float:
        return 1000.0


ASK_AGAIN = AskAgain()


def send(given: Given, action: Any = ASK_AGAIN, intent_id: str = "") -> tuple[Answer, list[str]]:
    nudged: list[str] = []

    async def nudge(episode: str) -> None:
        nudged.append(episode)

    commands = Commands(cast(Deps, given), nudge)
    answer = asyncio.run(commands.send("e1", ADA, action, intent_id=intent_id))
    return answer, nudged


@pytest.fixture
def inbox() -> MemoryInbox:
    return MemoryInbox(MemoryEpisode(lambda: 1000.0))


def settle(inbox: MemoryInbox, *, applied: bool = True) -> None:
    """As a runner would, with the intent it finds."""
    for intent in inbox.take()[0]:
        settlement = Settlement(intent_id=intent.id, applied=applied, code="applied" if applied else "conn")
        inbox.episode.claim().append([], [settlement])


def test_a_click_carries_who_and_until_when(inbox: MemoryInbox) -> None:
    seen: list[Intent] = []

    def look() -> None:
        seen.extend(inbox.take()[0])

    _, nudged = send(Given(inbox, look))
    assert (seen[0].actor, seen[0].role, seen[0].not_after_s) == ("ada", "operator", 1000.0 + NOT_AFTER_S)
    assert nudged == ["e1"]
    assert len({intent.id for intent in seen}) == 1


def test_what_is_decided_is_answered(inbox: MemoryInbox) -> None:
    answer, _ = send(Given(inbox, lambda: settle(inbox)))
    assert answer.settlement is not None
    assert answer.settlement.applied


def test_what_nobody_decides_is_taken_back_and_stays_back(inbox: MemoryInbox) -> None:
    answer, _ = send(Given(inbox))
    assert (answer.settlement, answer.withdrawn) == (None, True)
    assert inbox.take()[0] == ()


def test_what_was_taken_back_is_not_said_to_wait_when_it_is_sent_again(inbox: MemoryInbox) -> None:
    first, again = send(Given(inbox), intent_id="k")[0], send(Given(inbox), intent_id="k")[0]
    assert first == again
    assert (again.settlement, again.withdrawn, inbox.take()[0]) == (None, True, ())


def test_a_stop_is_never_taken_back(inbox: MemoryInbox) -> None:
    answer, _ = send(Given(inbox), Hold(stop_id="s"))
    assert (answer.settlement, answer.withdrawn) == (None, False)
    assert len(inbox.take()[0]) == 1


def test_what_is_decided_at_the_last_moment_counts_and_is_not_said_to_be_taken_back(
    inbox: MemoryInbox,
) -> None:
    """The runner decides between the last look and the withdrawal."""
    given = Given(inbox)
    original = MemoryInbox.withdraw

    class Late(MemoryInbox):
        def withdraw(self, intent_id: str) -> bool:
            settle(inbox)
            return original(self, intent_id)

    given.inbox = lambda episode: Late(inbox.episode)  # type: ignore[method-assign]
    answer, _ = send(given)
    assert answer.settlement is not None
    assert (answer.settlement.applied, answer.withdrawn) == (True, False)


ANSWERS = {
    "applied": (Answer(settlement=Settlement(intent_id="i", applied=True)), 200, ""),
    "refused": (
        Answer(
            settlement=Settlement(
                intent_id="i", applied=False, code="stale", message="Older beliefs.", remedy="Look again."
            )
        ),
        409,
        "Older beliefs.",
    ),
    "a wrong field": (
        Answer(
            settlement=Settlement(
                intent_id="i", applied=False, code="invalid_plan", message="Step 2.", remedy="Mend it."
            )
        ),
        422,
        "",
    ),
    "taken back": (Answer(settlement=None, withdrawn=True), 409, "No runner answered in time."),
    "a stop that waits": (Answer(settlement=None), 409, "Asked, not answered yet."),
}


@pytest.mark.parametrize(("answer", "status", "title"), ANSWERS.values(), ids=ANSWERS)
def test_what_the_page_says_of_it(answer: Answer, status: int, title: str) -> None:
    said = told(answer, "Your click")
    assert (said.status, said.notice.title if said.notice else "") == (status, title)
    assert bool(said.errors) is (status == 422)
