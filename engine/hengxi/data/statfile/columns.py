"""Columns with the labels, levels, missing codes and measures of the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from hengxi.data.arrays import ArrowFile
from hengxi.data.levels import by_number, in_word_order
from hengxi.data.meta import Column, Level, Missing, Range
from hengxi.data.statfile.cells import coded, is_special
from hengxi.data.statfile.dialect import Kind


def columns_of(
    meta: Any, names: list[str], kinds: list[Kind], whole: list[bool], out: Path
) -> tuple[list[Column], set[str]]:
    """(columns, ids whose measure the file declares)."""
    source = ArrowFile(out)
    columns, declared = [], set()
    for i, (own, name, kind) in enumerate(zip(meta.column_names, names, kinds, strict=True)):
        column = Column(id=f"c{i + 1}", name=name, measure="文本", storage="text")
        column.label = (meta.column_labels[i] or "").strip() or None
        if kind.dated:
            column.storage = "date" if kind.name == "date" else "datetime"
        elif kind.name != "text":
            column.storage = "int" if whole[i] else "float"
        labels = meta.variable_value_labels.get(own) or {}
        users = list(meta.missing_user_values.get(own) or [])
        if kind.name != "text":  # a label says that a letter is in use, also where no cell holds it
            users += [value for value in labels if is_special(value) and value not in users]
        if not kind.dated:
            column.missing = _missing(meta.missing_ranges.get(own) or [], users, kind)
            column.levels = _levels(labels, users, kind)
        measure, ordered = measure_of(meta, own, kind)
        if kind.name == "duration":
            column.unit = "秒"
            column.clock = (meta.original_variable_types.get(own) or "TIME8").upper()
        if measure and not (kind.name == "text" and _open_text(source, column)):
            column.measure, column.ordered, column.why = measure, ordered, "文件中声明"  # type: ignore[assignment]
            declared.add(column.id)
        columns.append(column)
    return columns, declared


def measure_of(meta: Any, name: str, kind: Kind) -> tuple[str | None, bool]:
    """(measure, ordered) as declared; labelled numbers without a declaration are 定类."""
    if kind.dated:
        return None, False
    declared = meta.variable_measure.get(name, "unknown")
    labelled = (meta.variable_value_labels.get(name) or {}).items()
    labels = [
        level.label for level in by_number([Level(value=v, label=str(t)) for v, t in labelled if not is_special(v)])
    ]
    if declared == "nominal" or (declared == "unknown" and len(labels) >= 2 and kind.name != "duration"):
        return "定类", in_word_order(labels)
    if declared == "ordinal":
        return "定类", True
    return ("定量", False) if declared == "scale" and kind.name != "text" else (None, False)


def _levels(labels: dict[Any, Any], users: list[Any], kind: Kind) -> list[Level] | None:
    """Labels of values, and of special missing values `.a 拒答` (`.a` where they have none).

    By the codes' numbers: the order in which a file stores its labels is that in which somebody typed them.
    """
    if kind.name == "text":
        return by_number([Level(value=v, label=str(t)) for v, t in labels.items()]) or None
    plain = [Level(value=coded(v), label=str(t)) for v, t in labels.items() if not is_special(v)]
    letters = [Level(value=coded(v), label=f".{v} {labels.get(v, '')}".strip()) for v in users if is_special(v)]
    return by_number(plain) + letters or None


def _missing(ranges: list[Any], values: list[Any], kind: Kind) -> Missing:
    """Single codes and ranges; the lowest and highest numbers a program knows are open ends."""
    missing = Missing(values=list(values) if kind.name == "text" else [coded(v) for v in values])
    for span in ranges:
        low, high = span["lo"], span["hi"]
        if low == high:
            missing.values.append(low if kind.name == "text" else coded(low))  # "X" is text, no letter of Stata's
        else:
            missing.ranges.append(
                Range(low=None if low < -1e300 else float(low), high=None if high > 1e300 else float(high))
            )
    return missing


def _open_text(source: ArrowFile, column: Column) -> bool:
    """SPSS calls every string nominal; one with mostly different values is an open answer and is typed by our rules."""
    if column.levels:
        return False
    cells = source.array(column.id)
    distinct = pc.count_distinct(cells, mode="only_valid").as_py()
    return bool(distinct > 20 and distinct >= 0.05 * len(cells))
