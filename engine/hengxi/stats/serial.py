"""Dependence of a series on its own past: autocorrelations, and tests that there is none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import signal, stats

from hengxi.stats.moments import Floats


def autocovariance(x: Floats, lags: int) -> Floats:
    """Of lags 0 … `lags`, divided by n (R's acf): a positive definite sequence."""
    d = x - x.mean()
    n = d.size
    if lags > 50 and n > 1000:
        whole = signal.fftconvolve(d, d[::-1])[n - 1 : n + lags]
        return np.asarray(whole / n)
    return np.array([float(d[: n - k] @ d[k:]) / n for k in range(lags + 1)])


def autocorrelation(x: Floats, lags: int) -> Floats:
    found = autocovariance(x, lags)
    return np.asarray(found / found[0])


def cross_correlation(x: Floats, y: Floats, lags: int) -> Floats:
    """r(k) of x[t + k] with y[t] for k = −lags … lags (R's ccf)."""
    a, b = x - x.mean(), y - y.mean()
    n = a.size
    scale = n * float(np.sqrt((a @ a / n) * (b @ b / n)))
    return np.array([float(a[max(k, 0) : n + min(k, 0)] @ b[max(-k, 0) : n - max(k, 0)]) / scale
                     for k in range(-lags, lags + 1)])  # fmt: skip


def partial_from(r: Floats) -> Floats:
    """Partial autocorrelations of lags 1 … from autocorrelations 0 …, by Durbin and Levinson."""
    lags = r.size - 1
    found, phi = np.zeros(lags), np.zeros(0)
    left = 1.0
    for k in range(1, lags + 1):
        last = float(r[k] - phi @ r[k - 1 : 0 : -1]) / left if left > 1e-15 else 0.0
        phi = np.concatenate((phi - last * phi[::-1], [last]))
        left *= 1 - last * last
        found[k - 1] = last
    return found


def partial_by_ols(x: Floats, lags: int) -> Floats:
    """The last coefficient of a regression on a constant and k lags, all rows that have them."""
    n, found = x.size, np.zeros(lags)
    for k in range(1, lags + 1):
        columns = np.column_stack([np.ones(n - k), *(x[k - j : n - j] for j in range(1, k + 1))])
        found[k - 1] = np.linalg.lstsq(columns, x[k:], rcond=None)[0][-1]
    return found


def partial_by_burg(x: Floats, lags: int) -> Floats:
    """Burg's reflection coefficients: least forward and backward errors together."""
    ahead, back = (x - x.mean()).copy(), (x - x.mean()).copy()
    found = np.zeros(lags)
    for k in range(lags):
        f, b = ahead[1:], back[:-1]
        below = float(f @ f + b @ b)
        found[k] = 2 * float(f @ b) / below if below > 0 else 0.0
        ahead, back = f - found[k] * b, b - found[k] * f
    return found


def bartlett_errors(r: Floats, n: int) -> Floats:
    """Standard error of r(k) if the series is a moving average of order k − 1; `r` from lag 0."""
    before = np.concatenate(([0.0], np.cumsum(r[1:-1] ** 2)))
    return np.asarray(np.sqrt((1 + 2 * before) / n))


@dataclass(frozen=True)
class Tested:
    statistic: float
    df: int
    p: float


def portmanteau(x: Floats, lag: int, fitted: int = 0, kind: str = "ljung_box") -> Tested:
    """Ljung-Box (or Box-Pierce) of the first `lag` autocorrelations; `fitted` parameters are taken off the df."""
    n, r = x.size, autocorrelation(x, lag)[1:]
    weights = n * (n + 2) / (n - np.arange(1.0, lag + 1)) if kind == "ljung_box" else np.full(lag, float(n))
    statistic, df = float(weights @ r**2), lag - fitted
    return Tested(statistic, df, float(stats.chi2.sf(statistic, df)))


@dataclass(frozen=True)
class ArchTest:
    lags: int
    lm: float
    p: float
    f: float
    df2: int
    p_f: float


def arch_test(x: Floats, lags: int) -> ArchTest | None:
    """Engle's test: does the square depend on earlier squares? None where the squares do not vary."""
    square = x * x / float(np.mean(x * x))
    y = square[lags:]
    columns = np.column_stack([np.ones(y.size), *(square[lags - j : square.size - j] for j in range(1, lags + 1))])
    total = float(np.sum((y - y.mean()) ** 2))
    df2 = y.size - lags - 1
    if total <= 1e-12 * y.size or df2 < 1:
        return None
    left = float(np.sum((y - columns @ np.linalg.lstsq(columns, y, rcond=None)[0]) ** 2))
    if left <= 0:
        return None
    lm, f = y.size * (1 - left / total), (total - left) / lags / (left / df2)
    return ArchTest(lags, lm, float(stats.chi2.sf(lm, lags)), f, df2, float(stats.f.sf(f, lags, df2)))


def jarque_bera(x: Floats) -> Tested:
    d = x - x.mean()
    variance = float(np.mean(d**2))
    skew, kurtosis = float(np.mean(d**3)) / variance**1.5, float(np.mean(d**4)) / variance**2
    statistic = x.size * (skew**2 / 6 + (kurtosis - 3) ** 2 / 24)
    return Tested(statistic, 2, float(stats.chi2.sf(statistic, 2)))
