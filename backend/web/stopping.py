"""A stop by two ways at once, neither waiting for the other: an intent for the runner, and the bridge."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Iterable

from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool

from backend.domain.command.hold import Stop
from backend.domain.command.intents import Abort, Hold
from backend.domain.episode.state import State
from backend.usecases.failpoints import failpoint
from backend.usecases.ports import BridgeError
from backend.web.commanding import Answer, Bridge
from backend.web.console import Console
from backend.web.errors import NotBegun
from backend.web.pages.chrome import User

LONGEST_NAME = 64

log = logging.getLogger(__name__)


async def stop(
    console: Console, episode: str, user: User, action: Hold | Abort, intent_id: str = ""
) -> Answer:
    """Both ways. What the inbox's way raises is raised once the bridge has been told."""
    if isinstance(action, Abort) and await _is_watched(console, episode):
        sent = await console.commands.send(episode, user, action, None, intent_id)
        return replace(sent, stop_id=action.stop_id)
    within_s = console.deps.settings.stop_within_s
    direct = asyncio.create_task(_tell_bridge(console, episode, action.stop_id, user.name))
    try:
        is_hold = isinstance(action, Hold)
        sent = await console.commands.send(episode, user, action, within_s if is_hold else None, intent_id)
    finally:
        await asyncio.wait([direct], timeout=within_s)
    return replace(sent, bridge=_said(direct), stop_id=action.stop_id)


async def _is_watched(console: Console, episode: str) -> bool:
    """In shadow whoever ends the watching stops nobody's robot; where it is held, its end goes both ways.
    What cannot be read is stopped."""
    state = await _newest(console, episode)
    return state is not None and state.mission.shadow and not state.stops


async def _newest(console: Console, episode: str) -> State | None:
    """None where it cannot be read, which is no reason to stop nothing."""
    expected: tuple[type[Exception], ...] = (NotBegun, *console.deps.missing, *console.deps.failed)
    try:
        return await run_in_threadpool(lambda: console.chronicles.of(episode).newest().state)
    except expected as error:
        log.warning("a stop goes out without a look at episode %s: %s", episode, error)
        return None


def _said(direct: asyncio.Task[Bridge]) -> Bridge:
    """A defect on the one way is no reason to be silent about the other."""
    if not direct.done() or direct.cancelled():
        return "silent"
    error = direct.exception()
    if error is not None:
        log.error("telling the bridge failed", exc_info=error)
        return "silent"
    return direct.result()


def new_stop() -> str:
    return f"stop-{uuid.uuid4().hex[:12]}"


def fresh_stop(wanted: str, stops: Iterable[Stop]) -> str:
    """The name under which the bridge is told: `wanted`, or where that is refused, one beginning with it."""
    if refuse_spent_name(wanted, stops) is None:
        return wanted
    legible = "".join(each for each in wanted if each.isprintable())
    return f"{legible[:LONGEST_NAME] or 'stop'}-{uuid.uuid4().hex[:12]}"


def refuse_spent_name(wanted: str, stops: Iterable[Stop]) -> str | None:
    """Unless that very stop is in force: a bridge takes a stop once, and none whose name it cannot write
    down. One that it has had before, in this episode or another of the robot's, would stop nothing."""
    if any(each.id == wanted for each in stops):
        return None
    return "A bridge that has had this name before would stop nothing."


async def _tell_bridge(console: Console, episode: str, stop_id: str, by: str) -> Bridge:
    """Failure here shows as a stop that is not confirmed; the runner tells the bridge as well."""
    expected: tuple[type[Exception], ...] = (BridgeError, *console.deps.missing, *console.deps.failed)
    try:
        stands = await run_in_threadpool(console.deps.stop_directly, episode, stop_id, by)
    except expected as error:
        log.warning("stop %s did not reach the bridge of episode %s directly: %s", stop_id, episode, error)
        return "silent"
    failpoint("after-tell")
    return "standing" if stands else "told"
