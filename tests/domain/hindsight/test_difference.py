"""Each difference between what was believed and what is known now has its name."""

import pytest

from backend.domain.geometry import Pose
from backend.domain.hindsight.difference import compare
from backend.domain.hindsight.known import hindsight_of
from backend.domain.memory.record import Status
from tests.domain.hindsight.tracing import CELLS, A, B, belief_at, known_of, missed, saw, traced, truth

FLOOR, HELD, DELIVERED = ("floor", A), ("held", A), ("delivered", A)
OF = Status.OBSERVED


@pytest.mark.parametrize(
    ("believed", "fact", "named"),
    [
        pytest.param(belief_at(A), FLOOR, [], id="right"),
        pytest.param(belief_at(B), FLOOR, [("wrong_pose", 3.0)], id="elsewhere"),
        pytest.param(belief_at(A, cls="bottle"), FLOOR, [("wrong_class", None)], id="of another kind"),
        pytest.param(
            belief_at(B, cls="bottle"), FLOOR, [("wrong_pose", 3.0), ("wrong_class", None)], id="both wrong"
        ),
        pytest.param(belief_at(A, supported=False), FLOOR, [("not_yet_known", None)], id="only doubted"),
        pytest.param(belief_at(A), HELD, [("wrong_status", None)], id="in the hand"),
        pytest.param(belief_at(B, status=Status.GRASPED), HELD, [], id="held, and known to be"),
        pytest.param(belief_at(B, status=Status.DELIVERED), DELIVERED, [], id="delivered, and known to be"),
        pytest.param(belief_at(B, status=Status.DELIVERED), FLOOR, [("wrong_status", None)], id="fell"),
        pytest.param(
            belief_at(A, status=Status.LOST), FLOOR, [("wrong_status", 0.0)], id="lost, in its place"
        ),
        pytest.param(
            belief_at(B, status=Status.LOST), FLOOR, [("not_yet_known", 3.0)], id="lost, somewhere else"
        ),
        pytest.param(belief_at(B, status=Status.RECONSIDER), FLOOR, [("wrong_pose", 3.0)], id="reconsider"),
        pytest.param(belief_at(A, status=Status.REMOVED), FLOOR, [("wrong_status", None)], id="removed"),
    ],
)
def test_a_record_against_the_truth(believed, fact, named) -> None:  # type: ignore[no-untyped-def]
    hindsight = hindsight_of(traced([]), truth(can_1={0.0: fact}), CELLS)

    [found] = compare({"can_1": believed}, hindsight, 5.0, CELLS)

    assert [(each.kind, each.distance_m) for each in found.differences] == named
    assert all(each.is_certain for each in found.differences)


def test_what_the_truth_does_not_have_is_a_false_record() -> None:
    hindsight = hindsight_of(traced([]), truth(can_1={0.0: FLOOR}), CELLS)

    found = compare({"can_1": belief_at(A), "can_9": belief_at(B)}, hindsight, 5.0, CELLS)

    assert [(each.entity, [d.kind for d in each.differences]) for each in found] == [
        ("can_1", []), ("can_9", ["false_record"]),
    ]  # fmt: skip


def test_what_no_record_is_about_yet_stands_last() -> None:
    hindsight = hindsight_of(
        traced([]), truth(can_1={0.0: FLOOR}, can_2={0.0: ("floor", B)}, can_3={0.0: HELD}), CELLS
    )

    found = compare({"can_1": belief_at(A)}, hindsight, 5.0, CELLS)

    assert [(each.entity, [d.kind for d in each.differences]) for each in found] == [
        ("can_1", []), ("can_2", ["not_yet_known"]),
    ]  # fmt: skip


def test_without_truth_a_move_that_nobody_saw_is_not_certain() -> None:
    hindsight = known_of(saw(2, A), saw(9, B))

    [found] = compare({"can_1": belief_at(A)}, hindsight, 5.0, CELLS)
    [later] = compare({"can_1": belief_at(A)}, hindsight, 9.0, CELLS)
    [third] = compare({"can_1": belief_at(Pose(7.0, 7.0))}, hindsight, 5.0, CELLS)

    assert [(each.differences[0].kind, each.differences[0].is_certain) for each in (found, later, third)] == [
        ("wrong_pose", False), ("wrong_pose", True), ("wrong_pose", True),
    ]  # fmt: skip


def test_gone_nobody_knows_where_is_wrong_without_a_distance() -> None:
    [found] = compare({"can_1": belief_at(A)}, known_of(saw(2, A), missed(5, A)), 6.0, CELLS)

    assert [(each.kind, each.distance_m, each.is_certain) for each in found.differences] == [
        ("wrong_pose", None, True)
    ]


def test_nothing_known_is_no_difference() -> None:
    assert compare({"can_2": belief_at(A)}, known_of(saw(2, A)), 5.0, CELLS)[0].differences == ()
