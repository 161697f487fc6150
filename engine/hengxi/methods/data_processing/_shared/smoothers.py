"""Smoothed series, trends and cycles of evenly spaced values. Arrays of float64; NaN where a value has none."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.linalg import solveh_banded
from scipy.signal import fftconvolve

Floats = npt.NDArray[np.float64]


def moving_average(x: Floats, window: int, centred: bool) -> Floats:
    """Of whole windows without gaps; centred and even: the mean of the two windows around the value (2 × w)."""
    level = float(np.nanmean(x))
    series = pl.Series(x - level, nan_to_null=True)
    made = series.rolling_mean(window, center=centred and window % 2 == 1)
    found: Floats = made.cast(pl.Float64).fill_null(np.nan).to_numpy() + level
    if centred and window % 2 == 0:
        # Rows of the windows that end half a window later, and one row after that.
        half = window // 2
        later = np.concatenate([found[half:], np.full(half, np.nan)])
        earlier = np.concatenate([[np.nan], later[:-1]])
        found = (later + earlier) / 2
    return found


def moving_median(x: Floats, window: int, centred: bool) -> Floats:
    made = pl.Series(x, nan_to_null=True).rolling_median(window, center=centred)
    found: Floats = made.cast(pl.Float64).fill_null(np.nan).to_numpy()
    return found


def exponential(x: Floats, alpha: float) -> Floats:
    """s₁ = x₁, s = αx + (1 − α)s; gaps are passed over."""
    made = pl.Series(x, nan_to_null=True).ewm_mean(alpha=alpha, adjust=False, ignore_nulls=True)
    found: Floats = made.fill_null(np.nan).to_numpy()
    return np.where(np.isnan(x), np.nan, found)


def hodrick_prescott(y: Floats, lamb: float) -> Floats:
    """The trend τ with (I + λD'D)τ = y, D second differences; a band of five diagonals."""
    n = len(y)
    diagonal = np.full(n, 6.0)
    diagonal[[0, -1]], diagonal[[1, -2]] = 1.0, 5.0
    first = np.full(n, -4.0)
    first[[1, -1]] = -2.0
    if n == 3:
        diagonal[:] = (1.0, 4.0, 1.0)
    band = np.vstack([np.full(n, lamb), lamb * first, 1 + lamb * diagonal])
    level = y.mean()
    trend: Floats = solveh_banded(band, y - level) + level
    return trend


def band_weights(low: float, high: float, k: int) -> Floats:
    """b₀ … b_k of the ideal filter that passes cycles of `low` to `high` periods."""
    a, b = 2 * np.pi / high, 2 * np.pi / low
    j = np.arange(1, k + 1)
    return np.concatenate([[(b - a) / np.pi], (np.sin(b * j) - np.sin(a * j)) / (np.pi * j)])


def baxter_king(y: Floats, low: float, high: float, k: int) -> Floats:
    """The cycle: weights moved so that they add to 0; the first and last k values have none."""
    weights = band_weights(low, high, k)
    whole = np.concatenate([weights[:0:-1], weights])
    whole -= whole.mean()
    out = np.full(len(y), np.nan)
    out[k : len(y) - k] = np.convolve(y, whole, mode="valid")
    return out


def christiano_fitzgerald(y: Floats, low: float, high: float) -> Floats:
    """The cycle of a random walk with drift (asymmetric, full sample): the ends stand for what is beyond them."""
    n = len(y)
    x = y - np.arange(n) * (y[-1] - y[0]) / (n - 1)
    weights = band_weights(low, high, n - 1)
    inner = x.copy()
    inner[[0, -1]] = 0.0
    symmetric = np.concatenate([weights[:0:-1], weights])
    cycle = fftconvolve(inner, symmetric, mode="valid") if n > 1 else inner
    # What an end stands for: itself and all values beyond it.
    sums = np.concatenate([[0.0], np.cumsum(weights[1:])])
    end = np.concatenate([[weights[0] / 2], -weights[0] / 2 - sums[: n - 1]])
    found: Floats = cycle + x[0] * end + x[-1] * end[::-1]
    return found


def lowess(x: Floats, at: Floats, share: float) -> Floats:
    """Cleveland's robust local lines over `at`, as R's lowess(f = share); within 1 % of the range interpolated."""
    from statsmodels.nonparametric.smoothers_lowess import lowess as smooth

    known = ~np.isnan(x)
    place, values = at[known], x[known]
    level = values.mean()
    spread = float(np.ptp(place))
    made = smooth(values - level, place, frac=share, it=3, delta=0.01 * spread, is_sorted=True, return_sorted=False)
    out = np.full(len(x), np.nan)
    out[known] = made + level
    return out


def straight(x: Floats, at: Floats) -> Floats:
    """The least-squares line over `at`."""
    known = ~np.isnan(x)
    t = at - at[known].mean()
    slope = float(t[known] @ (x[known] - x[known].mean()) / (t[known] @ t[known]))
    line: Floats = x[known].mean() + slope * t
    return line


def stl(x: Floats, period: int) -> tuple[Floats, Floats]:
    """Trend and seasonal part by loess: seasonal window 7 and degree 1, trend window automatic, two inner loops."""
    from statsmodels.tsa.seasonal import STL

    level = x.mean()
    found = STL(x - level, period=period, seasonal=7).fit(inner_iter=2, outer_iter=0)
    return np.asarray(found.trend) + level, np.asarray(found.seasonal)
