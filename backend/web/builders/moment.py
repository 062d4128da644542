"""What a page is made from: the state at its cursor, the newest state, and what only the present knows."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from backend.domain.command.approval import ApprovalStatus
from backend.domain.command.conn import Conn, held_at
from backend.domain.command.intents import COMMANDING
from backend.domain.episode.state import State
from backend.usecases.reading import Evaluated
from backend.web.pages.chrome import User


class Now(Struct, frozen=True, kw_only=True):
    """`now_s`: the database's clock in epoch seconds, by which leases and approvals expire.

    `ages_s`: seconds since each link was last heard, by key; None: nothing is expected from it.
    `runner_is_up`: a runner's lease has not run out. `undecided_stop`: a hold stands in the inbox that no
    runner has taken yet.
    """

    now_s: float
    ages_s: Mapping[str, float | None] = {}
    runner_is_up: bool = True
    undecided_stop: bool = False


class Moment(Struct, frozen=True, kw_only=True):
    """`at`: the cursor of a replay, None when live; then `state` is `head`. `utc`: when the cursor's event
    was written, ISO 8601. `readings`: what telemetry said of the robot by then, as the page writes it.
    `evaluated`: the episode is of an evaluation, and nothing in it can be commanded by anyone.
    """

    state: State
    head: State
    at: int | None
    utc: str
    viewer: User
    now: Now
    readings: Mapping[str, str] = {}
    evaluated: Evaluated | None = None

    @property
    def episode(self) -> str:
        return self.state.episode

    @property
    def is_live(self) -> bool:
        return self.at is None

    @property
    def is_over(self) -> bool:
        """Nothing can happen in the episode any more, whatever the cursor shows."""
        return self.head.ending is not None or self.evaluated is not None

    @property
    def conn(self) -> Conn | None:
        """Who commands now: the newest state's conn while its lease lasts."""
        return held_at(self.head.conn, self.now.now_s)

    @property
    def why_no_command(self) -> str:
        """Why the viewer may not command here and now, in their words; empty when they may."""
        if self.evaluated is not None:
            return "This is an evaluation’s episode. No robot is or was behind it."
        if not self.is_live:
            return "Nothing here can move the robot."
        if self.viewer.role not in COMMANDING:
            return "You may watch and hold. An operator decides."
        conn = self.conn
        if conn is not None and conn.holder != self.viewer.name:
            return f"{conn.holder} has the conn. Ask for it to decide."
        return ""

    @property
    def may_command(self) -> bool:
        return not self.why_no_command


def waits_for_approval(state: State) -> bool:
    return (
        state.ending is None
        and state.plan is not None
        and state.approval is not None
        and state.approval.status is ApprovalStatus.PENDING
        and state.approval.plan_number == state.plan.number
    )
