"""How much of R² each of several correlated regressors carries, from their correlations alone.

`r` is the correlation matrix of the p regressors and, last, the outcome; stacks of matrices (B × (p+1) × (p+1)) are
worked on together, as a bootstrap needs them. Subsets are bit masks, regressor j is bit j.
"""

from __future__ import annotations

from math import comb

import numpy as np

from hengxi.stats.moments import Floats

MOST_LMG = 15
"""Beyond this the 2^p subsets take too long."""
CELLS = 1 << 22


def all_r2(r: Floats) -> Floats:
    """R² of every subset: B × 2^p, of regressors none of which is a sum of others.

    Each subset is reached once, by sweeping its regressors in order.
    """
    count, p = r.shape[0], r.shape[1] - 1
    found = np.zeros((count, 1 << p))

    def sweep(rest: Floats, first: int, mask: int, so_far: Floats) -> None:
        # `rest`: covariances of regressors first … p − 1 and the outcome, given those of the mask.
        for j in range(p - first):
            own = rest[:, j, j]
            here = mask | 1 << (first + j)
            found[:, here] = so_far + rest[:, j, -1] ** 2 / own
            if first + j + 1 < p:
                later = rest[:, j + 1 :, j]
                part = later[:, :, None] * (later / own[:, None])[:, None, :]
                sweep(rest[:, j + 1 :, j + 1 :] - part, first + j + 1, here, found[:, here])

    sweep(r, 0, 0, np.zeros(count))
    return found


def lmg(r: Floats) -> Floats:
    """B × p: the gain of each regressor averaged over all orders (Lindeman, Merenda & Gold 1980; Shapley)."""
    p = r.shape[1] - 1
    step = max(1, CELLS >> p)
    return np.vstack([_lmg(r[i : i + step]) for i in range(0, len(r), step)])


def _lmg(r: Floats) -> Floats:
    p = r.shape[1] - 1
    r2 = all_r2(r)
    masks = np.arange(1 << p)
    sizes = np.array([int(mask).bit_count() for mask in masks])
    weights = np.array([1 / (p * comb(p - 1, size)) if size < p else 0.0 for size in range(p + 1)])
    made = np.empty((len(r), p))
    for j in range(p):
        without = masks[(masks >> j & 1) == 0]
        made[:, j] = (r2[:, without | 1 << j] - r2[:, without]) @ weights[sizes[without]]
    return made


def relative_weights(r: Floats) -> Floats:
    """B × p: Johnson's (2000) weights, through the orthogonal variables nearest to the regressors."""
    values, vectors = np.linalg.eigh(r[:, :-1, :-1])
    values = np.maximum(values, 1e-14)
    root = (vectors * np.sqrt(values)[:, None, :]) @ vectors.transpose(0, 2, 1)
    inverse = (vectors / np.sqrt(values)[:, None, :]) @ vectors.transpose(0, 2, 1)
    beta = (inverse @ r[:, :-1, -1:])[:, :, 0]
    return np.asarray(((root**2) @ (beta**2)[:, :, None])[:, :, 0])


def betas(r: Floats) -> Floats:
    """B × p: standardised coefficients."""
    return np.asarray(np.linalg.solve(r[:, :-1, :-1], r[:, :-1, -1:])[:, :, 0])


def conditional(r2: Floats, p: int) -> Floats:
    """p × p: mean gain of regressor j (rows) beside k others (columns), of one matrix's R²."""
    masks = np.arange(1 << p)
    sizes = np.array([int(mask).bit_count() for mask in masks])
    made = np.empty((p, p))
    for j in range(p):
        without = masks[(masks >> j & 1) == 0]
        gain = r2[without | 1 << j] - r2[without]
        made[j] = [gain[sizes[without] == k].mean() for k in range(p)]
    return made


def dominates(r2: Floats, p: int, i: int, j: int) -> bool:
    """Does i add more than j beside every subset of the others (complete dominance)?"""
    masks = np.arange(1 << p)
    others = masks[((masks >> i & 1) == 0) & ((masks >> j & 1) == 0)]
    return bool((r2[others | 1 << i] - r2[others | 1 << j] > 1e-12).all())
