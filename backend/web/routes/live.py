"""`GET /live`: the one socket of a tab (docs/reference/live.md). Who answers it keeps the conn."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from starlette.concurrency import run_in_threadpool

from backend.domain.command.conn import held_at
from backend.domain.command.intents import RenewConn
from backend.web.console import Console
from backend.web.errors import NotBegun, TooMany
from backend.web.guard.session import SIGNED_OUT
from backend.web.guard.visitor import visitor_of
from backend.web.live.tab import Tab, TabAheadError, TabBehindError
from backend.web.pages.chrome import User

WRONG_SEQ = 4400
UNKNOWN = 4404
BEHIND = 4409
AHEAD = 4412
TRY_AGAIN = 1013
RENEW_BEFORE_S = 40.0
"""The conn is renewed when it has this much left, or less."""
RENEW_EVERY_S = 5.0
LOOK_AT_SESSION_S = 30.0
LARGEST_SEQ = 2**53


def router(console: Console) -> APIRouter:
    routes = APIRouter()

    @routes.websocket("/live")
    async def live(socket: WebSocket, episode: str = "", after: str = "0") -> None:
        """`after`: the last seq that the page knows."""
        await socket.accept()
        user = cast(User, socket.scope["state"]["user"])
        seq = seq_of(after)
        if seq is None:
            await socket.close(WRONG_SEQ, "after is the seq of an event: a whole number, 0 or more")
            return
        try:
            async with _told(console, episode, seq) as tab:
                await _talk(console, socket, tab, episode, user)
        except console.deps.missing:
            await socket.close(UNKNOWN)
        except TabBehindError:
            await socket.close(BEHIND)
        except TabAheadError as ahead:
            await socket.close(AHEAD, str(ahead))
        except SessionOverError:
            await socket.close(SIGNED_OUT)
        except WebSocketDisconnect:
            return
        except NotBegun:
            await socket.close(TRY_AGAIN)
        except console.deps.failed:
            await socket.close(TRY_AGAIN)

    return routes


def seq_of(text: str) -> int | None:
    """None for what is no seq. A browser is told so by a close code: a refused handshake says nothing."""
    is_number = text.isascii() and text.isdigit() and len(text) <= 16
    return int(text) if is_number and int(text) <= LARGEST_SEQ else None


@asynccontextmanager
async def _told(console: Console, episode: str, seq: int) -> AsyncIterator[Tab]:
    """A page that shows no episode is told what needs a person, and nothing else."""
    if not episode:
        alone = Tab(0)
        async with console.lookout.tab(alone, alone=True):
            yield alone
        return
    await run_in_threadpool(console.deps.reader.episode, episode)
    async with console.hub.tab(episode, seq) as tab, console.lookout.tab(tab):
        yield tab


class SessionOverError(Exception):
    """The session ended while the socket was open."""


async def _talk(console: Console, socket: WebSocket, tab: Tab, episode: str, user: User) -> None:
    """Until either side ends it."""
    doing = [
        asyncio.create_task(_send(socket, tab)),
        asyncio.create_task(_listen(console, socket, episode, user)),
        asyncio.create_task(_watch_session(console, socket)),
    ]
    try:
        done, _ = await asyncio.wait(doing, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in doing:
            task.cancel()
        for task in doing:
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task


async def _send(socket: WebSocket, tab: Tab) -> None:
    while True:
        await socket.send_text(await tab.next())


async def _listen(console: Console, socket: WebSocket, episode: str, user: User) -> None:
    """Every answer shows that somebody's page is alive; what it says does not matter."""
    renewed_s = 0.0
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        if episode and time.monotonic() - renewed_s >= RENEW_EVERY_S:
            renewed_s = time.monotonic()
            if await run_in_threadpool(_needs_renewal, console, episode, user):
                with contextlib.suppress(TooMany):  # by a script of theirs; what they see goes on
                    await console.commands.send(episode, user, RenewConn(), within_s=1.0)


def _needs_renewal(console: Console, episode: str, user: User) -> bool:
    state = console.chronicles.of(episode).newest().state
    now_s = console.deps.clock_s()
    conn = held_at(state.conn, now_s)
    if state.ending is not None or conn is None or conn.holder != user.name:
        return False
    return not conn.lasts(now_s + RENEW_BEFORE_S)


async def _watch_session(console: Console, socket: WebSocket) -> None:
    idle_s, visitor = console.deps.settings.session_idle_s, visitor_of(socket.scope)
    session = visitor.session if visitor is not None else ""
    while True:
        await asyncio.sleep(LOOK_AT_SESSION_S)
        if not await run_in_threadpool(console.deps.accounts.is_open, session, idle_s):
            raise SessionOverError
