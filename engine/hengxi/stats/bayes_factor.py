"""The JZS Bayes factor of a t statistic and the posterior of the effect size (Rouder et al. 2009; Ly et al. 2016).

The likelihood ratio of an effect δ is e^(−½μ²ν/(ν + t²)) ∫ u^ν e^(−½(u − m)²) du over the same integral at m = 0, with
μ = δ√N and m = tμ/√(ν + t²): well scaled however large t is. The prior of δ is Cauchy.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import optimize

from hengxi.stats.moments import Floats
from hengxi.stats.two_groups import Alternative

NODES, WEIGHTS = np.polynomial.legendre.leggauss(48)
INNER, SHARES = np.polynomial.legendre.leggauss(80)
PANELS = 12
REACH = 16.0


@dataclass(frozen=True)
class Evidence:
    """`n`: the effective sample size (n, or n₁n₂/(n₁ + n₂)); `scale` of the Cauchy prior."""

    t: float
    n: float
    df: float
    scale: float
    side: Alternative = "two_sided"

    def log_ratio(self, effect: Floats) -> Floats:
        """ln of the likelihood of δ over that of δ = 0."""
        mu = effect * np.sqrt(self.n)
        whole = self.df + self.t**2
        m = self.t * mu / np.sqrt(whole)
        return np.asarray(-0.5 * mu**2 * self.df / whole + self._log_moment(m) - self._log_moment(np.zeros(1))[0])

    def _log_moment(self, m: Floats) -> Floats:
        """ln ∫ u^ν e^(−½(u − m)²) du, u from 0."""
        peak = (m + np.sqrt(m * m + 4 * self.df)) / 2
        low, high = np.maximum(peak - 12, 0.0), peak + 12
        u = low[:, None] + (high - low)[:, None] * (INNER + 1) / 2
        logs = self.df * np.log(u) - (u - m[:, None]) ** 2 / 2
        top = logs.max(axis=1)
        return np.asarray(top + np.log((np.exp(logs - top[:, None]) @ SHARES) * (high - low) / 2))

    @cached_property
    def _span(self) -> tuple[float, float]:
        """Where the likelihood is not nothing, cut to the side that is asked about."""
        middle = self.t / np.sqrt(self.n)
        width = REACH * np.sqrt((self.df + self.t**2) / (self.df * self.n))
        low, high = float(middle - width), float(middle + width)
        if self.side == "greater":
            low, high = 0.0, max(high, width)
        if self.side == "less":
            low, high = min(low, -float(width)), 0.0
        return low, high

    def _log_weight(self, effect: Floats) -> Floats:
        """ln of likelihood ratio × prior; the prior of one side is twice the Cauchy."""
        twice = 0.0 if self.side == "two_sided" else np.log(2.0)
        prior = twice - np.log(np.pi * self.scale) - np.log1p((effect / self.scale) ** 2)
        return np.asarray(self.log_ratio(effect) + prior)

    def _log_integral(self, low: float, high: float) -> float:
        edges = np.linspace(low, high, PANELS + 1)
        x = (edges[:-1, None] + np.diff(edges)[:, None] * (NODES + 1) / 2).ravel()
        logs = self._log_weight(x)
        top = float(logs.max())
        return top + float(np.log(np.dot(np.exp(logs - top), np.tile(WEIGHTS, PANELS)) * (high - low) / PANELS / 2))

    @cached_property
    def log_bf10(self) -> float:
        return self._log_integral(*self._span)

    def density(self, effect: Floats) -> Floats:
        """Of the posterior."""
        inside = (effect >= self._span[0]) & (effect <= self._span[1])
        return np.asarray(np.where(inside, np.exp(self._log_weight(effect) - self.log_bf10), 0.0))

    def prior(self, effect: Floats) -> Floats:
        held = {"greater": effect >= 0, "less": effect <= 0}.get(self.side, np.ones(effect.size, dtype=bool))
        twice = 1.0 if self.side == "two_sided" else 2.0
        return np.asarray(np.where(held, twice / (np.pi * self.scale * (1 + (effect / self.scale) ** 2)), 0.0))

    def quantile(self, probability: float) -> float:
        low, high = self._span

        def gap(x: float) -> float:
            return float(np.exp(self._log_integral(low, x) - self.log_bf10)) - probability

        return float(optimize.brentq(gap, low + 1e-9 * (high - low), high, xtol=1e-13, rtol=1e-13))


def bayes_factor(log: float) -> float | None:
    """None where it leaves the range of a double."""
    return float(np.exp(log)) if abs(log) < 690 else None


def sequence(values: Floats, scale: float, side: Alternative, at: list[int]) -> list[tuple[int, float]]:
    """ln BF₁₀ of the first n values against 0; sizes without any spread are passed over."""
    made = []
    for n in at:
        part = values[:n]
        sd = float(part.std(ddof=1))
        if sd > 0:
            t = float(part.mean()) / sd * float(np.sqrt(n))
            made.append((n, Evidence(t, n, n - 1.0, scale, side).log_bf10))
    return made


def sequence_of_two(
    values: Floats, first: Floats, scale: float, side: Alternative, at: list[int]
) -> list[tuple[int, float]]:
    """The same of two groups in the order of the cases; `first`: 1 for the first group."""
    made = []
    for n in at:
        a, b = values[:n][first[:n] == 1], values[:n][first[:n] == 0]
        if min(a.size, b.size) < 2:
            continue
        pooled = float(np.sqrt((a.var() * a.size + b.var() * b.size) / (n - 2)))
        if pooled > 0:
            size = a.size * b.size / n
            t = float(a.mean() - b.mean()) / pooled * float(np.sqrt(size))
            made.append((n, Evidence(t, size, n - 2.0, scale, side).log_bf10))
    return made
