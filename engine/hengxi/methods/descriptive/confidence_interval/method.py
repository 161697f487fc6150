from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    Row,
    SetRemedy,
    Table,
    at_least,
    choice,
    few_of,
    figure,
    filled,
    integer,
    interval,
    level,
    many,
    num,
    role,
    settings,
    text,
)
from hengxi.contract.fields.ready import confidence
from hengxi.methods.descriptive._shared.sample_parts import Part, refuse_extreme, sample_parts
from hengxi.stats import proportions
from hengxi.stats.bootstrap import MOST_DRAWS, Bootstrap, Statistic, bootstrap
from hengxi.stats.effect_size import noncentrality
from hengxi.stats.histogram import histogram
from hengxi.stats.moments import Floats, Moments, moments
from hengxi.stats.names import level_words, titles
from hengxi.stats.two_groups import welch

TITLES = {
    "mean": "均值", "median": "中位数", "sd": "标准差", "variance": "方差", "cv": "变异系数", "rate": "泊松率",
    "difference": "两组均值差", "proportion": "比例", "proportion_diff": "两组率差",
}  # fmt: skip
PROPORTIONS = {
    "wilson": "Wilson", "beta": "Clopper-Pearson", "agresti_coull": "Agresti-Coull", "jeffreys": "Jeffreys",
    "normal": "正态近似",
}  # fmt: skip
INTERVALS = {**{key: key for key in PROPORTIONS}, "beta": "exact", "normal": "wald"}
FIGURES = 12
SKEWED = 1.0


def _sd(x: Floats) -> Floats:
    return np.asarray(x.std(axis=-1, ddof=1))


def _mean(x: Floats) -> Floats:
    return np.asarray(x.mean(axis=-1))


STATISTICS: dict[str, Statistic] = {
    "mean": _mean,
    "median": lambda x: np.asarray(np.median(x, axis=-1)),
    "sd": _sd,
    "variance": lambda x: _sd(x) ** 2,
    "cv": lambda x: _sd(x) / _mean(x),
    "rate": _mean,
    "difference": _mean,
}


@dataclass
class Estimate:
    key: str
    variable: str
    group: str | None
    n: int
    value: float
    se: float | None
    low: float
    high: float
    method: str
    drawn: Bootstrap | None = None


