"""Brand-price trade-off: which brand is chosen at which prices, as a conditional logit of brands and prices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Matrix,
    Method,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    confidence,
    estimates,
    figure,
    flag,
    integer,
    interval,
    num,
    numbers,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.contract import choice as choose
from hengxi.families.choice.fitting import fit_table, fitted, numbered, write_fit
from hengxi.stats.answer_sets import option_names
from hengxi.stats.choice_model import ChoiceFit, Choices, shares_with_bounds
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles

OUTSIDE, STEPS = "都不买", 21
MODELS = {
    "count": "只看选择份额",
    "logit_common_price": "Logit，各品牌价格系数相同",
    "logit_brand_price": "Logit，各品牌价格系数不同",
}
FITTED = {"model": ("logit_common_price", "logit_brand_price")}


@dataclass(frozen=True)
class Tasks:
    """`prices`: tasks × brands, NaN where a brand was not shown; `chosen`: the brand, or k for none of them."""

    brands: list[str]
    prices: Floats
    chosen: Any
    persons: Any
    outside: bool

    @property
    def k(self) -> int:
        return len(self.brands)

    @property
    def names(self) -> list[str]:
        return [*self.brands, OUTSIDE] if self.outside else self.brands

    def design(self, prices: Floats, by_brand: bool) -> Floats:
        """Alternatives × parameters at these prices: constants (all brands against none, else against the first
        brand), then one price or a price for each brand."""
        k = self.k
        own = np.diag(prices) if by_brand else prices[:, None]
        x = np.hstack([np.eye(k)[:, 0 if self.outside else 1 :], own])
        return np.vstack([x, np.zeros(x.shape[1])]) if self.outside else x

    def parameters(self, by_brand: bool) -> list[str]:
        constants = [f"{name}（常数）" for name in self.brands[0 if self.outside else 1 :]]
        return constants + ([f"{name}（价格）" for name in self.brands] if by_brand else ["价格"])

    def choices(self, by_brand: bool) -> Choices:
        there = ~np.isnan(self.prices)
        shown = np.column_stack([there, np.ones(len(there), dtype=bool)]) if self.outside else there
        rows = [self.design(line, by_brand)[held] for line, held in zip(np.nan_to_num(self.prices), shown, strict=True)]
        sizes = shown.sum(axis=1)
        before = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        place = np.cumsum(shown, axis=1)[np.arange(len(shown)), self.chosen] - 1
        return Choices(np.vstack(rows), sizes, before + place, self.persons)


class Bpto(Method):
    title, title_en = "品牌价格抵补模型BPTO", "Brand-price trade-off"
    family, tier = "市场与产品研究", "member"
    slug = "bpto"
    purpose = "品牌之间在不同价格组合下的选择份额与价格替代关系如何"
    aliases = ("BPTO", "品牌价格权衡", "品牌溢价", "价格替代", "交叉弹性")
    references = ("mcfadden1974", "train2009", "huber1967")
    conventions = (
        "条件 Logit 由 Newton 法求最大似然；标准误按受访者聚类（三明治），不乘小样本校正。",
        "有“都不买”时各品牌的常数与它比，没有时与第一个品牌比。",
        "自价格弹性 βp(1 − s)，交叉弹性 −βp's'（第二个品牌涨价对第一个份额的影响），在模拟价格处计算。",
        "品牌溢价：与基准品牌在模拟价格下效用相同时的价格，减去基准品牌的价格；区间用 delta 法。",
        "份额的区间在 logit 尺度上由 delta 法得到。",
    )
    missing = "keep"
    reads_names = True

    class Input(Form):
        respondent: Column = role("受访者编号", "任意", use="id")
        step: Column = role("轮次", "定量")
        prices: list[Column] = role("各品牌当轮价格（列）", "定量", min=2, max=20, hint="没有展示的品牌空着")
        choice: Column = role("选择的品牌", "定类", levels=(2, 21), hint="与价格列的品牌名相同；其他取值算都不买")
        model: str = choose("模型", MODELS, default="logit_brand_price")
        outside: bool = flag("含“都不买”", True)
        scenario: list[float] = numbers(
            "模拟价格", least=0, max=20, hint="依次填各品牌的价格，不填时取各品牌的平均价格"
        )
        conf_level: float = confidence()

    shares = Table(
        "选择份额表", brand=text("品牌"), price=num("价格", least=0), shown=integer("展示次数"),
        chosen=integer("选择次数"), share=percent("份额"), merge=("brand",), place="main",
    )  # fmt: skip
    simulated = Table(
        "情景份额", brand=text("品牌"), price=num("模拟价格"), share=percent("份额"), se=num("标准误", least=0),
        ci=interval("CI", "low", "high", around="share", format="percent"), when=FITTED, place="main",
    )  # fmt: skip
    bars = Chart(
        "情景份额图", "interval", of=simulated, x="brand", y="share", low="low", high="high", when=FITTED, place="main"
    )
    coefficients = Table(
        "模型表", name=text("参数"), b=num("*B*", stars="p"), se=num("标准误", least=0, around="b"), z=num("*z*"),
        p=pvalue(), ci=interval("CI", "low", "high", around="b"), when=FITTED,
        claim=estimates(stat("*z*", "z"), outcome="choice"),
    )  # fmt: skip
    fit = fit_table(when=FITTED)
    elasticities = Table(
        "弹性矩阵", layout=Matrix(e=num("弹性")), when=FITTED,
    )  # fmt: skip
    premiums = Table(
        "品牌价值（价格溢价）", brand=text("品牌"), premium=num("溢价"), se=num("标准误", least=0, around="premium"),
        ci=interval("CI", "low", "high", around="premium"), when=FITTED, place="main",
    )  # fmt: skip
    premium_bar = Chart(
        "品牌溢价图", "interval", of=premiums, x="brand", y="premium", low="low", high="high", when=FITTED
    )
    curve_points = Points("份额曲线", brand=text("品牌"), price=num("价格"), share=percent("份额"), when=FITTED)
    curves = Chart("份额-价格曲线", "line", of=curve_points, x="price", y="share", series="brand", when=FITTED)

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        tasks = cls._read(report, form)
        cls._counts(report, tasks)
        if form.model == "count":
            cls._count_words(report, tasks)
            return report
        by_brand = form.model == "logit_brand_price"
        if by_brand:
            cls._judge_prices(form, tasks)
        fit = fitted(tasks.choices(by_brand), tasks.parameters(by_brand), "prices")
        scenario = cls._scenario(form, tasks)
        cls._coefficients(report, form, tasks, fit, by_brand)
        cls._simulate(report, form, tasks, fit, scenario, by_brand)
        premiums = cls._premiums(report, form, tasks, fit, scenario, by_brand)
        cls._words(report, form, tasks, fit, scenario, premiums, by_brand)
        return report

    # ---- reading ---------------------------------------------------------------------------------------------------
    @classmethod
    def _read(cls, report: Report, form: Any) -> Tasks:
        names = option_names(list(titles(form.prices).values()))
        prices = np.column_stack([column.numbers for column in form.prices]).astype(float)
        place = cls._places(form, names)
        codes = form.choice.codes
        kept = (codes >= 0) & ~form.respondent.missing & ~np.isnan(prices).all(axis=1)
        if not form.outside:
            none = kept & (place[codes] == len(names))
            if none.any():
                level = form.choice.levels[int(codes[none][0])]
                raise Refusal(
                    "data.brand", "选择“{v}”不是价格列里的品牌；请打开“含都不买”，或核对品牌名", field="choice",
                    also=["outside"], column=form.choice.id, v=level.label,
                    remedies=[SetRemedy(title="算作都不买", set={"outside": True})],
                )  # fmt: skip
        chosen, prices = place[codes][kept], prices[kept]
        brand = chosen < len(names)
        priced = np.where(brand, prices[np.arange(len(prices)), np.minimum(chosen, len(names) - 1)], 0.0)
        if np.isnan(priced).any():
            at = int(form.choice.row_numbers[kept][np.isnan(priced)][0])
            raise Refusal("data.price", "第 {at} 行所选品牌没有价格，请核对", field="prices", also=["choice"], at=at)
        enough = (~np.isnan(prices)).sum(axis=1) + form.outside > 1
        if not enough.any():
            raise Refusal("data.empty", "没有一轮有两个以上可选的品牌，请核对价格的缺失", field="prices")
        rows = np.flatnonzero(kept)[enough]
        report.used(len(rows))
        persons = np.unique(numbered(form.respondent)[rows], return_inverse=True)[1]
        return Tasks(names, prices[enough], chosen[enough], persons, bool(form.outside))

    @staticmethod
    def _places(form: Any, names: list[str]) -> Any:
        """The brand of each level of the choice: by its name, or by its number among the price columns."""
        whole = list(titles(form.prices).values())
        found = []
        for one in form.choice.levels:
            words = {str(one.label), str(one.value)}
            place = next((i for i, name in enumerate(names) if name in words or whole[i] in words), None)
            if place is None and not isinstance(one.value, str) and 1 <= float(one.value) <= len(names):
                place = int(float(one.value)) - 1
            found.append(len(names) if place is None else place)
        if all(place == len(names) for place in found):
            listed = "".join(f"“{name}”" for name in names[:6])
            raise Refusal(
                "data.brand", "“{v}”的取值与价格列的品牌名（{listed}）对不上，请统一名称", field="choice",
                also=["prices"],
                column=form.choice.id, v=form.choice.title, listed=listed,
            )  # fmt: skip
        return np.array([*found, -1])

    @staticmethod
    def _judge_prices(form: Any, tasks: Tasks) -> None:
        for name, column in zip(tasks.brands, tasks.prices.T, strict=True):
            held = column[~np.isnan(column)]
            if held.size == 0 or held.min() == held.max():
                raise Refusal(
                    "data.fixed_price", "品牌“{v}”价格始终不变，无法估计其价格效应；请改用各品牌价格系数相同的模型",
                    field="model", also=["prices"], v=name,
                    remedies=[SetRemedy(title="价格系数相同", set={"model": "logit_common_price"})],
                )  # fmt: skip

    @staticmethod
    def _scenario(form: Any, tasks: Tasks) -> Floats:
        if form.scenario and len(form.scenario) != tasks.k:
            raise Refusal(
                "data.scenario", "模拟价格有 {a} 个，品牌有 {b} 个，请一一对应", field="scenario", a=len(form.scenario),
                b=tasks.k,
            )  # fmt: skip
        return np.array(form.scenario, dtype=float) if form.scenario else np.nanmean(tasks.prices, axis=0)

    # ---- tables ----------------------------------------------------------------------------------------------------
    @classmethod
    def _counts(cls, report: Report, tasks: Tasks) -> None:
        for j, name in enumerate(tasks.brands):
            column, hit = tasks.prices[:, j], tasks.chosen == j
            for price in np.unique(column[~np.isnan(column)])[:60]:
                at = column == price
                report.row(
                    cls.shares, brand=name, price=price, shown=int(at.sum()), chosen=int((at & hit).sum()),
                    share=float((at & hit).sum() / at.sum()),
                )  # fmt: skip
        if tasks.outside:
            n, k = len(tasks.chosen), int((tasks.chosen == tasks.k).sum())
            report.row(cls.shares, brand=OUTSIDE, shown=n, chosen=k, share=k / n)
        report.note(
            cls.shares, "份额是这个价格下展示的次数里选它的比例；其他品牌的价格各不相同。每个品牌最多列 60 个价格。"
        )

    @classmethod
    def _coefficients(cls, report: Report, form: Any, tasks: Tasks, fit: ChoiceFit, by_brand: bool) -> None:
        reach = float(stats.norm.isf((1 - form.conf_level) / 2))
        for name, b, se, z, p in zip(tasks.parameters(by_brand), fit.beta, fit.se, fit.z, fit.p, strict=True):
            report.row(
                cls.coefficients, name=name, b=b, se=se, z=z, p=float(p), low=b - reach * se, high=b + reach * se
            )  # fmt: skip
        versus = "“都不买”" if tasks.outside else f"“{tasks.brands[0]}”"
        report.note(
            cls.coefficients,
            "常数与{v:text}比；标准误按受访者聚类。CI 的置信水平为 {level:percent}。",
            v=versus,
            level=form.conf_level,
        )
        write_fit(report, cls.fit, fit)

    @classmethod
    def _simulate(
        cls, report: Report, form: Any, tasks: Tasks, fit: ChoiceFit, scenario: Floats, by_brand: bool
    ) -> None:  # fmt: skip
        design = tasks.design(scenario, by_brand)
        found = shares_with_bounds(design, fit.beta, fit.covariance, form.conf_level)
        for j, (name, one) in enumerate(zip(tasks.names, found, strict=True)):
            report.row(
                cls.simulated, brand=name, price=scenario[j] if j < tasks.k else None, share=one.value, se=one.se,
                low=one.low, high=one.high,
            )  # fmt: skip
        slopes = _slopes(tasks, fit, by_brand)
        for i, name in enumerate(tasks.brands):
            for j, other in enumerate(tasks.brands):
                own = 1 - found[i].value if i == j else -found[j].value
                report.row(cls.elasticities, item=name, against=other, e=slopes[j] * scenario[j] * own)
        report.note(cls.elasticities, "行是品牌，列是涨价的品牌：列的价格涨 1%，行的份额变百分之几。")
        for j, name in enumerate(tasks.brands):
            held = tasks.prices[:, j][~np.isnan(tasks.prices[:, j])]
            for price in np.linspace(held.min(), held.max(), STEPS):
                at = scenario.copy()
                at[j] = price
                u = tasks.design(at, by_brand) @ fit.beta
                share = np.exp(u - u.max())
                report.row(cls.curve_points, brand=name, price=float(price), share=float(share[j] / share.sum()))

    @classmethod
    def _premiums(
        cls, report: Report, form: Any, tasks: Tasks, fit: ChoiceFit, scenario: Floats, by_brand: bool
    ) -> list[tuple[str, float]]:  # fmt: skip
        """Against the first brand: the price at which a brand is worth as much, minus the price of the first."""
        reach = float(stats.norm.isf((1 - form.conf_level) / 2))
        slopes, shift = _slopes(tasks, fit, by_brand), 0 if tasks.outside else -1
        base = scenario[0]
        first = (fit.beta[0] if tasks.outside else 0.0) + slopes[0] * base
        found = []
        for j in range(1, tasks.k):
            constant = fit.beta[j + shift]
            gap = first - constant
            premium = gap / slopes[j] - base
            gradient = np.zeros(len(fit.beta))
            at = len(fit.beta) - tasks.k if by_brand else len(fit.beta) - 1
            if tasks.outside:
                gradient[0] += 1 / slopes[j]
            gradient[j + shift] -= 1 / slopes[j]
            gradient[at] += base / slopes[j]
            gradient[at + (j if by_brand else 0)] -= gap / slopes[j] ** 2
            se = float(np.sqrt(gradient @ fit.covariance @ gradient))
            report.row(
                cls.premiums, brand=tasks.brands[j], premium=premium, se=se, low=premium - reach * se,
                high=premium + reach * se,
            )  # fmt: skip
            found.append((tasks.brands[j], float(premium)))
        report.note(
            cls.premiums,
            "与“{v}”（价格 {p:num}）比：效用相同时可以贵多少，负数表示要便宜多少。",
            v=tasks.brands[0],
            p=base,
        )
        return found

    # ---- words -----------------------------------------------------------------------------------------------------
    @classmethod
    def _count_words(cls, report: Report, tasks: Tasks) -> None:
        n = [int((tasks.chosen == j).sum()) for j in range(len(tasks.names))]
        top = int(np.argmax(n[: tasks.k]))
        facts: dict[str, Any] = {
            "v": tasks.brands[top],
            "n": n[top],
            "whole": len(tasks.chosen),
            "share": n[top] / len(tasks.chosen),
        }
        main = "{whole:integer} 次选择中，“{v}”被选得最多，{n:integer} 次（{share:percent1}）。"
        report.lead(main, [figure("选得最多", "{v:text}", "{share:percent1}")], **facts)
        report.say(main + "各次的价格不同，比较品牌要用模型把价格考虑进去。", **facts)

    @classmethod
    def _words(
        cls, report: Report, form: Any, tasks: Tasks, fit: ChoiceFit, scenario: Floats,
        premiums: list[tuple[str, float]], by_brand: bool,
    ) -> None:  # fmt: skip
        found = shares_with_bounds(tasks.design(scenario, by_brand), fit.beta, fit.covariance, form.conf_level)
        top = max(range(tasks.k), key=lambda j: found[j].value)
        slopes = _slopes(tasks, fit, by_brand)
        # A premium in money has a meaning only where a higher price is worth less.
        priced = [one for one, slope in zip(premiums, slopes[1:], strict=True) if slope < 0 and slopes[0] < 0]
        facts: dict[str, Any] = {
            "v": tasks.brands[top], "s": found[top].value, "low": found[top].low, "high": found[top].high,
            "level": form.conf_level, "n": fit.n,
            "m": int(fit.of.persons.max()) + 1 if fit.of.persons is not None else 0,
        }  # fmt: skip
        how = "填写的价格" if form.scenario else "平均价格"
        main = f"按{how}模拟，“{{v}}”的份额最大，{{s:percent1}}"
        main += "（{level:percent} CI {low:percent1} 到 {high:percent1}）。"
        if priced:
            best = max(priced, key=lambda one: one[1])
            facts |= {"base": tasks.brands[0], "w": best[0], "pr": abs(best[1])}
            if best[1] > 0:
                main += "“{w}”可以比“{base}”贵 {pr:num}，两者仍一样有吸引力。"
            else:
                main += "“{w}”要比“{base}”便宜 {pr:num}，两者才一样有吸引力。"
        report.lead(
            main,
            [figure("份额最大", "{v:text}", "{s:percent1}"), figure("选择", "{n:integer} 次", "{m:integer} 位受访者")],
            **facts,
        )  # fmt: skip
        report.say(
            "品牌溢价是消费者愿意为品牌多付的钱。份额是模拟的选择比例，不是市场份额：铺货、促销都没有考虑。"
            "模型假定加入一个品牌时，其他品牌按原来的比例让出份额（IIA）；两个很像的品牌不符合这个假定。",
            voice="student",
        )  # fmt: skip
        report.say(
            "条件 Logit（{n:integer} 次选择，{m:integer} 人，标准误按受访者聚类）。" + main, voice="paper", **facts
        )
        report.say(main, voice="brief", **facts)
        wrong = [name for name, slope in zip(tasks.brands, slopes, strict=True) if slope >= 0] if by_brand else []
        if by_brand and wrong:
            report.check(
                "价格系数的方向", "care", "“{v}”的价格系数不是负的：越贵选的人越多，它的溢价和弹性不可用。", v=wrong[0]
            )
        elif slopes[0] >= 0:
            report.check("价格系数的方向", "care", "价格系数不是负的：越贵选的人越多，溢价和弹性不可用。")
        else:
            report.check("价格系数的方向", "pass", "价格系数都是负的，越贵选的人越少。")


def _slopes(tasks: Tasks, fit: ChoiceFit, by_brand: bool) -> Floats:
    """The price coefficient of each brand."""
    return fit.beta[-tasks.k :] if by_brand else np.full(tasks.k, fit.beta[-1])
