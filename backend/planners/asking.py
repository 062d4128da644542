"""Asking a server one question over HTTP: each try with its own record, all of them under one deadline."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any

import httpx2
import msgspec
import openai
from msgspec import Struct

from backend.domain.query.query import Attempt, AttemptMeta, Usage, Verdict
from backend.planners import chat_api, responses_api
from backend.planners.answer import kept, mapping, text_of
from backend.planners.errors import MissingPictureError
from backend.planners.pictures import LoadPicture, data_url, nothing_stored, reference
from backend.planners.prices import Prices
from backend.planners.question import Question
from backend.planners.settings import Endpoint, OpenAISettings, variable
from backend.planners.waiting import asked_wait_s, backoff_s, run

APIS = {"responses": responses_api, "chat": chat_api}

_PASSING = frozenset({408, 409, 425, 429})
_FINAL_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_REMEDIES = {
    400: "The server refuses the request: check that it knows the model and takes a JSON schema.",
    401: f"Check {variable('api_key')}.",
    403: f"Check what the key in {variable('api_key')} may do.",
    404: f"Check {variable('base_url')} (it usually ends in /v1), {variable('model')} and {variable('api')}.",
    429: "Wait, or ask for a higher limit.",
}


class Asker(Struct, frozen=True, kw_only=True):
    """What every question to one server needs. `clock` measures latencies only."""

    settings: OpenAISettings
    endpoint: Endpoint
    load_picture: LoadPicture = nothing_stored
    prices: Prices | None = None
    clock: Callable[[], float] = time.monotonic


class Try(Struct, frozen=True, kw_only=True):
    """One request. `text`: the complete answer if the verdict is ok; `wait_s`: what the server asks for."""

    attempt: Attempt
    meta: AttemptMeta = AttemptMeta()
    text: str = ""
    may_pass: bool = False
    wait_s: float | None = None


def ask(question: Question, asker: Asker) -> tuple[Try, ...]:
    """Every try, the last one deciding: answered, given up, or out of time."""
    try:
        urls = {
            frame.sha256: data_url(frame, asker.load_picture, question.picture_px)
            for frame in question.pictures
        }
    except MissingPictureError as missing:
        return (Try(attempt=_attempt(question, asker, "failed", str(missing))),)
    return run(_ask(question, asker, urls))


async def _ask(question: Question, asker: Asker, urls: Mapping[str, str]) -> tuple[Try, ...]:
    settings, endpoint = asker.settings, asker.endpoint
    now = asyncio.get_running_loop().time
    deadline = now() + settings.deadline_s
    api = APIS[endpoint.api]
    wire = api.body(question, settings, endpoint.is_openai, lambda frame: urls[frame.sha256])
    tries: list[Try] = []
    client = openai.AsyncOpenAI(
        api_key=endpoint.api_key,
        base_url=endpoint.base_url,
        max_retries=0,
        timeout=httpx2.Timeout(settings.try_timeout_s, connect=settings.connect_timeout_s),
    )
    async with client:
        while True:
            patience_s = min(settings.try_timeout_s, deadline - now())
            made = await _try(client, wire, question, asker, patience_s, len(tries))
            tries.append(made)
            pause_s = made.wait_s if made.wait_s is not None else backoff_s(settings.backoff_s, len(tries))
            if not made.may_pass or len(tries) > settings.retries or now() + pause_s >= deadline:
                return tuple(tries)
            await asyncio.sleep(pause_s)


async def _try(
    client: openai.AsyncOpenAI,
    wire: dict[str, Any],
    question: Question,
    asker: Asker,
    patience_s: float,
    earlier: int,
) -> Try:
    started = asker.clock()
    try:
        async with asyncio.timeout(patience_s):
            response = await client.post(APIS[asker.endpoint.api].PATH, cast_to=httpx2.Response, body=wire)
        made = _answered(response, question, asker)
    except (TimeoutError, openai.APITimeoutError):
        raised = f"{variable('try_timeout_s')} and {variable('deadline_s')}"
        detail = f"No reply within {patience_s:.3g} s. Raise {raised}, or check the server."
        made = Try(attempt=_attempt(question, asker, "timeout", detail), may_pass=True)
    except openai.APIStatusError as error:
        made = _refused(error, question, asker)
    except openai.APIError as error:
        detail = (
            f"{asker.endpoint.base_url} cannot be reached: {error.__cause__ or error}. Is the server running?"
        )
        made = Try(attempt=_attempt(question, asker, "api_error", detail), may_pass=True)
    meta = msgspec.structs.replace(made.meta, latency_s=asker.clock() - started, retries=earlier)
    return msgspec.structs.replace(made, meta=meta)


def _answered(response: httpx2.Response, question: Question, asker: Asker) -> Try:
    """Status 2xx: what the body amounts to."""
    request_id = response.headers.get("x-request-id", "")
    body = _json(response.content)
    if not isinstance(body, dict):
        detail = (
            "The server's reply is not what this API answers."
            f" Check {variable('base_url')}, which usually ends in /v1."
        )
        stored = {"body": response.text[:2000]}
        attempt = _attempt(question, asker, "failed", detail, stored)
        return Try(attempt=attempt, meta=AttemptMeta(request_id=request_id))
    answer = APIS[asker.endpoint.api].read(body, asker.settings)
    attempt = _attempt(
        question, asker, answer.verdict, answer.detail, kept(body), model=answer.model, usage=answer.usage
    )
    meta = AttemptMeta(request_id=request_id, response_id=answer.response_id)
    return Try(attempt=attempt, meta=meta, text=answer.text, may_pass=answer.may_pass)


def _refused(error: openai.APIStatusError, question: Question, asker: Asker) -> Try:
    """Any other status: the provider's code and words, and what to do."""
    status = error.status_code
    body = _json(error.response.content)
    said = mapping(mapping(body).get("error", body))
    code = text_of(said.get("code")) or text_of(said.get("type"))
    message = text_of(said.get("message")) or f"HTTP {status}"
    remedy = _REMEDIES.get(status, "The server has a fault of its own; try again later.")
    detail = f"The server answered {status}{f' ({code})' if code else ''}: {message[:500]} {remedy}"
    stored = {"status": status, "body": kept(body) if isinstance(body, dict) else error.response.text[:2000]}
    passing = (status in _PASSING or status >= 500) and code not in _FINAL_CODES
    return Try(
        attempt=_attempt(question, asker, "api_error", detail, stored),
        meta=AttemptMeta(request_id=error.response.headers.get("x-request-id", "")),
        may_pass=passing,
        wait_s=asked_wait_s(error.response.headers),
    )


def _attempt(
    question: Question,
    asker: Asker,
    verdict: Verdict,
    detail: str,
    response: Mapping[str, Any] | None = None,
    *,
    model: str = "",
    usage: Usage | None = None,
) -> Attempt:
    """The record of a try. The request in it holds pictures by reference; the key stands nowhere."""
    settings, endpoint = asker.settings, asker.endpoint
    usage = usage or Usage()
    cost_usd = None
    if asker.prices is not None and endpoint.is_openai:
        cost_usd = asker.prices.cost_usd(model or settings.model, usage)
    return Attempt(
        verdict=verdict,
        detail=detail,
        model=model or settings.model,
        api=endpoint.api,
        request_digest=question.digest,
        request=APIS[endpoint.api].body(question, settings, endpoint.is_openai, reference),
        response=response or {},
        usage=usage,
        cost_usd=cost_usd,
        prices_as_of=asker.prices.as_of.isoformat()
        if asker.prices is not None and cost_usd is not None
        else "",
    )


def _json(content: bytes) -> Any:
    try:
        return msgspec.json.decode(content)
    except (ValueError, RecursionError):
        return None
