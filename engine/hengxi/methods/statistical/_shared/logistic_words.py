"""What is said about a logistic regression: odds ratios in the units of the data, certainty, never a cause."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from hengxi.contract import Report, figure
from hengxi.methods.statistical._shared.logistic_model import Model
from hengxi.methods.statistical._shared.logistic_tables import HUGE, Found, odds
from hengxi.stats.design import Term
from hengxi.stats.names import unit_of, unit_words

LEADING, LISTED = 2, 6
"""Odds ratios that the conclusion spells out, and variables or odds ratios that a sentence lists."""
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
            "other": model.other.label,
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
            "base": max(model.events, model.n - model.events) / model.n,
            "accuracy": found.confusion.accuracy,
            "sensitivity": found.confusion.sensitivity,
            "specificity": found.confusion.specificity,
            "cutoff": float(model.form.cutoff),
        }
        if self.is_single:
            self.facts["x"] = model.design.terms[0].name
        self.is_found = p < self.alpha

    @property
    def is_single(self) -> bool:
        return len(self.model.design.terms) == 1

    @property
    def these(self) -> str:
        if self.is_single:
            return "“{x}”"
        plain = all(len(term.factors) == 1 for term in self.model.design.terms)
        return f"这 {{m:integer}} {'个' if plain else '项'}自变量"

    # ---- one odds ratio --------------------------------------------------------------------------------------------
    @property
    def simple(self) -> list[int]:
        """Slopes that can be read alone: their variable is in no product or power."""
        terms = self.model.design.terms
        mixed = {k for term in terms if len(term.factors) > 1 for k in term.factors}
        return [j for t in terms if len(t.factors) == 1 and t.factors[0] not in mixed for j in t.columns]

    @cached_property
    def held(self) -> list[Term]:
        """Variables that can be read alone and are significant; of several levels by their test together, since one
        level among many is below the limit by chance soon."""
        alone = set(self.simple)
        return [t for t in self.model.design.terms if t.first in alone and self._p(t) < self.alpha]

    def _p(self, term: Term) -> float:
        if term.width == 1:
            return float(self.model.read_p[term.first + 1])
        return self.model.ratio(term.columns)[1] if self.model.profiled else self.model.joint_wald(term)[1]

    def significant(self) -> list[int]:
        """Of each of these variables the coefficient that is surest, surest first."""
        p = self.model.read_p
        best = [min(term.columns, key=lambda j: float(p[j + 1])) for term in self.held]
        sure = [j for j in best if p[j + 1] < self.alpha and self.can_be_read(j)]
        return sorted(sure, key=lambda j: (float(p[j + 1]), j))

    def missed(self) -> list[Term]:
        """Variables that can be read alone and are not significant."""
        alone, known = set(self.simple), {term.name for term in self.held}
        return [t for t in self.model.design.terms if t.first in alone and t.name not in known]

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
        facts[f"u{place}"] = unit_words(unit_of(column))
        much = "1"
        if step != 1:
            facts[f"s{place}"], much = step, _slot(place, step)
        return f"“{{x{place}}}”每多 {much}{{u{place}}}，发生比是原来的{ci}", facts

    def write(self, report: Report) -> None:
        text, facts = self.conclusion()
        report.lead(text, self.figures(), **self.facts, **facts)
        report.voices(self.student(), self.paper(), [self.brief()], **self.facts)
        report.say("OR 说明变量有关联，不等于因果。AUC、准确率是在建模的数据上算的，用于新数据会差一些。")
        report.say(self.next(), **self.facts)

    def conclusion(self) -> tuple[str, dict[str, Any]]:
        facts: dict[str, Any] = {}
        if not self.is_found:
            where = "真实的 OR 可能在区间之内，见系数表。"
            return (
                f"没有发现{self.these}与“{{y}}”为“{{e}}”有明显的关系"
                f"（似然比 χ²({{df:integer}}) = {{chi2:num}}，*p* {{p:peq}}）。{where}"
            ), facts
        all_together = "" if self.is_single else "合起来"
        opening = f"{self.these}{all_together}与“{{y}}”为“{{e}}”有关（*p* {{p:peq}}），AUC = {{auc:num}}。"
        told = self.significant()[:LEADING]
        sentences = []
        for place, j in enumerate(told):
            text, more_facts = self.sentence(j, place)
            sentences.append(text)
            facts |= more_facts
        if not sentences:
            alone = len(self.simple) == len(self.model.design.names)
            return opening + (
                "没有哪一个系数单独显著，请看各项的整体检验。"
                if alone
                else "模型含交互项或乘方，各项系数要连在一起看，见系数表。"
            ), facts
        return f"{opening}{self.given}{'；'.join(sentences)}。{self._others(told, facts)}{self._unsure()}", facts

    def _others(self, told: list[int], facts: dict[str, Any]) -> str:
        """The significant variables that were not spelled out, by name."""
        rest = [term.name for term in self.held if not set(told) & set(term.columns)]
        if not rest:
            return ""
        facts |= {f"n{i}": name for i, name in enumerate(rest[:LISTED])}
        names = "".join(f"“{{n{i}}}”" for i in range(len(rest[:LISTED])))
        return f"还有{names}{'等' if len(rest) > LISTED else ''}也显著，见系数表。"

    def _unsure(self) -> str:
        if not self.model.separated:
            return ""
        whole = any(complete for _, complete in self.model.separated)
        what = "自变量能把两类完全分开" if whole else "有自变量能完全判定一部分行"
        return f"{what}，OR 的大小很不确定，只看它大于还是小于 1、区间含不含 1。"

    def next(self) -> str:
        if not self.is_found:
            return "下一步：看线性性图有没有弯曲，弯曲时在“模型项”里加平方项；再看样本是否太少，或换上更有关的自变量。"
        wide = next((term for term in self.held if term.width > 1), None)
        if wide is not None:
            self.facts["wide"] = wide.name
            return "下一步：“{wide}”有几个类别，在“定类自变量的参照水平”里换一个参照，可以比较其他两类。"
        return "下一步：在“试算”里代入一行，看预测概率；只要预测、不必解释时，与随机森林分类比较准确率。"

    @property
    def given(self) -> str:
        return "" if self.is_single else "其他自变量相同时，"

    def figures(self) -> list[Any]:
        ci = "{level:percent} CI {auc_low:num} 到 {auc_high:num}" if self.facts["auc_low"] is not None else None
        return [
            figure("整体检验", "*p* {p:peq}", "似然比 χ²({df:integer}) = {chi2:num}"),
            figure("AUC", "{auc:num}", ci),
            figure(
                "事件",
                f"{{k:integer}} {self.counter}",
                f"“{{e}}”，共 {{n:integer}} {self.counter}，占 {{rate:percent1}}",
            ),
            figure("准确率", "{accuracy:percent1}", "界值 {cutoff:num}；全猜最多的类有 {base:percent1}"),
        ]

    @property
    def counter(self) -> str:
        """What is counted: rows, or the cases that rows stand for."""
        return "行" if self.model.form.freq is None else "例"

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
            return f"没有发现{self.these}与“{{y}}”为“{{e}}”有明显的关系（*p* {{p:peq}}）。", {}
        facts: dict[str, Any] = {}
        sentences = []
        for place, j in enumerate(self.significant()[:LEADING]):
            text, more_facts = self.sentence(j, place)
            sentences.append(text)
            facts |= more_facts
        told = self.given + "；".join(sentences) if sentences else "没有哪一项可以单独来说，见系数表"
        return (
            f"“{{y}}”为“{{e}}”的占 {{rate:percent1}}。{told}。"
            "任取“{e}”和“{other}”各一个，模型能排对先后的机会为 {auc:percent}（乱猜为 50%）。"
        ), facts

    def student(self) -> list[tuple[str, dict[str, Any]]]:
        parts: list[tuple[str, dict[str, Any]]] = [
            (
                "先看发生比：发生比 = 发生的概率 ÷ 不发生的概率。OR 是两个发生比之比：1 表示没有差别，大于 1 表示更可能"
                "发生；它不是概率的倍数。"
                f"“{{y}}”为“{{e}}”的有 {{k:integer}} {self.counter}，占 {{rate:percent1}}。",
                {},
            )
        ]
        held = self.significant()
        if held:
            text, facts = self.sentence(held[0], 0)
            parts.append(
                (
                    f"再看 OR：{text}。区间不含 1，所以说有统计学意义；*p* 不是“没有关系的概率”。"
                    "想知道概率差多少，看“平均边际效应”表。",
                    facts,
                )
            )
        if missed := self.missed():
            facts = {f"z{i}": term.name for i, term in enumerate(missed[:LISTED])}
            names = "".join(f"“{{z{i}}}”" for i in range(len(facts))) + ("等" if len(missed) > LISTED else "")
            wide = "（有几个类别的变量看整体检验）" if any(term.width > 1 for term in missed) else ""
            told = f"{names}没有发现明显的关系{wide}。“不显著”不等于没有关系，真实的 OR 可能在区间之内。"
            parts.append((told, facts))
        if any(len(term.factors) > 1 for term in self.model.design.terms):
            parts.append(("模型含交互项或乘方：组成它们的变量，OR 只是其他变量为 0（或取参照水平）时的值。", {}))
        parts.append(
            (
                "最后看区分：任取“{e}”和“{other}”各一个，前者预测概率较高的机会是 {auc:num}（AUC）。"
                "界值取 {cutoff:num} 时，灵敏度 {sensitivity:percent1}，特异度 {specificity:percent1}；"
                "换界值时一个升高，另一个就降低。",
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
        return parts


def _slot(place: int, step: float) -> str:
    """A power of ten is written without digits it does not have."""
    digits = next((k for k, size in enumerate((1.0, 0.1, 0.01)) if size <= step < 1e6), None)
    return f"{{s{place}:num{'' if digits is None else digits}}}"
