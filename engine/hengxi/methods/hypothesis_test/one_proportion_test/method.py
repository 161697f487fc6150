from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    MethodRemedy,
    Report,
    Table,
    choice,
    claim,
    integer,
    interval,
    num,
    percent,
    pvalue,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared.one_proportion import OneProportion
from hengxi.stats import proportions

FEW = 5
NAMES = {"score": "得分 *Z* 检验", "wald": "Wald *Z* 检验", "exact": "精确二项检验"}


class OneProportionTest(OneProportion):
    """One proportion by a normal statistic; the exact test where the sample is too small for it."""

    title, title_en = "单样本率检验", "One-sample proportion test"
    purpose = "一个比例与给定值是否有差异（大样本）"
    aliases = ("率的检验", "单样本率", "one-sample proportion", "Z检验比例", "达标率")
    references = ("wilson1927", "clopper1934", "brown2001", "cohen1988", "holm1979")
    conventions = (
        "得分 Z 的方差用检验比例 p₀(1 − p₀)/n，Wald Z 用样本比例；都不作连续性校正。",
        "np₀ 或 n(1 − p₀) 小于 5 时改用精确二项检验。",
        "Wilson 与 Clopper-Pearson（精确）两种区间并列；得分和 Wald 检验读 Wilson，精确检验读精确区间。",
        "Cohen's h = 2arcsin√p − 2arcsin√p₀，区间由比例的区间换算；检验比例为 0.5 时另给 g = p − 0.5。",
    )
    NAME = "单样本率检验"

    class Input(OneProportion.Input):
        method: str = choice("检验", {"score": "得分Z", "wald": "Wald Z", "exact": "精确"})

    result = Table(
        "单样本率结果", category=text("目标类别"), n=integer("*n*"), count=integer("成功数"), share=percent("样本率"),
        p0=percent("检验比例"), test=text("检验"), z=num("*Z*"), p=pvalue(),
        ci=interval("Wilson CI", "low", "high", around="share", format="percent"),
        exact=interval("精确 CI", "exact_low", "exact_high", around="share", format="percent"), place="main",
        claim=claim(
            "value", stat("*Z*", "z"), effect="share", interval="ci", outcome="variables", against="p0", names=("test",)
        ),
    )  # fmt: skip

    @classmethod
    def test(cls, report: Report, form: Any, word: str, count: int, n: int) -> dict[str, Any]:
        how, share, side = form.method, count / n, form.alternative
        least = min(n * form.p0, n * (1 - form.p0))
        if how == "wald" and count in (0, n):
            how = "exact"
            report.warn("data.exact", "样本率为 0 或 100%，Wald Z 无定义，已改用精确检验。", columns=[form.variables])
        elif how != "exact" and least < FEW:
            how = "exact"
            text = "“{v}”的期望数小于5（{least:num}），正态近似不可靠，已改用精确检验。"
            report.warn("data.exact", text, v=form.variables.title, least=least, columns=[form.variables])
        z = None
        if how != "exact":
            base = form.p0 if how == "score" else share
            z = (share - form.p0) / float(np.sqrt(base * (1 - base) / n))
            p = proportions.tail(z, side)
        else:
            p = proportions.binomial(count, n, form.p0, side)
        low, high = proportions.interval("wilson", count, n, form.conf_level, side)
        ends = proportions.interval("exact", count, n, form.conf_level, side)
        report.row(
            cls.result, category=word, n=n, count=count, share=share, p0=form.p0, test=NAMES[how].replace("*", ""), z=z,
            p=p, low=low, high=high, exact_low=ends[0], exact_high=ends[1],
        )  # fmt: skip
        report.note(cls.result, "CI 的置信水平为 {level:percent}；检验不作连续性校正。", level=form.conf_level)
        cls._size(report, form, least, how)
        if how == "exact":
            low, high = ends
        statistic = "" if z is None else "*Z* = {z:num}，"
        facts = {"p": p} if z is None else {"p": p, "z": z}
        return {"low": low, "high": high, "test": f"{NAMES[how]}，{statistic}*p* {{p:peq}}", "facts": facts}

    @staticmethod
    def _size(report: Report, form: Any, least: float, how: str) -> None:
        remedies = [
            MethodRemedy(
                title="改用二项检验", method="hypothesis_test/binomial_test", carry=["variables", "weight", "p0"]
            )
        ]
        few = least < FEW
        end = "，已用精确检验。" if how == "exact" else "，样本够大。"
        report.check(
            "样本量", "care" if few else "pass", "np₀ 与 n(1 − p₀) 中较小的为 {least:num}" + end,
            least=least, remedies=remedies if few else [],
        )  # fmt: skip
