"""Values into other values. Missing stays missing unless a rule names it; a reversed item tells its ends."""

from __future__ import annotations

from typing import Any, ClassVar

from hengxi.contract import (
    Column,
    ColumnInfo,
    ColumnToBe,
    Deals,
    Dimensions,
    Form,
    Processing,
    Report,
    Rule,
    Table,
    choice,
    few_of,
    figure,
    flag,
    integer,
    mapping,
    number,
    percent,
    role,
    text,
    words,
)
from hengxi.contract.fields.mapping import shown
from hengxi.contract.measures import is_number
from hengxi.methods.data_processing._shared.recode import Recoded, by_rules, in_order, reverse
from hengxi.stats.names import titles

NAMED = 5


class ValueCoding(Processing):
    """Which old value became which new one, and how many cells."""

    title, title_en = "数据编码", "Recode values"
    family, tier = "数据处理", "standard"
    purpose = "把一批取值改成另一批取值（含反向计分、合并类别）"
    aliases = ("重编码", "recode", "反向计分", "反向题", "合并类别", "哑变量")
    references = ("likert1932", "suarezalvarez2018", "wilson2017")
    conventions = (
        "规则从上往下，取值用第一条适合的规则；写的是存储的取值，不是取值标签。",
        "缺失保持缺失，只有专门写了“缺失”的规则才改；已声明的缺失码也算缺失，“其余取值”不包含缺失。",
        "反向计分 = 量尺最小值 + 量尺最大值 − 原值；两端先用填写的，再用取值标签的范围，最后用数据的范围并提示。",
        "按字符序：数值从小到大，文字按编码次序；按频数：频数多的为 1，相同的按取值次序。",
    )
    pool = True
    deals_with: ClassVar[Deals] = {"levels": {}}

    takes_dimensions = Dimensions(
        items="variables",
        low="reverse_min",
        high="reverse_max",
        turns=True,
        form={"auto": "reverse", "mode": "replace"},
    )

    class Input(Form):
        variables: list[Column] = role("处理变量", "任意", min=1, max=None)
        auto: str = choice(
            "自动编码",
            {
                "none": "手工",
                "alphabetical": "按字符序1..k",
                "frequency": "按频数",
                "reverse": "反向计分（最大 + 最小 − x）",
            },
        )
        rules: list[Rule] = mapping("编码规则", of="variables", when={"auto": "none"}, hint="旧值或区间 → 新值")
        others: str = choice(
            "其余取值", {"copy": "保持原值", "missing": "设为缺失", "value": "设为指定值"}, when={"auto": "none"}
        )
        others_value: str = words("指定值", longest=200, when={"auto": "none", "others": "value"})
        reverse_min: float | None = number(
            "反向计分量尺最小值", None, auto="标签的范围，没有标签时用数据的范围", when={"auto": "reverse"}
        )
        reverse_max: float | None = number(
            "反向计分量尺最大值", None, auto="标签的范围，没有标签时用数据的范围", when={"auto": "reverse"}
        )
        case_sensitive: bool = flag("区分大小写", True, when={"auto": "none"}, advanced=True)
        mode: str = choice("结果写入", {"new": "新增变量", "replace": "在新版本中替换原变量"})
        suffix: str = words("新变量后缀", "_编码", kind="name", longest=20, when={"mode": "new"})

    counts = Table(
        "编码对照频数", variable=text("变量"), old=text("旧值"), new=text("新值"), n=integer("频数"),
        percent=percent("占比", sums_within=("variable",)), merge=("variable",),
    )  # fmt: skip
    summary = Table(
        "编码结果", variable=text("变量"), valid=integer("编码前有效N"), valid_after=integer("编码后有效N"),
        levels=integer("编码前取值数"), levels_after=integer("编码后取值数"), changed=integer("取值改变的行数"),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        names = list(titles(form.variables).values())
        return f"{few_of(names)}的编码"

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        if form["mode"] != "new":
            return []
        chosen: list[ColumnInfo] = [column for column in columns if column.id in form["variables"]]
        return [ColumnToBe(name=f"{one.name}{form['suffix']}", measure=None, source=one.id) for one in chosen]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = titles(form.variables)
        found = [cls._recode(column, form) for column in form.variables]
        for one in found:
            cls._make(report, one, form)
            cls._tables(report, one, names[one.column.id])
            cls._warn(report, one, names[one.column.id], form)
        cls._say(report, found, names, form)
        return report

    @classmethod
    def _recode(cls, column: Column, form: Any) -> Recoded:
        if form.auto == "reverse":
            return reverse(column, form.reverse_min, form.reverse_max)
        if form.auto in ("alphabetical", "frequency"):
            return in_order(column, form.auto == "frequency")
        return by_rules(column, form.rules, form.others, form.others_value, form.case_sensitive)

    @classmethod
    def _make(cls, report: Report, one: Recoded, form: Any) -> None:
        column = one.column
        more: dict[str, Any] = {"levels": one.levels}
        if form.auto == "reverse":
            more |= {"measure": column.measure, "ordered": column.ordered, "flags": list(column.info.flags)}
        elif form.auto != "none":
            more |= {"measure": "定类"}
        elif one.spans and not one.is_text:
            more |= {"measure": "定类", "ordered": True}
        elif column.measure == "定类" and one.is_text == (column.info.storage == "text"):
            more |= {"measure": "定类"}
        report.put(form, column, one.values, **more)

    @classmethod
    def _tables(cls, report: Report, one: Recoded, name: str) -> None:
        total = sum(line.n for line in one.lines)
        for line in one.lines:
            report.row(cls.counts, variable=name, old=line.old, new=line.new, n=line.n, percent=line.n / total)
        if not one.lines:
            report.row(cls.counts, variable=name, old="没有数据", new=None, n=0)
        column = one.column
        valid = int((~column.missing).sum())
        report.row(
            cls.summary, variable=name, valid=valid, valid_after=one.valid, levels=len(column.levels),
            levels_after=one.distinct, changed=one.changed,
        )  # fmt: skip

    @classmethod
    def _warn(cls, report: Report, one: Recoded, name: str, form: Any) -> None:
        for value in one.unused:
            text_ = "取值“{x}”未在“{v}”中出现（规则不会生效）。"
            report.warn("mapping.unused", text_, columns=[one.column], x=shown(value), v=name)
        if one.mixed:
            text_ = "“{v}”编码后既有文字又有数值，按文本保存；要当数值用，请给其余取值也写上数值。"
            report.warn("data.mixed", text_, columns=[one.column], v=name)
        if one.scale is not None and one.scale[2]:
            text_ = "“{v}”的量尺按数据取为 {a:text} 到 {b:text}；若有的选项没有人选，请改填量尺的最小值和最大值。"
            a, b = shown(one.scale[0]), shown(one.scale[1])
            report.warn("reverse.from_data", text_, columns=[one.column], v=name, a=a, b=b)
        codes = [code for code in one.column.info.missing.values if not isinstance(code, str)]
        hit = [
            code for code in codes if not one.is_text and form.mode == "replace" and bool((one.values == code).any())
        ]
        if hit and is_number(one.column.info):
            text_ = "“{v}”的新值 {x} 是已声明的缺失码，将作缺失；请改用别的值，或先取消这个缺失码。"
            report.warn("mapping.missing_code", text_, columns=[one.column], v=name, x="、".join(map(shown, hit)))

    @classmethod
    def _say(cls, report: Report, found: list[Recoded], names: dict[str, str], form: Any) -> None:
        way = {
            "none": "按 {rules:integer} 条规则编码",
            "alphabetical": "按字符序编为 1 到 {to:integer}",
            "frequency": "按频数编为 1 到 {to:integer}",
            "reverse": "反向计分",
        }[form.auto]
        facts: dict[str, Any] = {
            "rules": len(form.rules),
            "k": len(found),
            "changed": sum(one.changed for one in found),
        }
        lines = []
        for i, one in enumerate(found[:NAMED]):
            facts |= {
                f"v{i}": names[one.column.id], f"from{i}": len(one.column.levels), f"to{i}": one.distinct,
                f"n{i}": one.changed,
            }  # fmt: skip
            told = f"{{from{i}:integer}} 个取值变为 {{to{i}:integer}} 个"
            if one.distinct == len(one.column.levels):
                told = f"仍是 {{to{i}:integer}} 个取值"
            lines.append(f"“{{v{i}}}”{way.replace('{to:', f'{{to{i}:')}：{told}，{{n{i}:integer}} 行的取值改变。")
        if len(found) > NAMED:
            lines.append("其余变量见编码结果表，共 {k:integer} 个变量、{changed:integer} 个单元格改变。")
        lead = "\n".join(lines)
        report.lead(lead, [figure("改变", "{n0:integer}", "行")] if len(found) == 1 else [], **facts)
        where = (
            "原变量不变，结果写在新变量里。" if form.mode == "new" else "新版本里原变量被替换，上一个版本仍保留原值。"
        )
        turned = "反向计分后，得分高低与其余题目同向，才能相加或求信度。" if form.auto == "reverse" else ""
        report.say(
            f"编码只换取值，不增减行。{where}{turned}请核对对照表：每个旧值应恰好对应想要的新值；合并的取值，频数应等于各旧值之和。",
            voice="student",
        )  # fmt: skip
        report.say(f"{lead}{where}", voice="paper", **facts)
        report.say(lead, voice="brief", **facts)
