"""Signed ranks of differences: the tables, p and effects of Wilcoxon's test of one sample and of pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import (
    MethodRemedy,
    Refusal,
    Report,
    Table,
    choice,
    claim,
    flag,
    integer,
    interval,
    more,
    num,
    pvalue,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import rank_parts, sample_checks
from hengxi.methods.hypothesis_test._shared.comparison import Comparison
from hengxi.methods.hypothesis_test._shared.rank_parts import Read
from hengxi.methods.hypothesis_test._shared.samples import Sample
from hengxi.stats import ranks
from hengxi.stats.effect_size import Effect
from hengxi.stats.ranks import EXACT_MOST, SignedRank

SIGN_TEST = "hypothesis_test/sign_test"
LOPSIDED = 1.0
"""|skewness| from which differences do not look symmetric."""
CONVENTIONS = (
    "*W*+、*W*− 为正、负差值的秩和；相同大小的差值取平均秩。差值先按 12 位有效数字取整，免得舍入误差拆开相同的值。",
    "零差值默认剔除；选 Pratt 时参与排秩，但不计入秩和。",
    "*Z* 用结校正的方差，默认不做连续性校正（与 SPSS 相同；R 默认校正）。",
    "精确 *p* 由所有正负号的置换分布得出，有结时也精确。",
    "Hodges-Lehmann 估计为所有两两平均（Walsh 平均）的中位数，用全部差值；不足 50 例时区间由无结的精确分布定界，"
    "否则由正态近似。",
    "秩二列相关 = (*W*+ − *W*−)/(*W*+ + *W*−)，区间用 Fisher z 变换。",
)


def zero_method() -> Any:
    return choice("零差值", {"wilcox": "剔除", "pratt": "Pratt（参与排秩）"})


def continuity() -> Any:
    return flag("连续性校正", False, advanced=True, hint="只影响渐近的 p")


@dataclass(frozen=True)
class Signed:
    """What the test of one variable or pair gave."""

    test: SignedRank
    read: Read
    centre: Effect | None
    biserial: Effect

    @property
    def statistic(self) -> str:
        return "*W*+ = {W:num}" + ("，*Z* = {z:num}" if self.test.exact is None else "")


class SignedRanks(Comparison):
    """Tables that Wilcoxon's tests share."""

    result = Table(
        "Wilcoxon符号秩检验结果", n=integer("非零差值"), positive=num("*W*+", least=0),
        W=num("*W*（较小秩和）", least=0), z=num("*Z*"),
        asymptotic=pvalue("渐近 *p*"), exact=pvalue("精确 *p*"), p=pvalue("采用的 *p*"),
        how=text("*p* 的算法"), place="main",
        claim=claim("named", stat("*W*", "W"), beside=("z",)),
    )  # fmt: skip
    signs = Table(
        "秩次", sign=text("差值"), count=integer("个数"), mean_rank=num("平均秩", least=0),
        rank_sum=num("秩和", least=0), place="main",
    )  # fmt: skip
    effects = Table(
        "效应量", effect=text("效应量"), value=num("估计"),
        ci=interval("CI", "low", "high", around="value", inside=False),
    )  # fmt: skip

    @classmethod
    def test_signs(cls, report: Report, form: Any, difference: Sample, located: Sample, what: str) -> Signed:
        """`located`: the sample whose centre is estimated; `what`: the words of the estimate in the table."""
        pratt = form.zero_method == "pratt"
        moving = int(np.count_nonzero(difference.x)) if difference.counts is None else None
        n = moving if moving is not None else round(float(difference.counts[difference.x != 0].sum()))  # type: ignore[index]
        if n == 0:
            raise Refusal("data.constant", cls.all_zero, v=difference.name)
        small = form.p_method == "asymptotic" and n < 6
        if small:
            report.warn("data.few", "非零差值仅 {n:integer} 个，渐近 *p* 不可靠，已用精确法。", n=n)
        exact = small or form.p_method == "exact" or (form.p_method == "auto" and n < EXACT_MOST)
        test = ranks.signed_rank(
            (difference.x, difference.counts), form.alternative, pratt=pratt, exact=exact, continuity=form.continuity
        )
        read = rank_parts.read(form.p_method, test.asymptotic, test.exact, None, form.continuity)
        report.row(
            cls.result, n=test.n, positive=test.positive, W=min(test.positive, test.negative), z=test.z,
            asymptotic=test.asymptotic, exact=test.exact, p=read.p, how=read.how,
        )  # fmt: skip
        counted = (("正差值", test.n_positive, test.positive), ("负差值", test.n_negative, test.negative))
        for sign, count, total in counted:
            report.row(cls.signs, sign=sign, count=count, mean_rank=total / count if count else None, rank_sum=total)
        report.row(cls.signs, sign="零差值", count=test.zeros)
        centre = ranks.centre((located.x, located.counts), form.alternative, form.conf_level)
        biserial = ranks.matched_biserial(test, form.alternative, form.conf_level)
        cls._effects(report, form, test, centre, biserial, what)
        cls._checks(report, form, test, difference)
        return Signed(test, read, centre, biserial)

    all_zero = "“{v}”所有差值均为0，检验无法进行，请核对是否放错了变量"

    @classmethod
    def _effects(
        cls, report: Report, form: Any, test: SignedRank, centre: Effect | None, biserial: Effect, what: str
    ) -> None:
        low, high = rank_parts.bounds(biserial)
        report.row(cls.effects, effect="秩二列相关", value=biserial.value, low=low, high=high)
        z = ranks.plain_z(test)
        report.row(cls.effects, effect="r = |Z|/√n", value=None if z is None else abs(z) / float(np.sqrt(test.n)))
        if centre is None:
            report.note(
                cls.effects, "超过 {most:integer} 例且取值很多，不计算 Hodges-Lehmann 估计。", most=ranks.SHIFT_MOST
            )
        else:
            ends = rank_parts.bounds(centre)
            report.row(cls.effects, effect=what, value=centre.value, low=ends[0], high=ends[1])
            if ends[0] is None:
                report.note(cls.effects, "样本太小，Hodges-Lehmann 估计在这个置信水平下没有区间。")
        side = "" if form.alternative == "two_sided" else "单侧检验给单侧区间，另一端为界限或无穷。"
        alone = "差值全部同号时，秩二列相关没有区间。" if low is None else ""
        report.note(cls.effects, "CI 的置信水平为 {level:percent}。" + side + alone, level=form.conf_level)

    @classmethod
    def _checks(cls, report: Report, form: Any, test: SignedRank, difference: Sample) -> None:
        g1 = difference.moments.skewness
        state = "unknown" if g1 is None else "pass" if abs(g1) < LOPSIDED else "care"
        ending = {
            "unknown": "例数太少或没有变异，看不出是否对称。",
            "pass": "大致对称。",
            "care": "不太对称：检验仍能说明差值偏向哪一边，但不宜说成中位数；可以用符号检验对照。",
        }[state]
        keys = ["pairs_a", "pairs_b"] if hasattr(form, "pairs_a") else ["variables", "test_value"]
        report.check(
            "对称性",
            state,  # type: ignore[arg-type]
            ("差值的偏度 {g1:num}，" if g1 is not None else "") + ending,
            more=more(
                "Wilcoxon 检验假定差值的分布左右对称，这样秩和才与中位数有关。",
                "偏度 {g1:num}。" if g1 is not None else "偏度无法计算。",
                "偏度绝对值超过 1 时明显不对称（Bulmer 1979 的参考标准）。",
                "改用符号检验，它只看正负，不要求对称。",
            ),
            remedies=[MethodRemedy(title="改用符号检验", method=SIGN_TEST, carry=keys)] if state == "care" else [],
            g1=g1,
        )
        least = None
        if test.exact is not None:
            least = 0.5**test.n * (2 if form.alternative == "two_sided" else 1)
        sample_checks.size_for_ranks(report, [test.n], least, 1 - form.conf_level)
        how = {"wilcox": "已剔除", "pratt": "参与排秩，不计入秩和（Pratt）"}[form.zero_method]
        zeros = test.zeros / (test.n + test.zeros)
        report.check(
            "零差值", "care" if zeros > 0.2 else "pass",
            f"{{zeros:integer}} 个差值为 0{'，' + how if test.zeros else ''}。", zeros=test.zeros,
        )  # fmt: skip
