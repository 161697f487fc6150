from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import rankdata

from hengxi.contract import (
    Chart,
    NewColumns,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    Wide,
    choice,
    figure,
    flag,
    integer,
    interval,
    num,
    text,
)
from hengxi.methods.evaluation._shared import indicators
from hengxi.methods.evaluation._shared.indicators import Data, Floats, forwarded, range_scaled, ranked
from hengxi.methods.evaluation._shared.ranking import SOURCES, RankedForm, Ranking, refuse_same
from hengxi.methods.evaluation._shared.weighting import TOP

SCALES = {"minmax": "极差法", "zscore": "标准化", "base_ratio": "与最优值之比", "rank": "名次"}
SUMS = {"linear": "线性加权", "geometric": "几何加权", "harmonic": "调和加权"}
WIDTH = 0.25


class CompositeIndex(Ranking):
    """Indicators made comparable, weighted, and summed to one index."""

    title, title_en = "综合指数法（线性加权）", "Composite index"
    purpose = "按给定权重把多个指标汇总成一个综合指数后，对象如何排序"
    aliases = ("综合指数", "线性加权", "SAW", "加权和", "几何加权", "综合得分")
    references = ("oecd2008", "hwang1981")
    random = True
    conventions = (
        "极差法：正向 (x − min)/(max − min)，负向 (max − x)/(max − min)；中间型、区间型 1 − d/max d。",
        "标准化：先正向化再 z 值（n − 1）；与最优值之比：正向 x/max，负向 min/x。",
        "名次：名次从差到好 1 到 n 再除以 n，同值取平均。",
        "线性 Σw·z，几何 Πz^w，调和 1/Σ(w/z)。",
        f"名次区间：每个权重独立随机增减 {WIDTH:.0%} 以内，取名次的 2.5% 与 97.5% 分位数。",
    )

    class Input(RankedForm):
        weight_source: str = choice("权重", {
            "equal": "等权", "manual": "手工", "entropy": "熵值法（极差法）", "critic": "CRITIC",
                "cv": "变异系数法"})  # fmt: skip
        normalize: str = choice("无量纲化", {
            "minmax": "极差法", "zscore": "标准化（z 值）", "base_ratio": "与最优值之比", "rank": "名次"})  # fmt: skip
        synthesis: str = choice("合成", SUMS)
        robustness: int = integer("随机改变权重的次数", 0, least=0, most=20000, hint="0 表示不做；一般 1,000 次")
        save_score: bool = flag("保存综合指数", False, advanced=True)

    result = Table("综合指数", object=text("对象"), index=num("综合指数"), rank=integer("排名"), place="main")
    top = Points("指数最高的对象", object=text("对象"), index=num("综合指数"))
    plot = Chart(f"综合指数（最多 {TOP} 个）", "bar", of=top, x="object", y="index", place="main")
    parts = Table("各指标的值", object=text("对象"), layout=Wide(value=num("处理后"), part=num("贡献")), place="detail")
    spread = Table("名次的区间", object=text("对象"), rank=integer("排名"), ci=interval("95% 区间"), place="detail")
    saved = NewColumns("综合指数（新变量）", when={"save_score": True})

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = indicators.read(form, least_indicators=1)
        refuse_same(data)
        weights = cls.weigh(report, form, data)
        z = cls._scaled(form, data)
        index = total(z, weights, form.synthesis)
        ranks = ranked(index)
        report.add_rows(cls.result, {"object": data.objects, "index": index, "rank": np.array(ranks)})
        order = np.argsort(-index, kind="stable")
        for k in order[:TOP]:
            report.row(cls.top, object=data.objects[k], index=index[k])
        for i, name in enumerate(data.objects):
            cells = {
                item: {"value": z[i, j], "part": weights[j] * z[i, j] if form.synthesis == "linear" else None}
                for j, item in enumerate(data.names)
            }
            report.row(cls.parts, object=name, wide=cells)
        report.note(cls.parts, "线性加权时，贡献是权重乘以处理后的值，各项相加就是综合指数。")
        cls._spread(report, form, data, z, weights, ranks)
        turned = cls.robust(report, data, weights, lambda w: total(z, w, form.synthesis), "")
        if form.save_score:
            report.columns(cls.saved, {"综合指数": index})
        _words(report, form, data, index, order, turned)
        return report

    @classmethod
    def _scaled(cls, form: Any, data: Data) -> Floats:
        match form.normalize:
            case "zscore":
                z = indicators.z_scaled(data)
            case "rank":
                z = np.stack([rankdata(np.round(one, 12)) / data.n for one in forwarded(data).T], axis=1)
            case "base_ratio":
                z = _ratios(data)
            case _:
                z = range_scaled(data)
        if form.synthesis != "linear" and (z <= 0).any():
            i, j = (int(k) for k in np.argwhere(z <= 0)[0])
            remedies = [
                SetRemedy(title="改用名次", set={"normalize": "rank"}),
                SetRemedy(title="改用线性加权", set={"synthesis": "linear"}),
            ]
            where = f"“{data.objects[i]}”的“{data.names[j]}”处理后是 {z[i, j]:g}"
            text_ = f"几何、调和合成要求全部为正，{where}，请换一种处理或合成"
            raise Refusal("data.not_positive", text_, field="synthesis", remedies=remedies)
        return np.asarray(z)

    @classmethod
    def _spread(cls, report: Report, form: Any, data: Data, z: Floats, weights: Floats, ranks: list[int]) -> None:
        if form.robustness == 0:
            report.skip(cls.spread, "没有选随机改变权重")
            return
        drawn = np.empty((form.robustness, data.n))
        for k in range(form.robustness):
            w = weights * (1 + form.rng.uniform(-WIDTH, WIDTH, data.m))
            drawn[k] = rankdata(-np.round(total(z, w / w.sum(), form.synthesis), 12), method="min")
            if k % 500 == 0 and not form.progress(k, form.robustness, f"第 {k + 1} 次"):
                drawn = drawn[: k + 1]
                break
        low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
        for k, name in enumerate(data.objects):
            report.row(cls.spread, object=name, rank=ranks[k], low=low[k], high=high[k])


