"""Measurements as rational subgroups in their order: one column with a subgroup variable or a fixed size, or one
column for each piece. Gaps are left out; a subgroup without a value is refused by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import Column, Refusal, Report

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Phases:
    """The phase of each point, and what the phases are called; one nameless phase where there is no variable."""

    code: Ints
    names: list[str]


@dataclass(frozen=True)
class Subgroups:
    """One entry for each subgroup: size, mean, range, standard deviation (NaN below two values), sum of squares about
    the mean; `rows` are row numbers of the file, a list for each."""

    labels: list[str]
    n: Ints
    mean: Floats
    range: Floats
    sd: Floats
    squares: Floats
    rows: list[list[int]]
    phases: Phases
    values: Floats
    """All values, subgroup by subgroup."""

    def mapped(self, apply: Callable[[Floats], Floats]) -> Subgroups:
        """The same subgroups of transformed values."""
        owner = np.repeat(np.arange(len(self)), self.n)
        row = np.zeros(owner.size, dtype=np.int64)
        return replace(_summed(self.labels, apply(self.values), owner, row, self.phases), rows=self.rows)

    def __len__(self) -> int:
        return len(self.labels)


def read(report: Report, form: Any, size: int | None = None) -> Subgroups:
    """Subgroups of a form with `measures` and, where it has them, `subgroup` and `phase`; `size`: of blocks of rows in
    one column without a subgroup variable."""
    columns: list[Column] = form.measures
    matrix = np.column_stack([column.numbers for column in columns])
    many = matrix.shape[1] > 1
    group: Column | None = form.subgroup
    rows = np.asarray(columns[0].row_numbers)
    if group is not None:
        keep = ~np.asarray(group.missing)
    else:
        # Single values in a row: a gap is no subgroup.
        keep = ~np.isnan(matrix[:, 0]) if size is None and not many else np.ones(len(rows), dtype=bool)
    if group is not None and not keep.all():
        report.warn(
            "data.no_subgroup", "有 {n:integer} 行没有填子组“{v}”，没有参与计算。", columns=[group],
            n=int((~keep).sum()), v=group.title,
        )  # fmt: skip
    place, labels = _places(report, group, keep, size, many)
    values, owner, row = _long(matrix[keep], place, rows[keep])
    there = ~np.isnan(values)
    report.used(len(np.unique(row[there])))
    _judge_gaps(labels, owner[there], columns)
    phases = _phases(getattr(form, "phase", None), keep, place, len(labels))
    return _summed(labels, values[there], owner[there], row[there], phases)


def _places(
    report: Report, group: Column | None, keep: npt.NDArray[np.bool_], size: int | None, many: bool
) -> tuple[Ints, list[str]]:
    """The subgroup of each row, counted in order of first appearance, and what the subgroups are called."""
    count = int(keep.sum())
    if group is not None:
        texts = np.array([str(cell) for cell in np.asarray(group.text)[keep]], dtype=object)
        names, first, inverse = np.unique(texts, return_index=True, return_inverse=True)
        order = np.argsort(first)
        rank = np.empty(order.size, dtype=np.int64)
        rank[order] = np.arange(order.size)
        return rank[inverse], [str(name) for name in names[order]]
    if many or size is None:
        return np.arange(count), [str(i + 1) for i in range(count)]
    place = np.arange(count) // size
    if count % size:
        report.warn(
            "data.short_subgroup", "行数不是 {size:integer} 的整数倍，最后一个子组只有 {n:integer} 个值。", size=size,
            n=count % size,
        )  # fmt: skip
    return place, [str(i + 1) for i in range(int(place[-1]) + 1)] if count else []


def _long(matrix: Floats, place: Ints, rows: Ints) -> tuple[Floats, Ints, Ints]:
    """Values with the subgroup and the row of each, in the order of the subgroups."""
    width = matrix.shape[1]
    owner, row = np.repeat(place, width), np.repeat(rows, width)
    order = np.argsort(owner, kind="stable")
    return matrix.ravel()[order], owner[order], row[order]


def _judge_gaps(labels: list[str], owner: Ints, columns: list[Column]) -> None:
    empty = np.setdiff1d(np.arange(len(labels)), owner)
    if empty.size == len(labels):
        raise Refusal("data.few", "“{v}”没有有效值，请换一个变量", field="measures", v=columns[0].title)
    if empty.size:
        raise Refusal(
            "data.empty_group", "子组“{g}”没有数据，请补上或筛掉它后再运行", field="measures", column=columns[0].id,
            g=labels[int(empty[0])],
        )  # fmt: skip


def _phases(column: Column | None, keep: npt.NDArray[np.bool_], place: Ints, count: int) -> Phases:
    """The phase of each subgroup, in order of appearance; a subgroup in two phases, or in none, is refused."""
    if column is None:
        return Phases(np.zeros(count, dtype=np.int64), [""])
    codes = np.asarray(column.codes)[keep]
    labels = column.labels
    low, high = np.full(count, len(labels)), np.full(count, -1)
    np.minimum.at(low, place, np.where(codes < 0, len(labels), codes))
    np.maximum.at(high, place, codes)
    if (high < 0).any():
        where = int(np.flatnonzero(high < 0)[0]) + 1
        text = "第 {at} 个子组没有填阶段“{v}”，请补上"
        raise Refusal("data.no_phase", text, field="phase", column=column.id, at=where, v=column.title)
    if (low != high).any():
        at = int(np.flatnonzero(low != high)[0])
        text = "第 {at} 个子组里有两个阶段（{a}、{b}），一个子组只能属于一个阶段"
        raise Refusal(
            "data.two_phases", text, field="phase", column=column.id, at=at + 1, a=labels[low[at]], b=labels[high[at]]
        )
    order = list(dict.fromkeys(high.tolist()))
    return Phases(np.array([order.index(code) for code in high.tolist()]), [labels[code] for code in order])


def _summed(labels: list[str], values: Floats, owner: Ints, row: Ints, phases: Phases) -> Subgroups:
    starts = np.flatnonzero(np.r_[True, np.diff(owner) > 0])
    n = np.diff(np.r_[starts, values.size])
    mean = np.add.reduceat(values, starts) / n
    # A second pass takes out what rounding left of the mean.
    mean = mean + np.add.reduceat(values - np.repeat(mean, n), starts) / n
    squares = np.add.reduceat((values - np.repeat(mean, n)) ** 2, starts)
    spread = np.maximum.reduceat(values, starts) - np.minimum.reduceat(values, starts)
    with np.errstate(divide="ignore", invalid="ignore"):
        sd = np.where(n > 1, np.sqrt(squares / np.maximum(n - 1, 1)), np.nan)
    rows = [sorted(set(part.tolist())) for part in np.split(row, starts[1:])]
    return Subgroups(labels, n, mean, np.where(n > 1, spread, np.nan), sd, squares, rows, phases, values)
