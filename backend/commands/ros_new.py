"""`quarterdeck ros new`: a robot's file and a mission for it, to be filled in from the simulated rover's."""

from __future__ import annotations

import re
import shutil
from typing import Annotated

import typer

from backend.assets import asset
from backend.bootstrap import prepare_home
from backend.bridge.worlds import ROBOTS
from backend.commands.failures import fail, told_in_one_line
from backend.commands.options import Home, settings_of
from backend.processes.exits import Exit
from robot_bridge.ros.config import read_robot
from robot_bridge.ros.files import SHIPPED

NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
ROVER, MISSION = SHIPPED / "simulated-rover.yaml", "recycling-ros"


def new_robot(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Small letters, digits and -; the file's and the robot's.")],
    home: Home = None,
) -> None:
    """Write a robot's file and a mission for it into the home. It is only watched at first."""
    with told_in_one_line():
        if not NAME.fullmatch(name):
            raise fail(f"{name!r} is no name. Write small letters, digits and -: my-rover.", Exit.BAD_INPUT)
        settings = settings_of(context, home)
        prepare_home(settings)
        robot = settings.home / ROBOTS / f"{name}.yaml"
        mission = settings.home / "missions" / f"{name}.yaml"
        for path in (robot, mission):
            if path.exists():
                raise fail(f"{path} is there already. Give another name.", Exit.BAD_INPUT)
            path.parent.mkdir(exist_ok=True)
        shutil.copytree(SHIPPED / "actions", robot.parent / "actions", dirs_exist_ok=True)
        robot.write_text(robot_text(name), "utf-8")
        shipped = (asset("missions") / f"{MISSION}.yaml").read_text("utf-8")
        mission.write_text(mission_text(name, shipped), "utf-8")
        read_robot(robot)
    typer.echo(f"{robot}\n{mission}\nName your topics in the first, then: quarterdeck ros check {robot}")


def robot_text(name: str) -> str:
    """The simulated rover's, for a robot of this name, which is only watched at first."""
    heading, _, rest = ROVER.read_text("utf-8").partition("\n")
    assert heading.startswith("#")
    node = f"quarterdeck_{name.replace('-', '_')}"
    watched = (
        "shadow: true                     # nothing whatever is sent; take it out once what is shown is right"
    )
    rest = _replaced(rest, r"(?m)^name: rover *", f"name: {name}  ")
    rest = _replaced(rest, r"(?m)^(namespace: .*)$", rf"\1\n{watched}")
    rest = _replaced(rest, r"quarterdeck_rover", node)
    return f"# Robot {name}: the simulated rover's file, until its topics are named here.\n{rest}"


def mission_text(name: str, text: str) -> str:
    _, _, rest = text.partition("\n")
    rest = _replaced(rest, rf"(?m)^name: {MISSION}\b", f"name: {name}")
    rest = _replaced(rest, r"(?m)^title: .*$", f"title: Recycling with {name}")
    rest = _replaced(rest, r"(?m)^(  scenario: )simulated-rover\b", rf"\1{name}")
    return f"# A mission for robot {name}.\n{rest}"


def _replaced(text: str, pattern: str, by: str) -> str:
    """The one place; a file that was changed so that there is none is a defect here."""
    replaced, times = re.subn(pattern, by, text)
    assert times == 1, pattern
    return replaced
