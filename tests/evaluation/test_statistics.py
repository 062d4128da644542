"""Wilson and bootstrap intervals against SciPy's, and against what the paper prints."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, bootstrap

from backend.evaluation.statistics import Estimate, Floats, bootstrap_means, paired_differences, wilson


def bootstrap_mean(values: Floats) -> Estimate:
    return bootstrap_means(values[:, None])[0]


def paired_difference(ours: Floats, theirs: Floats) -> Estimate:
    return paired_differences(ours[:, None], theirs[:, None])[0]


@pytest.mark.parametrize(
    ("successes", "n"), [(62, 100), (97, 100), (100, 100), (0, 7), (1, 1000), (1, 1), (499, 1500)]
)
def test_wilson_is_scipy_s(successes: int, n: int) -> None:
    theirs = binomtest(successes, n).proportion_ci(method="wilson")

    ours = wilson(successes, n)

    assert (ours.value, ours.low, ours.high) == pytest.approx(
        (successes / n, theirs.low, theirs.high), abs=1e-12
    )


@pytest.mark.parametrize(
    ("successes", "printed"), [(20, (83.9, 100.0)), (10, (29.9, 70.1))], ids=["20 of 20", "10 of 20"]
)
def test_wilson_is_what_the_paper_prints_in_table_ii(successes: int, printed: tuple[float, float]) -> None:
    ours = wilson(successes, 20)

    assert (round(100 * ours.low, 1), round(100 * ours.high, 1)) == printed


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share_and_stays_a_share(case: tuple[int, int]) -> None:
    ours = wilson(*case)

    assert 0.0 <= ours.low <= ours.value <= ours.high <= 1.0


@pytest.mark.parametrize("case", [(0, 0), (3, 2), (-1, 5)])
def test_what_is_no_share_is_refused(case: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="is no share"):
        wilson(*case)


def test_the_paired_bootstrap_agrees_with_scipy_s() -> None:
    """Two resamplings differ by chance alone, so within a few hundredths of the interval's width."""
    chance = np.random.default_rng(1)
    theirs, ours = chance.normal(205.0, 14.0, 100), chance.normal(196.0, 12.0, 100)
    reference = bootstrap(
        (theirs - ours,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(2)
    ).confidence_interval

    got = paired_difference(theirs, ours)

    assert got.value == pytest.approx(float(np.mean(theirs - ours)))
    width = reference.high - reference.low
    assert (got.low, got.high) == pytest.approx((reference.low, reference.high), abs=0.05 * width)


def test_the_bootstrap_s_interval_is_the_same_every_time() -> None:
    values = np.random.default_rng(3).normal(size=300)

    assert bootstrap_mean(values) == bootstrap_mean(values.copy())


def test_pairing_takes_out_what_the_seeds_have_in_common() -> None:
    chance = np.random.default_rng(4)
    hardness = chance.normal(200.0, 40.0, 200)
    ours, theirs = hardness + chance.normal(0.0, 1.0, 200), hardness + 5.0 + chance.normal(0.0, 1.0, 200)

    paired = paired_difference(theirs, ours)
    alone = bootstrap_mean(theirs)

    assert paired.low > 4.5
    assert paired.high - paired.low < 0.05 * (alone.high - alone.low)


def test_values_that_never_differ_have_an_interval_of_no_width() -> None:
    assert bootstrap_mean(np.full(50, 7.0)).low == bootstrap_mean(np.full(50, 7.0)).high == 7.0


def test_a_long_series_is_resampled_in_parts_with_the_same_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(5).normal(size=1000)
    whole = bootstrap_mean(values)

    monkeypatch.setattr("backend.evaluation.statistics._AT_ONCE", 7_000)

    split = bootstrap_mean(values)
    assert (split.value, split.low, split.high) == pytest.approx((whole.value, whole.low, whole.high))


def test_a_column_s_interval_does_not_depend_on_its_neighbours() -> None:
    columns = np.random.default_rng(6).normal(size=(80, 3))

    together = bootstrap_means(columns)

    for index, estimate in enumerate(together):
        alone = bootstrap_mean(columns[:, index])
        assert (estimate.low, estimate.high) == pytest.approx((alone.low, alone.high))


def test_unequal_lengths_are_no_pairs() -> None:
    with pytest.raises(ValueError, match="no pairs"):
        paired_difference(np.zeros(3), np.zeros(4))


def test_nothing_has_no_mean() -> None:
    with pytest.raises(ValueError, match="no value"):
        bootstrap_mean(np.zeros(0))
