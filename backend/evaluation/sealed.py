"""The inbox of an episode in which nothing can be commanded: it answers every intent, and keeps none."""

from __future__ import annotations

from collections.abc import Callable

from backend.domain.access.floods import Sent
from backend.domain.command.intents import Intent, Settlement


class SealedInbox:
    """`clock_s`: epoch seconds on the database's clock."""

    def __init__(self, clock_s: Callable[[], float]) -> None:
        self._clock_s = clock_s

    def take(self) -> tuple[tuple[Intent, ...], float]:
        return (), self._clock_s()

    def put(self, intent: Intent) -> None:
        """Nobody will ever take it."""

    def outcome(self, intent_id: str) -> Settlement | None:
        return Settlement(
            intent_id=intent_id,
            applied=False,
            code="evaluation",
            message="This is an evaluation’s episode: it was played already, and no robot is behind it.",
            remedy="Start an episode of its mission to command one.",
        )

    def withdraw(self, intent_id: str) -> bool:
        return False

    def came_s(self, intent_id: str) -> float | None:
        return None

    def lately(self, actor: str, within_s: float) -> tuple[tuple[Sent, ...], float]:
        return (), self._clock_s()
