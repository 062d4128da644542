"""A run's page: what is known of the run, and the sections that its kind of study has."""

from __future__ import annotations

from collections.abc import Sequence

from backend.evaluation.published import published
from backend.evaluation.summary import Summary
from backend.evaluation.tabletop_figures import Figures
from backend.evaluation.tabletop_published import loglook
from backend.studies.ablation import ablation_sections, known_ablation
from backend.studies.addresses import Recorded
from backend.studies.arena import arena_sections
from backend.studies.memory import Seeds, memory_sections
from backend.studies.planner import planner_sections
from backend.studies.runs import asks_nobody, kind_of, notices_of, run_head, title_of
from backend.studies.tabletop import tabletop_sections
from backend.usecases.results import Run
from backend.web.builders import words
from backend.web.pages.chrome import Chrome
from backend.web.pages.evaluation import Progress, RunPage, Section
from backend.web.pages.parts import Choice, Empty


def report_page(
    chrome: Chrome,
    summary: Summary,
    seeds: Seeds,
    *,
    method: str,
    others: Sequence[Run],
    version: str,
    progress: Progress | None,
    table: Figures | None = None,
    recorded: Recorded | None = None,
) -> RunPage:
    """`table`: of a tabletop run; `recorded`: its episodes whose journals were kept."""
    run = summary.run
    sections: tuple[Section, ...] = ()
    if table is not None and table.total:
        sections = tabletop_sections(table, recorded or {})
    elif summary.cells:
        sections = _sections(summary, seeds)
    methods = dict.fromkeys(arm.method for arm in run.study.arms)
    return RunPage(
        chrome=chrome,
        head=run_head(run, _lead(run)),
        sections=sections,
        progress=progress,
        notices=notices_of(run, version),
        compared=tuple([Choice(value=name, label=name, chosen=name == method) for name in methods])
        if run.study.kind in ("memory", "arena", "tabletop") and len(methods) > 1
        else (),
        others=tuple([Choice(value=str(each.id), label=_name(each)) for each in others]),
        empty=None if summary.cells or run.unreadable else _EMPTY,
    )


_EMPTY = Empty(
    title="No episode is there yet",
    text="They appear here as soon as the first are stored, a second or so after the run began.",
)


def _sections(summary: Summary, seeds: Seeds) -> tuple[Section, ...]:
    kind = summary.run.study.kind
    if kind == "ablation":
        return ablation_sections(summary, known_ablation(summary.run))
    if kind == "planner":
        return planner_sections(summary)
    if kind == "arena":
        return arena_sections(summary, seeds)
    return memory_sections(summary, seeds)


def _lead(run: Run) -> str:
    if run.study.kind == "ablation":
        known = known_ablation(run)
        return known.question if known is not None else "An ablation of another version."
    if run.study.kind == "planner":
        who = "The policy" if asks_nobody(run.study) else "A live model"
        return f"{who} plans under each memory. Beside it what the paper prints: {published().source}."
    if run.study.kind == "tabletop":
        return f"Beside each figure what LogLook prints: {loglook().source}."
    section = "V-C" if run.study.kind == "arena" else "V-A"
    return f"Beside each figure what the paper prints: {published().source}, section {section}."


def _name(run: Run) -> str:
    kind = kind_of(run.study)
    seeds = words.counted(len(run.study.each_seed), "seed")
    return f"Run {run.id}: {kind}, {title_of(run.study)}, {seeds}, {run.started_utc[:10]}"
