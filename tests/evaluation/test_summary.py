"""A run's figures: counted right, paired by seed, and beside what the paper prints."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from backend.evaluation.arms import METHODS, arm
from backend.evaluation.published import published
from backend.evaluation.report import cell_document, difference_table, shortfalls
from backend.evaluation.summary import METRICS, Summary, columns_of, summarise
from backend.usecases.results import EpisodeResult, Study
from backend.usecases.results_in_memory import MemoryResults


def row(arm: int, seed: int, *, success: bool = True, steps: int = 200, **more: int) -> EpisodeResult:
    return EpisodeResult(
        arm=arm,
        seed=seed,
        success=success,
        outcome="completed" if success else "budget",
        steps=steps,
        context=more.get("context", 1000),
        planner_calls=15,
        stale_visits=more.get("stale_visits", 0),
        delivered=14,
        path_m=170.0,
        replans={"failed": more["failed"]} if "failed" in more else {},
    )


def summary_of(rows: list[EpisodeResult], methods: tuple[str, ...], compared: str = "attention") -> Summary:
    results = MemoryResults()
    arms = tuple(arm("dn-14", method) for method in methods)
    run = results.start(Study(kind="memory", name="dn-14", arms=arms, first_seed=0, seeds=99), "1.0")
    results.add(run.id, rows)
    return summarise(run, results, compared)


def test_a_cell_counts_successes_and_takes_means() -> None:
    rows = [row(0, seed, success=seed != 1, steps=100 + 10 * seed, failed=seed) for seed in range(4)]

    (cell,) = summary_of(rows, ("attention",)).cells

    assert (cell.scenario, cell.method, cell.n, cell.successes) == ("dn-14", "attention", 4, 3)
    assert cell.success.value == 0.75
    assert cell.means["steps"].value == 115.0
    assert cell.means["steps"].low < 115.0 < cell.means["steps"].high
    assert cell.replans == {"failed": 1.5}
    assert set(cell.means) == set(METRICS) - {"success"}


def test_differences_pair_the_seeds_that_both_have() -> None:
    """Unpaired, the hard seed 7 that only one method met would count against it."""
    ours = [row(0, seed, steps=200 + 50 * seed) for seed in (1, 2, 3)]
    theirs = [row(1, seed, steps=210 + 50 * seed) for seed in (3, 2, 1)] + [row(1, 7, steps=9000)]

    summary = summary_of([*ours, *theirs], ("attention", "unfiltered"))

    steps = next(each for each in summary.differences if each.metric == "steps")
    assert (steps.method, steps.minus, steps.pairs) == ("attention", "unfiltered", 3)
    assert (steps.estimate.value, steps.estimate.low, steps.estimate.high) == (-10.0, -10.0, -10.0)


def test_methods_without_a_common_seed_have_no_difference() -> None:
    assert summary_of([row(0, 1), row(1, 2)], ("attention", "static")).differences == ()


def test_an_arm_that_has_not_been_played_has_no_cell() -> None:
    assert [cell.method for cell in summary_of([row(1, 0)], ("attention", "static")).cells] == ["static"]


@pytest.mark.parametrize("compared", ["attention", "oracle"])
def test_the_chosen_method_is_compared_with_each_other(compared: str) -> None:
    rows = [row(index, seed) for index in range(len(METHODS)) for seed in range(3)]

    summary = summary_of(rows, METHODS, compared)

    assert {each.method for each in summary.differences} == {compared}
    assert {each.minus for each in summary.differences} == set(METHODS) - {compared}


def test_what_the_paper_prints_of_dn_14_is_at_hand() -> None:
    paper = published()

    successes = {method: paper.figure("dn-14", method, "success") for method in METHODS}
    saving = paper.difference("dn-14", "attention", "unfiltered", "steps")

    assert {m: f.value for m, f in successes.items() if f is not None} == {
        "static": 0.62,
        "unfiltered": 0.97,
        "attention": 1.0,
        "oracle": 1.0,
    }
    assert saving is not None
    assert (saving.value, saving.low, saving.high) == (-8.4, -10.7, -6.4)


def test_what_is_known_not_to_be_met_says_why() -> None:
    paper = published()

    assert {(each.scenario, each.metric) for each in paper.not_met} == {
        ("dn-14", "steps"),
        ("dn-14", "context"),
        ("live-6", "input_tokens"),
        ("arena-6", "success"),
        ("arena-6", "context"),
    }
    assert paper.shortfall("dn-14", "unfiltered", "steps") is not None
    assert paper.shortfall("dn-14", "unfiltered", "context") is None
    # Nothing is said where nothing is printed to fall short of.
    assert paper.shortfall("dn-14", "none", "steps") is None


def test_the_printed_context_difference_is_that_of_the_printed_means() -> None:
    paper = published()
    difference = paper.difference("dn-14", "attention", "unfiltered", "context")
    means = [paper.figure("dn-14", method, "context") for method in ("attention", "unfiltered")]

    assert difference is not None
    assert difference.relative is not None
    ours, theirs = (figure.value for figure in means if figure is not None)
    assert difference.value == ours - theirs
    assert difference.relative == pytest.approx(difference.value / theirs, abs=5e-4)


def test_columns_keep_the_order_of_the_seeds() -> None:
    rows = [row(0, seed, steps=seed) for seed in (5, 1, 3)]
    (cell,) = summary_of(rows, ("attention",)).cells

    assert cell.means["steps"].value == pytest.approx(np.mean([5, 1, 3]))


def test_what_not_every_episode_measured_has_no_mean() -> None:
    """A provider that left its counts out once: the mean of the others would pass for all."""
    measured = ({"a": 1.0, "b": 2.0}, {"a": 3.0}, {"a": 5.0, "c": 1.0})

    columns = columns_of(replace(row(0, seed), extra=extra) for seed, extra in enumerate(measured))

    assert columns.names == (*METRICS, "a")
    assert columns.values[:, -1].tolist() == [1.0, 3.0, 5.0]


def test_a_shortfall_is_told_only_of_what_was_measured() -> None:
    """The policy's run of live-6 has no tokens that could fall short."""
    results = MemoryResults()
    study = Study(kind="planner", name="live", arms=(arm("live-6", "unfiltered"),), first_seed=0, seeds=2)
    run = results.start(study, "1.0")
    other = results.start(study, "1.0")
    results.add(run.id, [row(0, seed) for seed in range(2)])
    results.add(
        other.id, [replace(row(0, seed), extra={"input_tokens": 9_000.0 + seed}) for seed in range(2)]
    )

    assert shortfalls(summarise(run, results)) == []
    (told,) = shortfalls(summarise(other, results))
    assert told.startswith("Not met: input tokens of live-6, unfiltered; at 100 seeds: some 6,300 more")


