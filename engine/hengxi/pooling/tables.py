"""The rows of a pooled report."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Reference, Report, Table
from hengxi.pooling.elements import Elements
from hengxi.pooling.estimates import One, Pools

COPIES_SHOWN = 20


def write(report: Report, found: Pools, tested: list[One], holm: dict[int, float], numbers: list[int]) -> None:
    for i, one in enumerate(tested):
        _row(
            report, Elements.pooled, **_named(one), estimate=one.pooled.value, se=one.pooled.se, low=one.test.low,
            high=one.test.high, t=one.test.t, df=finite(one.pooled.df), p=holm.get(i, one.test.p), m=found.m,
            fmi=fmi_of(one),
        )  # fmt: skip
        if one.first.ratio is not None:
            with np.errstate(over="ignore"):
                value, low, high = np.exp([one.pooled.value, one.test.low, one.test.high])
            _row(
                report, Elements.ratios, **{**_named(one), "quantity": one.first.ratio},
                value=value, low=low, high=high,
                m=found.m, fmi=fmi_of(one),
            )  # fmt: skip
    for one in found.ones:
        if not one.first.tested:
            _row(
                report, Elements.means, **_named(one), estimate=one.pooled.value, se=one.pooled.se, low=one.test.low,
                high=one.test.high, df=finite(one.pooled.df), m=found.m, fmi=fmi_of(one),
            )  # fmt: skip
        _sources(report, one, numbers)
    for joint, wald in found.joints:
        _row(
            report, Elements.joint, variable=joint.variable, name=joint.name, F=wald.F, df1=wald.df1,
                df2=finite(wald.df2),
            p=wald.p, m=found.m, riv=wald.riv,
        )  # fmt: skip
    for share, held in found.shares:
        _row(
            report, Elements.shares, variable=share.variable, name=share.name, value=held.value,
                low=held.low, high=held.high,
            m=found.m, fmi=min(1.0, held.fmi),
        )  # fmt: skip
    _forest(report, tested)
    _notes(report, found, tested, holm)


def _sources(report: Report, one: One, numbers: list[int]) -> None:
    found = one.pooled
    _row(
        report, Elements.parts, **_named(one), within=found.within, between=found.between, variance=found.total,
                riv=found.riv,
        share=found.share, fmi=min(1.0, found.fmi), complete=one.df, df=finite(found.df),
    )  # fmt: skip
    for number, value, se in list(zip(numbers, one.values, one.errors, strict=True))[:COPIES_SHOWN]:
        _row(report, Elements.copies, **_named(one), copy=number, estimate=value, se=se)


def _notes(report: Report, found: Pools, tested: list[One], holm: dict[int, float]) -> None:
    level = (tested or found.ones)[0].first.level if found.ones else None
    if level is not None:
        text = "CI 的置信水平为 {level:percent}；FMI 是缺失信息比例，越大说明结果越依赖插补。"
        for table in (Elements.pooled, Elements.means):
            if (table.id, None) in report.rows:
                report.note(table, text, level=level)
    sided = [one for one in tested if one.first.side != "two_sided"]
    if sided:
        report.note(Elements.pooled, "单侧检验给单侧区间，另一端为无穷。")
    nulls = sorted({one.first.null for one in tested if one.first.null != 0})
    if nulls:
        report.note(Elements.pooled, "*t* 检验合并值是否等于 {null}。", null="、".join(f"{v:g}" for v in nulls))
    if holm:
        report.note(Elements.pooled, "多重比较的 *p* 经 Holm 校正，置信区间未校正。")
    if len(report.variables) > 1:
        report.note(Elements.pooled, "*p* 没有因检验多个变量而校正。")
    if any(one.df is None for one in found.ones):
        report.note(Elements.parts, "完整数据的 *df* 为空：按大样本处理。")
    if found.m > COPIES_SHOWN:
        report.note(
            Elements.copies, "只列出前 {n:integer} 份；合并用了全部 {m:integer} 份。", n=COPIES_SHOWN, m=found.m
        )


def _forest(report: Report, tested: list[One]) -> None:
    read = [one for one in tested if one.read]
    alike = {(one.first.quantity, one.first.null, one.first.side) for one in read}
    if len(read) < 2 or len(alike) != 1 or len(report.variables) > 1 or read[0].first.side != "two_sided":
        return
    for one in read:
        report.row(
            Elements.forest_points, name=one.first.name, y=one.pooled.value, low=one.test.low, high=one.test.high
        )
    report.chart(Elements.forest, titles={"y": read[0].first.quantity}, over=[Reference(y=read[0].first.null)])


def _named(one: One) -> dict[str, Any]:
    return {"variable": one.first.variable, "quantity": one.first.quantity, "name": one.first.name}


def _row(report: Report, table: Table, variable: str | None, **cells: Any) -> None:
    """The platform's column 变量 stands in no declaration."""
    given = report.row(table, **cells)
    if variable is not None:
        given["variable"] = variable


def finite(df: float) -> float | str:
    return df if np.isfinite(df) else "inf"


def fmi_of(one: One) -> float:
    return min(1.0, one.pooled.fmi)
