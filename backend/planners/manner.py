"""In which manner a model is asked, and its text read: as most planners are, or in another."""

from __future__ import annotations

from typing import Protocol

from backend.domain.demonstration.answer import Answer, decode_answer
from backend.domain.plans.decode import DecodeFailure, decode_reply
from backend.domain.query.query import Proposal, Query
from backend.planners.question import Question, question_of


class Manner(Protocol):
    """`prompt` stands in place of our instructions, where it is not empty."""

    def question(self, query: Query, prompt: str = "") -> Question: ...

    def read(self, query: Query, text: str) -> Proposal | Answer | DecodeFailure: ...


class Usual:
    """A plan of the catalogue's skills; while a demonstration is shown, its summary."""

    def question(self, query: Query, prompt: str = "") -> Question:
        return question_of(query, prompt)

    def read(self, query: Query, text: str) -> Proposal | Answer | DecodeFailure:
        return decode_answer(text) if query.facts.view is not None else decode_reply(text, query.catalogue)


USUAL = Usual()
