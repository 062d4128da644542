"""`python -m backend.processes.web --fd N`: the console, on a socket that its parent opened.

The parent keeps the socket, so that a browser that reloads while this process is started anew is only kept
waiting.
"""

from __future__ import annotations

import argparse
import logging
import socket
import sys

import uvicorn

from backend.bootstrap import open_engine
from backend.config import ConfigError, load_settings
from backend.console import web_deps
from backend.persistence.errors import PersistenceError
from backend.processes.exits import Exit
from backend.processes.logs import configure_logging
from backend.web.app import create_app

log = logging.getLogger(__name__)

LARGEST_MESSAGE = 65_536
"""Bytes of a page's message on its socket; a sign of life has sixteen."""
GRACE_S = 2
"""How long open requests may take to end; an open live socket never ends by itself."""


def main(arguments: list[str] | None = None) -> Exit:
    parser = argparse.ArgumentParser(prog="python -m backend.processes.web")
    parser.add_argument("--fd", type=int, required=True, help="the listening socket")
    options = parser.parse_args(arguments)
    try:
        settings = load_settings()
        configure_logging(settings, "web")
        app = create_app(web_deps(settings, open_engine(settings)))
    except ConfigError as error:
        log.error(str(error))
        return Exit.BAD_INPUT
    except PersistenceError as error:
        log.error(str(error))
        return Exit.STORAGE
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=GRACE_S,
        proxy_headers=settings.https,
        forwarded_allow_ips=settings.trusted_proxies,
        ws_max_size=LARGEST_MESSAGE,
        server_header=False,
    )
    with socket.socket(fileno=options.fd) as listening:
        uvicorn.Server(config).run(sockets=[listening])
    return Exit.OK


if __name__ == "__main__":
    sys.exit(main())
