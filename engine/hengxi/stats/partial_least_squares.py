"""PLS path modelling from a correlation matrix (Wold 1982; Lohmöller 1989), with the consistent correction.

Everything is computed from the correlations of the indicators, so that a resample costs one matrix product and a few
small iterations. Scores have variance 1; each construct is turned so that its loadings sum to a positive number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hengxi.stats.moments import Floats

ROUNDS, CLOSE = 3000, 1e-13
Ints = NDArray[np.int64]


class Unconverged(Exception):  # noqa: N818
    """The weights did not settle."""


@dataclass(frozen=True)
class Plan:
    """`blocks`: places of each construct's indicators; `modes` A or B; `arrows[t, s]`: does s point at t?"""

    blocks: list[Ints]
    modes: list[str]
    arrows: NDArray[np.bool_]
    scheme: str
    consistent: bool

    @property
    def k(self) -> int:
        return len(self.blocks)

    @cached_property
    def order(self) -> list[int]:
        """Constructs, causes before effects."""
        found: list[int] = []
        while len(found) < self.k:
            ready = [
                j for j in range(self.k) if j not in found and all(s in found for s in np.flatnonzero(self.arrows[j]))
            ]
            found += ready
        return found


@dataclass
class Solution:
    """`weights`: indicators × constructs; `raw`: correlations of the scores; `c`: of the constructs."""

    plan: Plan
    r: Floats
    weights: Floats
    rounds: int

    @cached_property
    def raw(self) -> Floats:
        found: Floats = self.weights.T @ self.r @ self.weights
        return found

    @cached_property
    def cross(self) -> Floats:
        """Correlations of indicators with scores."""
        found: Floats = self.r @ self.weights
        return found

    @cached_property
    def rho(self) -> list[float | None]:
        """Dijkstra & Henseler's ρ_A; None for formative and single-item constructs."""
        found: list[float | None] = []
        for j, (own, mode) in enumerate(zip(self.plan.blocks, self.plan.modes, strict=True)):
            if mode == "B" or len(own) < 2:
                found.append(None)
                continue
            w = self.weights[own, j]
            s, outer = self.r[np.ix_(own, own)], np.outer(w, w)
            over = float(w @ (s - np.diag(np.diag(s))) @ w)
            under = float(w @ (outer - np.diag(np.diag(outer))) @ w)
            found.append(float(w @ w) ** 2 * over / under)
        return found

    @cached_property
    def c(self) -> Floats:
        if not self.plan.consistent:
            return self.raw
        root = np.sqrt([1.0 if one is None or one <= 0 else one for one in self.rho])
        found: Floats = self.raw / np.outer(root, root)
        np.fill_diagonal(found, 1.0)
        return found

    @cached_property
    def loadings(self) -> Floats:
        """Of each indicator on its construct."""
        found = np.zeros(len(self.r))
        for j, own in enumerate(self.plan.blocks):
            found[own] = self.cross[own, j]
            rho = self.rho[j]
            if self.plan.consistent and rho is not None and rho > 0:
                w = self.weights[own, j]
                found[own] = w * np.sqrt(rho) / float(w @ w)
        return found

    @cached_property
    def paths(self) -> Floats:
        return regressed(self.c, self.plan.arrows)

    @cached_property
    def r2(self) -> Floats:
        found: Floats = np.sum(self.paths * self.c, axis=1)
        return found

    @cached_property
    def total(self) -> Floats:
        size = np.eye(self.plan.k)
        found: Floats = np.linalg.inv(size - self.paths) - size
        return found


def regressed(c: Floats, arrows: NDArray[np.bool_]) -> Floats:
    """Standardised coefficients of each construct on those that point at it."""
    found = np.zeros_like(c)
    for t in range(len(c)):
        s = np.flatnonzero(arrows[t])
        if s.size:
            found[t, s] = np.linalg.solve(c[np.ix_(s, s)], c[s, t])
    return found


def solve(r: Floats, plan: Plan, towards: Floats | None = None) -> Solution:
    """`towards`: weights of the whole sample, whose signs a resample takes. Raises `Unconverged`, LinAlgError."""
    w = np.zeros((len(r), plan.k))
    for j, own in enumerate(plan.blocks):
        w[own, j] = 1.0
    joined = plan.arrows | plan.arrows.T
    w = _scaled(r, w)
    done, rounds = False, 0
    while not done:
        rounds += 1
        if rounds > ROUNDS:
            raise Unconverged
        c = w.T @ r @ w
        if plan.scheme == "centroid":
            inner = np.where(joined, np.sign(c), 0.0)
        elif plan.scheme == "factorial":
            inner = np.where(joined, c, 0.0)
        else:
            # Causes enter by regression, effects by correlation.
            inner = regressed(c, plan.arrows) + np.where(plan.arrows.T, c, 0.0)
        z = r @ w @ inner.T
        new = np.zeros_like(w)
        for j, (own, mode) in enumerate(zip(plan.blocks, plan.modes, strict=True)):
            beside = z[own, j]
            new[own, j] = beside if mode == "A" else np.linalg.solve(r[np.ix_(own, own)], beside)
        new = _scaled(r, new)
        done = float(np.abs(np.abs(new) - np.abs(w)).max()) < CLOSE
        w = new
    for j, own in enumerate(plan.blocks):
        sense = float((r @ w)[own, j].sum()) if towards is None else float(w[own, j] @ towards[own, j])
        if sense < 0:
            w[:, j] *= -1
    return Solution(plan, r, w, rounds)


