"""One row for each group: what the chosen functions say of the variables in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from hengxi.contract import (
    Column,
    Form,
    Refusal,
    Report,
    Table,
    figure,
    flag,
    integer,
    many,
    num,
    number,
    role,
    text,
)
from hengxi.methods.data_processing._shared.rows import (
    NewTableStep,
    Rows,
    account_of,
    groups_of,
    shown_key,
    tell,
    titles,
)

NUMERIC = {"sum": "总和", "mean": "均值", "sd": "标准差", "median": "中位数", "min": "最小值", "max": "最大值",
           "pct_gt": "占比"}  # fmt: skip
ANY = {"n": "计数", "nunique": "不同值数", "first": "首值", "last": "末值"}
WORDS = {"n": "计数", **NUMERIC, **ANY}
LISTED = 20


class AggregateFile(NewTableStep):
    """Groups are numbered in the order of their values; a gap in a grouping variable is a group of its own."""

    title, title_en = "汇总成新文件", "Aggregate to a new file"
    family, tier = "数据处理", "standard"
    purpose = "按组汇总，每组一行形成新表"
    aliases = ("分组汇总", "分类汇总", "group by", "AGGREGATE")
    references = ("wickham2011",)
    conventions = (
        "分组变量缺失的行单独成一组，排在最后。",
        "计数是组内的行数（不放汇总变量时）或有效值个数；其余函数不计缺失，全部缺失时结果缺失。",
        "标准差的分母为 n − 1，只有一个有效值时缺失；中位数在个数为偶数时取中间两个的平均。",
        "占比是有效值中大于阈值的比例；首值、末值是组内现有次序的第一个、最后一个有效值。",
    )
    row_order = True

    class Input(Form):
        groups: list[Column] = role("分组变量", "任意", max=10)
        variables: list[Column] = role("汇总变量", "任意", min=0, max=None, hint="不放时只给出每组的行数")
        functions: list[str] = many("汇总函数", WORDS, default=("mean",))
        threshold: float = number("占比阈值", 0.0, when={"functions": "pct_gt"}, hint="占比为大于它的比例")
        append: bool = flag("把汇总值并回原表", False, hint="行数不变，每行加上它那一组的汇总值")

    result = Table(
        "汇总概况", rows_before=integer("原来的行数"), groups=integer("组数"), least=integer("最小的组"),
        most=integer("最大的组"), made=integer("新变量数"), layout="record",
    )  # fmt: skip
    values = Table(
        "汇总值（前 20 组）", group=text("组"), n=integer("行数"), variable=text("变量"), value=num("值"),
        merge=("group", "n"),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"按{titles(form.groups)}汇总"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        rows = len(form.groups[0])
        found = groups_of(form.groups, rows)
        order = _order(form.groups, found.first)
        rank = np.empty(found.k, dtype=np.int64)
        rank[order] = np.arange(found.k)
        codes, first, sizes = rank[found.codes], found.first[order], found.sizes[order]
        made = cls._columns(form, codes, found.k, sizes)
        if form.append:
            for name, values, words in made:
                report.make(name, values[codes], **words)
        else:
            report.reshape(first)
            report.only(form.groups)
            for name, values, words in made:
                report.make(name, values, **words)
        kept = [] if form.append else [(c.name, account_of(c.name, [(c, first)])) for c in form.groups]
        cls.list_columns(report, [*kept, *((n, v[codes] if form.append else v) for n, v, _ in made)])
        for i in range(min(found.k, LISTED)):
            for name, values, _ in made:
                if values.dtype.kind == "f":
                    report.row(cls.values, group=shown_key(form.groups, int(first[i])), n=int(sizes[i]),
                               variable=name, value=None if np.isnan(values[i]) else values[i])  # fmt: skip
        if not any(values.dtype.kind == "f" for _, values, _ in made):
            report.skip(cls.values, "所选函数的结果是文字，见新数据")
        facts: dict[str, Any] = {
            "rows_before": rows,
            "groups": found.k,
            "least": int(sizes.min()),
            "most": int(sizes.max()),
            "made": len(made),
        }
        report.row(cls.result, **facts)
        if found.k == rows and rows > 1:
            report.warn("data.unique_groups", "分组变量几乎唯一，每组只有一行，汇总没有意义，请检查分组变量。",
                        columns=form.groups)  # fmt: skip
        after = "并回原表，行数不变" if form.append else "每组一行"
        done = f"{{rows_before:integer}} 行汇总成 {{groups:integer}} 组，得到 {{made:integer}} 个新变量，{after}。"
        student = (
            "各组有 {least:integer} 到 {most:integer} 行；行数很少的组，它的均值和标准差不稳定。"
            "汇总后的关系是组与组之间的，不能当作个体之间的关系。"
        )
        tell(report, done, student, [figure("组数", "{groups:integer}", "原来 {rows_before:integer} 行")], **facts)
        return report

    @classmethod
    def _columns(cls, form: Any, codes: Rows, k: int, sizes: Rows) -> list[tuple[str, Any, dict[str, Any]]]:
        if not form.variables:
            return [("行数", sizes.astype(float), {"measure": "定量"})]
        made = []
        for column in form.variables:
            for function in form.functions:
                if function in NUMERIC and not (column.is_number and column.measure != "时间"):
                    text_ = f"“{column.title}”不是数值，不能求{WORDS[function]}，请移去它或改用计数、首值、末值"
                    raise Refusal("data.no_number", text_, field="variables", column=column.id)
                made.append((f"{column.name}_{WORDS[function]}", *_value(column, function, codes, k, form.threshold)))
        return made


def _order(columns: Sequence[Column], first: Rows) -> Rows:
    keys = []
    for column in columns:
        values = column.numbers if column.is_number or column.measure == "时间" else column.codes.astype(float)
        values = np.asarray(values, dtype=float)[first]
        gone = np.isnan(values) | ((values < 0) & (not column.is_number) & (column.measure != "时间"))
        keys += [gone, np.where(gone, 0, values)]
    return np.lexsort(keys[::-1])


def _value(column: Column, function: str, codes: Rows, k: int, threshold: float) -> tuple[Any, dict[str, Any]]:
    known = ~column.missing
    if function == "n":
        return np.bincount(codes[known], minlength=k).astype(float), {"measure": "定量"}
    if function == "nunique":
        pairs = pd.Series(codes[known] * (int(column.identities.max(initial=0)) + 1) + column.identities[known])
        return np.bincount(codes[known][~pairs.duplicated().to_numpy()], minlength=k).astype(float), {"measure": "定量"}
    if function in ("first", "last"):
        rows = np.flatnonzero(known)
        index = np.full(k, -1, dtype=np.int64)
        turn = rows if function == "last" else rows[::-1]
        index[codes[turn]] = turn
        moment = column.measure == "时间" and not column.is_number
        values = np.append(column.numbers, np.nan)[index] if moment else None
        if moment:
            return values, {"stored": column.info.storage, "measure": "时间"}
        if column.is_number:
            levels = [(level.value, level.label) for level in column.all_levels] if column.is_categorical else None
            return np.append(column.numbers, np.nan)[index], {"measure": column.measure, "levels": levels}
        return np.append(column.text, np.array([None], dtype=object))[index], {"measure": column.measure}
    values, at = column.numbers[known], codes[known]
    if function == "pct_gt":
        values = (values > threshold).astype(float)
    frame = pd.Series(values).groupby(at)
    found = {"sum": frame.sum, "mean": frame.mean, "sd": frame.std, "median": frame.median, "min": frame.min,
             "max": frame.max, "pct_gt": frame.mean}[function]()  # fmt: skip
    out = np.full(k, np.nan)
    out[found.index.to_numpy()] = found.to_numpy()
    return out, {"measure": "定量"}
