"""What the settings page is told of planners: where each is asked, and what a probe found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from backend.web.pages.documents import Fact


class Probed(Struct, frozen=True, kw_only=True):
    """What a probe found. `enforced` None: no answer came, and `detail` says why. `at_s`: epoch seconds."""

    enforced: bool | None
    detail: str
    latency_s: float
    at_s: float


class Endpoint(Struct, frozen=True, kw_only=True):
    """A planner as it is set. `refused`: why it cannot be used, empty where it can. No key stands in it."""

    name: str
    title: str
    meaning: str
    facts: tuple[Fact, ...] = ()
    refused: str = ""
    can_probe: bool = False
    probed: Probed | None = None


class Endpoints(Protocol):
    def all(self) -> Sequence[Endpoint]: ...

    def prices(self) -> Sequence[Fact]:
        """The dated table that costs are computed by."""

    def probe(self, name: str) -> Endpoint:
        """Asks the planner's server once and keeps what it found. Raises NotThere for one that has none."""
