"""`quarterdeck evaluate planner`: the study with a live model, and the same again from what it recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import typer

from backend.bootstrap import evaluation_version, openai_settings, planner_named
from backend.commands.evaluate import Compare, Fresh, kept_in, run_named, told
from backend.commands.measured import show
from backend.commands.options import Home, Json, settings_of
from backend.commands.sweeping import Bar, begun, interruptible
from backend.config import Settings
from backend.evaluation.choices import compared_method
from backend.evaluation.errors import PlannerLost, WrongStudy
from backend.evaluation.live_arms import TOKENS
from backend.evaluation.live_choices import live_study, recorded_study
from backend.evaluation.live_players import Asking, Repeating
from backend.evaluation.live_sweep import LiveSweep
from backend.persistence.chain import content_digest
from backend.persistence.recordings import DatabaseRecordings
from backend.persistence.results import DatabaseResults
from backend.rig import answering, grid_bridge
from backend.usecases.results import Run


class Who(StrEnum):
    OPENAI = "openai"
    RECORDED = "recorded"
    POLICY = "policy"


@dataclass(frozen=True)
class Order:
    """What the command line says; None where it leaves the choice."""

    planner: Who
    model: str | None
    source: str | None
    method: str | None
    seeds: int | None
    first_seed: int | None
    tokens: int | None
    workers: int
    compare: str | None
    fresh: bool


def evaluate_planner(
    context: typer.Context,
    planner: Annotated[Who, typer.Option(help="Who plans.")] = Who.OPENAI,
    model: Annotated[
        str | None, typer.Option(help="The model.", show_default="QUARTERDECK_PLANNER_MODEL")
    ] = None,
    source: Annotated[
        str | None, typer.Option("--from", metavar="RUN", help="Whose answers `recorded` gives again.")
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(help="Methods parted by commas, or all.", show_default="unfiltered,attention"),
    ] = None,
    seeds: Annotated[int | None, typer.Option(min=1, help="How many seeds.", show_default="3")] = None,
    first_seed: Annotated[
        int | None, typer.Option(min=0, help="The first of them.", show_default="0")
    ] = None,
    tokens: Annotated[
        int | None, typer.Option(min=1, help="What one episode may use up.", show_default=f"{TOKENS}")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Episodes played at once.")] = 1,
    compare: Compare = None,
    fresh: Fresh = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Section V-B: unfiltered and attention memory before a language model, in tokens, calls and seconds."""
    order = Order(planner, model, source, method, seeds, first_seed, tokens, workers, compare, fresh)
    with told():
        _refuse_contradictions(order)
        settings = settings_of(context, home, planner_model=model)
        results, recordings = kept_in(settings)
        play = _repeated if planner is Who.RECORDED else _asked
        finished = play(order, settings, results, recordings)
        show(finished, results, compared_method(compare, finished.study), as_json, recordings)


def _refuse_contradictions(order: Order) -> None:
    recorded = order.planner is Who.RECORDED
    if recorded and order.source is None:
        raise WrongStudy(
            "Planner recorded needs a run to answer from.",
            field="--from",
            remedy="Name one of: quarterdeck evaluate runs",
        )
    for field, given, wanted in (
        ("--from", order.source, Who.RECORDED),
        ("--model", order.model, Who.OPENAI),
        ("--tokens", order.tokens, Who.OPENAI),
    ):
        if given is not None and order.planner is not wanted:
            raise WrongStudy(
                f"Planner {order.planner} has no use for it.",
                field=field,
                remedy=f"Leave it out, or give --planner {wanted}.",
            )


def _asked(order: Order, settings: Settings, results: DatabaseResults, recordings: DatabaseRecordings) -> Run:
    planner = planner_named(order.planner, settings)
    asked: Mapping[str, str | int | float] = {}
    if order.planner is Who.OPENAI:
        asked = {**_asked_of(settings), "tokens": order.tokens or TOKENS}
    study = live_study(order.planner, asked, order.method, order.first_seed, order.seeds)
    compared_method(order.compare, study)
    if order.planner is Who.OPENAI:
        _probe(settings)
    run = begun(study, results, evaluation_version(), fresh=order.fresh)
    with interruptible(run, results), Bar(study.name, run.done) as bar:
        asking = Asking(run=run, planner=planner, world=grid_bridge, content_digest=content_digest)
        sweep = LiveSweep(run, results, recordings, asking, workers=order.workers, progress=bar.show)
        return sweep.play()


def _repeated(
    order: Order, settings: Settings, results: DatabaseResults, recordings: DatabaseRecordings
) -> Run:
    """Whatever the settings say: nobody is asked."""
    source, found_in = run_named(str(order.source), results)
    if found_in is not results:
        raise WrongStudy(
            f"{order.source} holds results, and no recorded exchanges.",
            field="--from",
            remedy="Name a run of this home: quarterdeck evaluate runs",
        )
    study = recorded_study(source, recordings, order.method, order.first_seed, order.seeds)
    compared_method(order.compare, study)
    run = begun(study, results, evaluation_version(), fresh=order.fresh)
    with interruptible(run, results), Bar(study.name, run.done) as bar:
        repeating = Repeating(
            run=run,
            source=source,
            recordings=recordings,
            answering=answering,
            world=grid_bridge,
            content_digest=content_digest,
        )
        sweep = LiveSweep(run, results, recordings, repeating, workers=order.workers, progress=bar.show)
        return sweep.play()


def _asked_of(settings: Settings) -> dict[str, str | int | float]:
    """What of the settings an answer may depend on; never the key."""
    from backend.planners.settings import endpoint_of

    given = openai_settings(settings)
    endpoint = endpoint_of(given)
    return {
        "model": given.model,
        "base_url": endpoint.base_url,
        "api": endpoint.api,
        "chat_schema": given.chat_schema,
        "reasoning_effort": given.reasoning_effort,
        "max_output_tokens": given.max_output_tokens,
    }


def _probe(settings: Settings) -> None:
    """Before anything starts: is the server there, does it know the model, does it keep to a schema?"""
    from backend.planners.probe import probe

    found = probe(openai_settings(settings))
    if found.enforced is None:
        raise PlannerLost(f"{found.model} at {found.base_url} does not answer: {found.detail}")
    typer.echo(f"{found.model} at {found.base_url}, {found.api} API, {found}.", err=True)
