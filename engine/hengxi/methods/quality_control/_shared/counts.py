"""Charts of counts: defective pieces and defects, with their sizes, judged by row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hengxi.contract import Column, Refusal, Report, SetRemedy, Table
from hengxi.families.control.constants import d2
from hengxi.families.control.subgroups import Phases
from hengxi.methods.quality_control._shared.chart import Bools, Floats, Run, Standard, by_phase, frozen

OVER, UNDER = 1.3, 0.75
"""Ratios of observed to expected variation beyond which Laney's limits are recommended (a rule of thumb)."""


@dataclass(frozen=True)
class Counts:
    """Counts and what they are counted in, in the order of the rows."""

    count: Floats
    size: Floats
    run: Run


def read(form: Any, counted: Column, size: Floats, what: str) -> Counts:
    """Whole, non-negative counts; `what` is counted, as the refusal calls it."""
    count = counted.numbers
    rows = np.asarray(counted.row_numbers)
    bad = (count < 0) | (count != np.round(count))
    if bad.any():
        raise Refusal(
            "data.not_counts", "第 {at} 行的{what}不是非负整数，请核对“{v}”", field=_field(form, counted),
            column=counted.id, row=int(rows[bad][0]), at=int(rows[bad][0]), what=what, v=counted.title,
        )  # fmt: skip
    label: Column | None = getattr(form, "label", None)
    labels = (
        [str(i + 1) for i in range(count.size)] if label is None
        else [str(i + 1) if cell is None else str(cell) for i, cell in enumerate(label.text)]
    )  # fmt: skip
    phases = phases_of(getattr(form, "phase", None), count.size)
    run = Run(labels, np.round(size).astype(np.int64), [[int(row)] for row in rows], phases)
    return Counts(count, size, run)


def _field(form: Any, column: Column) -> str:
    return next(key for key in ("defectives", "defects", "count") if getattr(form, key, None) is column)


def judge_sizes(column: Column, field: str, words: str) -> None:
    """Sizes are positive; names the first row where one is not."""
    bad = ~(column.numbers > 0)
    if bad.any():
        row = int(np.asarray(column.row_numbers)[bad][0])
        raise Refusal("data.size", "第 {at} 行" + words, field=field, column=column.id, row=row, at=row)


def phases_of(column: Column | None, count: int) -> Phases:
    """Phases in order of appearance."""
    if column is None:
        return Phases(np.zeros(count, dtype=np.int64), [""])
    order = list(dict.fromkeys(column.codes.tolist()))
    return Phases(np.array([order.index(c) for c in column.codes.tolist()]), [column.labels[c] for c in order])


def estimated(form: Any, data: Counts) -> Counts:
    """The counts as limits are estimated from them: in one phase where there is a baseline."""
    return replace(data, run=replace(data.run, phases=frozen(form, data.run.phases)))


def rate(form: Any, data: Counts, kept: Bools) -> Floats:
    """Σ counts / Σ sizes of each phase, or the known one."""
    known = getattr(form, "center", None)
    phases = data.run.phases
    if known is not None:
        return np.full(len(phases.names), float(known))
    rates = []
    for code in range(len(phases.names)):
        use = kept & (phases.code == code)
        rates.append(float(data.count[use].sum() / data.size[use].sum()))
    return np.array(rates)


def judge_rate(rates: Floats, what: str, field: str, most: float = np.inf) -> None:
    """A rate of 0, or of 1 where that is the most, leaves no limits."""
    if (rates <= 0).any():
        raise Refusal("data.constant", f"{what}全部为 0，没有可监控的波动，请核对数据", field=field)
    if (rates >= most).any():
        raise Refusal("data.constant", f"所有产品都不合格，没有可监控的波动，请核对{what}", field=field)


def sigma_z(data: Counts, rates: Floats, se: Floats, kept: Bools) -> Floats:
    """Laney's σ_z of each phase: mean moving range of the standardised rates over d2(2); 1 of a single point."""
    z = (data.count / data.size - by_phase(data.run.phases, rates)) / se
    found = []
    for code in range(len(data.run.phases.names)):
        steps = np.abs(np.diff(z[kept & (data.run.phases.code == code)]))
        found.append(float(steps.mean() / d2(2)) if steps.size else 1.0)
    return np.array(found)


def laney(form: Any, data: Counts, rates: Floats, se: Floats, kept: Bools) -> Floats:
    """σ_z of the data, or the frozen one."""
    if form.frozen_limits is not None:
        return np.full(len(data.run.phases.names), form.frozen_limits.extra)
    return sigma_z(data, rates, se, kept)


def standards(form: Any, data: Counts, kept: Bools, spread: Callable[[Floats], Floats]) -> list[Standard]:
    """Rates, and of Laney's limits their correction."""
    rates = rate(form, data, kept)
    if form.limits != "laney":
        return [Standard(value) for value in rates.tolist()]
    z = laney(form, data, rates, spread(rates), kept)
    return [Standard(value, extra=extra) for value, extra in zip(rates.tolist(), z.tolist(), strict=True)]


def check_dispersion(report: Report, table: Table, ratio: float, laney: bool) -> None:
    """Observed against expected variation, and Laney's limits where they differ."""
    report.row(table, sigma_z=ratio)
    fits = UNDER <= ratio <= OVER
    text = "相邻点的波动是理论值的 {ratio:num} 倍，" + (
        "与理论相符。" if fits
        else "已用 Laney 控制限校正。" if laney
        else "大于理论波动，容易误报，建议用 Laney 控制限。" if ratio > OVER
        else "小于理论波动，控制限偏宽，建议用 Laney 控制限。"
    )  # fmt: skip
    remedies = [] if fits or laney else [SetRemedy(title="改用 Laney 控制限", set={"limits": "laney"})]
    report.check("离散程度", "pass" if fits or laney else "care", text, remedies=remedies, ratio=ratio)
