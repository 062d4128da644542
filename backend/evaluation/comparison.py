"""Two runs side by side: the second minus the first in every cell that both have, seed by seed."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from backend.evaluation.errors import WrongStudy
from backend.evaluation.report import spread
from backend.evaluation.statistics import Estimate
from backend.evaluation.summary import columns_of, differences
from backend.usecases.results import Arm, Results, Run


class Compared(Struct, frozen=True, kw_only=True):
    """`first_arm` and `second_arm` are the cell's places in either run; `differences` by metric."""

    scenario: str
    method: str
    variant: str
    first_arm: int
    second_arm: int
    pairs: int
    differences: Mapping[str, Estimate]


Kept = tuple[Run, Results]


def compare_runs(first: Kept, second: Kept) -> list[Compared]:
    """Raises WrongStudy where the two have no cell or no seed in common."""
    places = {_name(arm): index for index, arm in enumerate(first[0].study.arms)}
    compared = []
    for index, arm in enumerate(second[0].study.arms):
        place = places.get(_name(arm))
        if place is None:
            continue
        ours = columns_of(second[1].episodes(second[0].id, arm=index))
        theirs = columns_of(first[1].episodes(first[0].id, arm=place))
        pairs, found = differences(ours, theirs)
        if pairs:
            compared.append(
                Compared(
                    scenario=arm.scenario,
                    method=arm.method,
                    variant=arm.variant,
                    first_arm=place,
                    second_arm=index,
                    pairs=pairs,
                    differences=found,
                )
            )
    if not compared:
        raise WrongStudy(
            "The two runs have no cell with a seed in common.",
            field="RUN",
            remedy="Compare runs of the same scenarios, methods and seeds.",
        )
    return compared


def shares_cell(first: Run, second: Run) -> bool:
    """Whether the two can be compared: episodes in both, and a cell and a seed that both studies have."""
    ours, theirs = first.study, second.study
    begins = max(ours.first_seed, theirs.first_seed)
    ends = min(ours.first_seed + ours.seeds, theirs.first_seed + theirs.seeds)
    names = {_name(arm) for arm in ours.arms}
    return bool(
        first.done and second.done and begins < ends and any(_name(arm) in names for arm in theirs.arms)
    )


def comparison_table(compared: list[Compared]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    header = ("SCENARIO", "METHOD", "PAIRS", "SUCCESS, POINTS", "STEPS", "CONTEXT", "STALE")
    return header, [
        (
            f"{each.scenario}, {each.variant}" if each.variant else each.scenario,
            each.method,
            str(each.pairs),
            spread(each.differences["success"], 100, 1),
            spread(each.differences["steps"], 1, 1),
            spread(each.differences["context"], 1, 0),
            spread(each.differences["stale_visits"], 1, 2),
        )
        for each in compared
    ]


def _name(arm: Arm) -> tuple[str, str, str]:
    return arm.scenario, arm.method, arm.variant
