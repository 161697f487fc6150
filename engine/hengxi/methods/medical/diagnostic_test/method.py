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
    NextStep,
    Points,
    Refusal,
    Report,
    Silent,
    Table,
    choice,
    confidence,
    counted,
    figure,
    filled,
    integer,
    interval,
    level,
    num,
    number,
    percent,
    pvalue,
    role,
    text,
)
from hengxi.families.diagnosis.roc import Measures
from hengxi.stats import agreement
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, titles
from hengxi.stats.proportions import INTERVALS, binomial

CIS = {"exact": "Clopper-Pearson", "wilson": "Wilson", "agresti_coull": "Agresti-Coull"}
YES = ("阳性", "是", "有", "1", "患病", "病例", "发生", "positive", "yes", "true", "1.0", "+")
SHARES = ("灵敏度", "特异度", "准确率", "PPV", "NPV", "患病率")


@dataclass(frozen=True)
class Cross:
    """A test against the gold standard; `positive`: which rows the test calls positive."""

    name: str
    positive: Any
    tp: float
    fp: float
    fn: float
    tn: float

    @property
    def n(self) -> float:
        return self.tp + self.fp + self.fn + self.tn

    @property
    def counts(self) -> dict[str, tuple[float, float]]:
        """Count and base of each share."""
        ill, well = self.tp + self.fn, self.fp + self.tn
        return {
            "灵敏度": (self.tp, ill), "特异度": (self.tn, well), "准确率": (self.tp + self.tn, self.n),
            "PPV": (self.tp, self.tp + self.fp), "NPV": (self.tn, self.fn + self.tn), "患病率": (ill, self.n),
        }  # fmt: skip

    @property
    def filled(self) -> Cross:
        """½ added to every cell where one is empty."""
        if min(self.tp, self.fp, self.fn, self.tn) > 0:
            return self
        return Cross(self.name, self.positive, self.tp + 0.5, self.fp + 0.5, self.fn + 0.5, self.tn + 0.5)

    @property
    def sensitivity(self) -> float:
        return self.tp / (self.tp + self.fn)

    @property
    def specificity(self) -> float:
        return self.tn / (self.fp + self.tn)


