"""Texts that a spreadsheet would take for a formula: counted and told, and changed only when the user asks for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from hengxi.contract.spreadsheets import FORMULA
from hengxi.data.arrays import Bools, as_strings, wire_value
from hengxi.data.exporting.cells import labels_of
from hengxi.data.exporting.job import Job
from hengxi.data.levels import key_of
from hengxi.data.meta import Column
from hengxi.data.readings import NUMBER
from hengxi.data.sample import filter_mask
from hengxi.data.table import Table
from hengxi.data.values import dictionary, indices

NAMED = 50


def risky(texts: pl.Expr) -> pl.Expr:
    """Whether a text starts like a formula; +5 and -3.2 are numbers and harmless."""
    return texts.str.contains(FORMULA) & ~texts.str.contains(NUMBER)


def quoted(texts: pl.Expr) -> pl.Expr:
    return pl.when(risky(texts)).then(pl.lit("'") + texts).otherwise(texts)


def mark(texts: pa.Array | list[str]) -> Bools:
    """`risky` for an array; missing cells are not."""
    series = pl.Series("x", texts, dtype=pl.String) if isinstance(texts, list) else pl.from_arrow(texts)
    assert isinstance(series, pl.Series)
    found = series.alias("x").cast(pl.String).to_frame().select(risky(pl.col("x")).fill_null(False))
    marks: Bools = found.to_series().to_numpy().astype(np.bool_)
    return marks


def check(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """`{filter}` → `{rows, formulas: {values, labels}, columns}`: what an export would hold, before it is made.

    `formulas` counts the risky texts among cells and names, `columns` names where they are (the first of them).
    """
    table = Table.open(key)
    keep = filter_mask(table, body.get("filter"))
    in_names = int(mark([column.name for column in table.meta.columns]).sum())
    counts = {"values": in_names, "labels": in_names}
    where: list[str] = []
    for column in table.meta.columns:
        found = _risky_words(table, column)
        if found is None:
            continue
        encoded, marks = found
        places = indices(encoded)[keep]
        hits = {way: int(np.append(risk, False)[places].sum()) for way, risk in marks.items()}
        counts = {way: count + hits[way] for way, count in counts.items()}
        if any(hits.values()):
            where.append(column.name)
    return {"rows": int(keep.sum()), "formulas": counts, "columns": where[:NAMED]}


def _risky_words(table: Table, column: Column) -> tuple[pa.DictionaryArray, dict[str, Bools]] | None:
    """Which of the column's distinct values are risky, as they are and by their labels; None where none is."""
    labels = labels_of(column)
    has_risky_label = bool(labels) and bool(mark(list(labels.values())).any())
    if column.storage != "text" and not has_risky_label:
        return None
    encoded = dictionary(table.array(column.id))
    values = (
        mark(as_strings(encoded.dictionary)) if column.storage == "text" else np.zeros(len(encoded.dictionary), bool)
    )
    shown = values
    if labels:
        named = {key_of(value): label for value, label in labels.items()}
        words = [named.get(key_of(wire_value(value))) for value in encoded.dictionary.to_pylist()]
        risky_label = mark([word or "" for word in words])
        shown = np.where([word is not None for word in words], risky_label, values)
    return (encoded, {"values": values, "labels": shown}) if values.any() or shown.any() else None


def say(job: Job, count: int) -> None:
    """The count, and what was done about it."""
    if not count:
        return
    text = f"{count:,} 个文本单元格以 = + - @ 开头，在表格软件中可能被当作公式执行"
    text += "；已在前面加单引号。" if job.options.quote else "；按原样写出。"
    job.note("export.formulas", text, count=count, quoted=job.options.quote)
