"""Exponential smoothing, Holt-Winters, Theta, Croston and the naive forecasts: fits, forecasts and their errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from scipy import optimize, stats

from hengxi.stats.moments import Floats

TINY = 1e-4


@dataclass(frozen=True)
class Fitted:
    """`forecast(h)`: means and standard errors (NaN where the method has none); `residuals`: one-step errors;
    `parameters`: name and value; `aicc`: None where there is no likelihood."""

    forecast: Callable[[int], tuple[Floats, Floats]]
    residuals: Floats
    parameters: list[tuple[str, float]]
    aicc: float | None
    words: str
    back: Callable[[Floats], Floats] = field(default=lambda values: values)
    """From the scale of `forecast` to that of the data, of the ends as of the middle."""


def naive(y: Floats, m: int) -> Fitted:
    """The last value again; errors as of a random walk."""
    steps = np.diff(y)
    sigma = float(np.sqrt(np.mean(steps**2)))
    return Fitted(lambda h: (np.full(h, y[-1]), sigma * np.sqrt(np.arange(1, h + 1))), steps, [], None, "朴素法")


def seasonal_naive(y: Floats, m: int) -> Fitted:
    """The last season again; errors as of a seasonal random walk."""
    steps = y[m:] - y[:-m]
    sigma = float(np.sqrt(np.mean(steps**2)))

    def forecast(h: int) -> tuple[Floats, Floats]:
        return np.resize(y[-m:], h), sigma * np.sqrt(np.arange(h) // m + 1)

    return Fitted(forecast, steps, [], None, "季节朴素法")


def drift(y: Floats, m: int) -> Fitted:
    """The line from the first to the last value carried on (Hyndman & Athanasopoulos, 2021, section 5.5)."""
    n = y.size
    slope = float((y[-1] - y[0]) / (n - 1))
    left = np.diff(y) - slope
    sigma = float(np.sqrt(np.sum(left**2) / (n - 2)))

    def forecast(h: int) -> tuple[Floats, Floats]:
        ahead = np.arange(1, h + 1)
        return y[-1] + slope * ahead, sigma * np.sqrt(ahead * (1 + ahead / (n - 1)))

    return Fitted(forecast, left, [("每期变化", slope)], None, "漂移法")


@dataclass(frozen=True)
class Form:
    """Of an exponential smoothing with additive errors: a trend, damped or not, and additive seasons."""

    trend: bool
    damped: bool
    seasonal: bool

    @property
    def words(self) -> str:
        return f"ETS(A,{'Ad' if self.damped else 'A' if self.trend else 'N'},{'A' if self.seasonal else 'N'})"


FORMS = [Form(t, d, s) for s in (False, True) for t, d in ((False, False), (True, False), (True, True))]


def ets(y: Floats, m: int, form: Form | None = None) -> tuple[Fitted, Form]:
    """Additive-error exponential smoothing (Hyndman et al., 2008) of the form with the least AICc.

    Given the smoothing parameters, one-step errors are linear in the initial states, which are therefore found by
    least squares; only 0 < α < 1, 0 < β < α, 0 < γ < 1 − α and 0.8 ≤ φ ≤ 0.98 are searched."""
    forms = [form] if form is not None else [each for each in FORMS if not each.seasonal or (m > 1 and y.size > 2 * m)]
    fits = [_ets(y, m, each) for each in forms]
    usable = [fit for fit in fits if fit.aicc is not None and np.isfinite(fit.aicc)]
    best = min(usable or fits, key=lambda fit: np.inf if fit.aicc is None else round(fit.aicc, 6))
    return best, forms[fits.index(best)]


def _ets(y: Floats, m: int, form: Form) -> Fitted:
    n = y.size

    def read(raw: Floats) -> tuple[float, float, float, float]:
        alpha = float(raw[0])
        beta = float(raw[1]) * alpha if form.trend else 0.0
        gamma = float(raw[1 + form.trend]) * (1 - alpha) if form.seasonal else 0.0
        return alpha, beta, gamma, float(raw[-1]) if form.damped else 1.0

    def errors(raw: Floats) -> tuple[Floats, Floats]:
        alpha, beta, gamma, phi = read(raw)
        return _one_step(y, m, form, alpha, beta, gamma, phi)

    def squares(raw: Floats) -> float:
        left = errors(raw)[0]
        return float(np.log(max(float(left @ left), 1e-300)))

    k = 1 + form.trend + form.seasonal
    bounds = [(TINY, 1 - TINY)] * k + [(0.8, 0.98)] * form.damped
    # The sum of squares has several minima: slow and quick trend, slow and quick seasons.
    shares = list(product((0.05, 0.9), repeat=k - 1))
    starts = [np.array([alpha, *share, *([0.95] * form.damped)]) for alpha in (0.1, 0.5, 0.9) for share in shares]
    roughly = min(
        (optimize.minimize(squares, s, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-13, "gtol": 1e-8})
         for s in starts), key=lambda end: float(end.fun),
    )  # fmt: skip
    polished = optimize.minimize(
        squares, roughly.x, method="Nelder-Mead", bounds=bounds,
        options={"xatol": 1e-9, "fatol": 1e-13, "maxiter": 2000, "maxfev": 2000},
    )  # fmt: skip
    raw = polished.x if polished.fun <= roughly.fun else roughly.x
    left, state = errors(raw)
    alpha, beta, gamma, phi = read(raw)
    count = k + form.damped + 1 + form.trend + (m - 1) * form.seasonal + 1
    rss = float(left @ left)
    likelihood = -n / 2 * (np.log(2 * np.pi * max(rss, 1e-300) / n) + 1)
    aicc = -2 * likelihood + 2 * count + 2 * count * (count + 1) / (n - count - 1) if n > count + 1 else np.inf
    sigma2 = rss / max(1, n - count + 1)

    def forecast(h: int) -> tuple[Floats, Floats]:
        ahead = np.arange(1, h + 1)
        damping = np.cumsum(phi**ahead)
        mean = state[0] + damping * (state[1] if form.trend else 0.0)
        seasons = state[2:][(ahead - 1) % m] if form.seasonal else 0.0
        c = alpha + (beta * damping if form.trend else 0.0) + gamma * (ahead % m == 0) * form.seasonal
        variance = sigma2 * (1 + np.concatenate(([0.0], np.cumsum(c[: h - 1] ** 2))))
        return np.asarray(mean + seasons), np.sqrt(variance)

    named = [("α", alpha), *([("β", beta)] if form.trend else []), *([("γ", gamma)] if form.seasonal else []),
             *([("φ", phi)] if form.damped else [])]  # fmt: skip
    return Fitted(forecast, left, named, float(aicc), form.words)


def _one_step(
    y: Floats, m: int, form: Form, alpha: float, beta: float, gamma: float, phi: float
) -> tuple[Floats, Floats]:
    """Errors at the best initial state, and the last state: level, slope, seasons of the next m periods.

    x(t) = D x(t−1) + g y(t) and e(t) = y(t) − w'x(t−1) with D = F − g w', so errors are linear in the first state."""
    size = 2 + (m if form.seasonal else 0)
    w, g, moves = np.zeros(size), np.zeros(size), np.zeros((size, size))
    w[:2] = 1.0, phi
    g[:2] = alpha, beta
    moves[0, :2] = 1.0, phi
    moves[1, 1] = phi
    if form.seasonal:
        w[2], g[-1] = 1.0, gamma
        moves[2:-1, 3:] = np.eye(m - 1)
        moves[-1, 2] = 1.0
    discount = moves - np.outer(g, w)
    felt, weights = np.zeros(size), w.copy()
    alone, design = np.empty(y.size), np.empty((y.size, size))
    for t, value in enumerate(y.tolist()):
        alone[t] = value - w @ felt
        design[t] = weights
        felt = discount @ felt + g * value
        weights = weights @ discount
    # One season follows from the others and the level; a slope that the form lacks stays 0.
    used = [0, *([1] if form.trend else []), *(range(2, size - 1) if form.seasonal else [])]
    start = np.zeros(size)
    start[used] = np.linalg.lstsq(design[:, used], alone, rcond=None)[0]
    return alone - design @ start, np.linalg.matrix_power(discount, y.size) @ start + felt


def holt_winters(y: Floats, m: int) -> Fitted:
    """Holt-Winters with seasons that add or, of positive data where that leaves less, multiply: starts from a
    decomposition of the first two seasons and parameters of least squared one-step errors, as R's HoltWinters."""
    kinds = [False, True] if (y > 0).all() else [False]
    fits = [(_holt_winters(y, m, multiply), multiply) for multiply in kinds]
    (params, left, state), multiply = min(fits, key=lambda fit: float(fit[0][1] @ fit[0][1]))
    alpha, beta, gamma = (float(value) for value in params)
    level, slope, seasons = float(state[0]), float(state[1]), state[2:]
    fitted = y[m:] - left
    sigma = float(np.std(left / fitted if multiply else left, ddof=1))

    def forecast(h: int) -> tuple[Floats, Floats]:
        ahead = np.arange(1, h + 1)
        line = level + slope * ahead
        again = seasons[(ahead - 1) % m]
        mean = line * again if multiply else line + again
        j = np.arange(1, h)
        psi = alpha * (1 + j * beta) + (j % m == 0) * gamma * (1 - alpha)
        spread = sigma * np.sqrt(1 + np.concatenate(([0.0], np.cumsum(psi**2))))
        return mean, np.abs(mean) * spread if multiply else spread

    words = f"Holt-Winters（{'乘法' if multiply else '加法'}季节）"
    return Fitted(forecast, left, [("α", alpha), ("β", beta), ("γ", gamma)], None, words)


