"""`quarterdeck ros install|check|demo`: ROS 1 on this machine, a robot's file, and a simulated robot."""

from __future__ import annotations

import getpass
import os
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec.structs import replace
from sqlalchemy import Engine

from backend.bootstrap import mission_files, planner_named
from backend.commands.failures import CannotStart, fail, told_in_one_line
from backend.commands.mission import Approve, run_to_end
from backend.commands.options import Home, Json, settings_of
from backend.commands.serve import keep_console, told_to_stop
from backend.domain.mission.mission import Mission
from backend.persistence.heads import order_episode, runnerless, unwanted
from backend.processes.exits import Exit
from backend.usecases.ordering import (
    LARGEST_SEED,
    PLANNERS,
    RunRequest,
    new_episode,
    request_of,
    robot_shared,
    with_policy,
)
from robot_bridge.ros.config import Robot, RobotFileError, read_robot
from robot_bridge.ros.install import InstallError, install, is_installed
from robot_bridge.ros.places import RosMissing, find_ros, overlay
from robot_bridge.ros.setup import floor_of
from robot_bridge.ros.sim.simulation import Simulation, SimulationError
from robot_bridge.ros.sitemap import MapError
from robot_bridge.ros.wiring import child_configuration, master_of

app = typer.Typer(no_args_is_help=True, help="Robots that speak ROS 1.")

MISSION = "recycling-ros"
MOST_OBSTACLES = 25
"""A quarter of the cells: more cut places off."""
HURRIED = 8.0
"""Simulated seconds a second where nobody watches."""


@app.command("install")
def install_ros(
    again: Annotated[bool, typer.Option("--again", help="Fetch the packages even where they are.")] = False,
) -> None:
    """Fetch Debian's ROS packages into this environment; the system stays as it is."""
    folder = overlay()
    with told_in_one_line():
        if again or not is_installed(folder):
            try:
                install(folder, lambda line: typer.echo(line, err=True))
            except InstallError as error:
                raise CannotStart(str(error)) from error
        try:
            place = find_ros()
        except RosMissing as error:
            raise CannotStart(str(error)) from error
    typer.echo(f"rospy is {place.what}, with {place.python}")


@app.command("check")
def check_robot(file: Annotated[Path, typer.Argument(help="A robot's file, YAML.")]) -> None:
    """Say whether a robot's file can be used, or which key of it cannot."""
    try:
        robot = read_robot(file)
        child_configuration(robot, file.parent, 1.0)
        floor_of(robot, file.parent)
    except (RobotFileError, MapError) as error:
        raise fail(str(error), Exit.BAD_INPUT) from error
    typer.echo(_told(robot))


@app.command("demo")
def demo(
    context: typer.Context,
    approve: Annotated[
        Approve, typer.Option(help="Who is asked before a plan runs. auto asks nobody, and opens no console.")
    ] = Approve.EVERY_PLAN,
    seed: Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="Of the simulated floor.")] = 1,
    planner: Annotated[str, typer.Option(help=f"One of {', '.join(PLANNERS)}.")] = "policy",
    rate: Annotated[
        float | None,
        typer.Option(
            min=0.1,
            max=20.0,
            help="Simulated seconds a second.",
            show_default=f"1; {HURRIED:g} with --approve auto",
        ),
    ] = None,
    light: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Of the cameras; 0.2 is too dim to see.")
    ] = 1.0,
    obstacles: Annotated[
        int | None, typer.Option(min=0, max=MOST_OBSTACLES, help="Blocked cells.", show_default="14")
    ] = None,
    drone_cut_s: Annotated[
        float, typer.Option(min=0.0, help="Cut the drone's link for so long, from 30 s into the mission on.")
    ] = 0.0,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the console in a browser.")] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Run the five-container mission on a simulated robot that is a real ROS system."""
    is_watched = approve is not Approve.AUTO
    with told_in_one_line():
        settings = settings_of(context, home)
        rate = rate or (1.0 if is_watched else HURRIED)
        mission = _hurried(mission_files(settings).get(MISSION), approve, rate)
        cut = (30.0, 30.0 + drone_cut_s)
        try:
            simulation = Simulation(
                settings.home.absolute() / "ros-demo",
                seed=seed,
                rate=rate,
                light=light,
                drone_cut_s=cut,
                obstacles=obstacles,
            )
            with simulation:
                os.environ.update(simulation.environment())
                if not is_watched:
                    run_to_end(settings, mission, planner, seed, as_json)
                planner_named(planner, settings)
                ordered = partial(_ordered, mission=mission, planner=planner, seed=seed)
                keep_console(settings, ordered, told_to_stop(), open_browser)
        except (SimulationError, RosMissing) as error:
            raise CannotStart(str(error)) from error


def _ordered(engine: Engine, mission: Mission, planner: str, seed: int) -> str:
    """Whatever an earlier demonstration left unfinished has lost its robot, and gets no runner any more."""
    for order in runnerless(engine):
        if robot_shared(mission) in msgspec.convert(order.request, RunRequest).robots:
            unwanted(engine, order.episode)
    episode = new_episode(MISSION)
    order_episode(engine, episode, request_of(episode, mission, planner, seed), getpass.getuser())
    return episode


def _hurried(mission: Mission, approve: Approve, rate: float) -> Mission:
    return with_policy(replace(mission, world=replace(mission.world, tick_s=1.0 / rate)), approve.value)


def _told(robot: Robot) -> str:
    """What the file says, in a few lines."""
    skills = (
        ", ".join(f"{name} by {skill.via} {skill.name}" for name, skill in robot.skills.items()) or "none"
    )
    hears = [f"{name} on {each.topic}" for name, each in robot.detections.items()]
    cameras = ", ".join(f"{name} on {each.topic}" for name, each in robot.cameras.items()) or "none"
    lines = [
        f"{robot.name} at {master_of(robot)}" + (", only watched" if robot.shadow else ""),
        f"skills: {skills}",
        f"detections: {', '.join(hears) or 'none'}",
        f"cameras: {cameras}",
    ]
    return "\n".join(lines)
