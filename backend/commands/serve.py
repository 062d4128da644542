"""`quarterdeck serve`: the console, with every running episode kept going, until Ctrl-C."""

from __future__ import annotations

import errno
import getpass
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable
from typing import Annotated

import msgspec
import typer
from sqlalchemy import Engine

from backend.bootstrap import mission_files, planner_named, reader, ready_engine
from backend.commands.browser import has_browser
from backend.commands.failures import CannotStart, told_in_one_line
from backend.commands.options import Home, settings_of
from backend.config import ConfigError, Settings, refuse_open_door
from backend.console import accounts_with_password, sign_in_code
from backend.persistence.heads import order_episode
from backend.processes.child import Child
from backend.processes.keeper import locked
from backend.processes.supervisor import Supervisor
from backend.usecases.ordering import LARGEST_SEED, PLANNERS, new_episode, request_of

BACKLOG = 128


def serve(
    context: typer.Context,
    open_browser: Annotated[
        bool, typer.Option("--open", help="Open the console in a browser, or print its sign-in link.")
    ] = False,
    start: Annotated[
        str | None, typer.Option(metavar="MISSION", help="Start this mission, or go on with it.")
    ] = None,
    planner: Annotated[str, typer.Option(help=f"For --start: one of {', '.join(PLANNERS)}.")] = "policy",
    seed: Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="For --start.")] = 1,
    host: Annotated[
        str | None, typer.Option(help="The address to listen on.", show_default="127.0.0.1")
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="The port; 0 takes a free one.", show_default="8300")
    ] = None,
    home: Home = None,
) -> None:
    """Serve the console, and keep every running episode going."""
    stopping = told_to_stop()
    with told_in_one_line():
        settings = settings_of(context, home, host=host, port=port)

        def started(engine: Engine) -> str | None:
            return _started(settings, engine, start, planner, seed) if start else None

        keep_console(settings, started, stopping, open_browser)


def keep_console(
    settings: Settings, start: Callable[[Engine], str | None], stopping: list[int], open_browser: bool
) -> None:
    """Until a signal has come. `start`: gives the episode that the console opens with, or none.

    Raises ConfigError, CannotStart, KeptElsewhere, PersistenceError.
    """
    engine = ready_engine(settings)
    refusal = refuse_open_door(settings, accounts_with_password(engine))
    if refusal is not None:
        raise ConfigError(str(refusal))
    with locked(settings.home / "serve.lock", f"home {settings.home}"):
        listening = _listen(settings)
        episode = start(engine)
        _announce(settings, engine, listening.getsockname()[1], episode, open_browser)
        web = Child(
            "web process",
            [sys.executable, "-m", "backend.processes.web", "--fd", str(listening.fileno())],
            settings.environment(),
            pass_fds=[listening.fileno()],
        )
        Supervisor(settings, engine, web).run(lambda: bool(stopping))


def told_to_stop() -> list[int]:
    """Signals that came, of those that mean stop."""
    came: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: came.append(number))
    return came


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise _not_there(settings, error) from error
    return listening


def _not_there(settings: Settings, error: OSError) -> Exception:
    place = f"{settings.host} port {settings.port}"
    if error.errno == errno.EADDRINUSE:
        return CannotStart(f"Port {settings.port} is in use. End what uses it, or give another --port, or 0.")
    if error.errno == errno.EADDRNOTAVAIL:
        return CannotStart(f"This machine has no address {settings.host}. Give another --host.")
    if error.errno in (errno.EACCES, errno.EPERM):
        return CannotStart(f"{place} may not be listened on. Give a --port above 1023.")
    return CannotStart(f"{place} cannot be listened on: {error.strerror}.")


def _started(settings: Settings, engine: Engine, name: str, planner: str, seed: int) -> str:
    """The episode of exactly this that has not ended, or a new one."""
    episode = new_episode(name)
    request = request_of(episode, mission_files(settings).get(name), planner, seed)
    planner_named(planner, settings)
    asked = msgspec.json.decode(msgspec.json.encode(request))
    for known in reader(settings, engine).episodes(show="running", limit=1000):
        if {**known.request, "robot": request.robot} == asked:
            return known.episode
    order_episode(engine, episode, request, getpass.getuser())
    return episode


def _announce(settings: Settings, engine: Engine, port: int, episode: str | None, open_browser: bool) -> None:
    """On loopback without accounts the console is opened by a link that is good once."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    console = f"http://{host}:{port}"
    page = f"/episodes/{episode}" if episode else "/"
    if accounts_with_password(engine):
        typer.echo(f"Console: {console}{page}", err=True)
        link = f"{console}{page}"
    else:
        code = sign_in_code(engine, getpass.getuser())
        link = f"{console}/signin?token={code}&next={page}"
    if open_browser and has_browser() and webbrowser.open(link):
        typer.echo(f"The console opens in your browser: {console}", err=True)
        return
    typer.echo(f"Open the console: {link}", err=True)
