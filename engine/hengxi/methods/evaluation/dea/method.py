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
    Table,
    choice,
    figure,
    flag,
    integer,
    num,
    percent,
    role,
    text,
)
from hengxi.methods.evaluation._shared.envelopment import Envelope, Floats, radial
from hengxi.methods.evaluation._shared.units import read_units

ORIENTATION = {"input": "投入导向", "output": "产出导向"}


class Dea(Method):
    """Radial efficiency of units with several inputs and outputs, with slacks, targets and returns to scale."""

    title, title_en = "数据包络分析DEA（CCR/BCC）", "Data envelopment analysis"
    family = "效率评价"
    purpose = "多投入多产出的决策单元是否有效率，投入冗余和产出不足各多少"
    aliases = ("DEA", "CCR", "BCC", "技术效率", "规模效率", "投入冗余", "产出不足", "数据包络")
    references = ("charnes1978", "banker1984", "cooper2007")
    conventions = (
        "包络形式的线性规划，HiGHS 求解；先求 θ，再固定 θ 使松弛之和最大（两阶段，松弛按各指标均值度量）。",
        "综合效率 OE 是 CCR（规模报酬不变），技术效率 TE 是 BCC（规模报酬可变），规模效率 SE = OE/TE。",
        "产出导向的效率写成 1/φ，也在 0 到 1 之间。",
        "有效性按所选模型的效率判断（CCR 为综合效率，BCC 为技术效率）：强有效是效率为 1 且没有松弛，"
        "弱有效是效率为 1 但有松弛。",
        "规模报酬：CCR 与 BCC 的效率相等为不变；否则比较非递增模型（Σλ ≤ 1）与 BCC 的效率，相等为递减，不等为递增。",
        "目标值 = θ·投入 − 松弛，产出 + 松弛（产出导向为 φ·产出 + 松弛）。",
    )
    row_order = False

    class Input(Form):
        inputs: list[Column] = role("投入指标", "定量", min=1, max=20)
        outputs: list[Column] = role("产出指标", "定量", min=1, max=20)
        label: Column | None = role("决策单元", "任意", use="label")
        model: str = choice("模型", {"bcc": "BCC（规模报酬可变）", "ccr": "CCR（规模报酬不变）", "both": "两种都作"})
        orientation: str = choice("导向", ORIENTATION)
        two_stage: bool = flag("两阶段求松弛", True)

    result = Table(
        "效益分析", unit=text("决策单元"), te=num("技术效率 TE", least=0, most=1), se=num("规模效率 SE", least=0,
            most=1),
        oe=num("综合效率 OE", least=0, most=1), slack_in=num("松弛 S⁻", least=0), slack_out=num("松弛 S⁺", least=0),
        verdict=text("有效性"), place="main",
    )  # fmt: skip
    bars = Points("效率", unit=text("决策单元"), value=num("效率"))
    plot = Chart("效率条形图（最多 50 个）", "bar", of=bars, x="unit", y="value", place="main")
    scale = Table(
        "规模报酬", unit=text("决策单元"), sum_=num("CCR 的 Σλ", least=0), kind=text("规模报酬"), place="detail"
    )
    targets = Table("投入冗余与产出不足", unit=text("决策单元"), item=text("指标"), actual=num("实际值"),
        target=num("目标值"),
                    slack=num("松弛", least=0), rate=percent("需改进", least=None, most=None), merge=("unit",),
                    place="detail")  # fmt: skip
    peers = Table(
        "参考集",
        unit=text("决策单元"),
        peer=text("参照单元"),
        weight=num("λ", least=0),
        merge=("unit",),
        place="detail",
    )
    summary = Table("汇总", item=text("效率"), mean=num("平均值", least=0), least_=num("最小值", least=0),
        full=integer("有效单元"),
                    n=integer("单元数"), place="detail")  # fmt: skip

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.05 + rows * (0.004 + rows * 3e-5)

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names, x, y = read_units(form)[:3]
        output = form.orientation == "output"
        crs, vrs, below = [], [], []
        for k in range(len(names)):
            if k % 20 == 0:
                form.progress(k, len(names), f"第 {k + 1} 个决策单元")
            crs.append(_solved(x, y, k, "crs", output, names))
            vrs.append(_solved(x, y, k, "vrs", output, names))
            below.append(_not_increasing(x, y, k, output))
        oe, te = (np.array([_share(one, output) for one in found]) for found in (crs, vrs))
        oe = np.minimum(oe, te)
        chosen = crs if form.model == "ccr" else vrs
        cls._result(report, form, names, te, oe, chosen)
        for k, name in enumerate(names):
            total = float(crs[k].weights.sum())
            kind = "不变" if te[k] - oe[k] < 1e-8 else "递减" if abs(below[k] - te[k]) < 1e-7 else "递增"
            report.row(cls.scale, unit=name, sum_=total if form.two_stage else None, kind=kind)
        cls._targets(report, form, names, x, y, chosen)
        shown = te if form.model != "ccr" else oe
        for at in np.argsort(-shown, kind="stable")[:50]:
            report.row(cls.bars, unit=names[at], value=shown[at])
        for item, values in (("技术效率 TE", te), ("规模效率 SE", oe / te), ("综合效率 OE", oe)):
            full = int((values >= 1 - 1e-8).sum())
            report.row(
                cls.summary, item=item, mean=float(values.mean()), least_=float(values.min()), full=full, n=len(names)
            )
        _words(report, form, names, x, y, shown, chosen)
        return report

    @classmethod
    def _result(
        cls, report: Report, form: Any, names: list[str], te: Floats, oe: Floats, chosen: list[Envelope]
    ) -> None:
        for k, name in enumerate(names):
            one = chosen[k]
            value = oe[k] if form.model == "ccr" else te[k]
            slack = float(one.inputs.sum() + one.outputs.sum())
            verdict = "非有效" if value < 1 - 1e-8 else "强有效" if slack == 0 or not form.two_stage else "弱有效"
            slacks = {"slack_in": one.inputs.sum(), "slack_out": one.outputs.sum()} if form.two_stage else {}
            report.row(cls.result, unit=name, te=te[k], se=oe[k] / te[k], oe=oe[k], verdict=verdict, **slacks)
        report.note(cls.result, "松弛和有效性按所选的模型；S⁻、S⁺ 是各投入、各产出松弛之和，单位不同时看明细。")

    @classmethod
    def _targets(
        cls, report: Report, form: Any, names: list[str], x: Floats, y: Floats, chosen: list[Envelope]
    ) -> None:
        if not form.two_stage:
            for table in (cls.targets, cls.peers):
                report.skip(table, "没有选“两阶段求松弛”")
            return
        output = form.orientation == "output"
        for k, name in enumerate(names):
            one = chosen[k]
            for columns, values, slacks, sign in ((form.inputs, x, one.inputs, -1), (form.outputs, y, one.outputs, 1)):
                factor = one.theta if (sign > 0) == output else 1.0
                for j, column in enumerate(columns):
                    target = float(values[k, j] * factor + sign * slacks[j])
                    rate = target / float(values[k, j]) - 1
                    report.row(cls.targets, unit=name, item=column.title, actual=values[k, j], target=target,
                               slack=slacks[j], rate=0.0 if abs(rate) < 1e-10 else rate)  # fmt: skip
            for at in np.flatnonzero(one.weights > 0):
                report.row(cls.peers, unit=name, peer=names[at], weight=one.weights[at])


