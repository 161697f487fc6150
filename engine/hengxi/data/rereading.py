"""A column kept as text, read later: by the readings of the import, which change how a magnitude is written."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import polars as pl
import pyarrow as pa
from msgspec import UNSET

from hengxi.data import decide
from hengxi.data.arrays import Floats, as_strings
from hengxi.data.meta import Column, Warn
from hengxi.data.plan import Counts, Plan
from hengxi.data.readings import EXTRA_FORMS, READINGS, orders_of, to_numbers
from hengxi.data.refusal import DataRefusal
from hengxi.data.values import dictionary

_NAME = "x"
Cells: TypeAlias = pa.Array | pa.ChunkedArray


def read_numbers(array: Cells, column: Column, wanted: str | None, warnings: list[Warn]) -> None:
    """Settles how the text is read as numbers. DataRefusal `edit.reading` where two readings take the same cells."""
    counts, _ = counted(array)
    ways = number_ways(counts)
    chosen = next((way for way in ways if way[1] == wanted), ways[0] if _is_clear(ways, counts) else None)
    if chosen is None:
        text = f"“{column.name}”的数字有 {len(ways)} 种读法，请选择。"
        choices = [
            {"key": key, "title": title, "preview": decide.preview(plan, counts.doubt)[:3]} for title, key, plan in ways
        ]
        raise DataRefusal("edit.reading", text, {"column": column.id, "choices": choices})
    _, _, plan = chosen
    unusual = [way for way in plan.readings if way != "plain"]
    column.readings = list(plan.readings) if unusual else UNSET
    if unusual:
        titles = "，".join(READINGS[way].title for way in unusual)
        pairs = [pair for pair in decide.preview(plan, counts.doubt) if pair["after"] is not None]
        shown = f"（如 {pairs[0]['before']} 读作 {pairs[0]['after']:g}）" if pairs else ""
        text = f"“{column.name}”按“{titles}”读成数值{shown}；改回文本即恢复。"
        warnings.append(Warn(code="edit.reading", text=text, facts={"column": column.id, "readings": unusual}))


def _is_clear(ways: list[tuple[str, str, Plan]], counts: Counts) -> bool:
    """Whether there is one way, or one that takes all cells where no other does."""
    lost = [counts.cells - counts.plain - sum(counts.kinds.get(way, 0) for way in plan.readings) for _, _, plan in ways]
    return len(ways) == 1 or (lost[0] <= 0 < min(lost[1:]))


def number_ways(counts: Counts) -> list[tuple[str, str, Plan]]:
    """(title, key, plan) of each way to read the words as numbers; the plain one where nothing is unusual."""
    if not counts.kinds:
        return [("普通数字", "plain", Plan(kind="float", readings=("plain",), trim=True))]
    return decide.number_ways(counts, 0, counts.grouped > 0 and "comma_decimal" in counts.kinds)


def counted(array: Cells) -> tuple[Counts, int]:
    """What lies in the different words of a column, and how many there are."""
    words = as_strings(dictionary(array).dictionary)
    frame = pl.DataFrame({_NAME: pl.Series(words.to_pylist(), dtype=pl.String)}).with_row_index("row")
    return decide.count(frame.lazy(), _NAME, "row"), len(words)


def extra_dates(array: Cells) -> list[str]:
    """Which numbers of the words would be days: 20240405, the serial numbers of spreadsheets."""
    words = pl.DataFrame({_NAME: pl.Series(as_strings(dictionary(array).dictionary).to_pylist(), dtype=pl.String)})
    text = pl.col(_NAME).str.strip_chars()
    tests = {form.form: form.expr(text).is_not_null().any() for form in EXTRA_FORMS}
    found: dict[str, Any] = words.select(**tests).row(0, named=True)
    return [form for form, any_cell in found.items() if any_cell]


def as_numbers(words: list[str]) -> Floats:
    """Numbers of words, NaN where one is none; where two readings take the same words the first of the ways counts."""
    plain = to_numbers(pa.array(words, pa.string()), "float")
    if all(known or not word.strip() for known, word in zip(~np.isnan(plain), words, strict=True)):
        return plain
    counts, _ = counted(pa.array(words, pa.string()))
    _, _, plan = number_ways(counts)[0]
    return to_numbers(pa.array(words, pa.string()), "float", "", plan.readings)


def as_days(words: list[str]) -> Floats:
    """Days since 1970 of words; where day and month cannot be told apart it is no date."""
    strings = pa.array(words, pa.string())
    taken = orders_of(strings)
    best = [order for order, n in taken.items() if n == max(taken.values())]
    order = best[0] if len(best) == 1 else ""
    return to_numbers(strings, "datetime", order, tuple(form.form for form in EXTRA_FORMS))
