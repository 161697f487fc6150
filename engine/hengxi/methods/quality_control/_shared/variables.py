"""Charts of measurements in subgroups: σ from ranges, standard deviations or squares, and the panels of X̄, R and S."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Refusal, Report
from hengxi.families.control.constants import c4, d2, d3, per_size
from hengxi.families.control.subgroups import Subgroups
from hengxi.methods.quality_control._shared.chart import Bools, Floats, Panel, Run, by_phase


def run_of(data: Subgroups) -> Run:
    return Run(data.labels, data.n, data.rows, data.phases)


def sigma_of(form: Any, data: Subgroups, kept: Bools, way: str) -> Floats:
    """σ of each phase: "range" R̄/d2, "sd" s̄/c4, "pooled" √(ΣSS / Σ(n − 1)) (not corrected by c4), or the known one.

    Of subgroups of different sizes the first two are means of R/d2(n) and s/c4(n)."""
    known = getattr(form, "sigma", None)
    if known is not None:
        return np.full(len(data.phases.names), float(known))
    found = []
    for code in range(len(data.phases.names)):
        use = kept & (data.phases.code == code) & (data.n > 1)
        if not use.any():
            raise Refusal("data.few", "没有两个值以上的子组，估计不出组内波动", field="measures")
        n = data.n[use]
        match way:
            case "range":
                found.append(float(np.mean(data.range[use] / per_size(d2, n))))
            case "sd":
                found.append(float(np.mean(data.sd[use] / per_size(c4, n))))
            case _:
                found.append(float(np.sqrt(data.squares[use].sum() / (n - 1).sum())))
    return np.array(found)


def centre_of(form: Any, data: Subgroups, kept: Bools) -> Floats:
    """Mean of all values of each phase, or the known one."""
    known = getattr(form, "center", None)
    if known is not None:
        return np.full(len(data.phases.names), float(known))
    weights = [kept & (data.phases.code == code) for code in range(len(data.phases.names))]
    return np.array([float(np.average(data.mean[use], weights=data.n[use])) for use in weights])


def mean_panel(data: Subgroups, centre: Floats, sigma: Floats) -> Panel:
    se = by_phase(data.phases, sigma) / np.sqrt(data.n)
    return Panel("均值", data.mean, by_phase(data.phases, centre), se)


def range_panel(data: Subgroups, sigma: Floats) -> Panel:
    spread = by_phase(data.phases, sigma)
    n = np.maximum(data.n, 2)
    return Panel("极差", data.range, per_size(d2, n) * spread, per_size(d3, n) * spread, lower=0.0, zones=False)


def sd_panel(data: Subgroups, sigma: Floats) -> Panel:
    spread = by_phase(data.phases, sigma)
    mean = per_size(c4, np.maximum(data.n, 2))
    return Panel("标准差", data.sd, mean * spread, np.sqrt(1 - mean**2) * spread, lower=0.0, zones=False)


def judge(report: Report, data: Subgroups, instead: str) -> None:
    """Subgroups of one value are refused; different sizes are said."""
    if (data.n == 1).all():
        raise Refusal("data.single", "子组只有 1 个观测，" + instead, field="measures")
    if data.n.min() < data.n.max():
        report.warn(
            "data.sizes", "子组大小不一致（{low:integer} 到 {high:integer}），已按各组的 n 分别计算控制限。",
            low=int(data.n.min()), high=int(data.n.max()),
        )  # fmt: skip


def judge_sigma(sigma: Floats, names: list[str]) -> None:
    """No variation within subgroups: no limits."""
    for code, value in enumerate(sigma):
        if not value > 0:
            where = f"阶段“{names[code]}”的" if names[code] else ""
            raise Refusal(
                "data.constant", "{where}子组内没有变异，控制限无意义，请核对数据", field="measures", where=where
            )
