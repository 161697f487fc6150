"""Distances and similarities between the rows of a table, and a map of them in two dimensions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from hengxi.stats.moments import Floats

SIMILAR = ("cosine", "pearson", "spearman", "jaccard", "dice", "simple_matching")
"""Measures that grow with likeness, at most 1; their distance is 1 − s."""
BINARY = ("jaccard", "dice", "simple_matching")


class SingularError(Exception):
    """The covariance of the variables has no inverse."""


class Proximity:
    """`x`: objects × features. `of(rows)`: the measure between these rows and all (rows × objects)."""

    def __init__(self, x: Floats, measure: str, p: float = 2.0) -> None:
        self.x, self.measure, self.p = x, measure, p
        self.inverse: Floats | None = None
        if measure == "mahalanobis":
            covariance = np.atleast_2d(np.cov(x, rowvar=False))
            scale = np.sqrt(np.diag(covariance))
            if x.shape[0] <= x.shape[1] or (scale == 0).any():
                raise SingularError
            r = covariance / np.outer(scale, scale)
            if np.linalg.cond(r) > 1e12:
                raise SingularError
            self.inverse = np.linalg.inv(r) / np.outer(scale, scale)
        if measure == "spearman":
            self.x = np.apply_along_axis(_midranks, 1, x)

    def of(self, rows: slice) -> Floats:
        part, x = self.x[rows], self.x
        match self.measure:
            case "mahalanobis":
                return np.asarray(cdist(part, x, "mahalanobis", VI=self.inverse))
            case "minkowski":
                return np.asarray(cdist(part, x, "minkowski", p=self.p))
            case "cosine":
                return np.asarray(1 - cdist(part, x, "cosine"))
            case "pearson" | "spearman":
                return np.asarray(1 - cdist(part, x, "correlation"))
            case "jaccard" | "dice" | "simple_matching":
                both = part @ x.T
                one = part.sum(axis=1)[:, None] + x.sum(axis=1)[None, :] - 2 * both
                if self.measure == "simple_matching":
                    return np.asarray(1 - one / x.shape[1])
                top, whole = (both, both + one) if self.measure == "jaccard" else (2 * both, 2 * both + one)
                return np.asarray(np.divide(top, whole, out=np.zeros_like(top), where=whole > 0))
            case "chi2":
                return _chi2(part, x)
            case _:
                return np.asarray(cdist(part, x, self.measure))

    def whole(self) -> Floats:
        found = self.of(slice(None))
        found = (found + found.T) / 2
        np.fill_diagonal(found, 1.0 if self.measure in SIMILAR else 0.0)
        return found


def _midranks(row: Floats) -> Floats:
    _values, at, counts = np.unique(row, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2)[at.reshape(row.shape)], dtype=float)


def _chi2(part: Floats, x: Floats) -> Floats:
    """√χ² of the two rows as a table of counts (SPSS: chi-square measure)."""
    found = np.empty((part.shape[0], x.shape[0]))
    sums = x.sum(axis=1)
    for i, row in enumerate(part):
        own, total = float(row.sum()), float(row.sum()) + sums
        columns = row + x
        a, b = own * columns / total[:, None], sums[:, None] * columns / total[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.where(columns > 0, (row - a) ** 2 / a + (x - b) ** 2 / b, 0.0)
        found[i] = np.sqrt(parts.sum(axis=1))
    return found


def gower(columns: list[tuple[Floats, bool]], rows: slice) -> Floats:
    """1 − Gower's (1971) similarity; each column: its values, and whether they only are alike or not."""
    total: Floats | None = None
    for values, nominal in columns:
        part = values[rows][:, None]
        if nominal:
            apart = (part != values[None, :]).astype(float)
        else:
            reach = float(values.max() - values.min())
            apart = np.abs(part - values[None, :]) / (reach or 1.0)
        total = apart if total is None else total + apart
    assert total is not None
    return total / len(columns)


def plane(distances: Floats) -> tuple[Floats, float]:
    """Classical scaling (Torgerson 1952): objects × 2, and the share of the positive eigenvalues in these two."""
    n = len(distances)
    squared = distances**2
    centred = squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    order: NDArray[np.int64] = np.argsort(-values)[:2]
    kept = np.clip(values[order], 0, None)
    places = vectors[:, order] * np.sqrt(kept)
    for j in range(places.shape[1]):
        if places.shape[0] and places[np.abs(places[:, j]).argmax(), j] < 0:
            places[:, j] *= -1
    if places.shape[1] < 2:
        places = np.column_stack((places, np.zeros(n)))
    positive = float(values[values > 0].sum())
    return places, float(kept.sum()) / positive if positive > 0 else 0.0