def _solved(x: Floats, y: Floats, unit: int, returns: Any, output: bool, names: list[str]) -> Envelope:
    found = radial(x, y, unit, returns, output)
    if found is None:
        text_ = f"“{names[unit]}”的线性规划没有求得解，多半是各单元的数值相差太大，请换单位或去掉极端的单元"
        raise Refusal("data.unsolved", text_, field="inputs")
    return found


def _not_increasing(x: Floats, y: Floats, unit: int, output: bool) -> float:
    """Efficiency with Σλ ≤ 1: a unit at the origin joins those that span the frontier."""
    found = radial(np.vstack([x, np.zeros(x.shape[1])]), np.vstack([y, np.zeros(y.shape[1])]), unit, "vrs", output)
    return 1.0 if found is None else _share(found, output)


def _share(one: Envelope, output: bool) -> float:
    return min(1 / one.theta if output else one.theta, 1.0)


def _words(
    report: Report, form: Any, names: list[str], x: Floats, y: Floats, shown: Floats, chosen: list[Envelope]
) -> None:
    full = int((shown >= 1 - 1e-8).sum())
    low = int(np.argmin(shown))
    word = "综合效率" if form.model == "ccr" else "技术效率"
    facts: dict[str, Any] = {
        "n": len(names),
        "full": full,
        "mean": float(shown.mean()),
        "last": names[low],
        "low": shown[low],
    }
    lead = f"{{n:integer}} 个决策单元里 {{full:integer}} 个{word}为 1，平均 {{mean:num}}"
    lead += "。" if full == len(names) else "，最低的是“{last}”（{low:num}）。"
    report.lead(lead, [figure(f"平均{word}", "{mean:num}")], **facts)
    m, s = x.shape[1], y.shape[1]
    rule = max(m * s, 3 * (m + s))
    if len(names) < rule:
        text_ = "只有 {n:integer} 个决策单元，按经验应不少于 {rule:integer} 个；太少时很多单元会被算成有效。"
        report.check("单元个数", "care", text_, n=len(names), rule=rule)
    else:
        report.check(
            "单元个数", "pass", "{n:integer} 个决策单元，不少于经验要求的 {rule:integer} 个。", n=len(names), rule=rule
        )
    model = "CCR" if form.model == "ccr" else "BCC"
    report.say(
        f"采用{ORIENTATION[form.orientation]}的 {model} 模型，{{n:integer}} 个决策单元的{word}平均为 {{mean:num}}，"
        f"其中 {{full:integer}} 个{word}为 1。", voice="paper", **facts,
    )  # fmt: skip
    report.say("效率是与这批单元里做得最好的比出来的：为 1 只说明没有单元比它好，不说明已经最好。", voice="student")
