from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Form,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Silent,
    Table,
    Timeline,
    Visualization,
    choice,
    figure,
    flag,
    integer,
    many,
    num,
    number,
    percent,
    pvalue,
    role,
    text,
    timeline,
)
from hengxi.families.time_series import smoothing
from hengxi.families.time_series.arima_model import Model, fit_chosen, fit_fixed, read_transform
from hengxi.families.time_series.forecasting import naive_scale
from hengxi.families.time_series.series import Series, read_series
from hengxi.families.time_series.smoothing import Fitted
from hengxi.stats.moments import Floats
from hengxi.stats.seasonality import STRONG, find_period, seasonal_strength
from hengxi.stats.serial import portmanteau

MODELS = {
    "naive": "朴素法", "snaive": "季节朴素法", "drift": "漂移法", "ets": "ETS", "holt_winters": "Holt-Winters",
    "arima": "SARIMA（自动定阶）", "theta": "Theta", "regression": "趋势 + 季节回归", "croston": "Croston（间歇需求）",
    "ensemble": "平均组合",
}  # fmt: skip
METRICS = {"mase": "MASE", "mape": "MAPE", "smape": "sMAPE", "rmse": "RMSE", "aicc": "AICc"}
SEASONAL, LEAST, DRAWN, LAGS = ("snaive", "holt_winters"), 8, 300, 24
YEARLY = (4, 12, 52)
"""Periods of a year: quarters, months, weeks."""


class SalesForecast(Visualization):
    """The next periods of a series by the model that forecast its past best."""

    title, title_en = "销量预测", "Sales forecast"
    family, tier = "可视化模型", "member"
    slug = "sales-forecast"
    purpose = "未来若干期的销量大约是多少、有多大把握"
    aliases = ("销售预测", "需求预测", "Holt-Winters", "指数平滑", "ETS", "Croston", "Theta模型")
    references = ("hyndman2021", "hyndman2008", "winters1960", "assimakopoulos2000", "croston1972", "ljung1978")
    conventions = (
        "ETS 为加法误差，趋势无、有、衰减，季节无、加法，取 AICc 最小；给定平滑系数时初始状态由最小二乘解出。",
        "Holt-Winters 的初值由前两个周期的经典分解给出，系数使一步误差的平方和最小（同 R 的 HoltWinters）；"
        "数据全为正时加法、乘法取误差小的，乘法的区间按相对误差近似。",
        "Theta 按 Hyndman 与 Billah：指数平滑加一半的直线斜率，有季节时先除去（同 forecast::thetaf）。",
        "Croston 的平滑系数为 0.1，没有预测区间。平均组合是所选其他模型预测和区间的平均。",
        "滚动回测：起点依次后移一期，每次只用起点以前的数据重新估计（ETS 的形式和 ARIMA 的阶数不重选），预测同样多期，"
        "各次误差合在一起算。",
        "MASE 的分母是全部数据照搬上一周期（没有季节时上一期）的平均绝对误差；sMAPE = 平均 2|y − ŷ|/(|y| + |ŷ|)。",
        "季节周期：先看时间的频率（月 12、季 4、周 52、日 7），没有时取季节强度最大的周期。",
    )
    missing = "keep"
    row_order = True

    class Input(Form):
        y: Column = role("销量", "定量")
        time: Timeline | None = timeline("时间", gaps="keep", required=False, hint="不放时按行的先后")
        exog: list[Column] = role("影响因素（选填，如价格、促销）", "定量", min=0, max=10)
        gaps: str = choice("缺的期", {"linear": "线性插补", "refuse": "指出来，不计算"})
        horizon: int = integer("预测期数", 6, least=1, most=365)
        models: list[str] = many("候选模型", MODELS, default=("snaive", "ets", "holt_winters", "arima"))
        metric: str = choice("选择指标", METRICS)
        backtest: int = integer("滚动回测次数", 3, least=0, most=20, hint="0 为不做，按一步误差选择")
        interval: float = number("预测区间", 0.95, least=0.5, most=0.999)
        season: int = integer("季节周期", 0, least=0, most=366, hint="0 为自动，1 为没有季节")
        nonnegative: bool = flag("预测值不为负", True)

    overview = Table(
        "数据概况", n=integer("期数"), spacing=text("频率"), filled=integer("插补的期"), zeros=percent("零值占比"),
        season=integer("季节周期"), strength=num("季节强度", least=0, most=1, decimals=3), layout="record",
    )  # fmt: skip
    compared = Table(
        "模型比较", model=text("模型"), mase=num("MASE", least=0), mape=percent("MAPE", most=None),
        smape=percent("sMAPE", most=None), rmse=num("RMSE", least=0), aicc=num("AICc"), p=pvalue("Ljung-Box *p*"),
        used=text("采用"), place="main",
        claim=Silent("says whether a model left something over, not what was found in the data"),
    )  # fmt: skip
    parameters = Table("采用模型的参数", name=text("参数"), value=num("估计", decimals=4))
    forecast = Table(
        "预测", period=text("时间"), value=num("预测值"), low=num("下限"), high=num("上限"),
        previous=percent("环比", least=None, most=None), year=percent("同比", least=None, most=None), place="main",
    )  # fmt: skip
    points = Points("历史与预测", period=text("时间"), value=num("销量"), series=text("线"), phase=text("阶段"),
                    low=num("下限"), high=num("上限"))  # fmt: skip
    plot = Chart("历史与预测", "line", of=points, x="period", y="value", series="series", phase="phase", low="low",
                 high="high", place="main")  # fmt: skip
    seasons = Points("季节", position=text("周期内的期"), value=num("销量"), cycle=text("周期"))
    season_plot = Chart("季节图", "line", of=seasons, x="position", y="value", series="cycle", place="detail")
    tests = Points("回测", period=text("时间"), value=num("销量"), series=text("线"))
    test_plot = Chart("回测：实际与预测", "line", of=tests, x="period", y="value", series="series",
                      place="detail")  # fmt: skip
    residuals = Points("一步误差", period=text("时间"), value=num("一步误差"))
    residual_plot = Chart("采用模型的一步误差", "point", of=residuals, x="period", y="value", place="detail")

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 5.0 + rows * 0.02 * (1 + int(form.get("backtest") or 0))

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="细看 SARIMA", method="econometric/sarima", form={"y": form["y"], "time": form["time"]})]

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        series = read_series(form, form.exog, LEAST)
        setting = _setting(report, form, series)
        series.state(report)
        strength = seasonal_strength(series.y, setting.m) if setting.m > 1 else None
        report.row(
            cls.overview, n=series.n, spacing=series.spacing.removeprefix("频率："), filled=int(series.filled.size),
            zeros=float(np.mean(series.y == 0)), season=setting.m if setting.m > 1 else None, strength=strength,
        )  # fmt: skip
        candidates = _candidates(form, setting)
        best, metric = _compare(cls, report, form, setting, candidates)
        _tables(cls, report, form, setting, best)
        _figures(cls, report, form, setting, best)
        _words(report, form, setting, best, len(candidates), metric)
        return report


