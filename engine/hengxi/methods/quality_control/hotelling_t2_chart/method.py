from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Column,
    ColumnInfo,
    Form,
    Level,
    Matrix,
    NextStep,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    filled,
    integer,
    level,
    many,
    num,
    number,
    role,
    text,
)
from hengxi.families.control import run_lengths
from hengxi.families.control.subgroups import Phases
from hengxi.methods.quality_control._shared import chart as control
from hengxi.methods.quality_control._shared.chart import Bools, Floats, Ints, Panel, Run

SINGULAR = 1e-10
"""A variable of which less is left beside those before it is a combination of them."""
DECOMPOSED = 50
CHARTS = {"t2": "T²", "gen_var": "广义方差", "mewma": "多元 EWMA"}


@dataclass(frozen=True)
class Points:
    """Subgroups (or single rows) in order: sizes, mean vectors, scatter about the mean, rows, phase of each."""

    labels: list[str]
    n: Ints
    mean: Floats
    scatter: Floats
    rows: list[list[int]]
    phases: Phases

    @property
    def single(self) -> bool:
        return bool((self.n == 1).all())


@dataclass(frozen=True)
class Known:
    """Mean and covariance from the points the limits rest on, `count` of them with `total` rows and `df`."""

    mean: Floats
    covariance: Floats
    count: int
    total: int
    df: int


