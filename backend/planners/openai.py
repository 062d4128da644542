"""The `openai` planner: a model behind the Responses API or chat completions, at OpenAI or elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import copy

from msgspec.structs import replace

from backend.domain.demonstration.answer import Answer
from backend.domain.plans.decode import DecodeFailure
from backend.domain.query.query import Attempt, AttemptMeta, Query, Reply
from backend.planners.asking import Asker, ask
from backend.planners.manner import USUAL, Manner
from backend.planners.pictures import LoadPicture, nothing_stored
from backend.planners.prices import Prices, load_prices
from backend.planners.settings import OpenAISettings, endpoint_of

NAME = "openai"


class OpenAIPlanner:
    """Asks anew for each query and keeps nothing. Bad settings raise PlannerConfigurationError here.

    `manner`: how it is asked, where that is not the usual one.
    """

    def __init__(
        self,
        settings: OpenAISettings,
        *,
        load_picture: LoadPicture = nothing_stored,
        prices: Prices | None = None,
        clock: Callable[[], float] = time.monotonic,
        manner: Manner = USUAL,
    ) -> None:
        self.settings = settings
        self._prompt = ""
        self._manner = manner
        self._asker = Asker(
            settings=settings,
            endpoint=endpoint_of(settings),
            load_picture=load_picture,
            prices=prices or load_prices(),
            clock=clock,
        )

    def prompted(self, prompt: str) -> OpenAIPlanner:
        """The same planner, whose model is told `prompt` in place of our instructions."""
        made = copy(self)
        made._prompt = prompt
        return made

    def propose(self, query: Query) -> Reply:
        """Blocks up to `deadline_s`, in a thread without a running event loop."""
        tries = ask(self._manner.question(query, self._prompt), self._asker)
        attempts = tuple(made.attempt for made in tries)
        metas = tuple(made.meta for made in tries)
        return replied(query, attempts, metas, tries[-1].text, self._manner)


def replied(
    query: Query, attempts: tuple[Attempt, ...], metas: tuple[AttemptMeta, ...], text: str, manner: Manner
) -> Reply:
    """The reply that the last attempt's `text` amounts to, that attempt with its final verdict."""
    reply = Reply(
        decision=query.decision, attempt=query.attempt, proposal=None, attempts=attempts, metas=metas
    )
    if attempts[-1].verdict != "ok":
        return reply
    read = manner.read(query, text)
    if isinstance(read, DecodeFailure):
        last = replace(attempts[-1], verdict=read.verdict, detail=str(read))
        return replace(reply, attempts=(*attempts[:-1], last))
    return replace(reply, answer=read) if isinstance(read, Answer) else replace(reply, proposal=read)
