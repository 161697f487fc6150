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
    Refusal,
    Report,
    SetRemedy,
    Table,
    TypedMatrix,
    choice,
    figure,
    integer,
    matrix,
    num,
    number,
    percent,
    role,
    text,
)
from hengxi.methods.evaluation._shared.judgements import METHODS, grade, matrix_notes
from hengxi.stats.pairwise import GRADES, Consistency, Floats, Priorities, consistency, priorities, repairs

TYPED, ITEMS = {"source": "typed"}, {"source": "items"}
HIGHEST = {"saaty9": 9, "saaty5": 5, "exponential": 9}
STEP = 9 ** (1 / 8)
"""Of the exponential scale: grade 1 is 1, grade 9 is 9, each between a constant times the one before."""


class Ahp(Method):
    """Priorities of things compared in pairs: one matrix, three ways to weigh it, and whether it agrees with itself."""

    title, title_en = "层次分析法AHP", "Analytic hierarchy process"
    family, tier = "决策分析", "standard"
    purpose = "两两比较之后，各项应占多大权重，判断前后是否一致"
    aliases = ("AHP", "层次分析", "判断矩阵", "两两比较法", "一致性检验")
    references = ("saaty1980", "saaty1977", "crawford1985", "shu1990")
    conventions = (
        "判断值 a 是行比列重要的倍数；下三角由上三角取倒数。",
        "λmax 是判断矩阵的最大特征根；CI = (λmax − n)/(n − 1)，CR = CI/RI。",
        "RI 取 Saaty（1980）的表（3 到 15 阶）；1、2 阶总是一致，不计算 CR。",
        "“特征向量”一列：几何平均法是每行的几何平均，算术平均法是列归一后每行的平均，特征根法是和为 1 的特征向量。",
        "指数标度：填的等级 g 换成 9^((g − 1)/8)。",
    )
    needs_data = "optional"
    split = False

    class Input(Form):
        source: str = choice("判断来自", {"typed": "录入判断矩阵", "items": "由题项均值生成"})
        matrix: TypedMatrix | None = matrix(
            "判断矩阵", kind="reciprocal", size=(2, 15), when=TYPED, hint="只填上三角：行比列重要几倍，可写 1/3"
        )
        items: list[Column] = role("由量表均值生成判断矩阵", "定量", min=2, max=15, when=ITEMS)
        method: Priorities = choice("权重算法", METHODS)
        scale: str = choice(
            "标度", {"saaty9": "1–9 标度", "saaty5": "1–5 标度", "exponential": "指数标度"}, when=TYPED,
            hint="指数标度下仍填 1 到 9 级，计算时换算",
        )  # fmt: skip
        limit: float = number("CR 上限", 0.1, least=0.01, most=0.3)

    result = Table(
        "AHP 层次分析结果", item=text("项"), vector=num("特征向量", least=0),
        weight=percent("权重值", sums_within=()), largest=num("最大特征根", least=0), index=num("CI 值", least=0),
        merge=("largest", "index"), place="main",
    )  # fmt: skip
    check = Table(
        "一致性检验结果", n=integer("阶数"), largest=num("最大特征根", least=0), index=num("CI", least=0),
        random=num("RI", least=0), ratio=num("CR", least=0), verdict=text("结果"), place="main",
    )  # fmt: skip
    plot = Chart("权重条形图", "bar", of=result, x="item", y="weight", place="main")
    judgements = Table("判断矩阵", layout=Matrix(value=num("判断值"), show="full"), item=text("项"), place="detail")
    methods = Table(
        "三种算法的权重", item=text("项"), geometric=percent("几何平均法", sums_within=()),
        arithmetic=percent("算术平均法", sums_within=()), eigen=percent("特征根法", sums_within=()), place="detail",
    )  # fmt: skip
    sources = Table(
        "不一致来自哪些判断", first=text("行"), second=text("列"), current=num("现值", least=0),
        implied=num("一致值", least=0), proposed=text("建议值"), ratio=num("改后 CR", least=0), place="detail",
    )  # fmt: skip

    @classmethod
    def notes(cls, form: dict[str, Any]) -> list[FormNote]:
        if form["source"] != "typed" or form["scale"] != "saaty9" or not form["matrix"]:
            return []
        return matrix_notes("matrix", [form["matrix"]], float(form["limit"] or 0.1))

    @classmethod
    def run(cls, form: Input) -> Report:
        names, values = cls._from_items(form) if form.source == "items" else cls._typed(form)
        report = Report()
        found = consistency(values)
        weights = priorities(values, form.method)
        cls._result(report, form, names, values, weights, found)
        cls._tables(report, form, names, values, found)
        cls._words(report, form, names, weights, found)
        return report

    @classmethod
    def _typed(cls, form: Any) -> tuple[list[str], Floats]:
        if form.matrix is None:
            raise Refusal("matrix.required", "请填写“判断矩阵”", field="matrix")
        values = form.matrix.values
        highest = HIGHEST[form.scale]
        outside = np.argwhere((values > highest * (1 + 1e-9)) | (values < 1 / highest * (1 - 1e-9)))
        if len(outside) > 0:
            i, j = (int(k) for k in outside[0])
            rows = form.matrix.rows
            text = (
                f"“{rows[i]}”对“{rows[j]}”是 {values[i, j]:g}，超出 1–{highest} 标度（1/{highest} 到 {highest}）。"
                "请改小，或换一种标度"
            )
            remedies = [SetRemedy(title="改用 1–9 标度", set={"scale": "saaty9"})] if highest < 9 else []
            raise Refusal("data.outside", text, field="matrix", remedies=remedies)
        if form.scale == "exponential":
            values = np.where(values >= 1, STEP ** (values - 1), 1 / STEP ** (1 / values - 1))
        return list(form.matrix.rows), values

    @classmethod
    def _from_items(cls, form: Any) -> tuple[list[str], Floats]:
        """Ratios of means: consistent by construction."""
        means = np.array([column.numbers.mean() for column in form.items])
        low = int(np.argmin(means))
        if means[low] <= 0:
            name = form.items[low].title
            text = f"“{name}”的均值是 {means[low]:.4g}，不大于 0，不能求倍数。请移去它，或改为录入判断矩阵"
            raise Refusal("data.not_positive", text, field="items", column=form.items[low].id)
        return [column.title for column in form.items], means[:, None] / means[None, :]

    @classmethod
    def _result(
        cls, report: Report, form: Any, names: list[str], values: Floats, weights: Floats, found: Consistency
    ) -> None:
        vector = np.exp(np.log(values).mean(axis=1)) if form.method == "geometric_mean" else weights
        for name, raw, weight in zip(names, vector, weights, strict=True):
            report.row(cls.result, item=name, vector=raw, weight=weight, largest=found.largest, index=found.index)
        report.chart(cls.plot)
        if form.source == "items":
            verdict = "必然一致"
        else:
            verdict = "总是一致" if found.ratio is None else "通过" if found.ratio < form.limit else "未通过"
        report.row(
            cls.check, n=len(names), largest=found.largest, index=found.index, random=found.random, ratio=found.ratio,
            verdict=verdict,
        )  # fmt: skip

    @classmethod
    def _tables(cls, report: Report, form: Any, names: list[str], values: Floats, found: Consistency) -> None:
        for i, first in enumerate(names):
            for j, second in enumerate(names):
                report.row(cls.judgements, item=first, against=second, value=values[i, j])
        geometric = priorities(values, "geometric_mean")
        arithmetic = priorities(values, "arithmetic_mean")
        eigen = priorities(values, "eigenvector")
        for i, name in enumerate(names):
            report.row(cls.methods, item=name, geometric=geometric[i], arithmetic=arithmetic[i], eigen=eigen[i])
        if found.ratio is None or found.ratio < 1e-9:
            report.skip(cls.sources, "判断完全一致" if found.ratio is not None else "两项的判断总是一致")
            return
        grades = [STEP ** (grade - 1) for grade in GRADES] if form.scale == "exponential" else GRADES
        proposals = repairs(values, grades=grades[: HIGHEST[form.scale]])
        if not proposals:
            report.skip(cls.sources, "单独改任何一个判断都不会更一致")
            return
        for repair in proposals:
            report.row(
                cls.sources, first=names[repair.row], second=names[repair.column], current=repair.current,
                implied=repair.implied, proposed=grade(repair.proposed), ratio=repair.ratio,
            )  # fmt: skip
        report.note(cls.sources, "每行只改这一个判断。建议值供与专家核对，判断没有被改动。")

    @classmethod
    def _words(cls, report: Report, form: Any, names: list[str], weights: Floats, found: Consistency) -> None:
        order = np.argsort(-weights, kind="stable")
        first, last = names[order[0]], names[order[-1]]
        facts: dict[str, Any] = {
            "first": first, "last": last, "high": weights[order[0]], "low": weights[order[-1]], "cr": found.ratio,
            "limit": form.limit, "n": len(names), "largest": found.largest, "ci": found.index, "ri": found.random,
        }  # fmt: skip
        passes = found.ratio is None or found.ratio < form.limit
        if np.isclose(facts["high"], facts["low"]):
            lead = "{n:integer} 项的权重相同，各为 {high:percent}。"
        else:
            lead = "权重最大的是“{first}”（{high:percent}），最小的是“{last}”（{low:percent}）。"
        if not passes:
            lead += "但判断前后不一致（CR = {cr:num}，应小于 {limit:num}），请先与专家核对判断。"
        report.lead(lead, [figure("CR", "{cr:num}", "上限 {limit:num}")] if found.ratio is not None else [], **facts)
        cls._check(report, form, found, facts)
        method = METHODS[form.method]
        ranked = "、".join(f"{names[k]}（{{w{k}:percent}}）" for k in order)
        each = {f"w{k}": weights[k] for k in order}
        tail = "" if found.ratio is None else "，CI = {ci:num}，RI = {ri:num}，CR = {cr:num}"
        verdict = "" if found.ratio is None else "，通过一致性检验" if passes else "，未通过一致性检验"
        if form.source == "items":
            tail, verdict = "", "，判断由均值之比生成"
        report.say(
            f"采用层次分析法（{method}）计算 {{n:integer}} 项的权重：{ranked}。λmax = {{largest:num}}{tail}{verdict}。",
            voice="paper", **facts, **each,
        )  # fmt: skip
        report.say(
            "权重是把两两比较的判断合成后的份额，合计 100%。它反映作判断的人的看法，不是由数据检验出来的。",
            voice="student",
        )

    @classmethod
    def _check(cls, report: Report, form: Any, found: Consistency, facts: dict[str, Any]) -> None:
        if form.source == "items":
            text = "判断由均值之比生成，必然一致；CR 不能说明评价的质量。"
            report.check("一致性", "pass", text)
        elif found.ratio is None:
            report.check("一致性", "pass", "只有两项，判断总是一致。")
        elif found.ratio < form.limit:
            report.check("一致性", "pass", "CR = {cr:num}，小于 {limit:num}，判断前后基本一致。", **facts)
        else:
            text = "CR = {cr:num}，不小于 {limit:num}，判断前后矛盾较多，权重不可靠。明细里列出了最不合的判断。"
            report.check("一致性", "fail", text, **facts)
