"""Rows that repeat an earlier one: the function `repeated` of the formula grammar."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from hengxi.contract.grammar import Call, Node
from hengxi.data.evaluation import FALSE, TRUE, Evaluation, Logic

_ODD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


def repeated(run: Evaluation, node: Call) -> Logic:
    """An earlier row holds the same in all of them; a gap equals a gap. The first of equal rows repeats nothing."""
    cells = [_alike(run, arg) for arg in node.args]
    # Equal rows have equal digests: only rows that share theirs with another one have to be compared cell by cell.
    rows = np.flatnonzero(pd.Series(_digests(cells, run.rows)).duplicated(keep=False))
    flags = np.full(run.rows, FALSE, dtype=np.uint8)
    if rows.size:
        shared = pd.DataFrame({place: column[rows] for place, column in enumerate(cells)})
        flags[rows[shared.duplicated().to_numpy()]] = TRUE
    return flags


def _digests(cells: list[npt.NDArray[Any]], rows: int) -> npt.NDArray[np.uint64]:
    """One number a row; rows that differ rarely share one."""
    digest = np.zeros(rows, dtype=np.uint64)
    for column in cells:
        digest = (digest ^ _bits(column)) * _ODD
        digest ^= digest >> _HALF
    return digest


def _bits(column: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """The same bits for the same value: one zero and one gap."""
    if column.dtype != np.float64:
        return column.astype(np.int64).view(np.uint64)
    plain = column + 0.0  # −0 becomes 0
    plain[np.isnan(plain)] = np.nan
    return plain.view(np.uint64)


def _alike(run: Evaluation, node: Node) -> npt.NDArray[Any]:
    """Numbers that are equal where the values are, one a row."""
    kind = run.kind(node)
    if kind == "logical":
        return run.logic(node)
    if kind != "text":
        return run.numbers(node)
    texts = run.texts(node)
    places: dict[str, int] = {}
    first = np.array([places.setdefault(word, len(places)) for word in texts.words], dtype=np.int64)
    return np.where(texts.codes < 0, -1, first[texts.codes]) if first.size else texts.codes
