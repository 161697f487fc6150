from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    claim,
    figure,
    integer,
    many,
    num,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.families.time_series.residuals import correlogram_lags, drawn_bounds
from hengxi.families.time_series.series import SeriesForm, read_series
from hengxi.stats.moments import Floats
from hengxi.stats.serial import autocorrelation, partial_from
from hengxi.stats.unit_roots import (
    Trend,
    UnitRoot,
    choose_lag,
    dickey_fuller,
    dickey_fuller_gls,
    dickey_fuller_rows,
    gls_detrended,
    kpss,
    longest_lag,
    phillips_perron,
    regress,
    zivot_andrews,
)

TESTS = {"adf": "ADF", "pp": "PP", "kpss": "KPSS", "dfgls": "DF-GLS", "za": "Zivot-Andrews"}
TRENDS: dict[str, Trend] = {"none": "n", "constant": "c", "trend": "ct"}
TREND_WORDS = {"n": "无", "c": "常数", "ct": "常数和趋势"}
LEAST = 12
DRAWN = 600
ARIMA = "econometric/arima"


class Adf(Method):
    """Unit root tests at the series and its differences, until it is stationary."""

    title, title_en = "单位根检验（ADF/PP/KPSS/DF-GLS）", "Unit root tests"
    family, tier = "时间序列", "standard"
    purpose = "序列是否平稳，需要几次差分才平稳"
    aliases = ("ADF检验", "平稳性检验", "单位根", "单整", "KPSS", "PP检验", "DF-GLS", "Zivot-Andrews", "Dickey-Fuller")
    references = (
        "dickey1979", "mackinnon1994", "phillips1988", "kpss1992", "elliott1996", "zivot1992", "schwert1989",
    )  # fmt: skip
    conventions = (
        "滞后按准则在各阶共有的行上选，最多 ⌈12(T/100)^0.25⌉（Schwert）；选定后用能用的全部行重新估计。",
        "ADF、PP 的 p 值按 MacKinnon (1994) 的近似分布，临界值按 MacKinnon (2010)。",
        "KPSS、PP 的长期方差用三角核，滞后 ⌊4(T/100)^0.25⌋；KPSS 的 p 只在 .01 到 .10 之间插值。",
        "DF-GLS 含趋势时、Zivot-Andrews 只有渐近临界值，没有 p。Zivot-Andrews 两头各去掉 15%。",
        "自动（序贯）：ADF 回归里的趋势项 |t| 大于 1.96 时含常数和趋势，否则只含常数。",
    )
    missing = "keep"
    row_order = True

    class Input(SeriesForm):
        y: Column = role("时间序列", "定量", each=True, max=20)
        tests: list[str] = many("检验", TESTS, default=("adf",), min=1)
        trend: str = choice("确定项", {"constant": "常数", "none": "无", "trend": "常数和趋势", "auto": "自动（序贯）"})
        lag: str = choice("滞后选择", {"aic": "AIC", "bic": "BIC", "t": "t统计量", "fixed": "固定"})
        max_lag: int | None = integer("最大滞后", None, least=0, most=60, auto="12·(T/100)^0.25")
        max_diff: int = integer("最多差分次数", 2, least=0, most=3)

    result = Table(
        "单位根检验", test=text("检验"), d=integer("差分阶数"), trend=text("确定项"), lag=integer("滞后"),
        statistic=num("统计量"), p=pvalue(), one=num("1% 临界值"), five=num("5% 临界值"), ten=num("10% 临界值"),
        aic=num("AIC"), verdict=text("结论"), place="main",
        claim=claim("named", stat("统计量", "statistic"), names=("test",)),
    )  # fmt: skip
    order = Table("单整阶数", test=text("检验"), found=text("阶数"), place="main")
    series = Points("序列", period=text("时间"), value=num("取值"), which=text("序列"))
    plot = Chart("原序列与差分", "line", of=series, x="period", y="value", facet="which", place="main")
    correlogram = Points("自相关", lag=integer("滞后阶"), acf=num("ACF"), pacf=num("PACF"))
    acf_plot = Chart("原序列的 ACF", "bar", of=correlogram, x="lag", y="acf")
    pacf_plot = Chart("原序列的 PACF", "bar", of=correlogram, x="lag", y="pacf")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{cls.title}：{form.about}"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        first = form["y"][0] if form["y"] else None
        return [
            NextStep(title="用 ARIMA 建模", method=ARIMA, form={"y": first, "time": form["time"]}),
            NextStep(title="加做 KPSS 检验", method="hypothesis_test/adf", form={**form, "tests": ["adf", "kpss"]}),
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        series = read_series(form, least=LEAST)
        n = series.n
        if form.max_lag is not None and form.max_lag >= n / 2 - 2:
            raise Refusal(
                "data.lag", "最大滞后须小于 T/2 − 2（T = {n}），现为 {k}", field="max_lag", n=n, k=form.max_lag,
                remedies=[SetRemedy(title="自动", set={"max_lag": None})],
            )  # fmt: skip
        series.state(report)
        orders: dict[str, int | None] = {}
        for name in form.tests:
            orders[name] = cls._one(report, form, name, series.y)
            found = orders[name]
            words = f"多于 {form.max_diff} 次差分" if found is None else f"I({found})"
            report.row(cls.order, test=TESTS[name], found=words)
        report.note(
            cls.result,
            "原假设：ADF、PP、DF-GLS、Zivot-Andrews 为有单位根（不平稳），KPSS 为平稳。统计量小于（KPSS 为大于）"
            "5% 临界值时拒绝。",
        )
        report.note(cls.order, "I(d)：差分 d 次后平稳。")
        cls._draw(report, form, series, max((d for d in orders.values() if d is not None), default=form.max_diff))
        cls._say(report, form, series.title, n, orders)
        return report

    @classmethod
    def _one(cls, report: Report, form: Any, name: str, y: Floats) -> int | None:
        for d in range(form.max_diff + 1):
            x = np.diff(y, n=d)
            if x.size < LEAST - form.max_diff or not np.ptp(x) > 1e-10 * max(float(np.abs(y).max()), 1e-300):
                return d if d else None
            trend = cls._trend(form, x)
            found = cls._tested(form, name, x, trend)
            if name == "kpss":
                stationary = not found.statistic > found.critical[1]
            else:
                stationary = found.statistic < found.critical[1]
            used = trend if name == "adf" or trend != "n" or name == "pp" else "c"
            report.row(
                cls.result, test=TESTS[name], d=d, trend=TREND_WORDS[used], lag=found.lag, statistic=found.statistic,
                p=found.p, one=found.critical[0], five=found.critical[1], ten=found.critical[2], aic=found.aic,
                verdict="平稳" if stationary else "不平稳",
            )  # fmt: skip
            if stationary:
                return d
        return None

    @classmethod
    def _most(cls, form: Any, x: Floats, trend: Trend) -> int:
        most = longest_lag(x.size, trend)
        return most if form.max_lag is None else min(form.max_lag, max(0, x.size // 2 - 3))

    @classmethod
    def _lag(cls, form: Any, x: Floats, trend: Trend) -> int:
        most = cls._most(form, x, trend)
        return most if form.lag == "fixed" else choose_lag(x, trend, form.lag, most)

    @classmethod
    def _trend(cls, form: Any, x: Floats) -> Trend:
        if form.trend != "auto":
            return TRENDS[form.trend]
        lag = cls._lag(form, x, "ct")
        fit = regress(*dickey_fuller_rows(x, lag, lag, "ct"))
        return "ct" if abs(float(fit.t[-1])) > 1.959963984540054 else "c"

    @classmethod
    def _tested(cls, form: Any, name: str, x: Floats, trend: Trend) -> UnitRoot:
        other: Trend = "c" if trend == "n" else trend
        if name == "kpss":
            return kpss(x, other)
        if name == "pp":
            return phillips_perron(x, trend)
        if name == "dfgls":
            rest = gls_detrended(x, other)
            most = cls._most(form, x, other)
            lag = most if form.lag == "fixed" else choose_lag(rest, "n", form.lag, most)
            return dickey_fuller_gls(x, other, lag)
        if name == "za":
            return zivot_andrews(x, other, cls._lag(form, x, "ct"))
        return dickey_fuller(x, trend, cls._lag(form, x, trend))

    @classmethod
    def _draw(cls, report: Report, form: Any, series: Any, most: int) -> None:
        for d in range(min(most, 2) + 1):
            x = np.diff(series.y, n=d)
            at = np.arange(x.size) if x.size <= DRAWN else np.unique(np.linspace(0, x.size - 1, DRAWN).astype(int))
            report.add_rows(
                cls.series,
                {
                    "period": [series.label(int(k) + d) for k in at], "value": x[at],
                    "which": ["原序列" if d == 0 else f"{d} 阶差分"] * at.size,
                },
            )  # fmt: skip
        report.chart(cls.plot, titles={"x": series.axis, "y": series.title})
        lags = min(correlogram_lags(series.n), (series.n - 1) // 2)
        r = autocorrelation(series.y, lags)
        report.add_rows(cls.correlogram, {"lag": np.arange(1, lags + 1), "acf": r[1:], "pacf": partial_from(r)})
        drawn_bounds(report, (cls.acf_plot, cls.pacf_plot), series.n)

    @classmethod
    def _say(cls, report: Report, form: Any, y: str, n: int, orders: dict[str, int | None]) -> None:
        known = set(orders.values())
        names = "、".join(TESTS[name] for name in orders)
        if len(known) == 1:
            d = next(iter(known))
            if d is None:
                words = f"差分 {form.max_diff} 次后仍不平稳" if form.max_diff else "不平稳（没有要求差分）"
            else:
                words = "是平稳的" if d == 0 else f"不平稳，差分 {d} 次后平稳"
            lead = f"“{{y}}”{words}（{names}，5% 水平）。"
        else:
            each = "，".join(f"{TESTS[name]} 为 {'更高阶' if d is None else f'I({d})'}" for name, d in orders.items())
            lead = f"“{{y}}”是否平稳，各检验不一致：{each}。"
        first = orders[next(iter(orders))]
        report.lead(lead, [figure("结论", "更高阶" if first is None else f"I({first})", names)], y=y)
        todo = "建模前按这个次数差分；ARIMA 的 d 就取这个数。" if known - {0} else "可以直接建模，不必差分。"
        if len(known) > 1:
            todo = "不一致时，序列可能是趋势平稳或有断点：改含趋势再做，或加做 Zivot-Andrews 检验。"
        report.say(todo, voice="student")
        report.say(f"对 {{n:integer}} 期序列作单位根检验（{names}）：" + lead, voice="paper", y=y, n=n)
        report.say(lead, voice="brief", y=y)
