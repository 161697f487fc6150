"""Tails and quantiles taken from the functions behind SciPy's distributions are those of the distributions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from hengxi.stats.correlation import interval
from hengxi.stats.two_groups import bounds, tail


@pytest.mark.parametrize("df", [1.0, 2.7, 10.0, 1e6, np.inf])
@pytest.mark.parametrize("t", [-1e9, -3.2, 0.0, 1e-9, 2.5, 40.0, np.inf])
def test_tails_of_t(t: float, df: float) -> None:
    assert tail(t, df, "greater") == stats.t.sf(t, df)
    assert tail(t, df, "less") == stats.t.cdf(t, df)
    assert tail(t, df, "two_sided") == min(1.0, 2 * stats.t.sf(abs(t), df))


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("df", [1.0, 2.7, 998.0])
def test_bounds_of_an_estimate(level: float, df: float) -> None:
    low, high = bounds(1e9, 2.0, df, "two_sided", level)
    assert (low, high) == pytest.approx(stats.t.interval(level, df, 1e9, 2.0), rel=1e-15)
    assert bounds(0.5, 2.0, df, "greater", level)[0] == 0.5 - float(stats.t.isf(1 - level, df)) * 2.0
    assert bounds(0.5, 2.0, df, "less", level)[1] == 0.5 + float(stats.t.isf(1 - level, df)) * 2.0


def test_interval_of_a_correlation() -> None:
    reach = stats.norm.isf(0.025) / np.sqrt(97)
    assert interval("pearson", 0.3, 100, "two_sided", 0.95) == pytest.approx(
        [np.tanh(np.arctanh(0.3) + side * reach) for side in (-1, 1)]
    )
    assert interval("pearson", 0.3, 100, "less", 0.95)[0] == -1.0
