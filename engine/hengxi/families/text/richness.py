"""How varied the words of a text are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

WINDOW = 50


@dataclass(frozen=True)
class Richness:
    tokens: int
    types: int
    ttr: float
    mattr: float | None
    yule: float
    honore: float | None


def richness(codes: np.ndarray[Any, Any]) -> Richness:
    """`mattr` None below fifty words; `honore` None where every word stands once."""
    n = len(codes)
    counts = np.unique(codes, return_counts=True)[1]
    types, once = len(counts), int((counts == 1).sum())
    # Σ i²·V(i) over the spectrum is the sum of squared counts.
    yule = 1e4 * (float((counts.astype(float) ** 2).sum()) - n) / n**2
    honore = 100 * math.log(n) / (1 - once / types) if once < types else None
    return Richness(n, types, types / n, _mattr(codes), yule, honore)


def _mattr(codes: np.ndarray[Any, Any]) -> float | None:
    n = len(codes)
    if n < WINDOW:
        return None
    inside: dict[int, int] = {}
    total = 0
    for i, code in enumerate(codes.tolist()):
        inside[code] = inside.get(code, 0) + 1
        if i >= WINDOW:
            gone = int(codes[i - WINDOW])
            inside[gone] -= 1
            if not inside[gone]:
                del inside[gone]
        if i >= WINDOW - 1:
            total += len(inside)
    return total / (n - WINDOW + 1) / WINDOW
