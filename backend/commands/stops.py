"""`quarterdeck hold|release|abort`: stop a robot, let it go on, end an episode."""

from __future__ import annotations

import sys
import time
from typing import Annotated, Any

import typer

from backend.commands.failures import WrongAsked, fail, told_in_one_line
from backend.commands.options import Home
from backend.commands.remote import Api, Episode, Server, api
from backend.processes.exits import Exit

CONFIRMED_WITHIN_S = 4.0
LOOK_EVERY_S = 0.1
Reason = Annotated[str, typer.Option(help="Why, for the record.")]


def hold(
    context: typer.Context, episode: Episode, reason: Reason = "", server: Server = None, home: Home = None
) -> None:
    """Stop the robot now, and say whether it has measured that it stands still. Anyone may."""
    with told_in_one_line(), api(context, home, server) as console:
        stop_id = console.command(episode, "hold", reason=reason)["stop_id"]
        typer.echo("Stopping…", err=True)
        is_still = _confirmed(console, episode, stop_id)
    if not is_still:
        raise fail("Stop not confirmed. See to the robot, and use its own stop if you must.", Exit.FELL_SHORT)
    typer.echo(f"Stopped. Release it with: quarterdeck release {episode}")


def release(
    context: typer.Context,
    episode: Episode,
    area_is_clear: Annotated[
        bool, typer.Option("--area-is-clear", help="Say so beforehand, instead of being asked.")
    ] = False,
    server: Server = None,
    home: Home = None,
) -> None:
    """Let the robot go on: look at what is left of the plan, say that the area is clear, release."""
    with told_in_one_line(), api(context, home, server) as console:
        now = console.get(f"/episodes/{episode}")
        stops = [stop for stop in now["stops"] if not stop["abort"]]
        if not stops:
            typer.echo("Nothing is held.")
            return
        for line in _left(now, stops):
            typer.echo(line, err=True)
        _sure("Is the area clear?", area_is_clear, "--area-is-clear")
        console.command(episode, "release", stop_ids=[stop["id"] for stop in stops])
    typer.echo("Released. What is left of the plan asks for approval anew.")


def abort(
    context: typer.Context,
    episode: Episode,
    reason: Reason = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask again.")] = False,
    server: Server = None,
    home: Home = None,
) -> None:
    """End an episode for good, and say what the robot still holds."""
    with told_in_one_line(), api(context, home, server) as console:
        now = console.get(f"/episodes/{episode}")
        typer.echo(f"{now['holding']} It stays so.", err=True)
        _sure(f"End {episode} for good?", yes, "--yes")
        console.command(episode, "abort", reason=reason)
        ended = _ended(console, episode)
    if ended is None:
        raise fail("Asked; the robot has not been seen to stand still yet.", Exit.FELL_SHORT)
    typer.echo(f"{ended['ending']['message']} {ended['holding']}")


def _confirmed(console: Api, episode: str, stop_id: str) -> bool:
    """Whether standstill was measured for that very stop in time: an older one proves nothing of this."""
    until = time.monotonic() + CONFIRMED_WITHIN_S
    while time.monotonic() < until:
        stops = console.get(f"/episodes/{episode}")["stops"]
        if any(stop["id"] == stop_id and stop["confirmed"] for stop in stops):
            return True
        time.sleep(LOOK_EVERY_S)
    return False


def _ended(console: Api, episode: str) -> dict[str, Any] | None:
    until = time.monotonic() + CONFIRMED_WITHIN_S
    while time.monotonic() < until:
        now: dict[str, Any] = console.get(f"/episodes/{episode}")
        if now["ending"] is not None:
            return now
        time.sleep(LOOK_EVERY_S)
    return None


def _left(now: dict[str, Any], stops: list[Any]) -> list[str]:
    lines = [
        f"Held by {stop['asked_by']}{': ' + stop['reason'] if stop['reason'] else ''}"
        f"{'' if stop['confirmed'] else ', NOT CONFIRMED'}"
        for stop in stops
    ]
    plan = now["plan"]
    lines.append(now["holding"])
    lines.append(f"Plan {plan['number']} is left." if plan else "No plan is left: a new one is asked for.")
    return lines


def _sure(question: str, given: bool, option: str) -> None:
    if given:
        return
    if not sys.stdin.isatty():
        raise WrongAsked(f"Nobody is there to be asked. Give {option} if it is so.")
    typer.confirm(question, abort=True, err=True)
