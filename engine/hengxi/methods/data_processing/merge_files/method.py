"""Columns of another table beside those of this one, row by row by their keys; counted before anything is applied."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    CellPart,
    Column,
    Form,
    Match,
    OtherTable,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    dataset,
    figure,
    integer,
    matched,
    slot,
    text,
    words,
)
from hengxi.methods.data_processing._shared.joining import Keys, keys_of, matches, met_of
from hengxi.methods.data_processing._shared.rows import LISTED, NewTableStep, Rows, account_of, bounded, shown_key, tell

SOURCE = "_merge"
SAMPLES = 20
ORIGIN = [(1, "两表匹配"), (2, "仅本表"), (3, "仅另表")]


class MergeFiles(NewTableStep):
    """Keys of both tables get one numbering; the join is two lists of rows, cells are moved as they lie."""

    title, title_en = "横向合并文件", "Merge (join) files"
    family, tier = "数据处理", "standard"
    purpose = "按关键字把两张表的列拼在一起"
    aliases = ("合并", "连接", "匹配文件", "join", "merge", "VLOOKUP", "MATCH FILES")
    references = ("codd1970",)
    conventions = (
        "关键字缺失的行与任何行都不匹配。",
        "行按本表现有的先后；同一关键字在另表有几行时按另表的先后；另表独有的行在最后（右连接按另表的先后）。",
        "匹配的是存储的取值：文字区分大小写和空格；整数与小数按大小相等；两表的缺失码各按自己的设定。",
        "另表的关键字列不重复加入；其余同名的列加后缀。取值标签和缺失码随列带来。",
    )
    row_order = True

    class Input(Form):
        right: OtherTable = dataset("另一份数据")
        how: str = choice(
            "方式",
            {"left": "左连接（保留本表全部行）", "inner": "内连接（只留两表都有的）", "outer": "全连接（两表的行都留）",
             "right": "右连接（保留另表全部行）", "anti": "本表独有的行", "cross_row": "按行号并排"},
        )  # fmt: skip
        keys: list[Match] = matched(
            "关键字", max=5, left=slot("本表关键字"), right=slot("另表关键字", table="right"),
            when={"how": ("left", "inner", "outer", "right", "anti")},
        )  # fmt: skip
        validate: str = choice(
            "关系检查",
            {"auto": "不限（只提示）", "one_to_one": "1 对 1", "many_to_one": "多对 1", "one_to_many": "1 对多"},
            when={"how": ("left", "inner", "outer", "right")},
        )
        suffix: str = words("重名列后缀", "_2", kind="text", longest=20)

    result = Table(
        "合并结果", left=integer("本表行数"), right=integer("另表行数"), matched=integer("匹配的本表行"),
        left_only=integer("仅本表"), right_only=integer("仅另表"), left_repeated=integer("本表重复的关键字"),
        right_repeated=integer("另表重复的关键字"), rows=integer("合并后行数"), added=integer("新增列数"),
        layout="record",
    )  # fmt: skip
    samples = Table(
        "未匹配的关键字（前 20 个）", side=text("哪一表"), row=integer("行号"), key=text("关键字"), place="detail"
    )

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"与“{form.right.name}”合并"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        n, other = form.whole.rows, form.right
        if form.how == "cross_row":
            longest = np.arange(max(n, other.rows))
            left, right = np.where(longest < n, longest, -1), np.where(longest < other.rows, longest, -1)
            facts: dict[str, Any] = {"matched": min(n, other.rows), "left_only": max(n - other.rows, 0),
                     "right_only": max(other.rows - n, 0), "left_repeated": 0, "right_repeated": 0}  # fmt: skip
            own, theirs = list[Column](), list[Column]()
        else:
            own, theirs = [pair.left for pair in form.keys], [pair.right for pair in form.keys]
            keys = keys_of([(pair.left, pair.right) for pair in form.keys])
            facts = cls._counts(keys)
            cls._judge(form, keys, own, theirs, facts)
            left, right = matches(keys, "left" if form.how == "anti" else form.how)
            cls._samples(report, keys, own, theirs)
        if form.how == "anti":
            left, right = left[right < 0], right[right < 0]
        if not len(left):
            raise Refusal("data.none_left", "没有符合所选方式的行，合并后是空表，请换一种方式", field="how")
        added = cls._write(report, form, own, theirs, left, right)
        facts |= {"left": n, "right": other.rows, "rows": len(left), "added": added}
        report.row(cls.result, **facts)
        if form.how == "cross_row":
            report.skip(cls.samples, "按行号并排时没有关键字")
        elif not report.rows_of(cls.samples):
            report.skip(cls.samples, "两表的关键字全部匹配")
        cls._say(report, form, facts)
        return report

    @classmethod
    def _counts(cls, keys: Keys) -> dict[str, Any]:
        met = np.zeros(len(keys.left), dtype=bool)
        met[keys.left >= 0] = keys.right_sizes[keys.left[keys.left >= 0]] > 0
        theirs = met_of(keys)
        return {"matched": int(met.sum()), "left_only": int((~met).sum()), "right_only": int((~theirs).sum()),
                "left_repeated": int((keys.left_sizes > 1).sum()),
                "right_repeated": int((keys.right_sizes > 1).sum())}  # fmt: skip

    @classmethod
    def _judge(cls, form: Any, keys: Keys, own: list[Column], theirs: list[Column], facts: dict[str, Any]) -> None:
        if not facts["matched"] and form.how != "anti":
            first, second = shown_key(own, 0), shown_key(theirs, 0)
            text_ = f"两表没有一个相同的关键字（本表如“{first}”，另表如“{second}”），请检查关键字是否选对、写法是否一致"
            raise Refusal("data.no_match", text_, field="keys")
        for side, sizes, codes, columns, forbidden in (
            ("本表", keys.left_sizes, keys.left, own, ("one_to_one", "one_to_many")),
            ("另表", keys.right_sizes, keys.right, theirs, ("one_to_one", "many_to_one")),
        ):
            if form.validate in forbidden and len(sizes) and sizes.max() > 1:
                row = int(np.flatnonzero(codes == int(sizes.argmax()))[0])
                text_ = f"关键字“{shown_key(columns, row)}”在{side}出现 {int(sizes.max())} 次，不符合所选的关系"
                remedy = SetRemedy(title="不限制关系", set={"validate": "auto"})
                raise Refusal("data.relation", text_, field="validate", remedies=[remedy])
        bounded(keys.pairs + facts["left_only"] + facts["right_only"])

    @classmethod
    def _samples(cls, report: Report, keys: Keys, own: list[Column], theirs: list[Column]) -> None:
        ours = np.flatnonzero(~_has(keys.left, keys.right_sizes))[:SAMPLES]
        others = np.flatnonzero(~_has(keys.right, keys.left_sizes))[:SAMPLES]
        for side, rows, columns in (("仅本表", ours, own), ("仅另表", others, theirs)):
            for row in rows.tolist():
                report.row(cls.samples, side=side, row=row + 1, key=shown_key(columns, row))

    @classmethod
    def _write(cls, report: Report, form: Any, own: list[Column], theirs: list[Column], left: Rows, right: Rows) -> int:
        """The columns of the new version; how many come to it."""
        n = form.whole.rows
        same = len(left) == n and bool((left == np.arange(n)).all())
        if same:
            report.take(left)
        else:
            report.reshape(left)
        if form.how == "anti":
            for column in own:
                report.row(cls.columns, **account_of(column.name, [(column, left)]))
            return 0
        if (left < 0).any():
            for mine, their in zip(own, theirs, strict=True):
                parts = [CellPart(column=mine), CellPart(column=their)]
                report.relay(mine, parts, np.where(left >= 0, left, n + right))
        names = {column.name for column in form.whole.columns}
        keys = {column.id for column in theirs}
        added = [column for column in form.right.columns if column.id not in keys]
        for column in added:
            name = f"{column.name}{form.suffix}" if column.name in names else column.name
            report.lay(name, [CellPart(column=column, index=right)], column, None, column.label)
            if added.index(column) < LISTED:
                report.row(cls.columns, **account_of(name, [(column, right)]))
        if form.how == "inner":
            return len(added)
        source = np.where(left < 0, 3.0, np.where(right < 0, 2.0, 1.0))
        report.make(SOURCE, source, measure="定类", label="来源", levels=ORIGIN)
        report.row(cls.columns, variable=SOURCE, n=len(source), missing=0, mean=None)
        return len(added) + 1

    @classmethod
    def _say(cls, report: Report, form: Any, facts: dict[str, Any]) -> None:
        facts = {**facts, "name": form.right.name}
        if form.how == "cross_row":
            done = "按行号与“{name}”并排，合并后 {rows:integer} 行，新增 {added:integer} 列。"
            student = "按行号并排要求两表的行一一对应、先后相同；有编号时请用编号作关键字匹配。"
            if facts["left_only"] + facts["right_only"]:
                text_ = "两表行数不同（本表 {left:integer} 行，另表 {right:integer} 行），多出的行留空。"
                report.warn("data.rows_differ", text_, left=facts["left"], right=facts["right"])
        elif form.how == "anti":
            done = "本表 {left:integer} 行中有 {left_only:integer} 行在“{name}”中没有匹配，已留下这 {rows:integer} 行。"
            student = "这些行可用来核对漏录的个案；先看关键字的写法是否一致，再判断是否真的没有。"
        else:
            done = (
                "本表 {left:integer} 行中有 {matched:integer} 行在“{name}”中找到匹配，合并后 {rows:integer} 行，"
                "新增 {added:integer} 列。"
            )
            student = (
                "未匹配：仅本表 {left_only:integer} 行，仅另表 {right_only:integer} 行。"
                "先看未匹配的关键字是不是写法不同（空格、大小写、前面的 0）。"
            )
            if facts["left_repeated"] and facts["right_repeated"]:
                text_ = (
                    "两表都有重复的关键字（本表 {left_repeated:integer} 个，另表 {right_repeated:integer} 个），"
                    "重复的行两两组合，行数会变多，请确认关键字是否够用。"
                )
                report.warn("data.many_to_many", text_, columns=[pair.left for pair in form.keys],
                            left_repeated=facts["left_repeated"], right_repeated=facts["right_repeated"])  # fmt: skip
            elif facts["right_repeated"]:
                text_ = "另表有 {right_repeated:integer} 个关键字不止一行，本表的行会因此重复。"
                report.warn("data.repeated_rows", text_, right_repeated=facts["right_repeated"])
        tell(report, done, student, [
            figure("匹配", "{matched:integer}", "本表 {left:integer} 行"),
            figure("合并后", "{rows:integer}", "新增 {added:integer} 列"),
        ], **facts)  # fmt: skip


def _has(codes: Rows, sizes: Rows) -> Any:
    found = np.zeros(len(codes), dtype=bool)
    found[codes >= 0] = sizes[codes[codes >= 0]] > 0
    return found
