"""Tails of limiting laws that are weighted sums of χ² variables: Anderson-Darling of k samples, Cramér-von Mises.

P(Q ≥ x) = 1/π ∫ Re e^(−sx) M(s)/s du along s = c + iu, where M is the moment generating function. c is chosen where the
integrand is of the size of the result, so that a tiny p keeps its digits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hengxi.stats.moments import Floats


def anderson_darling_tail(x: float, samples: int) -> float:
    """P(Σ χ²(k − 1)/(j(j + 1)) ≥ x), the limit of Scholz & Stephens (1987)."""

    def log_mgf(s: Any) -> Any:
        ratio = -np.cos(np.pi / 2 * np.sqrt(1 + 8 * s)) / (2 * np.pi * s)
        return -(samples - 1) / 2 * _log(ratio)

    return _tail(x, log_mgf, 1.0, 900.0)


def cramer_von_mises_tail(x: float) -> float:
    """P(Σ χ²(1)/(jπ)² ≥ x), the limit of Anderson (1962)."""

    def log_mgf(s: Any) -> Any:
        root = np.sqrt(2 * s)
        return -0.5 * _log(np.sin(root) / root)

    return _tail(x, log_mgf, np.pi**2 / 2, 8000.0)


def _log(ratio: Any) -> Any:
    """The logarithm that goes on continuously from the real axis, where the path starts."""
    return np.asarray(np.log(np.abs(ratio)) + 1j * np.unwrap(np.angle(ratio)))


def _tail(x: float, log_mgf: Callable[[Any], Any], most: float, far: float) -> float:
    """`most`: where M becomes infinite; `far`: beyond it the integrand is nothing."""
    if x <= 0:
        return 1.0
    at = np.linspace(0.03, 0.97, 95) * most
    size = np.array([log_mgf(np.array([c + 0j])).real[0] for c in at]) - at * x - np.log(at)
    c = float(at[int(size.argmin())])
    if size.min() < -700:
        return 0.0
    step = 2 * np.pi * min(c, most - c) / 40
    u: Floats = np.arange(0.0, far, step)
    s = c + 1j * u
    values = np.exp(log_mgf(s) - s * x - np.log(s)).real
    p = float(step / np.pi * (values.sum() - values[0] / 2))
    return min(1.0, max(0.0, p))
