from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Arrow,
    Chart,
    Matrix,
    Points,
    Refusal,
    Report,
    Row,
    Table,
    choice,
    figure,
    integer,
    num,
    number,
    percent,
    settings,
    text,
)
from hengxi.methods.evaluation._shared import indicators
from hengxi.methods.evaluation._shared.digraph import without_detours
from hengxi.methods.evaluation._shared.indicators import BOXES, Data, Floats, ranked
from hengxi.methods.evaluation._shared.outranking import SHOWN, gains, graph, merits, refuse_many, stable_range
from hengxi.methods.evaluation._shared.ranking import SOURCES, RankedForm, Ranking, refuse_same
from hengxi.methods.evaluation._shared.weighting import TOP

FUNCTIONS = {
    "usual": "通常型", "u_shape": "拟准则 U 型（q）", "v_shape": "线性 V 型（p）", "level": "多级型（q、p）",
    "linear": "有无差异区间的线性型（q、p）", "gaussian": "高斯型（s）",
}  # fmt: skip
LOW_SHARE, HIGH_SHARE = 0.1, 0.5


class Promethee(Ranking):
    """Partial and complete order of alternatives by pairwise preferences."""

    title, title_en = "PROMETHEE", "PROMETHEE I and II"
    family, tier = "决策分析", "member"
    purpose = "按偏好函数两两比较后，各方案的偏序与全序是什么"
    aliases = ("PROMETHEE", "偏好顺序结构评估法", "净流量", "GAIA", "级别高于关系", "MCDA")
    references = ("brans1985", "brans1986", "mareschal1988")
    conventions = (
        "差值 d 是一个方案比另一个好多少（指标原单位）；d ≤ 0 时偏好为 0。中间型、区间型先取离最优区间的距离。",
        "通常型 d > 0 为 1；U 型 d > q 为 1；V 型 min(d/p, 1)；多级型 q < d ≤ p 为 0.5，d > p 为 1；"
        "线性型 (d − q)/(p − q)；高斯型 1 − exp(−d²/2s²)（Brans 等，1986）。",
        f"不填的阈值：q 取极差的 {LOW_SHARE:g}，p 取极差的 {HIGH_SHARE:g}，s 取标准差（n − 1）。",
        "Φ⁺、Φ⁻ 是对其余 n − 1 个方案偏好指数的平均，Φ = Φ⁺ − Φ⁻。",
        "PROMETHEE I：Φ⁺ 不低且 Φ⁻ 不高、至少一项更好为优于；都相等为无差异；否则不可比。",
        "稳定区间：一个指标的权重在此区间内变动、其余按比例调整时，全部名次（或第一名）不变。",
        "GAIA 平面是单指标净流量的主成分（不标准化），δ 是前两个成分占的比例。",
    )

    class Input(RankedForm):
        preference: list[Row] = settings(
            "偏好函数", of=BOXES[0], also=BOXES[1:], kind=choice("函数", FUNCTIONS),
            q=number("q 无差异", least=0, auto="极差的 0.1"), p=number("p 偏好", least=0, auto="极差的 0.5"),
            s=number("s 高斯", above=0, auto="标准差"),
        )  # fmt: skip

    result = Table(
        "流量与排名", object=text("方案"), plus=num("Φ⁺", least=0, most=1), minus=num("Φ⁻", least=0, most=1),
        net=num("净流量 Φ", least=-1, most=1), rank=integer("排名"), place="main",
    )  # fmt: skip
    top = Points("净流量最高的方案", object=text("方案"), net=num("净流量 Φ"))
    plot = Chart(f"净流量（最多 {TOP} 个）", "bar", of=top, x="object", y="net", place="main")
    nodes = Points("方案", id=text("编号"), label=text("方案"))
    edges = Points("优于", source=text("优"), target=text("劣"))
    order = Chart("PROMETHEE I 偏序图（箭头由优到劣）", "network", nodes=nodes, edges=edges, arrange="layers",
                  place="main")  # fmt: skip
    pairs = Table("PROMETHEE I 偏序关系", first=text("方案"), relation=text("关系"), second=text("方案"),
                  place="detail")  # fmt: skip
    index = Table("偏好指数 π（行优于列）", layout=Matrix(value=num("π", least=0, most=1)), place="detail")
    stable = Table(
        "权重稳定区间", item=text("指标"), weight=percent("权重"),
        low=percent("下限", span="全部名次不变"), high=percent("上限", span="全部名次不变"),
        first_low=percent("下限", span="第一名不变"), first_high=percent("上限", span="第一名不变"), place="detail",
    )  # fmt: skip
    functions = Table("偏好函数与阈值", item=text("指标"), kind=text("函数"), q=num("q", least=0), p=num("p", least=0),
                      s=num("s", least=0), place="detail")  # fmt: skip
    gaia = Points("GAIA 平面：方案", object=text("方案"), x=num("第一维"), y=num("第二维"))
    axes = Points("GAIA 平面：指标", item=text("指标"), x=num("第一维"), y=num("第二维"))
    plane = Chart("GAIA 平面", "point", of=gaia, x="x", y="y", label="object", over=[
        Arrow(axes, x="x", y="y", label="item")], place="detail")  # fmt: skip
    quality = Table("GAIA 平面的质量", delta=percent("δ"), layout="record", place="detail")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = indicators.read(form, constants=True)
        refuse_same(data) if not data.constant or len(data.constant) == data.m else indicators.refuse_constants(
            form, data
        )
        refuse_many(data)
        thresholds = _thresholds(form, data)
        weights = cls.weigh(report, form, data)
        prefer = np.stack([preference(gains(merits(data), k), *thresholds[k]) for k in range(data.m)])
        single = np.stack([(one - one.T).sum(axis=1) / (data.n - 1) for one in prefer], axis=1)
        index = np.tensordot(weights, prefer, axes=1)
        plus, minus = index.sum(axis=1) / (data.n - 1), index.sum(axis=0) / (data.n - 1)
        net = single @ weights
        cls._flows(report, data, plus, minus, net)
        relation = cls._partial(report, data, plus, minus, index)
        cls._thresholds(report, data, thresholds)
        for k, name in enumerate(data.names):
            low, high = stable_range(single, weights, k, False)
            first_low, first_high = stable_range(single, weights, k, True)
            report.row(cls.stable, item=name, weight=weights[k], low=low, high=high, first_low=first_low,
                       first_high=first_high)  # fmt: skip
        cls._gaia(report, data, single)
        turned = cls.robust(report, data, weights, lambda w: single @ w, "PROMETHEE")
        _words(report, form, data, net, relation, turned)
        return report

    @classmethod
    def _flows(cls, report: Report, data: Data, plus: Floats, minus: Floats, net: Floats) -> None:
        for i, rank in enumerate(ranked(net)):
            report.row(cls.result, object=data.objects[i], plus=plus[i], minus=minus[i], net=net[i], rank=rank)
        for i in np.argsort(-net, kind="stable")[:TOP]:
            report.row(cls.top, object=data.objects[i], net=net[i])

    @classmethod
    def _partial(cls, report: Report, data: Data, plus: Floats, minus: Floats, index: Floats) -> Any:
        """Who is better than whom in PROMETHEE I; rows above columns."""
        a, b = np.round(plus, 12), np.round(minus, 12)
        weak = (a[:, None] >= a[None]) & (b[:, None] <= b[None])
        better = weak & ~weak.T
        same = weak & weak.T
        for i in range(data.n if data.n <= SHOWN else 0):
            for j in range(data.n):
                report.row(cls.index, item=data.objects[i], against=data.objects[j], value=index[i, j])
                if i < j:
                    first, second = (j, i) if better[j, i] else (i, j)
                    word = "无差异" if same[i, j] else "优于" if better[first, second] else "不可比"
                    report.row(cls.pairs, first=data.objects[first], relation=word, second=data.objects[second])
        if data.n > SHOWN:
            for table in (cls.index, cls.pairs):
                report.skip(table, f"方案多于 {SHOWN} 个")
        graph(report, cls.nodes, cls.edges, data.objects, without_detours(better), "任何两个方案都分不出优劣",
              lambda: None)  # fmt: skip
        return better, same

    @classmethod
    def _thresholds(cls, report: Report, data: Data, thresholds: list[tuple[str, float, float, float]]) -> None:
        for name, (kind, q, p, s) in zip(data.names, thresholds, strict=True):
            report.row(
                cls.functions, item=name, kind=FUNCTIONS[kind], q=q if kind in ("u_shape", "level", "linear") else None,
                p=p if kind in ("v_shape", "level", "linear") else None, s=s if kind == "gaussian" else None,
            )  # fmt: skip

    @classmethod
    def _gaia(cls, report: Report, data: Data, single: Floats) -> None:
        total = float((single**2).sum())
        if data.n < 3 or total <= 0:
            report.skip(cls.gaia, "方案少于 3 个")
            report.skip(cls.axes, "方案少于 3 个")
            report.skip(cls.quality, "方案少于 3 个")
            return
        _, values, turn = np.linalg.svd(single, full_matrices=False)
        axes = turn[:2]
        axes = axes * np.sign(axes[np.arange(2), np.abs(axes).argmax(axis=1)])[:, None]
        for name, (x, y) in zip(data.objects, single @ axes.T, strict=True):
            report.row(cls.gaia, object=name, x=x, y=y)
        for name, (x, y) in zip(data.names, axes.T, strict=True):
            report.row(cls.axes, item=name, x=x, y=y)
        report.row(cls.quality, delta=float((values[:2] ** 2).sum() / total))


