from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Form,
    Matrix,
    Method,
    Points,
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
    text,
)
from hengxi.methods.evaluation._shared.fuzzy_judgements import (
    Floats,
    buckley,
    chang,
    crisp,
    cut,
    deviation,
    fuzzified,
)
from hengxi.methods.evaluation._shared.indicators import ranked
from hengxi.stats.pairwise import consistency, priorities

TRI, COMP = {"type": "triangular"}, {"type": "complementary_0_1"}
THREE, SPREAD = {"type": "triangular", "entry": "three"}, {"type": "triangular", "entry": "spread"}
METHODS = {"buckley": "Buckley 几何平均法", "chang_extent": "Chang 程度分析法", "lambda_cut": "λ 截集法"}
SHAPES = {"centroid": "重心法", "graded_mean": "梯级均值", "alpha_optimism": "乐观系数法"}


class FuzzyAhp(Method):
    """Weights from fuzzy pairwise judgements of one matrix."""

    title, title_en = "模糊层次分析法FAHP", "Fuzzy AHP"
    slug = "fuzzy-ahp"
    family, tier = "决策分析", "member"
    purpose = "专家判断含有模糊性时，如何得到稳健的权重"
    aliases = ("FAHP", "模糊AHP", "三角模糊数", "模糊互补判断矩阵", "Buckley", "Chang 程度分析")
    references = ("buckley1985", "chang1996", "wang2008extent", "saaty1980")
    conventions = (
        "三角模糊数 (l, m, u)；下三角取倒数 (1/u, 1/m, 1/l)，对角线为 (1, 1, 1)。",
        "按展宽 δ 模糊化：m ≥ 1 时 (max(m − δ, 1/(1 + δ)), m, m + δ)，m < 1 时取 1/m 的模糊数的倒数。",
        "Buckley：行几何平均 r，权重 r ⊗ (Σr)⁻¹ = (l/Σu, m/Σm, u/Σl)，去模糊后归一。",
        "Chang：综合程度 S = Σⱼa ⊗ (ΣΣa)⁻¹，可能度 V(Sᵢ ≥ Sⱼ) 取最小值后归一；可能给出 0 权重。",
        "λ 截集：取 α 截集的区间，按乐观系数 λ 合成 λu + (1 − λ)l（上三角），再用几何平均法。",
        "去模糊：重心 (l + m + u)/3；梯级均值 (l + 4m + u)/6；乐观系数 (λu + m + (1 − λ)l)/2。",
        "互补矩阵权重 = (Σⱼr + n/2 − 1)/(n(n − 1))；偏差 ρ 是所有三元组 |rᵢⱼ + rⱼₖ − rᵢₖ − 0.5| 的平均，"
        "小于 0.2 可接受。",
        "CR 按中值 m 的矩阵计算，RI 取 Saaty（1980）。",
    )
    needs_data = False
    split = False

    class Input(Form):
        type: str = choice("类型", {"triangular": "三角模糊数", "complementary_0_1": "0–1 互补矩阵"})
        entry: str = choice("模糊数怎样来", {"spread": "由判断值按展宽得到", "three": "分别录入 l、m、u"}, when=TRI)
        middle: TypedMatrix | None = matrix("判断矩阵（中值 m）", kind="reciprocal", size=(2, 15), when=TRI,
                                            hint="只填上三角：行比列重要几倍，可写 1/3")  # fmt: skip
        lows: TypedMatrix | None = matrix("下限 l（上三角）", kind="free", size=(2, 15), gaps=True, when=THREE)
        highs: TypedMatrix | None = matrix("上限 u（上三角）", kind="free", size=(2, 15), gaps=True, when=THREE)
        spread: float = number("展宽 δ", 1, above=0, most=5, when=SPREAD)
        complementary: TypedMatrix | None = matrix("互补判断矩阵", kind="complementary", size=(3, 15), when=COMP,
                                                   hint="0.5 同样重要，1 绝对重要；只填上三角")  # fmt: skip
        method: str = choice("算法", METHODS, when=TRI)
        defuzzify: str = choice("去模糊", SHAPES, when={"type": "triangular", "method": "buckley"})
        alpha: float = number("截集水平 α", 0.5, least=0, most=1, when={"method": "lambda_cut"})
        optimism: float = number("乐观系数 λ", 0.5, least=0, most=1, when=TRI)

    result = Table(
        "权重", item=text("指标"), low=num("l", least=0, when=TRI), middle=num("m", least=0, when=TRI),
        high=num("u", least=0, when=TRI), value=num("去模糊值", least=0), weight=percent("权重"),
        rank=integer("排名"), place="main",
    )  # fmt: skip
    plot = Chart("权重条形图", "bar", of=result, x="item", y="weight", place="main")
    corners = Points("三角隶属函数", x=num("权重"), y=num("隶属度"), item=text("指标"), when=TRI)
    shape = Chart("三角隶属函数图", "line", of=corners, x="x", y="y", series="item", when=TRI, place="detail")
    fit = Table("一致性", index=text("指标量"), value=num("值", least=0), limit=num("界限"), verdict=text("判断"),
                place="main")  # fmt: skip
    compared = Table("几种算法的权重", item=text("指标"), buckley=percent("Buckley"), chang=percent("Chang"),
                     cut=percent("λ 截集"), plain=percent("不模糊（几何平均）"), when=TRI, place="detail")  # fmt: skip
    possible = Table("可能度 V（行不小于列）", layout=Matrix(v=num("V", least=0, most=1)), when={
        "type": "triangular", "method": "chang_extent"}, place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if form.type == "triangular":
            names, w = cls._triangular(report, form)
        else:
            names, w = cls._complementary(report, form)
        order = np.argsort(-np.round(w, 12), kind="stable")
        facts: dict[str, Any] = {"n": len(names), "first": names[order[0]], "high": w[order[0]],
                                 "last": names[order[-1]], "low": w[order[-1]]}  # fmt: skip
        lead = "{n:integer} 个指标里权重最大的是“{first}”（{high:percent}），最小的是“{last}”（{low:percent}）。"
        report.lead(lead, [figure("最大权重", "{high:percent}", "{first}")], **facts)
        how = METHODS[form.method] if form.type == "triangular" else "互补矩阵求和法"
        report.say(f"采用模糊层次分析法（{how}），权重最大的是{{first}}（{{high:percent}}），最小的是{{last}}（{{low:percent}}）。",
                   voice="paper", **facts)  # fmt: skip
        report.say("模糊数只表示判断不精确，不能弥补判断前后矛盾；矛盾要先改。", voice="student")
        return report

    @classmethod
    def _triangular(cls, report: Report, form: Any) -> tuple[list[str], Floats]:
        names, a = _read(form)
        fuzzy, (shares, degrees, extents) = buckley(a), chang(a)
        section = cut(a, 0.5 if form.alpha is None else form.alpha, form.optimism)
        found = {"buckley": _normal(crisp(fuzzy, form.defuzzify or "centroid", form.optimism)), "chang_extent": shares,
                 "lambda_cut": priorities(section, "geometric_mean")}  # fmt: skip
        w = found[form.method]
        shown = extents if form.method == "chang_extent" else fuzzy
        value = crisp(shown, form.defuzzify or "centroid", form.optimism)
        plain = priorities(a[:, :, 1], "geometric_mean")
        for i, rank in enumerate(ranked(w)):
            report.row(cls.result, item=names[i], low=shown[i, 0], middle=shown[i, 1], high=shown[i, 2],
                       value=value[i], weight=w[i], rank=rank)  # fmt: skip
            report.row(cls.compared, item=names[i], buckley=found["buckley"][i], chang=shares[i],
                       cut=found["lambda_cut"][i], plain=plain[i])  # fmt: skip
            for x, y in zip(shown[i], (0.0, 1.0, 0.0), strict=True):
                report.row(cls.corners, x=x, y=y, item=names[i])
            for j in range(len(names) if form.method == "chang_extent" else 0):
                report.row(cls.possible, item=names[i], against=names[j], v=degrees[i, j])
        ratio = consistency(a[:, :, 1]).ratio
        if ratio is None:
            report.row(cls.fit, index="CR（中值矩阵）", value=None, limit=0.1, verdict="两项总是一致")
            report.check("一致性", "pass", "只有两项，判断总是一致。")
        else:
            good = ratio < 0.1
            report.row(cls.fit, index="CR（中值矩阵）", value=ratio, limit=0.1, verdict="通过" if good else "不通过")
            if good:
                report.check("一致性", "pass", "中值矩阵的 CR 是 {cr:num}，小于 0.1。", cr=ratio)
            else:
                report.check(
                    "一致性", "fail", "中值矩阵的 CR 是 {cr:num}，不小于 0.1，判断前后矛盾，请核对。", cr=ratio
                )
        if form.method == "chang_extent":
            text_ = "Chang 程度分析法的权重不代表真实的相对重要性，还可能是 0；论文中建议用 Buckley 法，或两种都报告。"
            report.warn("data.extent", text_)
            if zero := [names[k] for k in np.flatnonzero(shares <= 1e-12)]:
                report.warn(
                    "data.zero_weight",
                    "这些指标的权重是 0：{who}。不说明它们不重要，请改用 Buckley 法。",
                    who="、".join(zero),
                )
        return names, w

    @classmethod
    def _complementary(cls, report: Report, form: Any) -> tuple[list[str], Floats]:
        if form.complementary is None:
            raise Refusal("matrix.required", "请填写“互补判断矩阵”", field="complementary")
        r, names = form.complementary.values, list(form.complementary.rows)
        n = len(r)
        w = (r.sum(axis=1) + n / 2 - 1) / (n * (n - 1))
        for name, one, total, rank in zip(names, w, r.sum(axis=1), ranked(w), strict=True):
            report.row(cls.result, item=name, value=total, weight=one, rank=rank)
        rho = deviation(r)
        verdict = "通过" if rho < 0.2 else "不通过"
        report.row(cls.fit, index="一致性偏差 ρ", value=rho, limit=0.2, verdict=verdict)
        if rho < 0.2:
            report.check("一致性", "pass", "一致性偏差 ρ 是 {rho:num}，小于 0.2。", rho=rho)
        else:
            report.check("一致性", "fail", "一致性偏差 ρ 是 {rho:num}，不小于 0.2，判断前后矛盾，请核对。", rho=rho)
        return names, np.asarray(w)


def _normal(values: Floats) -> Floats:
    return np.asarray(values / values.sum())


def _read(form: Any) -> tuple[list[str], Floats]:
    """Names, fuzzy judgements n × n × (l, m, u)."""
    if form.middle is None:
        raise Refusal("matrix.required", "请填写“判断矩阵（中值 m）”", field="middle")
    names, m = list(form.middle.rows), form.middle.values
    if form.entry == "spread":
        return names, fuzzified(m, float(form.spread))
    n = len(names)
    a = np.ones((n, n, 3))
    for field in ("lows", "highs"):
        grid = getattr(form, field)
        if grid is None or grid.values.shape != (n, n):
            raise Refusal("matrix.shape", f"l、m、u 三张矩阵要一样大，都是 {n} 行 {n} 列", field=field)
    for i in range(n):
        for j in range(i + 1, n):
            three = np.array([form.lows.values[i, j], m[i, j], form.highs.values[i, j]])
            if np.isnan(three).any() or not 0 < three[0] <= three[1] + 1e-9 <= three[2] + 2e-9:
                text_ = (
                    f"“{names[i]}”对“{names[j]}”的三角模糊数须满足 0 < l ≤ m ≤ u，"
                    f"现为 ({three[0]:g}, {three[1]:g}, {three[2]:g})"
                )
                raise Refusal("data.triangle", text_, field="lows")
            a[i, j], a[j, i] = three, 1 / three[::-1]
    return names, a