def _scaled(r: Floats, w: Floats) -> Floats:
    size = np.sqrt(np.maximum(np.einsum("ij,ik,kj->j", w, r, w), 0.0))
    if size.min() <= 1e-12:
        raise np.linalg.LinAlgError
    found: Floats = w / size
    return found


def correlations(x: Floats, counts: Floats | None = None) -> Floats:
    """Raises LinAlgError where a column does not vary."""
    w = np.ones(len(x)) if counts is None else counts
    away = x - w @ x / w.sum()
    s = (away * w[:, None]).T @ away
    spread = np.sqrt(np.diag(s))
    if spread.min() <= 1e-12 * max(float(np.abs(x).max()), 1e-300):
        raise np.linalg.LinAlgError
    found: Floats = s / np.outer(spread, spread)
    return found


def implied_residual(found: Solution) -> float:
    """SRMR of the saturated model: constructs correlate freely, indicators only through their own construct."""
    plan, load = found.plan, found.loadings
    home = np.zeros(len(found.r), dtype=int)
    for j, own in enumerate(plan.blocks):
        home[own] = j
    implied = np.outer(load, load) * found.c[np.ix_(home, home)]
    for own, mode in zip(plan.blocks, plan.modes, strict=True):
        if mode == "B":
            implied[np.ix_(own, own)] = found.r[np.ix_(own, own)]
    np.fill_diagonal(implied, 1.0)
    below = np.tril_indices(len(load))
    return float(np.sqrt(np.mean((found.r - implied)[below] ** 2)))


@dataclass(frozen=True, slots=True)
class Prediction:
    """Of one indicator of an endogenous construct: held-out errors of PLS and a linear model, Q² against the mean."""

    place: int
    q2: float
    rmse: float
    lm: float | None


def predicted(x: Floats, plan: Plan, folds: int = 10) -> list[Prediction]:
    """PLSpredict (Shmueli et al. 2016). Rows are dealt to the folds in the order of their values, so that the order of
    the file does not matter; exogenous indicators predict everything behind them."""
    x = x[np.lexsort(x.T[::-1])]
    fold = np.arange(len(x)) % folds
    first = [j for j in range(plan.k) if not plan.arrows[j].any()]
    outside = np.concatenate([plan.blocks[j] for j in first])
    inside = np.concatenate([plan.blocks[j] for j in range(plan.k) if plan.arrows[j].any()])
    errors = np.zeros((3, x.shape[1]))
    linear = True
    for f in range(folds):
        train, test = x[fold != f], x[fold == f]
        mean, sd = train.mean(axis=0), train.std(axis=0, ddof=1)
        found = solve(correlations(train), plan)
        z = (test - mean) / sd
        scores = np.zeros((len(test), plan.k))
        for j in plan.order:
            scores[:, j] = z @ found.weights[:, j] if j in first else scores @ found.paths[j]
        for j in range(plan.k):
            if j not in first:
                own = plan.blocks[j]
                guess = scores[:, [j]] * found.loadings[own][None, :] * sd[own] + mean[own]
                errors[0, own] += np.sum((test[:, own] - guess) ** 2, axis=0)
        errors[1] += np.sum((test - mean) ** 2, axis=0)
        design = np.column_stack((np.ones(len(train)), train[:, outside]))
        if len(train) > design.shape[1] and np.linalg.matrix_rank(design) == design.shape[1]:
            b = np.linalg.lstsq(design, train[:, inside], rcond=None)[0]
            guess = np.column_stack((np.ones(len(test)), test[:, outside])) @ b
            errors[2, inside] += np.sum((test[:, inside] - guess) ** 2, axis=0)
        else:
            linear = False
    n = len(x)
    return [
        Prediction(int(i), 1 - float(errors[0, i] / errors[1, i]), float(np.sqrt(errors[0, i] / n)),
                   float(np.sqrt(errors[2, i] / n)) if linear else None)
        for i in inside
    ]  # fmt: skip


def without(c: Floats, sources: Sequence[int], target: int, one: int) -> float:
    """R² of `target` when `one` is left out of its causes."""
    rest = [s for s in sources if s != one]
    if not rest:
        return 0.0
    return float(c[target, rest] @ np.linalg.solve(c[np.ix_(rest, rest)], c[rest, target]))
