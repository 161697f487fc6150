from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Line,
    Method,
    MethodRemedy,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    Table,
    claim,
    confidence,
    counted,
    figure,
    filled,
    flag,
    integer,
    interval,
    num,
    pvalue,
    role,
    stat,
    text,
    values_column,
)
from hengxi.methods.descriptive._shared.sample_parts import Part, refuse_extreme, sample_parts
from hengxi.stats import boxes, location, m_estimators, one_way
from hengxi.stats.frequencies import frequencies
from hengxi.stats.goodness import OfNormal, normal_places
from hengxi.stats.histogram import histogram
from hengxi.stats.moments import Moments, Ordered, expand, moments
from hengxi.stats.normality import SHAPIRO_MOST, shapiro

MOST_GROUPS = 30
PERCENTS = (5, 10, 25, 50, 75, 90, 95)
DRAWN = 500
STEMS, LEAVES = 40, 60
ALPHA = 0.05


class Explore(Method):
    title, title_en = "探索分析", "Explore"
    family, tier = "描述性分析", "standard"
    purpose = "分布、极端值和稳健位置估计怎样，不同组之间是否相似"
    aliases = ("EXAMINE", "探索性数据分析", "EDA", "茎叶图", "箱线图", "M估计量", "极端值", "截尾均值", "五数概括")
    references = ("tukey1977", "huber1964", "hampel1974", "andrews1972", "lilliefors1967", "shapiro1965", "levene1960",
                  "brown1974", "hyndman1996")  # fmt: skip
    conventions = (
        "5% 截尾均值两端各去掉 5% 的整数个案（R 的 mean(trim = 0.05)）；偏度、峰度为校正后的 G1、G2。",
        "M 估计量的尺度固定为 MAD × 1.4826，常数与 R 的 MASS 相同；SPSS 的 Hampel 与 Huber 常数不同，结果略有出入。",
        "百分位数“加权平均”按 (n + 1)p 插值（SPSS 的默认，Hyndman-Fan 第 6 类），“Tukey 枢纽”与 R 的 fivenum 相同。",
        "箱线图中超出箱子 1.5 倍箱长的为离群值，超出 3 倍的为极端值。",
        "Shapiro-Wilk 用于 3 到 5000 例；K-S 的 *p* 作 Lilliefors 校正，至少 5 例。",
        "Levene 检验的中心取均值、中位数或 5% 截尾均值；分布-水平图为各组 ln(中位数) 与 ln(四分位距)。",
    )
    weights = ("frequency",)
    missing = "each"
    min_rows = 3

    class Input(Form):
        variables: Column = role("因变量", "定量", each=True)
        groups: list[Column] = role("因子变量（选填）", "定类", min=0, max=2, hint="两个因子各自分组，不交叉")
        label: Column | None = role("个案标识（选填）", "任意", min=0, use="label")
        weight: Column | None = counted()
        conf_level: float = confidence()
        n_extreme: int = integer("极端值个数", 5, least=1, most=20)
        m_estimators: bool = flag("M估计量", True)
        normality: bool = flag("正态性检验", True)
        stem_leaf: bool = flag("茎叶图", True)

    described = Table(
        "描述", group=text("组别", when={"groups": filled}), n=integer("*n*"), mean=num("均值"),
        se=num("标准误", least=0),
        ci=interval("均值CI", "low", "high", around="mean"), trimmed=num("5%截尾均值"), median=num("中位数"),
        variance=num("方差", least=0), sd=num("标准差", least=0), least=num("最小值"), most=num("最大值"),
        range=num("极差", least=0), iqr=num("四分位距", least=0), skewness=num("偏度"), skewness_se=num("偏度SE"),
        kurtosis=num("峰度"), kurtosis_se=num("峰度SE"), place="main",
    )  # fmt: skip
    robust = Table(
        "M估计量", group=text("组别", when={"groups": filled}), estimator=text("估计量"), constants=text("常数"),
        value=num("位置"), scale=num("尺度（MAD×1.4826）", least=0), merge=("group",), when={"m_estimators": True},
    )  # fmt: skip
    percentiles = Table(
        "百分位数", group=text("组别", when={"groups": filled}), way=text("算法"), p5=num("P5"), p10=num("P10"),
        p25=num("P25"), p50=num("P50"), p75=num("P75"), p90=num("P90"), p95=num("P95"), merge=("group",),
    )  # fmt: skip
    extremes = Table(
        "极值", group=text("组别", when={"groups": filled}), end=text("两端"), rank=integer("次序"),
        row_number=integer("行号"), label=text("个案标识", when={"label": filled}), value=num("取值"),
        cases=integer("频数", when={"weight": filled}), merge=("group", "end"),
    )  # fmt: skip
    tested = Table(
        "正态性检验", group=text("组别", when={"groups": filled}), test=text("检验"), n=integer("*n*"),
        statistic=num("统计量", least=0), p=pvalue(), to=text("比较的分布"), read=text("采用"), merge=("group",),
        when={"normality": True},
        claim=claim("distribution", stat("统计量", "statistic"), outcome="variables", against="to", names=("test",),
                    within="group", read="read"),
    )  # fmt: skip
    homogeneity = Table(
        "方差齐性", factor=text("因子"), way=text("Levene 的中心"), read=text("采用"), F=num("*F*", least=0),
        df1=num("*df*1"), df2=num("*df*2"), p=pvalue(), merge=("factor",), when={"groups": filled},
        claim=claim("named", stat("*F*", "F", "df1", "df2"), names=("way",), outcome="variables", within="factor",
                    read="read"),
    )  # fmt: skip
    stems = Table(
        "茎叶图", group=text("组别", when={"groups": filled}), n=integer("频数"), stem=text("茎"), leaves=text("叶"),
        merge=("group",), place="detail", when={"stem_leaf": True},
    )  # fmt: skip
    spread = Points(
        "箱线", group=text("组别"), min=num("须下端"), q1=num("下折叶点"), median=num("中位数"), q3=num("上折叶点"),
        max=num("须上端"), outliers=values_column("离群值"),
    )  # fmt: skip
    box = Chart(
        "箱线图", "box", of=spread, x="group", min="min", q1="q1", median="median", q3="q3", max="max",
        outliers="outliers", place="main",
    )  # fmt: skip
    bins = Points("直方图数据", low=num("下限"), high=num("上限"), n=integer("频数"))
    hist = Chart("直方图", "histogram", of=bins, low="low", high="high", count="n", place="detail")
    quantiles = Points("Q-Q数据", x=num("理论分位数"), y=num("观测值"), line=num("直线"), away=num("偏离（标准差）"))
    qq = Chart("Q-Q图", "point", of=quantiles, x="x", y="y", over=[Line(quantiles, x="x", y="line")], place="detail")
    detrended = Chart("去趋势Q-Q图", "point", of=quantiles, x="x", y="away", over=[Reference(y=0)], place="detail")
    levels = Points("分布-水平", x=num("ln 中位数"), y=num("ln 四分位距"), label=text("组别"), when={"groups": filled})
    level_plot = Chart(
        "分布-水平图", "point", of=levels, x="x", y="y", label="label", place="detail", when={"groups": filled}
    )

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.about}的探索分析"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"variables": form["variables"], "weight": form.get("weight")}
        alone = {"variables": form["variables"]}
        steps = [NextStep(title="找出异常值（异常值检验）", method="descriptive/outlier_test", form=alone)]
        for group in (form.get("groups") or [])[:1]:
            many = columns[group].profile.distinct > 2
            path = "hypothesis_test/variance" if many else "hypothesis_test/independent_t_test"
            steps.insert(0, NextStep(title="比较各组的平均值", method=path, form={**start, "group": group}))
        return steps

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        column, counts = form.variables, frequencies(form.weight)
        sets = [(factor.title, cls._parts(form, factor, counts)) for factor in form.groups] or [
            ("", sample_parts(column, None, counts))
        ]
        several = len(sets) > 1
        first: list[tuple[str, Part, Moments, float]] = []
        for factor, parts in sets:
            refuse_extreme(column, parts, "variables")
            known = [part for part in parts if part.n]
            for part in known:
                name = (f"{factor}：{part.label}" if several else part.label) or ""
                if part.n < 3:
                    text = "组“{g}”仅 {n} 个有效值，无法做正态性检验与箱线图。"
                    report.warn("data.few", text, g=name, n=part.n, columns=[column])
                first.append((name, part, *cls._part(report, form, part, name)))
            if factor:
                cls._compare(report, form, factor, [part for part in known if part.n > 1])
        if not first:
            text = "“{v}”没有有效值，请换一个变量"
            raise Refusal("data.few", text, field="variables", column=column.id, v=column.title)
        optional = (
            (cls.robust, form.m_estimators, "超过一半取值相同"), (cls.tested, form.normality, "样本太小或没有变异"),
            (cls.stems, form.stem_leaf, "样本太小或没有变异"), (cls.homogeneity, form.groups, "只有一组，或没有变异"),
            (cls.levels, form.groups, "中位数或四分位距不大于 0"), (cls.spread, True, "每组都不足 3 个值"),
            (cls.bins, True, "每组都不足 3 个值"), (cls.quantiles, True, "样本太小或没有变异"),
        )  # fmt: skip
        for element, asked, why in optional:
            if asked and not report.rows_of(element):
                report.skip(element, why)
        if report.rows_of(cls.spread):
            report.chart(cls.box, titles={"y": column.title})
        cls._say(report, form, first)
        return report

    @classmethod
    def _parts(cls, form: Any, factor: Column, counts: Any) -> list[Part]:
        k = factor.distinct_least if factor.distinct_least > MOST_GROUPS else len(factor.levels)
        if k > MOST_GROUPS:
            raise Refusal(
                "role.levels", "因子“{v}”有 {k} 个水平，过多，请合并类别（最多 {most} 组）", field="groups",
                column=factor.id, v=factor.title, k=k, most=MOST_GROUPS,
            )  # fmt: skip
        return sample_parts(form.variables, factor, counts)

    # ---- one sample ------------------------------------------------------------------------------------------------
    @classmethod
    def _part(cls, report: Report, form: Any, part: Part, name: str) -> tuple[Moments, float]:
        m, ordered = moments(part.x, part.counts), Ordered.of(part.x, part.counts)
        several = m.n > 1
        low, high = m.mean_interval(form.conf_level) if several else (None, None)
        p25, median, p75 = ordered.quantiles([0.25, 0.5, 0.75], kind=6)
        report.row(
            cls.described, group=name, n=m.n, mean=m.mean, se=m.se if several else None, low=low, high=high,
            trimmed=location.trimmed_mean(part.x, part.counts), median=median, variance=m.sd**2 if several else None,
            sd=m.sd if several else None, least=m.least, most=m.most, range=m.most - m.least, iqr=p75 - p25,
            skewness=m.skewness, skewness_se=m.skewness_se, kurtosis=m.kurtosis, kurtosis_se=m.kurtosis_se,
        )  # fmt: skip
        read = ordered.quantiles([p / 100 for p in PERCENTS], kind=6)
        values: dict[str, Any] = {f"p{p}": value for p, value in zip(PERCENTS, read, strict=True)}
        report.row(cls.percentiles, group=name, way="加权平均", **values)
        lower, middle, upper = boxes.hinges(ordered)
        report.row(cls.percentiles, group=name, way="Tukey 枢纽", p25=lower, p50=middle, p75=upper)
        if form.m_estimators:
            cls._robust(report, form, part, name)
        cls._extremes(report, form, part, name)
        if form.normality and part.n >= 3 and part.varies:
            cls._normality(report, part, m, name)
        if form.stem_leaf and part.n >= 3:
            cls._stems(report, part, ordered, name)
        if part.n >= 3:
            shape = boxes.box(ordered)
            report.row(
                cls.spread, group=name or form.variables.title, min=shape.low, q1=shape.q1, median=shape.median,
                q3=shape.q3, max=shape.high, outliers=shape.outliers,
            )  # fmt: skip
            cls._draw(report, form, part, m, name)
        return m, median

    @classmethod
    def _robust(cls, report: Report, form: Any, part: Part, name: str) -> None:
        scale = m_estimators.mad(part.x, part.counts)
        if scale <= 1e-14 * float(np.abs(part.x).max()):
            which = f"{form.variables.title}（{name}）" if name else form.variables.title
            report.warn("data.constant", "“{v}”超过一半取值相同，M估计量无法计算。", v=which, columns=[form.variables])
            return
        for estimator in m_estimators.ESTIMATORS:
            value = m_estimators.location(part.x, part.counts, scale, estimator)
            report.row(
                cls.robust,
                group=name,
                estimator=estimator.name,
                constants=estimator.constants,
                value=value,
                scale=scale,
            )

    @classmethod
    def _extremes(cls, report: Report, form: Any, part: Part, name: str) -> None:
        """Rows of equal values in their own order; a row stands once, however many cases it counts."""
        numbers = form.variables.row_numbers
        k = min(form.n_extreme, part.x.size)
        for end, order in (("最高", np.argsort(-part.x, kind="stable")), ("最低", np.argsort(part.x, kind="stable"))):
            for rank, at in enumerate(order[:k].tolist(), 1):
                row = part.rows[at]
                label = None if form.label is None else form.label.text[row]
                cases = None if part.counts is None else round(float(part.counts[at]))
                report.row(
                    cls.extremes, group=name, end=end, rank=rank, row_number=int(numbers[row]), label=label or "—",
                    value=part.x[at], cases=cases,
                )  # fmt: skip

    @classmethod
    def _normality(cls, report: Report, part: Part, m: Moments, name: str) -> None:
        made = []
        if m.n <= SHAPIRO_MOST:
            made.append(("Shapiro-Wilk", shapiro(expand(part.x, part.counts))))
        if (held := OfNormal(part.x, part.counts, m).lilliefors()) is not None:
            made.append(("K-S（Lilliefors 校正）", held))
        for i, (test, found) in enumerate(made):
            report.row(
                cls.tested, group=name, test=test, n=m.n, statistic=found.statistic, p=found.p, to="正态分布",
                read="" if i else "采用",
            )  # fmt: skip

    @classmethod
    def _stems(cls, report: Report, part: Part, ordered: Ordered, name: str) -> None:
        """At most some fifteen stems; a leaf is the next digit, and may stand for several cases."""
        least, most = float(part.x.min()), float(part.x.max())
        reach = most - least
        if not reach > 1e-12 * max(abs(least), abs(most)):
            return
        unit = 10.0 ** np.floor(np.log10(reach / 15))
        step = next(w for w in (10, 20, 50, 100) if reach / (unit * w) <= 15)
        scaled = np.floor(part.x / unit + 1e-9).astype(np.int64)
        f = np.ones(scaled.size) if part.counts is None else part.counts
        each = max(1, int(np.ceil(float(f.sum()) / (LEAVES * 4))))
        stem = np.floor_divide(scaled, step)
        for number in range(int(stem.min()), int(stem.max()) + 1):
            here = stem == number
            leaves = np.sort(np.repeat(scaled[here] % 10, np.rint(f[here]).astype(np.int64)))
            words = "".join(f"{leaf}" for leaf in leaves[each - 1 :: each][:200])
            start = number * step // 10
            report.row(cls.stems, group=name, n=round(float(f[here].sum())), stem=f"{start}", leaves=words)
        words = "{whose}茎宽 {width:num}，每片叶代表 {each:integer} 例。"
        report.note(cls.stems, words, whose=f"{name}：" if name else "", width=float(unit * 10), each=each)

    @classmethod
    def _draw(cls, report: Report, form: Any, part: Part, m: Moments, name: str) -> None:
        found, at = histogram(part.x, part.counts), name or None
        report.add_rows(cls.bins, {"low": found.edges[:-1], "high": found.edges[1:], "n": found.counts}, at=at)
        report.chart(cls.hist, at=at, titles={"x": form.variables.title})
        if not part.varies:
            return
        sample = OfNormal(part.x, part.counts, m)
        place = normal_places(sample.ends, m.n)
        size = sample.values.size
        some = np.arange(size) if size <= DRAWN else np.unique(np.linspace(0, size - 1, DRAWN).astype(np.int64))
        z = special.ndtri(place[some])
        points = {"x": z, "y": sample.values[some], "line": m.mean + m.sd * z, "away": sample.z[some] - z}
        report.add_rows(cls.quantiles, points, at=at)
        report.chart(cls.qq, at=at, titles={"y": form.variables.title})
        report.chart(cls.detrended, at=at)

    # ---- groups ----------------------------------------------------------------------------------------------------
    @classmethod
    def _compare(cls, report: Report, form: Any, factor: str, parts: list[Part]) -> None:
        for part in parts:
            ordered = Ordered.of(part.x, part.counts)
            q1, median, q3 = ordered.quantiles([0.25, 0.5, 0.75], kind=6)
            if median > 0 and q3 > q1:
                report.row(cls.levels, x=np.log(median), y=np.log(q3 - q1), label=str(part.label))
        if len(parts) < 2:
            return
        samples = [(part.x, part.counts) for part in parts]
        each = [moments(part.x, part.counts) for part in parts]
        middles = {
            "中位数": [(Ordered.of(x, f).median, 0.0) for x, f in samples],
            "均值": [(m.mean, 0.0) for m in each],
            "5%截尾均值": [(location.trimmed_mean(x, f), 0.0) for x, f in samples],
        }
        read = True
        for way, middle in middles.items():
            found = one_way.levene(samples, middle)
            if found is None:
                continue
            report.row(
                cls.homogeneity, factor=factor, way=way, read="采用" if read else "", F=found.F, df1=found.df1,
                df2=found.df2, p=found.p,
            )  # fmt: skip
            if read:
                uneven = found.p < ALPHA
                name = "welch_anova" if len(parts) > 2 else "independent_t_test"
                path = f"hypothesis_test/{name}"
                remedy = MethodRemedy(title="用 Welch 检验比较均值", method=path, carry=["variables"])
                report.check(
                    f"方差齐性（{factor}）", "care" if uneven else "pass",
                    "Levene（中位数）*p* {p:peq}，"
                    + ("各组方差不同，比较均值时用 Welch 检验。" if uneven else "没有发现各组方差不同。"),
                    remedies=[remedy] if uneven else [],
                    p=found.p,
                )  # fmt: skip
            read = False

    @classmethod
    def _say(cls, report: Report, form: Any, found: list[tuple[str, Part, Moments, float]]) -> None:
        name, _, m, median = max(found, key=lambda one: one[3])
        facts: dict[str, Any] = {"v": form.variables.title}
        tests = [row.cells for row in report.rows_of(cls.tested) if row.cells["read"] == "采用"]
        away = [cells for cells in tests if cells["p"] < ALPHA]
        if form.groups:
            low = min(found, key=lambda one: one[3])
            facts |= {"top": name, "m1": median, "bottom": low[0], "m2": low[3], "k": len(tests), "s": len(away)}
            text = "“{v}”的中位数以“{top}”最高（{m1:num}），“{bottom}”最低（{m2:num}）。"
            if tests:
                text += "{k:integer} 组中 {s:integer} 组明显偏离正态。" if away else "各组都没有发现明显偏离正态。"
            figures = [figure("最高的中位数", "{m1:num}", "{top}"), figure("最低的中位数", "{m2:num}", "{bottom}")]
        else:
            facts |= {"n": m.n, "mean": m.mean, "median": median, "sd": m.sd if m.n > 1 else None}
            text = "“{v}”的均值为 {mean:num}，中位数为 {median:num}（*n* = {n:integer}）。"
            if tests:
                facts |= {"test": tests[0]["test"], "p": tests[0]["p"]}
                text += f"{'明显偏离正态' if away else '没有发现明显偏离正态'}（{{test}}，*p* {{p:peq}}）。"
            figures = [figure("均值", "{mean:num}"), figure("中位数", "{median:num}"), figure("样本量", "{n:integer}")]
        outside, far = 0, 0
        for _, one, _, _ in found:
            if one.n >= 3:
                shape = boxes.box(Ordered.of(one.x, one.counts))
                outside, far = outside + shape.outside, far + shape.far
        facts |= {"outside": outside, "far": far}
        text += (
            "箱线图标出 {outside:integer} 个离群值，其中 {far:integer} 个极端。"
            if outside
            else "箱线图没有标出离群值。"
        )
        report.lead(text, figures, **facts)
        report.say(
            "离群值不一定是错的：先核对录入，再看中位数、截尾均值与均值差多少。差得不多，离群值对结论影响不大。",
            voice="student",
        )
        report.say(
            "没有发现偏离正态，不等于就是正态；样本大时，很小的偏离也会有很小的 *p*。请同时看图。", voice="student"
        )
