from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    Points,
    Report,
    Table,
    choice,
    figure,
    integer,
    num,
    option,
    percent,
    role,
    text,
)
from hengxi.methods.evaluation._shared import slacks_based
from hengxi.methods.evaluation._shared.envelopment import ROUND, Floats, radial
from hengxi.methods.evaluation._shared.indicators import ranked
from hengxi.methods.evaluation._shared.slacks_based import Slacks
from hengxi.methods.evaluation._shared.units import read_units

MODELS = {
    "super_radial": "径向超效率", "sbm": "SBM", "super_sbm": "超效率 SBM", "directional_distance": "方向距离函数",
}  # fmt: skip
RETURNS = {"crs": "规模报酬不变", "vrs": "规模报酬可变"}
ORIENTED = {"none": "非导向", "input": "投入导向", "output": "产出导向"}
DRAWN = 30


class DeaSuper(Method):
    """Efficiency that ranks efficient units too, counts slacks, and takes undesirable outputs."""

    title, title_en = "超效率DEA与SBM", "Super-efficiency, SBM and undesirable outputs"
    slug = "dea-super-efficiency"
    family, tier = "效率评价", "member"
    purpose = "有效单元之间如何再排序，考虑松弛和非期望产出后的效率是多少"
    aliases = ("超效率", "SBM", "超效率SBM", "非期望产出", "方向距离函数", "绿色效率", "DDF")
    references = ("andersen1993", "tone2001", "tone2002", "chung1997", "cooper2007")
    conventions = (
        "线性规划用 HiGHS 求解；SBM 的分式规划用 Charnes-Cooper 变换化为线性规划。",
        "径向超效率（Andersen 和 Petersen，1993）：评价一个单元时不用它自己作参照；非期望产出当作投入。",
        "SBM（Tone，2001）：ρ = (1 − 平均投入松弛率)/(1 + 平均产出松弛率)，非期望产出的松弛计入产出一侧。",
        "导向的 SBM 只用分子或只用分母；另一侧的松弛由第二个规划求最大。SBM 的目标值可能不唯一，效率是唯一的。",
        "超效率 SBM（Tone，2002）：先算 SBM，效率为 1 的再算超效率，期望产出不减到 0 以下。",
        "方向距离：方向取单元自己的投入产出值，非期望产出弱可处置（等式约束），产出的一侧同时增加期望产出、"
        "减少非期望产出。效率：投入导向 1 − β，产出导向 1/(1 + β)，非导向 (1 − β)/(1 + β)。",
        "改进率 = 目标值 ÷ 实际值 − 1；超效率为正的改进率表示投入多到这么多仍然有效。",
        "规模报酬可变的超效率可能没有可行解：标“不可行”，不给数值，也不参加排名。",
    )

    class Input(Form):
        inputs: list[Column] = role("投入指标", "定量", min=1, max=20)
        outputs: list[Column] = role("期望产出", "定量", min=1, max=20)
        bad_outputs: list[Column] = role(
            "非期望产出（选填）", "定量", min=0, max=20, hint="越少越好的产出，如污染物排放"
        )
        label: Column | None = role("决策单元", "任意", use="label")
        model: str = choice("模型", MODELS, default="super_sbm")
        rts: str = choice("规模报酬", RETURNS)
        orientation: str = choice("导向", {
            "none": option("非导向", unless={"model": "super_radial"}, why="径向模型要选投入导向或产出导向"),
            "input": "投入导向", "output": "产出导向"})  # fmt: skip

    result = Table(
        "效率与排名", unit=text("决策单元"), efficiency=num("效率", least=0, most=1), beta=num("方向距离 β", least=0,
            when={"model": "directional_distance"}),
        beyond=num("超效率", least=0, when={"model": ("super_radial", "super_sbm")}), rank=integer("排名"),
        verdict=text("是否有效"), place="main",
    )  # fmt: skip
    bars = Points("效率", unit=text("决策单元"), value=num("效率"))
    plot = Chart(f"效率排名（最多 {DRAWN} 个）", "bar", of=bars, x="unit", y="value", place="main")
    impossible = Table("无可行解的单元", unit=text("决策单元"), why=text("说明"), place="main")
    improve = Table(
        "松弛与改进", unit=text("决策单元"), item=text("指标"), kind=text("类型"), actual=num("实际值"),
        target=num("目标值"), slack=num("松弛"), rate=percent("改进率", least=None, most=None), merge=("unit",),
        place="detail",
    )  # fmt: skip
    stacks = Points("改进率", unit=text("决策单元"), item=text("指标"), rate=num("改进率的大小"))
    stacked = Chart(f"改进率堆积图（效率最低的 {DRAWN} 个）", "bar", of=stacks, x="unit", y="rate", series="item",
                    arrange="stacked", place="detail")  # fmt: skip
    peers = Table("参考集", unit=text("决策单元"), peer=text("参照单元"), weight=num("λ", least=0), merge=("unit",),
                  place="detail")  # fmt: skip
    summary = Table("汇总", n=integer("单元数"), full=integer("有效单元"),
                    mean=num("平均效率", least=0), low=num("最低效率", least=0),
                    none=integer("无可行解"), layout="record", place="detail")  # fmt: skip

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.05 + rows * (0.006 + rows * 5e-5)

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names, x, y, b = read_units(form)
        plain: list[Slacks] = []
        beyond: list[Slacks | None] = []
        for k in range(len(names)):
            if k % 20 == 0:
                form.progress(k, len(names), f"第 {k + 1} 个决策单元")
            one, more_ = _solve(form, x, y, b, k)
            plain.append(one)
            beyond.append(more_)
        efficiency = np.array([one.value for one in plain])
        final = [more_ if full and _is_super(form) else one
                 for one, more_, full in zip(plain, beyond, efficiency >= 1 - ROUND, strict=True)]  # fmt: skip
        cls._result(report, form, names, plain, final)
        cls._improve(report, form, names, (x, y, b), final)
        open_ = sum(one is None for one in final)
        report.row(cls.summary, n=len(names), full=int((efficiency >= 1 - ROUND).sum()), mean=efficiency.mean(),
                   low=efficiency.min(), none=open_)  # fmt: skip
        _words(report, form, names, efficiency, final, x, y, b)
        return report

    @classmethod
    def _result(
        cls, report: Report, form: Any, names: list[str], plain: list[Slacks], final: list[Slacks | None]
    ) -> None:
        values = np.array([-np.inf if one is None else one.value for one in final])
        ranks = ranked(values, 9)
        for k, name in enumerate(names):
            one = final[k]
            full = plain[k].value >= 1 - ROUND
            verdict = "有效（超效率不可行）" if one is None else "有效" if full else "非有效"
            more_: dict[str, Any] = {}
            if _is_super(form):
                more_["beyond"] = None if one is None else one.value
            if form.model == "directional_distance":
                more_["beta"] = plain[k].beta
            report.row(cls.result, unit=name, efficiency=plain[k].value, rank=None if one is None else ranks[k],
                       verdict=verdict, **more_)  # fmt: skip
            if one is None:
                why = f"在{RETURNS[form.rts]}、{ORIENTED[form.orientation]}下，其余单元的组合达不到它，超效率没有可行解"
                report.row(cls.impossible, unit=name, why=why)
        if all(one is not None for one in final):
            report.skip(cls.impossible, "每个单元都有可行解")
        for k in np.argsort(-values, kind="stable")[:DRAWN]:
            if np.isfinite(values[k]):
                report.row(cls.bars, unit=names[k], value=values[k])

    @classmethod
    def _improve(
        cls, report: Report, form: Any, names: list[str], data: tuple[Floats, Floats, Floats],
        final: list[Slacks | None],
    ) -> None:  # fmt: skip
        parts = ((form.inputs, "投入", data[0], -1), (form.outputs, "期望产出", data[1], 1),
                 (form.bad_outputs, "非期望产出", data[2], -1))  # fmt: skip
        order = sorted(range(len(names)), key=lambda k: np.inf if final[k] is None else final[k].value)  # type: ignore[union-attr]
        drawn = set(order[:DRAWN])
        for k, name in enumerate(names):
            one = final[k]
            if one is None:
                continue
            turn = -1 if _is_beyond(form, one) else 1
            for (columns, kind, values, sign), shares in zip(parts, (one.inputs, one.outputs, one.bads), strict=True):
                for j, column in enumerate(columns):
                    rate = float(turn * sign * shares[j]) + 0.0
                    actual = float(values[k, j])
                    report.row(cls.improve, unit=name, item=column.title, kind=kind, actual=actual,
                               target=actual * (1 + rate), slack=actual * abs(rate), rate=rate)  # fmt: skip
                    if k in drawn:
                        report.row(cls.stacks, unit=name, item=column.title, rate=abs(rate))
            for at in np.flatnonzero(one.weights > 0):
                report.row(cls.peers, unit=name, peer=names[at], weight=one.weights[at])


