from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Form,
    FormNote,
    Matrix,
    Method,
    Node,
    Points,
    Record,
    Refusal,
    Report,
    SetRemedy,
    Table,
    TypedMatrix,
    choice,
    figure,
    integer,
    interval,
    matrix,
    num,
    number,
    percent,
    records,
    text,
    tree,
    words,
)
from hengxi.methods.evaluation._shared.indicators import Floats, ranked
from hengxi.methods.evaluation._shared.judgements import METHODS, matrix_notes
from hengxi.methods.evaluation._shared.network import Network, read
from hengxi.methods.evaluation._shared.supermatrix import Structure, limiting, priority, structure
from hengxi.stats.pairwise import Priorities

JUDGED = {"source": "judgements"}
SHOWN = 200
STEP = 0.1


class Anp(Method):
    """Priorities of elements that influence each other: the limit of a column-stochastic supermatrix."""

    title, title_en = "网络分析法ANP", "Analytic network process"
    slug = "anp"
    family, tier = "决策分析", "member"
    purpose = "指标之间存在相互依赖和反馈时，极限权重是多少"
    aliases = ("ANP", "网络层次分析法", "超矩阵", "极限超矩阵", "反馈", "依赖关系")
    references = ("saaty1996", "saaty2004", "saaty1980", "kemeny1976")
    conventions = (
        "超矩阵的第 j 列是各元素对元素 j 的影响；未加权超矩阵每块的列和为 1（没有影响的块为 0）。",
        "加权超矩阵 = 块 × 元素组权重，再使列和为 1；元素组权重为 0 的块不计入。",
        "元素组权重先取该元素下“元素组之间的判断”，没有就取元素组权重矩阵的列，再没有就对有影响的组取等权。",
        "只有一个元素的组不用判断：它的元素组权重大于 0 才有影响。",
        "λmax、CI、RI、CR 与层次分析法相同，RI 取 Saaty（1980）的表；2 阶总是一致。",
        "极限：超矩阵没有周期时取幂的极限；有周期时取 W、W²、……的 Cesàro 平均，按 (I + W)/2 的幂的极限计算，两者相等。",
        "周期是各封闭类周期的最小公倍数；本原是不可约且周期为 1。幂次逐次加倍，变化小于 1e-10 时记下。",
        "极限超矩阵各列不同时：恰有一个元素（目标）不影响任何元素，取它的列；否则取各列的平均。",
        "敏感性：把一个元素对各元素的影响都增减 10%，各列归一后重新求极限。",
    )
    needs_data = False
    split = False

    class Input(Form):
        source: str = choice("判断来自", {
            "judgements": "判断矩阵", "weights": "局部权重（未加权超矩阵）", "weighted": "加权超矩阵"})  # fmt: skip
        network: Node = tree("元素组与元素", levels=("网络", "元素组", "元素"), depth=(3, 3), children=(1, 15))
        targets: list[Record] = records("受影响的元素", min=1, max=40, names="元素{i}", when=JUDGED, name=words(
            "名称", kind="name", hint="与上面的元素同名；有依赖关系的元素各一行"))  # fmt: skip
        matrices: list[TypedMatrix] = matrix(
            "各组判断矩阵", kind="reciprocal", sheets=("network", "targets"), gaps=True, size=(2, 15), when=JUDGED,
            hint="对这个元素的影响，行比列大几倍，可写 1/3；没有影响的整张或整行空着",
        )  # fmt: skip
        supermatrix: TypedMatrix | None = matrix(
            "超矩阵", kind="free", size=(2, 40), least=0, when={"source": ("weights", "weighted")},
            hint="行和列都是元素名称；一列是各元素对该列元素的影响",
        )  # fmt: skip
        cluster_matrix: TypedMatrix | None = matrix(
            "元素组权重矩阵（选填）", kind="free", size=(1, 15), least=0, required=False,
            when={"source": ("judgements", "weights")}, hint="行和列都是元素组名称；一列是各组对该列的组的影响",
        )  # fmt: skip
        method: Priorities = choice("权重算法", METHODS, default="eigenvector", when=JUDGED)
        limit: str = choice("极限方法", {"auto": "自动", "power": "幂", "cesaro": "Cesàro 平均"})
        sinks: str = choice("没有影响来源的元素", {"refuse": "不计算", "identity": "对角线填 1（层次结构的底层）"})
        cr_limit: float = number("CR 上限", 0.1, least=0.01, most=0.3, when=JUDGED)

    result = Table("极限权重", element=text("元素"), cluster=text("元素组"), within=percent("组内归一"),
                   place_=integer("组内排名"), weight=percent("全局权重"), rank=integer("排名"),
                   place="main")  # fmt: skip
    plot = Chart("权重条形图", "bar", of=result, x="element", y="weight", place="main")
    nodes = Points("元素", id=text("编号"), label=text("元素"), size=num("全局权重"))
    edges = Points("影响", source=text("从"), target=text("到"), weight=num("加权超矩阵的值"))
    net = Chart("网络结构图", "network", nodes=nodes, edges=edges, size="size", weight="weight", place="main")
    consistency = Table(
        "各判断矩阵的一致性", target=text("受影响的元素"), of=text("比较"), n=integer("阶数"),
        largest=num("λmax", least=0), index=num("CI", least=0), random=num("RI", least=0), ratio=num("CR", least=0),
        verdict=text("结果"), when=JUDGED, place="main",
    )  # fmt: skip
    facts_ = Table(
        "收敛信息", how=text("极限方法"), power=num("幂次", least=0), irreducible=text("不可约"),
        closed=integer("封闭类"), period=integer("周期"), primitive=text("本原"), layout="record", place="main",
    )  # fmt: skip
    unweighted = Table("未加权超矩阵", layout=Matrix(value=num("值", least=0)), place="detail")
    weighted = Table("加权超矩阵", layout=Matrix(value=num("值", least=0)), place="detail")
    final = Table("极限超矩阵", layout=Matrix(value=num("值", least=0)), place="detail")
    shaken = Table("影响增减 10% 时的权重", element=text("元素"), weight=percent("全局权重"), ci=interval(
        "范围", "lowest", "highest", format="percent"), changed=text("第一名改变的组"), place="detail")  # fmt: skip

    @classmethod
    def notes(cls, form: dict[str, Any]) -> list[FormNote]:
        if form["source"] != "judgements":
            return []
        return matrix_notes("matrices", (form["matrices"] or {}).get("sheets") or [], float(form["cr_limit"] or 0.1))

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        net = read(form)
        kind = structure(net.weighted)
        by_means = form.limit == "cesaro" or kind.period > 1
        if form.limit == "power" and kind.period > 1:
            text_ = f"加权超矩阵有周期 {kind.period}，幂不收敛，请改用 Cesàro 平均"
            raise Refusal("data.period", text_, field="limit", remedies=[
                SetRemedy(title="改用 Cesàro 平均", set={"limit": "cesaro"})])  # fmt: skip
        final, power, change = limiting(net.weighted, by_means)
        if change > 1e-8:
            raise Refusal("data.slow", "超矩阵的幂经过 2^60 次仍不收敛，请核对接近 0 的影响", field="source")
        w, columns, goal = priority(final, net.weighted)
        cls._rows(report, form, net, w)
        how = "Cesàro 平均" if by_means else "幂"
        report.row(cls.facts_, how=how, power=float(power), irreducible="是" if kind.irreducible else "否",
                   closed=kind.closed, period=kind.period, primitive="是" if kind.primitive else "否")  # fmt: skip
        tables = ((cls.unweighted, net.unweighted), (cls.weighted, net.weighted), (cls.final, final))
        for table, values in tables:
            for i, a in enumerate(net.elements):
                for j, b in enumerate(net.elements):
                    report.row(table, item=a, against=b, value=values[i, j])
        firm = cls._shake(report, net, w, by_means)
        _words(report, form, net, w, kind, how, firm)
        if columns == "goal":
            report.note(cls.result, f"极限超矩阵各列不同，权重取目标“{net.elements[goal]}”的列。")
        elif columns == "mean":
            text_ = "网络分成互不影响的部分，极限超矩阵各列不同，权重取各列的平均。请检查是否漏填了影响。"
            report.check("网络连通", "care", text_)
        return report

    @classmethod
    def _rows(cls, report: Report, form: Any, net: Network, w: Floats) -> None:
        ranks = ranked(w)
        for i, name in enumerate(net.elements):
            group = net.members(net.cluster[i])
            total, at = w[group].sum(), list(group).index(i)
            report.row(cls.result, element=name, cluster=net.clusters[net.cluster[i]],
                       within=w[i] / total if total > 1e-12 else None, place_=ranked(w[group])[at], weight=w[i],
                       rank=ranks[i])  # fmt: skip
            report.row(cls.nodes, id=str(i), label=name, size=w[i])
        kept = np.argwhere(net.weighted > 0).tolist()
        for i, j in sorted(kept, key=lambda at: -round(net.weighted[at[0], at[1]], 12))[:SHOWN]:
            report.row(cls.edges, source=str(i), target=str(j), weight=net.weighted[i, j])
        for one in net.judged:
            found = one.found
            verdict = "总是一致" if found.ratio is None else "通过" if found.ratio < form.cr_limit else "未通过"
            report.row(cls.consistency, target=one.target, of=one.of, n=one.n, largest=found.largest,
                       index=found.index, random=found.random, ratio=found.ratio, verdict=verdict)  # fmt: skip

    @classmethod
    def _shake(cls, report: Report, net: Network, w: Floats, by_means: bool) -> bool:
        firsts, firm = net.firsts(w), True
        for i, name in enumerate(net.elements):
            low = high = w[i]
            changed: set[int] = set()
            for factor in (1 - STEP, 1 + STEP):
                other = net.weighted.copy()
                other[i] *= factor
                other /= other.sum(axis=0)
                again = priority(limiting(other, by_means)[0], other)[0]
                low, high = min(low, again[i]), max(high, again[i])
                changed |= {c for c, first in enumerate(net.firsts(again)) if first != firsts[c]}
            firm = firm and not changed
            report.row(cls.shaken, element=name, weight=w[i], lowest=low, highest=high,
                       changed="、".join(net.clusters[c] for c in sorted(changed)) or "没有")  # fmt: skip
        return firm


