"""Few new variables for many: what each reduction learns of training rows, and the scores of any rows by it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hengxi.contract.columns import Floats
from hengxi.stats.factor_extraction import positive, principal_axes

NOTHING = 1e-12
"""An eigenvalue below this share of the largest is what rounding left over of zero."""
BLOCK = 2000
POLY_DEGREE = 3


class SingularError(Exception):
    """Some variable follows from the others."""


@dataclass(frozen=True)
class Space:
    """`values`: all eigenvalues by falling size, those of zero left out; `total`: what their shares refer to."""

    values: Floats
    total: float
    build: Callable[[int], Projection]

    @property
    def shares(self) -> Floats:
        return np.asarray(self.values / self.total)


@dataclass(frozen=True)
class Projection:
    """`loadings` and `coefficients` are variables × components; a kernel has no coefficients.

    `scores(x)`: rows × components, x without gaps.
    """

    loadings: Floats
    coefficients: Floats | None
    scores: Callable[[Floats], Floats]


def standard(x: Floats, correlation: bool) -> tuple[Floats, Floats]:
    """Centre and scale of each variable (n − 1); scale 1 with covariances."""
    return x.mean(axis=0), x.std(axis=0, ddof=1) if correlation else np.ones(x.shape[1])


def correlations(x: Floats, y: Floats) -> Floats:
    """Columns of x with columns of y; 0 where one does not vary."""
    a, b = x - x.mean(axis=0), y - y.mean(axis=0)
    size = np.outer(np.linalg.norm(a, axis=0), np.linalg.norm(b, axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(size > 0, np.clip(a.T @ b / size, -1, 1), 0.0)


def _linear(x: Floats, weights: Floats, center: Floats, scale: Floats) -> Projection:
    """Signs by the correlations with the variables: the largest of each component is positive."""
    raw = correlations(x, (x - center) / scale @ weights)
    signs = np.where(np.sum(raw * positive(raw), axis=0) < 0, -1.0, 1.0)
    weights = weights * signs
    return Projection(raw * signs, weights, lambda rows: (rows - center) / scale @ weights)


def _falling(matrix: Floats) -> tuple[Floats, Floats]:
    values, vectors = np.linalg.eigh(matrix)
    values, vectors = values[::-1], vectors[:, ::-1]
    keep = values > NOTHING * len(values) * max(float(values[0]), 0.0)
    return values[keep], vectors[:, keep]


def components(x: Floats, correlation: bool) -> Space:
    """Principal components: scores z·v, whose variance is the eigenvalue (as R's prcomp)."""
    center, scale = standard(x, correlation)
    z = (x - center) / scale
    values, vectors = _falling(z.T @ z / (len(x) - 1))
    total = float(np.sum(z**2)) / (len(x) - 1)
    return Space(values, total, lambda k: _linear(x, vectors[:, :k], center, scale))


def truncated(x: Floats) -> Space:
    """Singular values of the data as they are, not centred; eigenvalues are their squares."""
    values, vectors = _falling(x.T @ x)
    nothing, ones = np.zeros(x.shape[1]), np.ones(x.shape[1])
    return Space(values, float(np.sum(x**2)), lambda k: _linear(x, vectors[:, :k], nothing, ones))


def factors(x: Floats) -> Space:
    """Principal axes, not rotated, scores by regression (Thurstone); eigenvalues are those of the correlations."""
    center, scale = standard(x, True)
    z = (x - center) / scale
    r = z.T @ z / (len(x) - 1)
    np.fill_diagonal(r, 1.0)
    values, _ = _falling(r)
    if len(values) < len(r) or values[-1] < 1e-10:
        raise SingularError

    def build(k: int) -> Projection:
        loadings = principal_axes(r, k).loadings
        weights = np.asarray(np.linalg.solve(r, loadings), dtype=np.float64)
        return Projection(loadings, weights, lambda rows: (rows - center) / scale @ weights)

    return Space(values, float(len(r)), build)


def discriminants(x: Floats, codes: Floats) -> Space:
    """Fisher's: within groups the scores are uncorrelated with variance 1; eigenvalues of W⁻¹B."""
    groups = np.unique(codes)
    means = np.array([x[codes == g].mean(axis=0) for g in groups])
    sizes = np.array([int((codes == g).sum()) for g in groups])
    inner = x - means[np.searchsorted(groups, codes)]
    spread = np.sqrt(np.sum(inner**2, axis=0))
    if (spread <= NOTHING * np.abs(x).max(axis=0)).any() or len(x) <= len(groups):
        raise SingularError
    w = (inner / spread).T @ (inner / spread)
    inner_values, inner_vectors = np.linalg.eigh(w)
    if inner_values[0] < 1e-10:
        raise SingularError
    whiten = inner_vectors / np.sqrt(inner_values) / spread[:, None]
    center = x.mean(axis=0)
    between = (means - center) @ whiten
    values, vectors = _falling((between * sizes[:, None]).T @ between)
    values, vectors = values[: len(groups) - 1], vectors[:, : len(groups) - 1]
    weights = whiten @ vectors * np.sqrt(len(x) - len(groups))
    ones = np.ones(x.shape[1])
    return Space(values, float(values.sum()), lambda k: _linear(x, weights[:, :k], center, ones))


def kernels(x: Floats, correlation: bool, kernel: str) -> Space:
    """Kernel components (Schölkopf et al., 1998) with γ = 1/p; a training row scores √λ times its eigenvector."""
    center, scale = standard(x, correlation)
    z = (x - center) / scale

    def alike(rows: Floats) -> Floats:
        """Rows × training rows."""
        if kernel == "rbf":
            away = np.sum(rows**2, axis=1)[:, None] + np.sum(z**2, axis=1)[None, :] - 2 * rows @ z.T
            return np.asarray(np.exp(-np.maximum(away, 0) / x.shape[1]))
        if kernel == "poly":
            return np.asarray((rows @ z.T / x.shape[1] + 1) ** POLY_DEGREE)
        lengths = [np.maximum(np.linalg.norm(one, axis=1), np.finfo(float).tiny) for one in (rows, z)]
        return np.asarray((rows / lengths[0][:, None]) @ (z / lengths[1][:, None]).T)

    k = alike(z)
    by_row, whole = k.mean(axis=1), float(k.mean())
    values, vectors = _falling(k - by_row[:, None] - by_row[None, :] + whole)

    def build(m: int) -> Projection:
        weights = vectors[:, :m] / np.sqrt(values[:m])

        def scores(rows: Floats) -> Floats:
            found = np.empty((len(rows), m))
            for at in range(0, len(rows), BLOCK):
                near = alike((rows[at : at + BLOCK] - center) / scale)
                found[at : at + BLOCK] = (near - near.mean(axis=1)[:, None] - by_row[None, :] + whole) @ weights
            return found

        raw = correlations(x, scores(x))
        signs = np.where(np.sum(raw * positive(raw), axis=0) < 0, -1.0, 1.0)
        return Projection(raw * signs, None, lambda rows: scores(rows) * signs)

    return Space(values, float(values.sum()), build)


def retained(space: Space, rule: str, share: float, fixed: int, average: float | None = None) -> int:
    """How many components: eigenvalues above the average one, the cumulated share, or a fixed number. At least 1."""
    if rule == "fixed":
        return min(fixed, len(space.values))
    if rule == "eigen":
        least = float(space.values.mean()) if average is None else average
        return max(1, int((space.values > least * (1 + 1e-10)).sum()))
    return min(len(space.values), int(np.searchsorted(np.cumsum(space.shares), share - 1e-12)) + 1)
