"""What charts of sums and averages over time share: single values or subgroups, and σ of a single value."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report
from hengxi.families.control.constants import d2
from hengxi.families.control.subgroups import Subgroups, read
from hengxi.methods.quality_control._shared import variables
from hengxi.methods.quality_control._shared.chart import Floats

CONVENTIONS = (
    "σ̂：子组有两个以上的值时用 R/d2(n) 的平均，单值时用平均移动极差/d2(2)。",
    "相邻的点共用数据，连续点的准则不适用，只判超出控制限。",
)


def values(report: Report, form: Any) -> Subgroups:
    """Subgroups of a form with `measures` and `subgroup`; rows of one column are values of their own."""
    return read(report, form)


def sigma(form: Any, data: Subgroups) -> float:
    """σ of a single value: the known one, R̄/d2 within subgroups, or the mean moving range over d2(2).

    Refused where there is no variation.
    """
    if form.sigma is not None:
        return float(form.sigma)
    if (data.n > 1).any():
        use = data.n > 1
        spread = float(np.mean(data.range[use] / np.array([d2(int(n)) for n in data.n[use]])))
    else:
        spread = float(np.abs(np.diff(data.mean)).mean() / d2(2)) if len(data) > 1 else 0.0
    variables.judge_sigma(np.array([spread]), [""])
    return spread


def centre(known: float | None, data: Subgroups) -> float:
    """The target, or the mean of all values."""
    return float(np.average(data.mean, weights=data.n)) if known is None else float(known)


def cumulated(steps: Floats, start: float) -> tuple[Floats, Floats]:
    """One-sided sums max(0, S + step) from a head start, and how many points each has been above zero."""
    sums, lengths = np.zeros(steps.size), np.zeros(steps.size)
    held, length = start, 0
    for i, step in enumerate(steps.tolist()):
        held = max(0.0, held + step)
        length = length + 1 if held > 0 else 0
        sums[i], lengths[i] = held, length
    return sums, lengths
