"""One column into several: at a sign, at fixed places, by bracketed groups, or by the keys of JSON."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from hengxi.contract import (
    Column,
    Form,
    Processing,
    Refusal,
    Report,
    Table,
    choice,
    figure,
    flag,
    integer,
    percent,
    role,
    text,
    words,
)
from hengxi.methods.data_processing._shared import patterns
from hengxi.methods.data_processing._shared.rows import tell
from hengxi.methods.data_processing._shared.texts import Distinct, distinct, trimmed, visible

LOOKED_AT = 1000
"""Different cells whose JSON keys are collected."""
SIGNS = {r"\t": "\t", r"\n": "\n", "空格": " ", "制表符": "\t", "换行": "\n"}


@dataclass
class Parts:
    """`parts`: one Series of texts for each new column; `counts`: how many parts each word has, 0 where it has none."""

    names: list[str]
    parts: list[pl.Series]
    counts: np.ndarray[Any, Any]
    beyond: int = 0
    """Rows with more parts than columns."""


class SplitColumn(Processing):
    """New columns are texts: an empty part is missing, and a leading zero stays."""

    title, title_en = "拆分列", "Split column"
    family, tier = "数据处理", "standard"
    purpose = "把一列按分隔符或位置拆成多列"
    aliases = ("分列", "拆列", "按分隔符拆分", "固定宽度", "text to columns", "separate", "JSON")
    references = ("wickham2014",)
    conventions = (
        "空的一段为缺失；没有这一段的行也为缺失。新变量先按文本存，开头的 0 和长编号都保留。",
        "段数超过上限时，多余部分连同分隔符留在最后一列。",
        "固定宽度按字数计，一个汉字、一个字母都是一个字；超出各段宽度之和的部分并入最后一段。",
        "正则取每个括号的内容，不支持前后查看和反向引用。JSON 取最外层的字段，内层仍是 JSON 文字。",
    )
    pool = True
    reads_names = True

    class Input(Form):
        variable: Column = role("处理变量", "任意")
        by: str = choice("方式", {"delimiter": "分隔符", "width": "固定宽度", "regex": "正则分组", "json": "JSON字段"})
        delimiter: str = words(
            "分隔符", ",", kind="delimiter", hint="制表符写作 \\t，空格写作“空格”", when={"by": "delimiter"}
        )
        widths: str | None = words("宽度", longest=200, hint="各段的字数，例如 6，8，4", when={"by": "width"})
        pattern: str | None = words("正则表达式", longest=500, hint=r"例如 (.+)省(.+)市", when={"by": "regex"})
        max_parts: int = integer("最多拆成", 10, least=2, most=100, when={"by": ("delimiter", "json")})
        names: str | None = words("新列名", longest=2000, hint="几个名称用逗号隔开，不填为 原列名_1、_2 …")
        trim: bool = flag("去掉每段首尾空格", True, advanced=True)
        drop_original: bool = flag("移除原列", False)

    result = Table(
        "拆分结果", variable=text("原变量"), n=integer("有值的行"), columns=integer("新列数"),
        least=integer("最少段数"), most=integer("最多段数"), beyond=integer("超过上限的行"),
        none=integer("没有拆开的行"), layout="record",
    )  # fmt: skip
    sizes = Table("拆分概况", parts=integer("段数"), n=integer("行数"), share=percent("百分比"))
    made = Table(
        "新变量", variable=text("变量"), n=integer("有值"), missing=integer("缺失"), distinct=integer("不同取值"),
        sample=text("第一个值"),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"拆分“{form.variable.title}”"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        column = form.variable
        found = distinct(column)
        split = _split(found, form)
        names = _names(column, split, form)
        rows = len(found.codes)
        for name, part in zip(names, split.parts, strict=True):
            part = trimmed(part) if form.trim else part
            part = pl.select(pl.when(part != "").then(part)).to_series()
            cells = found.lay(part)
            report.make(name, cells, source=column)
            there = part.is_not_null().to_numpy()
            n = found.rows_where(there)
            kept = part.filter(pl.Series(there & (found.counts > 0)))
            first = visible(str(kept[0])) if len(kept) else None
            report.row(cls.made, variable=name, n=n, missing=rows - n, distinct=kept.n_unique(), sample=first)
        if form.drop_original:
            report.remove([column])
        occurring = found.counts > 0
        sizes, place = np.unique(split.counts[occurring], return_inverse=True)
        n_of = np.bincount(place, weights=found.counts[occurring], minlength=len(sizes))
        for size, n in zip(sizes.tolist(), n_of.astype(np.int64).tolist(), strict=True):
            report.row(cls.sizes, parts=size, n=n, share=n / max(found.valid, 1))
        whole = 1 if form.by == "delimiter" else 0
        facts: dict[str, Any] = {
            "variable": column.title, "n": found.valid, "columns": len(names),
            "least": int(sizes[0]) if len(sizes) else 0, "most": int(sizes[-1]) if len(sizes) else 0,
            "beyond": split.beyond, "none": found.rows_where(split.counts <= whole),
        }  # fmt: skip
        report.row(cls.result, **facts)
        if split.beyond:
            text_ = "有 {beyond:integer} 行拆出超过 {m:integer} 段，多余部分并入最后一列。"
            report.warn("split.beyond", text_, columns=[column], beyond=split.beyond, m=len(names))
        lead = "“{variable}”拆成 {columns:integer} 列，{n:integer} 行有值，每行 {least:integer} 到 {most:integer} 段。"
        student = "新变量先按文本存，要当数值或日期用，请再做类型转换。"
        if facts["none"]:
            student += "{none:integer} 行没有拆开，请核对它们的写法。"
        tell(report, lead, student, [figure("新列", "{columns:integer}", "{n:integer} 行有值")], **facts)
        return report


def _split(found: Distinct, form: Any) -> Parts:
    match form.by:
        case "delimiter":
            return _at_sign(found, form)
        case "width":
            return _at_places(found, form)
        case "regex":
            return _by_groups(found, form)
        case _:
            return _by_keys(found, form)


def _columns(struct: pl.Series) -> list[pl.Series]:
    return [struct.struct.field(name) for name in struct.struct.fields]


def _at_sign(found: Distinct, form: Any) -> Parts:
    sign = SIGNS.get(form.delimiter, form.delimiter)
    counts = found.words.str.count_matches(sign, literal=True).to_numpy().astype(np.int64) + 1
    most = int(counts[found.counts > 0].max(initial=1))
    if most < 2 and form.again is None:
        text_ = f"“{form.variable.title}”中没有找到分隔符“{form.delimiter}”"
        raise Refusal("split.none", text_, field="delimiter", column=form.variable.id)
    k = min(max(most, len(form.again or ())), form.max_parts)
    return Parts([], _columns(found.words.str.splitn(sign, k)), counts, found.rows_where(counts > k))


def _at_places(found: Distinct, form: Any) -> Parts:
    typed = [one for one in re.split(r"[,，、;；\s]+", (form.widths or "").strip()) if one]
    if not typed:
        raise Refusal("split.widths", "请填写各段的宽度，例如 6，8，4", field="widths")
    if not all(one.isascii() and one.isdigit() and 0 < int(one) <= 1000 for one in typed) or len(typed) > 100:
        text_ = "宽度应是 1 到 1000 的整数，最多 100 段，用逗号隔开"
        raise Refusal("split.widths", text_, field="widths")
    widths = [int(one) for one in typed]
    starts = np.concatenate([[0], np.cumsum(widths)])
    lengths = found.words.str.len_chars().to_numpy()
    parts = [
        found.words.str.slice(int(start), None if i == len(widths) - 1 else width)
        for i, (start, width) in enumerate(zip(starts[:-1], widths, strict=True))
    ]
    counts = np.searchsorted(starts[:-1], lengths, side="left")
    return Parts([], parts, counts, found.rows_where(lengths > starts[-1]))


def _by_groups(found: Distinct, form: Any) -> Parts:
    pattern = patterns.judged(form.pattern or "", "pattern")
    if not patterns.groups(pattern):
        raise Refusal("split.groups", "正则表达式需要至少一个括号分组", field="pattern")
    matched = found.words.str.contains(pattern).to_numpy()
    if not (matched & (found.counts > 0)).any() and form.again is None:
        text_ = f"“{form.variable.title}”没有一行符合这个正则表达式"
        raise Refusal("split.none", text_, field="pattern", column=form.variable.id)
    parts = _columns(found.words.str.extract_groups(pattern))
    counts = np.sum([part.is_not_null().to_numpy() for part in parts], axis=0) * matched
    return Parts([], parts, counts.astype(np.int64))


def _by_keys(found: Distinct, form: Any) -> Parts:
    keys: dict[str, None] = {}
    for word in found.words.filter(pl.Series(found.counts > 0)).head(LOOKED_AT).to_list():
        try:
            read = json.loads(word)
        except (ValueError, RecursionError):
            continue
        if isinstance(read, dict):
            keys |= dict.fromkeys(key for key in read if key and not re.search(r"['\"\\\[\]\n]", key))
    prefix = f"{form.variable.name}_"
    keys |= dict.fromkeys(name.removeprefix(prefix) for name in form.again or () if name.startswith(prefix))
    if not keys:
        text_ = f'“{form.variable.title}”里没有读到 JSON 字段，应写作 {{"省": "广东"}}'
        raise Refusal("split.none", text_, field="by", column=form.variable.id)
    chosen = list(keys)[: form.max_parts]
    is_object = found.words.str.contains(r"^\s*\{")
    objects = pl.select(pl.when(is_object).then(found.words)).to_series()
    parts = [objects.str.json_path_match(f"$['{key}']") for key in chosen]
    counts = np.sum([part.is_not_null().to_numpy() for part in parts], axis=0).astype(np.int64)
    return Parts(chosen, parts, counts)


def _names(column: Column, split: Parts, form: Any) -> list[str]:
    typed = [one.strip() for one in re.split(r"[,，、;；\n]", form.names or "") if one.strip()]
    if len(typed) > len(split.parts):
        text_ = f"填了 {len(typed)} 个新列名，只拆出 {len(split.parts)} 列，请删去多余的名称"
        raise Refusal("split.names", text_, field="names", k=len(typed), m=len(split.parts))
    if len(set(typed)) < len(typed) or any(len(one) > 64 for one in typed):
        raise Refusal("split.names", "新列名不能重复，每个最多 64 个字", field="names")
    rest = split.names or [str(i + 1) for i in range(len(split.parts))]
    return [*typed, *(f"{column.name}_{one}" for one in rest[len(typed) :])]
