"""Settings of the `openai` planner, and the endpoint that follows from them."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct

from backend.config import PREFIX
from backend.domain.plans.plan import PICTURE_PX
from backend.planners.errors import PlannerConfigurationError

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_HOST = "api.openai.com"

Api = Literal["responses", "chat"]
UNKEYED = "none"
"""Sent where a server of one's own asks for no key: the header may not be empty."""


class OpenAISettings(Struct, frozen=True, kw_only=True):
    """`api` auto: responses at OpenAI, chat completions elsewhere: few others enforce a schema on responses.

    `deadline_s` bounds the whole decision with all its tries, `try_timeout_s` one of them. Tries follow each
    other after `backoff_s`, doubled each time, or what the server asks for. `chat_schema` json_object suits
    servers that take the schema beside that type only. `reasoning_effort` empty leaves it to the provider.
    """

    model: str
    api_key: str = ""
    base_url: str = OPENAI_URL
    api: Literal["auto", "responses", "chat"] = "auto"
    chat_schema: Literal["json_schema", "json_object"] = "json_schema"
    reasoning_effort: str = ""
    max_output_tokens: int = 6000
    image_detail: Literal["low", "high", "auto"] = "high"
    demonstration_detail: Literal["low", "high", "auto"] = "low"
    deadline_s: float = 120.0
    try_timeout_s: float = 60.0
    connect_timeout_s: float = 5.0
    retries: int = 2
    backoff_s: float = 0.5

    def detail_at(self, picture_px: int) -> str:
        """The detail that pictures of this longer side are sent with: small ones are a demonstration's."""
        return self.image_detail if picture_px >= PICTURE_PX else self.demonstration_detail

    def __repr__(self) -> str:
        """Never the key: settings end up in logs."""
        key = "set" if self.api_key else "none"
        return f"OpenAISettings({self.model!r} at {self.base_url!r}, api={self.api!r}, api_key={key})"


class Endpoint(Struct, frozen=True, kw_only=True):
    """Where to ask, by which API. Off OpenAI its own parameters are left out: others reject them."""

    base_url: str
    api_key: str
    api: Api
    is_openai: bool

    def __repr__(self) -> str:
        return f"Endpoint(base_url={self.base_url!r}, api={self.api!r})"


def variable(field: str) -> str:
    """What an operator sets `field` by."""
    return f"{PREFIX}PLANNER_{field.upper()}"


def endpoint_of(settings: OpenAISettings) -> Endpoint:
    """The endpoint; PlannerConfigurationError names the setting that cannot work."""
    if not settings.model.strip():
        raise PlannerConfigurationError("model is empty. Name one, such as gpt-5-mini-2025-08-07.")
    host = _host(settings.base_url)
    is_openai = host == OPENAI_HOST
    _check_key(settings.api_key, is_openai)
    for name in ("deadline_s", "try_timeout_s", "connect_timeout_s", "max_output_tokens"):
        if getattr(settings, name) <= 0:
            raise PlannerConfigurationError(f"{name} is {getattr(settings, name)}. Give a number above 0.")
    if settings.retries < 0 or settings.backoff_s < 0:
        raise PlannerConfigurationError("retries and backoff_s must not be negative. Give 0 or more.")
    return Endpoint(
        base_url=settings.base_url.rstrip("/"),
        api_key=settings.api_key or UNKEYED,
        api=_api(settings.api, is_openai),
        is_openai=is_openai,
    )


def _host(base_url: str) -> str:
    example = "Give one such as http://127.0.0.1:8080/v1."
    try:
        parts = urlsplit(base_url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise PlannerConfigurationError(f"base_url {base_url!r} is no address: {error}. {example}") from None
    if parts.scheme not in ("http", "https") or not host:
        raise PlannerConfigurationError(f"base_url {base_url!r} is no http or https address. {example}")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise PlannerConfigurationError(f"base_url holds more than scheme, host, port and path. {example}")
    return host


def _check_key(api_key: str, is_openai: bool) -> None:
    if is_openai and not api_key:
        raise PlannerConfigurationError(
            "api_key is missing, and OpenAI answers nobody without one."
            " Set it, or set base_url to a server of your own."
        )
    if not all("!" <= character <= "~" for character in api_key):
        raise PlannerConfigurationError(
            "api_key holds white space or other characters that no key has."
            " Copy the key again, without quotes."
        )


def _api(asked: str, is_openai: bool) -> Api:
    if asked == "auto":
        return "responses" if is_openai else "chat"
    if asked == "responses":
        return "responses"
    if asked == "chat":
        return "chat"
    raise PlannerConfigurationError(f"api is {asked!r}. Choose auto, responses or chat.")
