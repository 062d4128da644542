"""`quarterdeck ros record`: a robot's topics into a recording, alongside the journal of its episode."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from backend.bootstrap import checked_engine, prepare_home, reader
from backend.commands.failures import CannotStart, fail, told_in_one_line
from backend.commands.options import Home, Json, print_json, print_table, settings_of
from backend.config import Settings
from backend.processes.exits import Exit
from robot_bridge.ros.bag.reading import BagError
from robot_bridge.ros.bag.recording import Kept, record, topics_of
from robot_bridge.ros.bag.writing import bag_writer
from robot_bridge.ros.config import RobotFileError, read_robot
from robot_bridge.ros.places import RosMissing, find_ros
from robot_bridge.ros.wiring import child_configuration, ros_environment

LOOK_EVERY_S = 1.0
RECORDINGS = "recordings"


def record_bag(
    context: typer.Context,
    robot: Annotated[Path, typer.Argument(help="The robot's file: what it names is recorded.")],
    file: Annotated[
        Path | None,
        typer.Option("--file", help="Ends in .bag or .mcap.", show_default="in the home's recordings, MCAP"),
    ] = None,
    episode: Annotated[
        str | None, typer.Option(help="Record until that episode ends, and name the file after it.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.1, help="How long.", show_default="until Ctrl-C")
    ] = None,
    cameras: Annotated[bool, typer.Option("--cameras", help="Pictures too; they are large.")] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Record what a robot's file names, at ROS's time."""
    with told_in_one_line():
        settings = settings_of(context, home)
        prepare_home(settings)
        ended = _ending(settings, episode) if episode is not None else None
        path = file or _place(settings.home, episode or robot.stem)
        try:
            named = read_robot(robot)
            configuration = child_configuration(named, robot.parent, 1.0)
            place = find_ros(named.ros.python, named.ros.path)
            about = {"robot": named.name, "episode": episode or ""}
            until = Until(seconds, ended)
            with bag_writer(path, about) as writer:
                topics = topics_of(configuration, cameras)
                kept = record(
                    place, configuration, topics, ros_environment(named, settings.home), writer, until
                )
        except (BagError, RobotFileError) as error:
            raise fail(str(error), Exit.BAD_INPUT) from error
        except RosMissing as error:
            raise CannotStart(str(error)) from error
    _tell(path, kept, as_json)


def _ending(settings: Settings, episode: str) -> Callable[[], bool]:
    """Whether it has ended. Raises UnknownEpisode."""
    look = reader(settings, checked_engine(settings))
    look.episode(episode)
    return lambda: bool(look.episode(episode).outcome)


class Until:
    """Seconds after it began, or once the episode has ended, at which it looks once a second."""

    def __init__(self, seconds: float | None, ended: Callable[[], bool] | None) -> None:
        self._seconds = seconds
        self._ended = ended
        self._began_s = self._looked_s = time.monotonic()

    def __call__(self, kept: Kept) -> bool:
        now_s = time.monotonic()
        if self._seconds is not None and now_s - self._began_s >= self._seconds:
            return True
        if self._ended is None or now_s - self._looked_s < LOOK_EVERY_S:
            return False
        self._looked_s = now_s
        return self._ended()


def _place(home: Path, name: str) -> Path:
    folder = home / RECORDINGS
    folder.mkdir(exist_ok=True)
    return folder / f"{name}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.mcap"


def _tell(path: Path, kept: Kept, as_json: bool) -> None:
    if as_json:
        print_json({"file": str(path), **kept._asdict()})
        return
    typer.echo(f"{path}{f', ended early: {kept.ended}' if kept.ended else ''}")
    print_table(("TOPIC", "MESSAGES"), sorted(kept.messages.items()))
