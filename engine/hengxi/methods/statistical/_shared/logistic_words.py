"""What is said about a logistic regression: odds ratios in the units of the data, certainty, never a cause."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report, figure
from hengxi.methods.statistical._shared.logistic_model import Model
from hengxi.methods.statistical._shared.logistic_tables import HUGE, Found, odds
from hengxi.stats.names import unit_words

LEADING, LISTED = 3, 12
FLAT = 0.005
"""A coefficient this small gives an OR that reads 1.00: it is told for a greater step."""
STEEP = float(np.log(1000))
"""One this large, of a variable with parts of a unit, moves the odds a thousandfold: it is told for a smaller step."""


class Words:
    def __init__(self, model: Model, found: Found) -> None:
        self.model, self.found = model, found
        self.alpha = 1 - model.level
        chi2, df, p = model.overall
        self.facts: dict[str, Any] = {
            "y": model.y,
            "e": model.event.label,
            "n": model.n,
            "k": model.events,
            "rate": model.events / model.n,
            "level": model.level,
            "chi2": chi2,
            "df": df,
            "p": p,
            "auc": found.roc.auc,
            "auc_low": found.roc.low,
            "auc_high": found.roc.high,
            "m": len(model.design.terms),
            "accuracy": found.confusion.accuracy,
            "sensitivity": found.confusion.sensitivity,
            "specificity": found.confusion.specificity,
            "cutoff": float(model.form.cutoff),
        }
        self.is_found = p < self.alpha

    # ---- one odds ratio --------------------------------------------------------------------------------------------
    @property
    def simple(self) -> list[int]:
        """Slopes that can be read alone: their variable is in no product or power."""
        terms = self.model.design.terms
        mixed = {k for term in terms if len(term.factors) > 1 for k in term.factors}
        return [j for t in terms if len(t.factors) == 1 and t.factors[0] not in mixed for j in t.columns]

    def significant(self) -> list[int]:
        p = self.model.read_p
        held = [j for j in self.simple if p[j + 1] < self.alpha and self.can_be_read(j)]
        return sorted(held, key=lambda j: (float(p[j + 1]), j))

    def can_be_read(self, j: int) -> bool:
        return self.model.read_interval(j + 1)[1] * self.step(j) < HUGE

    def step(self, j: int) -> float:
        """So many units at a time: 1, or the power of ten that gives an OR one can read."""
        b = abs(float(self.model.b[j + 1]))
        term = next(t for t in self.model.design.terms if j in t.columns)
        values = self.model.design.factors[term.factors[0]].values
        if values is None or len(term.factors) > 1:
            return 1.0
        steep = b > STEEP and not np.array_equal(values, np.floor(values))
        return float(10.0 ** np.ceil(-np.log10(b) - 1)) if steep or 0 < b < FLAT else 1.0

    def sentence(self, j: int, place: int) -> tuple[str, dict[str, Any]]:
        """`“月费”每多 1，“流失”为“是”的发生比是原来的 1.03 倍（95% CI …）`, with facts named for this place."""
        model = self.model
        low, high = model.read_interval(j + 1)
        term = next(t for t in model.design.terms if j in t.columns)
        factor = model.design.factors[term.factors[0]]
        column = model.columns[term.factors[0]]
        step = self.step(j)
        facts: dict[str, Any] = {
            f"x{place}": factor.name,
            f"o{place}": odds(model.b[j + 1] * step),
            f"lo{place}": odds(low * step),
            f"hi{place}": odds(high * step),
        }
        ci = f" {{o{place}:num}} 倍（{{level:percent}} CI {{lo{place}:num}} 到 {{hi{place}:num}}）"
        if factor.labels:
            facts[f"a{place}"] = factor.labels[factor.shown(True)[j - term.first]]
            facts[f"ref{place}"] = factor.labels[factor.reference]
            return f"“{{x{place}}}”为“{{a{place}}}”的，发生比是“{{ref{place}}}”的{ci}", facts
        facts[f"u{place}"] = unit_words(column.unit)
        much = "1"
        if step != 1:
            facts[f"s{place}"], much = step, _slot(place, step)
        return f"“{{x{place}}}”每多 {much}{{u{place}}}，发生比是原来的{ci}", facts

    def write(self, report: Report) -> None:
        text, facts = self.conclusion()
        report.lead(text, self.figures(), **self.facts, **facts)
        report.voices(self.student(), self.paper(), [self.brief()], **self.facts)

    def conclusion(self) -> tuple[str, dict[str, Any]]:
        facts: dict[str, Any] = {}
        these = "这个自变量" if len(self.model.design.terms) == 1 else "这 {m:integer} 项自变量合起来"
        if not self.is_found:
            return (
                f"未发现{these}与“{{y}}”为“{{e}}”有关联的证据（似然比 χ²({{df:integer}}) = {{chi2:num}}，"
                "*p* {p:peq}）；各 OR 的区间所含的关联都与数据相容。"
            ), facts
        opening = (
            f"{these}与“{{y}}”为“{{e}}”的关联有统计学意义（似然比 χ²({{df:integer}}) = {{chi2:num}}，*p* {{p:peq}}），"
            "AUC = {auc:num}。"
        )
        sentences = []
        for place, j in enumerate(self.significant()[:LEADING]):
            text, more_facts = self.sentence(j, place)
            sentences.append(text)
            facts |= more_facts
        if not sentences:
            alone = len(self.simple) == len(self.model.design.names)
            return opening + (
                "没有哪一个系数单独达到统计学意义，请看各项的整体检验。"
                if alone
                else "模型含交互项或乘方，各项系数须连在一起读，见系数表。"
            ), facts
        told = min(LEADING, len(sentences))
        every = [j for j in self.simple if self.model.read_p[j + 1] < self.alpha]
        rest = "；另有系数达到统计学意义，见系数表。" if len(every) > told else "。"
        if self.model.separated:
            whole = any(complete for _, complete in self.model.separated)
            what = "自变量能把两类完全分开" if whole else "有自变量能定下一部分个案的结局"
            rest += f"{what}，OR 的大小很不确定，只看它在 1 的哪一边、区间含不含 1。"
        return f"{opening}{self.given}{'；'.join(sentences)}{rest}", facts

    @property
    def given(self) -> str:
        return "其他自变量相同时，" if len(self.model.design.terms) > 1 else ""

    def figures(self) -> list[Any]:
        ci = "{level:percent} CI {auc_low:num} 到 {auc_high:num}" if self.facts["auc_low"] is not None else None
        return [
            figure("整体检验", "*p* {p:peq}", "似然比 χ²({df:integer}) = {chi2:num}"),
            figure("AUC", "{auc:num}", ci),
            figure("事件", "{k:integer}", "共 {n:integer} 例，占 {rate:percent1}"),
            figure("准确率", "{accuracy:percent1}", "界值 {cutoff:num}，训练样本内"),
        ]

    def note(self, report: Report, cls: Any) -> None:
        """The table counts by single units: an OR that reads 1.00 there is told for a step one can read."""
        steps = [j for j in self.simple if self.step(j) != 1 and self.can_be_read(j)]
        facts: dict[str, Any] = {"level": self.model.level}
        told = []
        for place, j in enumerate(steps[:LISTED]):
            text, more_facts = self.sentence(j, place)
            told.append(text)
            facts |= more_facts
        if told:
            report.note(cls.coefficients, f"表中的 OR 按每多 1 个单位算；换一个步长：{'；'.join(told)}。", **facts)

    # ---- three voices ----------------------------------------------------------------------------------------------
    def brief(self) -> tuple[str, dict[str, Any]]:
        """Which odds differ, by how much, and how well the two are told apart; no test statistics."""
        if not self.is_found:
            return "现有数据看不出这些自变量与“{y}”为“{e}”有关联（*p* {p:peq}）。", {}
        facts: dict[str, Any] = {}
        sentences = []
        for place, j in enumerate(self.significant()[:LEADING]):
            text, more_facts = self.sentence(j, place)
            sentences.append(text)
            facts |= more_facts
        told = self.given + "；".join(sentences) if sentences else "各项的系数须看系数表，没有哪一项可以单独来说"
        return (
            f"“{{y}}”为“{{e}}”的占 {{rate:percent1}}。{told}。"
            "任取“{e}”和非“{e}”各一个，模型能排对先后的机会为 {auc:percent}（乱猜为 50%）。"
        ), facts

    def student(self) -> list[tuple[str, dict[str, Any]]]:
        parts: list[tuple[str, dict[str, Any]]] = [
            (
                "先看发生比：发生比 = 发生的概率 ÷ 不发生的概率。“{y}”为“{e}”的有 {k:integer} 例，占 {rate:percent1}。"
                "OR 是两个发生比之比，1 表示没有差别；它不是概率的倍数，事件常见时比概率之比离 1 更远。",
                {},
            )
        ]
        held = self.significant()
        if held:
            text, facts = self.sentence(held[0], 0)
            parts.append(
                (
                    f"再看 OR：{text}。区间不含 1，所以说有统计学意义；*p* 不是“没有关联的概率”。"
                    "想知道概率差多少，看平均边际效应表。",
                    facts,
                )
            )
        missed = [j for j in self.simple if j not in held and not self.model.read_p[j + 1] < self.alpha]
        if missed:
            facts = {f"z{i}": self.model.design.names[j] for i, j in enumerate(missed[:LISTED])}
            words = "、".join(f"“{{z{i}}}”" for i in range(len(facts)))
            parts.append(
                (
                    words + ("等" if len(missed) > LISTED else "") + "的 *p* 值不够小：现有数据不足以说有关联，"
                    "不等于没有关联；区间里的大小都与数据相容。",
                    facts,
                )
            )
        if any(len(term.factors) > 1 for term in self.model.design.terms):
            parts.append(("模型含交互项或乘方：组成它们的变量，OR 只是其他变量为 0（或取参照水平）时的值。", {}))
        parts.append(
            (
                "最后看区分：AUC = {auc:num}，即随机取“{e}”和非“{e}”的个案各一个，前者预测概率较高的机会；"
                "界值取 {cutoff:num} 时灵敏度 {sensitivity:percent1}、特异度 {specificity:percent1}，"
                "换界值两者此消彼长。",
                {},
            )
        )
        return parts

    def paper(self) -> list[tuple[str, dict[str, Any]]]:
        model = self.model
        kind = "，Firth 惩罚似然估计" if model.fit.firth else ""
        chosen = {
            "enter": "",
            "forward_lr": "，自变量按似然比向前选择",
            "backward_lr": "，自变量按似然比向后剔除",
            "step_aic": "，自变量按 AIC 逐步选择",
        }[str(model.form.method)]
        parts: list[tuple[str, dict[str, Any]]] = [
            (
                f"以“{{y}}”（事件为“{{e}}”，{{k:integer}}/{{n:integer}} 例）为因变量"
                f"作二元 Logistic 回归{kind}{chosen}。"
                "模型似然比 χ²({df:integer}) = {chi2:num}，*p* {p:peq}；AUC = {auc:num}。",
                {},
            )
        ]
        listed: list[str] = []
        facts: dict[str, Any] = {}
        shown = [j for j in range(model.data.k - 1) if self.can_be_read(j)]
        for place, j in enumerate(shown[:LISTED]):
            low, high = model.read_interval(j + 1)
            step = self.step(j)
            facts |= {
                f"z{place}": model.design.names[j],
                f"o{place}": odds(model.b[j + 1] * step),
                f"lo{place}": odds(low * step),
                f"hi{place}": odds(high * step),
                f"q{place}": float(model.read_p[j + 1]),
            }
            each = ""
            if step != 1:
                facts[f"s{place}"], each = step, f"（每 {_slot(place, step)}）"
            listed.append(
                f"“{{z{place}}}”{each}：OR = {{o{place}:num}}"
                f"（{{level:percent}} CI {{lo{place}:num}} 到 {{hi{place}:num}}），*p* {{q{place}:peq}}"
            )
        if listed:
            how = "轮廓似然" if model.reads_profile else "Wald "
            tail = "；其余系数见表。" if len(listed) < model.data.k - 1 else "。"
            parts.append((f"各系数（{how}区间）：" + "；".join(listed) + tail, facts))
        parts.append(
            (
                "OR 表示其他自变量相同的个案之间发生比的差别，是关联而不是作用；没有随机分组或其他设计时，"
                "不能据此推断因果。AUC、准确率等为训练样本内的结果。",
                {},
            )
        )
        return parts


def _slot(place: int, step: float) -> str:
    """A power of ten is written without digits it does not have."""
    digits = next((k for k, size in enumerate((1.0, 0.1, 0.01)) if size <= step < 1e6), None)
    return f"{{s{place}:num{'' if digits is None else digits}}}"
