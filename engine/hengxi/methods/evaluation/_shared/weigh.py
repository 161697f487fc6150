"""Objective weights for a ranking by the source its form names, and weights as a setting of a ranking."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.stats.indicator_weights import critic_parts, entropy_weights

from .indicators import Data, Floats, range_scaled, refuse_flat


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
