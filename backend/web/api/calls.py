"""An operation as a route: the scope is checked, the request read, the answer written, and a request that is
sent twice answered once."""

from __future__ import annotations

import inspect
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from backend.domain.access.idempotency import refuse_key, refuse_replay
from backend.domain.access.scopes import refuse_role_for, refuse_scope
from backend.domain.digests import digest_of_text
from backend.web.api.operations import Call, Operation, Reply
from backend.web.api.problems import MEDIA
from backend.web.console import Console
from backend.web.errors import Forbidden, Malformed, TooLate, WebError
from backend.web.guard.visitor import Visitor, visitor_of

KEY = "Idempotency-Key"
LONGEST_PART = 200


class Endpoint:
    """Answers one operation's requests."""

    def __init__(self, console: Console, operation: Operation) -> None:
        self._console = console
        self._operation = operation

    async def answer(self, request: Request) -> Response:
        operation, visitor = self._operation, visitor_of(request.scope)
        assert visitor is not None, "SignedIn lets nobody through without"
        self._may(visitor)
        raw = await request.body() if operation.method != "GET" else b""
        call = Call(
            user=self._console.user(request),
            visitor=visitor,
            path=_path(request),
            query=_query(request, operation),
            body=_body(request, operation, raw),
        )
        key = request.headers.get(KEY)
        if key is None or operation.method == "GET":
            return _written(await _run(operation, call))
        if not operation.takes_key:
            raise Malformed(f"This takes no {KEY}", remedy="Leave it out.", field=KEY)
        if not operation.replays:
            return _written(await _run(operation, call))
        return await self._once(request, call, raw, key)

    def _may(self, visitor: Visitor) -> None:
        """Raises Forbidden."""
        operation = self._operation
        refusal = None
        if not (operation.is_own and visitor.session):
            refusal = refuse_scope(visitor.scopes, operation.scope) if visitor.token else None
            refusal = refusal or refuse_role_for(visitor.role, operation.scope)
        if refusal is not None:
            raise Forbidden(refusal.message, remedy=refusal.remedy, code=refusal.code)

    async def _once(self, request: Request, call: Call, raw: bytes, key: str) -> Response:
        """The first answer to this key, however often it is asked for."""
        wrong = refuse_key(key)
        if wrong is not None:
            raise Malformed(wrong.message, remedy=wrong.remedy, code=wrong.code, field=KEY)
        replies, user = self._console.deps.replies, call.user.name
        asked = digest_of_text(f"{request.method} {request.url.path}?{request.url.query}\n{raw.hex()}")
        kept = await run_in_threadpool(replies.claim, user, key, asked)
        if kept is not None:
            refusal = refuse_replay(kept, asked)
            if refusal is not None:
                raise TooLate(refusal.message, remedy=refusal.remedy, code=refusal.code)
            again = {"Idempotency-Replayed": "true"}
            return Response(kept.body, kept.status or 200, again, _media(kept.status))
        # The same id for the same request: should this process die now, it is done no second time.
        # Not for the key alone: once its answer is forgotten, it may come with another request.
        call = msgspec.structs.replace(call, key=digest_of_text(f"{user}\n{key}\n{asked}")[:32])
        try:
            answer = _written(await _run(self._operation, call))
        except WebError as error:
            await self._console.witness.saw(request.scope, error)
            answer = self._console.failures.answer(request.scope, error)
        except BaseException:
            await run_in_threadpool(replies.forget, user, key)
            raise
        if answer.status_code >= 500:
            await run_in_threadpool(replies.forget, user, key)
        else:
            body = bytes(answer.body).decode()
            await run_in_threadpool(replies.keep, user, key, answer.status_code, body)
        return answer


async def _run(operation: Operation, call: Call) -> Reply:
    if inspect.iscoroutinefunction(operation.run):
        found: Reply = await operation.run(call)
        return found
    return await run_in_threadpool(operation.run, call)


def _path(request: Request) -> dict[str, str]:
    for name, value in request.path_params.items():
        if len(str(value)) > LONGEST_PART:
            raise Malformed(f"{name} is too long", remedy="Look at the list.", field=name)
    return {name: str(value) for name, value in request.path_params.items()}


def _query(request: Request, operation: Operation) -> Any:
    given = dict(request.query_params)
    if operation.query is None:
        if given:
            raise _unread(sorted(given)[0], "It takes no parameters.")
        return None
    known = {field.name for field in msgspec.structs.fields(operation.query)}
    for name in sorted(given.keys() - known):
        raise _unread(name, f"There is {', '.join(sorted(known))}.")
    try:
        return msgspec.convert(given, operation.query, strict=False)
    except (msgspec.ValidationError, ValueError) as error:
        raise wrong_field(error, "query", "See /api/v1/openapi.json.") from error


def _body(request: Request, operation: Operation, raw: bytes) -> Any:
    if operation.body is None:
        return None
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if raw and media != "application/json":
        remedy = "Send Content-Type: application/json."
        error = Malformed("The body is no JSON", remedy=remedy, code="media_type")
        error.status = 415
        raise error
    try:
        return msgspec.json.decode(raw or b"{}", type=operation.body)
    except msgspec.ValidationError as error:
        raise wrong_field(error, "body", "See /api/v1/openapi.json.") from error
    except (ValueError, RecursionError) as error:
        raise Malformed("The body is no JSON", text=f"{error}.", remedy="Send one JSON object.") from error


def wrong_field(error: Exception, where: str, remedy: str) -> Malformed:
    """msgspec says what is wrong and, after a dash, where."""
    said, _, place = str(error).partition(" - at `$.")
    field = place.rstrip("`") or where
    return Malformed(f"{field} cannot be read", text=f"{said}.", remedy=remedy, field=field)


def _unread(name: str, remedy: str) -> Malformed:
    return Malformed(f"{name[:80]} is no parameter of this", remedy=remedy, field=name[:80])


def _written(reply: Reply) -> Response:
    return Response(msgspec.json.encode(reply.value), reply.status, media_type="application/json")


def _media(status: int | None) -> str:
    return "application/json" if (status or 200) < 400 else MEDIA
