from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    Points,
    Record,
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
    numbers,
    percent,
    records,
    role,
    settings,
    text,
    words,
)

Floats = npt.NDArray[np.float64]
MOST, DRAWN, SHARE = 2000, 10, 0.1


class MatterElement(Method):
    """The grade each object belongs to, by distances from the domain of every grade."""

    title, title_en = "物元可拓评价", "Matter-element extension evaluation"
    slug = "matter-element"
    family, tier = "综合评价", "member"
    purpose = "依据各等级的经典域与节域，待评对象属于哪个等级、偏向如何"
    aliases = ("物元分析", "可拓评价", "经典域", "节域", "关联度", "可拓学")
    references = ("cai1994", "yang2013extenics")
    conventions = (
        "距 ρ(v, [a, b]) = |v − (a + b)/2| − (b − a)/2。",
        "关联度：v 在经典域内为 −ρ/|b − a|；否则为 ρ(v, 经典域)/(ρ(v, 节域) − ρ(v, 经典域))；分母为 0 时为 −ρ − 1。",
        "节域不填时取各等级经典域的最小下限和最大上限；经典域的端点属于该等级。",
        "综合关联度 = Σ 权重 × 单指标关联度，最大的等级为判定等级；都小于 0 说明不完全符合任何等级。",
        "级别变量特征值 j* = Σ j·K̄ⱼ/Σ K̄ⱼ，K̄ⱼ = (Kⱼ − min K)/(max K − min K)。",
        "权重自动归一，默认等权；可填 AHP、熵值法等的结果。",
        "实测值超出节域时默认不计算；选“照公式计算”时，关联度小于 −1。",
    )

    class Input(Form):
        indicators: list[Column] = role("指标实测值", "定量", min=2, max=100)
        label: Column | None = role("对象名称", "任意", use="label")
        grades: list[Record] = records("等级", min=2, max=9, names="等级{i}", name=words("名称", kind="name"))
        classical: list[Row] = settings(
            "经典域、节域与权重", of="indicators", lows=numbers("各等级下限", max=9),
            highs=numbers("各等级上限", max=9),
            low=number("节域下限", auto="最小的下限"), high=number("节域上限", auto="最大的上限"),
            w=number("权重", 1, least=0, most=1e6),
        )  # fmt: skip
        outside: str = choice("超出节域的值", {"refuse": "不计算", "keep": "照公式计算"})

    result = Table(
        "综合关联度与等级", object=text("对象"), grade=text("判定等级"), feature=num("特征值 j*"), rank=integer("排名"),
        layout=Wide(k=num("K")), place="main",
    )  # fmt: skip
    bars = Points("综合关联度", object=text("对象"), grade=text("等级"), k=num("关联度"))
    plot = Chart(f"综合关联度（前 {DRAWN} 个对象）", "bar", of=bars, x="object", y="k", series="grade", place="main")
    single = Table("单指标关联度", object=text("对象"), item=text("指标"), value=num("实测值"), grade=text("等级"),
                   layout=Wide(k=num("K")), merge=("object",), place="detail")  # fmt: skip
    domains = Table("经典域与节域", item=text("指标"), weight=percent("权重"), low=num("节域下限"),
                    high=num("节域上限"), layout=Wide(a=num("下限"), b=num("上限")), place="detail")  # fmt: skip
    shaken = Table("权重增减 10% 时的等级", item=text("指标"), down=integer("减 10%：等级改变的对象"),
                   up=integer("增 10%：等级改变的对象"), place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = [one.name for one in form.grades]
        x, objects = _read(form)
        low, high, joint, w = _domains(form, names)
        _refuse_outside(form, x, joint, objects)
        k = relation(x, low, high, joint)
        total = np.einsum("j,ijg->ig", w, k)
        best = np.argmax(np.round(total, 12), axis=1)
        feature = _feature(total)
        order = np.argsort(np.round(feature, 12), kind="stable")
        ranks = [int((np.round(feature, 12) < np.round(one, 12)).sum()) + 1 for one in feature]
        for i, name in enumerate(objects):
            wide = {g: {"k": v} for g, v in zip(names, total[i], strict=True)}
            report.row(cls.result, object=name, grade=names[best[i]], feature=feature[i], rank=ranks[i], wide=wide)
            for j, column in enumerate(form.indicators):
                wide = {g: {"k": v} for g, v in zip(names, k[i, j], strict=True)}
                report.row(cls.single, object=name, item=column.title, value=x[i, j],
                           grade=names[int(np.argmax(np.round(k[i, j], 12)))], wide=wide)  # fmt: skip
        report.note(cls.result, "排名按 j*，越小越接近第一个等级。")
        for i in order[:DRAWN]:
            for g, v in zip(names, total[i], strict=True):
                report.row(cls.bars, object=objects[i], grade=g, k=v)
        turned = 0
        for j, column in enumerate(form.indicators):
            wide = {g: {"a": low[j, m], "b": high[j, m]} for m, g in enumerate(names)}
            report.row(cls.domains, item=column.title, weight=w[j], low=joint[j, 0], high=joint[j, 1], wide=wide)
            cells: dict[str, Any] = {}
            for key, factor in (("down", 1 - SHARE), ("up", 1 + SHARE)):
                changed = w.copy()
                changed[j] *= factor
                again = np.einsum("j,ijg->ig", changed / changed.sum(), k)
                cells[key] = int((np.argmax(np.round(again, 12), axis=1) != best).sum())
                turned += cells[key] > 0
            report.row(cls.shaken, item=column.title, **cells)
        report.note(cls.shaken, "每次只改一个指标的权重（相对增减 10%，其余按比例调整）。")
        _words(report, names, objects, total, best, feature, turned)
        return report


def distance(v: Floats, low: Floats, high: Floats) -> Floats:
    return np.asarray(np.abs(v - (low + high) / 2) - (high - low) / 2)


def relation(x: Floats, low: Floats, high: Floats, joint: Floats) -> Floats:
    """Objects × indicators × grades."""
    v = x[:, :, None]
    near = distance(v, low[None], high[None])
    far = distance(v, joint[None, :, :1], joint[None, :, 1:])
    inside = near <= 1e-12
    gap = far - near
    apart = np.abs(gap) > 1e-12
    outer = np.where(apart, near / np.where(apart, gap, 1.0), -near - 1)
    return np.asarray(np.where(inside, -near / (high - low)[None], outer))


def _feature(total: Floats) -> Floats:
    low, high = total.min(axis=1, keepdims=True), total.max(axis=1, keepdims=True)
    width = np.where(high - low > 1e-15, high - low, 1.0)
    part = np.where(high - low > 1e-15, (total - low) / width, 1.0)
    return np.asarray(part @ np.arange(1, total.shape[1] + 1) / part.sum(axis=1))


def _read(form: Any) -> tuple[Floats, list[str]]:
    x = np.stack([column.numbers for column in form.indicators], axis=1).astype(float)
    if len(x) > MOST:
        raise Refusal("data.many", f"有 {len(x):,} 个对象，最多 {MOST:,} 个，请先筛选", field="indicators")
    rows = form.indicators[0].row_numbers
    labels = [None] * len(x) if form.label is None else list(form.label.text)
    names = [f"第 {row} 行" if one is None else str(one) for one, row in zip(labels, rows, strict=True)]
    return x, [one if names.count(one) == 1 else f"{one}（第 {row} 行）"
               for one, row in zip(names, rows, strict=True)]  # fmt: skip


def _domains(form: Any, names: list[str]) -> tuple[Floats, Floats, Floats, Floats]:
    rows = {row.column.id: row for row in form.classical}
    lows, highs, joint, w = [], [], [], []
    for column in form.indicators:
        row = rows[column.id]
        a, b = np.array(row.lows, dtype=float), np.array(row.highs, dtype=float)
        if len(a) != len(names) or len(b) != len(names):
            text_ = f"指标“{column.title}”要按等级的顺序各填 {len(names)} 个下限和上限，现有 {len(a)} 个和 {len(b)} 个"
            raise Refusal("data.domains", text_, field="classical", column=column.id)
        if (a >= b).any():
            at = int(np.flatnonzero(a >= b)[0])
            text_ = f"指标“{column.title}”等级“{names[at]}”的下限 {a[at]:g} 要小于上限 {b[at]:g}"
            raise Refusal("data.domains", text_, field="classical", column=column.id)
        low = a.min() if row.low is None else float(row.low)
        high = b.max() if row.high is None else float(row.high)
        beyond = np.flatnonzero((a < low - 1e-12) | (b > high + 1e-12))
        if beyond.size:
            text_ = f"指标“{column.title}”等级“{names[int(beyond[0])]}”经典域超出节域范围 [{low:g}, {high:g}]，请改正"
            raise Refusal("data.joint", text_, field="classical", column=column.id)
        lows.append(a)
        highs.append(b)
        joint.append((low, high))
        w.append(float(row.w))
    if sum(w) <= 0:
        raise Refusal("data.weights", "权重不能全为 0，请至少给一个指标大于 0 的权重", field="classical")
    return np.array(lows), np.array(highs), np.array(joint), np.array(w) / sum(w)


def _refuse_outside(form: Any, x: Floats, joint: Floats, objects: list[str]) -> None:
    outside = (x < joint[None, :, 0] - 1e-12) | (x > joint[None, :, 1] + 1e-12)
    if form.outside == "refuse" and outside.any():
        i, j = (int(k) for k in np.argwhere(outside)[0])
        column = form.indicators[j]
        text_ = (
            f"指标“{column.title}”超出节域 [{joint[j, 0]:g}, {joint[j, 1]:g}]（{objects[i]}：{x[i, j]:g}），"
            "关联度不可算。请放宽节域，或照公式计算"
        )
        remedies = [SetRemedy(title="照公式计算", set={"outside": "keep"})]
        raise Refusal("data.outside", text_, field="classical", column=column.id, remedies=remedies)


def _words(
    report: Report, names: list[str], objects: list[str], total: Floats, best: Any, feature: Floats, turned: int
) -> None:
    first = int(np.argmin(np.round(feature, 12)))
    facts: dict[str, Any] = {"n": len(objects), "first": objects[first], "grade": names[best[first]],
                             "j": feature[first]}  # fmt: skip
    counts = {f"n{m}": int((best == m).sum()) for m in range(len(names))}
    safe = str.maketrans({"{": "（", "}": "）"})
    listed = "，".join(f"“{g.translate(safe)}”{{n{m}:integer}} 个" for m, g in enumerate(names))
    report.lead("{n:integer} 个对象里，" + listed + "。最接近第一个等级的是“{first}”（j* = {j:num}）。",
                [figure("最接近第一等级", "{first}", "j* = {j:num}")], **facts, **counts)  # fmt: skip
    none = int((total.max(axis=1) < 0).sum())
    if none:
        text_ = "{k:integer} 个对象的综合关联度都小于 0：不完全符合任何等级，只能说最接近哪一级。"
        report.check("符合等级", "care", text_, k=none)
    else:
        report.check("符合等级", "pass", "每个对象都有一个等级的综合关联度不小于 0。")
    if turned:
        report.check("等级稳不稳", "care", "单个权重增减 10%，有 {k:integer} 次改变了某个对象的等级。", k=turned)
    else:
        report.check("等级稳不稳", "pass", "单个权重增减 10%，等级都不变。")
    report.say("采用物元可拓模型评价 {n:integer} 个对象：" + listed + "。", voice="paper", **facts, **counts)
    report.say("等级由经典域的界限决定。值在界限附近时，看 j* 偏向哪一级。", voice="student")
