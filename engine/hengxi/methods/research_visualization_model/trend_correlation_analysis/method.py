"""Several indicators over time: which rise or fall, which move together, and which lead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Form,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    Silent,
    Table,
    Timeline,
    Visualization,
    choice,
    claim,
    confidence,
    figure,
    filled,
    flag,
    integer,
    interval,
    num,
    percent,
    pvalue,
    role,
    stat,
    text,
    timeline,
)
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, titles, unique
from hengxi.stats.serial import cross_correlation

from .trends import Trend, trend

AGGREGATES = {"mean": "均值", "sum": "求和", "last": "期末"}
COEFFICIENTS = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall"}
SMOOTH = {"lowess": "LOWESS", "linear": "线性", "moving": "移动平均", "none": "不画"}
GROUPED: dict[str, Any] = {"group": filled}
HAMED: dict[str, Any] = {"corrected": True}
LEAST, FEW, MOST_PERIODS, DRAWN_PAIRS, ALPHA = 4, 8, 5000, 6, 0.05
WHOLE = "全部"


@dataclass(frozen=True)
class Line:
    """An indicator by period; NaN where a period has no value."""

    name: str
    values: Floats

    @property
    def known(self) -> npt.NDArray[np.int64]:
        return np.flatnonzero(~np.isnan(self.values))

    @property
    def changes(self) -> Floats:
        """First differences; NaN beside a gap."""
        return np.diff(self.values)


class TrendCorrelationAnalysis(Visualization):
    title, title_en = "趋势相关分析", "Trend and correlation analysis"
    family, tier = "可视化模型", "member"
    slug = "trend-correlation-analysis"
    purpose = "多个指标随时间怎样变化，彼此同步、领先还是滞后"
    aliases = ("趋势分析", "Mann-Kendall", "Sen斜率", "领先滞后", "互相关", "同比环比")
    references = ("mann1945", "sen1968", "hamed1998", "cleveland1979")
    conventions = (
        "Mann-Kendall 的方差含结的校正，z 作连续性校正；τ 为 τb。斜率都按每一期计，缺的期不补。",
        "Sen 斜率是所有两期之间斜率的中位数，区间取按方差算出的名次（取整）。",
        "自相关校正（Hamed-Rao，1998）：用去掉 Sen 趋势后的秩的自相关中显著的那些修正方差。",
        "复合增长率 = (末期/首期)^(1/相隔期数) − 1，首末期都大于 0 才算；总变化率要首期大于 0。",
        "差分后的相关用相邻两期的变化；缺一期时它两侧的变化都不用。",
        "领先滞后：互相关系数，除以全部期数；界限为 ±1.96/√n。有缺期时不算。",
        "LOWESS 用 2/3 的点，迭代 3 次；移动平均为居中的 5 期。",
    )
    missing = "keep"
    row_order = True

    class Input(Form):
        time: Timeline = timeline("时间变量", gaps="keep", repeats=True, least=LEAST, hint="要按月、按季汇总时改频率")
        variables: list[Column] = role("指标变量", "定量", min=1, max=20)
        group: Column | None = role("分组变量（选填）", "定类", min=0, levels=(2, 8))
        agg: str = choice("同期汇总", AGGREGATES)
        corrected: bool = flag("自相关校正（Hamed-Rao）", True)
        correlation: str = choice("相关系数", COEFFICIENTS)
        max_lag: int = integer("最大领先滞后期", 6, least=0, most=60)
        detrend: bool = flag("相关前先差分", True, hint="领先滞后和热力图用差分后的值")
        smooth: str = choice("趋势线", SMOOTH)
        index_base: bool = flag("指数化（首期 = 100）", False, hint="只影响图形")
        conf_level: float = confidence()

    lines = Points("折线", period=text("时间"), value=num("取值"), series=text("指标"), facet=text("组"))
    plot = Chart("指标与趋势", "line", of=lines, x="period", y="value", series="series", facet="facet", place="main")
    trends = Table(
        "趋势检验", group=text("组", when=GROUPED), name=text("指标"), n=integer("期数"), first=num("首期"),
        last=num("末期"), change=percent("总变化率", most=None, least=None),
        growth=percent("复合增长率", most=None, least=None), slope=num("Sen 斜率"),
        ci=interval("Sen 斜率的CI", "low", "high", around="slope"),
        tau=num("*τ*", least=-1, most=1, decimals=3), z=num("*z*"), p=pvalue(), place="main",
        claim=claim("named", stat("*z*", "z"), effect="tau", effect_symbol="*τ*", names=("name",)),
    )  # fmt: skip
    further = Table(
        "线性趋势与自相关校正", group=text("组", when=GROUPED), name=text("指标"), slope=num("线性斜率"),
        p=pvalue(), r2=num("*R*²", least=0, most=1, decimals=3), hz=num("校正的 *z*", when=HAMED),
        hp=pvalue("校正的 *p*", when=HAMED), claim=Silent("the table of trends tells the test"),
    )  # fmt: skip
    periods = Table(
        "同期环比", name=text("指标"), period=text("时间"), value=num("值"),
        before=percent("环比", most=None, least=None), year=percent("同比", most=None, least=None), merge=("name",),
        place="detail",
    )  # fmt: skip
    pairs = Table(
        "相关", a=text("指标 1"), b=text("指标 2"), n=integer("期数"),
        r=num("原值的相关", least=-1, most=1, decimals=3), p=pvalue("原值的 *p*"), dn=integer("差分的期数"),
        dr=num("差分后的相关", least=-1, most=1, decimals=3),
        dp=pvalue("差分后的 *p*"), merge=("a",), place="main",
        claim=Silent("two p a row; the sentences tell the strongest"),
    )  # fmt: skip
    cells = Points("相关热力", row=text("指标"), column=text("指标 "), r=num("相关"))
    heat = Chart("相关热力图", "heat", of=cells, row="row", column="column", value="r")
    lagged = Table(
        "领先滞后", a=text("指标 1"), b=text("指标 2"), lag=integer("滞后期"),
        r=num("互相关", least=-1, most=1, decimals=3), bound=num("95% 界限", decimals=3),
        leads=text("解读"), merge=("a",), place="main",
    )  # fmt: skip
    bars = Points("互相关", pair=text("指标对"), lag=integer("滞后期"), r=num("互相关"))
    ccf = Chart("互相关图", "bar", of=bars, x="lag", y="r", facet="pair")

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        first = {"y": form["variables"][0], "time": form["time"]}
        return [NextStep(title="预测以后各期", method="econometric/arima", form=first)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if form.time.length > MOST_PERIODS:
            raise Refusal(
                "data.large", "有 {n} 期，最多 {most} 期，请把频率改粗（如按月）", field="time", n=form.time.length,
                most=MOST_PERIODS,
            )  # fmt: skip
        rows = np.ones(len(form.time.column), dtype=bool)
        lines = _lines(report, form, rows)
        for line in lines:
            _enough(form, line)
        found = cls._trends(report, form, lines)
        cls._periods(report, form, lines)
        cls._draw(report, form, lines, WHOLE)
        strongest = cls._pairs(report, form, lines)
        leading = cls._lagged(report, form, lines)
        if form.group is not None:
            cls._groups(report, form)
        cls._words(report, form, lines, found, strongest, leading)
        report.used(len(form.time.column))
        return report

    # ---- trends ----------------------------------------------------------------------------------------------------
    @classmethod
    def _trends(cls, report: Report, form: Any, lines: list[Line], group: str = WHOLE) -> list[Trend | None]:
        found = []
        for line in lines:
            at = line.known
            y = line.values[at]
            own = trend(at, y, form.conf_level)
            found.append(own)
            first, last = float(y[0]), float(y[-1])
            span = int(at[-1] - at[0])
            label: dict[str, Any] = {"group": group} if form.group is not None else {}
            growth = (last / first) ** (1 / span) - 1 if first > 0 and last > 0 else None
            cells: dict[str, Any] = {}
            if own is not None:
                cells = {
                    "slope": own.slope, "low": own.low, "high": own.high, "tau": own.kendall.tau, "z": own.kendall.z,
                    "p": own.kendall.p,
                }  # fmt: skip
                hamed: dict[str, Any] = {"hz": own.corrected_z, "hp": own.corrected_p} if form.corrected else {}
                report.row(
                    cls.further, name=line.name, slope=own.line_slope, p=own.line_p, r2=own.r2, **label, **hamed
                )  # fmt: skip
            else:
                report.note(cls.trends, "“{v:text}”各期相同，不检验。", v=line.name)
            report.row(
                cls.trends, name=line.name, n=at.size, first=first, last=last,
                change=last / first - 1 if first > 0 else None, growth=growth, **label, **cells,
            )  # fmt: skip
        if group == WHOLE:
            report.note(
                cls.trends, "斜率和增长率按每{unit:text}计，CI 的置信水平为 {level:percent}。",
                unit=form.time.calendar.title, level=form.conf_level,
            )  # fmt: skip
            if all(own is None for own in found):
                report.skip(cls.further, "各指标都没有变化")
        return found

    @classmethod
    def _groups(cls, report: Report, form: Any) -> None:
        thin = []
        for level, name in zip(form.group.levels, level_words(form.group.levels), strict=True):
            lines = _lines(report, form, form.group.where(level))
            held = [line for line in lines if line.known.size >= LEAST]
            if len(held) < len(lines):
                thin.append(name)
            cls._trends(report, form, held, name)
            cls._draw(report, form, held, name)
        if thin:
            report.note(cls.trends, "不到 4 期的没有列出：“{names:text}”。", names="”“".join(thin))

    @classmethod
    def _periods(cls, report: Report, form: Any, lines: list[Line]) -> None:
        season = form.time.calendar.season if form.time.calendar.frequency in ("month", "quarter", "week") else None
        for line in lines:
            y = line.values
            for k in line.known:
                report.row(
                    cls.periods, name=line.name, period=form.time.label(int(k)), value=float(y[k]),
                    before=_ratio(y, int(k), 1), year=None if season is None else _ratio(y, int(k), season),
                )  # fmt: skip

    # ---- correlations ----------------------------------------------------------------------------------------------
    @classmethod
    def _pairs(cls, report: Report, form: Any, lines: list[Line]) -> tuple[str, str, float, float] | None:
        """The pair with the strongest correlation of what is looked at."""
        if len(lines) < 2:
            for element in (cls.pairs, cls.cells):
                report.skip(element, "只有一个指标")
            return None
        best: tuple[str, str, float, float] | None = None
        found: dict[tuple[str, str], float] = {}
        for i, first in enumerate(lines):
            for second in lines[i + 1 :]:
                n, r, p = _correlate(form.correlation, first.values, second.values)
                dn, dr, dp = _correlate(form.correlation, first.changes, second.changes)
                report.row(cls.pairs, a=first.name, b=second.name, n=n, r=r, p=p, dn=dn, dr=dr, dp=dp)
                value, chance = (dr, dp) if form.detrend else (r, p)
                if value is None or chance is None:
                    continue
                found[first.name, second.name] = value
                if best is None or abs(value) > abs(best[2]):
                    best = (first.name, second.name, value, chance)
        report.note(cls.pairs, "原值都有趋势时，相关可能是假的；先看差分后的相关。")
        for first in lines:
            for second in lines:
                r = (
                    1.0
                    if first is second
                    else found.get((first.name, second.name), found.get((second.name, first.name)))
                )
                if r is not None:
                    report.row(cls.cells, row=first.name, column=second.name, r=r)
        return best

    @classmethod
    def _lagged(cls, report: Report, form: Any, lines: list[Line]) -> tuple[str, str, int, float] | None:
        """The pair whose strongest cross-correlation beyond the bounds is at a lag."""
        held = []
        for line in lines:
            values = line.changes if form.detrend else line.values
            inner = values[line.known[0] : line.known[-1] + (0 if form.detrend else 1)]
            if np.isnan(inner).any():
                report.warn("data.gaps", "“{v}”中间有缺的期，没有算领先滞后。", v=line.name)
            elif inner.size and inner.min() < inner.max():
                held.append((line, values))
        best: tuple[str, str, int, float] | None = None
        pairs = [(a, b) for i, a in enumerate(held) for b in held[i + 1 :]]
        drawn = 0
        for (first, x), (second, y) in pairs:
            both = np.flatnonzero(~np.isnan(x) & ~np.isnan(y))
            n = both.size
            lags = min(form.max_lag, (n - 1) // 4)
            if n < LEAST or np.ptp(x[both]) == 0 or np.ptp(y[both]) == 0:
                continue
            if lags < form.max_lag:
                report.note(cls.lagged, "期数少，最多看 {k:integer} 期。", k=lags)
            r = cross_correlation(x[both], y[both], lags)
            at = int(np.argmax(np.round(np.abs(r), 12)))
            lag, bound = at - lags, 1.96 / float(np.sqrt(n))
            sure = abs(r[at]) > bound
            if not sure:
                word = "没有超出界限"
            elif lag == 0:
                word = "同步"
            else:
                leader, follower = (second.name, first.name) if lag > 0 else (first.name, second.name)
                word = f"“{leader}”领先“{follower}” {abs(lag)} 期"
            report.row(cls.lagged, a=first.name, b=second.name, lag=lag, r=float(r[at]), bound=bound, leads=word)
            if drawn < DRAWN_PAIRS:
                drawn += 1
                for k, value in enumerate(r):
                    report.row(cls.bars, pair=f"{first.name} 与 {second.name}", lag=k - lags, r=float(value))
            if sure and lag != 0 and (best is None or abs(r[at]) > abs(best[3])):
                best = (*((second.name, first.name) if lag > 0 else (first.name, second.name)), abs(lag), float(r[at]))
        if not drawn:
            for element in (cls.lagged, cls.bars):
                report.skip(element, "没有两个可比的指标")
        else:
            report.chart(cls.ccf, over=[Reference(y=0)])
            report.note(cls.lagged, "滞后期为正：指标 2 领先指标 1。")
        return best

    # ---- figures and words -----------------------------------------------------------------------------------------
    @classmethod
    def _draw(cls, report: Report, form: Any, lines: list[Line], facet: str) -> None:
        if form.group is not None and facet == WHOLE:
            return
        most = max(20, 960 // (2 * max(1, len(form.variables)) * (len(form.group.levels) if form.group else 1)))
        for line in lines:
            at = line.known
            y = line.values[at]
            if form.index_base and y[0] != 0:
                y = 100 * y / y[0]
            shown = np.unique(np.linspace(0, at.size - 1, min(at.size, most)).round().astype(int))
            smoothed = _smoothed(form.smooth, at, y)
            drawn = [(line.name, y)] + ([] if smoothed is None else [(f"{line.name}（趋势）", smoothed)])
            for series, values in drawn:
                for k in shown:
                    if not np.isnan(values[k]):
                        report.row(
                            cls.lines, period=form.time.label(int(at[k])), value=float(values[k]), series=series,
                            facet=facet,
                        )  # fmt: skip

    @classmethod
    def _words(
        cls, report: Report, form: Any, lines: list[Line], found: list[Trend | None],
        strongest: tuple[str, str, float, float] | None, leading: tuple[str, str, int, float] | None,
    ) -> None:  # fmt: skip
        up = [
            line.name for line, own in zip(lines, found, strict=True) if own and own.kendall.p < ALPHA and own.slope > 0
        ]
        down = [
            line.name for line, own in zip(lines, found, strict=True) if own and own.kendall.p < ALPHA and own.slope < 0
        ]
        parts: list[str] = []
        facts: dict[str, Any] = {"n": form.time.length}
        if up:
            facts["up"] = "”“".join(up[:5])
            parts.append("“{up:text}”随时间上升")
        if down:
            facts["down"] = "”“".join(down[:5])
            parts.append("“{down:text}”随时间下降")
        main = "，".join(parts) + "（Mann-Kendall 检验 *p* < .05）。" if parts else "没有发现随时间上升或下降的指标。"
        report.lead(main, [figure("期数", "{n:integer}"), figure("指标", f"{len(lines)} 个")], **facts)
        spoken = {key: facts[key] for key in ("up", "down") if key in facts}
        report.say(
            "Mann-Kendall 检验看后面的值是不是多半比前面高（或低），不要求是直线。Sen 斜率是每一期的典型变化。",
            voice="student",
        )  # fmt: skip
        report.say("共 {n:integer} 期。" + main, voice="paper", **facts)
        report.say(main, voice="brief", **spoken)
        if strongest is not None:
            a, b, r, p = strongest
            word = "差分后" if form.detrend else "原值"
            sure = "。" if p < ALPHA else "，没有统计学意义。"
            report.say(
                word + "相关最强的是“{a:text}”和“{b:text}”（{r:num}，*p* {p:peq}）" + sure, a=a, b=b, r=r, p=p
            )  # fmt: skip
        if leading is not None:
            a, b, lag, r = leading
            report.say(
                "“{a:text}”领先“{b:text}” {lag:integer} 期（互相关 {r:num}）。领先不等于原因。", a=a, b=b, lag=lag, r=r
            )  # fmt: skip
        few = min(line.known.size for line in lines)
        report.check(
            "期数", "pass" if few >= FEW else "care",
            "最短的指标有 {k:integer} 期" + ("。" if few >= FEW else "，少于 8 期，趋势检验不可靠。"), k=int(few),
        )  # fmt: skip


# ---- reading -------------------------------------------------------------------------------------------------------
def _lines(report: Report, form: Any, rows: Any) -> list[Line]:
    """Every indicator, one value a period; several rows of a period are put together."""
    names = unique(list(titles(form.variables).values()))
    place, size = form.time.place, form.time.length
    found, together = [], 0
    for column, name in zip(form.variables, names, strict=True):
        x = column.numbers
        held = np.flatnonzero(~np.isnan(x) & rows)
        held = held[np.argsort(place[held], kind="stable")]
        counts = np.bincount(place[held], minlength=size)
        together = max(together, int(counts.max(initial=0)))
        values = np.full(size, np.nan)
        known = counts > 0
        if form.agg == "last":
            values[place[held]] = x[held]
        else:
            sums = np.bincount(place[held], weights=x[held], minlength=size)
            values[known] = sums[known] / (counts[known] if form.agg == "mean" else 1)
        found.append(Line(name, values))
    if together > 1 and rows.all():
        report.say("同一期最多有 {k:integer} 行，已按{how:text}汇总。", k=together, how=AGGREGATES[form.agg])
    return found


def _enough(form: Any, line: Line) -> None:
    if line.known.size < LEAST:
        raise Refusal(
            "data.few", "“{v}”只有 {n} 期有值，至少要 {least} 期", field="variables", v=line.name,
            n=int(line.known.size), least=LEAST,
        )  # fmt: skip


def _ratio(y: Floats, k: int, back: int) -> float | None:
    if k < back or np.isnan(y[k - back]) or y[k - back] == 0:
        return None
    return float(y[k] / y[k - back] - 1)


def _correlate(kind: str, x: Floats, y: Floats) -> tuple[int, float | None, float | None]:
    both = ~np.isnan(x) & ~np.isnan(y)
    a, b = x[both], y[both]
    if a.size < 3 or a.min() == a.max() or b.min() == b.max():
        return int(a.size), None, None
    test: Any = {
        "pearson": stats.pearsonr, "spearman": stats.spearmanr,
        "kendall": lambda u, v: stats.kendalltau(u, v, method="asymptotic"),
    }[kind](a, b)  # fmt: skip
    return int(a.size), float(test.statistic), float(test.pvalue)


def _smoothed(kind: str, at: npt.NDArray[np.int64], y: Floats) -> Floats | None:
    """The line through the periods with a value."""
    if kind == "none" or y.size < LEAST:
        return None
    if kind == "linear":
        slope = float(np.polyfit(at, y, 1)[0])
        return np.asarray(y.mean() + slope * (at - at.mean()))
    if kind == "moving":
        return np.array([y[max(0, k - 2) : k + 3].mean() if 2 <= k < y.size - 2 else np.nan for k in range(y.size)])
    from statsmodels.nonparametric.smoothers_lowess import lowess

    return np.asarray(lowess(y, at.astype(float), frac=2 / 3, it=3, delta=0.0, return_sorted=False))
