"""Who is asked in a what-if: a planner that computes, one with answers on record, or a model at a price."""

from __future__ import annotations

from msgspec import Struct

from backend.bootstrap import in_words_of_settings, openai_settings, planner_named
from backend.config import ConfigError, Settings
from backend.domain.query.query import Usage
from backend.domain.refusal import Refusal
from backend.planners.errors import PlannerConfigurationError
from backend.rig import PLANNERS
from backend.sandbox.change import Change
from backend.sandbox.estimate import Price
from backend.sandbox.ports import Planner

MODEL = "openai"
"""The one planner that asks a server."""


class Chosen(Struct, frozen=True, kw_only=True):
    """`asks_model` False: nothing is spent. `price` and its date are of the model."""

    planner: Planner
    asks_model: bool
    price: Price
    prices_as_of: str = ""


def _free(tokens_in: int, tokens_out: int) -> float | None:
    return 0.0


def computes(name: str) -> bool:
    """Whether it can be asked again at no cost, for the same answer."""
    return name in PLANNERS


def chosen_planner(name: str, change: Change, settings: Settings) -> Chosen | Refusal:
    """`name`: the change's planner, else the episode's."""
    if name == "operator":
        return Refusal(
            "planner", "A person planned this episode, and cannot be asked again.", "Choose another planner."
        )
    if name != MODEL and (change.model or change.prompt):
        field = "model" if change.model else "prompt"
        said = f"Planner {name[:40]} asks no model, so it has no {field}."
        return Refusal(field, said, f"Choose {MODEL}, or clear it.")
    if computes(name):
        return Chosen(planner=PLANNERS[name](), asks_model=False, price=_free)
    told = {"planner_model": change.model} if change.model else {}
    # Nothing that was never asked in a mission belongs in a record of missions.
    own = settings.model_copy(update={"planner_record_to": None, **told})
    try:
        planner: Planner = planner_named(name, own)
    except ConfigError as error:
        return Refusal("planner", str(error), "Else choose another planner.")
    if name != MODEL:
        return Chosen(planner=planner, asks_model=False, price=_free)
    return _model(planner, change, own)


def _model(planner: Planner, change: Change, settings: Settings) -> Chosen | Refusal:
    # Here, as it takes longer to import than all the rest.
    from backend.planners.openai import OpenAIPlanner
    from backend.planners.prices import load_prices
    from backend.planners.settings import endpoint_of

    if change.prompt and isinstance(planner, OpenAIPlanner):
        planner = planner.prompted(change.prompt)
    try:
        endpoint, prices = endpoint_of(openai_settings(settings)), load_prices()
    except PlannerConfigurationError as error:
        return Refusal("planner", in_words_of_settings(error), "Choose another planner.")

    def price(tokens_in: int, tokens_out: int) -> float | None:
        usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out)
        return prices.cost_usd(settings.planner_model, usage) if endpoint.is_openai else None

    return Chosen(planner=planner, asks_model=True, price=price, prices_as_of=prices.as_of.isoformat())
