"""What is said about a linear regression: size in the units of the data, direction, certainty; never a cause."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report, figure
from hengxi.families.regression import words as base
from hengxi.methods.statistical._shared.linear_model import SE_WORDS, Model


class Words(base.Words):
    model: Model

    def __init__(self, model: Model) -> None:
        overall = model.overall
        low, high = model.r2_interval
        facts: dict[str, Any] = {
            "unit": model.unit,
            "n": model.fit.n,
            "k": model.fit.p,
            "r2": model.fit.r2,
            "r2_low": low,
            "r2_high": high,
            "adjusted": model.adjusted,
            "sigma": model.sigma,
            "alpha": 1 - model.level,
            "F": overall.F if overall else None,
            "df1": overall.df1 if overall else None,
            "df2": overall.df2 if overall else None,
            "p": overall.p if overall else None,
        }
        super().__init__(model, facts)
        self.facts["m"] = len(model.columns)
        if self.is_single:
            self.facts["x"] = model.design.factors[0].name
        self.found = overall is not None and overall.p < self.alpha

    @property
    def is_single(self) -> bool:
        return len(self.model.columns) == 1

    def conclusion(self) -> tuple[str, dict[str, Any]]:
        if self.facts["F"] is None:
            return f"{self.explained()}。聚类数太少，不能同时检验全部自变量，请逐个看系数。", {}
        if not self.found:
            these = "“{x}”" if self.is_single else "这 {m:integer} 个自变量"
            some = "个别系数单独看显著，自变量多时这并不少见。" if self.significant() else ""
            return (
                f"没有发现{these}与“{{y}}”有明显的线性关系"
                "（*F*({df1:integer}, {df2:integer}) = {F:num}，*p* {p:peq}）。"
                "*R*² 的 {level:percent} CI 为 {r2_low:percent1} 到 {r2_high:percent1}"
                + (self.beyond() or "，真实值可能在这个范围内。")
                + some
            ), {}
        told, facts, columns = self.leading()
        opening = f"{self.explained()}（*p* {{p:peq}}）。"
        if not told:
            return opening + (self.together() if len(self.simple) < self.model.fit.p else self.none_alone()), facts
        return f"{opening}{self.given}{told}。{self.others(columns, facts)}", facts

    def next(self) -> str:
        terms = self.model.design.terms
        if not self.found:
            return (
                "下一步：看残差-拟合图有没有弯曲，弯曲时在“模型项”里加平方项；再看样本是否太少，或换上更有关的自变量。"
            )
        wide = next((term for term in self.held if term.width > 1), None)
        if wide is not None:
            self.facts["wide"] = wide.name
            return "下一步：“{wide}”有几个类别，要知道哪两类不同，用单因素方差分析的多重比较。"
        if self.is_single:
            return "下一步：把其他可能有关的变量也放进自变量，看“{x}”的系数变化大不大。"
        if any(len(term.factors) > 1 for term in terms):
            return "下一步：在“试算”里代入几组取值，比较预测值，就能看出它们怎样配合。"
        return "下一步：怀疑两个自变量互相配合，在“模型项”里加它们的交互项；要预测新的一行，用“试算”。"

    def beyond(self) -> str:
        """Where the interval of R² and the F test do not say the same."""
        low, high = self.facts["r2_low"], self.facts["r2_high"]
        if low is not None and low > 0:
            # Only with standard errors of another kind: both rest on the same F otherwise.
            return "，这个区间要求方差处处相同，与 *F* 检验不一致时以 *F* 检验为准。"
        # F below 1: the sample's R² lies above an interval that allows for its bias.
        if high is None or not self.facts["r2"] > high:
            return "，*F* 很小时区间收缩到 0，不能据此说没有关系。" if high == 0 else ""
        return "，样本的 *R*² = {r2:num} 高于它：*F* 很小时区间收缩到 0 附近，不能据此说没有关系。"

    def none_alone(self) -> str:
        """All together, but no coefficient by itself; how far the variables overlap is told by the check of it."""
        if self.held:
            self.facts["wide"] = self.held[0].name
            return "“{wide}”各类之间有差别，但没有哪一类单独与参照水平有明显差别：差别可能在其他类别之间，见整体检验。"
        return "但没有哪一个自变量单独显著：它们的信息可能重叠，合起来有用，却各自分不开。"

    def together(self) -> str:
        if self.crossed:
            return "模型含交互项或乘方，各项系数要连在一起看，见系数表。"
        return "不含截距时，定类自变量的系数是各水平的均值，见系数表。"

    def explained(self) -> str:
        what = "“{x}”" if self.is_single else "这 {m:integer} 个自变量合起来"
        return f"{what}能解释“{{y}}”变异{self.centre}的 {{r2:percent1}}"

    @property
    def centre(self) -> str:
        return "" if self.model.fit.intercept else "（以 0 为中心）"

    @property
    def equals(self) -> str:
        """No blank behind a full-width bracket."""
        return f"{self.centre}=" if self.centre else " ="

    def figures(self) -> list[Any]:
        test = (
            figure("整体检验", "*p* {p:peq}", "*F*({df1:integer}, {df2:integer}) = {F:num}")
            if self.facts["F"] is not None
            else figure("整体检验", "—", "聚类数太少")
        )
        return [
            figure("*R*²", "{r2:num}", "{level:percent} CI {r2_low:num} 到 {r2_high:num}"),
            test,
            figure("估计标准误", "{sigma:num}{unit}", "预测值与实际值通常相差的大小" + self.at_one),
            figure("调整 *R*²", "{adjusted:num}", f"{{n:integer}} {self.model.counter}，{{k:integer}} 个系数"),
        ]

    @property
    def at_one(self) -> str:
        return "（精度权重为 1 时）" if self.model.form.weight is not None else ""

    # ---- three voices ---------------------------------------------------------------------------------------------
    def student(self) -> list[tuple[str, dict[str, Any]]]:
        parts: list[tuple[str, dict[str, Any]]] = [
            (
                f"先看模型：*R*²{self.equals} {{r2:num}}，“{{y}}”的变异{self.centre}有 {{r2:percent1}} 能由自变量解释。"
                f"估计标准误 {{sigma:num}}{{unit}}，用模型预测通常相差这么多{self.at_one}。",
                {},
            )
        ]
        held = self.significant()
        if held:
            text, facts = self.sentence(held[0], 0)
            same = "" if self.is_single else "，其他自变量不变"
            compare = "" if self.is_single else "*B* 带单位，不同自变量的 *B* 不能直接比大小。"
            parts.append(
                (
                    f"再看系数 *B*：{text}{same}。{compare}区间不含 0，所以说有统计学意义；*p* 不是“没有关系的概率”。",
                    facts,
                )
            )
        return parts + self.missed_words() + self.crossed_words()

    def paper(self) -> list[tuple[str, dict[str, Any]]]:
        model = self.model
        kind = "加权最小二乘" if model.form.weight is not None else "最小二乘"
        test = (
            "模型整体检验：*F*({df1:integer}, {df2:integer}) = {F:num}，*p* {p:peq}，"
            if self.facts["F"] is not None
            else ""
        )
        constant = "" if model.fit.intercept else "，不含截距"
        se = "" if model.kind == "classic" else f"，标准误为{self._spaced(SE_WORDS[model.kind])}"
        opening = (
            f"以“{{y}}”为因变量作线性回归（{kind}{constant}，*n* = {{n:integer}}{se}）。{test}"
            f"*R*²{self.equals} {{r2:num}}（{{level:percent}} CI {{r2_low:num}} 到 {{r2_high:num}}），调整 *R*² = "
            f"{{adjusted:num}}。"
        )
        listed = self.coefficient_list("*B*", "*t*({df:integer}) = {q}，", {"df": model.df})
        return [(opening, {}), *listed]

    def meaning(self) -> base.Sentence:
        words = self.model.weighted_words
        weights = "加权：{weights:text}。" if words else ""
        together = "交互项、乘方的系数要与组成它们的变量连在一起看。" if self.crossed else ""
        return f"{weights}{together}系数说明变量有关联，不等于因果。", {"weights": words} if words else {}

    @staticmethod
    def _spaced(word: str) -> str:
        return f" {word}" if word[0].isascii() else word


def equation(report: Report, cls: Any, model: Model) -> None:
    """Letters in the formula, names below it: user text never enters TeX."""
    first = int(model.fit.intercept)
    names = model.names[first:]
    products = "+".join(f"b_{{{j + 1}}}x_{{{j + 1}}}" for j in range(len(names)))
    symbolic = r"\hat{y}=" + ("b_0+" if first else "") + products
    facts: dict[str, Any] = {"b0": float(model.b[0])} if first else {}
    filled = r"\hat y = " + ("{b0:num}" if first else "")
    for j in range(len(names)):
        facts[f"b{j + 1}"] = float(model.b[j + first])
        sign = "num" if j == 0 and not first else "+num"
        # {1} is no slot: slots begin with a letter.
        filled += rf" {{b{j + 1}:{sign}}}\,x_{{{j + 1}}}"
    filled = filled.strip()
    report.formula(cls.equation, symbolic, filled, **facts)
    legend = {f"n{j + 1}": name for j, name in enumerate(names[:40])}
    report.note(
        cls.equation,
        "ŷ 为“{y}”的预测值；"
        + "，".join(f"x{j + 1} = “{{n{j + 1}}}”" for j in range(len(legend)))
        + ("，其余依系数表的次序" if len(names) > len(legend) else "")
        + ("。定类自变量的一列在该水平时为 1，否则为 0。" if any(f.labels for f in model.design.factors) else "。"),
        y=model.y,
        **legend,
    )
