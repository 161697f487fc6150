"""Maximum likelihood for the usual distributions of one variable; values may carry frequencies.

A fit is None where the likelihood has no inner maximum (counts no more dispersed than Poisson for a negative binomial).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize, special, stats

from hengxi.stats.goodness import anderson, starts
from hengxi.stats.moments import Floats

Theta = tuple[float, ...]
POSITIVE, FREE, SHARE, EDGE = "positive", "free", "share", "edge"


@dataclass(frozen=True)
class Family:
    """`kinds`: of each parameter; an edge is a bound of the values, its estimate has no standard error."""

    name: str
    parameters: tuple[str, ...]
    kinds: tuple[str, ...]
    fit: Callable[[Floats, Floats], Theta | None]
    frozen: Callable[[Theta], Any]
    values: str = "any"
    discrete: bool = False
    shifts: bool = False


def _mean(x: Floats, c: Floats) -> float:
    return float(np.dot(x, c) / c.sum())


def _sd(x: Floats, c: Floats) -> float:
    return float(np.sqrt(_mean((x - _mean(x, c)) ** 2, c)))


def _root(f: Callable[[float], float], start: float) -> float | None:
    low = high = start
    for _ in range(60):
        low, high = low / 2, high * 2
        a, b = f(low), f(high)
        if np.isfinite(a) and np.isfinite(b) and a * b < 0:
            return float(optimize.brentq(f, low, high, xtol=1e-300, rtol=1e-14, maxiter=300))
    return None


def _solve(score: Callable[[Floats], Any], start: Theta) -> Floats | None:
    found = optimize.root(score, start, tol=1e-13)
    size = float(np.max(np.abs(score(found.x))))
    return np.asarray(found.x) if size < 1e-8 else None


def _norm(x: Floats, c: Floats) -> Theta:
    return _mean(x, c), _sd(x, c)


def _lognorm(x: Floats, c: Floats) -> Theta:
    return _norm(np.log(x), c)


def _gamma(x: Floats, c: Floats) -> Theta | None:
    m = _mean(x, c)
    gap = -_mean(np.log(x / m), c)
    k = _root(lambda k: float(np.log(k) - special.digamma(k)) - gap, 0.5 / gap)
    return None if k is None else (k, m / k)


def _weibull(x: Floats, c: Floats) -> Theta | None:
    top = float(x.max())
    y = np.log(x / top)
    mean = _mean(y, c)

    def score(k: float) -> float:
        w = c * np.exp(k * y)
        return float(np.dot(w, y) / w.sum() - 1 / k) - mean

    k = _root(score, 1.2 / _sd(y, c))
    return None if k is None else (k, top * _mean(np.exp(k * y), c) ** (1 / k))


def _gumbel(x: Floats, c: Floats) -> Theta | None:
    m, low = _mean(x, c), float(x.min())

    def score(b: float) -> float:
        w = c * np.exp(-(x - low) / b)
        return m - float(np.dot(w, x - low) / w.sum()) - low - b

    b = _root(score, 0.78 * _sd(x, c))
    return None if b is None else (low - b * float(np.log(_mean(np.exp(-(x - low) / b), c))), b)


def _beta(x: Floats, c: Floats) -> Theta | None:
    m, v = _mean(x, c), _sd(x, c) ** 2
    whole = max(m * (1 - m) / v - 1, 0.1)
    a, b = _mean(np.log(x), c), _mean(np.log1p(-x), c)

    def score(t: Floats) -> list[float]:
        p, q = np.exp(t)
        both = special.digamma(p + q)
        return [special.digamma(p) - both - a, special.digamma(q) - both - b]

    found = _solve(score, (np.log(m * whole), np.log((1 - m) * whole)))
    return None if found is None else (float(np.exp(found[0])), float(np.exp(found[1])))


def _logistic(x: Floats, c: Floats) -> Theta | None:
    m, s = _mean(x, c), _sd(x, c)
    z = (x - m) / s

    def score(t: Floats) -> list[float]:
        u = (z - t[0]) / np.exp(t[1])
        h = np.tanh(u / 2)
        return [_mean(h, c), _mean(u * h, c) - 1]

    found = _solve(score, (0.0, -0.6))
    return None if found is None else (m + s * float(found[0]), s * float(np.exp(found[1])))


def _t(x: Floats, c: Floats) -> Theta | None:
    m, s = _mean(x, c), _sd(x, c)
    y = (x - m) / s

    def loss(t: Floats) -> float:
        return -_mean(stats.t.logpdf(y, np.exp(t[2]), t[0], np.exp(t[1])), c)

    def score(t: Floats) -> list[float]:
        v = float(np.exp(np.clip(t[2], -5, 12)))
        z2 = ((y - t[0]) / np.exp(t[1])) ** 2
        w = (v + 1) / (v + z2)
        df = special.digamma((v + 1) / 2) - special.digamma(v / 2) - 1 / v - np.log1p(z2 / v) + w * z2 / v
        return [_mean(w * (y - t[0]), c), _mean(w * z2, c) - 1, _mean(df, c) * v]

    rough = optimize.minimize(loss, (0.0, -0.3, 1.5), method="BFGS").x
    found = _solve(score, tuple(rough))
    if found is None or not -3 < found[2] < np.log(200):
        return None
    return float(np.exp(found[2])), m + s * float(found[0]), s * float(np.exp(found[1]))


def _nbinom(x: Floats, c: Floats) -> Theta | None:
    m, v = _mean(x, c), _sd(x, c) ** 2
    if v <= m * (1 + 1e-9):
        return None
    r = _root(lambda r: _mean(special.digamma(x + r), c) - float(special.digamma(r) + np.log1p(m / r)), m * m / (v - m))
    return None if r is None else (r, m)


FAMILIES = {
    "norm": Family("正态", ("均值", "标准差"), (FREE, POSITIVE), _norm, lambda t: stats.norm(t[0], t[1])),
    "lognorm": Family(
        "对数正态", ("对数均值", "对数标准差"), (FREE, POSITIVE), _lognorm,
        lambda t: stats.lognorm(t[1], _shift(t), np.exp(t[0])), "positive", shifts=True,
    ),
    "expon": Family(
        "指数", ("均值（1/λ）",), (POSITIVE,), lambda x, c: (_mean(x, c),),
        lambda t: stats.expon(t[1] if len(t) > 1 else 0, t[0]), "nonnegative", shifts=True,
    ),
    "gamma": Family(
        "伽马", ("形状", "尺度"), (POSITIVE, POSITIVE), _gamma,
        lambda t: stats.gamma(t[0], _shift(t), t[1]), "positive", shifts=True,
    ),
    "weibull_min": Family(
        "威布尔", ("形状", "尺度"), (POSITIVE, POSITIVE), _weibull, lambda t: stats.weibull_min(t[0], _shift(t), t[1]),
        "positive", shifts=True,
    ),
    "beta": Family("贝塔", ("α", "β"), (POSITIVE, POSITIVE), _beta, lambda t: stats.beta(t[0], t[1]), "unit"),
    "uniform": Family(
        "均匀", ("最小值", "最大值"), (EDGE, EDGE), lambda x, c: (float(x.min()), float(x.max())),
        lambda t: stats.uniform(t[0], t[1] - t[0]),
    ),
    "logistic": Family("逻辑斯蒂", ("位置", "尺度"), (FREE, POSITIVE), _logistic, lambda t: stats.logistic(t[0], t[1])),
    "gumbel_r": Family(
        "极值（I 型）", ("位置", "尺度"), (FREE, POSITIVE), _gumbel, lambda t: stats.gumbel_r(t[0], t[1])
    ),
    "t": Family("t", ("自由度", "位置", "尺度"), (POSITIVE, FREE, POSITIVE), _t, lambda t: stats.t(t[0], t[1], t[2])),
    "poisson": Family(
        "泊松", ("λ（均值）",), (POSITIVE,), lambda x, c: (_mean(x, c),), lambda t: stats.poisson(t[0]), "count",
        discrete=True,
    ),
    "nbinom": Family(
        "负二项", ("size（离散参数）", "均值"), (POSITIVE, POSITIVE), _nbinom,
        lambda t: stats.nbinom(t[0], t[0] / (t[0] + t[1])), "count", discrete=True,
    ),
    "geom": Family(
        "几何", ("概率",), (SHARE,), lambda x, c: (1 / (1 + _mean(x, c)),), lambda t: stats.geom(t[0], -1), "count",
        discrete=True,
    ),
}  # fmt: skip


def binomial(size: int) -> Family:
    """The number of trials is known, the probability is estimated."""
    return Family(
        "二项", ("概率",), (SHARE,), lambda x, c: (_mean(x, c) / size,), lambda t: stats.binom(size, t[0]), "trials",
        discrete=True,
    )  # fmt: skip


def _shift(theta: Theta) -> float:
    return theta[2] if len(theta) > 2 else 0.0


def log_likelihood(family: Family, theta: Theta, x: Floats, c: Floats) -> float:
    law = family.frozen(theta)
    with np.errstate(all="ignore"):
        return float(np.dot(law.logpmf(x) if family.discrete else law.logpdf(x), c))


def shifted(family: Family) -> Family:
    """The location estimated too: of the exponential the smallest value, else the inner maximum of the profile."""

    def fit(x: Floats, c: Floats) -> Theta | None:
        least, reach = float(x.min()), float(x.max() - x.min())
        if len(family.parameters) == 1:
            return _mean(x, c) - least, least

        def at(u: float) -> tuple[float, Theta | None]:
            loc = least - reach * float(np.exp(u))
            theta = family.fit(x - loc, c)
            return (np.inf, None) if theta is None else (-log_likelihood(family, (*theta, loc), x, c), (*theta, loc))

        grid = np.linspace(-9, 4, 40)
        values = np.array([at(u)[0] for u in grid])
        inner = [i for i in range(1, 39) if values[i] < values[i - 1] and values[i] < values[i + 1]]
        if not inner:
            return None
        i = min(inner, key=lambda k: float(values[k]))
        best = optimize.minimize_scalar(lambda u: at(u)[0], bracket=(grid[i - 1], grid[i], grid[i + 1]), tol=1e-10)
        return at(float(best.x))[1]

    kind = EDGE if len(family.parameters) == 1 else FREE
    return Family(
        family.name, (*family.parameters, "位置"), (*family.kinds, kind), fit, family.frozen, "any",
    )  # fmt: skip


def fitted(family: Family, x: Floats, c: Floats) -> Theta | None:
    with np.errstate(all="ignore"):
        try:
            theta = family.fit(x, c)
        except (ValueError, OverflowError, ZeroDivisionError, FloatingPointError):
            return None
    if theta is None or not np.isfinite(theta).all():
        return None
    inside = all(
        value > 0 if kind == POSITIVE else (0 < value < 1 if kind == SHARE else True)
        for value, kind in zip(theta, family.kinds, strict=True)
    )
    return theta if inside and np.isfinite(log_likelihood(family, theta, x, c)) else None


def distances(family: Family, theta: Theta, x: Floats, c: Floats) -> tuple[float, float | None]:
    """K-S D, and A² of a continuous distribution; x ascending and distinct."""
    law, ends = family.frozen(theta), np.cumsum(c)
    n = float(ends[-1])
    with np.errstate(all="ignore"):
        cdf = law.cdf(x)
        before = law.cdf(x - 1) if family.discrete else cdf
        d = max(0.0, float(np.max(ends / n - cdf)), float(np.max(before - starts(ends) / n)))
        a = None if family.discrete else anderson(law.logcdf(x), law.logsf(x), ends)
    return d, a if a is not None and np.isfinite(a) else None


def errors(family: Family, theta: Theta, x: Floats, c: Floats) -> list[float | None]:
    """Standard errors by the observed information, edges held."""
    free = [i for i, kind in enumerate(family.kinds) if kind != EDGE]
    none: list[float | None] = [None] * len(theta)
    if not free:
        return none
    at = np.array(theta)
    spread = at[1] if family.parameters[0] == "对数均值" else _sd(x, c)
    step = np.array([1e-3 * (spread if family.kinds[i] == FREE else at[i]) for i in free])
    if family.kinds[-1] == FREE:  # a location below the smallest value, which it must not pass
        step[-1] = min(1e-3 * spread, (float(x.min()) - at[-1]) / 100)

    def f(move: Floats) -> float:
        to = at.copy()
        to[free] += move * step
        return -log_likelihood(family, tuple(to.tolist()), x, c)

    def second(i: int, j: int, h: float) -> float:
        a, b = np.eye(len(free))[i] * h, np.eye(len(free))[j] * h
        return (f(a + b) - f(a - b) - f(b - a) + f(-a - b)) / (4 * h * h)

    k = len(free)
    info = np.array([[(4 * second(i, j, 1.0) - second(i, j, 2.0)) / 3 for j in range(k)] for i in range(k)])
    try:
        variance = np.diag(np.linalg.inv(info)) * step**2
    except np.linalg.LinAlgError:
        return none
    for place, value in zip(free, variance, strict=True):
        none[place] = float(np.sqrt(value)) if np.isfinite(value) and value > 0 else None
    return none


def interval(kind: str, value: float, se: float | None, z: float) -> tuple[float | None, float | None]:
    """Wald, on the log scale of a positive parameter and the logit scale of a probability."""
    if se is None:
        return None, None
    if kind == POSITIVE:
        return value * float(np.exp(-z * se / value)), value * float(np.exp(z * se / value))
    if kind == SHARE:
        centre, half = float(special.logit(value)), z * se / (value * (1 - value))
        return float(special.expit(centre - half)), float(special.expit(centre + half))
    return value - z * se, value + z * se
