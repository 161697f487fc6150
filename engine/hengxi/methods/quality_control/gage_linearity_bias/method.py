from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Band,
    Chart,
    Column,
    Form,
    Line,
    Method,
    Points,
    Reference,
    Refusal,
    Report,
    Silent,
    Table,
    confidence,
    figure,
    filled,
    integer,
    interval,
    num,
    number,
    pvalue,
    role,
    text,
)
from hengxi.stats.moments import Floats

DRAWN = 2000


class GageLinearityBias(Method):
    """Bias of a gage at known references, and whether it changes with the reference."""

    title, title_en = "量具线性与偏倚", "Gage linearity and bias"
    family, tier = "质量控制", "standard"
    purpose = "量具在量程内的偏倚是否显著、是否随量值变化"
    aliases = ("线性", "偏倚", "Cg", "Cgk", "MSA", "类型1量具研究")
    references = ("aiag2010",)
    conventions = (
        "偏倚 = 测量值 − 参考值；线性为偏倚对参考值的最小二乘直线。",
        "线性值 = |斜率| × 过程变异；%线性 = 100 × |斜率|；%偏倚 = 100 × |平均偏倚| ÷ 过程变异。",
        "各参考值的偏倚用该处的标准差作 *t* 检验；总的一行用全部偏倚。",
        "Cg = 0.2T/(6s)，Cgk = (0.1T − |偏倚|)/(3s)，只在一个参考值时给出。",
    )
    min_rows = 2

    class Input(Form):
        measure: Column = role("测量值", "定量")
        reference: Column = role("参考值", "定量")
        process_variation: float | None = number("过程变异 6σ（选填）", None, above=0, auto="不给 % 偏倚")
        type1_tolerance: float | None = number(
            "类型 1 公差（选填）", None, above=0, auto="不给 Cg、Cgk", hint="只有一个参考值时用"
        )
        conf_level: float = confidence()

    line = Table(
        "线性回归", term=text("项"), b=num("系数"), se=num("标准误", least=0), t=num("*t*"), df=integer("*df*"),
        p=pvalue(), ci=interval("CI", "low", "high", around="b"), place="main",
        claim=Silent("检验的是量具，不是各组的差异"),
    )  # fmt: skip
    fit = Table(
        "线性", r2=num("*R*²", least=0, most=1), s=num("残差标准差", least=0), linearity=num("线性值", least=0),
        percent_linearity=num("%线性", least=0), place="main",
    )  # fmt: skip
    biases = Table(
        "偏倚", reference=num("参考值"), n=integer("*n*"), bias=num("平均偏倚"), sd=num("标准差", least=0),
        ci=interval("CI", "low", "high", around="bias"), t=num("*t*"), p=pvalue(),
        percent_bias=num("%偏倚", least=0), place="main", claim=Silent("检验的是量具，不是各组的差异"),
    )  # fmt: skip
    type1 = Table(
        "类型 1 量具研究", Cg=num("Cg", least=0), Cgk=num("Cgk"), place="main", when={"type1_tolerance": filled}
    )
    points = Points("偏倚的点", x=num("参考值"), y=num("偏倚"))
    band = Points("拟合线", x=num("参考值"), y=num("偏倚"), low=num("下限"), high=num("上限"))
    plot = Chart(
        "偏倚与参考值", "point", of=points, x="x", y="y", place="main",
        over=[Line(band, x="x", y="y", label="拟合线"), Band(band, x="x", low="low", high="high"), Reference(y=0)],
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.measure.title}的量具线性与偏倚"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        reference, bias = form.reference.numbers, form.measure.numbers - form.reference.numbers
        reach = float(np.ptp(reference))
        if not np.isfinite(bias).all() or np.abs(bias).max() > 1e150 or 0 < reach < 1e-150:
            text_ = "数值太大或太小，算不出偏倚，请换一个单位"
            raise Refusal("data.range", text_, field="measure", column=form.measure.id)
        values = np.unique(reference)
        cls._judge(form, reference, values)
        several = values.size > 1
        slope_p = cls._line(report, form, reference, bias) if several else None
        if not several:
            for element in (cls.line, cls.fit, cls.band):
                report.skip(element, "只有 1 个参考值")
            report.warn("data.one_reference", "只有 1 个参考值，无法评估线性，只给出偏倚。")
        worst = cls._biases(report, form, reference, bias, values)
        cls._type1(report, form, bias, several)
        at = np.arange(bias.size) if bias.size <= DRAWN else np.unique(np.linspace(0, bias.size - 1, DRAWN).astype(int))
        report.add_rows(cls.points, {"x": reference[at], "y": bias[at]})
        report.chart(
            cls.plot, titles={"x": "参考值", "y": "偏倚"},
            thinned=(at.size, bias.size) if at.size < bias.size else None,
        )  # fmt: skip
        cls._say(report, form, slope_p, worst)
        return report

    @classmethod
    def _judge(cls, form: Any, reference: Floats, values: Floats) -> None:
        for value in values[:1000]:
            if (reference == value).sum() < 2:
                raise Refusal(
                    "data.single", "参考值“{v}”只有 1 次测量，每个参考值至少测 2 次", field="reference",
                    column=form.reference.id, v=f"{value:g}",
                )  # fmt: skip

    @classmethod
    def _line(cls, report: Report, form: Any, x: Floats, y: Floats) -> float | None:
        n, df = x.size, x.size - 2
        cx, cy = x - x.mean(), y - y.mean()
        sxx, syy = float(cx @ cx), float(cy @ cy)
        slope = float(cx @ cy) / sxx
        residuals = cy - slope * cx
        s2 = float(residuals @ residuals) / df
        intercept = float(y.mean() - slope * x.mean())
        errors = {"截距": np.sqrt(s2 * (1 / n + x.mean() ** 2 / sxx)), "斜率": np.sqrt(s2 / sxx)}
        reach = float(stats.t.isf((1 - form.conf_level) / 2, df))
        slope_p = None
        for term, b in (("截距", intercept), ("斜率", slope)):
            se = float(errors[term])
            t = b / se if se > 0 else None
            p = None if t is None else float(2 * stats.t.sf(abs(t), df))
            slope_p = p if term == "斜率" else slope_p
            report.row(cls.line, term=term, b=b, se=se, t=t, df=df, p=p, low=b - reach * se, high=b + reach * se)
        linearity = None if form.process_variation is None else abs(slope) * form.process_variation
        r2 = 1 - s2 * df / syy if syy > 0 else None
        report.row(cls.fit, r2=r2, s=float(np.sqrt(s2)), linearity=linearity, percent_linearity=100 * abs(slope))
        at = np.linspace(x.min(), x.max(), 60)
        middle = intercept + slope * at
        half = reach * np.sqrt(s2 * (1 / n + (at - x.mean()) ** 2 / sxx))
        report.add_rows(cls.band, {"x": at, "y": middle, "low": middle - half, "high": middle + half})
        return slope_p

    @classmethod
    def _biases(
        cls, report: Report, form: Any, reference: Floats, bias: Floats, values: Floats
    ) -> list[tuple[str, float, float | None]]:
        """A row for each reference and one of all; gives name, bias and p of each."""
        out: list[tuple[str, float, float | None]] = []
        parts = [(float(value), bias[reference == value]) for value in values]
        for value, part in [*parts, *([(None, bias)] if values.size > 1 else [])]:
            mean, sd, n = float(part.mean()), float(part.std(ddof=1)), part.size
            se = sd / np.sqrt(n)
            t = mean / se if se > 0 else None
            p = None if t is None else float(2 * stats.t.sf(abs(t), n - 1))
            reach = float(stats.t.isf((1 - form.conf_level) / 2, n - 1)) * se
            share = None if form.process_variation is None else 100 * abs(mean) / form.process_variation
            report.row(
                cls.biases, reference=value, n=n, bias=mean, sd=sd, low=mean - reach, high=mean + reach, t=t, p=p,
                percent_bias=share, total=value is None,
            )  # fmt: skip
            if value is not None:
                out.append((f"{value:g}", mean, p))
        if values.size > 1:
            report.note(cls.biases, "最后一行为全部参考值合在一起。")
        return out

    @classmethod
    def _type1(cls, report: Report, form: Any, bias: Floats, several: bool) -> None:
        sd = float(bias.std(ddof=1))
        if several or form.type1_tolerance is None or sd == 0:
            report.skip(cls.type1, "只在一个参考值、填了公差、测量有变异时给出")
            return
        T = float(form.type1_tolerance)
        Cg, Cgk = 0.2 * T / (6 * sd), (0.1 * T - abs(float(bias.mean()))) / (3 * sd)
        report.row(cls.type1, Cg=Cg, Cgk=Cgk)
        good = Cg >= 1.33 and Cgk >= 1.33
        report.check(
            "量具能力", "pass" if good else "fail",
            "Cg = {Cg:num}，Cgk = {Cgk:num}。"
            + ("都不小于 1.33，量具可用。" if good else "小于 1.33，量具的波动或偏倚太大。"),
            Cg=Cg, Cgk=Cgk,
        )  # fmt: skip

    @classmethod
    def _say(
        cls, report: Report, form: Any, slope_p: float | None, rows: list[tuple[str, float, float | None]]
    ) -> None:
        alpha = 1 - form.conf_level
        biased = [(name, bias) for name, bias, p in rows if p is not None and p < alpha]
        largest = max(rows, key=lambda row: abs(row[1]))
        where = (
            "{k} 个参考值处有明显的偏倚（{names}）" if biased else "各参考值处没有发现明显的偏倚"
        )  # fmt: skip
        slope = (
            "" if slope_p is None
            else "；偏倚随量值变化（斜率 *p* {p:peq}），量具的线性不好" if slope_p < alpha
            else "；偏倚没有发现随量值变化（斜率 *p* {p:peq}）"
        )  # fmt: skip
        facts: dict[str, Any] = {"k": str(len(biased)), "names": "、".join(name for name, _ in biased[:5])}
        if slope_p is not None:
            facts["p"] = slope_p
        report.lead(
            where + slope + "。",
            figures=(figure("最大偏倚", "{bias:num}", "在参考值 {at}"),),
            bias=largest[1],
            at=largest[0],
            **facts,
        )
        report.say(
            "偏倚最大处在参考值 {at}，平均偏倚 {bias:num}。先校准有偏倚的量程，再做量具的重复性与再现性研究。",
            at=largest[0], bias=largest[1],
        )  # fmt: skip
