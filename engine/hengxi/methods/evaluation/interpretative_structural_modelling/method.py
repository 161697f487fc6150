from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Form,
    Matrix,
    Method,
    Points,
    Record,
    Refusal,
    Report,
    Table,
    TypedMatrix,
    choice,
    figure,
    flag,
    integer,
    matrix,
    num,
    number,
    records,
    text,
    words,
)
from hengxi.methods.evaluation._shared.digraph import (
    Flags,
    condensed,
    cycles,
    levels_from_bottom,
    reachable,
    without_detours,
)
from hengxi.methods.evaluation._shared.indicators import Floats

TYPED, LETTERS, TOTAL = {"source": "adjacency"}, {"source": "vaxo"}, {"source": "dematel"}
CUTS = {"mean": "平均值", "mean_plus_sd": "平均值 + 标准差", "manual": "自定义阈值"}
CODES = "VAXO"
MICMAC = {"micmac": True}


class InterpretativeStructuralModelling(Method):
    """Levels of factors from which of them influences which, and their driving and dependence."""

    title, title_en = "解释结构模型ISM", "Interpretive structural modelling (with MICMAC)"
    slug = "interpretative-structural-modelling"
    family, tier = "决策分析", "member"
    purpose = "众多因素之间的层级结构是什么，哪些是根本原因、哪些是表层结果"
    aliases = ("ISM", "解释结构模型", "可达矩阵", "MICMAC", "驱动力", "依赖性", "层级结构")
    references = ("warfield1974", "duperrin1973", "warshall1962")
    conventions = (
        "邻接矩阵的 1 表示行影响列；可达矩阵 = 邻接矩阵加单位阵后的传递闭包（Warshall，1962）。",
        "层级从上往下抽取：可达集等于共同集的因素为一层（最上层是表层结果），移去后重复。",
        "互相可达的因素合并成一个强连通块，同一层。",
        "骨架矩阵去掉能由其他边推出的边（传递约简），可达关系不变。",
        "VAXO：V 行影响列，A 列影响行，X 互相影响，O 无关。",
        "由 DEMATEL 生成：综合影响 t ≥ λ 记 1；平均值和标准差用全部 n² 个元素（标准差除以 n² − 1）。",
        "MICMAC：驱动力是可达矩阵的行和，依赖性是列和（含自己）；以两者的平均值分四象限，等于平均值归高的一侧。",
    )
    needs_data = False
    split = False

    class Input(Form):
        source: str = choice("录入方式", {
            "adjacency": "邻接矩阵（0/1）", "vaxo": "VAXO", "dematel": "DEMATEL 综合影响矩阵"})  # fmt: skip
        adjacency: TypedMatrix | None = matrix("邻接矩阵", kind="influence", size=(2, 60), most=1, when=TYPED,
                                               hint="行影响列填 1，否则填 0；对角线为 0")  # fmt: skip
        factors: list[Record] = records("因素", min=2, max=60, names="因素{i}", name=words("名称", kind="name"),
                                        when=LETTERS)  # fmt: skip
        vaxo: str = words("VAXO 上三角", kind="text", longest=3000, when=LETTERS,
                          hint="逐行写，行与行用分号隔开：第 1 行是第 1 个因素对第 2、3…个，如 VAO;XO;V")  # fmt: skip
        total: TypedMatrix | None = matrix("综合影响矩阵 T", kind="free", size=(2, 60), least=0, when=TOTAL,
                                           hint="从 DEMATEL 的报告复制；行和列的名称相同")  # fmt: skip
        threshold: str = choice("阈值 λ", CUTS, default="mean_plus_sd", when=TOTAL)
        threshold_value: float = number("自定义阈值", 0.1, least=0, most=1e6, when={
            "source": "dematel", "threshold": "manual"})  # fmt: skip
        micmac: bool = flag("MICMAC", True)

    levels = Table("层级划分", level=integer("层级"), factors_=text("因素"), n=integer("个数"), place="main")
    nodes = Points("因素", id=text("编号"), label=text("因素"), x=num("横"), y=num("纵"))
    edges = Points("影响", source=text("从"), target=text("到"))
    ladder = Chart("多级递阶图（由下往上影响）", "network", nodes=nodes, edges=edges, x="x", y="y", arrange="fixed",
                   place="main")  # fmt: skip
    sets = Table("可达集、先行集、共同集", step=integer("第几轮"), factor=text("因素"), reach=text("可达集"),
                 before=text("先行集"), both=text("共同集"), taken=text("本轮抽取"), merge=("step",),
                 place="detail")  # fmt: skip
    power = Table(
        "MICMAC", factor=text("因素"), driving=integer("驱动力"), dependence=integer("依赖性"), quadrant=text("类型"),
        when=MICMAC, place="main",
    )  # fmt: skip
    map_ = Chart("MICMAC 象限图", "point", of=power, x="dependence", y="driving", label="factor", series="quadrant",
                 when=MICMAC, place="main")  # fmt: skip
    blocks = Table("强连通块", factors_=text("因素"), n=integer("个数"), level=integer("层级"), place="detail")
    reach_ = Table("可达矩阵", layout=Matrix(value=integer("可达")), place="detail")
    given = Table("邻接矩阵", layout=Matrix(value=integer("影响")), place="detail")
    skeleton = Table("骨架矩阵的边", source=text("从"), target=text("到"), place="detail")
    info = Table("概况", n=integer("因素"), edges_=integer("邻接矩阵的边"), kept=integer("骨架的边"),
                 level=integer("层数"), cut=num("阈值 λ", least=0, when=TOTAL), layout="record",
                     place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names, a, cut = _read(form)
        r = reachable(a)
        groups = cycles(r)
        depth = levels_from_bottom(a, groups)
        level = np.zeros(len(names), dtype=int)
        for block, at in zip(groups, depth, strict=True):
            level[block] = at
        kept = without_detours(condensed(a, groups))
        titles = ["、".join(names[k] for k in block) for block in groups]
        cls._levels(report, names, r, level)
        cls._draw(report, titles, depth, kept)
        cls._matrices(report, names, a, r)
        for block, title, at in zip(groups, titles, depth, strict=True):
            if len(block) > 1:
                report.row(cls.blocks, factors_=title, n=len(block), level=at)
        if len(groups) == len(names):
            report.skip(cls.blocks, "没有互相可达的因素")
        more: dict[str, Any] = {"cut": cut} if form.source == "dematel" else {}
        report.row(cls.info, n=len(names), edges_=int(a.sum()), kept=int(kept.sum()), level=int(level.max()), **more)
        if form.micmac:
            cls._micmac(report, names, r)
        _words(report, names, a, level, groups)
        return report

    @classmethod
    def _levels(cls, report: Report, names: list[str], r: Flags, level: Any) -> None:
        for at in range(1, level.max() + 1):
            found = [names[k] for k in np.flatnonzero(level == at)]
            report.row(cls.levels, level=at, factors_="、".join(found), n=len(found))
            left = [int(k) for k in np.flatnonzero(level >= at)]
            for k in left:
                reach = [j for j in left if r[k, j]]
                before = [j for j in left if r[j, k]]
                both = [j for j in reach if j in before]
                report.row(cls.sets, step=at, factor=names[k], reach=_list(names, reach), before=_list(names, before),
                           both=_list(names, both), taken="是" if level[k] == at else "否")  # fmt: skip
        report.note(cls.levels, "第 1 层是表层（最直接的结果），最后一层是根本原因。")

    @classmethod
    def _draw(cls, report: Report, titles: list[str], depth: list[int], kept: Flags) -> None:
        if not kept.any():
            for element in (cls.nodes, cls.edges, cls.skeleton):
                report.skip(element, "各块之间没有影响")
            return
        seen: dict[int, int] = {}
        for k, (title, at) in enumerate(zip(titles, depth, strict=True)):
            place = seen.get(at, 0)
            seen[at] = place + 1
            row = depth.count(at)
            report.row(cls.nodes, id=str(k), label=title, x=place - (row - 1) / 2, y=-float(at))
        for i, j in np.argwhere(kept):
            report.row(cls.edges, source=str(i), target=str(j))
            report.row(cls.skeleton, source=titles[i], target=titles[j])

    @classmethod
    def _matrices(cls, report: Report, names: list[str], a: Flags, r: Flags) -> None:
        for table, values in ((cls.given, a), (cls.reach_, r)):
            for i, first in enumerate(names):
                for j, second in enumerate(names):
                    report.row(table, item=first, against=second, value=int(values[i, j]))

    @classmethod
    def _micmac(cls, report: Report, names: list[str], r: Flags) -> None:
        driving, dependence = r.sum(axis=1), r.sum(axis=0)
        middle = driving.mean()
        words_ = {(True, True): "联系", (True, False): "独立（驱动）", (False, True): "依赖", (False, False): "自治"}
        for k, name in enumerate(names):
            kind = words_[bool(driving[k] >= middle), bool(dependence[k] >= middle)]
            report.row(cls.power, factor=name, driving=int(driving[k]), dependence=int(dependence[k]), quadrant=kind)
        report.note(cls.power, "以平均值 {m:num} 划分象限。", m=float(middle))


def _list(names: list[str], members: list[int]) -> str:
    return "、".join(names[k] for k in members)


def _read(form: Any) -> tuple[list[str], Flags, float]:
    match form.source:
        case "vaxo":
            return *_letters(form), 0.0
        case "dematel":
            return _total(form)
    if form.adjacency is None:
        raise Refusal("matrix.required", "请填写“邻接矩阵”", field="adjacency")
    values = form.adjacency.values
    if not np.isin(values, (0, 1)).all():
        i, j = (int(k) for k in np.argwhere(~np.isin(values, (0, 1)))[0])
        names = form.adjacency.rows
        text_ = f"邻接矩阵只能填 0 或 1，“{names[i]}”行“{names[j]}”列是 {values[i, j]:g}"
        raise Refusal("data.binary", text_, field="adjacency")
    return _judged(list(form.adjacency.rows), values == 1, "adjacency"), values == 1, 0.0


def _judged(names: list[str], a: Flags, field: str) -> list[str]:
    if not a.any():
        raise Refusal("data.none", "因素之间没有任何影响，分不出层级，请至少填一处", field=field)
    return names


def _letters(form: Any) -> tuple[list[str], Flags]:
    names = [one.name for one in form.factors]
    n = len(names)
    rows = [part.strip().upper() for part in (form.vaxo or "").replace("；", ";").replace("\n", ";").split(";")]
    rows = [part.replace(" ", "").replace(",", "").replace("，", "") for part in rows if part]
    if len(rows) != n - 1:
        text_ = f"{n} 个因素要有 {n - 1} 行 VAXO，现有 {len(rows)} 行；行与行用分号隔开"
        raise Refusal("data.vaxo", text_, field="vaxo")
    a = np.zeros((n, n), dtype=bool)
    for i, row in enumerate(rows):
        if len(row) != n - 1 - i or set(row) - set(CODES):
            text_ = f"第 {i + 1} 行（“{names[i]}”）要有 {n - 1 - i} 个字母，只能是 V、A、X、O，现为“{row[:20]}”"
            raise Refusal("data.vaxo", text_, field="vaxo")
        for k, letter in enumerate(row):
            j = i + 1 + k
            a[i, j], a[j, i] = letter in "VX", letter in "AX"
    return _judged(names, a, "vaxo"), a


def _total(form: Any) -> tuple[list[str], Flags, float]:
    if form.total is None:
        raise Refusal("matrix.required", "请填写“综合影响矩阵 T”", field="total")
    t: Floats = form.total.values
    if t.shape[0] != t.shape[1] or form.total.rows != form.total.columns:
        raise Refusal("data.square", "综合影响矩阵的行和列要是同样的因素，次序也相同", field="total")
    cut = float(t.mean())
    if form.threshold == "mean_plus_sd":
        cut += float(t.std(ddof=1))
    elif form.threshold == "manual":
        cut = float(form.threshold_value)
    a = (np.round(t, 10) >= round(cut, 10)) & ~np.eye(len(t), dtype=bool)
    return _judged(list(form.total.rows), a, "threshold"), a, cut


def _words(report: Report, names: list[str], a: Flags, level: Any, groups: list[list[int]]) -> None:
    top, low = ([names[k] for k in np.flatnonzero(level == at)] for at in (1, level.max()))
    facts: dict[str, Any] = {"n": len(names), "levels": int(level.max()), "top": "、".join(top), "low": "、".join(low),
                             "looped": sum(len(one) > 1 for one in groups)}  # fmt: skip
    if level.max() == 1:
        report.lead("{n:integer} 个因素互相可达，都在同一层，分不出层级。", **facts)
    else:
        lead = "{n:integer} 个因素分成 {levels:integer} 层：表层是{top}，根本原因是{low}。"
        report.lead(lead, [figure("层数", "{levels:integer}")], **facts)
    alone = [name for k, name in enumerate(names) if not a[k].any() and not a[:, k].any()]
    if alone:
        report.warn(
            "data.alone", "与其他因素没有任何联系：{who}。它们列在第 1 层，不代表是表层结果。", who="、".join(alone)
        )
    if facts["looped"]:
        report.say("有 {looped:integer} 个强连通块，块里的因素互相影响，分不出先后。", **facts)
    report.say("采用解释结构模型把 {n:integer} 个因素分成 {levels:integer} 层，最底层是{low}。", voice="paper", **facts)
    report.say("层级来自人对“谁影响谁”的判断。漏填一处影响，层级就可能改变。", voice="student")
