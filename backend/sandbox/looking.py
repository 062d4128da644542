"""A what-if before it is asked: which calls, what they would be shown, at what cost, what is in the way."""

from __future__ import annotations

from msgspec import Struct

from backend.domain.episode.state import State
from backend.domain.refusal import Refusal
from backend.sandbox.asking import Composed
from backend.sandbox.calls import Call
from backend.sandbox.change import Asked
from backend.sandbox.estimate import Estimate, shown_digest
from backend.sandbox.purse import Allowance


class Look(Struct, frozen=True, kw_only=True):
    """`calls`: those to be asked again, the first at `asked.at`. `state`: right before it; `usual`: what it
    was shown with nothing changed, `composed` with the change, None where that is refused. `beyond`: how many
    further calls the episode had; `head`: its last event. `refusal`: why it may not be asked; `not_on`: why
    it cannot be run on.
    """

    asked: Asked
    state: State
    planner: str
    calls: tuple[Call, ...]
    beyond: int
    head: int
    usual: Composed
    composed: Composed | None
    estimate: Estimate
    left: Allowance
    refusal: Refusal | None = None
    not_on: Refusal | None = None

    @property
    def decision(self) -> int:
        """Of the call that the moment is in or after."""
        return self.calls[0].decision

    @property
    def digest(self) -> str:
        """Of what a page showed: only that may be started."""
        return shown_digest(self.asked, self.estimate)
