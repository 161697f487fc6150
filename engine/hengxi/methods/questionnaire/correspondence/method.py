"""Correspondence analysis: the categories of two variables as points of a map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Level,
    Method,
    Points,
    Refusal,
    Report,
    Table,
    Wide,
    choice,
    claim,
    figure,
    integer,
    num,
    percent,
    pvalue,
    role,
    stat,
    text,
    weight,
    words,
)
from hengxi.methods.questionnaire._shared import category_map
from hengxi.methods.questionnaire._shared.category_map import MapSide, side_table, write_side
from hengxi.stats.contingency import adjusted_residuals, cramer_v, pearson
from hengxi.stats.correspondence import Correspondence as Solution
from hengxi.stats.correspondence import correspondence
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, titles, unique

MOST_CELLS, FEW = 10_000, 5
LEAST, MOST = 1e-6, 1e15
SCALES = {"symmetric": (0.5, 0.5), "row_principal": (1, 0), "column_principal": (0, 1), "principal": (1, 1)}
"""Powers of the singular values on standard coordinates of rows and columns."""


@dataclass(frozen=True)
class CountsOf:
    """Active counts, and supplementary rows and columns against the active ones."""

    rows: list[str]
    columns: list[str]
    table: Floats
    extra_rows: list[str]
    extra_row_counts: Floats
    extra_columns: list[str]
    extra_column_counts: Floats


class Correspondence(Method):
    title, title_en = "对应分析", "Correspondence analysis"
    family, tier = "问卷研究", "standard"
    slug = "correspondence-analysis"
    purpose = "两个分类变量的各个类别之间如何相互对应、彼此靠近"
    aliases = ("对应分析", "CA", "感知图", "双标图", "品牌形象图", "简单对应分析")
    references = ("greenacre1984", "greenacre2017", "benzecri1973")
    conventions = (
        "对标准化残差矩阵作奇异值分解；惯量 = 奇异值的平方，总惯量 = χ²/n。",
        "符号：每一维上绝对值最大的行类别取正。",
        "对称标准化：行、列的标准坐标都乘奇异值的平方根（同 SPSS）；行主成分只乘行，列主成分只乘列，主成分两边都乘。",
        "贡献：类别占这一维惯量的比例；cos²：这一维占类别惯量的比例；质量度是所取各维 cos² 之和。",
        "补充类别不参与计算，只投影到图上。",
    )
    weights = ("frequency",)
    missing = "keep"
    reads_names = True

    class Input(Form):
        row: Column = role("行变量", "定类")
        column: Column | None = role("列变量", "定类", min=0, when={"input": ("raw", "frequency")})
        counts: list[Column] = role(
            "各列的频数", "定量", min=0, max=100, values="non_negative", when={"input": "contingency_table"},
            hint="每列一个类别，行变量写各行的名称",
        )  # fmt: skip
        weight: Column | None = weight("频数权重", kind="frequency")
        input: str = choice(
            "数据形式", {"raw": "一行一个个案", "frequency": "一行一种组合，另有频数", "contingency_table": "列联表"}
        )  # fmt: skip
        dims: int = integer("维数", 2, least=1, most=10)
        normalization: str = choice(
            "标准化方式",
            {"symmetric": "对称", "row_principal": "行主成分", "column_principal": "列主成分", "principal": "主成分"},
        )  # fmt: skip
        supplementary: str | None = words("补充类别", hint="行或列的类别名，几个用、隔开；只画在图上，不参与计算")

    cross = Table(
        "列联表", row=text("行"), layout=Wide(
            n=num("频数", least=0), row_share=percent("行%"), column_share=percent("列%"), residual=num("调整残差")
        ),
    )  # fmt: skip
    test = Table(
        "卡方检验", n=num("*n*", least=0), chi2=num("χ²", least=0), df=integer("*df*"), p=pvalue(),
        v=num("Cramér *V*", least=0, most=1), inertia=num("总惯量", least=0, decimals=4), place="main",
        claim=claim("association", stat("χ²", "chi2", "df"), effect="v", outcome="row", by="column"),
    )  # fmt: skip
    spots, biplot = category_map.biplot("对应图")
    dimensions = Table(
        "惯量表", dimension=text("维"), singular=num("奇异值", least=0, decimals=4),
        inertia=num("惯量", least=0, decimals=4), share=percent("解释比例"), running=percent("累积比例"), place="main",
    )  # fmt: skip
    scree = Chart("碎石图", "bar", of=dimensions, x="dimension", y="inertia", second="running")
    rows = side_table("行概述表")
    columns = side_table("列概述表")
    parts = Points("贡献", name=text("类别"), dimension=text("维"), contribution=percent("贡献"))
    bars = Chart("贡献条形图", "bar", of=parts, x="name", y="contribution", series="dimension")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = cls._read(report, form)
        found = correspondence(data.table)
        if found.singular.size == 0:
            text = "行与列完全独立（各行的构成相同），没有维度可以解释"
            raise Refusal("data.independent", text, field="column", also=["row"])
        dims = min(form.dims, found.singular.size)
        if dims < form.dims:
            report.warn("data.dims", "维数最大为 {k:integer}，已自动调整。", k=dims)
        facts = cls._counts(report, data)
        cls._dimensions(report, found)
        powers = SCALES[form.normalization]
        for table, names, of_rows, extra, counts in (
            (cls.rows, data.rows, True, data.extra_rows, data.extra_row_counts),
            (cls.columns, data.columns, False, data.extra_columns, data.extra_column_counts),
        ):
            side = MapSide("行" if of_rows else "列", names, found.side(of_rows), powers[0 if of_rows else 1])
            write_side(report, cls, table, side, found.singular, dims)
            if extra:
                more = MapSide(f"补充{'行' if of_rows else '列'}", extra, found.project(counts, of_rows), side.power)
                write_side(report, cls, table, more, found.singular, dims)
        share = float(found.inertia[: min(2, dims)].sum() / found.total)
        report.chart(cls.biplot, titles=category_map.axes(found.inertia, found.total))
        cls._words(report, form, found, {**facts, "share": share, "d": min(2, dims)})
        return report

    # ---- reading ---------------------------------------------------------------------------------------------------
    @classmethod
    def _read(cls, report: Report, form: Any) -> CountsOf:
        read = cls._wide if form.input == "contingency_table" else cls._long
        rows, columns, table = read(report, form)
        wanted = [one.strip() for one in (form.supplementary or "").replace(",", "、").replace("，", "、").split("、")]
        wanted = [one for one in wanted if one]
        if not LEAST < table.sum() < MOST:
            raise Refusal("data.magnitude", "频数的合计过大或过小，无法计算，请核对", field="row", also=["input"])
        for one in wanted:
            if one not in rows and one not in columns:
                raise Refusal("data.category", "没有叫“{v}”的类别，请核对补充类别的名称", field="supplementary", v=one)
        r = np.array([name not in wanted for name in rows])
        c = np.array([name not in wanted for name in columns])
        active = table[np.ix_(r, c)]
        full_r, full_c = active.sum(axis=1) > 0, active.sum(axis=0) > 0
        for names, held in ((_pick(rows, r), full_r), (_pick(columns, c), full_c)):
            for name in _pick(names, ~held):
                report.warn("data.empty_category", "类别“{v}”频数为 0，已剔除。", v=name)
        r_at, c_at = np.flatnonzero(r)[full_r], np.flatnonzero(c)[full_c]
        if len(r_at) < 3 or len(c_at) < 3:
            raise Refusal(
                "data.categories", "对应分析要求行、列变量各至少3个类别（否则只有一个维度），现有 {a} 行 {b} 列",
                field="row", also=["column"], a=len(r_at), b=len(c_at),
            )  # fmt: skip
        extra_rows, extra_columns = table[np.ix_(~r, c_at)], table[np.ix_(r_at, ~c)].T
        keep_r, keep_c = extra_rows.sum(axis=1) > 0, extra_columns.sum(axis=1) > 0
        return CountsOf(
            [rows[i] for i in r_at], [columns[j] for j in c_at], table[np.ix_(r_at, c_at)],
            _pick(_pick(rows, ~r), keep_r), extra_rows[keep_r], _pick(_pick(columns, ~c), keep_c),
            extra_columns[keep_c],
        )  # fmt: skip

    @staticmethod
    def _long(report: Report, form: Any) -> tuple[list[str], list[str], Floats]:
        if form.column is None:
            raise Refusal("role.required", "请放入列变量，或把数据形式改为列联表", field="column", also=["input"])
        if form.input == "frequency" and form.weight is None:
            report.warn("data.weight", "没有放入频数权重，每行按 1 计。")
        a, b = form.row, form.column
        for level in [one for column in (a, b) for one in column.all_levels if one.count == 0]:
            report.warn("data.empty_category", "类别“{v}”频数为 0，已剔除。", v=level.label)
        if len(a.levels) * len(b.levels) > MOST_CELLS:
            raise Refusal(
                "data.cells", "列联表有 {r}×{c} 个单元格，最多 {most} 个，请先合并类别", field="row", also=["column"],
                r=len(a.levels), c=len(b.levels), most=MOST_CELLS,
            )  # fmt: skip
        w = frequencies(form.weight)
        held = (a.codes >= 0) & (b.codes >= 0)
        place = a.codes[held].astype(np.int64) * len(b.levels) + b.codes[held]
        counts = np.bincount(place, weights=None if w is None else w[held], minlength=len(a.levels) * len(b.levels))
        report.used(int(held.sum()))
        return level_words(a.levels), level_words(b.levels), counts.reshape(len(a.levels), -1).astype(float)

    @staticmethod
    def _wide(report: Report, form: Any) -> tuple[list[str], list[str], Floats]:
        if len(form.counts) < 3:
            text = "对应分析要求列变量至少3个类别，请放入 3 列以上频数"
            raise Refusal("data.categories", text, field="counts", also=["input"])
        raw = np.column_stack([np.nan_to_num(column.numbers) for column in form.counts])
        held = form.row.codes >= 0
        if len(raw) * raw.shape[1] > MOST_CELLS:
            raise Refusal(
                "data.cells", "列联表有 {r}×{c} 个单元格，最多 {most} 个；一行一个个案的数据请改数据形式",
                field="input",
                r=len(raw), c=raw.shape[1], most=MOST_CELLS,
            )  # fmt: skip
        names = level_words(form.row.levels)
        report.used(int(held.sum()))
        return (
            unique([names[code] for code in form.row.codes[held]]), list(titles(form.counts).values()),
            raw[held].astype(float),
        )  # fmt: skip

    # ---- tables ----------------------------------------------------------------------------------------------------
    @classmethod
    def _counts(cls, report: Report, data: CountsOf) -> dict[str, Any]:
        table = data.table
        test, v = pearson(table), cramer_v(table, 0.95).value
        residuals = adjusted_residuals(table)
        of_rows, of_columns = table.sum(axis=1), table.sum(axis=0)
        for i, name in enumerate(data.rows):
            wide: dict[Level | str, dict[str, Any]] = {
                column: {
                    "n": table[i, j], "row_share": table[i, j] / of_rows[i],
                    "column_share": table[i, j] / of_columns[j], "residual": residuals[i, j],
                }
                for j, column in enumerate(data.columns)
            }  # fmt: skip
            report.row(cls.cross, row=name, wide=wide)
        report.row(
            cls.test, n=table.sum(), chi2=test.value, df=test.df, p=test.p, v=v, inertia=test.value / table.sum()
        )  # fmt: skip
        at = np.unravel_index(int(np.round(residuals, 10).argmax()), residuals.shape)
        i, j = int(at[0]), int(at[1])
        small = [
            name
            for names, sums in ((data.rows, of_rows), (data.columns, of_columns))
            for name, n in zip(names, sums, strict=True)
            if n < FEW
        ]
        report.check(
            "类别的频数", "care" if small else "pass",
            "“{v}”的频数不足 5，位置不稳，请与相近的类别合并。" if small else "各类别的频数都不少于 5。",
            v=small[0] if small else "",
        )  # fmt: skip
        return {
            "a": data.rows[i], "b": data.columns[j], "res": residuals[i, j], "p": test.p, "v": v, "chi2": test.value,
            "df": test.df, "n": table.sum(),
        }  # fmt: skip

    @classmethod
    def _dimensions(cls, report: Report, found: Solution) -> None:
        running = np.cumsum(found.inertia) / found.total
        for i, (singular, inertia) in enumerate(zip(found.singular, found.inertia, strict=True)):
            report.row(
                cls.dimensions, dimension=f"维{i + 1}", singular=singular, inertia=inertia,
                share=inertia / found.total, running=min(1.0, float(running[i])),
            )  # fmt: skip

    @classmethod
    def _words(cls, report: Report, form: Any, found: Solution, facts: dict[str, Any]) -> None:
        related = facts["p"] < 0.05
        facts |= {"x": form.row.title, "y": form.column.title if form.column else "各列"}
        first = "“{x}”与“{y}”有关联（χ²({df:integer}) = {chi2:num}，*p* {p:peq}，Cramér *V* = {v:num}）。"
        second = "前 {d:integer} 维解释了 {share:percent1}；联系最强的是“{a}”与“{b}”（调整残差 {res:num}）。"
        if not related:
            first = "“{x}”与“{y}”没有发现明显关联（χ²({df:integer}) = {chi2:num}，*p* {p:peq}），对应图不宜解读。"
            second = "前 {d:integer} 维解释了 {share:percent1}；调整残差最大的是“{a}”与“{b}”（{res:num}）。"
        report.lead(
            first + second,
            [
                figure("解释比例", "{share:percent1}", "前 {d:integer} 维"),
                figure("Cramér *V*", "{v:num}", "*p* {p:peq}"),
            ],
            **facts,
        )
        report.say(
            "图上同一变量的两个类别靠近，说明它们的构成相似。行与列的类别不能直接量距离：看它们是否在原点的同一方向，"
            "离原点越远，特点越鲜明。cos² 小的类别在图上的位置不可靠。", voice="student",
        )  # fmt: skip
        report.say("*N* = {n:num0}。" + first + second, voice="paper", **facts)
        report.say(first + second, voice="brief", **facts)
        report.check(
            "行列是否有关联", "pass" if related else "care",
            "χ² 检验的 *p* {p:peq}，有关联可以解释。" if related else "χ² 检验的 *p* {p:peq}，图上的远近可能只是偶然。",
            p=facts["p"],
        )  # fmt: skip


def _pick(names: list[str], held: Any) -> list[str]:
    return [name for name, one in zip(names, held, strict=True) if one]
