"""Multidimensional scaling: classical (Torgerson), and by majorisation (SMACOF, De Leeuw 1977), metric or ordinal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hengxi.stats.correspondence import sign_of
from hengxi.stats.moments import Floats

ITERATIONS, STILL = 3000, 1e-13


@dataclass(frozen=True)
class Scaling:
    """`points`: objects × dimensions on principal axes; `fitted`: disparities of the pairs (i < j); `stress` is
    Kruskal's stress-1."""

    points: Floats
    fitted: Floats
    distances: Floats
    stress: float


def classical(d: Floats, dims: int) -> tuple[Floats, Floats]:
    """Points, and all eigenvalues of the doubly centred −d²/2 from large to small."""
    n = len(d)
    centre = np.eye(n) - 1 / n
    values, vectors = np.linalg.eigh(centre @ (-(d**2) / 2) @ centre)
    values, vectors = values[::-1], vectors[:, ::-1]
    points = vectors[:, :dims] * np.sqrt(np.maximum(values[:dims], 0))
    return points * sign_of(points), values


def distances(points: Floats) -> Floats:
    i, j = np.triu_indices(len(points), 1)
    found: Floats = np.sqrt(((points[i] - points[j]) ** 2).sum(axis=1))
    return found


def stress_of(fitted: Floats, found: Floats) -> float:
    return float(np.sqrt(((fitted - found) ** 2).sum() / (found**2).sum()))


def rising(order: Floats, found: Floats) -> Floats:
    """Monotone regression of distances on dissimilarities; ties may be torn (Kruskal's primary approach)."""
    place = np.lexsort((found, order))
    sums, sizes = list[float](), list[int]()
    for value in found[place]:
        sums.append(float(value))
        sizes.append(1)
        while len(sums) > 1 and sums[-2] * sizes[-1] > sums[-1] * sizes[-2]:
            total, size = sums.pop(), sizes.pop()
            sums[-1] += total
            sizes[-1] += size
    out = np.empty_like(found)
    out[place] = np.repeat(np.array(sums) / np.array(sizes), sizes)
    return out


def smacof(d: Floats, start: Floats, ordinal: bool) -> Scaling:
    """From one start; disparities keep the sum of squares of n(n − 1)/2 pairs, so that stress-1 is scale-free."""
    n = len(d)
    i, j = np.triu_indices(n, 1)
    given = d[i, j]
    x = start - start.mean(axis=0)
    before = np.inf
    fitted = given
    for _ in range(ITERATIONS):
        found = distances(x)
        if ordinal:
            fitted = rising(given, found)
            fitted = fitted * np.sqrt(len(given) / max(float((fitted**2).sum()), 1e-300))
        now = float(((fitted - found) ** 2).sum())
        if before - now < STILL * max(1e-300, float((fitted**2).sum())) and before < np.inf:
            break
        before = now
        ratio = np.divide(fitted, found, out=np.zeros_like(found), where=found > 1e-300)
        b = np.zeros((n, n))
        b[i, j] = b[j, i] = -ratio
        b[np.arange(n), np.arange(n)] = -b.sum(axis=1)
        x = b @ x / n
    _, _, axes = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
    x = (x - x.mean(axis=0)) @ axes.T
    x = x * sign_of(x)
    found = distances(x)
    # The best scale of the disparities for these distances, so that stress-1 is at its minimum over the scale.
    fitted = rising(given, found) if ordinal else given * float(given @ found) / float(given @ given)
    return Scaling(x, fitted, found, stress_of(fitted, found))


def best_of(d: Floats, dims: int, ordinal: bool, starts: int, rng: np.random.Generator) -> Scaling:
    """The classical start and random ones; the least stress, the first of those that tie."""
    first, _ = classical(d, dims)
    scale = float(np.sqrt((d**2).mean())) or 1.0
    found = [smacof(d, first, ordinal)]
    for _ in range(starts - 1):
        found.append(smacof(d, rng.standard_normal((len(d), dims)) * scale, ordinal))
    return min(found, key=lambda one: round(one.stress, 9))
