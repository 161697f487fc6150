from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    Points,
    Refusal,
    Report,
    Row,
    SetRemedy,
    Table,
    Wide,
    choice,
    figure,
    integer,
    num,
    number,
    role,
    settings,
    text,
)
from hengxi.methods.evaluation._shared.indicators import HUGE, Floats, ranked

FACTOR, EVALUATION = {"mode": "factor"}, {"mode": "evaluation"}
DEGREES = {
    "deng": "邓氏关联度",
    "absolute": "绝对关联度",
    "relative": "相对关联度",
    "synthetic": "综合关联度",
    "slope": "斜率关联度",
}
SCALES = {"mean": "均值化", "initial": "初值化", "minmax": "区间化", "none": "不处理"}
GRID = (0.1, 0.3, 0.5, 0.7, 0.9)


class GreyRelational(Method):
    """How closely series follow a reference, or objects the best values."""

    title, title_en = "灰色关联分析", "Grey relational analysis"
    family = "综合评价"
    purpose = "各因素（或对象）与参考序列的变化态势有多接近"
    aliases = ("灰色关联", "关联度", "邓氏关联度", "母序列", "GRA", "灰色关联评价")
    references = ("deng1982", "liu2014")
    row_order = True
    conventions = (
        "关联系数 ξ = (min min Δ + ρ·max max Δ)/(Δ + ρ·max max Δ)，Δ 是处理后与参考之差的绝对值，两级最小、"
        "最大取自全部序列。",
        "邓氏关联度是关联系数的平均（评价时按权重平均）。",
        "均值化 x/x̄，初值化 x/x(1)，区间化 (x − min)/(max − min)；评价时负向指标的参考取最小值，区间化时先反向。",
        "绝对关联度：始点零化后 s = Σx(k) + ½x(n)，ε = (1 + |s₀| + |sᵢ|)/(1 + |s₀| + |sᵢ| + |sᵢ − s₀|)；"
        "相对关联度先初值化；综合各半。",
        "斜率关联度：各期增量除以均值，(1 + |α|)/(1 + |α| + |α − β|) 的平均。绝对、相对、综合、"
        "斜率不用无量纲化的选择。",
    )

    class Input(Form):
        mode: str = choice(
            "用途", {"factor": "因素分析：哪些因素与母序列关系近", "evaluation": "综合评价：哪些对象接近最优"}
        )
        features: list[Column] = role("特征序列（评价时为正向指标）", "定量", min=1, max=50)
        negative: list[Column] = role("负向指标", "定量", min=0, max=50, when=EVALUATION)
        reference: Column | None = role("母序列", "定量", when=FACTOR)
        index: Column | None = role("索引项", "任意", use="label", hint="年份或对象名称")
        normalize: str = choice("无量纲化", SCALES)
        rho: float = number("分辨系数 ρ", 0.5, least=0.01, most=1)
        degree: str = choice("关联度", DEGREES, when=FACTOR)
        weights: list[Row] = settings(
            "权重", of="features", also=("negative",), when=EVALUATION, w=number("权重", 1, least=0, most=1e6),
            hint="不必合计为 1，会自动归一")  # fmt: skip

    result = Table(
        "关联度", item=text("评价项"), degree=num("关联度", least=0, most=1), rank=integer("排名"), place="main"
    )
    plot = Chart("关联度", "bar", of=result, x="item", y="degree", place="main")
    coefficients = Table("关联系数", index=text("索引"), layout=Wide(value=num("关联系数")), place="detail")
    path = Points("处理后的序列", index=text("索引"), value=num("值"), series=text("序列"))
    lines = Chart("序列趋势图", "line", of=path, x="index", y="value", series="series", place="detail")
    over = Table("ρ 的影响", item=text("评价项"), layout=Wide(degree=num("关联度")), place="detail")

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        columns = [*form.features, *(form.negative or [])]
        x, names, index = _read(form, columns)
        if form.mode == "factor":
            z, reference = (
                _scaled(form, columns, x),
                _scaled(form, [form.reference], _numbers(form.reference)[:, None])[:, 0],
            )
            away, weights, items = np.abs(z - reference[:, None]), np.full(len(x), 1 / len(x)), names
        else:
            z = _scaled(form, columns, x)
            best = z.max(axis=0)
            for k in range(len(form.features), len(columns)):
                best[k] = z[:, k].max() if form.normalize == "minmax" else z[:, k].min()
            raw = np.array([float(row.w) for row in form.weights])
            if raw.sum() <= 0:
                raise Refusal("data.weights", "权重不能全为 0，请至少给一个指标大于 0 的权重", field="weights")
            away, weights, items = np.abs(z - best).T, raw / raw.sum(), index
            reference = best
        if away.max() <= 1e-14:
            raise Refusal(
                "data.same",
                "各序列与参考序列处理后完全相同，关联度都是 1，不能排序；请核对数据或换一种处理",
                field="features",
            )
        xi = coefficients(away, form.rho)
        own = form.degree if form.mode == "factor" else "deng"
        degree = (
            weights @ xi if own == "deng" else np.array([_other(own, _numbers(form.reference), one) for one in x.T])
        )
        places = ranked(degree)
        for name, one, rank in zip(items, degree, places, strict=True):
            report.row(cls.result, item=name, degree=one, rank=rank)
        report.chart(cls.plot)
        cls._tables(report, form, names, index, xi, z, reference, own)
        for i, name in enumerate(items):
            if own == "deng":
                tried = {f"ρ = {r:g}": {"degree": float(weights @ coefficients(away, r)[:, i])} for r in GRID}
                report.row(cls.over, item=name, wide=tried)
        if own != "deng":
            report.skip(cls.over, f"{DEGREES[own]}不用 ρ")
        _words(report, form, items, degree, own)
        return report

    @classmethod
    def _tables(
        cls,
        report: Report,
        form: Any,
        names: list[str],
        index: list[str],
        xi: Floats,
        z: Floats,
        reference: Floats,
        own: str,
    ) -> None:
        if own == "deng":
            grid = xi if form.mode == "factor" else xi.T
            for i, label in enumerate(index):
                report.row(
                    cls.coefficients, index=label, wide={name: {"value": grid[i, j]} for j, name in enumerate(names)}
                )
        else:
            report.skip(cls.coefficients, f"{DEGREES[own]}没有逐期的关联系数")
        for i, label in enumerate(index):
            if form.mode == "factor":
                report.row(cls.path, index=label, value=reference[i], series=form.reference.title)
            for j, name in enumerate(names):
                report.row(cls.path, index=label, value=z[i, j], series=name)
        report.chart(cls.lines)