class ConfidenceInterval(Method):
    """One row an estimate; parametric, or resampled with the seed of the form."""

    title, title_en = "置信区间估计", "Confidence intervals"
    family, tier = "描述性分析", "standard"
    rescaled = (("variables",),)
    purpose = "总体均值、比例、方差、中位数等可能落在什么范围"
    aliases = ("区间估计", "均值的置信区间", "比例的置信区间", "率的置信区间", "bootstrap", "自助法", "误差线")
    references = (
        "wilson1927", "clopper1934", "agresti1998", "brown2001", "newcombe1998", "efron1987", "garwood1936",
        "welch1947", "lehmann1986",
    )  # fmt: skip
    conventions = (
        "均值用 t 分布；两组均值差用 Welch；标准差、方差用 χ² 分布，要求数据近似正态。",
        "中位数用次序统计量（二项分布）：实际置信水平不低于所选，不要求正态；例数太少时不给。",
        "变异系数由非中心 t 分布反解（Lehmann，1986），要求均值大于 0、数据近似正态；均值可能为 0 时上限为无穷。",
        "泊松率为每行的平均次数，用 Garwood（1936）的精确区间；取值须为非负整数。",
        "两组率差用 Newcombe（1998）的 Wilson 混合法；差 = 前一组 − 后一组。",
        "BCa 自助法的加速系数由刀切法得出（Efron，1987）；比例和率差不用自助法。",
        "各变量只用自己有值的行；有分组变量时逐组给出。",
    )
    missing = "pairwise"
    random = True
    min_rows = 2
    limits = (at_least(1, "variables", "binary"),)

    class Input(Form):
        variables: list[Column] = role("定量变量（选填）", "定量", min=0, max=None)
        binary: list[Column] = role("二分类变量（选填）", "定类", min=0, max=None)
        group: Column | None = role("分组变量（选填）", "定类", levels=(1, 50))
        target: list[Row] = settings(
            "目标类别", of="binary", level=level("目标类别", auto="两类时取次序在后的一类"),
            hint="比例是目标类别所占的份额",
        )  # fmt: skip
        parameters: list[str] = many(
            "参数",
            {
                "mean": "均值", "median": "中位数", "sd": "标准差/方差", "cv": "变异系数", "proportion": "比例",
                "rate": "泊松率", "difference": "两组均值差", "proportion_diff": "两组率差",
            },
            default=("mean", "median", "sd", "proportion"), min=1,
        )  # fmt: skip
        conf_level: float = confidence()
        method: str = choice(
            "方法",
            {"parametric": "参数法", "bootstrap_bca": "自助法BCa", "bootstrap_percentile": "自助法百分位"},
        )
        prop_method: str = choice("比例区间", PROPORTIONS)
        resamples: int = integer(
            "自助次数", 2000, least=500, most=20000, when={"method": ("bootstrap_bca", "bootstrap_percentile")}
        )

    result = Table(
        "参数区间", variable=text("变量"), group=text("组别", when={"group": filled}), parameter=text("参数"),
        n=integer("*n*"), value=num("点估计"), se=num("标准误", least=0),
        ci=interval("CI", "low", "high", around="value", inside=False), method=text("方法"), merge=("variable",),
        place="main",
    )  # fmt: skip
    bars = Points("区间", label=text("组别"), y=num("估计"), low=num("下限"), high=num("上限"))
    plot = Chart(
        "误差条图", "interval", of=bars, x="label", y="y", low="low", high="high", place="main"
    )  # fmt: skip
    resampled = Table(
        "自助法分布", variable=text("变量"), group=text("组别", when={"group": filled}), parameter=text("参数"),
        bias=num("偏差"), se=num("标准误", least=0), acceleration=num("BCa 加速系数", when={"method": "bootstrap_bca"}),
        merge=("variable",), when={"method": ("bootstrap_bca", "bootstrap_percentile")},
    )  # fmt: skip
    bins = Points(
        "自助分布", low=num("下限"), high=num("上限"), n=integer("次数"),
        when={"method": ("bootstrap_bca", "bootstrap_percentile")},
    )  # fmt: skip
    hist = Chart(
        "自助分布直方图", "histogram", of=bins, low="low", high="high", count="n", place="detail",
        when={"method": ("bootstrap_bca", "bootstrap_percentile")},
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{few_of(list(titles([*form.variables, *form.binary]).values()))}的置信区间"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        path = "descriptive/descriptive_statistics" if form["variables"] else "descriptive/frequency"
        start = {"variables": form["variables"] or form["binary"]}
        return [NextStep(title="看分布和离群值" if form["variables"] else "看各类的频数", method=path, form=start)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = titles([*form.variables, *form.binary])
        found = [
            *(one for column in form.variables for one in _quantities(report, column, names[column.id], form)),
            *(one for column in form.binary for one in _shares(report, column, names[column.id], form)),
        ]
        if not found:
            raise Refusal(
                "data.few",
                "所选的参数都算不出来：有效值太少，或参数与变量不相配（均值等要定量变量，比例要二分类变量）",
                field="parameters",
            )  # fmt: skip
        for one in found:
            cls._row(report, one)
        cls._figures(report, found, form)
        cls._words(report, found, form)
        return report

    @classmethod
    def _row(cls, report: Report, one: Estimate) -> None:
        where = {"variable": one.variable, "group": one.group, "parameter": TITLES[one.key]}
        cells: dict[str, Any] = {**where, "n": one.n, "value": one.value, "se": one.se, "method": one.method}
        report.row(cls.result, **cells, low=one.low, high=one.high)
        if one.drawn:
            more: dict[str, Any] = {**where, "bias": one.drawn.bias, "se": one.drawn.se}
            report.row(cls.resampled, **more, acceleration=one.drawn.acceleration)

    @classmethod
    def _figures(cls, report: Report, found: list[Estimate], form: Any) -> None:
        if form.method != "parametric" and not any(one.drawn for one in found):
            report.skip(cls.resampled, "没有用自助法估计的参数")
            report.skip(cls.bins, "没有用自助法估计的参数")
        first: dict[str, str] = {}
        for one in found:
            first.setdefault(one.variable, one.key)
        drawn = [one for one in found if first[one.variable] == one.key]
        for one in drawn:
            at = f"{one.variable}：{TITLES[one.key]}"
            if np.isfinite([one.low, one.high]).all():
                report.row(cls.bars, at=at, label=one.group or one.variable, y=one.value, low=one.low, high=one.high)
        if not report.rows_of(cls.bars):
            report.skip(cls.bars, "区间没有上限，画不出来")
        for one in [one for one in found if one.drawn][:FIGURES]:
            assert one.drawn is not None
            at = f"{one.variable}{f'（{one.group}）' if one.group else ''}：{TITLES[one.key]}"
            shape = histogram(one.drawn.drawn)
            report.add_rows(cls.bins, {"low": shape.edges[:-1], "high": shape.edges[1:], "n": shape.counts}, at=at)
            report.chart(cls.hist, at=at, over=[Reference(x=one.low), Reference(x=one.high)])

    @classmethod
    def _words(cls, report: Report, found: list[Estimate], form: Any) -> None:
        one = found[0]
        where = f"“{{v}}”{'在“{g}”组' if one.group and '−' not in one.group else ''}"
        facts: dict[str, Any] = {"v": one.variable, "g": one.group or "", "what": TITLES[one.key], "value": one.value}
        facts |= {"low": one.low, "high": one.high, "level": form.conf_level, "n": one.n}
        rest = "其余的区间见表 1。" if len(found) > 1 else ""
        report.lead(
            f"{where}的{{what}}为 {{value:num}}（{{level:percent}} CI {{low:num}} 到 {{high:num}}）。{rest}",
            [figure(f"{TITLES[one.key]}", "{value:num}", "{level:percent} CI [{low:num}, {high:num}]")],
            **facts,
        )  # fmt: skip
        report.say(
            "区间说的是总体的数可能在哪里：同样的抽样做很多次，约有 {level:percent} 的区间包含它。"
            "区间不是个体取值的范围。", voice="student", level=form.conf_level,
        )  # fmt: skip
        report.say(
            f"{where}的{{what}} = {{value:num}}，{{level:percent}} CI [{{low:num}}, {{high:num}}]，"
            "*n* = {n:integer}。", voice="paper", **facts,
        )  # fmt: skip
        report.note(cls.result, "CI 的置信水平为 {level:percent}。", level=form.conf_level)


# ---- quantities ----------------------------------------------------------------------------------------------------
def _quantities(report: Report, column: Column, name: str, form: Any) -> Iterator[Estimate]:
    parts = sample_parts(column, form.group, None)
    small = [part for part in parts if part.n < 2]
    if small:
        which = f"“{small[0].label}”" if small[0].label else ""
        text = "“{v}”{which}有效值不足 2 个，没有给出区间。"
        report.warn("data.few", text, v=name, which=which + ("等组" if len(small) > 1 else ""), columns=[column])
    parts = [part for part in parts if part.n >= 2]
    refuse_extreme(column, parts, "variables")
    asked = [key for key in form.parameters if key in ("mean", "median", "sd", "cv", "rate")]
    # Differences of means are taken from one common anchor.
    made = {id(part): moments(part.x, anchor=float(parts[0].x[0])) for part in parts}
    _shape(report, name, list(made.values()), form)
    if "sd" in asked:
        asked.insert(asked.index("sd") + 1, "variance")
    for key in asked:
        for part in parts:
            one = _estimate(report, key, name, part, made[id(part)], form, column)
            if one is not None:
                yield one
    if "difference" in form.parameters:
        if len(parts) != 2:
            _two_groups(report, "两组均值差", form)
            return
        a, b = parts
        label = f"{a.label} − {b.label}"
        if form.method != "parametric":
            yield from _drawn(report, "difference", name, label, [a.x, b.x], form, column)
        elif made[id(a)].sd > 0 or made[id(b)].sd > 0:
            t = welch(made[id(a)], made[id(b)], "two_sided", form.conf_level)
            yield Estimate("difference", name, label, a.n + b.n, t.difference, t.se, t.low, t.high, "Welch *t*")


def _two_groups(report: Report, what: str, form: Any) -> None:
    report.warn(
        "data.groups", "“{what}”要有一个正好两组的分组变量，没有给出。", what=what,
        columns=[form.group] if form.group else [],
    )  # fmt: skip


def _estimate(
    report: Report, key: str, name: str, part: Part, m: Moments, form: Any, column: Column
) -> Estimate | None:
    if key == "rate" and not ((part.x >= 0) & (part.x == np.floor(part.x))).all():
        report.warn("data.counts", "“{v}”不是非负整数，没有给出泊松率。", v=name, columns=[column])
        return None
    if key == "cv" and m.mean <= 0:
        report.warn("data.nonpositive", "“{v}”的均值不大于 0，没有给出变异系数。", v=name, columns=[column])
        return None
    if form.method != "parametric":
        return next(_drawn(report, key, name, part.label, [part.x], form, column), None)
    if m.sd == 0 and key not in ("rate", "median"):
        text = "“{v}”取值完全相同，区间退化为一点。"
        report.warn("data.constant", text, v=name, columns=[column])
        value = {"mean": m.mean}.get(key, 0.0)
        return Estimate(key, name, part.label, m.n, value, 0.0, value, value, "—")
    made = _parametric(key, part, m, form.conf_level)
    if made is None:
        text = "“{v}”的例数太少，中位数的区间达不到所选的置信水平，没有给出。"
        report.warn("data.few", text, v=name, columns=[column])
        return None
    value, se, low, high, method = made
    return Estimate(key, name, part.label, m.n, value, se, low, high, method)


def _parametric(key: str, part: Part, m: Moments, conf: float) -> tuple[float, float | None, float, float, str] | None:
    half, n = (1 - conf) / 2, m.n
    match key:
        case "mean":
            return m.mean, m.se, *m.mean_interval(conf), "*t*"
        case "median":
            below = int(stats.binom.ppf(half, n, 0.5))
            if below < 1:
                return None
            ordered = np.sort(part.x)
            return float(np.median(ordered)), None, float(ordered[below - 1]), float(ordered[n - below]), "次序统计量"
        case "rate":
            total = m.mean * n
            low = float(stats.chi2.ppf(half, 2 * total)) / 2 / n if total > 0 else 0.0
            high = float(stats.chi2.isf(half, 2 * total + 2)) / 2 / n
            return m.mean, float(np.sqrt(m.mean / n)), low, high, "精确泊松"
        case "cv":
            t = m.mean / m.se
            ends = [noncentrality(t, n - 1, share) / float(np.sqrt(n)) for share in (half, 1 - half)]
            return m.sd / m.mean, None, 1 / ends[0], 1 / ends[1] if ends[1] > 0 else np.inf, "非中心 *t*"
    variances = [m.sd**2 * (n - 1) / float(stats.chi2.isf(share, n - 1)) for share in (half, 1 - half)]
    if key == "variance":
        return m.sd**2, m.sd**2 * float(np.sqrt(2 / (n - 1))), variances[0], variances[1], "χ²"
    return m.sd, m.sd / float(np.sqrt(2 * (n - 1))), *(float(np.sqrt(v)) for v in variances), "χ²"  # type: ignore[return-value]


def _drawn(
    report: Report, key: str, name: str, label: str | None, samples: list[Floats], form: Any, column: Column
) -> Iterator[Estimate]:
    n = sum(x.size for x in samples)
    if n * form.resamples > MOST_DRAWS or n > 30_000:
        raise Refusal(
            "data.many", "“{v}”有 {n} 个有效值，自助法太慢（最多 30000 个）；例数这么多时参数法已经足够准",
            field="method", remedies=[SetRemedy(title="改用参数法", set={"method": "parametric"})], v=name, n=n,
        )  # fmt: skip
    bca = form.method == "bootstrap_bca"
    made = bootstrap(samples, STATISTICS[key], form.resamples, form.conf_level, form.rng, bca)
    if made is None:
        text = "“{v}”取值完全相同，区间退化为一点。"
        report.warn("data.constant", text, v=name, columns=[column])
        return
    yield Estimate(
        key, name, label, n, made.value, made.se, made.low, made.high, "自助法BCa" if bca else "自助法百分位", made
    )


def _shape(report: Report, name: str, made: list[Moments], form: Any) -> None:
    """Intervals of a spread rest on normality; those of a mean hardly do with many cases."""
    known = [abs(m.skewness) for m in made if m.skewness is not None]
    if not known or form.method != "parametric" or not {"sd", "cv", "mean"} & set(form.parameters):
        return
    worst = max(known)
    care = worst > SKEWED
    report.check(
        "分布形状", "care" if care else "pass",
        "“{v}”的偏度绝对值{most} {g:num}。"
        + ("偏斜明显，标准差、变异系数的区间不准；可改用自助法BCa。" if care else "没有明显偏斜。"),
        remedies=[SetRemedy(title="改用自助法BCa", set={"method": "bootstrap_bca"})] if care else [],
        v=name, g=worst, most="最大为" if len(made) > 1 else "为",
    )  # fmt: skip


# ---- shares --------------------------------------------------------------------------------------------------------
def _shares(report: Report, column: Column, name: str, form: Any) -> Iterator[Estimate]:
    chosen = next(row.level for row in form.target if row.column.id == column.id)
    words = level_words(column.levels)
    if chosen is None and len(words) > 2:
        raise Refusal(
            "role.levels", "“{v}”有 {k} 个类别，比例区间请先选定目标类别", field="target", also=["binary"],
            column=column.id, v=name, k=len(words),
        )  # fmt: skip
    place = (
        len(words) - 1
        if chosen is None
        else next(i for i, one in enumerate(column.levels) if one.value == chosen.value)
    )
    hit = column.codes == place
    known = column.codes >= 0
    groups = (
        [(None, known)]
        if form.group is None
        else [(label, known & (form.group.codes == code)) for code, label in enumerate(level_words(form.group.levels))]
    )
    told = f"{name} = {words[place]}"
    counts = [(label, float((hit & rows).sum()), float(rows.sum())) for label, rows in groups]
    counts = [one for one in counts if one[2] > 0]
    if "proportion" in form.parameters:
        for label, count, n in counts:
            low, high = proportions.interval(INTERVALS[form.prop_method], count, n, form.conf_level)
            p = count / n
            se = float(np.sqrt(p * (1 - p) / n))
            yield Estimate("proportion", told, label, int(n), p, se, low, high, PROPORTIONS[form.prop_method])
    if "proportion_diff" in form.parameters:
        if len(counts) != 2:
            _two_groups(report, "两组率差", form)
            return
        (a, x, n), (b, y, m) = islice(counts, 2)
        low, high = proportions.newcombe(proportions.Two(x, n, y, m), form.conf_level)
        p, q = x / n, y / m
        se = float(np.sqrt(p * (1 - p) / n + q * (1 - q) / m))
        yield Estimate("proportion_diff", told, f"{a} − {b}", int(n + m), p - q, se, low, high, "Newcombe")
