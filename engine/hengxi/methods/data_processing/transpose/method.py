"""Rows become columns: each chosen variable is one row of the new table, its name in the first column."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Column, Form, Refusal, Report, Table, figure, integer, role
from hengxi.methods.data_processing._shared.rows import NewTableStep, shown_at, tell

NAME = "变量"


class Transpose(NewTableStep):
    """Numbers stay numbers where all are; otherwise every cell becomes the text it is shown as."""

    title, title_en = "转置", "Transpose"
    family, tier = "数据处理", "standard"
    purpose = "行列互换"
    aliases = ("行列转置", "flip", "transpose")
    references = ("wickham2014",)
    conventions = (
        "新数据的第一列是原来的变量名，行按变量放入的先后。",
        "没有放入的变量不在新数据里；取值标签和缺失码不能跟着行走，缺失码作为缺失。",
        "全部是数值时转置后仍为数值，有一个文本变量就全部转为文本（定类取标签，日期取写法）。",
    )
    row_order = True

    class Input(Form):
        variables: list[Column] = role("转置变量", "任意", max=None)
        name_var: Column | None = role("作为新列名的变量", "任意", min=0, max=1)
        max_columns: int = integer("最大列数", 2000, least=2, most=16000, advanced=True)

    result = Table(
        "转置概况", rows_before=integer("原来的行数"), columns_before=integer("转置的变量数"),
        rows_after=integer("现在的行数"), columns_after=integer("现在的变量数"), layout="record",
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Input) -> str:
        return f"转置 {len(form.variables)} 个变量"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        n = len(form.variables[0])
        if n > form.max_columns:
            text_ = f"转置后将有 {n:,} 列，超过上限 {form.max_columns:,}，请先筛选或汇总"
            raise Refusal("data.too_many_columns", text_, field="max_columns", k=n, most=form.max_columns)
        names = cls._names(form, n)
        as_numbers = all(c.is_number and c.measure == "定量" for c in form.variables)
        rows = len(form.variables)
        report.reshape(rows)
        report.only([])
        heads = np.array([column.name for column in form.variables], dtype=object)
        report.make(NAME, heads, measure="文本", label="原来的变量名")
        listed = [(NAME, heads)]
        if as_numbers:
            grid = np.column_stack([column.numbers for column in form.variables])
        else:
            grid = np.empty((n, rows), dtype=object)
            for j, column in enumerate(form.variables):
                gone = column.missing
                grid[:, j] = [None if gone[i] else shown_at(column, i) for i in range(n)]
        for i, name in enumerate(names):
            report.make(name, grid[i], measure="定量" if as_numbers else "文本")
            listed.append((name, grid[i]))
        cls.list_columns(report, listed)
        facts: dict[str, Any] = {"rows_before": n, "columns_before": rows, "rows_after": rows, "columns_after": n + 1}
        report.row(cls.result, **facts)
        if not as_numbers and any(c.is_number and c.measure == "定量" for c in form.variables):
            report.warn("data.mixed", "所选变量类型不同，转置后统一为文本。", columns=form.variables)
        done = (
            "{rows_before:integer} 行、{columns_before:integer} 个变量转置成 {rows_after:integer} 行、"
            "{columns_after:integer} 个变量。"
        )
        student = "转置后一行是原来的一个变量，一列是原来的一行；多数统计方法要求一行是一个个体，分析前先确认方向。"
        tell(report, done, student, [figure("行数", "{rows_after:integer}", "原来 {rows_before:integer} 行")], **facts)
        return report

    @classmethod
    def _names(cls, form: Input, n: int) -> list[str]:
        if form.name_var is None:
            return [f"行{i + 1}" for i in range(n)]
        column = form.name_var
        if column.missing.any():
            row = int(np.flatnonzero(column.missing)[0]) + 1
            text_ = f"变量“{column.title}”第 {row} 行缺失，不能作为列名，请补上或换一个变量"
            raise Refusal("data.no_name", text_, field="name_var", column=column.id, row=row)
        names = [shown_at(column, i) for i in range(n)]
        seen: set[str] = set()
        for i, name in enumerate(names):
            if name in seen or name == NAME:
                text_ = f"变量“{column.title}”有重复值“{name}”，不能作为列名，请换一个变量或先汇总"
                raise Refusal("data.name_taken", text_, field="name_var", column=column.id, row=i + 1)
            seen.add(name)
        return names
