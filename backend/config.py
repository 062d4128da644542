"""The one configuration object.

Each setting is also the environment variable `QUARTERDECK_` and its name in capitals.

docs/reference/settings.md lists them; a test keeps the list complete. Nothing else in the program reads the
environment.
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

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore", validate_default=True)

    home: Path = Field(Path("var"), description="The folder that holds all state.")
    database_url: str = Field(
        "", description="`sqlite:///FILE` or `postgresql://…`; empty: `quarterdeck.db` in the home."
    )

    host: str = Field("127.0.0.1", description="The address that the console listens on.")
    port: int = Field(8300, ge=0, le=65535, description="Its port; 0 takes a free one.")

    planner_url: str = Field(
        "https://api.openai.com/v1", description="Base URL of the model server, for planner `openai`."
    )
    planner_key: SecretStr = Field(
        SecretStr(""),
        validation_alias=AliasChoices(f"{PREFIX}PLANNER_KEY", "OPENAI_API_KEY"),
        description="Its key. `OPENAI_API_KEY` is read where this is not set.",
    )
    planner_model: str = Field("gpt-5-mini-2025-08-07", description="The model's name at that server.")
    planner_api: Literal["auto", "responses", "chat"] = Field(
        "auto", description="Which of the two interfaces to speak; `auto` chooses by the URL."
    )
    planner_effort: str = Field("", description="Reasoning effort, where the server knows one.")
    planner_max_output_tokens: int = Field(6000, ge=1, description="Upper bound of one answer.")
    planner_timeout_s: float = Field(60.0, gt=0, description="How long one request may take.")
    planner_deadline_s: float = Field(
        120.0, gt=0, description="How long a decision may take, retries included."
    )
    planner_retries: int = Field(2, ge=0, le=10, description="Retries after a failed request.")
    planner_recording: Path | None = Field(
        None, description="The journal or file of answers that planner `recorded` answers from."
    )

    lease_s: float = Field(
        10.0, gt=0, description="How long a silent runner keeps its episode before another may take it over."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="The least that is logged."
    )
    log_format: Literal["auto", "console", "json"] = Field(
        "auto", description="`auto` is console on a terminal and JSON elsewhere."
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


def load_settings(**given: Any) -> Settings:
    """Settings from the environment, with `given` (None: not given) before it. Raises ConfigError."""
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        raise ConfigError(_told(error)) from None


def refuse_open_door(settings: Settings, accounts: int) -> Refusal | None:
    """Whoever can reach the console can command robots: beyond this machine it starts only where people sign
    in.
    """
    if settings.is_loopback or accounts:
        return None
    return Refusal(
        "open_door",
        f"Anyone who reaches {settings.host} could command the robots: there are no accounts.",
        "Add one with: quarterdeck accounts add NAME --role admin. Or keep to --host 127.0.0.1.",
    )


def _told(error: ValidationError) -> str:
    told = []
    for fault in error.errors():
        name = str(fault["loc"][0]) if fault["loc"] else ""
        setting = name if name.isupper() else f"{PREFIX}{name.upper()}"
        problem = str(fault["msg"]).removeprefix("Value error, ")
        told.append(f"{setting} is {str(fault['input'])[:80]!r}: {problem[0].lower()}{problem[1:]}.")
    return " ".join([*told, "Correct the setting; docs/reference/settings.md lists them all."])
