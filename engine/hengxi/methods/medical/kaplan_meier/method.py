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
    Method,
    NextStep,
    Points,
    Report,
    SetRemedy,
    Silent,
    Table,
    Wide,
    adjustment,
    choice,
    claim,
    confidence,
    counted,
    figure,
    filled,
    flag,
    integer,
    interval,
    levels,
    many,
    num,
    number,
    numbers,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.families.survival import words
from hengxi.families.survival.cases import Cases, SurvivalForm, read
from hengxi.stats.contingency import ChiSquare
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats
from hengxi.stats.multiple import adjust
from hengxi.stats.names import level_words, number_words
from hengxi.stats.survival import (
    WEIGHTINGS,
    Curve,
    Ranked,
    bounds,
    fleming_harrington,
    kaplan_meier,
    quantile_bounds,
    ranked,
)

TESTS = {
    "logrank": "Log-rank",
    "gehan": "Breslow（Gehan）",
    "tarone": "Tarone-Ware",
    "peto": "Peto-Peto",
    "fh": "Fleming-Harrington",
}
WAYS = {"plain": "普通", "log": "log", "log_log": "log-log", "logit": "logit", "arcsine": "反正弦"}
GROUPED: dict[str, Any] = {"group": filled}
DRAWN = 900
RISK_TIMES = 6


@dataclass(frozen=True)
class Arm:
    """A group with its curve; `followed`: the curve with censoring as the event."""

    name: str
    rows: Any
    curve: Curve
    followed: Curve

    @property
    def last(self) -> float:
        return float(self.curve.time[-1])


