from __future__ import annotations

from typing import Any

from hengxi.contract import Report, Table, choice, claim, integer, interval, percent, pvalue, text
from hengxi.methods.hypothesis_test._shared.one_proportion import OneProportion
from hengxi.stats import proportions

WAYS = {"exact": "Clopper-Pearson", "wilson": "Wilson", "wilsoncc": "Wilson校正"}


class BinomialTest(OneProportion):
    """The exact test of one proportion."""

    title, title_en = "二项检验", "Binomial test"
    purpose = "某类比例是否等于给定值（精确）"
    aliases = ("binomial test", "精确二项检验", "比例检验", "0-1检验", "Clopper-Pearson")
    references = ("clopper1934", "wilson1927", "newcombe1998", "cohen1988", "holm1979")
    conventions = (
        "*p* 由二项分布精确算出；双侧为概率不大于观察次数的全部次数之和（与 R 相同）。",
        "Clopper-Pearson 区间由两侧二项尾部反解；Wilson 校正的连续性校正数为 1/2。",
        "Cohen's h = 2arcsin√p − 2arcsin√p₀，区间由比例的区间换算；检验比例为 0.5 时另给 g = p − 0.5。",
    )
    NAME = "精确二项检验"

    class Input(OneProportion.Input):
        ci_method: str = choice("置信区间", WAYS)

    result = Table(
        "二项检验结果", category=text("目标类别"), n=integer("*n*"), count=integer("目标类别数"),
        share=percent("观测比例"),
        p0=percent("检验比例"), p=pvalue("精确 *p*"),
        ci=interval("比例 CI", "low", "high", around="share", format="percent"),
        place="main", claim=claim("value", effect="share", interval="ci", outcome="variables", against="p0"),
    )  # fmt: skip

    @classmethod
    def test(cls, report: Report, form: Any, word: str, count: int, n: int) -> dict[str, Any]:
        p = proportions.binomial(count, n, form.p0, form.alternative)
        low, high = proportions.interval(form.ci_method, count, n, form.conf_level, form.alternative)
        report.row(
            cls.result, category=word, n=n, count=count, share=count / n, p0=form.p0, p=p, low=low, high=high
        )  # fmt: skip
        way = "连续校正的 Wilson" if form.ci_method == "wilsoncc" else f" {WAYS[form.ci_method]}"
        report.note(cls.result, f"CI 的置信水平为 {{level:percent}}，用{way} 法。", level=form.conf_level)
        return {"low": low, "high": high, "test": "精确二项检验 *p* {p:peq}", "facts": {"p": p}}
