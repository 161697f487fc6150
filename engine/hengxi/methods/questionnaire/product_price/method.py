"""Demand by price: where demand breaks, and which price brings most revenue or profit."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Line,
    Method,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    confidence,
    figure,
    integer,
    interval,
    num,
    number,
    numbers,
    one_of,
    percent,
    resamples,
    role,
    text,
    weight,
)
from hengxi.families.pricing import demand as price_curve
from hengxi.families.pricing.demand import Curve, Demand, arc_elasticity, best_prices, fit_curve
from hengxi.stats.moments import Floats
from hengxi.stats.proportions import wilson

CURVES = {
    "empirical": "实际比例", "isotonic": "单调（保序）", "linear": "直线", "exponential": "指数", "logit": "Logit",
}  # fmt: skip


class ProductPrice(Method):
    title, title_en = "价格断裂点模型", "Price break-point (demand and revenue by price)"
    family, tier = "市场与产品研究", "standard"
    slug = "price-breakpoint"
    purpose = "价格提高到哪一点时愿意购买的人会骤减，哪个价格带来最大收入或利润"
    aliases = ("价格断裂点", "定价", "需求曲线", "最优价格", "价格弹性", "价格敏感")
    references = ("barlow1972", "lilien1992", "wilson1927", "efron1993")
    conventions = (
        "断裂指数 = 需求降幅 ÷ 价格升幅（都相对于前一个价格），按需求曲线计算；最大的一段是断裂点。",
        "弧弹性按两点的平均值计算；弹性的绝对值大于 1 时，涨价使收入减少。",
        "收入和利润是每 100 人的，未扣除渠道等费用。",
        "单调曲线用保序回归（按人数加权）；直线和指数按人数加权最小二乘；Logit 用二项最大似然。",
        "实际比例和单调曲线只在问过的价格里选最优价，其他曲线在最低价与最高价之间选。",
        "区间由对受访者重抽样得到（百分位法）。",
    )
    weights = ("frequency",)
    missing = "keep"
    random = True
    reads_names = True
    limits = (one_of("prices", "max_price"),)

    class Input(Form):
        prices: list[Column] = role("各价格点购买意愿（列）", "定量", min=0, max=price_curve.MOST_PRICES)
        max_price: Column | None = role("或：可接受最高价（一列）", "定量", min=0)
        weight: Column | None = weight("频数权重（选填）", kind="frequency")
        buy_from: float = number("视为购买的最低分", 4, hint="是／否的数据填 1")
        price_values: list[float] = numbers("价格数值", above=0, max=40, hint="不填时取各列名里最后一个数")
        unit_cost: float = number("单位成本", 0, least=0)
        curve: str = choice("需求曲线", CURVES, default="isotonic")
        inconsistent: str = price_curve.inconsistent_field("keep")
        n_resamples: int = resamples(1000, 200, 5000)
        conf_level: float = confidence()

    table = Table(
        "价格表", price=num("价格", least=0), n=integer("回答人数", fractions=True),
        buyers=integer("愿买人数", fractions=True), share=percent("愿买比例"),
        ci=interval("愿买比例的CI", "low", "high", around="share", format="percent"), fitted=percent("曲线"),
        revenue=num("每百人收入", least=0), profit=num("每百人利润"), elasticity=num("弧弹性"), drop=num("断裂指数"),
        place="main",
    )  # fmt: skip
    demand_points = Points("需求", price=num("价格"), share=percent("比例"), low=percent("l"), high=percent("h"))
    demand = Chart(
        "需求曲线", "line", of=demand_points, x="price", y="share", low="low", high="high",
        over=[Line(table, x="price", y="fitted", label="曲线")], place="main",
    )  # fmt: skip
    money = Points("收入与利润", price=num("价格"), value=num("每百人"), series=text("项"))
    moneys = Chart("收入与利润曲线", "line", of=money, x="price", y="value", series="series", place="main")
    bends = Points("弹性", price=num("价格"), value=num("断裂指数"))
    bend = Chart("断裂指数", "bar", of=bends, x="price", y="value")
    best = Table(
        "最优价", aim=text("目标"), price=num("价格", least=0), ci=interval("价格的CI", "low", "high", inside=False),
        share=percent("愿买比例"), value=num("每百人"), edge=text("在价格范围的边上"), place="main",
    )  # fmt: skip
    breaks = Table(
        "断裂点", layout="record", price=num("断裂点价格", least=0), next=num("再高一档", least=0),
        drop=num("断裂指数"), lost=percent("愿买比例减少", least=-1), agree=percent("重抽样中相同的比例"), place="main",
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = cls._read(report, form)
        curve = fit_curve(form.curve, data)
        if curve is None:
            raise Refusal(
                "data.curve", "愿买比例不随价格下降，或人人都买、都不买，{curve}曲线画不出来；请改用单调曲线",
                field="curve",
                curve=CURVES[form.curve], remedies=[SetRemedy(title="改用单调曲线", set={"curve": "isotonic"})],
            )  # fmt: skip
        drawn = data.drawn(form.n_resamples, form.rng)
        costs = (0.0, form.unit_cost) if form.unit_cost > 0 else (0.0,)
        found, resampled = best_prices(form.curve, data, curve, costs, form.conf_level, drawn)
        drops = _drops(data.prices, curve.at(data.prices))
        cls._table(report, form, data, curve, drops)
        facts = cls._best(report, form, data, found, costs)
        facts |= cls._break(report, data, curve, drops, resampled)
        cls._words(report, form, data, facts, bool(form.unit_cost > 0))
        report.used(len(next(one for one in [*form.prices, form.max_price] if one is not None)))
        return report

    @staticmethod
    def _read(report: Report, form: Any) -> Demand:
        if form.max_price is not None:
            return price_curve.read_highest(
                form, form.max_price, np.array(form.price_values) if form.price_values else None
            )
        if len(form.prices) < 3:
            raise Refusal("data.prices", "至少需要3个价格点，现有 {k} 个", field="prices", k=len(form.prices))
        prices = price_curve.prices_of(form.prices, form.price_values, "prices")
        return price_curve.read_ladder(report, form, form.prices, prices, form.buy_from, "prices")

    @classmethod
    def _table(cls, report: Report, form: Any, data: Demand, curve: Curve, drops: list[float | None]) -> None:
        fitted = curve.at(data.prices)
        arcs = arc_elasticity(data.prices, fitted)
        for i, price in enumerate(data.prices):
            low, high = wilson(float(data.bought[i]), float(data.n[i]), form.conf_level)
            revenue, profit = 100 * price * fitted[i], 100 * (price - form.unit_cost) * fitted[i]
            report.row(
                cls.table, price=price, n=data.n[i], buyers=data.bought[i], share=data.shares[i], low=low, high=high,
                fitted=fitted[i], revenue=revenue, profit=profit, elasticity=arcs[i], drop=drops[i],
            )  # fmt: skip
            report.row(cls.demand_points, price=price, share=data.shares[i], low=low, high=high)
            report.row(cls.money, price=price, value=revenue, series="收入")
            if form.unit_cost > 0:
                report.row(cls.money, price=price, value=profit, series="利润")
            if drops[i] is not None:
                report.row(cls.bends, price=price, value=drops[i])
        report.note(
            cls.table, "曲线是{curve}；收入、利润、弹性和断裂指数按曲线计算，每一行与前一个价格比。CI 为 Wilson 法，"
            "置信水平 {level:percent}。", curve=CURVES[form.curve], level=form.conf_level,
        )  # fmt: skip

    @classmethod
    def _best(cls, report: Report, form: Any, data: Demand, found: Any, costs: Any) -> dict[str, Any]:
        facts: dict[str, Any] = {}
        for aim, key, cost, one in zip(("收入最大", "利润最大"), "rp", costs, found, strict=False):
            edge = one.price in (data.prices[0], data.prices[-1])
            report.row(
                cls.best, aim=aim, price=one.price, low=one.low, high=one.high, share=one.share,
                value=100 * (one.price - cost) * one.share, edge="是" if edge else "否",
            )  # fmt: skip
            facts |= {key: one.price, key + "l": one.low, key + "h": one.high, key + "s": one.share, key + "e": edge}
        report.note(cls.best, "区间由 {times:integer} 次重抽样得到。", times=form.n_resamples)
        return facts

    @classmethod
    def _break(
        cls, report: Report, data: Demand, curve: Curve, drops: list[float | None], resampled: Floats
    ) -> dict[str, Any]:
        at = _worst(drops)
        fitted = curve.at(data.prices)
        same = [_worst(_drops(data.prices, shares)) == at for shares in resampled]
        facts = {
            "a": data.prices[at - 1], "b": data.prices[at], "drop": drops[at], "lost": fitted[at - 1] - fitted[at],
            "agree": float(np.mean(same)) if same else 1.0,
        }  # fmt: skip
        report.row(
            cls.breaks, price=facts["a"], next=facts["b"], drop=facts["drop"], lost=facts["lost"], agree=facts["agree"]
        )  # fmt: skip
        return facts

    @classmethod
    def _words(cls, report: Report, form: Any, data: Demand, facts: dict[str, Any], costs: bool) -> None:
        facts = {**facts, "n": data.people, "level": form.conf_level}
        edges = facts.pop("re"), facts.pop("pe", False)
        main = "价格从 {a:num} 涨到 {b:num} 时愿买的人减少最快（少 {lost:percent1}）。"
        money = "定价 {r:num} 收入最大（{level:percent} CI {rl:num} 到 {rh:num}）。"
        if costs:
            money += "扣除成本后，定价 {p:num} 利润最大（{level:percent} CI {pl:num} 到 {ph:num}）。"
        report.lead(
            main + money,
            [
                figure("断裂点", "{a:num}", "再涨到 {b:num} 时骤减"),
                figure("收入最大价", "{r:num}", "{rs:percent1} 的人愿买"),
                figure("回答人数", "{n:num0}"),
            ],
            **facts,
        )
        report.say(
            "断裂点是再涨价就会失去很多人的价格。收入 = 价格 × 愿买的比例，涨价多收的钱抵不过失去的人时，收入就下降。"
            "说愿意买的人不会全买，比例偏高，价格之间的比较仍可参考。", voice="student",
        )  # fmt: skip
        report.say("{n:num0} 人回答。" + main + money, voice="paper", **facts)
        report.say(main + money, voice="brief", **facts)
        sure = facts["agree"]
        report.check(
            "断裂点是否稳定", "pass" if sure >= 0.8 else "care",
            "重抽样中有 {agree:percent} 找到同一个断裂点"
            + ("。" if sure >= 0.8 else "，断裂点不太稳定，请看相邻的价格。"),
            agree=sure,
        )  # fmt: skip
        edge = any(edges)
        report.check(
            "价格范围", "care" if edge else "pass",
            "最优价在问过的价格的边上，真正的最优价可能更低或更高，请扩大价格范围再问。" if edge
            else "最优价在问过的价格之间。",
        )  # fmt: skip


def _drops(prices: Floats, shares: Floats) -> list[float | None]:
    """Relative fall of demand over relative rise of the price before; None for the first and where nobody was left."""
    found: list[float | None] = [None]
    for i in range(1, prices.size):
        rise = prices[i] / prices[i - 1] - 1
        found.append(float((shares[i - 1] - shares[i]) / shares[i - 1] / rise) if shares[i - 1] > 0 else None)
    return found


def _worst(drops: list[float | None]) -> int:
    """The first place of the largest fall."""
    return max(range(1, len(drops)), key=lambda i: -np.inf if drops[i] is None else round(float(drops[i] or 0), 12))
