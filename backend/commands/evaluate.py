"""`quarterdeck evaluate`: memories measured, and what was measured read again."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from backend.bootstrap import evaluation_version, ready_engine
from backend.commands.failures import fail, told_in_one_line
from backend.commands.measured import show
from backend.commands.options import Home, Json, print_json, print_table, settings_of
from backend.commands.sweeping import swept
from backend.config import Settings
from backend.evaluation.ablations import ABLATIONS, Ablation, ablation
from backend.evaluation.arms import ARENA_METHODS
from backend.evaluation.charts.figures import ablation_charts
from backend.evaluation.choices import ablation_study, arena_study, chosen, compared_method, memory_study
from backend.evaluation.comparison import compare_runs, comparison_table
from backend.evaluation.errors import EvaluationError, WrongStudy
from backend.evaluation.export import csv_lines, json_lines
from backend.evaluation.importing import read_json_lines
from backend.evaluation.pools import all_cores
from backend.evaluation.report import ablation_table, cell_document
from backend.evaluation.summary import summarise
from backend.persistence.recordings import DatabaseRecordings
from backend.persistence.results import DatabaseResults
from backend.processes.exits import Exit
from backend.usecases.results import Results, Run, Study
from backend.web.builders.words import counted

app = typer.Typer(
    no_args_is_help=True, help="Measure memories over paired seeds, and read the results again."
)

Scenario = Annotated[str, typer.Option(help="s-6, d-10, dn-14, live-6, several parted by commas, or all.")]
Method = Annotated[
    str, typer.Option(help="none, static, unfiltered, attention, oracle, several parted by commas, or all.")
]
Seeds = Annotated[int, typer.Option(min=1, help="How many seeds; every method gets the same.")]
FirstSeed = Annotated[int, typer.Option(min=0, help="The first of them.")]
Workers = Annotated[
    int | None, typer.Option(min=1, max=1024, help="Processes that play.", show_default="one a core")
]
Dask = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="A Dask scheduler, such as tcp://host:8786, in place of processes."),
]
Compare = Annotated[
    str | None,
    typer.Option(help="The method whose differences from the others are told.", show_default="attention"),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Start anew even where the same study was interrupted.")]


class Format(StrEnum):
    CSV = "csv"
    JSONL = "jsonl"


@app.command("memory")
def evaluate_memory(
    context: typer.Context,
    scenario: Scenario = "all",
    method: Method = "all",
    seeds: Seeds = 100,
    first_seed: FirstSeed = 0,
    workers: Workers = None,
    dask: Dask = None,
    compare: Compare = None,
    fresh: Fresh = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Table I: each memory in each scenario, over the same seeds and event tapes."""
    with told():
        study = memory_study(scenario, method, first_seed, seeds)
        compared = compared_method(compare, study)
        results = results_of(context, home)
        run = swept(
            study, results, evaluation_version(), workers=workers or all_cores(), dask=dask, fresh=fresh
        )
        show(run, results, compared, as_json)


@app.command("arena")
def evaluate_arena(
    context: typer.Context,
    method: Method = ARENA_METHODS,
    seeds: Seeds = 20,
    first_seed: FirstSeed = 0,
    workers: Workers = None,
    dask: Dask = None,
    compare: Compare = None,
    fresh: Fresh = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Table II: memories in the rigid-body arena, over the same seeds and event tapes."""
    with told():
        study = arena_study(method, first_seed, seeds)
        compared = compared_method(compare, study)
        results = results_of(context, home)
        run = swept(
            study, results, evaluation_version(), workers=workers or all_cores(), dask=dask, fresh=fresh
        )
        show(run, results, compared, as_json)


@app.command("ablation")
def evaluate_ablation(
    context: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Which ones, or all; without any they are listed."),
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(min=1, help="How many seeds.", show_default="as many as the ablation takes")
    ] = None,
    first_seed: FirstSeed = 0,
    workers: Workers = None,
    dask: Dask = None,
    fresh: Fresh = False,
    plots: Annotated[Path | None, typer.Option(help="A folder for the charts, as SVG.")] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """What depends on what: K, threshold, decay, weights, factors, tolerance, the world, mission length."""
    with told():
        if not names:
            listed = [ablation(name) for name in ABLATIONS]
            rows = [(each.name, len(each.arms), each.seeds, each.question) for each in listed]
            print_table(("ABLATION", "ARMS", "SEEDS", "QUESTION"), rows)
            return
        asked = chosen(",".join(names), ABLATIONS, "NAME", "ablation")
        studies = [ablation_study(ablation(name), first_seed, seeds) for name in asked]
        results = results_of(context, home)
        documents = []
        for name, study in zip(asked, studies, strict=True):
            run = swept(
                study, results, evaluation_version(), workers=workers or all_cores(), dask=dask, fresh=fresh
            )
            documents.append(_show_ablation(ablation(name), run, results, plots, as_json))
    if as_json:
        print_json(documents)


@app.command("runs")
def list_runs(context: typer.Context, home: Home = None, as_json: Json = False) -> None:
    """The runs that are kept, the newest first."""
    with told():
        runs = results_of(context, home).runs()
    if as_json:
        print_json([_described(run) for run in runs])
        return
    print_table(
        ("RUN", "KIND", "STUDY", "SEEDS", "EPISODES", "STARTED (UTC)", "STATE", "VERSION"),
        [
            (
                run.id,
                run.study.kind,
                run.study.name,
                f"{run.study.first_seed}–{run.study.first_seed + run.study.seeds - 1}",
                f"{run.done} of {run.study.episodes}",
                run.started_utc[:16].replace("T", " "),
                "unfinished" if run.finished_utc is None else "finished",
                run.code_version,
            )
            for run in runs
        ],
    )


RunName = Annotated[
    str, typer.Argument(metavar="RUN", help="A run's number, or a file of exported JSON lines.")
]


@app.command("show")
def show_run(
    context: typer.Context, name: RunName, compare: Compare = None, home: Home = None, as_json: Json = False
) -> None:
    """A run's figures again."""
    with told():
        kept, recordings = kept_in(settings_of(context, home))
        run, results = run_named(name, kept)
        here = recordings if results is kept else None
        show(run, results, compared_method(compare, run.study), as_json, here, name=name)


@app.command("export")
def export_run(
    context: typer.Context,
    name: RunName,
    format: Annotated[
        Format | None, typer.Option(help="csv or jsonl.", show_default="as --output ends, else jsonl")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="The file to write.", show_default="standard output")
    ] = None,
    home: Home = None,
) -> None:
    """A run's episodes as CSV or JSON lines."""
    with told():
        run, results = run_named(name, results_of(context, home))
        as_csv = format is Format.CSV or (format is None and _ends_as_csv(output))
        lines = (csv_lines if as_csv else json_lines)(run, results.episodes(run.id))
        if output is None:
            sys.stdout.writelines(lines)
            return
        written(output, lines)
    are = "is" if run.done == 1 else "are"
    typer.echo(f"{counted(run.done, 'episode')} of run {run.id} {are} in {output}.", err=True)


