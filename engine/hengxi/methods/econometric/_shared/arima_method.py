"""What ARIMA and its seasonal form share: tables, pictures, sentences."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Ellipse,
    Formula,
    MethodRemedy,
    Points,
    Report,
    SetRemedy,
    Silent,
    Table,
    choice,
    figure,
    flag,
    integer,
    interval,
    num,
    percent,
    pvalue,
    role,
    text,
)
from hengxi.families.time_series.arima_model import Model, two_sided
from hengxi.families.time_series.forecasting import (
    Errors,
    Fan,
    Forecasting,
    default_holdout,
    errors,
    fan,
    naive_scale,
    write_forecast,
    write_holdout,
)
from hengxi.families.time_series.residuals import Left, ResidualChecks, write_residuals
from hengxi.families.time_series.series import SeriesForm
from hengxi.stats.moments import Floats
from hengxi.stats.unit_roots import choose_lag, dickey_fuller, kpss, longest_lag

CRITERIA = {"aicc": "AICc", "aic": "AIC", "bic": "BIC"}
CONVENTIONS = (
    "精确极大似然：序列与外生变量先作 d 次（及季节）差分，对差分后的序列求新息算法的精确正态似然；前 d 期不进入似然。"
    "R 的 arima(method=\"ML\") 对差分项用方差很大的先验，结果与此相差约 10⁻⁶。",
    "标准误由观测信息矩阵（Hessian）得到；statsmodels 默认的 OPG 标准误与此不同。",
    "均值（d = 0）或漂移（d = 1）是回归系数：y 减去它之后才是 ARMA；方程里的常数 c = 均值 ×（1 − Σφ），两者都列出。",
    "移动平均的符号：1 + θ₁B + …（与 R 相同，SPSS、教材里的 θ 常取反号）。",
    "σ² = 残差平方和 / 差分后的期数；AIC、AICc、BIC 把 σ² 计为参数，期数取差分后的期数。",
    "自动定阶：KPSS 检验（5%，滞后 ⌊3√T/13⌋）定差分次数，再按准则逐步搜索 p、q ≤ 5（Hyndman-Khandakar，同 R "
    "forecast::auto.arima，approximation = FALSE）；根距单位圆 1% 以内的模型排除。",
    "预测区间不含系数估计的误差；变换后的预测还原为中位数，区间两端同样还原。",
)  # fmt: skip


class ArimaForm(SeriesForm):
    exog: list[Column] = role(
        "外生变量（可选）", "定量", min=0, max=10,
        hint="预测需要它的未来值：在最后一期之后加几行，填好时间和外生变量，时间序列留空",
    )  # fmt: skip
    auto: bool = flag("自动定阶", True)
    ic: str = choice("定阶准则", dict(CRITERIA), when={"auto": True})


class ArimaMethod(ResidualChecks, Forecasting):
    family = "时间序列"
    missing = "keep"
    row_order = True

    stationarity = Table(
        "平稳性检验", series=text("序列"), adf=num("ADF *τ*"), lag=integer("滞后"), p=pvalue("ADF *p*"),
        critical=num("ADF 5% 临界值"), kpss=num("KPSS", least=0), kpss_critical=num("KPSS 5% 临界值"),
        verdict=text("KPSS 结论"), claim=Silent("decides how often to difference; told by the orders chosen"),
    )  # fmt: skip
    search = Table(
        "定阶过程", model=text("模型"), constant=text("常数"), aic=num("AIC"), aicc=num("AICc"), bic=num("BIC"),
        note=text("说明"), when={"auto": True},
    )  # fmt: skip
    coefficients = Table(
        "参数估计", name=text("参数"), b=num("估计值", stars="p"), se=num("标准误", least=0, around="b"), z=num("*z*"),
        p=pvalue(), ci=interval("95% CI", around="b"), place="main",
        claim=Silent("parameters of the series' own dynamics: a sentence on one of them would tell nothing"),
    )  # fmt: skip
    summary = Table(
        "模型拟合", layout="record", n=integer("期数 *T*"), used=integer("差分后期数"), sigma2=num("σ²", least=0),
        constant=num("常数 c"), lam=num("Box-Cox λ"), ll=num("对数似然"), aic=num("AIC"), aicc=num("AICc"),
        bic=num("BIC"), r2=num("*R*²", most=1), rmse=num("RMSE", least=0), mae=num("MAE", least=0),
        mape=percent("MAPE", most=None), mase=num("MASE", least=0),
    )  # fmt: skip
    equation = Formula("模型方程")
    roots = Points("特征根的倒数", re=num("实部"), im=num("虚部"), kind=text("部分"))
    circle = Points("单位圆", x=num("x"), y=num("y"), a=num("a"), b=num("b"), angle=num("角"))
    root_plot = Chart(
        "单位圆与特征根的倒数", "point", of=roots, x="re", y="im", series="kind",
        over=[Ellipse(circle, x="x", y="y", a="a", b="b", angle="angle")],
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{cls.title}：{form.y.title}"


def write_stationarity(report: Report, cls: Any, model: Model, z: Floats, first: str) -> None:
    """The series and its differences, up to one more than was taken."""
    for d in range(min(model.orders.d + 1, 2) + 1):
        x = np.diff(z, n=d)
        if x.size < 10 or np.ptp(x) <= 1e-10 * max(float(np.abs(z).max()), 1e-300):
            break
        lag = choose_lag(x, "c", "aic", longest_lag(x.size, "c"))
        adf, still = dickey_fuller(x, "c", lag), kpss(x, "c", int(3 * np.sqrt(x.size) / 13))
        report.row(
            cls.stationarity, series=first if d == 0 else f"{d} 阶差分", adf=adf.statistic, lag=lag, p=adf.p,
            critical=adf.critical[1], kpss=still.statistic, kpss_critical=0.463,
            verdict="不平稳" if still.statistic > 0.463 else "平稳",
        )  # fmt: skip
    if not report.rows_of(cls.stationarity):
        report.skip(cls.stationarity, "序列太短，不作平稳性检验")
        return
    report.note(
        cls.stationarity,
        "ADF 的原假设是有单位根（不平稳），含常数，滞后按 AIC 选；KPSS 的原假设是平稳，统计量大于临界值时拒绝。"
        "自动定阶的差分次数由 KPSS 决定。",
    )


def write_search(report: Report, cls: Any, model: Model, by: str) -> None:
    for one in model.tried:
        chosen = (one.orders, one.constant) == (model.orders, model.constant)
        note = "采用" if chosen else "根接近单位圆，排除" if one.near_one else "无法估计" if one.aic is None else ""
        report.row(
            cls.search, model=f"ARIMA{one.orders.words}", constant="有" if one.constant else "无", aic=one.aic,
            aicc=one.aicc, bic=one.bic, note=note, total=chosen,
        )  # fmt: skip
    report.note(
        cls.search,
        "先试四五个简单的模型，再从最好的一个出发，每次把 p、q 增减 1 或换掉常数，{by} 变小就移过去，直到不再变小；"
        "共试了 {k:integer} 个模型。", by=CRITERIA[by], k=len(model.tried),
    )  # fmt: skip
    if model.stopped:
        report.warn("run.stopped", "定阶在中途停止，采用停止时最好的模型。")


def write_coefficients(report: Report, cls: Any, model: Model) -> None:
    values = np.concatenate((model.fit.params, model.fit.beta))
    if values.size == 0:
        report.skip(cls.coefficients, "这个模型只有 σ²，没有其他参数")
        return
    covariance = model.fit.covariance
    for i, name in enumerate(model.names):
        if covariance is None:
            report.row(cls.coefficients, name=name, b=float(values[i]))
            continue
        se = float(np.sqrt(covariance[i, i]))
        z = float(values[i]) / se
        low, high = model.interval(i, se)
        report.row(cls.coefficients, name=name, b=float(values[i]), se=se, z=z, p=two_sided(z), low=low, high=high)
    if covariance is None:
        report.note(cls.coefficients, "似然在边界上或太平坦，算不出标准误；请减少 p 或 q。")
    report.note(
        cls.coefficients,
        "ar、ma 是自回归、移动平均系数（移动平均取正号，与 R 相同）。精确极大似然，标准误由 Hessian 得到。",
    )


def write_summary(report: Report, cls: Any, model: Model) -> None:
    y = model.series.y
    own = errors(y[model.lost :], model.fitted, naive_scale(y, model.orders.m if model.orders.m > 1 else None))
    fit = model.fit
    report.row(
        cls.summary, n=model.series.n, used=fit.n, sigma2=fit.sigma2, constant=model.intercept,
        lam=None if model.transform.is_plain else model.transform.lam, ll=fit.log_likelihood, aic=fit.aic,
        aicc=fit.aicc if np.isfinite(fit.aicc) else None, bic=fit.bic, r2=model.r2, rmse=own.rmse, mae=own.mae,
        mape=own.mape, mase=own.mase,
    )  # fmt: skip
    scale = "" if model.transform.is_plain else "σ²、对数似然和信息准则在变换后的单位里，误差在原来的单位里。"
    report.note(
        cls.summary,
        f"误差和 *R*² 按样本内的一步预测计算。{scale}空着的项不适用于这个模型。"
        "序列有趋势时 *R*² 总是很大，比较模型看 AICc。",
    )


def write_equation(report: Report, cls: Any, model: Model) -> None:
    o = model.orders
    left = "".join(
        [r"\left(1" + "".join(rf"-\phi_{{{i}}}B^{{{i}}}" for i in range(1, o.p + 1)) + r"\right)"] * (o.p > 0)
        + [r"\left(1" + "".join(rf"-\Phi_{{{i}}}B^{{{i * o.m}}}" for i in range(1, o.P + 1)) + r"\right)"] * (o.P > 0)
    )  # fmt: skip
    right = "".join(
        [r"\left(1" + "".join(rf"+\theta_{{{i}}}B^{{{i}}}" for i in range(1, o.q + 1)) + r"\right)"] * (o.q > 0)
        + [r"\left(1" + "".join(rf"+\Theta_{{{i}}}B^{{{i * o.m}}}" for i in range(1, o.Q + 1)) + r"\right)"] * (o.Q > 0)
    )  # fmt: skip
    difference = (rf"(1-B)^{{{o.d}}}" if o.d else "") + (rf"(1-B^{{{o.m}}})^{{{o.D}}}" if o.D else "")
    series = "y_t" if model.transform.is_plain else r"y_t^{(\lambda)}"
    inside = series + (("-\\mu" if o.d + o.D == 0 else r"-\delta t") if model.has_mean else "")
    columns = "".join(rf"-\beta_{{{j + 1}}}x_{{{j + 1},t}}" for j in range(len(model.form.exog)))
    symbolic = rf"{left}{difference}\left({inside}{columns}\right)={right}\varepsilon_t"
    letters = (
        [rf"\phi_{{{i}}}" for i in range(1, o.p + 1)] + [rf"\theta_{{{i}}}" for i in range(1, o.q + 1)]
        + [rf"\Phi_{{{i}}}" for i in range(1, o.P + 1)] + [rf"\Theta_{{{i}}}" for i in range(1, o.Q + 1)]
        + ([r"\mu" if o.d + o.D == 0 else r"\delta"] if model.has_mean else [])
        + [rf"\beta_{{{j + 1}}}" for j in range(len(model.form.exog))]
    )  # fmt: skip
    values = np.concatenate((model.fit.params, model.fit.beta))
    filled = r",\ ".join(f"{letter}={{e{i}:num}}" for i, letter in enumerate(letters))
    facts: dict[str, Any] = {f"e{i}": float(value) for i, value in enumerate(values)}
    report.formula(cls.equation, symbolic, filled or r"\sigma^2={s2:num}", s2=model.fit.sigma2, **facts)
    report.note(cls.equation, "B 是后移算子，B·y(t) = y(t − 1)；ε 是白噪声。")


def write_roots(report: Report, cls: Any, model: Model) -> None:
    for kind, found in zip(("自回归", "移动平均"), model.fit.roots, strict=True):
        for root in found:
            report.row(cls.roots, re=float(root.real), im=float(root.imag), kind=kind)
    if not report.rows_of(cls.roots):
        report.skip(cls.roots, "没有自回归和移动平均项")
        report.skip(cls.circle, "没有自回归和移动平均项")
        return
    report.row(cls.circle, x=0.0, y=0.0, a=1.0, b=1.0, angle=0.0)
    report.note(cls.root_plot, "点都在圆内，模型平稳、可逆；贴近圆边，多半差分过多或不够。")


def judge_roots(report: Report, model: Model) -> None:
    largest = model.fit.largest_root
    near = largest > 0.99
    report.check(
        "平稳与可逆", "care" if near else "pass",
        "特征根倒数的模最大为 {r:num3}。"
        + ("已贴近 1：差分可能过多或不够，或阶数太高。" if near else "都小于 1，模型平稳、可逆。"),
        r=largest,
    )  # fmt: skip


def write_all(report: Report, cls: Any, model: Model, remedy: str) -> tuple[Fan, tuple[Errors, Errors] | None, Left]:
    """Everything after the orders; `remedy` says what to do where the residuals are not white."""
    form, series = model.form, model.series
    write_coefficients(report, cls, model)
    write_summary(report, cls, model)
    write_equation(report, cls, model)
    left = write_residuals(report, cls, model.fit.residuals, model.orders.free, remedy)
    write_roots(report, cls, model)
    judge_roots(report, model)
    found = fan(*model.forecast(form.horizon), model.transform.back)
    write_forecast(report, cls, series, model.fitted, found, model.lost)
    report.note(
        cls.forecast,
        "实际值有 80%、95% 的可能落在区间里，前提是序列的规律不变；越往后区间越宽。"
        + ("" if model.transform.is_plain else "预测值是还原后的中位数。"),
    )
    held = default_holdout(series.n, form.horizon, series.season) if form.holdout is None else form.holdout
    if series.n - held - model.lost < 3 * (model.orders.free + 2):
        held = 0
    predicted = model.held_out(held) if held else None
    note = "阶数按全部数据定，系数只用之前的数据重新估计。" + ("外生变量用实际值。" if form.exog else "")
    compared = write_holdout(
        report, cls, series, held if predicted is not None else 0, predicted if predicted is not None else np.zeros(0),
        model.words, note, model.orders.m if model.orders.m > 1 else None,
    )  # fmt: skip
    return found, compared, left


def write_words(
    report: Report, model: Model, found: Fan, compared: tuple[Errors, Errors] | None, left: Left, chosen: str
) -> None:
    series, form = model.series, model.form
    n, h = series.n, form.horizon
    facts: dict[str, Any] = {
        "y": series.title, "model": model.words, "first": series.label(n), "last": series.label(n + h - 1),
        "next": float(found.mean[0]), "low": float(found.low95[0]), "high": float(found.high95[0]),
        "end": float(found.mean[-1]), "end_low": float(found.low95[-1]), "end_high": float(found.high95[-1]),
        "h": h, "n": n, "ll": model.fit.log_likelihood, "aicc": model.fit.aicc, "chosen": chosen,
        "sigma2": model.fit.sigma2, "lag": left.lag, "p": left.p,
    }  # fmt: skip
    later = "；到第 {h:integer} 期（{last}）为 {end:num}（{end_low:num} 到 {end_high:num}）" if h > 1 else ""
    opening = f"“{{y}}”的下一期（{{first}}）预测为 {{next:num}}，95% 区间 {{low:num}} 到 {{high:num}}{later}。"
    judged, short = "", ""
    if compared is not None:
        own, other = compared
        facts |= {"own": own.mae, "other": other.mae}
        better = own.mae < other.mae
        short = "留出期的平均误差 {own:num}，照搬旧值的朴素法 {other:num}"
        judged = short + ("，模型更准。" if better else "，模型没有比朴素法更准，预测请慎用。")
    doubt = "" if left.white else "残差还有自相关，模型没有用尽规律。"
    figures = [
        figure("下一期预测", "{next:num}", "95% 区间 {low:num} 到 {high:num}"),
        figure("模型", model.words, chosen),
    ]
    if compared is not None:
        figures.append(figure("留出期平均误差", "{own:num}", "朴素法 {other:num}"))
    lead_facts = {k: v for k, v in facts.items() if k != "p"}
    report.lead(opening + judged + doubt, figures, **lead_facts)
    report.say(
        "采用 {model}，{chosen}。预测只是把以前的规律延续下去；政策、市场变了，就不准。", voice="student", **facts
    )
    report.say("先看预测区间的宽窄，再看留出检验：误差比朴素法小，预测才值得用。", voice="student")
    report.say(
        "以 {n:integer} 期“{y}”建立 {model} 模型（精确极大似然，{chosen}），σ² = {sigma2:num}，对数似然 = {ll:num}。"
        "残差 Ljung-Box Q({lag:integer}) 的 *p* {p:peq}。", voice="paper", **facts,
    )  # fmt: skip
    report.say(f"模型对 {{first}} 的预测为 {{next:num}}，95% 预测区间 [{{low:num}}, {{high:num}}]。{judged}",
               voice="paper", **facts)  # fmt: skip
    report.say("{model} 预测 {first} 为 {next:num}（{low:num} 到 {high:num}）。", voice="brief", **facts)


def remedies_for_seasons(form: Any, season: int | None, path: str) -> list[Any]:
    """Where the series may have seasons and the model has none."""
    if season is None:
        return []
    return [MethodRemedy(title="改用季节性 ARIMA", method=path, carry=["y", "time", "exog"])]


def manual(auto: bool) -> list[Any]:
    return [SetRemedy(title="手工定阶", set={"auto": False})] if auto else []
