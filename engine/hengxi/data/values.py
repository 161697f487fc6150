"""A physical column under its metadata: numbers with missing codes taken out, and which cells are missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from msgspec import UnsetType

from hengxi.data import readings
from hengxi.data.arrays import Bools, Floats, as_floats, as_strings
from hengxi.data.meta import Column


def numbers(array: pa.Array | pa.ChunkedArray, column: Column) -> Floats:
    """float64, NaN for missing, user-missing and cells of a text column that are no number. May be a read-only view."""
    values = text_as_numbers(array, column) if column.stored == "text" else as_floats(array)
    gone = numeric_missing(values, column)
    if gone is not None and gone.any():
        values = np.where(gone, np.nan, values)
    return values


def text_as_numbers(array: pa.Array | pa.ChunkedArray, column: Column) -> Floats:
    """A text column declared 定量 or 时间: plain numbers (or dates in days since 1970), all else NaN."""
    encoded = dictionary(array)
    if not isinstance(column.scores, UnsetType):
        return _scored(encoded, column, column.scores)
    order = "" if isinstance(column.date_order, UnsetType) else column.date_order
    ways = () if isinstance(column.readings, UnsetType) else tuple(column.readings)
    parsed = readings.to_numbers(as_strings(encoded.dictionary), column.storage, order, ways)
    # The extra last entry answers index −1, a missing cell.
    values: Floats = np.append(parsed, np.nan)[indices(encoded)]
    gone = text_missing(encoded, column)
    return values if gone is None else np.where(gone, np.nan, values)


def _scored(encoded: pa.DictionaryArray, column: Column, scores: dict[str, int]) -> Floats:
    """The score of each word; a cell that holds one of the scores itself keeps it, all else is NaN."""
    texts = [str(text).strip() for text in encoded.dictionary.to_pylist()]
    digits = {str(score): score for score in scores.values()}
    found = [float(scores.get(text, digits.get(text, np.nan))) for text in texts]
    values: Floats = np.array([*found, np.nan], dtype=np.float64)[indices(encoded)]
    gone = text_missing(encoded, column)
    return values if gone is None else np.where(gone, np.nan, values)


def text_missing(encoded: pa.DictionaryArray, column: Column) -> Bools | None:
    """Cells whose text is a user-missing code; None if the column has no such code."""
    codes = [value for value in column.missing.values if isinstance(value, str)]
    if not codes:
        return None
    flags = np.array([value in codes for value in encoded.dictionary.to_pylist()] + [False], dtype=np.bool_)
    found: Bools = flags[indices(encoded)]
    return found


def numeric_missing(values: Floats, column: Column) -> Bools | None:
    """Which numbers are user-missing codes; None if the column has none."""
    if not column.missing:
        return None
    codes = [float(v) for v in column.missing.values if isinstance(v, (int, float))]
    gone: Bools = np.isin(values, codes) if codes else np.zeros(len(values), dtype=np.bool_)
    for span in column.missing.ranges:
        low = -np.inf if span.low is None else span.low
        high = np.inf if span.high is None else span.high
        gone |= (values >= low) & (values <= high)
    return gone


def dictionary(array: pa.Array | pa.ChunkedArray) -> pa.DictionaryArray:
    """The array dictionary-encoded, as it is if it already was; pieces are joined."""
    encoded = array if pa.types.is_dictionary(array.type) else array.dictionary_encode()
    if not isinstance(encoded, pa.ChunkedArray):
        return encoded
    if encoded.num_chunks == 0:
        return pa.DictionaryArray.from_arrays(pa.array([], pa.int32()), pa.array([], encoded.type.value_type))
    joined = encoded.combine_chunks()
    return joined.chunk(0) if isinstance(joined, pa.ChunkedArray) else joined


def indices(encoded: pa.DictionaryArray) -> npt.NDArray[np.signedinteger[Any]]:
    """Places in the dictionary, −1 for missing."""
    index = encoded.indices
    if index.null_count:
        index = index.cast(pa.int32()).fill_null(-1)
    places: npt.NDArray[np.signedinteger[Any]] = index.to_numpy(zero_copy_only=False)
    return places