def _is_super(form: Any) -> bool:
    return str(form.model).startswith("super")


def _is_beyond(form: Any, one: Slacks) -> bool:
    """Slacks of a super-efficiency SBM are distances the other way."""
    return bool(form.model == "super_sbm" and one.value > 1)


def _solve(form: Any, x: Floats, y: Floats, b: Floats, k: int) -> tuple[Slacks, Slacks | None]:
    match form.model:
        case "super_radial":
            return _radial(form, x, y, b, k, False), _radial(form, x, y, b, k, True)
        case "directional_distance":
            return slacks_based.directional(x, y, b, k, form.rts, form.orientation), None
    one = slacks_based.sbm(x, y, b, k, form.rts, form.orientation)
    if form.model == "sbm" or one.value < 1 - ROUND:
        return one, None
    return one, slacks_based.super_sbm(x, y, b, k, form.rts, form.orientation)


def _radial(form: Any, x: Floats, y: Floats, b: Floats, k: int, without: bool) -> Any:
    """Radial efficiency in the words of `Slacks`: shares by which inputs fall and outputs rise, slacks included."""
    mask = np.ones(len(x), dtype=bool)
    mask[k] = not without
    output = form.orientation == "output"
    wide = np.hstack([x, b])
    found = radial(wide, y, k, form.rts, output, mask)
    if found is None:
        return None
    value = 1 / found.theta if output else found.theta
    down = found.inputs / wide[k] + (0 if output else 1 - found.theta)
    up = found.outputs / y[k] + (found.theta - 1 if output else 0)
    m = x.shape[1]
    return Slacks(min(value, 1.0) if not without else value, down[:m], up, down[m:], found.weights)