@dataclass(frozen=True)
class Setting:
    form: Any
    series: Series
    m: int
    kinds: list[str]


@dataclass(frozen=True)
class Ends:
    """The next periods; bounds are NaN where the model has none."""

    mean: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True)
class Candidate:
    """A model of the whole series, what it forecasts, and how it did in the periods it was tested on."""

    fitted: Fitted
    ends: Ends
    actual: Floats
    predicted: Floats
    rounds: int
    """Forecasts tested, each of `horizon` periods; 0: one-step errors of the whole series."""

    @property
    def name(self) -> str:
        return self.fitted.words

    def errors(self, scale: float) -> dict[str, float | None]:
        actual, predicted = self.actual, self.predicted
        off = actual - predicted
        both = np.abs(actual) + np.abs(predicted)
        return {
            "mase": float(np.mean(np.abs(off))) / scale if scale > 0 else None,
            "mape": float(np.mean(np.abs(off / actual))) if (actual != 0).all() else None,
            "smape": float(np.mean(2 * np.abs(off) / both)) if (both > 0).all() else None,
            "rmse": float(np.sqrt(np.mean(off**2))), "aicc": self.fitted.aicc,
        }  # fmt: skip


def _setting(report: Report, form: Any, series: Series) -> Setting:
    if form.exog and series.future.shape[0] < form.horizon:
        have = series.future.shape[0]
        raise Refusal(
            "data.future", "使用影响因素时需要提供未来 {h} 期的“{v}”：在最后一期之后加几行，销量留空；现在有 {k} 期",
            field="horizon", also=["exog"], h=form.horizon, v=form.exog[0].title, k=have,
            remedies=[SetRemedy(title=f"只预测 {have} 期", set={"horizon": have})] if have else [],
        )  # fmt: skip
    if not form.models:
        raise Refusal("data.models", "请至少选一个候选模型", field="models")
    m = form.season or series.season or find_period(series.y) or 1
    kinds = [kind for kind in MODELS if kind in form.models]
    if m > 1 and series.n < 2 * m + 1:
        report.warn(
            "data.cycles", "有效期数 {n:integer} 不足两个季节周期（{m:integer}），已只用非季节模型。", n=series.n, m=m
        )
        m = 1
    if m == 1:
        kinds = [kind for kind in kinds if kind not in SEASONAL]
    if (series.y < 0).any():
        at = int(np.argmax(series.y < 0))
        report.warn("data.negative", "{t:text} 的销量为负（退货？），乘法季节和 Croston 不可用。", t=series.label(at))
        kinds = [kind for kind in kinds if kind != "croston"]
        if form.nonnegative:
            report.warn("data.clipped", "“预测值不为负”开着，小于 0 的预测都改成了 0；要预测负值请关掉它。")
    elif not (series.y > 0).any():
        kinds = [kind for kind in kinds if kind != "croston"]
    if form.horizon > series.n / 2:
        report.warn("data.far", "预测期数大于历史期数的一半，区间会非常宽。")
    return Setting(form, series, int(m), [kind for kind in kinds if kind != "ensemble"] or ["naive"])


