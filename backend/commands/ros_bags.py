"""`quarterdeck ros import`: a robot's recording as evidence for a mission in shadow."""

from __future__ import annotations

import getpass
import re
import secrets
import time
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml
from msgspec.structs import replace
from sqlalchemy import Engine

from backend.bootstrap import mission_files, planner_named, prepare_home, ready_engine
from backend.bridge.worlds import ROBOTS
from backend.commands.failures import CannotStart, fail, told_in_one_line
from backend.commands.mission import Approve, result_of
from backend.commands.options import Home, Json, print_json, settings_of
from backend.commands.serve import keep_console, told_to_stop
from backend.config import Settings
from backend.domain.command.intents import Abort, Intent
from backend.domain.mission.mission import Mission
from backend.persistence.heads import order_episode
from backend.persistence.inbox import SqlInbox, clock_s
from backend.processes.exits import Exit
from backend.processes.headless import Unplayable, play
from backend.usecases.ordering import PLANNERS, new_episode, request_of, with_policy
from backend.usecases.reading import EpisodeSummary
from robot_bridge.ros.bag.reading import BagError, open_bag
from robot_bridge.ros.config import RobotFileError, read_robot
from robot_bridge.ros.setup import ros_world
from robot_bridge.ros.sitemap import MapError

OVER = "the recording is over"
NOT_AFTER_S = 60.0
SLACK_S = 1.0
"""After its last second, for what it set off to be decided."""
READY_WITHIN_S = 60.0
"""Seconds for runner, bridge, and what the robot must have told before an episode can open."""


def import_bag(
    context: typer.Context,
    bag: Annotated[Path, typer.Argument(help="A .bag, an MCAP file, or a folder of rosbag2.")],
    robot: Annotated[Path, typer.Argument(help="The file of the robot that it is a recording of.")],
    mission: Annotated[str, typer.Option(help="What the planner is to propose for.")] = "recycling-ros",
    planner: Annotated[str, typer.Option(help=f"One of {', '.join(PLANNERS)}.")] = "policy",
    approve: Annotated[
        Approve, typer.Option(help="Who is asked about a proposal. Nothing is sent, whoever says yes.")
    ] = Approve.AUTO,
    rate: Annotated[float, typer.Option(min=0.1, max=20.0, help="Recorded seconds a second.")] = 1.0,
    watch: Annotated[
        bool, typer.Option("--watch", help="Open the console on it, and leave its end to people.")
    ] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Play a robot's recording, and have a mission planned for on it in shadow, at its own time."""
    with told_in_one_line():
        settings = settings_of(context, home)
        try:
            opened = open_bag(bag)
            name = recorded_robot(settings, bag, robot)
        except (BagError, RobotFileError, MapError) as error:
            raise fail(str(error), Exit.BAD_INPUT) from error
        played = _played(mission_files(settings).get(mission), name, approve, rate)
        planner_named(planner, settings)
        if watch:
            ordered = partial(_ordered, mission=played, planner=planner)
            keep_console(settings, ordered, told_to_stop(), True)
            return
        ended = _to_its_end(settings, played, planner, opened.length_s)
    if as_json:
        print_json(result_of(ended))
    else:
        typer.echo(
            f"{ended.episode}: {ended.decisions} calls to the planner, nothing was sent. {ended.message}"
        )
        typer.echo(f"Look at it again: quarterdeck episodes show {ended.episode}")
    raise typer.Exit(Exit.OK if ended.outcome == "aborted" and OVER in ended.message else Exit.FELL_SHORT)


def recorded_robot(settings: Settings, bag: Path, file: Path) -> str:
    """The robot's file written anew for its recording, into the home; its name. Raises RobotFileError,
    BagError, MapError."""
    read_robot(file)
    prepare_home(settings)
    raw: dict[str, Any] = yaml.safe_load(file.read_text("utf-8"))
    raw.update(bag=str(bag.absolute()), shadow=True, definitions=[])
    if raw["site"].get("map_file"):
        raw["site"]["map_file"] = str((file.parent / raw["site"]["map_file"]).absolute())
    stem = bag.stem if bag.is_file() else bag.name
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", f"{file.stem}-{stem}")[:60].strip("-")
    written = settings.home / ROBOTS / f"{name}.yaml"
    written.parent.mkdir(exist_ok=True)
    written.write_text(
        f"# {file.name}, of the recording {bag.name}.\n{yaml.safe_dump(raw, sort_keys=False)}", "utf-8"
    )
    ros_world(written, settings.home, rate=1.0, seed=0, monotonic=lambda: 0.0).close()
    return name


def _played(mission: Mission, robot: str, approve: Approve, rate: float) -> Mission:
    world = replace(mission.world, name="ros", scenario=robot, clock="runs", tick_s=1.0 / rate)
    return with_policy(replace(mission, world=world, shadow=True), approve.value)


def _ordered(engine: Engine, mission: Mission, planner: str) -> str:
    episode = new_episode(mission.name)
    order_episode(engine, episode, request_of(episode, mission, planner, 0), getpass.getuser())
    return episode


def _to_its_end(settings: Settings, mission: Mission, planner: str, length_s: float) -> EpisodeSummary:
    """An episode in shadow ends when somebody ends it: here, with the recording."""
    engine = ready_engine(settings)
    episode = new_episode(mission.name)
    logs = settings.home / "logs"
    logs.mkdir(exist_ok=True)
    inbox, by = SqlInbox(engine, episode), getpass.getuser()
    told: list[Intent] = []

    began_s = time.monotonic()
    opened: list[float] = []
    lasts_s = length_s * mission.world.tick_s + SLACK_S

    def end(summary: EpisodeSummary) -> None:
        if summary.seq == 0 and time.monotonic() - began_s > READY_WITHIN_S:
            raise CannotStart(f"The recording tells no pose, map or initial records; see {logs}.")
        if summary.seq and not opened:
            opened.append(time.monotonic())
        if told or not opened or time.monotonic() - opened[0] < lasts_s:
            return
        until_s = clock_s(engine) + NOT_AFTER_S
        told.append(
            Intent(
                id=secrets.token_hex(8),
                actor=by,
                role="operator",
                action=Abort(stop_id=secrets.token_hex(8), reason=OVER),
                not_after_s=until_s,
            )
        )
        inbox.put(told[0])

    try:
        request = request_of(episode, mission, planner, 0)
        return play(settings, engine, episode, request, by, on_progress=end, logs=logs)
    except Unplayable as error:
        raise CannotStart(str(error) or f"See {logs / f'{episode}.runner.log'}.") from error
