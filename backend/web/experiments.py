"""What the pages are told of what-ifs, in the sandbox's own values; and what they may ask for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from backend.domain.refusal import Refusal
from backend.sandbox.asking import Composed
from backend.sandbox.calls import Call
from backend.sandbox.change import Asked
from backend.sandbox.looking import Look
from backend.sandbox.results import Experiment


class WhatIfs(Protocol):
    """Each raises the store's error for an episode that is not there."""

    def look(self, episode: str, asked: Asked) -> Look | Refusal:
        """What would be asked and what it would cost; asks nobody."""

    def start(self, episode: str, look: Look, by: str) -> int | Refusal:
        """The number of the what-if that is under way now."""

    def one(self, episode: str, number: int) -> Experiment | None: ...

    def all(self, episode: str) -> Sequence[Experiment]:
        """The newest first, without what was found."""

    def calls(self, episode: str, experiment: Experiment) -> Sequence[tuple[Call, Composed | None]]:
        """The recorded calls of its answers, each with what it was shown where the journal holds no text."""
