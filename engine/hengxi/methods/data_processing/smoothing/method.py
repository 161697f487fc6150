"""Smoothing, trends, cycles and seasonal adjustment of a series in order of time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.signal import savgol_filter

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Points,
    Processing,
    Refusal,
    Report,
    SetRemedy,
    StepRemedy,
    Table,
    choice,
    few_of,
    figure,
    integer,
    num,
    number,
    role,
    text,
    words,
)
from hengxi.methods.data_processing._shared import smoothers
from hengxi.methods.data_processing._shared.in_time import InTime, in_time, spacing, thin
from hengxi.methods.data_processing._shared.rows import tell

Floats = npt.NDArray[np.float64]
METHODS = {
    "moving_average": "移动平均", "exponential": "指数平滑", "savgol": "Savitzky-Golay", "lowess": "LOWESS",
    "hp": "HP滤波", "bk": "BK带通", "cf": "CF滤波", "stl": "STL季节调整", "detrend_linear": "线性去趋势",
    "median": "中值滤波",
}  # fmt: skip
MAIN = {"hp": "趋势", "bk": "周期", "cf": "周期", "stl": "季节调整", "detrend_linear": "去趋势"}
"""What the first new variable is; of the others 平滑."""
BAND = ("bk", "cf")
WINDOWS = ("moving_average", "savgol", "median")
GAPLESS = ("savgol", "hp", "bk", "cf", "stl")
LEAST = {"hp": 4, "cf": 4, "lowess": 3, "detrend_linear": 3}
LONGEST_STL = 200_000


class Smoothing(Processing):
    """The first result is the main one; a decomposition keeps its other parts beside it."""

    title, title_en = "平滑与去趋势", "Smoothing, detrending, decomposition"
    family, tier = "数据处理", "member"
    purpose = "去噪、提取趋势或去除季节"
    aliases = ("平滑", "移动平均", "去趋势", "季节调整", "HP滤波", "STL", "LOWESS", "Savitzky-Golay", "滤波")
    references = ("cleveland1979", "cleveland1990", "savitzky1964", "hodrick1997", "baxter1999", "christiano2003")
    conventions = (
        "有时间变量时按时间的先后计算，没有时按行的先后。除 LOWESS 和线性去趋势外，都把各期当作等间隔。",
        "移动平均和中值滤波要窗口内都有值，两端不足一个窗口的缺失；居中的偶数窗口用两个窗口的平均（2×w）。",
        "指数平滑 sₜ = αxₜ + (1 − α)sₜ₋₁，从第一个值开始，跳过缺失。",
        "Savitzky-Golay 在两端用首尾窗口的多项式外推到端点；LOWESS 与 R 的 lowess() 相同（3 次稳健迭代）。",
        "HP 的 λ：季度 1600，月度 14400 或 129600，年度 100 或 6.25。"
        "BK 两端各缺 K 期；CF 是不对称全样本、带漂移的随机游走形式。",
        "STL 与 R 的 stl(s.degree = 1) 相同：季节窗口 7，趋势窗口自动，内循环 2 次；季节调整 = 原值 − 季节。",
        "HP、BK、CF、STL、Savitzky-Golay 不能有中间的缺失；首尾的缺失先去掉。",
    )
    row_order = True
    reads_names = True

    class Input(Form):
        variables: list[Column] = role("处理变量", "定量", max=None)
        time: Column | None = role("时间变量（选填）", "任意", min=0)
        method: str = choice("方法", METHODS)
        window: int = integer("窗口", 5, least=2, most=1001, when={"method": WINDOWS})
        align: str = choice(
            "窗口位置", {"center": "居中", "right": "只看以前"}, when={"method": ("moving_average", "median")}
        )
        alpha: float = number("平滑系数", 0.3, least=0.01, most=1, when={"method": "exponential"})
        polyorder: int = integer("多项式阶", 2, least=0, most=6, when={"method": "savgol"})
        frac: float = number("LOWESS比例", 0.3, least=0.01, most=1, when={"method": "lowess"})
        lamb: float = number("HP λ", 1600, above=0, most=1e9, when={"method": "hp"})
        low: int = integer("最短周期（期数）", 6, least=2, most=1000, when={"method": BAND})
        high: int = integer("最长周期（期数）", 32, least=3, most=10000, when={"method": BAND})
        leads: int = integer("截断 K", 12, least=1, most=500, when={"method": "bk"})
        period: int = integer("季节周期", 12, least=2, most=366, when={"method": "stl"})
        mode: str = choice("结果写入", {"new": "新增变量", "replace": "在新版本中替换原变量"})
        suffix: str | None = words("新变量后缀", kind="name", longest=20, auto="按方法", when={"mode": "new"})

    result = Table(
        "平滑结果", variable=text("变量"), part=text("内容"), n=integer("有效"), missing=integer("缺失"),
        mean=num("均值"), sd=num("标准差", least=0), r=num("与原序列的相关", least=-1, most=1),
    )  # fmt: skip
    points = Points("前后对比图", step=integer("次序"), value=num("取值"), series=text("序列"))
    before_after = Chart("前后对比图", "line", of=points, x="step", y="value", series="series")
    parts = Points("分解图", step=integer("次序"), value=num("取值"), part=text("内容"), when={"method": "stl"})
    panels = Chart("分解图", "line", of=parts, x="step", y="value", facet="part", when={"method": "stl"})

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{few_of([column.title for column in form.variables])}的{METHODS[form.method]}"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        _judge(form)
        found = in_time(form.time, [], len(form.variables[0]))
        by_row = form.method not in ("lowess", "detrend_linear")
        found.told(report, form.time, by_row)
        if by_row and form.time is not None and not found.gaps:
            cls._uneven(report, form, found)
        main = MAIN.get(form.method, "平滑")
        suffix = form.suffix or f"_{main}"
        made = 0
        for k, column in enumerate(form.variables):
            parts = _parts(column, found, form)
            for i, (part, values) in enumerate(parts.items()):
                whole = found.back(values)
                if form.mode == "replace" and i == 0:
                    report.replace(column, whole, measure="定量")
                    name = column.name
                else:
                    name = f"{column.name}{suffix}" if i == 0 else f"{column.name}_{part}"
                    label = None if column.label is None else f"{column.label}（{part}）"
                    report.make(name, whole, measure="定量", source=column, label=label)
                cls._row(report, name, part, whole, column)
                made += 1
            if k == 0:
                cls._draw(report, column, found, parts, form)
        facts: dict[str, Any] = {
            "v": few_of([column.title for column in form.variables]),
            "made": made,
            "n": len(found.order),
            "way": METHODS[form.method],
        }
        lead = "{v}用{way}处理，{n:integer} 期，得到 {made:integer} 列。"
        band = "周期是去掉长期趋势和短期噪声后的部分，平均在 0 附近。"
        student = {
            "bk": band,
            "cf": band,
            "stl": "季节调整后的序列 = 原值 − 季节，可以逐期比较。",
            "detrend_linear": "去掉直线趋势后，剩下的是围绕直线的波动。",
            "hp": "趋势越平，周期越大；λ 由数据的频率决定。",
        }.get(form.method, "平滑后的序列波动变小，看趋势用它，检验和建模用原序列。")
        tell(report, lead, student, [figure("得到", "{made:integer} 列", "{n:integer} 期")], **facts)
        return report

    @classmethod
    def _uneven(cls, report: Report, form: Any, found: InTime) -> None:
        usual, off = spacing(found)
        if off > 0.2 and usual > 0:
            text_ = "“{t}”的间隔不等，{way}把各期当作等间隔；间隔差别大时请先重采样。"
            report.warn("time.uneven", text_, columns=[form.time], t=form.time.title, way=METHODS[form.method])

    @classmethod
    def _row(cls, report: Report, name: str, part: str, whole: Floats, column: Column) -> None:
        known = ~np.isnan(whole)
        y, x = whole[known], column.numbers[known]
        both = ~np.isnan(x)
        r = None
        if both.sum() > 2 and np.ptp(x[both]) > 0 and np.ptp(y[both]) > 1e-12 * np.abs(x[both]).max():
            with np.errstate(divide="ignore", invalid="ignore"):
                found = float(np.corrcoef(x[both], y[both])[0, 1])
            r = float(np.clip(found, -1, 1)) if np.isfinite(found) else None
        report.row(
            cls.result, variable=name, part=part, n=len(y), missing=len(whole) - len(y),
            mean=y.mean() if len(y) else None, sd=y.std(ddof=1) if len(y) > 1 else None, r=r,
        )  # fmt: skip

    @classmethod
    def _draw(cls, report: Report, column: Column, found: InTime, parts: dict[str, Floats], form: Any) -> None:
        cells = column.numbers[found.order]
        places = thin(cells)
        main = next(iter(parts))
        for series, values in ((column.title, cells), (main, parts[main])):
            _add(report, cls.points, places, values, "series", series)
        if form.method == "stl":
            for part, values in {
                "原序列": cells,
                **{key: one for key, one in parts.items() if key != "季节调整"},
            }.items():
                _add(report, cls.parts, thin(cells, 240), values, "part", part)


def _add(report: Report, table: Points, places: Any, values: Floats, key: str, name: str) -> None:
    y = values[places]
    known = ~np.isnan(y)
    report.add_rows(table, {"step": places[known] + 1, "value": y[known], key: [name] * int(known.sum())})


def _judge(form: Any) -> None:
    if form.method == "savgol" and (form.window % 2 == 0 or form.window <= form.polyorder):
        odd = max(form.window | 1, form.polyorder + 1 + form.polyorder % 2)
        remedy = SetRemedy(title=f"窗口改为 {odd}", set={"window": odd})
        text_ = "Savitzky-Golay 窗口必须为奇数且大于多项式阶"
        raise Refusal("smooth.savgol", text_, field="window", remedies=[remedy])
    if form.method == "median" and form.align == "center" and form.window % 2 == 0:
        remedy = SetRemedy(title=f"窗口改为 {form.window + 1}", set={"window": form.window + 1})
        raise Refusal("smooth.even", "居中的中值滤波要用奇数窗口", field="window", remedies=[remedy])
    if form.method in BAND and form.low >= form.high:
        raise Refusal("smooth.band", "最短周期应小于最长周期", field="low")


def _parts(column: Column, found: InTime, form: Any) -> dict[str, Floats]:
    """Each result over the ordered rows, the main one first; ends without a value stay empty."""
    cells = column.numbers[found.order]
    there = np.flatnonzero(~np.isnan(cells))
    least = max(LEAST.get(form.method, 2), form.window if form.method in WINDOWS else 0)
    if form.method == "stl":
        least = 2 * form.period
    elif form.method == "bk":
        least = 2 * form.leads + 1
    n = len(there)
    if n < least:
        text_ = {
            "stl": f"STL 至少需要两个完整周期：“{column.title}”有 {n} 期，周期 {form.period} 要 {least} 期",
            "bk": f"“{column.title}”只有 {n} 期，截断 K = {form.leads} 时至少要 {least} 期",
        }.get(
            form.method,
            f"窗口 {form.window} 大于数据长度 {n}"
            if form.method in WINDOWS
            else f"“{column.title}”只有 {n} 期，至少要 {least} 期",
        )
        field = {"stl": "period", "bk": "leads"}.get(form.method, "window" if form.method in WINDOWS else "variables")
        raise Refusal("smooth.short", text_, field=field, column=column.id)
    if np.abs(cells[there]).max() > 1e100:
        raise Refusal(
            "smooth.magnitude", f"“{column.title}”的数值太大，请换一个单位", field="variables", column=column.id
        )
    span = slice(int(there[0]), int(there[-1]) + 1)
    inside = cells[span]
    if form.method in GAPLESS and np.isnan(inside).any():
        k = int(np.isnan(inside).sum())
        text_ = f"“{column.title}”中间有 {k:,} 个缺失值，{METHODS[form.method]}不能有缺失，请先填补"
        remedy = StepRemedy(title="填补缺失", step="data_processing/missing_value", columns=[column.id])
        raise Refusal("smooth.gaps", text_, field="variables", column=column.id, remedies=[remedy])
    if form.method == "stl" and n > LONGEST_STL:
        text_ = f"“{column.title}”有 {n:,} 期，STL 最多 {LONGEST_STL:,} 期，请先汇总到更粗的时间"
        raise Refusal("smooth.long", text_, field="variables", column=column.id)
    made = {}
    for part, values in _work(inside, found.at[span], form).items():
        made[part] = np.full(len(cells), np.nan)
        made[part][span] = values
    return made


def _work(x: Floats, at: Floats, form: Any) -> dict[str, Floats]:
    centred = form.align == "center"
    match form.method:
        case "moving_average":
            return {"平滑": smoothers.moving_average(x, form.window, centred)}
        case "median":
            return {"平滑": smoothers.moving_median(x, form.window, centred)}
        case "exponential":
            return {"平滑": smoothers.exponential(x, form.alpha)}
        case "savgol":
            return {"平滑": savgol_filter(x, form.window, form.polyorder, mode="interp")}
        case "lowess":
            return {"平滑": smoothers.lowess(x, at, form.frac)}
        case "detrend_linear":
            return {"去趋势": x - smoothers.straight(x, at)}
        case "hp":
            trend = smoothers.hodrick_prescott(x, form.lamb)
            return {"趋势": trend, "周期": x - trend}
        case "bk":
            return {"周期": smoothers.baxter_king(x, form.low, form.high, form.leads)}
        case "cf":
            cycle = smoothers.christiano_fitzgerald(x, form.low, form.high)
            return {"周期": cycle, "趋势": x - cycle}
        case _:
            trend, seasonal = smoothers.stl(x, form.period)
            return {"季节调整": x - seasonal, "趋势": trend, "季节": seasonal, "残差": x - trend - seasonal}
