"""A TCP line that a test can cut, or let swallow everything as a dead router does."""

from __future__ import annotations

import contextlib
import socket
import threading


class Line:
    """Listens on `port` and passes everything on to `target`, on loopback, while it is whole."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._swallows = False
        self._refuses = False
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.connections = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """End every connection, and refuse new ones."""
        self._refuses = True
        for near, far in self._pairs:
            _end(near)
            _end(far)
        self._pairs.clear()

    def swallow(self) -> None:
        """Pass nothing on, and say nothing about it."""
        self._swallows = True

    def heal(self) -> None:
        """For new connections; one that swallowed something is cut."""
        if self._swallows:
            self.cut()
        self._swallows = self._refuses = False

    def close(self) -> None:
        self._listening.close()
        self.cut()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                if self._refuses:
                    _end(near)
                    continue
                self.connections += 1
                far = socket.create_connection(("127.0.0.1", self._target))
                self._pairs.append((near, far))
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while chunk := source.recv(65536):
                if not self._swallows:
                    sink.sendall(chunk)
        _end(sink)


def _end(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
