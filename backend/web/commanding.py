"""An operator's action on its way: into the inbox, the runner nudged, the outcome awaited, or taken back.

It commands nothing by itself. An action that nobody has decided in time is withdrawn by compare-and-set, so
that it either counts or never will; a stop stays, for nobody takes a stop back.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from typing import Literal

from msgspec import Struct
from starlette.concurrency import run_in_threadpool

from backend.domain.command.intents import STOPPING, Action, Intent, Settlement
from backend.domain.command.writing import refuse_unwritable
from backend.usecases.failpoints import failpoint
from backend.web.deps import Deps, Inbox
from backend.web.errors import Malformed
from backend.web.floods import check_flood
from backend.web.pages.chrome import User

NOT_AFTER_S = 10.0
"""A click that no runner took within this long no longer counts; stops do."""
FIRST_LOOK_S = 0.01
SLOWEST_LOOK_S = 0.1

Bridge = Literal["", "silent", "told", "standing"]
"""It did not answer in time; it has the stop latched; it has, and the robot stood still already."""

Nudge = Callable[[str], Awaitable[None]]


class Answer(Struct, frozen=True, kw_only=True):
    """`settlement` None: nobody decided in time. Then `withdrawn` says whether it can still be decided.
    `bridge`: what came of telling it directly; empty where it was not to be told. `stop_id`: as which a
    stop that was told so is in force."""

    settlement: Settlement | None
    withdrawn: bool = False
    intent_id: str = ""
    bridge: Bridge = ""
    stop_id: str = ""


class Commands:
    """Sends actions of one process's requests. `nudge` wakes an episode's runner, and may do nothing."""

    def __init__(self, deps: Deps, nudge: Nudge) -> None:
        self._deps = deps
        self._nudge = nudge

    async def send(
        self, episode: str, user: User, action: Action, within_s: float | None = None, intent_id: str = ""
    ) -> Answer:
        """`intent_id`: of the sender's own, so that the same sent again is the same; else a new one.

        Raises the store's error for an unknown episode, TooMany for who was refused again and again, and
        Malformed for a text that cannot be kept.
        """
        unwritable = refuse_unwritable(action)
        if unwritable is not None:
            said = unwritable.refusal
            raise Malformed(said.message, remedy=said.remedy, code=said.code, field=unwritable.field)
        inbox = self._deps.inbox(episode)
        await run_in_threadpool(check_flood, inbox, user.name, action)
        sent = await run_in_threadpool(self.put, episode, user.name, user.role, action, intent_id)
        await self._nudge(episode)
        settled = await self._await(inbox, sent, within_s or self._deps.settings.answer_within_s)
        if settled is not None:
            return Answer(settlement=settled, intent_id=sent)
        if await run_in_threadpool(inbox.withdraw, sent):
            return Answer(settlement=None, withdrawn=True, intent_id=sent)
        # Decided between the last look and the withdrawal; a stop, which stays; or, sent once already, taken
        # back then.
        settled = await run_in_threadpool(inbox.outcome, sent)
        is_back = settled is None and not isinstance(action, STOPPING)
        return Answer(settlement=settled, withdrawn=is_back, intent_id=sent)

    def put(self, episode: str, name: str, role: str, action: Action, intent_id: str = "") -> str:
        """Into the inbox, and no more. The intent's id."""
        intent = Intent(
            id=intent_id or uuid.uuid4().hex,
            actor=name,
            role=role,
            action=action,
            not_after_s=self._deps.clock_s() + NOT_AFTER_S,
        )
        failpoint("before-put")
        self._deps.inbox(episode).put(intent)
        failpoint("after-put")
        return intent.id

    async def _await(self, inbox: Inbox, intent_id: str, within_s: float) -> Settlement | None:
        clock = asyncio.get_running_loop().time
        deadline, pause_s = clock() + within_s, FIRST_LOOK_S
        while True:
            settled = await run_in_threadpool(inbox.outcome, intent_id)
            if settled is not None or clock() >= deadline:
                return settled
            await asyncio.sleep(pause_s)
            pause_s = min(SLOWEST_LOOK_S, pause_s * 1.5)
