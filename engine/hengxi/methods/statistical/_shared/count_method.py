"""The form, the elements and the words that every regression of counts has."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from hengxi.contract import (
    Case,
    Chart,
    Column,
    Form,
    Method,
    Points,
    Reference,
    Report,
    Row,
    Table,
    Terms,
    claim,
    estimates,
    few_of,
    filled,
    integer,
    interval,
    num,
    pvalue,
    role,
    rows_column,
    stat,
    text,
)
from hengxi.families.regression import checks, form, words
from hengxi.families.regression.charts import ratio_forest
from hengxi.families.regression.standard import write_terms, write_unusual
from hengxi.families.regression.tables import new_cases
from hengxi.families.regression.words import Sentence, ratio
from hengxi.methods.statistical._shared.count_model import SE_WORDS, CountModel
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles
from hengxi.stats.thin import extremes, thin

CLASSES, EXPECTED_ROWS = 40, 20_000
CONVENTIONS = (
    "系数由 Newton 法求最大似然，对数连接；暴露量取对数后作偏移，系数固定为 1。",
    "检验为 Wald *z*，区间为 *B* ± *z*·标准误，取指数得 IRR 的区间。",
    "稳健标准误为 HC0（三明治），不乘小样本校正。",
    "Cook 距离和标准化残差按 Pearson 残差和杠杆值计算。",
)


class CountForm(Form):
    y: Column = role("计数因变量Y", "定量", varies=True)
    x: list[Column] = form.predictors()
    exposure: Column | None = role(
        "暴露量/人时（可选）", "定量", min=0, hint="观察的人时、面积等，必须为正；取对数后作偏移"
    )
    reference: list[Row] = form.reference_levels()
    terms: Terms = form.model_terms()
    conf_level: float = form.confidence_level()
    predict_at: list[Case] = form.new_cases()


class CountRegression(Method):
    """A member adds its estimator, its table of fit and what it says of the spread."""

    family, tier = "回归分析", "standard"
    min_rows = 4
    who: ClassVar[str]
    """How the model is called in a sentence."""

    coefficients = Table(
        "回归系数与发生率比", name=text("自变量"), b=num("*B*", stars="p"), se=num("标准误", least=0, around="b"),
        z=num("*z*"), p=pvalue(), irr=num("IRR", least=0), ci=interval("IRR 的CI", "low", "high", around="irr"),
        vif=num("VIF", least=0), place="main",
        claim=estimates(stat("*z*", "z"), ratio=("irr", "IRR"), interval_of="ratio"),
    )  # fmt: skip
    forest_points = Points("发生率比", name=text("自变量"), irr=num("IRR"), low=num("下限"), high=num("上限"))
    forest = Chart(
        "IRR森林图", "interval", of=forest_points, x="name", y="irr", low="low", high="high", over=[Reference(x=1)],
        place="main",
    )  # fmt: skip
    predicted = Table(
        "新值预测", number=integer("序号"), case=text("代入值"), value=num("预测均值", least=0),
        ci=interval("CI", "low", "high", around="value"), when={"predict_at": filled},
    )  # fmt: skip
    terms_tests = Table(
        "各项的整体检验", name=text("项"), wald=num("Wald χ²", least=0), df=integer("*df*"), p=pvalue(),
        claim=claim("named", stat("Wald χ²", "wald", "df"), names=("name",), outcome="y"),
    )  # fmt: skip
    outcome = Table(
        "因变量的分布", layout="record", events=integer("合计"), mean=num("均值", least=0),
        variance=num("方差", least=0), most=integer("最大值"),
    )  # fmt: skip
    zeros = Table(
        "零值比较", layout="record", observed=integer("观测的零"), expected=num("模型期望的零", least=0),
        ratio=num("观测 ÷ 期望", least=0),
    )  # fmt: skip
    frequencies = Table(
        "各次数的观测与期望行数", count=text("次数"), observed=integer("观测"), expected=num("期望", least=0)
    )
    root = Points("悬根图的条", count=text("次数"), foot=num("下端"), top=num("√期望行数"))
    root_plot = Chart(
        "悬根图", "bar", of=root, x="count", y="top", start="foot", over=[Reference(y=0)],
        titles={"x": "次数", "y": "√行数"}, place="detail",
    )  # fmt: skip
    points = Points("残差图的点", row=integer("行号"), fitted=num("拟合值"), standardized=num("标准化残差"))
    residual_plot = Chart(
        "残差图", "point", of=points, x="fitted", y="standardized", row="row", over=[Reference(y=0)], place="detail"
    )
    outliers = Table(
        "异常个案", row=rows_column("行号"), observed=num("实际"), fitted=num("拟合值", least=0),
        standardized=num("标准化残差"), leverage=num("杠杆值", least=0, most=1), cook=num("Cook距离", least=0),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.y.title}与{few_of(list(titles(form.x).values()))}的{cls.title}"

    @classmethod
    def write(cls, report: Report, model: CountModel) -> int:
        """The elements all have in common; how many unusual rows there are."""
        cls._coefficients(report, model)
        ratio_forest(report, cls, model, "IRR", "irr")
        if model.form.predict_at:
            unit = "" if model.form.exposure is None else "预测的是暴露量为 1 时的均值。"
            note = (
                f"{unit}区间是均值的 {{level:percent}} CI，先在对数上按 Wald 法求出，再取指数；单个新值的范围比它宽。"
            )
            new_cases(report, cls.predicted, model, note)
        write_terms(report, cls.terms_tests, model)
        cls._frequencies(report, model)
        cls._residuals(report, model)
        return write_unusual(report, cls.outliers, model)

    @classmethod
    def _coefficients(cls, report: Report, model: CountModel) -> None:
        for i, name in enumerate(model.names):
            low, high = model.interval(i)
            report.row(
                cls.coefficients, name=name, b=model.b[i], se=model.se[i], z=model.statistic[i], p=model.p[i],
                irr=ratio(model.b[i]), low=ratio(low), high=ratio(high), vif=model.vif[i - 1] if i else None,
            )  # fmt: skip
        report.note(
            cls.coefficients,
            f"*N* = {{n:integer}}。因变量：“{{y}}”。标准误：{SE_WORDS[model.kind]}。IRR = exp(*B*)，区间为 "
            "{level:percent} CI。",
            n=model.n, y=model.y, level=model.level,
        )  # fmt: skip
        if model.form.exposure is not None:
            report.note(cls.coefficients, "暴露量：“{e}”，取对数后作偏移。", e=model.form.exposure.title)
        if model.references:
            report.note(cls.coefficients, "定类自变量的参照水平：{told}。", told="；".join(model.references))

    @classmethod
    def _frequencies(cls, report: Report, model: CountModel) -> None:
        y = model.fit.rows.y
        low, high = classes_of(y)
        rows = thin(y.size, most=EXPECTED_ROWS)
        expected = model.chance(low, high, rows).sum(axis=0) * (y.size / rows.size)
        observed = np.bincount(np.searchsorted(low, y, side="right") - 1, minlength=low.size)
        for k in range(low.size):
            name = class_name(low[k], high[k])
            report.row(cls.frequencies, count=name, observed=int(observed[k]), expected=float(expected[k]))
            top = float(np.sqrt(expected[k]))
            report.row(cls.root, count=name, foot=top - float(np.sqrt(observed[k])), top=top)
        report.row(
            cls.outcome, events=int(y.sum()), mean=float(y.mean()), variance=float(y.var(ddof=1)), most=int(y.max())
        )
        zero = float(model.chance(np.zeros(1), np.zeros(1), slice(None)).sum())
        seen = int(np.sum(y == 0))
        report.row(cls.zeros, observed=seen, expected=zero, ratio=seen / zero if zero > 0 else None)
        report.note(cls.zeros, "期望的零是每行 *Y* = 0 的概率之和。")
        report.note(cls.root_plot, "条的上端是期望，长度是观测；下端到不了 0，是模型估多了，低于 0 是估少了。")
        if rows.size < y.size:
            report.note(cls.frequencies, "行数很多，期望由等距抽取的 {k:integer} 行推算。", k=int(rows.size))

    @classmethod
    def _residuals(cls, report: Report, model: CountModel) -> None:
        numbers = model.form.y.row_numbers
        known = np.nan_to_num(model.standardized)
        shown = thin(known.size, extremes(known))
        shown = shown[np.isfinite(model.standardized[shown])]
        cells = {"row": numbers[shown], "fitted": model.fit.mean[shown], "standardized": model.standardized[shown]}
        report.add_rows(cls.points, cells)
        if shown.size < known.size:
            report.chart(cls.residual_plot, thinned=(int(shown.size), int(known.size)))
        report.note(cls.residual_plot, "残差是标准化的 Pearson 残差，大多应在 −2 到 2 之间。计数的点会排成一条条斜线。")

    @classmethod
    def check(cls, report: Report, model: CountModel, listed: int) -> None:
        """What does not depend on how the counts spread."""
        checks.precision_warning(report, model.plain, model.design.names)
        checks.marginal_warning(report, model)
        checks.size_check(report, model, model.n, len(model.design.names), "")
        checks.collinearity_check(report, model, model.plain, "IRR", "预测")
        checks.influence_check(report, model.cook, model.form.y.row_numbers, listed)


def classes_of(y: Floats) -> tuple[Floats, Floats]:
    """Least and greatest count of each class: single counts and an open class at the end; wide ones of large counts."""
    most = int(y.max())
    if most < CLASSES:
        low = np.arange(0, most + 1, dtype=float)
        return low, low
    if float(np.quantile(y, 0.95)) < CLASSES:
        low = np.arange(0, CLASSES, dtype=float)
        return low, np.append(low[:-1], np.inf)
    step = -(-(most + 1) // CLASSES)
    low = np.arange(0, most + 1, step, dtype=float)
    return low, low + step - 1


def class_name(low: float, high: float) -> str:
    return f"{int(low)}" if low == high else f"≥ {int(low)}" if np.isinf(high) else f"{int(low)}–{int(high)}"


class CountWords(words.Words):
    model: CountModel
    ratio_symbol = "IRR"

    def __init__(self, model: CountModel, who: str, more: dict[str, Any]) -> None:
        chi2, df, p = model.tested
        facts: dict[str, Any] = {"n": model.n, "chi2": chi2, "df": df, "p": p, "mean": float(model.fit.rows.y.mean())}
        super().__init__(model, facts | {"variance": float(model.fit.rows.y.var(ddof=1))} | more)
        self.who, self.is_found = who, p < self.alpha
        if model.form.exposure is not None:
            self.facts["e"] = model.form.exposure.title

    @property
    def ratio_of(self) -> str:  # type: ignore[override]
        return "平均数" if self.model.form.exposure is None else "发生率"

    @property
    def test(self) -> str:
        name = "似然比" if self.model.kind == "classic" else "Wald"
        return f"{name} χ²({{df:integer}}) = {{chi2:num}}，*p* {{p:peq}}"

    def warning(self) -> str:
        """What the reader must know before any number."""
        return ""

    def conclusion(self) -> Sentence:
        if not self.is_found:
            text = f"没有发现{self.these}与“{{y}}”有明显的关系（{self.test}）。真实的 IRR 可能在区间之内，见系数表。"
            return text + self.warning(), {}
        together = "" if self.is_single else "合起来"
        opening = f"{self.these}{together}与“{{y}}”有关（*p* {{p:peq}}）。"
        told, facts, columns = self.leading()
        if not told:
            alone = len(self.simple) == len(self.model.design.names)
            why = "没有哪一个系数单独显著" if alone else "模型含交互项或乘方，各项系数要连在一起看"
            return f"{opening}{why}，见系数表。{self.warning()}", facts
        named = f"“{{y}}”的{self.ratio_of}"
        told = told.replace(self.ratio_of, named, 1)
        return f"{opening}{self.given}{told}。{self.others(columns, facts)}{self.warning()}", facts

    def student(self) -> list[Sentence]:
        what = "平均次数" if self.model.form.exposure is None else "发生率（每单位暴露量的次数）"
        opening = f"先看 IRR：它是两个{what}之比。1 表示没有差别，大于 1 表示更多，小于 1 表示更少。"
        parts: list[Sentence] = [(opening, {})]
        if held := self.significant():
            text, facts = self.sentence(held[0], 0)
            parts.append((f"再看大小：{text}。区间不含 1，所以说有统计学意义；*p* 不是“没有关系的概率”。", facts))
        spread = "最后看离散：泊松分布的方差等于均值。“{y}”的均值 {mean:num}，方差 {variance:num}（还没有扣除自变量）。"
        return [*parts, *self.missed_words(), *self.crossed_words(), (spread, {})]

    def paper(self) -> list[Sentence]:
        offset = "" if self.model.form.exposure is None else "，“{e}”的对数作偏移"
        se = "" if self.model.kind == "classic" else f"，标准误为{SE_WORDS[self.model.kind]}"
        text = f"以“{{y}}”为因变量作{self.who}（对数连接，*n* = {{n:integer}}{offset}{se}）。{self.test}。"
        return [(text, {}), *self.coefficient_list("IRR")]

    def meaning(self) -> Sentence:
        return "IRR 说明变量有关联，不等于因果。", {}
