"""Demand by price from stated intent: who would buy at each price, and which price brings most revenue or profit."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Line,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    Visualization,
    choice,
    confidence,
    estimates,
    figure,
    filled,
    flag,
    integer,
    interval,
    num,
    number,
    numbers,
    one_of,
    percent,
    pvalue,
    resamples,
    role,
    stat,
    text,
    words,
)
from hengxi.families.pricing.demand import (
    Best,
    Curve,
    Demand,
    arc_elasticity,
    best_prices,
    demand_of,
    fit_curve,
    isotonic,
    prices_of,
)
from hengxi.methods.research_visualization_model._shared.options import is_option, split_options
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words
from hengxi.stats.proportions import wilson

CURVES = {"logit": "Logit", "linear": "线性", "constant_elasticity": "常弹性", "isotonic": "单调阶梯"}
KINDS = {"logit": "logit", "linear": "linear", "constant_elasticity": "elastic", "isotonic": "isotonic"}
FITTED: dict[str, Any] = {"curve": ("logit", "linear", "constant_elasticity")}
GROUPED: dict[str, Any] = {"group": filled}
MOST_OPTIONS, MOST_PRICES = 20, 20


class ProductPrice(Visualization):
    title, title_en = "产品定价分析", "Product pricing (Gabor-Granger)"
    family, tier = "可视化模型", "standard"
    slug = "product-price"
    purpose = "各价位下有多少人愿意买，哪个价位收入或利润最高"
    aliases = ("定价", "需求曲线", "最优价格", "价格弹性", "购买意愿", "收入曲线")
    references = ("gabor1966", "barlow1972", "wilson1927", "efron1993")
    conventions = (
        "购买率是选了“视为购买的选项”的人的比例；填了折算系数时，是各选项的系数的平均。",
        "收入指数 = 100 × 价格 × 曲线；利润 = (价格 − 单位成本) × 曲线 × 市场规模。",
        "线性、常弹性按人数加权最小二乘，Logit 用二项最大似然；单调阶梯用保序回归，只在问过的价格里选最优价。",
        "强制单调：先按人数加权的保序回归使购买率不升，再拟合曲线。",
        "点弹性由曲线求导；单调阶梯是与前一个价格之间的弧弹性。",
        "R² = 1 − Σn(q − 曲线)²/Σn(q − 均值)²。标准误把各价位当作独立的样本。",
        "最优价的区间由对受访者重抽样得到（百分位法）。",
    )
    missing = "keep"
    random = True
    reads_names = True
    limits = (one_of("prices", "max_price"),)

    class Input(Form):
        prices: list[Column] = role("各价位购买意愿（每列一个价位）", "任意", min=0, max=MOST_PRICES)
        max_price: Column | None = role("或：最高可接受价（一列）", "定量", min=0)
        group: Column | None = role("分组变量（选填）", "定类", min=0, levels=(2, 12))
        price_values: list[float] = numbers(
            "各列对应的价格", above=0, max=MOST_PRICES, hint="不填时取各列名里最后一个数"
        )
        intent: str = words("视为购买的选项", "4,5", longest=200, hint="用逗号隔开，写分值或选项文字")
        calibration: list[float] = numbers(
            "意愿折算系数（选填）", least=0, most=1, max=MOST_OPTIONS,
            hint="依次对应视为购买的选项，如 4 分 0.3、5 分 0.8",
        )  # fmt: skip
        unit_cost: float = number("单位成本", 0, least=0)
        market_size: int = integer("市场规模", 1000, least=1, most=1_000_000_000)
        monotone: bool = flag("强制需求单调递减", True)
        curve: str = choice("需求曲线", CURVES)
        interval: bool = flag("自助置信区间", True)
        n_resamples: int = resamples(1000, 200, 5000, when={"interval": True})
        conf_level: float = confidence()

    demand_points = Points("需求", price=num("价格"), share=percent("比例"), low=percent("l"), high=percent("h"))
    curve_points = Points("需求曲线的点", price=num("价格"), fitted=percent("比例"))
    demand = Chart(
        "需求曲线", "point", of=demand_points, x="price", y="share", low="low", high="high",
        over=[Line(curve_points, x="price", y="fitted", label="曲线")], place="main",
    )  # fmt: skip
    money = Points("收入与利润", price=num("价格"), value=num("数值"), series=text("项"))
    moneys = Chart("收入与利润曲线", "line", of=money, x="price", y="value", series="series", place="main")
    best = Table(
        "最优价格", aim=text("目标"), price=num("价格", least=0), ci=interval("价格的CI", "low", "high", inside=False),
        share=percent("购买率"), value=num("数值"), edge=text("在价格范围的边上"), place="main",
    )  # fmt: skip
    table = Table(
        "价格需求", price=num("价格", least=0), n=integer("回答人数"), buyers=num("购买人数", least=0),
        share=percent("购买率"), ci=interval("购买率的CI", "low", "high", around="share", format="percent"),
        fitted=percent("曲线"), revenue=num("期望收入指数", least=0), profit=num("期望利润"), elasticity=num("点弹性"),
        place="main",
    )  # fmt: skip
    bends = Points("弹性", price=num("价格"), value=num("弹性"))
    bend = Chart("价格弹性", "line", of=bends, x="price", y="value")
    parameters = Table(
        "需求曲线参数", name=text("参数"), b=num("估计"), se=num("标准误", least=0, around="b"), t=num("统计量"),
        p=pvalue(), when=FITTED, claim=estimates(stat("统计量", "t"), interval=None, outcome="prices"),
    )  # fmt: skip
    fit = Table("拟合", layout="record", r2=num("*R*²", most=1, decimals=3), place="detail")
    groups = Table(
        "各组的最优价", group=text("组"), aim=text("目标"), n=integer("人数"), price=num("价格", least=0),
        ci=interval("价格的CI", "low", "high", inside=False), share=percent("购买率"), merge=("group",), when=GROUPED,
    )  # fmt: skip
    group_points = Points("各组的需求", group=text("组"), price=num("价格"), share=percent("比例"), when=GROUPED)
    group_plot = Chart(
        "各组的需求曲线", "line", of=group_points, x="price", y="share", series="group", when=GROUPED
    )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="再涨到哪里会失去很多人", method="questionnaire/product_price", form={})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = _read(form, None)
        if form.unit_cost > data.prices[-1]:
            raise Refusal(
                "data.cost", "单位成本 {c} 高于最高价位 {p}，没有盈利价格", field="unit_cost", c=f"{form.unit_cost:g}",
                p=f"{data.prices[-1]:g}",
            )  # fmt: skip
        rises = bool((np.diff(data.shares) > 1e-12).any())
        if rises:
            report.warn(
                "data.rising", "购买率没有一直随价格下降，请检查列与价格的对应关系"
                + ("；已按单调递减修匀。" if form.monotone or form.curve == "isotonic" else "。"),
            )  # fmt: skip
        curve = _curve(form, data)
        costs = (0.0, form.unit_cost) if form.unit_cost > 0 else (0.0,)
        found = _best(form, data, curve, costs)
        cls._table(report, form, data, curve)
        facts = cls._write_best(report, form, data, found, costs)
        cls._parameters(report, form, data, curve)
        if form.group is not None:
            cls._groups(report, form, data, costs)
        cls._words(report, form, data, facts)
        report.used(len(next(column for column in [*form.prices, form.max_price] if column is not None)))
        return report

    @classmethod
    def _table(cls, report: Report, form: Any, data: Demand, curve: Curve) -> None:
        fitted = curve.at(data.prices)
        bends = _elasticities(curve, data.prices, fitted)
        for i, price in enumerate(data.prices):
            low, high = wilson(float(data.bought[i]), float(data.n[i]), form.conf_level)
            revenue, profit = 100 * price * fitted[i], (price - form.unit_cost) * fitted[i] * form.market_size
            report.row(
                cls.table, price=price, n=int(data.n[i]), buyers=float(data.bought[i]), share=data.shares[i], low=low,
                high=high, fitted=fitted[i], revenue=revenue, profit=profit, elasticity=bends[i],
            )  # fmt: skip
            report.row(cls.demand_points, price=price, share=data.shares[i], low=low, high=high)
            if bends[i] is not None:
                report.row(cls.bends, price=price, value=bends[i])
        smooth = form.curve != "isotonic"
        fine = np.linspace(data.prices[0], data.prices[-1], 81) if smooth else data.prices
        for price, share in zip(fine, curve.at(fine), strict=True):
            report.row(cls.curve_points, price=float(price), fitted=float(share))
            report.row(cls.money, price=float(price), value=float(100 * price * share), series="每百人收入")
            if form.unit_cost > 0:
                value = float(100 * (price - form.unit_cost) * share)
                report.row(cls.money, price=float(price), value=value, series="每百人利润")
        report.note(
            cls.table, "曲线是{curve:text}；收入、利润和弹性按曲线计算，市场规模 {size:integer} 人。CI 为 Wilson 法，"
            "置信水平 {level:percent}。", curve=CURVES[form.curve], size=form.market_size, level=form.conf_level,
        )  # fmt: skip

    @classmethod
    def _write_best(cls, report: Report, form: Any, data: Demand, found: list[Best], costs: Any) -> dict[str, Any]:
        facts: dict[str, Any] = {}
        for aim, key, cost, own in zip(("收入最大", "利润最大"), "rp", costs, found, strict=False):
            edge = own.price in (data.prices[0], data.prices[-1])
            value = 100 * own.price * own.share if key == "r" else (own.price - cost) * own.share * form.market_size
            ends: dict[str, Any] = {"low": own.low, "high": own.high} if form.interval else {}
            report.row(
                cls.best, aim=aim, price=own.price, share=own.share, value=value, edge="是" if edge else "否", **ends
            )  # fmt: skip
            facts |= {key: own.price, key + "s": own.share, key + "e": edge} | {key + k: v for k, v in ends.items()}
        report.note(
            cls.best, "收入的数值是每 100 人的收入，利润是市场规模下的利润。"
            + ("区间由 {times:integer} 次重抽样得到。" if form.interval else ""),
            **({"times": form.n_resamples} if form.interval else {}),
        )  # fmt: skip
        return facts

    @classmethod
    def _parameters(cls, report: Report, form: Any, data: Demand, curve: Curve) -> None:
        fitted = curve.at(data.prices)
        mean = float(data.n @ data.shares / data.n.sum())
        spread = float(data.n @ (data.shares - mean) ** 2)
        if spread > 0:
            report.row(cls.fit, r2=1 - float(data.n @ (data.shares - fitted) ** 2) / spread)
        else:
            report.skip(cls.fit, "各价位的购买率相同")
        if curve.parameters is None:
            return
        b, se, df = _errors(form.curve, _smoothed(form, data), curve.parameters)
        for name, value, error in zip(_NAMES[form.curve], b, se, strict=True):
            t = None if error is None else value / error
            p = None if t is None else float(2 * (stats.norm.sf(abs(t)) if df is None else stats.t.sf(abs(t), df)))
            report.row(cls.parameters, name=name, b=value, se=error, t=t, p=p)
        report.note(cls.parameters, "统计量为 *z*。" if df is None else "统计量为 *t*，自由度 {df:integer}。",
                    **({} if df is None else {"df": df}))  # fmt: skip

    @classmethod
    def _groups(cls, report: Report, form: Any, data: Demand, costs: Any) -> None:
        for level, name in zip(form.group.levels, level_words(form.group.levels), strict=True):
            try:
                own = _read(form, form.group.where(level), data.prices)
                curve = _curve(form, own)
            except Refusal as refusal:
                report.warn(refusal.code, "组“{v}”未计算：{why:text}。", v=name, why=refusal.text)
                continue
            for aim, best in zip(("收入最大", "利润最大"), _best(form, own, curve, costs), strict=False):
                ends: dict[str, Any] = {"low": best.low, "high": best.high} if form.interval else {}
                report.row(
                    cls.groups, group=name, aim=aim, n=round(own.people), price=best.price, share=best.share, **ends
                )  # fmt: skip
            for price, share in zip(own.prices, own.shares, strict=True):
                report.row(cls.group_points, group=name, price=float(price), share=float(share))

    @classmethod
    def _words(cls, report: Report, form: Any, data: Demand, facts: dict[str, Any]) -> None:
        edges = facts.pop("re"), facts.pop("pe", False)
        facts |= {"n": data.people}
        sure = ""
        if form.interval:
            sure = "（{level:percent} CI {rlow:num} 到 {rhigh:num}）"
            facts["level"] = form.conf_level
        main = f"定价 {{r:num}} 收入最大{sure}，{{rs:percent1}} 的人会买。"
        if "p" in facts:
            main += "扣除成本后，定价 {p:num} 利润最大" + sure.replace("{r", "{p") + "，{ps:percent1} 的人会买。"
        report.lead(
            main,
            [
                figure("收入最大价", "{r:num}", "{rs:percent1} 的人会买"),
                figure("回答人数", "{n:num0}"),
            ],
            **facts,
        )
        report.say(
            "价格越高，买的人越少。收入是价格乘以买的人数，两者抵消的地方收入最大。"
            "说愿意买的人不会全买，购买率偏高，价位之间的比较仍可参考。", voice="student",
        )  # fmt: skip
        report.say("{n:num0} 人回答。" + main, voice="paper", **facts)
        report.say(main, voice="brief", **{key: value for key, value in facts.items() if key != "n"})
        edge = any(edges)
        report.check(
            "价格范围", "care" if edge else "pass",
            "最优价在问过的价格的边上，真正的最优价可能更低或更高，请扩大价格范围再问。" if edge
            else "最优价在问过的价格之间。",
        )  # fmt: skip


_NAMES = {"logit": ("截距", "价格"), "linear": ("截距", "价格"), "constant_elasticity": ("ln 系数", "弹性")}


def _read(form: Any, rows: Any, prices: Floats | None = None) -> Demand:
    """Demand of all people or of a group."""
    if form.max_price is not None:
        return _read_highest(form, rows, prices)
    if len(form.prices) < 2:
        raise Refusal("data.prices", "至少需要 2 个价位，现有 {k} 个", field="prices", k=len(form.prices))
    prices = prices_of(form.prices, form.price_values, "prices")
    if (np.diff(prices) <= 0).any():
        raise Refusal("data.prices", "价格必须从低到高填写，列也按同样的次序放", field="price_values", also=["prices"])
    shares = _options(form)
    buys = np.column_stack([_answers(form, column, shares) for column in form.prices])
    asked = ~np.isnan(buys)
    weight = np.ones(len(buys)) if rows is None else rows.astype(float)
    return demand_of(prices, np.nan_to_num(buys), asked, weight * asked.any(axis=1), "prices", least=2)


def _read_highest(form: Any, rows: Any, prices: Floats | None) -> Demand:
    highest = form.max_price.numbers
    if prices is None:
        typed = np.array(form.price_values, dtype=float)
        if (np.diff(typed) <= 0).any():
            raise Refusal("data.prices", "价格必须从低到高填写", field="price_values")
        prices = typed if typed.size else np.unique(highest[highest > 0])
        if prices.size > MOST_PRICES:
            raise Refusal(
                "data.prices", "“{v}”有 {k} 个不同的价格，最多 {most} 个；请填写要看的价格", field="price_values",
                also=["max_price"], column=form.max_price.id, v=form.max_price.title, k=int(prices.size),
                most=MOST_PRICES,
            )  # fmt: skip
    buys = np.greater_equal.outer(np.nan_to_num(highest, nan=-np.inf), prices)
    weight = (~np.isnan(highest)).astype(float) * (1.0 if rows is None else rows)
    return demand_of(prices, buys.astype(float), np.ones_like(buys), weight, "max_price", least=2)


def _options(form: Any) -> dict[str, float]:
    """The options that count as buying, with their share that does."""
    options = split_options(form.intent)
    if not options:
        raise Refusal("data.intent", "请填写视为购买的选项，如 4,5", field="intent")
    if form.calibration and len(form.calibration) != len(options):
        raise Refusal(
            "data.calibration", "折算系数有 {a} 个，视为购买的选项有 {b} 个，请一一对应", field="calibration",
            also=["intent"], a=len(form.calibration), b=len(options),
        )  # fmt: skip
    return dict(zip(options, form.calibration or [1.0] * len(options), strict=True))


def _answers(form: Any, column: Column, shares: dict[str, float]) -> Floats:
    """Probability of buying of each person; NaN where there is no answer."""
    if len(column.levels) > MOST_OPTIONS:
        raise Refusal(
            "data.options", "“{v}”有 {k} 种取值，不像购买意愿的选项（最多 {most} 种）", field="prices",
            column=column.id, v=column.title, k=len(column.levels), most=MOST_OPTIONS,
        )  # fmt: skip
    held = [
        next((share for option, share in shares.items() if is_option(level, option)), 0.0) for level in column.levels
    ]
    return np.append(held, np.nan)[column.codes]


def _smoothed(form: Any, data: Demand) -> Demand:
    """With shares that never rise, where that is asked for."""
    if not form.monotone:
        return data
    shares = isotonic(data.shares, data.n)
    people = np.ones(1)
    return Demand(data.prices, (shares * data.n)[None, :], data.n[None, :], people)


def _curve(form: Any, data: Demand) -> Curve:
    curve = fit_curve(KINDS[form.curve], _smoothed(form, data))
    if curve is None:
        raise Refusal(
            "data.curve",
            "购买率未随价格下降（或人人都买、都不买），{curve}曲线画不出来；请检查列与价格的对应关系，或改用单调阶梯",
            field="curve", also=["prices"], curve=CURVES[form.curve],
            remedies=[SetRemedy(title="改用单调阶梯", set={"curve": "isotonic"})],
        )  # fmt: skip
    return curve


def _best(form: Any, data: Demand, curve: Curve, costs: Any) -> list[Best]:
    drawn = [_smoothed(form, own) for own in data.drawn(form.n_resamples, form.rng)] if form.interval else []
    return best_prices(KINDS[form.curve], data, curve, costs, form.conf_level, drawn)[0]


def _elasticities(curve: Curve, prices: Floats, fitted: Floats) -> list[float | None]:
    if curve.parameters is None:
        return arc_elasticity(prices, fitted)
    inside = (fitted > 0) & (fitted < 1)
    b = curve.parameters[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        bends = {"logit": -b * prices * (1 - fitted), "linear": -b * prices / fitted, "elastic": -b + 0 * prices}
    return [float(x) if held else None for x, held in zip(bends[curve.kind], inside, strict=True)]


def _errors(kind: str, data: Demand, parameters: tuple[float, float]) -> tuple[list[float], list[Any], int | None]:
    """Coefficients as they are shown, their standard errors, and the degrees of freedom of t (None: z)."""
    a, b = parameters
    p, n, shares = data.prices, data.n, data.shares
    x = np.column_stack([np.ones_like(p), p])
    shown = [a, -b]
    if kind == "logit":
        q = 1 / (1 + np.exp(-(a - b * p)))
        return shown, _roots(np.linalg.inv((x * (n * q * (1 - q))[:, None]).T @ x)), None
    df = p.size - 2
    if kind == "linear":
        fitted, design = a - b * p, x
    else:
        fitted = a * p ** (-b)
        design = np.column_stack([fitted, fitted * np.log(p)])
        shown = [float(np.log(a)), -b]
    if df < 1:
        return shown, [None, None], df
    variance = float(n @ (shares - fitted) ** 2) / df
    if variance < 1e-20 * n.sum():
        return shown, [None, None], df  # the points lie on the curve: their error is rounding
    return shown, _roots(variance * np.linalg.inv((design * n[:, None]).T @ design)), df


def _roots(covariance: Any) -> list[Any]:
    return [float(np.sqrt(value)) or None for value in np.diag(covariance)]
