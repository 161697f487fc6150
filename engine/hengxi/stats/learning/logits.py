"""Logistic models of two or more classes, with and without a penalty.

Minimised: Σ wᵢ·(−log p of the own class) + [(1 − r)·Σb²/2 + r·Σ|b|] / C, intercepts free of it. Two classes have one
set of coefficients, that of the second; more classes without a penalty have one for each but the first, with a penalty
one for each (all of them alike). Newton's method with halved steps; for |b| accelerated proximal steps (Beck & Teboulle
2009) find which columns stay, Newton's method then their coefficients.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Arrays
from hengxi.stats.learning.scaling import Scaling
from hengxi.stats.moments import Floats

SETTLED = 1e-10
FLAT = 1e-8
"""Mean loss below which the classes are told apart without a fault."""
MOST_UNKNOWNS = 1500
NEWTON = 60


@dataclass
class Logits:
    """`coefficients`: columns × classes on the columns' own scale, 0 of references; `here`: classes with rows.

    `covariance`: of the free coefficients in the order of `free` (places in the (1 + columns) × classes matrix).
    """

    coefficients: Floats
    intercept: Floats
    here: Any
    sds: Floats
    converged: bool = True
    perfect: bool = False
    free: Any = None
    covariance: Floats | None = None

    def answers(self, x: Floats) -> Floats:
        out = np.zeros((x.shape[0], self.intercept.size))
        out[:, self.here] = softmax((x @ self.coefficients + self.intercept)[:, self.here])
        return out

    def pack(self) -> Arrays:
        names = ("coefficients", "intercept", "here", "sds")
        return {f"logits.{name}": np.asarray(getattr(self, name)) for name in names}

    @classmethod
    def unpack(cls, arrays: Arrays) -> Logits:
        coefficients, intercept, here, sds = (
            arrays[f"logits.{name}"] for name in ("coefficients", "intercept", "here", "sds")
        )
        return cls(coefficients, intercept, here, sds)


def softmax(eta: Floats) -> Floats:
    share = np.exp(eta - eta.max(axis=1, keepdims=True))
    return np.asarray(share / share.sum(axis=1, keepdims=True))


@dataclass
class Problem:
    """Design with its constant first, classes as indicators, weights, and the two parts of the penalty."""

    x: Floats
    own: Floats
    w: Floats
    squared: float
    sized: float
    mask: Any
    """Coefficients that may differ from 0: (1 + columns) × classes."""

    def loss(self, b: Floats) -> float:
        eta = self.x @ b
        top = eta.max(axis=1)
        nll = top + np.log(np.exp(eta - top[:, None]).sum(axis=1)) - (eta * self.own).sum(axis=1)
        return float(self.w @ nll)

    def value(self, b: Floats) -> float:
        return self.loss(b) + 0.5 * self.squared * float((b[1:] ** 2).sum()) + self.sized * float(np.abs(b[1:]).sum())

    def slope(self, b: Floats) -> tuple[Floats, Floats]:
        """Gradient of the smooth part, and the probabilities."""
        p = softmax(self.x @ b)
        g = self.x.T @ (self.w[:, None] * (p - self.own))
        g[1:] += self.squared * b[1:]
        return np.asarray(np.where(self.mask, g, 0.0)), p

    def curvature(self, p: Floats, free: Any) -> Floats:
        """Second derivatives by the coefficients at `free`."""
        d, m = self.x.shape[1], p.shape[1]
        full = np.zeros((d, m, d, m))
        for c in range(m):
            for e in range(c, m):
                v = self.w * p[:, c] * ((c == e) - p[:, e])
                full[:, c, :, e] = full[:, e, :, c] = (self.x * v[:, None]).T @ self.x
        h = full.reshape(d * m, d * m)[np.ix_(free, free)]
        is_slope = np.repeat(np.arange(d) > 0, m)[free]
        return np.asarray(h + np.diag(self.squared * is_slope))


def learn(params: dict[str, Any], x: Floats, y: Any, weight: Floats | None, k: int, left_out: Any) -> Logits:
    """`params`: penalty (none, l2, l1, elastic), C, l1_ratio, max_iter, standardize; `y`: places of classes."""
    scaling = Scaling.learn(x, params["standardize"])
    used = np.setdiff1d(np.arange(x.shape[1]), left_out)
    here = np.unique(y)
    z = np.column_stack([np.ones(x.shape[0]), scaling.apply(x)[:, used]])
    problem = _problem(params, z, np.searchsorted(here, y), weight, here.size)
    b, converged = fit(problem, params["max_iter"])
    coefficients, intercept = np.zeros((x.shape[1], k)), np.zeros(k)
    slopes = b[1:] / scaling.sds[used][:, None]
    coefficients[np.ix_(used, here)] = slopes
    intercept[here] = b[0] - scaling.means[used] @ slopes
    if problem.mask[1:, 0].any():  # intercepts may be moved together: about 0, like the coefficients
        intercept[here] -= intercept[here].mean()
    perfect = params["penalty"] == "none" and problem.loss(b) < FLAT * float(problem.w.sum())
    model = Logits(coefficients, intercept, here, x.std(axis=0, ddof=1), converged, perfect)
    if params["penalty"] == "none" and not perfect:
        _information(model, problem, b, scaling, used)
    return model


def _problem(params: dict[str, Any], z: Floats, y: Any, weight: Floats | None, k: int) -> Problem:
    kind = params["penalty"]
    strength = 0.0 if kind == "none" else 1 / params["C"]
    ratio = {"none": 0.0, "l2": 0.0, "l1": 1.0}.get(kind, params["l1_ratio"] or 0.0)
    mask = np.ones((z.shape[1], k), dtype=bool)
    mask[0, 0] = False  # all intercepts may be moved together
    if k == 2 or strength == 0:
        mask[:, 0] = False
    w = np.ones(y.size) if weight is None else weight
    return Problem(z, np.eye(k)[y], w, strength * (1 - ratio), strength * ratio, mask)


def fit(problem: Problem, most: int) -> tuple[Floats, bool]:
    """The coefficients, and whether they have settled."""
    b = np.zeros(problem.mask.shape)
    if problem.sized == 0:
        return _newton(problem, b, problem.mask, np.zeros_like(b), min(most, NEWTON))
    b, settled = _proximal(problem, b, most)
    for _ in range(20):
        signs = np.sign(b)
        signs[0] = 0
        held = problem.mask & ((b != 0) | (np.arange(b.shape[0]) == 0)[:, None])
        exact, good = _newton(problem, b, held, problem.sized * signs, NEWTON)
        turned = np.sign(exact) != np.sign(b)
        turned[0] = False
        if not good or turned.any():
            return b, settled
        slope, _ = problem.slope(exact)
        outside = problem.mask & ~held & (np.abs(slope) > problem.sized * (1 + 1e-9))
        if not outside.any():
            return exact, True
        b, settled = _proximal(problem, exact, most)
    return b, settled


def _newton(problem: Problem, b: Floats, held: Any, pull: Floats, most: int) -> tuple[Floats, bool]:
    """Of the coefficients `held`; `pull` is the slope of |b| at fixed signs."""
    free = np.flatnonzero(held.ravel())
    if free.size > MOST_UNKNOWNS:
        return _quasi_newton(problem, b, held, pull, most)

    def value(at: Floats) -> float:
        return problem.loss(at) + 0.5 * problem.squared * float((at[1:] ** 2).sum()) + float((pull * at).sum())

    now = value(b)
    for _ in range(most):
        slope, p = problem.slope(b)
        h = problem.curvature(p, free)
        h[np.diag_indices_from(h)] += 1e-13 * max(float(np.abs(np.diag(h)).max()), 1e-300)
        moves = np.zeros(b.size)
        moves[free] = np.linalg.lstsq(h, (slope + pull).ravel()[free], rcond=1e-11)[0]
        step = moves.reshape(b.shape)
        share = 1.0
        while (then := value(b - share * step)) > now + 1e-12 * abs(now) and share > 1e-6:
            share /= 2
        b, now = b - share * step, then
        if np.abs(share * step).max() < SETTLED * (1 + np.abs(b).max()):
            return b, True
        if problem.squared == 0 and problem.sized == 0 and problem.loss(b) < FLAT * float(problem.w.sum()):
            return b, True
    return b, False


def _quasi_newton(problem: Problem, b: Floats, held: Any, pull: Floats, most: int) -> tuple[Floats, bool]:
    """Too many coefficients for a matrix of second derivatives."""
    from scipy.optimize import minimize

    def both(v: Floats) -> tuple[float, Floats]:
        at = np.where(held, v.reshape(b.shape), 0.0)
        value = problem.loss(at) + 0.5 * problem.squared * float((at[1:] ** 2).sum()) + float((pull * at).sum())
        return value, np.where(held, problem.slope(at)[0] + pull, 0.0).ravel()

    steps = {"maxiter": max(most, 1000), "ftol": 1e-14, "gtol": 1e-8}
    found = minimize(both, b.ravel(), jac=True, method="L-BFGS-B", options=steps)
    return np.where(held, found.x.reshape(b.shape), 0.0), bool(found.success)


def _proximal(problem: Problem, b: Floats, most: int) -> tuple[Floats, bool]:
    """Accelerated steps of one length, begun anew where they overshoot."""
    size = float(np.linalg.norm(problem.x * np.sqrt(problem.w)[:, None], 2)) ** 2
    length = 1 / (size * 0.5 + problem.squared)
    ahead, momentum = b, 1.0
    for _ in range(10 * most):
        slope, _ = problem.slope(ahead)
        moved = ahead - length * slope
        new = np.sign(moved) * np.maximum(np.abs(moved) - length * problem.sized, 0.0)
        new[0] = moved[0]
        new = np.where(problem.mask, new, 0.0)
        if np.abs(new - b).max() < 1e-9 * (1 + np.abs(new).max()):
            return new, True
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        if float(((ahead - new) * (new - b)).sum()) > 0:
            following, ahead = 1.0, new
        else:
            ahead = new + (momentum - 1) / following * (new - b)
        b, momentum = new, following
    return b, False


def _information(model: Logits, problem: Problem, b: Floats, scaling: Scaling, used: Any) -> None:
    """Covariance of intercepts and coefficients on the columns' own scale: the inverse information, moved back."""
    _, p = problem.slope(b)
    m = b.shape[1]
    free = np.flatnonzero(problem.mask.ravel())
    if free.size > MOST_UNKNOWNS:
        return
    h = problem.curvature(p, free)
    size = np.sqrt(np.maximum(np.diag(h), 1e-300))
    scaled = h / np.outer(size, size)
    if np.linalg.cond(scaled) > 1e13:
        return
    inverse = np.linalg.inv(scaled) / np.outer(size, size)
    back = np.diag(np.append(1.0, 1 / scaling.sds[used]))
    back[0, 1:] = -scaling.means[used] / scaling.sds[used]
    moved = np.kron(back, np.eye(m))[np.ix_(free, free)]
    model.free, model.covariance = free, moved @ inverse @ moved.T