def _words(report: Report, form: Any, net: Network, w: Floats, kind: Structure, how: str, firm: bool) -> None:
    order = np.argsort(-np.round(w, 12), kind="stable")
    facts: dict[str, Any] = {
        "n": len(w), "m": len(net.clusters), "first": net.elements[order[0]], "high": w[order[0]],
        "second": net.elements[order[1]], "next": w[order[1]], "period": kind.period,
    }  # fmt: skip
    if np.isclose(facts["high"], facts["next"], rtol=1e-9):
        lead = "{n:integer} 个元素里“{first}”和“{second}”并列第一，极限权重都是 {high:percent}。"
    else:
        lead = "{n:integer} 个元素里“{first}”的极限权重最大（{high:percent}），其次是“{second}”（{next:percent}）。"
    report.lead(lead, [figure("最大极限权重", "{high:percent}", "{first}")], **facts)
    over = [one for one in net.judged if one.found.ratio is not None and one.found.ratio >= form.cr_limit]
    if over:
        worst = max(over, key=lambda one: one.found.ratio or 0.0)
        text_ = (
            "{k:integer} 张判断矩阵的 CR 不小于 {limit:num}，最大的是“{target}”下的“{of}”（CR = {cr:num}），请核对。"
        )
        report.check("一致性", "fail", text_, k=len(over), limit=form.cr_limit, target=worst.target, of=worst.of,
                     cr=worst.found.ratio)  # fmt: skip
    elif net.judged:
        report.check("一致性", "pass", "{k:integer} 张判断矩阵的 CR 都小于 {limit:num}。", k=len(net.judged),
                     limit=form.cr_limit)  # fmt: skip
    if kind.period > 1:
        text_ = "极限超矩阵存在周期，已使用 Cesàro 平均。周期是 {period:integer}。"
        report.check("幂的收敛", "care", text_, **facts)
    else:
        report.check("幂的收敛", "pass", "加权超矩阵没有周期，它的幂收敛。")
    if firm:
        report.check("结论稳不稳", "pass", "任何一个元素的影响增减 10%，各组的第一名都不变。")
    else:
        report.check("结论稳不稳", "care", "有的元素的影响增减 10%，会改变某组的第一名，见“影响增减 10% 时的权重”。")
    report.say(
        f"采用网络分析法（{{m:integer}} 个元素组，{{n:integer}} 个元素），极限超矩阵用{how}求得；"
        "极限权重最大的是{first}（{high:percent}）。", voice="paper", **facts,
    )  # fmt: skip
    report.say("极限权重包含了元素之间来回的影响，依据是判断，不是由数据检验出来的。", voice="student")
