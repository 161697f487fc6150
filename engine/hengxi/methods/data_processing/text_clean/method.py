"""Texts made alike: blanks, widths, case, unseen signs; something replaced or taken out of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import polars as pl

from hengxi.contract import (
    Column,
    ColumnToBe,
    Deals,
    Form,
    Processing,
    Refusal,
    Report,
    StepRemedy,
    Table,
    choice,
    few_of,
    figure,
    flag,
    integer,
    many,
    role,
    text,
    words,
)
from hengxi.families.text.cleaning import EMOJI, simplified, without_markup
from hengxi.methods.data_processing._shared import patterns
from hengxi.methods.data_processing._shared.rows import tell
from hengxi.methods.data_processing._shared.texts import (
    Distinct,
    distinct,
    half_width,
    trimmed,
    visible,
    without_unseen,
)

LISTED = 20

OPERATIONS: dict[str, tuple[str, Callable[[pl.Series], pl.Series]]] = {
    "strip_html": ("去HTML", without_markup),
    "unseen": ("去看不见的字符", without_unseen),
    "strip_emoji": ("去表情", lambda texts: texts.str.replace_all(EMOJI, "")),
    "fullwidth": ("全角转半角", half_width),
    "traditional": ("繁转简", simplified),
    "lower": ("小写", lambda texts: texts.str.to_lowercase()),
    "upper": ("大写", lambda texts: texts.str.to_uppercase()),
    "squeeze": ("合并空白", lambda texts: texts.str.replace_all(r"[\s\u00a0\u3000]+", " ")),
    "trim": ("去首尾空格", trimmed),
}
"""In the order in which they are done."""


class TextClean(Processing):
    """Each different text is cleaned once; the account lists what became what."""

    title, title_en = "文本清洗", "Clean text"
    family, tier = "数据处理", "standard"
    purpose = "去除空格、统一大小写全半角、替换与提取文本"
    aliases = ("去空格", "大小写", "全角半角", "正则替换", "去表情", "繁转简", "查找替换", "strip", "regex")
    references = ("wickham2014",)
    conventions = (
        "操作的先后固定：去HTML、去看不见的字符、去表情、全角转半角、繁转简、大小写、合并空白、去首尾空格；"
        "然后替换或提取，最后空串转缺失。",
        "正则表达式用线性时间的引擎，不支持前后查看和反向引用；替换内容里用 $1 表示第一个括号。",
        "繁转简逐字转换，不看词语；全角转半角只换字母、数字、标点和空格，汉字标点（。、《》）不变。",
        "提取时取第一处匹配，有括号的取第一个括号；没有匹配的为缺失。缺失的格和缺失码不变。",
    )
    deals_with: ClassVar[Deals] = {
        "stray_characters": {"operations": ["trim", "fullwidth", "unseen"], "mode": "replace"}
    }
    pool = True

    class Input(Form):
        variables: list[Column] = role("处理变量", "任意", max=None)
        operations: list[str] = many(
            "操作",
            {"trim": "去首尾空格", "squeeze": "合并空白", "fullwidth": "全角转半角", "lower": "小写", "upper": "大写",
             "unseen": "去看不见的字符", "strip_html": "去HTML", "strip_emoji": "去表情", "traditional": "繁转简",
             "empty_to_missing": "空串转缺失"},
            default=("trim", "fullwidth", "unseen"),
        )  # fmt: skip
        pattern: str | None = words("正则/查找", longest=500)
        replacement: str | None = words("替换为", longest=200, hint="不填就是删去")
        use_regex: bool = flag("使用正则", False)
        extract: bool = flag("提取第一个匹配", False)
        mode: str = choice("结果写入", {"new": "新增变量", "replace": "在新版本中替换原变量"})
        suffix: str = words("新变量后缀", "_清洗", kind="name", longest=20, when={"mode": "new"})

    result = Table(
        "清洗结果", variable=text("变量"), n=integer("有值"), changed=integer("改变的格"), before=integer("原有写法"),
        after=integer("现有写法"), emptied=integer("变为缺失"), blank=integer("变为空串"),
    )  # fmt: skip
    samples = Table("变更样例", variable=text("变量"), old=text("原值"), new=text("新值"), n=integer("次数"))

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{few_of([column.title for column in form.variables])}的文本清洗"

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        if form["mode"] != "new":
            return []
        chosen = [column for column in columns if column.id in form["variables"]]
        return [ColumnToBe(name=f"{one.name}{form['suffix']}", measure=one.measure, source=one.id) for one in chosen]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        _judge(form)
        facts: dict[str, Any] = {
            "v": few_of([column.title for column in form.variables]),
            "changed": 0,
            "fewer": 0,
            "emptied": 0,
            "blank": 0,
        }
        for column in form.variables:
            found = distinct(column)
            cleaned = _cleaned(found.words, form)
            facts["changed"] += cls._account(report, column, found, cleaned, facts)
            report.put(form, column, found.lay(cleaned), measure=column.measure, ordered=column.ordered,
                       levels=_levels(column, form))  # fmt: skip
        if not facts["changed"]:
            report.skip(cls.samples, "没有改变的值")
        lead = "{v}清洗后有 {changed:integer} 格改变，写法减少 {fewer:integer} 种。"
        if not facts["changed"]:
            lead = "{v}清洗后没有改变（{changed:integer} 格），写法减少 {fewer:integer} 种。"
        student = "写法相同的值以后算同一个类别。请核对变更样例，确认没有把不同的值并在一起。"
        if facts["emptied"]:
            student += "{emptied:integer} 格变为缺失。"
        if facts["blank"]:
            student += "{blank:integer} 格变为空串，它仍算有值；要当作缺失，请加选“空串转缺失”。"
        tell(report, lead, student, [figure("改变", "{changed:integer}", "写法减少 {fewer:integer} 种")], **facts)
        return report

    @classmethod
    def _account(
        cls, report: Report, column: Column, found: Distinct, cleaned: pl.Series, facts: dict[str, Any]
    ) -> int:
        there = found.counts > 0
        new = cleaned.fill_null("").to_numpy()
        gone = cleaned.is_null().to_numpy() & there
        differs = (cleaned != found.words).fill_null(True).to_numpy() & there
        before, after = int(there.sum()), cleaned.filter(pl.Series(there)).drop_nulls().n_unique()
        changed, emptied = found.rows_where(differs), found.rows_where(gone)
        blank = found.rows_where(differs & ~gone & (new == ""))
        report.row(
            cls.result, variable=column.title, n=found.valid, changed=changed, before=before, after=after,
            emptied=emptied, blank=blank,
        )  # fmt: skip
        places = np.flatnonzero(differs)
        places = places[np.argsort(-found.counts[places], kind="stable")]
        for i in places[:LISTED].tolist():
            shown = "缺失" if gone[i] else visible(str(cleaned[i]))
            report.row(
                cls.samples, variable=column.title, old=visible(str(found.words[i])), new=shown, n=int(found.counts[i])
            )
        if len(places) > LISTED:
            report.note(cls.samples, f"每个变量只列次数最多的 {LISTED} 种改变。")
        facts["fewer"] += before - after
        facts["emptied"] += emptied
        facts["blank"] += blank
        return changed


def _judge(form: Any) -> None:
    for column in form.variables:
        if column.info.storage != "text":
            kind = "数值" if column.is_number else "日期"
            text_ = f"“{column.title}”是{kind}变量，请先转为文本"
            remedy = StepRemedy(title="转为文本", step="data_processing/type_convert", columns=[column.id])
            raise Refusal("clean.number", text_, field="variables", column=column.id, remedies=[remedy])
    if {"lower", "upper"} <= set(form.operations):
        raise Refusal("clean.case", "小写和大写只能选一个", field="operations")
    if form.pattern is None and (form.extract or form.replacement):
        raise Refusal("clean.pattern", "请填写“正则/查找”，否则不知道替换或提取什么", field="pattern")
    if form.pattern is None and not form.operations:
        raise Refusal("clean.nothing", "请至少选一项操作，或填写“正则/查找”", field="operations")
    if form.pattern is not None and form.use_regex:
        patterns.judged(form.pattern, "pattern")


def _cleaned(texts: pl.Series, form: Any) -> pl.Series:
    for key, (_, clean) in OPERATIONS.items():
        if key in form.operations:
            texts = clean(texts)
    if form.pattern is not None:
        pattern = form.pattern if form.use_regex else pl.Series([form.pattern]).str.escape_regex()[0]
        if form.extract:
            texts = texts.str.extract(pattern, 1 if form.use_regex and patterns.groups(pattern) else 0)
        elif form.use_regex:
            texts = texts.str.replace_all(pattern, patterns.replacement(form.replacement or ""))
        else:
            texts = texts.str.replace_all(form.pattern, form.replacement or "", literal=True)
    if "empty_to_missing" in form.operations:
        texts = pl.select(pl.when(texts != "").then(texts)).to_series()
    return texts


def _levels(column: Column, form: Any) -> list[tuple[Any, str]] | None:
    """Labels follow their values, in the order they had; a value that was its own label still is."""
    had = column.info.levels
    if not had:
        return None
    cleaned = _cleaned(pl.Series([str(level.value) for level in had], dtype=pl.String), form).to_list()
    labels: dict[str, str] = {}
    for level, value in zip(had, cleaned, strict=True):
        if value is not None:
            labels.setdefault(value, value if level.label == level.value else level.label)
    return list(labels.items()) or None