def preference(d: Floats, kind: str, q: float, p: float, s: float) -> Floats:
    """Preference 0 … 1 of gains d (Brans, Vincke and Mareschal 1986, table 1); d ≤ 0 is 0."""
    gain = np.maximum(d, 0.0)
    match kind:
        case "usual":
            return (gain > 0).astype(float)
        case "u_shape":
            return (gain > q).astype(float)
        case "v_shape":
            return np.minimum(gain / p, 1.0) if p > 0 else (gain > 0).astype(float)
        case "level":
            return np.where(gain > p, 1.0, np.where(gain > q, 0.5, 0.0))
        case "linear":
            return np.clip((gain - q) / (p - q), 0.0, 1.0) if p > q else (gain > q).astype(float)
    return np.asarray(1 - np.exp(-(gain**2) / (2 * s**2)))


def _thresholds(form: Any, data: Data) -> list[tuple[str, float, float, float]]:
    rows = {row.column.id: row for row in form.preference}
    merit, found = merits(data), []
    for k, one in enumerate(data.indicators):
        row, values = rows[one.column.id], merit[:, k]
        width = float(np.ptp(values))
        q = LOW_SHARE * width if row.q is None else float(row.q)
        p = HIGH_SHARE * width if row.p is None else float(row.p)
        s = float(values.std(ddof=1)) if row.s is None else float(row.s)
        if q > p and row.kind in ("level", "linear"):
            text_ = f"指标“{one.name}”的无差异阈值 q（{q:g}）不能大于偏好阈值 p（{p:g}）"
            raise Refusal("data.thresholds", text_, field="preference", column=one.column.id)
        found.append((row.kind, q, p, s))
    return found


