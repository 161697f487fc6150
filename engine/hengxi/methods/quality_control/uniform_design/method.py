from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Filled,
    Form,
    Method,
    NewTable,
    NextStep,
    Points,
    Record,
    Refusal,
    Report,
    SetRemedy,
    Table,
    Wide,
    choice,
    figure,
    integer,
    num,
    number,
    records,
    text,
    words,
)
from hengxi.families.design.plan import LETTERS, Ints
from hengxi.families.design.uniform import Criterion, balanced, exchanged, lattice, points_of, squared
from hengxi.stats.names import number_words, unique

CRITERIA = {"cd2": "中心化偏差 CD", "wd2": "可卷偏差 WD", "md": "混合偏差 MD"}
MOST_PICTURED = 900
MOST_FITTED = 8
"""So many factors a response surface takes."""


class UniformDesign(Method):
    """Few runs spread evenly over many factors and levels: good lattice points, improved by exchanges."""

    title, title_en = "均匀设计", "Uniform design"
    family, tier = "质量控制", "member"
    purpose = "因素多、水平多时如何用最少试验均匀布点"
    aliases = ("均匀试验设计", "U表", "好格子点", "空间填充", "uniform design", "偏差", "拉丁超立方")
    references = ("fang1980", "fangwang1994", "hickernell1998", "zhou2013")
    conventions = (
        "水平 i 放在 (i − 0.5)/q 处；偏差是平方的算术根。",
        "好格子点：取幂生成元 1, a, a², … 对 n 或 n + 1（去掉最后一次试验）"
        "取模，选偏差最小的 a；水平少于试验次数时按比例合并。",
        "优化：随机交换同一列的两个水平，偏差变小就保留，从好格子点出发；没有好格子点时从随机的均衡表出发。",
        "最小距离：任两次试验在单位立方体里的欧氏距离的最小值。",
    )
    needs_data = False
    random = True
    split = False

    class Input(Form):
        n_factors: int = integer("因素数", 4, least=2, most=20, hint="下面填了因素时，以填的个数为准")
        n_runs: int = integer("试验次数", 12, least=4, most=200)
        levels: int = integer("水平数（须整除试验次数）", 12, least=2, most=200)
        names: list[Record] = records(
            "因素（选填）", min=0, max=20, names="因素{i}", name=words("名称", kind="name"), low=number("最小值", 0),
            high=number("最大值", 1),
        )  # fmt: skip
        criterion: Criterion = choice("均匀性准则", CRITERIA)
        method: str = choice("构造", {"swap": "好格子点后交换优化", "glp": "只用好格子点"})
        iterations: int = integer("优化次数", 2000, least=100, most=100_000, when={"method": "swap"})

    design = Table(
        "试验方案", run=integer("试验号"), layout=Wide(value=text("取值"), level=integer("水平")), place="main"
    )
    made = NewTable("试验方案表（可存为数据文件）", place="main")
    uniformity = Table(
        "均匀性", source=text("方案"), cd=num("CD", least=0), wd=num("WD", least=0), md=num("MD", least=0),
        distance=num("最小距离", least=0), place="main",
    )  # fmt: skip
    points = Points("投影", pair=text("因素对"), x=num("第一个因素的水平"), y=num("第二个因素的水平"))
    plot = Chart("投影散点图", "point", of=points, x="x", y="y", facet="pair", place="main")

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        n, s = int(form["n_runs"] or 0), int(form["n_factors"] or 0)
        return 0.05 + n**3 * s * 4e-8 + int(form["iterations"] or 0) * 1e-4

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="做完后拟合曲面", method="quality_control/response_surface", form={"task": "analyze"})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = [row.name for row in form.names] or list(LETTERS[: form.n_factors])
        n, s, q = form.n_runs, len(names), form.levels
        cls._judge(form, n, s, q)
        first = lattice(n, s, q, form.criterion)
        if first is None and form.method == "glp":
            raise Refusal(
                "data.lattice", "{n} 次试验没有能排 {s} 个因素的好格子点，请改试验次数，或选交换优化", field="method",
                also=["n_runs"], n=n, s=s, remedies=[SetRemedy(title="改用交换优化", set={"method": "swap"})],
            )  # fmt: skip
        table, source = first if first is not None else (balanced(n, s, q, form.rng), "随机均衡表")
        kept = 0
        if first is not None:
            cls._measure(report, f"好格子点 {source}", table, q)
        if form.method == "swap":
            table, kept = exchanged(table, q, form.criterion, form.iterations, form.rng)
            cls._measure(report, "交换优化后", table, q)
        cls._write(report, form, names, table, q)
        cls._draw(report, names, table)
        key = {"cd2": "cd", "wd2": "wd", "md": "md"}[form.criterion]
        value = report.rows_of(cls.uniformity)[-1].cells[key]
        report.lead(
            "{s:integer} 个因素各 {q:integer} 个水平，做 {n:integer} 次试验，{what:text} = {value:num}。"
            "请随机安排先后，把结果填进表里。",
            [figure("试验次数", "{n:integer}"), figure("偏差", "{value:num}", "{what:text}")], s=s, q=q, n=n,
            what=CRITERIA[form.criterion], value=value,
        )  # fmt: skip
        if form.method == "swap":
            report.say("优化保留了 {k:integer} 次交换。换一个种子或加大优化次数，偏差可能再小一点。", k=kept)
        report.say("均匀设计的数据不能做极差分析。请用响应面或线性回归拟合，再找最优条件。")
        most = int((np.sqrt(8 * n + 1) - 3) / 2)
        if (s + 1) * (s + 2) / 2 >= n:
            report.say(
                "{n:integer} 次试验拟合不了 {s:integer} 个因素的完整二次模型（最多 {most:integer} 个因素）"
                "，只能拟合部分项。",
                n=n,
                s=s,
                most=most,
            )
        return report

    @classmethod
    def _judge(cls, form: Any, n: int, s: int, q: int) -> None:
        if s < 2:
            raise Refusal("records.few", "均匀设计至少要 2 个因素，请再加一行", field="names", also=["n_factors"])
        if n % q:
            raise Refusal(
                "limit.divides", "试验次数必须是水平数的整数倍（{n} 不是 {q} 的倍数），请改其中一个", field="levels",
                also=["n_runs"], n=n, q=q, remedies=[SetRemedy(title="水平数等于试验次数", set={"levels": n})],
            )  # fmt: skip
        if n < s + 1:
            raise Refusal(
                "data.few",
                "试验次数过少，无法拟合线性模型：{s} 个因素至少要 {least} 次",
                field="n_runs",
                also=["n_factors"],
                s=s,
                least=s + 1,
            )
        for i, row in enumerate(form.names, 1):
            if not row.low < row.high:
                raise Refusal("limit.less", "“因素”第 {at} 行的最小值须小于最大值，请改", field="names", at=i)

    @classmethod
    def _measure(cls, report: Report, source: str, table: Ints, q: int) -> None:
        x = points_of(table, q)
        apart = [float(np.sqrt(((x[i + 1 :] - x[i]) ** 2).sum(axis=1).min())) for i in range(len(x) - 1)]
        found = [float(np.sqrt(max(0.0, squared(x, kind)))) for kind in ("cd2", "wd2", "md")]
        report.row(cls.uniformity, source=source, cd=found[0], wd=found[1], md=found[2], distance=min(apart))

    @classmethod
    def _write(cls, report: Report, form: Any, names: list[str], table: Ints, q: int) -> None:
        heads = unique(["试验号", *names, "试验结果"])
        values: list[Any] = []
        for j in range(len(names)):
            if form.names:
                low, high = form.names[j].low, form.names[j].high
                values.append(np.round(low + (high - low) * table[:, j] / (q - 1), 10))
            else:
                values.append(table[:, j] + 1.0)
        for i in range(len(table)):
            wide = {
                name: {"value": number_words(float(values[j][i])), "level": int(table[i, j]) + 1}
                for j, name in enumerate(heads[1:-1])
            }
            report.row(cls.design, run=i + 1, wide=wide)
        columns = {heads[0]: np.arange(1.0, len(table) + 1)}
        columns |= {name: np.asarray(values[j], dtype=float) for j, name in enumerate(heads[1:-1])}
        boxes = {"response": [heads[-1]], "factors": heads[1:-1]}
        fits = len(names) <= MOST_FITTED
        filled = Filled("quality_control/response_surface", {"task": "analyze"}, boxes) if fits else None
        report.table_made(cls.made, {**columns, heads[-1]: np.full(len(table), np.nan)}, filled)

    @classmethod
    def _draw(cls, report: Report, names: list[str], table: Ints) -> None:
        pairs = list(combinations(range(len(names)), 2))
        shown = pairs[: max(1, min(6, MOST_PICTURED // len(table)))]
        for a, b in shown:
            for row in table:
                report.row(cls.points, pair=f"{names[a]} 与 {names[b]}", x=float(row[a]) + 1, y=float(row[b]) + 1)
        if len(shown) < len(pairs):
            report.note(cls.plot, "只画前 {k:integer} 对因素。", k=len(shown))
