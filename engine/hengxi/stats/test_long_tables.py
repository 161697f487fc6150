"""The short ways that long tables take give the numbers of the plain ones."""

from __future__ import annotations

import numpy as np
import pytest

from hengxi.stats import linear_tests, triangle
from hengxi.stats.correlation import matrix
from hengxi.stats.linear_fit import Fit, least_squares
from hengxi.stats.linear_tests import breusch_godfrey, breusch_pagan, reset
from hengxi.stats.moments import Floats, moments
from hengxi.stats.multiple import critical, tukey_sf

ROWS, WIDTH = 50_000, 5


def data() -> tuple[Floats, Floats]:
    rng = np.random.default_rng(3)
    x = rng.normal(100, 15, (ROWS, WIDTH)) + rng.normal(size=(ROWS, 1)) * 10
    return x, x @ np.arange(1.0, WIDTH + 1) + 0.01 * x[:, 0] ** 2 + rng.normal(0, 5, ROWS) * (1 + x[:, 1] / 200)


def fitted() -> Fit:
    x, y = data()
    return least_squares(np.asfortranarray(x), y)


def test_cross_products_and_known_triangles_agree_with_qr(monkeypatch: pytest.MonkeyPatch) -> None:
    short = fitted()
    checks = [test(short) for test in (breusch_pagan, breusch_godfrey, reset)]
    monkeypatch.setattr(triangle, "LONG", 1 << 60)
    monkeypatch.setattr(linear_tests, "CELLS", 1 << 60)
    plain = fitted()
    assert short.coefficients == pytest.approx(plain.coefficients, rel=1e-11)
    assert short.errors(short.unscaled) == pytest.approx(plain.errors(plain.unscaled), rel=1e-11)
    for found, test in zip(checks, (breusch_pagan, breusch_godfrey, reset), strict=True):
        other = test(plain)
        assert found is not None and other is not None
        assert found.statistic == pytest.approx(other.statistic, rel=1e-9) and found.df1 == other.df1


def test_columns_close_to_each_other_are_left_to_qr(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(ROWS, 4))
    near = np.column_stack((x, x[:, 0] + 1e-6 * rng.normal(size=ROWS)))

    def block(span: slice) -> Floats:
        return near[span]

    taken = triangle.triangle(ROWS, WIDTH, block)
    monkeypatch.setattr(triangle, "LONG", 1 << 60)
    assert np.array_equal(taken, triangle.triangle(ROWS, WIDTH, block))
    assert not np.allclose(np.abs(np.linalg.cholesky(near.T @ near).T)[-1, -1], abs(taken[-1, -1]), rtol=1e-8, atol=0)


def test_correlations_in_blocks_are_those_of_whole_columns() -> None:
    x = data()[0] * np.array([1.0, 1e-300, 1e300, -1.0, 1e6])
    columns = [np.ascontiguousarray(column) for column in x.T]
    found = matrix(columns, None, [moments(column) for column in columns])
    assert found == pytest.approx(np.corrcoef(data()[0] * np.array([1, 1, 1, -1, 1]), rowvar=False), abs=1e-12)


@pytest.mark.parametrize(("k", "df"), [(2, 1.2), (3, 5.0), (40, 30.0), (4, 5e5)])
def test_critical_values_have_their_tail(k: int, df: float) -> None:
    def tail(q: float) -> float:
        return tukey_sf(q, k, df)

    for alpha in (0.001, 0.05, 0.2):
        assert tail(critical(tail, alpha)) == pytest.approx(alpha, rel=1e-9)
