"""Which case a row is, whatever a filter, an order or a deletion has done to its place.

A case is `[origin, turn]`: the number its row had in the import (of a row put in by hand: a number drawn for it), and
which of the rows of that origin it is, from 0, since a step may repeat rows. Tables whose rows are those of the import
keep nothing; others have the origins in a physical column of their own, which is no variable.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hengxi.data.arrays import one_chunk
from hengxi.data.table import Table

CASES = "~case"
FIRST_DRAWN = 2**44
"""Origins of rows put in by hand begin beyond any number a row of an import can have."""

FIRST_OF_STEP = 2**43
"""Origins of rows a step makes begin here, counted on: made anew, the step gives its rows the same ones."""

Places = npt.NDArray[np.int64]
Case = tuple[int, int]


def origins(table: Table) -> Places:
    if not table.source.has(CASES):
        return np.arange(table.rows, dtype=np.int64)
    found: Places = one_chunk(table.source.array(CASES)).to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def column_of(found: Places) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(found, pa.int64())])


def drawn(count: int) -> list[int]:
    """Origins for new rows, which no other row of any version has."""
    return [FIRST_DRAWN + secrets.randbelow(2**52 - FIRST_DRAWN) for _ in range(count)]


def of_a_step(known: Places, count: int) -> Places:
    """Origins of rows that are made by a step and are no row of the import."""
    earlier = known[(known >= FIRST_OF_STEP) & (known < FIRST_DRAWN)]
    start = int(earlier.max()) + 1 if len(earlier) else FIRST_OF_STEP
    return np.arange(start, start + count, dtype=np.int64)


def cases_at(table: Table, rows: Sequence[int]) -> list[Case]:
    if not table.source.has(CASES):
        return [(int(row), 0) for row in rows]
    known = origins(table)
    places = _places(known, {int(known[row]) for row in rows})
    return [(int(known[row]), places[int(known[row])].index(int(row))) for row in rows]


def rows_of(table: Table, cases: Sequence[Case]) -> list[int | None]:
    """Where the cases stand; None for one that the table does not hold."""
    places = _places(origins(table), {origin for origin, _ in cases})
    return [rows[turn] if turn < len(rows := places.get(origin, [])) else None for origin, turn in cases]


def _places(known: Places, wanted: set[int]) -> dict[int, list[int]]:
    at: dict[int, list[int]] = {}
    for row in np.flatnonzero(np.isin(known, np.fromiter(wanted, np.int64, len(wanted)))).tolist():
        at.setdefault(int(known[row]), []).append(row)
    return at
