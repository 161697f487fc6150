"""What is found without a search or a sort is what those find."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from hengxi.stats.logistic_fit import Data, fit_logit
from hengxi.stats.stretches import FEW, stretch_of
from hengxi.stats.thin import extremes

RNG = np.random.default_rng(20240101)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("k", [0, 1, 9, FEW, FEW + 1])
@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_stretches_are_those_of_a_search(side: Literal["left", "right"], k: int, offset: float) -> None:
    """Values on a cut, a constant stretch of them, and infinities."""
    x = np.concatenate((RNG.normal(size=70_000).round(2), np.full(500, 0.25), [-np.inf, np.inf])) + offset
    cuts = np.unique(RNG.choice(x[np.isfinite(x)], k))
    assert np.array_equal(stretch_of(x, cuts, side), np.searchsorted(cuts, x, side=side))


@pytest.mark.parametrize("rows", [40, 51, 5_000, 60_001, 200_000])
def test_extremes_are_the_largest_whatever_their_sign(rows: int) -> None:
    x = RNG.normal(size=rows)
    x[3], x[7] = np.nan, -1e9
    found = np.sort(np.abs(x[extremes(x)]))
    expected = np.sort(np.nan_to_num(np.abs(x)))[-50:]
    assert found.size == min(rows, 50) and np.array_equal(np.sort(np.nan_to_num(found)), expected[-found.size :])


def test_extremes_of_a_constant_and_of_one_cluster_of_large_values() -> None:
    assert np.unique(extremes(np.zeros(100_000))).size == 50
    x = np.zeros(100_000)
    x[2_000:2_060] = np.arange(60) + 1.0
    assert sorted(extremes(x).tolist()) == list(range(2_010, 2_060))


@pytest.mark.parametrize("counts", [None, "whole"])
def test_the_information_of_a_logit_is_that_of_its_formula(counts: str | None) -> None:
    n = 5_000
    x = np.column_stack((np.ones(n), RNG.normal(size=n), RNG.integers(0, 3, n) - 1.0))
    y = (RNG.random(n) < 1 / (1 + np.exp(-x @ np.array([-1.0, 0.5, 0.3])))).astype(float)
    f = np.ones(n) if counts is None else RNG.integers(0, 4, n).astype(float)
    fit = fit_logit(Data(np.asfortranarray(x), y, f), False)
    p = 1 / (1 + np.exp(-x @ fit.beta))
    assert fit.converged and np.abs(x.T @ (f * (y - p))).max() < 1e-8
    assert np.allclose(fit.covariance, np.linalg.inv((x.T * (f * p * (1 - p))) @ x), rtol=1e-10)
