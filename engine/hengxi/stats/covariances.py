"""Means, standard deviations and correlations of several complete columns: what most statistics of scales rest on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hengxi.contract import Column, Refusal
from hengxi.stats.correlation import matrix
from hengxi.stats.moments import Floats, Moments, moments

LEAST, MOST = 1e-140, 1e140
"""Standard deviations outside this have squares that a double cannot hold."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Of p columns: `s` is their covariance matrix (n − 1), `r` their correlations."""

    n: int
    moments: list[Moments]
    r: Floats

    @property
    def means(self) -> Floats:
        return np.array([m.mean for m in self.moments])

    @property
    def sds(self) -> Floats:
        return np.array([m.sd for m in self.moments])

    @property
    def s(self) -> Floats:
        found: Floats = self.r * np.outer(self.sds, self.sds)
        return found


def summary(columns: Sequence[Column], counts: Floats | None, field: str) -> Summary:
    """Refuses what has no finite variance; a constant column must have been taken out before."""
    values = [column.numbers for column in columns]
    if counts is not None and not (counts > 0).all():
        held = counts > 0
        values, counts = [x[held] for x in values], counts[held]
    found = [moments(x, counts) for x in values]
    for column, m in zip(columns, found, strict=True):
        if not LEAST < m.sd < MOST:
            raise Refusal(
                "data.magnitude", "“{v}”的数值过大、过小或几乎没有变化，方差超出可计算的范围；请换一个单位",
                field=field, column=column.id, v=column.title,
            )  # fmt: skip
    r = matrix(values, counts, found)
    np.fill_diagonal(r, 1.0)
    return Summary(found[0].n, found, np.clip(r, -1.0, 1.0))


def is_singular(r: Floats, room: float = 1e-10) -> bool:
    """Can one of the columns be written by the others?"""
    return bool(np.linalg.eigvalsh(r)[0] <= room)


def dependent(r: Floats, room: float = 1e-10) -> int | None:
    """The first column that those before it explain wholly; None where none is."""
    for k in range(1, len(r)):
        inner, beside = r[:k, :k], r[:k, k]
        if 1 - float(beside @ np.linalg.solve(inner, beside)) <= room:
            return k
    return None
