"""Rows of one case become one row: a column for each value of the variable that is spread out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from hengxi.contract import (
    CellPart,
    Column,
    Form,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    figure,
    integer,
    number,
    role,
    words,
)
from hengxi.methods.data_processing._shared.rows import (
    NewTableStep,
    Rows,
    groups_of,
    shown_key,
    tell,
    titles,
    values_at,
)

MOST = 2_000
AGGREGATE = {"mean": "均值", "sum": "求和", "first": "首值", "last": "末值", "count": "计数"}


class PivotWider(NewTableStep):
    """A group of rows by its keys, a place in it by the value spread out; cells are moved as they lie in the file."""

    title, title_en = "长表转宽表", "Pivot wider"
    family, tier = "数据处理", "standard"
    purpose = "把长格式按类别展开成多列"
    aliases = ("长转宽", "展开", "透视", "pivot", "CASESTOVARS")
    references = ("wickham2014",)
    conventions = (
        "新的行按行标识第一次出现的先后，新的列按展开变量取值的顺序。",
        "一个取值变量时新变量以展开变量的取值命名；几个时前面加上取值变量的名称。",
        "没有放进任何一个框的变量不在新数据里；展开变量缺失的行放不进任何一列。",
        "均值、求和不计缺失；一组全部缺失时结果缺失。",
    )
    row_order = True

    class Input(Form):
        id: list[Column] = role("行标识", "任意", max=10, hint="每个不同的取值成为新数据的一行")
        names_from: list[Column] = role("展开变量", "任意", max=2, hint="每个取值成为一个新变量，如时点")
        values_from: list[Column] = role("取值变量", "任意", max=20)
        aggfunc: str = choice("重复时汇总", {"error": "不汇总（有重复时提示）", **AGGREGATE})
        fill: float | None = number("空单元填充", None, auto="留空", hint="只用于数值变量")
        sep: str = words("列名连接符", "_", kind="delimiter")

    result = Table(
        "展开概况", rows_before=integer("原来的行数"), rows_after=integer("现在的行数"), made=integer("新变量数"),
        empty=integer("空单元数"), repeated=integer("重复键数"), unnamed=integer("展开变量缺失的行"), layout="record",
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"按{titles(form.names_from)}展开{titles(form.values_from)}"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        rows = len(form.id[0])
        place, names = cls._places(form)
        made = len(names) * len(form.values_from)
        if made > MOST:
            text_ = f"将产生 {made:,} 列，超过上限 {MOST:,} 列，请换一个类别较少的展开变量"
            raise Refusal("data.too_many_columns", text_, field="names_from", k=made, most=MOST)
        named = place >= 0
        if not named.any():
            raise Refusal("data.none_left", "展开变量全部缺失，没有可以展开的行", field="names_from")
        groups = groups_of(form.id, rows)
        k = len(names)
        cell = groups.codes * k + place
        counts = np.bincount(cell[named], minlength=groups.k * k)
        repeated = int((counts > 1).sum())
        if repeated and form.aggfunc == "error":
            cls._refuse_repeats(form, cell, named, counts)
        report.reshape(groups.first)
        report.only(form.id)
        listed: list[tuple[str, Any]] = [(c.name, values_at(c, groups.first)) for c in form.id]
        empty = 0
        for column in form.values_from:
            for j, name in enumerate(names):
                full = name if len(form.values_from) == 1 else f"{column.name}{form.sep}{name}"
                cells = cls._make(report, form, column, full, cell, named, groups.k, k, j)
                empty += int((counts.reshape(groups.k, k)[:, j] == 0).sum())
                listed.append((full, cells))
        cls.list_columns(report, listed)
        facts: dict[str, Any] = {
            "rows_before": rows,
            "rows_after": groups.k,
            "made": k * len(form.values_from),
            "empty": empty,
            "repeated": repeated,
            "unnamed": int((~named).sum()),
        }
        report.row(cls.result, **facts)
        if facts["unnamed"]:
            text_ = "展开变量有 {unnamed:integer} 行缺失，这些行的取值放不进任何一列，已略去。"
            report.warn("data.unnamed", text_, columns=form.names_from, unnamed=facts["unnamed"])
        done = "{rows_before:integer} 行展开成 {rows_after:integer} 行，新增 {made:integer} 个变量。"
        rest = ""
        if empty:
            filled = "留空" if form.fill is None else "按设置填充"
            rest = f"其中 {{empty:integer}} 个单元没有对应的行，{filled}。"
        if repeated:
            rest += f"{{repeated:integer}} 个单元有几行数据，已取{AGGREGATE[form.aggfunc]}。"
        student = "一个个体现在只占一行，可以做配对比较或重复测量分析。" + rest
        figures = [figure("行数", "{rows_after:integer}", "原来 {rows_before:integer} 行"),
                   figure("新变量", "{made:integer}")]  # fmt: skip
        tell(report, done, student, figures, **facts)
        return report

    @classmethod
    def _places(cls, form: Any) -> tuple[Rows, list[str]]:
        """Which new column a row belongs to, −1 where its name is missing; the names that occur, in their order."""
        codes = [np.asarray(column.codes, dtype=np.int64) for column in form.names_from]
        width = [int(code.max(initial=-1)) + 1 for code in codes]
        place = codes[0] if len(codes) == 1 else codes[0] * max(width[1], 1) + codes[1]
        place = np.where(np.logical_and.reduce([code >= 0 for code in codes]), place, -1)
        found, inverse = np.unique(place[place >= 0], return_inverse=True)
        at = np.full(len(place), -1, dtype=np.int64)
        at[place >= 0] = inverse
        labels = [{level.code: str(level.label) for level in column.all_levels} for column in form.names_from]
        if len(codes) == 1:
            return at, [labels[0][int(code)] for code in found]
        return at, [f"{labels[0][int(c) // width[1]]}{form.sep}{labels[1][int(c) % width[1]]}" for c in found]

    @classmethod
    def _refuse_repeats(cls, form: Any, cell: Rows, named: Any, counts: Rows) -> None:
        worst = int(np.flatnonzero(counts > 1)[0])
        row = int(np.flatnonzero(named & (cell == worst))[0])
        keys, name = shown_key(form.id, row), shown_key(form.names_from, row)
        text_ = (
            f"行标识“{keys}”在“{name}”上有 {int(counts[worst])} 条记录（共 {int((counts > 1).sum())} 处），"
            "请选择重复时怎样汇总，或先去除重复"
        )
        ways = [SetRemedy(title="取均值", set={"aggfunc": "mean"}), SetRemedy(title="取首值", set={"aggfunc": "first"})]
        raise Refusal("data.repeated_key", text_, field="aggfunc", row=row + 1, remedies=ways)

    @classmethod
    def _make(
        cls, report: Report, form: Any, column: Column, name: str, cell: Rows, named: Any, groups: int, k: int, j: int
    ) -> Any:
        """One new column; the values it holds."""
        mine = np.flatnonzero(named & (cell % k == j))
        group = cell[mine] // k
        if form.aggfunc in ("mean", "sum", "count"):
            if form.aggfunc != "count" and not (column.is_number and column.measure != "时间"):
                text_ = f"“{column.title}”不是数值，不能取{AGGREGATE[form.aggfunc]}，请改用首值、末值或计数"
                raise Refusal("data.no_number", text_, field="values_from", column=column.id)
            if form.aggfunc == "count":
                known = ~column.missing[mine]
                values = np.bincount(group[known], minlength=groups).astype(float)
                values[np.bincount(group, minlength=groups) == 0] = np.nan
            else:
                frame = pd.Series(column.numbers[mine]).groupby(group)
                found = frame.mean() if form.aggfunc == "mean" else frame.sum(min_count=1)
                values = np.full(groups, np.nan)
                values[found.index.to_numpy()] = found.to_numpy()
        else:
            index = np.full(groups, -1, dtype=np.int64)
            turn = mine if form.aggfunc == "last" else mine[::-1]
            index[cell[turn] // k] = turn
            if form.fill is None or not column.is_number or column.measure == "时间":
                report.lay(name, [CellPart(column=column, index=index)], column, None, None)
                return values_at(column, index)
            values = np.append(column.numbers, np.nan)[index]
            values[index < 0] = form.fill
            report.make(name, values, measure=column.measure)
            return values
        if form.fill is not None:
            values[np.bincount(group, minlength=groups) == 0] = form.fill
        report.make(name, values, measure="定量")
        return values
