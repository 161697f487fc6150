from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Form,
    Matrix,
    Method,
    Node,
    Points,
    Record,
    Reference,
    Refusal,
    Report,
    Table,
    TypedMatrix,
    choice,
    figure,
    integer,
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

SINGLE, GROUP = {"source": "single"}, {"source": "experts"}
SCALES = {"max_row": "行和的最大值", "max_row_col": "行和、列和的最大值"}
CUTS = {"mean": "平均值", "mean_plus_sd": "平均值 + 标准差", "quartile3": "上四分位数", "manual": "自定义阈值"}
AGREE, SHOWN = 0.05, 200


class Dematel(Method):
    """Causes and effects among factors that influence each other, directly and through others."""

    title, title_en = "决策实验室法DEMATEL", "DEMATEL"
    slug = "dematel"
    family, tier = "决策分析", "member"
    purpose = "因素间相互影响有多强，哪些是原因因素、哪些是结果因素"
    aliases = ("DEMATEL", "决策实验室", "中心度", "原因度", "综合影响矩阵", "因果图")
    references = ("gabus1972", "shieh2016", "lee2013dematel")
    conventions = (
        "多位专家先取直接影响矩阵的算术平均 Z，规范化 X = Z/s；s 是行和（或行和与列和）的最大值。",
        "综合影响矩阵 T = X(I − X)⁻¹，含对自身的间接影响；X 的谱半径不小于 1 时 T 不存在，不计算。",
        "影响度 D 是 T 的行和，被影响度 C 是列和；中心度 D + C，原因度 D − C 大于 0 为原因因素。",
        "权重 = √((D + C)² + (D − C)²)，归一。",
        "阈值用 T 的全部 n² 个元素：标准差除以 n² − 1，上四分位数按 (N − 1)p + 1 插值；网络图只画大于阈值的边。",
        "专家一致性：最后一位专家加入前后平均值的相对变化，小于 5% 为稳定（专家次序会影响它）。",
    )
    needs_data = False
    split = False

    class Input(Form):
        source: str = choice("判断来自", {"single": "一张矩阵", "experts": "多位专家"})
        direct: TypedMatrix | None = matrix(
            "直接影响矩阵", kind="influence", size=(2, 60), most=10, when=SINGLE,
            hint="行对列的影响：0 没有，1 弱，2 中，3 强，4 很强；对角线为 0",
        )  # fmt: skip
        factors: Node = tree("因素", levels=("目标", "因素"), depth=(2, 2), children=(2, 60), when=GROUP)
        experts: list[Record] = records("专家", min=2, max=60, names="专家{i}", name=words("姓名", kind="name"),
                                        when=GROUP)  # fmt: skip
        sheets: list[TypedMatrix] = matrix("各专家的直接影响矩阵", kind="influence", sheets=("factors", "experts"),
                                           size=(2, 60), most=10, when=GROUP)  # fmt: skip
        normalize: str = choice("规范化", SCALES, default="max_row_col")
        threshold: str = choice("网络图阈值", CUTS)
        threshold_value: float = number("自定义阈值", 0.1, least=0, most=1e6, when={"threshold": "manual"})

    result = Table(
        "因素的影响", factor=text("因素"), d=num("影响度 D", least=0), c=num("被影响度 C", least=0),
        prominence=num("中心度 D+C", least=0), relation=num("原因度 D−C"), weight=percent("权重"),
        kind=text("属性"), rank=integer("中心度排名"), place="main",
    )  # fmt: skip
    plot = Chart("因果图", "point", of=result, x="prominence", y="relation", label="factor", series="kind",
                 over=[Reference(y=0)], place="main")  # fmt: skip
    nodes = Points("因素", id=text("编号"), label=text("因素"), size=num("中心度"))
    edges = Points("影响", source=text("从"), target=text("到"), weight=num("综合影响"))
    net = Chart("影响网络图（大于阈值的影响）", "network", nodes=nodes, edges=edges, size="size", weight="weight",
                place="main")  # fmt: skip
    total = Table("综合影响矩阵 T", layout=Matrix(value=num("T", least=0)), place="detail")
    scaled = Table("规范影响矩阵 X", layout=Matrix(value=num("X", least=0)), place="detail")
    mean = Table("平均直接影响矩阵 Z", layout=Matrix(value=num("Z", least=0)), when=GROUP, place="detail")
    cuts = Table("不同阈值下的边数", rule=text("阈值规则"), cut=num("阈值", least=0), edges_=integer("边数"),
                 used=text("采用"), place="detail")  # fmt: skip
    without = Table(
        "去掉一位专家", expert=text("去掉"), changed=integer("属性改变的因素"), first=text("中心度第一"), when=GROUP,
        place="detail",
    )  # fmt: skip
    facts_ = Table("计算信息", s=num("规范化因子 s", least=0), radius=num("谱半径", least=0),
                   gap=percent("专家一致性差距", most=None, when=GROUP), layout="record", place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names, people, each = _read(form)
        z = each.mean(axis=0)
        s, x, t = total_influence(z, form.normalize)
        d, c = t.sum(axis=1), t.sum(axis=0)
        raw = np.hypot(d + c, d - c)
        ranks = ranked(d + c)
        for k, name in enumerate(names):
            report.row(cls.result, factor=name, d=d[k], c=c[k], prominence=d[k] + c[k], relation=d[k] - c[k],
                       weight=raw[k] / raw.sum(), kind=_kind(d[k] - c[k]), rank=ranks[k])  # fmt: skip
        tables = [(cls.total, t), (cls.scaled, x)] + ([(cls.mean, z)] if people else [])
        for table, values in tables:
            for i, a in enumerate(names):
                for j, b in enumerate(names):
                    report.row(table, item=a, against=b, value=values[i, j])
        cut = cls._network(report, form, names, t)
        gap = _gap(each) if people else None
        radius = float(np.abs(np.linalg.eigvals(x)).max())
        more: dict[str, Any] = {"gap": gap} if people else {}
        report.row(cls.facts_, s=s, radius=radius, **more)
        changed = cls._without(report, form, names, people, each, d - c) if people else 0
        _words(report, form, names, people, (d, c), cut, gap, changed)
        return report

    @classmethod
    def _network(cls, report: Report, form: Any, names: list[str], t: Floats) -> float:
        found = {"mean": float(t.mean()), "mean_plus_sd": float(t.mean() + t.std(ddof=1)),
                 "quartile3": float(np.quantile(t, 0.75))}  # fmt: skip
        if form.threshold == "manual":
            found["manual"] = float(form.threshold_value)
        off = ~np.eye(len(t), dtype=bool)
        for key, cut in found.items():
            used = "是" if key == form.threshold else "否"
            report.row(cls.cuts, rule=CUTS[key], cut=cut, edges_=int((off & _above(t, cut)).sum()), used=used)
        cut = found[form.threshold]
        kept = np.argwhere(off & _above(t, cut))
        if not len(kept):
            report.skip(cls.nodes, "没有大于阈值的影响")
            report.skip(cls.edges, "没有大于阈值的影响")
            return cut
        for k, name in enumerate(names):
            report.row(cls.nodes, id=str(k), label=name, size=t[k].sum() + t[:, k].sum())
        for i, j in sorted(kept.tolist(), key=lambda at: -t[at[0], at[1]])[:SHOWN]:
            report.row(cls.edges, source=str(i), target=str(j), weight=t[i, j])
        return cut

    @classmethod
    def _without(
        cls, report: Report, form: Any, names: list[str], people: list[str], each: Floats, relation: Floats
    ) -> int:
        most = 0
        for k, person in enumerate(people):
            z = np.delete(each, k, axis=0).mean(axis=0)
            try:
                t = total_influence(z, form.normalize)[2]
            except Refusal:
                report.row(cls.without, expert=person, changed=None, first="无法计算")
                continue
            d, c = t.sum(axis=1), t.sum(axis=0)
            changed = sum(_kind(a) != _kind(b) for a, b in zip(d - c, relation, strict=True))
            most = max(most, changed)
            report.row(cls.without, expert=person, changed=changed, first=names[int(np.argmax(np.round(d + c, 12)))])
        return most


def total_influence(z: Floats, how: str) -> tuple[float, Floats, Floats]:
    """The factor s, X = Z/s and T = X(I − X)⁻¹; refused where nothing is influenced or T does not exist."""
    s = float(z.sum(axis=1).max())
    if how == "max_row_col":
        s = max(s, float(z.sum(axis=0).max()))
    if s <= 0:
        raise Refusal("data.zero", "影响矩阵全为 0，请至少填一处影响", field="direct")
    x = z / s
    if float(np.abs(np.linalg.eigvals(x)).max()) >= 1 - 1e-9:
        text_ = "影响矩阵的规范化无效：有些因素只在一个循环里同样强地互相影响，谱半径不小于 1，无法求逆。请核对判断"
        raise Refusal("data.radius", text_, field="direct")
    return s, x, np.asarray(x @ np.linalg.inv(np.eye(len(x)) - x))


def _above(t: Floats, cut: float) -> Any:
    """Greater, but not by rounding alone."""
    return np.round(t, 10) > round(cut, 10)


def _kind(relation: float) -> str:
    return "原因" if relation > 1e-9 else "结果" if relation < -1e-9 else "平衡"


def _gap(each: Floats) -> float:
    """Mean relative change of the mean when the last person joins; cells that are 0 do not count."""
    now, before = each.mean(axis=0), each[:-1].mean(axis=0)
    counted = now > 0
    return float((np.abs(now - before)[counted] / now[counted]).mean()) if counted.any() else 0.0


def _read(form: Any) -> tuple[list[str], list[str], Floats]:
    """Factors, experts (none for a single matrix), matrices people × n × n."""
    if form.source == "single":
        if form.direct is None:
            raise Refusal("matrix.required", "请填写“直接影响矩阵”", field="direct")
        return list(form.direct.rows), [], form.direct.values[None]
    names = [one.name for one in form.factors.children]
    held = {sheet.key[1]: sheet.values for sheet in form.sheets if sheet.key[0] == form.factors.id}
    out = []
    for person in form.experts:
        values = held.get(person.id)
        if values is None or values.shape != (len(names),) * 2 or np.isnan(values).any():
            raise Refusal("matrix.cell", f"专家“{person.name}”的矩阵没有填完，请补齐", field="sheets")
        out.append(values)
    return names, [one.name for one in form.experts], np.stack(out)


def _words(
    report: Report, form: Any, names: list[str], people: list[str], both: tuple[Floats, Floats], cut: float,
    gap: float | None, changed: int,
) -> None:  # fmt: skip
    d, c = both
    top, cause, effect = (int(np.argmax(np.round(v, 12))) for v in (d + c, d - c, c - d))
    facts: dict[str, Any] = {
        "n": len(names), "first": names[top], "m": d[top] + c[top], "cause": names[cause], "r": d[cause] - c[cause],
        "effect": names[effect], "e": d[effect] - c[effect], "cut": cut, "people": len(people),
        "causes": int((d - c > 1e-9).sum()),
    }  # fmt: skip
    flat = np.ptp(np.round(d - c, 9)) == 0
    lead = "{n:integer} 个因素里“{first}”的中心度最高（{m:num}）。" + (
        "没有因素偏向原因或结果。" if flat
        else "“{cause}”最偏向原因（原因度 {r:num}），“{effect}”最偏向结果（{e:num}）。"
    )  # fmt: skip
    report.lead(lead, [figure("中心度最高", "{first}", "{m:num}")], **facts)
    if gap is not None:
        if gap < AGREE:
            report.check("专家意见稳定", "pass", "再加一位专家，平均判断只变化 {gap:percent}，小于 5%。", gap=gap)
        else:
            text_ = "最后一位专家使平均判断变化 {gap:percent}，不小于 5%，最好再请几位专家。"
            report.check("专家意见稳定", "care", text_, gap=gap)
        if changed:
            report.check("结论稳不稳", "care", "去掉一位专家，最多有 {k:integer} 个因素的属性改变。", k=changed)
        else:
            report.check("结论稳不稳", "pass", "去掉任何一位专家，因素的属性都不变。")
    report.say(f"网络图的阈值是 {{cut:num}}（{CUTS[form.threshold]}）。换一个阈值，图会变，表里的数不变。", **facts)
    report.say(
        "采用 DEMATEL 分析 {n:integer} 个因素，其中 {causes:integer} 个是原因因素；中心度最高的是{first}（{m:num}）。",
        voice="paper", **facts,
    )  # fmt: skip
    report.say("原因度为正只说明它影响别人多、受别人影响少，依据是专家判断，不是数据证明的因果。", voice="student")
