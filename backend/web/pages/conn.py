"""Who commands, in the status bar: the holder, what this person may do about it, and a request that waits."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backend.web.pages.parts import Phrase, Tone

Offer = Literal["take", "ask", "take_over", "give_up", "hand_over", "keep"]


class ConnRequest(Struct, frozen=True, kw_only=True):
    """A request for the conn, as the one who was asked sees it, or the one who asked.

    `ends_ms`: when the holder's time to answer is up, in epoch milliseconds; None when it is, or was
    answered. `look_again_s`: after that long the bar fetches itself, since no event tells of it.
    """

    text: Phrase
    tone: Tone = "quiet"
    offers: tuple[Offer, ...] = ()
    ends_ms: int | None = None
    left: str = ""
    look_again_s: int | None = None


class Conn(Struct, frozen=True, kw_only=True):
    """Who commands. `other`: whom an offer concerns: the holder that the page shows, so that nobody is
    overtaken unawares, or who asked that holder."""

    label: str
    who: str
    initials: str
    offers: tuple[Offer, ...] = ()
    other: str = ""
    request: ConnRequest | None = None

    @property
    def manner(self) -> str:
        """For the look: the first offer, or nothing."""
        return self.offers[0] if self.offers else "nothing"
