from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
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
    Silent,
    Table,
    few_of,
    figure,
    integer,
    interval,
    many,
    num,
    number,
    percent,
    pvalue,
    role,
    text,
    values_column,
)
from hengxi.methods.descriptive._shared.sample_parts import Part, refuse_extreme, sample_parts
from hengxi.stats import boxes, outliers
from hengxi.stats.covariances import is_singular
from hengxi.stats.moments import Floats, Ordered, moments
from hengxi.stats.names import listed, titles
from hengxi.stats.normality import normality

TITLES = {
    "tukey": "箱线图1.5/3IQR", "sigma": "3σ", "mad": "修正Z（MAD）", "grubbs": "Grubbs", "dixon": "Dixon Q",
    "esd": "广义ESD", "mahalanobis": "马氏距离（多元）", "lof": "局部离群因子", "iforest": "孤立森林",
}  # fmt: skip
TOGETHER = ("mahalanobis", "lof", "iforest")
NORMAL = ("grubbs", "dixon", "esd")
RULES = ("tukey", "sigma", "mad")
ROOM = {"grubbs": (3, 1_000_000), "dixon": outliers.DIXON, "esd": (15, 100_000)}
MOST_ROWS = {"lof": 50_000, "iforest": 200_000, "mahalanobis": 5_000_000}
LISTED, DRAWN, NEIGHBOURS = 1000, 2000, 20
MODIFIED, FAR = 3.5, 0.001


@dataclass
class Found:
    """What one method says of one variable (or of all together). `rows`: places of the flagged cases in the column."""

    method: str
    variable: str
    n: int
    rows: NDArray[np.int64]
    values: Floats
    statistics: Floats
    critical: float | None
    p: list[float | None]
    low: float | None = None
    high: float | None = None
    verdict: str = "异常"


