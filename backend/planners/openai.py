"""The `openai` planner: a model behind the Responses API or chat completions, at OpenAI or elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import copy

from msgspec.structs import replace

from backend.domain.plans.catalogue import Catalogue
from backend.domain.plans.decode import DecodeFailure, decode_reply
from backend.domain.query.query import Attempt, Proposal, Query, Reply
from backend.planners.asking import Asker, ask
from backend.planners.pictures import LoadPicture, nothing_stored
from backend.planners.prices import Prices, load_prices
from backend.planners.question import question_of
from backend.planners.settings import OpenAISettings, endpoint_of

NAME = "openai"


class OpenAIPlanner:
    """Asks anew for each query and keeps nothing. Bad settings raise PlannerConfigurationError here."""

    def __init__(
        self,
        settings: OpenAISettings,
        *,
        load_picture: LoadPicture = nothing_stored,
        prices: Prices | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = settings
        self._prompt = ""
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
        question = question_of(query)
        if self._prompt:
            question = replace(question, instructions=self._prompt)
        tries = ask(question, self._asker)
        last, proposal = judged(tries[-1].attempt, tries[-1].text, query.catalogue)
        return Reply(
            decision=query.decision,
            attempt=query.attempt,
            proposal=proposal,
            attempts=(*(made.attempt for made in tries[:-1]), last),
            metas=tuple(made.meta for made in tries),
        )


def judged(attempt: Attempt, text: str, catalogue: Catalogue) -> tuple[Attempt, Proposal | None]:
    """The attempt with its final verdict, and the proposal if the text is one."""
    if attempt.verdict != "ok":
        return attempt, None
    read = decode_reply(text, catalogue)
    if isinstance(read, DecodeFailure):
        return replace(attempt, verdict=read.verdict, detail=str(read)), None
    return attempt, read
