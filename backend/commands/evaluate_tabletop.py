"""`quarterdeck evaluate tabletop`: LogLook's memory, baseline and ablations over its tasks."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from backend.bootstrap import evaluation_version
from backend.commands.evaluate import Fresh, Workers, kept_in, told
from backend.commands.measured import show
from backend.commands.options import Home, Json, settings_of
from backend.commands.sweeping import swept
from backend.evaluation.pools import all_cores
from backend.evaluation.tabletop_arms import DROP, MISCOUNT, Setting
from backend.evaluation.tabletop_choices import EPISODES, tabletop_study


class Who(StrEnum):
    SURROGATE = "surrogate"
    ORACLE = "oracle"


class Notes(StrEnum):
    FULL = "full"
    NO_CRITERIA = "no_criteria"
    NONE = "none"


class Moves(StrEnum):
    DIRECT = "direct"
    DELEGATE = "delegate"


def evaluate_tabletop(
    context: typer.Context,
    tasks: Annotated[
        list[str] | None, typer.Option(help="Tasks, parted by commas, or all.", show_default="all")
    ] = None,
    memory: Annotated[
        list[str] | None,
        typer.Option(
            help="execution_grounded, note_only, no_log, no_notes, no_gating, no_inspect, or all.",
            show_default="execution_grounded,note_only",
        ),
    ] = None,
    planner: Annotated[Who, typer.Option(help="Who plans.")] = Who.SURROGATE,
    task_notes: Annotated[Notes, typer.Option(help="What the planner is told of the task.")] = Notes.FULL,
    executor: Annotated[Moves, typer.Option(help="Waypoints, or phrases to an executor.")] = Moves.DIRECT,
    episodes: Annotated[str, typer.Option(help="Test episodes, such as 4-19 or 7,11.")] = EPISODES,
    difficulty: Annotated[
        str | None, typer.Option(help="easy, medium, hard: of these episodes alone.", show_default="each")
    ] = None,
    drop: Annotated[
        float, typer.Option(min=0, max=1, help="Of a surrogate's note: facts lost per rewrite.")
    ] = DROP,
    miscount: Annotated[
        float, typer.Option(min=0, max=1, help="Of a surrogate's note: counts not raised.")
    ] = MISCOUNT,
    workers: Workers = None,
    fresh: Fresh = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """LogLook's Tables 2, 3 and 7: memories at the table, over the same test episodes."""
    with told():
        setting = Setting(
            planner=planner.value,
            task_notes=task_notes.value,
            executor=executor.value,
            drop=drop,
            miscount=miscount,
        )
        memories = ",".join(memory or ["execution_grounded", "note_only"])
        study = tabletop_study(",".join(tasks or ["all"]), memories, episodes, difficulty, setting)
        results, _ = kept_in(settings_of(context, home))
        run = swept(
            study, results, evaluation_version(), workers=workers or all_cores(), dask=None, fresh=fresh
        )
        show(run, results, study.arms[0].method, as_json)