def _candidates(form: Any, setting: Setting) -> list[Candidate]:
    candidates: list[Candidate] = []
    total = len(setting.kinds) * (1 + form.backtest)
    for done, kind in enumerate(setting.kinds):
        form.progress(done * (1 + form.backtest), total, f"估计{MODELS[kind]}")
        again = _maker(form, setting, kind)
        candidates.append(_tested(form, setting, again(setting.series.n), again))
    if "ensemble" in form.models and len(candidates) > 1:
        candidates.append(_average(candidates))
    return candidates


def _maker(form: Any, setting: Setting, kind: str) -> Callable[[int], Fitted]:
    """The model of the first n periods; what is chosen by the whole series is chosen once."""
    series, m = setting.series, setting.m
    if kind == "arima":
        return _arima(form, setting)
    if kind == "ets":
        shape = smoothing.ets(series.y, m)[1]
        return lambda n: smoothing.ets(series.y[:n], m, shape)[0]
    if kind == "regression":
        rows = np.zeros((series.n + form.horizon, 0))
        if form.exog:
            rows = np.vstack([series.exog, series.future[: form.horizon]])
        return lambda n: smoothing.regression(series.y[:n], m, rows[:n], rows[n:])
    plain: dict[str, Callable[[Floats, int], Fitted]] = {
        "naive": smoothing.naive, "snaive": smoothing.seasonal_naive, "drift": smoothing.drift,
        "holt_winters": smoothing.holt_winters, "theta": smoothing.theta, "croston": smoothing.croston,
    }  # fmt: skip
    return lambda n: plain[kind](series.y[:n], m)


def _arima(form: Any, setting: Setting) -> Callable[[int], Fitted]:
    series, m = setting.series, setting.m
    asked = SimpleNamespace(
        y=form.y, exog=form.exog, ic="aicc", transform="auto", progress=form.progress, time=form.time
    )
    transform = read_transform(asked, series.y)
    seasonal = int(m > 1 and seasonal_strength(transform.forth(series.y), m) > STRONG)
    whole = fit_chosen(asked, series, transform, seasonal, m)

    def again(n: int) -> Fitted:
        if n == series.n:
            return _as_fitted(whole)
        rows = np.vstack([series.exog, series.future])
        part = replace(series, y=series.y[:n], exog=series.exog[:n], future=rows[n:])
        return _as_fitted(fit_fixed(asked, part, transform, whole.orders, whole.constant))

    return again


def _as_fitted(model: Model) -> Fitted:
    """On the scale of the data; the standard error is that of the model's scale and comes back through the ends."""

    def forecast(h: int) -> tuple[Floats, Floats]:
        return model.forecast(h)

    named = list(zip(model.names, np.concatenate((model.fit.params, model.fit.beta)).tolist(), strict=True))
    left = model.series.y[model.lost :] - model.fitted
    aicc = float(model.fit.aicc) if model.transform.is_plain and np.isfinite(model.fit.aicc) else None
    words = model.words + ("" if model.transform.is_plain else f"，{model.transform.words}")
    return Fitted(forecast, np.asarray(left), named, aicc, words, model.transform.back)


def _ends(form: Any, fitted: Fitted, h: int) -> Ends:
    mean, se = fitted.forecast(h)
    z = float(stats.norm.ppf((1 + form.interval) / 2))
    ends = [np.asarray(fitted.back(end)) for end in (mean, mean - z * se, mean + z * se)]
    return Ends(*(np.maximum(end, 0) for end in ends)) if form.nonnegative else Ends(*ends)


