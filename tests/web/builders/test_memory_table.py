"""The memory table: the order, the line, the factors, and why the rest is left out."""

import pytest
from msgspec.structs import replace

from backend.domain.memory.configuration import NAMED, AttentionSettings
from backend.web.builders.memory import memory_table
from tests.support.drill import MISSION, Drill
from tests.web.builders.test_card import APPROVED, SEEN, drilled
from tests.web.moments import said


def table(*moves: tuple[str, int], memory: str = "attention", k: int = 8):  # type: ignore[no-untyped-def]
    configuration = replace(NAMED[memory], attention=AttentionSettings(k=k))
    drill = Drill(mission=replace(MISSION, memory=configuration)).run(moves)
    return memory_table(drill.state)


def test_records_stand_in_the_order_of_their_score() -> None:
    made = table(*SEEN, ("evidence", 5))
    assert [row.rank for row in made.shown] == ["1", "2", "3"]
    assert [float(row.score) for row in made.shown] == sorted(
        (float(row.score) for row in made.shown), reverse=True
    )


def test_the_line_says_how_many_are_left_out() -> None:
    made = table(*SEEN, ("evidence", 5), k=2)
    assert made.k == "K 2"
    assert said(made.kline) == "The planner sees the 2 above. 1 is left out."
    assert [(row.rank, row.why) for row in made.below] == [("3", "Ranked below K")]


def test_with_nothing_above_the_line_it_says_so() -> None:
    made = table(("evidence", 3))
    assert said(made.kline) == "The planner sees none. 1 is left out."
    [row] = made.below
    assert (row.rank, row.score, row.icon, row.why) == (
        "–",
        "filtered",
        "unsupported",
        "Refused: no accepted evidence",
    )
    assert (row.source.share, row.decay.share, row.nearness.share) == (None, None, None)


@pytest.mark.parametrize("memory", ["unfiltered", "static", "oracle", "none"])
def test_other_memories_draw_no_line(memory: str) -> None:
    made = table(*SEEN, memory=memory)
    assert (made.k, made.kline) == ("", None)


@pytest.mark.parametrize(
    ("memory", "title"), [("attention", "Nothing is known yet"), ("none", "This memory keeps no records")]
)
def test_an_empty_memory_says_why(memory: str, title: str) -> None:
    assert table(memory=memory).empty.title == title


@pytest.mark.parametrize(
    ("moves", "icon", "why"),
    [
        ((*SEEN, ("reply", 0)), "assigned", "Target of plan 1"),
        ((*APPROVED, ("outcome", 0), ("outcome", 0)), "grasped", "Held by the robot"),
        (
            (*APPROVED, ("outcome", 0), ("outcome", 0), ("outcome", 0), ("outcome", 0)),
            "delivered",
            "Delivered, so done",
        ),
        ((*APPROVED, ("outcome", 0), ("outcome", 3)), "lost", "Lost: looked for and not there"),
    ],
    ids=["assigned", "grasped", "delivered", "lost"],
)
def test_status_is_a_shape_and_a_reason(moves: tuple[tuple[str, int], ...], icon: str, why: str) -> None:
    made = memory_table(drilled(*moves).state)
    [row] = [row for row in (*made.shown, *made.below) if row.entity == "bottle_1"]
    assert (row.icon, row.why) == (icon, why)
    assert row.is_target is (icon == "assigned")


def test_factors_multiply_to_the_score() -> None:
    for row in table(*SEEN).shown:
        shares = (row.source.share, row.confidence.share, row.decay.share, row.nearness.share)
        product = 1.0
        for share in shares:
            product *= share
        assert f"{product:.3f}" == row.score


def test_of_very_many_records_the_line_counts_all_and_the_table_draws_some() -> None:
    drill = drilled(*SEEN)
    record = drill.state.memory.records["bottle_1"]
    many = {f"bottle_{n}": replace(record, id=f"bottle_{n}", order=n) for n in range(3000)}
    state = replace(drill.state, memory=replace(drill.state.memory, records=many))
    made = memory_table(state)
    assert (len(made.shown), len(made.below)) == (8, 100)
    assert said(made.kline) == "The planner sees the 8 above. 2,992 are left out."
