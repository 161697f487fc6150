from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Level,
    Method,
    MethodRemedy,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Silent,
    Table,
    alternative,
    choice,
    claim,
    confidence,
    counted,
    filled,
    flag,
    integer,
    interval,
    num,
    number,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import two_levels
from hengxi.methods.hypothesis_test._shared.finding import UNASSIGNED, Estimate, Finding
from hengxi.stats import poisson_rates
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, number_words

METHODS = {"exact": "精确条件", "score": "得分", "wald": "Wald", "mid_p": "mid-p"}
MOST_EVENTS = 1e12
EVENTS = "事件须互不影响、发生率在暴露期内不变，请按资料的来源自行判断。"


@dataclass(frozen=True)
class Rate:
    name: str
    events: int
    exposure: float
    pearson: float
    """Σ(x − λt)²/(λt) over the rows, λ the rate itself."""
    rows: int

    @property
    def value(self) -> float:
        return self.events / self.exposure


class PoissonRateTest(Method):
    """Events of all rows added up; one rate against a given one, or the ratio of two groups."""

    title, title_en = "泊松率检验", "Poisson rate test"
    family, tier = "率与计数检验", "standard"
    purpose = "单位时间/面积的事件发生率是否等于给定值或两组相等"
    aliases = (
        "发病率",
        "率比",
        "人年",
        "缺陷率",
        "事故率",
        "Garwood",
        "incidence rate ratio",
        "poisson test",
        "过离散",
    )
    references = ("garwood1936", "przyborowski1940", "bortkiewicz1898")
    conventions = (
        "各行的事件数、暴露量分别相加；没有暴露量时每行算 1 个单位。",
        "精确条件：双侧 p 为概率不大于观察到的全部结果之和（与 R 的 poisson.test 相同）；mid-p 双侧为较小一侧的两倍。",
        "两组：给定事件总数，第一组的事件数服从二项分布；率比 = 第一组 ÷ 第二组，区间与所选方法一致。",
        "率表的区间一律用 Garwood 精确法（双侧）；率差的区间用 Wald 法（双侧）。",
        "过离散：χ² = Σ(x − λt)²/(λt)，λ 为所在组的率；方差/均值比 = χ² ÷ 自由度。",
    )
    weights = ("frequency",)
    min_rows = 1

    class Input(Form):
        events: Column = role("事件数", "定量")
        exposure: Column | None = role("暴露量（人年、面积等，选填）", "定量", hint="不填时每行算 1 个单位")
        group: Column | None = role("分组变量（选填）", "定类")
        weight: Column | None = counted()
        groups: list[Level] = two_levels.field("超过两类时须选出两类；率比 = 第一个 ÷ 第二个")
        rate0: float = number(
            "检验率/率比", 1, above=0, hint="没有分组时为要比较的率，有分组时为要比较的率比，通常是 1"
        )
        method: str = choice("方法", METHODS)
        alternative: str = alternative("大于、小于指率对检验率，或第一组对第二组")
        conf_level: float = confidence()
        dispersion: bool = flag("过离散检验", True)

    result = Table(
        "检验结果", method=text("方法"), measure=text("估计"), value=num("值", least=0),
        ci=interval("CI", "low", "high", around="value"), null=num("检验值"), z=num("*Z*"), p=pvalue(), place="main",
        claim=claim("named", stat("*Z*", "z"), names=("method",), interval="ci"),
    )  # fmt: skip
    rates = Table(
        "率", sample=text("样本"), events=integer("事件数"), exposure=num("暴露量", least=0), rate=num("率", least=0),
        ci=interval("CI", "low", "high", around="rate"), place="main",
    )  # fmt: skip
    gap = Table("率差", value=num("率差"), ci=interval("CI", "low", "high", around="value"), when={"group": filled})
    spread = Table(
        "过离散检验", ratio=num("方差/均值比", least=0), chi2=num("χ²", least=0), df=integer("*df*"), p=pvalue(),
        when={"dispersion": True}, claim=Silent("told by its check"),
    )  # fmt: skip
    bars = Points("率与区间", sample=text("样本"), rate=num("率"), low=num("下限"), high=num("上限"))
    plot = Chart("率图", "interval", of=bars, x="sample", y="rate", low="low", high="high", place="main")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.events.title}的泊松率检验"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"y": form["events"], "exposure": form.get("exposure")}
        return [
            NextStep(title="控制其他变量再比较（泊松回归）", method="statistical/poisson_regression", form=start),
            NextStep(
                title="按另一个变量分层再检验", method="hypothesis_test/poisson_rate_test", form=form, seek=["_split"]
            ),
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        rates = cls._rates(form)
        for rate in rates:
            low, high = (end / rate.exposure for end in poisson_rates.interval("exact", rate.events, form.conf_level))
            cells: dict[str, Any] = {"sample": rate.name, "rate": rate.value, "low": low, "high": high}
            report.row(cls.rates, events=rate.events, exposure=rate.exposure, **cells)
            report.row(cls.bars, **cells)
        report.note(cls.rates, "CI 的置信水平为 {level:percent}（Garwood 精确法）。", level=form.conf_level)
        cls._judge_wald(form, rates)
        if len(rates) == 1:
            cls._single(report, form, rates[0])
        else:
            cls._pair(report, form, rates)
        if form.dispersion:
            cls._dispersion(report, rates)
        return report

    # ---- data ------------------------------------------------------------------------------------------------------
    @classmethod
    def _rates(cls, form: Any) -> list[Rate]:
        x = form.events.numbers
        t = np.ones(x.size) if form.exposure is None else form.exposure.numbers
        wrong = (x < 0) | (x != np.round(x))
        if wrong.any():
            raise Refusal(
                "data.count", "事件数必须是非负整数：“{v}”里有 {value}，请换一个变量或先改正", field="events",
                column=form.events.id, v=form.events.title, value=number_words(float(x[wrong][0])),
            )  # fmt: skip
        if (t <= 0).any():
            raise Refusal(
                "data.positive", "暴露量必须大于0：“{v}”里有 {value}，请换一个变量或先去掉这些行", field="exposure",
                column=form.exposure.id, v=form.exposure.title, value=number_words(float(t[t <= 0][0])),
            )  # fmt: skip
        counts = frequencies(form.weight)
        f = np.ones(x.size) if counts is None else counts
        if float(x @ f) > MOST_EVENTS or not 1e-100 < float(t @ f) < 1e100:
            raise Refusal(
                "data.magnitude", "事件数或暴露量太大，请换一个单位", field="events", also=["exposure"],
                column=form.events.id,
            )  # fmt: skip
        if form.group is None:
            return [cls._rate(form.events.title, x, t, f)]
        many = "分组变量“{v}”有 {k} 个类别，请在“比较的两组”中选两组"
        pair = two_levels.chosen(form, many, cls._regression())
        words = level_words(pair)
        places = {level.value: level.code for level in form.group.levels}
        rates = []
        for level, word in zip(pair, words, strict=True):
            inside = form.group.codes == places[level.value]
            rates.append(cls._rate(word, x[inside], t[inside], f[inside]))
        if sum(rate.events for rate in rates) == 0:
            raise Refusal(
                "data.constant", "两组都没有发生事件（“{v}”全是 0），无法比较", field="events", column=form.events.id,
                v=form.events.title,
            )  # fmt: skip
        return rates

    @staticmethod
    def _regression() -> MethodRemedy:
        return MethodRemedy(title="改用泊松回归", method="statistical/poisson_regression", carry=[])

    @staticmethod
    def _rate(name: str, x: Floats, t: Floats, f: Floats) -> Rate:
        events, exposure = float(x @ f), float(t @ f)
        rate = events / exposure
        pearson = float(f @ ((x - rate * t) ** 2 / t)) / rate if rate > 0 else 0.0
        return Rate(name, round(events), exposure, pearson, round(float(f.sum())))

    @staticmethod
    def _judge_wald(form: Any, rates: list[Rate]) -> None:
        if form.method == "wald" and any(rate.events == 0 for rate in rates):
            raise Refusal(
                "data.few", "“{g}”的事件数为 0，Wald 法不能用，请改用精确条件", field="method",
                g=next(rate.name for rate in rates if rate.events == 0),
                remedies=[SetRemedy(title="改用精确条件", set={"method": "exact"})],
            )  # fmt: skip

    # ---- tests -----------------------------------------------------------------------------------------------------
    @classmethod
    def _single(cls, report: Report, form: Any, rate: Rate) -> None:
        z, p = poisson_rates.test(form.method, rate.events, form.rate0 * rate.exposure, form.alternative)
        ends = poisson_rates.interval(form.method, rate.events, form.conf_level, form.alternative)
        low, high = (end / rate.exposure for end in ends)
        report.row(
            cls.result, method=METHODS[form.method], measure="率", value=rate.value, low=low, high=high,
            null=form.rate0, z=z, p=p,
        )  # fmt: skip
        word = "高于" if rate.value > form.rate0 else "低于"
        Finding(
            test=f"泊松率检验（{METHODS[form.method]}）", statistic="*Z* = {z:num}" if z is not None else "", p=p,
            level=form.conf_level, side=form.alternative,
            shown=f"“{{y}}”的率{word}检验率 {{value}}",
            asked=f"“{{y}}”的率{'低于' if form.alternative == 'less' else '高于'} {{value}}",
            nothing="没有发现“{y}”的率与检验率 {value} 有明显差异",
            compared="“{y}”的率与检验率 {value}",
            observed="共 {x:integer} 次事件，暴露量 {t:num}，率为 {rate:num}，检验率为 {value}",
            estimate=Estimate("率", rate.value, low, high, form.rate0),
            caution=EVENTS,
            facts={
                "y": rate.name, "value": number_words(form.rate0), "x": rate.events, "t": rate.exposure,
                "rate": rate.value, "z": z,
            },
        ).write(report)  # fmt: skip

    @classmethod
    def _pair(cls, report: Report, form: Any, rates: list[Rate]) -> None:
        a, b = rates
        x, t = (float(a.events), float(b.events)), (a.exposure, b.exposure)
        z, p = poisson_rates.ratio_test(form.method, x, t, form.rate0, form.alternative)
        low, high = poisson_rates.ratio_interval(form.method, x, t, form.conf_level, form.alternative)
        ratio = a.value / b.value if b.events > 0 else float("inf")
        report.row(
            cls.result, method=METHODS[form.method], measure=f"率比（{a.name} ÷ {b.name}）", value=ratio, low=low,
            high=high, null=form.rate0, z=z, p=p,
        )  # fmt: skip
        gap, gap_low, gap_high = poisson_rates.difference(x, t, form.conf_level)
        report.row(cls.gap, value=gap, low=gap_low, high=gap_high)
        report.note(cls.gap, "率差 = “{first}” − “{second}”。", first=a.name, second=b.name)
        plain = form.rate0 == 1
        times = "" if plain else "的 {value} 倍"
        less = form.alternative == "less"
        Finding(
            test=f"泊松率比检验（{METHODS[form.method]}）", statistic="*Z* = {z:num}" if z is not None else "", p=p,
            level=form.conf_level, side=form.alternative,
            shown=f"“{{first}}”组“{{y}}”的率{'高于' if ratio > form.rate0 else '低于'}“{{second}}”组{times}",
            asked=f"“{{first}}”组“{{y}}”的率{'低于' if less else '高于'}“{{second}}”组{times}",
            nothing=f"没有发现“{{first}}”组“{{y}}”的率与“{{second}}”组{times}有明显差异",
            compared="“{first}”组与“{second}”组“{y}”的率",
            observed="“{first}”组 {x1:integer} 次事件、暴露量 {t1:num}，率为 {r1:num}；"
            "“{second}”组 {x2:integer} 次、{t2:num}，率为 {r2:num}",
            estimate=Estimate("率比", ratio, low, high, form.rate0) if b.events > 0 else None,
            caution=EVENTS + UNASSIGNED,
            facts={
                "y": form.events.title, "first": a.name, "second": b.name, "x1": a.events, "t1": a.exposure,
                "r1": a.value, "x2": b.events, "t2": b.exposure, "r2": b.value, "z": z,
                "value": number_words(form.rate0),
            },
        ).write(report)  # fmt: skip

    @classmethod
    def _dispersion(cls, report: Report, rates: list[Rate]) -> None:
        df = sum(rate.rows - 1 for rate in rates if rate.events > 0)
        if df < 1:
            report.skip(cls.spread, "每组只有一行，看不出行与行之间的波动")
            return
        chi2 = sum(rate.pearson for rate in rates)
        p = float(stats.chi2.sf(chi2, df))
        report.row(cls.spread, ratio=chi2 / df, chi2=chi2, df=df, p=p)
        over = p < 0.05
        report.check(
            "过离散", "fail" if over else "pass",
            "方差/均值比 {ratio:num}，χ²({df:integer}) = {chi2:num}，*p* {p:peq}。"
            + (
                "各行的波动比泊松分布大，上面的 *p* 偏小、区间偏窄，请用负二项回归对照。" if over
                else "没有发现波动超过泊松分布。"
            ),
            remedies=[
                MethodRemedy(title="改用负二项回归", method="statistical/negative_binomial_regression", carry=[])
            ] if over else [],
            ratio=chi2 / df, df=df, chi2=chi2, p=p,
        )  # fmt: skip