class DiagnosticTest(Method):
    title, title_en = "诊断试验评价（四格表）", "Diagnostic test evaluation"
    family, tier = "医学统计", "standard"
    purpose = "一种诊断方法与金标准比，灵敏度、特异度、预测值各多少？"
    aliases = ("灵敏度", "特异度", "预测值", "似然比", "四格表", "约登指数", "诊断优势比", "金标准", "筛查")
    references = ("altman1994", "simel1991", "glas2003", "clopper1934", "wilson1927", "agresti1998")
    conventions = (
        "灵敏度 = 真阳性 ÷ 全部患者，特异度 = 真阴性 ÷ 全部非患者；PPV、NPV 按样本中的患病率。",
        "似然比的区间用对数法（Simel 1991），诊断优势比用 Woolf 法；有 0 格时四格各加 0.5。",
        "约登指数 = 灵敏度 + 特异度 − 1，区间用正态近似。",
        "按给定的患病率校正预测值用贝叶斯公式；校正值只随患病率变，不给区间。",
        "两种方法的灵敏度、特异度在同一批人上比较，用精确 McNemar 检验，没有作多重比较校正。",
        "F1 = 2·真阳性 ÷ (2·真阳性 + 假阳性 + 假阴性)。",
    )
    weights = ("frequency",)
    reads_names = True
    min_rows = 1

    class Input(Form):
        gold: Column = role("金标准", "定类", levels=(2, 2))
        tests: list[Column] = role("待评方法", "定类", min=1, max=5, levels=(1, 2))
        weight: Column | None = counted()
        positive: Level | None = level("金标准的阳性取值", of="gold", auto="“阳性”“是”“1”等，都没有时取后一类")
        ci: str = choice("比例的区间", CIS)
        prevalence: float | None = number(
            "人群患病率", None, above=0, below=1, percent=True, auto="不校正",
            hint="样本是按病例、对照分别抽的时，PPV、NPV 要按实际的患病率校正",
        )  # fmt: skip
        conf_level: float = confidence()

    cross = Table(
        "四格表", test=text("方法"), call=text("判断"), ill=integer("患者"), well=integer("非患者"),
        both=integer("合计"), merge=("test",), place="main",
    )  # fmt: skip
    shares = Table(
        "诊断指标", test=text("方法"), measure=text("指标"), value=percent("值"),
        ci=interval("CI", "low", "high", around="value", format="percent"), merge=("test",), place="main",
    )  # fmt: skip
    ratios = Table(
        "似然比与其他指标", test=text("方法"), measure=text("指标"), value=num("值"),
        ci=interval("CI", "low", "high", around="value"), merge=("test",), place="main",
    )  # fmt: skip
    adjusted = Table(
        "按人群患病率校正的预测值", test=text("方法"), ppv=percent("PPV"), npv=percent("NPV"),
        when={"prevalence": filled},
    )  # fmt: skip
    compared = Table(
        "两种方法的比较", pair=text("比较"), measure=text("指标"), gap=num("差", decimals=3),
        first=integer("只有前者对"), second=integer("只有后者对"), p=pvalue(),
        claim=Silent("compares two tests on the same persons"),
    )  # fmt: skip
    bars = Points("指标与区间", name=text("指标"), value=percent("值"), low=percent("l"), high=percent("h"))
    plot = Chart("指标与区间", "interval", of=bars, x="name", y="value", low="low", high="high", place="main")
    after = Points("验后概率", name=text("结果"), before=percent("验前概率"), after=percent("验后概率"))
    fagan = Chart("验前与验后概率", "line", of=after, x="before", y="after", series="name")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"以“{form.gold.title}”为准的诊断试验评价"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        return [
            NextStep(
                title="指标是数值时画 ROC 曲线", method="research_visualization_model/roc_curve",
                form={"state": form["gold"]},
            ),
            NextStep(
                title="看两种判断的一致性（Kappa）", method="hypothesis_test/kappa", form={}
            ),
        ]  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        ill = _positive_rows(form.gold, form.positive)
        counts = frequencies(form.weight)
        f = np.ones(ill.size) if counts is None else counts
        names = titles(form.tests)
        word = _called(form)
        tests = [_cross(names[column.id], _calls(column, word), ill, f) for column in form.tests]
        for test in tests:
            cls._rows(report, form, test)
        cls._compare(report, tests, ill, f)
        cls._lines(report, tests[0])
        cls._say(report, form, tests, word)
        return report

    @classmethod
    def _rows(cls, report: Report, form: Any, test: Cross) -> None:
        for call, a, b in (("阳性", test.tp, test.fp), ("阴性", test.fn, test.tn)):
            report.row(cls.cross, test=test.name, call=call, ill=a, well=b, both=a + b)
        bounds = INTERVALS[form.ci]
        for measure in SHARES:
            count, base = test.counts[measure]
            if base <= 0:
                continue
            low, high = bounds(count, base, form.conf_level)
            report.row(cls.shares, test=test.name, measure=measure, value=count / base, low=low, high=high)
            if measure != "患病率":
                label = measure if len(form.tests) == 1 else f"{test.name}：{measure}"
                report.row(cls.bars, name=label, value=count / base, low=low, high=high)
        cls._ratios(report, form, test)
        if form.prevalence is not None:
            pi, sens, spec = form.prevalence, test.sensitivity, test.specificity
            up, down = sens * pi + (1 - spec) * (1 - pi), (1 - sens) * pi + spec * (1 - pi)
            report.row(
                cls.adjusted, test=test.name, ppv=sens * pi / up if up > 0 else None,
                npv=spec * (1 - pi) / down if down > 0 else None,
            )  # fmt: skip
            report.note(cls.adjusted, "患病率按 {pi:percent1} 计算。", pi=pi)

    @classmethod
    def _ratios(cls, report: Report, form: Any, test: Cross) -> None:
        z = float(stats.norm.isf((1 - form.conf_level) / 2))
        full = test.filled
        four = Measures(full.tp, full.fp, full.fn, full.tn)
        for measure, value, ends in zip(
            ("LR+", "LR−"), four.likelihoods, four.likelihood_bounds(form.conf_level), strict=True
        ):
            low, high = ends if ends is not None else (None, None)
            report.row(cls.ratios, test=test.name, measure=measure, value=value, low=low, high=high)
        odds = full.tp * full.tn / (full.fp * full.fn)
        half = z * float(np.sqrt(1 / full.tp + 1 / full.fp + 1 / full.fn + 1 / full.tn))
        report.row(
            cls.ratios, test=test.name, measure="诊断优势比", value=odds, low=odds * float(np.exp(-half)),
            high=odds * float(np.exp(half)),
        )  # fmt: skip
        sens, spec = test.sensitivity, test.specificity
        half = z * float(np.sqrt(sens * (1 - sens) / (test.tp + test.fn) + spec * (1 - spec) / (test.fp + test.tn)))
        youden = sens + spec - 1
        report.row(
            cls.ratios, test=test.name, measure="约登指数", value=youden, low=max(-1.0, youden - half),
            high=min(1.0, youden + half),
        )  # fmt: skip
        report.row(cls.ratios, test=test.name, measure="F1", value=2 * test.tp / (2 * test.tp + test.fp + test.fn))
        kappa = agreement.kappa(np.array([[test.tp, test.fp], [test.fn, test.tn]]), np.eye(2))
        if kappa is not None:
            low, high = kappa.interval(form.conf_level)
            report.row(cls.ratios, test=test.name, measure="Kappa", value=kappa.value, low=low, high=high)
        if full is not test:
            report.warn(
                "data.zero_cell", "“{v:text}”的四格表有 0 格，似然比和诊断优势比按四格各加 0.5 计算。", v=test.name
            )

    @classmethod
    def _compare(cls, report: Report, tests: list[Cross], ill: Any, f: Floats) -> None:
        if len(tests) < 2:
            report.skip(cls.compared, "只有一种方法")
            return
        for i, a in enumerate(tests):
            for b in tests[i + 1 :]:
                for measure, rows, right in (("灵敏度", ill, True), ("特异度", ~ill, False)):
                    first = float(f[rows & (a.positive == right) & (b.positive != right)].sum())
                    second = float(f[rows & (a.positive != right) & (b.positive == right)].sum())
                    p = binomial(round(first), round(first + second), 0.5, "two_sided") if first + second > 0 else 1.0
                    report.row(
                        cls.compared, pair=f"{a.name} − {b.name}", measure=measure,
                        gap=(first - second) / float(f[rows].sum()), first=first, second=second, p=p,
                    )  # fmt: skip

    @classmethod
    def _lines(cls, report: Report, test: Cross) -> None:
        full = test.filled
        plus, minus = Measures(full.tp, full.fp, full.fn, full.tn).likelihoods
        for name, ratio in (("阳性结果", plus), ("阴性结果", minus)):
            assert ratio is not None
            for before in np.linspace(0, 1, 41):
                odds = ratio * before
                report.row(cls.after, name=name, before=float(before), after=float(odds / (odds + 1 - before)))
        report.note(
            cls.fagan, "“{v:text}”的结果出来后，患病的概率从横轴变成纵轴；由似然比换算。", v=test.name
        )  # fmt: skip

    @classmethod
    def _say(cls, report: Report, form: Any, tests: list[Cross], word: str) -> None:
        first = tests[0]
        bounds = INTERVALS[form.ci]
        facts: dict[str, Any] = {"v": first.name, "gold": form.gold.title, "level": form.conf_level}
        for key, measure in (("sens", "灵敏度"), ("spec", "特异度")):
            count, base = first.counts[measure]
            low, high = bounds(count, base, form.conf_level)
            facts |= {key: count / base, f"{key}_low": low, f"{key}_high": high}
        told = (
            "以“{gold:text}”为准，“{v:text}”的灵敏度为 {sens:percent1}（{level:percent} CI {sens_low:percent1} 到"
            " {sens_high:percent1}），特异度为 {spec:percent1}（{spec_low:percent1} 到 {spec_high:percent1}）。"
        )
        report.lead(
            told, [figure("灵敏度", "{sens:percent1}"), figure("特异度", "{spec:percent1}")], **facts
        )  # fmt: skip
        report.say(
            "灵敏度是患者中被查出来的比例，特异度是非患者中没有被误判的比例。"
            "PPV 是判为阳性的人真的患病的机会，它随人群的患病率变：病少见时，阳性里多数是误判。", voice="student",
        )  # fmt: skip
        report.say(told, voice="paper", **facts)
        report.say(told, voice="brief", **facts)
        if form.positive is None:
            report.say("“{gold:text}”中“{word:text}”算患病。", gold=form.gold.title, word=word)
        ill = first.tp + first.fn
        least = min(ill, first.n - ill)
        report.check(
            "人数", "pass" if least >= 30 else "care",
            "患者、非患者中较少的一类有 {k:integer} 人" + ("，够用。" if least >= 30 else "，偏少，区间会很宽。"),
            k=least,
        )  # fmt: skip
        if form.prevalence is None:
            report.note(
                cls.shares, "PPV、NPV、准确率和患病率只在样本的患病比例与实际人群相同时才有意义。"
            )  # fmt: skip