class HotellingT2Chart(control.ControlChart):
    """T² of subgroups or rows with limits of phase I and II, |S| and MEWMA; signals taken apart by variable."""

    title, title_en = "多元控制图（T²）", "Hotelling T-squared chart"
    tier = "member"
    purpose = "多个相关质量特性是否同时受控"
    aliases = ("T2控制图", "Hotelling", "多变量控制图", "MEWMA", "广义方差图", "multivariate control chart", "MSPC")
    references = ("hotelling1947", "tracy1992", "montgomery2013", "lowry1992", "rigdon1995", "runger1996")
    conventions = (
        "T² = n(x̄ − x̿)′S⁻¹(x̄ − x̿)；有子组时 S 为组内合并协方差，单值时为全部行的协方差。",
        "单值，阶段 I：上限 (m − 1)²/m × Beta(p/2, (m − p − 1)/2) 的 1 − α 分位数；"
        "阶段 II：p(m + 1)(m − 1)/(m(m − p)) × F(p, m − p)。",
        "子组：νp/(ν − p + 1) × F(p, ν − p + 1) 乘 1 − nᵢ/N（阶段 I）或 1 + nᵢ/N（阶段 II），ν = Σ(nᵢ − 1)。",
        "中心线为同一分布的中位数；T² 的下限为 0。",
        "填了阶段变量时，均值和协方差只由基准阶段估计，基准阶段用阶段 I 的上限，其余阶段用阶段 II 的上限。",
        "广义方差 |S| ± k 个标准误，b₁、b₂ 按 Montgomery；子组要大于特性个数。",
        "多元 EWMA 用稳定后的协方差 λ/(2 − λ) S，上限使受控时的平均链长为 1/α（Rigdon 的积分方程）。",
        "失控点分解：dⱼ = T² − 去掉第 j 个特性后的 T²，和 χ²(1) 的 1 − α 分位数比（Runger 等）；最多分解前 50 个。",
        "T² 的分布不对称，区域准则（5–8）不适用；广义方差和多元 EWMA 只判超出控制限。",
    )
    min_rows = 4

    spread_beside = False

    class Input(Form):
        measures: list[Column] = role("质量特性", "定量", min=2, max=20)
        subgroup: Column | None = role("子组变量（选填）", "任意", hint="不填时每行一个点")
        phase: Column | None = role("阶段变量（选填）", "定类", hint="用基准阶段定控制限，监控其余阶段")
        baseline: Level | None = level("基准阶段", of="phase", auto="first", when={"phase": filled})
        chart: list[str] = many("图", CHARTS, default=("t2",), min=1)
        phase_limits: str = choice(
            "控制限", {"phase1": "阶段 I（Beta/F）", "phase2": "阶段 II（F）"},
            hint="阶段 I 回看估计控制限的这批数据；阶段 II 用于以后的数据；填了阶段变量时不用选",
        )  # fmt: skip
        alpha: float = number("误报率", 0.0027, least=0.0001, most=0.1)
        smoothing: float = number(
            "平滑系数 λ", 0.1, least=0.05, most=1, when={"chart": "mewma"}, advanced=True, hint="越小越能发现小的偏移"
        )
        rule_set: str = control.rule_set()
        rules: list[str] = control.rules()
        k_sigma: float = number("广义方差图的控制限倍数", 3, least=1, most=6, when={"chart": "gen_var"}, advanced=True)
        exclude: bool = control.exclude(when=None)

    parts = Table(
        "失控点分解", index=integer("序号"), label=text("子组"), t2=num("T²"), variable=text("特性"), value=num("取值"),
        z=num("偏离（标准差）"), own=num("单独的 T²", least=0), d=num("贡献 d", least=0), limit=num("d 的界限"),
        used=text("判断"), merge=("index", "label", "t2"), place="main",
    )  # fmt: skip
    distributions = Table(
        "控制限的分布", panel=text("图"), which=text("用于"), law=text("分布"), df1=num("参数 1"), df2=num("参数 2"),
        factor=num("倍数"), limit=num("上限 UCL"),
    )  # fmt: skip
    centres = Table("均值与标准差", variable=text("特性"), mean=num("均值"), sd=num("标准差", least=0))
    correlations = Table(
        "协方差与相关", layout=Matrix(covariance=num("协方差"), r=num("相关", least=-1, most=1), show="lower")
    )

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.measures)} 个质量特性的多元控制图"

    @classmethod
    def limits_said(cls, form: Any) -> str:
        return f"误报率 {form.alpha:g}"

    @classmethod
    def width(cls, form: Any) -> float:
        return 3.0 if form.k_sigma is None else float(form.k_sigma)

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"variables": form["measures"]}
        title = "检验多元正态性（T² 的控制限要求它）"
        return [NextStep(title=title, method="descriptive/multivariate_normality", form=start)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        control.check_rules(report, form)
        points = _points(form)
        base = control.base_of(form, points.phases)
        asked = _asked(report, form, points)
        _judge(form, points, base)

        def estimate(kept: Bools) -> list[Panel]:
            known = _known(form, points, kept & base)
            return [_panel(form, name, points, known, base) for name in asked]

        run = Run(points.labels, points.n, points.rows, points.phases)
        kept, panels = control.settled(form, run, estimate, cls.width(form), base)
        known = _known(form, points, kept & base)
        cls.write(report, form, run, estimate)
        cls._known(report, form, known)
        cls._laws(report, form, points, known, base, asked)
        cls._parts(report, form, points, known, panels, asked)
        few = known.count < 20 * len(form.measures)
        report.check(
            "估计的精度", "care" if few else "pass",
            "均值和协方差由 {n:integer} 个点估计"
            + ("，不到特性个数的 20 倍，控制限还不稳定，积累数据后重算。" if few else "，够用。"), n=known.count,
        )  # fmt: skip
        return report

    @classmethod
    def _checks(cls, report: Report, form: Any, run: Run, kept: Bools, panels: list[Panel]) -> None:
        left = len(run) - int(kept.sum())
        if left:
            report.note(cls.control_limits, "计算控制限时剔除了 {n:integer} 个失控点。", n=left)

    @classmethod
    def _known(cls, report: Report, form: Any, known: Known) -> None:
        sd = np.sqrt(np.diag(known.covariance))
        for j, column in enumerate(form.measures):
            report.row(cls.centres, variable=column.title, mean=float(known.mean[j]), sd=float(sd[j]))
            for k in range(j + 1):
                covariance = float(known.covariance[j, k])
                report.row(
                    cls.correlations, item=column, against=form.measures[k], covariance=covariance,
                    r=min(1.0, max(-1.0, covariance / (sd[j] * sd[k]))),
                )  # fmt: skip

    @classmethod
    def _laws(cls, report: Report, form: Any, points: Points, known: Known, base: Bools, asked: list[str]) -> None:
        """Where the upper limits come from; of subgroups of different sizes the factor varies."""
        if "t2" in asked:
            stages = [False, True] if not base.all() else [form.phase_limits == "phase2"]
            for later in stages:
                law = _law(points, known, later)
                at = np.flatnonzero(~base if later and not base.all() else base)
                factors = law.factor[at]
                same = bool(np.ptp(factors) <= 1e-12 * factors[0])
                report.row(
                    cls.distributions, panel="T²", which="阶段 II" if later else "阶段 I", law=law.name, df1=law.df1,
                    df2=law.df2, factor=float(factors[0]) if same else None,
                    limit=float(law.quantile(1 - form.alpha)[at][0]) if same else None,
                )  # fmt: skip
                if not same:
                    report.note(cls.distributions, "子组大小不同，倍数和上限逐点不同，空着。")
        if "mewma" in asked:
            p = len(form.measures)
            limit = run_lengths.mewma_limit(form.smoothing, p, 1 / form.alpha)
            report.row(
                cls.distributions, panel="多元 EWMA", which=f"λ = {form.smoothing:g}", law="平均链长 1/α 的上限",
                limit=limit,
            )  # fmt: skip
        if asked == ["gen_var"]:
            report.skip(cls.distributions, "广义方差图的控制限由标准误得出")

    @classmethod
    def _parts(
        cls, report: Report, form: Any, points: Points, known: Known, panels: list[Panel], asked: list[str]
    ) -> None:
        """Signals of T² by variable."""
        if "t2" not in asked:
            report.skip(cls.parts, "没有画 T² 图")
            return
        panel = panels[asked.index("t2")]
        out = np.flatnonzero(panel.beyond(1.0))
        if out.size == 0:
            report.skip(cls.parts, "T² 图没有超出上限的点")
            return
        limit = float(stats.chi2.isf(form.alpha, 1))
        sd = np.sqrt(np.diag(known.covariance))
        blamed: dict[str, int] = {}
        for i in out[:DECOMPOSED]:
            away = np.sqrt(points.n[i]) * (points.mean[i] - known.mean)
            t2 = float(panel.value[i])
            for j, column in enumerate(form.measures):
                rest = [k for k in range(away.size) if k != j]
                without = float(away[rest] @ np.linalg.solve(known.covariance[np.ix_(rest, rest)], away[rest]))
                d = max(t2 - without, 0.0)
                guilty = d > limit
                blamed[column.title] = blamed.get(column.title, 0) + guilty
                report.row(
                    cls.parts, index=int(i) + 1, label=points.labels[i], t2=t2, variable=column.title,
                    value=float(points.mean[i, j]), z=float(away[j] / sd[j]), own=float((away[j] / sd[j]) ** 2), d=d,
                    limit=limit, used="主要" if guilty else None,
                )  # fmt: skip
        report.note(cls.parts, "贡献大而单独的 T² 不大，说明它和别的特性的关系变了，不是它自己偏了。")
        first = max(blamed, key=lambda name: blamed[name])
        if blamed[first]:
            report.say("失控点里“{v}”的贡献最常超过界限（{k:integer} 个点），从它查起。", v=first, k=blamed[first])
        else:
            report.say("没有单个特性的贡献超过界限，失控是几个特性一起偏了。")


@dataclass(frozen=True)
class Law:
    """T² is a factor (of each point) times a Beta or F variable."""

    name: str
    df1: float
    df2: float
    factor: Floats
    ppf: Any

    def quantile(self, share: float) -> Floats:
        return np.asarray(self.factor * float(self.ppf(share, self.df1, self.df2)))


def _law(points: Points, known: Known, later: bool) -> Law:
    """Tracy, Young & Mason (1992) for single rows; Montgomery (2013, 11.3) for subgroups, of any size."""
    p, m = known.mean.size, known.count
    ones = np.ones(points.n.size)
    if points.single:
        if not later:
            return Law("Beta", p / 2, (m - p - 1) / 2, (m - 1) ** 2 / m * ones, stats.beta.ppf)
        return Law("F", float(p), float(m - p), p * (m + 1) * (m - 1) / (m * (m - p)) * ones, stats.f.ppf)
    share = points.n / known.total
    scale = known.df * p / (known.df - p + 1)
    return Law("F", float(p), float(known.df - p + 1), scale * (1 + share if later else 1 - share), stats.f.ppf)


def _panel(form: Any, name: str, points: Points, known: Known, base: Bools) -> Panel:
    match name:
        case "t2":
            return _t2(form, points, known, base)
        case "mewma":
            return _mewma(form, points, known)
        case _:
            return _generalised(points, known)


def _t2(form: Any, points: Points, known: Known, base: Bools) -> Panel:
    away = points.mean - known.mean
    value = points.n * np.einsum("ij,ji->i", away, np.linalg.solve(known.covariance, away.T))
    whole = bool(base.all())
    early, late = (_law(points, known, later) for later in (False, True))
    is_late = np.full(points.n.size, form.phase_limits == "phase2") if whole else ~base
    ends = [np.where(is_late, late.quantile(q), early.quantile(q)) for q in (0.5, 1 - form.alpha)]
    zero = np.zeros(points.n.size)
    return Panel("T²", np.maximum(value, 0.0), ends[0], zero, lower=0.0, zones=False, ucl=ends[1], lcl=zero)


def _mewma(form: Any, points: Points, known: Known) -> Panel:
    """Started anew in each phase."""
    lam, p = form.smoothing, known.mean.size
    y = np.sqrt(points.n)[:, None] * (points.mean - known.mean)
    z = np.zeros(p)
    inverse = np.linalg.inv(known.covariance) * (2 - lam) / lam
    value, code = np.zeros(points.n.size), points.phases.code
    for i in range(points.n.size):
        z = lam * y[i] + (1 - lam) * (z if i and code[i] == code[i - 1] else 0.0)
        value[i] = float(z @ inverse @ z)
    zero = np.zeros(value.size)
    limit = np.full(value.size, run_lengths.mewma_limit(lam, p, 1 / form.alpha))
    return Panel("多元 EWMA", value, zero, zero, lower=0.0, zones=False, ucl=limit, lcl=zero, runs=False)


def _generalised(points: Points, known: Known) -> Panel:
    """|S| of each subgroup about |S̄|; b1 and b2 by the size of the subgroup (Montgomery 2013, 11.37)."""
    p = known.mean.size
    n = points.n.astype(float)
    value = np.linalg.det(points.scatter / (n - 1)[:, None, None])
    steps = np.arange(1, p + 1)[None, :]
    product = np.prod(n[:, None] - steps, axis=1)
    b1 = product / (n - 1) ** p
    b2 = product * (np.prod(n[:, None] - steps + 2, axis=1) - product) / (n - 1) ** (2 * p)
    whole = float(np.linalg.det(known.covariance))
    se = whole * np.sqrt(b2) / b1
    return Panel("广义方差", value, np.full(n.size, whole), se, lower=0.0, zones=False, runs=False)


def _points(form: Any) -> Points:
    """Rows as they stand, or gathered by subgroup in order of first appearance."""
    x = np.column_stack([column.numbers for column in form.measures])
    reach = np.ptp(x, axis=0)
    if not np.isfinite(x).all() or np.abs(x).max() > 1e70 or (0 < reach[reach > 0].min(initial=1.0) < 1e-70):
        raise Refusal("data.range", "数值太大或太小，算不出协方差，请换一个单位", field="measures")
    rows = np.asarray(form.measures[0].row_numbers)
    if form.subgroup is None:
        place, labels = np.arange(rows.size), [str(i + 1) for i in range(rows.size)]
    else:
        texts = [str(cell) for cell in form.subgroup.text]
        order = {name: i for i, name in enumerate(dict.fromkeys(texts))}
        place, labels = np.array([order[name] for name in texts]), list(order)
    n = np.bincount(place)
    mean = np.stack([np.bincount(place, one) / n for one in x.T], axis=1)
    away = x - mean[place]
    scatter = np.zeros((n.size, x.shape[1], x.shape[1]))
    np.add.at(scatter, place, away[:, :, None] * away[:, None, :])
    # One split of the rows in order of their subgroup: not a pass for each.
    members = [part.tolist() for part in np.split(rows[np.argsort(place, kind="stable")], np.cumsum(n)[:-1])]
    return Points(labels, n, mean, scatter, members, _phases(form, place, n.size, labels))


def _phases(form: Any, place: Ints, count: int, labels: list[str]) -> Phases:
    if form.phase is None:
        return Phases(np.zeros(count, dtype=np.int64), [""])
    codes = np.asarray(form.phase.codes)
    low, high = np.full(count, codes.max() + 1), np.full(count, -1)
    np.minimum.at(low, place, codes)
    np.maximum.at(high, place, codes)
    if (low != high).any():
        i = int(np.flatnonzero(low != high)[0])
        words = "子组“{g}”里有两个阶段（{a}、{b}），一个子组只能属于一个阶段"
        names = form.phase.labels
        raise Refusal(
            "data.two_phases", words, field="phase", column=form.phase.id, g=labels[i], a=names[low[i]],
            b=names[high[i]],
        )  # fmt: skip
    order = list(dict.fromkeys(high.tolist()))
    return Phases(np.array([order.index(c) for c in high.tolist()]), [form.phase.labels[c] for c in order])


def _asked(report: Report, form: Any, points: Points) -> list[str]:
    """Charts in their order; |S| needs subgroups larger than the number of variables."""
    asked = [name for name in CHARTS if name in form.chart]
    if "gen_var" in asked and points.n.min() <= len(form.measures):
        words = "广义方差图要求每个子组的行数大于特性个数"
        if asked == ["gen_var"]:
            remedy = SetRemedy(title="改画 T² 图", set={"chart": ["t2"]})
            raise Refusal("data.small", words + "，请改画 T² 图", field="chart", remedies=[remedy])
        report.warn("data.small", words + "，没有画。")
        asked.remove("gen_var")
    return asked


def _known(form: Any, points: Points, use: Bools) -> Known:
    n = points.n[use]
    total = int(n.sum())
    mean = np.average(points.mean[use], axis=0, weights=n)
    p = mean.size
    if points.single:
        away = points.mean[use] - mean
        return _sound(form, Known(mean, away.T @ away / max(total - 1, 1), n.size, total, total - 1), n.size > p + 1)
    df = total - n.size
    return _sound(form, Known(mean, points.scatter[use].sum(axis=0) / max(df, 1), n.size, total, df), df > p)


def _sound(form: Any, known: Known, enough: bool) -> Known:
    """Refuses too few points, and variables that are combinations of others, by name."""
    if not enough or known.count < 2:
        words = "样本数必须大于质量特性个数：{p} 个特性，用来估计控制限的只有 {m} 个点、{n} 行"
        raise Refusal("data.few", words, field="measures", p=known.mean.size, m=known.count, n=known.total)
    sd = np.sqrt(np.diag(known.covariance))
    r = known.covariance / np.outer(sd, sd)
    for j in range(1, known.mean.size):
        before = r[:j, :j]
        if 1 - float(r[j, :j] @ np.linalg.solve(before, r[:j, j])) < SINGULAR:
            column = form.measures[j]
            words = "特性之间完全共线，请删除“{v}”"
            raise Refusal("data.singular", words, field="measures", column=column.id, v=column.title)
    return known


def _judge(form: Any, points: Points, base: Bools) -> None:
    """A variable without variation among the points the limits rest on."""
    for j, column in enumerate(form.measures):
        spread = points.scatter[base, j, j].sum() if not points.single else np.ptp(points.mean[base, j])
        if not spread > 0:
            where = "" if points.single else "子组内"
            words = "“{v}”{where}没有变异，控制限无意义，请删除它或核对数据"
            raise Refusal("data.constant", words, field="measures", column=column.id, v=column.title, where=where)
