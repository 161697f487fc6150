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
    Panel,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Silent,
    Table,
    choice,
    figure,
    integer,
    num,
    pvalue,
    role,
    text,
)
from hengxi.families.time_series.residuals import correlogram_lags, drawn_bounds
from hengxi.families.time_series.series import SeriesForm, read_series
from hengxi.stats.moments import Floats
from hengxi.stats.serial import (
    autocorrelation,
    bartlett_errors,
    cross_correlation,
    partial_by_burg,
    partial_by_ols,
    partial_from,
    portmanteau,
)
from hengxi.stats.unit_roots import differences_by_kpss

METHODS = {"yule_walker": "Yule-Walker", "ols": "OLS", "burg": "Burg"}
Z95 = 1.959963984540054
ARIMA = "econometric/arima"


class AcfPacf(Method):
    """Autocorrelations with Bartlett's errors, partial ones three ways, and what they suggest for p and q."""

    title, title_en = "自相关与偏自相关（ACF/PACF）", "ACF and PACF"
    family, tier = "时间序列", "standard"
    rescaled = (("y",),)
    purpose = "序列与自身滞后相关多强，提示 AR、MA 各几阶"
    aliases = ("自相关图", "偏自相关图", "相关图", "ACF", "PACF", "定阶", "互相关", "CCF")
    references = ("box2015", "brockwell1991", "ljung1978")
    conventions = (
        "自相关的分母为 n，与 R 的 acf 相同；标准误按 Bartlett 公式：第 k 阶假定序列是 k − 1 阶移动平均。",
        "PACF 默认 Yule-Walker（与 R 的 pacf 相同）；OLS 用各阶能用的全部行；Burg 用前向、后向误差。",
        "定阶建议：先作 KPSS 检验（5%）看是否平稳；截尾的阶数是此后超出 ±1.96/√n 的不超过一成的最小阶数；"
        "最后以 ARIMA 的信息准则为准。",
    )
    missing = "keep"
    row_order = True

    class Input(SeriesForm):
        y2: Column | None = role("另一序列（可选，互相关）", "定量")
        lags: int | None = integer("滞后阶数", None, least=1, most=200, auto="10·log10(n)")
        diff: int = integer("差分阶", 0, least=0, most=3)
        season: int | None = integer("季节差分周期", None, least=2, most=366, auto="不做")
        pacf_method: str = choice("PACF算法", METHODS)

    coefficients = Table(
        "自相关与偏自相关", lag=integer("滞后阶"), acf=num("ACF", least=-1, most=1),
        se=num("标准误（Bartlett）", least=0),
        pacf=num("PACF"), q=num("*Q*（Ljung-Box）", least=0), p=pvalue(), place="main",
        claim=Silent("read together as a picture; the suggestion tells them"),
    )  # fmt: skip
    suggestion = Table(
        "定阶建议", acf=text("ACF"), pacf=text("PACF"), model=text("提示"), p=integer("p"), d=integer("d"),
        q=integer("q"),
    )  # fmt: skip
    cross = Table(
        "互相关", lag=integer("滞后 k"), r=num("r(k)", least=-1, most=1), outside=text("超出 ±1.96/√n"),
    )  # fmt: skip
    points = Points("相关图", lag=integer("滞后阶"), acf=num("ACF"), pacf=num("PACF"))
    acf_plot = Chart("ACF", "bar", of=points, x="lag", y="acf", place="main")
    pacf_plot = Chart("PACF", "bar", of=points, x="lag", y="pacf", place="main")
    panel = Panel("相关图", acf_plot, pacf_plot, place="main")
    cross_plot = Chart("互相关", "bar", of=cross, x="lag", y="r")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{cls.title}：{form.y.title}"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        return [NextStep(title="用 ARIMA 建模", method=ARIMA, form={"y": form["y"], "time": form["time"]})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        series = read_series(form, [form.y2] if form.y2 is not None else [])
        x = cls._differenced(form, series.y)
        lags = form.lags or min(correlogram_lags(x.size), (x.size - 1) // 2)
        if lags >= x.size / 2:
            raise Refusal(
                "data.lags", "PACF 滞后阶须小于序列长度的一半：现在 {k} 阶，差分后有 {n} 期", field="lags", k=lags,
                n=x.size, remedies=[SetRemedy(title="用默认阶数", set={"lags": None})],
            )  # fmt: skip
        series.state(report)
        r = autocorrelation(x, lags)
        partial = {"yule_walker": lambda: partial_from(r), "ols": lambda: partial_by_ols(x, lags)}.get(
            form.pacf_method, lambda: partial_by_burg(x, lags)
        )()
        se = bartlett_errors(r, x.size)
        for k in range(1, lags + 1):
            tested = portmanteau(x, k)
            report.row(
                cls.coefficients, lag=k, acf=float(r[k]), se=float(se[k - 1]), pacf=float(partial[k - 1]),
                q=tested.statistic, p=tested.p,
            )  # fmt: skip
        name = METHODS[form.pacf_method]
        report.note(cls.coefficients, f"PACF 用 {name} 算法。*Q* 检验前 k 阶自相关都为 0。虚线为 ±1.96/√n。")
        report.add_rows(cls.points, {"lag": np.arange(1, lags + 1), "acf": r[1:], "pacf": partial})
        drawn_bounds(report, (cls.acf_plot, cls.pacf_plot), x.size)
        cls._cross(report, form, series, lags)
        cls._suggest(report, form, series.title, x, r[1:], partial)
        return report

    @classmethod
    def _differenced(cls, form: Any, y: Floats) -> Floats:
        x = y
        if form.season is not None and form.season < x.size:
            x = x[form.season :] - x[: -form.season]
        x = np.diff(x, n=form.diff)
        if x.size < 6 or not np.ptp(x) > 1e-10 * max(float(np.abs(y).max()), 1e-300):
            raise Refusal(
                "data.line", "“{v}”差分后没有变化，或只剩 {k} 期，请减少差分", field="diff", also=["y"],
                column=form.y.id, v=form.y.title, k=x.size,
            )  # fmt: skip
        return np.asarray(x)

    @classmethod
    def _cross(cls, report: Report, form: Any, series: Any, lags: int) -> None:
        if form.y2 is None:
            report.skip(cls.cross, "没有放另一序列")
            return
        a, b = cls._differenced(form, series.y), series.exog[:, 0]
        if form.season is not None and form.season < b.size:
            b = b[form.season :] - b[: -form.season]
        b = np.diff(b, n=form.diff)
        if not np.ptp(b) > 0:
            text = "“{v}”没有变化，不能算互相关"
            raise Refusal("data.constant", text, field="y2", column=form.y2.id, v=form.y2.title)
        found, bound = cross_correlation(a, b, lags), Z95 / float(np.sqrt(a.size))
        for k, value in zip(range(-lags, lags + 1), found, strict=True):
            report.row(cls.cross, lag=k, r=float(value), outside="是" if abs(value) > bound else "")
        drawn_bounds(report, (cls.cross_plot,), a.size)
        report.note(
            cls.cross, "r(k) 是“{y}”的第 t + k 期与“{x}”的第 t 期的相关：k 为正时“{x}”在前。"
            "两个序列各有自相关或趋势时，"
            "互相关会虚高，请先差分。", y=form.y.title, x=form.y2.title,
        )  # fmt: skip

    @classmethod
    def _suggest(cls, report: Report, form: Any, y: str, x: Floats, r: Floats, partial: Floats) -> None:
        n = x.size
        bound = Z95 / float(np.sqrt(n))
        q, p = _cut(r, bound), _cut(partial, bound)
        facts: dict[str, Any] = {"y": y, "first": float(r[0])}
        order: tuple[int | None, int, int | None]
        if differences_by_kpss(x, 1):
            words, model, order = "KPSS 检验认为序列不平稳", "先差分一次", (None, form.diff + 1, None)
        elif p == 0 and q == 0:
            words, model, order = "几乎没有超出界限的自相关，像白噪声", "不需要 AR、MA 项", (0, form.diff, 0)
        elif q < p:
            words, model, order = f"ACF 在 {q} 阶后截尾", f"MA({q})", (0, form.diff, q)
        elif p < q:
            words, model, order = f"PACF 在 {p} 阶后截尾", f"AR({p})", (p, form.diff, 0)
        else:
            words, model, order = "ACF 与 PACF 差不多同时截尾", f"AR({p})、MA({q}) 或 ARMA", (p, form.diff, q)
        report.row(cls.suggestion, acf=_shape(q, p), pacf=_shape(p, q), model=model, p=order[0], d=order[1], q=order[2])
        report.note(
            cls.suggestion, "截尾：此后超出 ±1.96/√n 的阶数不超过一成。这只是提示，最后看 ARIMA 的信息准则和残差。"
        )
        facts |= {"words": words, "model": model}
        report.lead(
            "“{y}”：{words}，提示 {model}。第 1 阶自相关 {first:num}。",
            [figure("提示", model), figure("第 1 阶 ACF", "{first:num}", "超出虚线才算相关")],
            **facts,
        )
        report.say(
            "自相关超出虚线，说明前期的值对现在有用。看图只能大致定阶，请再用 ARIMA 的自动定阶核对。",
            voice="student",
        )
        report.say(
            "对 {n:integer} 期序列计算 ACF 与 PACF（界限 ±{bound:num}）：{words}，提示 {model}。",
            voice="paper",
            n=n,
            bound=bound,
            **facts,
        )
        report.say("{words}，提示 {model}。", voice="brief", **facts)


def _cut(values: Floats, bound: float) -> int:
    """The least k after which no more than a tenth (at least one) of the lags lie outside."""
    outside = np.abs(values) > bound
    for k in range(values.size):
        if int(outside[k:].sum()) <= max(1, (values.size - k) // 10) and not outside[k]:
            return k
    return int(values.size)


def _shape(own: int, other: int) -> str:
    return "没有超出" if own == 0 else f"{own} 阶后截尾" if own <= other else "拖尾"