def _ends_as_csv(output: Path | None) -> bool:
    return output is not None and output.suffix.lower() == ".csv"


@app.command("compare")
def compare_two(
    context: typer.Context, first: RunName, second: RunName, home: Home = None, as_json: Json = False
) -> None:
    """The second run minus the first, cell by cell, over the seeds that both have."""
    with told():
        kept = results_of(context, home)
        compared = compare_runs(run_named(first, kept), run_named(second, kept))
    if as_json:
        print_json(compared)
        return
    print_table(*comparison_table(compared))


def results_of(context: typer.Context, home: Path | None) -> Results:
    return DatabaseResults(ready_engine(settings_of(context, home)))


def kept_in(settings: Settings) -> tuple[DatabaseResults, DatabaseRecordings]:
    engine = ready_engine(settings)
    return DatabaseResults(engine), DatabaseRecordings(engine)


def run_named(name: str, kept: Results) -> tuple[Run, Results]:
    """A kept run by its number, or one read from a file. Raises WrongStudy."""
    if name.isdecimal() and len(name) < 10:
        run = kept.run(int(name))
        if run is None:
            raise WrongStudy(f"There is no run {name}.", field="RUN", remedy="See: quarterdeck evaluate runs")
        return run, kept
    try:
        text = Path(name).read_bytes()
    except OSError as error:
        raise WrongStudy(
            f"{name[:200]} cannot be read: {error.strerror or error}.",
            field="RUN",
            remedy="Give a run's number, or a file of exported JSON lines.",
        ) from None
    return read_json_lines(text, Path(name).name)


def _show_ablation(
    of: Ablation, run: Run, results: Results, plots: Path | None, as_json: bool
) -> dict[str, object]:
    summary = summarise(run, results)
    if not as_json:
        typer.echo(f"{of.name}: {of.question}")
        print_table(*ablation_table(summary))
        typer.echo(f"Run {run.id}: {counted(run.done, 'episode')}.\n")
    if plots is not None:
        for metric, drawn in ablation_charts(of, summary).items():
            written(plots / f"{of.name}-{metric}.svg", [drawn])
    return {
        "ablation": of.name,
        "question": of.question,
        "axis": of.axis,
        "run": run.id,
        "code_version": run.code_version,
        "cells": [{**cell_document(cell), "x": of.x[cell.arm]} for cell in summary.cells],
    }


def written(file: Path, pieces: Iterable[str]) -> None:
    """Raises Exit where the file cannot be."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("w", encoding="utf-8", newline="") as opened:
            opened.writelines(pieces)
    except OSError as error:
        message = f"{file} cannot be written: {error.strerror or error}. Name another, or free some space."
        raise fail(message, Exit.STORAGE) from error


@contextlib.contextmanager
def told() -> Iterator[None]:
    """As everywhere, and what evaluation itself refuses or loses."""
    with told_in_one_line():
        try:
            yield
        except EvaluationError as error:
            field = f"{error.field}: " if error.field.startswith("--") else ""
            wrong = isinstance(error, WrongStudy)
            raise fail(f"{field}{error}", Exit.BAD_INPUT if wrong else Exit.CANNOT_START) from error


def _described(run: Run) -> dict[str, object]:
    study: Study = run.study
    return {
        "run": run.id,
        "kind": study.kind,
        "study": study.name,
        "first_seed": study.first_seed,
        "seeds": study.seeds,
        "episodes": study.episodes,
        "done": run.done,
        "started_utc": run.started_utc,
        "finished_utc": run.finished_utc,
        "code_version": run.code_version,
    }
