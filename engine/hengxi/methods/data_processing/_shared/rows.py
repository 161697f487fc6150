"""Rows that are alike in some variables, and the account of a table that has other rows than before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from hengxi.contract import Column, Processing, Refusal, Report, SetRemedy, Table, integer, num, text
from hengxi.contract.fields.mapping import shown

Rows = npt.NDArray[np.int64]
LISTED = 200
"""Variables of the new table that are listed one by one."""
MOST_ROWS = 20_000_000


@dataclass
class Groups:
    """`codes`: the group of each row, numbered by first appearance; `first`: the first row of each group."""

    codes: Rows
    first: Rows
    sizes: Rows

    @property
    def k(self) -> int:
        return len(self.first)


def groups_of(columns: Sequence[Column], rows: int) -> Groups:
    """Rows that agree in all these variables; an empty cell agrees with an empty cell."""
    codes = np.zeros(rows, dtype=np.int64)
    for column in columns:
        own = column.identities + 1
        codes = codes * (int(own.max(initial=0)) + 1) + own
        codes, _ = pd.factorize(codes)
    first = first_of(codes)
    return Groups(codes, first, np.bincount(codes, minlength=len(first)))


def first_of(codes: Rows) -> Rows:
    """The first row of each group, where groups are numbered by first appearance."""
    return np.flatnonzero(~pd.Series(codes).duplicated().to_numpy())


def shown_at(column: Column, row: int) -> str:
    """A cell in words: its label where it has one. Only this cell is read: the column may have a million levels."""
    value = column.cell(row)
    if value is None or value != value:
        return "缺失"
    if column.measure == "时间" and not isinstance(value, (int, float)):
        return str(value)
    label = next((level.label for level in column.info.levels or [] if level.value == value), None)
    return label if label is not None else shown(value)


def shown_key(columns: Sequence[Column], row: int) -> str:
    return "，".join(shown_at(column, row) for column in columns)


def titles(columns: Sequence[Column]) -> str:
    return "、".join(column.title for column in columns)


class NewTableStep(Processing):
    """A step whose result has other rows, or other variables, than the table it began with."""

    columns = Table(
        "新数据的变量", variable=text("变量"), n=integer("有效"), missing=integer("缺失"), mean=num("平均值"),
        place="detail",
    )  # fmt: skip

    @classmethod
    def list_columns(cls, report: Report, made: Sequence[tuple[str, Any]]) -> None:
        """`made`: names with their values (numbers with NaN, or texts with None), or with what `account_of` tells."""
        for name, values in made[:LISTED]:
            if isinstance(values, dict):
                report.row(cls.columns, **values)
                continue
            cells = np.asarray(values)
            if cells.dtype.kind == "O":
                gone = int(np.equal(cells, np.array(None, dtype=object)).sum())
                mean = None
            else:
                known = cells[~np.isnan(cells)]
                gone = len(cells) - len(known)
                mean = float(known.mean()) if len(known) else None
            report.row(cls.columns, variable=name, n=len(cells) - gone, missing=gone, mean=mean)
        if len(made) > LISTED:
            report.note(cls.columns, f"只列前 {LISTED} 个变量，全部变量见新数据。")


def account_of(name: str, parts: Sequence[tuple[Column | None, Rows]]) -> dict[str, Any]:
    """The row of a variable made of cells of other columns; −1 and None are empty cells."""
    rows, known, total = 0, 0, 0.0
    quantity = all(one is None or (one.is_number and one.measure == "定量") for one, _ in parts)
    for column, index in parts:
        rows += len(index)
        if column is None:
            continue
        there = np.append(~column.missing, False)[index]
        known += int(there.sum())
        if quantity:
            total += float(column.numbers[index[there]].sum())
    mean = total / known if quantity and known else None
    return {"variable": name, "n": known, "missing": rows - known, "mean": mean}


def values_at(column: Column, index: Rows) -> npt.NDArray[Any]:
    """Numbers or texts at these rows; −1 is an empty cell. Other than quantities: texts."""
    if column.is_number and column.measure == "定量":
        return np.append(column.numbers, np.nan)[index]
    return np.append(column.text, np.array([None], dtype=object))[index]


def bounded(rows: int, remedy: SetRemedy | None = None) -> None:
    if rows > MOST_ROWS:
        text_ = f"新数据将有 {rows:,} 行，超过上限 {MOST_ROWS:,} 行，请先筛选或减少变量"
        raise Refusal("data.too_many_rows", text_, remedies=[remedy] if remedy else [], rows=rows, most=MOST_ROWS)


def tell(report: Report, done: str, student: str, figures: Sequence[Any] = (), /, **facts: Any) -> None:
    """The conclusion in all voices: what the step did; `student` adds what to look at next."""
    report.lead(done, figures, **facts)
    report.say(student, voice="student", **facts)
    report.say(done, voice="paper", **facts)
    report.say(done, voice="brief", **facts)
