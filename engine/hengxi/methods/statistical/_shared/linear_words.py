"""What is said about a linear regression: size in the units of the data, direction, certainty; never a cause."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report, figure
from hengxi.methods.statistical._shared.linear_model import SE_WORDS, Model
from hengxi.stats.linear_covariance import Wald
from hengxi.stats.names import unit_words

LEADING, LISTED = 3, 12


class Words:
    def __init__(self, model: Model, terms: dict[str, Wald | None]) -> None:
        self.model, self.terms = model, terms
        self.alpha = 1 - model.level
        self.first = int(model.fit.intercept)
        overall = model.overall
        low, high = model.r2_interval
        self.facts: dict[str, Any] = {
            "y": model.y,
            "unit": model.unit,
            "n": model.fit.n,
            "k": model.fit.p,
            "r2": model.fit.r2,
            "r2_low": low,
            "r2_high": high,
            "adjusted": model.adjusted,
            "sigma": model.sigma,
            "level": model.level,
            "alpha": self.alpha,
            "F": overall.F if overall else None,
            "df1": overall.df1 if overall else None,
            "df2": overall.df2 if overall else None,
            "p": overall.p if overall else None,
            "m": len(model.columns),
        }
        self.found = overall is not None and overall.p < self.alpha

    # ---- one coefficient ------------------------------------------------------------------------------------------
    @property
    def simple(self) -> list[int]:
        """Coefficients that can be read alone: their variable is in no product, power or interaction."""
        mixed = {k for term in self.model.design.terms if len(term.factors) > 1 for k in term.factors}
        factors = self.model.design.factors
        alone = [term for term in self.model.design.terms if len(term.factors) == 1 and term.factors[0] not in mixed]
        return [j for term in alone if not factors[term.factors[0]].full for j in term.columns]

    def significant(self) -> list[int]:
        p, t = self.model.p, self.model.t
        held = [j for j in self.simple if p[j + self.first] < self.alpha]
        return sorted(held, key=lambda j: -abs(float(t[j + self.first])))

    def sentence(self, j: int, place: int) -> tuple[str, dict[str, Any]]:
        """`“面积”每多 1，“房价”平均高 0.96（95% CI …）`, with facts named for this place."""
        i = j + self.first
        b = float(self.model.b[i])
        low, high = self.model.interval(i)
        term = next(t for t in self.model.design.terms if j in t.columns)
        factor = self.model.design.factors[term.factors[0]]
        column = self.model.columns[term.factors[0]]
        up = b > 0
        facts: dict[str, Any] = {
            f"x{place}": factor.name,
            f"b{place}": abs(b),
            f"lo{place}": low if up else -high,
            f"hi{place}": high if up else -low,
            f"p{place}": float(self.model.p[i]),
        }
        ci = f"（{{level:percent}} CI {{lo{place}:num}} 到 {{hi{place}:num}}）"
        tail = f"“{{y}}”平均{'高' if up else '低'} {{b{place}:num}}{{unit}}{ci}"
        if factor.labels:
            facts[f"a{place}"] = factor.labels[factor.shown(True)[j - term.first]]
            facts[f"ref{place}"] = factor.labels[factor.reference]
            return f"“{{x{place}}}”为“{{a{place}}}”的比“{{ref{place}}}”的，{tail}", facts
        facts[f"u{place}"] = unit_words(column.unit)
        return f"“{{x{place}}}”每多 1{{u{place}}}，{tail}", facts

    def write(self, report: Report) -> None:
        text, facts = self.conclusion()
        report.lead(text, self.figures(), **self.facts, **facts)
        report.voices(self.student(), self.paper(), [self.brief()], **self.facts)

    def conclusion(self) -> tuple[str, dict[str, Any]]:
        explained = self.explained()
        facts: dict[str, Any] = {}
        if self.facts["F"] is None:
            return f"{explained}聚类数太少，不能同时检验全部自变量，请逐个看系数。", facts
        if not self.found:
            return (
                "未发现{these}与“{y}”有线性关联的证据（*F*({df1:integer}, {df2:integer}) = {F:num}，*p* {p:peq}）；"
                "*R*² 的 {level:percent} CI 为 {r2_low:percent1} 到 {r2_high:percent1}"
                + (self.beyond() or "，这个范围内的关联都与数据相容。")
                + ("个别系数单独看有统计学意义，同时看多个系数时这并不少见。" if self.significant() else "")
            ), {"these": "这个自变量" if len(self.model.columns) == 1 else "这些自变量"}
        sentences = []
        for place, j in enumerate(self.significant()[:LEADING]):
            text, more_facts = self.sentence(j, place)
            sentences.append(text)
            facts |= more_facts
        if not sentences:
            rest = self.together() if len(self.simple) < self.model.fit.p else self.none_alone()
            return explained + rest, facts
        rest = "；另有系数达到统计学意义，见系数表。" if len(self.significant()) > LEADING else "。"
        given = "其他自变量相同时，" if len(self.model.columns) > 1 else ""
        return f"{explained}{given}{'；'.join(sentences)}{rest}", facts

    def beyond(self) -> str:
        """Where the interval of R² and the F test do not say the same."""
        low, high = self.facts["r2_low"], self.facts["r2_high"]
        if low is not None and low > 0:
            # Only with standard errors of another kind: both rest on the same F otherwise.
            return "，但这个区间假定误差独立、方差处处相同；这里的 *F* 检验不作这个假定，以 *F* 检验为准。"
        # F below 1: the sample's R² lies above an interval that allows for its bias.
        if high is None or not self.facts["r2"] > high:
            return "，*F* 很小时区间收缩到 0，不能据此说没有关联。" if high == 0 else ""
        return "，样本的 *R*² = {r2:num} 高于它：*F* 很小时样本的 *R*² 偏大，区间又收缩到 0 附近，不能据此说没有关联。"

    def none_alone(self) -> str:
        """All together, but no coefficient by itself; how far the variables overlap is told by the check of it."""
        if len(self.model.columns) == 1 and self.model.design.factors[0].labels:
            return "但没有哪一个水平与参照水平的差别单独达到统计学意义，差别可能在其他水平之间，见整体检验。"
        return "但没有哪一个系数单独达到统计学意义：自变量提供的信息可能有重叠，合起来有用而各自分不开。"

    def together(self) -> str:
        if any(len(term.factors) > 1 for term in self.model.design.terms):
            return "模型含交互项或乘方，各项系数须连在一起读，见系数表。"
        return "不含截距时，定类自变量的系数是各水平的均值，见系数表。"

    def explained(self) -> str:
        what = "这个自变量" if len(self.model.columns) == 1 else "这 {m:integer} 个自变量合起来"
        return f"{what}可解释“{{y}}”变异{self.centre}的 {{r2:percent1}}。"

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
            figure("估计标准误", "{sigma:num}{unit}", "残差的典型大小" + self.at_one),
            figure("调整 *R*²", "{adjusted:num}", "{n:integer} 例，{k:integer} 个系数"),
        ]

    @property
    def at_one(self) -> str:
        return "（精度权重为 1 时）" if self.model.form.weight is not None else ""

    # ---- three voices ---------------------------------------------------------------------------------------------
    def student(self) -> list[tuple[str, dict[str, Any]]]:
        parts: list[tuple[str, dict[str, Any]]] = [
            (
                f"先看模型：*R*²{self.equals} {{r2:num}}，是“{{y}}”的变异里能由自变量解释的份额；"
                f"估计标准误 {{sigma:num}}{{unit}}，是预测值与实际值通常相差的大小{self.at_one}。",
                {},
            )
        ]
        held = self.significant()
        if held:
            text, facts = self.sentence(held[0], 0)
            same = "，其他自变量不变" if len(self.model.columns) > 1 else ""
            parts.append(
                (
                    f"再看系数 *B*：{text}{same}。*B* 带着单位，不同自变量的 *B* 不能直接比大小。"
                    "区间不含 0，所以说有统计学意义；*p* 不是“没有关联的概率”。",
                    facts,
                )
            )
        missed = [j for j in self.simple if j not in held]
        if missed:
            names, facts = self._names(missed)
            parts.append(
                (f"{names}的区间包含 0：现有数据不足以说有关联，不等于没有关联；区间里的大小都与数据相容。", facts)
            )
        if any(len(term.factors) > 1 for term in self.model.design.terms):
            parts.append(
                ("模型含交互项或乘方：组成它们的变量，系数只是其他变量为 0（或取参照水平）时的值，要连在一起读。", {})
            )
        return parts

    def _names(self, columns: list[int]) -> tuple[str, dict[str, Any]]:
        facts = {f"z{i}": self.model.design.names[j] for i, j in enumerate(columns[:LISTED])}
        words = "、".join(f"“{{z{i}}}”" for i in range(len(facts)))
        return words + ("等" if len(columns) > LISTED else ""), facts

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
        parts: list[tuple[str, dict[str, Any]]] = [(opening, {})]
        listed: list[str] = []
        facts: dict[str, Any] = {}
        for place in range(min(model.fit.p, LISTED)):
            i = place + self.first
            low, high = model.interval(i)
            facts |= {
                f"z{place}": model.design.names[place],
                f"b{place}": float(model.b[i]),
                f"lo{place}": low,
                f"hi{place}": high,
                f"t{place}": float(model.t[i]),
                f"p{place}": float(model.p[i]),
            }
            listed.append(
                f"“{{z{place}}}”：*B* = {{b{place}:num}}（{{level:percent}} CI {{lo{place}:num}} 到 "
                f"{{hi{place}:num}}），"
                f"*t*({{df:integer}}) = {{t{place}:num}}，*p* {{p{place}:peq}}"
            )
        facts["df"] = model.df
        tail = "；其余系数见表。" if model.fit.p > LISTED else "。"
        parts.append(("各系数：" + "；".join(listed) + tail, facts))
        weights = "加权：{weights:text}。" if model.weighted_words else ""
        parts.append(
            (
                f"{weights}{self.meaning}；"
                "没有随机分组或其他设计时，不能据此推断因果。无统计学意义的系数不等于 0，范围以置信区间为准。",
                {"weights": model.weighted_words} if model.weighted_words else {},
            )
        )
        return parts

    @property
    def meaning(self) -> str:
        if any(len(term.factors) > 1 for term in self.model.design.terms):
            return "交互项、乘方的系数须与组成它们的变量连在一起读；系数说明关联，不说明作用"
        if len(self.model.columns) == 1:
            return "系数表示自变量取值不同的个案之间的平均差别，是关联而不是作用"
        return "系数表示其他自变量相同的个案之间的平均差别，是关联而不是作用"

    @staticmethod
    def _spaced(word: str) -> str:
        return f" {word}" if word[0].isascii() else word

    def brief(self) -> tuple[str, dict[str, Any]]:
        return self.conclusion()


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