def _words(
    report: Report, form: Any, names: list[str], efficiency: Floats, final: list[Slacks | None], x: Floats, y: Floats,
    b: Floats,
) -> None:  # fmt: skip
    values = np.array([-np.inf if one is None else one.value for one in final])
    top, low, full = int(np.argmax(values)), int(np.argmin(efficiency)), int((efficiency >= 1 - ROUND).sum())
    missing = [name for name, one in zip(names, final, strict=True) if one is None]
    facts: dict[str, Any] = {
        "n": len(names), "full": full, "mean": float(efficiency.mean()), "last": names[low], "low": efficiency[low],
        "first": names[top], "high": values[top] if np.isfinite(values[top]) else efficiency[top],
    }  # fmt: skip
    lead = "{n:integer} 个决策单元里 {full:integer} 个有效，平均效率 {mean:num}。"
    if _is_super(form) and np.isfinite(values[top]):
        lead += "超效率最高的是“{first}”（{high:num}）。"
    if full < len(names):
        lead += "最低的是“{last}”（{low:num}）。"
    report.lead(lead, [figure("平均效率", "{mean:num}")], **facts)
    m, s = x.shape[1] + b.shape[1], y.shape[1]
    rule = max(m * s, 3 * (m + s))
    if len(names) < rule:
        text_ = "只有 {n:integer} 个决策单元，按经验应不少于 {rule:integer} 个；太少时很多单元会被算成有效。"
        report.check("单元个数", "care", text_, n=len(names), rule=rule)
    else:
        text_ = "{n:integer} 个决策单元，不少于经验要求的 {rule:integer} 个。"
        report.check("单元个数", "pass", text_, n=len(names), rule=rule)
    if missing:
        text_ = "{k:integer} 个单元的超效率没有可行解，已标出，不参加排名。它们有效，但给不出数值。"
        report.warn("data.infeasible", text_, k=len(missing))
    how = f"{RETURNS[form.rts]}、{ORIENTED[form.orientation]}的{MODELS[form.model]}模型"
    report.say(
        f"采用{how}，{{n:integer}} 个决策单元的平均效率为 {{mean:num}}，其中 {{full:integer}} 个有效。",
        voice="paper", **facts,
    )  # fmt: skip
    report.say(
        "超效率大于 1 说明这个单元退步一些仍然有效。它容易受极端值影响，数值特别大时先核对数据。", voice="student"
    )