def _tested(form: Any, setting: Setting, whole: Fitted, again: Callable[[int], Fitted]) -> Candidate:
    """Forecasts from each origin, or the one-step errors of the whole where there is no room."""
    series, h = setting.series, form.horizon
    least = max(LEAST, 2 * setting.m + 1)
    origins = sorted(series.n - h - back for back in range(form.backtest) if series.n - h - back >= least)
    if not origins:
        actual = series.y[series.n - whole.residuals.size :]
        return Candidate(whole, _ends(form, whole, h), actual, actual - whole.residuals, 0)
    predicted = np.concatenate([_ends(form, again(origin), h).mean for origin in origins])
    actual = np.concatenate([series.y[origin : origin + h] for origin in origins])
    return Candidate(whole, _ends(form, whole, h), actual, predicted, len(origins))


def _average(members: list[Candidate]) -> Candidate:
    with_bounds = [candidate.ends for candidate in members if np.isfinite(candidate.ends.low).all()]
    mean = np.mean([candidate.ends.mean for candidate in members], axis=0)
    gone = np.full(mean.size, np.nan)
    low = np.mean([ends.low for ends in with_bounds], axis=0) if with_bounds else gone
    high = np.mean([ends.high for ends in with_bounds], axis=0) if with_bounds else gone
    shortest = min(candidate.fitted.residuals.size for candidate in members)
    left = np.mean([candidate.fitted.residuals[-shortest:] for candidate in members], axis=0)
    tested = min(candidate.actual.size for candidate in members)
    predicted = np.mean([candidate.predicted[-tested:] for candidate in members], axis=0)
    average = Fitted(lambda h: (mean[:h], gone[:h]), np.asarray(left), [], None, "平均组合")
    return Candidate(
        average, Ends(np.asarray(mean), np.asarray(low), np.asarray(high)), members[0].actual[-tested:],
        np.asarray(predicted), min(candidate.rounds for candidate in members),
    )  # fmt: skip


