"""A run in one line, at the head of its page, and while it goes on."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from backend.evaluation.choices import command_of
from backend.usecases.results import Run, Study
from backend.web.builders import words
from backend.web.pages import figures
from backend.web.pages.environment import url
from backend.web.pages.evaluation import Progress, RunHead, RunList, RunRow
from backend.web.pages.parts import Empty, Link, Notice

SILENT_S = 60.0
"""A run that stored nothing for so long is said to stand still. Episodes are stored each second, and few
take longer than this."""
FIRST = "quarterdeck evaluate memory --scenario all --method all --seeds 100"
KIND = {
    "memory": "Memory",
    "ablation": "Ablation",
    "planner": "Live model",
    "arena": "Arena",
    "tabletop": "Tabletop",
}
READ = 100
"""Runs that the list shows, the newest."""

State = Literal["finished", "running", "still", "unreadable"]


def run_list(runs: list[Run], version: str, now_s: float) -> RunList:
    rows = tuple([run_row(run, version, now_s) for run in runs])
    going = [row for row in rows if row.state == "running"]
    empty = None
    if not rows:
        empty = Empty(
            title="Nothing has been measured yet",
            text="An evaluation plays the paper’s scenarios under each memory, over the same seeds. "
            "The command below takes under a minute and gives Table I. This page shows it while it runs.",
        )
    return RunList(
        summary=_summary(rows, len(going)),
        rows=rows,
        live=any(row.state in ("running", "still") for row in rows) or not rows,
        command=FIRST,
        empty=empty,
    )


def run_row(run: Run, version: str, now_s: float) -> RunRow:
    state = state_of(run, now_s)
    study = run.study
    return RunRow(
        number=run.id,
        href=url("evaluation", run.id),
        kind=kind_of(study),
        study=title_of(study),
        seeds=seeds_of(run),
        done=f"{figures.count(run.done)} of {figures.count(study.episodes)}"
        if study.arms
        else figures.count(run.done),
        done_share=min(1.0, run.done / study.episodes) if study.episodes else 1.0,
        state=state,
        state_text=_state_text(run, state, now_s),
        started=f"{run.started_utc[:10]} {run.started_utc[11:16]}",
        started_iso=run.started_utc,
        by=run.started_by or "not noted",
        version=run.code_version,
        is_other_version=run.code_version != version,
    )


def state_of(run: Run, now_s: float) -> State:
    if run.unreadable:
        return "unreadable"
    if run.finished_utc is not None:
        return "finished"
    return "running" if _silent_s(run, now_s) < SILENT_S else "still"


def run_head(run: Run, lead: str) -> RunHead:
    ended = run.finished_utc
    facts = (
        ("Kind", kind_of(run.study)),
        ("Seeds", seeds_of(run)),
        ("Episodes", figures.count(run.done)),
        ("Started, UTC", f"{run.started_utc[:10]} {run.started_utc[11:19]}"),
        ("Finished, UTC", f"{ended[:10]} {ended[11:19]}" if ended else "not yet"),
        ("By", run.started_by or "not noted"),
        ("Version", run.code_version),
    )
    return RunHead(
        number=run.id,
        title=title_of(run.study),
        lead=lead,
        facts=facts,
        exports=(
            Link(label="CSV", href=url("evaluation", run.id, "episodes.csv")),
            Link(label="JSON lines", href=url("evaluation", run.id, "episodes.jsonl")),
        ),
    )


def progress_of(run: Run, version: str, now_s: float, *, may_go_on: bool = False) -> Progress | None:
    """None for a run that is finished."""
    state = state_of(run, now_s)
    if state not in ("running", "still"):
        return None
    left = run.study.episodes - run.done
    silent_s = _silent_s(run, now_s)
    command = command_of(run.study)
    if state == "running":
        counts = f"{figures.count(run.done)} of {words.counted(run.study.episodes, 'episode')}"
        title = f"{'Running' if run.done else 'Starting'}: {counts}"
        text = _MEANWHILE if run.done else _STARTING
    else:
        title = f"No episode came for {figures.age(silent_s)}; {figures.count(left)} are missing"
        text = "If it was interrupted, the same command goes on. Nothing that is there is lost."
        if run.code_version != version:
            text = (
                f"Version {run.code_version} began it, and only that one goes on with it. Add --fresh to "
                f"begin anew with this one, {version}."
            )
    return Progress(
        run=run.id,
        icon="run" if state == "running" else "warn",
        tone="quiet" if state == "running" else "caution",
        title=title,
        text=text,
        share=run.done / run.study.episodes,
        live=True,
        has_begun=run.done > 0,
        command="" if state == "running" else command,
        may_go_on=may_go_on,
    )


_STARTING = "The first figures appear here by themselves, as soon as an episode is stored."
_MEANWHILE = (
    "What is below is of the episodes that were there when the page was loaded. When the run is finished the "
    "page loads again by itself; load it for what is there by now."
)


def notices_of(run: Run, version: str) -> tuple[Notice, ...]:
    """What must be known before any figure is read."""
    if run.unreadable:
        return (
            Notice(
                icon="bad",
                tone="caution",
                title=f"Version {version} cannot read what this run measured.",
                text=f"Version {run.code_version} wrote it: {run.unreadable}. Its {figures.count(run.done)} "
                "episodes are kept; look at them with that version.",
            ),
        )
    if run.code_version != version:
        return (
            Notice(
                icon="warn",
                title=f"Measured by version {run.code_version}; this is {version}.",
                text="The figures are as they were measured. An episode that is opened is played again by "
                "this version, and says whether it comes out the same.",
            ),
        )
    return ()


def title_of(study: Study) -> str:
    """In words: a memory study is named by its scenarios and methods, "all: attention, unfiltered"."""
    scenarios, found, methods = study.name.partition(": ")
    if study.kind != "memory" or not found:
        return study.name
    where = "every scenario" if scenarios == "all" else scenarios.upper()
    return f"{'every memory' if methods == 'all' else methods} in {where}"


def kind_of(study: Study) -> str:
    """A live model's study that asked none is called by what planned."""
    return f"Policy, {study.arms[0].scenario}" if asks_nobody(study) else KIND.get(study.kind, study.kind)


def asks_nobody(study: Study) -> bool:
    """Whether it is a live model's study with the policy in the model's place."""
    planners = {arm.planner for arm in study.arms}
    return study.kind == "planner" and planners == {"policy"}


def seeds_of(run: Run) -> str:
    first, count = run.study.first_seed, run.study.seeds
    if run.study.only:
        return ", ".join(map(str, run.study.only))
    return "–" if not count else f"{first} to {first + count - 1}" if count > 1 else str(first)


def _state_text(run: Run, state: State, now_s: float) -> str:
    if state == "unreadable":
        return "Unreadable here"
    if state == "finished":
        return "Finished"
    if state == "running":
        return "Running" if run.done else "Starting"
    return f"Still for {figures.age(_silent_s(run, now_s))}"


def _silent_s(run: Run, now_s: float) -> float:
    heard = datetime.fromisoformat(run.heard_utc or run.started_utc)
    return max(0.0, now_s - heard.timestamp())


def _summary(rows: tuple[RunRow, ...], running: int) -> str:
    if not rows:
        return "None yet."
    kept = "1 run" if len(rows) == 1 else f"{len(rows)} runs"
    return f"{kept}, the newest first.{f' {running} under way.' if running else ''}"
