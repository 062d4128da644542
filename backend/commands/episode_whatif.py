"""`quarterdeck episodes whatif`: a call asked again with something changed, and a simulated world run on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from backend.bootstrap import checked_engine, frame_store
from backend.commands.failures import Refused, WrongAsked, fail, told_in_one_line
from backend.commands.options import Home, Json, print_json, settings_of
from backend.domain.refusal import Refusal
from backend.experiments.desk import ExperimentDesk
from backend.persistence.reader import SqlReader
from backend.processes.exits import Exit
from backend.sandbox.change import MOST_CALLS, Asked, Change, in_words
from backend.sandbox.looking import Look
from backend.usecases.inline import InlineExecutor

BY = "command line"
UNPRICED = "no dated price is known"


def ask_what_if(
    context: typer.Context,
    episode: Annotated[str, typer.Argument(help="The id, as `episodes list` shows it.")],
    at: Annotated[int, typer.Option("--at", min=1, help="The event at or after whose call to begin.")],
    here: Annotated[bool, typer.Option("--here", help="As things stood at that event.")] = False,
    calls: Annotated[int, typer.Option(min=1, max=MOST_CALLS, help="How many calls in a row.")] = 1,
    k: Annotated[int | None, typer.Option("--k", min=1, max=1000, help="How many records are shown.")] = None,
    decay_s: Annotated[float | None, typer.Option(min=0.1, max=100_000, help="Decay of confidence.")] = None,
    threshold: Annotated[float | None, typer.Option(min=0, max=1, help="For remote reports.")] = None,
    memory: Annotated[str, typer.Option(help="Another memory, by its name.")] = "",
    planner: Annotated[str, typer.Option(help="Another planner.")] = "",
    model: Annotated[str, typer.Option(help="Another model at the planner's server.")] = "",
    prompt: Annotated[Path | None, typer.Option(help="A file: what a model is told first.")] = None,
    instructions: Annotated[str | None, typer.Option(help="Other standing instructions.")] = None,
    run_on: Annotated[
        bool, typer.Option("--run-on", help="And run the simulated world on to the end.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Ask. Without: say what it would cost.")] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Ask the planner again, in a sandbox that cannot command. Without --yes it asks nobody."""
    change = Change(
        k=k, decay_s=decay_s, threshold=threshold, memory=memory, planner=planner, model=model,
        prompt=_text(prompt), instructions=instructions,
    )  # fmt: skip
    with told_in_one_line():
        settings = settings_of(context, home)
        engine = checked_engine(settings)
        desk = ExperimentDesk(settings, engine, SqlReader(engine, frame_store(settings)), InlineExecutor())
        asked = Asked(at=at, calls=calls, change=change, run_on=run_on, here=here)
        look = _accepted(desk.look(episode, asked))
        if not yes:
            _tell_cost(look, as_json)
            return
        number = _accepted(desk.start(episode, look, BY))
        done = desk.one(episode, number)
    assert done is not None, "it has just been kept"
    if as_json:
        print_json(msgspec.to_builtins(done))
    else:
        typer.echo(f"What-if {done.id} of {episode}, {in_words(change)}: {done.told}.")
        if done.found is not None and done.found.note:
            typer.echo(done.found.note)
    if done.stage != "done":
        raise fail(done.told, Exit.FELL_SHORT)


def _accepted(found: Any) -> Any:
    if isinstance(found, Refusal):
        raise Refused(str(found)) if found.code == "budget" else WrongAsked(str(found))
    return found


def _tell_cost(look: Look, as_json: bool) -> None:
    refusal = "" if look.refusal is None else str(look.refusal)
    if as_json:
        told = {"calls": [call.seq for call in look.calls], "estimate": look.estimate, "left": look.left}
        print_json(msgspec.to_builtins({**told, "refusal": refusal}))
        return
    cost = look.estimate
    if refusal:
        typer.echo(f"It cannot be asked. {refusal}")
    elif not cost.asks_model:
        count = "1 call" if len(look.calls) == 1 else f"{len(look.calls)} calls"
        typer.echo(f"{count} to {look.planner} would be asked again, at no cost. Do it: --yes")
    else:
        money = UNPRICED
        if cost.money_usd is not None:
            money = f"${cost.money_usd:.4f} by prices of {cost.prices_as_of}"
        typer.echo(
            f"About {cost.calls} calls to {look.planner}, {cost.tokens_in:,} tokens in,"
            f" {cost.tokens_out:,} out, {money}; as many again where plans are sent back."
            f" {look.left.calls} calls are left of a day's. Do it: --yes"
        )


def _text(file: Path | None) -> str:
    if file is None:
        return ""
    try:
        return file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise fail(f"--prompt {file} cannot be read: {error}. Name a text file.", Exit.BAD_INPUT) from error
