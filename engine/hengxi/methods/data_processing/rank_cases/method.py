"""Numbers into their places: ranks, shares, normal and exponential scores, groups of equal size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from hengxi.contract import (
    Column,
    ColumnToBe,
    Form,
    Processing,
    Refusal,
    Report,
    Table,
    choice,
    few_of,
    figure,
    flag,
    integer,
    num,
    role,
    text,
    words,
)
from hengxi.methods.data_processing._shared.rows import groups_of, tell

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
TYPES = {"rank": "名次", "percent": "百分位", "fraction": "分数秩", "normal_blom": "正态得分（Blom）",
         "normal_tukey": "正态得分（Tukey）", "normal_rankit": "正态得分（Rankit）",
         "normal_vdw": "正态得分（Van der Waerden）", "ntile": "N等分组", "savage": "Savage得分"}  # fmt: skip
NORMAL = {"normal_blom": (3 / 8, 1 / 4), "normal_tukey": (1 / 3, 1 / 3), "normal_rankit": (1 / 2, 0.0),
          "normal_vdw": (0.0, 1.0)}  # fmt: skip
"""p = (r − a) / (n + b)."""


@dataclass
class Places:
    """Cells in order of group and value. `least` … `most`: ranks a tied value spans; `n`: cases of its group."""

    order: Ints
    least: Ints
    most: Ints
    dense: Ints
    place: Ints
    n: Ints
    runs: int
    """Values that several cells of a group share."""
    tied: int


class RankCases(Processing):
    """One sort for all groups; a gap has no rank."""

    title, title_en = "秩变换", "Rank cases"
    family, tier = "数据处理", "standard"
    purpose = "把数值变成名次、百分位或正态得分"
    aliases = ("排名", "名次", "百分位", "正态得分", "N等分", "四分位分组", "RANK", "Blom", "rankit")
    references = ("blom1958", "conover1981")
    conventions = (
        "缺失和缺失码没有名次；放入分组变量时在组内排，分组缺失的行没有名次。",
        "分数秩 = 名次 ÷ 有效数，百分位 = 100 × 分数秩；"
        "N 等分组 = 1 + ⌊名次 × N ÷ (有效数 + 1)⌋，与 SPSS 的 RANK 相同。",
        "正态得分是 Φ⁻¹(p)：Blom p = (r − 3/8)/(n + 1/4)，Tukey (r − 1/3)/(n + 1/3)，Rankit (r − 1/2)/n，"
        "Van der Waerden r/(n + 1)。",
        "Savage 得分是指数分布的期望次序统计量减 1；结按“平均”处理时，取所占名次得分的平均。",
        "相同的值：平均、最小、最大取所占名次的平均、最小、最大，紧凑不跳号，依次按行的先后。",
    )
    pool = True
    row_order = True

    class Input(Form):
        variables: list[Column] = role("处理变量", "定量", max=None)
        group: list[Column] = role("分组变量（组内排名，选填）", "定类", min=0, max=2)
        type: str = choice("类型", TYPES)
        ties: str = choice(
            "结的处理", {"average": "平均", "min": "最小", "max": "最大", "dense": "紧凑", "ordinal": "依次"}
        )
        ascending: bool = flag("最小值为1", True)
        n: int = integer("N等分", 4, least=2, most=100, when={"type": "ntile"})
        mode: str = choice("结果写入", {"new": "新增变量", "replace": "在新版本中替换原变量"})
        suffix: str = words("新变量后缀", "_秩", kind="name", longest=20, when={"mode": "new"})

    result = Table(
        "秩变换结果", variable=text("变量"), type=text("类型"), n=integer("有效"), missing=integer("没有名次"),
        groups=integer("组数"), runs=integer("结的个数"), tied=integer("有结的格"), least=num("最小"),
        most=num("最大"), mean=num("均值"),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{few_of([column.title for column in form.variables])}的秩变换"

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        if form["mode"] != "new":
            return []
        measure: Any = "定类" if form["type"] == "ntile" else "定量"
        chosen = [column for column in columns if column.id in form["variables"]]
        return [ColumnToBe(name=f"{one.name}{form['suffix']}", measure=measure, source=one.id) for one in chosen]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        rows = len(form.variables[0])
        codes = groups_of(form.group, rows).codes.astype(np.int64) if form.group else np.zeros(rows, dtype=np.int64)
        for column in form.group:
            codes = np.where(column.missing, -1, codes)
        facts: dict[str, Any] = {
            "v": few_of([column.title for column in form.variables]),
            "way": TYPES[form.type],
            "n": 0,
            "tied": 0,
        }
        for column in form.variables:
            found = places(column.numbers if form.ascending else -column.numbers, codes)
            if not len(found.order):
                text_ = f"“{column.title}”没有可以排名的值"
                raise Refusal("role.empty", text_, field="variables", column=column.id)
            scores = np.full(rows, np.nan)
            scores[found.order] = cls._scores(column, found, form)
            more: dict[str, Any] = {"measure": "定量"}
            if form.type == "ntile":
                levels = [(i, f"第{i}组") for i in range(1, form.n + 1)]
                more = {"measure": "定类", "ordered": True, "levels": levels}
            report.put(form, column, scores, **more)
            known = scores[found.order]
            report.row(
                cls.result, variable=column.title, type=TYPES[form.type], n=len(known), missing=rows - len(known),
                groups=len(np.unique(codes[found.order])), runs=found.runs, tied=found.tied, least=known.min(),
                most=known.max(), mean=known.mean(),
            )  # fmt: skip
            facts["n"] += len(known)
            facts["tied"] += found.tied
        cls._small(report, form, codes)
        lead = "{v}变为{way}：{n:integer} 格有值，其中 {tied:integer} 格与别的格相同。"
        way = "最小的值排第 1。" if form.ascending else "最大的值排第 1。"
        within = "名次在各组内排。" if form.group else ""
        student = f"{way}{within}秩只保留先后，不保留差距的大小。"
        tell(report, lead, student, [figure("有值", "{n:integer}", "{tied:integer} 格有结")], **facts)
        return report

    @classmethod
    def _scores(cls, column: Column, found: Places, form: Any) -> Floats:
        ranks: Floats = {
            "average": (found.least + found.most) / 2, "min": found.least, "max": found.most, "dense": found.dense,
            "ordinal": found.place,
        }[form.ties].astype(float)  # fmt: skip
        match form.type:
            case "rank":
                return ranks
            case "fraction":
                return ranks / found.n
            case "percent":
                return 100 * ranks / found.n
            case "ntile":
                if form.n > found.n.max():
                    text_ = (
                        f"等分组数不能大于有效样本数：“{column.title}”有效 {int(found.n.max())} 个，要分 {form.n} 组"
                    )
                    raise Refusal("rank.ntile", text_, field="n", column=column.id)
                parts: Floats = 1 + np.floor(ranks * form.n / (found.n + 1))
                return parts
            case "savage":
                return _savage(ranks, found, form.ties == "average")
            case _:
                a, b = NORMAL[form.type]
                scores: Floats = ndtri((ranks - a) / (found.n + b))
                return scores

    @classmethod
    def _small(cls, report: Report, form: Any, codes: Ints) -> None:
        if form.type != "ntile" or not form.group:
            return
        sizes = np.bincount(codes[codes >= 0])
        if k := int(((sizes > 0) & (sizes < form.n)).sum()):
            text_ = "有 {k:integer} 个组不足 {m:integer} 行，这些组分不满 {m:integer} 份。"
            report.warn("rank.small", text_, columns=form.group, k=k, m=form.n)


def places(x: Floats, codes: Ints) -> Places:
    """Ranks of every cell within its group (codes from 0; −1 belongs to none); NaN has none."""
    there = np.flatnonzero(~np.isnan(x) & (codes >= 0))
    order = there[np.lexsort((x[there], codes[there]))]
    value, group = x[order], codes[order]
    index = np.arange(len(order))
    new_group = np.ones(len(order), dtype=bool)
    new_group[1:] = group[1:] != group[:-1]
    new_value = new_group.copy()
    new_value[1:] |= value[1:] != value[:-1]
    starts = np.flatnonzero(new_group)
    sizes = np.diff(starts, append=len(order))
    first = np.repeat(starts, sizes)
    runs = np.flatnonzero(new_value)
    lengths = np.diff(runs, append=len(order))
    begin = np.repeat(runs, lengths)
    count = np.cumsum(new_value)
    return Places(
        order=order, least=begin - first + 1, most=begin + np.repeat(lengths, lengths) - first,
        dense=count - count[first] + 1, place=index - first + 1, n=np.repeat(sizes, sizes),
        runs=int((lengths > 1).sum()), tied=int(lengths[lengths > 1].sum()),
    )  # fmt: skip


def _savage(ranks: Floats, found: Places, average: bool) -> Floats:
    """The sum of 1/n + … + 1/(n − r + 1), minus 1; of tied cells the mean over their places."""
    most = int(found.n.max())
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, most + 1))])
    if not average:
        scores: Floats = harmonic[found.n] - harmonic[found.n - ranks.astype(np.int64)] - 1
        return scores
    own = harmonic[found.n] - harmonic[found.n - found.place] - 1
    sums = np.concatenate([[0.0], np.cumsum(own)])
    at = np.arange(len(own)) - found.place  # where the group begins, minus one place
    means: Floats = (sums[at + found.most + 1] - sums[at + found.least]) / (found.most - found.least + 1)
    return means