def _words(report: Report, form: Any, data: Data, net: Floats, relation: Any, turned: int) -> None:
    order = np.argsort(-np.round(net, 12), kind="stable")
    first, second, last = order[0], order[1], order[-1]
    better, same = relation
    apart = int((~better & ~better.T & ~same).sum() // 2)
    facts: dict[str, Any] = {
        "n": data.n, "m": data.m, "first": data.objects[first], "f1": net[first], "second": data.objects[second],
        "f2": net[second], "last": data.objects[last], "f9": net[last], "apart": apart,
        "pairs": data.n * (data.n - 1) // 2,
    }  # fmt: skip
    if abs(net[first] - net[second]) < 1e-12:
        lead = "{n:integer} 个方案里“{first}”和“{second}”并列第一（Φ = {f1:num}）。"
    else:
        lead = "{n:integer} 个方案里“{first}”最好（Φ = {f1:num}），其次是“{second}”（Φ = {f2:num}）。"
    report.lead(lead, [figure("第一名", "{first}", "Φ = {f1:num}")], **facts)
    if apart:
        report.say("{pairs:integer} 对方案里有 {apart:integer} 对不可比：各有长处，只看净流量会掩盖这一点。", **facts)
    else:
        report.say("偏序与全序一致：没有不可比的方案。")
    facts |= {"turned": turned, "tries": 2 * data.m}
    if turned:
        text_ = "单个权重增减 10%，{tries:integer} 次里有 {turned:integer} 次换了第一名：靠前的几个差别不大。"
        report.check("排名稳不稳", "care", text_, **facts)
    else:
        report.check("排名稳不稳", "pass", "单个权重增减 10%，第一名都不变。")
    report.say(
        f"采用 PROMETHEE II（{SOURCES[form.weight_source]}）对 {{n:integer}} 个方案的 {{m:integer}} 个指标排序，"
        "净流量最高的是{first}（Φ = {f1:num}），最低的是{last}（Φ = {f9:num}）。", voice="paper", **facts,
    )  # fmt: skip
    report.say("Φ⁺ 是比别人强多少，Φ⁻ 是比别人弱多少。增减方案后，名次可能改变（逆序）。", voice="student")
