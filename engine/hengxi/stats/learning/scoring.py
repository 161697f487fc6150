"""How well probabilities of several classes agree with the classes: one number each, and class by class.

Formulas: macro averages are plain means over the classes that occur; kappa Cohen (1960); Matthews' coefficient for
several classes Gorodkin (2004); the area under the curve one against the rest, ties counted half; its variance by the
placements of DeLong, DeLong & Clarke-Pearson (1988), summed over the classes for the macro average.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hengxi.stats.moments import Floats
from hengxi.stats.proportions import wilson

Codes = NDArray[np.int64]
LEVEL = 0.95
CLIP = 1e-15
"""Probabilities are kept this far from 0 and 1 in the logarithmic loss."""


@dataclass(frozen=True, slots=True)
class ByClass:
    precision: Floats  # NaN where nothing was called so
    recall: Floats
    f1: Floats
    n: Codes


@dataclass(frozen=True, slots=True)
class Scores:
    """`precision`, `recall`, `f1`: of the event with two classes, else the macro average."""

    n: int
    accuracy: float
    low: float
    high: float
    balanced: float
    precision: float | None
    recall: float
    f1: float
    f1_macro: float
    auc: float | None
    auc_low: float | None
    auc_high: float | None
    log_loss: float
    kappa: float | None
    mcc: float | None


def called(proba: Floats, event: int | None, threshold: float) -> Codes:
    """The class of each row: the most probable (the first on a tie); of two, the event from the threshold on."""
    if event is not None and proba.shape[1] == 2:
        return np.where(proba[:, event] >= threshold, event, 1 - event).astype(np.int64)
    return np.asarray(proba.argmax(axis=1), dtype=np.int64)


def confusion(y: Codes, chosen: Codes, k: int) -> Codes:
    """Rows: true class, columns: called class."""
    return np.bincount(y * k + chosen, minlength=k * k).reshape(k, k)


def by_class(table: Codes) -> ByClass:
    right, actual, said = table.diagonal().astype(float), table.sum(axis=1), table.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        precision, recall = right / said, right / actual
        f1 = 2 * right / (said + actual)
    return ByClass(precision, recall, f1, actual)


def score(y: Codes, proba: Floats, event: int | None, threshold: float) -> Scores:
    """All scores of rows × classes probabilities."""
    k, n = proba.shape[1], y.size
    table = confusion(y, called(proba, event, threshold), k)
    each = by_class(table)
    right = float(table.trace())
    low, high = wilson(right, n, LEVEL)
    here = each.n > 0
    f1_macro = float(np.mean(each.f1[here]))
    if event is not None and k == 2:
        precision, recall, f1 = float(each.precision[event]), float(each.recall[event]), float(each.f1[event])
    else:
        # A class nobody was called has no precision; it counts as 0, as in scikit-learn.
        precision = float(np.mean(np.nan_to_num(each.precision[here])))
        recall, f1 = float(np.mean(each.recall[here])), f1_macro
    area = macro_auc(y, proba)
    return Scores(
        n=n, accuracy=right / n, low=low, high=high, balanced=float(np.mean(each.recall[here])),
        precision=None if np.isnan(precision) else precision, recall=recall if not np.isnan(recall) else 0.0,
        f1=f1 if not np.isnan(f1) else 0.0, f1_macro=f1_macro, auc=area.value, auc_low=area.low, auc_high=area.high,
        log_loss=log_loss(y, proba), kappa=kappa(table), mcc=matthews(table),
    )  # fmt: skip


def log_loss(y: Codes, proba: Floats) -> float:
    own = np.clip(proba[np.arange(y.size), y], CLIP, 1.0)
    return float(-np.mean(np.log(own))) + 0.0


def kappa(table: Codes) -> float | None:
    n = float(table.sum())
    expected = float(np.dot(table.sum(axis=0), table.sum(axis=1))) / n**2
    return None if expected >= 1 else (float(table.trace()) / n - expected) / (1 - expected)


def matthews(table: Codes) -> float | None:
    n = float(table.sum())
    actual, said = table.sum(axis=1).astype(float), table.sum(axis=0).astype(float)
    below = float(np.sqrt(n**2 - np.dot(said, said)) * np.sqrt(n**2 - np.dot(actual, actual)))
    return None if below == 0 else (float(table.trace()) * n - float(np.dot(actual, said))) / below


# ---- areas ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Area:
    value: float | None
    low: float | None
    high: float | None


def _placements(score: Floats, positive: NDArray[np.bool_]) -> tuple[float, Floats]:
    """The area, and each row's share in its variation: (placement − area) / √(m(m−1)) within its own side."""
    ranks = stats.rankdata(score)
    n1, n0 = int(positive.sum()), int((~positive).sum())
    own = np.empty(score.size)
    own[positive] = stats.rankdata(score[positive])
    own[~positive] = stats.rankdata(score[~positive])
    below = (ranks - own) / np.where(positive, n0, n1)
    value = float(below[positive].mean())
    placed = np.where(positive, below, 1 - below) - value
    with np.errstate(divide="ignore", invalid="ignore"):
        return value, placed / np.sqrt(np.where(positive, n1 * (n1 - 1.0), n0 * (n0 - 1.0)))