class OutlierTest(Method):
    """Rules and tests side by side; each case that is flagged is named by its row."""

    title, title_en = "异常值检验", "Outlier tests"
    family, tier = "描述性分析", "standard"
    rescaled = (("variables",),)
    purpose = "哪些观测是统计意义上的异常值"
    aliases = (
        "离群值", "异常值", "Grubbs", "格拉布斯", "Dixon", "Q检验", "ESD", "3西格玛", "拉依达准则", "MAD", "马氏距离",
        "LOF", "孤立森林", "箱线图",
    )  # fmt: skip
    references = (
        "tukey1977", "iglewicz1993", "grubbs1969", "dixon1953", "rosner1983", "mahalanobis1936", "breunig2000",
        "liu2008",
    )  # fmt: skip
    conventions = (
        "箱线图：离 Tukey（1977）折叶点超过 1.5 倍箱长为离群，超过 3 倍为远离群。",
        "3σ：离均值超过 3 个标准差；标准差以 n − 1 为分母。",
        "修正 Z = 0.6745（x − 中位数）/ MAD，绝对值超过 3.5（Iglewicz 与 Hoaglin，1993）；MAD 为 0 时不给。",
        "Grubbs（1969）为双侧，只检验离均值最远的一个值；p 按 Bonferroni 界计算，不超过 1。",
        "Dixon（1953）为双侧，检验离均值最远的一个值；n 为 3–7 用 r10，8–10 用 r11，11–13 用 r21，14–30 用 r22；"
        "临界值和 p 由正态样本的联合分布数值积分。",
        "广义 ESD（Rosner，1983）从最远的值逐个剔除，最后一个 R 超过 λ 的及其之前的都判为异常；至少 15 例。",
        "马氏距离（Mahalanobis，1936）按 χ² 分布，p < .001 判为异常；只用全部变量都有值的行。",
        "局部离群因子（Breunig 等，2000）取 20 个近邻，孤立森林（Liu 等，2008）取 100 棵树；两者先化成标准分，"
        "按预期异常比例取得分最高的行，不是检验。",
    )
    missing = "pairwise"
    random = True
    min_rows = 3

    class Input(Form):
        variables: list[Column] = role("分析变量", "定量", min=1, max=100)
        label: Column | None = role("个案标识（选填）", "任意", use="label")
        methods: list[str] = many("检验方法", TITLES, default=("tukey", "grubbs"), min=1)
        alpha: float = number("显著性水平", 0.05, least=0.001, most=0.2, when={"methods": NORMAL})
        max_outliers: int = integer("ESD最大异常个数", 10, least=1, most=100, when={"methods": "esd"})
        contamination: float = number("预期异常比例", 0.05, least=0.001, most=0.5, when={"methods": ("lof", "iforest")})

    summary = Table(
        "各方法汇总", variable=text("变量"), method=text("方法"), n=integer("*n*"), count=integer("异常个数"),
        share=percent("占比"), bounds=interval("正常范围", "low", "high"), merge=("variable",), place="main",
    )  # fmt: skip
    details = Table(
        "异常值明细", variable=text("变量"), row=integer("行号"), label=text("个案标识"), value=num("取值"),
        method=text("方法"), statistic=num("统计量"), critical=num("临界值"), p=pvalue(), verdict=text("判定"),
        merge=("variable",), place="main", claim=Silent("cases, not variables, are judged"),
    )  # fmt: skip
    steps = Table(
        "广义ESD逐步", variable=text("变量"), step=integer("步"), R=num("*R*", least=0), critical=num("λ", least=0),
        row=integer("行号"), value=num("取值"), verdict=text("判定"), merge=("variable",), when={"methods": "esd"},
    )  # fmt: skip
    spread = Points(
        "箱线", variable=text("变量"), min=num("须下端"), q1=num("下折叶点"), median=num("中位数"), q3=num("上折叶点"),
        max=num("须上端"), outliers=values_column("离群值"),
    )  # fmt: skip
    box = Chart(
        "箱线图", "box", of=spread, x="variable", min="min", q1="q1", median="median", q3="q3", max="max",
        outliers="outliers", place="main",
    )  # fmt: skip
    points = Points("序列", row=integer("行号"), value=num("取值"), state=text("判定"))
    series = Chart("序列图", "point", of=points, x="row", y="value", series="state", place="detail")
    distances = Points(
        "马氏距离", row=integer("行号"), d2=num("*D*²"), state=text("判定"), when={"methods": "mahalanobis"}
    )
    far = Chart(
        "马氏距离图",
        "point",
        of=distances,
        x="row",
        y="d2",
        series="state",
        place="detail",
        when={"methods": "mahalanobis"},
    )

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{few_of(list(titles(form.variables).values()))}的异常值"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"variables": form["variables"]}
        return [
            NextStep(title="先看分布是否正态", method="descriptive/normality_test", form=start),
            NextStep(title="看稳健的统计量（中位数等）", method="descriptive/descriptive_statistics", form=start),
        ]  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = titles(form.variables)
        asked = [key for key in form.methods if key in TOGETHER]
        if asked and len(form.variables) < 2:
            raise Refusal(
                "role.few", "马氏距离、局部离群因子和孤立森林至少需要2个变量", field="variables", also=["methods"]
            )
        found: list[Found] = []
        for column in form.variables:
            (part,) = sample_parts(column, None, None)
            refuse_extreme(column, [part], "variables")
            found += cls._single(report, column, names[column.id], part, form)
        found += cls._together(report, form, asked)
        if not found:
            raise Refusal(
                "data.few", "所选的检验都做不了：有效值太少或太多，或取值完全相同；见各检验的例数要求", field="methods"
            )
        cls._tables(report, form, found)
        for element in (cls.steps, cls.points, cls.spread, cls.distances):
            if not any(table == element.id for table, _ in report.rows):
                report.skip(element, "没有可以给出的变量")
        _words(report, form, found)
        return report

    # ---- one variable ----------------------------------------------------------------------------------------------
    @classmethod
    def _single(cls, report: Report, column: Column, name: str, part: Part, form: Any) -> list[Found]:
        asked = [key for key in form.methods if key not in TOGETHER]
        if not asked:
            return []
        if part.n == 0 or part.x.min() == part.x.max():
            report.warn("data.constant", "“{v}”取值完全相同，不存在异常值。", v=name, columns=[column])
            return []
        found = []
        for key in asked:
            low, high = ROOM.get(key, (2, 10**9))
            if not low <= part.n <= high:
                _out_of_range(report, key, name, part.n, low, high)
                continue
            one = _ruled(key, name, part) if key in RULES else cls._tested(report, key, name, column, part, form)
            if one is None:
                text_ = "“{v}”超过一半取值相同，MAD 为 0，修正 Z 不能用。"
                report.warn("data.mad", text_, v=name, columns=[column])
            else:
                found.append(one)
        if set(asked) & set(NORMAL):
            _normal(report, name, part)
        cls._draw(report, column, name, part, found)
        return found

    @classmethod
    def _tested(cls, report: Report, key: str, name: str, column: Column, part: Part, form: Any) -> Found:
        x = part.x / 2 ** int(np.frexp(np.abs(part.x).max())[1])
        if key == "esd":
            steps = outliers.esd(x, form.max_outliers, form.alpha)
            last = max((i + 1 for i, step in enumerate(steps) if step.critical < step.R), default=0)
            for i, step in enumerate(steps):
                report.row(
                    cls.steps, variable=name, step=i + 1, R=step.R, critical=step.critical,
                    row=int(column.row_numbers[part.rows[step.place]]), value=part.x[step.place],
                    verdict="异常" if i < last else "—",
                )  # fmt: skip
            places = np.array([step.place for step in steps[:last]], dtype=np.int64)
            return Found(
                key, name, part.n, part.rows[places], part.x[places], np.array([s.R for s in steps[:last]]), None,
                [None] * last,
            )  # fmt: skip
        one = outliers.grubbs(x, form.alpha) if key == "grubbs" else outliers.dixon(x, form.alpha)
        places = np.array([one.place], dtype=np.int64)
        verdict = "异常" if one.p < form.alpha else "没有发现异常"
        return Found(
            key, name, part.n, part.rows[places], part.x[places], np.array([one.statistic]), one.critical, [one.p],
            verdict=verdict,
        )  # fmt: skip

    @classmethod
    def _draw(cls, report: Report, column: Column, name: str, part: Part, found: list[Found]) -> None:
        shape = boxes.box(Ordered.of(part.x))
        report.row(
            cls.spread, variable=name, min=shape.low, q1=shape.q1, median=shape.median, q3=shape.q3, max=shape.high,
            outliers=shape.outliers,
        )  # fmt: skip
        flagged = np.zeros(len(column), dtype=bool)
        for one in found:
            if one.verdict != "没有发现异常":
                flagged[one.rows] = True
        shown = np.union1d(part.rows[_some(part.rows.size)], np.flatnonzero(flagged)[:DRAWN])
        states = ["异常" if flagged[row] else "正常" for row in shown]
        numbers = column.row_numbers[shown]
        report.add_rows(cls.points, {"row": numbers, "value": column.numbers[shown], "state": states}, at=name)
        thinned = (shown.size, part.rows.size) if shown.size < part.rows.size else None
        report.chart(cls.series, at=name, titles={"y": name}, thinned=thinned)

    # ---- all variables together ------------------------------------------------------------------------------------
    @classmethod
    def _together(cls, report: Report, form: Any, asked: list[str]) -> list[Found]:
        if not asked:
            return []
        columns: list[Column] = form.variables
        held = np.flatnonzero(~np.any([column.missing for column in columns], axis=0))
        z = _scores(columns, held)
        told, found = "全部变量", []
        for key in asked:
            n = len(held)
            if not len(columns) + 1 < n <= MOST_ROWS[key]:
                _out_of_range(report, key, told, n, len(columns) + 2, MOST_ROWS[key])
                continue
            score, critical, flagged, p = _scored(key, z, form)
            places = np.flatnonzero(flagged)
            places = places[np.argsort(-score[places], kind="stable")]
            if key == "mahalanobis":
                shown = np.union1d(_some(n), places[:DRAWN])
                states = ["异常" if flagged[i] else "正常" for i in shown]
                rows = columns[0].row_numbers[held[shown]]
                report.add_rows(cls.distances, {"row": rows, "d2": score[shown], "state": states})
                report.chart(cls.far, over=[Reference(y=critical, label="临界值")])
            values = np.full(places.size, np.nan)
            cells: list[float | None] = [None] * places.size if p is None else [float(v) for v in p[places]]
            found.append(Found(key, told, n, held[places], values, score[places], critical, cells))
        return found

    @classmethod
    def _tables(cls, report: Report, form: Any, found: list[Found]) -> None:
        first: Column = form.variables[0]
        for one in found:
            odd = one.verdict != "没有发现异常"
            count = len(one.rows) if odd else 0
            report.row(
                cls.summary, variable=one.variable, method=TITLES[one.method], n=one.n, count=count,
                share=count / one.n, low=one.low, high=one.high,
            )  # fmt: skip
            for place in range(min(len(one.rows), LISTED)):
                row = int(one.rows[place])
                name = None if form.label is None else form.label.text[row]
                value = None if np.isnan(one.values[place]) else float(one.values[place])
                far = one.method == "tukey" and one.statistics[place] > 3
                report.row(
                    cls.details, variable=one.variable, row=int(first.row_numbers[row]), label=name or "—", value=value,
                    method=TITLES[one.method], statistic=one.statistics[place], critical=one.critical, p=one.p[place],
                    verdict="远离群" if far else one.verdict,
                )  # fmt: skip
            if len(one.rows) > LISTED:
                report.note(cls.details, "每种方法每个变量最多列出最远的 {k:integer} 个。", k=LISTED)
        if not report.rows_of(cls.details):
            report.skip(cls.details, "没有异常值")


