"""From physical columns to full metadata: profile, measure, levels, decimals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from msgspec import UNSET, UnsetType

from hengxi.data import measures
from hengxi.data.arrays import as_floats, decoded, picked
from hengxi.data.levels import is_missing, label_of, level_order, word_order
from hengxi.data.meta import MAX_LEVELS, Column, Level, Value
from hengxi.data.profile import profile_array
from hengxi.data.questionnaire.worded import matches
from hengxi.data.values import dictionary

MAX_DECIMALS = 6
THREADS = 2
Cells: TypeAlias = pa.Array | pa.ChunkedArray


def storage_of(kind: pa.DataType) -> str:
    """The wire's word for an Arrow type."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_boolean(kind):
        return "bool"
    if pa.types.is_integer(kind):
        return "int"
    if pa.types.is_floating(kind):
        return "float"
    if pa.types.is_date(kind):
        return "date"
    return "datetime" if pa.types.is_timestamp(kind) else "text"


def describe(
    columns: list[Column],
    array: Callable[[str], Cells],
    tick: Callable[[int], None],
    declared: set[str] | frozenset[str] = frozenset(),
) -> None:
    """Fills profile, measure, why, levels and decimals of new columns in place.

    `array(id)` gives one physical column at a time (few are in memory at once); `tick(i)` is called after each.
    `declared` columns keep the measure they came with (SPSS, the user); levels that came along keep order and labels.
    A `why` that came along is kept in front.
    """

    def one(column: Column) -> None:
        describe_one(column, array(column.id), column.id in declared)

    if len(columns) == 1:  # threads that begin and end would take longer than a short column
        one(columns[0])
        tick(1)
    else:
        with ThreadPoolExecutor(THREADS) as pool:
            for i, _ in enumerate(pool.map(one, _by_turns(columns))):
                tick(i + 1)
    measures.flag_scales(columns)
    propose_scores(columns)


def propose_scores(columns: list[Column]) -> None:
    """Answers in words that are of a scale say how they would be scored; items of one scale alike."""
    worded = [column for column in columns if column.storage == "text" and column.measure == "定类" and column.levels]
    counts = {c.id: {str(level.value): level.count for level in c.levels or []} for c in worded}
    found = matches(counts)
    for column in worded:
        own = found.get(column.id)
        column.wording = own.as_wording() if own else UNSET


def _by_turns(columns: list[Column]) -> Iterator[Column]:
    """Decimals and others by turns: decimals are counted one column after the other, others beside them."""
    decimals = [column for column in columns if column.storage == "float"]
    others = [column for column in columns if column.storage != "float"]
    return (column for pair in zip_longest(decimals, others) for column in pair if column is not None)


def describe_one(column: Column, array: Cells, declared: bool = False) -> None:
    """As `describe`, for one column, without the look at its siblings."""
    if column.stored == "text":
        array = dictionary(array)  # once, for profile and levels
    part_missing(column, array)
    column.profile = profile_array(array, column)
    texts = distinct(array, column) if column.storage == "text" and column.profile.distinct <= MAX_LEVELS else []
    if column.storage == "text" and not texts:
        texts = [top.value for top in column.profile.top] + sample(array)
    if not declared:
        note = column.why
        measures.decide(column, texts)
        column.why = note or column.why
    column.levels = levels_for(column, array)
    column.decimals = decimals_of(array) if column.storage == "float" else 0


def part_missing(column: Column, array: Cells) -> None:
    """Labels of user-missing codes apart from the levels, and back again when a code is an answer after all."""
    kept = [] if isinstance(column.missing_labels, UnsetType) else column.missing_labels
    everything = [*(column.levels or []), *kept]
    coded = [v for v in everything if is_missing(v.value, column.missing) and v.label != label_of(v.value)]
    column.levels = [level for level in everything if not is_missing(level.value, column.missing)] or None
    column.missing_labels = _counted(coded, column, array) if coded else UNSET


def _counted(coded: list[Level], column: Column, array: Cells) -> list[Level]:
    """The codes with how many cells hold each."""
    from hengxi.data.levels import key_of, kinds_of

    found = {key_of(level.value): level.count for level in kinds_of(dictionary(array), column)[1]}
    return [Level(value=v.value, label=v.label, count=found.get(key_of(v.value), 0)) for v in coded]


def levels_for(column: Column, array: Cells) -> list[Level] | None:
    """Levels of categorical and labelled columns, with counts; None for others and beyond 200 values."""
    from hengxi.data.levels import codes_of

    if column.measure != "定类" and not column.levels:
        return None
    if max(column.profile.distinct, len(column.levels or [])) > MAX_LEVELS:
        return None
    if column.storage == "text" and column.ordered and not column.levels:
        found = {str(v): v for v in distinct(array, column)}
        order = word_order(list(found)) or list(found)
        column.levels = [Level(value=found[t], label=t) for t in order]
    if column.storage != "text" and column.stored == "text":
        from hengxi.data.values import numbers

        array = pa.array(numbers(array, column), from_pandas=True)
    return codes_of(array, column)[1]


def distinct(array: Cells, column: Column) -> list[Value]:
    """Distinct valid values in order of first appearance (labels first)."""
    values = [v for v in decoded(dictionary(array).dictionary).to_pylist() if v is not None]
    return [level.value for level in level_order(values, column)]


def sample(array: Cells) -> list[Value]:
    """Up to 200 cells spread over the column."""
    places = np.unique(np.linspace(0, max(len(array) - 1, 0), min(200, len(array))).astype(np.int64))
    return [v for v in _some(array, places).to_pylist() if v is not None]


def _some(array: Cells, places: npt.NDArray[np.int64]) -> pa.Array:
    if isinstance(array, pa.ChunkedArray) and not pa.types.is_dictionary(array.type):
        return pa.array(picked(array, places), array.type)
    return array.take(pa.array(places))


def decimals_of(array: Cells) -> int:
    """Decimals that show every one of up to 1,000 sampled numbers, at most 6."""
    places = np.unique(np.linspace(0, max(len(array) - 1, 0), min(1000, len(array))).astype(np.int64))
    values = as_floats(_taken(array, places))
    values = values[np.isfinite(values)]
    for decimals in range(MAX_DECIMALS):
        if np.all(np.abs(values - np.round(values, decimals)) <= 1e-9):
            return decimals
    return MAX_DECIMALS


def _taken(array: Cells, places: npt.NDArray[np.int64]) -> Cells:
    """Cells piece by piece, in ascending order: Arrow's own `take` would copy all pieces into one first."""
    if not isinstance(array, pa.ChunkedArray):
        return array.take(pa.array(places))
    begins = np.cumsum([0, *(len(chunk) for chunk in array.chunks)])
    own = np.split(places, np.searchsorted(places, begins[1:-1]))
    taken = [chunk.take(pa.array(at - begin)) for chunk, at, begin in zip(array.chunks, own, begins, strict=False)]
    return pa.chunked_array(taken, array.type)


def new_column(place: int, name: str, kind: pa.DataType) -> Column:
    """A bare column at position `place` (from 0); `describe` fills the rest."""
    return Column(id=f"c{place + 1}", name=name, measure="文本", storage=storage_of(kind))  # type: ignore[arg-type]


__all__ = ["decimals_of", "describe", "describe_one", "label_of", "levels_for", "new_column", "storage_of"]
