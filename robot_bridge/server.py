"""The bridge's WebSocket server: many clients, one bridge, one thread.

Commands are taken one after the other. What a command brings about goes out before its reply, and to every
client that sent `resume`. A browser's page cannot connect: its requests carry an Origin.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
from http import HTTPStatus

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from robot_bridge import contract
from robot_bridge.bridge import Bridge
from robot_bridge.ledger import Message

log = logging.getLogger(__name__)

LARGEST_MESSAGE_BYTES = 16 * 1024 * 1024
"""Far above what the contract takes, so that a message too long gets an answer, not a closed line."""
TICK_S = 0.05
CLOCK_EVERY_S = 1.0
PATIENCE = 2_000
"""Messages that may wait for one slow client. Telemetry is left out from a tenth of that on."""


class Client:
    """One connection, with what is to be sent on it."""

    def __init__(self, connection: ServerConnection) -> None:
        self.connection = connection
        self.is_subscribed = False
        self._waiting: asyncio.Queue[str] = asyncio.Queue(PATIENCE)

    def send(self, message: Message, text: str | None = None) -> None:
        """Queue a message; `text` is its JSON, where that has been made for another client already."""
        is_made_up_for = message.get("report") == 0 and message["kind"] != "map"  # one may be the last
        if is_made_up_for and self._waiting.qsize() > PATIENCE // 10:
            return
        try:
            self._waiting.put_nowait(text or json.dumps(message))
        except asyncio.QueueFull:
            log.warning("a client reads too slowly; it is disconnected and can resume by report number")
            self.connection.transport.abort()

    async def deliver(self) -> None:
        while True:
            await self.connection.send(await self._waiting.get())


class BridgeServer:
    """`token`: what clients must show as `Authorization: Bearer`; None asks for nothing."""

    def __init__(self, bridge: Bridge, token: str | None = None, tick_s: float = TICK_S) -> None:
        self._bridge = bridge
        self._token = token
        self._tick_s = tick_s
        self._clients: set[Client] = set()

    async def listen(self, host: str, port: int) -> Server:
        return await serve(
            self._serve,
            host,
            port,
            origins=[None],
            process_request=self._admit,
            max_size=LARGEST_MESSAGE_BYTES,
            compression=None,
        )

    async def keep_time(self) -> None:
        """Tick the bridge for ever, and tell its clients once a second that it lives."""
        loop = asyncio.get_running_loop()
        next_clock_s = 0.0
        while True:
            self._bridge.tick()
            self._publish()
            if loop.time() >= next_clock_s:
                next_clock_s = loop.time() + CLOCK_EVERY_S
                self._broadcast(self._bridge.clock())
            await asyncio.sleep(self._tick_s)

    def shut_down(self) -> None:
        self._bridge.shut_down()
        self._publish()

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        if self._token is None:
            return None
        shown = request.headers.get("Authorization", "")
        if hmac.compare_digest(shown.encode(), f"Bearer {self._token}".encode()):
            return None
        return connection.respond(
            HTTPStatus.UNAUTHORIZED, "Send the bridge's token as Authorization: Bearer.\n"
        )

    async def _serve(self, connection: ServerConnection) -> None:
        client = Client(connection)
        self._clients.add(client)
        delivery = asyncio.create_task(client.deliver())
        try:
            async for raw in connection:
                self._answer(client, raw)
        except ConnectionClosed:
            pass
        finally:
            self._clients.discard(client)
            delivery.cancel()
            await asyncio.gather(delivery, return_exceptions=True)

    def _answer(self, client: Client, raw: str | bytes) -> None:
        try:
            command = contract.read(raw)
        except contract.ContractError as error:
            client.send(contract.refused(None, "contract", error.field, error.problem, error.remedy))
            return
        reply = self._bridge.handle(command)
        self._publish()
        if reply["ok"] and command["op"] == "resume":
            for report in self._bridge.kept_reports(command["after"]):
                client.send(report)
            client.is_subscribed = True
        client.send(reply)

    def _publish(self) -> None:
        for report in self._bridge.drain():
            self._broadcast(report)

    def _broadcast(self, report: Message) -> None:
        text = json.dumps(report)
        for client in self._clients:
            if client.is_subscribed:
                client.send(report, text)
