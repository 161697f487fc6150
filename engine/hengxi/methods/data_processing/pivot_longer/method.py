"""Several columns become rows: one row for each of them, their names in a column of their own."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    CellPart,
    Column,
    Form,
    Refusal,
    Report,
    StepRemedy,
    Table,
    choice,
    figure,
    flag,
    integer,
    role,
    words,
)
from hengxi.methods.data_processing._shared.rows import NewTableStep, account_of, bounded, tell


class PivotLonger(NewTableStep):
    """Rows of one case stay together, in the order of the boxes."""

    title, title_en = "宽表转长表", "Pivot longer (melt)"
    family, tier = "数据处理", "standard"
    purpose = "把多列堆叠成变量和取值两列"
    aliases = ("宽转长", "堆叠", "逆透视", "melt", "VARSTOCASES")
    references = ("wickham2014",)
    conventions = (
        "原来的一行变成连续的几行，按变量放入的先后。",
        "没有放进任何一个框的变量不在新数据里。",
        "取值列沿用第一个堆叠变量的取值标签和缺失码。",
    )
    row_order = True
    reads_names = True

    class Input(Form):
        variables: list[Column] = role("堆叠变量", "任意", min=2, max=None)
        id: list[Column] = role("保留的标识变量", "任意", min=0, max=None)
        layout: str = choice(
            "变量名的用法",
            {"single": "整个变量名放进一列", "parts": "按分隔符拆成两列", "value": "分隔符前的部分作为新变量"},
            hint="血压_1月、血压_3月 可以拆成“血压”和“1月”",
        )
        sep: str = words("分隔符", "_", kind="delimiter", when={"layout": ("parts", "value")})
        names_to: str = words("变量名列", "变量", kind="name")
        level_to: str = words("分隔符后的列", "时点", kind="name", when={"layout": ("parts", "value")})
        values_to: str = words("取值列", "取值", kind="name", when={"layout": ("single", "parts")})
        drop_missing: bool = flag("剔除缺失", False)

    result = Table(
        "堆叠概况", rows_before=integer("原来的行数"), columns_before=integer("堆叠的变量数"),
        rows_after=integer("现在的行数"), dropped=integer("剔除的缺失"), layout="record",
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = [column.name for column in form.variables]
        split = cls._split(form, names)
        heads = list(dict.fromkeys(one[0] for one in split)) if form.layout == "value" else [form.values_to]
        turns = list(dict.fromkeys(one[1] for one in split)) if form.layout == "value" else names
        taken = [c.name for c in form.id]
        texts = {"single": [form.names_to], "parts": [form.names_to, form.level_to], "value": [form.level_to]}
        made = [*texts[form.layout], *heads]
        again = next((name for i, name in enumerate(made) if name in taken or name in made[:i]), None)
        if again is not None:
            raise Refusal("data.name_taken", f"列名“{again}”已被使用，请换一个名称", field="names_to")
        n, k = len(form.variables[0]), len(turns)
        bounded(n * k)
        grid = cls._grid(form, split, heads, turns)
        for column_list in grid:
            one_kind([c for c in column_list if c is not None])
        gone = np.array([[np.ones(n, bool) if c is None else c.missing for c in line] for line in grid]).all(axis=0)
        stays = ~gone.T.ravel() if form.drop_missing else np.ones(n * k, bool)
        if not stays.any():
            raise Refusal("data.none_left", "堆叠变量全部缺失，剔除后没有数据", field="drop_missing")
        index = np.repeat(np.arange(n), k)[stays]
        place = np.tile(np.arange(k), n)[stays]
        report.reshape(index)
        then = np.arange(n * k).reshape(k, n).T.ravel()[stays]
        listed: list[tuple[str, Any]] = [(c.name, account_of(c.name, [(c, index)])) for c in form.id]
        for name, words_ in cls._words(form, split, turns, names).items():
            cells = np.array(words_, dtype=object)[place]
            levels = [(word, word) for word in dict.fromkeys(words_)]
            report.make(name, cells, measure="定类", levels=levels)
            listed.append((name, cells))
        for name, line in zip(heads, grid, strict=True):
            like = next(c for c in line if c is not None)
            report.lay(name, [CellPart(column=c, rows=n) for c in line], like, then, None)
            listed.append((name, account_of(name, [(c, index[place == at]) for at, c in enumerate(line)])))
        report.only(form.id)
        cls.list_columns(report, listed)
        facts: dict[str, Any] = {
            "rows_before": n,
            "columns_before": len(names),
            "rows_after": len(index),
            "dropped": int(n * k - len(index)),
        }
        report.row(cls.result, **facts)
        done = "{columns_before:integer} 个变量堆叠起来，{rows_before:integer} 行变成 {rows_after:integer} 行" + (
            "（剔除缺失 {dropped:integer} 行）。" if facts["dropped"] else "。"
        )
        student = (
            "每一行现在是一次测量，同一个体有几行。分析时要放入标识变量，把同一个体的行连在一起；"
            "直接当作互不相关的行来检验，结果会偏。"
        )
        if not form.id:
            report.warn("data.no_id", "没有放入标识变量，新数据看不出哪几行属于同一个体。")
        tell(report, done, student, [figure("行数", "{rows_after:integer}", "原来 {rows_before:integer} 行")], **facts)
        return report

    @classmethod
    def _split(cls, form: Any, names: list[str]) -> list[tuple[str, str]]:
        if form.layout == "single":
            return [(name, "") for name in names]
        pairs = [name.partition(form.sep) for name in names]
        wrong = next((pair[0] for pair in pairs if not pair[0] or not pair[2]), None)
        if wrong is not None:
            text_ = f"变量名“{wrong}”不能按“{form.sep}”拆成两部分，请改变量名、换分隔符，或不拆分"
            raise Refusal("data.no_separator", text_, field="sep")
        return [(head, tail) for head, _, tail in pairs]

    @classmethod
    def _grid(cls, form: Any, split: Any, heads: list[str], turns: list[str]) -> list[list[Column | None]]:
        """For each new column the columns that make it, in the order of its turns."""
        if form.layout != "value":
            return [list(form.variables)]
        at = dict(zip(split, form.variables, strict=True))
        if len(at) < len(form.variables):
            raise Refusal("data.name_taken", "有两个变量名拆开后完全相同，请先改名", field="variables")
        return [[at.get((head, turn)) for turn in turns] for head in heads]

    @classmethod
    def _words(cls, form: Any, split: Any, turns: list[str], names: list[str]) -> dict[str, list[str]]:
        if form.layout == "single":
            return {form.names_to: names}
        if form.layout == "value":
            return {form.level_to: turns}
        return {form.names_to: [one[0] for one in split], form.level_to: [one[1] for one in split]}


def kind_of(column: Column) -> str:
    return "日期" if column.info.storage in ("date", "datetime") else "文本" if not column.is_number else "数值"


def one_kind(columns: list[Column]) -> None:
    first = columns[0]
    for other in columns[1:]:
        if kind_of(other) != kind_of(first):
            text_ = f"“{first.title}”是{kind_of(first)}，“{other.title}”是{kind_of(other)}，类型不同，请先统一类型"
            remedy = StepRemedy(title="改变类型", step="measure", columns=[first.id, other.id])
            raise Refusal("data.kinds", text_, field="variables", column=other.id, remedies=[remedy])