def macro_auc(y: Codes, proba: Floats) -> Area:
    """One against the rest, averaged over the classes that occur; None where only one does."""
    present = [c for c in range(proba.shape[1]) if 0 < int((y == c).sum()) < y.size]
    if not present:
        return Area(None, None, None)
    if proba.shape[1] == 2:
        present = present[-1:]  # the two areas are one
    areas, shares = zip(*(_placements(proba[:, c], y == c) for c in present), strict=True)
    value = float(np.mean(areas))
    variance = float(np.sum(np.mean(shares, axis=0) ** 2))
    if not np.isfinite(variance) or variance == 0:
        return Area(value, None, None)  # the classes are told apart without a fault: the method knows no width
    reach = float(stats.norm.isf((1 - LEVEL) / 2)) * np.sqrt(variance)
    return Area(value, max(0.0, value - reach), min(1.0, value + reach))


def class_auc(y: Codes, proba: Floats, c: int) -> float | None:
    positive = y == c
    return None if positive.all() or not positive.any() else _placements(proba[:, c], positive)[0]


# ---- curves --------------------------------------------------------------------------------------------------------
def roc_points(score: Floats, positive: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Corners (false positive rate, true positive rate) from (0, 0) to (1, 1)."""
    hits, misses, _ = _steps(score, positive)
    return np.append(0.0, misses / misses[-1]), np.append(0.0, hits / hits[-1])


def pr_points(score: Floats, positive: NDArray[np.bool_]) -> tuple[Floats, Floats, float]:
    """Recall, precision, and the average precision Σ (Rₙ − Rₙ₋₁) Pₙ."""
    hits, misses, _ = _steps(score, positive)
    recall, precision = hits / hits[-1], hits / (hits + misses)
    return recall, precision, float(np.sum(np.diff(np.append(0.0, recall)) * precision))


def _steps(score: Floats, positive: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
    values, place = np.unique(-score, return_inverse=True)
    hits = np.cumsum(np.bincount(place, positive.astype(float), minlength=values.size))
    misses = np.cumsum(np.bincount(place, (~positive).astype(float), minlength=values.size))
    return hits.astype(float), misses.astype(float), -values


def brier(y: Codes, proba: Floats) -> float:
    """Mean squared distance of the probability of the event with two classes; of all classes summed with more."""
    own = np.zeros_like(proba)
    own[np.arange(y.size), y] = 1.0
    squared = (proba - own) ** 2
    return float(squared[:, 0].mean() if proba.shape[1] == 2 else squared.sum(axis=1).mean())


@dataclass(frozen=True, slots=True)
class Bins:
    n: Codes
    mean: Floats
    rate: Floats


def calibration(score: Floats, positive: NDArray[np.bool_], most: int = 10) -> Bins:
    """Ten bins of equal width over [0, 1]; empty ones are left out."""
    place = np.minimum((score * most).astype(np.int64), most - 1)
    n = np.bincount(place, minlength=most)
    keep = n > 0
    mean = np.bincount(place, score, minlength=most)[keep] / n[keep]
    rate = np.bincount(place, positive, minlength=most)[keep] / n[keep]
    return Bins(n[keep], mean, rate)
