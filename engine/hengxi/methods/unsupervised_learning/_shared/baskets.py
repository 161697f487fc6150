"""Transactions from a table: columns of 0 and 1 or a multiple-answer question, one item a row, several in a cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hengxi.contract import Column, Refusal, Report, apart
from hengxi.stats.answer_sets import answers
from hengxi.stats.names import titles, unique

LAYOUTS = {"wide": "宽表 0/1", "long": "长表（事务编号 + 项目）", "cell": "一格多项（分隔符）"}


@dataclass(frozen=True)
class Baskets:
    """`held`: items × transactions."""

    names: list[str]
    held: NDArray[np.bool_]

    @property
    def n(self) -> int:
        return int(self.held.shape[1])


def read(report: Report, form: Any) -> Baskets:
    """Refuses what the layout does not allow, and fewer than two transactions."""
    columns, sets = apart(form.items)
    if form.layout == "wide":
        found = _wide(report, columns, sets)
    else:
        if sets or len(columns) != 1:
            raise Refusal(
                "data.layout", "这种数据格式的项目变量只能有 1 个，现有 {k} 个；多列请用宽表 0/1", field="items",
                also=["layout"], k=len(columns) + len(sets),
            )  # fmt: skip
        found = _long(report, columns[0], form.tid) if form.layout == "long" else _cells(report, columns[0], form.sep)
    if found.n < 2:
        raise Refusal("data.few", "至少需要2笔事务，现有 {n} 笔", field="items", n=found.n)
    return found


def _wide(report: Report, columns: list[Column], sets: list[Any]) -> Baskets:
    names, rows, known = list[str](), list[Any](), list[Any]()
    named = titles(columns)
    for column in columns:
        chosen = np.zeros(len(column), dtype=bool)
        for level in column.levels:
            if str(level.value).removesuffix(".0") not in ("0", "1", "False", "True"):
                raise Refusal(
                    "data.binary", "宽表格式要求项目列只含0和1：“{x}”中有“{v}”", field="items", also=["layout"],
                    column=column.id, x=column.title, v=level.label,
                )  # fmt: skip
            if str(level.value).removesuffix(".0") in ("1", "True"):
                chosen |= column.codes == level.code
        names.append(named[column.id])
        rows.append(chosen)
        known.append(~column.missing)
    for one in sets:
        answer = answers(one, one.name)
        names += answer.options
        rows += list(answer.chosen)
        known.append(answer.known)
    kept = np.logical_or.reduce(known)
    report.used(int(kept.sum()))
    return Baskets(unique(names), np.array(rows)[:, kept])


def _long(report: Report, column: Column, tid: Column | None) -> Baskets:
    if tid is None:
        raise Refusal("role.required", "长表要在“事务编号”放入变量", field="tid")
    items, baskets = np.asarray(column.codes), np.asarray(tid.identities)
    kept = (items >= 0) & (baskets >= 0)
    report.used(int(kept.sum()))
    different, places = np.unique(baskets[kept], return_inverse=True)
    held = np.zeros((len(column.levels), different.size), dtype=bool)
    held[items[kept], places] = True
    return Baskets(unique([level.label for level in column.levels]), held)


def _cells(report: Report, column: Column, sep: str) -> Baskets:
    cells = [str(cell) for cell in column.text if cell is not None and str(cell).strip()]
    report.used(len(cells))
    if cells and not any(sep in cell for cell in cells):
        raise Refusal("data.separator", "项目列中没有找到分隔符“{sep}”，请核对", field="sep", also=["layout"], sep=sep)
    baskets = [{part.strip() for part in cell.split(sep)} - {""} for cell in cells]
    names = sorted(set().union(*baskets)) if baskets else []
    place = {name: i for i, name in enumerate(names)}
    held = np.zeros((len(names), len(baskets)), dtype=bool)
    for t, basket in enumerate(baskets):
        held[[place[name] for name in basket], t] = True
    return Baskets(names, held)
