"""`quarterdeck doctor`: what is installed, reachable and missing, each with its remedy."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Literal

import typer
from msgspec import Struct

from backend.bootstrap import (
    code_version,
    in_words_of_settings,
    mission_files,
    open_engine,
    openai_settings,
    prepare_home,
)
from backend.bridge.worlds import ROBOTS
from backend.commands.browser import has_browser
from backend.commands.failures import told_in_one_line
from backend.commands.options import Home, Json, print_json, settings_of
from backend.config import ConfigError, Settings
from backend.missions import MissionError
from backend.persistence import schema
from backend.persistence.errors import PersistenceError
from backend.planners.errors import PlannerConfigurationError, PlannerError
from backend.processes.exits import Exit
from robot_bridge.ros.config import RobotFileError, read_robot
from robot_bridge.ros.files import robot_file, robot_names
from robot_bridge.ros.places import RosMissing, find_ros
from robot_bridge.ros.wiring import child_configuration

FREE_BYTES = 200 * 1024**2
MARKS = {"ok": "✓", "note": "·", "missing": "✗"}


class Finding(Struct, frozen=True, kw_only=True):
    """`note`: absent, and only needed for something optional. `missing`: Quarterdeck cannot do its work."""

    name: str
    state: Literal["ok", "note", "missing"]
    told: str
    remedy: str = ""


def doctor(context: typer.Context, home: Home = None, as_json: Json = False) -> None:
    """Say what is installed, reachable and missing, and what to do. Exit code 1 where something is."""
    with told_in_one_line():
        settings = settings_of(context, home)
    findings = list(examine(settings))
    if as_json:
        print_json({"version": code_version(), "findings": findings})
    else:
        for each in findings:
            typer.echo(f"{MARKS[each.state]} {each.name:10} {each.told}")
            if each.remedy:
                typer.echo(f"  {'':10} {each.remedy}")
    raise typer.Exit(Exit.FELL_SHORT if any(each.state == "missing" for each in findings) else Exit.OK)


def examine(settings: Settings) -> Iterator[Finding]:
    for check in CHECKS:
        yield check(settings)


def _python(settings: Settings) -> Finding:
    told = f"{platform.python_implementation()} {platform.python_version()} on {platform.system()}"
    return Finding(name="python", state="ok", told=told)


def _home(settings: Settings) -> Finding:
    try:
        home = prepare_home(settings)
    except ConfigError as error:
        return Finding(name="home", state="missing", told=str(error))
    free = shutil.disk_usage(home).free
    told = f"{home.absolute()} is writable, {free / 1024**3:.1f} GiB free"
    if free < FREE_BYTES:
        return Finding(name="home", state="missing", told=told, remedy="Free some space there.")
    return Finding(name="home", state="ok", told=told)


def _database(settings: Settings) -> Finding:
    try:
        engine = open_engine(settings)
        found, newest = schema.revision(engine), schema.newest()
        shown = engine.url.render_as_string(hide_password=True)
        if found is None:
            told = f"{shown} is empty; the first start makes its tables"
            return Finding(name="database", state="note", told=told)
        schema.check(engine)
    except PersistenceError as error:
        return Finding(name="database", state="missing", told=error.message, remedy=error.remedy)
    return Finding(name="database", state="ok", told=f"{shown} is at {newest}")


def _missions(settings: Settings) -> Finding:
    try:
        names = [mission.name for mission in mission_files(settings).all()]
    except MissionError as error:
        return Finding(
            name="missions",
            state="missing",
            told=f"{error.file}: {error.field} {error.problem}.",
            remedy=error.remedy,
        )
    return Finding(name="missions", state="ok", told=", ".join(names))


def _port(settings: Settings) -> Finding:
    place = f"{settings.host} port {settings.port}"
    with socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            told = f"{place} is not free: {error.strerror}"
            remedy = "A running console is fine. Else end what uses it, or give another --port."
            return Finding(name="port", state="note", told=told, remedy=remedy)
    return Finding(name="port", state="ok", told=f"{place} is free")


def _model(settings: Settings) -> Finding:
    """Asks the server once, with a schema that only a server that enforces it can have met."""
    from backend.planners.probe import probe

    try:
        asked = probe(openai_settings(settings))
    except PlannerError as error:
        told = in_words_of_settings(error) if isinstance(error, PlannerConfigurationError) else str(error)
        remedy = "Planner policy needs no model. For openai set QUARTERDECK_PLANNER_API_KEY."
        return Finding(name="model", state="note", told=told, remedy=remedy)
    told = f"{asked.model or settings.planner_model} at {asked.base_url}: {asked}. {asked.detail}"
    if asked.enforced is None:
        remedy = "Check QUARTERDECK_PLANNER_BASE_URL and the key. Planner policy needs no model."
        return Finding(name="model", state="note", told=told, remedy=remedy)
    return Finding(name="model", state="ok", told=f"{told} ({asked.latency_s:.1f} s)")


def _browser(settings: Settings) -> Finding:
    if has_browser():
        return Finding(name="browser", state="ok", told="serve --open can open one here")
    remedy = "serve prints a sign-in link: open it in any browser that reaches this machine."
    return Finding(name="browser", state="note", told="none can be opened from here", remedy=remedy)


def _dask(settings: Settings) -> Finding:
    if importlib.util.find_spec("distributed") is None:
        remedy = f"To sweep on many hosts: {sys.executable} -m pip install 'quarterdeck[dask]'"
        return Finding(name="dask", state="note", told="not installed", remedy=remedy)
    return Finding(name="dask", state="ok", told="installed")


def _ros(settings: Settings) -> Finding:
    try:
        place = find_ros()
    except RosMissing:
        remedy = "For robots that speak ROS 1, and `quarterdeck ros demo`: quarterdeck ros install"
        return Finding(name="ros", state="note", told="no rospy is installed", remedy=remedy)
    try:
        robots = [name for name in robot_names(settings.home / ROBOTS) if robot_is_right(name, settings)]
    except RobotFileError as error:
        return Finding(
            name="ros", state="missing", told=str(error), remedy="quarterdeck ros check FILE tells more."
        )
    return Finding(
        name="ros", state="ok", told=f"rospy {place.what}, with {place.python}; {', '.join(robots)}"
    )


def robot_is_right(name: str, settings: Settings) -> bool:
    """Raises RobotFileError for a file that is wrong."""
    file = robot_file(name, settings.home / ROBOTS)
    child_configuration(read_robot(file), file.parent, 1.0)
    return True


CHECKS: tuple[Callable[[Settings], Finding], ...] = (
    _python,
    _home,
    _database,
    _missions,
    _port,
    _model,
    _browser,
    _dask,
    _ros,
)
