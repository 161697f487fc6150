"""M-estimators of location: Huber, Tukey's biweight, Hampel, Andrews' wave; the scale is the MAD, held fixed.

Reweighted means from the median until they stand still. The MAD is taken times 1.4826, as in R's MASS, and the
constants count in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hengxi.stats.moments import Floats, Ordered

CONSISTENT = 1.4826
STEPS = 2000


@dataclass(frozen=True)
class Estimator:
    name: str
    constants: str
    weight: Callable[[Floats], Floats]


def _hampel(u: Floats) -> Floats:
    a, b, c = 2.0, 4.0, 8.0
    far = np.abs(u)
    psi = np.where(far <= a, far, np.where(far <= b, a, np.where(far <= c, a * (c - far) / (c - b), 0.0)))
    return np.asarray(np.where(far > 0, psi / np.where(far > 0, far, 1.0), 1.0))


def _andrews(u: Floats) -> Floats:
    v = u / 1.339
    return np.asarray(np.where(np.abs(v) <= np.pi, np.sinc(v / np.pi), 0.0))


ESTIMATORS = (
    Estimator("Huber", "k = 1.5", lambda u: np.asarray(np.minimum(1.0, 1.5 / np.maximum(np.abs(u), 1e-300)))),
    Estimator("Tukey 双权", "c = 4.685", lambda u: np.asarray(np.clip(1 - (u / 4.685) ** 2, 0, None) ** 2)),
    Estimator("Hampel", "a, b, c = 2, 4, 8", _hampel),
    Estimator("Andrews 波", "c = 1.339 π", _andrews),
)


def mad(x: Floats, counts: Floats | None) -> float:
    """The median distance from the median, times 1.4826."""
    middle = Ordered.of(x, counts).median
    return CONSISTENT * Ordered.of(np.abs(x - middle), counts).median


def location(x: Floats, counts: Floats | None, scale: float, estimator: Estimator) -> float | None:
    """None where it does not settle; `scale` above 0."""
    f = np.ones(x.size) if counts is None else counts
    middle = Ordered.of(x, counts).median
    u = (x - middle) / scale
    at = 0.0
    for _ in range(STEPS):
        w = f * estimator.weight(u - at)
        total = float(w.sum())
        if total <= 0:
            return None
        new = float(np.dot(w, u)) / total
        if abs(new - at) <= 1e-14 * max(1.0, abs(new)):
            return middle + scale * new
        at = new
    return None
