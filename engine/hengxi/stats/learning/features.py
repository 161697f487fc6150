"""Variables → the matrix a learner sees. What is learned for it (fills, codes) is learned from the training rows only.

The raw matrix holds numbers, and places of levels for categories; NaN is missing. Models keep it in this form, so that
new tables meet the same coding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.preprocessing import TargetEncoder

from hengxi.contract import Arrays, Column, ModelFeature, ModelLevel
from hengxi.stats.moments import Floats, quantiles
from hengxi.stats.names import level_words

BINS = 10
MOST_SINGLE = 1e30
"""Beyond this (and below its inverse) a variable is scaled by a power of two: learners compute in single precision."""

GAPS_KEPT = "native"
"""The learner itself takes gaps; those of a category coded by levels are 0 in each of its columns."""

Codes = NDArray[np.int64]


def is_category(column: Column) -> bool:
    """定类 and texts are categories, everything else is a number (dates count in days)."""
    return column.is_categorical or column.info.storage == "text"


def raw_values(column: Column) -> Floats:
    """One column of the raw matrix."""
    if not is_category(column):
        return np.asarray(column.numbers, dtype=np.float64)
    codes = column.codes.astype(np.float64)
    codes[codes < 0] = np.nan
    return codes


def feature_of(key: str, column: Column, values: Floats) -> ModelFeature:
    """What the model will remember of a variable; `values` are its raw values in the training rows."""
    feature = ModelFeature(key=key, name=column.name, label=column.label, measure=column.measure, kind="number")  # type: ignore[arg-type]
    known = values[~np.isnan(values)]
    if is_category(column):
        words = level_words(column.levels)
        counts = np.bincount(known.astype(np.int64), minlength=len(words)) / max(known.size, 1)
        feature.kind = "category"
        feature.levels = [
            ModelLevel(value=level.value, label=word, share=float(share))
            for level, word, share in zip(column.levels, words, counts, strict=True)
        ]
        return feature
    feature.whole = bool(column.info.profile.whole)
    if known.size:
        edges = np.unique(quantiles(known, [i / BINS for i in range(1, BINS)], np.ones(known.size), kind=7))
        shares = np.bincount(np.searchsorted(edges, known, side="left"), minlength=edges.size + 1) / known.size
        feature.low, feature.high, feature.mean = float(known.min()), float(known.max()), _mean(known)
        feature.edges, feature.shares = edges.tolist(), shares.tolist()
    return feature


def _mean(values: Floats) -> float:
    """Without overflow where the sum of huge values has none."""
    scale = float(np.abs(values).max()) or 1.0
    return float(np.mean(values / scale) * scale)


@dataclass
class Coding:
    """Raw matrix → coded matrix. `places[i]` is the feature a coded column belongs to."""

    encode: str
    sizes: list[int]  # levels of a category, 0 for a number
    fills: Floats  # NaN: gaps are not filled
    scales: Floats  # a power of two, 1 for nearly all
    tables: list[Floats | None]  # target coding: levels × columns

    @classmethod
    def learn(
        cls, matrix: Floats, sizes: list[int], encode: str, missing: str, y: NDArray[Any], seed: int
    ) -> tuple[Coding, Floats]:
        """The coding learned from these rows, and these rows coded by it.

        Target codes of the training rows are cross-fitted (five folds), so that no row sees its own class.
        """
        fills = np.array([_fill(matrix[:, j], size, missing) for j, size in enumerate(sizes)])
        scales = np.array([1.0 if size else _scale(matrix[:, j]) for j, size in enumerate(sizes)])
        coding = cls(encode, sizes, fills, scales, [None] * len(sizes))
        if encode != "target" or not any(sizes):
            return coding, coding.apply(matrix)
        return coding, coding._learn_target(matrix, y, seed)

    def _learn_target(self, matrix: Floats, y: NDArray[Any], seed: int) -> Floats:
        filled = self._filled(matrix)
        cross: dict[int, Floats] = {}
        kind, within, codes = _target(y, seed)
        for j in (j for j, size in enumerate(self.sizes) if size):
            levels = np.arange(self.sizes[j], dtype=np.float64)
            encoder = TargetEncoder(categories=[levels], target_type=kind, smooth="auto", cv=within)
            cross[j] = np.atleast_2d(encoder.fit_transform(filled[:, [j]], codes))
            self.tables[j] = np.column_stack(encoder.encodings_)
        return self._stack(filled, cross)

    def _filled(self, matrix: Floats) -> Floats:
        gaps = np.isnan(matrix)
        filled: Floats = np.where(gaps, self.fills, matrix) if gaps.any() else matrix
        return filled

    def apply(self, matrix: Floats) -> Floats:
        """New rows coded; a gap without a fill stays NaN."""
        return self._stack(self._filled(matrix), {})

    def _stack(self, filled: Floats, cross: dict[int, Floats]) -> Floats:
        columns = [cross[j] if j in cross else self._column(filled[:, j], j) for j in range(len(self.sizes))]
        return np.column_stack(columns) if columns else filled

    def _column(self, values: Floats, j: int) -> Floats:
        size, table = self.sizes[j], self.tables[j]
        if size == 0:
            number: Floats = np.clip(values * self.scales[j], -3e38, 3e38)
            return number[:, None]
        if self.encode == "ordinal" or size <= 2:
            return values[:, None] if table is None else _looked_up(values, table)
        if table is not None:
            return _looked_up(values, table)
        single: Floats = (values[:, None] == np.arange(size)).astype(np.float64)
        return single

    @property
    def places(self) -> Codes:
        widths = [self._width(j) for j in range(len(self.sizes))]
        return np.repeat(np.arange(len(self.sizes)), widths)

    @property
    def kinds(self) -> Codes:
        """Levels of each variable whose columns are codes of its levels; 0 where they are numbers."""
        return np.where([table is None for table in self.tables], self.sizes, 0)

    def _width(self, j: int) -> int:
        size, table = self.sizes[j], self.tables[j]
        if table is not None:
            return int(table.shape[1])
        return 1 if size <= 2 or self.encode == "ordinal" else size

    # ---- stored ----------------------------------------------------------------------------------------------------
    def pack(self) -> Arrays:
        arrays: Arrays = {
            "coding.encode": np.array(self.encode),
            "coding.sizes": np.array(self.sizes, dtype=np.int64),
            "coding.fills": self.fills,
            "coding.scales": self.scales,
        }
        return arrays | {f"coding.table{j}": table for j, table in enumerate(self.tables) if table is not None}

    @classmethod
    def unpack(cls, arrays: Arrays) -> Coding:
        sizes = [int(size) for size in arrays["coding.sizes"]]
        tables = [arrays.get(f"coding.table{j}") for j in range(len(sizes))]
        return cls(str(arrays["coding.encode"]), sizes, arrays["coding.fills"], arrays["coding.scales"], tables)


def _target(y: NDArray[Any], seed: int) -> tuple[str, Any, NDArray[Any]]:
    """Kind of the outcome, the folds of the cross-fitting, and the outcome as the encoder wants it."""
    if y.dtype.kind == "f":
        return "continuous", KFold(5, shuffle=True, random_state=seed), y
    present, codes = np.unique(y, return_inverse=True)
    within = StratifiedKFold(5, shuffle=True, random_state=seed)
    return "binary" if present.size == 2 else "multiclass", within, codes


def _looked_up(values: Floats, table: Floats) -> Floats:
    known = ~np.isnan(values)
    out = np.full((values.size, table.shape[1]), np.nan)
    out[known] = table[values[known].astype(np.int64)]
    return out


def _fill(values: Floats, size: int, missing: str) -> float:
    known = values[~np.isnan(values)]
    if missing in ("listwise", GAPS_KEPT) or not known.size:
        return float("nan")
    if size:
        return float(np.bincount(known.astype(np.int64), minlength=size).argmax())
    return _mean(known) if missing == "mean" else float(np.median(known))


def _scale(values: Floats) -> float:
    known = np.abs(values[~np.isnan(values)])
    most = float(known.max()) if known.size else 0.0
    if most == 0 or 1 / MOST_SINGLE <= most <= MOST_SINGLE:
        return 1.0
    return float(2.0 ** -np.floor(np.log2(most)))
