"""A new variable out of nothing: numbers, dates, draws, a constant, or a running number within groups."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Column,
    ColumnToBe,
    Form,
    Processing,
    Refusal,
    Report,
    Table,
    choice,
    figure,
    integer,
    num,
    number,
    role,
    text,
    words,
)
from hengxi.contract.calendar import read_period
from hengxi.contract.derived import Stored
from hengxi.methods.data_processing._shared import dates
from hengxi.methods.data_processing._shared.rows import groups_of, tell

SHOWN = 10
DATE, RANDOM = {"type": "date"}, {"type": "random"}
TYPES = {"id": "序号", "sequence": "等差", "date": "日期序列", "random": "随机分布", "constant": "常数",
         "group_id": "组内序号"}  # fmt: skip
DISTRIBUTIONS = {"normal": "正态", "uniform": "均匀", "binomial": "二项", "poisson": "泊松", "exponential": "指数",
                 "integer": "随机整数"}  # fmt: skip
PARAMETERS: dict[str, tuple[tuple[str, ...], tuple[float, ...]]] = {
    "normal": (("均值", "标准差"), (0, 1)),
    "uniform": (("下限", "上限"), (0, 1)),
    "binomial": (("次数", "概率"), (1, 0.5)),
    "poisson": (("均值",), (1,)),
    "exponential": (("均值",), (1,)),
    "integer": (("下限", "上限"), (1, 100)),
}
LARGEST = 1e15


@dataclass
class Made:
    cells: npt.NDArray[Any]
    stored: Stored
    measure: Any
    words: str
    """How it was made, for the sentences."""
    mean: float | None = None
    sd: float | None = None
    """Of the distribution."""


class GenerateSequence(Processing):
    """As many cells as the table has rows; the same seed gives the same draws."""

    title, title_en = "生成序号与随机数", "Generate ID, sequence, random numbers"
    family, tier = "数据处理", "standard"
    purpose = "新增编号、等差序列、日期序列或随机变量"
    aliases = ("编号", "序号", "随机数", "随机种子", "日期序列", "组内编号", "rownumber", "random numbers", "seq")
    references = ("oneill2014",)
    conventions = (
        "按行现在的先后编号；以后重新排序，编号跟着行走，不会重排。",
        "序号的起始带字母或开头的 0（如 S001）时，结果是等长的文本编号。",
        "组内序号按组内行的先后，从起始开始；分组缺失的行没有序号。",
        "随机数用 PCG64 发生器；同一种子、同样的行数得到同样的数。指数分布的参数是均值，随机整数含两端。",
        "按月和年推日期时，没有对应的日就取当月最后一日，都从起始日期推，不逐期累积。",
    )
    random = True
    row_order = True

    class Input(Form):
        name: str = words("新变量名", "编号", kind="name", fresh=True)
        type: str = choice("类型", TYPES)
        start: str | None = words(
            "起始", longest=64, auto="1", hint="日期序列写 2024-01-01；常数写要填的值",
            when={"type": ("id", "sequence", "date", "constant", "group_id")},
        )  # fmt: skip
        step: float = number("步长", 1, when={"type": ("sequence", "date")})
        unit: str = choice(
            "步长的单位",
            {"day": "天", "week": "周", "month": "月", "year": "年", "hour": "时", "minute": "分"},
            when=DATE,
        )
        distribution: str = choice("分布", DISTRIBUTIONS, when=RANDOM)
        params: str | None = words(
            "分布参数", longest=100, auto="标准的参数", hint="正态写 均值，标准差；二项写 次数，概率；泊松写 均值",
            when=RANDOM,
        )  # fmt: skip
        by: list[Column] = role("分组变量", "任意", min=1, max=2, when={"type": "group_id"})

    result = Table(
        "新变量描述", name=text("变量"), way=text("怎样生成"), n=integer("有值"), missing=integer("缺失"),
        distinct=integer("不同取值"), mean=num("均值"), sd=num("标准差", least=0), least=num("最小"),
        most=num("最大"), theory_mean=num("理论均值"), theory_sd=num("理论标准差", least=0), layout="record",
    )  # fmt: skip
    first = Table("预览", row=integer("行"), value=text("取值"))

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"生成“{form.name}”（{TYPES[form.type]}）"

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        return [ColumnToBe(name=form["name"], measure=None, source=None)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        columns = form.whole.columns
        rows = columns[0].row_numbers if columns else np.arange(1, form.whole.rows + 1)
        made = _made(form, len(rows))
        report.make(form.name, made.cells, stored=made.stored, measure=made.measure)
        facts: dict[str, Any] = {"name": form.name, "way": made.words, "rows": len(rows), **_describe(made)}
        report.row(cls.result, **{key: value for key, value in facts.items() if key != "rows"})
        for i in range(min(SHOWN, len(rows))):
            report.row(cls.first, row=int(rows[i]), value=_shown(made, i))
        lead = "新变量“{name}”：{way}，{rows:integer} 行中有 {n:integer} 行有值。"
        student = "原有变量不变。"
        if form.type == "random":
            student += "随机数每次用同一个种子，结果可以重复；要另一组，请换种子。"
        elif form.type in ("id", "group_id"):
            student += "编号只按现在的行序；先排序再编号，编号才有先后的含义。"
        tell(report, lead, student, [figure("有值", "{n:integer}", "共 {rows:integer} 行")], **facts)
        return report


def _made(form: Any, rows: int) -> Made:
    start = (form.start or "1").strip()
    match form.type:
        case "id":
            return _ids(start, np.arange(rows, dtype=np.int64), "")
        case "group_id":
            groups = groups_of(form.by, rows)
            order = np.argsort(groups.codes, kind="stable")
            within = np.empty(rows, dtype=np.int64)
            within[order] = np.arange(rows) - np.repeat(np.cumsum(groups.sizes) - groups.sizes, groups.sizes)
            made = _ids(start, within, "各组内")
            gone = np.logical_or.reduce([column.missing for column in form.by])
            made.cells[gone] = None if made.stored == "text" else np.nan
            return made
        case "sequence":
            return _sequence(start, form.step, rows)
        case "date":
            return _dates(start, form.step, form.unit, rows)
        case "constant":
            return _constant(start, rows)
        case _:
            return _draws(form, rows)


def _ids(start: str, place: npt.NDArray[np.int64], where: str) -> Made:
    match = re.fullmatch(r"(.*?)(\d{1,15})", start, re.DOTALL)
    if match is None or not start.isprintable():
        raise Refusal("sequence.start", f"起始“{start[:40]}”应以数字结尾，例如 1 或 S001", field="start")
    prefix, digits = match[1], match[2]
    numbers = place + int(digits)
    told = f"{where}从 {start} 起编号"
    if prefix in ("", "-") and (digits == "0" or not digits.startswith("0")):
        whole = place + int(prefix + digits)
        return Made(whole.astype(np.float64), "number", "定量", told)
    written = np.char.zfill(numbers.astype(str), len(digits)).astype(object)
    return Made(prefix + written, "text", "文本", told)


def _sequence(start: str, step: float, rows: int) -> Made:
    first = _number(start, "起始")
    if step == 0:
        raise Refusal("sequence.step", "步长不能为0", field="step")
    if abs(first) + abs(step) * rows > LARGEST:
        raise Refusal("sequence.large", "序列的最后一个数太大，请减小起始或步长", field="step")
    return Made(first + step * np.arange(rows), "number", "定量", f"从 {first:.10g} 起，每行加 {step:.10g}")


def _dates(start: str, step: float, unit: str, rows: int) -> Made:
    first = read_period(start, True)
    if first is None:
        raise Refusal("sequence.start", f"起始“{start[:40]}”不是日期，请写作 2024-01-01", field="start")
    if step == 0:
        raise Refusal("sequence.step", "步长不能为0", field="step")
    if step != math.floor(step):
        raise Refusal("sequence.whole", "日期序列的步长应是整数", field="step")
    places = np.arange(rows, dtype=np.float64) * step
    length = {"day": 1.0, "week": 7.0, "hour": 1 / 24, "minute": 1 / 1440, "month": 31.0, "year": 366.0}[unit]
    if not dates.EARLIEST <= first + length * step * max(rows - 1, 0) <= dates.LATEST:
        raise Refusal("sequence.large", "日期序列会超出 1000 到 9999 年，请减小步长", field="step")
    if unit in ("month", "year"):
        months = places.astype(np.int64) * (12 if unit == "year" else 1)
        cells = dates.add_months(np.full(rows, first), months)
    else:
        seconds = round(first * dates.DAY) + places * round(length * dates.DAY)
        cells = seconds / dates.DAY
    name = {"day": "天", "week": "周", "month": "个月", "year": "年", "hour": "小时", "minute": "分钟"}[unit]
    return Made(cells, "datetime", "时间", f"从 {start} 起，每行加 {step:.10g} {name}")


def _constant(value: str, rows: int) -> Made:
    """A number, unless it would lose something as one."""
    try:
        found = float(value)
    except ValueError:
        found = math.nan
    keeps = math.isfinite(found) and abs(found) < LARGEST and not re.match(r"[-+]?0\d", value)
    if keeps:
        return Made(np.full(rows, found), "number", "定量", f"每行都是 {found:.15g}")
    return Made(np.full(rows, value, dtype=object), "text", "定类", f"每行都是“{value}”")


def _number(typed: str, title: str) -> float:
    try:
        found = float(typed)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise Refusal("sequence.start", f"{title}“{typed[:40]}”不是数字", field="start")
    return found


def _draws(form: Any, rows: int) -> Made:
    kind, title = form.distribution, DISTRIBUTIONS[form.distribution]
    names, usual = PARAMETERS[kind]
    typed = [one for one in re.split(r"[,，;；\s]+", (form.params or "").strip()) if one]
    try:
        p = [float(one) for one in typed] or [float(one) for one in usual]
    except ValueError:
        raise Refusal("sequence.params", "分布参数应是数字，用逗号隔开", field="params") from None
    if len(p) != len(names):
        text_ = f"{title} 分布需要 {len(names)} 个参数（{'，'.join(names)}），现有 {len(p)} 个"
        raise Refusal("sequence.params", text_, field="params")
    if not all(math.isfinite(one) and abs(one) < LARGEST for one in p):
        raise Refusal("sequence.params", "分布参数太大，请换一个", field="params")
    rng, told = form.rng, f"{title}分布（{'，'.join(f'{a} {b:.10g}' for a, b in zip(names, p, strict=True))}）的随机数"
    match kind:
        case "normal":
            _demand(p[1] > 0, "正态分布的标准差应大于 0")
            return Made(rng.normal(p[0], p[1], rows), "number", "定量", told, p[0], p[1])
        case "uniform":
            _demand(p[0] < p[1], "均匀分布的下限应小于上限")
            return Made(
                rng.uniform(p[0], p[1], rows), "number", "定量", told, sum(p) / 2, (p[1] - p[0]) / math.sqrt(12)
            )
        case "binomial":
            _demand(
                p[0] >= 1 and p[0] == math.floor(p[0]) and 0 <= p[1] <= 1,
                "二项分布的次数应是正整数，概率在 0 到 1 之间",
            )
            n, q = int(p[0]), p[1]
            return Made(
                rng.binomial(n, q, rows).astype(float), "number", "定量", told, n * q, math.sqrt(n * q * (1 - q))
            )
        case "poisson":
            _demand(0 < p[0] <= 1e9, "泊松分布的均值应大于 0，不超过 10 亿")
            return Made(rng.poisson(p[0], rows).astype(float), "number", "定量", told, p[0], math.sqrt(p[0]))
        case "exponential":
            _demand(p[0] > 0, "指数分布的均值应大于 0")
            return Made(rng.exponential(p[0], rows), "number", "定量", told, p[0], p[0])
        case _:
            _demand(
                all(one == math.floor(one) for one in p) and p[0] <= p[1], "随机整数的上下限应是整数，下限不大于上限"
            )
            low, high = int(p[0]), int(p[1])
            drawn = rng.integers(low, high, rows, endpoint=True).astype(float)
            return Made(drawn, "number", "定量", told, (low + high) / 2, math.sqrt(((high - low + 1) ** 2 - 1) / 12))


def _demand(holds: bool, text_: str) -> None:
    if not holds:
        raise Refusal("sequence.params", text_, field="params")


def _describe(made: Made) -> dict[str, Any]:
    cells = made.cells
    if made.stored == "text":
        gone = cells == None  # noqa: E711 - cell by cell
        return {
            "n": len(cells) - int(gone.sum()),
            "missing": int(gone.sum()),
            "distinct": len(set(cells[~gone].tolist())),
        }
    known = cells[~np.isnan(cells)]
    found: dict[str, Any] = {"n": len(known), "missing": len(cells) - len(known), "distinct": len(np.unique(known))}
    if made.stored == "number" and len(known):
        found |= {"mean": known.mean(), "least": known.min(), "most": known.max()}
        found["sd"] = known.std(ddof=1) if len(known) > 1 else None
    return found | {"theory_mean": made.mean, "theory_sd": made.sd}


def _shown(made: Made, row: int) -> str:
    cell = made.cells[row]
    if cell is None or cell != cell:
        return "缺失"
    if made.stored == "datetime":
        moment = np.datetime64(round(cell * dates.DAY), "s")
        return str(moment)[:10] if cell == np.floor(cell) else str(moment).replace("T", " ")
    return str(cell) if made.stored == "text" else f"{cell:.10g}"
