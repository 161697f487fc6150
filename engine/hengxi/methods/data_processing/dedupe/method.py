"""Rows that agree in the keys: found, listed, and all but one of them left out or marked."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from hengxi.contract import (
    Column,
    ColumnToBe,
    Deals,
    Form,
    Processing,
    Refusal,
    Report,
    Table,
    choice,
    figure,
    integer,
    role,
    text,
)
from hengxi.methods.data_processing._shared.rows import Groups, groups_of, shown_key, tell, titles

MARK, GROUP = "重复标记", "重复组号"
LISTED, ROWS_SHOWN = 100, 10


class Dedupe(Processing):
    """Grouping by the cells as they lie in the file; which row of a group stays is the user's to say."""

    title, title_en = "去除重复", "Remove duplicates"
    family, tier = "数据处理", "standard"
    purpose = "识别并删除重复个案"
    aliases = ("去重", "重复个案", "重复值", "drop duplicates")
    references = ("christen2012",)
    conventions = (
        "比较的是存储的取值：文字区分大小写和空格，不同的缺失码互不相同。",
        "两格都缺失算相同。",
        "留下的行保持原来的先后。",
        "“某变量最大者”：最大值有几行时取最前一行，该变量缺失的行排在最后。",
    )
    deals_with: ClassVar[Deals] = {"repeated": {"keep": "first", "action": "drop"}}
    row_order = True
    pool = True

    class Input(Form):
        keys: list[Column] = role("判重变量", "任意", max=None, hint="全部放入就是比较整行", shared_with="by")
        keep: str = choice("保留", {"first": "第一条", "last": "最后一条", "max": "某变量最大者", "none": "全部删除"})
        by: Column = role("取最大者的变量", "定量", when={"keep": "max"}, shared_with="keys")
        action: str = choice("处理", {"drop": "删除", "flag": "仅标记"})

    result = Table(
        "重复概况", keys=text("判重变量"), rows=integer("行数"), distinct=integer("不同的个案"),
        groups=integer("重复组数"), repeated=integer("重复的行"), removed=integer("多余的行"), kept=integer("留下的行"),
        layout="record",
    )  # fmt: skip
    detail = Table(
        "重复组明细（前 100 组）", number=text("组"), values=text("判重变量的值"), n=integer("行数"),
        lines=text("行号"), stays=text("留下的行号"),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"按{titles(form.keys)}去除重复"

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        marks = [(MARK, "定类"), (GROUP, "定量")] if form["action"] == "flag" else []
        return [ColumnToBe(name=name, measure=measure, source=None) for name, measure in marks]  # type: ignore[arg-type]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        rows = len(form.keys[0])
        groups = groups_of(form.keys, rows)
        repeated = groups.sizes[groups.codes] > 1
        if not repeated.any() and form.again is None:
            text_ = "没有发现重复记录，未生成新版本"
            raise Refusal("data.no_duplicates", text_, field="keys", rows=rows)
        stays = cls._stays(form, groups, rows)
        left = int(stays.sum())
        if form.action == "drop" and not left:
            raise Refusal("data.none_left", "每一行都有重复，全部删除后没有数据，请改选保留第一条", field="keep")
        facts: dict[str, Any] = {
            "keys": titles(form.keys), "rows": rows, "distinct": groups.k, "groups": int((groups.sizes > 1).sum()),
            "repeated": int(repeated.sum()), "removed": rows - left, "kept": left,
        }  # fmt: skip
        report.row(cls.result, **facts)
        cls._detail(report, form, groups, stays)
        if form.action == "drop":
            report.take(np.flatnonzero(stays))
        else:
            numbers = np.cumsum(groups.sizes > 1)
            report.make(MARK, (~stays).astype(float), measure="定类", levels=[(0, "保留"), (1, "多余")])
            report.make(GROUP, np.where(repeated, numbers[groups.codes].astype(float), np.nan), measure="定量")
        end = "已删除，留下 {kept:integer} 行" if form.action == "drop" else f"已在新变量“{MARK}”中标为 1，行数不变"
        done = (
            "{rows:integer} 行中有 {groups:integer} 组重复（{keys}相同），共 {repeated:integer} 行；"
            f"多余的 {{removed:integer}} 行{end}。"
        )
        student = (
            "先看明细表：同一个值重复，也可能是不同的人（例如同名），这时应再放入别的判重变量。"
            "删除只影响新版本，原来的版本不变。"
        )
        tell(report, done, student, [
            figure("重复组", "{groups:integer}", "共 {repeated:integer} 行"),
            figure("多余", "{removed:integer}", "留下 {kept:integer} 行"),
        ], **facts)  # fmt: skip
        return report

    @classmethod
    def _stays(cls, form: Any, groups: Groups, rows: int) -> Any:
        stays = np.zeros(rows, dtype=bool)
        if form.keep == "first":
            stays[groups.first] = True
        elif form.keep == "last":
            last = np.zeros(groups.k, dtype=np.int64)
            last[groups.codes] = np.arange(rows)
            stays[last] = True
        elif form.keep == "none":
            stays = groups.sizes[groups.codes] == 1
        else:
            size = np.where(np.isnan(form.by.numbers), -np.inf, form.by.numbers)
            order = np.lexsort([np.arange(rows), -size, groups.codes])
            stays[order[np.flatnonzero(np.diff(groups.codes[order], prepend=-1))]] = True
        return stays

    @classmethod
    def _detail(cls, report: Report, form: Any, groups: Groups, stays: Any) -> None:
        wanted = np.flatnonzero(groups.sizes > 1)[:LISTED]
        place = np.full(groups.k, -1)
        place[wanted] = np.arange(len(wanted))
        members: list[list[int]] = [[] for _ in wanted]
        for row in np.flatnonzero(place[groups.codes] >= 0).tolist():
            members[place[groups.codes[row]]].append(row)
        for number, rows in enumerate(members, 1):
            report.row(
                cls.detail, number=str(number), values=shown_key(form.keys, rows[0]), n=len(rows), lines=_lines(rows),
                stays=_lines([row for row in rows if stays[row]]) or "无",
            )  # fmt: skip


def _lines(rows: list[int]) -> str:
    more = f" 等 {len(rows)} 行" if len(rows) > ROWS_SHOWN else ""
    return "、".join(str(row + 1) for row in rows[:ROWS_SHOWN]) + more
