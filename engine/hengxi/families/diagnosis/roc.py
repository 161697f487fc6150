"""ROC curves of markers measured on the same cases: areas, their covariance, cut points, precision and recall.

DeLong, DeLong and Clarke-Pearson (1988); Hanley and McNeil (1982); McClish (1989) for a part of the area.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import stats

from hengxi.stats.moments import Floats

Bools = npt.NDArray[np.bool_]
Rule = Literal["youden", "closest", "cost", "sens_fixed", "spec_fixed"]


@dataclass(frozen=True)
class Marker:
    """`values`: one marker of all cases, `positive`: the state; `higher`: large values speak for the state."""

    name: str
    values: Floats
    positive: Bools
    higher: bool

    @cached_property
    def scores(self) -> Floats:
        """Larger speaks for the state."""
        return self.values if self.higher else -self.values

    @property
    def n1(self) -> int:
        return int(self.positive.sum())

    @property
    def n0(self) -> int:
        return self.positive.size - self.n1

    @cached_property
    def placements(self) -> tuple[Floats, Floats]:
        """Share of negatives below each positive, share of positives above each negative; ties count half."""
        ones, zeros = np.sort(self.scores[self.positive]), np.sort(self.scores[~self.positive])
        above = (np.searchsorted(zeros, self.scores[self.positive], "left")
                 + np.searchsorted(zeros, self.scores[self.positive], "right")) / (2 * zeros.size)  # fmt: skip
        below = 1 - (np.searchsorted(ones, self.scores[~self.positive], "left")
                     + np.searchsorted(ones, self.scores[~self.positive], "right")) / (2 * ones.size)  # fmt: skip
        return above, below

    @cached_property
    def auc(self) -> float:
        return float(self.placements[0].mean())

    @cached_property
    def delong_se(self) -> float | None:
        """None with one case of a state, or where nothing overlaps: an error of 0 would claim to be sure."""
        if min(self.n1, self.n0) < 2:
            return None
        a, b = self.placements
        return float(np.sqrt(a.var(ddof=1) / self.n1 + b.var(ddof=1) / self.n0)) or None

    @cached_property
    def hanley_se(self) -> float | None:
        auc = self.auc
        first, second = auc / (2 - auc), 2 * auc**2 / (1 + auc)
        variance = auc * (1 - auc) + (self.n1 - 1) * (first - auc**2) + (self.n0 - 1) * (second - auc**2)
        return float(np.sqrt(max(variance, 0) / (self.n1 * self.n0))) or None

    @cached_property
    def curve(self) -> Curve:
        """One point a cut: from nobody positive to everybody."""
        order = np.argsort(-self.scores, kind="stable")
        ordered, state = self.scores[order], self.positive[order]
        last = np.append(ordered[1:] != ordered[:-1], True)
        hits, alarms = np.cumsum(state)[last], np.cumsum(~state)[last]
        levels = ordered[last]
        # Halfway between neighbours, so that a cut belongs to no case; one step beyond at the ends.
        cuts = np.concatenate([[np.inf], levels[:-1] / 2 + levels[1:] / 2, [-np.inf]])
        return Curve(
            cuts if self.higher else -cuts,
            np.concatenate([[0.0], hits]),
            np.concatenate([[0.0], alarms]),
            float(self.n1),
            float(self.n0),
        )


@dataclass(frozen=True)
class Curve:
    """`cuts`: of the marker itself, from ±inf (nobody called positive) on; `hits`, `alarms`: true and false positives
    called at each."""

    cuts: Floats
    hits: Floats
    alarms: Floats
    n1: float
    n0: float

    @property
    def sensitivity(self) -> Floats:
        return self.hits / self.n1

    @property
    def specificity(self) -> Floats:
        return 1 - self.alarms / self.n0

    def partial(self, most: float) -> tuple[float, float]:
        """Area up to a false positive rate of `most`, and McClish's standardised one (.5 is chance, 1 the most)."""
        false, true = self.alarms / self.n0, self.sensitivity
        at = float(np.interp(most, false, true)) if most < 1 else 1.0
        inside = false < most
        # Where the curve rises straight up at `most` the area does not change.
        x, y = np.append(false[inside], most), np.append(true[inside], at)
        area = float(np.sum((x[1:] - x[:-1]) * (y[1:] + y[:-1]) / 2))
        least = most**2 / 2
        return area, (1 + (area - least) / (most - least)) / 2

    def precision_recall(self) -> tuple[Floats, Floats, float]:
        """Recall, precision at each cut but the first, and the average precision (steps)."""
        recall, precision = self.sensitivity[1:], self.hits[1:] / (self.hits[1:] + self.alarms[1:])
        return recall, precision, float(np.sum(np.diff(self.sensitivity) * precision))

    def best(self, rule: Rule, fixed: float, cost: float, share: float) -> int:
        """The place of the cut; of equal ones the one with the highest sensitivity. `cost`: of a missed positive
        against a false alarm, `share`: of positives among those it is used for."""
        sens, spec = self.sensitivity, self.specificity
        if rule == "sens_fixed":
            good = np.flatnonzero(sens >= fixed - 1e-12)
            return int(good[np.argmax(spec[good])])
        if rule == "spec_fixed":
            good = np.flatnonzero(spec >= fixed - 1e-12)
            return int(good[-1 - int(np.argmax(sens[good][::-1]))])
        value = {
            "youden": sens + spec,
            "closest": -((1 - sens) ** 2 + (1 - spec) ** 2),
            "cost": sens + (1 - share) / (cost * share) * spec,
        }[rule]
        return int(np.flatnonzero(value >= value.max() - 1e-12)[-1])


