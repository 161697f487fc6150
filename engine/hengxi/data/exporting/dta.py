"""Stata files (version 118, Unicode): labels are kept, user-missing codes become .a to .z with their labels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
import pyarrow.compute as pc
import pyreadstat
from msgspec import UnsetType

from hengxi.data.exporting.cells import EXACT, Cells, cells_of, labels_of, unread
from hengxi.data.exporting.columns import number_of, numbers, say_text, texts_of
from hengxi.data.exporting.job import Job, listed
from hengxi.data.exporting.names import STATA, labels_for, valid_names
from hengxi.data.levels import key_of
from hengxi.data.meta import Column
from hengxi.data.refusal import DataRefusal
from hengxi.data.values import numeric_missing

EXTENSION = ".dta"
MOST_COLUMNS = 32_767
MOST_TEXT = 2_000_000
MOST_LABEL = 80
MOST_VALUE = 2_147_483_620
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_EPOCH = 3653.0  # days from 1960-01-01 to 1970-01-01
_DAY_MS = 86_400_000.0
_FORMATS = {"date": "%td", "datetime": "%tc"}


@dataclass
class _Dictionary:
    """What stands beside the cells, by Stata name; the lists name columns that lost something."""

    values: dict[str, dict[Any, str]] = field(default_factory=dict)
    missing: dict[str, list[str]] = field(default_factory=dict)
    formats: dict[str, str] = field(default_factory=dict)
    letters: list[dict[str, Any]] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    unlabelled: list[str] = field(default_factory=list)
    cut: int = 0


def write(job: Job) -> None:
    if len(job.table.meta.columns) > MOST_COLUMNS:
        raise DataRefusal("export.size", f"dta 最多 {MOST_COLUMNS:,} 个变量，请改用 csv 或 parquet。", {})
    columns = [cells_of(job, column, EXACT) for column in job.table.meta.columns]
    unread(job, columns)
    names = valid_names(job.table.meta.columns, STATA)
    labels = labels_for(job, job.table.meta.columns, names, STATA, lambda text: text[:MOST_LABEL])
    known = _Dictionary()
    series = []
    for place, (name, cells) in enumerate(zip(names, columns, strict=True)):
        series.append(_column(job, known, name, cells).alias(name))
        job.tick(0.4 * (place + 1) / len(columns), "整理")
    job.tick(0.4, "写入")
    pyreadstat.write_dta(
        pl.DataFrame(series),
        str(job.path),
        column_labels=labels,
        variable_value_labels=known.values,
        missing_user_values=known.missing,
        variable_format=known.formats,
    )
    _say(job, known, [cells.column.name for cells in columns if cells.kind == "text" and cells.column.storage == "int"])


def _column(job: Job, known: _Dictionary, name: str, cells: Cells) -> pl.Series:
    column = cells.column
    if cells.kind == "text":
        series, cut = texts_of(job, cells, MOST_TEXT)
        known.cut += cut
        if labels_of(column):
            known.unlabelled.append(column.name)
        if column.missing:
            known.plain.append(column.name)
        return series
    values = numbers(cells.whole(), cells.kind)
    if cells.kind in _FORMATS:
        known.formats[name] = _FORMATS[cells.kind]
        days = pc.add(values, _EPOCH)
        return pl.Series(name, days if cells.kind == "date" else pc.multiply(days, _DAY_MS), dtype=pl.Float64)
    named: dict[Any, str] = {}
    for value, label in labels_of(column).items():
        number = number_of(value)
        if number is None or number != int(number) or abs(number) > MOST_VALUE:
            known.unlabelled.append(column.name)
        else:
            named[number] = label
    if cells.kind == "bool" and not named:
        named = {0.0: "否", 1.0: "是"}
    series = pl.Series(name, values, dtype=pl.Float64)
    if column.missing:
        series = _lettered(known, name, column, series, named)
    if named:
        known.values[name] = named
    return series


def _lettered(known: _Dictionary, name: str, column: Column, series: pl.Series, named: dict[Any, str]) -> pl.Series:
    """The codes that occur as .a, .b …, in order; their labels move with them. More than 26 stay numbers."""
    values = series.fill_null(np.nan).to_numpy()
    gone = numeric_missing(values, column)
    codes = [] if gone is None else sorted({float(v) for v in values[gone]})
    if len(codes) > len(_LETTERS):
        known.plain.append(column.name)
        return series
    letters = dict(zip(codes, _LETTERS, strict=False))
    listed_codes = [] if isinstance(column.missing_labels, UnsetType) else column.missing_labels
    labels = {key_of(level.value): level.label for level in listed_codes}
    for code, letter in letters.items():
        label = named.pop(code, None) or labels.get(key_of(code))
        # Without a label of its own the letter says which code it was.
        named[letter] = label if label else f"{code:g}"
    if not letters:
        return series
    known.missing[name] = list(letters.values())
    known.letters.append(
        {"name": column.name, "codes": [[f"{code:g}", f".{letter}"] for code, letter in letters.items()]}
    )
    cells = [letters.get(value, value) if value is not None else None for value in series.to_list()]
    return pl.Series(name, cells, dtype=pl.Object)


def _say(job: Job, known: _Dictionary, digits: list[str]) -> None:
    say_text(job, "Stata", digits, known.cut, MOST_TEXT)
    if known.letters:
        first = known.letters[0]
        shown = "、".join(f"{code}→{letter}" for code, letter in first["codes"][:3])
        example = f"“{first['name']}”：{shown}"
        text = f"{len(known.letters)} 个变量的缺失码写成了 Stata 的扩展缺失值（{example}），标签一并保留。"
        job.note("export.letters", text, columns=known.letters[:500])
    if known.plain:
        text = f"{listed(known.plain)} 的缺失码 Stata 无法表示，写成普通值。"
        job.note("export.missing", text, names=known.plain)
    unlabelled = list(dict.fromkeys(known.unlabelled))
    if unlabelled:
        text = f"{listed(unlabelled)} 的部分或全部取值标签已略去：Stata 只能给整数加标签。"
        job.note("export.labels", text, names=unlabelled)
    job.note("export.measures", "Stata 没有变量类型（定类、定序、定量），导入后请按编码表核对。")
