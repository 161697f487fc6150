"""The fan of a forecast, the held-out end beside a naive forecast, and measures of error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import Band, Chart, Method, Points, Report, Table, interval, num, percent, text
from hengxi.families.time_series.series import Series
from hengxi.stats.moments import Floats

DRAWN = 300
"""So many of the last periods the picture shows."""
Z80, Z95 = float(stats.norm.ppf(0.9)), float(stats.norm.ppf(0.975))
PAST, FITTED = "past", "future"


@dataclass(frozen=True)
class Fan:
    """The next periods with 80 % and 95 % intervals, in the unit of y."""

    mean: Floats
    low80: Floats
    high80: Floats
    low95: Floats
    high95: Floats


def fan(mean: Floats, se: Floats, back: Any = None) -> Fan:
    """`back` undoes a transformation, of the ends as of the middle (so that the middle is a median)."""
    ends = (mean, mean - Z80 * se, mean + Z80 * se, mean - Z95 * se, mean + Z95 * se)
    return Fan(*(ends if back is None else (back(end) for end in ends)))


@dataclass(frozen=True)
class Errors:
    mae: float
    rmse: float
    mape: float | None
    """A share; None where an observed value is 0."""
    mase: float | None


def naive_scale(y: Floats, season: int | None) -> float:
    """Mean absolute one-step (or one-season) change: what MASE is in units of."""
    lag = season if season is not None and y.size > season else 1
    return float(np.mean(np.abs(y[lag:] - y[:-lag])))


def errors(actual: Floats, predicted: Floats, scale: float) -> Errors:
    off = actual - predicted
    mae = float(np.mean(np.abs(off)))
    mape = float(np.mean(np.abs(off / actual))) if (actual != 0).all() else None
    return Errors(mae, float(np.sqrt(np.mean(off**2))), mape, mae / scale if scale > 0 else None)


def naive(y: Floats, h: int, season: int | None) -> list[tuple[str, Floats]]:
    """The last value again; the last season again where there is one."""
    found = [("朴素法（照搬最后一期）", np.full(h, y[-1]))]
    if season is not None and season > 1 and y.size >= season:
        found.append(("季节朴素法（照搬上一周期）", np.resize(y[-season:], h)))
    return found


def default_holdout(n: int, horizon: int, season: int | None) -> int:
    """As far as the forecast goes, a fifth of the series at most; none where too little is left."""
    most = min(horizon, n // 5)
    return most if most >= 1 and n - most >= max(20, 2 * (season or 0)) else 0


class Forecasting(Method):
    """Tables and pictures of a forecast; the method fills them by `write_forecast` and `write_holdout`."""

    holdout_table = Table(
        "留出检验", name=text("方法"), mae=num("MAE", least=0), rmse=num("RMSE", least=0),
        mape=percent("MAPE", most=None), mase=num("MASE", least=0), place="main",
    )  # fmt: skip
    forecast = Table(
        "预测", period=text("时间"), value=num("预测值"), band80=interval("80% 区间", "low80", "high80"),
        band95=interval("95% 区间", "low95", "high95"), place="main",
    )  # fmt: skip
    fan_points = Points(
        "拟合与预测", period=text("时间"), value=num("取值"), series=text("线"), phase=text("阶段"), low=num("下限"),
        high=num("上限"),
    )  # fmt: skip
    fan_plot = Chart(
        "观测、拟合与预测", "line", of=fan_points, x="period", y="value", series="series", phase="phase", low="low",
        high="high", over=[Band(forecast, x="period", low="low80", high="high80")], place="main",
    )  # fmt: skip
    held_points = Points("留出期", period=text("时间"), value=num("取值"), series=text("线"))
    held_plot = Chart("留出期：观测与预测", "line", of=held_points, x="period", y="value", series="series")


def write_forecast(report: Report, cls: Any, series: Series, fitted: Floats, found: Fan, lost: int) -> None:
    """`fitted`: one-step values of the periods from `lost` on."""
    n, h = series.n, found.mean.size
    ahead = series.labels(n, n + h)
    for k in range(h):
        report.row(
            cls.forecast, period=ahead[k], value=float(found.mean[k]), low80=float(found.low80[k]),
            high80=float(found.high80[k]), low95=float(found.low95[k]), high95=float(found.high95[k]),
        )  # fmt: skip
    start = max(0, n - DRAWN)
    labels = series.labels(start, n)
    report.add_rows(
        cls.fan_points,
        {
            "period": labels + ahead,
            "value": np.concatenate((series.y[start:], found.mean)),
            "series": [series.title] * (n - start + h),
            "phase": [PAST] * (n - start) + [FITTED] * h,
            "low": [None] * (n - start) + found.low95.tolist(),
            "high": [None] * (n - start) + found.high95.tolist(),
        },
    )
    first = max(start, lost)
    if fitted.size:
        report.add_rows(
            cls.fan_points,
            {
                "period": series.labels(first, n), "value": fitted[first - lost :], "series": ["拟合"] * (n - first),
                "phase": [PAST] * (n - first), "low": [None] * (n - first), "high": [None] * (n - first),
            },
        )  # fmt: skip
    thinned = (n - start, n) if start else None
    report.chart(cls.fan_plot, titles={"x": series.axis, "y": series.title}, thinned=thinned)
    lines = "拟合是每期按此前数据作的一步预测；虚线是预测" if fitted.size else "虚线是预测"
    report.note(cls.fan_plot, f"{lines}，深、浅色带是 80% 和 95% 预测区间。")


def write_holdout(
    report: Report, cls: Any, series: Series, held: int, predicted: Floats, name: str, note: str, season: int | None
) -> tuple[Errors, Errors] | None:
    """`predicted`: what the model, fitted without the last `held` periods, says of them. Errors: its, and those of the
    better naive forecast. `season`: that of the model, in whose changes MASE is measured."""
    if held == 0:
        for element in (cls.holdout_table, cls.held_points):
            report.skip(element, "没有留出检验期（序列较短，或留出检验期数为 0）")
        return None
    before, actual = series.y[:-held], series.y[-held:]
    scale = naive_scale(before, season)
    plain = naive(before, held, season or series.season)
    own, others = errors(actual, predicted, scale), [errors(actual, values, scale) for _, values in plain]
    for title, one in zip((name, *(title for title, _ in plain)), (own, *others), strict=True):
        report.row(cls.holdout_table, name=title, mae=one.mae, rmse=one.rmse, mape=one.mape, mase=one.mase)
    periods = series.labels(series.n - held, series.n)
    for title, values in (("观测", actual), (name, predicted), *plain):
        report.add_rows(cls.held_points, {"period": periods, "value": values, "series": [title] * held})
    report.chart(cls.held_plot, titles={"x": series.axis, "y": series.title})
    report.note(
        cls.holdout_table,
        "留出最后 {held:integer} 期：" + note + "MASE 小于 1，说明误差小于此前数据里照搬上一期（周期）的平均误差。"
        + ("" if own.mape is not None else "观测值有 0，不算 MAPE。"),
        held=held,
    )  # fmt: skip
    return own, min(others, key=lambda one: one.mae)
