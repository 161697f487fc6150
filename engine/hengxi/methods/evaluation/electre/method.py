from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
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
    settings,
    text,
)
from hengxi.methods.evaluation._shared import indicators
from hengxi.methods.evaluation._shared.digraph import condensed, cycles, kernel, reachable, without_detours
from hengxi.methods.evaluation._shared.distillation import credibility, distillation, ramp
from hengxi.methods.evaluation._shared.indicators import BOXES, Data, Floats, ranked
from hengxi.methods.evaluation._shared.outranking import SHOWN, gains, graph, merits, refuse_many
from hengxi.methods.evaluation._shared.ranking import SOURCES, RankedForm, Ranking, refuse_same

ONE, THREE, MANUAL = {"variant": "I"}, {"variant": "III"}, {"variant": "I", "cut": "manual"}


class Electre(Ranking):
    """Outranking with incomparability: the kernel (I), or two distillations and their partial order (III)."""

    title, title_en = "ELECTRE", "ELECTRE I / III"
    family, tier = "决策分析", "member"
    purpose = "在允许不可比的前提下，哪些方案优于哪些方案，核心方案有哪些"
    aliases = ("ELECTRE", "级别高于关系", "和谐矩阵", "不和谐矩阵", "核", "蒸馏", "否决阈值")
    references = ("roy1968", "roy1978", "hwang1981", "figueira2005")
    conventions = (
        "I 型和谐指数：不差于对方的指标权重之和（相等也计入）。",
        "I 型不和谐指数（Hwang 和 Yoon，1981）：向量归一、乘以权重后，最大落后量 ÷ 最大差量；"
        "Roy 式：各指标落后量 ÷ 极差的最大值，不乘权重。",
        "阈值默认取两个矩阵非对角元素的平均值；和谐不低于阈值、不和谐不高于阈值为“优于”。",
        "核：核内方案互不优于，核外方案至少被一个核内方案优于。有环时先把环合并成一个，核才唯一。",
        "净和谐值 = 行和 − 列和，越大越好；净不和谐值越小越好；综合名次按两个名次之和。",
        "III 型：q、p 之间线性；不和谐在 p、v 之间线性；不填 v 为不否决，不填 q、p 为 0。",
        "可信度 S = C·Π(1 − d)/(1 − C)（只乘 d > C 的指标）；蒸馏用 s(λ) = 0.30 − 0.15λ。",
        "最终偏序是两次蒸馏的交：一次更好、另一次不差为优于，都相同为无差异，相反为不可比。",
        "中间型、区间型指标取离最优区间的距离，越小越好。",
    )

    class Input(RankedForm):
        variant: str = choice("版本", {"I": "ELECTRE I", "III": "ELECTRE III"})
        discord: str = choice("不和谐指数", {"weighted": "加权规范值（Hwang 和 Yoon）", "range": "极差比（Roy）"},
                              when=ONE)  # fmt: skip
        cut: str = choice("阈值", {"mean": "平均值", "manual": "自定义阈值"}, when=ONE)
        concord_cut: float = number("和谐阈值", 0.6, least=0, most=1, when=MANUAL)
        discord_cut: float = number("不和谐阈值", 0.4, least=0, most=1, when=MANUAL)
        thresholds: list[Row] = settings(
            "q、p、v 阈值", of=BOXES[0], also=BOXES[1:], when=THREE, q=number("q 无差异", 0, least=0),
            p=number("p 偏好", 0, least=0), v=number("v 否决", least=0, auto="不否决"),
        )  # fmt: skip

    result = Table(
        "净优势值与排名", object=text("方案"), net=num("净和谐值"), away=num("净不和谐值"),
        net_rank=integer("和谐名次"), away_rank=integer("不和谐名次"), rank=integer("综合名次"),
        kernel=text("是否在核内"), when=ONE, place="main",
    )  # fmt: skip
    distilled = Table(
        "两次蒸馏", object=text("方案"), down=integer("降序"), up=integer("升序"), median=num("平均位次"),
        rank=integer("名次"), when=THREE, place="main",
    )  # fmt: skip
    nodes = Points("方案", id=text("编号"), label=text("方案"))
    edges = Points("优于", source=text("优"), target=text("劣"))
    order = Chart("级别高于关系图（箭头由优到劣）", "network", nodes=nodes, edges=edges, arrange="layers", place="main")
    pairs = Table("方案之间的关系", first=text("方案"), relation=text("关系"), second=text("方案"), place="detail")
    concord = Table("和谐矩阵（行对列）", layout=Matrix(value=num("和谐指数", least=0, most=1)), place="detail")
    discord = Table("不和谐矩阵（行对列）", layout=Matrix(value=num("不和谐指数", least=0, most=1)), when=ONE,
                    place="detail")  # fmt: skip
    credible = Table("可信度矩阵（行对列）", layout=Matrix(value=num("可信度", least=0, most=1)), when=THREE,
                     place="detail")  # fmt: skip
    cuts = Table("阈值", item=text("矩阵"), cut=num("阈值"), mean=num("平均值"), when=ONE, place="detail")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = indicators.read(form, constants=True)
        refuse_same(data) if not data.constant or len(data.constant) == data.m else indicators.refuse_constants(
            form, data
        )
        refuse_many(data)
        weights = cls.weigh(report, form, data)
        (cls._first if form.variant == "I" else cls._third)(report, form, data, weights)
        return report

    @classmethod
    def _first(cls, report: Report, form: Any, data: Data, weights: Floats) -> None:
        c, d = concordance(data, weights), discordance(data, weights, form.discord)
        off = ~np.eye(data.n, dtype=bool)
        cuts = [form.concord_cut, form.discord_cut] if form.cut == "manual" else [c[off].mean(), d[off].mean()]
        for item, cut, values in (("和谐", cuts[0], c), ("不和谐", cuts[1], d)):
            report.row(cls.cuts, item=item, cut=cut, mean=values[off].mean())
        above = off & (np.round(c, 12) >= round(cuts[0], 12)) & (np.round(d, 12) <= round(cuts[1], 12))
        blocks = cycles(reachable(above))
        inside = {k for b in kernel(condensed(above, blocks)) for k in blocks[b]}
        net = (c * off).sum(axis=1) - (c * off).sum(axis=0)
        away = (d * off).sum(axis=1) - (d * off).sum(axis=0)
        first, second = ranked(net), ranked(-away)
        both = ranked(-(np.array(first) + np.array(second)))
        for k, name in enumerate(data.objects):
            report.row(cls.result, object=name, net=net[k], away=away[k], net_rank=first[k], away_rank=second[k],
                       rank=both[k], kernel="是" if k in inside else "否")  # fmt: skip
        cls._matrices(report, data, ((cls.concord, c), (cls.discord, d)))
        if data.n <= SHOWN:
            for a in range(data.n):
                for b in range(a + 1, data.n):
                    cls._pair(report, data, a, b, bool(above[a, b]), bool(above[b, a]), "互相优于", "没有优劣关系")
        graph(report, cls.nodes, cls.edges, data.objects, above, "没有方案优于另一方案", lambda: None)
        turned = cls.robust(report, data, weights, lambda w: _net(concordance(data, w)), "ELECTRE")
        looped = [block for block in blocks if len(block) > 1]
        if looped:
            names = "、".join(data.objects[k] for k in looped[0])
            report.warn("data.cycle", "优势关系存在循环（{names}），核不唯一，已将环内方案合并后再求核。", names=names)
        facts = {"n": data.n, "k": len(inside), "names": "、".join(data.objects[k] for k in sorted(inside)),
                 "pairs": int(above.sum()), "c": cuts[0], "d": cuts[1]}  # fmt: skip
        if len(inside) == data.n:
            why = "优于关系只在循环里，分不出谁更好。" if looped else "没有方案优于另一方案。"
            report.lead("{n:integer} 个方案都在核内：" + why, [figure("核内方案", "{k:integer} 个")], **facts)
        else:
            lead = "{n:integer} 个方案里，核内有 {k:integer} 个：{names}。其余方案各有核内方案优于它。"
            report.lead(lead, [figure("核内方案", "{k:integer} 个", "{names}")], **facts)
        said = "和谐阈值 {c:num}，不和谐阈值 {d:num}，得到 {pairs:integer} 个优于关系，核为{names}。"
        _end(report, form, data, said, facts, turned, "净和谐值")

    @classmethod
    def _third(cls, report: Report, form: Any, data: Data, weights: Floats) -> None:
        limits = _limits(form, data)
        merit = merits(data)
        agree = np.stack([1 - ramp(-gains(merit, k), q, p) for k, (q, p, _) in enumerate(limits)])
        against = np.stack([np.zeros((data.n, data.n)) if v is None else ramp(-gains(merit, k), p, v)
                            for k, (_, p, v) in enumerate(limits)])  # fmt: skip

        def outcome(w: Floats) -> tuple[Floats, Floats, list[int], list[int]]:
            c = np.minimum(np.round(np.tensordot(w, agree, axes=1), 12), 1.0)
            s = credibility(c, against)
            return c, s, distillation(s, True), distillation(s, False)

        c, s, down, up = outcome(weights)
        middle = (np.array(down) + np.array(up)) / 2
        for k, rank in enumerate(ranked(-middle)):
            report.row(cls.distilled, object=data.objects[k], down=down[k], up=up[k], median=middle[k], rank=rank)
        cls._matrices(report, data, ((cls.concord, c), (cls.credible, s)))
        a, b = np.array(down), np.array(up)
        weak = (a[:, None] <= a[None]) & (b[:, None] <= b[None])
        better = weak & ~weak.T
        apart = ~weak & ~weak.T
        if data.n <= SHOWN:
            for i in range(data.n):
                for j in range(i + 1, data.n):
                    word = "不可比" if apart[i, j] else "无差异"
                    cls._pair(report, data, i, j, bool(better[i, j]), bool(better[j, i]), word, word)
        graph(report, cls.nodes, cls.edges, data.objects, without_detours(better), "没有方案优于另一方案", lambda: None)

        def score(w: Floats) -> Floats:
            found = outcome(w)
            return np.asarray(-(np.array(found[2]) + np.array(found[3])) / 2.0)

        turned = cls.robust(report, data, weights, score, "ELECTRE")
        first = [data.objects[k] for k in np.flatnonzero(middle == middle.min())]
        facts = {"n": data.n, "names": "、".join(first), "k": len(first), "apart": int(apart.sum() // 2),
                 "pairs": data.n * (data.n - 1) // 2, "top": float(middle.min())}  # fmt: skip
        lead = "{n:integer} 个方案里排在最前的是{names}。" + (
            "{pairs:integer} 对方案里 {apart:integer} 对不可比。" if facts["apart"] else "没有不可比的方案。"
        )
        report.lead(lead, [figure("排在最前", "{names}")], **facts)
        _end(report, form, data, "两次蒸馏的平均位次最前的是{names}。", facts, turned, "平均位次")

    @classmethod
    def _matrices(cls, report: Report, data: Data, parts: tuple[tuple[Table, Floats], ...]) -> None:
        if data.n > SHOWN:
            for table in (*(one for one, _ in parts), cls.pairs):
                report.skip(table, f"方案多于 {SHOWN} 个")
            return
        for table, values in parts:
            for i, first in enumerate(data.objects):
                for j, second in enumerate(data.objects):
                    report.row(table, item=first, against=second, value=None if i == j else values[i, j])

    @classmethod
    def _pair(cls, report: Report, data: Data, a: int, b: int, ahead: bool, behind: bool, both: str, none: str) -> None:
        a, b = (b, a) if behind and not ahead else (a, b)
        word = both if ahead and behind else "优于" if ahead or behind else none
        report.row(cls.pairs, first=data.objects[a], relation=word, second=data.objects[b])


def concordance(data: Data, weights: Floats) -> Floats:
    merit = merits(data)
    return np.asarray(sum(w * (gains(merit, k) >= 0) for k, w in enumerate(weights)))


def discordance(data: Data, weights: Floats, how: str) -> Floats:
    merit = merits(data)
    if how == "range":
        behind = np.stack([np.maximum(-gains(merit, k), 0) / np.ptp(merit[:, k]) for k in range(data.m)])
        return np.asarray(behind.max(axis=0))
    size = np.sqrt((merit**2).sum(axis=0))
    scaled = merit / np.where(size > 0, size, 1.0) * weights
    gap = np.stack([gains(scaled, k) for k in range(data.m)])
    most = np.abs(gap).max(axis=0)
    return np.asarray(np.maximum(-gap, 0).max(axis=0) / np.where(most > 0, most, 1.0))


def _net(c: Floats) -> Floats:
    return np.asarray(c.sum(axis=1) - c.sum(axis=0))


def _limits(form: Any, data: Data) -> list[tuple[float, float, float | None]]:
    rows, found = {row.column.id: row for row in form.thresholds}, []
    for one in data.indicators:
        row = rows[one.column.id]
        if row.q > row.p or (row.v is not None and row.p > row.v):
            v = "" if row.v is None else f"、v = {row.v:g}"
            text_ = f"指标“{one.name}”阈值须满足 q≤p≤v，现为 q = {row.q:g}、p = {row.p:g}{v}"
            raise Refusal("data.thresholds", text_, field="thresholds", column=one.column.id)
        found.append((float(row.q), float(row.p), None if row.v is None else float(row.v)))
    return found


def _end(report: Report, form: Any, data: Data, said: str, facts: dict[str, Any], turned: int, word: str) -> None:
    if turned:
        text_ = f"单个权重增减 10%，{{tries:integer}} 次里有 {{turned:integer}} 次换了{word}最好的方案。"
        report.check("排名稳不稳", "care", text_, turned=turned, tries=2 * data.m)
    else:
        report.check("排名稳不稳", "pass", f"单个权重增减 10%，{word}最好的方案都不变。")
    source = SOURCES[form.weight_source]
    how = f"采用 ELECTRE {form.variant}（{source}）比较 {{n:integer}} 个方案的 {{m:integer}} 个指标，"
    report.say(how + said, voice="paper", m=data.m, **facts)
    report.say("“不可比”不是一样好，而是各有明显的长短，要由决策者取舍。", voice="student")