def coefficients(away: Floats, rho: float) -> Floats:
    low, high = away.min(), away.max()
    return np.asarray((low + rho * high) / (away + rho * high))


def _numbers(column: Column) -> Floats:
    return np.asarray(column.numbers, dtype=float)


def _read(form: Any, columns: list[Column]) -> tuple[Floats, list[str], list[str]]:
    if form.mode == "factor" and form.reference is None:
        raise Refusal("role.required", "请在“母序列”放入定量变量", field="reference")
    x = np.stack([_numbers(one) for one in columns], axis=1)
    least = 3 if form.mode == "factor" else 2
    if len(x) < least:
        text_ = f"序列过短：至少需要 {least} 行，去掉有缺失的行后只有 {len(x)} 行"
        raise Refusal("data.few", text_, field="features")
    if len(x) > 2000:
        raise Refusal("data.many", f"有 {len(x):,} 行，最多 2,000 行，请先汇总或筛选", field="features")
    for one in [*columns, *([form.reference] if form.mode == "factor" else [])]:
        top = np.abs(_numbers(one)).max()
        if top > HUGE or 0 < top < 1 / HUGE:
            raise Refusal(
                "data.magnitude", f"“{one.title}”的数值过大或过小，超出可计算的范围，请换一个单位", field="features"
            )
    rows = columns[0].row_numbers
    given = [None] * len(x) if form.index is None else list(form.index.text)
    seen = [None if one is None else str(one) for one in given]
    index = [
        f"第 {rows[k]} 行" if one is None else one if seen.count(one) == 1 else f"{one}（第 {rows[k]} 行）"
        for k, one in enumerate(seen)
    ]
    return x, [one.title for one in columns], index


