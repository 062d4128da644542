"""What a run measured, printed: as tables beside the paper's figures, or as one JSON document."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Mapping

import typer

from backend.commands.options import print_table
from backend.evaluation.arena_report import arena_tables
from backend.evaluation.live_report import live_tables
from backend.evaluation.report import Table, document, memory_tables, shortfalls
from backend.evaluation.summary import Summary, summarise
from backend.evaluation.tabletop_figures import figures_of
from backend.evaluation.tabletop_report import table_document, table_tables
from backend.usecases.recordings import Recording, Recordings
from backend.usecases.results import EpisodeResult, Results, Run
from backend.web.builders.words import counted


def show(
    run: Run,
    results: Results,
    compared: str,
    as_json: bool,
    recordings: Recordings | None = None,
    *,
    name: str = "",
) -> None:
    """`name`: what the run was asked for by, its number or a file; its number where it was just played."""
    kept = () if recordings is None else recordings.all(run.id)
    recorded = {(each.arm, each.seed): each for each in kept}
    if run.study.kind == "tabletop":
        _show_table(run, results, compared, as_json, recorded, name)
        return
    summary = summarise(run, results, compared)
    if as_json:
        sys.stdout.writelines(document(summary, results.episodes(run.id), recorded))
        return
    rows = results.episodes(run.id)
    for table in _tables(summary, rows, recorded):
        print_table(*table)
        typer.echo()
    typer.echo("In brackets what the paper prints. Intervals are 95 %: Wilson's for success, else bootstrap.")
    typer.echo("A dash stands for the interval of one value, or of equal ones.")
    for line in shortfalls(summary):
        typer.echo(line)
    _see_again(run, name)


def _show_table(
    run: Run,
    results: Results,
    compared: str,
    as_json: bool,
    recorded: Mapping[tuple[int, int], Recording],
    name: str,
) -> None:
    figures = figures_of(run, results, compared)
    if as_json:
        sys.stdout.writelines(table_document(figures, results.episodes(run.id), recorded))
        return
    for table in table_tables(figures):
        print_table(*table)
        typer.echo()
    typer.echo("In brackets what LogLook prints. Intervals are Wilson's at 95 %; p is the sign test's.")
    if run.study.arms[0].planner == "surrogate":
        typer.echo("A surrogate plans here where no model does: what it shows is what a memory keeps.")
    _see_again(run, name)


def _see_again(run: Run, name: str) -> None:
    asked = name or str(run.id)
    told = f"Run {asked}" if asked.isdecimal() else asked
    again = f"quarterdeck evaluate show {shlex.quote(asked)}"
    typer.echo(f"{told}: {counted(run.done, 'episode')}. See it again: {again}")


def _tables(
    summary: Summary, rows: Iterable[EpisodeResult], recorded: Mapping[tuple[int, int], Recording]
) -> Iterable[Table]:
    if summary.run.study.kind == "planner":
        return live_tables(summary, rows, recorded)
    return arena_tables(summary) if summary.run.study.kind == "arena" else memory_tables(summary)