@pytest.mark.parametrize(
    ("lengths", "is_told"),
    [((195, 199), True), ((195, 205), False), ((195,), False), ((195, 195), False)],
    ids=["interval leaves the printed out", "holds it", "one seed has none", "equal values have none"],
)
def test_a_shortfall_is_told_only_where_this_run_shows_it(lengths: tuple[int, ...], is_told: bool) -> None:
    """The paper prints 201.3 steps."""
    rows = [row(0, seed, steps=steps, context=2212) for seed, steps in enumerate(lengths)]

    summary = summary_of(rows, ("attention",))

    wanted = ["Not met: steps of dn-14; at 1,000 seeds: 2.5 to 3 % shorter than printed."] if is_told else []
    assert [told.partition("printed. ")[0] + "printed." for told in shortfalls(summary)] == wanted
    assert [each["metric"] for each in cell_document(summary.cells[0])["not_met"]] == ["steps"] * is_told


def test_a_share_keeps_its_interval_where_all_are_equal() -> None:
    """Three of three of a printed 100 %: Wilson's interval holds it, and nothing is said."""
    summary = summary_of([row(0, seed, context=2212) for seed in range(3)], ("attention",))

    assert summary.cells[0].success.has_interval
    assert shortfalls(summary) == []


def test_an_interval_of_nothing_is_a_dash_in_every_table() -> None:
    rows = [row(arm, 0, steps=200 - 5 * arm) for arm in range(2)]

    _, [(_, _, _, _, steps, context, *_)] = difference_table(summary_of(rows, ("attention", "unfiltered")))

    assert (steps.partition(" [")[0], context.partition(" [")[0]) == ("+5.0 (–)", "+0 (–)")
