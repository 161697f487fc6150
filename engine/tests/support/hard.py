"""Nine degenerate tables made from an example, and tables with rows or names changed but not the facts."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
import pandas as pd
import pyarrow as pa

from hengxi.data.table import Table
from tests.support.oracle import Case, table_from

STRANGE = "{{{0}}} \"引号' 名 · α\\n,;😀"


def _numbers(frame: pd.DataFrame) -> list[str]:
    return [name for name in frame.columns if pd.api.types.is_numeric_dtype(frame[name])]


def _no_rows(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.iloc[:0]


def _one_row(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.iloc[:1]


def _three_rows(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.iloc[:3]


def _all_missing(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.astype(object).where(frame.isna() & ~frame.isna(), None)


def _constant(frame: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({name: [frame[name].iloc[0]] * len(frame) for name in frame.columns})


def _empty_category(frame: pd.DataFrame) -> pd.DataFrame:
    """The last category of every text column keeps a single row."""
    out = frame.copy()
    for name in out.columns.difference(_numbers(out)):
        last = out[name].iloc[-1]
        first = out[name].iloc[0]
        hits = np.flatnonzero(out[name] == last)[1:]
        out.iloc[hits, out.columns.get_loc(name)] = first
    return out


def _text_among_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    out = frame.astype(object)
    for name in _numbers(frame):
        out.loc[out.index[::5], name] = None
    return out


def _huge(frame: pd.DataFrame) -> pd.DataFrame:
    out = frame.copy()
    for name in _numbers(frame):
        out[name] = out[name].astype(float) * 1e300
    return out


def _tiny(frame: pd.DataFrame) -> pd.DataFrame:
    out = frame.copy()
    for name in _numbers(frame):
        out[name] = out[name].astype(float) * 1e-300
    return out


HARD: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "no_rows": _no_rows,
    "one_row": _one_row,
    "three_rows": _three_rows,
    "all_missing": _all_missing,
    "constant": _constant,
    "empty_category": _empty_category,
    "gaps": _text_among_numbers,
    "huge": _huge,
    "tiny": _tiny,
}


def shuffled(table: Table, seed: int = 7) -> Table:
    """The same rows in another order; levels keep theirs."""
    order = np.random.default_rng(seed).permutation(table.rows)
    data = pa.table({column.id: table.array(column.id) for column in table.meta.columns})
    return Table.in_memory(table.meta, data.take(pa.array(order)))


def renamed(table: Table) -> Table:
    """Every variable and every category called something else."""
    data = pa.table({column.id: table.array(column.id) for column in table.meta.columns})
    columns = []
    for i, column in enumerate(table.meta.columns):
        levels = column.levels and [
            msgspec.structs.replace(level, label=f"{STRANGE.format(len(column.levels or []) - j)}")
            for j, level in enumerate(column.levels)
        ]
        columns.append(msgspec.structs.replace(column, name=STRANGE.format(f"i{10 - i}"), label=None, levels=levels))
    return Table.in_memory(msgspec.structs.replace(table.meta, columns=columns), data)


SMALL = 60
"""Rows are thinned to about so many before they are made degenerate: what breaks on 300 constant rows breaks on 60."""
_TABLES: dict[tuple[str, tuple[str, str, str]], Table] = {}


def degenerate(case: Case, kind: str) -> Table:
    """One of the nine, made once for all cases of the same data; measures are kept so that the form still fits."""
    if (kind, case.key) not in _TABLES:
        measures = {column.name: column.measure for column in case.table().meta.columns}
        frame = case.frame
        small = frame.iloc[:: -(-len(frame) // SMALL)] if len(frame) > SMALL else frame
        _TABLES[kind, case.key] = table_from(HARD[kind](small.reset_index(drop=True)), measures)
    return _TABLES[kind, case.key]
