from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Points,
    Report,
    StepRemedy,
    Table,
    figure,
    flag,
    integer,
    num,
    percent,
    role,
    text,
)
from hengxi.stats import boxes
from hengxi.stats.histogram import histogram
from hengxi.stats.moments import Floats, Ordered, moments
from hengxi.stats.names import level_words, listed, titles

STORAGE = {"text": "文字", "int": "整数", "float": "小数", "date": "日期", "datetime": "日期时间", "bool": "是否"}
MUCH_MISSING, MANY_LEVELS, CHARTS, BLOCKS = 0.2, 0.5, 12, 60
HUGE = 1e140


class Codebook(Method):
    """Every variable as it is stored and what fills it; each row read once."""

    title, title_en = "数据概览", "Data overview"
    family, tier = "描述性分析", "standard"
    purpose = "表里有哪些变量、什么类型、缺失多少、取值是否可疑"
    aliases = ("编码本", "codebook", "数据字典", "变量清单", "数据质量", "数据概况", "数据体检", "重复行", "skim")
    references = ("tukey1977", "joanes1998", "hyndman1996", "freedman1981")
    conventions = (
        "标准差以 n − 1 为分母，偏度为校正后的 G1（Joanes 与 Gill，1998）。",
        "P25、中位数、P75 按 (n + 1)p 插值（Hyndman-Fan 第 6 类，与 SPSS 相同）。",
        "疑似异常值：离 Tukey（1977）折叶点超过 1.5 倍箱长的个数。",
        "重复行：所选变量的值全部相同（缺失也算相同）的行，第一次出现的不算。",
        "完整个案：所选变量都有值的行；占比以有值的行为分母，缺失率以全部行为分母。",
        "直方图的组距按 Freedman-Diaconis 规则取整。",
    )
    missing = "keep"

    class Input(Form):
        variables: list[Column] = role("分析变量", "任意", min=1, max=None)
        max_levels: int = integer("类别最多展示数", 20, least=5, most=200)
        with_charts: bool = flag("输出缩略图", True)

    overview = Table(
        "数据概况", layout="record", rows=integer("行数"), columns=integer("变量数"), duplicates=integer("重复行数"),
        complete=integer("完整个案数"), empty=percent("缺失单元格占比"), place="main",
    )  # fmt: skip
    listing = Table(
        "变量一览", name=text("变量名"), label=text("标签"), measure=text("测量尺度"), storage=text("存储类型"),
        n=integer("有效 *N*"), missing=integer("缺失 *N*"), share=percent("缺失率"), distinct=integer("唯一值数"),
        remark=text("提示"), place="main",
    )  # fmt: skip
    quantities = Table(
        "定量变量摘要", name=text("变量名"), mean=num("均值"), sd=num("标准差", least=0), least=num("最小值"),
        q1=num("P25"), median=num("中位数"), q3=num("P75"), most=num("最大值"), skewness=num("偏度"),
        zeros=integer("零值数"), outliers=integer("疑似异常值数"), place="main",
    )  # fmt: skip
    categories = Table(
        "定类变量摘要", name=text("变量名"), level=text("类别"), n=integer("频数"), share=percent("占比"),
        merge=("name",), place="main",
    )  # fmt: skip
    spans = Table("时间变量摘要", name=text("变量名"), first=text("最早"), last=text("最晚"))
    bins = Points("直方图", low=num("下限"), high=num("上限"), n=integer("频数"), when={"with_charts": True})
    hist = Chart(
        "分布（定量）",
        "histogram",
        of=bins,
        low="low",
        high="high",
        count="n",
        place="detail",
        when={"with_charts": True},
    )
    sizes = Points("各类频数", level=text("类别"), n=integer("频数"), when={"with_charts": True})
    bar = Chart("分布（定类）", "bar", of=sizes, x="level", y="n", place="detail", when={"with_charts": True})
    gaps = Points(
        "缺失矩阵", block=text("行号"), name=text("变量"), share=percent("缺失率"), when={"with_charts": True}
    )
    gap_map = Chart(
        "缺失矩阵图", "heat", of=gaps, row="block", column="name", value="share", place="main",
        when={"with_charts": True},
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.variables)} 个变量的概览"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        numbers = [one for one in form["variables"] if columns[one].measure == "定量"]
        others = [one for one in form["variables"] if columns[one].measure == "定类"]
        steps = []
        if numbers:
            title, path = "看分布和离群值（描述性统计）", "descriptive/descriptive_statistics"
            steps.append(NextStep(title=title, method=path, form={"variables": numbers}))
        if others:
            title = "看各类的频数（频数分析）"
            steps.append(NextStep(title=title, method="descriptive/frequency", form={"variables": others}))
        repeat = NextStep(title="放进更多变量", method="descriptive/codebook", form=form, seek=["variables"])
        return steps or [repeat]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        columns, names = form.variables, titles(form.variables)
        rows = len(columns[0])
        gone = [int(np.count_nonzero(column.missing)) for column in columns]
        held = np.ones(rows, dtype=bool)
        for column in columns:
            held &= ~column.missing
        facts = report.row(
            cls.overview, rows=rows, columns=len(columns), duplicates=_repeats(columns), complete=int(held.sum()),
            empty=sum(gone) / (rows * len(columns)),
        )  # fmt: skip
        remarks: dict[str, list[str]] = {}
        for column, lost in zip(columns, gone, strict=True):
            remarks[names[column.id]] = cls._variable(report, column, names[column.id], rows, lost, form)
        cls._absent(report)
        if form.with_charts:
            cls._gaps(report, columns, names, rows)
        _words(report, facts, dict(zip(names.values(), gone, strict=True)), remarks, columns)
        report.used(rows)
        return report

    @classmethod
    def _variable(cls, report: Report, column: Column, name: str, rows: int, lost: int, form: Any) -> list[str]:
        n = rows - lost
        distinct = _distinct(column)
        remarks = ["没有有效值"] if n == 0 else ["只有一个取值"] if distinct == 1 else []
        measured = column.measure in ("定量", "时间")
        if not measured and distinct > MANY_LEVELS * n and n > 1:
            remarks.append("唯一值超过一半")
        if lost > MUCH_MISSING * rows:
            remarks.append("缺失超过两成")
        if column.measure == "定量" and n:
            remarks += cls._quantity(report, column, name, form)
        elif column.info.storage in ("date", "datetime") and n:
            known = column.numbers[~column.missing]
            report.row(cls.spans, name=name, first=_moment(known.min()), last=_moment(known.max()))
        elif column.measure == "定类" and n:
            cls._category(report, column, name, n, form)
        report.row(
            cls.listing, name=column.name, label=column.label or "—", measure=column.measure,
            storage=STORAGE.get(column.info.storage, column.info.storage), n=n, missing=lost, share=lost / rows,
            distinct=distinct, remark="；".join(remarks) or "—",
        )  # fmt: skip
        return remarks

    @classmethod
    def _quantity(cls, report: Report, column: Column, name: str, form: Any) -> list[str]:
        x = column.numbers[~column.missing]
        if not float(np.abs(x).max()) < HUGE:
            report.warn("data.magnitude", "“{v}”的数值过大，没有给出摘要；请换一个单位。", v=name, columns=[column])
            return ["数值过大"]
        m, ordered = moments(x), Ordered.of(x)
        q1, middle, q3 = ordered.quantiles([0.25, 0.5, 0.75], 6)
        box = boxes.box(ordered)
        outside = box.outside if box.q3 > box.q1 else 0
        report.row(
            cls.quantities, name=name, mean=m.mean, sd=m.sd if m.n > 1 else None, least=m.least, q1=q1, median=middle,
            q3=q3, most=m.most, skewness=m.skewness, zeros=int(np.count_nonzero(x == 0)), outliers=outside,
        )  # fmt: skip
        if form.with_charts and cls._room(report, cls.bins):
            cls._histogram(report, x, name)
        return [f"离群 {outside} 个"] if box.far else []

    @classmethod
    def _histogram(cls, report: Report, x: Floats, name: str) -> None:
        found = histogram(x)
        report.add_rows(cls.bins, {"low": found.edges[:-1], "high": found.edges[1:], "n": found.counts}, at=name)
        report.chart(cls.hist, at=name, titles={"x": name})

    @classmethod
    def _category(cls, report: Report, column: Column, name: str, n: int, form: Any) -> None:
        words = level_words(column.levels)
        counts = np.array([one.count for one in column.levels])
        order = np.argsort(-counts, kind="stable")
        for place in order[: form.max_levels]:
            count = int(counts[place])
            report.row(cls.categories, name=name, level=words[place], n=count, share=count / n)
        if len(order) > form.max_levels:
            rest = int(counts[order[form.max_levels :]].sum())
            told = f"其余 {len(order) - form.max_levels} 类"
            report.row(cls.categories, name=name, level=told, n=rest, share=rest / n)
        if form.with_charts and cls._room(report, cls.sizes):
            top = order[:20]
            report.add_rows(cls.sizes, {"level": [words[i] for i in top], "n": counts[top]}, at=name)
            report.chart(cls.bar, at=name)

    @staticmethod
    def _room(report: Report, table: Any) -> bool:
        return len([place for table_id, place in report.rows if table_id == table.id]) < CHARTS

    @classmethod
    def _absent(cls, report: Report) -> None:
        kinds = {cls.quantities: "定量", cls.bins: "定量", cls.categories: "定类", cls.sizes: "定类", cls.spans: "时间"}
        for table, kind in kinds.items():
            if not any(table_id == table.id for table_id, _ in report.rows):
                report.skip(table, f"没有可以给出的{kind}变量")

    @classmethod
    def _gaps(cls, report: Report, columns: list[Column], names: dict[str, str], rows: int) -> None:
        edges = np.unique(np.linspace(0, rows, min(rows, BLOCKS) + 1).astype(np.int64))
        numbers = columns[0].row_numbers
        labels = [f"{numbers[a]}–{numbers[b - 1]}" for a, b in pairwise(edges)]
        for column in columns[:100]:
            share = np.add.reduceat(column.missing.astype(float), edges[:-1]) / np.diff(edges)
            cells = {"block": labels, "name": [names[column.id]] * len(labels), "share": share}
            report.add_rows(cls.gaps, cells)


