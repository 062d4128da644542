"""A console served from this process over real HTTP."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

ENDS_WITHIN_S = 20.0


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """Its address, while a thread answers. The port is held from the start: nobody else can take it."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=128)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the console did not start"
        thread.join(0.02)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = server.force_exit = True
        thread.join(ENDS_WITHIN_S)
