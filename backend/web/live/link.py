"""The web's end of a runner's socket: messages in, nudges out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from backend.usecases.live import NUDGE, LiveMessage, decode_live

CONNECT_S = 2.0


class RunnerLink(Protocol):
    """An open subscription to one episode's runner."""

    def messages(self) -> AsyncIterator[LiveMessage]:
        """Ends when the runner has gone."""

    async def nudge(self) -> None:
        """Something new lies in the inbox. Never raises: a nudge that is lost costs a pass of the runner."""


class SocketLink:
    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    async def messages(self) -> AsyncIterator[LiveMessage]:
        try:
            async for text in self._socket:
                try:
                    message = decode_live(text)
                except msgspec.MsgspecError:
                    continue  # of a newer runner: what it means, the database says as well
                yield message
        except ConnectionClosed:
            return

    async def nudge(self) -> None:
        try:
            await self._socket.send(NUDGE)
        except ConnectionClosed:
            return


@asynccontextmanager
async def connect(address: str) -> AsyncIterator[RunnerLink]:
    """Raises OSError when no runner listens at `address`."""
    try:
        opened = open_socket(address, open_timeout=CONNECT_S, compression=None, proxy=None)
        async with opened as socket:
            yield SocketLink(socket)
    except (InvalidHandshake, InvalidURI, TimeoutError) as error:
        raise OSError(f"No runner answers there: {error}") from error
