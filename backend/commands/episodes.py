"""`quarterdeck episodes …`: what the journal holds, without a console."""

from __future__ import annotations

import time
from typing import Annotated, Any

import msgspec
import typer

from backend.bootstrap import checked_engine, frame_store, has_run
from backend.commands.episode_annotations import annotate_episode, list_annotations
from backend.commands.episode_files import export_episode, import_episode
from backend.commands.episode_hindsight import look_back
from backend.commands.episode_replay import replay_episode
from backend.commands.episode_search import search_episodes
from backend.commands.episode_texts import keep_exchanges, redact_episode
from backend.commands.episode_whatif import ask_what_if
from backend.commands.failures import told_in_one_line
from backend.commands.options import Home, Json, print_json, print_table, settings_of
from backend.config import Settings
from backend.persistence.reader import SqlReader
from backend.processes.exits import Exit
from backend.usecases.reading import Entry, EpisodeSummary, Reader

app = typer.Typer(no_args_is_help=True, help="Look at episodes, running or ended.")

Episode = Annotated[str, typer.Argument(help="The id, as `episodes list` shows it.")]
LOOK_EVERY_S = 0.3


@app.command("list")
def list_episodes(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many at most.")] = 100,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """All episodes: what needs a person first, then what runs, then what ended."""
    with told_in_one_line():
        settings = settings_of(context, home)
        found = _reader(settings).episodes(limit=limit) if has_run(settings) else ()
    if as_json:
        print_json([_summary(each) for each in found])
        return
    if not found:
        typer.echo("No episode yet. Run: quarterdeck mission run recycling-s6")
        return
    print_table(
        ("EPISODE", "PHASE", "DELIVERED", "STEPS", "NEEDS", "ORDERED"),
        [
            (
                each.episode,
                each.outcome or each.phase,
                f"{each.delivered} of {each.total}",
                each.steps,
                each.need or "-",
                each.ordered_utc,
            )
            for each in found
        ],
    )


@app.command("show")
def show_episode(context: typer.Context, episode: Episode, home: Home = None, as_json: Json = False) -> None:
    """One episode: what it was ordered with and what it has come to."""
    with told_in_one_line():
        found = _reader(settings_of(context, home)).episode(episode)
    if as_json:
        print_json({**_summary(found), "request": found.request})
        return
    for name, value in _summary(found).items():
        typer.echo(f"{name + ':':16}{'-' if value in (None, '') else value}")


@app.command("follow")
def follow_episode(
    context: typer.Context,
    episode: Episode,
    after: Annotated[int, typer.Option(min=0, help="Begin after this event.")] = 0,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Print each event as it is committed, until the episode ends."""
    with told_in_one_line():
        reader = _reader(settings_of(context, home))
        events: list[dict[str, Any]] = []
        while True:
            summary = reader.episode(episode)
            while page := reader.events(episode, after=after, limit=500):
                after = page[-1].recorded.seq
                for entry in page:
                    if as_json:
                        events.append(_event(entry))
                    else:
                        typer.echo(_line(entry))
            if summary.outcome is not None:
                break
            time.sleep(LOOK_EVERY_S)
    if as_json:
        print_json({**_summary(summary), "events": events})


@app.command("verify")
def verify_episode(
    context: typer.Context, episode: Episode, home: Home = None, as_json: Json = False
) -> None:
    """Check journal, derived tables and frames against each other. Exit code 1 where anything differs."""
    with told_in_one_line():
        reader = _reader(settings_of(context, home))
        summary = reader.episode(episode)
        faults = reader.verify(episode)
    if as_json:
        print_json({"episode": episode, "events": summary.seq, "content": summary.content, "faults": faults})
    elif faults:
        for fault in faults:
            typer.echo(str(fault))
        typer.echo(f"{episode}: {len(faults)} faults in {summary.seq} events.")
    else:
        typer.echo(f"{episode}: {summary.seq} events, nothing amiss. Content {summary.content}.")
    raise typer.Exit(Exit.FELL_SHORT if faults else Exit.OK)


app.command("search")(search_episodes)
app.command("annotate")(annotate_episode)
app.command("annotations")(list_annotations)
app.command("replay")(replay_episode)
app.command("hindsight")(look_back)
app.command("whatif")(ask_what_if)
app.command("export")(export_episode)
app.command("import")(import_episode)


app.command("redact")(redact_episode)
app.command("exchanges")(keep_exchanges)


def _reader(settings: Settings) -> Reader:
    return SqlReader(checked_engine(settings), frame_store(settings))


def _summary(episode: EpisodeSummary) -> dict[str, Any]:
    values: dict[str, Any] = msgspec.to_builtins(episode)
    for hidden in ("request", "address", "need_rank"):
        del values[hidden]
    return values


def _event(entry: Entry) -> dict[str, Any]:
    recorded = entry.recorded
    return {
        "seq": recorded.seq,
        "met_s": recorded.met_s,
        "utc": entry.utc,
        "kind": entry.kind,
        "actor": recorded.actor,
        "event": msgspec.to_builtins(recorded.event),
    }


def _line(entry: Entry) -> str:
    recorded = entry.recorded
    return f"{recorded.seq:6}  {recorded.met_s:8.1f} s  {entry.kind:20}  {recorded.actor:18}  {_gist(entry)}"


def _gist(entry: Entry) -> str:
    """What the event is about, from those of its fields that say so."""
    event = entry.recorded.event
    for name in ("message", "reason", "text", "failure", "station", "holder", "stop_id", "approval_id"):
        value = getattr(event, name, None)
        if isinstance(value, str) and value:
            about = getattr(event, "entity", "")
            return f"{about}: {value}" if isinstance(about, str) and about else value
    cause, outcome, step = (getattr(event, name, None) for name in ("cause", "outcome", "step"))
    if cause is not None:
        return str(cause.message)
    if outcome is not None:
        return f"{outcome.skill} {outcome.result.value}: {outcome.message}"
    return f"{step.skill} {dict(step.arguments)}" if step is not None else ""
