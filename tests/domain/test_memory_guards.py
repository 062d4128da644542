"""The safety rules around a person's correction of memory, each where it bites; docs/safety.md names them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backend.domain.decide.memory_guards import (
    refuse_delivery_under_way,
    refuse_measured,
    refuse_rest_of_plan,
    refuse_stale_record,
    refuse_unseen_blast,
)
from backend.domain.episode.events import IntentRefused, PlanInvalidated, StepDispatched
from backend.domain.geometry import Pose
from backend.domain.memory.corrections import Lock, Reclass, Remove, SetStatus
from backend.domain.memory.record import Status
from tests.domain.correcting import confirmed, fix, moved, shown
from tests.domain.scripted import CANS, Scripted, collect, opened, step


def running() -> Scripted:
    """The first step of a plan for can_1 is in flight, under policy auto."""
    script = Scripted(opened(policy="auto"))
    script.see("can_1", 3, 0)
    script.answer(*collect("can_1"))
    assert script.state.dispatch is not None
    return script


def test_a_correction_counts_for_the_record_its_page_showed() -> None:
    """Else two people, or a person and a drone, send the robot to a place that neither of them means."""
    script = running()
    click = confirmed(script, moved("can_1", 4.0, 4.0))
    script.see("can_1", 3.0, 1.0, q=1.0)
    refused = script.click(click)
    assert refused.code == "stale_record"
    assert "observed at (3, 1) m" in refused.message
    assert script.record("can_1").pose == Pose(3.0, 1.0)
    assert refuse_stale_record(script.state.memory.records, click.correction, click.seen) is not None


def test_a_correction_counts_with_the_consequences_its_page_showed() -> None:
    """A step began since: the person agreed to correct a record, not to cancel what the robot does."""
    script = Scripted(opened())
    script.see("can_1", 3, 0)
    script.answer(*collect("can_1"))
    click = confirmed(script, moved())
    script.approve()
    assert script.state.dispatch is not None
    refused = script.click(click)
    assert refused.code == "unseen_blast"
    assert "The step under way, navigate can_1, is asked to cancel." in refused.message
    assert script.record("can_1").pose == Pose(3.0, 0.0)
    assert not script.state.dispatch.cancel_asked
    assert refuse_unseen_blast(shown(script, moved()), click.blast) is not None


def test_what_the_robot_measured_no_word_takes_back() -> None:
    """Else the planner sends an arm that holds something to pick it up again."""
    script = running()
    for _ in range(3):
        script.end()
    assert fix(script, SetStatus(entity="can_1", status=Status.OBSERVED)) == "held"
    assert fix(script, Remove(entity="can_1")) == "held"
    assert script.record("can_1").status is Status.GRASPED
    assert refuse_measured(script.record("can_1"), moved()) is not None
    assert refuse_measured(script.record("can_1"), Reclass(entity="can_1", cls="bottle")) is None


def test_nothing_is_said_to_be_delivered_while_the_robot_moves() -> None:
    script = running()
    said = SetStatus(entity="can_1", status=Status.DELIVERED)
    assert fix(script, said) == "in_flight"
    assert script.state.delivered == {}
    assert refuse_delivery_under_way(script.state, said) is not None


@pytest.mark.parametrize("place", [(3.0, 0.02), (7.0, 7.0)], ids=["within tolerance", "elsewhere"])
def test_no_report_moves_a_locked_pose(place: tuple[float, float]) -> None:
    """A person who stands beside it outweighs a drone, however often it says otherwise."""
    script = Scripted(opened())
    script.see("can_1", 3, 0)
    fix(script, Lock(entity="can_1", field="pose"))
    for _ in range(3):
        script.met_s += 60.0
        script.see("can_1", *place, q=1.0)
    assert script.record("can_1").pose == Pose(3.0, 0.0)


def test_a_plan_that_a_correction_made_impossible_is_dropped_at_once() -> None:
    """No report changes a class, so no dependency guards it: the can on its way is a bottle."""
    script = running()
    for _ in range(4):
        script.end()
    assert script.state.dispatch is not None
    assert script.state.dispatch.step.skill == "deliver"
    assert fix(script, Reclass(entity="can_1", cls="bottle")) == "applied"
    assert script.state.plan is None
    assert script.state.dispatch.cancel_asked
    assert "was corrected by operator-1" in script.last(PlanInvalidated).cause.message
    plan = replace(script.all(StepDispatched)[-1], index=0)
    assert plan.step == step("deliver", object="can_1", station=CANS)


def test_the_rest_of_a_plan_that_stands_is_let_alone() -> None:
    script = running()
    assert refuse_rest_of_plan(script.state) is None
    script.see("can_2", 6, 6)
    fix(script, Reclass(entity="can_2", cls="bottle"))
    assert script.state.plan is not None
    assert script.all(IntentRefused) == []
