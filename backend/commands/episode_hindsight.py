"""`quarterdeck episodes hindsight`: how long plans rested on beliefs that were wrong, and why they were."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer
from sqlalchemy import Engine

from backend.bootstrap import checked_engine, frame_store
from backend.commands.episode_replay import CannotReplay, bridge_again
from backend.commands.failures import fail, told_in_one_line
from backend.commands.options import Home, Json, print_json, print_table, settings_of
from backend.domain.episode.evolve import evolve
from backend.domain.episode.state import State
from backend.domain.hindsight.belief import Trace
from backend.domain.hindsight.known import hindsight_of
from backend.domain.hindsight.reliance import WHY, Misled, misled
from backend.domain.hindsight.truth import Truth
from backend.persistence.connect import reading
from backend.persistence.errors import UnknownEpisode
from backend.persistence.reader import SqlReader
from backend.persistence.results import DatabaseResults
from backend.persistence.settled import settled_intents
from backend.processes.exits import Exit
from backend.rig import answering, told_by
from backend.truth import telling
from backend.usecases.commits import commits_of
from backend.usecases.opening import Unopenable
from backend.usecases.reading import Entry, EpisodeSummary
from backend.usecases.reexecution import run_again
from backend.usecases.rerun_world import WorldAgain

NOT_YET = "Where things really are is told once the episode has ended."


def look_back(
    context: typer.Context,
    episode: Annotated[str, typer.Argument(help="The id, as `episodes list` shows it.")],
    again: Annotated[
        bool, typer.Option("--run-again", help="Learn where things were by running its world again: minutes.")
    ] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Say how long plans rested on wrong beliefs, by cause, from what is known now."""
    with told_in_one_line():
        settings = settings_of(context, home)
        engine = checked_engine(settings)
        reader = SqlReader(engine, frame_store(settings))
        summary = reader.episode(episode)
        journal = reader.events(episode, limit=None)
        trace, state = _trace(episode, journal)
        truth = Truth(why_not=NOT_YET)
        if trace.opened is not None and (state.ending is not None or summary.evaluated is not None):
            try:
                truth = _run_again(engine, summary, journal) if again else _told(engine, trace, summary)
            except (CannotReplay, Unopenable) as error:
                raise fail(str(error), Exit.BAD_INPUT) from error
    metric = state.site.metric
    found = misled(trace, hindsight_of(trace, truth, metric), metric)
    if as_json:
        print_json({"episode": episode, "events": state.seq, **msgspec.to_builtins(found)})
    else:
        _tell(episode, found)


def _told(engine: Engine, trace: Trace, summary: EpisodeSummary) -> Truth:
    """By the world's tape, which nothing is run for."""
    assert trace.opened is not None
    return telling(DatabaseResults(engine))(trace.opened, trace.handled, summary.evaluated)


def _run_again(engine: Engine, summary: EpisodeSummary, journal: list[Entry]) -> Truth:
    """By its world, with the recorded answers and commands. Raises CannotReplay, Unopenable."""
    bridge, why_not = bridge_again(journal, summary)
    if bridge is None:
        return Truth(why_not=f"Its world was not run again. {why_not}")
    with reading(engine) as connection:
        settled = settled_intents(connection, summary.episode)
    commits = list(commits_of(journal, settled))
    done = run_again(commits, answering([entry.recorded for entry in journal]), WorldAgain(bridge))
    if done.difference is not None:
        return Truth(why_not=f"Run again, its world did otherwise. {done.difference.message}")
    return told_by(bridge, journal[-1].recorded.met_s)


def _trace(episode: str, journal: list[Entry]) -> tuple[Trace, State]:
    """Of the whole journal. Raises UnknownEpisode where nothing is journalled yet."""
    trace, state = Trace(), None
    for entry in journal:
        state = evolve(state, entry.recorded)
        trace.add(entry.recorded, state)
    if state is None:
        raise UnknownEpisode(
            f"Episode {episode} was ordered and has not begun.", remedy="Wait for its runner."
        )
    return trace, state


def _tell(episode: str, found: Misled) -> None:
    source = "the simulator" if found.has_truth else "what was seen, measured and said later"
    typer.echo(
        f"{episode}: plans rested on records for {found.relied_s:g} s, on wrong ones for"
        f" {_seconds(found)}, by {source}."
    )
    if found.why_no_truth:
        typer.echo(found.why_no_truth)
    for why, lasted_s in sorted(found.by_why.items(), key=lambda each: -each[1]):
        typer.echo(f"  {lasted_s:7.1f} s  {WHY[why]}")
    if found.spans:
        print_table(
            ("PLAN", "RECORD", "FIELD", "FROM", "TO", "OFF", "CAUSE", "EVENT"),
            [
                (
                    span.plan,
                    span.entity,
                    span.kind.replace("_", " "),
                    f"{span.from_s:g} s",
                    f"{span.to_s:g} s{'' if span.is_certain else ' at most'}",
                    "-" if span.distance_m is None else f"{span.distance_m:.2f} m",
                    span.why.replace("_", " "),
                    span.seq,
                )
                for span in found.spans
            ],
        )


def _seconds(found: Misled) -> str:
    if found.certain_s == found.at_most_s:
        return f"{found.certain_s:g} s"
    return f"{found.certain_s:g} s for certain and {found.at_most_s:g} s at most"
