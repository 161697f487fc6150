"""New rows met by a saved model: matched values, what cannot be answered and why, and how far the rows have drifted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hengxi.contract import Column, KeptModel, ModelFeature, ModelLevel
from hengxi.stats.moments import Floats

Bools = NDArray[np.bool_]
Codes = NDArray[np.int64]
DRIFT = 0.25
LEAST_SHARE = 1e-4
"""Shares of an empty bin in the population stability index, whose logarithm they would break."""


@dataclass(frozen=True)
class Psi:
    """Population stability index; `limit` is what 95 of 100 samples of this size stay below without any drift."""

    value: float | None
    limit: float | None

    @property
    def is_high(self) -> bool:
        return self.value is not None and self.limit is not None and self.value > max(DRIFT, self.limit)


@dataclass
class Met:
    """One variable of the model in the new rows."""

    feature: ModelFeature
    column: Column
    values: Floats  # numbers, or places of the model's levels; NaN missing or unseen
    missing: Bools
    unseen: Bools
    outside: Bools
    unseen_labels: list[str]
    psi: Psi
    mean: float | None


@dataclass
class NewRows:
    """`good`: rows that get an answer; `status` says why the others do not, and which of the good lie outside."""

    met: list[Met]
    matrix: Floats
    good: Bools
    status: NDArray[np.object_]


FINE, OUTSIDE, GAP, UNSEEN = "成功", "成功（超出训练范围）", "缺少变量值", "未见过的类别"


def meet(model: KeptModel, unseen_as_missing: bool) -> NewRows:
    """Every feature by its column; a gap is filled where the model learned to, else the row is not answered."""
    card = model.card
    met = [_meet(feature, model.columns[feature.key], card.rows) for feature in card.features]
    matrix = np.column_stack([met_column.values for met_column in met])
    n = matrix.shape[0]
    unseen, gap, outside = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    for met_column in met:
        open_gap = met_column.missing | met_column.unseen if unseen_as_missing else met_column.missing
        if not unseen_as_missing:
            unseen |= met_column.unseen
        if met_column.feature.fill is None and not met_column.feature.gaps:
            gap |= open_gap
        outside |= met_column.outside
    status = np.full(n, FINE, dtype=object)
    status[outside] = OUTSIDE
    status[gap] = GAP
    status[unseen] = UNSEEN
    return NewRows(met, matrix, ~(gap | unseen), status)


def _meet(feature: ModelFeature, column: Column, trained: int) -> Met:
    nothing = np.zeros(len(column), dtype=bool)
    if feature.levels is None:
        values = np.asarray(column.numbers, dtype=np.float64)
        missing = np.isnan(values)
        outside = nothing
        if feature.low is not None and feature.high is not None:
            with np.errstate(invalid="ignore"):
                outside = (values < feature.low) | (values > feature.high)
        known = values[~missing]
        mean = float(np.mean(known)) if known.size else None
        mean = mean if mean is not None and np.isfinite(mean) else None
        return Met(feature, column, values, missing, nothing, outside, [], _psi_numbers(feature, known, trained), mean)
    place = np.array([place_of(level.value, level.label, feature.levels) for level in column.levels] + [-1])
    codes = column.codes.astype(np.int64)
    missing = codes < 0
    codes_met = place[codes]
    unseen = (codes_met < 0) & ~missing
    values = np.where(codes_met < 0, np.nan, codes_met).astype(np.float64)
    labels = [level.label for level, at in zip(column.levels, place, strict=False) if at < 0]
    psi = _psi_levels(feature.levels, codes_met, missing, trained)
    return Met(feature, column, values, missing, unseen, nothing, labels, psi, None)


def place_of(value: object, label: str, levels: list[ModelLevel]) -> int:
    """The model's level of this value; where none has it, the one of this label; −1: unseen."""
    for place, level in enumerate(levels):
        if isinstance(level.value, str) == isinstance(value, str) and level.value == value:
            return place
    return next((place for place, level in enumerate(levels) if level.label == label), -1)


def _psi(expected: Floats, counts: Codes, trained: int) -> Psi:
    """Limit: the index is about (1/n + 1/N) χ² with one degree of freedom less than bins (Yurdakul & Naranjo 2020)."""
    n = int(counts.sum())
    p, q = np.maximum(expected, LEAST_SHARE), np.maximum(counts / n, LEAST_SHARE)
    value = float(np.sum((q - p) * np.log(q / p)))
    if expected.size < 2:
        return Psi(value, None)
    return Psi(value, float(stats.chi2.ppf(0.95, expected.size - 1)) * (1 / n + 1 / trained))


def _psi_numbers(feature: ModelFeature, known: Floats, trained: int) -> Psi:
    if not known.size or not feature.shares:
        return Psi(None, None)
    place = np.searchsorted(np.array(feature.edges), known, side="left")
    return _psi(np.array(feature.shares), np.bincount(place, minlength=len(feature.shares)), trained)


def _psi_levels(levels: list[ModelLevel], found: Codes, missing: Bools, trained: int) -> Psi:
    """Unseen values are a bin of their own, empty in training."""
    known = found[~missing]
    if not known.size:
        return Psi(None, None)
    place = np.where(known < 0, len(levels), known)
    shares = np.array([*(level.share for level in levels), 0.0])
    counts = np.bincount(place, minlength=len(levels) + 1)
    keep = (shares > 0) | (counts > 0)
    return _psi(shares[keep], counts[keep], trained)


def classes_of(column: Column, levels: list[ModelLevel]) -> Codes:
    """Places of the model's classes; −1 where the value is missing or none of them."""
    place = np.array([place_of(level.value, level.label, levels) for level in column.levels] + [-1])
    return np.asarray(place[column.codes.astype(np.int64)], dtype=np.int64)
