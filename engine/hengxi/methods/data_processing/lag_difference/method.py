"""Lags, leads, differences, growth, running sums and moving statistics, within individuals and in order of time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from hengxi.contract import (
    Chart,
    Column,
    ColumnToBe,
    Form,
    Points,
    Processing,
    Refusal,
    Report,
    SetRemedy,
    Table,
    few_of,
    figure,
    flag,
    integer,
    many,
    num,
    role,
    text,
)
from hengxi.methods.data_processing._shared.in_time import InTime, in_time, thin
from hengxi.methods.data_processing._shared.rows import tell

Floats = npt.NDArray[np.float64]
OPERATIONS = {
    "lag": "滞后", "lead": "领先", "diff": "差分", "seasonal_diff": "季节差分", "pct": "增长率", "log_diff": "对数差分",
    "cumsum": "累计和", "cumprod": "累乘", "rolling_mean": "移动平均", "rolling_sd": "移动标准差", "ewm": "指数加权",
}  # fmt: skip
BY_PERIODS = ("lag", "lead", "diff", "pct", "log_diff")
BY_WINDOW = ("rolling_mean", "rolling_sd", "ewm")


class LagDifference(Processing):
    """Every series is worked on by itself: nothing reaches from one individual into the next."""

    title, title_en = "滞后与差分", "Lag, lead, difference"
    family, tier = "数据处理", "standard"
    purpose = "生成滞后项、领先项、差分、增长率、累计"
    aliases = ("滞后", "差分", "增长率", "移动平均", "累计", "lag", "lead", "diff", "pct_change", "rolling")
    references = ("wickham2014",)
    conventions = (
        "放入时间变量时按时间的先后计算，没有放入时按行的先后；放入个体变量时各个体分开算，不跨个体。",
        "滞后按上一条有时间的记录取，不按日历：缺一个月时，滞后 1 期是更早的那个月。",
        "差分 = xₜ − xₜ₋ₖ，增长率 = xₜ/xₜ₋ₖ − 1，对数差分 = ln xₜ − ln xₜ₋ₖ，季节差分的 k 是季节周期。",
        "累计和、累乘跳过缺失，缺失的行结果缺失。移动平均和移动标准差要窗口内都有值；标准差除以 n − 1。",
        "移动窗口默认向后看（含当期）；居中窗口用奇数。指数加权 α = 2/(窗口 + 1)，从第一个值开始递推，跳过缺失。",
    )
    row_order = True
    reads_names = True

    class Input(Form):
        variables: list[Column] = role("处理变量", "定量", max=None)
        time: Column | None = role("时间变量", "任意", min=0, hint="不放时按行的先后")
        group: list[Column] = role("个体变量（面板，选填）", "任意", min=0, max=2)
        operation: list[str] = many("运算", OPERATIONS, default=("lag",), min=1)
        periods: int = integer("期数", 1, least=1, most=1000)
        season: int = integer("季节周期", 12, least=2, most=366)
        window: int = integer("窗口", 3, least=2, most=1000)
        center: bool = flag("居中窗口", False)

    result = Table(
        "新变量描述", variable=text("变量"), n=integer("有效N"), missing=integer("缺失N"), mean=num("均值"),
        sd=num("标准差", least=0), least=num("最小"), most=num("最大"),
    )  # fmt: skip
    points = Points("序列图", step=integer("次序"), value=num("取值"), series=text("序列"))
    lines = Chart("序列图", "line", of=points, x="step", y="value", series="series")

    @classmethod
    def heading(cls, form: Any) -> str:
        what = "、".join(OPERATIONS[one] for one in form.operation[:3]) + ("等" if len(form.operation) > 3 else "")
        return f"{few_of([column.title for column in form.variables])}的{what}"

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        chosen = [column for column in columns if column.id in form["variables"]]
        return [
            ColumnToBe(name=f"{one.name}_{_suffix(key, form)}", measure="定量", source=one.id)
            for one in chosen
            for key in form["operation"]
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        found = in_time(form.time, form.group, len(form.variables[0]))
        _judge(form, found)
        found.told(report, form.time)
        settings = {"periods": form.periods, "season": form.season, "window": form.window}
        made = 0
        for column in form.variables:
            cells = column.numbers[found.order]
            for key in form.operation:
                with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                    values = _made(key, cells, found, form)
                cls._lost(report, column, key, cells, values, found, form)
                values = np.where(np.isfinite(values), values, np.nan)
                name = f"{column.name}_{_suffix(key, settings)}"
                whole = found.back(values)
                report.make(name, whole, measure="定量", source=column, label=_label(column, key, settings))
                known = whole[~np.isnan(whole)]
                numbers = {"mean": known.mean(), "least": known.min(), "most": known.max()} if len(known) else {}
                sd = known.std(ddof=1) if len(known) > 1 else None
                report.row(cls.result, variable=name, n=len(known), missing=len(whole) - len(known), sd=sd, **numbers)
                if not made:
                    cls._draw(report, column, name, cells, values, found)
                made += 1
        facts: dict[str, Any] = {"k": made, "rows": found.rows, "who": len(found.sizes), "n": found.longest}
        lead = "生成 {k:integer} 个新变量，按{way}计算"
        way = "行的先后" if form.time is None else f"“{form.time.title}”的先后"
        lead += "，{who:integer} 个个体分开算，最长 {n:integer} 期。" if form.group else "，共 {n:integer} 期。"
        student = "开头几期没有更早的值，结果缺失，不是 0。"
        if {"lead"} & set(form.operation):
            student += "领先项用到以后的值，不能用来预测。"
        tell(report, lead, student, [figure("新变量", "{k:integer}", "{n:integer} 期")], way=way, **facts)
        return report

    @classmethod
    def _lost(
        cls, report: Report, column: Column, key: str, cells: Floats, values: Floats, found: InTime, form: Any
    ) -> None:
        """Why a growth cannot be worked out."""
        if key == "pct":
            before = _shift(cells, form.periods, found)
            if k := int(((before == 0) & ~np.isnan(cells)).sum()):
                text_ = "“{v}”含 0，{k:integer} 格的分母是 0，增长率设为缺失。"
                report.warn("lag.zero", text_, columns=[column], v=column.title, k=k)
            if k := int(((before < 0) & ~np.isnan(cells)).sum()):
                text_ = "“{v}”有 {k:integer} 格的分母是负数，增长率的正负没有通常的含义。"
                report.warn("lag.negative", text_, columns=[column], v=column.title, k=k)
        elif key == "log_diff" and (k := int((cells <= 0).sum())):
            text_ = "“{v}”有 {k:integer} 个值不是正数，不能取对数，相应的对数差分缺失。"
            report.warn("lag.log", text_, columns=[column], v=column.title, k=k)
        elif key == "cumprod" and (k := int(np.isinf(values).sum())):
            report.warn(
                "lag.large",
                "“{v}”的累乘有 {k:integer} 格太大，无法表示，记为缺失。",
                columns=[column],
                v=column.title,
                k=k,
            )

    @classmethod
    def _draw(cls, report: Report, column: Column, name: str, cells: Floats, values: Floats, found: InTime) -> None:
        """The first variable and operation, of the first individual."""
        size = int(found.sizes[0]) if len(found.sizes) else 0
        places = thin(cells[:size])
        for series, y in ((column.title, cells[:size][places]), (name, values[:size][places])):
            known = ~np.isnan(y)
            names = [series] * int(known.sum())
            report.add_rows(cls.points, {"step": places[known] + 1, "value": y[known], "series": names})
        if len(found.sizes) > 1:
            report.note(cls.lines, "只画第一个变量、第一种运算和第一个个体。")


def _suffix(key: str, form: dict[str, Any]) -> str:
    number = form["season"] if key == "seasonal_diff" else form["periods"] if key in BY_PERIODS else form["window"]
    return OPERATIONS[key] + (str(number) if key not in ("cumsum", "cumprod") else "")


def _label(column: Column, key: str, form: dict[str, Any]) -> str | None:
    return None if column.label is None else f"{column.label}（{_suffix(key, form)}）"


def _judge(form: Any, found: InTime) -> None:
    n = found.longest
    chosen = set(form.operation)
    wanted = [
        ("periods", form.periods, "期数", bool(chosen & set(BY_PERIODS))),
        ("season", form.season, "季节周期", "seasonal_diff" in chosen),
        ("window", form.window - 1, "窗口", bool(chosen & {"rolling_mean", "rolling_sd"})),
    ]
    for field, k, title, used in wanted:
        if used and k >= n:
            shown = k + 1 if field == "window" else k
            text_ = f"{title} {shown} {'大于' if field == 'window' else '不小于'}序列长度 {n}"
            raise Refusal("lag.long", text_, field=field, k=shown, n=n)
    if form.center and form.window % 2 == 0 and {"rolling_mean", "rolling_sd"} & set(form.operation):
        remedy = SetRemedy(title=f"窗口改为 {form.window + 1}", set={"window": form.window + 1})
        raise Refusal("lag.even", "居中窗口要用奇数，两边才一样多", field="window", remedies=[remedy])


def _shift(cells: Floats, k: int, found: InTime) -> Floats:
    """The value k rows before (k < 0: after) in the same series."""
    out = np.full(len(cells), np.nan)
    places = np.arange(len(cells))
    within = found.within
    ok = within >= k if k > 0 else within + (-k) < np.repeat(found.sizes, found.sizes)
    out[ok] = cells[places[ok] - k]
    return out


def _made(key: str, cells: Floats, found: InTime, form: Any) -> Floats:
    match key:
        case "lag":
            return _shift(cells, form.periods, found)
        case "lead":
            return _shift(cells, -form.periods, found)
        case "diff":
            return cells - _shift(cells, form.periods, found)
        case "seasonal_diff":
            return cells - _shift(cells, form.season, found)
        case "pct":
            return cells / _shift(cells, form.periods, found) - 1
        case "log_diff":
            logs = np.where(cells > 0, np.log(np.where(cells > 0, cells, 1.0)), np.nan)
            return logs - _shift(logs, form.periods, found)
        case _:
            return _running(key, cells, found, form.window, form.center)


def _running(key: str, cells: Floats, found: InTime, window: int, center: bool) -> Floats:
    """By series; sums of what is left after the mean, so that a large level costs no digits."""
    frame = pl.DataFrame({"g": found.series, "x": pl.Series(cells, nan_to_null=True)})
    x = pl.col("x")
    level = x.mean()
    rest = x - level
    expression = {
        "cumsum": x.cum_sum(),
        "cumprod": x.cum_prod(),
        "rolling_mean": rest.rolling_mean(window, center=center) + level,
        "rolling_sd": rest.rolling_std(window, center=center),
        "ewm": x.ewm_mean(span=window, adjust=False, ignore_nulls=True),
    }[key]
    made = frame.select(
        pl.when(x.is_not_null() | pl.lit(key.startswith("rolling"))).then(expression.over("g")).alias("y")
    )
    return made["y"].fill_null(np.nan).to_numpy()
