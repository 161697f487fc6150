"""Integrals of functions by several rules, and integrals and derivatives of measured points."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from hengxi.stats.solving.expressions import Function

from .grid import Floats

FEW = 3
CHUNK = 100_000


@dataclass(frozen=True)
class Found:
    value: float
    error: float
    calls: int
    low: float | None = None
    high: float | None = None
    trouble: bool = False


def adaptive(f: Function, low: float, high: float) -> Found:
    """QUADPACK by scipy; `trouble` where it says that it did not converge."""
    from scipy.integrate import quad

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        value, error, more, *rest = quad(
            lambda x: f.value(np.array([x])), low, high, epsabs=1e-13, epsrel=1e-10, limit=200, full_output=1
        )
    error = float(error) if np.isfinite(error) else np.inf
    # What is told when only the wanted digits were not reached is no trouble: the estimate of the error says it.
    trouble = bool(rest) and not error <= 1e-6 * max(1e-300, abs(value))
    return Found(float(value), error, int(more["neval"]), trouble=trouble)


def double(f: Function, low: float, high: float, below: Function, above: Function) -> Found:
    from scipy.integrate import dblquad

    calls = 0

    def inner(y: float, x: float) -> float:
        nonlocal calls
        calls += 1
        return f.value(np.array([x, y]))

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        value, error = dblquad(
            inner, low, high, lambda x: below.value(np.array([x])), lambda x: above.value(np.array([x])),
            epsabs=1e-11, epsrel=1e-9,
        )  # fmt: skip
    return Found(float(value), float(error), calls)


def sampled(
    f: Function, low: float, high: float, n: int, key: str, rng: np.random.Generator | None = None
) -> Found | None:
    """By one of the rules on equal steps, or by random points; None where a point has no value."""
    with np.errstate(all="ignore"):
        if key == "monte_carlo":
            return _monte_carlo(f, low, high, n, rng or np.random.default_rng(0))
        if key == "romberg":
            return _romberg(f, low, high, n)
        rule = trapezoid_of if key == "trapezoid" else simpson_of
        n = n if key == "trapezoid" else n + n % 2
        at = np.linspace(low, high, 2 * n + 1)
        values = f.values(at[:, None])
        if not np.isfinite(values).all():
            return None
        value, finer = rule(at[::2], values[::2]), rule(at, values)
        return Found(value, abs(finer - value), n + 1)


def _monte_carlo(f: Function, low: float, high: float, n: int, rng: np.random.Generator) -> Found | None:
    values = f.values(rng.uniform(min(low, high), max(low, high), n)[:, None])
    if not np.isfinite(values).all():
        return None
    value = float(values.mean()) * (high - low)
    error = abs(high - low) * float(values.std(ddof=1)) / n**0.5
    return Found(value, error, n, value - 1.959963984540054 * error, value + 1.959963984540054 * error)


def _romberg(f: Function, low: float, high: float, n: int) -> Found | None:
    """Trapezoids of 1, 2, 4, … parts, extrapolated (Burden & Faires, section 4.5)."""
    ends = f.values(np.array([[low], [high]]))
    row = [float(ends.sum()) * (high - low) / 2]
    parts, before = 1, row[0]
    while parts < n or len(row) < 3:
        at = low + (high - low) * (np.arange(parts) + 0.5) / parts
        parts *= 2
        made = [row[0] / 2 + float(f.values(at[:, None]).sum()) * (high - low) / parts]
        for k, old in enumerate(row, 1):
            made.append(made[-1] + (made[-1] - old) / (4**k - 1))
        before, row = row[-1], made
        # Beyond ten columns rounding is all that is extrapolated.
        row = row[:11]
    if not np.isfinite(row).all():
        return None
    return Found(row[-1], abs(row[-1] - before), parts + 1)


def trapezoid_of(x: Floats, y: Floats) -> float:
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2))


def simpson_of(x: Floats, y: Floats) -> float:
    """Parabolas through three neighbours; of an odd number of parts the last one by the last three points."""
    from scipy.integrate import simpson

    return float(simpson(y, x=x))


def running_total(x: Floats, y: Floats) -> Floats:
    return np.asarray(np.r_[0.0, np.cumsum(np.diff(x) * (y[1:] + y[:-1]) / 2)])


def derivatives(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Slope and curvature of the parabola through each point and its neighbours."""
    h0, h1 = np.diff(x)[:-1], np.diff(x)[1:]
    s0, s1 = np.diff(y)[:-1] / h0, np.diff(y)[1:] / h1
    second = 2 * (s1 - s0) / (h0 + h1)
    first = np.asarray(np.gradient(y, x, edge_order=2))
    return first, np.r_[second[0], second, second[-1]]
