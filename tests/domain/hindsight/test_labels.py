"""Labels of failure causes: what is suggested, and how those that people gave are counted."""

import pytest

from backend.domain.annotations.annotation import Annotation
from backend.domain.annotations.words import SUGGESTED
from backend.domain.episode.events import EpisodeOpened, StepEnded
from backend.domain.execution.outcome import Outcome, Result
from backend.domain.hindsight.labels import CAUSES, LABELS, labels_of, suggested
from backend.domain.hindsight.reliance import Why, WrongSpan
from backend.domain.memory.record import Field
from tests.support.drill import Drill


def ended(reason: str, result: Result = Result.FAILED) -> StepEnded:
    outcome = Outcome(
        dispatch_id="d-1", skill="grasp", result=result, reason=reason, message="", started_s=1.0, ended_s=2.0
    )
    return StepEnded(outcome=outcome)


def wrong(why: Why) -> WrongSpan:
    return WrongSpan(
        plan=1, plan_seq=9, entity="can_1", field=Field.POSE, kind="wrong_pose", why=why, from_s=0.0,
        to_s=2.0, seq=3, by="drone", told_seq=0,
    )  # fmt: skip


def annotated(*tags: str, is_removed: bool = False) -> Annotation:
    return Annotation(
        id="a", version=1, episode="e1", seq=9, text="said", author="ada", editor="ada", utc="", tags=tags,
        is_removed=is_removed,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("reason", "whys", "cause"),
    [
        ("absent", ["false_report"], "false-report"),
        ("absent", ["moved"], "stale-target"),
        ("absent", ["late_report"], "stale-target"),
        ("absent", [], "stale-target"),
        ("grasp_slipped", [], "empty-grasp"),
        ("grasp_slipped", ["moved"], "empty-grasp"),
        ("unreachable", [], "motion-planning"),
        ("blocked", [], "stall"),
        ("empty_grasp", [], "empty-grasp"),
        ("place_failed", [], "other-execution"),
    ],
)
def test_a_failed_step_suggests_its_cause(reason: str, whys: list[Why], cause: str) -> None:
    assert suggested(ended(reason), [wrong(why) for why in whys]) == cause
    assert cause in CAUSES


def test_what_did_not_fail_suggests_none() -> None:
    opened = Drill().events[0].event
    assert isinstance(opened, EpisodeOpened)

    assert suggested(ended("grasped", Result.SUCCEEDED), []) == ""
    assert suggested(ended("stopped", Result.STOPPED), []) == ""
    assert suggested(opened, []) == ""
    assert suggested(None, []) == ""


def test_each_annotation_gives_a_label_once_and_none_that_was_taken_away() -> None:
    given = [
        annotated("stall", "stale-target", "stall", "near-miss"),
        annotated("stale-target", "outcome-failure"),
        annotated("false-report", is_removed=True),
    ]

    assert labels_of(given) == {"stale-target": 2, "stall": 1, "outcome-failure": 1}
    assert list(labels_of(given)) == [label for label in LABELS if label in labels_of(given)]


def test_the_papers_causes_are_offered_wherever_tags_are_written() -> None:
    assert set(CAUSES) <= set(SUGGESTED)
