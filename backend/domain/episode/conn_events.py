"""The journal's events about who commands. `backend.domain.episode.events` has the rest, and all of them."""

from __future__ import annotations

from msgspec import Struct


class ConnTaken(Struct, frozen=True, kw_only=True, tag="conn.taken"):
    """`how` it came from `over`: handed over, by an admin, no answer came; empty where nobody had it."""

    holder: str
    over: str | None
    expires_s: float
    how: str = ""


class ConnRenewed(Struct, frozen=True, kw_only=True, tag="conn.renewed"):
    holder: str
    expires_s: float


class ConnGivenUp(Struct, frozen=True, kw_only=True, tag="conn.given_up"):
    holder: str
    reason: str


class ConnAsked(Struct, frozen=True, kw_only=True, tag="conn.asked"):
    """`by` wants the conn of `of`. `asked_s` is on the database's clock."""

    by: str
    of: str
    asked_s: float
    reason: str = ""


class ConnKept(Struct, frozen=True, kw_only=True, tag="conn.kept"):
    """The holder refused the request."""

    holder: str
    asked_by: str
    reason: str = ""


class ConnLapsed(Struct, frozen=True, kw_only=True, tag="conn.lapsed"):
    """The holder's page fell silent and the lease ran out. `then`: what the mission says of that."""

    holder: str
    then: str
