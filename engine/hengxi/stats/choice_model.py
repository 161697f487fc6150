"""Choices of one alternative out of a set (conditional logit, McFadden 1974): maximum likelihood by Newton's method,
covariance robust to choices of one person being alike, shares by the delta method.

A ranking is a series of choices (Plackett-Luce); a worst choice is a choice with the signs of the attributes turned.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import linalg, stats

from hengxi.stats.moments import Floats

Ints = npt.NDArray[np.integer[Any]]
STEPS, STILL = 60, 1e-11
FAR = 25.0
"""Differences of utility beyond this are no estimates: somebody always or never chooses."""
RANK = 1e-9


@dataclass(frozen=True)
class Choices:
    """`x`: alternatives × parameters, the alternatives of a set one after another; `sizes` of the sets; `chosen`: the
    row of `x` chosen in each set; `persons`: who chose, 0 … g − 1, a number for each set."""

    x: Floats
    sizes: Ints
    chosen: Ints
    persons: Ints | None = None

    @cached_property
    def starts(self) -> Ints:
        return np.concatenate(([0], np.cumsum(self.sizes)[:-1]))

    @cached_property
    def within(self) -> Floats:
        """The attributes as differences from the mean of their set: what a choice can tell about."""
        means = np.add.reduceat(self.x, self.starts, axis=0) / self.sizes[:, None]
        return self.x - np.repeat(means, self.sizes, axis=0)

    def unidentified(self) -> list[int]:
        """Parameters that the others give, or that never differ inside a set."""
        z = self.within
        scale = np.sqrt((z**2).sum(axis=0))
        flat = np.flatnonzero(scale <= RANK * (1 + np.abs(self.x).max(axis=0)) * np.sqrt(len(z)))
        kept = np.setdiff1d(np.arange(z.shape[1]), flat)
        if kept.size == 0:
            return [int(j) for j in flat]
        _, r, order = linalg.qr(z[:, kept] / scale[kept], mode="economic", pivoting=True)
        size = np.abs(np.diag(r))
        return sorted([*map(int, flat), *(int(kept[j]) for j in order[size < RANK * size[0]])])


@dataclass(frozen=True)
class ChoiceFit:
    of: Choices
    beta: Floats
    information: Floats
    loglik: float
    separated: bool
    """No finite maximum: some difference of utility ran away."""

    @property
    def null(self) -> float:
        """Log-likelihood where every alternative of a set is chosen alike."""
        return -float(np.log(self.of.sizes).sum())

    @property
    def mcfadden(self) -> float:
        return 1 - self.loglik / self.null

    @property
    def n(self) -> int:
        return len(self.of.sizes)

    @property
    def aic(self) -> float:
        return -2 * self.loglik + 2 * len(self.beta)

    @property
    def bic(self) -> float:
        return -2 * self.loglik + len(self.beta) * float(np.log(self.n))

    @cached_property
    def probabilities(self) -> Floats:
        return probabilities(self.of, self.beta)

    @cached_property
    def covariance(self) -> Floats:
        """Robust to the choices of a person being alike, where persons are known; else from the information."""
        inverse = linalg.inv(self.information)
        if self.of.persons is None:
            return np.asarray(inverse)
        expected = np.add.reduceat(self.of.x * self.probabilities[:, None], self.of.starts, axis=0)
        scores = self.of.x[self.of.chosen] - expected
        sums = np.zeros((int(self.of.persons.max()) + 1, len(self.beta)))
        np.add.at(sums, self.of.persons, scores)
        return np.asarray(inverse @ (sums.T @ sums) @ inverse)

    @cached_property
    def se(self) -> Floats:
        return np.sqrt(np.diag(self.covariance))

    @property
    def z(self) -> Floats:
        return self.beta / self.se

    @property
    def p(self) -> Floats:
        found: Floats = 2 * stats.norm.sf(np.abs(self.z))
        return found

    @property
    def likelihood(self) -> float:
        """Root likelihood: the geometric mean of the probabilities of what was chosen."""
        return float(np.exp(self.loglik / self.n))

    @property
    def hits(self) -> float:
        """Share of sets whose likeliest alternative was chosen; ties count their part."""
        p = self.probabilities
        top = np.repeat(np.maximum.reduceat(p, self.of.starts), self.of.sizes)
        best = p >= top * (1 - 1e-12)
        ties = np.add.reduceat(best.astype(float), self.of.starts)
        return float(np.mean(best[self.of.chosen] / ties))


def probabilities(of: Choices, beta: Floats) -> Floats:
    u = of.x @ beta
    u = np.exp(u - np.repeat(np.maximum.reduceat(u, of.starts), of.sizes))
    return np.asarray(u / np.repeat(np.add.reduceat(u, of.starts), of.sizes))


def loglik(of: Choices, beta: Floats) -> float:
    u = of.x @ beta
    top = np.maximum.reduceat(u, of.starts)
    whole = np.add.reduceat(np.exp(u - np.repeat(top, of.sizes)), of.starts)
    return float(np.sum(u[of.chosen] - top - np.log(whole)))


def fit_choices(of: Choices) -> ChoiceFit:
    """Newton's method with halved steps; parameters must be identified (`Choices.unidentified` is empty)."""
    beta = np.zeros(of.x.shape[1])
    value = loglik(of, beta)
    information = np.eye(len(beta))
    separated = False
    for _ in range(STEPS):
        p = probabilities(of, beta)
        expected = np.add.reduceat(of.x * p[:, None], of.starts, axis=0)
        gradient = of.x[of.chosen].sum(axis=0) - expected.sum(axis=0)
        centred = of.x - np.repeat(expected, of.sizes, axis=0)
        information = (centred * p[:, None]).T @ centred
        try:
            step = linalg.solve(information, gradient, assume_a="pos")
        except linalg.LinAlgError:
            separated = True
            break
        scale = 1.0
        while loglik(of, beta + scale * step) < value - 1e-9 * (1 + abs(value)) and scale > 1e-6:
            scale /= 2
        beta = beta + scale * step
        value = loglik(of, beta)
        if _range(of, beta) > FAR:
            separated = True
            break
        if np.abs(step).max() <= STILL * (1 + np.abs(beta).max()):
            break
    return ChoiceFit(of, beta, information, value, separated)