def _holt_winters(y: Floats, m: int, multiply: bool) -> tuple[Floats, Floats, Floats]:
    level, slope, seasons = _start(y[: 2 * m], m, multiply)

    def run(params: Any) -> tuple[Floats, Floats]:
        alpha, beta, gamma = (float(value) for value in params)
        a, b, s = level, slope, list(seasons)
        left = np.empty(y.size - m)
        for t in range(m, y.size):
            value, season = float(y[t]), s[t - m]
            error = value - ((a + b) * season if multiply else a + b + season)
            left[t - m] = error
            before = a
            a = alpha * (value / season if multiply else value - season) + (1 - alpha) * (a + b)
            b = beta * (a - before) + (1 - beta) * b
            s.append(gamma * (value / a if multiply else value - a) + (1 - gamma) * season)
        return left, np.array([a, b, *s[-m:]])

    def squares(params: Any) -> float:
        with np.errstate(all="ignore"):
            try:
                left = run(params)[0]
            except ZeroDivisionError:
                return 1e300
        value = float(left @ left)
        return value if np.isfinite(value) else 1e300

    scale = max(squares([0.3, 0.1, 0.1]), 1e-300)
    bounds = [(0.0, 1.0)] * 3
    best = min(
        (optimize.minimize(lambda p: squares(p) / scale, s, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-14})
         for s in ([0.3, 0.1, 0.1], [0.7, 0.1, 0.5], [0.1, 0.01, 0.8])), key=lambda end: float(end.fun),
    )  # fmt: skip
    polished = optimize.minimize(
        lambda p: squares(p) / scale, best.x, method="Nelder-Mead", bounds=bounds,
        options={"xatol": 1e-9, "fatol": 1e-14, "maxiter": 2000, "maxfev": 2000},
    )  # fmt: skip
    params = np.asarray(polished.x if polished.fun <= best.fun else best.x)
    return (params, *run(params))