def _out_of_range(report: Report, key: str, name: str, n: int, low: int, high: int) -> None:
    report.warn(
        "data.size",
        "{method} 检验要求样本量在 {low:integer}—{high:integer} 之间，“{v}”有 {n:integer} 例，没有做。",
        method=TITLES[key], low=low, high=high, v=name, n=n,
    )  # fmt: skip


# ---- rules ---------------------------------------------------------------------------------------------------------
def _ruled(key: str, name: str, part: Part) -> Found | None:
    """Distances in units of the rule, its fences; None where the MAD is 0."""
    x = part.x
    ordered = Ordered.of(x)
    if key == "tukey":
        lower, _, upper = boxes.hinges(ordered)
        unit, middle, most = upper - lower, 0.0, 1.5
        low, high = lower - 1.5 * unit, upper + 1.5 * unit
        away = np.maximum(lower - x, x - upper)
    else:
        m = moments(x)
        middle = m.mean if key == "sigma" else ordered.median
        unit = m.sd if key == "sigma" else float(np.median(np.abs(x - middle))) / 0.6745
        if unit == 0:
            return None
        most = 3.0 if key == "sigma" else MODIFIED
        low, high, away = middle - most * unit, middle + most * unit, np.abs(x - middle)
    places = np.flatnonzero(away > most * unit)
    places = places[np.argsort(-away[places], kind="stable")]
    size = away[places] / unit if unit > 0 else np.full(places.size, np.inf)
    if unit == 0:
        places, size = places[:0], size[:0]
    return Found(key, name, part.n, part.rows[places], x[places], size, most, [None] * places.size, low, high)