def _range(of: Choices, beta: Floats) -> float:
    """The largest distance of the chosen alternatives' utilities from the others."""
    u = of.x @ beta
    return float((np.maximum.reduceat(u, of.starts) - np.minimum.reduceat(u, of.starts)).max())


# ---- shares --------------------------------------------------------------------------------------------------------
def shares(utilities: Floats) -> Floats:
    """e^u / Σ e^u."""
    u = np.exp(utilities - utilities.max())
    return np.asarray(u / u.sum())


@dataclass(frozen=True)
class Share:
    value: float
    se: float
    low: float
    high: float


def shares_with_bounds(design: Floats, beta: Floats, covariance: Floats, level: float) -> list[Share]:
    """Shares of alternatives (rows of `design`) with delta-method errors; bounds on the scale of the logit, so that
    they stay between 0 and 1."""
    p = shares(design @ beta)
    jacobian = p[:, None] * (design - p @ design)
    se = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", jacobian, covariance, jacobian), 0))
    z = float(stats.norm.isf((1 - level) / 2))
    found = []
    for value, error in zip(p, se, strict=True):
        inside = 0 < value < 1
        middle, half = (np.log(value / (1 - value)), z * error / (value * (1 - value))) if inside else (0.0, 0.0)
        low, high = (1 / (1 + np.exp(-(middle + sign * half))) if inside else value for sign in (-1, 1))
        found.append(Share(float(value), float(error), float(low), float(high)))
    return found


def ranking_choices(ranks: Floats, last: bool) -> Choices:
    """Plackett-Luce as choices: `ranks` persons × items, whole from 1, NaN not ranked; `last`: items not ranked stand
    behind all that are, else they were not there. Item 0 has no parameter."""
    rows, sizes, chosen, start = [], [], [], 0
    k = ranks.shape[1]
    for line in ranks:
        order = np.argsort(np.where(np.isnan(line), np.inf, line), kind="stable")
        m = int(np.isfinite(line).sum())
        there = list(order) if last else list(order[:m])
        for stage in range(min(m, len(there) - 1)):
            alternatives = there[stage:]
            rows.extend(alternatives)
            sizes.append(len(alternatives))
            chosen.append(start)
            start += len(alternatives)
    x = np.eye(k)[np.array(rows, dtype=int)][:, 1:]
    return Choices(x, np.array(sizes, dtype=int), np.array(chosen, dtype=int))
