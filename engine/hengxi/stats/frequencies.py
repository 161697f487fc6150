"""Frequency weights as they reach every method that honours them."""

from __future__ import annotations

import numpy as np

from hengxi.contract import Column, Refusal
from hengxi.stats.moments import Floats

MOST = 2.0**53
"""Above this a double no longer counts one by one."""


def frequencies(column: Column | None, field: str = "weight") -> Floats | None:
    """How many cases each row stands for; a missing one counts as 0."""
    if column is None:
        return None
    counts: Floats = np.nan_to_num(column.numbers, posinf=np.inf)
    with np.errstate(over="ignore"):
        whole = float(counts.sum())
    if whole <= 0:
        raise Refusal("weight.zero", "频数权重之和为0，无法计算", field=field, column=column.id)
    if not whole < MOST:
        raise Refusal(
            "data.magnitude", "频数权重“{w}”的合计过大（超过 9×10¹⁵），无法逐个计数，请核对",
            field=field, column=column.id, w=column.name,
        )  # fmt: skip
    return counts
