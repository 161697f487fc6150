"""A new variable from a formula. Missing stays missing; what is undefined (x/0, log of −1) is missing and counted."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    ColumnToBe,
    Expression,
    Form,
    Processing,
    Refusal,
    Report,
    Table,
    choice,
    figure,
    formula,
    integer,
    num,
    text,
    words,
)
from hengxi.contract.columns import Floats
from hengxi.contract.derived import Stored
from hengxi.stats.moments import moments

SHOWN = 20
Cells = npt.NDArray[Any]


class ComputeVariable(Processing):
    """The values, how many rows have one, and why the others have none."""

    title, title_en = "生成变量（计算）", "Compute variable"
    family, tier = "数据处理", "standard"
    purpose = "用公式由已有变量算出新变量"
    aliases = ("计算变量", "compute", "新变量", "求和", "求均值", "公式")
    references = ("wickham2014", "wilson2017")
    conventions = (
        "公式里用到的值缺失，结果就缺失；MEAN、SUM、SD 等行统计只用有值的变量，MEAN.3(…) 要求至少 3 个有值。",
        "除以 0、负数开平方、非正数取对数等没有定义的结果记为缺失，个数在描述表中给出。",
        "标准差除以 n − 1；乘方 ^ 从右往左算，并先于负号；角度用弧度；LAG、累计按数据现有的次序。",
    )
    row_order = True
    pool = True

    class Input(Form):
        name: str = words("新变量名", "新变量", kind="name", fresh=True)
        expression: Expression = formula("计算公式", kind="expression", own="name")
        condition: Expression | None = formula("条件（满足才计算）", kind="condition", own="name")
        label: str | None = words("变量标签", longest=200)
        type: str = choice(
            "结果类型", {"auto": "自动", "number": "数值", "text": "文本", "date": "日期"}, advanced=True
        )

    describe = Table(
        "描述", name=text("变量"), valid=integer("有效N"), missing=integer("缺失N"), mean=num("均值"),
        sd=num("标准差", least=0), min=num("最小"), max=num("最大"), distinct=integer("不同取值"),
        division=integer("除以 0 的缺失"), domain=integer("无定义的缺失", hint="负数取对数、开平方等"), layout="record",
    )  # fmt: skip
    first = Table("结果预览", row=integer("行"), inputs=text("所用的值"), result=text("结果"))

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"生成变量“{form.name}”"

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        return [ColumnToBe(name=form["name"], measure=None, source=None)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        values, stored, unread = _typed(form.expression, form.type)
        if form.condition is not None:
            values = values.copy()
            values[~form.condition.holds] = None if stored == "text" else np.nan
        report.make(form.name, values, stored=stored, label=form.label)
        cls._tables(report, form, values, stored)
        cls._say(report, form, values, stored, unread)
        return report

    @classmethod
    def _tables(cls, report: Report, form: Any, values: Cells, stored: Stored) -> None:
        lost = form.expression.lost
        report.row(
            cls.describe, name=form.name, **_summary(values, stored), division=lost.get("division", 0),
            domain=lost.get("domain", 0),
        )  # fmt: skip
        if stored != "number":
            kind = "文本" if stored == "text" else "日期"
            report.note(cls.describe, f"结果是{kind}，没有均值、标准差、最小和最大。")
        used = list(dict.fromkeys([*form.expression.columns, *(form.condition.columns if form.condition else [])]))
        for i in range(min(SHOWN, len(values))):
            inputs = "，".join(f"{column.name} = {_shown(column.text[i])}" for column in used)
            report.row(cls.first, row=i + 1, inputs=inputs, result=_cell(values[i], stored))

    @classmethod
    def _say(cls, report: Report, form: Any, values: Cells, stored: Stored, unread: int) -> None:
        found = _summary(values, stored)
        facts: dict[str, Any] = {
            "name": form.name, "formula": form.expression.words, "valid": found["valid"], "missing": found["missing"],
            "rows": len(values),
        }  # fmt: skip
        if found["valid"] == 0:
            report.warn("data.empty", "“{name}”没有一行算得出值，请检查公式和所用变量的缺失。", name=form.name)
        lead = "“{name}” = {formula}，{rows:integer} 行中有 {valid:integer} 行有值"
        if found["valid"] in (0, len(values)):
            lead = "“{name}” = {formula}，{rows:integer} 行" + ("都有值" if found["valid"] else "都没有值")
        figures = [figure("有效", "{valid:integer}", "共 {rows:integer} 行")]
        if found["mean"] is not None:
            facts |= {"mean": found["mean"], "min": found["min"], "max": found["max"]}
            lead += "，均值 {mean:num}，在 {min:num} 到 {max:num} 之间"
            figures.append(figure("均值", "{mean:num}", "{min:num} 到 {max:num}"))
        report.lead(f"{lead}。", figures, **facts)
        # The formula is worked out for every row, whatever the condition says.
        every = "（不论是否满足条件，按全部行计）" if form.condition is not None else ""
        undefined = "没有定义（如非正数取对数、负数开平方）或大得无法表示"
        for reason, said in (("division", "除以 0"), ("domain", undefined)):
            if count := form.expression.lost.get(reason, 0):
                report.warn(f"formula.{reason}", f"计算中有 {{n:integer}} 处{said}{every}，结果记为缺失。", n=count)
        if unread:
            report.warn("data.unread", "{n:integer} 行的结果不能转换为所选的结果类型，记为缺失。", n=unread)
        limited = ""
        if form.condition is not None:
            facts |= {"condition": form.condition.words, "inside": int(form.condition.holds.sum())}
            limited = "只在满足“{condition}”的 {inside:integer} 行里计算，其余各行缺失。"
        report.say(
            f"新变量由公式逐行算出，原有变量不变。{limited}公式用到的值有一个缺失，这一行的结果就缺失；"
            "MEAN、SUM 等行统计除外，它们只用有值的变量。"
            "请对照预览核对前几行，再用它做分析。",
            voice="student", **facts,
        )  # fmt: skip
        report.say(
            f"变量“{{name}}”按公式计算：{{formula}}。{limited}有效 {{valid:integer}} 例，缺失 {{missing:integer}} 例。",
            voice="paper", **facts,
        )  # fmt: skip
        report.say(f"{lead}。", voice="brief", **facts)


def _typed(found: Expression, wanted: str) -> tuple[Cells, Stored, int]:
    """The values in the type asked for, and how many could not be read as that."""
    values = found.values
    kind = found.type
    if wanted in ("auto", kind):
        # Dates with a time of day keep it; whole days become dates.
        return values, "datetime" if kind == "date" else "text" if kind == "text" else "number", 0
    if wanted == "text":
        stored: Stored = "datetime" if kind == "date" else "number"
        return np.array([_cell(value, stored) for value in values], dtype=object), "text", 0
    if kind == "text":
        made: Floats = np.asarray(found.read("number" if wanted == "number" else "date").values, dtype=np.float64)
        unread = int(sum(value is not None and math.isnan(x) for value, x in zip(values, made, strict=True)))
        return made, "number" if wanted == "number" else "datetime", unread
    if wanted == "date":
        raise Refusal("formula.type", "公式的结果是数值，不能当作日期；请用 DATE(年, 月, 日) 得到日期", field="type")
    text_ = "公式的结果是日期，不能当作数值；请用 YEAR、MONTH、DATEDIFF 等取出数值，或把结果类型改为自动"
    raise Refusal("formula.type", text_, field="type")


def _summary(values: Cells, stored: Stored) -> dict[str, Any]:
    if stored == "text":
        known = [value for value in values if value is not None]
        facts = dict.fromkeys(("mean", "sd", "min", "max"))
        return {"valid": len(known), "missing": len(values) - len(known), "distinct": len(set(known)), **facts}
    numbers = values[~np.isnan(values)]
    facts = {"valid": len(numbers), "missing": len(values) - len(numbers), "distinct": len(np.unique(numbers))}
    if stored != "number" or not len(numbers):
        return facts | dict.fromkeys(("mean", "sd", "min", "max"))
    found = moments(numbers)
    return facts | {
        "mean": found.mean, "sd": found.sd if len(numbers) > 1 else None, "min": float(numbers.min()),
        "max": float(numbers.max()),
    }  # fmt: skip


def _cell(value: Any, stored: Stored) -> str | None:
    """A value in words; numbers to ten digits."""
    if value is None or (stored != "text" and math.isnan(value)):
        return None
    if stored == "text":
        return str(value)
    if stored == "number":
        return f"{value:.10g}"
    moment = np.datetime64("1970-01-01T00:00:00", "s") + np.timedelta64(round(value * 86_400), "s")
    return str(moment)[:10] if value == math.floor(value) else str(moment).replace("T", " ")


def _shown(value: str | None) -> str:
    return "缺失" if value is None else value
