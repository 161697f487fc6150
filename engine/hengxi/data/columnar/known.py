"""What our own Parquet export knows of its columns beyond their types: written into the file's metadata, read from it.

Another program may have written anything under our key, so everything is checked and what does not fit is left out.
"""

from __future__ import annotations

import msgspec
import pyarrow as pa
from msgspec import Struct, field

from hengxi.data.meta import AnswerSet, Column, Level, Measure, Missing, Value

METADATA = b"hengxi"
"""Key of the file's metadata: a `Known` as JSON."""


class Label(Struct, kw_only=True):
    value: Value
    label: str


class KnownColumn(Struct, kw_only=True):
    name: str
    label: str | None = None
    measure: Measure
    ordered: bool = False
    flags: list[str] = field(default_factory=list)
    unit: str | None = None
    labels: list[Label] = field(default_factory=list)
    missing: Missing = field(default_factory=Missing)


class KnownSet(Struct, kw_only=True):
    """A multiple-answer question; `columns` by name."""

    name: str
    label: str | None = None
    columns: list[str]
    counted: Value = 1


class Known(Struct, kw_only=True):
    columns: list[KnownColumn]
    sets: list[KnownSet] = field(default_factory=list)


def known_of(schema: pa.Schema) -> Known | None:
    """None where the file says nothing, or nothing that can be read."""
    raw = (schema.metadata or {}).get(METADATA)
    if raw is None:
        return None
    try:
        return msgspec.json.decode(raw, type=Known)
    except msgspec.MsgspecError:
        return None


def take_over(
    known: Known, own: list[str], columns: list[Column]
) -> tuple[set[str], dict[str, list[str]], list[AnswerSet]]:
    """Puts labels, measures and missing codes on the columns. `own` are the names in the file, one per column.

    (ids whose measure is declared, flags by id, multiple-answer questions).
    """
    known_by_name = {one.name: one for one in known.columns}
    declared: set[str] = set()
    flags: dict[str, list[str]] = {}
    for name, column in zip(own, columns, strict=True):
        stated = known_by_name.get(name)
        if stated is None:
            continue
        column.label, column.unit = stated.label or None, stated.unit or column.unit
        column.missing = _fitting_missing(stated.missing, column)
        column.levels = [
            Level(value=one.value, label=one.label) for one in stated.labels if _fits(one.value, column)
        ] or column.levels
        flags[column.id] = [flag for flag in stated.flags if flag in ("量表", "标识")]
        if _measurable(stated.measure, column):
            column.measure, column.why = stated.measure, "文件中声明"
            column.ordered = stated.ordered and stated.measure == "定类"
            declared.add(column.id)
    return declared, flags, _sets(known, dict(zip(own, columns, strict=True)))


def _sets(known: Known, columns: dict[str, Column]) -> list[AnswerSet]:
    sets: list[AnswerSet] = []
    for known_set in known.sets:
        ids = list(dict.fromkeys(columns[name].id for name in known_set.columns if name in columns))
        if len(ids) > 1 and known_set.name:
            number = len(sets) + 1
            sets.append(
                AnswerSet(
                    id=f"s{number}", name=known_set.name, label=known_set.label, columns=ids, counted=known_set.counted
                )
            )
    return sets


def _fits(value: Value, column: Column) -> bool:
    if column.storage in ("int", "float"):
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if column.storage == "bool":
        return isinstance(value, bool)
    return column.storage == "text" and isinstance(value, str)


def _fitting_missing(missing: Missing, column: Column) -> Missing:
    ranges = missing.ranges if column.storage in ("int", "float") else []
    return Missing(values=[value for value in missing.values if _fits(value, column)], ranges=ranges)


def _measurable(measure: Measure, column: Column) -> bool:
    if measure == "时间":
        return column.storage in ("date", "datetime")
    return measure != "定量" or column.storage in ("int", "float")