class KaplanMeier(Method):
    title, title_en = "Kaplan-Meier生存分析", "Kaplan-Meier survival analysis"
    family, tier = "生存分析", "standard"
    purpose = "各组的生存率随时间怎样下降，组间差异是否显著？"
    aliases = ("生存曲线", "K-M", "KM曲线", "中位生存时间", "Log-rank", "对数秩检验", "RMST", "删失", "随访")
    references = (
        "kaplan1958", "greenwood1926", "mantel1966", "gehan1965", "tarone1977", "harrington1982", "royston2013",
        "brookmeyer1982", "schemper1996",
    )  # fmt: skip
    conventions = (
        "同一时间既有事件又有删失时，删失算在事件之后。",
        "标准误用 Greenwood 公式；中位时间的区间由生存率的逐点区间读出（Brookmeyer-Crowley）。",
        "曲线恰好停在 0.5 上时，中位时间取这一段的中点。",
        "组间检验用超几何方差；Peto-Peto 的权重为合并生存率 S(t−)，与 R 的 survdiff(rho = 1) 相同。",
        "有分层因素时，检验在各层内计算后相加；曲线和生存时间不分层。",
        "趋势检验按组的顺序计 1、2、3……，用 Log-rank 的权重。",
        "RMST 是曲线到上限为止的面积；差与比（取对数）的区间用正态近似。",
        "中位随访时间用反向 Kaplan-Meier：把删失当作事件。",
    )
    weights = ("frequency",)
    reads_names = True
    min_rows = 2

    class Input(SurvivalForm):
        group: Column | None = role("分组（选填）", "定类", levels=(2, 12))
        strata: Column | None = role("分层因素（选填）", "定类", levels=(1, 50))
        weight: Column | None = counted()
        tests: list[str] = many("组间检验", TESTS, default=("logrank", "gehan"), min=1, when=GROUPED)
        rho: float = number("ρ（早期的权重）", 0, least=0, most=10, when={"tests": "fh"})
        gamma: float = number(
            "γ（晚期的权重）", 1, least=0, most=10, hint="权重 S^ρ(1 − S)^γ；γ 大时看重晚期的差异", when={"tests": "fh"}
        )
        ci: str = choice("区间变换", WAYS, default="log_log")
        times: list[float] = numbers("指定时点", (), least=0, increasing=True, min=0, max=20)
        tau: float | None = number("RMST 上限", None, above=0, auto="各组最长随访中最短的一个")
        adjust: str = adjustment("bonferroni", "none", "bonferroni", "holm", "fdr_bh", when={"group": levels(3, None)})
        trend: bool = flag("趋势检验", False, when={"group": levels(3, None)})
        conf_level: float = confidence()

    summary = Table(
        "个案汇总", group=text("组"), n=integer("*N*"), events=integer("事件"), censored=integer("删失"),
        share=percent("删失占比"), place="main",
    )  # fmt: skip
    survival = Table(
        "生存时间", group=text("组"), median=num("中位"), ci=interval("中位的CI", "low", "high", around="median"),
        q25=num("25% 已发生"), q75=num("75% 已发生"), mean=num("受限均值"), se=num("标准误", least=0, around="mean"),
        place="main",
    )  # fmt: skip
    result = Table(
        "组间检验", test=text("检验"), chi2=num("χ²", least=0), df=integer("*df*"), p=pvalue(), place="main",
        when=GROUPED, claim=claim("named", stat("χ²", "chi2", "df"), names=("test",)),
    )  # fmt: skip
    expected = Table(
        "观察与期望的事件数", group=text("组"), observed=num("观察"), expected=num("期望", least=0),
        ratio=num("观察/期望", least=0), when=GROUPED,
    )  # fmt: skip
    pairs = Table(
        "两两比较", first=text("组I"), second=text("组J"), chi2=num("χ²", least=0), p=pvalue("未校正 *p*"),
        adjusted=pvalue("校正 *p*"), when={"group": levels(3, None)},
        claim=claim("named", stat("χ²", "chi2"), p="adjusted", names=("first", "second")),
    )  # fmt: skip
    at = Table(
        "指定时点的生存率", group=text("组"), time=num("时点"), risk=integer("风险人数"), survival=percent("生存率"),
        se=num("标准误", least=0), ci=interval("CI", "low", "high", around="survival", format="percent"),
        when={"times": filled}, merge=("group",),
    )  # fmt: skip
    areas = Table(
        "限制性平均生存时间（RMST）", group=text("组"), rmst=num("RMST", least=0), se=num("标准误", least=0),
        ci=interval("CI", "low", "high", around="rmst"),
    )  # fmt: skip
    gaps = Table(
        "RMST 的组间比较", pair=text("比较"), gap=num("差"), ci=interval("差的CI", "low", "high", around="gap"),
        p=pvalue(), ratio=num("比", least=0), ratio_ci=interval("比的CI", "ratio_low", "ratio_high", around="ratio"),
        when=GROUPED, claim=Silent("read beside the test of the curves"),
    )  # fmt: skip
    follow = Table(
        "中位随访时间", group=text("组"), median=num("中位随访"),
        ci=interval("CI", "low", "high", around="median"),
    )  # fmt: skip
    risk = Table("风险人数", group=text("组"), layout=Wide(n=integer("人数")), place="main")
    life = Table(
        "生存表", group=text("组"), time=num("时间"), n=integer("风险人数"), events=integer("事件"),
        censored=integer("删失"), survival=percent("生存率"), se=num("标准误", least=0),
        ci=interval("CI", "low", "high", around="survival", format="percent"), merge=("group",),
    )  # fmt: skip
    points = Points(
        "曲线", group=text("组"), time=num("时间"), survival=percent("生存率"), low=percent("l"), high=percent("h"),
        failure=percent("1 − 生存率"), hazard=num("累积风险"), log_time=num("ln(时间)"), log_hazard=num("ln(−ln S)"),
        stair=integer("台阶"), mark=integer("删失"),
    )  # fmt: skip
    plot = Chart(
        "生存曲线", "line", of=points, x="time", y="survival", series="group", low="low", high="high", step="stair",
        mark="mark", place="main",
    )  # fmt: skip
    failures = Chart("累积发生率（1 − S）", "line", of=points, x="time", y="failure", series="group", step="stair")
    hazards = Chart("累积风险（−ln S）", "line", of=points, x="time", y="hazard", series="group", step="stair")
    logs = Chart(
        "对数-对数图", "line", of=points, x="log_time", y="log_hazard", series="group", step="stair", when=GROUPED
    )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        return words.next_steps(form, "medical/kaplan_meier")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        cases = read(form)
        f = frequencies(form.weight)
        arms = _arms(form, cases, f)
        tau = words.upper_limit(form, [arm.last for arm in arms])
        for arm in arms:
            cls._describe(report, form, arm, tau)
        cls._risk(report, arms)
        cls._areas(report, form, arms, tau)
        cls._draw(report, form, arms)
        report.chart(cls.plot, titles={"x": cases.title})
        if len(arms) > 1:
            main = cls._compare(report, form, cases, arms, f)
            cls._say_groups(report, form, cases, arms, main, tau)
            if main[1] is not None:
                cls._check_crossing(report, form, arms)
        else:
            cls._say_single(report, form, cases, arms[0])
        words.check_events(report, [(arm.name, float(arm.curve.events.sum())) for arm in arms])
        words.say_states(report, form, cases)
        report.note(
            cls.survival,
            "受限均值算到 {tau:text} 为止；空格表示随访结束时还没有达到，或估计不出来。",
            tau=number_words(tau),
        )
        return report

    # ---- one group ---------------------------------------------------------------------------------------------------
    @classmethod
    def _describe(cls, report: Report, form: Any, arm: Arm, tau: float) -> None:
        curve = arm.curve
        events, censored = float(curve.events.sum()), float(curve.censored.sum())
        report.row(cls.summary, group=arm.name, n=curve.n, events=events, censored=censored, share=censored / curve.n)
        low, high = quantile_bounds(curve, 0.5, form.ci, form.conf_level)
        mean, se = curve.mean(tau)
        report.row(
            cls.survival, group=arm.name, median=curve.quantile(0.5), low=low, high=high, q25=curve.quantile(0.25),
            q75=curve.quantile(0.75), mean=mean, se=se,
        )  # fmt: skip
        a, b = quantile_bounds(arm.followed, 0.5, form.ci, form.conf_level)
        report.row(cls.follow, group=arm.name, median=arm.followed.quantile(0.5), low=a, high=b)
        lows, highs = bounds(curve, form.ci, form.conf_level)
        for k in range(curve.time.size):
            report.row(
                cls.life, group=arm.name, time=curve.time[k], n=curve.at_risk[k], events=curve.events[k],
                censored=curve.censored[k], survival=curve.survival[k], se=curve.se[k], low=_known(lows[k]),
                high=_known(highs[k]),
            )  # fmt: skip
        beyond = []
        for t in form.times:
            if t > arm.last:
                beyond.append(number_words(t))
                continue
            s, se, n = curve.at(t)
            k = curve.place(t)
            report.row(
                cls.at, group=arm.name, time=t, risk=n, survival=s, se=se,
                low=1.0 if k < 0 else _known(lows[k]), high=1.0 if k < 0 else _known(highs[k]),
            )  # fmt: skip
        if beyond:
            report.note(
                cls.at, "“{group:text}”最长随访 {last:text}，没有给出时点 {times:text}。", group=arm.name,
                last=number_words(arm.last), times="、".join(beyond),
            )  # fmt: skip
        if form.times and all(t > arm.last for t in form.times) and form.group is None:
            report.skip(cls.at, "指定的时点都超过最长随访")

    @classmethod
    def _risk(cls, report: Report, arms: list[Arm]) -> None:
        marks = words.axis_times(max(arm.last for arm in arms), RISK_TIMES)
        for arm in arms:
            report.row(cls.risk, group=arm.name, wide={number_words(t): {"n": arm.curve.at(t)[2]} for t in marks})
        report.note(cls.risk, "表头是时间；人数是到那时还在随访、没有发生事件的个案。")

    @classmethod
    def _areas(cls, report: Report, form: Any, arms: list[Arm], tau: float) -> None:
        z = float(stats.norm.isf((1 - form.conf_level) / 2))
        areas = [arm.curve.mean(tau) for arm in arms]
        for arm, (area, se) in zip(arms, areas, strict=True):
            report.row(cls.areas, group=arm.name, rmst=area, se=se, low=area - z * se, high=area + z * se)
        report.note(cls.areas, "上限为 {tau:text}：前 {tau:text} 内平均多久没有发生事件。", tau=number_words(tau))
        base, (start, spread) = arms[0], areas[0]
        for arm, (area, se) in zip(arms[1:], areas[1:], strict=True):
            gap, error = area - start, float(np.hypot(se, spread))
            ratio, reach = area / start, float(np.hypot(se / area, spread / start))
            report.row(
                cls.gaps, pair=f"{arm.name} − {base.name}", gap=gap, low=gap - z * error, high=gap + z * error,
                p=float(2 * stats.norm.sf(abs(gap) / error)) if error > 0 else None, ratio=ratio,
                ratio_low=ratio * float(np.exp(-z * reach)), ratio_high=ratio * float(np.exp(z * reach)),
            )  # fmt: skip
        if len(arms) > 1:
            report.note(cls.gaps, "比 = 前一组 ÷ 后一组；*p* 检验差为 0，没有作多重比较校正。")

    # ---- groups ------------------------------------------------------------------------------------------------------
    @classmethod
    def _compare(
        cls, report: Report, form: Any, cases: Cases, arms: list[Arm], f: Floats | None
    ) -> tuple[str, ChiSquare | None, Ranked]:
        code = np.full(cases.n, -1)
        for k, arm in enumerate(arms):
            code[arm.rows] = k
        strata = None if form.strata is None else np.asarray(form.strata.codes)
        main: tuple[str, ChiSquare | None, Ranked] | None = None
        for key in form.tests:
            sums = ranked(cases.time, cases.event, code, len(arms), _weighting(form, key), strata, f)
            test = sums.test
            name = TESTS[key] + (
                f"（ρ = {number_words(form.rho)}，γ = {number_words(form.gamma)}）" if key == "fh" else ""
            )
            if test is not None:
                report.row(cls.result, test=name, chi2=test.value, df=test.df, p=test.p)
            main = main or (name, test, sums)
        assert main is not None
        plain = ranked(cases.time, cases.event, code, len(arms), WEIGHTINGS["logrank"], strata, f)
        for arm, o, e in zip(arms, plain.observed, plain.expected, strict=True):
            report.row(cls.expected, group=arm.name, observed=o, expected=e, ratio=o / e if e > 0 else None)
        report.note(cls.expected, "期望是各组风险相同时应有的事件数{layers:text}。", layers=_layers(form))
        if form.strata is not None:
            report.note(cls.result, "按“{s:text}”分层：在各层内比较后相加。", s=form.strata.title)
        trend = plain.trend(np.arange(1.0, len(arms) + 1)) if form.trend and len(arms) > 2 else None
        if main[1] is None and trend is None:
            report.skip(cls.result, words.ALONE)
        if len(arms) > 2:
            if trend is not None:
                report.row(cls.result, test="趋势（Log-rank）", chi2=trend.value, df=1, p=trend.p)
            cls._pairs(report, form, cases, arms, code, strata, f)
        return main

    @classmethod
    def _pairs(
        cls, report: Report, form: Any, cases: Cases, arms: list[Arm], code: Any, strata: Any, f: Floats | None
    ) -> None:
        compared = []
        for i in range(len(arms)):
            for j in range(i + 1, len(arms)):
                own = (code == i) | (code == j)
                sums = ranked(
                    cases.time[own], cases.event[own], (code[own] == j).astype(np.intp), 2,
                    _weighting(form, form.tests[0]), None if strata is None else strata[own],
                    None if f is None else f[own],
                )  # fmt: skip
                if sums.test is not None:
                    compared.append((arms[i].name, arms[j].name, sums.test))
        for (first, second, test), p in zip(compared, adjust([c[2].p for c in compared], form.adjust), strict=True):
            report.row(cls.pairs, first=first, second=second, chi2=test.value, p=test.p, adjusted=p)
        if not compared:
            report.skip(cls.pairs, "没有一对组能比较")
        report.note(cls.pairs, "用 {test:text} 检验，χ² 的自由度为 1，只用这两组的数据。", test=TESTS[form.tests[0]])

    @classmethod
    def _check_crossing(cls, report: Report, form: Any, arms: list[Arm]) -> None:
        crossed = [
            f"“{a.name}”与“{b.name}”" for i, a in enumerate(arms) for b in arms[i + 1 :] if _crosses(a.curve, b.curve)
        ]
        if not crossed:
            report.check("曲线交叉", "pass", "各组的曲线没有明显交叉，Log-rank 检验适用。")
            return
        remedies = [] if "fh" in form.tests else [
            SetRemedy(title="加上 Fleming-Harrington 检验", set={"tests": [*form.tests, "fh"]})
        ]  # fmt: skip
        report.check(
            "曲线交叉", "care",
            "{names:text}的曲线交叉：先后的差异相互抵消，Log-rank 检验不容易发现差异，请同时看 RMST 或加权检验。",
            remedies=remedies, names="、".join(crossed),
        )  # fmt: skip

    # ---- figures -----------------------------------------------------------------------------------------------------
    @classmethod
    def _draw(cls, report: Report, form: Any, arms: list[Arm]) -> None:
        most = max(20, DRAWN // len(arms))
        shown = total = 0
        for arm in arms:
            curve = arm.curve
            lows, highs = bounds(curve, form.ci, form.conf_level)
            start: dict[str, Any] = {"survival": 1.0, "low": 1.0, "high": 1.0, "failure": 0.0, "hazard": 0.0}
            report.row(cls.points, group=arm.name, time=0.0, stair=1, **start)
            kept = words.some(curve.time.size, most)
            shown, total = shown + kept.size + 1, total + curve.time.size + 1
            for k in kept:
                s, t = float(curve.survival[k]), float(curve.time[k])
                inner = 0 < s < 1
                report.row(
                    cls.points, group=arm.name, time=t, survival=s, low=_known(lows[k]), high=_known(highs[k]),
                    failure=1 - s, hazard=-float(np.log(s)) + 0.0 if s > 0 else None,
                    log_time=float(np.log(t)) if inner and t > 0 else None,
                    log_hazard=float(np.log(-np.log(s))) if inner and t > 0 else None, stair=1,
                    mark=1 if curve.censored[k] > 0 else None,
                )  # fmt: skip
        if shown < total:
            for chart in (cls.plot, cls.failures, cls.hazards):
                report.chart(chart, thinned=(shown, total))
        report.note(cls.plot, "短竖线是删失；浅色带是逐点的区间，置信水平 {level:percent}。", level=form.conf_level)

    # ---- words -------------------------------------------------------------------------------------------------------
    @classmethod
    def _say_single(cls, report: Report, form: Any, cases: Cases, arm: Arm) -> None:
        curve = arm.curve
        low, high = quantile_bounds(curve, 0.5, form.ci, form.conf_level)
        facts: dict[str, Any] = {
            "n": curve.n, "d": float(curve.events.sum()), "median": curve.quantile(0.5), "low": low, "high": high,
            "level": form.conf_level, "last": float(curve.survival[-1]), "t": number_words(arm.last),
        }  # fmt: skip
        text_ = words.median_words(facts)
        report.lead(
            text_,
            [figure("个案", "{n:integer}"), figure("事件", "{d:integer}")],
            **facts,
        )
        report.say(
            "中位生存时间是估计有一半个案已经发生事件的时间。曲线在某个时间的高度，是到那时还没有发生事件的比例。",
            voice="student",
        )
        report.say("共 {n:integer} 例，{d:integer} 例发生事件。" + text_, voice="paper", **facts)
        report.say(text_, voice="brief", **facts)

    @classmethod
    def _say_groups(
        cls, report: Report, form: Any, cases: Cases, arms: list[Arm], main: tuple[str, ChiSquare | None, Ranked],
        tau: float,
    ) -> None:  # fmt: skip
        name, test, _ = main
        told, medians = words.each_median([(arm.name, arm.curve.quantile(0.5)) for arm in arms])
        facts: dict[str, Any] = {"g": form.group.title, "test": name, **medians}
        if test is None:
            report.lead(f"“{{g:text}}”各组无法比较：{words.ALONE}。{told}", **facts)
            return
        facts |= {"chi2": test.value, "df": test.df, "p": test.p}
        differs = test.p < 1 - form.conf_level
        first = (
            "“{g:text}”各组的生存曲线有差异" if differs else "没有发现“{g:text}”各组的生存曲线有明显差异"
        ) + "（{test:text}，*p* {p:peq}）。"  # fmt: skip
        report.lead(first + told, [figure("χ²", "{chi2:num}"), figure("*p*", "{p:peq}")], **facts)
        report.say(
            "检验比较的是整条曲线，不只是中位时间。"
            + (
                "组与组差在哪里，看曲线、中位时间和 RMST 的差。" if differs
                else "“不显著”不等于各组相同，事件少时差异不容易发现。"
            ),
            voice="student",
        )  # fmt: skip
        areas = [(arm.name, arm.curve.mean(tau)[0]) for arm in arms]
        top, bottom = max(areas, key=lambda pair: pair[1]), min(areas, key=lambda pair: pair[1])
        if top[1] > bottom[1]:
            report.say(
                "前 {tau:text} 内，“{top:text}”的平均生存时间最长（{a:num}），“{bottom:text}”最短（{b:num}）。",
                voice="student", tau=number_words(tau), top=top[0], a=top[1], bottom=bottom[0], b=bottom[1],
            )  # fmt: skip
        report.say(
            "用 Kaplan-Meier 法估计生存率，{test:text} 检验：χ²({df:integer}) = {chi2:num}，*p* {p:peq}，"
            + ("差异有统计学意义。" if differs else "差异无统计学意义。") + told, voice="paper", **facts,
        )  # fmt: skip
        report.say(first + told, voice="brief", **facts)
        report.say("分组不是随机分配时，组间的差异不能说明是分组造成的。")


def _arms(form: Any, cases: Cases, f: Floats | None) -> list[Arm]:
    whole = np.ones(cases.n, bool)
    split = [("全部", whole)]
    if form.group is not None:
        named = zip(form.group.levels, level_words(form.group.levels), strict=True)
        split = [(name, form.group.where(entry)) for entry, name in named]
    arms = []
    for name, rows in split:
        own = None if f is None else f[rows]
        time, event = cases.time[rows], cases.event[rows]
        arms.append(Arm(name, rows, kaplan_meier(time, event, own), kaplan_meier(time, ~event, own)))
    return arms


def _weighting(form: Any, key: str) -> Any:
    return fleming_harrington(form.rho, form.gamma) if key == "fh" else WEIGHTINGS[key]


def _layers(form: Any) -> str:
    return "" if form.strata is None else f"（在“{form.strata.title}”的各层内）"


def _known(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)


def _crosses(a: Curve, b: Curve) -> bool:
    """Each curve lies above the other somewhere by more than chance alone would put it at one time in ten."""
    if min(a.events.sum(), b.events.sum()) < 5:
        return False
    end = min(a.time[-1], b.time[-1])
    times = np.unique(np.concatenate([a.time[a.time <= end], b.time[b.time <= end]]))
    places = [np.searchsorted(curve.time, times, "right") - 1 for curve in (a, b)]
    values = [np.where(p < 0, 1.0, curve.survival[p]) for curve, p in zip((a, b), places, strict=True)]
    errors = [np.where(p < 0, 0.0, curve.se[p]) for curve, p in zip((a, b), places, strict=True)]
    gap, error = values[0] - values[1], 1.645 * np.hypot(*errors)
    seen = error > 0
    return bool((gap[seen] > error[seen]).any() and (gap[seen] < -error[seen]).any())
