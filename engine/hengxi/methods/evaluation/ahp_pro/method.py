from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    FormNote,
    Matrix,
    Method,
    Node,
    Points,
    Record,
    Report,
    Table,
    TypedMatrix,
    choice,
    claim,
    filled,
    flag,
    integer,
    interval,
    matrix,
    num,
    number,
    percent,
    pvalue,
    records,
    role,
    stat,
    text,
    tree,
    words,
)
from hengxi.methods.evaluation._shared import hierarchy
from hengxi.methods.evaluation._shared.hierarchy_tables import (
    ALIKE,
    DRAWS,
    agreement_rows,
    consistency_rows,
    own_weights,
    range_rows,
    ranks,
    say_all,
    sensitivity_rows,
)
from hengxi.methods.evaluation._shared.judgements import METHODS, matrix_notes
from hengxi.stats.pairwise import Floats, Priorities

TYPED, COLUMNS = {"source": "typed"}, {"source": "columns"}


class AhpPro(Method):
    """Weights of a hierarchy by several people: gaps completed, opinions aggregated, how far they agree, how firm the
    ranking is."""

    title, title_en = "AHP专业版（多层·群决策）", "AHP pro: hierarchy, group, incomplete matrices"
    family, tier = "决策分析", "member"
    purpose = "多位专家、多层指标、允许缺失判断时，综合权重和方案排序是什么"
    aliases = ("AHP", "层次分析法", "群决策", "专家权重", "不完全判断矩阵", "全局权重", "群组AHP", "层次总排序")
    references = ("saaty1980", "crawford1985", "harker1987", "bozoki2010", "agoston2022", "aguaron2003", "aczel1983",
                  "forman1998", "goepel2013")  # fmt: skip
    conventions = (
        "判断值是行比列重要的倍数；λmax、CI、RI、CR 与层次分析法相同，RI 取 Saaty（1980）的表。",
        "不完全矩阵的 RI 按阶数和缺失数取模拟的平均（做法同 Ágoston 和 Csató，2022）；只有 n − 1 个判断时不算。",
        "问卷的判断列里，某位专家的判断没有连通一个矩阵的全部指标时，这一张不计入，并列在“专家一致性”里。",
        "λmax 最小补全是凸优化（Bozóki 等，2010）；Harker 法用 Harker 矩阵的特征向量之比；对数最小二乘用权重之比。",
        "AIJ：先取各专家判断的（加权）几何平均，再算权重；AIP：先算各自的权重，再取几何或算术平均。",
        "按一致性定专家权重：1/(1 + 10·CR)，逐个矩阵计算。",
        "GCI 是几何一致性指数（Aguarón 和 Moreno-Jiménez，2003）；循环三元组是甲胜乙、乙胜丙、丙又胜甲的组数。",
        "总排序 CR = Σ上级权重·CI ÷ Σ上级权重·RI。",
        "共识度按 Goepel（2013）由香农 α、β 熵得到，0 到 100%；Kendall W 用各专家的全局权重之秩，含同分校正。",
        f"专家聚类：余弦相似度的平均连接法，在 {ALIKE} 处切开。",
        f"权重区间：每个判断在标度上随机变动不超过一级，{DRAWS:,} 次，取 2.5% 与 97.5% 分位数。",
    )
    needs_data = "optional"
    missing = "keep"
    split = False
    random = True

    class Input(Form):
        source: str = choice("判断来自", {"typed": "录入判断矩阵", "columns": "问卷导入的判断列"})
        hierarchy: Node = tree("层次结构", levels=("目标", "准则", "子准则"), depth=(2, 6), children=(2, 15))
        experts: list[Record] = records(
            "专家", min=1, max=60, names="专家{i}", name=words("姓名", kind="name"),
            weight=number("权重", 1, least=0, most=1000, hint="选“手工”或“权威系数”时才用到"), when=TYPED,
        )  # fmt: skip
        matrices: list[TypedMatrix] = matrix(
            "判断矩阵", kind="reciprocal", sheets=("hierarchy", "experts"), gaps=True, size=(2, 15), when=TYPED,
            hint="只填上三角：行比列重要几倍，可写 1/3；拿不准的可以空着",
        )  # fmt: skip
        expert: Column | None = role("专家标识", "任意", use="label", when=COLUMNS)
        judgements: list[Column] = role(
            "问卷导入的判断列", "定量", min=1, max=None, gaps=True, when=COLUMNS
        )  # fmt: skip
        authority: Column | None = role(
            "权重列", "定量", when={"source": "columns", "expert_weights": ("manual", "authority")}
        )
        alternatives: list[Record] = records(
            "方案（选填）", min=0, max=15, names="方案{i}", name=words("名称", kind="name")
        )
        ratings: list[TypedMatrix] = matrix(
            "方案的判断矩阵", kind="reciprocal", sheets=("hierarchy", "experts"), of="alternatives", gaps=True,
            size=(2, 15), required=False, when={"source": "typed", "alternatives": filled},
        )  # fmt: skip
        method: Priorities = choice("权重算法", METHODS)
        aggregation: str = choice("群集结", {
            "aij_geometric": "先合并判断（AIJ，几何平均）", "aip_geometric": "先算各自权重（AIP，几何平均）",
            "aip_arithmetic": "先算各自权重（AIP，算术平均）"})  # fmt: skip
        expert_weights: str = choice("专家权重", {
            "equal": "等权", "manual": "手工", "consistency": "按一致性", "authority": "权威系数"})  # fmt: skip
        missing: str = choice("缺失判断", {
            "min_lambda": "补全（λmax 最小）", "harker": "补全（Harker）", "log_least_squares": "补全（对数最小二乘）",
            "exclude_matrix": "剔除有缺失的矩阵"})  # fmt: skip
        missing_bounds: bool = flag("补全值限制在 1/9 到 9", True, advanced=True)
        limit: float = number("CR 上限", 0.1, least=0.01, most=0.3)
        inconsistent: str = choice("CR 超限的矩阵", {
            "keep_and_flag": "保留并标出", "exclude": "剔除", "repair_suggestion": "保留，列出修改建议"})  # fmt: skip
        synthesis: str = choice("方案综合", {
            "distributive": "分配式", "ideal": "理想式", "weighted_product": "加权乘积"},
            when={"alternatives": filled})  # fmt: skip
        sensitivity: bool = flag("敏感性分析", True)

    global_weights = Table(
        "全局权重", node=text("指标"), level=integer("层"), local=percent("局部权重"), overall=percent("全局权重"),
        rank=integer("排名"), place="main",
    )  # fmt: skip
    scores = Table("方案得分", alternative=text("方案"), score=percent("得分"), rank=integer("排名"), place="main",
                   when={"alternatives": filled})  # fmt: skip
    shares = Points("权重构成", path=text("指标"), overall=num("全局权重"))
    sun = Chart("权重旭日图", "share", of=shares, path="path", value="overall", draw="sunburst", place="main")
    consistency = Table(
        "专家一致性", expert=text("专家"), node=text("判断矩阵"), n=integer("阶数"), largest=num("λmax", least=0),
        ratio=num("CR", least=0), gci=num("GCI", least=0), missing=integer("缺失"), triads=integer("循环三元组"),
        share=percent("专家权重"), treated=text("处理"), merge=("expert",), place="detail",
    )  # fmt: skip
    completed = Table("缺失补全", expert=text("专家"), node=text("判断矩阵"), first=text("行"), second=text("列"),
                      value=num("补全值", least=0), basis=text("依据"), place="detail")  # fmt: skip
    proposals = Table(
        "修改建议", expert=text("专家"), node=text("判断矩阵"), first=text("行"), second=text("列"),
        current=text("现值"), implied=num("一致值", least=0), proposed=text("建议值"), after=num("改后 CR", least=0),
        place="detail",
    )  # fmt: skip
    groups = Table("群判断的一致性", node=text("判断矩阵"), n=integer("阶数"), largest=num("λmax", least=0),
                   index=num("CI", least=0), random=num("RI", least=0), ratio=num("CR", least=0),
                   place="detail")  # fmt: skip
    totals = Table("总排序一致性", layer=text("层次"), index=num("CI", least=0), random=num("RI", least=0),
                   ratio=num("CR", least=0), place="detail")  # fmt: skip
    judgement = Table("群判断矩阵", layout=Matrix(value=num("判断值")), item=text("项"), place="detail")
    concord = Table("专家的协调程度", w=num("Kendall *W*", least=0, most=1),
                    chi2=num("*χ*²", least=0), df=integer("*df*"),
                    p=pvalue(), n=integer("专家"), k=integer("指标"), layout="record", place="detail",
                    claim=claim("agreement", stat("χ²", "chi2", "df"), effect="w"))  # fmt: skip
    consensus = Table("群体共识", node=text("判断矩阵"), n=integer("专家"), alpha=num("α 熵", least=0),
                      beta=num("β 熵", least=0), gamma=num("γ 熵", least=0), agreement=percent("共识度"),
                      place="detail")  # fmt: skip
    similar = Table("专家相似度", first=text("专家"), second=text("与"), cosine=num("余弦相似度", least=0, most=1),
                    place="detail")  # fmt: skip
    circles = Table("专家聚类", expert=text("专家"), circle=integer("类"), place="detail")
    heat = Chart("共识热力图", "heat", of=similar, row="first", column="second", value="cosine", place="detail")
    nodes = Points("层次", id=text("节点"), parent=text("上级"), label=text("名称"), value=num("全局权重"))
    outline = Chart("层次结构图", "tree", of=nodes, node="id", parent="parent", label="label", value="value",
                    draw="outline", place="detail")  # fmt: skip
    ranges = Table("权重的区间", node=text("指标"), overall=percent("全局权重"),
                   ci=interval("95% 区间", format="percent"), when={"sensitivity": True}, place="detail")  # fmt: skip
    curve = Points("得分随权重变化", criterion=text("准则"), share=num("准则权重"), alternative=text("方案"),
                   score=num("得分"), when={"sensitivity": True, "alternatives": filled})  # fmt: skip
    lines = Chart("敏感性图", "line", of=curve, x="share", y="score", series="alternative", facet="criterion",
                  when={"sensitivity": True, "alternatives": filled}, place="detail")  # fmt: skip
    turning = Table("逆序点", criterion=text("准则"), current=percent("现在的权重"), turn=percent("逆序时的权重"),
                    leader=text("届时第一"), when={"sensitivity": True, "alternatives": filled},
                    place="detail")  # fmt: skip

    @classmethod
    def notes(cls, form: dict[str, Any]) -> list[FormNote]:
        if form["source"] != "typed":
            return []
        found = []
        for key in ("matrices", "ratings"):
            found += matrix_notes(key, (form[key] or {}).get("sheets") or [], float(form["limit"] or 0.1))
        return found

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = [one.name for one in form.alternatives or []]
        asked = hierarchy.comparisons(form.hierarchy, names)
        read = hierarchy.from_columns if form.source == "columns" else hierarchy.from_sheets
        people, held = read(form, asked)
        found = [hierarchy.localise(form, one, people, held[one.key]) for one in asked]
        local = {one.comparison.key: one.weights for one in found}
        overall = hierarchy.global_weights(form.hierarchy, local)
        cls._weights(report, form, overall, local)
        consistency_rows(cls, report, form, people, found, overall)
        own = own_weights(form, people, found)
        agreement = agreement_rows(cls, report, form, people, found, own)
        ranked = cls._alternatives(report, form, names, local, overall)
        range_rows(cls, report, form, found, overall)
        say_all(cls, report, form, people, found, overall, ranked, agreement)
        return report

    @classmethod
    def _weights(cls, report: Report, form: Any, overall: dict[str, float], local: dict[Any, Floats]) -> None:
        low = hierarchy.leaves(form.hierarchy)
        rank = dict(zip([one.id for one in low], ranks([overall[one.id] for one in low]), strict=True))
        for node, parent, path in hierarchy.lines(form.hierarchy):
            report.row(
                cls.nodes, id=node.id, parent=None if parent is None else parent.id, label=node.name,
                value=overall[node.id],
            )  # fmt: skip
            if parent is None:
                continue
            own = float(local[parent.id, False][[one.id for one in parent.children].index(node.id)])
            report.row(
                cls.global_weights, depth=node.level - 1, node=node.name, level=node.level, local=own,
                overall=overall[node.id], rank=rank.get(node.id),
            )  # fmt: skip
            if not node.children:
                report.row(cls.shares, path=path, overall=overall[node.id])
        report.note(cls.global_weights, "局部权重是在同一个上级里的份额，全局权重是占总目标的份额；排名只排最下层。")

    @classmethod
    def _alternatives(
        cls, report: Report, form: Any, names: list[str], local: dict[Any, Floats], overall: dict[str, float]
    ) -> list[tuple[str, float]]:
        if not names:
            return []
        low = hierarchy.leaves(form.hierarchy)
        values = np.stack([local[one.id, True] for one in low], axis=1)
        weights = np.array([overall[one.id] for one in low])
        found = hierarchy.scores(values, weights, form.synthesis)
        for name, score, rank in zip(names, found, ranks(found), strict=True):
            report.row(cls.scores, alternative=name, score=score, rank=rank)
        if form.sensitivity:
            sensitivity_rows(cls, report, form, names, values, overall)
        return sorted(zip(names, map(float, found), strict=True), key=lambda pair: -pair[1])
