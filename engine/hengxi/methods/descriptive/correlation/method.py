from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Line,
    Matrix,
    Method,
    NextStep,
    Points,
    Report,
    Silent,
    Table,
    Wide,
    choice,
    claim,
    few_of,
    filled,
    flag,
    integer,
    interval,
    num,
    number,
    pvalue,
    role,
    stat,
    text,
    weight,
)
from hengxi.methods.descriptive._shared import associating
from hengxi.methods.descriptive._shared.associating import Block, Pair
from hengxi.methods.descriptive._shared.associating_words import Words
from hengxi.methods.descriptive._shared.scores import is_binary
from hengxi.stats.correlation import bootstrap, pearson, size
from hengxi.stats.moments import moments
from hengxi.stats.names import titles
from hengxi.stats.normality import normality

SYMBOLS = {"pearson": "*r*", "spearman": "*r*ₛ", "kendall": "τ"}
RESAMPLES, SCATTERS, POINTS = 1000, 12, 500


class Correlation(Method):
    """Each pair in the rows where both have a value, or all pairs in the same rows."""

    title, title_en = "相关性分析", "Correlation analysis"
    family, tier = "描述性分析", "standard"
    rescaled = (("variables",),)
    purpose = "两两变量的相关方向和强度如何，是否显著"
    aliases = (
        "相关系数",
        "相关分析",
        "皮尔逊相关",
        "斯皮尔曼",
        "肯德尔",
        "Pearson",
        "Spearman",
        "Kendall",
        "点二列相关",
        "相关矩阵",
        "相关热力图",
    )
    references = (
        "pearson1895", "spearman1904", "kendall1938", "fieller1957", "bonett2000", "cohen1988", "holm1979",
        "benjamini1995", "west1995", "shapiro1965",
    )  # fmt: skip
    conventions = (
        "标准差、协方差以 n − 1 为分母。",
        "Pearson 的区间用 Fisher z；Spearman 用 Bonett-Wright（2000），Kendall 用 Fieller 等（1957）的标准误。",
        "Spearman 的 p 用 t 近似（与 SPSS 相同），Kendall τ-b 的 p 用含结校正的正态近似（与 R、SPSS 相同）；"
        "n ≤ 9 且没有相同的值时两者都用精确分布。",
        "有序变量按等级的先后取值。",
        "只有两类的变量按类别的先后记 0、1，Pearson *r* 即点二列相关系数（两个都只有两类时为 φ）。",
        "三类及以上的无序变量不计算。",
        "自助法区间为 1000 次重抽样的百分位区间，随机种子写在报告里。",
        "正态性用 Shapiro-Wilk（3 到 5000 例），更多时用 Lilliefors；超过 50000 例不做检验。",
        "散点图最多画 12 对，每对最多 500 个点，均匀抽取；统计用全部个案。",
    )
    weights = ("frequency",)
    missing = "pairwise"
    random = True
    min_rows = 3

    class Input(Form):
        variables: list[Column] = role("分析变量X", "任意", min=1, max=None)
        y: list[Column] = role("分析变量Y（选填，只算 X × Y）", "任意", min=0, max=None)
        group: Column | None = role("分组变量（选填）", "定类", levels=(1, 30))
        weight: Column | None = weight("频数权重（选填）", kind="frequency", whole=True)
        method: str = choice(
            "相关系数", {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall tau-b"},
            hint="直线关系用 Pearson；有序、偏斜或有离群值用后两种",
        )  # fmt: skip
        alternative: str = choice("检验方向", {"two_sided": "双尾", "greater": "正相关", "less": "负相关"})
        missing: str = choice("缺失处理", {"pairwise": "成对剔除", "listwise": "整行剔除"})
        adjust: str = choice(
            "多重比较校正", {"none": "不校正", "holm": "Holm", "bonferroni": "Bonferroni", "fdr_bh": "FDR-BH"}
        )
        conf_level: float = number("置信水平", 0.95, least=0.5, most=0.999, percent=True)
        bootstrap_ci: bool = flag("自助法置信区间", False, advanced=True)
        covariance: bool = flag("输出协方差与离差积和矩阵", False, advanced=True)

    matrix = Table(
        "相关系数", place="main",
        layout=Matrix(r=num("系数", least=-1, most=1, stars="p"), p=pvalue(), n=integer("*n*"), show="lower"),
        claim=claim("correlation", stat("*r*", "r", by=("method", SYMBOLS))),
    )  # fmt: skip
    cross = Table(
        "相关系数（X × Y）", item=text("变量"), place="main", when={"y": filled},
        layout=Wide(r=num("系数", least=-1, most=1, stars="p"), p=pvalue(), n=integer("*n*")),
        claim=Silent("its pairs stand in 相关明细 with their intervals"),
    )  # fmt: skip
    heat_cells = Points("热力图", row=text("行"), column=text("列"), value=num("系数"))
    heat = Chart("相关系数热力图", "heat", of=heat_cells, row="row", column="column", value="value", place="main")
    details = Table(
        "相关明细", a=text("变量1"), b=text("变量2"), r=num("系数", least=-1, most=1, stars="p"),
        ci=interval("CI", "low", "high", around="r"),
        boot=interval("自助法 CI", "boot_low", "boot_high", when={"bootstrap_ci": True}),
        statistic=num("统计量", hint="Pearson、Spearman 为 t，Kendall 为 z"),
        df=integer("*df*", when={"method": ("pearson", "spearman")}), p=pvalue(),
        p_adjusted=pvalue("校正 *p*", when={"adjust": ("holm", "bonferroni", "fdr_bh")}), n=integer("*n*"),
        r2=num("*R*²", least=0, most=1, when={"method": "pearson"}),
        claim=claim(
            "correlation", stat("*r*", "r", "df", by=("method", SYMBOLS)), first="a", second="b", interval="ci",
        ),
    )  # fmt: skip
    descriptives = Table(
        "描述", name=text("变量"), n=integer("*n*"), mean=num("均值"), sd=num("标准差", least=0),
        skewness=num("偏度", when={"method": "pearson"}), kurtosis=num("峰度", when={"method": "pearson"}),
        test=text("正态性检验", when={"method": "pearson"}), normal=pvalue("正态性 *p*", when={"method": "pearson"}),
        claim=Silent("normality is told by its check"),
    )  # fmt: skip
    covariances = Table(
        "协方差与离差积和", when={"covariance": True},
        layout=Matrix(covariance=num("协方差"), sscp=num("离差积和"), show="lower"),
    )  # fmt: skip
    points = Points("散点", pair=text("变量对"), x=num("前一个变量"), y=num("后一个变量"))
    lines = Points("拟合线", pair=text("变量对"), x=num("前一个变量"), y=num("后一个变量"))
    scatter = Chart(
        "散点图", "point", of=points, x="x", y="y", facet="pair", over=[Line(lines, x="x", y="y")], place="detail"
    )

    @classmethod
    def heading(cls, form: Any) -> str:
        names = list(titles([*form.variables, *form.y]).values())
        x = len(form.variables)
        # A pair is what it is whether or not its second variable has a box of its own.
        boxes = [[name] for name in names] if len(names) == 2 else [names[:x], names[x:]]
        by = f"按{form.group.title}分组的" if form.group else ""
        return f"{by}{'与'.join(few_of(box) for box in boxes if box)}的相关"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        every: list[str] = [*(form.get("y") or []), *form["variables"]]
        y, x = every[0], every[1:]
        numbers = columns[y].measure == "定量" and x
        regression = NextStep(
            title="由其他变量预测其中一个（线性回归）",
            method="statistical/linear_regression",
            form={"y": y, "x": x, "freq": form.get("weight")},
        )
        grouped = NextStep(
            title="分组看相关是否一样", method="descriptive/correlation", form=form, seek=["group"],
        )  # fmt: skip
        ranked = NextStep(
            title="改用 Spearman 秩相关对照", method="descriptive/correlation", form={**form, "method": "spearman"},
            seek=["method"],
        )  # fmt: skip
        return [
            *([regression] if numbers else []),
            *([] if form.get("group") else [grouped]),
            *([ranked] if form.get("method") == "pearson" else []),
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        blocks = associating.blocks(form, report)
        if form.y:
            report.skip(cls.matrix, "只算 X × Y，见相关系数（X × Y）")
        thinned = False
        for block in blocks:
            cls._coefficients(report, block, form)
            cls._details(report, block, form)
            cls._descriptives(report, block, form)
            if form.covariance:
                cls._covariances(report, block)
            thinned = cls._scatter(report, block) or thinned
        if not any(table == cls.lines.id for table, _ in report.rows):
            report.skip(cls.lines, "数值过大或过小，拟合线画不出来；请给变量换一个单位")
        report.note(cls.scatter, "直线为最小二乘拟合线，只作参照。")
        if thinned:
            report.note(cls.scatter, "点太多时只画一部分，均匀抽取；拟合线用全部个案。")
        words = Words(form, blocks)
        words.write(report)
        words.notes(report, cls)
        words.checks(report)
        return report

    @classmethod
    def _coefficients(cls, report: Report, block: Block, form: Any) -> None:
        found = {(pair.a, pair.b): pair for pair in block.pairs}
        first = len(form.variables)
        if form.y:
            for i in range(first):
                wide = {block.columns[j]: cls._cell(found[i, j]) for j in range(first, len(block.columns))}
                report.row(cls.cross, at=block.at, item=block.names[i], wide=wide)
        else:
            for i, one in enumerate(block.columns):
                n = block.size(i)
                report.row(cls.matrix, at=block.at, item=one, against=one, r=1.0 if n > 1 else None, n=n)
                for j in range(i + 1, len(block.columns)):
                    report.row(cls.matrix, at=block.at, item=one, against=block.columns[j], **cls._cell(found[i, j]))
        values = {(pair.a, pair.b): pair.found.r for pair in block.known if pair.found}
        rows = range(first) if form.y else range(len(block.names))
        columns = range(first, len(block.names)) if form.y else rows
        # Row by row, so that both axes take the order of the form.
        for a in rows:
            for b in columns:
                value = 1.0 if a == b and block.size(a) > 1 else values.get((min(a, b), max(a, b)))
                report.row(cls.heat_cells, at=block.at, row=block.names[a], column=block.names[b], value=value)

    @staticmethod
    def _cell(pair: Pair) -> dict[str, Any]:
        return {"r": pair.found.r if pair.found else None, "p": pair.p, "n": pair.n}

    @classmethod
    def _details(cls, report: Report, block: Block, form: Any) -> None:
        for pair in block.pairs:
            cells: dict[str, Any] = {"a": block.names[pair.a], "b": block.names[pair.b], "n": pair.n}
            one = pair.found
            if one is not None:
                cells |= {"r": one.r, "low": one.low, "high": one.high, "statistic": one.statistic, "p": one.p}
                cells |= {"df": one.df} if form.method != "kendall" else {}
                cells |= {"r2": one.r**2} if form.method == "pearson" else {}
                cells |= {"p_adjusted": pair.p} if form.adjust != "none" else {}
                if form.bootstrap_ci:
                    (x, y), f = block.sample(pair.a, pair.b)
                    drawn = bootstrap(form.method, x, y, f, form.conf_level, form.rng, RESAMPLES)
                    cells |= {"boot_low": drawn[0], "boot_high": drawn[1]} if drawn else {}
            report.row(cls.details, at=block.at, **cells)
        if form.bootstrap_ci:
            report.note(
                cls.details,
                "自助法 CI 为 {times:integer} 次重抽样的百分位区间"
                + ("" if form.alternative == "two_sided" else "，总是双侧的")
                + "；重抽的样本常常没有变异时不给。",
                times=RESAMPLES,
            )  # fmt: skip

    @classmethod
    def _descriptives(cls, report: Report, block: Block, form: Any) -> None:
        for i, name in enumerate(block.names):
            (x,), f = block.sample(i)
            if x.size == 0:
                report.row(cls.descriptives, at=block.at, name=name, n=0)
                continue
            m = block.moments(i)
            cells: dict[str, Any] = {"mean": m.mean, "sd": m.sd if m.n > 1 and np.isfinite(m.sd) else None}
            if form.method == "pearson":
                test = None if is_binary(block.columns[i]) else normality(x, f)
                cells |= {"skewness": m.skewness, "kurtosis": m.kurtosis, "test": test.name if test else "—"}
                cells |= {"normal": test.p if test else None}
            report.row(cls.descriptives, at=block.at, name=name, n=m.n, **cells)

    @classmethod
    def _covariances(cls, report: Report, block: Block) -> None:
        """r would be the chosen coefficient; products of deviations always belong to Pearson's."""
        for pair in [Pair(i, i, 0, None, None) for i in range(len(block.names))] + block.pairs:
            (x, y), f = block.sample(pair.a, pair.b)
            if size(x, f) < 2:
                continue
            a, b = moments(x, f), moments(y, f)
            with np.errstate(over="ignore", invalid="ignore", under="ignore"):
                products = ((x - a.anchor) - a.centre) * ((y - b.anchor) - b.centre)
                sscp = float(products.sum() if f is None else np.dot(products, f))
            cells: dict[str, Any] = {"covariance": sscp / (a.n - 1), "sscp": sscp} if np.isfinite(sscp) else {}
            report.row(cls.covariances, at=block.at, item=block.columns[pair.a], against=block.columns[pair.b], **cells)
        report.note(
            cls.covariances, "协方差 = 离差积和 /（n − 1）；对角线为方差与离差平方和。数值超出可表示范围的未给。"
        )

    @classmethod
    def _scatter(cls, report: Report, block: Block) -> bool:
        thinned = False
        for pair in block.known[:SCATTERS]:
            (x, y), more = block.some_rows(POINTS, pair.a, pair.b)
            thinned = thinned or more
            name = f"{block.names[pair.a]} × {block.names[pair.b]}" + (f"（{block.at}）" if block.at else "")
            report.add_rows(cls.points, {"pair": [name] * x.size, "x": x, "y": y})
            (x, y), f = block.sample(pair.a, pair.b)
            whole = block.is_whole(pair.a) and block.is_whole(pair.b)
            a, b = (block.moments(pair.a), block.moments(pair.b)) if whole else (moments(x, f), moments(y, f))
            if not 1e-150 < b.sd < 1e150 or not 1e-150 < a.sd < 1e150:
                continue
            r = block.coefficient("pearson", pair.a, pair.b)
            slope = (pearson(x, y, f) if r is None else r) * (b.sd / a.sd)
            for end in (a.least, a.most):
                value = b.mean + slope * (end - a.mean)
                if np.isfinite(value):
                    report.row(cls.lines, pair=name, x=end, y=value)
        return thinned
