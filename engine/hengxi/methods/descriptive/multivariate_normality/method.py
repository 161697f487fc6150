from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Diagonal,
    Form,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    Silent,
    Table,
    claim,
    few_of,
    figure,
    filled,
    flag,
    integer,
    many,
    more,
    num,
    number,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.methods.descriptive._shared.sample_parts import HUGE, TINY
from hengxi.stats import multivariate_normality as joint
from hengxi.stats.correlation import matrix
from hengxi.stats.covariances import dependent
from hengxi.stats.moments import Floats, moments
from hengxi.stats.multivariate_normality import Test
from hengxi.stats.names import level_words, listed, titles
from hengxi.stats.normality import SHAPIRO_MOST, shapiro

TITLES = {"mardia": "Mardia偏度峰度", "henze_zirkler": "Henze-Zirkler", "royston": "Royston", "energy": "能量检验"}
MOST = {"mardia": 10**9, "henze_zirkler": 20_000, "royston": SHAPIRO_MOST, "energy": 2_000}
FAR, LISTED, DRAWN, PAIRS, TIMES = 0.001, 500, 1000, 6, 199


class MultivariateNormality(Method):
    """Each group whitened once; all tests read the whitened scores."""

    title, title_en = "多元正态性检验", "Multivariate normality test"
    family, tier = "描述性分析", "member"
    rescaled = (("variables",),)
    purpose = "多个定量变量是否联合服从多元正态分布"
    aliases = ("联合正态", "Mardia", "马尔迪亚", "Henze-Zirkler", "Royston", "多元峰度", "马氏距离", "卡方QQ图")
    references = (
        "mardia1970", "mardia1974", "henze1990", "royston1983", "szekely2005", "shapiro1965", "mahalanobis1936",
    )  # fmt: skip
    conventions = (
        "Mardia 和 Henze-Zirkler 的协方差以 n 为分母（原文定义，同 R 的 MVN）；能量检验和马氏距离以 n − 1 为分母。",
        "Mardia（1970）的偏度另给小样本校正（Mardia，1974）；峰度用正态近似，双侧。",
        "Henze 与 Zirkler（1990）的 p 用对数正态近似；超过 20000 例时不做（两两距离太多）。",
        "Royston（1983）由各变量的 Shapiro-Wilk 合成，用等价自由度；4 到 5000 例。",
        "能量检验（Székely 与 Rizzo，2005）的 p 由 199 次正态模拟得出，随机种子写在报告里；最多 2000 例。",
        "马氏距离（Mahalanobis，1936）与 χ² 分布比较，p < .001 列为异常；最多列出 500 个。",
        "各组只用全部变量都有值的行。",
    )
    random = True
    min_rows = 4

    class Input(Form):
        variables: list[Column] = role("分析变量", "定量", min=2, max=50, varies=True)
        group: Column | None = role("分组变量（选填）", "定类", levels=(1, 30))
        tests: list[str] = many("检验方法", TITLES, default=("mardia", "henze_zirkler"), min=1)
        alpha: float = number("显著性水平", 0.05, least=0.001, most=0.2)
        outliers: bool = flag("马氏距离异常值", True)

    result = Table(
        "多元正态检验", group=text("组别", when={"group": filled}), test=text("检验"), n=integer("*n*"),
        value=num("系数", hint="Mardia 的 b1p、b2p"), statistic=num("统计量"), df=num("*df*"), p=pvalue(),
        verdict=text("结论"), merge=("group",), place="main",
        claim=claim("named", stat("统计量", "statistic", "df"), names=("test",), within="group"),
    )  # fmt: skip
    single = Table(
        "单变量正态检验", group=text("组别", when={"group": filled}), variable=text("变量"), W=num("*W*", least=0),
        p=pvalue(), skewness=num("偏度"), kurtosis=num("峰度"), merge=("group",),
        claim=Silent("each variable alone is not the question here"),
    )  # fmt: skip
    cases = Table(
        "马氏距离异常个案", group=text("组别", when={"group": filled}), row=integer("行号"), d2=num("*D*²", least=0),
        p=pvalue("*p*（χ²）"), when={"outliers": True}, claim=Silent("cases, not variables, are judged"),
    )  # fmt: skip
    quantiles = Points("χ² Q-Q", x=num("χ² 分位数"), y=num("*D*²"))
    qq = Chart("χ² Q-Q图", "point", of=quantiles, x="x", y="y", over=[Diagonal()], place="main")
    points = Points("散点", pair=text("变量对"), x=num("前一个变量"), y=num("后一个变量"))
    scatter = Chart("两两散点图", "point", of=points, x="x", y="y", facet="pair", place="detail")

    @classmethod
    def heading(cls, form: Any) -> str:
        by = f"按{form.group.title}分组的" if form.group else ""
        return f"{by}{few_of(list(titles(form.variables).values()))}的联合正态性"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"variables": form["variables"]}
        return [
            NextStep(
                title="逐个变量看正态性", method="descriptive/normality_test",
                form={**start, "group": form.get("group")},
            ),
            NextStep(title="用其他方法查异常值", method="descriptive/outlier_test", form=start),
        ]  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = list(titles(form.variables).values())
        groups: list[tuple[str | None, NDArray[np.int64]]] = [(None, np.arange(len(form.variables[0])))]
        if form.group is not None:
            codes = form.group.codes
            groups = [(word, np.flatnonzero(codes == k)) for k, word in enumerate(level_words(form.group.levels))]
        made: list[tuple[str | None, list[Test]]] = []
        refused: list[tuple[str, Refusal]] = []
        for label, rows in groups:
            try:
                made.append((label, cls._group(report, form, names, label, rows)))
            except Refusal as refusal:
                if label is None:
                    raise
                refused.append((label, refusal))
        if not made:
            raise refused[0][1]
        for told, why in refused:
            report.warn("data.dropped_group", "“{g}”组没有检验：{why}。", g=told, why=why.text, columns=[form.group])
        for table, reason in ((cls.cases, "没有 p < .001 的个案"), (cls.single, "例数超出 Shapiro-Wilk 的范围")):
            if not report.rows_of(table):
                report.skip(table, reason)
        _words(report, form, names, made)
        return report

    @classmethod
    def _group(
        cls, report: Report, form: Any, names: list[str], label: str | None, rows: NDArray[np.int64]
    ) -> list[Test]:
        columns: list[Column] = form.variables
        values = [column.numbers[rows] for column in columns]
        n, p = len(rows), len(columns)
        if n <= p:
            raise Refusal(
                "data.few", "有效样本 {n} 不大于变量数 {p}，无法检验；请减少变量或合并各组", field="variables", n=n, p=p
            )
        known = [moments(x) for x in values]
        for column, m in zip(columns, known, strict=True):
            if not TINY < m.sd < HUGE:
                raise Refusal(
                    "role.constant", "“{v}”没有变异，或数值过大、过小，无法检验；请移去或换一个单位", field="variables",
                    column=column.id, v=column.title,
                )  # fmt: skip
        r = matrix(values, None, known)
        np.fill_diagonal(r, 1.0)
        odd = dependent(r)
        if odd is not None:
            raise Refusal(
                "data.singular", "变量之间完全共线，协方差矩阵不可逆，请去掉重复变量“{v}”", field="variables",
                column=columns[odd].id, v=names[odd],
            )  # fmt: skip
        z = joint.whitened(np.array([(x - m.mean) / m.sd for x, m in zip(values, known, strict=True)]).T, r)
        tests = cls._tests(report, form, label, z, r, values)
        if 3 <= n <= SHAPIRO_MOST:
            for name, x, m in zip(names, values, known, strict=True):
                w = shapiro(x)
                report.row(
                    cls.single,
                    group=label,
                    variable=name,
                    W=w.statistic,
                    p=w.p,
                    skewness=m.skewness,
                    kurtosis=m.kurtosis,
                )
        cls._distances(report, form, label, z, columns[0].row_numbers[rows])
        if label is None:
            cls._pairs(report, names, values)
        return tests

    @classmethod
    def _tests(
        cls, report: Report, form: Any, label: str | None, z: Floats, r: Floats, values: list[Floats]
    ) -> list[Test]:
        n = len(z)
        by_n = z * float(np.sqrt(n / (n - 1)))  # variances with n in the divisor
        found: list[Test] = []
        for key in form.tests:
            if n > MOST[key] or (key == "royston" and n < 4):
                text_ = "{test} 最多用于 {most:integer} 例、最少 4 例，这里有 {n:integer} 例，没有做。"
                report.warn("data.size", text_, test=TITLES[key], most=MOST[key], n=n)
                continue
            if key == "mardia":
                found += joint.mardia(by_n)
            elif key == "henze_zirkler":
                found.append(joint.henze_zirkler(by_n))
            elif key == "royston":
                found.append(joint.royston(np.array([shapiro(x).p for x in values]), r.copy(), n))
            else:
                # The order of the rows must not decide what is drawn, nor that of the groups.
                found.append(joint.energy(z, TIMES, np.random.default_rng(form.seed)))
        if not found:
            raise Refusal("data.size", "例数超出所选检验的范围，请改选 Mardia", field="tests")
        for one in found:
            verdict = "偏离" if one.p < form.alpha else "没有发现偏离"
            report.row(
                cls.result, group=label, test=one.name, n=n, value=one.value, statistic=one.statistic, df=one.df,
                p=one.p, verdict=verdict,
            )  # fmt: skip
        return found

    @classmethod
    def _distances(cls, report: Report, form: Any, label: str | None, z: Floats, numbers: Any) -> None:
        d2 = np.sum(z * z, axis=1)
        order = np.argsort(d2, kind="stable")
        n, p = z.shape
        some = order if n <= DRAWN else order[np.unique(np.linspace(0, n - 1, DRAWN).astype(np.int64))]
        rank = np.empty(n)
        rank[order] = np.arange(1, n + 1)
        x = stats.chi2.ppf((rank[some] - 0.5) / n, p)
        report.add_rows(cls.quantiles, {"x": x, "y": d2[some]}, at=label)
        report.chart(cls.qq, at=label)
        if form.outliers:
            tails = stats.chi2.sf(d2, p)
            for place in order[::-1][:LISTED]:
                if tails[place] < FAR:
                    report.row(cls.cases, group=label, row=int(numbers[place]), d2=d2[place], p=tails[place])

    @classmethod
    def _pairs(cls, report: Report, names: list[str], values: list[Floats]) -> None:
        size = values[0].size
        rows = np.unique(np.linspace(0, size - 1, min(size, 500)).astype(np.int64))
        for a, b in list(combinations(range(len(names)), 2))[:PAIRS]:
            told = [f"{names[a]} × {names[b]}"] * rows.size
            report.add_rows(cls.points, {"pair": told, "x": values[a][rows], "y": values[b][rows]})


