"""Names on the command line, or in a page's form, as the studies they stand for."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from backend.evaluation.ablations import ABLATIONS, Ablation
from backend.evaluation.arms import ARENA_SCENARIO, METHODS, SCENARIOS, arm
from backend.evaluation.errors import WrongStudy
from backend.evaluation.tabletop_command import tabletop_command
from backend.usecases.results import Study

LARGEST_SEED = 2**31 - 1
MOST_EPISODES = 10_000_000


def memory_study(scenario: str, method: str, first_seed: int, seeds: int) -> Study:
    """Scenarios times methods: `all`, a name, or names parted by commas. Raises WrongStudy."""
    scenarios = chosen(scenario, SCENARIOS, "--scenario", "scenario")
    methods = chosen(method, METHODS, "--method", "method")
    arms = tuple(arm(each, name) for each in scenarios for name in methods)
    study = Study(
        kind="memory",
        name=f"{_listed(scenarios, SCENARIOS)}: {_listed(methods, METHODS)}",
        arms=arms,
        first_seed=first_seed,
        seeds=seeds,
    )
    return checked(study)


def arena_study(method: str, first_seed: int, seeds: int) -> Study:
    """The methods in the rigid-body arena. Raises WrongStudy."""
    methods = chosen(method, METHODS, "--method", "method")
    arms = tuple(arm(ARENA_SCENARIO, name) for name in methods)
    name = f"arena: {_listed(methods, METHODS)}"
    return checked(Study(kind="arena", name=name, arms=arms, first_seed=first_seed, seeds=seeds))


def ablation_study(ablation: Ablation, first_seed: int, seeds: int | None) -> Study:
    """The ablation's arms over `seeds`, or as many as it takes by itself. Raises WrongStudy."""
    study = Study(
        kind="ablation",
        name=ablation.name,
        arms=ablation.arms,
        first_seed=first_seed,
        seeds=ablation.seeds if seeds is None else seeds,
    )
    return checked(study)


def command_of(study: Study) -> str:
    """The command that plays this study, or goes on with it; empty for one that none does."""
    if study.kind == "tabletop" and study.arms:
        return tabletop_command(study)
    seeds = f"--seeds {study.seeds}" + (f" --first-seed {study.first_seed}" if study.first_seed else "")
    if study.kind == "ablation" and study.name in ABLATIONS:
        return f"quarterdeck evaluate ablation {study.name} {seeds}"
    if study.kind == "planner" and study.arms:
        return _planner_command(study, seeds)
    if study.kind == "arena" and study.arms:
        methods = ",".join(_once(each.method for each in study.arms))
        return f"quarterdeck evaluate arena --method {methods} {seeds}"
    if study.kind != "memory" or not study.arms:
        return ""
    scenarios, methods = (
        _listed(_once(names), known).replace(", ", ",")
        for names, known in (
            ([each.scenario for each in study.arms], SCENARIOS),
            ([each.method for each in study.arms], METHODS),
        )
    )
    return f"quarterdeck evaluate memory --scenario {scenarios} --method {methods} {seeds}"


def _planner_command(study: Study, seeds: str) -> str:
    """The model's server and key are settings, and not told here."""
    asked, planner = study.arms[0].asked, study.arms[0].planner
    whose = {"openai": f" --model {asked.get('model')}", "recorded": f" --from {asked.get('from')}"}
    methods = ",".join(_once(each.method for each in study.arms))
    tokens = f" --tokens {asked['tokens']}" if planner == "openai" and "tokens" in asked else ""
    named = f"--planner {planner}{whose.get(planner, '')} --method {methods}"
    return f"quarterdeck evaluate planner {named} {seeds}{tokens}"


def chosen(text: str, known: Sequence[str], field: str, noun: str) -> tuple[str, ...]:
    """The names in `text`, in the order of `known`. Raises WrongStudy for one that is none of them."""
    names = {name for part in text.split(",") if (name := part.strip().lower())}
    if names == {"all"}:
        return tuple(known)
    if "all" in names and "all" not in known:
        others = ", ".join(sorted(names - {"all"}))
        raise WrongStudy("“all” stands alone.", field=field, remedy=f"Give all, or {others[:60]} without it.")
    unknown = sorted(names - set(known))
    if unknown or not names:
        wrong = unknown[0] if unknown else text
        close = difflib.get_close_matches(wrong, known, n=1)
        guess = f"Did you mean {close[0]}? " if close else ""
        raise WrongStudy(
            f"There is no {noun} {wrong[:60]!r}.",
            field=field,
            remedy=f"{guess}Give one of {', '.join(known)}, several parted by commas, or all.",
        )
    return tuple(name for name in known if name in names)


def compared_method(name: str | None, study: Study) -> str:
    """Whose differences from the others are told, one alone: attention's unless chosen. Raises WrongStudy."""
    methods = _once(each.method for each in study.arms)
    if name is None:
        if study.kind == "tabletop":
            return methods[0]
        return "attention" if "attention" in methods else methods[-1]
    wanted = name.strip().lower()
    if wanted in methods:
        return wanted
    if wanted in METHODS:
        told, remedy = f"Method {wanted} is not in this study.", f"It has {', '.join(methods)}."
    else:
        close = difflib.get_close_matches(wanted, methods, n=1)
        told = f"There is no method {wanted[:60]!r}."
        remedy = f"{f'Did you mean {close[0]}? ' if close else ''}Give one of {', '.join(methods)}."
    raise WrongStudy(told, field="--compare", remedy=remedy)


def checked(study: Study) -> Study:
    """The study, where its seeds can be played and kept. Raises WrongStudy."""
    if study.seeds < 1:
        raise WrongStudy(f"{study.seeds} is no number of seeds.", field="--seeds", remedy="Give 1 or more.")
    if study.episodes > MOST_EPISODES:
        raise WrongStudy(
            f"{study.episodes:,} episodes are more than one run holds.",
            field="--seeds",
            remedy=f"Run at most {MOST_EPISODES:,}, and the rest with --first-seed in another run.",
        )
    if study.first_seed < 0 or study.first_seed + study.seeds - 1 > LARGEST_SEED:
        raise WrongStudy(
            f"Seeds {study.first_seed} to {study.first_seed + study.seeds - 1} are out of range.",
            field="--first-seed",
            remedy=f"Seeds go from 0 to {LARGEST_SEED}.",
        )
    return study


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _listed(names: Sequence[str], known: Sequence[str]) -> str:
    return "all" if tuple(names) == tuple(known) else ", ".join(names)
