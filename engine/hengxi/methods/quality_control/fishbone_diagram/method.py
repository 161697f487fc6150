from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    StepRemedy,
    Table,
    figure,
    filled,
    integer,
    num,
    percent,
    role,
    text,
    words,
)

MOST_BONES = 12
MOST_NODES = 300
USUAL = ("人", "机", "料", "法", "环", "测")
"""The six usual heads: people, machines, materials, methods, environment, measurement."""


@dataclass
class Bone:
    """A head, a cause or a cause of a cause, with what was said of its importance."""

    name: str
    weight: float = 0.0
    inner: dict[str, Bone] = field(default_factory=dict)

    def under(self, name: str) -> Bone:
        return self.inner.setdefault(name, Bone(name))


class FishboneDiagram(Method):
    """Causes sorted under their heads; nothing is computed but counts and sums."""

    title, title_en = "因果图(鱼骨图)", "Cause-and-effect diagram"
    family, tier = "质量控制", "standard"
    purpose = "问题的可能原因如何按人机料法环测归类"
    aliases = ("石川图", "特性要因图", "鱼骨图", "Ishikawa", "fishbone", "5M1E", "人机料法环")
    references = ("ishikawa1986",)
    conventions = (
        "大类、原因、子原因按数据中第一次出现的次序排列；同一大类下名称相同的原因合为一个。",
        "重要度：有子原因的行计入子原因和它的原因；合并的行相加；没有填的行按 0 计。",
    )
    missing = "keep"
    row_order = True
    split = False

    class Input(Form):
        category: Column = role("大类（人机料法环测）", "定类")
        cause: Column = role("原因", "任意")
        sub_cause: Column | None = role("子原因（选填）", "任意", min=0, max=1)
        weight: Column | None = role("重要度（选填）", "定量", min=0, max=1, values="non_negative")
        effect: str = words("结果（鱼头）文字", "质量问题", longest=30)

    heads = Table(
        "各大类的原因", category=text("大类"), causes=integer("原因数"), sub_causes=integer("子原因数"),
        weight=num("重要度合计", least=0, when={"weight": filled}),
        share=percent("重要度占比", when={"weight": filled}), place="main",
    )  # fmt: skip
    listing = Table(
        "原因清单", category=text("大类"), cause=text("原因"), sub_cause=text("子原因"),
        weight=num("重要度", least=0, when={"weight": filled}), merge=("category", "cause"), place="main",
    )  # fmt: skip
    nodes = Points("鱼骨", node=text("节点"), parent=text("上级"), label=text("名称"))
    plot = Chart("鱼骨图", "tree", of=nodes, node="node", parent="parent", label="label", draw="fishbone", place="main")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"“{form.effect}”的因果图"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [
            NextStep(
                title="哪些原因占大部分", method="quality_control/pareto_chart",
                form={"category": form["cause"], "count": form["weight"]},
            )
        ]  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        fish = cls._read(form)
        nodes = 1 + sum(1 + len(c.inner) + sum(len(k.inner) for k in c.inner.values()) for c in fish.inner.values())
        if len(fish.inner) > MOST_BONES:
            raise Refusal(
                "role.levels", "大类过多（{k} 个），图将无法阅读，请合并到 {most} 个以内", field="category",
                column=form.category.id, k=len(fish.inner), most=MOST_BONES,
                remedies=[
                    StepRemedy(title="合并类别", step="data_processing/value_coding", columns=[form.category.id])
                ],
            )  # fmt: skip
        if nodes > MOST_NODES:
            raise Refusal(
                "data.many", "图上共有 {k} 个节点，超过 {most} 个，无法阅读。请先合并原因，或分几张图", field="cause",
                column=form.cause.id, k=nodes, most=MOST_NODES,
            )  # fmt: skip
        cls._tables(report, fish)
        cls._draw(report, fish)
        cls._say(report, form, fish)
        return report

    @classmethod
    def _read(cls, form: Any) -> Bone:
        fish = Bone(form.effect)
        heads, causes = shown(form.category), shown(form.cause)
        subs = shown(form.sub_cause) if form.sub_cause is not None else [None] * len(heads)
        weights = form.weight.numbers if form.weight is not None else np.zeros(len(heads))
        numbers = form.category.row_numbers
        for i, (head, cause, sub) in enumerate(zip(heads, causes, subs, strict=True)):
            weight = 0.0 if np.isnan(weights[i]) else float(weights[i])
            if head is None and cause is None and sub is None:
                continue
            if cause is None or head is None:
                what, column, key = (
                    ("原因", form.cause, "cause") if cause is None else ("大类", form.category, "category")
                )
                raise Refusal(
                    "data.gap", "第 {at} 行没有填写" + what + "，请补上或删去这一行", field=key, column=column.id,
                    row=int(numbers[i]), at=int(numbers[i]),
                )  # fmt: skip
            bone = fish.under(head)
            bone.weight += weight
            bone = bone.under(cause)
            bone.weight += weight
            if sub is not None:
                bone.under(sub).weight += weight
        if not fish.inner:
            raise Refusal("data.empty", "没有一行填了大类和原因，请先填写", field="category", also=["cause"])
        return fish

    @classmethod
    def _tables(cls, report: Report, fish: Bone) -> None:
        whole = sum(head.weight for head in fish.inner.values())
        for head in fish.inner.values():
            report.row(
                cls.heads, category=head.name, causes=len(head.inner),
                sub_causes=sum(len(cause.inner) for cause in head.inner.values()), weight=head.weight,
                share=head.weight / whole if whole > 0 else None,
            )  # fmt: skip
            for cause in head.inner.values():
                for sub in cause.inner.values():
                    report.row(cls.listing, category=head.name, cause=cause.name, sub_cause=sub.name, weight=sub.weight)
                if not cause.inner:
                    report.row(cls.listing, category=head.name, cause=cause.name, weight=cause.weight)

    @classmethod
    def _draw(cls, report: Report, fish: Bone) -> None:
        report.row(cls.nodes, node="0", parent=None, label=fish.name)

        def below(bone: Bone, at: str) -> None:
            for i, inner in enumerate(bone.inner.values(), 1):
                report.row(cls.nodes, node=f"{at}.{i}", parent=at, label=inner.name)
                below(inner, f"{at}.{i}")

        below(fish, "0")

    @classmethod
    def _say(cls, report: Report, form: Any, fish: Bone) -> None:
        heads = list(fish.inner.values())
        causes = sum(len(head.inner) for head in heads)
        most = max(heads, key=lambda head: head.weight if form.weight is not None else len(head.inner))
        told = "“{top}”下的原因最多（{n:integer} 个）。"
        facts: dict[str, Any] = {"top": most.name, "n": len(most.inner)}
        whole = sum(head.weight for head in heads)
        if form.weight is not None and whole > 0:
            told = "“{top}”的重要度最高，占 {share:percent1}。"
            facts = {"top": most.name, "share": most.weight / whole}
        report.lead(
            "“{effect}”的可能原因有 {causes:integer} 条，分在 {k:integer} 个大类。" + told,
            [figure("大类", "{k:integer}"), figure("原因", "{causes:integer}")], effect=form.effect, causes=causes,
            k=len(heads), **facts,
        )  # fmt: skip
        report.say("鱼骨图只列出可能的原因。哪一条是真的，要收集数据来验证，如用帕累托图看次数，用试验看作用。")
        absent = [name for name in USUAL if not any(name in head.name for head in heads)]
        if 0 < len(absent) <= 3:
            report.say("人、机、料、法、环、测中，没有看到“{names:text}”，请想想是否遗漏。", names="、".join(absent))


def shown(column: Column) -> list[str | None]:
    """Each cell as the user reads it; None where it is empty or blank."""
    if column.is_categorical or not column.is_number:
        labels = [level.label for level in column.levels] if column.is_categorical else []
        cells = (
            [labels[code] if code >= 0 else None for code in column.codes]
            if column.is_categorical
            else [None if cell is None else str(cell) for cell in column.text]
        )
    else:
        cells = [None if np.isnan(x) else f"{x:.10g}" for x in column.numbers]
    return [cell.strip() if cell is not None and cell.strip() else None for cell in cells]
