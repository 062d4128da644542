"""How long plans rested on a wrong belief, and what had made it wrong."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.domain.geometry import Pose
from backend.domain.hindsight.belief import Belief, Reliance, Report, Trace
from backend.domain.hindsight.known import hindsight_of
from backend.domain.hindsight.reliance import Misled, misled
from backend.domain.hindsight.truth import Truth
from backend.domain.memory.record import Field, Source, Status
from tests.domain.hindsight.tracing import CELLS, A, B, C, belief_at, head_of, traced, truth
from tests.support.drill import MOVES, Drill, whole

NOBODY = Truth(why_not="nobody knows")


def scene(beliefs: Sequence[Belief], reports: Sequence[Report], to_s: float | None = 20.0) -> Trace:
    """Plan 3 rests on the pose of `can_1` from 10 s to `to_s`; the episode stands at 30 s."""
    drill = Drill()
    drill.met_s = 29.0
    drill.move("evidence", 0)
    trace = traced(drill.events)
    trace.beliefs["can_1"], trace.reports["can_1"] = list(beliefs), list(reports)
    trace.reliances.append(Reliance(plan=3, entity="can_1", field=Field.POSE, seq=40, from_s=10.0, to_s=to_s))
    return trace


def told(seq: int, met_s: float, stamp_s: float, pose: Pose, *, refused: bool = False) -> Report:
    return Report(seq, met_s, stamp_s, pose, Source.AERIAL, "drone", refused)


def found_in(trace: Trace, known: Truth) -> Misled:
    return misled(trace, hindsight_of(trace, known, CELLS), CELLS)


@pytest.mark.parametrize(
    ("reports", "facts", "spans"),
    [
        pytest.param(
            [told(1, 2, 0, A)], {0.0: ("floor", A), 14.0: ("floor", B)}, [(14.0, 20.0, "moved")], id="moved"
        ),
        pytest.param(
            [told(1, 8, 4, A)],
            {0.0: ("floor", A), 6.0: ("floor", B)},
            [(10.0, 20.0, "late_report")],
            id="moved between the look and the report",
        ),
        pytest.param([told(1, 2, 0, A)], {0.0: ("floor", C)}, [(10.0, 20.0, "false_report")], id="false"),
        pytest.param(
            [told(1, 2, 0, A), told(7, 13, 12, B, refused=True)],
            {0.0: ("floor", A), 11.0: ("floor", B)},
            [(11.0, 13.0, "moved"), (13.0, 20.0, "refused_report")],
            id="the right report was refused",
        ),
        pytest.param(
            [told(1, 2, 0, A), told(7, 13, 12, C, refused=True)],
            {0.0: ("floor", A), 11.0: ("floor", B)},
            [(11.0, 20.0, "moved")],
            id="a wrong one was refused",
        ),
        pytest.param([told(1, 2, 0, A)], {0.0: ("floor", A), 25.0: ("floor", B)}, [], id="moved after it"),
        pytest.param(
            [told(1, 2, 0, A)],
            {0.0: ("floor", A), 12.0: ("floor", B), 15.0: ("floor", A)},
            [(12.0, 15.0, "moved")],
            id="moved away and back",
        ),
    ],
)
def test_a_wrong_pose_and_its_cause(reports, facts, spans) -> None:  # type: ignore[no-untyped-def]
    found = found_in(scene([belief_at(A)], reports), truth(can_1=facts))

    assert [(each.from_s, each.to_s, each.why) for each in found.spans] == spans
    assert found.certain_s == found.at_most_s == sum(to_s - from_s for from_s, to_s, _ in spans)
    assert {(each.plan, each.entity, each.kind, each.by) for each in found.spans} <= {
        (3, "can_1", "wrong_pose", "drone")
    }


def test_a_wrong_word_of_a_person_is_told_as_such() -> None:
    trace = scene([belief_at(A, seq=5, from_s=6.0, pose_seq=5, is_said=True)], [told(1, 2, 0, B)])

    assert [each.why for each in found_in(trace, truth(can_1={0.0: ("floor", B)})).spans] == ["person"]


def test_a_belief_put_right_ends_the_span() -> None:
    beliefs = [belief_at(A), belief_at(B, seq=9, from_s=16.0, pose_seq=9)]
    found = found_in(
        scene(beliefs, [told(1, 2, 0, A), told(9, 16, 14, B)]),
        truth(can_1={0.0: ("floor", A), 12.0: ("floor", B)}),
    )

    assert [(each.from_s, each.to_s, each.distance_m) for each in found.spans] == [(12.0, 16.0, 3.0)]


@pytest.mark.parametrize(
    ("measured", "spans"),
    [
        pytest.param(Status.GRASPED, [], id="measured to be held when the grasp ended"),
        pytest.param(
            Status.RECONSIDER,
            [(12.0, 14.0, "wrong_status"), (14.0, 20.0, "wrong_status")],
            id="never measured so",
        ),
    ],
)
def test_what_the_robot_is_doing_is_no_wrong_belief(measured: Status, spans: list[object]) -> None:
    """Between the fingers at 12 s, and measured when the skill ended, at 14 s."""
    beliefs = [belief_at(A), belief_at(A, seq=9, from_s=14.0, status=measured, status_seq=9)]
    trace = scene(beliefs, [told(1, 2, 0, A)])
    trace.reliances.append(
        Reliance(plan=3, entity="can_1", field=Field.STATUS, seq=40, from_s=10.0, to_s=20.0)
    )

    found = found_in(trace, truth(can_1={0.0: ("floor", A), 12.0: ("held", A)}))

    assert [(each.from_s, each.to_s, each.kind) for each in found.spans] == spans


def test_a_plan_that_still_stands_counts_to_the_newest_event() -> None:
    trace = scene([belief_at(A)], [told(1, 2, 0, A)], to_s=None)

    found = found_in(trace, truth(can_1={0.0: ("floor", C)}))

    assert [(each.from_s, each.to_s) for each in found.spans] == [(10.0, 30.0)]
    assert found.relied_s == 20.0


def test_a_moment_counts_once_however_many_beliefs_are_wrong() -> None:
    trace = scene([belief_at(A)], [told(1, 2, 0, A)])
    trace.beliefs["can_2"], trace.reports["can_2"] = [belief_at(B)], [told(2, 2, 0, B)]
    trace.reliances.append(Reliance(plan=3, entity="can_2", field=Field.POSE, seq=40, from_s=15.0, to_s=25.0))

    found = found_in(trace, truth(can_1={0.0: ("floor", C)}, can_2={0.0: ("floor", A)}))

    assert len(found.spans) == 2
    assert (found.relied_s, found.certain_s) == (15.0, 15.0)
    assert found.by_why == {"false_report": 15.0}


def test_a_plan_relies_only_on_what_its_coming_steps_need() -> None:
    """Once it is in the hand, nobody needs to know any more where it stood."""
    drill = Drill().run([("evidence", 1), ("reply", 0), ("approve", 1), ("outcome", 1), ("outcome", 1)])
    relied = traced(drill.events).relied()

    assert {(each.entity, each.field) for each in relied} == {("can_1", Field.POSE), ("can_1", Field.STATUS)}
    assert all(each.to_s == drill.state.log[-1].met_s for each in relied)


MOVE = st.tuples(st.sampled_from(sorted(MOVES)), st.integers(0, 99))


@settings(max_examples=25, deadline=None)
@given(st.lists(MOVE, max_size=40))
def test_whatever_happens_the_figures_hold_together(moves: list[tuple[str, int]]) -> None:
    drill = Drill().run(moves)
    trace = traced(drill.events)
    found = found_in(trace, NOBODY)

    assert 0.0 <= found.certain_s <= found.at_most_s <= found.relied_s
    assert max(found.by_why.values(), default=0.0) <= found.at_most_s
    relied = trace.relied()
    for span in found.spans:
        assert span.from_s < span.to_s
        assert any(
            (each.plan, each.entity, each.field) == (span.plan, span.entity, span.field)
            and each.from_s <= span.from_s
            and (each.to_s is None or span.to_s <= each.to_s)
            for each in relied
        )
        assert 1 <= span.seq <= drill.state.seq


def test_what_was_believed_is_what_the_state_said() -> None:
    """At any moment of a long episode, the gathered belief is the record of the fold."""
    drill = whole()
    trace, seen = traced(drill.events), 0
    for cut in range(10, len(drill.events), 17):
        state = head_of(traced(drill.events[:cut]))
        for entity, record in state.memory.records.items():
            belief = trace.believed(entity, state.seq)
            assert belief is not None
            assert (belief.pose, belief.status, belief.cls, belief.supported) == (
                record.pose, record.status, record.cls, record.supported,
            )  # fmt: skip
            seen += 1
    assert seen > 10
