"""Transformations to normality: Box-Cox by maximum likelihood; Johnson's three families by percentiles.

Every transformation is increasing, so limits of a specification can be carried through it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from hengxi.stats.goodness import anderson
from hengxi.stats.moments import Floats, moments

REACH = 5.0
"""λ of Box-Cox is sought between −5 and 5."""
PLACES = np.round(np.arange(25, 126) / 100, 2)
"""The z of Slifker & Shapiro (1980), tried one by one (Chou, Polansky & Mason 1998)."""
CHOSEN_FROM = 20_000
"""Of longer samples so many ordered values, evenly placed, choose the family."""


@dataclass(frozen=True)
class Transformation:
    """`low`, `high`: values strictly between them can be transformed."""

    name: str
    parameters: dict[str, float]
    low: float
    high: float
    apply: Callable[[Floats], Floats]

    def at(self, value: float) -> float | None:
        """One value transformed; None outside the range."""
        return float(self.apply(np.array([value]))[0]) if self.low < value < self.high else None


def box_cox(x: Floats) -> Transformation:
    """λ where the derivative of the profile likelihood is 0 (Box & Cox 1964); all x > 0 and not all the same."""
    logs = np.log(x)
    logs = logs - logs.mean()
    lam = _flat(logs)

    def apply(values: Floats) -> Floats:
        return np.log(values) if lam == 0 else np.asarray(special.boxcox(values, lam))

    return Transformation("Box-Cox", {"λ": lam}, 0.0, np.inf, apply)


def _flat(logs: Floats) -> float:
    """With the geometric mean as unit the likelihood is greatest where the variance of y(λ) is least."""

    def slope(lam: float) -> float:
        u = lam * logs
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            y = np.where(np.abs(u) < 1e-8, logs, np.expm1(u) / (lam or 1.0))
            exact = (u * np.exp(u) - np.expm1(u)) / (lam or 1.0) ** 2
        series = logs**2 * (1 / 2 + u / 3 + u**2 / 8 + u**3 / 30 + u**4 / 144)
        change = np.where(np.abs(u) < 1e-2, series, exact)
        return float(np.mean((y - y.mean()) * change))

    low, high = slope(-REACH), slope(REACH)
    if not np.isfinite([low, high]).all() or low > 0 or high < 0:
        return REACH if np.isfinite(high) and high < 0 else -REACH
    return float(optimize.brentq(slope, -REACH, REACH, xtol=1e-13, rtol=1e-14))


def johnson(x: Floats) -> Transformation | None:
    """The family and z whose transformed values have the least Anderson-Darling A²; None where none fits all values."""
    ordered = np.sort(x)
    if ordered.size > CHOSEN_FROM:
        ordered = ordered[np.linspace(0, ordered.size - 1, CHOSEN_FROM).astype(int)]
    best: tuple[float, Transformation] | None = None
    for z in PLACES.tolist():
        for found in _by_percentiles(ordered, z):
            if not (found.low < ordered[0] and ordered[-1] < found.high):
                continue
            with np.errstate(all="ignore"):
                value = _distance(found.apply(ordered))
            if np.isfinite(value) and (best is None or value < best[0]):
                best = value, found
    return None if best is None else best[1]


def _distance(y: Floats) -> float:
    if not np.isfinite(y).all():
        return np.inf
    m = moments(y)
    if not m.sd > 0:
        return np.inf
    z = (y - m.mean) / m.sd
    return anderson(special.log_ndtr(z), special.log_ndtr(-z), np.arange(1.0, y.size + 1))


def _by_percentiles(ordered: Floats, z: float) -> list[Transformation]:
    """SB or SU as the percentiles at ±z, ±3z ask for, and SL (Slifker & Shapiro 1980); quantiles at (i − 1/2)/n."""
    x1, x2, x3, x4 = np.quantile(ordered, special.ndtr([-3 * z, -z, z, 3 * z]), method="hazen").tolist()
    m, n, p = x4 - x3, x2 - x1, x3 - x2
    if min(m, n, p) <= 0:
        return []
    ratio, middle, out = (m / p) * (n / p), (x2 + x3) / 2, []
    if ratio < 1:
        out.append(_bounded(z, p / m, p / n, p, middle))
    elif ratio > 1:
        out.append(_unbounded(z, m / p, n / p, p, middle))
    if m > p:
        eta = 2 * z / np.log(m / p)
        gamma = eta * np.log((m / p - 1) / (p * np.sqrt(m / p)))
        out.append(_lognormal(gamma, eta, middle - p / 2 * (m / p + 1) / (m / p - 1)))
    return [one for one in out if one is not None]


def _bounded(z: float, a: float, b: float, p: float, middle: float) -> Transformation | None:
    inside = (1 + a) * (1 + b)
    rest = a * b - 1
    if inside <= 4 or rest <= 0:
        return None
    eta = z / np.arccosh(np.sqrt(inside) / 2)
    gamma = eta * np.arcsinh((b - a) * np.sqrt(inside - 4) / (2 * rest))
    lam = p * np.sqrt((inside - 2) ** 2 - 4) / rest
    eps = middle - lam / 2 + p * (b - a) / (2 * rest)

    def apply(x: Floats) -> Floats:
        return np.asarray(gamma + eta * np.log((x - eps) / (lam + eps - x)))

    return Transformation("Johnson SB", _named(gamma, eta, eps, lam), float(eps), float(eps + lam), apply)


def _unbounded(z: float, a: float, b: float, p: float, middle: float) -> Transformation | None:
    rest = a * b - 1
    eta = 2 * z / np.arccosh((a + b) / 2)
    gamma = eta * np.arcsinh((b - a) / (2 * np.sqrt(rest)))
    lam = 2 * p * np.sqrt(rest) / ((a + b - 2) * np.sqrt(a + b + 2))
    eps = middle + p * (b - a) / (2 * (a + b - 2))

    def apply(x: Floats) -> Floats:
        return np.asarray(gamma + eta * np.arcsinh((x - eps) / lam))

    return Transformation("Johnson SU", _named(gamma, eta, eps, lam), -np.inf, np.inf, apply)


def _lognormal(gamma: float, eta: float, eps: float) -> Transformation:
    def apply(x: Floats) -> Floats:
        return np.asarray(gamma + eta * np.log(x - eps))

    return Transformation(
        "Johnson SL", {"γ": float(gamma), "η": float(eta), "ε": float(eps)}, float(eps), np.inf, apply
    )


def _named(gamma: float, eta: float, eps: float, lam: float) -> dict[str, float]:
    return {"γ": float(gamma), "η": float(eta), "ε": float(eps), "λ": float(lam)}
