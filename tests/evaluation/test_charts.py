"""Charts: well-formed SVG with a mark for every value, read without colour, safe whatever the words."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.evaluation.ablations import ablation
from backend.evaluation.arms import METHODS, arm
from backend.evaluation.charts import svg
from backend.evaluation.charts.axes import number, scale
from backend.evaluation.charts.bars import BarRow, stacked_chart
from backend.evaluation.charts.figures import (
    ablation_charts,
    difference_chart,
    mean_chart,
    seed_chart,
    success_chart,
)
from backend.evaluation.charts.lines import Point, Series, line_chart
from backend.evaluation.charts.paths import path_chart
from backend.evaluation.charts.rows import Row, interval_chart
from backend.evaluation.summary import Summary, summarise
from backend.usecases.recordings import Delivery, Trajectory, Visit
from backend.usecases.results import Study
from backend.usecases.results_in_memory import MemoryResults
from tests.evaluation.test_summary import row

SVG = "{http://www.w3.org/2000/svg}"


def drawn(chart: str) -> ET.Element:
    return ET.fromstring(chart)


def of_class(chart: str, name: str) -> list[ET.Element]:
    return [each for each in drawn(chart).iter() if name in each.get("class", "").split()]


def words(chart: str) -> list[str]:
    return [each.text or "" for each in drawn(chart).iter(f"{SVG}text")]


@pytest.fixture(scope="module")
def summary() -> Summary:
    results = MemoryResults()
    arms = tuple(arm("dn-14", method) for method in METHODS)
    run = results.start(Study(kind="memory", name="dn-14", arms=arms, first_seed=0, seeds=9), "1.0")
    rows = [
        row(index, seed, steps=190 + 5 * index + seed, context=10 ** (index + 2), success=seed > index)
        for index in range(len(METHODS))
        for seed in range(9)
    ]
    results.add(run.id, rows)
    return summarise(run, results)


def test_each_cell_has_a_mark_a_whisker_and_the_printed_figure_beside(summary: Summary) -> None:
    chart = success_chart(summary)

    printed = [each for each in of_class(chart, "mark") if "the paper prints" in "".join(each.itertext())]
    assert len(of_class(chart, "whisker")) == len(METHODS)
    assert len(of_class(chart, "mark")) == len(METHODS) + len(printed)
    assert len(printed) == 4
    assert set(METHODS) <= set(words(chart))


def test_differences_are_drawn_against_zero(summary: Summary) -> None:
    chart = difference_chart(summary, "steps")

    assert "0" in words(chart)
    assert {f"− {method}" for method in METHODS if method != "attention"} <= set(words(chart))
    assert "-8.4" in "".join(drawn(chart).itertext())


def test_every_seed_is_a_dot_and_failures_are_marked(summary: Summary) -> None:
    arms = summary.run.study.arms
    episodes = {0: [row(0, seed, success=seed != 2) for seed in range(5)]}

    chart = seed_chart(arms, episodes, "steps")

    assert (len(of_class(chart, "dot")), len(of_class(chart, "mark"))) == (4, 1)


def test_a_wide_range_is_drawn_by_powers_of_ten(summary: Summary) -> None:
    ticks = [word for word in words(mean_chart(summary, "context", is_log=True)) if word[0].isdigit()]

    assert ticks == ["100", "1,000", "10,000", "100,000", "1 M"]


@pytest.mark.parametrize("name", ["length", "factors", "suppression"])
def test_an_ablation_has_its_charts_with_every_arm_on_them(name: str) -> None:
    of = ablation(name)
    results = MemoryResults()
    run = results.start(Study(kind="ablation", name=name, arms=of.arms, first_seed=0, seeds=2), "1.0")
    results.add(
        run.id, [row(index, seed, steps=200 + index) for index in range(len(of.arms)) for seed in (0, 1)]
    )

    charts = ablation_charts(of, summarise(run, results))

    assert list(charts) == ["success", "steps", "context", "stale_visits"]
    for chart in charts.values():
        assert len(of_class(chart, "whisker")) == len(of.arms)


def test_series_differ_by_shape_and_dash_not_by_hue() -> None:
    points = tuple(Point(x, x, x, x) for x in (1.0, 2.0))
    chart = line_chart("t", "x", "y", [Series(str(n), points) for n in range(5)])

    looks = {(each.get("stroke-dasharray"), each.get("stroke")) for each in of_class(chart, "series")}
    assert len(set(svg.SHAPES)) == 5
    assert len(looks) == 5


def test_words_cannot_break_out_of_the_picture() -> None:
    evil = '<script>alert("1")</script> & "x"'

    chart = interval_chart(evil, evil, [Row(evil, 1.0, 0.5, 1.5, evil)])

    assert "<script" not in chart
    assert evil in words(chart)


def test_nothing_to_draw_is_an_empty_picture() -> None:
    for chart in (interval_chart("t", "x", []), line_chart("t", "x", "y", [])):
        assert of_class(chart, "mark") == []


def test_no_style_that_a_page_s_policy_would_block() -> None:
    chart = line_chart("t", "x", "y", [Series("a", (Point(1, 2, 1, 3),))])

    assert "style" not in chart


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8))
def test_a_scale_holds_its_values_and_has_a_few_round_ticks(values: list[float]) -> None:
    made = scale(values, 100.0, 500.0)

    assert all(99.9 <= made.px(value) <= 500.1 for value in values)
    assert 2 <= len(made.ticks()) <= 12


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (0.25, "0.25"), (12_000, "12,000"), (3.0, "3"), (-8.4, "-8.4"), (2_500_000, "2.5 M")],
)
def test_ticks_are_written_plainly(value: float, shown: str) -> None:
    assert number(value) == shown


def test_a_bar_is_as_long_as_its_parts_and_each_part_is_told() -> None:
    rows = [BarRow("none", {"changed": 6.0, "failed": 2.0}, "S-6"), BarRow("static", {"failed": 4.0}, "S-6")]

    chart = drawn(stacked_chart("Replans", "an episode", rows))

    bars = [each for each in chart.iter(f"{SVG}rect") if each.find(f"{SVG}title") is not None]
    widths = {
        (each.findtext(f"{SVG}title") or "").partition(":")[0]: float(each.attrib["width"]) for each in bars
    }
    assert set(widths) == {"none, changed", "none, failed", "static, failed"}
    assert widths["none, changed"] == pytest.approx(3 * widths["none, failed"], abs=0.1)
    assert widths["static, failed"] == pytest.approx(2 * widths["none, failed"], abs=0.1)
    assert len({each.attrib["fill"] for each in bars}) == 2, "told apart without colour"


def test_a_way_is_drawn_trip_by_trip_with_what_was_picked_and_what_was_not_there() -> None:
    picked = Visit(step=1, cell=(1, 0), entity="can_01", picked=True, reason="grasped")
    slipped = Visit(step=5, cell=(1, 0), entity="can_02", picked=False, reason="grasp_slipped")
    absent = Visit(step=6, cell=(2, 0), entity="can_02", picked=False, reason="absent")
    way = Trajectory(
        width=3,
        height=2,
        stations={"station_metal": (0, 0)},
        starts={"can_01": (1, 0), "can_02": (2, 0)},
        classes={"can_01": "can"},
        cells=((0, 0), (1, 0), (1, 0), (0, 0), (0, 0), (1, 0), (2, 0)),
        visits=(picked, slipped, absent),
        deliveries=(Delivery(step=3, cell=(0, 0), entity="can_01", station="station_metal"),),
    )

    chart = drawn(path_chart("<static>", way))

    told = [each.text or "" for each in chart.iter(f"{SVG}title")]
    assert told[0] == "<static>"
    assert "1: can_01, picked at step 1" in told
    assert "can_02 was not here at step 6" in told
    assert not any("step 5" in each for each in told), "a slip is no wrong place"
    assert len(list(chart.iter(f"{SVG}polyline"))) == 2, "a line a trip"