def _moment(days: float) -> str:
    """Days since 1970 as a date, with the time of day where there is one."""
    return str(np.datetime64(0, "s") + np.timedelta64(round(days * 86400), "s")).replace("T00:00:00", "")


def _distinct(column: Column) -> int:
    known = column.distinct_known
    if known is not None:
        return known
    if column.info.storage == "text":
        return len(column.levels)
    return len(pd.unique(column.numbers[~column.missing]))


def _repeats(columns: list[Column]) -> int:
    """Rows whose values all stood in an earlier row: rows are numbered by what they hold so far, column by column."""
    key: NDArray[np.int64] = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        if column.info.storage == "text":
            codes: Any = column.codes.astype(np.int64) + 1
        else:
            codes = pd.factorize(column.numbers)[0].astype(np.int64) + 1
        key = pd.factorize(key * (int(codes.max()) + 1) + codes)[0].astype(np.int64)
        if int(key.max()) + 1 == key.size:
            return 0
    return int(key.size - key.max() - 1)


def _words(
    report: Report, facts: dict[str, Any], gone: dict[str, int], remarks: dict[str, list[str]], columns: list[Column]
) -> None:
    whole = facts["empty"] == 0
    odd = [name for name, said in remarks.items() if said]
    gap = "没有缺失" if whole else "缺失的单元格占 {empty:percent1}，{complete:integer} 行完整"
    rest = "；{which}需要核对" if odd else ""
    report.lead(
        "{rows:integer} 行、{columns:integer} 个变量，" + gap + rest + "。",
        [
            figure("行数", "{rows:integer}"), figure("变量数", "{columns:integer}"),
            figure("缺失单元格", "{empty:percent1}"), figure("重复行", "{duplicates:integer}"),
        ],
        **facts, which=listed(odd, 3, "个变量"),
    )  # fmt: skip
    report.say("先核对提示里的变量，再做分析。离群值不一定是错的，查过原始记录再决定。", voice="student")
    worst = max(gone, key=lambda name: gone[name])
    much = gone[worst] > MUCH_MISSING * facts["rows"]
    report.check(
        "缺失", "care" if much else "pass",
        "没有缺失值。" if whole else "缺失最多的是“{v}”：{lost:integer} 行（{share:percent1}）。"
        + ("缺失较多，结果只代表有值的行。" if much else ""),
        remedies=[StepRemedy(title="处理缺失值", step="data_processing/missing_value", columns=[c.id for c in columns])]
        if much else [],
        v=worst, lost=gone[worst], share=gone[worst] / facts["rows"],
    )  # fmt: skip
    again = facts["duplicates"] > 0
    report.check(
        "重复行", "care" if again else "pass",
        "有 {n:integer} 行与前面的行完全相同。变量少、取值少时这很正常；否则请查是不是重复录入。"
        if again else "没有完全相同的行。",
        n=facts["duplicates"],
    )  # fmt: skip
