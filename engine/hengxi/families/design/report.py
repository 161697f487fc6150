"""What every analysis of an experiment shows: sources of variance, the model in one row, four pictures of residuals."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Diagonal,
    NewTable,
    Panel,
    Points,
    Reference,
    Refusal,
    Report,
    SetRemedy,
    Table,
    Wide,
    claim,
    integer,
    num,
    percent,
    pvalue,
    rows_column,
    stat,
    text,
)
from hengxi.families.design.least import Least, Variance
from hengxi.stats.histogram import histogram
from hengxi.stats.normality import normality

CREATE, ANALYZE = {"task": "create"}, {"task": "analyze"}
MOST_ROWS = 20_000
MOST_POINTS = 1000
LEAST_DF = 5
"""Residuals of fewer degrees of freedom take few values, whatever the errors are."""


class Experiment:
    """Tables of a plan and of its analysis; a method inherits them beside `Method`."""

    design = Table(
        "试验设计表", standard=integer("标准序"), run=integer("试验顺序"), point=text("点类型"), block=integer("区组"),
        layout=Wide(value=text("取值")), when=CREATE, place="main",
    )  # fmt: skip
    made = NewTable("试验设计表（可存为数据文件）", when=CREATE, place="main")
    variance = Table(
        "方差分析", source=text("来源"), ss=num("平方和", least=0), df=integer("df"), ms=num("均方", least=0),
        F=num("*F*", least=0), p=pvalue(), when=ANALYZE, place="main",
        claim=claim("named", stat("*F*", "F", "df"), names=("source",)),
    )  # fmt: skip
    summary = Table(
        "模型汇总", n=integer("*n*"), s=num("*S*", least=0), r2=percent("*R*²"),
        adjusted=percent("调整 *R*²", least=None), predicted=percent("预测 *R*²", least=None),
        press=num("PRESS", least=0), when=ANALYZE, place="main",
    )  # fmt: skip
    quantiles = Points("残差正态图", theory=num("正态分位数"), sample=num("标准化残差"), when=ANALYZE)
    bins = Points("残差直方图", low=num("下限"), high=num("上限"), n=integer("频数"), when=ANALYZE)
    points = Points(
        "残差",
        row=rows_column("行"),
        order=integer("数据顺序"),
        fitted=num("拟合值"),
        residual=num("残差"),
        when=ANALYZE,
    )
    qq_plot = Chart("残差正态图", "point", of=quantiles, x="theory", y="sample", over=[Diagonal()], when=ANALYZE)
    histogram_plot = Chart("残差直方图", "histogram", of=bins, low="low", high="high", count="n", when=ANALYZE)
    fitted_plot = Chart(
        "残差与拟合值", "point", of=points, x="fitted", y="residual", row="row", over=[Reference(y=0)], when=ANALYZE
    )
    order_plot = Chart(
        "残差与数据顺序", "line", of=points, x="order", y="residual", over=[Reference(y=0)], when=ANALYZE
    )
    residual_plots = Panel("残差四合一", qq_plot, histogram_plot, fitted_plot, order_plot, when=ANALYZE, place="detail")


def refuse_without(form: Any, few_factors: int = 1) -> None:
    """The analysis needs a response and factors; a plan can be made without."""
    remedy = SetRemedy(title="改为生成设计表", set={"task": "create"})
    if not form.response:
        raise Refusal(
            "role.required", "请放入响应变量，或选择“生成设计表”", field="response", also=["task"], remedies=[remedy]
        )
    if len(form.factors) < few_factors:
        raise Refusal(
            "role.required", "请至少放入 {n} 个因子，或选择“生成设计表”", field="factors", also=["task"], n=few_factors,
            remedies=[remedy],
        )  # fmt: skip
    n = len(form.response[0])
    if n > MOST_ROWS:
        raise Refusal(
            "data.many", "数据有 {n} 行，超过 {most} 行。这里分析的是设计好的试验，请改用线性回归", field="response",
            n=n, most=MOST_ROWS,
        )  # fmt: skip


def refuse_constant(y: Any) -> None:
    if not y.varies:
        raise Refusal(
            "role.constant",
            "响应“{v}”在全部试验中都相同，没有变异，请换一个响应",
            field="response",
            column=y.id,
            v=y.title,
        )


def write_line(report: Report, cls: Any, source: str, found: Variance, depth: int = 0, total: bool = False) -> None:
    report.row(
        cls.variance, source=source, ss=found.ss, df=found.df, ms=None if total else found.ms, F=found.F, p=found.p,
        depth=depth, total=total,
    )  # fmt: skip


def write_error(report: Report, cls: Any, model: Least, same: Any) -> Variance | None:
    """The residual with its two parts, and the total; gives lack of fit where it can be tested."""
    write_line(report, cls, "误差", Variance(model.sse, model.df, None, None))
    ss, df = model.pure_error(same)
    lack = None
    if 0 < df < model.df:
        rest = max(0.0, model.sse - ss)
        lack = model.tested(rest, model.df - df, ss / df, df)
        write_line(report, cls, "失拟", lack, depth=1)
        write_line(report, cls, "纯误差", Variance(ss, df, None, None), depth=1)
    write_line(report, cls, "合计", Variance(model.total, model.n - 1, None, None), total=True)
    return lack


def write_summary(report: Report, cls: Any, model: Least) -> None:
    predicted = model.predicted_r2
    report.row(
        cls.summary, n=model.n, s=None if model.mse is None else float(np.sqrt(model.mse)), r2=model.r2,
        adjusted=model.adjusted, predicted=predicted,
        press=None if predicted is None else (1 - predicted) * model.total,
    )  # fmt: skip
    if predicted is None:
        report.note(cls.summary, "有的试验单独决定自己的拟合值，预测 *R*² 和 PRESS 不能计算。")


def lack_check(report: Report, lack: Variance | None, alpha: float, todo: str) -> None:
    if lack is None or lack.p is None:
        report.check("失拟", "unknown", "没有重复试验，或没有多余的自由度，不能检验模型是否缺项。")
        return
    bad = lack.p < alpha
    ending = f"模型还缺项，{todo}。" if bad else "没有发现模型缺项。"
    report.check("失拟", "fail" if bad else "pass", "失拟 *p* {p:peq}。" + ending, p=lack.p)


def residual_pictures(report: Report, cls: Any, model: Least, row_numbers: Any) -> None:
    """The four pictures and a check of normality; `row_numbers` (n,) are those of the file."""
    found = model.standardized
    if found is None or not np.isfinite(found).any():
        for table in (cls.quantiles, cls.bins, cls.points):
            report.skip(table, "没有误差自由度，残差全部是 0")
        return
    known = np.sort(found[np.isfinite(found)])
    theory = stats.norm.ppf((np.arange(1, known.size + 1) - 0.375) / (known.size + 0.25))
    step = np.unique(np.linspace(0, known.size - 1, min(known.size, MOST_POINTS)).astype(int))
    report.add_rows(cls.quantiles, {"theory": theory[step], "sample": known[step]})
    shape = histogram(model.residual)
    report.add_rows(cls.bins, {"low": shape.edges[:-1], "high": shape.edges[1:], "n": shape.counts})
    shown = np.unique(np.linspace(0, model.n - 1, min(model.n, MOST_POINTS)).astype(int))
    report.add_rows(
        cls.points,
        {
            "row": row_numbers[shown],
            "order": shown + 1,
            "fitted": model.fitted[shown],
            "residual": model.residual[shown],
        },
    )
    if shown.size < model.n:
        for chart in (cls.fitted_plot, cls.order_plot):
            report.chart(chart, thinned=(int(shown.size), model.n))
    normal = normality(known) if model.df >= LEAST_DF else None
    if normal is None:
        report.check("残差正态性", "unknown", "误差自由度太少，没有检验正态性。")
        return
    bad = normal.p < 0.05
    report.check(
        "残差正态性", "care" if bad else "pass",
        "{name} *p* {p:peq}。" + ("残差偏离正态，请看残差图，可考虑变换响应。" if bad else "没有发现明显偏离正态。"),
        name=normal.name, p=normal.p,
    )  # fmt: skip
