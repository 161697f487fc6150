"""Segments of rows of numbers and categories: k-prototypes, Ward, stability, and linear functions that tell them apart.

All work in one space: numbers as z scores, each category as indicators times √(γ/2), so that two different levels are
γ apart in squared distance, as in Huang's (1998) measure of mixed data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hengxi.stats.moments import Floats
from hengxi.stats.partition import Codes, Partition, settle

GAMMA = 0.5
"""Huang (1998): about half the standard deviation of the numbers, which is 1."""
ROUNDS, STARTS = 200, 50


def prototypes(u: Floats, numbers: int, sizes: list[int], k: int, starts: int, rng: np.random.Generator) -> Partition:
    """Huang's k-prototypes: means of the first `numbers` columns, most frequent levels of the categories after them.

    The least total distance of so many starts from random rows; ties of levels go to the first."""
    best: tuple[float, Codes] | None = None
    norms = (u * u).sum(axis=1)
    for _ in range(starts):
        centres = u[rng.choice(len(u), k, replace=False)]
        labels = np.full(len(u), -1, dtype=np.int64)
        for _ in range(ROUNDS):
            away = norms[:, None] - 2 * u @ centres.T + (centres * centres).sum(axis=1)
            moved = away.argmin(axis=1)
            if (moved == labels).all():
                break
            labels = moved
            centres = _prototypes(u, numbers, sizes, labels, centres)
        cost = float(away[np.arange(len(u)), labels].sum())
        if best is None or cost < best[0] - 1e-9:
            best = cost, labels
    assert best is not None
    return settle(u, best[1], k, starts)


def _prototypes(u: Floats, numbers: int, sizes: list[int], labels: Codes, before: Floats) -> Floats:
    k = len(before)
    marks = np.eye(k)[labels]
    n = marks.sum(axis=0)
    sums = marks.T @ u
    centres = before.copy()
    held = n > 0
    centres[held, :numbers] = sums[held, :numbers] / n[held, None]
    start = numbers
    for size in sizes:
        part = np.zeros((k, size))
        part[np.arange(k), np.round(sums[:, start : start + size], 9).argmax(axis=1)] = np.sqrt(GAMMA / 2)
        centres[held, start : start + size] = part[held]
        start += size
    return centres


def ward(u: Floats, ks: list[int]) -> dict[int, Partition]:
    """Ward's (1963) tree of the rows in their order, cut at each number of segments."""
    from scipy.cluster.hierarchy import cut_tree, linkage

    tree = linkage(u, "ward")
    cuts = cut_tree(tree, n_clusters=ks)
    return {k: settle(u, cuts[:, i].astype(np.int64), k) for i, k in enumerate(ks)}


def adjusted_rand(a: Codes, b: Codes) -> float:
    """Hubert & Arabie (1985)."""
    table = np.zeros((int(a.max()) + 1, int(b.max()) + 1))
    np.add.at(table, (a, b), 1)

    def pairs(x: Floats) -> float:
        return float((x * (x - 1)).sum()) / 2

    both, rows, columns = pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0))
    chance = rows * columns / pairs(np.array([a.size]))
    most = (rows + columns) / 2
    return 1.0 if most == chance else (both - chance) / (most - chance)


def nearest(u: Floats, centres: Floats) -> Codes:
    away = (centres * centres).sum(axis=1) - 2 * u @ centres.T
    found: Codes = away.argmin(axis=1).astype(np.int64)
    return found


def stability(
    n: int,
    times: int,
    rng: np.random.Generator,
    again: Callable[[Codes], list[Codes]],
    of: list[Codes],
    go_on: Callable[[int], bool],
) -> list[float]:
    """Mean adjusted Rand index of `of` against what resamples of the rows give all rows (Dolnicar & Leisch, 2010)."""
    sums, done = np.zeros(len(of)), 0
    for _ in range(times):
        made = again(rng.integers(0, n, n))
        sums += [adjusted_rand(a, b) for a, b in zip(of, made, strict=True)]
        done += 1
        if not go_on(done):
            break
    return [float(one) for one in sums / max(done, 1)]


@dataclass(frozen=True, slots=True)
class Discriminant:
    """Fisher's classification functions: `weights` variables × classes, `constant` by class; shares told right."""

    weights: Floats
    constant: Floats
    apparent: float
    left_out: float


def discriminant(x: Floats, labels: Codes, k: int) -> Discriminant | None:
    """Priors are the shares of the classes; leaving one row out by downdating means and covariance, priors held.

    None where the pooled covariance is singular or a class has one row."""
    n = len(x)
    middle = x.mean(axis=0)
    x = x - middle
    sizes = np.bincount(labels, minlength=k).astype(float)
    means = np.array([x[labels == g].mean(axis=0) for g in range(k)])
    gaps = x - means[labels]
    pooled = gaps.T @ gaps
    scale = np.sqrt(np.diag(pooled))
    if sizes.min() < 2 or n - k < x.shape[1] + 2 or scale.min() <= 1e-9 * np.abs(x).max():
        return None
    if np.linalg.cond(pooled / np.outer(scale, scale)) > 1e10:
        return None
    inverse = np.linalg.inv(pooled)
    priors = np.log(sizes / n)
    weights = (inverse * (n - k)) @ means.T
    told = (x @ weights + priors - 0.5 * np.einsum("gj,jg->g", means, weights)).argmax(axis=1)
    apparent = float((told == labels).mean())
    # Without row i its class mean moves by −d/(m − 1), and the cross products lose m/(m − 1)·d dᵀ (Sherman & Morrison).
    m = sizes[labels]
    moved = gaps @ inverse
    lever = (m / (m - 1)) * np.einsum("ij,ij->i", gaps, moved)
    scores = np.empty((n, k))
    for g in range(k):
        d = x - means[g] + np.where(labels == g, 1 / (m - 1), 0.0)[:, None] * gaps
        plain = np.einsum("ij,ij->i", d @ inverse, d)
        across = np.einsum("ij,ij->i", d, moved)
        distance = plain + (m / (m - 1)) * across**2 / (1 - lever)
        scores[:, g] = priors[g] - 0.5 * (n - 1 - k) * distance
    weights = (inverse * (n - k)) @ (means + middle).T
    constant = priors - 0.5 * np.einsum("gj,jg->g", means + middle, weights)
    return Discriminant(weights, constant, apparent, float((scores.argmax(axis=1) == labels).mean()))
