"""`quarterdeck mission list|run`: what can be run, and one mission without a console."""

from __future__ import annotations

import getpass
import sys
from enum import StrEnum
from typing import Annotated, Any, NoReturn

import typer
from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from backend.bootstrap import mission_files, planner_named, ready_engine
from backend.bridge.tabletop_episodes import EpisodeError, chosen
from backend.commands.failures import fail, told_in_one_line
from backend.commands.options import Home, Json, print_json, print_table, settings_of
from backend.config import Settings
from backend.domain.mission.mission import Mission
from backend.missions import LONGEST_TICK_S, SHORTEST_TICK_S, with_memory
from backend.processes.exits import Exit
from backend.processes.headless import Unplayable, play
from backend.usecases.ordering import (
    LARGEST_SEED,
    PLANNERS,
    new_episode,
    refuse_planner,
    request_of,
    with_policy,
)
from backend.usecases.reading import EpisodeSummary
from robot_bridge.tabletop.tasks.seeds import TEST_EPISODES

app = typer.Typer(no_args_is_help=True, help="List the missions, or run one without a console.")


class Approve(StrEnum):
    EVERY_PLAN = "every-plan"
    EVERY_SKILL = "every-skill"
    ON_RISK = "on-risk"
    AUTO = "auto"


class Difficulty(StrEnum):
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Clock(StrEnum):
    WAITS = "waits"
    RUNS = "runs"


@app.command("list")
def list_missions(context: typer.Context, home: Home = None, as_json: Json = False) -> None:
    """The missions that come along, and the home's own."""
    with told_in_one_line():
        missions = mission_files(settings_of(context, home)).all()
    if as_json:
        print_json([_described(mission) for mission in missions])
        return
    print_table(
        ("MISSION", "WORLD", "ASKS", "MEMORY", "TITLE"),
        [
            (m.name, f"{m.world.name} {m.world.scenario}", m.policy.mode, m.memory.name, m.title)
            for m in missions
        ],
    )


