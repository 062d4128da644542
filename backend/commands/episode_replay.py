"""`quarterdeck episodes replay`: whether an episode, run again from what was recorded, comes out the same."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer
from msgspec import Struct

from backend.bootstrap import checked_engine, code_version, frame_store
from backend.bridge.in_process import InProcessBridge
from backend.commands.failures import fail, told_in_one_line
from backend.commands.options import Home, Json, print_json, settings_of
from backend.domain.episode.difference import Difference, first_difference
from backend.domain.episode.events import EpisodeOpened, RunnerStarted
from backend.persistence.chain import content_digest
from backend.persistence.connect import reading
from backend.persistence.reader import SqlReader
from backend.persistence.settled import settled_intents
from backend.processes.exits import Exit
from backend.rig import NotRunAgain, answering, recorded_world
from backend.usecases.commits import commits_of
from backend.usecases.opening import Unopenable
from backend.usecases.reading import Entry, EpisodeSummary
from backend.usecases.reexecution import run_again
from backend.usecases.rerun_world import WorldAgain


class CannotReplay(Exception):
    """The journal does not hold what running it again needs; the text says what, and the remedy."""


class Replayed(Struct, frozen=True, kw_only=True):
    """`again`: `world` where the world was run again too, `decisions` where only what was decided was;
    `not_world` says why. `content` is the digest of what was made again; `same`: it is the journal's."""

    episode: str
    events: int
    made: int
    again: str
    not_world: str
    ended: bool
    recorded_by: str
    run_by: str
    recorded_content: str
    content: str
    same: bool
    difference: Difference | None


def replay_episode(
    context: typer.Context,
    episode: Annotated[str, typer.Argument(help="The id, as `episodes list` shows it.")],
    verify: Annotated[
        bool, typer.Option("--verify", help="Run it again and compare. Without: say what would be run.")
    ] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Run an episode again from what was recorded. Exit code 1 where it comes out otherwise."""
    with told_in_one_line():
        settings = settings_of(context, home)
        engine = checked_engine(settings)
        reader = SqlReader(engine, frame_store(settings))
        summary = reader.episode(episode)
        journal = reader.events(episode, limit=None)
        with reading(engine) as connection:
            settled = settled_intents(connection, episode)
    try:
        world, why_not = _world(journal, summary)
        if not verify:
            typer.echo(_plan_of(summary, why_not))
            return
        commits = list(commits_of(journal, settled))
        done = run_again(commits, answering([entry.recorded for entry in journal]), world)
    except (CannotReplay, Unopenable) as error:
        raise fail(str(error), Exit.BAD_INPUT) from error
    found = _compared(summary, journal, why_not, done.events, done.difference)
    if as_json:
        print_json(msgspec.to_builtins(found))
    else:
        _tell(found)
    raise typer.Exit(Exit.OK if found.same else Exit.FELL_SHORT)


def _world(journal: list[Entry], summary: EpisodeSummary) -> tuple[WorldAgain | None, str]:
    bridge, why_not = bridge_again(journal, summary)
    return (None if bridge is None else WorldAgain(bridge)), why_not


def bridge_again(journal: list[Entry], summary: EpisodeSummary) -> tuple[InProcessBridge | None, str]:
    """The world to run again, or None and why it is not. Raises CannotReplay."""
    if not journal:
        raise CannotReplay(f"Episode {summary.episode} was ordered and has not begun. Wait for its runner.")
    thinned = next((entry for entry in journal if entry.redacted), None)
    if thinned is not None:
        raise CannotReplay(
            f"Texts of event {thinned.recorded.seq} were taken out ({thinned.redacted}); what was decided"
            " from them cannot be decided again."
            f" Check its hashes: quarterdeck episodes verify {summary.episode}"
        )
    opened = journal[0].recorded.event
    if not isinstance(opened, EpisodeOpened):
        raise CannotReplay(
            f"The journal of {summary.episode} does not begin with episode.opened."
            f" Run: quarterdeck episodes verify {summary.episode}"
        )
    runners = sum(isinstance(entry.recorded.event, RunnerStarted) for entry in journal)
    if runners > 1:
        return None, f"Its runner was started {runners} times; what the world did between is not on record."
    if summary.evaluated is not None:
        return (
            None,
            "An evaluation measured it, and has its world's parameters: quarterdeck evaluate planner --from",
        )
    try:
        return recorded_world(opened), ""
    except NotRunAgain as error:
        return None, str(error)


def _compared(
    summary: EpisodeSummary, journal: list[Entry], why_not: str, made: Any, difference: Difference | None
) -> Replayed:
    recorded = [entry.recorded for entry in journal]
    opened = recorded[0].event
    assert isinstance(opened, EpisodeOpened)
    content = content_digest(opened.episode, made)
    if difference is None and content != summary.content:
        difference = first_difference(recorded, made)
    return Replayed(
        episode=summary.episode,
        events=len(journal),
        made=len(made),
        again="decisions" if why_not else "world",
        not_world=why_not,
        ended=summary.outcome is not None,
        recorded_by=opened.code_version,
        run_by=code_version(),
        recorded_content=summary.content,
        content=content,
        same=difference is None and content == summary.content,
        difference=difference,
    )


def _plan_of(summary: EpisodeSummary, why_not: str) -> str:
    what = (
        f"decided again from what the journal holds; the world is not run again. {why_not}"
        if why_not
        else "run again in its world, from its seed."
    )
    return f"{summary.episode}: {summary.seq} events would be {what} Do it: --verify"


def _tell(found: Replayed) -> None:
    if found.again == "world":
        how = "run again in its world with the recorded answers and commands"
    else:
        how = "decided again from the recorded reports, answers and commands"
    typer.echo(f"{found.episode}: {found.made} of {found.events} events, {how}.")
    if found.not_world:
        typer.echo(f"The world was not run again. {found.not_world}")
    if not found.ended:
        typer.echo("It has not ended: this is what there is so far.")
    if found.same:
        typer.echo(f"The same content: {found.content}.")
        return
    if found.difference is not None:
        typer.echo(found.difference.message)
    else:
        typer.echo(f"Every event is the same, and the digest is not: {found.recorded_content} is stored.")
    if found.recorded_by != found.run_by:
        typer.echo(f"It was recorded by {found.recorded_by} and run by {found.run_by}.")
