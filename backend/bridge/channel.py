"""One connection to a bridge process at a time, made again whenever it breaks.

A thread of its own connects, greets and reads; any thread may ask. An answer that does not come within the
bound cuts the connection, since a line that swallows one message swallows the next as well.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import logging
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Overdue
from typing import Any, NamedTuple, Protocol

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from backend.usecases.ports import BridgeError, BridgeRefused, BridgeUnreachable
from robot_bridge import contract

log = logging.getLogger(__name__)

Message = dict[str, Any]

REPLY_S = 3.0
OPEN_S = 3.0
FIRST_BACKOFF_S = 0.05
LONGEST_BACKOFF_S = 1.0
LARGEST_MESSAGE = 64 * 1024 * 1024
"""An outcome may carry some seventeen pictures."""


class Address(NamedTuple):
    """Where a bridge listens, `ws://HOST:PORT`, and the token that it asks for, empty for none."""

    url: str
    token: str = ""


class Listener(Protocol):
    """Called from the channel's thread."""

    def greet(self, channel: Channel) -> None:
        """Runs on each new connection before anything else may be asked; asks by `ask_in_greeting`."""

    def report(self, message: Message) -> None:
        """A report that keeps the contract."""

    def fault(self, problem: str) -> None:
        """A message that breaks the contract was skipped."""

    def refused(self, operation: str, refusal: BridgeRefused) -> None:
        """A command that nobody waits for was refused."""


class _Asked(NamedTuple):
    operation: str
    reply: Future[Message] | None


class Channel:
    """`find` is asked before each attempt, since a bridge that was started anew may listen elsewhere."""

    def __init__(self, find: Callable[[], Address], listener: Listener, *, reply_s: float = REPLY_S) -> None:
        self._find = find
        self._listener = listener
        self._reply_s = reply_s
        self._backoff_s = FIRST_BACKOFF_S
        self._ids = itertools.count(1)
        self._asked: dict[int, _Asked] = {}
        self._lock = threading.Lock()
        self._connection: ClientConnection | None = None
        self._greeted = threading.Event()
        self._closing = threading.Event()
        self._heard_s = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="bridge channel", daemon=True)
        self.why_not = "it has not been connected yet"

    def open(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self.cut()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout=OPEN_S)

    @property
    def is_open(self) -> bool:
        return self._greeted.is_set()

    @property
    def age_s(self) -> float:
        """How long ago anything was last received."""
        return time.monotonic() - self._heard_s

    def wait_open(self, timeout_s: float) -> bool:
        return self._greeted.wait(timeout_s)

    def cut(self) -> None:
        """Break the connection now; the thread makes another."""
        connection = self._connection
        if connection is not None:
            with contextlib.suppress(OSError):
                connection.socket.shutdown(socket.SHUT_RDWR)

    def ask(self, operation: str, **fields: Any) -> Message:
        """The reply. Raises BridgeRefused, or BridgeUnreachable when none came within the bound."""
        if not self._greeted.is_set():
            raise BridgeUnreachable(f"The bridge cannot be reached: {self.why_not}.")
        reply: Future[Message] = Future()
        self._send(operation, fields, reply)
        try:
            return reply.result(self._reply_s)
        except Overdue:
            self.cut()
            raise BridgeUnreachable(
                f"The bridge did not answer {operation} within {self._reply_s:g} s."
            ) from None

    def post(self, operation: str, **fields: Any) -> None:
        """Ask without waiting for the reply: for what may get lost."""
        if self._greeted.is_set():
            with contextlib.suppress(BridgeUnreachable):
                self._send(operation, fields, None)

    def ask_in_greeting(self, operation: str, **fields: Any) -> Message:
        """As `ask`, from within `greet`: reads the reply on the channel's own thread."""
        reply: Future[Message] = Future()
        self._send(operation, fields, reply)
        deadline_s = time.monotonic() + self._reply_s
        while not reply.done():
            if self._connection is None:
                raise BridgeUnreachable("The connection was closed.")
            try:
                raw = self._connection.recv(timeout=max(0.0, deadline_s - time.monotonic()))
            except TimeoutError:
                raise BridgeUnreachable(f"The bridge did not answer {operation}.") from None
            self._take(raw)
        return reply.result()

    def _send(self, operation: str, fields: Message, reply: Future[Message] | None) -> None:
        connection = self._connection
        if connection is None:
            raise BridgeUnreachable(f"The bridge cannot be reached: {self.why_not}.")
        with self._lock:
            number = next(self._ids)
            self._asked[number] = _Asked(operation, reply)
        try:
            connection.send(json.dumps({"op": operation, "id": number, **fields}))
        except (ConnectionClosed, OSError) as error:
            with self._lock:
                self._asked.pop(number, None)
            raise BridgeUnreachable(f"The connection to the bridge broke: {error}.") from error

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._converse()
                self._tell("the bridge closed the connection")
            except (BridgeError, OSError, WebSocketException) as error:
                self._tell(str(error) or type(error).__name__)
            except Exception:
                log.exception("a defect broke the connection to the bridge; it is made again")
            finally:
                self._gone()
            self._closing.wait(self._backoff_s)
            self._backoff_s = min(2 * self._backoff_s, LONGEST_BACKOFF_S)

    def _converse(self) -> None:
        """Connect, greet, and read until the connection ends."""
        address = self._find()
        with connect(
            address.url,
            additional_headers={"Authorization": f"Bearer {address.token}"} if address.token else None,
            open_timeout=OPEN_S,
            close_timeout=1,
            max_size=LARGEST_MESSAGE,
            max_queue=None,
            compression=None,
            proxy=None,
        ) as connection:
            self._connection = connection
            self._heard_s = time.monotonic()
            self._listener.greet(self)
            self._greeted.set()
            self._backoff_s = FIRST_BACKOFF_S
            for raw in connection:
                self._take(raw)

    def _tell(self, reason: str) -> None:
        if reason != self.why_not and not self._closing.is_set():
            log.warning("bridge out of reach: %s", reason)
        self.why_not = reason

    def _gone(self) -> None:
        self._greeted.clear()
        self._connection = None
        with self._lock:
            asked, self._asked = self._asked, {}
        for each in asked.values():
            if each.reply is not None:
                each.reply.set_exception(BridgeUnreachable("The connection to the bridge broke."))

    def _take(self, raw: str | bytes) -> None:
        self._heard_s = time.monotonic()
        try:
            message = contract.read(raw, LARGEST_MESSAGE)
            if "re" not in message:
                self._listener.report(contract.check_report(message))
                return
        except contract.ContractError as error:
            self._listener.fault(str(error))
            return
        with self._lock:
            asked = self._asked.pop(message["re"], None) if isinstance(message["re"], int) else None
        if asked is not None:
            self._answer(asked, message)
        elif message["re"] is None:
            self._listener.fault(f"The bridge could not read a command: {message.get('error')}")

    def _answer(self, asked: _Asked, message: Message) -> None:
        try:
            contract.check_reply(asked.operation, message)
        except contract.ContractError as error:
            # It may have been done all the same.
            self._listener.fault(str(error))
            if asked.reply is not None:
                asked.reply.set_exception(BridgeUnreachable(f"The bridge's answer is wrong: {error}"))
            return
        if message["ok"]:
            if asked.reply is not None:
                asked.reply.set_result(message)
            return
        fault = message["error"]
        refused = BridgeRefused(fault["code"], f"{fault['field']} {fault['problem']}. {fault['remedy']}")
        if asked.reply is not None:
            asked.reply.set_exception(refused)
        else:
            self._listener.refused(asked.operation, refused)
