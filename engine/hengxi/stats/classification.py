"""How well probabilities tell two classes apart, and how well they agree with what happened."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from hengxi.stats.moments import BLOCK, Floats, quantiles
from hengxi.stats.stretches import stretch_of

DIGITS = 12
_UNITS = np.array([10.0 ** (DIGITS - 1 + k) for k in range(291)])


def settled(p: Floats) -> Floats:
    """12 significant digits: equal cases must not be told apart by their last bits."""
    result = np.empty(p.size)
    for start in range(0, p.size, BLOCK):
        part = p[start : start + BLOCK]
        with np.errstate(divide="ignore"):
            place = np.clip(np.floor(np.log10(part)), -290, 0).astype(np.int64)
        unit = _UNITS[-place]
        result[start : start + BLOCK] = np.rint(part * unit) / unit
    return result


@dataclass(frozen=True, slots=True)
class Roc:
    auc: float
    se: float | None
    low: float | None
    high: float | None
    false_rate: Floats
    true_rate: Floats
    """Corners of the curve, from (0, 0) to (1, 1)."""


def roc(p: Floats, y: Floats, counts: Floats, level: float) -> Roc:
    """Area with ties counted half; variance of DeLong, DeLong & Clarke-Pearson (1988), frequencies as copies."""
    order = np.argsort(p)
    ordered = p[order]
    last = np.append(ordered[1:] != ordered[:-1], True)
    ordered = counts[order]
    events = y[order]
    del order

    def shares(weights: Floats) -> Floats:
        """Sums over cases of the same probability; `weights` is overwritten."""
        sums = np.cumsum(weights, out=weights)[last]
        sums[1:] -= sums[:-1]
        return np.asarray(sums)

    ones = shares(ordered * events)
    zeros = shares(np.multiply(ordered, np.subtract(1, events, out=events), out=events))
    del ordered, events
    n1, n0 = float(ones.sum()), float(zeros.sum())
    below = _passed(zeros, n0)
    auc = float(np.dot(ones, below) / n1)
    se = None
    if n1 > 1 and n0 > 1:
        below -= auc
        part1 = float(np.dot(ones, np.square(below, out=below))) / (n1 - 1) / n1
        below = np.subtract(1 - auc, _passed(ones, n1), out=below)
        part0 = float(np.dot(zeros, np.square(below, out=below))) / (n0 - 1) / n0
        # Nothing overlaps, or all is tied: an error of 0 would claim to know the area without doubt.
        se = float(np.sqrt(part1 + part0)) or None
    reach = float(stats.norm.isf((1 - level) / 2))
    low, high = (None, None) if se is None else (max(0.0, auc - reach * se), min(1.0, auc + reach * se))
    del below
    false_rate = np.concatenate(([0.0], np.cumsum(zeros[::-1]) / n0))
    true_rate = np.concatenate(([0.0], np.cumsum(ones[::-1]) / n1))
    return Roc(auc, se, low, high, false_rate, true_rate)


def _passed(cases: Floats, n: float) -> Floats:
    """Of each probability: the share of these cases below it, those at it counted half."""
    found = np.cumsum(cases)
    found -= cases / 2
    found /= n
    return np.asarray(found)


@dataclass(frozen=True, slots=True)
class Groups:
    """Cases in order of their probability: counts, events and sums of probabilities of each group."""

    n: Floats
    events: Floats
    expected: Floats
    chi2: float
    df: int
    p: float | None


def hosmer_lemeshow(p: Floats, y: Floats, counts: Floats, groups: int) -> Groups:
    """Cut at the quantiles (type 7) of the probabilities; equal ones stay together, so groups may be fewer."""
    copies = None if bool((counts == 1).all()) else counts
    cuts = settled(np.unique(quantiles(p, [i / groups for i in range(1, groups)], copies, kind=7)))
    place = stretch_of(p, cuts[cuts > p.min()], "left")
    n, events, expected = (np.bincount(place, w).astype(float) for w in (counts, counts * y, counts * p))
    n, events, expected = n[n > 0], events[n > 0], expected[n > 0]
    rest = n - expected
    with np.errstate(divide="ignore", invalid="ignore"):
        chi2 = float(np.sum((events - expected) ** 2 / expected + (expected - events) ** 2 / rest))
    df = int(n.size) - 2
    good = df >= 1 and bool(np.isfinite(chi2))
    return Groups(n, events, expected, chi2, df, float(stats.chi2.sf(chi2, df)) if good else None)


@dataclass(frozen=True, slots=True)
class Confusion:
    true_positive: float
    false_positive: float
    true_negative: float
    false_negative: float
    brier: float

    @property
    def sensitivity(self) -> float:
        return self.true_positive / (self.true_positive + self.false_negative)

    @property
    def specificity(self) -> float:
        return self.true_negative / (self.true_negative + self.false_positive)

    @property
    def accuracy(self) -> float:
        right = self.true_positive + self.true_negative
        return right / (right + self.false_positive + self.false_negative)

    @property
    def precision(self) -> float | None:
        called = self.true_positive + self.false_positive
        return self.true_positive / called if called else None

    @property
    def f1(self) -> float:
        return 2 * self.true_positive / (2 * self.true_positive + self.false_positive + self.false_negative)


def confusion(p: Floats, y: Floats, counts: Floats, cutoff: float) -> Confusion:
    called = p >= cutoff
    positive, event = counts * called, y > 0
    return Confusion(
        float(positive[event].sum()),
        float(positive[~event].sum()),
        float((counts * ~called)[~event].sum()),
        float((counts * ~called)[event].sum()),
        float(np.dot(counts, (y - p) ** 2) / counts.sum()),
    )
