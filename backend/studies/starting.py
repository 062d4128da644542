"""A run started from the page: its row first, for its number, then a process of its own that plays it.

The process is the very command that a person would type, so it outlives the console, and what is interrupted
goes on by the same.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

from backend.evaluation.ablations import ABLATIONS, ablation
from backend.evaluation.arms import SCENARIOS
from backend.evaluation.choices import ablation_study, command_of, memory_study
from backend.evaluation.errors import WrongStudy
from backend.studies.runs import READ, state_of
from backend.usecases.results import Results, Run, Study
from backend.web.errors import TooLate
from backend.web.pages.environment import url
from backend.web.pages.parts import Choice, FieldError

MOST_SEEDS = 1_000
"""From the page; a larger study is a command line's."""
ALONE = ("memory", "ablation", "arena", "tabletop")
"""Kinds that need nothing but this machine. A live model's costs money and takes a key."""

COMPUTING = ("policy", "lookahead", "in_order", "surrogate", "oracle")
"""Planners that ask no model."""

Spawn = Callable[[Sequence[str]], None]
"""(words after `quarterdeck`): starts that command beside this process."""


def offered() -> tuple[Choice, ...]:
    scenarios = ("all", *SCENARIOS)
    memories = [
        Choice(
            value=f"memory:{name}",
            label=f"Every memory in {'every scenario' if name == 'all' else name.upper()}",
            chosen=name == "all",
        )
        for name in scenarios
    ]
    ablations = [
        Choice(value=f"ablation:{name}", label=f"Ablation {name}: {ablation(name).question}")
        for name in ABLATIONS
    ]
    return (*memories, *ablations)


def study_of(name: str, seeds: str) -> Study | FieldError:
    """What the form asks for, or what is wrong with it."""
    if name not in {choice.value for choice in offered()}:
        return FieldError(field="study", message=f"“{name[:60]}” is no study.", remedy="Choose one.")
    if not seeds.isascii() or not seeds.isdecimal() or not 1 <= int(seeds[:9]) <= MOST_SEEDS:
        said = f"“{seeds[:20]}” is no such number." if seeds else "The number of seeds is missing."
        remedy = f"Write 1 to {MOST_SEEDS:,}; more take the command line."
        return FieldError(field="seeds", message=said, remedy=remedy)
    kind, _, of = name.partition(":")
    try:
        if kind == "ablation":
            return ablation_study(ablation(of), 0, int(seeds))
        return memory_study(of, "all", 0, int(seeds))
    except WrongStudy as error:
        return FieldError(field="study", message=error.message, remedy=error.remedy)


def begin(study: Study, by: str, results: Results, version: str, now_s: float, spawn: Spawn) -> Run:
    """The run, already under way. Raises TooLate while another is."""
    _refuse_second(results, now_s)
    run = results.unfinished(study, version) or results.start(study, version, by)
    results.hear(run.id)
    spawn(shlex.split(command_of(study))[1:])
    return run


def go_on(run: Run, results: Results, version: str, now_s: float, spawn: Spawn) -> None:
    """Have a run that stands still go on. Raises TooLate where it cannot."""
    if not may_go_on(run, version, now_s):
        raise TooLate(
            f"Run {run.id} cannot go on from here",
            text="It is finished or under way, needs a model, or other code began it.",
            remedy="Its page says what it does.",
        )
    _refuse_second(results, now_s)
    results.hear(run.id)
    spawn(shlex.split(command_of(run.study))[1:])


def may_go_on(run: Run, version: str, now_s: float) -> bool:
    return (
        state_of(run, now_s) == "still"
        and run.study.kind in ALONE
        and all(arm.planner in COMPUTING for arm in run.study.arms)
        and run.code_version == version
        and bool(command_of(run.study))
    )


def _refuse_second(results: Results, now_s: float) -> None:
    """Each takes every processor there is, and robots are supervised on them too."""
    going = [run for run in results.runs(limit=READ) if state_of(run, now_s) == "running"]
    if going:
        raise TooLate(
            f"Run {going[0].id} is under way",
            text="One at a time: each takes the processors that there are.",
            remedy="Wait for it; its page shows how far it is.",
            way=(f"Run {going[0].id}", url("evaluation", going[0].id)),
        )
