from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Level,
    Method,
    NextStep,
    Refusal,
    Report,
    Table,
    adjustment,
    claim,
    confidence,
    counted,
    figure,
    integer,
    interval,
    level,
    num,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.stats import proportions, square_table
from hengxi.stats.count_table import happened
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats
from hengxi.stats.multiple import adjust
from hengxi.stats.names import sharing, titles

MOST = 30


class CochranQ(Method):
    """Several yes-or-no results of the same cases."""

    title, title_en = "Cochran's Q检验", "Cochran's Q test"
    family, tier = "一致性检验", "standard"
    purpose = "同一批对象的多个二分结果比例是否相同"
    aliases = ("Cochran Q", "多个相关样本率", "配对率比较", "重复二分数据", "多次合格率")
    references = ("cochran1950", "serlin1982", "mcnemar1947", "wilson1927", "holm1979")
    conventions = (
        "*p* 由 χ² 分布近似，自由度为变量数减 1；结果全部相同的对象不影响 Q。",
        "效应量 η² = Q / (n(k − 1))，n 为全部对象数，0 到 1（Serlin 等，1982）。",
        "两两比较用 McNemar 检验：两次不同的不足 25 对用精确二项，否则用不校正的 χ²。",
    )
    weights = ("frequency",)

    class Input(Form):
        variables: list[Column] = role("二分变量", "定类", min=3, max=MOST, hint="每列一次结果，如 0/1")
        weight: Column | None = counted()
        success: Level | None = level("“成功”取值", of="variables", auto="“1”“是”“有”“阳性”，都没有时取第一类")
        post_hoc: str = adjustment("bonferroni", "none", "bonferroni", "holm")
        conf_level: float = confidence()

    rates = Table(
        "频数", variable=text("变量"), count=integer("成功数"), share=percent("成功率"), failures=integer("失败数"),
        ci=interval("成功率的CI（Wilson）", "low", "high", around="share", format="percent"), place="main",
    )  # fmt: skip
    plot = Chart("各变量的成功率", "interval", of=rates, x="variable", y="share", low="low", high="high", place="main")
    result = Table(
        "检验结果", n=integer("*n*"), q=num("Cochran *Q*", least=0), df=integer("*df*"), p=pvalue(),
        eta2=num("η²", least=0, most=1), place="main",
        claim=claim("named", stat("*Q*", "q", "df"), effect="eta2", outcome="variables"),
    )  # fmt: skip
    pairs = Table(
        "事后比较（McNemar）", first=text("变量1"), second=text("变量2"), difference=percent("成功率之差", least=-1),
        chi2=num("χ²", least=0), raw=pvalue("*p*"), p=pvalue("校正后 *p*"),
        when={"post_hoc": ("none", "bonferroni", "holm")},
        claim=claim("paired", stat("χ²", "chi2"), effect="difference", first="first", second="second"),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.variables)} 个二分结果的比较"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        first, second = form["variables"][:2]
        start = {"before": first, "after": second, "weight": form.get("weight")}
        return [NextStep(title="只比较其中两次（McNemar 检验）", method="hypothesis_test/mcnemar_test", form=start)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = list(titles(form.variables).values())
        word, hits = cls._hits(form)
        weights = frequencies(form.weight)
        w = np.ones(hits.shape[0]) if weights is None else weights
        n, k = float(w.sum()), hits.shape[1]
        test = square_table.cochran_q(hits, weights)
        if test is None:
            text = "所有对象在各变量上结果一致，Q无定义"
            raise Refusal("data.constant", text, field="variables")
        shares = (w @ hits) / n
        for name, count in zip(names, w @ hits, strict=True):
            low, high = proportions.wilson(float(count), n, form.conf_level)
            report.row(
                cls.rates, variable=name, count=count, share=count / n, failures=n - count, low=low, high=high
            )  # fmt: skip
        report.note(cls.rates, "成功指“{c}”；CI 的置信水平为 {level:percent}。", c=word, level=form.conf_level)
        report.chart(cls.plot, titles={"x": "变量", "y": f"“{word}”的比例"})
        eta2 = test.value / (n * (k - 1))
        report.row(cls.result, n=n, q=test.value, df=test.df, p=test.p, eta2=eta2)
        differing = cls._pairs(report, form, names, hits, w)
        cls._words(
            report,
            form,
            names,
            shares,
            differing,
            {
                "n": n,
                "q": test.value,
                "df": test.df,
                "p": test.p,
                "eta2": eta2,
                "c": word,
                "k": k,
            },
        )
        moved = float(w @ ((hits.sum(axis=1) > 0) & (hits.sum(axis=1) < k)))
        few = moved * k < 24
        end = "人数较少，χ² 近似可能不准。" if few else "χ² 近似可用。"
        report.check(
            "样本量", "care" if few else "pass",
            "各次结果不全相同的有 {moved:integer} 例（乘以变量数至少 24 为宜），" + end, moved=moved,
        )  # fmt: skip
        return report

    @staticmethod
    def _hits(form: Any) -> tuple[str, Floats]:
        """1 where a case has the success; all variables must have the same two values."""
        levels: dict[Any, Level] = {}
        for column in form.variables:
            k = len(column.levels)
            if k > 2:
                raise Refusal(
                    "role.levels", (
                        "“{v}”有 {k} 个取值，Cochran Q "
                        "仅适用于二分变量"
                    ), field="variables", column=column.id,
                    v=column.title, k=k,
                )  # fmt: skip
            levels |= {one.value: one for one in column.levels}
        if len(levels) > 2:
            names = "".join(f"“{one.label}”" for one in list(levels.values())[:6])
            text = "各变量的取值必须相同（如都为0/1），现有{names}，请先统一编码"
            raise Refusal("role.levels", text, field="variables", names=names)
        every = list(levels.values())
        aim = form.success or (every[happened(every)] if every else None)
        if aim is None:
            raise Refusal("role.empty", "各变量都没有有效值", field="variables")
        return aim.label, np.column_stack([column.where(aim) for column in form.variables]).astype(float)

    @classmethod
    def _pairs(cls, report: Report, form: Any, names: list[str], hits: Floats, w: Floats) -> list[tuple[str, str]]:
        found = square_table.pairs_of_hits(hits, w)
        differing = []
        for one, p in zip(found, adjust([one.p for one in found], form.post_hoc), strict=True):
            first, second = names[one.first], names[one.second]
            report.row(
                cls.pairs, first=first, second=second, difference=one.difference, chi2=one.chi2, raw=one.p, p=p
            )  # fmt: skip
            if p < 1 - form.conf_level:
                differing.append((first, second))
        how = {"none": "没有校正", "bonferroni": "用 Bonferroni 法校正", "holm": "用 Holm 法校正"}[form.post_hoc]
        report.note(cls.pairs, f"*p* {how}；没有 χ² 的一行用精确二项检验。")
        return differing

    @classmethod
    def _words(
        cls, report: Report, form: Any, names: list[str], shares: Floats, differing: list[Any], facts: dict[str, Any]
    ) -> None:
        top, bottom = int(shares.argmax()), int(shares.argmin())
        facts |= {"s1": float(shares[top]), "s2": float(shares[bottom])}
        facts |= {"a": sharing(names, shares.tolist(), facts["s1"]), "b": sharing(names, shares.tolist(), facts["s2"])}
        yes = facts["p"] < 1 - form.conf_level
        test = "*Q*({df:integer}) = {q:num}，*p* {p:peq}，η² = {eta2:num}"
        ends = "“{c}”的比例最高的是“{a}”{s1:percent1}，最低的是“{b}”{s2:percent1}"
        verdict = "{k:integer} 个变量的比例有差异" if yes else "{k:integer} 个变量的比例没有发现明显差异"
        facts["pairs"] = len(differing)
        pairs = f"两两比较{'有 {pairs:integer} 对' if differing else '没有一对'}达到统计学意义。"
        report.lead(f"{verdict}（{test}）。{ends}。{pairs}", [figure("检验", "*p* {p:peq}", "*Q* = {q:num}")], **facts)
        end = "哪两个不同，看事后比较。" if yes else "“没有发现”不等于比例相同。"
        report.say(
            f"同一批人的几次结果互相关联，所以不能用普通的 χ² 检验；Q 只看结果有变动的人。{end}", voice="student"
        )
        word = "有" if yes else "没有"
        report.say(
            f"Cochran's Q 检验（*n* = {{n:integer}}）：差异{word}统计学意义，{test}。{ends}。", voice="paper", **facts
        )
        report.say(f"{verdict}（*p* {{p:peq}}）。{ends}。", voice="brief", **facts)
