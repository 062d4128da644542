"""What an attempt cost, from a dated table. A model that is not in it has no cost: none is guessed."""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

import msgspec
from msgspec import Struct

from backend.domain.query.query import Usage
from backend.planners.errors import PlannerConfigurationError

MILLION = 1_000_000


class Price(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """US dollars per million tokens. Reasoning tokens are output tokens; cached ones are input tokens."""

    input: float
    cached_input: float
    output: float
    up_to_input_tokens: int | None = None


class Prices(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    as_of: datetime.date
    source: str
    models: Mapping[str, Price]

    def cost_usd(self, model: str, usage: Usage) -> float | None:
        """None where the model's price or the provider's count is not known."""
        price = self.models.get(model)
        if price is None or usage.input_tokens is None or usage.output_tokens is None:
            return None
        if price.up_to_input_tokens is not None and usage.input_tokens > price.up_to_input_tokens:
            return None
        cached = min(usage.cached_tokens or 0, usage.input_tokens)
        dollars = (
            (usage.input_tokens - cached) * price.input
            + cached * price.cached_input
            + usage.output_tokens * price.output
        )
        return dollars / MILLION


def load_prices(path: Path | None = None) -> Prices:
    """The table at `path`, else the one that is shipped; PlannerConfigurationError if it is unreadable."""
    try:
        if path is None:
            text = resources.files("backend.planners").joinpath("prices.toml").read_text("utf-8")
        else:
            text = path.read_text("utf-8")
        return msgspec.convert(tomllib.loads(text), Prices)
    except (OSError, ValueError) as error:
        raise PlannerConfigurationError(
            f"The price table {path or 'prices.toml'} is unreadable: {error}. Mend it, or unset it."
        ) from error
