"""How many of a case's variables hold one of the values asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Column,
    ColumnToBe,
    Form,
    Processing,
    Refusal,
    Report,
    Table,
    figure,
    flag,
    integer,
    num,
    percent,
    role,
    text,
    words,
)
from hengxi.methods.data_processing._shared.rows import tell

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?"
INTERVAL = re.compile(rf"({NUMBER})\s*[~～至到]\s*({NUMBER})")
MOST_VALUES = 100


@dataclass
class Wanted:
    """Words as they were typed, numbers among them, and closed intervals."""

    texts: list[str] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    intervals: list[tuple[float, float]] = field(default_factory=list)


class CountValues(Processing):
    """A cell counts once, however many of the values and intervals it meets."""

    title, title_en = "行内计数", "Count occurrences across variables"
    family, tier = "数据处理", "standard"
    purpose = "每个个案在多个变量中出现某值的次数"
    aliases = ("计数", "答对题数", "count", "COUNT occurrences")
    references = ("wickham2014",)
    conventions = (
        "区间包含两端；一格同时符合几个值或区间，只计一次。",
        "数值按大小比较，文字按全文比较（区分大小写），也可以写取值标签；区间只用于数值变量。",
        "缺失的格不计数，除非选“计数缺失”；一行全部缺失时计数为 0，与 SPSS 的 COUNT 相同。",
        "用户设定的缺失码算缺失。",
    )

    class Input(Form):
        variables: list[Column] = role("变量", "任意", min=2, max=None)
        values: str = words("要计数的值或区间", longest=500, hint="几个值用逗号隔开，区间写作 4~5")
        include_missing: bool = flag("计数缺失", False)
        name: str = words("新变量名", "计数", kind="name", fresh=True)

    result = Table(
        "计数概况", name=text("新变量"), values=text("计数的值"), rows=integer("行数"), variables=integer("变量个数"),
        cells=integer("符合的格"), none=integer("一次也没有的行"), gaps=integer("有缺失的行"), mean=num("平均每行"),
        least=integer("最少"), most=integer("最多"), layout="record",
    )  # fmt: skip
    frequencies = Table(
        "计数频数表", times=integer("次数"), n=integer("行数"), share=percent("百分比"), running=percent("累计百分比")
    )
    each = Table(
        "各变量的次数", variable=text("变量"), hits=integer("符合"), valid=integer("有效"), missing=integer("缺失"),
        place="detail",
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"行内计数“{form.name}”"

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        return [ColumnToBe(name=form["name"], measure="定量", source=None)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        wanted = read(form.values)
        rows = len(form.variables[0])
        counts = np.zeros(rows, dtype=np.int64)
        gaps = np.zeros(rows, dtype=bool)
        for column in form.variables:
            missing = np.asarray(column.missing)
            hits = meets(column, wanted) & ~missing
            gaps |= missing
            if form.include_missing:
                hits |= missing
            counts += hits
            gone = int(missing.sum())
            report.row(cls.each, variable=column.title, hits=int(hits.sum()), valid=rows - gone, missing=gone)
        times, sizes = np.unique(counts, return_counts=True)
        running = np.cumsum(sizes)
        for time, size, so_far in zip(times.tolist(), sizes.tolist(), running.tolist(), strict=True):
            report.row(cls.frequencies, times=time, n=size, share=size / rows, running=so_far / rows)
        asked = "、".join(wanted.texts) + ("、缺失" if form.include_missing else "")
        facts: dict[str, Any] = {
            "name": form.name, "values": asked, "rows": rows, "variables": len(form.variables),
            "cells": int(counts.sum()), "none": int((counts == 0).sum()), "gaps": int(gaps.sum()),
            "mean": float(counts.mean()), "least": int(counts.min()), "most": int(counts.max()),
        }  # fmt: skip
        report.row(cls.result, **facts)
        report.make(form.name, counts.astype(float), measure="定量")
        if not facts["cells"]:
            text_ = "“{values}”在这些变量里一次也没有出现，请核对取值（数值、文字或取值标签）。"
            report.warn("data.no_hits", text_, values=asked)
        done = (
            "“{name}”是每行 {variables:integer} 个变量中“{values}”出现的次数：平均 {mean:num} 次，"
            "最少 {least:integer} 次，最多 {most:integer} 次（{rows:integer} 行）。"
        )
        student = "原有变量不变。{none:integer} 行一次也没有。"
        if facts["gaps"] and not form.include_missing:
            student += "{gaps:integer} 行有缺失，缺失的格没有计数，这些行的次数可能偏低。"
        tell(report, done, student, [figure("平均次数", "{mean:num}", "最多 {most:integer} 次")], **facts)
        return report


def read(line: str) -> Wanted:
    """`1, 4~5, 同意`: each part is a value, or an interval of numbers."""
    wanted = Wanted()
    for part in dict.fromkeys(part.strip() for part in re.split(r"[,，、;；\n]", line)):
        if not part:
            continue
        wanted.texts.append(part)
        if match := INTERVAL.fullmatch(part):
            low, high = float(match[1]), float(match[2])
            if low > high:
                text_ = f"区间“{part}”的下限大于上限，请改为 {match[2]}~{match[1]}"
                raise Refusal("values.interval", text_, field="values")
            wanted.intervals.append((low, high))
        elif re.fullmatch(NUMBER, part):
            wanted.numbers.append(float(part))
    if not wanted.texts:
        raise Refusal("values.empty", "请填写要计数的值", field="values")
    if len(wanted.texts) > MOST_VALUES:
        text_ = f"要计数的值有 {len(wanted.texts)} 个，最多 {MOST_VALUES} 个，请改用区间"
        raise Refusal("values.many", text_, field="values", n=len(wanted.texts), most=MOST_VALUES)
    return wanted


def meets(column: Column, wanted: Wanted) -> npt.NDArray[np.bool_]:
    """Cells that are one of the values, by number, by text or by label."""
    hits = np.zeros(len(column), dtype=bool)
    labelled = [level.value for level in column.info.levels or [] if level.label in wanted.texts]
    if column.is_number:
        numbers = column.numbers
        named = [float(value) for value in labelled if isinstance(value, (int, float))]
        hits |= np.isin(numbers, [*wanted.numbers, *named])
        for low, high in wanted.intervals:
            hits |= (numbers >= low) & (numbers <= high)
        return hits
    written = column.text
    for word in [*wanted.texts, *(str(value) for value in labelled)]:
        hits |= np.asarray(written == word, dtype=bool)
    return hits
