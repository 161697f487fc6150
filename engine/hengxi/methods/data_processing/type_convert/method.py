"""Texts into numbers, dates, yes and no; and back. What cannot be read is counted and shown, never lost unseen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Column,
    ColumnToBe,
    Deals,
    Form,
    Processing,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    few_of,
    figure,
    flag,
    integer,
    role,
    text,
    words,
)
from hengxi.contract.derived import Stored
from hengxi.contract.missing_tokens import MISSING_TOKENS
from hengxi.methods.data_processing._shared import parsing
from hengxi.methods.data_processing._shared.rows import tell
from hengxi.methods.data_processing._shared.texts import Distinct, distinct, half_width, most_frequent, visible

TARGETS = {"number": "数值", "integer": "整数", "text": "文本", "date": "日期", "datetime": "日期时间",
           "boolean": "布尔", "category": "定类"}  # fmt: skip
READ = ("number", "integer")
MOST_FAILURES = 10


@dataclass
class Converted:
    """One variable in its new type; `bad`: which of its words could not be read."""

    column: Column
    found: Distinct
    values: npt.NDArray[Any]
    stored: Stored
    bad: npt.NDArray[np.bool_]
    blank: int = 0
    """Rows whose text says that there is nothing (NA, —)."""
    words: dict[str, Any] = field(default_factory=dict)
    told: list[tuple[str, str, int]] = field(default_factory=list)
    """Warnings: code, text with {v} and {n}, rows."""

    @property
    def failed(self) -> int:
        return self.found.rows_where(self.bad)

    @property
    def done(self) -> int:
        return self.found.valid - self.failed - self.blank


class TypeConvert(Processing):
    """Each different text is read once; the account says how many cells could be read, and which could not."""

    title, title_en = "类型转换", "Convert types"
    family, tier = "数据处理", "standard"
    purpose = "把文本变数值、日期等类型转对"
    aliases = ("文本转数值", "转日期", "数据类型", "astype", "to_numeric", "to_datetime", "去掉千分位")
    references = ("wickham2014",)
    conventions = (
        "转换前去掉首尾空白和看不见的字符；NA、—、无等表示缺失的写法算空，不算失败。",
        "千分位每三位一组才算数；货币符号和“元”去掉；百分数除以 100 时在文本里移动小数点，没有舍入误差。",
        "超过 15 位的整数和以 0 开头的编号不转为数值：数值存不下这么多位，也存不下开头的 0。",
        "日期自动识别年在前的写法、8 位数字、Excel 日期序号（20000 到 79999）；只有年月的算当月 1 日。",
        "年在后的日期看整列：有一个数大于 12 就能定出日和月，否则要指定格式。带时区的时间按所写的钟点，不换算。",
        "缺失码在转换后为空；布尔存为 1（是）和 0（否）。",
    )
    deals_with: ClassVar[Deals] = {
        "text_numbers": {"target": "number"},
        "mixed": {"target": "number", "mode": "new"},
        "text_dates": {"target": "date"},
        "text_moments": {"target": "datetime"},
    }
    pool = True

    class Input(Form):
        variables: list[Column] = role("处理变量", "任意", max=None)
        target: str = choice("目标类型", TARGETS)
        date_format: str = words(
            "日期格式", "auto", kind="date_format", hint="auto 为自动，或写 YYYY/MM/DD HH:mm",
            when={"target": ("date", "datetime")},
        )  # fmt: skip
        thousands: str | None = words("千分位符", kind="delimiter", longest=1, auto="逗号", when={"target": READ})
        decimal: str = words("小数点", ".", kind="delimiter", longest=1, when={"target": READ})
        percent: bool = flag("百分号转小数", True, when={"target": READ})
        units: bool = flag("千、万、亿换算成数", True, when={"target": READ}, advanced=True)
        rounding: str = choice(
            "有小数时", {"stop": "停止并报错", "round": "四舍五入", "cut": "舍去小数"}, when={"target": "integer"}
        )
        drop_zeros: bool = flag("允许去掉开头的 0", False, when={"target": READ}, advanced=True)
        on_error: str = choice("无法转换", {"missing": "设为缺失", "stop": "停止并报错"})
        fullwidth: bool = flag("全角转半角", True)
        mode: str = choice("结果写入", {"replace": "在新版本中替换原变量", "new": "新增变量"})
        suffix: str = words("新变量后缀", "_转换", kind="name", longest=20, when={"mode": "new"})

    result = Table(
        "转换结果", variable=text("变量"), before=text("原类型"), after=text("新类型"), done=integer("成功数"),
        failed=integer("失败数"), blank=integer("写作缺失"), missing=integer("原有缺失"), distinct=integer("不同取值"),
    )  # fmt: skip
    failures = Table("无法转换的值", variable=text("变量"), value=text("原值"), n=integer("行数"))

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{few_of([column.title for column in form.variables])}转为{TARGETS[form.target]}"

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        if form["mode"] != "new":
            return []
        measure: Any = {"text": "文本", "date": "时间", "datetime": "时间"}.get(form["target"])
        chosen = [column for column in columns if column.id in form["variables"]]
        return [ColumnToBe(name=f"{one.name}{form['suffix']}", measure=measure, source=one.id) for one in chosen]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if form.thousands is not None and form.thousands == form.decimal:
            raise Refusal("convert.marks", "千分位符和小数点不能相同，请改一个", field="decimal")
        facts: dict[str, Any] = {
            "target": TARGETS[form.target],
            "v": few_of([column.title for column in form.variables]),
        }
        facts |= dict.fromkeys(("done", "failed", "blank", "coded"), 0)
        for column in form.variables:
            one = _converted(column, form)
            cls._judge(one, form)
            report.put(form, column, one.values, stored=one.stored, **one.words)
            coded = sum(kind.count for kind in column.missing_kinds)
            facts["coded"] += coded
            for key in ("done", "failed", "blank"):
                facts[key] += getattr(one, key)
            cls._list(report, one, form)
        if not facts["failed"]:
            report.skip(cls.failures, "没有无法转换的值")
        lead = "{v}转为{target}：{done:integer} 格成功，{failed:integer} 格无法转换。"
        student = "转换成功的格保留原来的含义，写法统一。"
        if facts["blank"]:
            student += "{blank:integer} 格写作 NA、无等，按缺失处理。"
        if facts["failed"]:
            student += "无法转换的 {failed:integer} 格已设为缺失，请在表中核对原值；是录入错误的，先改原值再转换。"
        if facts["coded"]:
            student += "{coded:integer} 格是缺失码，转换后为空。"
        tell(report, lead, student, [figure("成功", "{done:integer}", "无法转换 {failed:integer} 格")], **facts)
        return report

    @classmethod
    def _judge(cls, one: Converted, form: Any) -> None:
        """Nothing could be read, or something could not and that is not wanted."""
        name, target = one.column.title, TARGETS[form.target]
        if one.failed and not one.done:
            sample = visible(most_frequent(one.found, one.bad, 1)[0][0])
            text_ = f"“{name}”没有一个值能转换为{target}（如“{sample}”），请检查格式"
            raise Refusal("convert.none", text_, field="target", column=one.column.id)
        if one.failed and form.on_error == "stop":
            place = int(np.flatnonzero(np.isin(one.found.codes, np.flatnonzero(one.bad)))[0])
            word = visible(str(one.found.words[int(one.found.codes[place])]))
            at = int(one.column.row_numbers[place])
            text_ = f"“{name}”有 {one.failed:,} 格不能转换为{target}，第一处在第 {at:,} 行“{word}”"
            remedy = SetRemedy(title="设为缺失", set={"on_error": "missing"})
            raise Refusal("convert.failed", text_, field="on_error", column=one.column.id, row=at, remedies=[remedy])

    @classmethod
    def _list(cls, report: Report, one: Converted, form: Any) -> None:
        name, cells = one.column.title, one.values
        texts = cells.dtype.kind == "O"
        known = {*cells.tolist()} - {None} if texts else np.unique(cells[~np.isnan(cells)])
        report.row(
            cls.result, variable=name, before=_kind(one.column), after=TARGETS[form.target], done=one.done,
            failed=one.failed, blank=one.blank, missing=len(cells) - one.found.valid, distinct=len(known),
        )  # fmt: skip
        for word, n in most_frequent(one.found, one.bad, MOST_FAILURES):
            report.row(cls.failures, variable=name, value=visible(word), n=n)
        if (more := int((one.bad & (one.found.counts > 0)).sum())) > MOST_FAILURES:
            report.note(cls.failures, f"“{name}”共有 {more:,} 种写法无法转换，只列最多的 {MOST_FAILURES} 种。")
        for code, text_, n in one.told:
            report.warn(code, text_, columns=[one.column], v=name, n=n)


def _converted(column: Column, form: Any) -> Converted:
    if not bool((~column.missing).any()) and form.again is None:
        raise Refusal("role.empty", f"“{column.title}”全部缺失，没有可转换的值", field="variables", column=column.id)
    found = distinct(column)
    none = np.zeros(len(found.words), dtype=bool)
    if form.target == "text":
        written = found.words
        if column.info.storage == "datetime" and written.str.ends_with(" 00:00:00").all():
            written = written.str.slice(0, 10)  # whole days are written as days
        return Converted(column, found, found.lay(written), "text", none, words={"measure": "文本"})
    if form.target == "category":
        levels = [(level.value, level.label) for level in column.info.levels or []]
        is_date = column.info.storage in ("date", "datetime")
        values = found.lay(found.words) if is_date or column.info.storage == "text" else column.numbers
        more: dict[str, Any] = {"measure": "定类", "ordered": column.ordered, "levels": levels or None}
        return Converted(column, found, values, "text" if values.dtype.kind == "O" else "number", none, words=more)
    plain = parsing.bare(half_width(found.words) if form.fullwidth else found.words)
    empty = plain.is_in(list(MISSING_TOKENS)).to_numpy()
    if form.target == "boolean":
        made = parsing.truths(plain)
        empty = empty & np.isnan(made)
        one = _numbers_of(column, found, made, empty)
        one.words = {"measure": "定类", "levels": [(0, "否"), (1, "是")]}
        return one
    return _dated(column, found, plain, empty, form) if "date" in form.target else _counted(
        column, found, plain, empty, form
    )  # fmt: skip


def _numbers_of(column: Column, found: Distinct, made: Any, empty: Any, stored: Stored = "number") -> Converted:
    bad = np.isnan(made) & ~empty
    return Converted(column, found, found.lay(made, np.nan), stored, bad, found.rows_where(empty))


def _counted(column: Column, found: Distinct, plain: Any, empty: Any, form: Any) -> Converted:
    if column.info.storage in ("date", "datetime"):
        text_ = f"“{column.title}”是日期，不能直接当作数值；要年、月或天数，请用日期处理"
        raise Refusal("convert.date", text_, field="target", column=column.id)
    if column.is_number:
        one = Converted(column, found, column.numbers, "number", np.zeros(len(found.words), dtype=bool))
        made = None
    else:
        marks = parsing.Marks("," if form.thousands is None else form.thousands, form.decimal, form.percent, form.units)
        read = parsing.numbers(plain, marks)
        made = read.values
        _guard(column, found, read, form)
        one = _numbers_of(column, found, made, empty)
    values = one.values
    if form.target == "integer":
        broken = np.isfinite(values) & (values != np.floor(values))
        if (k := int(broken.sum())) and form.rounding == "stop":
            text_ = f"“{column.title}”有 {k:,} 个小数，转换会丢失精度，请确认是四舍五入还是舍去"
            remedy = SetRemedy(title="四舍五入", set={"rounding": "round"})
            raise Refusal("convert.decimals", text_, field="rounding", column=column.id, remedies=[remedy], k=k)
        if k:
            away = np.floor(np.abs(values) + 0.5) if form.rounding == "round" else np.floor(np.abs(values))
            one.values = np.sign(values) * away + 0.0
            how = "四舍五入" if form.rounding == "round" else "舍去小数"
            one.told.append(("convert.rounded", f"“{{v}}”有 {{n:integer}} 格是小数，已{how}为整数。", k))
    levels = [(level.value, level.label) for level in column.info.levels or [] if not isinstance(level.value, str)]
    one.words = {"measure": "定量", "levels": levels or None}
    return one


def _guard(column: Column, found: Distinct, read: parsing.Numbers, form: Any) -> None:
    """Numbers that are no quantities: their digits or leading zeros would be lost."""
    for which, code, why in (
        (read.long, "convert.digits", "超过 15 位数字（如“{x}”），转换为数值会丢失末几位，请保留文本"),
        (read.zeros & (not form.drop_zeros), "convert.zeros", "以 0 开头（如“{x}”），转换会丢失开头的 0，请保留文本"),
    ):  # fmt: skip
        if n := found.rows_where(which):
            sample = visible(most_frequent(found, which, 1)[0][0])
            remedies = [SetRemedy(title="去掉开头的 0", set={"drop_zeros": True})] if code == "convert.zeros" else []
            text_ = f"“{column.title}”有 {n:,} 格{why.format(x=sample)}"
            raise Refusal(code, text_, field="variables", column=column.id, remedies=remedies)


def _dated(column: Column, found: Distinct, plain: Any, empty: Any, form: Any) -> Converted:
    told: list[tuple[str, str, int]] = []
    if column.info.storage in ("date", "datetime"):
        one = Converted(column, found, column.numbers, "datetime", np.zeros(len(found.words), dtype=bool))
    elif form.date_format.strip().lower() == "auto":
        read = parsing.dates(plain)
        if read.doubtful is not None:
            text_ = f"“{column.title}”中的“{visible(read.doubtful)}”无法判断日/月次序，请指定日期格式，如 DD/MM/YYYY"
            raise Refusal("convert.doubtful", text_, field="date_format", column=column.id)
        if len(read.zones) > 1:
            zones = "、".join(read.zones[:4])
            text_ = f"“{column.title}”里有几种时区（{zones}），不能放在一列比较，请先统一时区"
            raise Refusal("convert.zones", text_, field="variables", column=column.id)
        one = _numbers_of(column, found, read.days, empty, "datetime")
        if read.zones:
            zone = f"“{{v}}”带有时区 {read.zones[0]}，按所写的钟点保存，没有换算（{{n:integer}} 格有值）。"
            told.append(("convert.zone", zone, one.done))
        if n := found.rows_where(read.months):
            told.append(("convert.months", "“{v}”有 {n:integer} 格只写了年月，按当月 1 日处理。", n))
        if n := found.rows_where(read.serials):
            told.append(("convert.serials", "“{v}”有 {n:integer} 格是 Excel 日期序号，已换成日期。", n))
    else:
        try:
            days = parsing.dates_in(plain, form.date_format.strip())
        except ValueError:
            text_ = f"日期格式“{form.date_format[:40]}”看不懂，请写作 YYYY/MM/DD 或 %d.%m.%Y，至少有年和月"
            raise Refusal("convert.format", text_, field="date_format") from None
        one = _numbers_of(column, found, days, empty, "datetime")
    if form.target == "date":
        timed = np.isfinite(one.values) & (one.values != np.floor(one.values))
        if n := int(timed.sum()):
            one.values = np.floor(one.values)
            told.append(("convert.times", "“{v}”有 {n:integer} 格带钟点，转为日期后只留年月日。", n))
        one.stored = "date"
    one.words, one.told = {"measure": "时间"}, told
    return one


def _kind(column: Column) -> str:
    names = {"text": "文本", "date": "日期", "datetime": "日期时间", "bool": "布尔", "int": "整数", "float": "数值"}
    return names[column.info.storage] + ("（定类）" if column.measure == "定类" else "")
