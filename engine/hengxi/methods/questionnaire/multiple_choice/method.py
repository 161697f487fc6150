"""Who chose what in a question of several answers. Options are compared by tests for the same people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hengxi.contract import (
    AnswerSet,
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Points,
    Report,
    Table,
    claim,
    confidence,
    figure,
    integer,
    interval,
    num,
    percent,
    pvalue,
    role,
    stat,
    text,
    weight,
    words,
)
from hengxi.methods.questionnaire._shared import answer_form
from hengxi.methods.questionnaire._shared.answer_form import BASE_OF, Question, chosen_option, read_question
from hengxi.stats.answer_sets import BASES, weighted
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats
from hengxi.stats.multiple import adjust
from hengxi.stats.names import sharing
from hengxi.stats.proportions import wilson
from hengxi.stats.square_table import cochran_q, pairs_of_hits

COMBINATIONS, PAIRED = 10, 30
"""Combinations listed; options up to which every pair is compared and drawn."""


class MultipleChoice(Method):
    title, title_en = "多选题分析", "Multiple-response frequencies"
    family, tier = "问卷研究", "standard"
    slug = "multiple-choice"
    purpose = "多选题中各选项被选了多少次、占总响应和占受访者的比例各是多少"
    aliases = ("多选题", "多重响应", "多重响应频率", "普及率", "响应率", "个案百分比", "多选题频数")
    references = ("cochran1950", "mcnemar1947", "holm1979", "wilson1927")
    conventions = (
        "响应率的分母是全部选择次数，普及率的分母是基数里的人数；一个人的部分选项空白时，空白按没选算。",
        "选项按被选次数从多到少排列，次数相同的保持原来的先后。",
        "普及率的区间用 Wilson 计分法，不做连续性校正。",
        "选项之间的比较用 Cochran *Q*；两两比较用 McNemar 检验（两项不同的不足 25 人时用精确二项），Holm 校正。",
    )
    weights = ("frequency",)
    missing = "keep"
    reads_names = True

    class Input(Form):
        items: list[Column | AnswerSet] = role("多选题选项列", "任意", min=1, max=None, sets=True)
        weight: Column | None = weight("频数权重（选填）", kind="frequency")
        coding: str = answer_form.coding_field()
        counted_value: str = answer_form.counted_field()
        delimiter: str = answer_form.delimiter_field()
        empty_as: str = answer_form.empty_field()
        exclusive_option: str | None = words("互斥选项", hint="如“以上都没有”；又选了其他项的人会列出")
        conf_level: float = confidence()

    choices = Table(
        "多选题频数表", option=text("选项"), n=integer("频数", fractions=True),
        responses=percent("响应率", hint="占全部选择次数"), cases=percent("普及率", hint="占基数里的人"),
        ci=interval("普及率的CI（Wilson）", "low", "high", around="cases", format="percent"), place="main",
    )  # fmt: skip
    bar = Chart("普及率条形图", "interval", of=choices, x="option", y="cases", low="low", high="high", place="main")
    summary = Table(
        "汇总表", layout="record", base=integer("有效个案", fractions=True),
        outside=integer("缺失个案", fractions=True),
        responses=integer("总响应数", fractions=True), mean=num("人均选择数", least=0),
    )  # fmt: skip
    test = Table(
        "选项差异检验", n=integer("*n*"), q=num("Cochran *Q*", least=0), df=integer("*df*"), p=pvalue(),
        claim=claim("named", stat("*Q*", "q", "df")),
    )  # fmt: skip
    pairs = Table(
        "两两比较（McNemar）", first=text("选项1"), second=text("选项2"), difference=percent("普及率之差", least=-1),
        chi2=num("χ²", least=0), raw=pvalue("*p*"), p=pvalue("校正后 *p*"),
        claim=claim("paired", stat("χ²", "chi2"), effect="difference", first="first", second="second"),
    )  # fmt: skip
    combinations = Table(
        "选项组合表", rank=integer("序号"), combination=text("组合"), n=integer("频数", fractions=True),
        share=percent("占比"),
    )  # fmt: skip
    ranked = Points("帕累托图", option=text("选项"), n=integer("频数", fractions=True), running=percent("累计响应率"))
    pareto = Chart("帕累托图", "bar", of=ranked, x="option", y="n", second="running")
    together = Points("共现", row=text("选项"), column=text("选项"), share=percent("同时选的人占比"))
    heat = Chart("选项共现热力图", "heat", of=together, row="row", column="column", value="share")

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        kept = {key: form[key] for key in ("items", "weight", "coding", "counted_value", "delimiter", "empty_as")}
        path = "questionnaire/multiple_choice_crosstab"
        return [NextStep(title="比较不同人群的选择（多选题交叉分析）", method=path, form=kept, seek=["group"])]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        question = read_question(form, "items", form.items)
        exclusive = chosen_option(question, form.exclusive_option, "exclusive_option")
        counts = frequencies(form.weight)
        n = np.array([weighted(row & question.base, counts) for row in question.chosen])
        order = np.argsort(-n, kind="stable")
        question = Question(
            question.name, [question.options[i] for i in order], question.chosen[order], question.base
        )  # fmt: skip
        n, base = n[order], weighted(question.base, counts)
        cls._counts(report, form, question, n, base, weighted(~question.base, counts))
        p = cls._compare(report, form, question, counts)
        cls._combinations(report, question, counts, base)
        if exclusive is not None:
            cls._exclusive(report, form, question, int(np.flatnonzero(order == exclusive)[0]))
        cls._words(report, form, question, n, base, p)
        report.used(len(question.base))
        return report

    @classmethod
    def _counts(
        cls, report: Report, form: Any, question: Question, n: Floats, base: float, outside: float
    ) -> None:  # fmt: skip
        running = np.cumsum(n) / n.sum()
        for option, k, share in zip(question.options, n, running, strict=True):
            low, high = wilson(float(k), base, form.conf_level)
            report.row(
                cls.choices, option=option, n=k, responses=k / n.sum(), cases=k / base, low=low, high=high
            )  # fmt: skip
            report.row(cls.ranked, option=option, n=k, running=min(1.0, float(share)))
        report.row(cls.choices, total=True, option="合计", n=n.sum(), responses=1.0)
        report.note(
            cls.choices, "普及率的分母是{whom}，一个人可以选几项，合计可以超过 100%。CI 的置信水平为 {level:percent}。",
            whom=BASES[BASE_OF[form.empty_as]], level=form.conf_level,
        )  # fmt: skip
        report.row(
            cls.summary, base=base, outside=outside, responses=n.sum(), mean=n.sum() / base
        )  # fmt: skip
        report.chart(cls.bar, titles={"x": "选项", "y": "普及率"})

    @classmethod
    def _compare(cls, report: Report, form: Any, question: Question, counts: Floats | None) -> float | None:
        """p of Cochran's Q; None, and why, where it cannot be had."""
        reason = None
        if len(question.options) < 2 or len(question.options) > PAIRED:
            reason = f"选项有 2 到 {PAIRED} 个时给出"
        elif counts is not None and (counts != np.floor(counts)).any():
            reason = "权重带小数，检验要按整数人数计算"
        hits = question.hits(question.base)
        w = np.ones(hits.shape[0]) if counts is None else counts[question.base]
        found = None if reason else cochran_q(hits, w)
        if found is None:
            for element in (cls.test, cls.pairs):
                report.skip(element, reason or "每个人对各选项的选择都相同，无法比较")
        else:
            report.row(cls.test, n=w.sum(), q=found.value, df=found.df, p=found.p)
            pairs = pairs_of_hits(hits, w)
            names = question.options
            for one, p in zip(pairs, adjust([one.p for one in pairs], "holm"), strict=True):
                report.row(
                    cls.pairs, first=names[one.first], second=names[one.second], difference=one.difference,
                    chi2=one.chi2, raw=one.p, p=p,
                )  # fmt: skip
            report.note(cls.pairs, "*p* 用 Holm 法校正；没有 χ² 的一行用精确二项检验。")
        if len(question.options) > PAIRED:
            report.skip(cls.together, reason or "")
        else:
            shares = (hits * w[:, None]).T @ hits / w.sum()
            for i, row in enumerate(question.options):
                for j, column in enumerate(question.options):
                    report.row(cls.together, row=row, column=column, share=float(shares[i, j]))
        return None if found is None else found.p

    @classmethod
    def _combinations(cls, report: Report, question: Question, counts: Floats | None, base: float) -> None:
        hits = question.chosen[:, question.base].T
        patterns, place = np.unique(hits, axis=0, return_inverse=True)
        held = np.bincount(place.ravel(), weights=None if counts is None else counts[question.base])
        size, first = patterns.sum(axis=1), [tuple(np.flatnonzero(one)) for one in patterns]
        order = sorted(range(len(held)), key=lambda i: (-held[i], size[i], first[i]))
        for rank, i in enumerate(order[:COMBINATIONS], 1):
            names = "＋".join(question.options[j] for j in first[i]) or "一项都没选"
            report.row(
                cls.combinations, rank=rank, combination=names, n=float(held[i]), share=float(held[i]) / base
            )  # fmt: skip
        report.note(cls.combinations, "共有 {k:integer} 种组合，列出最多的前 10 种。", k=int((held > 0).sum()))

    @classmethod
    def _exclusive(cls, report: Report, form: Any, question: Question, at: int) -> None:
        others = np.delete(question.chosen, at, axis=0).any(axis=0)
        both = question.chosen[at] & others & question.base
        numbers = form.items[0].row_numbers if isinstance(form.items[0], Column) else None
        numbers = form.items[0].columns[0].row_numbers if numbers is None else numbers
        k = int(both.sum())
        if k:
            report.warn(
                "data.exclusive", "有 {k:integer} 行选了互斥项“{v}”，又选了其他项；请核对这些答卷。",
                k=k, v=question.options[at], rows=[int(r) for r in numbers[both][:200]],
            )  # fmt: skip
        else:
            report.check("互斥选项", "pass", "选“{v}”的人都没有选其他项。", v=question.options[at])

    @classmethod
    def _words(
        cls, report: Report, form: Any, question: Question, n: Floats, base: float, p: float | None
    ) -> None:  # fmt: skip
        facts: dict[str, Any] = {
            "best": sharing(question.options, n.tolist(), float(n[0])), "last": question.options[-1],
            "n": float(n[0]), "share": float(n[0]) / base, "low": float(n[-1]) / base, "base": base,
            "whom": BASES[BASE_OF[form.empty_as]], "mean": float(n.sum()) / base, "responses": float(n.sum()),
        }  # fmt: skip
        main = "选得最多的是“{best}”，{n:integer} 人，占{whom}（{base:integer} 人）的 {share:percent1}。"
        if p is None:
            tested = ""
        else:
            facts["p"] = p
            tested = "各选项的普及率" + ("有差异" if p < 1 - form.conf_level else "没有发现明显差异")
            tested += "（Cochran *Q*，*p* {p:peq}）。"
        report.lead(
            main + tested + "平均每人选 {mean:num} 项。",
            [
                figure("选得最多", "{best:text}", "{n:integer} 人"),
                figure("普及率", "{share:percent1}", "占{whom}"),
                figure("人均选择", "{mean:num} 项", "共 {responses:integer} 次选择"),
            ],
            **facts,
        )
        report.say(
            "这是多选题，一个人可以选几项。看受欢迎的程度用普及率：有多少人选了它。"
            "响应率是每一项占全部 {responses:integer} 次选择的多少，合计 100%，不是人数的比例。",
            voice="student", **facts,
        )  # fmt: skip
        report.say(
            "以{whom}为基数（*N* = {base:integer}），共 {responses:integer} 次选择，人均 {mean:num} 项。"
            "普及率最高的是“{best}”（{share:percent1}），最低的是“{last}”（{low:percent1}）。" + tested,
            voice="paper", **facts,
        )  # fmt: skip
        report.say(main + tested, voice="brief", **facts)
