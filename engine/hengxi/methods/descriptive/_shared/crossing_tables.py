"""The rows of a crosstab report: counts and shares, tests, measures of association, ratios, strata."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import Report
from hengxi.methods.descriptive._shared.crossing import Cross
from hengxi.stats import association
from hengxi.stats import contingency as tables

TOTAL = "合计"
ORDINAL = ("gamma", "tau_b", "tau_c", "somers_d")


def counts(report: Report, cls: Any, one: Cross, at: str | None) -> None:
    down, across, n = one.table.sum(axis=0), one.table.sum(axis=1), one.n

    def cells(values: Any, margin: float) -> dict[Any, dict[str, Any]]:
        made: dict[Any, dict[str, Any]] = {
            level: {"n": v, "row": v / margin, "col": v / down[j], "share": v / n}
            for j, (level, v) in enumerate(zip(one.column_levels, values, strict=True))
        }
        return made | {TOTAL: {"n": margin, "row": 1.0, "col": margin / n, "share": margin / n}}

    for level, values, margin in zip(one.rows, one.table, across, strict=True):
        report.row(cls.cross, at=at, layer=one.layer, level=level, wide=cells(values, float(margin)))
    report.row(cls.cross, at=at, layer=one.layer, level=TOTAL, total=True, wide=cells(down, n))
    if one.form.expected or one.form.residuals:
        for i, row in enumerate(one.rows):
            for j, column in enumerate(one.columns):
                z = float(one.residuals[i, j])
                report.row(
                    cls.cells, at=at, layer=one.layer, row=row, column=column, n=one.table[i, j],
                    expected=one.expected[i, j], residual=z, p=float(2 * stats.norm.sf(abs(z))),
                )  # fmt: skip


def tests(report: Report, cls: Any, one: Cross, at: str | None) -> None:
    def row(name: str, key: str, value: float | None, df: int | None, p: float, **more: Any) -> None:
        read = "采用" if one.read == key else ""
        report.row(cls.tests, at=at, layer=one.layer, test=name, read=read, value=value, df=df, p=p, **more)

    row("Pearson χ²", "pearson", one.pearson.value, one.pearson.df, one.pearson.p)
    if one.yates is not None:
        row("连续校正 χ²（Yates）", "yates", one.yates.value, one.yates.df, one.yates.p)
    row("似然比 χ²", "likelihood", one.likelihood.value, one.likelihood.df, one.likelihood.p)
    if one.ordered:
        found = tables.linear_by_linear(one.table, *one.scores)
        row("线性-线性关联", "linear", found.value, found.df, found.p)
    if one.exact is not None:
        row(exact_name(one), "exact", None, None, one.exact.p, low=one.exact.low, high=one.exact.high)
    report.row(
        cls.expectations, at=at, layer=one.layer, n=one.n, missing=one.missing, cells=one.table.size, low=one.low,
        share=one.low_share, least=one.least,
    )  # fmt: skip


def exact_name(one: Cross) -> str:
    if one.exact is not None and one.exact.draws is not None:
        return f"Fisher（蒙特卡洛 {one.exact.draws:,} 次）"
    return "Fisher 精确" if one.is_two_by_two else "Fisher-Freeman-Halton 精确"


# ---- measures ------------------------------------------------------------------------------------------------------
def measures(report: Report, cls: Any, one: Cross, at: str | None) -> list[str]:
    """Gives back what was asked for and could not be given."""
    asked, left = one.form.association, []
    if {"phi", "cramer_v", "contingency"} & set(asked):
        _from_chi_square(report, cls, one, at, asked)
    if set(ORDINAL) & set(asked):
        if one.ordered:
            _ordinal(report, cls, one, at, asked)
        else:
            left.append("Gamma、tau-b、tau-c、Somers d 只在两个变量都有次序时给出")
    if "kappa" in asked:
        square = one.square
        found = None if square is None else association.kappa(square)
        if found is None:
            left.append("Kappa 只在行、列的类别相同时给出")
        else:
            _symmetric(report, cls, one, at, "Kappa", found)
    _directional(report, cls, one, at, asked)
    if "eta" in asked:
        left += _eta(report, cls, one, at)
    if "risk" in asked:
        if one.is_two_by_two:
            left += _risk(report, cls, one, at)
        else:
            left.append("OR 与 RR 只在 2×2 表给出")
    return left


def _from_chi_square(report: Report, cls: Any, one: Cross, at: str | None, asked: list[str]) -> None:
    p = one.pearson.p
    if "phi" in asked:
        report.row(cls.symmetric, at=at, layer=one.layer, measure="Phi (φ)", value=tables.phi(one.table), p=p)
    if "cramer_v" in asked:
        v = one.v
        report.row(
            cls.symmetric, at=at, layer=one.layer, measure="Cramér's V", value=v.value, low=v.low, high=v.high, p=p
        )
    if "contingency" in asked:
        value = tables.contingency_coefficient(one.table)
        report.row(cls.symmetric, at=at, layer=one.layer, measure="列联系数 C", value=value, p=p)


def _symmetric(report: Report, cls: Any, one: Cross, at: str | None, name: str, found: association.Measure) -> None:
    low, high = found.interval(one.form.conf_level)
    report.row(
        cls.symmetric, at=at, layer=one.layer, measure=name, value=found.value, low=low, high=high, ase=found.ase,
        t=found.t, p=found.p,
    )  # fmt: skip


def _ordinal(report: Report, cls: Any, one: Cross, at: str | None, asked: list[str]) -> None:
    pairs = association.Pairs.of(one.table)
    made: tuple[tuple[str, str, Callable[[association.Pairs], association.Measure | None]], ...] = (
        ("gamma", "Gamma", association.gamma),
        ("tau_b", "Kendall tau-b", association.tau_b),
        ("tau_c", "Kendall tau-c", association.tau_c),
    )
    for key, name, make in made:
        if key in asked and (found := make(pairs)) is not None:
            _symmetric(report, cls, one, at, name, found)


def _directional(report: Report, cls: Any, one: Cross, at: str | None, asked: list[str]) -> None:
    made: list[tuple[str, dict[str, Any], float]] = []
    if "lambda" in asked:
        made.append(("Lambda (λ)", dict(association.lambdas(one.table)), 0.0))
    if "gk_tau" in asked:
        made.append(("Goodman-Kruskal tau", dict(association.goodman_kruskal_tau(one.table)), 0.0))
    if "uncertainty" in asked:
        made.append(("不确定性系数", dict(association.uncertainty(one.table, one.likelihood.p)), 0.0))
    if "somers_d" in asked and one.ordered:
        made.append(("Somers d", dict(association.somers_d(association.Pairs.of(one.table))), -1.0))
    words = {"both": "对称", "rows": f"{one.row} 为因变量", "columns": f"{one.column} 为因变量"}
    for name, found, least in made:
        for key in ("both", "rows", "columns"):
            measure = found.get(key)
            if measure is None:
                continue
            low, high = measure.interval(one.form.conf_level, least)
            report.row(
                cls.directional, at=at, layer=one.layer, measure=name, depends=words[key], value=measure.value,
                low=low, high=high, ase=measure.ase, t=measure.t, p=measure.p,
            )  # fmt: skip


def _eta(report: Report, cls: Any, one: Cross, at: str | None) -> list[str]:
    given = False
    scores = one.scores
    for column, name, table, score in (
        (one.x, one.row, one.table.T, scores[0]),
        (one.y, one.column, one.table, scores[1]),
    ):
        value = association.eta(table, score) if column.is_number else None
        if value is not None:
            given = True
            report.row(cls.directional, at=at, layer=one.layer, measure="Eta", depends=f"{name} 为因变量", value=value)
    return [] if given else ["Eta 只在至少一个变量是数值时给出"]


def _risk(report: Report, cls: Any, one: Cross, at: str | None) -> list[str]:
    level = one.form.conf_level
    first, second = one.rows
    made = [("比值比 OR", f"“{first}”比“{second}”", tables.odds_ratio(one.table, level))]
    for j, column in enumerate(one.columns):
        made.append((f"相对危险度 RR（“{column}”）", f"“{first}”比“{second}”", tables.risk_ratio(one.table, j, level)))
    left = []
    for name, of, found in made:
        if found is None:
            left.append(f"{name}{'' if name.endswith('）') else ' '}有单元格为 0，没有给出")
        else:
            report.row(
                cls.risk, at=at, layer=one.layer, measure=name, of=of, value=found.value, low=found.low, high=found.high
            )
    return left


# ---- strata --------------------------------------------------------------------------------------------------------
def strata(report: Report, cls: Any, inside: list[Cross], at: str | None) -> tables.Ratio | None:
    """Mantel-Haenszel and Breslow-Day, where every layer is a 2×2 table of the same categories."""
    same = {(tuple(v.value for v in one.row_levels), tuple(v.value for v in one.column_levels)) for one in inside}
    if len(inside) < 2 or len(same) != 1 or not all(one.is_two_by_two for one in inside):
        return None
    layers = [one.table for one in inside]
    level = inside[0].form.conf_level
    common = tables.mantel_haenszel(layers, level)
    if common is not None:
        report.row(
            cls.strata, at=at, test="Mantel-Haenszel 合并OR", value=common.value, low=common.low, high=common.high
        )
    found = tables.cochran_mantel_haenszel(layers)
    if found is not None:
        report.row(
            cls.strata,
            at=at,
            test="条件独立（Cochran-Mantel-Haenszel χ²，不作连续校正）",
            value=found.value,
            df=1,
            p=found.p,
        )
    if common is not None:
        equal = tables.breslow_day(layers, common.value)
        report.row(
            cls.strata, at=at, test="各层OR齐性（Breslow-Day，Tarone校正）", value=equal.value, df=equal.df, p=equal.p
        )
    return common


# ---- charts --------------------------------------------------------------------------------------------------------
def charts(report: Report, cls: Any, one: Cross, at: str | None) -> None:
    z = np.clip(one.residuals, -1e6, 1e6)
    for i, row in enumerate(one.rows):
        for j, column in enumerate(one.columns):
            report.row(
                cls.tiles, at=at, within=column, x=row, n=one.table[i, j], residual=float(z[i, j]),
            )  # fmt: skip
            report.row(cls.stacks, at=at, x=row, share=float(one.row_shares[i, j]), series=column)
    report.chart(cls.mosaic, at=at, titles={"column": one.row, "row": one.column})
    report.chart(cls.stacked, at=at, titles={"x": one.row, "y": f"{one.column}的行百分比"})
