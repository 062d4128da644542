"""What the page of storage is given: how much there is, what rules would let go, and the letting go."""

from __future__ import annotations

from typing import Protocol

from backend.domain.refusal import Refusal
from backend.domain.retention.rules import Rules
from backend.domain.retention.told import Gone, Preview, Usage


class Storage(Protocol):
    def usage(self) -> Usage: ...

    def preview(self, rules: Rules) -> Preview | Refusal:
        """Changes nothing."""

    def let_go(self, rules: Rules, shown_digest: str, by: str) -> Gone | Refusal:
        """Exactly what was shown goes, or nothing: a Refusal with code `digest`."""
