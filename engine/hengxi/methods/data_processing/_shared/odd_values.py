"""Which values, or rows, stand out by a rule; the rule's bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from hengxi.contract.columns import Floats
from hengxi.stats.boxes import hinge_places
from hengxi.stats.moments import Ordered

Bools = npt.NDArray[np.bool_]
NEIGHBOURS = 20
MOST_ROUNDS = 100
MAD_SCALE = 1.4826
"""1/Φ⁻¹(0.75), rounded as in R's mad()."""


class NoSpreadError(Exception):
    """The IQR or MAD is 0: every other value would stand out."""


@dataclass
class Bounds:
    low: float | None
    high: float | None

    def outside(self, x: Floats) -> Bools:
        """NaN is not outside."""
        found = np.zeros(len(x), dtype=np.bool_)
        if self.low is not None:
            found |= x < self.low
        if self.high is not None:
            found |= x > self.high
        return found


def bounds(x: Floats, rule: str, times: float, lower: float | None, upper: float | None) -> Bounds:
    """From known values. `times`: how many σ, IQR, MAD; `lower`, `upper`: ends of a range, or percentages."""
    match rule:
        case "range":
            return Bounds(lower, upper)
        case "percentile":
            ends = [None if one is None else float(np.quantile(x, one / 100)) for one in (lower, upper)]
            return Bounds(ends[0], ends[1])
        case "iqr":
            first, _, third = Ordered.of(x, None).read(hinge_places(len(x)))
            if first == third:
                raise NoSpreadError
            return Bounds(first - times * (third - first), third + times * (third - first))
        case "mad":
            middle = float(np.median(x))
            spread = float(np.median(np.abs(x - middle))) * MAD_SCALE
            if spread == 0:
                raise NoSpreadError
            return Bounds(middle - times * spread, middle + times * spread)
        case _:
            if len(x) < 2:
                return Bounds(None, None)
            mean, sd = float(x.mean()), float(x.std(ddof=1))
            return Bounds(mean - times * sd, mean + times * sd)


def mahalanobis_p(block: Floats) -> Floats:
    """p of D² by χ² with as many degrees of freedom as columns; ValueError where the covariances are singular."""
    centred = block - block.mean(axis=0)
    spread = centred.std(axis=0)
    if len(block) <= block.shape[1] or not bool((spread > 0).all()):
        raise ValueError("singular")
    q, r = np.linalg.qr(centred / spread)
    size = np.abs(np.diag(r))
    if size.min() <= 1e-10 * size.max():
        raise ValueError("singular")
    squared = (len(block) - 1) * np.square(q).sum(axis=1)
    return np.asarray(stats.chi2.sf(squared, block.shape[1]))


def local_scores(block: Floats) -> Floats:
    """Local outlier factor (Breunig et al. 2000) of standardised columns, 20 neighbours."""
    from sklearn.neighbors import LocalOutlierFactor

    z = (block - block.mean(axis=0)) / np.where(block.std(axis=0) > 0, block.std(axis=0), 1.0)
    found = LocalOutlierFactor(n_neighbors=min(NEIGHBOURS, len(block) - 1)).fit(z)
    return -np.asarray(found.negative_outlier_factor_)


def forest_scores(block: Floats, seed: int) -> Floats:
    """Isolation forest (Liu et al. 2008): 100 trees of 256 rows."""
    from sklearn.ensemble import IsolationForest

    forest = IsolationForest(n_estimators=100, max_samples=min(256, len(block)), random_state=seed, n_jobs=1)
    return -np.asarray(forest.fit(block).score_samples(block))


def highest(scores: Floats, share: float) -> Bools:
    """Scores above the quantile (type 7) that leaves this share above it."""
    found: Bools = scores > np.quantile(scores, 1 - share)
    return found
