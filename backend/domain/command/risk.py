"""Risk findings over a plan, by rules that are data.
They tell a person what to look at; they never decide for one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backend.domain.command.policy import Risk, RiskRules, meant, misnamed_skills
from backend.domain.geometry import Metric, Pose
from backend.domain.memory.record import FIELD_NAME, EntityRecord
from backend.domain.plans.catalogue import Catalogue
from backend.domain.plans.plan import Step
from backend.domain.plans.skills import meaning_of


def risks(
    rules: RiskRules,
    steps: Sequence[tuple[int, Step, Pose | None]],
    records: Mapping[str, EntityRecord],
    robot: Pose,
    metric: Metric,
    now_s: float,
    after_failure: bool,
    catalogue: Catalogue,
) -> tuple[Risk, ...]:
    """Findings over `steps`, each (index, step, goal or None),
    from where the robot stands at mission time `now_s`."""
    return (
        *_weak_beliefs(rules, steps, records, now_s),
        *_far(rules, steps, robot, metric),
        *(
            Risk("skill_in", index, f"Policy asks before {step.skill}")
            for index, step, _ in steps
            if step.skill in rules.skills
        ),
        *_after_failure(rules, after_failure),
        *_misnamed(rules, catalogue),
    )


def _weak_beliefs(
    rules: RiskRules,
    steps: Sequence[tuple[int, Step, Pose | None]],
    records: Mapping[str, EntityRecord],
    now_s: float,
) -> Iterator[Risk]:
    told: set[str] = set()
    for index, step, _ in steps:
        meaning = meaning_of(step.skill)
        record = records.get(meaning.entity_of(step) or "") if meaning.because else None
        if record is None or record.id in told:
            continue
        told.add(record.id)
        weak = rules.confidence_below
        if weak is not None and record.confidence < weak:
            yield Risk(
                "confidence_below",
                index,
                f"Weak belief: {record.id} pose {record.confidence:.2f}, policy asks under {weak:.2f}",
                record.id,
            )
        old_s, age_s = rules.belief_older_s, now_s - record.stamp_s
        if old_s is not None and age_s > old_s:
            message = f"Old belief: {record.id} seen {age_s:.0f} s ago, policy asks over {old_s:.0f} s"
            yield Risk("belief_older_s", index, message, record.id)
        if rules.record_disputed and record.disputes:
            said = record.disputes[-1]
            about = f"{FIELD_NAME[said.field]} of {record.id}"
            message = f"Disputed: {said.source.value} and {said.by} disagree about {about}"
            yield Risk("record_disputed", index, message, record.id)


def _far(
    rules: RiskRules, steps: Sequence[tuple[int, Step, Pose | None]], robot: Pose, metric: Metric
) -> Iterator[Risk]:
    bound_m = rules.distance_above_m
    if bound_m is None:
        return
    path_m, place = 0.0, robot
    for _, _, goal in steps:
        if goal is not None:
            path_m += metric.distance_m(place, goal)
            place = goal
    if path_m > bound_m:
        yield Risk("distance_above_m", None, f"Path {path_m:.2f} m, policy asks over {bound_m:.2f} m")


def _after_failure(rules: RiskRules, after_failure: bool) -> Iterator[Risk]:
    if rules.first_plan_after_failure and after_failure:
        yield Risk("first_plan_after_failure", None, "First plan after a failed skill")


def _misnamed(rules: RiskRules, catalogue: Catalogue) -> Iterator[Risk]:
    """A rule that could never ask because its skill is misspelt asks always, until it is mended."""
    for skill in misnamed_skills(rules, catalogue):
        message = f"Policy names skill {skill[:60]}, which this robot has not. {meant(skill, catalogue)}"
        yield Risk("skill_unknown", None, message, skill)
