"""What is said of a regression of two classes: effects on the probability, in percentage points; never a cause."""

from __future__ import annotations

from typing import Any

from hengxi.contract import figure
from hengxi.families.regression import words
from hengxi.families.regression.words import Sentence
from hengxi.methods.statistical._shared.binary_model import SE_WORDS, BinaryModel
from hengxi.stats.classification import Confusion, Roc


class BinaryWords(words.Words):
    model: BinaryModel

    def __init__(self, model: BinaryModel, curve: Roc, cut: Confusion) -> None:
        chi2, df, p = model.tested
        base = max(model.events, model.n - model.events) / model.n
        facts: dict[str, Any] = {
            "n": model.n, "e": model.event.label, "k": model.events, "rate": model.events / model.n, "chi2": chi2,
            "df": df, "p": p, "auc": curve.auc, "accuracy": cut.accuracy, "base": base, "mcfadden": model.mcfadden,
        }  # fmt: skip
        super().__init__(model, facts)
        self.is_found = p < self.alpha
        self.by_column = {}
        for one in model.effects:
            term = next(t for t in model.design.terms if one.factor in t.factors)
            shown = model.design.factors[one.factor].shown(True)
            if len(term.factors) == 1:
                self.by_column[term.first + (shown.index(one.level) if one.level is not None else 0)] = one

    def difference_words(self, j: int, place: int) -> tuple[tuple[str, str], dict[str, Any]]:
        """`“是”的概率平均高 3.2 个百分点（95% CI …）`: the marginal effect, which is in the unit of the data."""
        one = self.by_column[j]
        up = one.value > 0
        facts: dict[str, Any] = {f"b{place}": 100 * abs(one.value)}
        ci = ""
        low, high = one.ends(self.model.reach)
        if low is not None and high is not None:
            facts |= {f"lo{place}": 100 * (low if up else -high), f"hi{place}": 100 * (high if up else -low)}
            ci = f"（{{level:percent}} CI {{lo{place}:num}} 到 {{hi{place}:num}}）"
        mean = "平均" if self.model.form.margeff == "average" else ""
        tail = f"{'“{e}”的概率' if place == 0 else ''}{mean}{'高' if up else '低'} {{b{place}:num}} 个百分点{ci}"
        return (tail, f"比“{{ref{place}}}”的，{tail}"), facts

    @property
    def test(self) -> str:
        name = "似然比" if self.model.kind == "classic" else "Wald"
        return f"{name} χ²({{df:integer}}) = {{chi2:num}}，*p* {{p:peq}}"

    def conclusion(self) -> Sentence:
        if not self.is_found:
            return (
                f"没有发现{self.these}与“{{y}}”为“{{e}}”有明显的关系（{self.test}）。真实的边际效应可能在区间之内。",
                {},
            )
        together = "" if self.is_single else "合起来"
        opening = f"{self.these}{together}与“{{y}}”为“{{e}}”有关（*p* {{p:peq}}），AUC = {{auc:num}}。"
        told, facts, columns = self.leading()
        if not told:
            alone = len(self.simple) == len(self.model.design.names)
            why = "没有哪一个系数单独显著，见系数表" if alone else "模型含交互项或乘方，请看边际效应表"
            return f"{opening}{why}。", facts
        return f"{opening}{self.given}{told}。{self.others(columns, facts)}", facts

    def figures(self) -> list[Any]:
        name = "似然比" if self.model.kind == "classic" else "Wald"
        return [
            figure("整体检验", "*p* {p:peq}", f"{name} χ²({{df:integer}}) = {{chi2:num}}"),
            figure("AUC", "{auc:num}", "McFadden *R*² = {mcfadden:num}"),
            figure("事件", "{k:integer} 行", "“{e}”，共 {n:integer} 行，占 {rate:percent1}"),
            figure("正确率", "{accuracy:percent1}", "全猜多数类有 {base:percent1}"),
        ]

    def student(self) -> list[Sentence]:
        opening = "先看边际效应：自变量变化时，“{y}”为“{e}”的概率变化多少个百分点。"
        scale = f"系数 *B* 在 {self.model.link_words} 尺度上，不能当概率读。"
        parts: list[Sentence] = [(opening + scale, {})]
        if held := self.significant():
            told, facts = self.sentence(held[0], 0)
            parts.append((f"再看大小：{told}。", facts))
        last = "最后看区分：任取一个“{e}”和一个不是的，前者预测概率较高的机会是 {auc:num}（AUC）。"
        return [*parts, *self.missed_words(), *self.crossed_words(), (last, {})]

    def paper(self) -> list[Sentence]:
        se = "" if self.model.kind == "classic" else f"，标准误为{SE_WORDS[self.model.kind]}"
        opening = (
            f"以“{{y}}”（事件为“{{e}}”，{{k:integer}}/{{n:integer}}）为因变量作 {self.model.link_words} 回归{se}。"
            f"{self.test}，McFadden *R*² = {{mcfadden:num}}，AUC = {{auc:num}}。"
        )
        return [(opening, {}), *self.coefficient_list("*B*", "*z* = {q}，")]

    def meaning(self) -> Sentence:
        return "边际效应说明变量有关联，不等于因果。", {}

    def next(self) -> str:
        if not self.is_found:
            return "下一步：看样本是否太少，或换上更有关的自变量；关系可能是弯的时，在“模型项”里加平方项。"
        return "下一步：在“试算”里代入一行，看预测概率；要报告优势比，用二元 Logistic 回归。"
