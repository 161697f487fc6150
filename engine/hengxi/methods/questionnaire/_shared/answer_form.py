"""How a question of several answers reaches a method: as a set, as one column an option, as lists, or as one text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import AnswerSet, Column, Refusal, SetRemedy, apart, choice, words
from hengxi.contract.measures import Value
from hengxi.stats.answer_sets import Answers, Bools, answers
from hengxi.stats.names import scale_of, titles

MOST_OPTIONS = 100
CODINGS = {
    "dichotomous": "每个选项一列（选中值／未选）",
    "category": "每列放一个所选的答案",
    "delimited": "一列文本，答案用分隔符隔开",
}
EMPTY = {"missing": "不计入基数", "none_selected": "答过题的计入基数", "all": "空白也算没选，全部计入"}
BASE_OF = {"missing": "chosen", "none_selected": "answered", "all": "all"}
"""The words of `stats.answer_sets.BASES` for each way of treating people without a choice."""


def coding_field() -> Any:
    return choice("编码方式", CODINGS, hint="拖入“变量”页定义的多选题集时，按题集的定义读")


def counted_field() -> Any:
    return words("选中值", "1", kind="text", longest=60, when={"coding": "dichotomous"})


def delimiter_field() -> Any:
    return words("分隔符", "┋", kind="delimiter", when={"coding": "delimited"})


def empty_field() -> Any:
    return choice("全部未选按", EMPTY, hint="普及率的分母。SPSS 不计入；空白就是没选的文件选最后一种")


@dataclass(frozen=True)
class Question:
    """`chosen`: options × rows; `base`: rows that shares are taken of."""

    name: str
    options: list[str]
    chosen: Bools
    base: Bools

    def hits(self, rows: Bools) -> Any:
        """Cases × options of 0 and 1, in these rows."""
        return self.chosen[:, rows].T.astype(float)


def read_question(form: Any, field: str, items: list[Column | AnswerSet]) -> Question:
    """The question in box `field`; raises `Refusal`: no two options, other values, nothing chosen, too many."""
    columns, sets = apart(items)
    if sets and (len(sets) > 1 or columns):
        raise Refusal(
            "data.one_question", "一次分析一道多选题：题集“{v}”请单独放入", field=field, column=sets[0].id,
            v=sets[0].name,
        )  # fmt: skip
    found = answers(sets[0], sets[0].name) if sets else _of_columns(form, field, columns)
    if len(found.options) > MOST_OPTIONS:
        raise Refusal(
            "data.options", "多选题最多 {most} 个选项，现有 {k} 个，请先合并选项", field=field, most=MOST_OPTIONS,
            k=len(found.options),
        )  # fmt: skip
    if len(found.options) == 0 or not found.any_chosen.any():
        raise Refusal("data.empty", "没有任何选项被选中，无法计算响应率；请核对选中值或分隔符", field=field)
    return Question(found.name, found.options, found.chosen, found.base(BASE_OF[form.empty_as]))


def _of_columns(form: Any, field: str, columns: list[Column]) -> Answers:
    names = list(titles(columns).values())
    name = scale_of(names) or "多选题"
    if form.coding == "delimited":
        return _split(form, field, columns)
    if form.coding == "category":
        return answers(AnswerSet("", name, columns, None), name)
    if len(columns) < 2:
        raise Refusal(
            "data.one_option", "多选题至少需要两个选项列；若是分隔符文本，请切换编码方式", field=field, also=["coding"],
            remedies=[SetRemedy(title="按分隔符文本读", set={"coding": "delimited"})],
        )  # fmt: skip
    counted = _number_or_text(form.counted_value)
    for column in columns:
        others = [level for level in column.levels if not _same(level.value, counted)]
        if len(others) > 1:
            raise Refusal(
                "data.values", "列“{v}”含有选中值“{c}”以外的 {k} 种取值，请先编码为 0/1，或改用每列一个答案的编码方式",
                field=field, also=["coding"], column=column.id, v=column.title, c=form.counted_value, k=len(others),
                remedies=[SetRemedy(title="改为每列一个答案", set={"coding": "category"})],
            )  # fmt: skip
    return answers(AnswerSet("", name, columns, counted), name)


def _number_or_text(value: str) -> Value:
    try:
        return float(value)
    except ValueError:
        return value


def _same(value: Any, counted: Value) -> bool:
    try:
        return float(value) == float(counted)
    except ValueError:
        return str(value) == str(counted)


def _split(form: Any, field: str, columns: list[Column]) -> Answers:
    """One text a person; an answer written twice counts once. Options by their frequency, then by their name."""
    if len(columns) > 1:
        raise Refusal("data.one_text", "分隔符文本是一列，现有 {k} 列；请只留一列", field=field, k=len(columns))
    column = columns[0]
    parts = [[one for one in map(str.strip, str(level.value).split(form.delimiter)) if one] for level in column.levels]
    counts: dict[str, int] = {}
    for level, held in zip(column.levels, parts, strict=True):
        for one in set(held):
            counts[one] = counts.get(one, 0) + level.count
    options = sorted(counts, key=lambda one: (-counts[one], one))
    # The last place is that of a missing cell (code −1), where nothing is chosen.
    table = np.zeros((min(len(options), MOST_OPTIONS + 1), len(parts) + 1), dtype=np.bool_)
    place = {option: i for i, option in enumerate(options[: len(table)])}
    for j, held in enumerate(parts):
        table[[place[one] for one in held if one in place], j] = True
    return Answers(column.title, options, table[:, column.codes], column.codes >= 0)


def chosen_option(question: Question, wanted: str | None, field: str) -> int | None:
    """The place of an option typed by its name; None where nothing was typed."""
    if not wanted or not wanted.strip():
        return None
    if wanted.strip() in question.options:
        return question.options.index(wanted.strip())
    listed = "".join(f"“{one}”" for one in question.options[:8])
    raise Refusal(
        "data.option", "没有叫“{v}”的选项，现有的选项是{listed}", field=field, v=wanted.strip(), listed=listed
    )  # fmt: skip
