"""Rows of other tables below those of this one; columns meet by name or by place."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    CellPart,
    Column,
    Form,
    OtherTable,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    dataset,
    figure,
    integer,
    text,
    words,
)
from hengxi.methods.data_processing._shared.joining import kind_of
from hengxi.methods.data_processing._shared.rows import LISTED, NewTableStep, account_of, bounded, tell

MOST_FILES = 20
Line = list[Column | None]


class AppendFiles(NewTableStep):
    """For each column of the result a line: the column that answers it in each table, or none."""

    title, title_en = "纵向追加文件", "Append (union) files"
    family, tier = "数据处理", "standard"
    purpose = "把多张结构相近的表上下拼接"
    aliases = ("追加", "上下合并", "拼接", "concat", "union", "ADD FILES")
    references = ("codd1970",)
    conventions = (
        "行按文件的先后，本表在最前；每个文件内的先后不变。",
        "按列名对应时，列名要完全相同；列的先后以本表为准，别的文件多出的列排在后面。",
        "数值与数值、日期与日期可以拼接；取值标签和缺失码以先出现的文件为准。",
    )
    row_order = True
    reads_names = True

    class Input(Form):
        files: list[OtherTable] = dataset("追加的数据", many=True, max=MOST_FILES)
        match: str = choice("列对应", {"name": "按列名", "position": "按位置"})
        unmatched: str = choice(
            "不同列", {"union": "都保留，没有的留空", "intersect": "只留共有的列", "error": "有不同就停下"},
            when={"match": "name"},
        )  # fmt: skip
        conflict: str = choice("同名列类型不同时", {"error": "停下，先统一类型", "text": "转为文本"})
        source_column: str = words("来源标识列", "来源", kind="name")

    result = Table(
        "追加结果", file=text("文件"), n=integer("行数"), lacking=text("缺少的列"), extra=text("多出的列"),
        conflicts=text("类型不同的列"),
    )  # fmt: skip
    total = Table(
        "合计",
        files=integer("文件数"),
        rows=integer("追加后行数"),
        columns_after=integer("追加后列数"),
        layout="record",
    )

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"追加 {len(form.files)} 份数据"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        own = form.whole
        tables = [own, *form.files]
        lines = cls._by_position(tables) if form.match == "position" else cls._by_name(form, tables)
        clashes = [line for line in lines if len({kind_of(one) for one in line if one is not None}) > 1]
        cls._judge(form, clashes, tables)
        rows = [table.rows for table in tables]
        bounded(sum(rows))
        report.reshape(np.append(np.arange(own.rows), np.full(sum(rows[1:]), -1)))
        kept = [line[0] for line in lines if line[0] is not None]
        report.only(kept)
        for at, line in enumerate(lines):
            account = cls._lay(report, line, rows, line in clashes)
            if at < LISTED:
                report.row(cls.columns, **account)
        names = ["本表", *(table.name for table in form.files)]
        labels = [f"{name}（{i}）" if names.count(name) > 1 else name for i, name in enumerate(names)]
        report.make(form.source_column, np.repeat(np.array(labels, dtype=object), rows), measure="定类",
                    levels=[(label, label) for label in labels])  # fmt: skip
        report.row(cls.columns, variable=form.source_column, n=sum(rows), missing=0, mean=None)
        for i, table in enumerate(tables):
            cls._row(report, labels[i], table, i, lines, clashes, form)
        facts: dict[str, Any] = {
            "files": len(form.files),
            "rows": sum(rows),
            "columns_after": len(lines) + 1,
            "first": own.rows,
        }
        report.row(cls.total, **{key: facts[key] for key in ("files", "rows", "columns_after")})
        if clashes:
            title = _first(clashes[0]).title
            text_ = "“{v}”等 {k:integer} 列在各表中类型不同，已转为文本；取值标签和缺失码不再保留。"
            report.warn("data.kinds", text_, v=title, k=len(clashes))
        done = "追加 {files:integer} 份数据，现有 {rows:integer} 行、{columns_after:integer} 列。"
        student = (
            f"“{form.source_column}”标出每一行来自哪份数据。先看结果表里缺少和多出的列：多半是列名写法不同，"
            "改名后再追加，否则同一个量会分在两列里。"
        )
        tell(report, done, student, [figure("行数", "{rows:integer}", "本表 {first:integer} 行")], **facts)
        return report

    @classmethod
    def _by_position(cls, tables: list[OtherTable]) -> list[Line]:
        counts = [len(table.columns) for table in tables]
        other = next((i for i, count in enumerate(counts) if count != counts[0]), None)
        if other is not None:
            text_ = f"两表列数不同（本表 {counts[0]} 列，“{tables[other].name}”{counts[other]} 列），不能按位置追加"
            raise Refusal("data.columns", text_, field="match",
                          remedies=[SetRemedy(title="按列名追加", set={"match": "name"})])  # fmt: skip
        return [list(line) for line in zip(*(table.columns for table in tables), strict=True)]

    @classmethod
    def _by_name(cls, form: Any, tables: list[OtherTable]) -> list[Line]:
        known = [{column.name: column for column in table.columns} for table in tables]
        names = list(dict.fromkeys(name for table in known for name in table))
        lines = [[table.get(name) for table in known] for name in names]
        shared = [line for line in lines if all(line)]
        if form.unmatched == "error" and len(shared) < len(lines):
            alone = next(name for name, line in zip(names, lines, strict=True) if not all(line))
            text_ = f"列“{alone}”不是每份数据都有（共 {len(lines) - len(shared)} 列不同），请先改名或选择都保留"
            raise Refusal("data.columns", text_, field="unmatched",
                          remedies=[SetRemedy(title="都保留", set={"unmatched": "union"})])  # fmt: skip
        if form.unmatched == "intersect":
            lines = shared
        if not shared:
            raise Refusal("data.columns", "各份数据没有一列同名，请检查列名，或按位置追加", field="match")
        return lines

    @classmethod
    def _judge(cls, form: Any, clashes: list[Line], tables: list[OtherTable]) -> None:
        if not clashes or form.conflict == "text":
            return
        kinds = [(table.name or "本表", column) for table, column in zip(tables, clashes[0], strict=True) if column]
        first = kinds[0]
        other = next(one for one in kinds if kind_of(one[1]) != kind_of(first[1]))
        text_ = (
            f"列“{first[1].title}”在{_named(first[0])}中是{kind_of(first[1])}，在{_named(other[0])}中是{kind_of(other[1])}，"
            f"类型不同（共 {len(clashes)} 列），请先统一类型"
        )
        remedy = SetRemedy(title="转为文本", set={"conflict": "text"})
        raise Refusal("data.kinds", text_, field="conflict", column=first[1].id, remedies=[remedy])

    @classmethod
    def _lay(cls, report: Report, line: Line, rows: list[int], is_clash: bool) -> dict[str, Any]:
        first = _first(line)
        if is_clash:
            cells = np.concatenate(
                [np.full(n, None, dtype=object) if c is None else c.text for c, n in zip(line, rows, strict=True)]
            )
            if line[0] is not None:
                report.replace(line[0], cells, stored="text", measure="文本")
            else:
                report.make(first.name, cells, stored="text", measure="文本", label=first.label)
            gone = sum(cell is None for cell in cells.tolist())
            return {"variable": first.name, "n": len(cells) - gone, "missing": gone, "mean": None}
        parts = [CellPart(column=c, rows=n) for c, n in zip(line, rows, strict=True)]
        if line[0] is not None:
            report.relay(line[0], parts)
        else:
            report.lay(first.name, parts, first, None, first.label)
        return account_of(first.name, [(c, np.arange(n)) for c, n in zip(line, rows, strict=True)])

    @classmethod
    def _row(
        cls, report: Report, name: str, table: OtherTable, i: int, lines: list[Line], clashes: list[Line], form: Any
    ) -> None:
        laid = {line[i].id for line in lines if line[i] is not None}  # type: ignore[union-attr]
        extra = [line[i].name for line in lines if line[i] is not None and not all(line)]  # type: ignore[union-attr]
        extra += [column.name for column in table.columns if column.id not in laid]
        lacking = [_first(line).name for line in lines if line[i] is None]
        report.row(
            cls.result, file=name, n=table.rows, lacking=_list(lacking),
            extra=_list(extra), conflicts=_list([_first(line).name for line in clashes]),
        )  # fmt: skip


def _first(line: Line) -> Column:
    return next(column for column in line if column is not None)


def _named(name: str) -> str:
    return name if name == "本表" else f"“{name}”"


def _list(names: list[str]) -> str:
    return "、".join(names[:5]) + (f" 等 {len(names)} 列" if len(names) > 5 else "") if names else "无"
