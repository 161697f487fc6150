"""Columns of few whole numbers: the same cases, written once with their count."""

from __future__ import annotations

import numpy as np
import pytest

from hengxi.contract.few_values import MOST, FewValues, few_values
from hengxi.contract.few_values import coded as coded_cells
from hengxi.stats.correlation import coefficient
from hengxi.stats.few_values import Pairs, sample
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
    a, b, f = Pairs([coded(x), coded(y)], counts).sample(0, 1)
    rows = ~np.isnan(x) & ~np.isnan(y) & (True if counts is None else counts > 0)
    expected = coefficient(method, x[rows], y[rows], None if counts is None else counts[rows])
    assert coefficient(method, a, b, f) == pytest.approx(expected, abs=1e-14)
    assert f.sum() == (rows.sum() if counts is None else counts[rows].sum())


def test_one_column_keeps_its_moments_and_drops_values_that_do_not_occur() -> None:
    x = np.array([2.0, 5.0, np.nan, 5.0, 2.0, 9.0])
    values, f = sample(coded(x), None)
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


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rows", [50, 5_000, 40_000])
def test_every_pair_of_packed_columns_has_its_table(rows: int, weighted: bool) -> None:
    """Ties, a constant column, one that is missing everywhere but once, and one of many values in between."""
    x: list[np.ndarray] = [items(rows) for _ in range(5)] + [
        np.full(rows, 3.0),
        np.full(rows, np.nan),
        np.arange(rows) % 60.0,
    ]
    x[6][7] = 2.0
    counts = RNG.integers(0, 3, rows).astype(float) if weighted else None
    columns = [*(coded(one) for one in x[:3]), None, *(coded(one) for one in x[3:])]
    tables = Pairs(columns, counts)
    held = [i for i, column in enumerate(columns) if column is not None]
    for i in held:
        for j in held:
            a, b = columns[i], columns[j]
            if i == j or a is None or b is None:
                continue
            plain = np.zeros((a.width, b.width))
            np.add.at(plain, (a.codes, b.codes), 1.0 if counts is None else counts)
            assert np.array_equal(tables.table(i, j), plain[1:, 1:])


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64, np.int8, np.uint8])
def test_cells_are_coded_as_they_lie_whatever_stands_in_their_gaps(kind: type) -> None:
    x: np.ndarray = np.array([2, 5, 99, 4, 2, 0], dtype=kind)
    known = np.array([True, True, False, True, True, False])
    found = coded_cells(x, known, 2, 5)
    assert found is not None and found.codes.tolist() == [1, 4, 0, 3, 1, 0]
    assert np.array_equal(found.numbers(), [2, 5, np.nan, 4, 2, np.nan], equal_nan=True)
    assert found.among(np.array([1, 2])).codes.tolist() == [4, 0]


@pytest.mark.parametrize("odd", [1.0, 6.0, 2.5, 258.0, -254.0, np.inf, 1e300])
def test_a_range_that_is_not_that_of_the_cells_is_seen(odd: float) -> None:
    """What stands in a column's profile is checked against its cells."""
    x = np.concatenate((np.tile([2.0, 3, 5, np.nan], 20_000), [odd]))
    assert coded_cells(x, None, 2.0, 5.0) is None
    assert coded_cells(x[:-1], None, 2.0, 5.0) is not None


def test_huge_offsets_keep_their_digits() -> None:
    x = items(3_000) + 1e9
    found = coded(x)
    assert np.array_equal(found.numbers(), x, equal_nan=True)
    values, f = sample(found, None)
    assert moments(values, f).sd == pytest.approx(np.nanstd(x - 1e9, ddof=1), rel=1e-12)
