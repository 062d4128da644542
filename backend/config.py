"""The one configuration object. A setting is also the environment variable `QUARTERDECK_` plus its name.

docs/reference/settings.md lists them, and a test keeps the list complete. Nothing else reads the environment.
"""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Any, Literal

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from backend.domain.refusal import Refusal

PREFIX = "QUARTERDECK_"


class ConfigError(Exception):
    """A setting is not what it would have to be. The text names the setting and the remedy."""


class Settings(BaseSettings):
    """Read once, at start. Everything that a running Quarterdeck writes lies under `home`."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, extra="ignore", validate_default=True, populate_by_name=True
    )

    home: Path = Field(Path("var"), description="The folder that holds all state.")
    database_url: str = Field(
        "", description="`sqlite:///FILE` or `postgresql://…`; empty: `quarterdeck.db` in the home."
    )

    host: str = Field("127.0.0.1", description="The address that the console listens on.")
    port: int = Field(8300, ge=0, le=65535, description="Its port; 0 takes a free one.")

    hosts: str = Field(
        "", description="Names under which the console is reached, with commas; empty: any beyond loopback."
    )
    https: bool = Field(False, description="Whether a proxy serves it over TLS; cookies then need it.")
    trusted_proxies: str = Field(
        "127.0.0.1", description="Addresses of proxies whose word counts for who comes, with commas."
    )
    session_idle_s: float = Field(
        43_200.0, gt=0, description="How long a sign-in lasts without use; an open page is use."
    )
    session_max_s: float = Field(2_592_000.0, gt=0, description="How long a sign-in lasts at the most.")

    planner_base_url: str = Field(
        "https://api.openai.com/v1", description="The model server, for planner `openai`."
    )
    planner_api_key: SecretStr = Field(
        SecretStr(""),
        validation_alias=AliasChoices(f"{PREFIX}PLANNER_API_KEY", "OPENAI_API_KEY"),
        description="Its key. `OPENAI_API_KEY` is read where this is not set.",
    )
    planner_model: str = Field("gpt-5-mini-2025-08-07", description="The model's name at that server.")
    planner_api: Literal["auto", "responses", "chat"] = Field(
        "auto", description="The interface to speak; `auto`: responses at OpenAI, chat elsewhere."
    )
    planner_chat_schema: Literal["json_schema", "json_object"] = Field(
        "json_schema", description="How chat completions are given the schema; some servers take the latter."
    )
    planner_reasoning_effort: str = Field("", description="Empty leaves it to the provider.")
    planner_max_output_tokens: int = Field(6000, ge=1, description="The longest answer.")
    planner_image_detail: Literal["low", "high", "auto"] = Field("high", description="For frames shown.")
    planner_demonstration_detail: Literal["low", "high", "auto"] = Field(
        "low", description="For the smaller frames of a demonstration."
    )
    planner_deadline_s: float = Field(120.0, gt=0, description="How long a decision may take, tries and all.")
    planner_try_timeout_s: float = Field(60.0, gt=0, description="How long one try may take.")
    planner_connect_timeout_s: float = Field(5.0, gt=0, description="How long connecting may take.")
    planner_retries: int = Field(2, ge=0, le=10, description="Tries after one that failed.")
    planner_backoff_s: float = Field(0.5, ge=0, description="Wait before the second try, doubled each time.")
    planner_recording: Path | None = Field(
        None, description="The file of exchanges that planner `recorded` answers from."
    )
    planner_record_to: Path | None = Field(
        None, description="The file that planner `openai` adds its exchanges to, for `recorded`."
    )

    whatif_calls: int = Field(200, ge=0, description="Calls that what-ifs may make in any 24 hours.")
    whatif_tokens: int = Field(2_000_000, ge=0, description="Tokens that they may spend in that time.")
    whatif_money_usd: float = Field(
        5.0, ge=0, description="US dollars, where the model has a dated price; others are not bounded so."
    )

    server: str = Field(
        "", description="A running console that `hold`, `approvals` and the like ask; empty: this home."
    )
    token: SecretStr = Field(SecretStr(""), description="The API token for that server.")

    lease_s: float = Field(
        10.0, gt=0, description="How long a silent runner keeps its episode before another may take it over."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="The least logged.")
    log_format: Literal["auto", "console", "json"] = Field(
        "auto", description="`auto`: console on a terminal, JSON elsewhere."
    )

    @field_validator("host")
    @classmethod
    def _is_address(cls, value: str) -> str:
        if value != "localhost":
            try:
                ipaddress.ip_address(value)
            except ValueError:
                raise ValueError("give an IP address such as 127.0.0.1, or localhost") from None
        return value

    @property
    def is_loopback(self) -> bool:
        return self.host == "localhost" or ipaddress.ip_address(self.host).is_loopback

    @property
    def known_hosts(self) -> tuple[str, ...]:
        """On loopback its names alone, whatever name server a page's address came from."""
        named = tuple(name.strip() for name in self.hosts.split(",") if name.strip())
        return named or (("127.0.0.1", "localhost", "::1") if self.is_loopback else ())

    def environment(self) -> dict[str, str]:
        """These settings as variables, for the processes that are started under them."""
        values = {}
        for name in type(self).model_fields:
            value = getattr(self, name)
            if isinstance(value, SecretStr):
                value = value.get_secret_value()
            if isinstance(value, Path):
                value = value.absolute()
            if value not in (None, ""):
                values[f"{PREFIX}{name.upper()}"] = str(value)
        return values


def load_settings(**given: Any) -> Settings:
    """Settings from the environment, with `given` (None: not given) before it. Raises ConfigError."""
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        raise ConfigError(_told(error)) from None


def refuse_open_door(settings: Settings, accounts: int) -> Refusal | None:
    """Whoever reaches the console can command robots: beyond this machine, only people who sign in may."""
    if settings.is_loopback or accounts:
        return None
    return Refusal(
        "open_door",
        f"Anyone who reaches {settings.host} could command the robots: no account has a password.",
        "Run: quarterdeck accounts add NAME --role admin. Or keep to --host 127.0.0.1.",
    )


def _told(error: ValidationError) -> str:
    told = []
    for fault in error.errors():
        name = str(fault["loc"][0]) if fault["loc"] else ""
        setting = name if name.isupper() else f"{PREFIX}{name.upper()}"
        problem = str(fault["msg"]).removeprefix("Value error, ")
        told.append(f"{setting} is {str(fault['input'])[:80]!r}: {problem[0].lower()}{problem[1:]}.")
    return " ".join([*told, "Correct the setting; docs/reference/settings.md lists them all."])
