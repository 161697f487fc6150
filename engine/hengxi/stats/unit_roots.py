"""Tests of a unit root: augmented Dickey-Fuller, KPSS, Phillips-Perron, DF-GLS, Zivot-Andrews."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from statsmodels.tsa.adfvalues import mackinnoncrit, mackinnonp

from hengxi.stats.moments import Floats

Trend = Literal["n", "c", "ct"]
KPSS_CRITICAL: dict[str, tuple[float, float, float, float]] = {
    "c": (0.347, 0.463, 0.574, 0.739),
    "ct": (0.119, 0.146, 0.176, 0.216),
}
"""At 10, 5, 2.5 and 1 % (Kwiatkowski et al. 1992, Table 1)."""
ZIVOT_CRITICAL = {"c": (-5.34, -4.80, -4.58), "t": (-4.93, -4.42, -4.11), "ct": (-5.57, -5.08, -4.82)}
"""At 1, 5 and 10 % (Zivot and Andrews 1992)."""
GLS_TREND = (-3.48, -2.89, -2.57)
"""DF-GLS with trend at 1, 5 and 10 %, T → ∞ (Elliott, Rothenberg and Stock 1996)."""


@dataclass(frozen=True)
class UnitRoot:
    statistic: float
    lag: int
    n: int
    p: float | None
    critical: tuple[float, float, float]
    """At 1, 5 and 10 %."""
    aic: float | None = None
    at: int | None = None
    """Zivot-Andrews: place of the break."""


@dataclass(frozen=True)
class Regression:
    b: Floats
    se: Floats
    rss: float
    n: int

    @property
    def t(self) -> Floats:
        return np.asarray(self.b / self.se)

    @property
    def aic(self) -> float:
        return self.n * float(np.log(self.rss / self.n)) + 2 * self.b.size

    @property
    def bic(self) -> float:
        return self.n * float(np.log(self.rss / self.n)) + float(np.log(self.n)) * self.b.size


def regress(y: Floats, x: Floats) -> Regression:
    q, r = np.linalg.qr(x)
    b = np.linalg.solve(r, q.T @ y)
    rss = float(np.sum((y - x @ b) ** 2))
    df = max(y.size - x.shape[1], 1)
    inverse = np.linalg.inv(r)
    se = np.sqrt(rss / df * np.sum(inverse**2, axis=1))
    return Regression(b, np.asarray(se), rss, y.size)


def _terms(trend: Trend, n: int) -> list[Floats]:
    return [np.ones(n)] * (trend in ("c", "ct")) + [np.arange(1.0, n + 1)] * (trend == "ct")


def dickey_fuller_rows(x: Floats, lag: int, start: int, trend: Trend) -> tuple[Floats, Floats]:
    """Δx[t] on x[t − 1], `lag` earlier differences and the trend; rows from the difference number `start`."""
    d = np.diff(x)
    y = d[start:]
    past = [d[start - j : d.size - j] for j in range(1, lag + 1)]
    return y, np.column_stack([x[start:-1], *past, *_terms(trend, y.size)])


def longest_lag(n: int, trend: Trend) -> int:
    """Schwert's rule, with enough rows left."""
    most = int(np.ceil(12 * (n / 100) ** 0.25))
    return max(0, min(most, n // 2 - 1 - len(trend) * (trend != "n") - 1))


def choose_lag(x: Floats, trend: Trend, by: str, most: int) -> int:
    """By AIC or BIC on the rows all lags have, or the longest whose last |t| is above 1.645."""
    if most == 0:
        return 0
    fits = [regress(*dickey_fuller_rows(x, k, most, trend)) for k in range(most + 1)]
    if by == "t":
        return next((k for k in range(most, 0, -1) if abs(fits[k].t[k]) > 1.6448536269514722), 0)
    values = [fit.bic if by == "bic" else fit.aic for fit in fits]
    return int(np.argmin(values))


def dickey_fuller(x: Floats, trend: Trend = "c", lag: int = 0) -> UnitRoot:
    y, columns = dickey_fuller_rows(x, lag, lag, trend)
    fit = regress(y, columns)
    tau = float(fit.t[0])
    one, five, ten = (float(value) for value in mackinnoncrit(N=1, regression=trend, nobs=y.size))
    return UnitRoot(tau, lag, y.size, float(mackinnonp(tau, regression=trend, N=1)), (one, five, ten), fit.aic)


def detrended(x: Floats, trend: Trend) -> Floats:
    columns = np.column_stack(_terms(trend, x.size))
    return np.asarray(x - columns @ np.linalg.lstsq(columns, x, rcond=None)[0])


def long_run_variance(u: Floats, lags: int) -> float:
    """Newey and West, with the triangular kernel."""
    n = u.size
    found = float(u @ u) / n
    for j in range(1, lags + 1):
        found += 2 * (1 - j / (lags + 1)) * float(u[j:] @ u[:-j]) / n
    return found


def kpss(x: Floats, trend: Trend = "c", lags: int | None = None) -> UnitRoot:
    """The null is stationarity. `p` lies between .01 and .10, read off the table between its lines."""
    n = x.size
    lags = int(4 * (n / 100) ** 0.25) if lags is None else lags
    u = detrended(x, trend)
    statistic = float(np.sum(np.cumsum(u) ** 2)) / n**2 / long_run_variance(u, lags)
    critical = KPSS_CRITICAL[trend]
    p = float(np.interp(statistic, critical, (0.10, 0.05, 0.025, 0.01)))
    return UnitRoot(statistic, lags, n, p, (critical[3], critical[1], critical[0]))


def differences_by_kpss(x: Floats, most: int = 2) -> int:
    """How often to difference until KPSS no longer rejects at 5 % (Hyndman and Khandakar's choice, as in `ndiffs`)."""
    for d in range(most + 1):
        if np.ptp(x) <= 1e-12 * max(float(np.abs(x).max()), 1e-300):
            return d
        tested = kpss(x, "c", int(3 * np.sqrt(x.size) / 13))
        if not tested.statistic > 0.463 or d == most:
            return d
        x = np.diff(x)
    return most


def phillips_perron(x: Floats, trend: Trend = "c", lags: int | None = None) -> UnitRoot:
    """Z-tau: the Dickey-Fuller t without lags, corrected by the long-run variance."""
    y, past = x[1:], x[:-1]
    n = y.size
    lags = int(4 * (n / 100) ** 0.25) if lags is None else lags
    terms = _terms(trend, n)
    fit = regress(y, np.column_stack([past, *terms]))
    residuals = y - np.column_stack([past, *terms]) @ fit.b
    short, long = fit.rss / n, long_run_variance(residuals, lags)
    around = np.column_stack(terms) if terms else None
    rest = past if around is None else past - around @ np.linalg.lstsq(around, past, rcond=None)[0]
    spread = float(rest @ rest) / n**2
    t = float((fit.b[0] - 1) / fit.se[0])
    z = np.sqrt(short / long) * t - 0.5 * (long - short) / np.sqrt(long * spread)
    one, five, ten = (float(value) for value in mackinnoncrit(N=1, regression=trend, nobs=n))
    return UnitRoot(float(z), lags, n, float(mackinnonp(float(z), regression=trend, N=1)), (one, five, ten))


def gls_detrended(x: Floats, trend: Trend) -> Floats:
    """Elliott, Rothenberg and Stock: the trend is estimated in quasi-differences."""
    n = x.size
    a = 1 - (7.0 if trend == "c" else 13.5) / n
    columns = np.column_stack(_terms(trend, n))
    quasi = np.vstack([columns[:1], columns[1:] - a * columns[:-1]])
    y = np.concatenate((x[:1], x[1:] - a * x[:-1]))
    return np.asarray(x - columns @ np.linalg.lstsq(quasi, y, rcond=None)[0])


def dickey_fuller_gls(x: Floats, trend: Trend = "c", lag: int = 0) -> UnitRoot:
    """No p with a trend: its table gives critical values only."""
    rest = gls_detrended(x, trend)
    y, columns = dickey_fuller_rows(rest, lag, lag, "n")
    fit = regress(y, columns)
    tau = float(fit.t[0])
    if trend == "ct":
        return UnitRoot(tau, lag, y.size, None, GLS_TREND, fit.aic)
    one, five, ten = (float(value) for value in mackinnoncrit(N=1, regression="n", nobs=y.size))
    return UnitRoot(tau, lag, y.size, float(mackinnonp(tau, regression="n", N=1)), (one, five, ten), fit.aic)


def zivot_andrews(x: Floats, breaks: Trend = "ct", lag: int = 0) -> UnitRoot:
    """The least t over all breaks (15 % at each end left out): of the level (c) or of level and slope (ct)."""
    y, columns = dickey_fuller_rows(x, lag, lag, "ct")
    n = x.size
    first, last = max(int(np.ceil(0.15 * n)), lag + 2), int(np.floor(0.85 * n))
    time = np.arange(lag + 2.0, n + 1)
    best, at = np.inf, first
    for place in range(first, last + 1):
        after = (time > place).astype(float)
        added = [after] + [np.where(after > 0, time - place, 0.0)] * (breaks == "ct")
        fit = regress(y, np.column_stack([columns, *added]))
        if fit.t[0] < best:
            best, at = float(fit.t[0]), place
    return UnitRoot(best, lag, y.size, None, ZIVOT_CRITICAL[breaks], None, at - 1)
