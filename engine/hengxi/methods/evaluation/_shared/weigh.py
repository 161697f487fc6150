"""Weights from the data alone, by formula: entropy, CRITIC, variation; shared with the rankings."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import rankdata

from .indicators import Data, Floats, range_scaled, refuse_flat


def entropy(shares: Floats) -> Floats:
    """e_j = −Σ p ln p / ln n with 0·ln 0 = 0, of shares that sum to 1 in each column."""
    terms = np.where(shares > 0, shares * np.log(np.where(shares > 0, shares, 1.0)), 0.0)
    return np.asarray(-terms.sum(axis=0) / np.log(len(shares)))


def entropy_weights(values: Floats) -> tuple[Floats, Floats]:
    """Entropy and weight of each column of non-negative values: d = 1 − e, w = d/Σd."""
    found = entropy(values / values.sum(axis=0))
    gain = 1 - found
    return found, gain / gain.sum()


def correlations(values: Floats, rank: bool = False) -> Floats:
    x = np.stack([rankdata(column) for column in values.T], axis=1) if rank else values
    z = x - x.mean(axis=0)
    z = z / np.sqrt((z**2).sum(axis=0))
    return np.asarray(np.clip(z.T @ z, -1, 1))


def critic_parts(values: Floats, contrast: Floats, kind: str) -> tuple[Floats, Floats, Floats]:
    """Conflict Σ(1 − r), information = contrast × conflict, weight."""
    r = correlations(values, kind == "spearman")
    conflict = (1 - (np.abs(r) if kind == "abs_pearson" else r)).sum(axis=1)
    information = contrast * conflict
    return conflict, information, information / information.sum()


def by_source(data: Data, source: str) -> Floats:
    """Objective weights for a ranking, of the range-scaled indicators (极差法); `cv` of the raw ones."""
    scaled = range_scaled(data)
    refuse_flat(data, scaled)
    match source:
        case "entropy":
            return entropy_weights(scaled)[1]
        case "critic":
            return critic_parts(scaled, scaled.std(axis=0, ddof=1), "pearson")[2]
        case "cv":
            ratio = scaled.std(axis=0, ddof=1) / scaled.mean(axis=0)
            return np.asarray(ratio / ratio.sum())
    return np.full(data.m, 1 / data.m)


def settings_rows(data: Data, weights: Floats) -> list[dict[str, Any]]:
    """Weights as the setting of a ranking holds them."""
    return [{"for": one.column.id, "w": float(w)} for one, w in zip(data.indicators, weights, strict=True)]
