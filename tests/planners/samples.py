"""Queries as the real loop asks them, and planners with settings that suit tests."""

from functools import cache
from typing import Any

from backend.domain.query.query import Query, Reply
from backend.planners.openai import OpenAIPlanner
from backend.planners.policy import PolicyPlanner
from backend.planners.settings import OpenAISettings
from tests.support.episodes import play

MODEL = "gpt-5-mini-2025-08-07"


class Listening:
    """Plans by the policy and keeps what it was asked."""

    def __init__(self) -> None:
        self.queries: list[Query] = []

    def propose(self, query: Query) -> Reply:
        self.queries.append(query)
        return PolicyPlanner().propose(query)


@cache
def queries(scenario: str = "s-6", seed: int = 1) -> tuple[Query, ...]:
    """Everything that one whole episode asks its planner."""
    listening = Listening()
    play(scenario, seed=seed, planner=listening).run()
    return tuple(listening.queries)


def first_query() -> Query:
    return queries()[0]


def settings(url: str, **changes: Any) -> OpenAISettings:
    """Patient enough for a busy machine, and quick to ask again."""
    usual: dict[str, Any] = {"model": MODEL, "base_url": url, "backoff_s": 0.01, "deadline_s": 20.0}
    return OpenAISettings(**(usual | changes))


def planner(url: str, **changes: Any) -> OpenAIPlanner:
    return OpenAIPlanner(settings(url, **changes))
