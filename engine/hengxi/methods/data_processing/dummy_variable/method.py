"""Categories as columns of numbers a regression can read. The table of codes says what each column compares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    Form,
    Refusal,
    Report,
    Row,
    Table,
    Wide,
    choice,
    few_of,
    figure,
    integer,
    level,
    num,
    role,
    settings,
    text,
    words,
)
from hengxi.contract.columns import Floats
from hengxi.methods.data_processing._shared.columns_step import tell_each
from hengxi.methods.data_processing._shared.contrasts import WITH_REFERENCE, contrasts, names_of
from hengxi.methods.data_processing._shared.rows import NewTableStep, Rows, tell
from hengxi.stats.names import level_words, titles, unique

MOST_LEVELS, MOST_COLUMNS = 100, 1000
OTHERS, GAPS = "其他", "缺失"


@dataclass
class Coded:
    """A variable with its categories as they are coded: label, rows, and the place of each row (−1 missing)."""

    column: Column
    labels: list[str]
    sizes: list[int]
    places: Rows
    merged: int
    reference: int
    codes: Floats
    names: list[str]


class DummyVariable(NewTableStep):
    """Codes as R's contrasts; gaps stay gaps unless they are made a category."""

    title, title_en = "虚拟变量转换", "Dummy / one-hot coding"
    family, tier = "数据处理", "standard"
    purpose = "把定类变量变成可进入回归的0/1变量"
    aliases = ("哑变量", "虚拟变量", "独热编码", "one-hot", "dummy", "效应编码", "Helmert", "对比编码")
    references = ("davis2010", "chambers1992")
    conventions = (
        "类别的次序是值标签的次序，没有标签时按取值的次序。参照水平默认取第一个。",
        "效应编码、Helmert、正交多项式与 R 的 contr.sum、contr.helmert、contr.poly 相同；"
        "相邻差分与 MASS 的 contr.sdif 相同。",
        "正交多项式把类别当作等距的次序，只适合有序的变量。",
        "二进制编码把类别编为 1 到 k 再写成二进制，没有全为 0 的类别。",
        "低频类并入“其他”，排在最后；缺失单独一类时排在它后面。",
        "独热编码的各列之和恒为 1，与常数项完全共线：回归里要去掉一列或不要常数项。",
    )

    class Input(Form):
        variables: list[Column] = role("定类变量", "定类", min=1, max=None)
        coding: str = choice(
            "编码方式",
            {
                "dummy": "虚拟变量（k−1）", "onehot": "独热（k）", "effect": "效应编码（−1）", "helmert": "Helmert",
                "orthogonal": "正交多项式", "difference": "相邻差分", "binary": "二进制",
            },
        )  # fmt: skip
        reference: list[Row] = settings(
            "参照水平", of="variables", by="column", when={"coding": WITH_REFERENCE},
            level=level("参照水平", auto="first"),
        )  # fmt: skip
        missing: str = choice("缺失处理", {"missing": "保持缺失", "own": "单独一类", "zero": "全部为0"})
        min_freq: int = integer("低频类并入其他", 0, least=0, most=100_000, hint="行数少于它的类别合并，0 为不合并")
        prefix: str | None = words("列名前缀", kind="text", longest=20, hint="不填写时用变量名")

    summary = Table(
        "编码概况", variable=text("变量"), levels=integer("类别数"), merged=integer("并入其他的类别"),
        columns=integer("新变量数"), reference=text("参照水平"), missing=integer("缺失"),
    )  # fmt: skip
    coding = Table("编码对照", level=text("类别"), n=integer("频数"), layout=Wide(value=num("取值")))

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{few_of(list(titles(form.variables).values()))}的虚拟变量"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = titles(form.variables)
        found = [cls._coded(column, names[column.id], form) for column in form.variables]
        total = sum(one.codes.shape[1] for one in found)
        if total > MOST_COLUMNS:
            text_ = f"一共会产生 {total:,} 列，最多 {MOST_COLUMNS:,} 列，请减少变量或合并类别"
            raise Refusal("data.too_many_columns", text_, field="variables", k=total)
        made = []
        for one in found:
            made += cls._make(report, one, names[one.column.id], form)
        cls.list_columns(report, made)
        cls._say(report, form, found, names, total)
        return report

    @classmethod
    def _coded(cls, column: Column, name: str, form: Any) -> Coded:
        levels = column.levels
        labels, sizes = level_words(levels), [one.count for one in levels]
        places = column.codes.astype(np.int64)
        rare = [i for i, n in enumerate(sizes) if n < form.min_freq]
        chosen = cls._reference(column, form)
        if rare:
            kept = [i for i in range(len(sizes)) if i not in set(rare)]
            new = np.full(len(sizes) + 1, -1)
            new[kept], new[rare] = np.arange(len(kept)), len(kept)
            places = new[places]
            if chosen in rare and form.coding in WITH_REFERENCE:
                text_ = f"“{name}”的参照水平“{labels[chosen]}”不到 {form.min_freq} 行，已并入其他，请换一个参照水平"
                raise Refusal("reference.merged", text_, field="reference", column=column.id)
            sizes = [*(sizes[i] for i in kept), sum(sizes[i] for i in rare)]
            chosen = kept.index(chosen) if chosen in kept else 0
            labels = unique([*(labels[i] for i in kept), OTHERS])
        gone = places < 0
        if form.missing == "own" and gone.any():
            places = np.where(gone, len(labels), places)
            labels, sizes = unique([*labels, GAPS]), [*sizes, int(gone.sum())]
        k = len(labels)
        if k < 2:
            text_ = f"“{name}”只有一个类别，编码后全为常数"
            raise Refusal("role.levels", text_, field="variables", column=column.id, k=k)
        if k > MOST_LEVELS:
            text_ = f"“{name}”有 {k} 个类别，会产生 {k} 列，请先合并（最多 {MOST_LEVELS} 个类别）"
            raise Refusal("role.levels", text_, field="variables", column=column.id, k=k)
        tails = names_of(form.coding, labels, chosen)
        return Coded(
            column, labels, sizes, places, len(rare), chosen, contrasts(form.coding, k, chosen),
            [f"{form.prefix or column.name}_{tail}" for tail in tails],
        )  # fmt: skip

    @classmethod
    def _reference(cls, column: Column, form: Any) -> int:
        row = next((one for one in form.reference or [] if one.column.id == column.id), None)
        if row is None or row.level is None:
            return 0
        return next((one.code for one in column.levels if one.value == row.level.value), 0)

    @classmethod
    def _make(cls, report: Report, one: Coded, name: str, form: Any) -> list[tuple[str, Floats]]:
        made = []
        gap = 0.0 if form.missing == "zero" else np.nan
        for j, new in enumerate(unique(one.names)):
            values = np.append(one.codes[:, j], gap)[one.places]
            report.make(new, values, measure="定量", source=one.column)
            made.append((new, values))
        for i, (label, n) in enumerate(zip(one.labels, one.sizes, strict=True)):
            wide = {new: {"value": float(one.codes[i, j])} for j, (new, _) in enumerate(made)}
            report.row(cls.coding, at=name, level=label, n=n, wide=wide)
        report.row(
            cls.summary, variable=name, levels=len(one.labels), merged=one.merged, columns=len(made),
            reference=one.labels[one.reference] if form.coding in WITH_REFERENCE else None,
            missing=int((one.places < 0).sum()),
        )  # fmt: skip
        return made

    @classmethod
    def _say(cls, report: Report, form: Any, found: list[Coded], names: dict[str, str], total: int) -> None:
        def line(i: int) -> tuple[str, dict[str, Any]]:
            one = found[i]
            own = {f"v{i}": names[one.column.id], f"k{i}": len(one.labels), f"c{i}": one.codes.shape[1]}
            words_ = f"“{{v{i}}}”的 {{k{i}:integer}} 个类别变为 {{c{i}:integer}} 个新变量"
            if form.coding not in WITH_REFERENCE:
                return words_ + "。", own
            return f"{words_}，参照水平为“{{r{i}}}”。", {**own, f"r{i}": one.labels[one.reference]}

        lines, facts = tell_each(report, [names[one.column.id] for one in found], line)
        student = {
            "dummy": "每个新变量的回归系数是这一类与参照水平的差。同一变量的新变量要一起放入回归，不能只放其中几个。",
            "onehot": "各列之和恒为 1。做带常数项的回归时要去掉一列，树模型和聚类可以全部放入。",
            "effect": "系数是这一类与各类平均的差，参照水平的系数是其余系数之和的相反数。",
            "helmert": "每个系数与“这一类和前面各类的平均之差”成比例。",
            "orthogonal": "系数依次表示线性、二次等趋势，只适合有次序、大致等距的类别。",
            "difference": "每个系数是相邻两类的差，适合有次序的类别。",
            "binary": "列数少，但每一列混合了几个类别，系数没有单独的含义，只适合预测模型。",
        }[form.coding]
        gaps = sum(int((one.places < 0).sum()) for one in found)
        if gaps and form.missing == "missing":
            student += "有 {gaps:integer} 个缺失，新变量里也是缺失。"
        elif gaps:
            student += "有 {gaps:integer} 个缺失写成了 0，它们与参照水平分不开，请谨慎。"
        tell(report, lines, student, [figure("新变量", "{total:integer}", "个")], total=total, gaps=gaps, **facts)
