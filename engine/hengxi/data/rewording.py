"""Words of a result: names, labels, levels, missing codes, order and sets of its columns; cells stay as they are."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
from msgspec import UNSET, UnsetType

from hengxi.contract.derived import KEEP, Answers, Words
from hengxi.data.describe import describe_one
from hengxi.data.levels import label_of
from hengxi.data.meta import AnswerSet, Column, Level, Meta, Missing
from hengxi.data.table import Table


def reword(
    table: Table,
    meta: Meta,
    arrays: dict[str, pa.ChunkedArray],
    words: Sequence[Words],
    order: Sequence[str] | None,
    sets: Sequence[Answers],
) -> None:
    """Changes `meta`, which is that of the result, in place."""
    by_id = meta.by_id()
    for one in words:
        _reword_one(by_id[one.column.id], one, arrays)
    if order is not None:
        place = {name: i for i, name in enumerate(order)}
        meta.columns.sort(key=lambda column: place.get(column.name, len(place)))
    if sets:
        ids = {column.name: column.id for column in meta.columns}
        known = [] if isinstance(meta.sets, UnsetType) else list(meta.sets)
        number = max((int(one.id[1:]) for one in known if one.id[1:].isdigit()), default=0)
        for i, made in enumerate(sets, number + 1):
            columns = [ids[name] for name in made.columns]
            known.append(AnswerSet(id=f"s{i}", name=made.name, columns=columns, counted=made.counted))
        meta.sets = known or UNSET


def _reword_one(column: Column, words: Words, arrays: dict[str, pa.ChunkedArray]) -> None:
    if words.name is not None:
        column.name = words.name
    if words.label is not KEEP:
        column.label = words.label  # type: ignore[assignment]
    if words.measure is not None:
        column.measure = words.measure
        column.flags = [flag for flag in column.flags if flag != "量表" or words.measure in ("定量", "定类")]
        column.ordered = column.ordered and words.measure == "定类"
    if words.ordered is not None:
        column.ordered = words.ordered
    if words.missing is not None:
        column.missing = Missing(values=[*words.missing], ranges=column.missing.ranges)
    if words.levels is not None:
        column.levels = [Level(value=value, label=label or label_of(value)) for value, label in words.levels]
    if words.decimals is not None:
        column.decimals = words.decimals
    if words.measure is not None or words.missing is not None or words.levels is not None:
        decimals = column.decimals
        describe_one(column, arrays[column.id], declared=True)
        column.decimals = decimals if words.decimals is not None else column.decimals
