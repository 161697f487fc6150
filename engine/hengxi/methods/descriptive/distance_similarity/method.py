from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Matrix,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    figure,
    integer,
    num,
    number,
    role,
    text,
)
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles
from hengxi.stats.proximity import BINARY, SIMILAR, Proximity, SingularError, gower, plane

MEASURES = {
    "euclidean": "欧氏距离", "sqeuclidean": "平方欧氏", "cityblock": "城市街区", "chebyshev": "切比雪夫",
    "minkowski": "闵可夫斯基", "mahalanobis": "马氏距离", "cosine": "余弦", "pearson": "相关", "spearman": "秩相关",
    "canberra": "兰氏", "braycurtis": "Bray-Curtis", "jaccard": "Jaccard", "dice": "Dice",
    "simple_matching": "简单匹配", "hamming": "汉明", "chi2": "卡方度量", "gower": "Gower混合",
}  # fmt: skip
SCALED = ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "minkowski", "cosine", "pearson", "spearman")
ALIKE = ("hamming", "gower")
"""Measures that take categories."""
MATRIX_MOST, NEAREST_MOST, DRAWN = 200, 5000, 60
CHUNK = 500


class DistanceSimilarity(Method):
    title, title_en = "距离与相似性分析", "Distance and similarity"
    family, tier = "描述性分析", "standard"
    purpose = "个案之间或变量之间有多相近"
    aliases = ("PROXIMITIES", "距离矩阵", "相似系数", "近邻", "欧氏距离", "余弦相似度", "Jaccard", "Gower", "马氏距离")
    references = ("gower1971", "jaccard1901", "dice1945", "mahalanobis1936", "torgerson1952")
    conventions = (
        "Z 得分以 n − 1 为分母的标准差；0-1 按全距，最大值 1 按绝对值的最大值。都在变量上做，然后再算距离。",
        "余弦、相关、秩相关、Jaccard、Dice、简单匹配是相似系数，越大越相近；其余是距离，越小越相近。",
        "Jaccard 与 Dice：两个对象都没有 1 时记为 0。兰氏距离中两个值都是 0 的项记为 0。",
        "卡方度量为两个对象组成的频数表的 √χ²（SPSS 的 Chi-square measure）。",
        "汉明为取值不同的变量的比例；Gower 为各变量差异的平均：定类变量看是否相同，其余按全距。",
        "马氏距离用全部个案的协方差阵（n − 1）。",
        "二维图为经典多维标度（Torgerson），相似系数先换成 1 − s；每一维绝对值最大的坐标取正。",
    )
    row_order = True

    class Input(Form):
        variables: list[Column] = role("分析变量", "任意", min=1, max=200)
        label: Column | None = role("个案标识（选填）", "任意", min=0, use="label")
        between: str = choice("对象", {"cases": "个案间", "variables": "变量间"})
        measure: str = choice("度量", MEASURES)
        p: float = number("闵可夫斯基幂次", 3, least=1, most=10, when={"measure": "minkowski"})
        standardize: str = choice(
            "先标准化", {"zscore": "Z得分", "none": "不标准化", "range01": "0-1", "max1": "最大值1"},
            when={"measure": SCALED}, hint="变量单位不同时要标准化",
        )  # fmt: skip
        output: str = choice("输出形式", {"matrix": "距离矩阵", "nearest": "每个个案最近k个"})
        k: int = integer("最近邻个数", 5, least=1, most=50, when={"output": "nearest"})

    summary = Table(
        "摘要", item=text("项目"), value=num("取值"), first=text("对象1"), second=text("对象2"), place="main"
    )
    matrix = Table("邻近矩阵", layout=Matrix(d=num("距离或相似系数"), show="lower"), item=text("对象"), place="main",
                   when={"output": "matrix"})  # fmt: skip
    nearest = Table(
        "最近邻", thing=text("对象"), order=integer("次序"), other=text("近邻"), d=num("距离或相似系数"),
        merge=("thing",), place="main", when={"output": "nearest"},
    )  # fmt: skip
    cells = Points("热力图数据", row=text("行"), column=text("列"), value=num("距离或相似系数"))
    heat = Chart("热力图（按聚类排序）", "heat", of=cells, row="row", column="column", value="value", place="main")
    map = Points("二维坐标", x=num("维度1"), y=num("维度2"), label=text("对象"))
    map_plot = Chart("二维概览图（多维标度）", "point", of=map, x="x", y="y", label="label", place="main")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{'个案' if form.between == 'cases' else '变量'}之间的{MEASURES[form.measure]}"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"variables": form["variables"]}
        return [
            NextStep(
                title="把相近的个案分成几类（K均值聚类）",
                method="statistical/kmeans_cluster",
                form={"x": form["variables"]},
            ),
            NextStep(title="看变量之间的相关（相关性分析）", method="descriptive/correlation", form=start),
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = cls._names(form)
        if len(names) < 2:
            raise Refusal("data.few", "至少要有两个对象才能比较，请再放入变量或放宽筛选", field="variables")
        most = MATRIX_MOST if form.output == "matrix" else NEAREST_MOST
        if len(names) > most:
            near = [SetRemedy(title="改为最近邻输出", set={"output": "nearest"})] if form.output == "matrix" else []
            ending = "请改用最近邻输出，或先筛选个案" if near else "请先筛选或抽样"
            raise Refusal(
                "data.many", f"对象数 {{n}} 超过 {{m}}，距离矩阵过大，{ending}", field="output", n=len(names), m=most,
                remedies=near,
            )  # fmt: skip
        of = cls._measure(form)
        alike = form.measure in SIMILAR
        if form.output == "matrix":
            whole = of(slice(None))
            whole = (whole + whole.T) / 2
            np.fill_diagonal(whole, 1.0 if alike else 0.0)
            for i, one in enumerate(names):
                for j in range(i + 1):
                    report.row(cls.matrix, item=one, against=names[j], d=float(whole[i, j]))
            cls._figures(report, names, whole, alike)
            found = _extremes(whole, alike)
        else:
            found = cls._nearest(report, form, names, of, alike)
            report.skip(cls.cells, "输出最近邻时不画")
            report.skip(cls.map, "输出最近邻时不画")
        close, far, mean = found
        word = "相似系数" if alike else "距离"
        rows = (("最相近的一对", *close), ("最不同的一对", *far))
        for title, value, i, j in rows:
            report.row(cls.summary, item=title, value=value, first=names[i], second=names[j])
        report.row(cls.summary, item=f"平均{word}", value=mean)
        report.row(cls.summary, item="对象数", value=float(len(names)))
        facts = {
            "a": names[close[1]], "b": names[close[2]], "near": close[0], "c": names[far[1]], "d": names[far[2]],
            "far": far[0], "mean": mean, "n": len(names), "word": MEASURES[form.measure],
        }  # fmt: skip
        report.lead(
            f"{{n:integer}} 个对象中，“{{a}}”与“{{b}}”最相近（{word} {{near:num}}），"
            f"“{{c}}”与“{{d}}”最不同（{word} {{far:num}}）。",
            [figure("最相近", "{near:num}", "{a}、{b}"), figure("最不同", "{far:num}", "{c}、{d}"),
             figure(f"平均{word}", "{mean:num}", "{word}")],
            **facts,
        )  # fmt: skip
        report.say(
            "相似系数越大越相近，最大为 1。"
            if alike
            else "距离越小越相近，0 表示取值完全相同。单位不同的变量不标准化时，数值大的变量说了算。",
            voice="student",
        )
        return report

    @classmethod
    def _names(cls, form: Any) -> list[str]:
        if form.between == "variables":
            return list(titles(form.variables).values())
        rows = [f"第{int(number)}行" for number in form.variables[0].row_numbers]
        if form.label is None:
            return rows
        words = [str(word) if word else row for word, row in zip(form.label.text, rows, strict=True)]
        shared = Counter(words)
        return [f"{word}（{row}）" if shared[word] > 1 else word for word, row in zip(words, rows, strict=True)]

    @classmethod
    def _measure(cls, form: Any) -> Callable[[slice], Floats]:
        """The measure between some objects and all."""
        if form.measure in ALIKE:
            for column in form.variables:
                if form.measure == "gower" and form.between == "variables":
                    raise Refusal(
                        "choice.greyed",
                        "Gower 距离比较的是个案，请在“对象”里选个案间",
                        field="measure",
                        also=["between"],
                    )
                if not column.is_number and not column.is_categorical and not column.ordered:
                    raise _wrong(column, "“{v}”是文字，算不了距离，请移出或先编码")
            columns = [cls._value(column) for column in form.variables]
            if form.measure == "gower":
                return lambda rows: gower(columns, rows)
            x = np.column_stack([values for values, _ in columns])
            return Proximity(x if form.between == "cases" else x.T, "hamming").of
        for column in form.variables:
            if not column.is_number:
                raise _wrong(column, "“{v}”不是数值，不能用" + MEASURES[form.measure] + "；可改用 Gower混合或汉明")
        x = np.column_stack([column.numbers for column in form.variables]).astype(float)
        cls._judge(form, x)
        if form.measure in SCALED:
            x = cls._scaled(form, x)
        x = x if form.between == "cases" else x.T
        cls._judge_rows(form, x)
        try:
            return Proximity(x, form.measure, form.p or 2.0).of
        except SingularError:
            raise Refusal(
                "data.singular", "变量共线（或个案不多于变量），马氏距离无法计算，请移出重复的变量", field="variables",
                also=["measure"],
            ) from None  # fmt: skip

    @staticmethod
    def _value(column: Column) -> tuple[Floats, bool]:
        if column.is_categorical and not column.ordered:
            return column.codes.astype(float), True
        return (column.numbers if column.is_number else column.codes.astype(float)), False

    @classmethod
    def _judge(cls, form: Any, x: Floats) -> None:
        for column, values in zip(form.variables, x.T, strict=True):
            if form.measure in BINARY and not np.isin(values, (0, 1)).all():
                raise _wrong(column, "“{v}”不是0/1变量，不能用" + MEASURES[form.measure] + "，请换一种度量或先编码")
            if form.measure in ("chi2", "braycurtis") and (values < 0).any():
                raise _wrong(column, "“{v}”含负数，不能用" + MEASURES[form.measure] + "，请换一种度量")
            if np.abs(values).max() > 1e140 or 0 < np.ptp(values) < 1e-140:
                raise _wrong(column, "“{v}”的数值过大或过小，请先换一个单位")

    @classmethod
    def _scaled(cls, form: Any, x: Floats) -> Floats:
        if form.standardize == "none":
            return x
        if form.standardize == "range01":
            base, scale = x.min(axis=0), np.ptp(x, axis=0)
        elif form.standardize == "max1":
            base, scale = np.zeros(x.shape[1]), np.abs(x).max(axis=0)
        else:
            base, scale = x.mean(axis=0), x.std(axis=0, ddof=1) if len(x) > 1 else np.zeros(x.shape[1])
        for column, one, reach in zip(form.variables, scale, np.abs(x).max(axis=0), strict=True):
            if one <= 1e-14 * reach or one == 0:
                raise _wrong(column, "“{v}”没有变异，无法标准化，请移出它或选“不标准化”")
        return np.asarray((x - base) / scale)

    @classmethod
    def _judge_rows(cls, form: Any, x: Floats) -> None:
        if form.measure not in ("cosine", "pearson", "spearman", "chi2", "braycurtis"):
            return
        zero = np.flatnonzero(~x.any(axis=1)) if form.measure in ("cosine", "chi2", "braycurtis") else None
        bad = zero if zero is not None else np.flatnonzero(np.ptp(x, axis=1) <= 1e-14 * np.abs(x).max(axis=1))
        if bad.size == 0:
            return
        at = int(bad[0])
        what = "全为0" if zero is not None else "各值相同"
        name = {"cosine": "余弦相似度", "chi2": "卡方度量", "braycurtis": "Bray-Curtis 距离"}.get(
            form.measure, "相关系数"
        )
        if form.between == "variables":
            raise _wrong(form.variables[at], f"“{{v}}”{what}，{name}无定义，请移出它或换一种度量")
        row = int(form.variables[0].row_numbers[at])
        raise Refusal(
            "data.undefined", f"第 {{r}} 行{what}，{name}无定义，请筛掉它或换一种度量", field="measure", r=row, row=row
        )

    @classmethod
    def _nearest(
        cls, report: Report, form: Any, names: list[str], of: Callable[[slice], Floats], alike: bool
    ) -> tuple[Any, Any, float]:
        n, k = len(names), min(form.k, len(names) - 1)
        sign = -1.0 if alike else 1.0
        close, far, total = (np.inf, 0, 0), (-np.inf, 0, 0), 0.0
        for start in range(0, n, CHUNK):
            part = sign * of(slice(start, min(start + CHUNK, n)))
            for i, row in enumerate(part, start):
                total += float(row.sum() - row[i])
                others = row.copy()
                others[i] = np.inf
                order = np.argsort(others, kind="stable")[:k]
                for place, j in enumerate(order.tolist(), 1):
                    report.row(cls.nearest, thing=names[i], order=place, other=names[j], d=sign * float(others[j]))
                j = int(order[0])
                if others[j] < close[0]:
                    close = (float(others[j]), i, j)
                others[i] = -np.inf
                j = int(others.argmax())
                if others[j] > far[0]:
                    far = (float(others[j]), i, j)
        mean = sign * total / (n * (n - 1))
        return (sign * close[0], *close[1:]), (sign * far[0], *far[1:]), mean

    @classmethod
    def _figures(cls, report: Report, names: list[str], whole: Floats, alike: bool) -> None:
        apart = np.clip(1 - whole, 0, None) if alike else whole.copy()
        np.fill_diagonal(apart, 0.0)
        order = list(range(len(names)))
        if len(names) > 2:
            tree = hierarchy.linkage(squareform(apart, checks=False), "average")
            order = hierarchy.leaves_list(tree).tolist()
        for i in order:
            for j in order:
                report.row(cls.cells, row=names[i], column=names[j], value=float(whole[i, j]))
        if len(names) < 3:
            report.skip(cls.map, "不足三个对象")
            return
        places, share = plane(apart)
        shown = names if len(names) <= DRAWN else [""] * len(names)
        report.add_rows(cls.map, {"x": places[:, 0], "y": places[:, 1], "label": shown})
        report.note(cls.summary, "二维图表达了距离信息的 {share:percent1}。", share=share)


def _wrong(column: Column, words: str) -> Refusal:
    return Refusal("role.values", words, field="variables", also=["measure"], column=column.id, v=column.title)


def _extremes(whole: Floats, alike: bool) -> tuple[tuple[float, int, int], tuple[float, int, int], float]:
    """The closest pair, the most distant one, and the mean over all pairs."""
    i, j = np.triu_indices(len(whole), 1)
    values = whole[i, j]
    near, far = (values.argmax(), values.argmin()) if alike else (values.argmin(), values.argmax())
    return (
        (float(values[near]), int(i[near]), int(j[near])), (float(values[far]), int(i[far]), int(j[far])),
        float(values.mean()),
    )  # fmt: skip