@app.command("run")
def run_mission(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="As `mission list` names it.")],
    planner: Annotated[str, typer.Option(help=f"One of {', '.join(PLANNERS)}.")] = "policy",
    approve: Annotated[
        Approve, typer.Option(help="Who is asked before a plan runs; auto asks nobody.")
    ] = Approve.AUTO,
    seed: Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="The world's seed.")] = 1,
    difficulty: Annotated[
        Difficulty | None, typer.Option(help="Of a task at the tabletop.", show_default="the mission's")
    ] = None,
    episode: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=TEST_EPISODES - 1,
            help="Which test episode at the tabletop: its seed, and its difficulty unless you say one.",
        ),
    ] = None,
    memory: Annotated[
        str | None, typer.Option(help="A named memory configuration.", show_default="the mission's")
    ] = None,
    clock: Annotated[
        Clock, typer.Option(help="waits: the world stands still while planner or people decide.")
    ] = Clock.WAITS,
    tick_s: Annotated[
        float | None,
        typer.Option(min=SHORTEST_TICK_S, max=LONGEST_TICK_S, help="Seconds a step, where the clock runs."),
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Run a mission to its end through journal, runner process and bridge process."""
    with told_in_one_line():
        settings = settings_of(context, home)
        mission = mission_files(settings).get(name)
        if memory is not None:
            mission = with_memory(mission, memory)
        mission = _on_clock(with_policy(mission, approve.value), clock, tick_s)
        mission, episode_seed = _episode_of(mission, difficulty, episode)
        run_to_end(settings, mission, planner, seed if episode_seed is None else episode_seed, as_json)


def run_to_end(settings: Settings, mission: Mission, planner: str, seed: int, as_json: bool) -> NoReturn:
    """Play it here, tell how it ended, and end with the exit code that says so."""
    planner_named(planner, settings)
    refusal = refuse_planner(planner, mission.world)
    if refusal is not None:
        raise fail(str(refusal), Exit.BAD_INPUT)
    engine = ready_engine(settings)
    episode = new_episode(mission.name)
    logs = settings.home / "logs"
    logs.mkdir(exist_ok=True)
    progress = Watched(episode, mission.policy.mode != "auto" or planner == "operator")
    try:
        with progress:
            ended = play(
                settings,
                engine,
                episode,
                request_of(episode, mission, planner, seed),
                getpass.getuser(),
                on_progress=progress.show,
                logs=logs,
            )
    except Unplayable as error:
        message = str(error) or f"The runner cannot go on; see {logs / f'{episode}.runner.log'}."
        raise fail(message, error.code) from error
    except KeyboardInterrupt:
        message = f"Interrupted. Episode {episode} stays in the journal as it is, unfinished."
        raise fail(message, Exit.INTERRUPTED) from None
    if as_json:
        print_json(result_of(ended))
    else:
        _tell(ended)
    raise typer.Exit(Exit.OK if ended.outcome == "completed" else Exit.FELL_SHORT)


def result_of(ended: EpisodeSummary) -> dict[str, Any]:
    """What `--json` prints.

    `planner_calls` counts decisions; `context` is the proxy 48 + 18 n, summed over them.
    """
    return {
        "episode": ended.episode,
        "outcome": ended.outcome,
        "delivered": ended.delivered,
        "total": ended.total,
        "steps": ended.steps,
        "context": ended.context_units,
        "planner_calls": ended.decisions,
        "stale_visits": ended.stale_visits,
        "replans": ended.replans,
        "message": ended.message,
    }


class Watched:
    """Progress on stderr where that is a terminal; nothing elsewhere, but that a person is waited for."""

    def __init__(self, episode: str, asks: bool) -> None:
        self._asks = asks
        self._told = ""
        self._console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:.0f} of {task.total:.0f} delivered · step {task.fields[steps]}"),
            TextColumn("· {task.fields[phase]}"),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        self._task = self._bar.add_task(episode, total=1, steps=0, phase="starting")

    def __enter__(self) -> Watched:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def show(self, now: EpisodeSummary) -> None:
        self._bar.update(
            self._task, completed=now.delivered, total=now.total or 1, steps=now.steps, phase=now.phase
        )
        if self._asks and now.need and now.need != self._told:
            self._told = now.need
            self._console.print(f"{now.need}. Decide in the console of this home: quarterdeck serve")


def _episode_of(
    mission: Mission, difficulty: Difficulty | None, episode: int | None
) -> tuple[Mission, int | None]:
    try:
        world, seed = chosen(mission.world, difficulty.value if difficulty else None, episode)
    except EpisodeError as error:
        raise fail(str(error), Exit.BAD_INPUT) from None
    return replace(mission, world=world), seed


def _on_clock(mission: Mission, clock: Clock, tick_s: float | None) -> Mission:
    runs = mission.world.name == "ros"  # a robot's clock runs whoever waits
    world = replace(
        mission.world, clock="runs" if runs else clock.value, tick_s=tick_s or mission.world.tick_s
    )
    return replace(mission, world=world)


def _described(mission: Mission) -> dict[str, Any]:
    return {
        "name": mission.name,
        "title": mission.title,
        "goal": mission.goal,
        "world": mission.world.name,
        "scenario": mission.world.scenario,
        "clock": mission.world.clock,
        "policy": mission.policy.mode,
        "memory": mission.memory.name,
    }


def _tell(ended: EpisodeSummary) -> None:
    typer.echo(f"{ended.episode}: {ended.outcome}. {ended.message}")
    print_table(
        ("DELIVERED", "STEPS", "CONTEXT", "CALLS", "STALE VISITS", "REPLANS"),
        [
            (
                f"{ended.delivered} of {ended.total}",
                ended.steps,
                ended.context_units,
                ended.decisions,
                ended.stale_visits,
                ended.replans,
            )
        ],
    )
    typer.echo(f"Look at it again: quarterdeck episodes show {ended.episode}")
