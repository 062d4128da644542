"""The planners as the settings page shows them, and the probe of a model server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from backend.bootstrap import openai_settings, planner_named
from backend.config import PREFIX, ConfigError, Settings
from backend.planners.errors import PlannerConfigurationError
from backend.planners.prices import load_prices
from backend.planners.settings import endpoint_of
from backend.usecases.ordering import PLANNERS
from backend.web.endpoints import Endpoint, Probed
from backend.web.errors import NotThere
from backend.web.pages.documents import Fact

TITLES = {
    "policy": "Policy: the nearest sure container, no model",
    "openai": "Language model",
    "recorded": "Recorded: answers on record, no model",
    "operator": "Operator: a person proposes each plan",
    "surrogate": "Surrogate",
    "per_chunk": "Language model, after every chunk",
    "oracle": "Subgoals by the truth",
}
MEANINGS = {
    "policy": "Computes each plan from the records it is shown, always alike.",
    "openai": "A model behind the Responses API or chat completions, here or elsewhere.",
    "recorded": "Answers what was answered when the very same was asked. It never calls a model.",
    "operator": "Nobody is called: whoever has the conn writes each plan, and it is checked like any other.",
    "surrogate": "Computed, at a table: it measures memories without a model, and is none.",
    "per_chunk": "The model of openai at a table, asked after every chunk with a state that it rewrites.",
    "oracle": "At a table, what its simulated world tells is to be done next; no model.",
}
SERVED = "openai"


class PlannerEndpoints:
    """What a probe found is kept until this server ends. `clock_s`: epoch seconds."""

    def __init__(self, settings: Settings, clock_s: Callable[[], float]) -> None:
        self._settings = settings
        self._clock_s = clock_s
        self._lock = threading.Lock()
        self._probed: Probed | None = None

    def all(self) -> Sequence[Endpoint]:
        return [self._endpoint(name) for name in PLANNERS]

    def prices(self) -> Sequence[Fact]:
        table = load_prices()
        models = [
            Fact(
                label=model,
                value=f"${price.input:g} in, ${price.cached_input:g} cached, ${price.output:g} out",
                meaning="US dollars per million tokens"
                + (f", up to {price.up_to_input_tokens:,} tokens in" if price.up_to_input_tokens else ""),
            )
            for model, price in table.models.items()
        ]
        return [Fact(label="As of", value=table.as_of.isoformat(), meaning=table.source), *models]

    def probe(self, name: str) -> Endpoint:
        if name != SERVED:
            raise NotThere(f"Planner {name[:40]} has no server", remedy="Probe openai.")
        from backend.planners.probe import probe  # it takes longer to import than all the rest

        at_s = self._clock_s()
        try:
            found = probe(openai_settings(self._settings))
            probed = Probed(
                enforced=found.enforced, detail=found.detail, latency_s=found.latency_s, at_s=at_s
            )
        except PlannerConfigurationError as error:
            probed = Probed(enforced=None, detail=str(error), latency_s=0.0, at_s=at_s)
        with self._lock:
            self._probed = probed
        return self._endpoint(name)

    def _endpoint(self, name: str) -> Endpoint:
        try:
            planner_named(name, self._settings)
            refused = ""
        except ConfigError as error:
            refused = str(error)
        served = name == SERVED
        return Endpoint(
            name=name,
            title=TITLES[name],
            meaning=MEANINGS[name],
            facts=self._facts() if served else (),
            refused=refused,
            can_probe=served,
            probed=self._probed if served else None,
        )

    def _facts(self) -> tuple[Fact, ...]:
        """Whether there is a key, never which."""
        made = openai_settings(self._settings)
        try:
            api: str = endpoint_of(made).api
        except PlannerConfigurationError:
            api = made.api
        shown = {
            "base_url": ("Address", made.base_url),
            "model": ("Model", made.model),
            "api": ("Interface", f"{made.api}: {api}" if made.api != api else api),
            "api_key": ("Key", "set" if made.api_key else "not set"),
            "max_output_tokens": ("Longest answer", f"{made.max_output_tokens:,} tokens"),
            "deadline_s": ("A decision may take", f"{made.deadline_s:g} s, tries and all"),
            "retries": ("Tries after one that failed", str(made.retries)),
        }
        return tuple(
            Fact(label=label, value=value, meaning=f"{PREFIX}PLANNER_{name.upper()}")
            for name, (label, value) in shown.items()
        )
