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
    Silent,
    Table,
    choice,
    claim,
    figure,
    integer,
    num,
    numbers,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.families.time_series.residuals import correlogram_lags, drawn_bounds
from hengxi.families.time_series.series import SeriesForm, read_series
from hengxi.stats.serial import arch_test, autocorrelation, portmanteau

ALPHA = 0.05
DRAWN = 1000
KINDS = {"ljung_box": "Ljung-Box", "box_pierce": "Box-Pierce"}
ARIMA = "econometric/arima"


class WhiteNoiseTest(Method):
    """Portmanteau tests at the lags asked for, Engle's test of the squares."""

    title, title_en = "白噪声检验（Ljung-Box）", "White noise test"
    family, tier = "时间序列", "standard"
    rescaled = (("y",),)
    purpose = "序列（或残差）是否已无可利用的自相关"
    aliases = ("Ljung-Box", "Box-Pierce", "自相关检验", "Q检验", "残差检验", "ARCH检验", "纯随机性检验")
    references = ("ljung1978", "boxpierce1970", "engle1982")
    conventions = (
        "自相关系数的分母为 n（与 R 的 acf 相同）。自由度 = 滞后 − 已估参数个数。",
        "ARCH-LM 检验对平方序列作自回归，滞后取 min(12, n/5)；LM = (n − 滞后)·R²。",
    )
    missing = "keep"
    row_order = True

    class Input(SeriesForm):
        y: Column = role("时间序列", "定量", each=True, max=20)
        lags: list[float] = numbers("滞后阶", (6, 12, 18, 24), whole=True, least=1, most=500, min=1, max=20,
                                    increasing=True)  # fmt: skip
        model_df: int = integer("已估参数个数", 0, least=0, most=20, hint="检验模型的残差时填 p + q；原序列填 0")
        stat: str = choice("统计量", {"both": "两者", "ljung_box": "Ljung-Box", "box_pierce": "Box-Pierce"})

    result = Table(
        "白噪声检验", test=text("检验"), lag=integer("滞后阶"), q=num("*Q*", least=0), df=integer("*df*"), p=pvalue(),
        verdict=text("结论"), place="main",
        claim=claim("named", stat("*Q*", "q", "df"), names=("test",)),
    )  # fmt: skip
    arch = Table(
        "平方序列的 ARCH 检验", lag=integer("滞后阶"), lm=num("LM", least=0), p=pvalue(), f=num("*F*", least=0),
        df1=integer("*df*1"), df2=integer("*df*2"), p_f=pvalue("*F* 的 *p*"),
        claim=Silent("told by its check"),
    )  # fmt: skip
    series = Points("序列", period=text("时间"), value=num("取值"))
    plot = Chart("序列", "line", of=series, x="period", y="value", place="main")
    correlogram = Points("自相关", lag=integer("滞后阶"), acf=num("ACF"), p=num("p"))
    acf_plot = Chart("自相关（ACF）", "bar", of=correlogram, x="lag", y="acf", place="main")
    p_plot = Chart("各滞后阶的 p 值", "point", of=correlogram, x="lag", y="p")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{cls.title}：{form.about}"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        first = form["y"][0] if form["y"] else None
        return [NextStep(title="用 ARIMA 建模", method=ARIMA, form={"y": first, "time": form["time"]})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        series = read_series(form)
        n, y = series.n, series.y
        lags = [int(lag) for lag in form.lags]
        if max(lags) >= n:
            fits = [lag for lag in lags if lag < n] or [min(6, n - 1)]
            raise Refusal(
                "data.lags", "滞后阶须小于序列长度：最大滞后 {k}，序列只有 {n} 期", field="lags", k=max(lags), n=n,
                remedies=[SetRemedy(title="只留做得到的", set={"lags": fits})],
            )  # fmt: skip
        if min(lags) <= form.model_df:
            raise Refusal(
                "data.df", "滞后 {k} 不大于模型参数数 {m}，自由度为 0，请增大滞后",
                field="lags", also=["model_df"], k=min(lags),
                m=form.model_df,
            )  # fmt: skip
        series.state(report)
        found: dict[tuple[str, int], float] = {}
        for kind in ("ljung_box", "box_pierce") if form.stat == "both" else (form.stat,):
            for lag in lags:
                one = portmanteau(y, lag, form.model_df, kind)
                found[kind, lag] = one.p
                report.row(
                    cls.result, test=KINDS[kind], lag=lag, q=one.statistic, df=one.df, p=one.p,
                    verdict="有自相关" if one.p < ALPHA else "没有发现自相关",
                )  # fmt: skip
        report.note(cls.result, "原假设：前若干阶的自相关都为 0（白噪声）。样本不大时读 Ljung-Box。")
        cls._arch(report, y)
        cls._draw(report, form, series)
        read = "ljung_box" if form.stat != "box_pierce" else "box_pierce"
        cls._say(report, series.title, n, {lag: found[read, lag] for lag in lags}, KINDS[read])
        return report

    @classmethod
    def _arch(cls, report: Report, y: Any) -> None:
        n = y.size
        one = arch_test(y - y.mean(), max(1, min(12, n // 5)))
        if one is None:
            report.skip(cls.arch, "平方序列没有变化，或序列太短")
            return
        report.row(cls.arch, lag=one.lags, lm=one.lm, p=one.p, f=one.f, df1=one.lags, df2=one.df2, p_f=one.p_f)
        report.note(cls.arch, "对减去均值的序列。原假设：平方没有自相关，即波动不成群。")
        good = one.p >= ALPHA
        report.check(
            "波动成群（ARCH）", "pass" if good else "care",
            "LM({lag:integer}) = {lm:num}，*p* {p:peq}。"
            + ("没有发现波动成群。" if good else "波动有时大有时小，成群出现：自相关检验的 *p* 会偏小。"),
            lag=one.lags, lm=one.lm, p=one.p,
        )  # fmt: skip

    @classmethod
    def _draw(cls, report: Report, form: Any, series: Any) -> None:
        n, y = series.n, series.y
        at = np.arange(n) if n <= DRAWN else np.unique(np.linspace(0, n - 1, DRAWN).astype(int))
        report.add_rows(cls.series, {"period": [series.label(int(k)) for k in at], "value": y[at]})
        report.chart(
            cls.plot, titles={"x": series.axis, "y": series.title}, thinned=(at.size, n) if at.size < n else None
        )
        lags = min(max(correlogram_lags(n), int(max(form.lags))), n - 1)
        r = autocorrelation(y, lags)[1:]
        p = [portmanteau(y, k, form.model_df).p if k > form.model_df else None for k in range(1, lags + 1)]
        report.add_rows(cls.correlogram, {"lag": np.arange(1, lags + 1), "acf": r, "p": p})
        drawn_bounds(report, (cls.acf_plot,), n)
        report.note(cls.acf_plot, "虚线为 ±1.96/√n；白噪声约 95% 的条在两线之间。")
        report.note(cls.p_plot, "到该阶为止的 Ljung-Box *p*；小于 .05 的说明有自相关。")

    @classmethod
    def _say(cls, report: Report, y: str, n: int, p: dict[int, float], name: str) -> None:
        hits = [lag for lag, value in p.items() if value < ALPHA]
        lag = min(p, key=lambda k: p[k])
        facts: dict[str, Any] = {"y": y, "lag": lag, "p": p[lag], "n": n, "name": name}
        if hits:
            lead = f"“{{y}}”不是白噪声：{len(p)} 个滞后阶中有 {len(hits)} 个有统计学意义，最小 *p* {{p:peq}}。"
            todo = "序列里还有可以利用的规律，可以用 ARIMA 建模；若是模型的残差，请增大阶数。"
        else:
            lead = f"没有发现“{{y}}”有自相关：{len(p)} 个滞后阶都不显著，最小 *p* {{p:peq}}，可当作白噪声。"
            todo = "前期的值帮不上预测；“不显著”不等于证明了没有自相关，序列短时尤其如此。"
        figures = [figure("最小 *p*", "{p:pvalue}", "滞后 {lag:integer} 阶"), figure("期数", "{n:integer}")]
        report.lead(lead, figures, y=y, lag=lag, p=p[lag], n=n)
        report.say(todo, voice="student")
        report.say("{name} 检验（{n:integer} 期）：" + lead, voice="paper", **facts)
        report.say("{name} 最小 *p* {p:peq}（滞后 {lag:integer} 阶）。", voice="brief", **facts)
