"""Van Westendorp's price sensitivity meter: four prices a person names, four curves, four crossings."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    NextStep,
    Points,
    Reference,
    Refusal,
    Region,
    Report,
    SetRemedy,
    Table,
    Visualization,
    choice,
    confidence,
    figure,
    filled,
    flag,
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
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words

from .meter import POINTS, People, curve_of, curves, grouped, key_points, pair_of, reach

NAMES = {"PMC": "边际便宜点 PMC", "IDP": "无差异价格点 IDP", "OPP": "最优价格点 OPP", "PME": "边际昂贵点 PME"}
CURVES = ("太便宜", "便宜", "贵", "太贵")
LETTERS = {"a": "太便宜", "b": "便宜", "c": "贵", "d": "太贵", "B": "不便宜", "C": "不贵"}
FEW, MUCH, MOST_GRID = 30, 0.2, 5000
MOST_DRAWS = 200_000_000
STEPS = {"grid": "step"}
NMS: dict[str, Any] = {"intent_cheap": filled}
GROUPED: dict[str, Any] = {"group": filled}


class PriceSensitivityAnalysis(Visualization):
    title, title_en = "价格敏感度分析(PSM)", "Van Westendorp price sensitivity meter"
    family, tier = "可视化模型", "standard"
    slug = "price-sensitivity-analysis"
    purpose = "消费者可接受的价格区间和最优价格点在哪里"
    aliases = ("PSM", "价格敏感度测试", "van Westendorp", "可接受价格区间", "最优价格", "定价")
    references = ("westendorp1976", "newton1993", "efron1993")
    conventions = (
        "“太便宜”“便宜”是认为不高于这个价格就便宜的人的比例（随价格下降），“贵”“太贵”随价格上升；都含等于。",
        "IDP 是“便宜”与“贵”的交点，OPP 是“太便宜”与“太贵”的交点。",
        "原始定义：PMC 是“太便宜”与“不便宜”的交点，PME 是“太贵”与“不贵”的交点；收窄定义改与“贵”“便宜”相交。",
        "线性插值：价格网格之间连直线；两线重合一段时取这一段的中点。阶梯：第一个上升线不低于下降线的网格价格。",
        "次序有效：太便宜 < 便宜 < 贵 < 太贵，都不相等。",
        "购买意愿（NMS）：在便宜价、贵价按折算的概率购买，到太便宜、太贵时为 0，其间连直线。",
        "区间由对受访者重抽样得到（百分位法）。",
    )
    weights = ("sampling",)
    random = True

    class Input(Form):
        too_cheap: Column = role("太便宜（怀疑质量）", "定量")
        cheap: Column = role("便宜（划算）", "定量")
        expensive: Column = role("贵（但可接受）", "定量")
        too_expensive: Column = role("太贵（不会买）", "定量")
        intent_cheap: Column | None = role("便宜价时的购买意愿（选填）", "定量", min=0, hint="分值越大越愿意买")
        intent_expensive: Column | None = role("贵价时的购买意愿（选填）", "定量", min=0, when=NMS)
        group: Column | None = role("分组变量（选填）", "定类", min=0, levels=(2, 12))
        weight: Column | None = weight("样本权重（选填）", kind="sampling")
        validate: bool = flag("剔除价格次序矛盾的样本", True)
        grid: str = choice("价格网格", {"observed": "实际回答值", "step": "等间隔"})
        step: float = number("间隔", 1, above=0, when=STEPS)
        intersection: str = choice("交点算法", {"linear": "线性插值", "step": "阶梯首个"})
        acceptable: str = choice(
            "区间定义", {"original": "原始（与不便宜、不贵相交）", "narrower": "收窄（与贵、便宜相交）"}
        )
        intent_calibration: list[float] = numbers(
            "意愿折算为购买概率", least=0, most=1, max=11, default=(0.7, 0.5, 0.3, 0.1, 0), when=NMS,
            hint="从最愿意到最不愿意；五分意愿时 5 分对第一个数",
        )  # fmt: skip
        interval: bool = flag("自助置信区间", True)
        n_resamples: int = resamples(1000, 200, 5000, when={"interval": True})
        conf_level: float = confidence(when={"interval": True})

    shares = Points("曲线", price=num("价格"), share=percent("比例"), curve=text("回答"))
    plot = Chart("价格敏感度曲线", "line", of=shares, x="price", y="share", series="curve", place="main")
    points = Table(
        "关键价格点", name=text("价格点"), curves=text("两条曲线"), price=num("价格", least=0),
        ci=interval("价格的CI", "low", "high", inside=False), share=percent("交点处的比例"), place="main",
    )  # fmt: skip
    range = Table(
        "可接受价格区间", layout="record", low=num("下限（PMC）", least=0), high=num("上限（PME）", least=0),
        width=num("宽度", least=None), place="main",
    )  # fmt: skip
    validity = Table(
        "样本有效性", item=text("项目"), n=integer("人数"), share=percent("占比"),
    )  # fmt: skip
    cumulated = Table(
        "累积百分比", price=num("价格", least=0), a=percent("太便宜"), b=percent("便宜"), c=percent("贵"),
        d=percent("太贵"), place="detail",
    )  # fmt: skip
    reached = Points("到达率", price=num("价格"), value=num("数值"), series=text("项"), when=NMS)
    trial = Chart("到达率与收入指数", "line", of=reached, x="price", y="value", series="series", when=NMS)
    intents = Table(
        "购买意愿扩展（NMS）", aim=text("目标"), price=num("价格", least=0),
        ci=interval("价格的CI", "low", "high", inside=False), reach=percent("到达率"),
        revenue=num("收入指数", least=0), when=NMS, place="main",
    )  # fmt: skip
    intent_curve = Table(
        "各价格的到达率", price=num("价格", least=0), reach=percent("到达率"), revenue=num("收入指数", least=0),
        when=NMS, place="detail",
    )  # fmt: skip
    groups = Table(
        "分组比较", group=text("组"), n=integer("人数"), name=text("价格点"), price=num("价格", least=0),
        ci=interval("价格的CI", "low", "high", inside=False), merge=("group", "n"), when=GROUPED, place="main",
    )  # fmt: skip
    apart = Chart(
        "各组的关键价格点", "interval", of=groups, x="name", y="price", low="low", high="high", group="group",
        when=GROUPED,
    )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="各价位有多少人愿意买", method="questionnaire/gabor_granger", form={})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        prices, kept = cls._valid(report, form)
        people = _people(form, prices, kept)
        grid = _grid(form, prices[kept])
        shares = curves(people, people.total, grid)
        found = cls._points(report, form, people, grid, shares)
        cls._curves(report, form, grid, shares[:, 0], found)
        if people.intent is not None:
            cls._intent(report, form, people, grid)
        if form.group is not None:
            cls._groups(report, form, prices, kept, grid)
        cls._words(report, form, found, int(kept.sum()), len(kept))
        report.used(int(kept.sum()))
        return report

    @classmethod
    def _valid(cls, report: Report, form: Any) -> tuple[Floats, Any]:
        boxes = {k: getattr(form, k) for k in ("too_cheap", "cheap", "expensive", "too_expensive")}
        for field, column in boxes.items():
            bad = column.numbers < 0
            if bad.any():
                at = int(column.row_numbers[bad][0])
                raise Refusal(
                    "data.negative", "第 {at} 行价格为负（变量“{v}”），请改正或去掉这一行", field=field,
                    column=column.id, v=column.title, at=at,
                )  # fmt: skip
        prices = np.column_stack([column.numbers for column in boxes.values()]).astype(float)
        wrong = prices[:, 1:] <= prices[:, :-1]
        ordered = ~wrong.any(axis=1)
        n = len(prices)
        cells = {"四题都回答": n} | {
            f"“{a}”不低于“{b}”": int(wrong[:, k].sum()) for k, (a, b) in enumerate(pairwise(CURVES))
        }
        for item, count in {**cells, "次序有效": int(ordered.sum())}.items():
            report.row(cls.validity, item=item, n=count, share=count / n)
        report.note(cls.validity, "一个人可能有不止一处矛盾。")
        kept = ordered if form.validate else np.ones(n, dtype=bool)
        if not form.validate and not ordered.all():
            # The curves of a person out of order are still curves, the straight lines of intent are not.
            report.warn("data.order", "有 {k:integer} 人的四个价格次序矛盾，已保留。", k=int(n - ordered.sum()))
        if kept.sum() < 2:
            raise Refusal(
                "data.order", "{k} 个样本（{p}%）不满足 太便宜 < 便宜 < 贵 < 太贵，剔除后样本不足；请核对四列",
                field="too_cheap", also=["cheap", "expensive", "too_expensive"], k=int(n - ordered.sum()),
                p=f"{100 * (n - ordered.sum()) / n:.0f}",
                remedies=[SetRemedy(title="保留这些样本", set={"validate": False})] if form.validate else [],
            )  # fmt: skip
        return prices, kept

    @classmethod
    def _points(cls, report: Report, form: Any, people: People, grid: Floats, shares: Floats) -> dict[str, Any]:
        linear = form.intersection == "linear"
        prices = key_points(shares, grid, linear, form.acceptable)[0]
        for point, price in zip(POINTS, prices, strict=True):
            if np.isnan(price):
                falling, rising = (LETTERS[letter] for letter in pair_of(point, form.acceptable))
                raise Refusal(
                    "data.crossing", "“{a}”与“{b}”两条曲线在数据范围内没有交点，请核对四列有没有放错",
                    field="too_cheap", also=["cheap", "expensive", "too_expensive"], a=falling, b=rising,
                )  # fmt: skip
        low, high = cls._intervals(form, people, grid)
        facts: dict[str, Any] = {}
        for k, (point, price) in enumerate(zip(POINTS, prices, strict=True)):
            pair = pair_of(point, form.acceptable)
            share = float(np.interp(price, grid, curve_of(shares, pair[0])[0]))
            report.row(
                cls.points, name=NAMES[point], curves="与".join(f"“{LETTERS[letter]}”" for letter in pair), price=price,
                low=None if low is None else low[k], high=None if high is None else high[k], share=share,
            )  # fmt: skip
            facts[point.lower()] = float(price)
            if low is not None and high is not None:
                facts |= {point.lower() + "l": float(low[k]), point.lower() + "h": float(high[k])}
        if low is not None:
            report.note(
                cls.points, "CI 由 {times:integer} 次重抽样得到，置信水平 {level:percent}。", times=form.n_resamples,
                level=form.conf_level,
            )  # fmt: skip
        report.row(cls.range, low=prices[0], high=prices[3], width=prices[3] - prices[0])
        return facts

    @staticmethod
    def _intervals(form: Any, people: People, grid: Floats) -> tuple[Floats | None, Floats | None]:
        if not form.interval:
            return None, None
        totals = _drawn(form, people)
        prices = np.concatenate([
            key_points(curves(people, part, grid), grid, form.intersection == "linear", form.acceptable)
            for part in np.array_split(totals, max(1, totals.shape[0] * grid.size // 2_000_000))
        ])  # fmt: skip
        tail = (1 - form.conf_level) / 2
        return np.nanquantile(prices, tail, axis=0), np.nanquantile(prices, 1 - tail, axis=0)

    @classmethod
    def _curves(cls, report: Report, form: Any, grid: Floats, shares: Floats, found: dict[str, Any]) -> None:
        for price, own in zip(grid, shares.T, strict=True):
            report.row(cls.cumulated, price=price, a=own[0], b=own[1], c=own[2], d=own[3])
        drawn = np.unique(np.linspace(0, grid.size - 1, min(grid.size, 240)).round().astype(int))
        names = {"a": "太便宜", "B": "不便宜", "b": "便宜", "C": "不贵", "c": "贵", "d": "太贵"}
        letters = "abcd" if form.acceptable == "narrower" else "aBCbcd"
        for letter in letters:
            for place in drawn:
                share = float(curve_of(shares, letter)[place])
                report.row(cls.shares, price=grid[place], share=share, curve=names[letter])
        over: list[Any] = [Reference(x=found[point.lower()], label=point) for point in POINTS]
        low, high = found["pmc"], found["pme"]
        if high > low:
            over.insert(0, Region(x_low=low, x_high=high))
            report.note(cls.plot, "阴影是可接受区间（PMC 到 PME）。")
        report.chart(cls.plot, over=over)

    @classmethod
    def _intent(cls, report: Report, form: Any, people: People, grid: Floats) -> None:
        shares = reach(people, people.total, grid)[0]
        for price, share in zip(grid, shares, strict=True):
            report.row(cls.intent_curve, price=price, reach=share, revenue=100 * price * share)
        revenue = grid * shares
        top = float(revenue.max()) or 1.0
        for place in np.unique(np.linspace(0, grid.size - 1, min(grid.size, 240)).round().astype(int)):
            report.row(cls.reached, price=grid[place], value=100 * shares[place], series="到达率（%）")
            report.row(
                cls.reached, price=grid[place], value=100 * revenue[place] / top, series="收入（最高为 100）"
            )  # fmt: skip
        drawn = reach(people, _drawn(form, people), grid) if form.interval else None
        for aim, values, resampled in (
            ("到达率最高", shares, drawn),
            ("收入最大", revenue, None if drawn is None else drawn * grid),
        ):
            best = int(np.argmax(np.round(values, 12)))
            low = high = None
            if resampled is not None:
                tail = (1 - form.conf_level) / 2
                prices = grid[np.argmax(np.round(resampled, 12), axis=1)]
                low, high = np.quantile(prices, [tail, 1 - tail], method="inverted_cdf")
            report.row(
                cls.intents, aim=aim, price=grid[best], low=low, high=high, reach=shares[best],
                revenue=100 * grid[best] * shares[best],
            )  # fmt: skip
        best = int(np.argmax(np.round(revenue, 12)))
        report.note(cls.intents, "收入指数是每 100 人的收入；只在价格网格上找。")
        report.say(
            "按购买意愿，定价 {price:num} 收入最大，{share:percent1} 的人会买。", price=float(grid[best]),
            share=float(shares[best]),
        )  # fmt: skip

    @classmethod
    def _groups(cls, report: Report, form: Any, prices: Floats, kept: Any, grid: Floats) -> None:
        few = []
        for level, name in zip(form.group.levels, level_words(form.group.levels), strict=True):
            own = kept & form.group.where(level)
            n = int(own.sum())
            if n < 2:
                report.warn("data.few", "组“{v}”的有效样本只有 {n:integer} 个，未计算。", v=name, n=n)
                continue
            if n < FEW:
                few.append(name)
            people = _people(form, prices, own)
            shares = curves(people, people.total, grid)
            found = key_points(shares, grid, form.intersection == "linear", form.acceptable)[0]
            low, high = cls._intervals(form, people, grid)
            for k, point in enumerate(POINTS):
                if not np.isnan(found[k]):
                    report.row(
                        cls.groups, group=name, n=n, name=NAMES[point], price=found[k],
                        low=None if low is None else low[k], high=None if high is None else high[k],
                    )  # fmt: skip
        report.note(cls.groups, "区间不重叠时两组很可能不同；这里没有做检验。")
        if few:
            report.note(cls.groups, "不到 30 人的组：“{names:text}”，结果不稳定。", names="”“".join(few))

    @classmethod
    def _words(cls, report: Report, form: Any, found: dict[str, Any], n: int, asked: int) -> None:
        main = "可接受的价格在 {pmc:num} 到 {pme:num} 之间，最优价格点是 {opp:num}，无差异价格点是 {idp:num}。"
        facts: dict[str, Any] = {**found, "n": n}
        sure = "{level:percent} CI {oppl:num} 到 {opph:num}" if form.interval else "“太便宜”与“太贵”的人一样多"
        if form.interval:
            facts["level"] = form.conf_level
        report.lead(
            main,
            [
                figure("最优价格点", "{opp:num}", sure),
                figure("可接受区间", "{pmc:num} 到 {pme:num}"),
                figure("有效样本", "{n:integer}"),
            ],
            **facts,
        )
        report.say(
            "低于可接受区间，怀疑质量的人多于觉得划算的人；高于区间，不肯买的人多于还能接受的人。"
            "最优价格点处，嫌太便宜和嫌太贵的人一样多，拒绝的人最少。", voice="student",
        )  # fmt: skip
        points = {key: found[key] for key in ("pmc", "pme", "opp", "idp")}
        report.say("{n:integer} 人回答有效。" + main, voice="paper", n=n, **points)
        report.say(main, voice="brief", **points)
        report.say("这些价格来自“觉得贵不贵”，不是真会不会买；定价前请再看各价位的购买意愿。")
        report.check(
            "样本量", "pass" if n >= FEW else "care",
            "有效样本 {n:integer} 个，够用。" if n >= FEW else "有效样本仅 {n:integer} 个，结果不稳定。", n=n,
        )  # fmt: skip
        if form.validate:
            share = (asked - n) / asked
            report.check(
                "价格次序", "pass" if share <= MUCH else "care",
                "{share:percent1} 的人四个价格次序矛盾，已剔除"
                + ("。" if share <= MUCH else "，比例偏高，请检查题目是否容易看错。"), share=share,
            )  # fmt: skip


def _people(form: Any, prices: Floats, rows: Any) -> People:
    weights = np.ones(len(prices)) if form.weight is None else form.weight.numbers.astype(float)
    rows = rows & (weights > 0)
    return grouped(prices[rows], weights[rows], _intent_of(form, rows))


def _intent_of(form: Any, rows: Any) -> Floats | None:
    if form.intent_cheap is None:
        return None
    if form.intent_expensive is None:
        raise Refusal("role.required", "还缺“贵价时的购买意愿”，两题要一起放", field="intent_expensive")
    if not form.validate:
        raise Refusal(
            "data.order", "计算购买意愿时要剔除价格次序矛盾的样本", field="validate",
            remedies=[SetRemedy(title="剔除", set={"validate": True})],
        )  # fmt: skip
    scale = np.array(form.intent_calibration)
    if scale.size < 2 or (np.diff(scale) > 0).any():
        raise Refusal("data.scale", "折算的概率要从大到小填写，至少 2 个", field="intent_calibration")
    found = []
    for field in ("intent_cheap", "intent_expensive"):
        column = getattr(form, field)
        values = column.numbers
        odd = ~np.isin(values, np.arange(1, scale.size + 1))
        if odd.any():
            raise Refusal(
                "data.scale", "“{v}”出现 1–{k} 以外的取值“{x}”；折算概率有 {k} 个，意愿应为 1 到 {k} 分", field=field,
                also=["intent_calibration"], column=column.id, v=column.title, k=int(scale.size),
                x=f"{values[odd][0]:.10g}",
            )  # fmt: skip
        found.append(scale[scale.size - values.astype(int)])
    return np.asarray(np.column_stack(found)[rows])


def _grid(form: Any, prices: Floats) -> Floats:
    if form.grid == "observed":
        grid: Floats = np.unique(prices)
    else:
        first = np.floor(prices.min() / form.step)
        size = float(np.ceil(prices.max() / form.step) - first) + 1
        if size > MOST_GRID:
            raise Refusal(
                "data.grid", "间隔 {step} 会产生 {k} 个价格，最多 {most} 个，请调大间隔", field="step",
                step=f"{form.step:g}", k=f"{size:.0f}", most=MOST_GRID,
            )  # fmt: skip
        grid = (first + np.arange(size)) * form.step
    if grid.size > MOST_GRID:
        raise Refusal(
            "data.grid", "有 {k} 个不同的价格，最多 {most} 个；请把价格网格改为等间隔", field="grid", k=int(grid.size),
            most=MOST_GRID, remedies=[SetRemedy(title="等间隔", set={"grid": "step"})],
        )  # fmt: skip
    return grid


def _drawn(form: Any, people: People) -> Floats:
    if people.count.size * form.n_resamples > MOST_DRAWS:
        raise Refusal(
            "data.large", "样本太大，{times} 次重抽样要很久；请减少重抽样次数，或关闭置信区间", field="n_resamples",
            also=["interval"], times=form.n_resamples, remedies=[SetRemedy(title="不算区间", set={"interval": False})],
        )  # fmt: skip
    return people.drawn(form.n_resamples, form.rng)