def total(z: Floats, w: Floats, how: str) -> Floats:
    if how == "geometric":
        return np.asarray(np.exp(np.log(z) @ w))
    return np.asarray(1 / ((1 / z) @ w)) if how == "harmonic" else np.asarray(z @ w)


def _ratios(data: Data) -> Floats:
    z = range_scaled(data)
    for k, one in enumerate(data.indicators):
        x = data.x[:, k]
        if one.kind != "interval" and (x <= 0).any():
            indicators.refuse_not_positive(data, k, ({"normalize": "minmax"}, "改用极差法"))
        if one.kind == "high":
            z[:, k] = x / x.max()
        elif one.kind == "low":
            z[:, k] = x.min() / x
    return z


def _words(report: Report, form: Any, data: Data, index: Floats, order: Any, turned: int) -> None:
    first, last = order[0], order[-1]
    facts: dict[str, Any] = {
        "n": data.n, "first": data.objects[first], "high": index[first], "last": data.objects[last], "low": index[last],
    }  # fmt: skip
    report.lead(
        "{n:integer} 个对象里综合指数最高的是“{first}”（{high:num}），最低的是“{last}”（{low:num}）。",
        [figure("第一名", "{first}", "{high:num}")], **facts,
    )  # fmt: skip
    facts |= {"turned": turned, "tries": 2 * data.m, "m": data.m}
    if turned:
        text_ = "单个权重增减 10%，{tries:integer} 次里有 {turned:integer} 次换了第一名。"
        report.check("排名稳不稳", "care", text_, **facts)
    else:
        report.check("排名稳不稳", "pass", "单个权重增减 10%，第一名都不变。")
    how = f"{SOURCES[form.weight_source]}，{SCALES[form.normalize]}，{SUMS[form.synthesis]}"
    report.say(
        f"采用综合指数法（{how}）汇总 {{m:integer}} 个指标，"
        f"{{n:integer}} 个对象的指数在 {{low:num}} 到 {{high:num}} 之间。",
        voice="paper", **facts,
    )  # fmt: skip
    report.say("线性加权时一项差可以用另一项好来补；几何加权补不了那么多。指数只在这批对象之间比较。", voice="student")