def _scaled(form: Any, columns: list[Column], x: Floats) -> Floats:
    z = x.copy()
    negative = {one.id for one in form.negative or []}
    for k, one in enumerate(columns):
        v = x[:, k]
        match form.normalize:
            case "minmax":
                if np.ptp(v) <= 1e-12 * max(np.abs(v).max(), 1e-300):
                    raise Refusal(
                        "data.constant",
                        f"“{one.title}”各行都相同，不能区间化，请移去它",
                        field="features",
                        column=one.id,
                    )
                z[:, k] = (v.max() - v if one.id in negative else v - v.min()) / np.ptp(v)
            case "mean" | "initial":
                base, word = (v.mean(), "均值") if form.normalize == "mean" else (v[0], "首项")
                if abs(base) <= 1e-12 * max(np.abs(v).max(), 1e-300):
                    remedies = [SetRemedy(title="改用区间化", set={"normalize": "minmax"})]
                    text_ = f"序列“{one.title}”{word}为 0，不能用{SCALES[form.normalize]}，请改用区间化"
                    raise Refusal("data.zero", text_, field="normalize", column=one.id, remedies=remedies)
                z[:, k] = v / base
    return z


def _other(kind: str, a: Floats, b: Floats) -> float:
    if kind == "slope":
        if abs(a.mean()) < 1e-300 or abs(b.mean()) < 1e-300:
            raise Refusal("data.zero", "有序列的均值为 0，不能算斜率关联度，请换一种关联度", field="degree")
        p, q = np.diff(a) / abs(a.mean()), np.diff(b) / abs(b.mean())
        return float(np.mean((1 + np.abs(p)) / (1 + np.abs(p) + np.abs(p - q))))
    if kind == "synthetic":
        return 0.5 * _other("absolute", a, b) + 0.5 * _other("relative", a, b)
    if kind == "relative":
        if a[0] == 0 or b[0] == 0:
            raise Refusal("data.zero", "有序列的首项为 0，不能算相对关联度，请换一种关联度", field="degree")
        a, b = a / a[0], b / b[0]
    s, t = (float((one[1:-1] - one[0]).sum() + (one[-1] - one[0]) / 2) for one in (a, b))
    return (1 + abs(s) + abs(t)) / (1 + abs(s) + abs(t) + abs(t - s))


def _words(report: Report, form: Any, items: list[str], degree: Floats, own: str) -> None:
    first, last = int(np.argmax(degree)), int(np.argmin(degree))
    facts: dict[str, Any] = {
        "k": len(items), "first": items[first], "high": degree[first], "last": items[last], "low": degree[last],
            "rho": form.rho,
    }  # fmt: skip
    if form.mode == "factor":
        facts["y"] = form.reference.title
        lead = "与“{y}”关系最近的是“{first}”（关联度 {high:num}）" + (
            "，最远的是“{last}”（{low:num}）。" if len(items) > 1 else "。"
        )
    else:
        lead = "最接近最优的是“{first}”（关联度 {high:num}），最远的是“{last}”（{low:num}）。"
    report.lead(lead, [figure("最大关联度", "{high:num}", "{first}")], **facts)
    tail = "，分辨系数 ρ = {rho:num}" if own == "deng" else ""
    scale = SCALES[form.normalize] if own == "deng" else DEGREES[own]
    report.say(
        f"采用灰色关联分析（{scale}{tail}），{{k:integer}} 项的关联度在 {{low:num}} 到 {{high:num}} 之间。",
        voice="paper",
        **facts,
    )
    report.say("关联度只用来排先后，大小随处理方法和 ρ 而变；它不是相关系数，也不说明因果。", voice="student")
