from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
    Table,
    claim,
    confidence,
    counted,
    figure,
    filled,
    integer,
    num,
    number,
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
from hengxi.stats.names import level_words, number_words
from hengxi.stats.survival import WEIGHTINGS, ranked

GROUPED: dict[str, Any] = {"group": filled}
MOST = 500


@dataclass(frozen=True)
class Life:
    """The actuarial table of one group; arrays of its intervals. `survival` is at the start of each."""

    name: str
    starts: Floats
    widths: Floats
    entering: Floats
    censored: Floats
    events: Floats

    @property
    def exposed(self) -> Floats:
        """Those lost in an interval count for half of it."""
        return self.entering - self.censored / 2

    @property
    def dying(self) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.exposed > 0, self.events / self.exposed, 0.0)

    @property
    def survival(self) -> Floats:
        """At the start of every interval, and after the last; one longer than the others."""
        return np.concatenate([[1.0], np.cumprod(1 - self.dying)])

    @property
    def se(self) -> Floats:
        """Greenwood's, of `survival`."""
        q, n = self.dying, self.exposed
        with np.errstate(divide="ignore", invalid="ignore"):
            step = np.where(q > 0, q / (n * (1 - q)), 0.0)
        spread = np.concatenate([[0.0], np.cumsum(step)])
        with np.errstate(invalid="ignore"):
            return np.where(self.survival > 0, self.survival * np.sqrt(spread), 0.0)

    @property
    def density(self) -> tuple[Floats, Floats]:
        """Share that has the event per unit of time, and its standard error (Gehan 1969)."""
        q, p, s, n = self.dying, 1 - self.dying, self.survival[:-1], self.exposed
        value = s * q / self.widths
        with np.errstate(divide="ignore", invalid="ignore"):
            before = np.concatenate([[0.0], np.cumsum(np.where(q > 0, q / (n * p), 0.0))[:-1]])
            own = np.where(q > 0, p / (n * q), 0.0)
        return value, np.where(value > 0, value * np.sqrt(before + own), 0.0)

    @property
    def hazard(self) -> tuple[Floats, Floats]:
        """Events per unit of time of those in the middle of the interval, and its standard error."""
        q, p, n, h = self.dying, 1 - self.dying, self.exposed, self.widths
        value = 2 * q / (h * (1 + p))
        with np.errstate(divide="ignore", invalid="ignore"):
            se = value * np.sqrt(np.where(q > 0, (1 - (value * h / 2) ** 2) / (n * q), 0.0))
        return value, se

    @property
    def median(self) -> float | None:
        """Where the line through the survival at the starts of the intervals comes to one half."""
        s = self.survival
        below = np.flatnonzero(s <= 0.5)
        if below.size == 0:
            return None
        k = int(below[0])
        return float(self.starts[k - 1] + self.widths[k - 1] * (s[k - 1] - 0.5) / (s[k - 1] - s[k]))


