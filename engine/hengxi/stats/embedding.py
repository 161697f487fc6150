"""How well a picture of few dimensions keeps neighbours: trustworthiness, continuity, shared neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from hengxi.stats.moments import Floats
from hengxi.stats.partition import Codes

EXACT_ROWS = 1500
STEPS, CLOSE = 200, 1e-12


@dataclass(frozen=True)
class Kept:
    """`trust`, `continuity` (Venna & Kaski, 2001): 1 − 2/(nk(2n − 3k − 1)) · Σ(rank − k) of the neighbours that are so
    in the picture alone (trust) or in the data alone (continuity). `shared`: mean share of the k neighbours of the data
    that are neighbours in the picture too. `k`: how many neighbours."""

    trust: float
    continuity: float
    shared: float
    k: int


def kept(u: Floats, y: Floats, metric: str, k: int = 12) -> Kept:
    """`u`: rows × variables, `y`: rows × dimensions. Of equal distances the earlier row is the nearer one."""
    n = len(u)
    k = min(k, max(1, (n - 1) // 2))
    trust = continuity = shared = 0.0
    # Blocks of rows: all ranks of 20,000 rows at once would take 3 GB.
    size = max(1, 4_000_000 // n)
    for first in range(0, n, size):
        rows = np.arange(first, min(n, first + size), dtype=np.int64)
        high, low = _ranks(u, rows, metric), _ranks(y, rows, "euclidean")
        trust += float(np.maximum(high - k, 0)[low <= k].sum())
        continuity += float(np.maximum(low - k, 0)[high <= k].sum())
        shared += float(((high <= k) & (low <= k)).sum())
    scale = 2 / (n * k * (2 * n - 3 * k - 1))
    return Kept(1 - scale * trust, 1 - scale * continuity, shared / (n * k), k)


def _ranks(x: Floats, rows: Codes, metric: str) -> Codes:
    """Of all rows as neighbours of each of `rows`: 1 for the nearest; a row itself gets n."""
    distances = np.asarray(cdist(x[rows], x, metric))
    distances[np.arange(len(rows)), rows] = np.inf
    order = np.argsort(np.round(distances, 12), axis=1, kind="stable")
    ranks = np.empty(order.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, np.arange(1, x.shape[0] + 1)[None, :], axis=1)
    return np.asarray(ranks)


def tsne_divergence(u: Floats, y: Floats, metric: str, perplexity: float) -> float:
    """KL(P‖Q) over all pairs (van der Maaten & Hinton, 2008); bandwidths by bisection on the entropy."""
    n = len(u)
    near = _affinities(cdist(u, u, metric) ** 2, perplexity)
    p = np.maximum((near + near.T) / (2 * n), 1e-300)
    q = 1 / (1 + cdist(y, y, "sqeuclidean"))
    np.fill_diagonal(q, 0)
    q = np.maximum(q / q.sum(), 1e-300)
    return float((p * np.log(p / q))[~np.eye(n, dtype=bool)].sum())


def _affinities(squared: Floats, perplexity: float) -> Floats:
    """Row i: p(j|i) ∝ exp(−β d²), β such that the entropy is ln(perplexity)."""
    n, target = len(squared), np.log(perplexity)
    others = squared + np.where(np.eye(n, dtype=bool), np.inf, 0)
    others = others - others.min(axis=1, keepdims=True)
    low, high = np.zeros(n), np.full(n, np.inf)
    beta = 1 / np.maximum(np.where(np.isfinite(others), others, 0).mean(axis=1), 1e-300)
    for _ in range(STEPS):
        weight = np.exp(-beta[:, None] * others)
        total = weight.sum(axis=1)
        spread = (weight * np.where(np.isfinite(others), others, 0)).sum(axis=1) / total
        entropy = np.log(total) + beta * spread
        if np.abs(entropy - target).max() < CLOSE:
            break
        wide = entropy > target
        low, high = np.where(wide, beta, low), np.where(wide, high, beta)
        beta = np.where(np.isinf(high), beta * 2, (low + high) / 2)
    weight = np.exp(-beta[:, None] * others)
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))
