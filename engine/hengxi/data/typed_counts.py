"""A table of counts typed by hand: one row for each combination of categories, with its count beside it."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

from hengxi.data import store
from hengxi.data.append import keep
from hengxi.data.build import table_of
from hengxi.data.meta import Level, Meta
from hengxi.data.names import tidy
from hengxi.data.refusal import DataRefusal

MOST_FACTORS, MOST_LEVELS, MOST_CELLS = 3, 200, 4000
LARGEST = 10**9
COUNT = "频数"
NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?", re.ASCII)
"""Written as we would write it: 01 and a number of an identity card stay texts."""


def make(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """`{factors: [{name, levels: [text]}], counts: [whole numbers, the last factor fastest]}` → meta of the new table.

    Categories keep the order they were typed in; those of a factor that are all numbers are stored as numbers, so that
    a test for trend can take them as scores. The last column holds the counts. DataRefusal `counts.<why>`.
    """
    factors = [(str(one["name"]), [str(level) for level in one["levels"]]) for one in body["factors"]]
    counts = list(body["counts"])
    _judge(factors, counts)
    names, _ = tidy([*(name for name, _ in factors), COUNT])
    cells = list(product(*(_values(levels) for _, levels in factors)))
    columns: dict[str, list[Any]] = {name: [cell[i] for cell in cells] for i, name in enumerate(names[:-1])}
    table = table_of({**columns, names[-1]: counts}, {**dict.fromkeys(names[:-1], "定类"), names[-1]: "定量"})
    for column, (_, levels) in zip(table.meta.columns, factors, strict=False):
        _in_typed_order(column.levels, levels)
    meta: Meta = keep(table, store.table_path(key))
    return meta.wire()


def _judge(factors: list[tuple[str, list[str]]], counts: list[Any]) -> None:
    """The web says the same where it is typed; here it is the last word."""
    if not 1 <= len(factors) <= MOST_FACTORS:
        raise DataRefusal("counts.factors", f"频数表有 1 到 {MOST_FACTORS} 个变量")
    size = 1
    for name, levels in factors:
        size *= len(levels)
        if len(levels) < 2:
            raise DataRefusal("counts.levels", f"“{name}”至少要有 2 个类别")
        if len(levels) > MOST_LEVELS:
            raise DataRefusal("counts.levels", f"“{name}”有 {len(levels)} 个类别，最多 {MOST_LEVELS} 个")
        if any(not level.strip() for level in levels):
            raise DataRefusal("counts.empty", f"“{name}”有一个类别没有名称")
        if len(set(levels)) < len(levels):
            twice = next(level for level in levels if levels.count(level) > 1)
            raise DataRefusal("counts.twice", f"“{name}”有两个类别都叫“{twice}”")
    if size > MOST_CELLS:
        raise DataRefusal("counts.cells", f"频数表有 {size:,} 格，最多 {MOST_CELLS:,} 格")
    if len(counts) != size:
        raise DataRefusal("counts.size", f"频数表有 {size:,} 格，收到 {len(counts):,} 个频数")
    for i, count in enumerate(counts, 1):
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= LARGEST:
            raise DataRefusal("counts.whole", f"第 {i} 格的频数必须是 0 到 {LARGEST:,} 的整数")
    if sum(counts) == 0:
        raise DataRefusal("counts.zero", "频数全部是 0")


def _values(levels: list[str]) -> list[Any]:
    if not all(NUMBER.fullmatch(level) for level in levels):
        return levels
    whole = all("." not in level for level in levels)
    numbers: list[Any] = [int(level) if whole else float(level) for level in levels]
    return numbers if len(set(numbers)) == len(levels) else levels


def _in_typed_order(levels: list[Level] | None, typed: list[str]) -> None:
    if levels is not None:
        place = {value: i for i, value in enumerate(_values(typed))}
        levels.sort(key=lambda level: place[level.value])
