from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    Points,
    Refusal,
    Report,
    Row,
    Silent,
    Table,
    Wide,
    choice,
    figure,
    integer,
    interval,
    num,
    number,
    percent,
    pvalue,
    role,
    settings,
    text,
)
from hengxi.contract.charts import Line
from hengxi.methods.evaluation._shared import indicators
from hengxi.methods.evaluation._shared.indicators import DIRECTED, Data, Floats, ranked
from hengxi.methods.evaluation._shared.ranking import SOURCES, probits, rank_sums, refuse_same, weights_of


class Rsr(Method):
    """Ranks of each indicator, their weighted mean, its distribution, and grades by the probit regression."""

    title, title_en = "秩和比综合评价法RSR", "Rank-sum ratio"
    family = "综合评价"
    purpose = "多指标编秩后的综合水平如何，评价对象应分成哪几档"
    aliases = ("RSR", "WRSR", "秩和比", "加权秩和比", "分档排序", "Probit")
    references = ("tian1993", "sun2010")
    limits = DIRECTED
    conventions = (
        "整次法：高优指标从小到大编秩，低优指标从大到小编秩，同值取平均秩；非整次法：1 + (n − 1)·(x − min)/"
        "(max − min)。",
        "RSR = Σ权重·秩/n，等权时权重为 1/指标数。",
        "分布：按不同的 RSR 值，平均秩次 R̄/n 为累计频率，最高一档用 1 − 1/(4n)；Probit = 标准正态离差 + 5。",
        "回归用不同的 RSR 值各一点（不加权），因变量是 RSR。",
        "k 档的 Probit 界是 2 到 8 的 k 等分点（3 档为 4、6；4 档为 3.5、5、6.5），按 Probit 归档（田凤调，1993）。",
        "各档方差齐性用 Bartlett 检验，差异用单因素方差分析；每档至少 2 个对象时才给。",
    )

    class Input(Form):
        positive: list[Column] = role("高优指标", "定量", min=0, max=None, hint="越大越好")
        negative: list[Column] = role("低优指标", "定量", min=0, max=None, hint="越小越好")
        moderate: list[Column] = role("中间型、区间型指标（选填）", "定量", min=0, max=None)
        label: Column | None = role("对象名称", "任意", use="label")
        best: list[Row] = settings(
            "最优值或最优区间", of="moderate", low=number("最优值（或下限）"), high=number("上限",
                auto="同最优值"))  # fmt: skip
        ranking: str = choice("编秩方法", {"integer": "整次法", "non_integer": "非整次法"})
        weight_source: str = choice("权重", {
            "equal": "等权", "manual": "手工（WRSR）", "entropy": "熵值法（WRSR）",
                "critic": "CRITIC（WRSR）"})  # fmt: skip
        weights_value: list[Row] = settings(
            "自定义权重", of="positive", also=("negative", "moderate"), when={"weight_source": "manual"},
            w=number("权重", 1, least=0, most=1e6), hint="不必合计为 1，会自动归一")  # fmt: skip
        grades: int = integer("分档数", 3, least=3, most=10)

    result = Table("秩值与 RSR", object=text("对象"), rsr=num("RSR", least=0, most=1), rank=integer("名次"),
                   probit=num("Probit"), fitted=num("RSR 拟合值"), grade=integer("分档"), place="main")  # fmt: skip
    plot = Chart("RSR 条形图", "bar", of=result, x="object", y="rsr", place="main")
    ranks = Table("各指标的秩", object=text("对象"), layout=Wide(rank=num("秩", least=1)), place="detail")
    used = Table("所用权重", item=text("指标"), kind=text("方向"), weight=percent("权重"), place="detail")
    spread = Table("RSR 的分布", rsr=num("RSR", least=0, most=1), f=integer("*f*"), cumulative=integer("Σ*f*"),
                   mean_rank=num("R̄", least=0), share=percent("R̄/*n*"), probit=num("Probit"),
                       place="detail")  # fmt: skip
    line = Table("回归方程", a=num("截距 *a*"), b=num("斜率 *b*"), r2=num("*R*²", least=0, most=1), F=num("*F*",
        least=0),
                 p=pvalue(), w=num("残差 *W*", least=0, most=1), w_p=pvalue("残差正态性 *p*"), layout="record",
                 place="detail", claim=Silent("fit of a line to ordered values, not a hypothesis"))  # fmt: skip
    fitted_line = Points("拟合线", probit=num("Probit"), fitted=num("RSR"))
    fit = Chart("Probit 拟合图", "point", of=spread, x="probit", y="rsr",
                over=[Line(fitted_line, x="probit", y="fitted")], place="detail")  # fmt: skip
    levels = Table("分档界值", grade=integer("分档"), probit=interval("Probit", "probit_low", "probit_high"),
                   rsr=interval("RSR", "rsr_low", "rsr_high"), n=integer("对象"), members=text("对象名称"),
                   place="detail")  # fmt: skip
    tests = Table("各档的检验", test=text("检验"), statistic=num("统计量", least=0), p=pvalue(),
                  claim=Silent("grades are cut on the very values compared"), place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = indicators.read(form, least_objects=5, least_indicators=1)
        refuse_same(data)
        weights = weights_of(form, data)
        for one, weight in zip(data.indicators, weights, strict=True):
            report.row(cls.used, item=one.name, kind=one.words, weight=weight)
        grid = rank_sums(data, form.ranking == "non_integer")
        rsr = np.round(grid @ weights / data.n, 14)
        if np.ptp(rsr) < 1e-12:
            raise Refusal(
                "data.same", "各对象的 RSR 都相同，RSR 无差异，无法分档，请检查指标方向", field=data.indicators[0].field
            )
        distinct, back, counts = np.unique(np.round(rsr, 12), return_inverse=True, return_counts=True)
        probit, fit = cls._distribution(report, data.n, distinct, counts)
        graded = fit is not None and fit[4] < 0.05
        grade: Any = _grades(probit[back], form.grades) if graded else None
        places = ranked(rsr)
        for k, name in enumerate(data.objects):
            cells: dict[str, Any] = {
                "fitted": fit[0] + fit[1] * probit[back[k]] if fit else None,
                "grade": grade[k] if graded else None,
            }
            report.row(cls.result, object=name, rsr=rsr[k], rank=places[k],
                       probit=probit[back[k]], **cells)  # fmt: skip
            wide = {item: {"rank": grid[k, j]} for j, item in enumerate(data.names)}
            report.row(cls.ranks, object=name, wide=wide)
        if graded:
            cls._levels(report, form, data, rsr, grade, fit)
        else:
            for table in (cls.levels, cls.tests):
                report.skip(table, "Probit 回归不显著，分档没有依据")
        _words(report, form, data, rsr, fit, grade)
        return report

    @classmethod
    def _distribution(cls, report: Report, n: int, distinct: Floats, counts: Any) -> tuple[Floats, Any]:
        total = np.cumsum(counts)
        mean_rank = total - (counts - 1) / 2
        share = mean_rank / n
        share[-1] = 1 - 1 / (4 * n)
        probit = probits(share)
        for row in zip(distinct, counts, total, mean_rank, share, probit, strict=True):
            report.row(
                cls.spread, **dict(zip(("rsr", "f", "cumulative", "mean_rank", "share", "probit"), row, strict=True))
            )
        if len(distinct) < 4:
            report.skip(cls.line, "不同的 RSR 值少于 4 个")
            report.skip(cls.fitted_line, "不同的 RSR 值少于 4 个")
            report.skip(cls.fit, "不同的 RSR 值少于 4 个")
            return probit, None
        found = stats.linregress(probit, distinct)
        a, b, r2 = float(found.intercept), float(found.slope), float(found.rvalue**2)
        f = r2 / (1 - r2) * (len(distinct) - 2)
        p = float(stats.f.sf(f, 1, len(distinct) - 2))
        residual = distinct - a - b * probit
        w, w_p = stats.shapiro(residual) if np.ptp(residual) > 1e-12 else (None, None)
        report.row(cls.line, a=a, b=b, r2=r2, F=f, p=p, w=w, w_p=w_p)
        for x in (probit[0], probit[-1]):
            report.row(cls.fitted_line, probit=x, fitted=a + b * x)
        report.chart(cls.fit)
        return probit, (a, b, r2, f, p)

    @classmethod
    def _levels(cls, report: Report, form: Any, data: Data, rsr: Floats, grade: Any, fit: Any) -> None:
        cuts = [-np.inf, *(2 + 6 * j / form.grades for j in range(1, form.grades)), np.inf]
        a, b = fit[0], fit[1]
        for g in range(form.grades):
            low, high = cuts[g], cuts[g + 1]
            members = [data.objects[k] for k in np.flatnonzero(grade == g + 1)]
            shown = "、".join(members[:50]) + ("等" if len(members) > 50 else "")
            report.row(cls.levels, grade=g + 1, probit_low=low, probit_high=high, rsr_low=a + b * low,
                rsr_high=a + b * high,
                       n=len(members), members=shown)  # fmt: skip
        report.note(cls.levels, "档次的数字越大越好；第一档没有下界，最高档没有上界。")
        groups = [rsr[grade == g] for g in np.unique(grade)]
        if len(groups) < 2 or min(map(len, groups)) < 2 or min(map(np.ptp, groups)) < 1e-12:
            report.skip(cls.tests, "有的档少于 2 个对象，或档内完全相同")
            return
        bartlett, anova = stats.bartlett(*groups), stats.f_oneway(*groups)
        report.row(cls.tests, test="方差一致性（Bartlett χ²）", statistic=bartlett.statistic, p=bartlett.pvalue)
        report.row(cls.tests, test="各档差异（方差分析 F）", statistic=anova.statistic, p=anova.pvalue)


def _grades(probit: Floats, k: int) -> Any:
    cuts = np.array([2 + 6 * j / k for j in range(1, k)])
    return np.searchsorted(cuts, np.round(probit, 12), side="right") + 1


def _words(report: Report, form: Any, data: Data, rsr: Floats, fit: Any, grade: Any) -> None:
    order = np.argsort(-rsr, kind="stable")
    facts: dict[str, Any] = {
        "n": data.n, "m": data.m, "first": data.objects[order[0]], "high": rsr[order[0]], "last": data.objects[
            order[-1]],
        "low": rsr[order[-1]], "k": form.grades,
    }  # fmt: skip
    lead = "{n:integer} 个对象里 RSR 最高的是“{first}”（{high:num}），最低的是“{last}”（{low:num}）。"
    if grade is not None:
        top = int(grade.max())
        facts |= {"top": int((grade == top).sum())}
        lead += "最高一档有 {top:integer} 个对象。"
    report.lead(lead, [figure("RSR 最高", "{first}", "{high:num}")], **facts)
    if fit is None:
        report.check("Probit 回归", "unknown", "不同的 RSR 值少于 4 个，不能作回归，也就不能分档。")
    else:
        facts |= {"a": fit[0], "b": fit[1], "r2": fit[2], "p": fit[4]}
        good = fit[4] < 0.05
        text_ = "回归方程 RSR = {a:num} + {b:num} × Probit，R² = {r2:num}，*p* {p:peq}。"
        tail = "" if good else "回归不显著，没有分档。"
        report.check("Probit 回归", "pass" if good and fit[2] >= 0.8 else "care", text_ + tail, **facts)
    how = {"equal": "RSR", "manual": "加权 RSR"}.get(form.weight_source, f"加权 RSR，{SOURCES[form.weight_source]}")
    report.say(
        f"采用秩和比法（{how}）对 {{n:integer}} 个对象的 {{m:integer}} 个指标综合评价，"
        f"RSR 在 {{low:num}} 到 {{high:num}} 之间。",
        voice="paper", **facts,
    )  # fmt: skip
    report.say("RSR 只用名次，不受极端值影响，但也不看差多少。越接近 1 越好。", voice="student")