class LifeTable(Method):
    title, title_en = "寿命表法", "Life table"
    family, tier = "生存分析", "standard"
    purpose = "按区间（年/月）估计生存率、死亡密度与风险率。"
    aliases = ("精算法", "生命表", "区间生存率", "actuarial", "风险率", "概率密度")
    references = ("cutler1958", "gehan1969", "gehan1965", "greenwood1926")
    conventions = (
        "区间含左端、不含右端；在区间里删失的个案算半个，有效暴露 = 进入数 − 删失数/2。",
        "填了上限时，最后一个区间止于上限并包含它；到上限还没有发生事件的个案走完这个区间，算一个。",
        "累积生存率写在区间结束时；标准误用 Greenwood 公式。",
        "风险率 = 2q/(h(1 + p))，概率密度 = 区间开始时的生存率 × q/h；h 为区间宽度，q 为终止比例，p = 1 − q。",
        "中位生存时间在区间之间按直线读出。",
        "组间检验用原来的时间，不用区间；Gehan 的权重为风险人数。",
    )
    weights = ("frequency",)
    reads_names = True
    min_rows = 2

    class Input(SurvivalForm):
        group: Column | None = role("分组（选填）", "定类", levels=(2, 12))
        weight: Column | None = counted()
        width: float = number("区间宽度", 12, least=0.001, most=100_000, hint="与生存时间同一单位")
        most: float | None = number("上限", None, above=0, auto="最长随访；之后的个案在上限处算删失")
        conf_level: float = confidence()

    life = Table(
        "寿命表", group=text("组"), start=num("区间起点"), entering=integer("进入"), censored=integer("删失"),
        exposed=num("有效暴露", least=0), events=integer("终止"), dying=percent("终止比例"), living=percent("生存比例"),
        survival=percent("累积生存率"), se=num("标准误", least=0), density=num("概率密度", least=0),
        density_se=num("密度的标准误", least=0), hazard=num("风险率", least=0),
        hazard_se=num("风险率的标准误", least=0), merge=("group",), place="main",
    )  # fmt: skip
    medians = Table(
        "中位生存时间", group=text("组"), n=integer("*N*"), events=integer("终止"), median=num("中位"), place="main"
    )
    result = Table(
        "组间检验", test=text("检验"), chi2=num("χ²", least=0), df=integer("*df*"), p=pvalue(), place="main",
        when=GROUPED, claim=claim("named", stat("χ²", "chi2", "df"), names=("test",)),
    )  # fmt: skip
    points = Points(
        "各区间", group=text("组"), time=num("时间"), survival=percent("累积生存率"), hazard=num("风险率"),
        density=num("概率密度"), stair=integer("台阶"),
    )  # fmt: skip
    plot = Chart("累积生存率", "line", of=points, x="time", y="survival", series="group", place="main")
    hazards = Chart("风险率", "line", of=points, x="time", y="hazard", series="group", step="stair")
    densities = Chart("概率密度", "line", of=points, x="time", y="density", series="group", step="stair")

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        return words.next_steps(form, "medical/life_table")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        cases = _cut_off(form, read(form))
        f = frequencies(form.weight)
        edges = _edges(form, cases)
        lives = [_life(name, cases, rows, f, edges) for name, rows in _groups(form, cases)]
        through = sum(float(life.entering[-1] - life.censored[-1] - life.events[-1]) for life in lives)
        for life in lives:
            cls._rows(report, life)
        report.chart(cls.plot, titles={"x": cases.title})
        report.note(cls.life, "区间宽度 {h:text}。", h=number_words(form.width))
        if through > 0:
            report.note(
                cls.life, "{k:integer} 例到上限还没有发生事件：它们走完最后一个区间，不列入“删失”。", k=through
            )  # fmt: skip
        report.note(cls.medians, "空格表示随访结束时生存率还在一半以上。")
        test = cls._compare(report, form, cases, f) if form.group is not None else None
        cls._say(report, form, cases, lives, test)
        words.check_events(report, [(life.name, float(life.events.sum())) for life in lives])
        words.say_states(report, form, cases)
        return report

    @classmethod
    def _rows(cls, report: Report, life: Life) -> None:
        (density, density_se), (hazard, hazard_se) = life.density, life.hazard
        for k in range(life.starts.size):
            report.row(
                cls.life, group=life.name, start=life.starts[k], entering=life.entering[k], censored=life.censored[k],
                exposed=life.exposed[k], events=life.events[k], dying=life.dying[k], living=1 - life.dying[k],
                survival=life.survival[k + 1], se=life.se[k + 1], density=density[k], density_se=density_se[k],
                hazard=hazard[k], hazard_se=hazard_se[k],
            )  # fmt: skip
        ends = np.append(life.starts, life.starts[-1] + life.widths[-1])
        for k in words.some(ends.size, 80):
            inside = k < life.starts.size
            report.row(
                cls.points, group=life.name, time=ends[k], survival=life.survival[k],
                hazard=hazard[k] if inside else hazard[-1], density=density[k] if inside else density[-1], stair=1,
            )  # fmt: skip
        report.row(
            cls.medians, group=life.name, n=life.entering[0], events=float(life.events.sum()), median=life.median
        )

    @classmethod
    def _compare(cls, report: Report, form: Any, cases: Cases, f: Floats | None) -> ChiSquare | None:
        codes = np.asarray(form.group.codes)
        present = {int(code): place for place, code in enumerate(np.unique(codes))}
        group = np.array([present[int(code)] for code in codes], np.intp)
        test = ranked(cases.time, cases.event, group, len(present), WEIGHTINGS["gehan"], None, f).test
        if test is None:
            report.skip(cls.result, words.ALONE)
            return None
        report.row(cls.result, test="Wilcoxon（Gehan）", chi2=test.value, df=test.df, p=test.p)
        return test

    @classmethod
    def _say(cls, report: Report, form: Any, cases: Cases, lives: list[Life], test: ChiSquare | None) -> None:
        told, facts = words.each_median([(life.name, life.median) for life in lives])
        if len(lives) == 1:
            last = lives[0].survival[-1]
            facts |= {"s": float(last), "end": number_words(float(cases.time.max()))}
            told = told.replace("“{n0:text}”", "") + "到 {end:text} 时，累积生存率为 {s:percent1}。"
            del facts["n0"]
        first = ""
        figures = [figure("累积生存率", "{s:percent1}")] if len(lives) == 1 else []
        if test is not None:
            facts |= {"g": form.group.title, "p": test.p, "chi2": test.value, "df": test.df}
            differs = test.p < 1 - form.conf_level
            first = (
                "“{g:text}”各组的生存有差异" if differs else "没有发现“{g:text}”各组的生存有明显差异"
            ) + "（Gehan 检验，*p* {p:peq}）。"  # fmt: skip
            figures = [figure("χ²", "{chi2:num}"), figure("*p*", "{p:peq}")]
        read_facts = {key: value for key, value in facts.items() if key not in ("chi2", "df")}
        report.lead(first + told, figures, **facts)
        report.say(
            "寿命表把时间切成区间，看每个区间里有多大比例发生事件，再连乘得到累积生存率。"
            "风险率高的区间，还在随访的个案最容易发生事件；最后几个区间人少，风险率不稳定。", voice="student",
        )  # fmt: skip
        paper = "用寿命表法估计生存率。" + (
            "" if test is None else "Gehan 检验：χ²({df:integer}) = {chi2:num}，*p* {p:peq}。"
        )
        report.say(paper + told, voice="paper", **{k: v for k, v in facts.items() if k != "g"})
        report.say(first + told, voice="brief", **read_facts)
        if test is not None:
            report.say("分组不是随机分配时，组间的差异不能说明是分组造成的。")