def _scores(columns: list[Column], held: NDArray[np.int64]) -> Floats:
    z = []
    for column in columns:
        x = column.numbers[held]
        if not x.size or x.min() == x.max():
            raise Refusal(
                "role.constant", "“{v}”在全部变量都有值的行里没有变异，多元方法不能用，请移去", field="variables",
                column=column.id, v=column.title,
            )  # fmt: skip
        m = moments(x, shape=False)
        z.append((x - m.mean) / m.sd)
    found: Floats = np.array(z).T
    return found


def _scored(key: str, z: Floats, form: Any) -> tuple[Floats, float, NDArray[np.bool_], Floats | None]:
    """Scores, the bound, which rows lie beyond it, p."""
    n, p = z.shape
    if key == "mahalanobis":
        r = z.T @ z / (n - 1)
        if is_singular(r):
            raise Refusal(
                "data.singular", "变量共线，马氏距离无法计算；请去掉可由其他变量算出的变量", field="variables"
            )
        d2 = np.sum(z * np.linalg.solve(r, z.T).T, axis=1)
        tails = stats.chi2.sf(d2, p)
        return d2, float(stats.chi2.isf(FAR, p)), tails < FAR, tails
    if key == "lof":
        from sklearn.neighbors import LocalOutlierFactor

        made = LocalOutlierFactor(n_neighbors=min(NEIGHBOURS, n - 1)).fit(z)
        score = -made.negative_outlier_factor_
    else:
        from sklearn.ensemble import IsolationForest

        order = np.lexsort(z.T)  # the order of the rows must not decide what is drawn
        seed = int(form.rng.integers(0, 2**31 - 1))
        score = np.empty(n)
        score[order] = -IsolationForest(n_estimators=100, random_state=seed).fit(z[order]).score_samples(z[order])
    cut = float(np.quantile(score, 1 - form.contamination))
    return score, cut, score > cut, None


