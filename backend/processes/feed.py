"""The runner's own socket, on loopback: each web process subscribes here once a watched episode, and nudges.

Nothing is decided here and nothing waits for a reader: one that reads too slowly is disconnected, and finds
what it missed in the database. The address holds a secret path, and a browser's page, which sends an Origin,
is refused.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from backend.domain.episode.events import Recorded, kind_of
from backend.usecases.live import (
    AgeBody,
    AgeMessage,
    EventBody,
    EventMessage,
    TelemetryMessage,
    encode_live,
    telemetry_of,
)

log = logging.getLogger(__name__)

PATIENCE = 2_000
"""Messages that may wait for one reader."""
TELEMETRY_EVERY_S = 0.1
AGES_EVERY_S = 1.0

Ages = Callable[[], tuple[int, float, Mapping[str, float | None]]]
"""The journal's head, met_s, and ages by key."""


class Feed:
    """`on_nudge` is called from another thread. `ages` is asked once a second."""

    def __init__(self, episode: str, on_nudge: Callable[[], None], ages: Ages) -> None:
        self._episode = episode
        self._on_nudge = on_nudge
        self._ages = ages
        self._readers: set[queue.Queue[str | None]] = set()
        self._lock = threading.Lock()
        self._latest: dict[str, TelemetryMessage] = {}
        self._closing = threading.Event()
        self._path = f"/{secrets.token_urlsafe(16)}"
        self._server = serve(
            self._serve,
            "127.0.0.1",
            0,
            origins=[None],
            process_request=self._admit,
            compression=None,
            logger=logging.getLogger("websockets.server"),
        )
        port = self._server.socket.getsockname()[1]
        self.address = f"ws://127.0.0.1:{port}{self._path}"
        self._threads = [
            threading.Thread(target=self._server.serve_forever, name="feed", daemon=True),
            threading.Thread(target=self._beat, name="feed beat", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def events(self, recorded: Sequence[Recorded]) -> None:
        """Tell of events that have been committed."""
        for each in recorded:
            body = EventBody(kind=kind_of(each.event), actor=each.actor)
            self._send(
                encode_live(EventMessage(episode=self._episode, seq=each.seq, met_s=each.met_s, body=body))
            )

    def telemetry(self, met_s: float, robots: Sequence[Mapping[str, Any]]) -> None:
        """Keep the latest of each robot; it is sent ten times a second at most."""
        with self._lock:
            for robot in robots:
                self._latest[robot["name"]] = telemetry_of(self._episode, met_s, robot)

    def close(self) -> None:
        self._closing.set()
        with self._lock:
            for reader in self._readers:
                with contextlib.suppress(queue.Full):
                    reader.put_nowait(None)
        self._server.shutdown()

    def _send(self, text: str) -> None:
        with self._lock:
            for reader in list(self._readers):
                try:
                    reader.put_nowait(text)
                except queue.Full:
                    log.warning(
                        "a reader of the live feed is too slow; it is disconnected and can resume by seq"
                    )
                    self._readers.discard(reader)
                    _end(reader)

    def _beat(self) -> None:
        """Telemetry that changed, and the ages once a second."""
        sent: dict[str, TelemetryMessage] = {}
        beats = 0
        while not self._closing.wait(TELEMETRY_EVERY_S):
            with self._lock:
                latest = dict(self._latest)
            for robot, message in latest.items():
                if sent.get(robot) is not message:
                    sent[robot] = message
                    self._send(encode_live(message))
            beats += 1
            if beats % round(AGES_EVERY_S / TELEMETRY_EVERY_S) == 0:
                self._send(self._age_text())

    def _age_text(self) -> str:
        seq, met_s, ages_s = self._ages()
        body = AgeBody(seq=seq, ages_s=ages_s)
        return encode_live(AgeMessage(episode=self._episode, met_s=met_s, body=body))

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        if secrets.compare_digest(request.path, self._path):
            return None
        return connection.respond(HTTPStatus.NOT_FOUND, "Take the address from the episode's head row.\n")

    def _serve(self, connection: ServerConnection) -> None:
        """One reader: a thread of its own sends, this one listens for nudges."""
        reader: queue.Queue[str | None] = queue.Queue(PATIENCE)
        with self._lock:
            self._readers.add(reader)
            for message in self._latest.values():
                reader.put(encode_live(message))
        reader.put(self._age_text())
        sender = threading.Thread(target=_deliver, args=(reader, connection), daemon=True)
        sender.start()
        try:
            for _ in connection:
                self._on_nudge()
        except ConnectionClosed:
            pass
        finally:
            with self._lock:
                self._readers.discard(reader)
            _end(reader)


def _deliver(reader: queue.Queue[str | None], connection: ServerConnection) -> None:
    with contextlib.suppress(ConnectionClosed, OSError):
        while (text := reader.get()) is not None:
            connection.send(text)
        connection.close()


def _end(reader: queue.Queue[str | None]) -> None:
    """Let go of what waits, and end the delivery."""
    with contextlib.suppress(queue.Empty):
        while True:
            reader.get_nowait()
    reader.put(None)
