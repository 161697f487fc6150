from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import (
    Level,
    Refusal,
    Report,
    SetRemedy,
    Table,
    alternative,
    claim,
    confidence,
    figure,
    flag,
    integer,
    many,
    num,
    pvalue,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import sample_checks, samples, two_levels
from hengxi.methods.hypothesis_test._shared.comparison import ManySamples, axis
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT, UNASSIGNED, Finding
from hengxi.methods.hypothesis_test._shared.samples import Groups, Sample
from hengxi.stats.moments import Floats
from hengxi.stats.ranks import RankTable, normal_p, rank_sum

TESTS = {"mood": "Mood", "ansari": "Ansari-Bradley", "klotz": "Klotz", "siegel_tukey": "Siegel-Tukey"}
INWARD = ("ansari", "siegel_tukey")
"""Tests whose scores are large in the middle: a small sum speaks for a wide first group."""


class MoodTest(ManySamples):
    title, title_en = "Mood/Ansari尺度检验", "Mood and Ansari-Bradley scale tests"
    family, tier = "非参数检验", "member"
    rescaled = (("variables",),)
    purpose = "两独立组的离散程度是否相同（非参数）"
    aliases = ("尺度检验", "离散程度比较", "方差齐性非参数", "Ansari-Bradley", "Klotz", "Siegel-Tukey", "散布检验")
    references = ("mood1954", "ansari1960", "klotz1962", "siegel1960", "conover1999", "holm1979")
    conventions = (
        "四种检验都是线性秩统计量；相同的值取各自得分的平均，方差由置换分布得出"
        "（与 coin 相同；有结时 R 的 mood.test 略有出入），*p* 为正态近似，不做连续性校正。",
        "*Z* 统一取正号表示第一组更分散；统计量本身按各方法的原式（Ansari-Bradley 与 Siegel-Tukey 越小越分散）。",
        "先按中位数对齐时，两组各减去自己的中位数；对齐后的 *p* 为近似。",
        "结论读所选检验中的第一种。",
    )

    class Input(ManySamples.Input):
        groups: list[Level] = two_levels.field("超过两类时须选出两类；第一组在前")
        tests: list[str] = many("检验", TESTS, default=("mood", "ansari"), min=1)
        alternative: str = alternative("大于、小于指第一组的离散程度对第二组")
        align: bool = flag("先按中位数对齐", False, hint="两组中位数不同时打开")
        conf_level: float = confidence()

    result = Table(
        "尺度检验结果", test=text("方法"), read=text("采用"), statistic=num("统计量"), z=num("*Z*"), p=pvalue(),
        place="main", claim=claim("named", stat("*Z*", "z"), names=("test",), read="read"),
    )  # fmt: skip
    spreads = Table(
        "各组离散程度", group=text("组别"), n=integer("*n*"), median=num("中位数"), iqr=num("四分位距", least=0),
        sd=num("标准差", least=0), place="main",
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        groups = samples.two(form, "尺度")
        held = groups.samples
        if form.align:
            held = [Sample(s.name, s.x - s.ordered.median, s.counts) for s in held]
        table = RankTable.of([(s.x, s.counts) for s in held])
        if table.values.size == 1:
            aligned = "对齐后全部相同，" if form.align else ""
            raise Refusal(
                "data.constant", f"“{{y}}”{aligned}数据没有变异，请核对数据或换一个检验变量",
                field="variables", column=form.variables.id, y=groups.y,
            )  # fmt: skip
        first: tuple[float, float] | None = None
        for key in [key for key in TESTS if key in form.tests]:
            total, z = _linear(table, key)
            if z is None:
                report.row(cls.result, test=TESTS[key], read="", statistic=total)
                continue
            p = normal_p(z, form.alternative)
            report.row(cls.result, test=TESTS[key], read="" if first else "采用", statistic=total, z=z, p=p)
            first = first or (z, p)
        for sample in groups.samples:
            q1, median, q3 = sample.quartiles
            report.row(cls.spreads, group=sample.name, n=sample.n, median=median, iqr=q3 - q1, sd=sample.moments.sd)
        if first is None:
            raise Refusal(
                "data.constant", "“{y}”在两组里的得分没有变异，检验无法进行，请换一个检验变量", field="variables",
                column=form.variables.id, y=groups.y,
            )  # fmt: skip
        cls.describe(report, groups.samples, "median", form.conf_level)
        report.chart(cls.plot, titles=axis(groups.y, groups.unit))
        cls._say(report, form, groups, first)
        cls._location(report, form, groups)
        sample_checks.ties(report, table.tied, table.n, "相同的值取平均得分，*p* 已作校正。")
        return report

    @classmethod
    def _location(cls, report: Report, form: Any, groups: Groups) -> None:
        """The tests take a shift for a difference of spread."""
        if form.align:
            report.check("位置相同", "pass", "两组已按中位数对齐。")
            return
        table = RankTable.of([(s.x, s.counts) for s in groups.samples])
        p = rank_sum(table, "two_sided", exact=False).asymptotic
        moved = p < sample_checks.ALPHA
        report.check(
            "位置相同", "fail" if moved else "pass",
            "Mann-Whitney U 检验 *p* {p:peq}，"
            + ("两组的位置不同，会被误当作离散程度不同，请先按中位数对齐。" if moved else "没有发现两组的位置不同。"),
            remedies=[SetRemedy(title="先按中位数对齐", set={"align": True})] if moved else [], p=p,
        )  # fmt: skip

    @classmethod
    def _say(cls, report: Report, form: Any, groups: Groups, first: tuple[float, float]) -> None:
        a, b = groups.samples
        z, p = first
        ranges = [s.quartiles[2] - s.quartiles[0] for s in (a, b)]
        less = form.alternative == "less"
        Finding(
            test=f"{TESTS[next(key for key in TESTS if key in form.tests)]} 尺度检验",
            statistic="*Z* = {z:num}",
            p=p,
            level=form.conf_level,
            side=form.alternative,
            shown=f"“{{first}}”组的“{{y}}”比“{{second}}”组{'分散' if z > 0 else '集中'}",
            asked=f"“{{first}}”组的“{{y}}”比“{{second}}”组{'集中' if less else '分散'}",
            nothing="“{first}”组与“{second}”组“{y}”的离散程度没有发现明显差异",
            compared="“{first}”组（*n* = {n1:integer}）与“{second}”组（*n* = {n2:integer}）“{y}”的离散程度",
            observed="“{first}”组的四分位距为 {r1:num}{unit}，标准差 {s1:num}；"
            "“{second}”组为 {r2:num}{unit}，标准差 {s2:num}",
            figures=(figure("四分位距", "{r1:num}{unit}", "“{second}”组为 {r2:num}{unit}"),),
            caution=INDEPENDENT + UNASSIGNED,
            facts={
                "y": groups.y, "unit": groups.unit, "first": a.name, "second": b.name, "n1": a.n, "n2": b.n,
                "r1": ranges[0], "r2": ranges[1], "s1": a.moments.sd, "s2": b.moments.sd, "z": z,
            },
        ).write(report)  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        rows = [row for row in report.rows_of(cls.result) if row.cells["read"] == "采用"]
        cls.conclude_rows(report, form, rows, "比较两组的离散程度", "离散程度不同")


def _scores(n: int, test: str) -> Floats:
    """Scores of the places 1 … n in ascending order."""
    place = np.arange(1.0, n + 1)
    if test == "mood":
        return np.asarray((place - (n + 1) / 2) ** 2)
    if test == "ansari":
        return np.asarray(np.minimum(place, n + 1 - place))
    if test == "klotz":
        return np.asarray(special.ndtri(place / (n + 1)) ** 2)
    # Siegel & Tukey: 1 to the lowest, 2 and 3 to the two highest, 4 and 5 to the next two lowest, …
    low = np.minimum(place, n + 1 - place)
    from_below = np.where(low % 2 == 1, 2 * low - 1, 2 * low)
    from_above = np.where(low % 2 == 1, 2 * low, 2 * low - 1)
    found = np.where(place <= n + 1 - place, from_below, from_above)
    return np.asarray(np.minimum(found, n), dtype=float)


def _linear(table: RankTable, test: str) -> tuple[float, float | None]:
    """The sum of the first group's scores, ties averaged, and its Z: positive where the first group is wider."""
    scores = _scores(table.n, test)
    ends = np.rint(np.cumsum(table.together)).astype(np.int64)
    sums = np.diff(np.concatenate(([0.0], np.cumsum(scores)))[ends], prepend=0.0)
    means = sums / table.together
    total = float(table.counts[0] @ means)
    m, n = table.sizes.tolist()
    middle = float(scores.mean())
    spread = float(np.sqrt(m * n / (table.n * (table.n - 1)) * np.dot(table.together, (means - middle) ** 2)))
    if spread <= 1e-12 * middle:
        return total, None
    z = (total - m * middle) / spread
    return total, -z if test in INWARD else z
