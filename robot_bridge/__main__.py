"""`python -m robot_bridge`: one bridge process, for one robot.

Prints one line of JSON on stdout when it is ready, with its address; logs go to stderr. SIGTERM and SIGINT
end it cleanly. Exit codes: 0 ended as asked, 2 could not start (the last line on stderr says why and what
to do).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import fcntl
import ipaddress
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from robot_bridge.bridge import Bridge
from robot_bridge.ledger import LedgerError
from robot_bridge.server import TICK_S, BridgeServer
from robot_bridge.sqlite_ledger import open_ledger
from robot_bridge.world import World
from robot_bridge.worlds import WorldOptions, make_world

TOKEN_VARIABLE = "QUARTERDECK_BRIDGE_TOKEN"


class StartError(Exception):
    """The bridge cannot start; the text says why and what to do."""


def main(arguments: list[str] | None = None) -> int:
    options = _options(arguments)
    logging.basicConfig(
        stream=sys.stderr,
        level=options.log_level.upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    try:
        world = make_world(
            WorldOptions(
                world=options.world,
                scenario=options.scenario,
                parameters=_parameters(options.parameters),
                seed=options.seed,
                clock=options.clock,
                tick_s=options.tick_s,
                emits_truth=options.emit_truth,
                home=options.home,
                robots=options.robots,
            )
        )
        with _claimed(options.home):
            asyncio.run(_run(world, options))
    except (StartError, LedgerError, ValueError) as error:
        sys.stderr.write(f"robot_bridge: {error}\n")
        return 2
    return 0


async def _run(world: World, options: argparse.Namespace) -> None:
    token = os.environ.get(TOKEN_VARIABLE)
    if token is None and not _is_loopback(options.host):
        raise StartError(
            f"{options.host} can be reached from outside, and whoever connects commands the robot."
            f" Set {TOKEN_VARIABLE}, or listen on 127.0.0.1."
        )
    ledger = open_ledger(options.home)
    bridge = Bridge(world, ledger, time.monotonic)
    server = BridgeServer(bridge, token, min(TICK_S, options.tick_s / 2))
    try:
        listening = await server.listen(options.host, options.port)
    except OSError as error:
        raise StartError(
            f"Cannot listen on {options.host} port {options.port}: {error.strerror or error}."
            " Give another --port, or 0 for a free one."
        ) from error
    ended = asyncio.Event()
    for ending in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(ending, ended.set)
    host, port = listening.sockets[0].getsockname()[:2]
    address = f"ws://{f'[{host}]' if ':' in host else host}:{port}"
    _say_ready(address, ledger.id, options)
    ticking = asyncio.create_task(server.keep_time())
    await asyncio.wait([ticking, asyncio.create_task(ended.wait())], return_when=asyncio.FIRST_COMPLETED)
    if ticking.done():
        ticking.result()  # a defect: raise it, the supervisor starts the bridge anew
    ticking.cancel()
    server.shut_down()
    listening.close()
    await listening.wait_closed()
    ledger.close()


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m robot_bridge", description="Bridge between a runner and a robot."
    )
    parser.add_argument("--world", default="grid", help="which world to run: grid, arena, tabletop or ros")
    parser.add_argument("--scenario", default="dn-14", help="such as dn-14, custom, arena-6 or bin-fill/hard")
    parser.add_argument("--parameters", default="{}", help="JSON object with a custom scenario's values")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--clock", choices=("waits", "runs"), default="runs")
    parser.add_argument("--tick-s", type=float, default=1.0, help="real seconds a step, where the clock runs")
    parser.add_argument(
        "--emit-truth", action="store_true", help="report true poses too, for the oracle memory"
    )
    parser.add_argument(
        "--home", type=Path, required=True, help="folder for the ledger; one bridge to a home"
    )
    parser.add_argument("--robots", type=Path, help="folder of robots' files, beside those that come along")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--log-level", choices=("debug", "info", "warning", "error"), default="info")
    return parser.parse_args(arguments)


def _parameters(text: str) -> dict[str, object]:
    try:
        parameters = json.loads(text)
    except ValueError as error:
        raise StartError(f'--parameters is no JSON: {error}. Give an object such as {{"size": 9}}.') from None
    if not isinstance(parameters, dict):
        raise StartError('--parameters is no JSON object. Give one such as {"size": 9}.')
    return parameters


@contextlib.contextmanager
def _claimed(home: Path) -> Iterator[None]:
    """The home is this process's alone until it ends, however it ends."""
    try:
        home.mkdir(parents=True, exist_ok=True)
        file = (home / "lock").open("a+")
    except OSError as error:
        raise StartError(
            f"Home {home} cannot be used: {error.strerror or error}. Give another --home."
        ) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StartError(f"Another bridge runs in {home}. Stop it, or give another --home.") from None
        yield


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _say_ready(address: str, ledger_id: str, options: argparse.Namespace) -> None:
    ready = {
        "ready": True,
        "address": address,
        "pid": os.getpid(),
        "world": options.world,
        "scenario": options.scenario,
        "seed": options.seed,
        "clock": options.clock,
        "ledger_id": ledger_id,
    }
    sys.stdout.write(json.dumps(ready) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