def _compare(
    cls: type[SalesForecast], report: Report, form: Any, setting: Setting, candidates: list[Candidate]
) -> tuple[Candidate, str]:
    """The model chosen, and the metric it was chosen by."""
    series, m = setting.series, setting.m
    scale = naive_scale(series.y, m if m > 1 else None)
    errors = [candidate.errors(scale) for candidate in candidates]
    metric = _metric(form.metric, errors)

    def value(i: int) -> float:
        measured = errors[i][metric]
        return float("inf") if measured is None else round(measured, 9)

    place = min(range(len(candidates)), key=lambda i: (value(i), i))
    for i, candidate in enumerate(candidates):
        left = candidate.fitted.residuals
        lag = min(LAGS if m == 1 else 2 * m, left.size // 5)
        p = (
            portmanteau(left, lag).p
            if lag > 1 and np.ptp(left) > 1e-12 * max(1.0, float(np.abs(series.y).max()))
            else None
        )
        cells: dict[str, Any] = dict(errors[i])
        report.row(cls.compared, model=candidate.name, **cells, p=p, used="是" if i == place else None)
    if candidates[place].rounds:
        report.note(
            cls.compared, "误差是 {k:integer} 次回测、每次 {h:integer} 期的，MASE 小于 1 比照搬上一{unit:text}好。",
            k=candidates[place].rounds, h=form.horizon, unit="周期" if m > 1 else "期",
        )  # fmt: skip
    else:
        report.note(cls.compared, "没有回测（序列短或次数为 0），误差是一步误差，会偏小。")
    if metric != form.metric:
        report.note(cls.compared, "有的模型算不出 {a:text}（数据里有 0，或模型没有似然），改按 RMSE 选择。",
                    a=METRICS[form.metric])  # fmt: skip
    elif metric == "aicc":
        report.note(cls.compared, "没有 AICc 的模型不参加选择。不同类模型的 AICc 不能严格比较，宜再看 MASE。")
    if form.exog and not {"arima", "regression"} & set(setting.kinds):
        report.note(cls.compared, "影响因素只进入 SARIMA 和趋势 + 季节回归，所选的模型都没有用到它。")
    elif form.exog:
        report.note(cls.compared, "影响因素只进入 SARIMA 和趋势 + 季节回归，其他模型没有用到它。")
    report.note(cls.compared, "Ljung-Box 检验一步误差的自相关，*p* 小说明还有规律没有用上。")
    return candidates[place], metric


def _metric(asked: str, errors: list[dict[str, float | None]]) -> str:
    """What is asked where it can compare all models (AICc: any of them), else RMSE: never two units side by side."""
    known = [each[asked] is not None for each in errors]
    return asked if (any(known) if asked == "aicc" else all(known)) else "rmse"


def _tables(cls: type[SalesForecast], report: Report, form: Any, setting: Setting, best: Candidate) -> None:
    series, m, h = setting.series, setting.m, form.horizon
    for name, value in best.fitted.parameters:
        report.row(cls.parameters, name=name, value=value)
    if not best.fitted.parameters:
        report.skip(cls.parameters, "采用的模型没有要估计的参数")
    mean, low, high = best.ends.mean, best.ends.low, best.ends.high
    past = np.concatenate((series.y, mean))
    season = series.season or m
    for k, period in enumerate(series.labels(series.n, series.n + h)):
        at = series.n + k
        report.row(
            cls.forecast, period=period, value=float(mean[k]), low=_finite(low[k]), high=_finite(high[k]),
            previous=_change(past[at], past[at - 1]),
            year=_change(past[at], past[at - season]) if season > 1 and at >= season else None,
        )  # fmt: skip
    if season > 1 and series.season not in YEARLY:
        report.note(cls.forecast, "“同比”是和 {s:integer} 期前（上一周期）比，不是和上一年比。", s=season)
    report.note(cls.forecast, "区间是 {c:percent} 预测区间，按所选模型计算，没有计入选错模型的可能。", c=form.interval)


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _change(now: float, before: float) -> float | None:
    return float(now / before - 1) if before > 0 else None


def _figures(cls: type[SalesForecast], report: Report, form: Any, setting: Setting, best: Candidate) -> None:
    series, m, h = setting.series, setting.m, form.horizon
    n = series.n
    start = max(0, n - DRAWN)
    mean, low, high = best.ends.mean, best.ends.low, best.ends.high
    report.add_rows(
        cls.points,
        {
            "period": series.labels(start, n + h), "value": np.concatenate((series.y[start:], mean)),
            "series": [series.title] * (n - start + h), "phase": ["past"] * (n - start) + ["future"] * h,
            "low": [None] * (n - start) + [_finite(value) for value in low],
            "high": [None] * (n - start) + [_finite(value) for value in high],
        },
    )  # fmt: skip
    report.chart(cls.plot, titles={"x": series.axis, "y": series.title}, thinned=(n - start, n) if start else None)
    if m > 1:
        first = max(0, n - 8 * m)
        for at in range(first - first % m, n):
            cycle = series.label(at - at % m)
            report.row(cls.seasons, position=str(at % m + 1), value=float(series.y[at]), cycle=f"从 {cycle} 起")
    else:
        report.skip(cls.seasons, "没有季节周期")
    left = best.fitted.residuals
    shown = min(left.size, DRAWN)
    report.add_rows(cls.residuals, {"period": series.labels(n - shown, n), "value": left[-shown:]})
    _draw_tests(cls, report, form, setting, best)


def _draw_tests(cls: type[SalesForecast], report: Report, form: Any, setting: Setting, best: Candidate) -> None:
    series, h = setting.series, form.horizon
    k = best.rounds
    if not k:
        report.skip(cls.tests, "没有回测：次数为 0 或序列太短")
        return
    first = series.n - h - (k - 1)
    report.add_rows(
        cls.tests,
        {"period": series.labels(first, series.n), "value": series.y[first:], "series": ["实际"] * (series.n - first)},
    )
    for i in range(min(k, 6)):
        origin = first + i
        report.add_rows(
            cls.tests,
            {
                "period": series.labels(origin, origin + h), "value": best.predicted[i * h : (i + 1) * h],
                "series": [f"第 {i + 1} 次"] * h,
            },
        )  # fmt: skip


def _words(report: Report, form: Any, setting: Setting, best: Candidate, tried: int, metric: str) -> None:
    series = setting.series
    mean, low, high = best.ends.mean, best.ends.low, best.ends.high
    facts: dict[str, Any] = {
        "name": best.name, "first": float(mean[0]), "low": _finite(low[0]), "high": _finite(high[0]),
        "t": series.label(series.n), "c": form.interval, "v": series.title,
    }  # fmt: skip
    band = "（{c:percent} 区间 {low:num} 到 {high:num}）" if facts["low"] is not None else "（没有预测区间）"
    sentence = "下一期（{t:text}）“{v:text}”预计为 {first:num}" + band + "，用{name:text}预测。"
    report.lead(sentence, [figure("下一期", "{first:num}")], **facts)
    student = "先看预测图：带越宽，把握越小。模型是按它过去预测得有多准挑的。将来若与过去不同，预测就不准。"
    how = f"比较了 {tried} 个模型，按 {METRICS[metric]} 选择。"
    report.voices([(student, {})], [(how + sentence, {})], [(sentence, {})], **facts)