def _start(y: Floats, m: int, multiply: bool) -> tuple[float, float, Floats]:
    """Line through the moving average of the first two seasons, and what is left by season."""
    trend, figure = decompose(y, m, multiply)
    known = trend[np.isfinite(trend)]
    slope, level = np.polyfit(np.arange(1, known.size + 1), known, 1)
    return float(level), float(slope), figure


def decompose(y: Floats, m: int, multiply: bool) -> tuple[Floats, Floats]:
    """Classical decomposition: centred moving average and the seasonal figure (mean 0, or 1 where it multiplies)."""
    weights = np.r_[0.5, np.ones(m - 1), 0.5] / m if m % 2 == 0 else np.ones(m) / m
    half = weights.size // 2
    trend = np.full(y.size, np.nan)
    trend[half : y.size - half] = np.convolve(y, weights, "valid")
    off = y / trend if multiply else y - trend
    figure = np.array([np.nanmean(off[place::m]) for place in range(m)])
    return trend, figure / figure.mean() if multiply else figure - figure.mean()


def theta(y: Floats, m: int) -> Fitted:
    """The Theta method (Assimakopoulos & Nikolopoulos, 2000) as exponential smoothing with half the slope of the
    straight line (Hyndman & Billah, 2003); of seasonal data the seasons divided out, as forecast::thetaf."""
    n = y.size
    seasons = np.ones(m)
    if m > 1 and n > 2 * m and (y > 0).all() and _is_seasonal(y, m):
        seasons = decompose(y, m, True)[1]
    each = np.resize(seasons, n)
    plain = y / each
    smooth, _ = ets(plain, 1, Form(False, False, False))
    alpha = max(1e-10, smooth.parameters[0][1])
    slope = float(np.polyfit(np.arange(n), plain, 1)[0]) / 2
    sigma = float(np.sqrt(np.mean(smooth.residuals**2)))

    def forecast(h: int) -> tuple[Floats, Floats]:
        ahead = np.arange(h)
        mean = smooth.forecast(h)[0] + slope * (ahead + (1 - (1 - alpha) ** n) / alpha)
        again = seasons[(n + ahead) % m]
        return mean * again, again * sigma * np.sqrt(ahead * alpha**2 + 1)

    return Fitted(forecast, smooth.residuals * each, [("α", alpha), ("每期变化", slope)], None, "Theta")


