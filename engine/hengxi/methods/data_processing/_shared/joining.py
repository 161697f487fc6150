"""Which rows of two tables belong together: keys become numbers that both tables share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from hengxi.contract import Column, Refusal, StepRemedy
from hengxi.methods.data_processing._shared.rows import Rows


@dataclass
class Keys:
    """Equal numbers for equal keys in both tables, −1 where a key is missing: it meets nothing."""

    left: Rows
    right: Rows
    left_sizes: Rows
    right_sizes: Rows

    @property
    def pairs(self) -> int:
        return int((self.left_sizes * self.right_sizes).sum())


def kind_of(column: Column) -> str:
    if column.info.storage in ("date", "datetime"):
        return "日期"
    return "数值" if column.is_number else "文本"


def keys_of(pairs: list[tuple[Column, Column]]) -> Keys:
    whole = None
    for left, right in pairs:
        _one_kind(left, right)
        own = _shared(left, right)
        if whole is None:
            whole = own
        else:
            gone = (whole < 0) | (own < 0)
            whole = np.where(gone, -1, whole * (int(own.max(initial=0)) + 1) + own)
            whole = np.where(gone, -1, pd.factorize(whole)[0])
    assert whole is not None
    n, k = len(pairs[0][0]), int(whole.max(initial=-1)) + 1
    a, b = whole[:n], whole[n:]
    return Keys(a, b, np.bincount(a[a >= 0], minlength=k), np.bincount(b[b >= 0], minlength=k))


def matches(keys: Keys, how: str) -> tuple[Rows, Rows]:
    """Rows of the result: the row of the left and of the right table, −1 where there is none. Left order, then right.

    The rows of one key of the right table lie together once they are sorted by key; each left row takes its span.
    """
    there = np.flatnonzero(keys.right >= 0)
    if keys.right_sizes.max(initial=0) <= 1:
        # No key twice: each row stands at the place of its key among those that are there.
        place = np.cumsum(keys.right_sizes) - 1
        order = np.empty(len(there), dtype=np.int64)
        order[place[keys.right[there]]] = there
    else:
        order = there[np.argsort(keys.right[there], kind="stable")]
    start = np.concatenate([[0], np.cumsum(keys.right_sizes)[:-1]]).astype(np.int64) if len(keys.right_sizes) else order
    known = keys.left >= 0
    count = np.zeros(len(keys.left), dtype=np.int64)
    count[known] = keys.right_sizes[keys.left[known]]
    met = count > 0
    spans = np.maximum(count, 1) if how in ("left", "outer") else count
    left = np.repeat(np.arange(len(keys.left)), spans)
    within = np.arange(len(left)) - np.repeat(np.cumsum(spans) - spans, spans)
    right = np.full(len(left), -1, dtype=np.int64)
    has = met[left]
    right[has] = order[start[keys.left[left[has]]] + within[has]]
    if how in ("outer", "right"):
        alone = np.flatnonzero(~met_of(keys))
        left, right = np.append(left, np.full(len(alone), -1)), np.append(right, alone)
    if how == "right":
        turn = np.argsort(right, kind="stable")
        left, right = left[turn], right[turn]
    return left, right


def met_of(keys: Keys) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Rows of the right table whose key the left table has."""
    met = np.zeros(len(keys.right), dtype=np.bool_)
    known = keys.right >= 0
    met[known] = keys.left_sizes[keys.right[known]] > 0
    return met


def _one_kind(left: Column, right: Column) -> None:
    a, b = kind_of(left), kind_of(right)
    if a != b:
        text = f"“{left.title}”是{a}而另一份数据的“{right.title}”是{b}，无法匹配，请先把两边改成同一种类型"
        remedy = StepRemedy(title=f"改变“{left.title}”的类型", step="measure", columns=[left.id])
        raise Refusal("data.kinds", text, field="keys", column=left.id, remedies=[remedy])


def _shared(left: Column, right: Column) -> Rows:
    """One code for a value, whichever of the two columns it stands in; left rows first."""
    if kind_of(left) == "文本":
        whole = pl.concat([_texts(left), _texts(right)])
        codes = whole.cast(pl.Categorical).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
        missing = np.concatenate([left.missing, right.missing])
        found: Rows = np.where(missing, -1, pd.factorize(codes)[0])
        return found
    numbers = np.concatenate([left.numbers, right.numbers])
    known = numbers[~np.isnan(numbers)]
    if len(known) and float(np.ptp(known)) < 8 * len(numbers) and bool((known == np.floor(known)).all()):
        # Whole numbers close together are their own codes.
        spaced: Rows = np.where(np.isnan(numbers), -1.0, numbers - known.min()).astype(np.int64)
        return spaced
    # Zero has a sign, which is nobody's key.
    numbered: Rows = pd.factorize(numbers + 0.0)[0].astype(np.int64)
    return numbered


def _texts(column: Column) -> pl.Series:
    found = pl.from_arrow(column.physical[0].cast(pa.large_string()))
    assert isinstance(found, pl.Series)
    return found
