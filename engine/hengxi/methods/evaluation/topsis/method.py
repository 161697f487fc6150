from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    figure,
    filled,
    integer,
    num,
    option,
    role,
    text,
)
from hengxi.methods.evaluation._shared import indicators
from hengxi.methods.evaluation._shared.indicators import Data, Floats, ranked
from hengxi.methods.evaluation._shared.ranking import SOURCES, RankedForm, Ranking, refuse_same, topsis
from hengxi.methods.evaluation._shared.weighting import TOP

DISTANCES = {
    "euclidean": "欧氏距离",
    "manhattan": "曼哈顿距离",
    "mahalanobis": "马氏距离",
    "grey_relational": "灰色关联度",
}
SCALES = {"vector": "向量归一", "minmax": "极差法", "sum": "比重法"}


class Topsis(Ranking):
    """Ranks objects by how close they are to the best and how far from the worst values seen."""

    title, title_en = "优劣解距离法TOPSIS", "TOPSIS"
    purpose = "各评价对象离理想解有多近，谁优谁劣"
    aliases = ("TOPSIS", "理想解法", "双基点法", "熵权TOPSIS", "综合评价", "逼近理想解")
    references = ("hwang1981",)
    conventions = (
        "默认：向量归一 x/√Σx²，乘以权重，正理想解取正向的最大值、负向的最小值（Hwang 和 Yoon，1981）。",
        "也可先正向化：负向用 max − x 或 1/x；中间型、区间型总用 max d − d（d 是离最优区间的距离）。",
        "接近度 C = D⁻/(D⁺ + D⁻)，越大越好。",
        "马氏距离用归一后指标的协方差（n − 1），权重按 √w 加在差值上。",
        "灰色关联度：以与负理想解的关联度代替 D⁺，与正理想解的关联度代替 D⁻，分辨系数 0.5。",
        "熵值法、CRITIC、变异系数法的权重都用极差法处理后的指标计算；手工权重自动归一。",
    )

    class Input(RankedForm):
        year: Column | None = role("年份（面板，选填）", "任意")
        normalize: str = choice("规范化", {"vector": "向量归一", "minmax": "极差法", "sum": "比重法"})
        forward: str = choice("负向指标", {
            "ideal": "不变换，正理想解取最小值", "difference": "正向化：max − x", "reciprocal": "正向化：1/x"},
            when={"normalize": ("vector", "sum")})  # fmt: skip
        distance: str = choice("距离", {
            "euclidean": "欧氏距离", "manhattan": "曼哈顿距离", "mahalanobis": "马氏距离",
            "grey_relational": option("灰色关联度", hint="用与理想解的关联度代替距离")})  # fmt: skip

    result = Table(
        "TOPSIS 评价结果", object=text("评价对象"), year=text("年份", when={"year": filled}), plus=num("D⁺", least=0),
        minus=num("D⁻", least=0), closeness=num("相对接近度 C", least=0, most=1), rank=integer("排序"), place="main",
    )  # fmt: skip
    top = Points("最好的对象", object=text("评价对象"), closeness=num("相对接近度 C"))
    plot = Chart(f"相对接近度（最多 {TOP} 个）", "bar", of=top, x="object", y="closeness", place="main")
    ideals = Table("正负理想解", item=text("指标"), good=num("正理想解"), bad=num("负理想解"), place="detail")
    path = Points(
        "各年接近度", object=text("评价对象"), year=text("年份"), closeness=num("相对接近度 C"), when={"year": filled}
    )
    trend = Chart("面板趋势图", "line", of=path, x="year", y="closeness", series="object", when={"year": filled},
                  place="detail")  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        keys = ("positive", "negative", "moderate", "best", "label", "weight_source", "weights_value")
        shared = {key: form[key] for key in keys if form.get(key)}
        start = {**shared, "weight_source": "equal"} if shared.get("weight_source") == "cv" else shared
        return [NextStep(title="同样的指标和权重，改用 VIKOR", method="evaluation/vikor", form=start)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = indicators.read(form, least_indicators=1, constants=True)
        refuse_same(data) if not data.constant or len(data.constant) == data.m else indicators.refuse_constants(
            form, data
        )
        cls._refuse(form, data)
        weights = cls.weigh(report, form, data)

        def score(w: Floats) -> Floats:
            return topsis(data, w, form.normalize, form.forward or "ideal", form.distance)[2]

        plus, minus, closeness, good, bad = topsis(
            data, weights, form.normalize, form.forward or "ideal", form.distance
        )
        ranks = ranked(closeness)
        columns: dict[str, Any] = {
            "object": data.objects, "plus": plus, "minus": minus, "closeness": closeness, "rank": np.array(ranks),
        }  # fmt: skip
        if form.year is not None:
            years = [str(one) for one in form.year.text]
            columns["year"] = years
            report.add_rows(cls.path, {"object": _plain(form, data), "year": years, "closeness": closeness})
        report.add_rows(cls.result, columns)
        order = np.argsort(-closeness, kind="stable")
        for k in order[:TOP]:
            report.row(cls.top, object=data.objects[k], closeness=closeness[k])
        for name, a, b in zip(data.names, good, bad, strict=True):
            report.row(cls.ideals, item=name, good=a, bad=b)
        turned = cls.robust(report, data, weights, score, "TOPSIS")
        _words(report, form, data, closeness, order, turned)
        return report

    @classmethod
    def _refuse(cls, form: Any, data: Data) -> None:
        if form.distance == "mahalanobis":
            remedies = [SetRemedy(title="改用欧氏距离", set={"distance": "euclidean"})]
            singular = (
                data.n <= data.m or np.linalg.cond(np.corrcoef(data.x, rowvar=False)) > 1e10 if data.m > 1 else True
            )
            if singular:
                text_ = "马氏距离需要对象比指标多、指标不完全共线、至少两个指标；现在不满足，请改用欧氏距离"
                raise Refusal("data.singular", text_, field="distance", remedies=remedies)
        for k, one in enumerate(data.indicators):
            x = data.x[:, k]
            if one.kind == "low" and form.forward == "reciprocal" and (x <= 0).any():
                indicators.refuse_not_positive(data, k, ({"forward": "difference"}, "改用 max − x"))
            if form.normalize == "sum" and one.kind != "interval" and (x < 0).any():
                indicators.refuse_not_positive(data, k, ({"normalize": "vector"}, "改用向量归一"))


def _plain(form: Any, data: Data) -> list[str]:
    """The names as given: a line of a panel goes through the years."""
    return data.objects if form.label is None else [str(one) for one in form.label.text]


def _words(report: Report, form: Any, data: Data, closeness: Floats, order: Any, turned: int) -> None:
    first, second, last = order[0], order[1], order[-1]
    facts: dict[str, Any] = {
        "n": data.n, "m": data.m, "first": data.objects[first], "c1": closeness[first], "second": data.objects[second],
        "c2": closeness[second], "last": data.objects[last], "c9": closeness[last],
    }  # fmt: skip
    if np.isclose(closeness[first], closeness[second], rtol=1e-10):
        lead = "{n:integer} 个对象里“{first}”和“{second}”并列最好（C = {c1:num}），最差的是“{last}”（C = {c9:num}）。"
    else:
        lead = (
            "{n:integer} 个对象里最好的是“{first}”（C = {c1:num}），其次是“{second}”（C = {c2:num}），"
            "最差的是“{last}”（C = {c9:num}）。"
        )
    report.lead(lead, [figure("第一名", "{first}", "C = {c1:num}")], **facts)
    facts |= {"turned": turned, "tries": 2 * data.m}
    if turned:
        text_ = "单个权重增减 10%，{tries:integer} 次里有 {turned:integer} 次换了第一名：排名靠前的几个差别不大。"
        report.check("排名稳不稳", "care", text_, **facts)
    else:
        report.check("排名稳不稳", "pass", "单个权重增减 10%，第一名都不变。")
    how = f"{SOURCES[form.weight_source]}，{SCALES[form.normalize]}，{DISTANCES[form.distance]}"
    report.say(
        f"采用 TOPSIS（{how}）对 {{n:integer}} 个对象的 {{m:integer}} 个指标综合评价，"
        f"接近度最高的是{{first}}（C = {{c1:num}}），"
        "最低的是{last}（C = {c9:num}）。", voice="paper", **facts,
    )  # fmt: skip
    report.say("C 在 0 到 1 之间，只在这批对象之间比较：增减对象后，名次可能改变（逆序）。", voice="student")