def _is_seasonal(y: Floats, m: int) -> bool:
    """|r(m)| beyond the 90 % limit of a moving average of the lags before it."""
    centred = y - y.mean()
    r = np.array([float(centred[k:] @ centred[:-k] / (centred @ centred)) for k in range(1, m + 1)])
    limit = np.sqrt((1 + 2 * np.sum(r[:-1] ** 2)) / y.size)
    return bool(abs(r[-1]) / limit > stats.norm.ppf(0.95))


def croston(y: Floats, m: int, alpha: float = 0.1) -> Fitted:
    """Sizes and intervals of demand smoothed apart (Croston, 1972); no standard errors."""
    at = np.flatnonzero(y > 0)
    sizes, gaps = y[at], np.diff(np.r_[-1, at]).astype(float)

    def smooth(values: Floats) -> Floats:
        levels = [float(values[0])]
        for value in values[1:]:
            levels.append(levels[-1] + alpha * (float(value) - levels[-1]))
        return np.array(levels)

    rate = smooth(sizes) / smooth(gaps)
    before = np.searchsorted(at, np.arange(y.size), side="left") - 1
    known = before >= 0
    left = y[known] - rate[before[known]]
    return Fitted(
        lambda h: (np.full(h, rate[-1]), np.full(h, np.nan)), left, [("α", alpha), ("每期平均需求", float(rate[-1]))],
        None, "Croston",
    )  # fmt: skip


def regression(y: Floats, m: int, exog: Floats, future: Floats) -> Fitted:
    """A straight trend, seasons and the regressors by least squares; intervals of a new case."""
    n = y.size

    def design(first: int, size: int, more: Floats) -> Floats:
        at = np.arange(first, first + size)
        dummies = [(at % m == place).astype(float) for place in range(1, m)]
        return np.column_stack([np.ones(size), at + 1.0, *dummies, more[:size]])

    x = design(0, n, exog)
    beta, _, rank, _ = np.linalg.lstsq(x, y, rcond=None)
    left = y - x @ beta
    df = n - int(rank)
    sigma2 = float(left @ left / df) if df > 0 else np.nan
    inverse = np.linalg.pinv(x.T @ x)

    def forecast(h: int) -> tuple[Floats, Floats]:
        new = design(n, h, future)
        return new @ beta, np.sqrt(sigma2 * (1 + np.einsum("ij,jk,ik->i", new, inverse, new)))

    named = [("截距", float(beta[0])), ("趋势", float(beta[1]))]
    k = int(rank) + 1
    rss = max(float(left @ left), 1e-300)
    aic = n * (np.log(2 * np.pi * rss / n) + 1) + 2 * k
    aicc = float(aic + 2 * k * (k + 1) / (n - k - 1)) if n > k + 1 else None
    return Fitted(forecast, left, named, aicc, "趋势 + 季节回归")
