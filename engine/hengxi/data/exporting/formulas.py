"""Texts that a spreadsheet would take for a formula: counted and told, and changed only when the user asks for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from hengxi.data.arrays import Bools, as_strings
from hengxi.data.exporting.cells import labels_of
from hengxi.data.exporting.job import Job
from hengxi.data.levels import key_of
from hengxi.data.readings import NUMBER
from hengxi.data.sample import filter_mask
from hengxi.data.table import Table
from hengxi.data.values import dictionary, indices

START = r"^[=+\-@\t\r＝＋－＠]"


def risky(texts: pl.Expr) -> pl.Expr:
    """Whether a text starts like a formula; +5 and -3.2 are numbers and harmless."""
    return texts.str.contains(START) & ~texts.str.contains(NUMBER)


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

    `formulas` counts the risky texts among cells and names, `columns` names where they are.
    """
    table = Table.open(key)
    keep = filter_mask(table, body.get("filter"))
    names = [column.name for column in table.meta.columns]
    counts = {way: int(mark(names).sum()) for way in ("values", "labels")}
    where: list[str] = []
    for column in table.meta.columns:
        labels = labels_of(column)
        if column.stored != "text" and not mark(list(labels.values())).any():
            continue
        encoded = dictionary(table.array(column.id))
        words = as_strings(encoded.dictionary)
        named = {key_of(value): label for value, label in labels.items()}
        shown = [named.get(key_of(value), "") for value in encoded.dictionary.to_pylist()] if labels else []
        values = mark(words) if column.storage == "text" else np.zeros(len(words), dtype=np.bool_)
        found = {
            "values": values,
            "labels": np.where([bool(x) for x in shown], mark(shown), values) if labels else values,
        }
        places = indices(encoded)[keep]
        hits = {way: int(np.append(marks, False)[places].sum()) for way, marks in found.items()}
        if any(hits.values()):
            where.append(column.name)
        counts = {way: count + hits[way] for way, count in counts.items()}
    return {"rows": int(keep.sum()), "formulas": counts, "columns": where}


def say(job: Job, found: int) -> None:
    """The count, and what was done about it."""
    if not found:
        return
    text = f"{found:,} 个文本单元格以 = + - @ 开头，在表格软件中可能被当作公式执行"
    text += "；已在前面加单引号。" if job.options.quote else "；按原样写出。"
    job.note("export.formulas", text, count=found, quoted=job.options.quote)