def _positive_level(column: Column, chosen: Level | None) -> Level:
    if chosen is not None:
        return chosen
    words = [_word(entry) for entry in column.levels]
    said = [entry for entry, word in zip(column.levels, words, strict=True) if word in YES]
    return said[0] if said else column.levels[-1]


def _word(entry: Level) -> str:
    return (entry.label or str(entry.value)).strip().lower()


def _positive_rows(column: Column, chosen: Level | None) -> Any:
    return column.where(_positive_level(column, chosen))


def _called(form: Any) -> str:
    """What the positive state of the gold standard is called."""
    entry = _positive_level(form.gold, form.positive)
    words = zip(form.gold.levels, level_words(form.gold.levels), strict=True)
    return next((word for known, word in words if known.value == entry.value), str(entry.value))


def _calls(column: Column, word: str) -> Any:
    """Rows a test calls positive: its level of the same word, else the word that says so; refused where none does."""
    named = list(zip(column.levels, (_word(entry) for entry in column.levels), strict=True))
    same = [entry for entry, own in named if own == word.strip().lower()] or [e for e, own in named if own in YES]
    if same:
        return column.where(same[0])
    if len(named) < 2:
        return np.zeros(len(column), bool)
    raise Refusal(
        "data.levels", "“{v}”的取值里看不出哪一个是阳性，请把它的取值改成与金标准相同的词（如“{word}”）", field="tests",
        column=column.id, v=column.title, word=word,
    )  # fmt: skip


def _cross(name: str, positive: Any, ill: Any, f: Floats) -> Cross:
    def count(called: Any, state: Any) -> float:
        return float(f[called & state].sum())

    return Cross(
        name, positive, count(positive, ill), count(positive, ~ill), count(~positive, ill), count(~positive, ~ill)
    )  # fmt: skip
