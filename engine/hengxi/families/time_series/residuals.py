"""What a model of a series leaves over: is it white noise, normal, of one variance?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Diagonal,
    Method,
    Panel,
    Points,
    Reference,
    Report,
    Silent,
    Table,
    integer,
    more,
    num,
    pvalue,
    text,
)
from hengxi.stats.moments import Floats
from hengxi.stats.serial import arch_test, autocorrelation, jarque_bera, partial_from, portmanteau

LAGS = (6, 12, 18, 24)
ALPHA = 0.05
QQ_POINTS = 1000


def correlogram_lags(n: int) -> int:
    """10 log10(n), as R's acf."""
    return max(1, min(int(10 * np.log10(n)), n - 1))


def drawn_bounds(report: Report, charts: Any, n: int, titles: dict[str, str] | None = None) -> None:
    bound = 1.959963984540054 / float(np.sqrt(n))
    lines = [Reference(y=bound), Reference(y=-bound)]
    for chart in charts:
        report.chart(chart, over=lines, titles=titles or {})


class ResidualChecks(Method):
    residual_tests = Table(
        "残差检验", test=text("检验"), lag=integer("滞后阶"), statistic=num("统计量", least=0), df=integer("*df*"),
        p=pvalue(), claim=Silent("checks of what the model leaves over; told by its checks"),
    )  # fmt: skip
    correlogram = Points("残差自相关", lag=integer("滞后阶"), acf=num("ACF"), pacf=num("PACF"))
    acf_plot = Chart("残差 ACF", "bar", of=correlogram, x="lag", y="acf")
    pacf_plot = Chart("残差 PACF", "bar", of=correlogram, x="lag", y="pacf")
    correlogram_panel = Panel("残差的自相关", acf_plot, pacf_plot)
    quantiles = Points("正态分位数", theory=num("正态分位数"), sample=num("标准化残差"))
    qq_plot = Chart("残差 Q-Q 图", "point", of=quantiles, x="theory", y="sample", over=[Diagonal()])


@dataclass(frozen=True)
class Left:
    """What the checks found."""

    white: bool
    p: float
    """Of the Ljung-Box test at the longest lag read."""
    lag: int


def write_residuals(report: Report, cls: Any, residuals: Floats, fitted: int, remedy: str) -> Left:
    """`fitted`: parameters of the series' own dynamics, taken off the degrees of freedom."""
    n = residuals.size
    lags = [lag for lag in LAGS if fitted < lag <= n // 2] or [min(fitted + 1, n - 1)]
    found = [portmanteau(residuals, lag, fitted) for lag in lags]
    for lag, one in zip(lags, found, strict=True):
        report.row(cls.residual_tests, test="Ljung-Box", lag=lag, statistic=one.statistic, df=one.df, p=one.p)
    normal = jarque_bera(residuals)
    report.row(cls.residual_tests, test="Jarque-Bera", statistic=normal.statistic, df=2, p=normal.p)
    arch = arch_test(residuals, max(1, min(12, n // 5)))
    if arch is not None:
        report.row(cls.residual_tests, test="ARCH-LM", lag=arch.lags, statistic=arch.lm, df=arch.lags, p=arch.p)
    report.note(
        cls.residual_tests,
        "原假设：Ljung-Box 为残差没有自相关，Jarque-Bera 为残差服从正态分布，ARCH-LM 为残差的方差不随时间成群变化。"
        "*p* 大于 .05 时没有发现问题。ACF、PACF 图的虚线为 ±1.96/√n：残差是白噪声时，约 95% 的条在两线之间。",
    )
    _draw(report, cls, residuals)
    at = min(1, len(lags) - 1)
    read = found[at]
    _judge_white(report, lags[at], read.statistic, read.df, read.p, remedy)
    _judge_shape(report, normal.statistic, normal.p, n)
    if arch is not None:
        _judge_arch(report, arch.lags, arch.lm, arch.p)
    return Left(read.p >= ALPHA, read.p, lags[at])


def _draw(report: Report, cls: Any, residuals: Floats) -> None:
    n = residuals.size
    lags = correlogram_lags(n)
    r = autocorrelation(residuals, lags)
    report.add_rows(cls.correlogram, {"lag": np.arange(1, lags + 1), "acf": r[1:], "pacf": partial_from(r)})
    drawn_bounds(report, (cls.acf_plot, cls.pacf_plot), n)
    x = np.sort(residuals) / float(np.sqrt(np.mean(residuals**2)))
    places = np.arange(n) if n <= QQ_POINTS else np.unique(np.linspace(0, n - 1, QQ_POINTS).astype(int))
    theory = stats.norm.ppf((places + 1 - 0.375) / (n + 0.25))
    report.add_rows(cls.quantiles, {"theory": theory, "sample": x[places]})
    if places.size < n:
        report.chart(cls.qq_plot, thinned=(int(places.size), n))
    report.note(cls.qq_plot, "点贴近对角线，残差就接近正态。")


def _judge_white(report: Report, lag: int, statistic: float, df: int, p: float, remedy: str) -> None:
    good = p >= ALPHA
    report.check(
        "残差白噪声", "pass" if good else "care",
        "Ljung-Box Q({lag:integer}) = {q:num}，*p* {p:peq}。"
        + ("残差里没有发现剩余的自相关。" if good else f"残差还有自相关，模型没有用尽序列里的规律。{remedy}"),
        more=more(
            "模型把规律都用上了，剩下的残差应当前后无关（白噪声）。",
            "Q({lag:integer}) = {q:num}，*df* = {df:integer}，*p* {p:peq}。",
            "残差有自相关时，预测还能更准，区间也不可靠。", remedy,
        ),
        lag=lag, q=statistic, p=p, df=df,
    )  # fmt: skip


def _judge_shape(report: Report, statistic: float, p: float, n: int) -> None:
    good = p >= ALPHA
    report.check(
        "残差正态", "pass" if good else "care",
        "Jarque-Bera = {jb:num}，*p* {p:peq}。"
        + ("残差近似正态。" if good else "残差不像正态分布：点预测不受影响，预测区间只能作参考。"),
        more=more(
            "预测区间按正态分布计算。", "Jarque-Bera = {jb:num}，*p* {p:peq}，共 {n:integer} 个残差。",
            "残差两头太长时，实际值落在区间外的次数会比标明的多。",
            "看残差 Q-Q 图里离对角线远的几期，核对是否录错，或有特别的事件；数值越大波动越大时，先取对数。",
        ),
        jb=statistic, p=p, n=n,
    )  # fmt: skip


def _judge_arch(report: Report, lags: int, lm: float, p: float) -> None:
    good = p >= ALPHA
    report.check(
        "方差稳定", "pass" if good else "care",
        "ARCH-LM({lags:integer}) = {lm:num}，*p* {p:peq}。"
        + ("波动没有成群的现象。" if good else "波动有时大有时小，成群出现：预测区间在平静时偏宽，在动荡时偏窄。"),
        more=more(
            "检验残差的平方是否与前几期的平方有关。", "LM({lags:integer}) = {lm:num}，*p* {p:peq}。",
            "点预测不受影响，区间的宽窄不随波动变化。", "数值越大波动越大时，先取对数；金融收益率用波动模型。",
        ),
        lags=lags, lm=lm, p=p,
    )  # fmt: skip
