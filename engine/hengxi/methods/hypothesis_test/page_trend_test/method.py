from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    MethodRemedy,
    Refusal,
    Report,
    Table,
    choice,
    claim,
    confidence,
    figure,
    integer,
    num,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import samples
from hengxi.methods.hypothesis_test._shared.comparison import ManySamples, axis
from hengxi.methods.hypothesis_test._shared.finding import Finding
from hengxi.methods.hypothesis_test._shared.samples import Sample
from hengxi.stats import blocks, ordered_trend
from hengxi.stats.moments import Floats
from hengxi.stats.ordered_trend import EXACT_CONDITIONS, EXACT_ROWS, Page
from hengxi.stats.ranks import normal_p

OTHER = MethodRemedy(
    title="不预定次序（Friedman 检验）", method="hypothesis_test/multiple_paired_sample_friedman_test",
    carry=["variables"],
)  # fmt: skip


class PageTrendTest(ManySamples):
    title, title_en = "Page趋势检验", "Page trend test"
    family, tier = "非参数检验", "member"
    rescaled = (("variables",),)
    purpose = "配对多条件下是否按预定次序递增"
    aliases = ("Page检验", "有序配对", "重复测量趋势", "佩奇", "Page L", "有序备择", "配对趋势")
    references = ("page1963", "hollander2014", "friedman1937")
    conventions = (
        "在每一行之内排秩，相同的值取平均秩；有缺失的行整行不用。",
        "*L* = Σ j·R_j，j 为变量的预定次序；*p* 是单侧的，只问是否按次序递增。",
        "*Z* 的方差按行内置换计算，有相同的值时已作校正；没有相同的值时就是 Page（1963）的公式。",
        f"精确 *p* 枚举行内的全部排列，相同的值保留；最多 {EXACT_ROWS} 行、{EXACT_CONDITIONS} 个条件。",
        "平均 Spearman ρ 是各行的取值与预定次序的秩相关的平均；一行之内全部相同的不计。",
    )
    missing = "listwise"
    weights = ()

    class Input(Form):
        variables: list[Column] = role(
            "配对变量(按假设次序)", "定量", min=3, max=50, hint="由小到大的预定次序；每列一个条件，同一行是同一个对象"
        )
        method: str = choice("p值", {"auto": "自动", "exact": "精确", "asymptotic": "渐近"})
        conf_level: float = confidence(0.8, hint="显著性水平 = 1 − 此值")

    result = Table(
        "Page检验结果", k=integer("条件数"), n=integer("*n*"), L=num("*L*", least=0), expected=num("期望 *L*", least=0),
        z=num("*Z*"), p=pvalue("*p*（单侧）"), how=text("*p* 的算法"), rho=num("平均 Spearman ρ", least=-1, most=1),
        place="main", claim=claim("named", stat("*L*", "L"), effect="rho"),
    )  # fmt: skip
    mean_ranks = Table(
        "平均秩", condition=text("变量"), place_no=integer("预定次序"), n=integer("*n*"), median=num("中位数"),
        mean_rank=num("平均秩", least=0), place="main",
    )  # fmt: skip
    line = Chart("平均秩折线图", "line", of=mean_ranks, x="condition", y="mean_rank", place="main")

    @classmethod
    def heading(cls, form: Any) -> str:
        names = "、".join(column.title for column in form.variables[:3])
        return f"{cls.title}：{names}{'等' * (len(form.variables) > 3)}"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        conditions = samples.repeated(form)
        values = np.column_stack([sample.x for sample in conditions])
        if np.ptp(values, axis=1).max() == 0:
            raise Refusal(
                "data.constant", "各对象在所有条件下取值相同，无法排秩，请核对是否放错了变量", field="variables"
            )
        ranks = blocks.within_ranks(values)
        test = ordered_trend.page(ranks)
        exact = None if form.method == "asymptotic" else ordered_trend.page_exact(ranks)
        p = normal_p(test.z, "greater") if exact is None else exact
        how = "精确（行内置换，含结）" if exact is not None else "正态近似，结校正"
        if exact is None and form.method == "exact":
            how = "规模过大，已自动改用渐近法"
        means = ranks.mean(axis=0)
        report.row(
            cls.result, k=len(conditions), n=len(values), L=test.l, expected=test.mean, z=test.z, p=p, how=how,
            rho=test.rho,
        )  # fmt: skip
        for i, (sample, mean) in enumerate(zip(conditions, means, strict=True), 1):
            report.row(
                cls.mean_ranks, condition=sample.name, place_no=i, n=sample.n, median=sample.median,
                mean_rank=float(mean),
            )  # fmt: skip
        cls.describe(report, conditions, "median", form.conf_level)
        report.chart(cls.plot, titles=axis("取值", samples.unit(form.variables[0])))
        cls._say(report, form, conditions, means, test, p)
        cls._check(report, conditions, ranks)
        return report

    @classmethod
    def _say(cls, report: Report, form: Any, conditions: list[Sample], means: Floats, test: Page, p: float) -> None:
        Finding(
            test="Page 趋势检验",
            statistic="*L* = {L:num}，*Z* = {z:num}",
            p=p,
            level=form.conf_level,
            side="greater",
            shown="各条件下的取值按预定次序递增",
            asked="各条件下的取值按预定次序递增",
            nothing="没有发现各条件下的取值按预定次序递增",
            compared="{k:integer} 个有序条件（{n:integer} 个对象）",
            observed="平均秩由“{first}”的 {r1:num} 到“{last}”的 {r2:num}",
            effect="平均 Spearman ρ = {rho:num}",
            figures=(figure("与次序的一致", "ρ = {rho:num}", "−1 到 1，1 表示各对象都按次序递增"),),
            caution="本检验要求各对象之间互不影响。各条件的先后次序固定时，递增也可能来自练习或疲劳。",
            note="" if p < 1 - form.conf_level or test.z > 0 else "取值没有上升；假设是递减时，把变量倒过来放。",
            facts={
                "k": len(conditions), "n": conditions[0].n, "L": test.l, "z": test.z, "rho": test.rho,
                "first": conditions[0].name, "last": conditions[-1].name, "r1": float(means[0]), "r2": float(means[-1]),
            },
        ).write(report)  # fmt: skip

    @classmethod
    def _check(cls, report: Report, conditions: list[Sample], ranks: Floats) -> None:
        report.check(
            "条件的次序", "unknown", "预定次序：{order}。次序要在看数据之前定好，次序错了，检验就没有意义。",
            order=" → ".join(sample.name for sample in conditions[:12]), remedies=[OTHER],
        )  # fmt: skip
        k = ranks.shape[1]
        tied = float(np.mean([np.unique(row).size < k for row in ranks[:100_000]]))
        report.check(
            "相同的值", "care" if tied > 0.5 else "pass",
            "{tied:percent1} 的对象在几个条件下取值相同。相同的值取平均秩，*p* 已作校正。", tied=tied,
        )  # fmt: skip