def _cut_off(form: Any, cases: Cases) -> Cases:
    """Cases beyond the limit are censored there."""
    if form.most is None:
        return cases
    beyond = cases.time > form.most
    event = cases.event & ~beyond
    if not event.any():
        raise Refusal(
            "data.no_event", "上限 {most} 之前没有事件，请改大或不填", field="most", most=number_words(form.most)
        )
    return Cases(
        np.minimum(cases.time, form.most), event, cases.title, cases.state, cases.others, cases.guessed
    )  # fmt: skip


def _edges(form: Any, cases: Cases) -> Floats:
    last = float(cases.time.max())
    if form.width > last:
        raise Refusal(
            "data.range", "区间宽度 {h} 超过最长随访时间 {last}，请改小", field="width", h=number_words(form.width),
            last=number_words(last),
        )  # fmt: skip
    capped = form.most is not None and form.most <= last
    steps = last / form.width
    count = int(np.ceil(steps * (1 - 1e-12)) if capped else np.floor(steps * (1 + 1e-12)) + 1)
    if count > MOST:
        raise Refusal(
            "data.many", "区间有 {k} 个，最多 {most} 个，请加大区间宽度", field="width", k=count, most=MOST
        )  # fmt: skip
    edges = np.asarray(np.arange(count + 1) * form.width, dtype=float)
    if capped:
        edges[-1] = last
    return edges


def _groups(form: Any, cases: Cases) -> list[tuple[str, Any]]:
    if form.group is None:
        return [("全部", np.ones(cases.n, bool))]
    named = zip(form.group.levels, level_words(form.group.levels), strict=True)
    return [(name, form.group.where(entry)) for entry, name in named]


def _life(name: str, cases: Cases, rows: Any, f: Floats | None, edges: Floats) -> Life:
    time, event = cases.time[rows], cases.event[rows]
    weight = np.ones(time.size) if f is None else f[rows]
    place = np.searchsorted(edges * (1 - 1e-12), time, "right") - 1
    # Only a limit ends the last interval where cases still stand.
    last = edges.size - 2
    through = (place > last) & ~event
    place = np.minimum(place, last)
    count = int(place.max()) + 1
    events = np.bincount(place, weight * event, count).astype(float)
    censored = np.bincount(place, weight * (~event & ~through), count).astype(float)
    leaving = events + censored
    entering = np.cumsum(leaving[::-1])[::-1] + float(weight[through].sum())
    return Life(name, edges[:count], np.diff(edges)[:count], entering, censored, events)
