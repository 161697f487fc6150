"""What is said about a logistic regression: odds ratios in the units of the data, certainty, never a cause."""

from __future__ import annotations

from typing import Any

from hengxi.contract import figure
from hengxi.families.regression import words as base
from hengxi.methods.statistical._shared.logistic_model import Model
from hengxi.methods.statistical._shared.logistic_tables import Found


class Words(base.Words):
    model: Model
    ratio_symbol, ratio_of = "OR", "发生比"

    def __init__(self, model: Model, found: Found) -> None:
        chi2, df, p = model.overall
        facts: dict[str, Any] = {
            "e": model.event.label,
            "other": model.other.label,
            "n": model.n,
            "k": model.events,
            "rate": model.events / model.n,
            "chi2": chi2,
            "df": df,
            "p": p,
            "auc": found.roc.auc,
            "auc_low": found.roc.low,
            "auc_high": found.roc.high,
            "base": max(model.events, model.n - model.events) / model.n,
            "accuracy": found.confusion.accuracy,
            "sensitivity": found.confusion.sensitivity,
            "specificity": found.confusion.specificity,
            "cutoff": float(model.form.cutoff),
        }
        super().__init__(model, facts)
        self.is_found = p < self.alpha

    def doubt(self, j: int) -> tuple[float, ...]:
        return float(self.model.read_p[j + 1]), j

    def meaning(self) -> base.Sentence:
        return "OR 说明变量有关联，不等于因果。AUC、准确率是在建模的数据上算的，用于新数据会差一些。", {}

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
        told, facts, columns = self.leading()
        if not told:
            alone = len(self.simple) == len(self.model.design.names)
            return opening + (
                "没有哪一个系数单独显著，请看各项的整体检验。"
                if alone
                else "模型含交互项或乘方，各项系数要连在一起看，见系数表。"
            ), facts
        return f"{opening}{self.given}{told}。{self.others(columns, facts)}{self._unsure()}", facts

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

    def figures(self) -> list[Any]:
        ci = "{level:percent} CI {auc_low:num} 到 {auc_high:num}" if self.facts["auc_low"] is not None else None
        return [
            figure("整体检验", "*p* {p:peq}", "似然比 χ²({df:integer}) = {chi2:num}"),
            figure("AUC", "{auc:num}", ci),
            figure(
                "事件",
                f"{{k:integer}} {self.model.counter}",
                f"“{{e}}”，共 {{n:integer}} {self.model.counter}，占 {{rate:percent1}}",
            ),
            figure("准确率", "{accuracy:percent1}", "界值 {cutoff:num}；全猜最多的类有 {base:percent1}"),
        ]

    # ---- three voices ----------------------------------------------------------------------------------------------
    def brief(self) -> tuple[str, dict[str, Any]]:
        """Which odds differ, by how much, and how well the two are told apart; no test statistics."""
        if not self.is_found:
            return f"没有发现{self.these}与“{{y}}”为“{{e}}”有明显的关系（*p* {{p:peq}}）。", {}
        leading, facts, _ = self.leading()
        told = self.given + leading if leading else "没有哪一项可以单独来说，见系数表"
        return (
            f"“{{y}}”为“{{e}}”的占 {{rate:percent1}}。{told}。"
            "任取“{e}”和“{other}”各一个，模型能排对先后的机会为 {auc:percent}（乱猜为 50%）。"
        ), facts

    def student(self) -> list[tuple[str, dict[str, Any]]]:
        parts: list[tuple[str, dict[str, Any]]] = [
            (
                "先看发生比：发生比 = 发生的概率 ÷ 不发生的概率。OR 是两个发生比之比：1 表示没有差别，大于 1 表示更可能"
                "发生；它不是概率的倍数。"
                f"“{{y}}”为“{{e}}”的有 {{k:integer}} {self.model.counter}，占 {{rate:percent1}}。",
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
        parts += self.missed_words() + self.crossed_words()
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
        how = "轮廓似然" if model.reads_profile else "Wald "
        return parts + self.coefficient_list("OR", opening=f"各系数（{how}区间）：")
