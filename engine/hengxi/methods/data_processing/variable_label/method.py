"""Names, labels, value labels, measures and missing codes of variables: no cell is changed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from hengxi.contract import (
    Column,
    Form,
    Processing,
    Refusal,
    Report,
    Row,
    StepRemedy,
    Table,
    choice,
    few_of,
    figure,
    integer,
    role,
    settings,
    text,
    words,
)
from hengxi.contract.fields.mapping import shown
from hengxi.methods.data_processing._shared.rows import tell

MOST_LABELS = 200
LISTED = 50
"""Values of one variable that are listed one by one."""
NUMBERS = {"quantity": "定量", "nominal": "定类", "ordinal": "定类"}
TEXTS = {"text": "文本", "nominal": "定类", "ordinal": "定类"}


@dataclass
class Wording:
    """What one variable is called from now on; None where nothing changes."""

    column: Column
    name: str | None = None
    label: str | None = None
    measure: str | None = None
    ordered: bool = False
    decimals: int | None = None
    labels: dict[Any, str] = field(default_factory=dict)
    """Value labels that are set now."""
    codes: list[Any] = field(default_factory=list)
    """Codes that are missing from now on and were not before."""

    @property
    def levels(self) -> list[tuple[Any, str]]:
        """All values with their labels: those set now, then those the variable had."""
        had = {level.value: level.label for level in self.column.info.levels or []}
        numeric = self.column.info.storage != "text"
        whole = {**had, **self.labels} if numeric else {**self.labels, **had, **self.labels}
        order = sorted(whole) if numeric else list(whole)
        return [(value, whole[value]) for value in order]

    @property
    def changes(self) -> bool:
        return any((self.name, self.label, self.measure, self.decimals is not None, self.labels, self.codes))


class VariableLabel(Processing):
    """A setting for all chosen variables, and a grid for single ones; the list of what each value means now."""

    title, title_en = "数据标签", "Variable and value labels"
    family, tier = "数据处理", "standard"
    purpose = "给变量和取值加上可读名称并设定测量尺度"
    aliases = ("变量标签", "值标签", "取值标签", "缺失码", "测量尺度", "VALUE LABELS", "variable labels")
    references = ("wickham2014",)
    conventions = (
        "只改变量的名称、标签、测量尺度和缺失码，单元格不变。",
        "“逐个设置”里填写的先于“所选变量共用”的；没有填写的保持原样。",
        "新的取值标签覆盖同一取值原来的标签，其余取值的标签保留；新的缺失码加在原有的缺失码之后。",
        "文本变量设为有序时，先后以取值标签的先后为准；数值变量以数值大小为准。",
    )
    pool = True
    reads_names = True

    class Input(Form):
        variables: list[Column] = role("处理变量", "任意", max=None)
        names: list[Row] = settings(
            "逐个设置", of="variables", by="column", name=words("新变量名", kind="name", auto="不变"),
            label=words("变量标签", longest=200, auto="不变"),
            value_labels=words("取值标签", longest=2000, auto="共用的取值标签"),
        )  # fmt: skip
        value_labels: str | None = words("取值标签（所选变量共用）", longest=2000, hint="写作 1=男；2=女")
        measures: str = choice(
            "测量尺度", {"keep": "不变", "quantity": "定量", "nominal": "定类", "ordinal": "有序", "text": "文本"}
        )
        missing_codes: str | None = words("用户缺失值", longest=200, hint="几个值用逗号隔开，例如 98，99")
        decimals: int | None = integer("小数位", None, least=0, most=10, auto="不变")

    result = Table(
        "变更概况", variables=integer("变量个数"), renamed=integer("改名"), labelled=integer("加变量标签"),
        values=integer("设定的取值标签"), measured=integer("改测量尺度"), codes=integer("新增缺失码"),
        gone=integer("变为缺失的格"), bare=integer("未加标签的取值"), layout="record",
    )  # fmt: skip
    labels = Table(
        "标签对照表", variable=text("变量"), label=text("变量标签"), measure=text("测量尺度"), level=text("取值"),
        meaning=text("取值标签"), n=integer("频数"), merge=("variable", "label", "measure"),
    )  # fmt: skip
    unlabelled = Table("未加标签的取值", variable=text("变量"), level=text("取值"), n=integer("频数"))

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{few_of([column.title for column in form.variables])}的标签"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        found = [_wording(row, form) for row in form.names]
        _judge_names(found, form)
        if not any(one.changes for one in found) and form.again is None:
            raise Refusal("data.nothing", "没有要修改的内容，请填写至少一项", field="variables")
        report.unchanged()
        facts: dict[str, Any] = dict.fromkeys(("renamed", "labelled", "values", "measured", "codes", "gone", "bare"), 0)
        for one in found:
            cls._write(report, one)
            facts["gone"] += cls._list(report, one)
            facts["renamed"] += one.name is not None
            facts["labelled"] += one.label is not None
            facts["values"] += len(one.labels)
            facts["measured"] += one.measure is not None
            facts["codes"] += len(one.codes)
        facts["bare"] = len(report.rows_of(cls.unlabelled))
        if not facts["bare"]:
            report.skip(cls.unlabelled, "定类变量的取值都有标签，或取值本身就是文字")
        facts["variables"] = len(found)
        report.row(cls.result, **facts)
        done = (
            "{variables:integer} 个变量：改名 {renamed:integer} 个，加变量标签 {labelled:integer} 个，"
            "设定取值标签 {values:integer} 个，改测量尺度 {measured:integer} 个。"
        )
        student = "只改名称和标签，数据不变。以后的报告用标签称呼变量和取值。"
        if facts["codes"]:
            student += "新增缺失码 {codes:integer} 个，{gone:integer} 格变为缺失，分析时不再使用。"
        if facts["bare"]:
            student += "还有 {bare:integer} 个取值没有标签，见未加标签的取值。"
        tell(report, done, student, [figure("取值标签", "{values:integer}", "{variables:integer} 个变量")], **facts)
        return report

    @classmethod
    def _write(cls, report: Report, one: Wording) -> None:
        more: dict[str, Any] = {}
        if one.name is not None:
            more["name"] = one.name
        if one.label is not None:
            more["label"] = one.label
        if one.measure is not None:
            more |= {"measure": one.measure, "ordered": one.ordered}
        if one.labels:
            more["levels"] = one.levels
        if one.codes:
            more["missing"] = [*one.column.info.missing.values, *one.codes]
        if one.decimals is not None:
            more["decimals"] = one.decimals
        if more:
            report.reword(one.column, **more)

    @classmethod
    def _list(cls, report: Report, one: Wording) -> int:
        """Rows of one variable; answers how many of its cells become missing."""
        column = one.column
        scale = "有序" if one.ordered else one.measure or ("有序" if column.ordered else column.measure)
        head: dict[str, Any] = {"variable": column.name if one.name is None else f"{column.name} → {one.name}",
                "label": one.label or column.label, "measure": scale}  # fmt: skip
        few = scale in ("定类", "有序") or bool(one.labels) or bool(column.info.levels)
        counts = {level.value: level.count for level in column.levels} if few or one.codes else {}
        named = dict(one.levels) if few else {}
        if few and len(counts) <= MOST_LABELS:
            # A value that was already missing has its label beside the missing codes, not here.
            whole = {**named, **{value: named.get(value, shown(value)) for value in counts}}
            lines = sorted(whole.items()) if column.info.storage != "text" else list(whole.items())
            for value, meaning in lines[:LISTED]:
                report.row(cls.labels, **head, level=shown(value), meaning=meaning, n=counts.get(value, 0))
            if len(lines) > LISTED:
                report.note(cls.labels, f"每个变量只列前 {LISTED} 个取值。")
            cls._bare(report, one, head["variable"], lines, counts)
        else:
            report.row(cls.labels, **head, n=int((~column.missing).sum()))
        for value in one.labels:
            if value not in counts and value not in one.codes and value not in column.info.missing.values:
                text_ = "取值“{x}”在“{v}”中未出现，仍会保留标签。"
                report.warn("label.unused", text_, columns=[column], x=shown(value), v=column.title)
        return sum(counts.get(code, 0) for code in one.codes)

    @classmethod
    def _bare(
        cls, report: Report, one: Wording, name: str, lines: list[tuple[Any, str]], counts: dict[Any, int]
    ) -> None:
        """Codes of a category that nobody has said the meaning of; a word says its own."""
        for value, meaning in lines[:LISTED]:
            if not isinstance(value, str) and meaning == shown(value) and value not in one.codes:
                report.row(cls.unlabelled, variable=name, level=shown(value), n=counts.get(value, 0))


def _wording(row: Row, form: Any) -> Wording:
    column: Column = row.column
    one = Wording(column, name=row.name, label=row.label, decimals=form.decimals)
    one.name = None if row.name in (None, column.name) else row.name.strip()
    one.label = None if row.label in (None, column.label) else row.label
    is_text = column.info.storage == "text"
    if form.measures != "keep":
        allowed = TEXTS if is_text else NUMBERS if column.is_number else {"nominal": "定类", "ordinal": "定类"}
        if form.measures not in allowed:
            wanted = {"quantity": "定量", "text": "文本"}[form.measures]
            kind = "文本" if is_text else "数值" if column.is_number else "日期"
            text_ = f"“{column.title}”存的是{kind}，不能直接设为{wanted}，请先用类型转换"
            remedy = StepRemedy(title="类型转换", step="data_processing/type_convert", columns=[column.id])
            raise Refusal("label.measure", text_, field="measures", column=column.id, remedies=[remedy])
        one.measure, one.ordered = allowed[form.measures], form.measures == "ordinal"
        if one.measure == column.measure and one.ordered == column.ordered:
            one.measure = None
    typed = row.value_labels or form.value_labels
    pairs = _pairs(typed, "names" if row.value_labels else "value_labels") if typed else []
    had = {level.value: level.label for level in column.info.levels or []}
    for word, label in pairs:
        value = _value(word, column, "names" if row.value_labels else "value_labels")
        # The order in which texts are written is their order.
        if had.get(value) != label or (is_text and form.measures == "ordinal"):
            one.labels[value] = label
    known = column.info.missing.values
    for word in re.split(r"[,，、;；\s]+", (form.missing_codes or "").strip()):
        if word and (code := _value(word, column, "missing_codes")) not in [*known, *one.codes]:
            one.codes.append(code)
    return one


def _pairs(typed: str, place: str) -> list[tuple[str, str]]:
    """`1=男；2=女`: each part a value and its label."""
    parts = [part.strip() for part in re.split(r"[;；\n]", typed) if part.strip()]
    if len(parts) > MOST_LABELS:
        text_ = f"取值标签有 {len(parts)} 个，最多 {MOST_LABELS} 个"
        raise Refusal("label.many", text_, field=place, n=len(parts), most=MOST_LABELS)
    pairs: dict[str, str] = {}
    for part in parts:
        value, sign, label = re.sub("＝", "=", part, count=1).partition("=")
        value, label = value.strip(), label.strip()
        if not (sign and value and label):
            text_ = f"取值标签“{part[:40]}”看不懂，请写作 1=男；2=女"
            raise Refusal("label.pair", text_, field=place)
        if pairs.get(value, label) != label:
            raise Refusal("label.twice", f"取值“{value[:40]}”写了两个标签，请留一个", field=place)
        pairs[value] = label
    return list(pairs.items())


def _value(word: str, column: Column, place: str) -> Any:
    """What was typed as a value of this variable: a number where it holds numbers."""
    if column.info.storage == "text":
        return word
    if column.is_number:
        try:
            number = float(word)
        except ValueError:
            number = float("nan")
        if abs(number) < 2**53:
            return int(number) if number.is_integer() else number
    kind = "数值" if column.is_number else "日期"
    text_ = f"“{column.title}”是{kind}变量，“{word[:40]}”不能是它的取值"
    raise Refusal("label.value", text_, field=place, column=column.id)


def _judge_names(found: list[Wording], form: Any) -> None:
    new = {one.column.id: one.name for one in found if one.name is not None}
    after = [new.get(column.id, column.name) for column in form.whole.columns]
    twice = next((name for i, name in enumerate(after) if name in after[:i]), None)
    if twice is not None:
        raise Refusal("data.name_taken", f"变量名“{twice}”重复，请换一个", field="names")
