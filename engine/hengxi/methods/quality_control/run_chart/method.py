from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    Points,
    Refusal,
    Report,
    Table,
    choice,
    claim,
    few_of,
    few_rows,
    figure,
    integer,
    num,
    pvalue,
    role,
    rows_column,
    stat,
    text,
)
from hengxi.families.control import subgroups
from hengxi.stats.moments import Floats

CENTERS = {"median": "中位数", "mean": "均值"}
DRAWN = 1000
ALPHA = 0.05
FEW = 10
MEANING = {
    "聚集": "同一侧的点连成片，过程可能在几种状态之间变动",
    "混合": "点太频繁地越过中心线，可能混了两种来源（如两台设备）",
    "趋势": "连续上升或下降的段太长，过程可能在漂移",
    "振荡": "上下跳动太快，可能有周期性的原因",
}


class RunChart(Method):
    """Values in their order: too few or too many runs about the centre line, and of rises and falls."""

    title, title_en = "运行图（趋势图）", "Run chart"
    family, tier = "质量控制", "standard"
    rescaled = (("measures",),)
    purpose = "按时间的数据有无聚集、趋势、混合、振荡"
    aliases = ("趋势图", "链图", "游程图", "run chart", "聚集", "混合", "振荡", "随机性")
    references = ("swed1943", "levene1952", "anhoej2014")
    conventions = (
        "恰在中心线上的点不算在任何一侧，不计入中心线游程；与前一点相等的点不计入上下游程。",
        "中心线游程：期望 1 + 2·n1·n2/N，方差 2·n1·n2(2·n1·n2 − N)/(N²(N − 1))，正态近似，不做连续性校正。",
        "上下游程：期望 (2N − 1)/3，方差 (16N − 29)/90，正态近似。",
        "聚集与趋势取左侧 *p*（游程太少），混合与振荡取右侧 *p*（游程太多）。",
        "最长同侧游程的上限为 log2(N) + 3 取整（Anhøj 与 Olesen，2014）。",
    )
    row_order = True
    missing = "keep"
    min_rows = 3

    class Input(Form):
        measures: list[Column] = role("测量值", "定量", min=1, max=25, hint="放几列时，每行是一个子组，画子组的均值")
        subgroup: Column | None = role("子组变量（选填）", "任意", use="label")
        time: Column | None = role("时间（选填）", "任意", hint="数值或日期时先按它排序；不填时按行的次序")
        center: str = choice("中心线", CENTERS)

    tests = Table(
        "游程检验", pattern=text("模式"), kind=text("看什么"), observed=integer("游程数"),
        expected=num("期望", least=0), sd=num("标准差", least=0), z=num("*Z*"), p=pvalue(), place="main",
        claim=claim("named", stat("*Z*", "z"), names=("pattern",)),
    )  # fmt: skip
    summary = Table(
        "概况", layout="record", n=integer("点数"), center=num("中心线"), above=integer("线上方"),
        below=integer("线下方"), on=integer("在线上"), longest=integer("最长同侧游程"), most=integer("它的上限"),
        monotone=integer("最长上升或下降"),
    )  # fmt: skip
    points = Points(
        "运行图的点", index=integer("序号"), label=text("子组"), value=num("取值"), cl=num("中心线"), ucl=num("上限"),
        lcl=num("下限"), rows=rows_column("数据行"),
    )  # fmt: skip
    plot = Chart(
        "运行图", "control", of=points, index="index", value="value", cl="cl", ucl="ucl", lcl="lcl", label="label",
        rows="rows", place="main",
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"运行图：{few_of([column.title for column in form.measures])}"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = subgroups.read(report, form)
        order = cls._order(form, data)
        values = data.mean[order]
        n = values.size
        if n < 3:
            raise Refusal("data.few", "只有 {n} 个点，至少要 3 个点", field="measures", n=n)
        if float(np.ptp(values)) == 0:
            raise Refusal("data.constant", "数据没有变异，运行图没有意义，请核对", field="measures")
        if not np.abs(values).max() < 1e300:
            raise Refusal("data.magnitude", "数值太大，请换一个单位（例如除以 1000）", field="measures")
        center = float(np.median(values) if form.center == "median" else values.mean())
        side = np.sign(values - center)
        away = side[side != 0]
        found = [*cls._about(away), *cls._up_down(values)]
        for row in found:
            report.row(cls.tests, **row)
        steps = np.sign(np.diff(values))
        longest, limit = _longest(away), round(float(np.log2(max(away.size, 1)))) + 3
        report.row(
            cls.summary, n=n, center=center, above=int((side > 0).sum()), below=int((side < 0).sum()),
            on=int((side == 0).sum()), longest=longest, most=limit, monotone=_longest(steps[steps != 0]) + 1,
        )  # fmt: skip
        first = max(0, n - DRAWN)
        report.add_rows(
            cls.points,
            {
                "index": np.arange(first + 1, n + 1), "value": values[first:], "cl": np.full(n - first, center),
                "ucl": np.full(n - first, None), "lcl": np.full(n - first, None),
                "label": [data.labels[i] for i in order[first:]],
                "rows": [few_rows(data.rows[i]) for i in order[first:]],
            },
        )  # fmt: skip
        report.chart(cls.plot, titles={"x": "序号", "y": "取值"}, thinned=(n - first, n) if first else None)
        cls._say(report, form, found, n, longest, limit)
        return report

    @classmethod
    def _order(cls, form: Any, data: subgroups.Subgroups) -> Any:
        """By the time of a point's first row, where it is a number or a date."""
        time = form.time
        if time is None or (time.info.storage == "text" and time.measure != "时间"):
            return np.arange(len(data))
        held = dict(zip(map(int, time.row_numbers), time.numbers, strict=True))
        when = np.array([held[rows[0]] for rows in data.rows], dtype=float)
        if not np.isfinite(when).all():
            raise Refusal(
                "data.no_time", "有 {n} 个点没有时间，无法确定先后，请补上“{v}”或者不填时间", field="time",
                column=time.id, v=time.title, n=int((~np.isfinite(when)).sum()),
            )  # fmt: skip
        order = np.argsort(when, kind="stable")
        if (np.diff(when[order]) == 0).any():
            raise Refusal(
                "data.duplicate_time", "“{v}”有重复的时间，无法确定先后；请放入子组变量，或者不填时间、按行的次序分析",
                field="time", column=time.id, v=time.title,
            )  # fmt: skip
        return order

    @staticmethod
    def _about(side: Floats) -> list[dict[str, Any]]:
        n = side.size
        above = int((side > 0).sum())
        below = n - above
        if above == 0 or below == 0 or n < 3:
            return []
        both = 2.0 * above * below
        variance = both * (both - n) / (n**2 * (n - 1))
        return _pair(("聚集", "混合"), "中心线两侧", _runs(side), 1 + both / n, variance)

    @staticmethod
    def _up_down(values: Floats) -> list[dict[str, Any]]:
        moved = values[np.concatenate([[True], np.diff(values) != 0])]
        n = moved.size
        return _pair(
            ("趋势", "振荡"), "上升与下降", _runs(np.sign(np.diff(moved))), (2 * n - 1) / 3, (16 * n - 29) / 90
        )

    @classmethod
    def _say(cls, report: Report, form: Any, found: list[dict[str, Any]], n: int, longest: int, limit: int) -> None:
        held = [row for row in found if row["p"] is not None and row["p"] < ALPHA]
        facts: dict[str, Any] = {"n": n, "longest": longest, "most": limit}
        if held:
            told = []
            for i, row in enumerate(sorted(held, key=lambda one: float(one["p"]))):
                facts[f"p{i}"] = row["p"]
                told.append(f"{row['pattern']}（*p* {{p{i}:peq}}）：{MEANING[row['pattern']]}")
            lead = "数据的次序不像是随机的。" + "；".join(told) + "。"
        else:
            least = min((row for row in found if row["p"] is not None), key=lambda one: float(one["p"]), default=None)
            facts |= {} if least is None else {"p0": least["p"]}
            tail = "" if least is None else "（四种模式中 *p* 最小为 {p0:pvalue}）"
            lead = f"没有发现聚集、混合、趋势或振荡{tail}，{{n:integer}} 个点的次序看起来是随机的。"
        shift = longest > limit
        lead += "最长的同侧游程有 {longest:integer} 点，超过 {most:integer} 点，水平可能移动过。" if shift else ""
        used = {key: value for key, value in facts.items() if f"{{{key}:" in lead}
        figures = [figure(held[0]["pattern"] if held else "点数", "*p* {p0:peq}" if held else "{n:integer}")]
        report.lead(lead, figures, **{**used, **({"n": n} if not held else {})})
        after = "没有异常模式不等于过程合格，合不合格要和规格比较。"
        if held or shift:
            after = "找到异常的模式后，回到那段时间查原因。"
        student = "游程是一段连续在同一侧（或连续上升、下降）的点。随机的数据里，游程数不会太少也不会太多。" + after
        paper = f"绘制运行图（{{n:integer}} 个点，中心线为{CENTERS[form.center]}）：{lead}"
        report.voices([(student, {})], [(paper, facts)], [(lead, facts)])
        report.check(
            "点数", "care" if n < FEW else "pass",
            "{n:integer} 个点。" + ("不足 10 个，游程检验查不出多少，只作参考。" if n < FEW else "可以做游程检验。"),
            n=n,
        )  # fmt: skip
        report.check(
            "最长同侧游程", "care" if shift else "pass",
            "{longest:integer} 点，随机时一般不超过 {most:integer} 点。", longest=longest, most=limit,
        )  # fmt: skip


def _runs(signs: Floats) -> int:
    return int((np.diff(signs) != 0).sum()) + 1


def _longest(signs: Floats) -> int:
    if signs.size == 0:
        return 0
    ends = np.flatnonzero(np.diff(signs) != 0)
    return int(np.diff(np.concatenate([[-1], ends, [signs.size - 1]])).max())


def _pair(names: tuple[str, str], kind: str, observed: int, expected: float, variance: float) -> list[dict[str, Any]]:
    """Too few runs, and too many."""
    sd = float(np.sqrt(max(variance, 0.0)))
    z = (observed - expected) / sd if sd > 0 else None
    tails = (None, None) if z is None else (float(special.ndtr(z)), float(special.ndtr(-z)))
    return [
        {"pattern": name, "kind": kind, "observed": observed, "expected": expected, "sd": sd, "z": z, "p": p}
        for name, p in zip(names, tails, strict=True)
    ]