def _words(report: Report, form: Any, names: list[str], made: list[tuple[str | None, list[Test]]]) -> None:
    if made[0][0] is not None:
        report.skip(MultivariateNormality.points, "有分组时不画")
    departs = [label for label, tests in made if any(test.p < form.alpha for test in tests)]
    tests = made[0][1]
    worst = min(tests, key=lambda test: test.p)
    facts: dict[str, Any] = {"v": listed(names, 3, "个变量"), "test": worst.name, "p": worst.p, "s": worst.statistic}
    if form.group is None:
        figures = [figure("最小的 *p*", "{p:pvalue}", worst.name)]
        some = "所选检验中有" if len(tests) > 1 and not all(t.p < form.alpha for t in tests) else ""
        lead = (
            f"{{v}}偏离多元正态分布（{some}{{test}} *p* {{p:peq}}）。"
            if departs
            else "没有发现{v}明显偏离多元正态分布（最小的 *p* {p:peq}，{test}）。"
        )
        report.lead(lead, figures, **facts)
        report.say("{test}：统计量 = {s:num}，*p* {p:peq}。", voice="paper", **facts)
    else:
        facts["which"] = listed([str(label) for label in departs], 5, "组")

        report.lead(
            "{v}在{which}偏离多元正态分布。" if departs else "{v}在各组都没有发现明显偏离多元正态分布。", **facts
        )
    report.say("没有发现偏离，不等于就是多元正态。每个变量各自正态，合起来也不一定多元正态。", voice="student")
    report.check(
        "怎么用这个结果", "care" if departs else "pass",
        "结构方程、判别分析等要求多元正态。"
        + ("偏离时改用稳健的标准误或自助法。" if departs else "这里没有发现明显偏离。"),
        more=more(
            "多元正态要求各变量的任何线性组合都是正态的，比逐个正态更严。",
            "最小的 *p* {p:peq}（{test}）。",
            "样本很大时，很小的偏离也会使检验显著；请看 χ² Q-Q图的点是否贴近直线。",
            "先查马氏距离异常的个案，再看是哪个变量偏斜；仍偏离时用稳健方法。",
        ),
        p=worst.p, test=worst.name,
    )  # fmt: skip
