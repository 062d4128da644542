"""Commands as JSON: every action that the domain knows, by its tag, so that a new one is here by itself.

What an action takes is its own definition. A `stop_id` may be left out; the console makes it a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool

from backend.domain.access.idempotency import refuse_spent
from backend.domain.command.intents import STOPPING, UNSENDABLE, Abort, Action, Hold
from backend.domain.command.writing import legible
from backend.web.answers import FIELD_OF
from backend.web.api.calls import wrong_field
from backend.web.api.operations import ROOT, Call, Operation, Reply
from backend.web.commanding import Answer, Bridge
from backend.web.console import Console
from backend.web.errors import Forbidden, Malformed, NotThere, TooLate, Unanswered, WebError
from backend.web.stopping import fresh_stop, stop

LONGEST = 2000
"""Characters of a text, as in the forms."""


def tag_of(kind: type) -> str:
    return str(kind.__struct_config__.tag)  # type: ignore[attr-defined]


COMMANDS: Mapping[str, type] = {tag_of(kind): kind for kind in get_args(Action) if kind not in UNSENDABLE}
_action: msgspec.json.Decoder[Action] = msgspec.json.Decoder(Action)


class CommandResult(Struct, frozen=True, kw_only=True):
    """`applied`: it was done. `code` else says how it stands: `asked`: a stop that no runner has taken yet;
    it counts as soon as one does. `bridge`, of what stops the robot: `told`, the bridge has it latched;
    `standing`, and the robot stood still already; `silent`, the bridge did not answer in time. `stop_id`: as
    which the stop is in force, which begins with what the command named."""

    episode: str
    command: str
    intent_id: str
    applied: bool
    code: str = "applied"
    message: str = ""
    bridge: Bridge = ""
    stop_id: str = ""


def operations(console: Console) -> list[Operation]:
    """One for each command, all on one route."""

    async def run(call: Call) -> Reply:
        name, episode = call.path["command"], call.path["episode"]
        action = action_of(name, call.body, "stop")
        now = await run_in_threadpool(console.desk.moment, episode, call.user)
        if now.state.ending is not None:
            raise TooLate(
                "The episode has ended", text="Nothing was done.", remedy="Nothing of it moves.", code="ended"
            )
        if call.key:
            await run_in_threadpool(_check_key, console, episode, call.key)
        if isinstance(action, STOPPING):
            action = replace(action, stop_id=fresh_stop(action.stop_id, now.head.stops))
        if isinstance(action, Hold):
            action = replace(action, reason=legible(action.reason))
        # An abort that will be refused does not stop the robot of whoever commands.
        if isinstance(action, Hold) or (isinstance(action, Abort) and now.may_command):
            # Held anew whenever it is asked: that an older hold under this key was applied stops nothing.
            key = "" if isinstance(action, Hold) else call.key
            answer = await stop(console, episode, call.user, action, key)
        else:
            answer = await console.commands.send(episode, call.user, action, intent_id=call.key)
        return _replied(answer, episode, name, answer.stop_id or getattr(action, "stop_id", ""))

    return [
        Operation(
            id=f"command_{name}",
            method="POST",
            path=f"{ROOT}/episodes/{{episode}}/commands/{{command}}",
            scope="hold" if kind is Hold else "command",
            tag="Commands",
            summary=name.replace("_", " ").capitalize(),
            text=kind.__doc__ or "",
            run=run,
            body=dict,
            answer=CommandResult,
            replays=kind is not Hold,
        )
        for name, kind in COMMANDS.items()
    ]


def action_of(name: str, body: Mapping[str, Any], stop_id: str) -> Action:
    """`stop_id`: how the stop is called, where the body does not say.

    Raises NotThere for an unknown command, and Malformed for a body that is not what it takes.
    """
    kind = COMMANDS.get(name)
    if kind is None:
        raise unknown(name)
    fields = {field.name for field in msgspec.structs.fields(kind)}
    for field in sorted(body.keys() - fields):
        raise Malformed(f"{field[:80]} is no field of {name}", remedy=_takes(name, fields), field=field[:80])
    for field, value in body.items():
        if isinstance(value, str) and len(value) > LONGEST:
            remedy = f"Write at most {LONGEST:,} characters."
            raise Malformed(f"{field} is too long", remedy=remedy, field=field)
    given = {"stop_id": stop_id, **body} if "stop_id" in fields else dict(body)
    try:
        return _action.decode(msgspec.json.encode({**given, "type": name}))
    except (msgspec.ValidationError, ValueError, RecursionError) as error:
        raise wrong_field(error, "body", _takes(name, fields)) from error


def _check_key(console: Console, episode: str, intent_id: str) -> None:
    """Raises TooLate."""
    came_s = console.deps.inbox(episode).came_s(intent_id)
    refusal = refuse_spent(came_s, console.deps.clock_s())
    if refusal is not None:
        raise TooLate(refusal.message, text="Nothing was done.", remedy=refusal.remedy, code=refusal.code)


def unknown(name: str) -> NotThere:
    known = ", ".join(sorted(COMMANDS))
    return NotThere(f"There is no command {name[:80]!r}", remedy=f"There is {known}.", code="unknown_command")


_BRIDGE: Mapping[Bridge, str] = {
    "": "",
    "silent": "The bridge did not answer: see to the robot.",
    "told": "The bridge has latched the stop; standstill was not measured yet.",
    "standing": "The bridge has latched the stop, and the robot stood still.",
}


def _takes(name: str, fields: set[str]) -> str:
    return f"{name} takes {', '.join(sorted(fields)) or 'nothing'}."


def _replied(answer: Answer, episode: str, name: str, stop_id: str) -> Reply:
    """Raises what the refusal is: 403 for who may not, 422 for what was written, 409 for what has changed."""
    settled = answer.settlement
    if settled is None and answer.withdrawn:
        raise Unanswered(
            "No runner answered in time",
            text=f"{name} was taken back; nothing was done.",
            remedy="Send it again once a runner holds the episode, under another Idempotency-Key.",
            code="no_runner",
        )
    if settled is not None and not settled.applied:
        kind: type[WebError] = Forbidden if settled.code == "role" else TooLate
        if settled.code in FIELD_OF:
            kind = Malformed
        error = kind(settled.message, text="Nothing was done.", remedy=settled.remedy, code=settled.code)
        error.is_on_record = True
        error.field = FIELD_OF.get(settled.code, "")
        raise error
    is_applied = settled is not None
    result = CommandResult(
        episode=episode,
        command=name,
        intent_id=answer.intent_id,
        applied=is_applied,
        code="applied" if is_applied else "asked",
        message="" if is_applied else f"No runner has taken it yet. {_BRIDGE[answer.bridge]}".strip(),
        bridge=answer.bridge,
        stop_id=stop_id,
    )
    return Reply(value=result, status=200 if is_applied else 202)
