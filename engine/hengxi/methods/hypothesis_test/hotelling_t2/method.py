from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Ellipse,
    Form,
    Level,
    Method,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    Silent,
    Table,
    choice,
    claim,
    confidence,
    figure,
    integer,
    interval,
    num,
    numbers,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import two_levels
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT, UNASSIGNED
from hengxi.stats import mean_vectors
from hengxi.stats.covariances import dependent
from hengxi.stats.mean_vectors import HotellingTest, Scatter
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, titles

DESIGNS = {"one": "单样本", "two_sample": "双样本", "paired": "配对"}
INTERVALS = {"t2": "T²联合", "bonferroni": "Bonferroni"}
COLUMNS = {
    "one": "“均值（第二）或检验值”一列是检验值，差值 = 均值 − 检验值。",
    "two_sample": "第一组是“{first}”，第二组是“{second}”，差值 = 第一组 − 第二组。",
    "paired": "第一是因变量，第二是配对变量，差值 = 因变量 − 配对变量。",
}
NAMED = 5


class HotellingT2(Method):
    """One sample against a vector, two groups, or pairs: all variables at once, then each by a joint interval."""

    title, title_en = "Hotelling T²检验", "Hotelling's T-squared"
    family, tier = "方差分析", "member"
    rescaled = (("y",),)
    purpose = "一个或两个均值向量是否等于给定值/彼此相等"
    aliases = ("多元t检验", "均值向量", "多个因变量", "T2检验", "Box M", "马氏距离", "multivariate t test")
    references = ("hotelling1931", "box1949", "mahalanobis1936")
    conventions = (
        "协方差以 n − 1 为分母；双样本用合并协方差，差值 = 第一组 − 第二组；配对的差值 = 因变量 − 配对变量。",
        "F = T²(df − p + 1)/(p·df)，df 为 n − 1（单样本、配对）或 n1 + n2 − 2（双样本），p 为变量个数。",
        "T² 联合区间对所有变量的线性组合同时成立，比 Bonferroni 区间宽。",
        "Box M 用 χ² 近似；它对非正态很敏感，某组个案不多于变量个数时不给。",
        "任何一个变量有缺失的行整行不用。",
    )
    min_rows = 3

    class Input(Form):
        y: list[Column] = role("因变量", "定量", min=2, max=20)
        group: Column = role("分组变量（双样本）", "定类", when={"design": "two_sample"})
        pair: list[Column] = role(
            "配对变量（配对）", "定量", min=2, max=20, when={"design": "paired"}, hint="与因变量按次序一一对应"
        )
        groups: list[Level] = two_levels.field("超过两类时须选出两类；差值 = 第一个 − 第二个")
        design: str = choice("设计", DESIGNS, default="two_sample")
        mu: list[float] = numbers(
            "检验均值向量", (), max=20, when={"design": "one"}, hint="按因变量的次序，每个变量一个数；不填时全为 0"
        )
        simultaneous: str = choice("联合置信区间", INTERVALS)
        conf_level: float = confidence()

    result = Table(
        "Hotelling T²检验", variables=integer("变量数"), n=integer("*n*"), t2=num("*T*²", least=0),
        F=num("*F*", least=0), df1=integer("*df*1"), df2=integer("*df*2"), p=pvalue(), distance=num("*D*²", least=0),
        place="main", claim=claim("named", stat("*F*", "F", "df1", "df2"), effect="distance"),
    )  # fmt: skip
    means = Table(
        "均值向量", variable=text("变量"), first=num("均值（第一）"), second=num("均值（第二）或检验值"),
        sd_first=num("标准差（第一）", least=0), sd_second=num("标准差（第二）", least=0), difference=num("差值"),
        place="main",
    )  # fmt: skip
    joint = Table(
        "联合置信区间", variable=text("变量"), difference=num("差值"), se=num("标准误", least=0),
        ci=interval("CI", "low", "high", around="difference"), verdict=text("区间与 0"), place="main",
    )  # fmt: skip
    box = Table(
        "协方差齐性（Box M）", m=num("Box *M*"), chi2=num("χ²"), df=integer("*df*"), p=pvalue(),
        when={"design": "two_sample"}, claim=Silent("told by its check"),
    )  # fmt: skip
    bars = Points("各变量的差值", variable=text("变量"), y=num("差值"), low=num("下限"), high=num("上限"))
    plot = Chart(
        "差值与联合区间", "interval", of=bars, x="variable", y="y", low="low", high="high", over=[Reference(y=0)],
        place="main",
    )  # fmt: skip
    centre = Points("差值的中心", x=num("差值"), y=num("差值"))
    rim = Points("置信椭圆", x=num("中心"), y=num("中心"), a=num("半轴"), b=num("半轴"), angle=num("角度"))
    ellipse = Chart(
        "差值的置信椭圆", "point", of=centre, x="x", y="y", place="detail",
        over=[Ellipse(rim, x="x", y="y", a="a", b="b", angle="angle"), Reference(x=0), Reference(y=0)],
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{titles(form.y)}的 Hotelling T² 检验"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        return [
            NextStep(
                title="看各变量是否联合正态（多元正态性检验）", method="descriptive/multivariate_normality",
                form={"variables": form["y"]},
            ),
            NextStep(title="按另一个变量分层再检验", method="hypothesis_test/hotelling_t2", form=form, seek=["_split"]),
        ]  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        x = np.column_stack([column.numbers for column in form.y])
        names = [column.title for column in form.y]
        if form.design == "two_sample":
            test, held, words = cls._two(form, x)
            second, n = held[1].mean, held[0].n + held[1].n
        else:
            test, held, second, words = cls._single(form, x)
            n = held[0].n
        report.row(
            cls.result, variables=len(names), n=n, t2=test.t2, F=test.F, df1=test.df1, df2=test.df2, p=test.p,
            distance=test.distance,
        )  # fmt: skip
        for j, name in enumerate(names):
            report.row(
                cls.means, variable=name, first=held[0].mean[j], second=second[j],
                sd_first=float(np.sqrt(held[0].covariance[j, j])),
                sd_second=float(np.sqrt(held[1].covariance[j, j])) if len(held) > 1 else None,
                difference=test.difference[j],
            )  # fmt: skip
        report.note(cls.means, COLUMNS[form.design], first=words.get("first", ""), second=words.get("second", ""))
        outside = cls._intervals(report, form, names, test)
        cls._ellipse(report, form, names, test)
        cls._say(report, form, names, test, words, outside)
        if form.design == "two_sample":
            cls._box(report, held[0], held[1])
        report.check(
            "联合正态", "unknown",
            "T² 检验要求各变量联合正态；样本较大时影响不大，样本小时请另做多元正态性检验。",
        )  # fmt: skip
        return report

    # ---- data ------------------------------------------------------------------------------------------------------
    @classmethod
    def _two(cls, form: Any, x: Floats) -> tuple[HotellingTest, list[Scatter], dict[str, str]]:
        many = "分组变量“{v}”有 {k} 个类别，请在“比较的两组”中选两组，或改用多元方差分析"
        pair = two_levels.chosen(form, many)
        a, b = level_words(pair)
        places = {level.value: level.code for level in form.group.levels}
        parts = [x[form.group.codes == places[level.value]] for level in pair]
        for part, word in zip(parts, (a, b), strict=True):
            if part.shape[0] < 2:
                raise Refusal(
                    "data.few",
                    "组“{g}”有效样本不足 2 个，请另选一组或合并类别",
                    field="group",
                    column=form.group.id,
                    g=word,
                )
        cls._judge(form, sum(part.shape[0] for part in parts) - 1)
        held = [Scatter.of(part) for part in parts]
        cls._judge_dependence(form, mean_vectors.within(*held))
        words = {
            "whose": f"“{a}”组与“{b}”组", "first": a, "second": b,
            "caution": INDEPENDENT + UNASSIGNED,
        }  # fmt: skip
        return mean_vectors.two(*held), held, words

    @classmethod
    def _single(cls, form: Any, x: Floats) -> tuple[HotellingTest, list[Scatter], Floats, dict[str, str]]:
        """One sample against a vector, or the differences of pairs against 0."""
        p = len(form.y)
        if form.design == "one":
            if form.mu and len(form.mu) != p:
                raise Refusal(
                    "numbers.count", "检验均值向量需填 {p} 个数，已填 {m} 个", field="mu", p=p, m=len(form.mu)
                )
            null = np.array(form.mu or [0.0] * p, dtype=float)
            moved, second = x, null
            words = {
                "whose": "样本与检验均值向量",
                "columns": "“均值（第二）或检验值”一列是检验值，差值 = 均值 − 检验值",
            }
        else:
            if len(form.pair) != p:
                raise Refusal(
                    "role.count", "配对变量需与因变量一样多：因变量 {p} 个，配对变量 {m} 个", field="pair", also=["y"],
                    p=p, m=len(form.pair),
                )  # fmt: skip
            other = np.column_stack([column.numbers for column in form.pair])
            moved, null, second = x - other, np.zeros(p), Scatter.of(other).mean
            words = {"whose": "两次测量"}
        cls._judge(form, moved.shape[0])
        scatter = Scatter.of(moved)
        cls._judge_dependence(form, scatter.covariance)
        held = [scatter] if form.design == "one" else [Scatter.of(x), Scatter.of(other)]
        return mean_vectors.one(scatter, null), held, second, words | {"caution": INDEPENDENT}

    @staticmethod
    def _judge(form: Any, n: int) -> None:
        if n <= len(form.y):
            raise Refusal(
                "data.few", "样本量必须大于变量个数：{p} 个因变量都有值的行太少，请减少因变量", field="y", p=len(form.y)
            )

    @staticmethod
    def _judge_dependence(form: Any, covariance: Floats) -> None:
        sd = np.sqrt(np.diag(covariance))
        for j in np.flatnonzero(~(sd < 1e100) | ((sd > 0) & (sd < 1e-100))):
            raise Refusal(
                "data.magnitude",
                "“{v}”的数值过大或过小，请换一个单位",
                field="y",
                column=form.y[j].id,
                v=form.y[j].title,
            )
        for j in np.flatnonzero(sd == 0):
            raise Refusal(
                "data.constant", "“{v}”没有变异（差值或组内取值全部相同），T² 无法计算，请去掉它", field="y",
                column=form.y[j].id, v=form.y[j].title,
            )  # fmt: skip
        k = dependent(covariance / np.outer(sd, sd))
        if k is not None:
            raise Refusal(
                "data.singular", "变量共线，T² 无法计算：“{v}”可以由前面的变量算出来，请去掉它", field="y",
                column=form.y[k].id, v=form.y[k].title,
            )  # fmt: skip

    # ---- report ----------------------------------------------------------------------------------------------------
    @classmethod
    def _intervals(cls, report: Report, form: Any, names: list[str], test: HotellingTest) -> list[str]:
        """Rows of the joint intervals; names of the variables whose interval leaves 0 out."""
        factor = test.factor(form.conf_level) if form.simultaneous == "t2" else test.bonferroni(form.conf_level)
        outside = []
        for name, difference, se in zip(names, test.difference, test.se, strict=True):
            low, high = difference - factor * se, difference + factor * se
            off = low > 0 or high < 0
            outside += [name] if off else []
            report.row(
                cls.joint, variable=name, difference=difference, se=se, low=low, high=high,
                verdict="不含 0" if off else "包含 0",
            )  # fmt: skip
            report.row(cls.bars, variable=name, y=difference, low=low, high=high)
        report.note(
            cls.joint,
            f"{INTERVALS[form.simultaneous]}区间，合起来的置信水平为 {{level:percent}}。",
            level=form.conf_level,
        )
        return outside

    @classmethod
    def _ellipse(cls, report: Report, form: Any, names: list[str], test: HotellingTest) -> None:
        if len(names) != 2:
            for element in (cls.centre, cls.rim):
                report.skip(element, "两个因变量时才画置信椭圆")
            return
        values, vectors = np.linalg.eigh(test.spread)
        a, b = (test.factor(form.conf_level) * float(np.sqrt(value)) for value in values[::-1])
        x, y = vectors[:, 1] if vectors[0, 1] > 0 else -vectors[:, 1]
        report.row(cls.centre, x=test.difference[0], y=test.difference[1])
        report.row(cls.rim, x=test.difference[0], y=test.difference[1], a=a, b=b, angle=float(np.arctan2(y, x)))
        report.chart(cls.ellipse, titles={"x": f"{names[0]}的差值", "y": f"{names[1]}的差值"})

    @classmethod
    def _say(
        cls, report: Report, form: Any, names: list[str], test: HotellingTest, words: dict[str, str], outside: list[str]
    ) -> None:
        shown = test.p < 1 - form.conf_level
        facts: dict[str, Any] = {
            "w": words["whose"], "k": len(names), "p": test.p, "F": test.F, "df1": test.df1, "df2": test.df2,
            "t2": test.t2, "d": test.distance, "alpha": 1 - form.conf_level, "level": form.conf_level,
            "names": "、".join(f"“{name}”" for name in outside[:NAMED]) + ("等" if len(outside) > NAMED else ""),
        }  # fmt: skip
        verdict = "差异有统计学意义" if shown else "没有发现明显差异"
        each = "联合区间不含 0 的变量：{names}。" if outside else "各变量的联合区间都包含 0。"
        if shown and not outside:
            each += "差异在于几个变量的组合，单看哪一个都说不准。"
        report.lead(
            f"{{w}}在 {{k:integer}} 个变量的均值向量上{verdict}（*p* {{p:peq}}）。{each}",
            [
                figure("检验", "*p* {p:peq}", "*F*({df1:integer}, {df2:integer}) = {F:num}"),
                figure("T²", "{t2:num}", "马氏距离 *D*² = {d:num}"),
            ], **facts,
        )  # fmt: skip
        report.say(
            "把几个变量当作一个整体比较，只做一次检验，不会因为检验次数多而误报。"
            + f"*p* {{p:peq}}，{'小于' if shown else '不小于'} {{alpha:alpha}}。"
            + ("" if shown else "没有发现差异不等于没有差异。") + each, voice="student", **facts,
        )  # fmt: skip
        ending = "差异有统计学意义" if shown else "差异无统计学意义"
        report.say(
            f"采用 Hotelling *T*² 检验比较{{w}}在 {{k:integer}} 个变量上的均值向量，{ending}，*T*² = {{t2:num}}，"
            f"*F*({{df1:integer}}, {{df2:integer}}) = {{F:num}}，*p* {{p:peq}}，*D*² = {{d:num}}。{words['caution']}",
            voice="paper", **facts,
        )  # fmt: skip

    @classmethod
    def _box(cls, report: Report, a: Scatter, b: Scatter) -> None:
        test = mean_vectors.box_m(a, b)
        if test is None:
            report.skip(cls.box, "有一组的个案不多于变量个数，或组内共线，算不出 Box M")
            return
        m, chi2, df, p = test
        report.row(cls.box, m=m, chi2=chi2, df=df, p=p)
        bad = p < 0.001
        report.check(
            "协方差齐性", "care" if bad else "pass",
            "Box *M* 检验 χ²({df:integer}) = {chi2:num}，*p* {p:peq}。"
            + (
                "两组的协方差不同；两组人数相近时影响不大，人数悬殊时 *p* 不可靠。" if bad
                else "没有发现两组的协方差明显不同（这一检验很敏感，按 .001 判断）。"
            ),
            df=df, chi2=chi2, p=p,
        )  # fmt: skip
