"""The `recorded` planner: answers what was answered when the same was asked. It never calls a model.

A question is known by its digest: instructions, blocks, pictures and schema, whichever model it went to. One
that is not on record is answered by an attempt with the verdict `missing`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from backend.domain.query.query import Attempt, AttemptMeta, Query, Reply
from backend.planners.asking import APIS
from backend.planners.manner import USUAL, Manner
from backend.planners.openai import replied
from backend.planners.question import Question
from backend.planners.recording import Exchange
from backend.planners.settings import OpenAISettings

NAME = "recorded"


class RecordedPlanner:
    """Exchanges over one question are given in the order they were recorded; the last is given again."""

    def __init__(self, exchanges: Iterable[Exchange], *, manner: Manner = USUAL) -> None:
        self._manner = manner
        self._recorded: dict[str, list[Exchange]] = defaultdict(list)
        for exchange in exchanges:
            self._recorded[exchange.attempts[-1].request_digest].append(exchange)
        self._given: dict[str, int] = defaultdict(int)

    def propose(self, query: Query) -> Reply:
        question = self._manner.question(query)
        known = self._recorded.get(question.digest)
        if not known:
            return Reply(
                decision=query.decision,
                attempt=query.attempt,
                proposal=None,
                attempts=(_missing(question, len(self._recorded)),),
                metas=(AttemptMeta(),),
            )
        exchange = known[min(self._given[question.digest], len(known) - 1)]
        self._given[question.digest] += 1
        recorded = exchange.attempts[-1]
        return replied(query, exchange.attempts, exchange.metas, text_of(recorded), self._manner)


def text_of(attempt: Attempt) -> str:
    """The text that the model answered, from the stored response."""
    api = APIS.get(attempt.api)
    return "" if api is None else api.read(attempt.response, OpenAISettings(model=attempt.model)).text


def _missing(question: Question, recorded: int) -> Attempt:
    return Attempt(
        verdict="missing",
        detail=(
            f"This question is not among the {recorded} on record: something in it differs."
            " Choose another planner, or record it."
        ),
        model=NAME,
        request_digest=question.digest,
    )
