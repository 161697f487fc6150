"""Assumptions of a linear design: residuals, homogeneity, balance; said with what they do to the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Report, SetRemedy, more
from hengxi.contract.shapes import State
from hengxi.methods.hypothesis_test._shared import post_hoc
from hengxi.methods.hypothesis_test._shared.design import Design
from hengxi.methods.hypothesis_test._shared.sample_checks import ALPHA, HEAVY, MANY, SKEWED, SMALL
from hengxi.stats import linear_design
from hengxi.stats.linear_design import Tested
from hengxi.stats.moments import Floats, moments
from hengxi.stats.normality import Normality, normality


@dataclass(frozen=True)
class Checked:
    levene: Tested | None
    normality: Normality | None
    skewness: float | None
    kurtosis: float | None

    @property
    def is_unequal(self) -> bool:
        return self.levene is not None and self.levene.p < ALPHA

    @classmethod
    def of(cls, design: Design, residuals: Floats) -> Checked:
        cells = design.study.cells
        shape = moments(residuals, cells.counts)
        return cls(
            linear_design.levene(cells, design.study.groups, residuals),
            normality(residuals, cells.counts),
            shape.skewness,
            shape.kurtosis,
        )


def report_all(report: Report, design: Design, words: Any) -> None:
    checks: Checked = words.checks
    normal(report, checks, design.study.n)
    homogeneity(report, design, checks, words)
    balance(report, design)
    if words.how != "none" and any(len(pairs) > 1 for pairs in words.pairs.values()):
        _family(report, design, words)


def normal(report: Report, checks: Checked, n: int) -> None:
    skew, heavy = abs(checks.skewness or 0), checks.kurtosis or 0
    severe = skew > SKEWED or heavy > HEAVY
    small_p = checks.normality is not None and checks.normality.p < ALPHA
    state: State = "fail" if (severe and n < 2 * MANY) or (small_p and n < SMALL and skew > 1) else "pass"
    if state == "pass" and (severe or small_p):
        state = "care"
    ending = {
        "pass": "近似正态。",
        "care": "不太正态；样本不小时对均值的比较影响不大，请看 Q-Q 图两端。",
        "fail": "明显不正态而样本不大，*p* 和区间可能不准；可先对因变量取对数，或用秩检验对照。",
        "unknown": "",
    }[state]
    shape = "偏度 {skew:num}" if checks.skewness is not None else "偏度无法计算"
    shape += "，峰度 {kurt:num}" if checks.kurtosis is not None else ""
    tested = "，{which} *p* {p:peq}" if checks.normality else "，不做检验（例数过少或过多），看偏度和 Q-Q 图"
    report.check(
        "残差正态性", state, f"残差：{shape}{tested}。{ending}",
        more=more(
            "方差分析假定误差大致呈正态；看的是残差，不是因变量本身。",
            f"{shape}{tested}；共 {{n:integer}} 例。",
            "样本小时检验查不出偏离，样本大时无关紧要的偏离也会有很小的 *p*，所以按偏度、峰度和样本量一起判断"
            "（参考标准：偏度绝对值 2、峰度 7，West 等，1995）。",
            "偏离明显时先看有没有录错的值，再考虑对因变量取对数。",
        ),
        skew=checks.skewness, kurt=checks.kurtosis, which=checks.normality.name if checks.normality else "",
        p=checks.normality.p if checks.normality else None, n=n,
    )  # fmt: skip


def homogeneity(report: Report, design: Design, checks: Checked, words: Any) -> None:
    one, balanced = checks.levene, design.study.is_balanced
    if one is None:
        report.check("方差齐性", "unknown", "每个组合的例数太少，Levene 检验算不出来，请看残差对拟合值图。")
        return
    unequal = checks.is_unequal
    state: State = "pass" if not unequal else "care" if balanced else "fail"
    if not unequal:
        ending = "没有发现各组合方差不等。"
    elif balanced:
        ending = "各组合方差不等；各组合例数相同，对 *F* 检验影响较小。"
    else:
        ending = "各组合方差不等，例数也不等，*p* 可能偏大或偏小。"
    remedies = []
    if unequal and getattr(words, "robust_field", None):
        ending += "请对照异方差稳健 F（HC3）。"
        if not words.robust_on:
            remedies = [SetRemedy(title="加做稳健 F（HC3）", set={words.robust_field: True})]
    report.check(
        "方差齐性", state, "Levene：*F*({df1:integer}, {df2:integer}) = {F:num}，*p* {p:peq}。" + ending,
        more=more(
            "*F* 检验假定各组合的误差方差相同。",
            "Levene：*F*({df1:integer}, {df2:integer}) = {F:num}，*p* {p:peq}。",
            "各组合例数相近时影响较小；例数悬殊而方差不等时，*p* 可能差很多。",
            "看残差对拟合值图；散布随拟合值变大时，先对因变量取对数。",
        ),
        remedies=remedies, F=one.F, df1=one.df, df2=one.df_error, p=one.p,
    )  # fmt: skip


MEANING = {
    "III": "类型III：检验每个效应时，其余效应（包括交互）都已考虑，各水平同等看待，与各组合有多少例无关。",
    "II": "类型II：检验每个效应时，只考虑不包含它的其余效应；有交互作用时，主效应按例数加权，不宜单独解释。",
    "I": "类型I：效应按放入的先后依次检验，换一个次序结果就不同。",
}


def balance(report: Report, design: Design) -> None:
    study, groups = design.study, design.study.groups
    least, most = round(float(groups.n.min())), round(float(groups.n.max()))
    facts: dict[str, Any] = {"n": study.n, "k": int(groups.n.size), "least": least, "most": most}
    if study.is_balanced:
        same = "" if study.covariates or study.blocks else "，三种平方和结果一样"
        text = f"{{k:integer}} 个组合，每个 {{least:integer}} 例{same}。"
        state: State = "care" if least < 3 else "pass"
        if least < 3:
            text += "每个组合的例数很少，只有很大的差异才看得出来。"
    else:
        gaps = int(np.prod([study.cells.sizes[m] for m in study.everything])) - groups.n.size
        facts["gaps"] = gaps
        spread = "例数从 {least:integer} 到 {most:integer} 不等" if least < most else "每个 {least:integer} 例"
        missing = "，另有 {gaps:integer} 个组合没有数据" if gaps else ""
        text = f"{{k:integer}} 个有数据的组合，{spread}{missing}。{MEANING[design.kind]}"
        state = "care" if design.kind == "I" or least < 3 else "pass"
    if len(study.everything) == 1:
        text = text.replace("组合", "组")
    report.check("各组合的例数", state, text, **facts)


def _family(report: Report, design: Design, words: Any) -> None:
    loose = words.how in post_hoc.UNCONTROLLED
    m = sum(len(pairs) for pairs in words.pairs.values())
    if loose:
        ending = "不控制整体错误率：真的没有差异时，至少错报一对的机会大于 {alpha:alpha}。"
    else:
        ending = "在每个因素内把整体错误率控制在 {alpha:alpha} 左右；各因素之间没有再校正。"
    report.check(
        "多重比较", "care" if loose else "pass", f"两两比较共 {{m:integer}} 次，{{how}} {ending}",
        remedies=[SetRemedy(title="改用 Tukey HSD", set={"post_hoc": "tukey"})] if loose else [],
        m=m, how=post_hoc.TITLES[words.how], alpha=design.alpha,
    )  # fmt: skip
