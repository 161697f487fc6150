"""SPSS files: variable and value labels, user-missing values and ranges, measures, formats, multiple-response sets."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field
from typing import Any

import polars as pl
import pyreadstat
from msgspec import UnsetType

from hengxi.data import clock
from hengxi.data.exporting.cells import EXACT, Cells, cells_of, labels_of, unread
from hengxi.data.exporting.columns import bounded, number_of, numbers, say_text, texts_of
from hengxi.data.exporting.job import Job, listed
from hengxi.data.exporting.names import SPSS, SPSS_SETS, cut_bytes, labels_for, valid_names
from hengxi.data.exporting.spss_missing import Spec, as_spss
from hengxi.data.exporting.spss_sets import SpssSet, add_sets
from hengxi.data.meta import Column, Value
from hengxi.data.special import letters_of

EXTENSION = ".sav"
MOST_TEXT = 32_767
MOST_LABEL = 255
MOST_NUMBER = math.nextafter(sys.float_info.max, 0)  # the largest double itself stands for missing
MOST_VALUE_LABEL = 120
_EPOCH = 141_428  # days from 1582-10-14 to 1970-01-01
_DAY_S = 86_400
_FORMATS = {"date": "SDATE10", "datetime": "DATETIME20"}
_MEASURES = {"定量": "scale", "时间": "scale", "定类": "nominal", "文本": "nominal"}


@dataclass
class _Dictionary:
    """What stands beside the cells, by SPSS name."""

    values: dict[str, dict[Any, str]] = field(default_factory=dict)
    missing: dict[str, list[Spec]] = field(default_factory=dict)
    formats: dict[str, str] = field(default_factory=dict)
    measures: dict[str, str] = field(default_factory=dict)
    partly: list[str] = field(default_factory=list)
    shortened: int = 0
    cut: int = 0


def write(job: Job) -> None:
    columns = [cells_of(job, column, EXACT) for column in job.table.meta.columns]
    unread(job, columns)
    names = valid_names(job.table.meta.columns, SPSS)
    labels = labels_for(job, job.table.meta.columns, names, SPSS, lambda text: cut_bytes(text, MOST_LABEL))
    known = _Dictionary()
    series = []
    for place, (name, cells) in enumerate(zip(names, columns, strict=True)):
        series.append(_column(job, known, name, cells))
        job.tick(0.4 * (place + 1) / len(columns), "整理")
    job.tick(0.4, "写入")
    pyreadstat.write_sav(
        pl.DataFrame(series),
        str(job.path),
        row_compress=True,
        column_labels=labels,
        variable_value_labels=known.values,
        missing_ranges=known.missing,
        variable_measure=known.measures,
        variable_format=known.formats,
    )
    sets = _sets(job, columns, names)
    if sets:
        add_sets(job.path, sets)
    _say(job, known, [cells.column.name for cells in columns if cells.kind == "text" and cells.column.storage == "int"])


def _column(job: Job, known: _Dictionary, name: str, cells: Cells) -> pl.Series:
    """The cells; labels, missing codes, measure and format go into the dictionary."""
    column = cells.column
    known.measures[name] = "ordinal" if column.ordered else _MEASURES[column.measure]
    if cells.kind == "text":
        series, cut = texts_of(job, cells, MOST_TEXT)
        known.cut += cut
        named: dict[Any, str] = {str(value): label for value, label in labels_of(column).items()}
    else:
        array = numbers(cells.whole(), cells.kind, _EPOCH, _DAY_S)
        series = bounded(job, "SPSS", column.name, pl.Series(name, array, dtype=pl.Float64), MOST_NUMBER)
        known.formats[name] = (
            clock.spss_format(column) if cells.is_clock else _FORMATS.get(cells.kind) or _format(column)
        )
        named = {
            number: label for value, label in labels_of(column).items() if (number := number_of(value)) is not None
        }
        if cells.kind == "bool" and not named:
            named = {0.0: "否", 1.0: "是"}
    short = {value: cut_bytes(label, MOST_VALUE_LABEL) for value, label in named.items()}
    known.shortened += sum(short[value] != named[value] for value in named)
    if short:
        known.values[name] = short
    if column.missing:
        codes, whole = as_spss(column.missing, series, is_text=cells.kind == "text")
        if codes:
            known.missing[name] = codes
        if not whole:
            known.partly.append(column.name)
    return series.alias(name)


def _sets(job: Job, columns: list[Cells], names: list[str]) -> list[SpssSet]:
    """Multiple-answer questions under names that SPSS accepts; one that had to be renamed keeps its name as label."""
    meta = job.table.meta
    sets = [] if isinstance(meta.sets, UnsetType) else meta.sets
    known = {cells.column.id: (name, cells) for name, cells in zip(names, columns, strict=True)}
    carriers = [Column(id=answer_set.id, name=answer_set.name, measure="文本", storage="text") for answer_set in sets]
    spss_sets, left = [], []
    for answer_set, name in zip(sets, valid_names(carriers, SPSS_SETS), strict=True):
        members = [known[column_id] for column_id in answer_set.columns if column_id in known]
        counted = _counted(answer_set.counted)
        if len(members) < 2 or len({cells.kind == "text" for _, cells in members}) > 1 or counted == "":
            left.append(answer_set.name)
            continue
        label = answer_set.label or (answer_set.name if name != answer_set.name else "")
        spss_sets.append(SpssSet(name, cut_bytes(label, MOST_LABEL), [own for own, _ in members], counted))
    if left:
        text = f"{listed(left)} 的变量类型不一或计数值不是整数，SPSS 的多重响应集放不下，没有写入。"
        job.note("export.sets", text, names=left)
    return spss_sets


def _counted(value: Value) -> str | None:
    """As SPSS writes it; empty where it has no way to say it."""
    if value is None or isinstance(value, str):
        return value
    return str(int(value)) if float(value).is_integer() else ""


def _format(column: Column) -> str:
    """F8.2: as wide as the largest number or missing code, with the decimals the table shows."""
    shown = [column.profile.min, column.profile.max, *column.missing.values]
    ends = [abs(value) for value in shown if isinstance(value, (int, float))]
    whole = len(str(int(max(ends, default=0)))) + 1
    decimals = min(column.decimals, 16)
    return f"F{min(40, max(8, whole + (decimals + 1 if decimals else 0)))}.{decimals}"


def _say(job: Job, known: _Dictionary, digits: list[str]) -> None:
    say_text(job, "SPSS", digits, known.cut, MOST_TEXT)
    special = {column.name: letters for column in job.table.meta.columns if (letters := letters_of(column))}
    if special:
        code, letter = next(iter(next(iter(special.values())).items()))
        text = f"{listed(list(special))} 的特殊缺失值 SPSS 没有，写成数（{letter} 写作 {code}）"
        text += "并声明为缺失，标签一并保留。"
        job.note("export.special", text, names=list(special))
    if known.partly:
        text = f"{listed(known.partly)} 的缺失码 SPSS 放不下（最多 3 个值，或 1 个范围加 1 个值），其余写成普通值。"
        job.note("export.missing", text, names=known.partly)
    if known.shortened:
        text = f"{known.shortened:,} 个取值标签超过 {MOST_VALUE_LABEL} 个字节，已截短。"
        job.note("export.labels", text, count=known.shortened)
