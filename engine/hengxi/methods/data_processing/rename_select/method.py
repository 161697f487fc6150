"""Which variables stay, what they are called, in which order: no cell is changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from hengxi.contract import (
    Column,
    Deals,
    Form,
    Processing,
    Refusal,
    Report,
    Row,
    Table,
    choice,
    figure,
    integer,
    number,
    percent,
    role,
    settings,
    text,
    words,
)
from hengxi.methods.data_processing._shared.rows import tell

LONGEST = 64


class RenameSelect(Processing):
    """One action at a time; a list of what became of each variable that it is about."""

    title, title_en = "列选择与改名", "Select, drop, rename, reorder columns"
    family, tier = "数据处理", "standard"
    purpose = "保留、删除、改名、调整列次序"
    aliases = ("改名", "删除变量", "选列", "rename", "select columns", "drop")
    references = ("wickham2014",)
    conventions = (
        "取值、取值标签和缺失码都不变；被删除的列在以前的版本里还在。",
        "常数列：有效取值只有一个，或全部缺失。缺失率包括用户设定的缺失码。",
        "调整次序：所选变量依放入的先后排在最前，其余保持原来的先后。",
    )
    deals_with: ClassVar[Deals] = {"useless": {"action": "drop"}}
    pool = True
    reads_names = True

    class Input(Form):
        variables: list[Column] = role("变量", "任意", max=None, hint="“删除常数列”和“删除高缺失列”只看这里放入的变量")
        action: str = choice(
            "操作",
            {"keep": "仅保留", "drop": "删除", "rename": "改名", "reorder": "调整次序", "drop_constant": "删除常数列",
             "drop_high_missing": "删除高缺失列"},
        )  # fmt: skip
        mapping: list[Row] = settings(
            "新名称", of="variables", by="column", name=words("新名称", kind="name", longest=LONGEST, auto="不变"),
            when={"action": "rename"},
        )  # fmt: skip
        threshold: float = number("缺失率阈值", 0.5, least=0, most=1, when={"action": "drop_high_missing"})

    result = Table(
        "列变更概况", before=integer("原来的列数"), kept=integer("保留的列数"), removed=integer("删除的列数"),
        renamed=integer("改名的列数"), layout="record",
    )  # fmt: skip
    changes = Table(
        "列变更表", old=text("原列名"), new=text("新列名"), state=text("状态"), missing=percent("缺失率"),
        distinct=integer("不同取值"),
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        every = form.whole.columns
        gone = {column.id for column in cls._gone(form, every)}
        names = {row.column.id: row.name for row in form.mapping or [] if row.name}
        if len(gone) == len(every):
            raise Refusal("data.no_columns", "删除后没有列，至少需要保留一列", field="variables")
        cls._judge(every, names)
        if not gone and not names and form.action in ("drop_constant", "drop_high_missing") and form.again is None:
            what = "常数列" if form.action == "drop_constant" else "缺失率超过阈值的列"
            raise Refusal("data.nothing", f"所选变量中没有{what}，未生成新版本", field="action")
        for column in form.variables if form.action != "keep" else every:
            new = names.get(column.id, column.name)
            state = "删除" if column.id in gone else "改名" if new != column.name else "保留"
            share = float(column.missing.mean()) if len(column) else 0.0
            # Every column may be asked: levels of numbers that are all different would take longer than the step.
            known = column.distinct_known
            report.row(cls.changes, old=column.name, new=None if state == "删除" else new, state=state, missing=share,
                       distinct=len(column.levels) if known is None else known)  # fmt: skip
            if state == "改名":
                report.reword(column, name=new)
        if gone:
            report.remove([column for column in every if column.id in gone])
        elif form.action == "reorder":
            report.arrange([column.name for column in form.variables])
        report.unchanged()
        facts: dict[str, Any] = {
            "before": len(every), "kept": len(every) - len(gone), "removed": len(gone), "renamed": len(names),
        }  # fmt: skip
        report.row(cls.result, **facts)
        done = "原有 {before:integer} 列，删除 {removed:integer}，改名 {renamed:integer}，现有 {kept:integer} 列。"
        student = "只改变有哪些列、叫什么、先后如何，数值不变。后面的步骤按列名找变量，改名后请用新的名称。"
        tell(report, done, student, [figure("现有", "{kept:integer}", "原有 {before:integer} 列")], **facts)
        return report

    @classmethod
    def _gone(cls, form: Any, every: Sequence[Column]) -> list[Column]:
        chosen = {column.id for column in form.variables}
        match form.action:
            case "keep":
                return [column for column in every if column.id not in chosen]
            case "drop":
                return list(form.variables)
            case "drop_constant":
                return [column for column in form.variables if not column.varies]
            case "drop_high_missing":
                return [column for column in form.variables if float(column.missing.mean()) > form.threshold]
            case _:
                return []

    @classmethod
    def _judge(cls, every: Sequence[Column], names: dict[str, str]) -> None:
        after = [names.get(column.id, column.name) for column in every]
        twice = next((name for i, name in enumerate(after) if name in after[:i]), None)
        if twice is not None:
            raise Refusal("data.name_taken", f"列名“{twice}”重复，请换一个名称", field="mapping")