def covariance(markers: list[Marker]) -> Floats:
    """DeLong's covariance of the areas of markers of the same cases, k × k; NaN with one case of a state."""
    above = np.array([marker.placements[0] for marker in markers])
    below = np.array([marker.placements[1] for marker in markers])
    n1, n0 = above.shape[1], below.shape[1]
    if min(n1, n0) < 2:
        return np.full((len(markers), len(markers)), np.nan)
    return np.asarray(np.atleast_2d(np.cov(above)) / n1 + np.atleast_2d(np.cov(below)) / n0)


def resampled(markers: list[Marker], times: int, rng: np.random.Generator) -> Floats:
    """Areas of resamples, positives and negatives drawn by themselves; shape (times, markers)."""
    found = np.empty((times, len(markers)))
    first = markers[0]
    ones, zeros = (np.sort(np.flatnonzero(part)) for part in (first.positive, ~first.positive))
    # Cases in the order of their scores, so that the order of the rows does not decide what is drawn.
    ordered = [np.lexsort([marker.scores[part] for marker in markers]) for part in (ones, zeros)]
    ones, zeros = ones[ordered[0]], zeros[ordered[1]]
    for turn in range(times):
        drawn = ones[rng.integers(0, ones.size, ones.size)], zeros[rng.integers(0, zeros.size, zeros.size)]
        for k, marker in enumerate(markers):
            high, low = marker.scores[drawn[0]], np.sort(marker.scores[drawn[1]])
            passed = np.searchsorted(low, high, "left") + np.searchsorted(low, high, "right")
            found[turn, k] = passed.sum() / (2 * ones.size * zeros.size)
    return found


def binormal(curve: Curve) -> tuple[float, float, float] | None:
    """Intercept and slope of Φ⁻¹(sensitivity) on Φ⁻¹(1 − specificity), least squares of the inner points, and the area
    Φ(a/√(1+b²)). None with fewer than two inner points."""
    false, true = curve.alarms / curve.n0, curve.sensitivity
    inner = (false > 0) & (false < 1) & (true > 0) & (true < 1)
    x, y = stats.norm.ppf(false[inner]), stats.norm.ppf(true[inner])
    if x.size < 2 or np.ptp(x) <= 0:
        return None
    slope = float(np.cov(x, y)[0, 1] / x.var(ddof=1))
    intercept = float(y.mean() - slope * x.mean())
    return intercept, slope, float(stats.norm.cdf(intercept / np.sqrt(1 + slope**2)))


@dataclass(frozen=True)
class Measures:
    """Of one cut: counts and what follows from them; None where a denominator is 0."""

    tp: float
    fp: float
    fn: float
    tn: float

    @property
    def likelihoods(self) -> tuple[float | None, float | None]:
        """LR+ and LR−."""
        sens, false = self.tp / (self.tp + self.fn), self.fp / (self.fp + self.tn)
        return sens / false if false > 0 else None, (1 - sens) / (1 - false) if false < 1 else None

    def likelihood_bounds(self, level: float) -> tuple[tuple[float, float] | None, tuple[float, float] | None]:
        """Log method of Simel, Samsa and Matchar (1991); None where a count it divides by is 0."""
        reach = float(stats.norm.isf((1 - level) / 2))
        found: list[tuple[float, float] | None] = []
        for ratio, a, b in zip(self.likelihoods, (self.tp, self.fn), (self.fp, self.tn), strict=True):
            if not ratio or not a or not b:
                found.append(None)
                continue
            se = np.sqrt(1 / a - 1 / (self.tp + self.fn) + 1 / b - 1 / (self.fp + self.tn))
            found.append((float(ratio * np.exp(-reach * se)), float(ratio * np.exp(reach * se))))
        return found[0], found[1]


def measures(curve: Curve, place: int) -> Measures:
    hits, alarms = float(curve.hits[place]), float(curve.alarms[place])
    return Measures(hits, alarms, curve.n1 - hits, curve.n0 - alarms)
