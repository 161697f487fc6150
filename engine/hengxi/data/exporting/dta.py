"""Stata files (version 118, Unicode): labels are kept, user-missing codes become .a to .z with their labels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
import pyreadstat

from hengxi.data.exporting.cells import EXACT, Cells, cells_of, labels_of, unread
from hengxi.data.exporting.columns import bounded, number_of, numbers, say_text, texts_of
from hengxi.data.exporting.job import Job, listed, short
from hengxi.data.exporting.names import STATA, labels_for, valid_names
from hengxi.data.exporting.stata_missing import label_of, letters_for
from hengxi.data.meta import Column
from hengxi.data.refusal import DataRefusal
from hengxi.data.special import special_letter

EXTENSION = ".dta"
MOST_COLUMNS = 32_767
MOST_TEXT = 2_000_000
MOST_LABEL = 80
MOST_VALUE = 2_147_483_620
MOST_NUMBER = float.fromhex("0x1.fffffffffffffp+1022")
_STATA_14 = 14
"""Release 118. The writer's own choice, 119, is for more variables than these: only Stata/MP opens it, and R finds its
long texts empty."""
_EPOCH = 3653  # days from 1960-01-01 to 1970-01-01
_DAY_MS = 86_400_000
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
        version=_STATA_14,
        column_labels=labels,
        variable_value_labels=known.values,
        missing_user_values=known.missing,
        variable_format=known.formats,
    )
    times = [cells.column.name for cells in columns if cells.is_clock]
    if times:
        job.note("export.clock", f"{listed(times)} 是时刻或时长，Stata 没有这种变量，写成秒数。", names=times)
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
    values = numbers(cells.whole(), cells.kind, _EPOCH, 1 if cells.kind == "date" else _DAY_MS)
    if cells.kind in _FORMATS:
        known.formats[name] = _FORMATS[cells.kind]
        return pl.Series(name, values, dtype=pl.Float64)
    series = bounded(job, "Stata", column.name, pl.Series(name, values, dtype=pl.Float64), MOST_NUMBER)
    letters = letters_for(column, series.fill_null(np.nan).to_numpy()) if column.missing else {}
    if letters is None:
        known.plain.append(column.name)
    named = _labels(known, cells, letters or {})
    if named:
        known.values[name] = named
    return _lettered(known, name, column, series, letters) if letters else series


def _labels(known: _Dictionary, cells: Cells, letters: dict[float, str]) -> dict[Any, str]:
    """Value labels; those of missing codes move to their letters."""
    column = cells.column
    label_by_number = {number_of(value): label for value, label in labels_of(column).items()}
    named: dict[Any, str] = {0.0: "否", 1.0: "是"} if cells.kind == "bool" and not label_by_number else {}
    for number, label in label_by_number.items():
        if number in letters:
            continue
        if number is None or number != int(number) or abs(number) > MOST_VALUE:
            known.unlabelled.append(column.name)
        else:
            named[number] = label
    for code, letter in letters.items():
        if moved := label_of(letter, code, label_by_number.get(code)):
            named[letter] = moved
    return named


def _lettered(known: _Dictionary, name: str, column: Column, series: pl.Series, letters: dict[float, str]) -> pl.Series:
    known.missing[name] = list(letters.values())
    changed = [[f"{code:g}", f".{letter}"] for code, letter in letters.items() if special_letter(code) != letter]
    if changed:
        known.letters.append({"name": column.name, "codes": changed})
    if not series.is_in(list(letters)).any():
        return series
    # Letters among numbers are Python objects, which cost memory: only where a cell holds one.
    cells = [letters.get(value, value) if value is not None else None for value in series.to_list()]
    return pl.Series(name, cells, dtype=pl.Object)


def _say(job: Job, known: _Dictionary, digits: list[str]) -> None:
    say_text(job, "Stata", digits, known.cut, MOST_TEXT)
    if known.letters:
        first = known.letters[0]
        shown = "、".join(f"{code}→{letter}" for code, letter in first["codes"][:3])
        example = f"“{short(first['name'])}”：{shown}"
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
