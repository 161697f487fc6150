"""Weights of indicators from the data alone, by formula: what weighting, rankings and questionnaires share.

Columns are indicators (n × m), without gaps, each with some spread unless a function says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from hengxi.stats.factor_rotation import rotate
from hengxi.stats.moments import Floats

SINGULAR = 1e-10
"""A smaller eigenvalue of a correlation matrix is 0 but for rounding: one indicator repeats others."""


def entropy(shares: Floats) -> Floats:
    """e_j = −Σ p ln p / ln n with 0·ln 0 = 0, of shares that sum to 1 in each column."""
    terms = np.where(shares > 0, shares * np.log(np.where(shares > 0, shares, 1.0)), 0.0)
    return np.asarray(-terms.sum(axis=0) / np.log(len(shares)))


def entropy_weights(values: Floats) -> tuple[Floats, Floats]:
    """Entropy and weight of each column of non-negative values: d = 1 − e, w = d/Σd."""
    entropies = entropy(values / values.sum(axis=0))
    gain = 1 - entropies
    return entropies, gain / gain.sum()


def correlations(values: Floats, rank: bool = False) -> Floats:
    """Pearson's, or Spearman's with `rank`."""
    x = np.stack([rankdata(column) for column in values.T], axis=1) if rank else values
    z = x - x.mean(axis=0)
    z = z / np.sqrt((z**2).sum(axis=0))
    return np.asarray(np.clip(z.T @ z, -1, 1))


def critic_parts(values: Floats, contrast: Floats, kind: str) -> tuple[Floats, Floats, Floats]:
    """Conflict Σ(1 − r), information = contrast × conflict, weight (Diakoulaki et al., 1995)."""
    r = correlations(values, kind == "spearman")
    conflict = (1 - (np.abs(r) if kind == "abs_pearson" else r)).sum(axis=1)
    information = contrast * conflict
    return conflict, information, information / information.sum()


def repeated(r: Floats) -> int | None:
    """Of a singular correlation matrix, the indicator that the others make up the most; None of a regular one."""
    values, vectors = np.linalg.eigh(r)
    return int(np.argmax(np.abs(vectors[:, 0]))) if values[0] < SINGULAR else None


def inflation(r: Floats) -> Floats:
    """VIF of each indicator on the others; `r` regular."""
    return np.asarray(np.maximum(np.diag(np.linalg.inv(r)), 1.0))


def multiple_correlations(vif: Floats) -> Floats:
    """R = √(1 − 1/VIF), with rounding taken for 0."""
    squared = 1 - 1 / vif
    return np.asarray(np.sqrt(np.where(squared < 1e-14, 0.0, squared)))


@dataclass(frozen=True, slots=True)
class Composite:
    """`values`: all eigenvalues, falling; of the k components kept: `loadings` (m × k, turned, sums positive), `power`
    (sums of squares), `own` = loadings/√power, and `coefficients` Σ power·own ÷ Σ power of each indicator."""

    values: Floats
    loadings: Floats
    power: Floats
    own: Floats
    coefficients: Floats


def composite(r: Floats, count: int | None, varimax: bool) -> Composite:
    """Coefficients of a score by explained variance; `count` None keeps eigenvalues above 1, at least one."""
    values, vectors = np.linalg.eigh(r)
    values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
    k = min(count or max(int((values > 1 + 1e-12).sum()), 1), int((values > SINGULAR).sum()))
    loadings = vectors[:, :k] * np.sqrt(values[:k])
    turned = rotate(loadings, "varimax").pattern if varimax and k > 1 else loadings
    turned = turned * np.where(turned.sum(axis=0) < 0, -1.0, 1.0)
    power = (turned**2).sum(axis=0)
    own = turned / np.sqrt(power)
    return Composite(values, turned, power, own, own @ power / power.sum())


def beaten(scores: Floats) -> Floats:
    """1 where the row's score is higher, 0.5 where equal but for rounding, 0 where lower; 0.5 on the diagonal."""
    rounded = np.round(scores, 12)
    higher, equal = rounded[:, None] > rounded[None, :], rounded[:, None] == rounded[None, :]
    return np.where(higher, 1.0, np.where(equal, 0.5, 0.0))
