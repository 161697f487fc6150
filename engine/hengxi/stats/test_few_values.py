"""Columns of few whole numbers: the same cases, written once with their count."""

from __future__ import annotations

import numpy as np
import pytest

from hengxi.stats.correlation import coefficient
from hengxi.stats.few_values import MOST, FewValues, few_values, sample
from hengxi.stats.moments import moments

RNG = np.random.default_rng(20240101)


def items(n: int, gaps: float = 0.1) -> np.ndarray:
    x = RNG.integers(1, 6, n).astype(float)
    x[RNG.random(n) < gaps] = np.nan
    return x


def coded(x: np.ndarray) -> FewValues:
    found = few_values(x)
    assert found is not None
    return found


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall"])
def test_a_pair_is_the_same_from_its_table_as_from_its_rows(method: str, weighted: bool) -> None:
    x, y = items(500), np.round((items(500) - 3) / 2)
    counts = RNG.integers(0, 4, 500).astype(float) if weighted else None
    (a, b), f = sample([coded(x), coded(y)], counts)
    rows = ~np.isnan(x) & ~np.isnan(y) & (True if counts is None else counts > 0)
    expected = coefficient(method, x[rows], y[rows], None if counts is None else counts[rows])
    assert coefficient(method, a, b, f) == pytest.approx(expected, abs=1e-14)
    assert f.sum() == (rows.sum() if counts is None else counts[rows].sum())


def test_one_column_keeps_its_moments_and_drops_values_that_do_not_occur() -> None:
    x = np.array([2.0, 5.0, np.nan, 5.0, 2.0, 9.0])
    (values,), f = sample([coded(x)], None)
    assert (values.tolist(), f.tolist()) == ([2.0, 5.0, 9.0], [2.0, 2.0, 1.0])
    assert moments(values, f).sd == pytest.approx(np.std(x[~np.isnan(x)], ddof=1))


@pytest.mark.parametrize(
    "x",
    [
        [0.5, 1.0],
        [0.0, float(MOST)],
        [np.inf, 1.0],
        [np.nan, np.nan],
        [],
        [1e300, 1e300 + 1e285],
        [float(2**53), float(2**53 + 2)],
    ],
)
def test_other_columns_are_left_as_they_are(x: list[float]) -> None:
    found = few_values(np.array(x))
    assert found is None or found.values.size <= MOST


def test_a_number_with_a_fraction_among_many_whole_ones_is_seen() -> None:
    x = items(5000, 0.0)
    x[4321] = 2.5
    assert few_values(x) is None
