"""Counts of one variable: its categories, what is missing and why, the mode."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from hengxi.contract import Column, Refusal, SetRemedy, StepRemedy
from hengxi.contract.measures import FEW_VALUES
from hengxi.stats.few_values import sample
from hengxi.stats.histogram import Bins, histogram
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, unit_words


@dataclass
class Counted:
    column: Column
    name: str
    levels: list[str]
    n: list[float]
    """Weighted where a weight is used."""
    missing: list[tuple[str, float]]
    rows: int
    rows_missing: int
    distinct: int
    bins: Bins | None
    grouped: bool

    @property
    def unit(self) -> str:
        return unit_words(self.column.unit)

    @property
    def valid(self) -> float:
        return float(sum(self.n))

    @property
    def lost(self) -> float:
        return float(sum(n for _, n in self.missing))

    @property
    def all(self) -> float:
        return self.valid + self.lost

    @property
    def many_values(self) -> bool:
        """A quantitative variable better shown as a histogram."""
        return self.bins is not None and (self.grouped or self.distinct > FEW_VALUES)

    @property
    def cumulative(self) -> list[float]:
        whole = self.valid
        return [min(1.0, float(c) / whole) for c in np.cumsum(self.n)] if whole else []

    @property
    def modes(self) -> list[int]:
        if not self.n:
            return []
        top = max(self.n)
        return [i for i, n in enumerate(self.n) if n == top]

    @property
    def mode_names(self) -> str:
        """Tied categories in a sentence, each in its quotes."""
        found = self.modes
        return "".join(f"“{self.levels[i]}”" for i in found[:3]) + (f"等 {len(found)} 类" if len(found) > 3 else "")

    @property
    def mode_text(self) -> str:
        found = self.modes
        if not found:
            return "—"
        if len(found) == len(self.n) > 1:
            return "各类频数相同"
        names = "、".join(self.levels[i] for i in found[:3])
        return names + (f" 等 {len(found)} 类" if len(found) > 3 else "")


def count(column: Column, name: str, counts: Floats | None, sort: str, most: int) -> Counted:
    quantitative = column.is_number and not column.is_categorical and "标识" not in column.info.flags
    known = column.distinct_known
    if not quantitative and known is not None and known > most:
        # Before a million texts are read and sorted for it.
        raise too_many(column, known, most)
    if quantitative:
        _ = column.few  # its gaps are read from the codes then
    gone = column.missing
    held = ~gone if counts is None else ~gone & (counts > 0)
    lost = gone if counts is None else gone & (counts > 0)
    missing = _missing(column, lost, counts)
    if quantitative:
        x, f = _values(column, held, counts)
        labels, n, distinct, bins = _numbers(column, x, f, most)
    else:
        labels, n = _categories(column, held, counts, most)
        distinct, bins = len(labels), None
    grouped = bins is not None and distinct > most
    if sort != "value" and not grouped:
        order = sorted(range(len(n)), key=lambda i: -n[i] if sort == "count_desc" else n[i])
        labels, n = [labels[i] for i in order], [n[i] for i in order]
    rows, rows_lost = int(np.count_nonzero(held)), int(np.count_nonzero(lost))
    return Counted(column, name, labels, n, missing, rows, rows_lost, distinct, bins, grouped)


def _values(column: Column, held: Any, counts: Floats | None) -> tuple[Floats, Floats | None]:
    """The values held, or the distinct ones with their counts where there are few."""
    if column.few is None:
        return column.numbers[held], None if counts is None else counts[held]
    return sample(column.few, counts)


def _categories(column: Column, held: Any, counts: Floats | None, most: int) -> tuple[list[str], list[float]]:
    levels = column.levels
    if len(levels) > most:
        raise too_many(column, len(levels), most)
    if counts is None:
        found = np.array([level.count for level in levels], dtype=float)
    else:
        found = np.bincount(column.codes[held], weights=counts[held], minlength=len(levels))
    kept = [level for level in levels if found[level.code] > 0]
    return level_words(kept), [float(found[level.code]) for level in kept]


def _numbers(column: Column, x: Floats, f: Floats | None, most: int) -> tuple[list[str], list[float], int, Bins | None]:
    if x.size == 0:
        return [], [], 0, None
    values, place = np.unique(x, return_inverse=True)
    bins = histogram(x, f)
    if values.size > most:
        labels = _interval_labels(bins)
        return labels, [float(n) for n in bins.counts], int(values.size), bins
    n = np.bincount(place, weights=f, minlength=values.size)
    # Plain numbers without value labels are their own words; finding the levels of a column reads all its cells.
    named = column.info.storage not in ("int", "float") or bool(column.info.levels)
    known = {level.value: level.label for level in column.levels} if named and values.size <= FEW_VALUES else {}
    return [_label(v, known) for v in values.tolist()], [float(v) for v in n], int(values.size), bins


def _label(value: float, known: dict[Any, str]) -> str:
    if value in known:
        return known[value]
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _interval_labels(bins: Bins) -> list[str]:
    digits = max(0, int(np.ceil(-np.log10(bins.width))) + 1) if 0 < bins.width < 1 else 0
    wide = digits > 12 or float(np.abs(bins.edges).max()) >= 1e15

    def word(v: float) -> str:
        text = f"{v:.6g}" if wide else f"{v:.{digits}f}"
        if "." in text and "e" not in text:
            text = text.rstrip("0").rstrip(".")
        return text.replace("-", "−") if text not in ("-0", "0") else "0"

    edges = [word(float(v)) for v in bins.edges]
    last = len(edges) - 2
    return [f"[{a}, {b}{']' if i == last else ')'}" for i, (a, b) in enumerate(pairwise(edges))]


def _missing(column: Column, lost: Any, counts: Floats | None) -> list[tuple[str, float]]:
    """User-missing codes apart from empty cells, where the table tells them apart."""
    if not lost.any():
        return []

    def cases(rows: Any) -> float:
        return float(np.count_nonzero(rows) if counts is None else counts[rows].sum())

    found = []
    rest = lost
    if column.missing_kinds:
        codes = column.missing_codes
        for i, kind in enumerate(column.missing_kinds):
            rows = lost & (codes == i)
            if rows.any():
                found.append((f"缺失：{kind.label}", cases(rows)))
        rest = lost & (codes < 0)
    if rest.any():
        found.append(("缺失：空白" if found else "缺失", cases(rest)))
    return found


def too_many(column: Column, k: int, most: int) -> Refusal:
    remedies: list[Any] = []
    if k <= 1000:
        remedies.append(SetRemedy(title=f"最大类别数改为 {k}", set={"max_levels": k}))
    if column.is_number:
        remedies.append(StepRemedy(title="先分箱", step="data_processing/binning", columns=[column.id]))
    else:
        remedies.append(StepRemedy(title="先编码", step="data_processing/value_coding", columns=[column.id]))
    return Refusal(
        "role.levels",
        "变量“{v}”有 {k} 个不同取值，超过 {m}，请先分箱或编码",
        field="variables",
        column=column.id,
        v=column.title,
        k=k,
        m=most,
        remedies=remedies,
    )
