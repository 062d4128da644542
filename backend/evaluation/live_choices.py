"""What the command line, or a form, asks of the study with a live model: the study it stands for."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from backend.evaluation.arms import METHODS as KNOWN
from backend.evaluation.choices import checked, chosen
from backend.evaluation.errors import WrongStudy
from backend.evaluation.live_arms import METHODS, SCENARIO, SEEDS, live_arm
from backend.evaluation.live_players import recording_of
from backend.usecases.recordings import Recordings
from backend.usecases.results import Run, Study


def live_study(
    planner: str,
    asked: Mapping[str, str | int | float],
    method: str | None,
    first_seed: int | None,
    seeds: int | None,
) -> Study:
    """The paper's two methods over three seeds, unless others are named. Raises WrongStudy."""
    methods = METHODS if method is None else chosen(method, KNOWN, "--method", "method")
    study = Study(
        kind="planner",
        name=f"{SCENARIO}: {', '.join(methods)}, by {asked.get('model', planner)}",
        arms=tuple([live_arm(each, planner, asked) for each in methods]),
        first_seed=0 if first_seed is None else first_seed,
        seeds=SEEDS if seeds is None else seeds,
    )
    return checked(study)


def recorded_study(
    source: Run, recordings: Recordings, method: str | None, first_seed: int | None, seeds: int | None
) -> Study:
    """What `source` recorded, or the part of it that is named. Raises WrongStudy where it lacks any of it."""
    of = source.study
    if of.kind != "planner":
        raise WrongStudy(
            f"Run {source.id} recorded no exchanges: its episodes come again from their seeds.",
            field="--from",
            remedy="Name a run of: quarterdeck evaluate planner",
        )
    known = tuple(dict.fromkeys(arm.method for arm in of.arms))
    methods = known if method is None else chosen(method, known, "--method", f"method in run {source.id}")
    arms = [arm for arm in of.arms if arm.method in methods]
    study = Study(
        kind="planner",
        name=f"{of.name}, from run {source.id}",
        arms=tuple(
            [replace(arm, planner="recorded", asked={**arm.asked, "from": source.id}) for arm in arms]
        ),
        first_seed=of.first_seed if first_seed is None else first_seed,
        seeds=of.seeds if seeds is None else seeds,
    )
    checked(study)
    for arm in study.arms:
        for seed in range(study.first_seed, study.first_seed + study.seeds):
            recording_of(recordings, source, arm.method, seed)
    return study
