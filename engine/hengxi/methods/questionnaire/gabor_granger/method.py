"""Gabor-Granger: the highest price each person would pay, as a ladder of questions or one number, as demand."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    confidence,
    figure,
    filled,
    integer,
    interval,
    num,
    number,
    numbers,
    percent,
    resamples,
    role,
    text,
    weight,
)
from hengxi.families.pricing import demand as price_curve
from hengxi.families.pricing.demand import Best, Curve, Demand, arc_elasticity, best_prices, fit_curve
from hengxi.stats.names import level_words
from hengxi.stats.proportions import wilson

SMOOTH = {"none": "不平滑（只在问过的价格里选）", "logit": "Logit", "spline": "单调样条"}
KINDS = {"none": "empirical", "logit": "logit", "spline": "spline"}


class GaborGranger(Method):
    title, title_en = "Gabor-Granger价格测试", "Gabor-Granger"
    family, tier = "市场与产品研究", "member"
    slug = "gabor-granger"
    purpose = "逐级询价得到的最高愿付价如何转成需求曲线和最优价格"
    aliases = ("Gabor-Granger", "GG 价格测试", "最高愿付价", "支付意愿", "价格梯度", "WTP")
    references = ("gabor1966", "wilson1927", "efron1993", "fritsch1984")
    conventions = (
        "需求是愿意付这个价格（最高愿付价不低于它）的人的比例。",
        "不平滑时，最优价只在问过的价格里选；收入相同的取较低的价格。",
        "Logit 由二项最大似然得到；样条是过各点的单调三次曲线（Fritsch 和 Butland，1984），先按保序回归使需求不升。",
        "点弹性是曲线在这个价格的弹性；不平滑时是与前一个价格之间的弧弹性。",
        "区间由对受访者重抽样得到（百分位法）。",
    )
    weights = ("frequency",)
    missing = "keep"
    random = True
    reads_names = True

    class Input(Form):
        ladder: list[Column] = role(
            "各价格是否购买（列）或最高愿付价（一列）", "定量", min=1, max=price_curve.MOST_PRICES
        )  # fmt: skip
        group: Column | None = role("分组变量（选填）", "定类", min=0, levels=(2, 20))
        weight: Column | None = weight("频数权重（选填）", kind="frequency")
        price_values: list[float] = numbers(
            "价格梯度", above=0, max=40, hint="不填时取各列名里最后一个数，或出现过的愿付价"
        )
        market_size: float = number("市场规模", 100, above=0, hint="潜在顾客的人数")
        unit_cost: float = number("单位成本", 0, least=0)
        smooth: str = choice("平滑曲线", SMOOTH)
        inconsistent: str = price_curve.inconsistent_field("refuse")
        n_resamples: int = resamples(1000, 200, 5000)
        conf_level: float = confidence()

    table = Table(
        "需求表", price=num("价格", least=0), n=integer("回答人数", fractions=True),
        buyers=integer("愿付人数", fractions=True), share=percent("累计愿付比例"),
        ci=interval("愿付比例的CI", "low", "high", around="share", format="percent"), fitted=percent("曲线"),
        volume=num("预期销量", least=0), revenue=num("收入", least=0), profit=num("利润"), elasticity=num("点弹性"),
        place="main",
    )  # fmt: skip
    demand_points = Points("需求", price=num("价格"), share=percent("比例"), low=percent("l"), high=percent("h"))
    demand = Chart("需求曲线", "line", of=demand_points, x="price", y="share", low="low", high="high", place="main")
    money = Points("收入与利润", price=num("价格"), value=num("金额"), series=text("项"))
    moneys = Chart("收入曲线", "line", of=money, x="price", y="value", series="series", place="main")
    bends = Points("弹性", price=num("价格"), value=num("弹性"))
    bend = Chart("弹性图", "line", of=bends, x="price", y="value")
    best = Table(
        "最优价表", group=text("组"), aim=text("目标"), n=integer("人数", fractions=True), price=num("价格", least=0),
        ci=interval("价格的CI", "low", "high", inside=False), share=percent("愿付比例"), value=num("金额"),
        merge=("group",), place="main",
    )  # fmt: skip
    by_group = Points(
        "各组的需求", group=text("组"), price=num("价格"), share=percent("比例"), when={"group": filled}
    )  # fmt: skip
    groups = Chart(
        "各组的需求曲线", "line", of=by_group, x="price", y="share", series="group", when={"group": filled}
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = cls._read(report, form, None)
        curve = _curve(form, data)
        cls._table(report, form, data, curve)
        found = cls._best(report, form, "全部", data, curve)
        apart = cls._groups(report, form, data)
        cls._words(report, form, data, found, apart)
        report.used(len(form.ladder[0]))
        return report

    @staticmethod
    def _read(report: Report, form: Any, rows: Any, prices: Any = None) -> Demand:
        if len(form.ladder) == 1:
            given = np.array(form.price_values) if form.price_values else prices
            return price_curve.read_highest(form, form.ladder[0], given, rows)
        if len(form.ladder) < 3:
            raise Refusal("data.prices", "至少需要 3 个价格点，现有 {k} 个", field="ladder", k=len(form.ladder))
        own = price_curve.prices_of(form.ladder, form.price_values, "ladder")
        return price_curve.read_ladder(report if rows is None else Report(), form, form.ladder, own, 1, "ladder", rows)

    @classmethod
    def _table(cls, report: Report, form: Any, data: Demand, curve: Curve) -> None:
        fitted = curve.at(data.prices)
        slope = None if curve.slope is None else curve.slope(data.prices)
        arcs = arc_elasticity(data.prices, fitted)
        for i, price in enumerate(data.prices):
            low, high = wilson(float(data.bought[i]), float(data.n[i]), form.conf_level)
            volume = float(fitted[i]) * form.market_size
            bend = arcs[i] if slope is None else float(slope[i] * price / fitted[i]) if fitted[i] > 0 else None
            report.row(
                cls.table, price=price, n=data.n[i], buyers=data.bought[i], share=data.shares[i], low=low, high=high,
                fitted=fitted[i], volume=volume, revenue=price * volume, profit=(price - form.unit_cost) * volume,
                elasticity=bend,
            )  # fmt: skip
            report.row(cls.demand_points, price=price, share=data.shares[i], low=low, high=high)
            report.row(cls.money, price=price, value=price * volume, series="收入")
            if form.unit_cost > 0:
                report.row(cls.money, price=price, value=(price - form.unit_cost) * volume, series="利润")
            if bend is not None:
                report.row(cls.bends, price=price, value=bend)
        report.note(
            cls.table,
            "销量 = 曲线 × 市场规模（{size:num0}）；CI 为 Wilson 法，置信水平 {level:percent}。弹性为{kind:text}。",
            size=form.market_size, level=form.conf_level,
            kind="与前一价格之间的弧弹性" if slope is None else "曲线的点弹性",
        )  # fmt: skip
        if data.shares[-1] >= 1:
            report.warn(
                "data.ceiling", "所有人都接受最高价 {p:num}，价格梯度未触及上限，需求曲线右端未知。", p=data.prices[-1]
            )

    @classmethod
    def _best(cls, report: Report, form: Any, group: str, data: Demand, curve: Curve) -> list[Best]:
        costs = (0.0, form.unit_cost) if form.unit_cost > 0 else (0.0,)
        drawn = data.drawn(form.n_resamples, form.rng)
        found, _ = best_prices(KINDS[form.smooth], data, curve, costs, form.conf_level, drawn)
        for aim, cost, one in zip(("收入最优", "利润最优"), costs, found, strict=False):
            report.row(
                cls.best, group=group, aim=aim, n=data.people, price=one.price, low=one.low, high=one.high,
                share=one.share, value=(one.price - cost) * one.share * form.market_size,
            )  # fmt: skip
        report.note(cls.best, "区间由 {times:integer} 次重抽样得到。", times=form.n_resamples)
        return found

    @classmethod
    def _groups(cls, report: Report, form: Any, data: Demand) -> list[tuple[str, float]]:
        """Best price of each group for revenue."""
        found = []
        levels = form.group.levels if form.group is not None else []
        for level, name in zip(levels, level_words(levels), strict=True):
            try:
                own = cls._read(report, form, form.group.where(level), data.prices)
                curve = _curve(form, own)
            except Refusal as refusal:
                report.warn(refusal.code, "组“{v}”未计算：{why:text}。", v=name, why=refusal.text)
                continue
            found.append((name, cls._best(report, form, name, own, curve)[0].price))
            for price, share in zip(own.prices, curve.at(own.prices), strict=True):
                report.row(cls.by_group, group=name, price=price, share=float(share))
        return found

    @classmethod
    def _words(
        cls, report: Report, form: Any, data: Demand, found: list[Best], apart: list[tuple[str, float]]
    ) -> None:  # fmt: skip
        one = found[0]
        facts: dict[str, Any] = {
            "r": one.price, "rl": one.low, "rh": one.high, "rs": one.share, "n": data.people, "level": form.conf_level,
        }  # fmt: skip
        main = "定价 {r:num} 收入最大（{level:percent} CI {rl:num} 到 {rh:num}），{rs:percent1} 的人愿付这个价格。"
        if len(found) > 1:
            facts |= {"p": found[1].price, "pl": found[1].low, "ph": found[1].high}
            main += "扣除成本后，定价 {p:num} 利润最大（{level:percent} CI {pl:num} 到 {ph:num}）。"
        tail = ""
        if len(apart) > 1:
            high, low = max(apart, key=lambda g: g[1]), min(apart, key=lambda g: g[1])
            facts |= {"ga": high[0], "gap": high[1], "gb": low[0], "gbp": low[1]}
            tail = "收入最优价最高的组是“{ga}”（{gap:num}），最低的是“{gb}”（{gbp:num}）。"
            if high[1] == low[1]:
                tail = "各组的收入最优价相同（{gap:num}）。"
        report.lead(
            main + tail,
            [
                figure("收入最优价", "{r:num}", "{level:percent} CI {rl:num} 到 {rh:num}"),
                figure("愿付比例", "{rs:percent1}"),
                figure("人数", "{n:num0}"),
            ],
            **facts,
        )
        report.say(
            "价格越高，愿付的人越少；收入是价格乘以愿付的人数，两者抵消的地方收入最大。"
            "区间宽时，相邻的几个价格收入差不多，可以按品牌定位选。", voice="student",
        )  # fmt: skip
        report.say("{n:num0} 人回答。" + main + tail, voice="paper", **facts)
        report.say(main, voice="brief", **facts)
        edge = one.price in (data.prices[0], data.prices[-1])
        report.check(
            "价格范围", "care" if edge else "pass",
            "最优价在价格梯度的边上，请扩大价格范围再问。" if edge else "最优价在价格梯度之内。",
        )  # fmt: skip


def _curve(form: Any, data: Demand) -> Curve:
    found = fit_curve(KINDS[form.smooth], data)
    if found is None:
        raise Refusal(
            "data.curve", "愿付比例不随价格下降，或人人都愿付，Logit 曲线画不出来；请改为不平滑", field="smooth",
            remedies=[SetRemedy(title="不平滑", set={"smooth": "none"})],
        )  # fmt: skip
    return found
