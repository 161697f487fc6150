from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    ColumnInfo,
    MethodRemedy,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    integer,
    num,
    numbers,
    text,
)
from hengxi.families.time_series.arima_model import (
    Transform,
    check_exog,
    check_future,
    fit_chosen,
    fit_fixed,
    read_transform,
)
from hengxi.families.time_series.series import Series, read_series
from hengxi.methods.econometric._shared.arima_method import (
    CONVENTIONS,
    CRITERIA,
    ArimaForm,
    ArimaMethod,
    write_all,
    write_search,
    write_stationarity,
    write_words,
)
from hengxi.stats.arma import Orders
from hengxi.stats.moments import Floats
from hengxi.stats.seasonality import STRONG, find_period, seasonal_strength

CYCLES = 8
ARIMA = "econometric/arima"


class Sarima(ArimaMethod):
    """ARIMA with seasonal factors; seasonal differences by the strength of the seasons."""

    title, title_en = "季节性ARIMA（SARIMA）", "Seasonal ARIMA"
    tier = "member"
    purpose = "有周期（如12个月）的序列如何建模与预测"
    aliases = ("SARIMA", "季节模型", "季节预测", "航空模型", "乘积季节模型", "SARIMAX")
    references = ("box2015", "hyndman2008", "hyndman2021", "cleveland1990", "brockwell1991", "kpss1992", "ljung1978")
    conventions = (
        *CONVENTIONS,
        "季节差分：STL 分解（季节窗 11）的季节强度大于 0.64 时取一次（同 forecast::nsdiffs）；"
        "季节强度 = 1 − Var(残差)/Var(季节 + 残差)。",
        "自动识别周期：先看时间的频率（月 12、季 4、周 52、日 7），没有时取季节强度最大的周期，至少要有四个周期。",
        "自动变换：Box-Cox 的 λ（轮廓似然）不大于 0.25 且数据全为正时取对数。",
    )  # fmt: skip

    class Input(ArimaForm):
        period: int | None = integer("周期", None, least=3, most=366, auto="按时间的频率")
        order: dict[str, float | None] = numbers(
            "阶数", (0, 1, 1), names=("p", "d", "q"), whole=True, least=0, most=10, when={"auto": False}
        )
        seasonal_order: dict[str, float | None] = numbers(
            "季节阶数", (0, 1, 1), names=("P", "D", "Q"), whole=True, least=0, most=4, when={"auto": False}
        )
        constant: str = choice(
            "常数", {"auto": "自动（d + D = 0 时有）", "yes": "有", "no": "无"}, when={"auto": False}
        )
        transform: str = choice("变换", {"auto": "自动", "none": "无", "log": "对数", "box_cox": "Box-Cox"})
        horizon: int = integer("预测期数", 24, least=1, most=500)
        holdout: int | None = integer(
            "留出检验期数", None, least=0, most=200, auto="与预测期数相同，不超过五分之一",
            hint="留下最后几期不用，看预测准不准；0 为不做",
        )  # fmt: skip

    season_table = Table(
        "季节性检验", series=text("序列"), strength=num("季节强度", least=0, most=1), limit=num("差分界限"),
        verdict=text("结论"),
    )  # fmt: skip
    cycles = Points("各周期", position=text("周期内位置"), value=num("取值"), cycle=text("周期"))
    cycle_plot = Chart("各周期的走势", "line", of=cycles, x="position", y="value", series="cycle")

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        again = "econometric/sarima"
        return [NextStep(title="换一种变换再做", method=again, form={**form, "transform": "none"})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        series = read_series(form, form.exog)
        period = cls._period(form, series)
        check_future(form, series)
        check_exog(form, series)
        transform = read_transform(form, series.y)
        if form.holdout is not None and series.n - form.holdout < 2 * period:
            raise Refusal("data.holdout", "留出 {h} 期后不足两个周期，请少留几期", field="holdout", h=form.holdout)
        z = transform.forth(series.y)
        if form.auto:
            taken = int(seasonal_strength(z, period) > STRONG)
            model = fit_chosen(form, series, transform, taken, period)
            chosen = f"阶数按 {CRITERIA[form.ic]} 自动选定"
        else:
            model = fit_fixed(form, series, transform, *cls._orders(form, period))
            chosen = "阶数由使用者给定"
        series.state(report)
        cls._seasons(report, z, period, series)
        differenced = Orders(0, 0, 0, 0, model.orders.D, 0, period).difference(z)
        first = "季节差分后" if model.orders.D else "原序列" if transform.is_plain else "变换后的序列"
        write_stationarity(report, cls, model, differenced, first)
        if form.auto:
            write_search(report, cls, model, form.ic)
        found, compared, left = write_all(report, cls, model, "请增大 p、q 或 P、Q。")
        cls._transformed(report, form, transform)
        write_words(report, model, found, compared, left, chosen)
        return report

    @classmethod
    def _period(cls, form: Any, series: Series) -> int:
        period = form.period or series.season or find_period(series.y)
        if period is None or period < 2:
            raise Refusal(
                "data.period", "未发现显著季节性，建议用 ARIMA；知道周期时请填在“周期”里", field="period",
                remedies=[MethodRemedy(title="改用 ARIMA", method=ARIMA, carry=["y", "time", "exog"])],
            )  # fmt: skip
        if series.n < 2 * period + 2:
            raise Refusal(
                "data.cycles", "至少需要两个完整周期（当前 {n} 期，周期 {m}）", field="period", also=["y"], n=series.n,
                m=int(period), remedies=[MethodRemedy(title="改用 ARIMA", method=ARIMA, carry=["y", "time", "exog"])],
            )  # fmt: skip
        return int(period)

    @classmethod
    def _orders(cls, form: Any, period: int) -> tuple[Orders, bool]:
        p, d, q = (int(form.order[key] or 0) for key in ("p", "d", "q"))
        sp, sd, sq = (int(form.seasonal_order[key] or 0) for key in ("P", "D", "Q"))
        if d > 2 or sd > 1:
            raise Refusal(
                "data.order", "差分次数 d 最多 2、D 最多 1，现为 {d}、{sd}",
                field="order" if d > 2 else "seasonal_order",
                d=d, sd=sd,
                remedies=[SetRemedy(title="自动定阶", set={"auto": True})],
            )  # fmt: skip
        constant = d + sd == 0 if form.constant == "auto" else form.constant == "yes" and d + sd <= 1
        return Orders(p, d, q, sp, sd, sq, period), constant

    @classmethod
    def _seasons(cls, report: Report, z: Floats, period: int, series: Series) -> None:
        once = z[period:] - z[:-period]
        for name, x in (("差分前", z), ("季节差分后", once)):
            if x.size < 2 * period + 1 or np.ptp(x) <= 1e-10 * float(np.abs(z).max()):
                continue
            value = seasonal_strength(x, period)
            weak = "不再需要季节差分" if x is once else "不取季节差分"
            verdict = "季节性强，取季节差分" if value > STRONG else weak
            report.row(cls.season_table, series=name, strength=value, limit=STRONG, verdict=verdict)
        report.note(cls.season_table, "周期 {m:integer}。季节强度在 0 到 1 之间，越大季节性越强。", m=period)
        start = max(0, (series.n // period - CYCLES) * period)
        for k in range(start, series.n):
            report.row(
                cls.cycles, position=str(k % period + 1), value=float(series.y[k]),
                cycle=series.label(k // period * period),
            )  # fmt: skip
        report.chart(cls.cycle_plot, titles={"x": "周期内位置", "y": series.title})
        report.note(cls.cycle_plot, "每条线是一个周期，以它的第一期命名；线的形状相近，季节性就稳定。")

    @classmethod
    def _transformed(cls, report: Report, form: Any, transform: Transform) -> None:
        if form.transform == "auto":
            words = "不变换" if transform.is_plain else "取对数（数值越大波动越大）"
            report.note(cls.summary, f"自动变换：{words}。")
