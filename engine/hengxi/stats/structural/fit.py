"""Estimation of a covariance structure by maximum likelihood, from complete or incomplete rows.

Fisher scoring with step halving, finished by Newton steps on the exact Hessian (complex differences of the analytic
gradient). χ² is n times the minimum, with covariances divided by n (as lavaan and Mplus; AMOS uses n − 1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hengxi.stats.moments import Floats

from .model import STEP, Array, Model

ROUNDS, CLOSE = 500, 1e-13


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that have the same variables: which, how many, their means and covariances (divided by n)."""

    known: NDArray[np.bool_]
    n: int
    mean: Floats
    s: Floats


@dataclass(frozen=True)
class Sample:
    """The rows of one group. `s`, `mean`: of all rows (of incomplete ones, the EM estimate)."""

    n: int
    mean: Floats
    s: Floats
    parts: list[Part]
    rows: Floats = field(repr=False)

    @property
    def complete(self) -> bool:
        return len(self.parts) == 1 and bool(self.parts[0].known.all())

    @cached_property
    def fourth(self) -> Floats:
        """n × the asymptotic covariances of the variances and covariances (lower triangle), of complete rows."""
        i, j = np.tril_indices(self.rows.shape[1])
        found = np.zeros((len(i), len(i)))
        means = np.zeros(len(i))
        step = max(1, 2**22 // len(i))
        for start in range(0, len(self.rows), step):
            away = self.rows[start : start + step] - self.mean
            products = away[:, i] * away[:, j]
            found += products.T @ products
            means += products.sum(axis=0)
        means /= self.n
        gamma: Floats = found / self.n - np.outer(means, means)
        return gamma


def complete(rows: Floats) -> Sample:
    mean = rows.mean(axis=0)
    away = rows - mean
    s = away.T @ away / len(rows)
    everything = np.ones(rows.shape[1], dtype=bool)
    return Sample(len(rows), mean, s, [Part(everything, len(rows), mean, s)], rows)


class Unidentified(Exception):  # noqa: N818
    """`keys`: parameters that can be traded against each other without any change of Σ."""

    def __init__(self, keys: list[str]) -> None:
        super().__init__(", ".join(keys))
        self.keys = keys


class Unconverged(Exception):  # noqa: N818
    """No minimum was reached."""


@dataclass
class Fit:
    model: Model
    samples: list[Sample]
    theta: Floats
    loglik: float
    minimum: float
    rounds: int

    @property
    def n(self) -> int:
        return sum(sample.n for sample in self.samples)


# ---- value, gradient, information ----------------------------------------------------------------------------------
def loglik(model: Model, samples: Sequence[Sample], theta: Floats) -> float:
    """−∞ where an implied covariance matrix is not positive definite."""
    total = 0.0
    for layout, sample in zip(model.layouts, samples, strict=True):
        try:
            state = layout.at(theta)
        except np.linalg.LinAlgError:
            return -np.inf
        mu: Array = state.mu if model.means else sample.mean
        for part in sample.parts:
            total += part.n * _normal(part, state.sigma, mu)
    return total


def _normal(part: Part, sigma: Floats, mu: Floats) -> float:
    """Mean log density of the rows of one part."""
    inner = sigma[np.ix_(part.known, part.known)]
    try:
        root = np.linalg.cholesky(inner)
    except np.linalg.LinAlgError:
        return -np.inf
    if not np.isfinite(root).all():
        return -np.inf
    # Not scipy's triangular solver: on matrices this small its threads cost a hundred times the work.
    back = np.linalg.inv(root)
    away = back @ (part.mean - mu[part.known])
    white = back @ part.s @ back.T
    size = len(inner)
    value = size * np.log(2 * np.pi) + 2 * np.log(np.diag(root)).sum() + np.trace(white) + away @ away
    return -0.5 * float(value)


def gradient(model: Model, samples: Sequence[Sample], theta: Array) -> Array:
    """Of the log likelihood; takes complex parameters too."""
    found = np.zeros(model.k, dtype=theta.dtype)
    for layout, sample in zip(model.layouts, samples, strict=True):
        state = layout.at(theta)
        mu = state.mu if model.means else sample.mean
        for part in sample.parts:
            inverse = np.linalg.inv(state.sigma[np.ix_(part.known, part.known)])
            away = part.mean - mu[part.known]
            u = inverse @ away
            w = inverse @ (part.s + np.outer(away, away)) @ inverse - inverse
            if not model.means:
                u = np.zeros_like(u)
            found += part.n * layout.gathered(layout.slopes(state, part.known, w, u))
    return found


def hessian(model: Model, samples: Sequence[Sample], theta: Floats) -> Floats:
    """Of the log likelihood, times −1: the observed information."""
    found = np.empty((model.k, model.k))
    for i in range(model.k):
        moved = theta.astype(complex)
        moved[i] += 1j * STEP
        found[i] = -np.imag(gradient(model, samples, moved)) / STEP
    return (found + found.T) / 2


def expected(model: Model, samples: Sequence[Sample], theta: Floats) -> Floats:
    """The expected information."""
    found = np.zeros((model.k, model.k))
    for layout, sample in zip(model.layouts, samples, strict=True):
        state = layout.at(theta)
        for part in sample.parts:
            root = np.linalg.inv(np.linalg.cholesky(state.sigma[np.ix_(part.known, part.known)]))
            cells = layout.information(state, part.known, root, model.means)
            found += part.n * layout.gathered(layout.gathered(cells).T)
    return found


def scores(model: Model, samples: Sequence[Sample], theta: Floats) -> Floats:
    """Gradient of each row's log density (complete rows), rows × parameters."""
    found = []
    for layout, sample in zip(model.layouts, samples, strict=True):
        state = layout.at(theta)
        mu = state.mu if model.means else sample.mean
        gaps, owner = np.unique(np.isnan(sample.rows), axis=0, return_inverse=True)
        values = np.zeros((len(sample.rows), model.k))
        for i, gone in enumerate(gaps):
            known = ~gone
            if not known.any():
                continue
            mine = owner.reshape(-1) == i
            inverse = np.linalg.inv(state.sigma[np.ix_(known, known)])
            u = (sample.rows[mine][:, known] - mu[known]) @ inverse
            e, g = state.e[known], state.g[: model.p][known]
            by_e, z = u @ e, np.hstack((u @ e, u @ g))
            whole = e.T @ inverse @ np.hstack((e, g))
            cells = (z[:, layout.left] * z[:, layout.right] - whole[layout.rows, layout.right]) * layout.half
            cells[:, layout.m] = 0
            if model.means:
                cells[:, layout.m] += by_e[:, layout.rows[layout.m]]
                cells[:, layout.a] += by_e[:, layout.rows[layout.a]] * state.levels[layout.cols[layout.a]]
            values[mine] = layout.gathered(cells.T).T
        found.append(values)
    return np.vstack(found)


# ---- the search ----------------------------------------------------------------------------------------------------
def estimate(
    model: Model,
    samples: Sequence[Sample],
    start: Floats | None = None,
    polish: bool = True,
) -> Fit:
    """Raises `Unconverged`. `polish=False`: a bootstrap sample, where ten digits are plenty."""
    held = list(samples)

    def value(theta: Floats) -> float:
        return loglik(model, held, theta)

    def slope(theta: Array) -> Array:
        return gradient(model, held, theta)

    def information(theta: Floats) -> Floats:
        return expected(model, held, theta)

    n = sum(sample.n for sample in held)
    theta, rounds = climb(model.start if start is None else start, value, slope, information, n, polish)
    return _finished(model, held, theta, rounds)


def climb(
    start: Floats,
    value: Callable[[Floats], float],
    slope: Callable[[Array], Array],
    information: Callable[[Floats], Floats],
    n: int,
    polish: bool = True,
) -> tuple[Floats, int]:
    """Where `value` is greatest, and after how many rounds. Raises `Unconverged`."""
    theta = start.copy()
    if theta.size == 0:
        return theta, 0
    now = value(theta)
    if not np.isfinite(now):
        raise Unconverged
    rounds, near = 0, False
    for rounds in range(1, ROUNDS + 1):
        down = slope(theta)
        step = _solved(information(theta), down)
        gain = float(down @ step) / n
        if gain < (CLOSE if polish else 1e-11):
            near = True
            break
        if polish and gain < 1e-4 and rounds > 4:
            near = True
            break
        share = 1.0
        while share > 1e-6:
            tried = theta + share * step
            then = value(tried)
            if np.isfinite(then) and then > now - 1e-12 * abs(now):
                break
            share /= 2
        else:
            near = gain < 1e-8
            break
        theta, now = tried, then
    if polish:
        theta, near = _newton(theta, value, slope, n)
    if not near:
        raise Unconverged
    return theta, rounds


def _newton(theta: Floats, value: Any, slope: Any, n: int) -> tuple[Floats, bool]:
    now = value(theta)
    for _ in range(200):
        down = slope(theta)
        curved = np.empty((len(theta), len(theta)))
        for i in range(len(theta)):
            moved = theta.astype(complex)
            moved[i] += 1j * STEP
            curved[i] = -np.imag(slope(moved)) / STEP
        curved = (curved + curved.T) / 2
        size = np.sqrt(np.maximum(np.abs(np.diag(curved)), 1e-300))
        values, vectors = np.linalg.eigh(curved / np.outer(size, size))
        # Along directions that are not downhill yet the curvature is turned, so that every step climbs.
        step = vectors @ ((vectors.T @ (down / size)) / np.maximum(np.abs(values), 1e-9)) / size
        gain = float(down @ step) / n
        if abs(gain) < 1e-22:
            return theta, bool(values[0] > -1e-6)
        share = 1.0
        while share > 1e-8:
            then = value(theta + share * step)
            if np.isfinite(then) and then >= now - 1e-11 * max(1.0, abs(now)):
                break
            share /= 2
        else:
            return theta, abs(gain) < 1e-10
        theta, now = theta + share * step, then
        if abs(gain) < 1e-18:
            return theta, bool(values[0] > -1e-6)
    return theta, False


def _solved(information: Floats, down: Floats) -> Floats:
    size = np.sqrt(np.maximum(np.diag(information), 1e-300))
    scaled = information / np.outer(size, size)
    try:
        found: Array = np.linalg.solve(scaled + 1e-12 * np.eye(len(scaled)), down / size) / size
    except np.linalg.LinAlgError:
        found = np.linalg.lstsq(scaled, down / size, rcond=1e-10)[0] / size
    return found


def _finished(model: Model, samples: list[Sample], theta: Floats, rounds: int) -> Fit:
    value = loglik(model, samples, theta)
    n = sum(sample.n for sample in samples)
    return Fit(model, samples, theta, value, -2 * value / n, rounds)


def require_identified(model: Model, samples: Sequence[Sample], at: Floats | None = None) -> None:
    """Raises `Unidentified` where Σ does not change along some direction, at a point near the start."""
    if model.k == 0:
        return
    theta = model.start if at is None else at
    if at is None:
        # Away from zeros, at which a model can look worse than it is.
        theta = theta * (1 + 0.1 * np.sin(np.arange(model.k) * 1.7 + 1)) + 0.03 * np.cos(np.arange(model.k) * 2.3)
    found = np.zeros((model.k, model.k))
    for layout, sample in zip(model.layouts, samples, strict=True):
        root = np.diag(1 / np.sqrt(np.diag(sample.s)))
        cells = layout.information(layout.at(theta), np.ones(model.p, dtype=bool), root, model.means)
        found += layout.gathered(layout.gathered(cells).T)
    size = np.sqrt(np.maximum(np.diag(found), 1e-300))
    values, vectors = np.linalg.eigh(found / np.outer(size, size))
    lost = values < 1e-9
    if not lost.any():
        return
    weight = np.abs(vectors[:, lost]).max(axis=1)
    keys = [key for key, w in zip(model.keys, weight, strict=True) if w > 0.05]
    raise Unidentified(keys)