def _some(size: int) -> NDArray[np.int64]:
    return np.arange(size) if size <= DRAWN else np.unique(np.linspace(0, size - 1, DRAWN).astype(np.int64))


# ---- words ---------------------------------------------------------------------------------------------------------
def _normal(report: Report, name: str, part: Part) -> None:
    test = normality(part.x)
    if test is None:
        report.check("正态性", "unknown", "“{v}”的例数超出正态性检验的范围，请看图。", v=name)
        return
    odd = test.p < 0.05
    why = "Grubbs、Dixon、ESD 以正态为前提：偏斜的数据会把正常的长尾判为异常；异常值本身也会使检验显著，请看图。"
    report.check(
        "正态性", "care" if odd else "pass",
        "“{v}”的 {how} *p* {p:peq}。" + (why if odd else "没有发现明显偏离正态。"), v=name, how=test.name, p=test.p,
    )  # fmt: skip


def _words(report: Report, form: Any, found: list[Found]) -> None:
    odd = [one for one in found if one.verdict != "没有发现异常" and len(one.rows)]
    one = odd[0] if odd else found[0]
    facts: dict[str, Any] = {"v": one.variable, "how": TITLES[one.method], "k": len(one.rows), "n": one.n}
    if odd:
        rows = [int(form.variables[0].row_numbers[row]) for row in one.rows[:5]]
        facts["rows"] = "、".join(str(row) for row in rows) + ("等" if len(one.rows) > 5 else "")
        lead = "“{v}”按{how}有 {k:integer} 个异常值（第 {rows} 行）。" + (
            "其余方法和变量见表 1。" if len(found) > 1 else ""
        )
    else:
        lead = "{which}没有发现异常值。"
        facts["which"] = listed(list(dict.fromkeys(one.variable for one in found)), 3, "个变量")
    report.lead(lead, [figure("异常个数", "{k:integer}" if odd else "0", TITLES[one.method])], **facts)
    report.say("异常不等于错误。先核对原始记录；确认录错才改，确认无误就保留，并说明做过哪种检验。", voice="student")
