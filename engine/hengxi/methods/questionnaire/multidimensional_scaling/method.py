"""Multidimensional scaling: objects as points whose distances follow the dissimilarities given."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    Points,
    Reference,
    Refusal,
    Report,
    SetRemedy,
    Table,
    Wide,
    choice,
    figure,
    integer,
    num,
    percent,
    role,
    text,
)
from hengxi.stats import scaling
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles, unique
from hengxi.stats.scaling import Scaling

MOST, DRAWN, GRADES = 150, 1000, ((0.025, "极好"), (0.05, "好"), (0.1, "一般"), (0.2, "较差"))
INPUTS = {"distance_matrix": "距离矩阵", "similarity_matrix": "相似矩阵", "raw_objects": "原始数据（行是对象）",
          "raw_variables": "原始数据（列是对象）"}  # fmt: skip
RAW = {"input": ("raw_objects", "raw_variables")}


class MultidimensionalScaling(Method):
    title, title_en = "多维尺度分析MDS", "Multidimensional scaling"
    family, tier = "问卷研究", "standard"
    slug = "multidimensional-scaling"
    purpose = "怎样把对象间的(不)相似程度画成一张低维感知图"
    aliases = ("MDS", "多维尺度", "感知图", "主坐标分析", "PCoA", "Shepard 图")
    references = ("torgerson1952", "kruskal1964", "deleeuw1977", "borg2005")
    conventions = (
        "Stress-1 = √(Σ(d̂ − d)²/Σd²)，d 为图上的距离，d̂ 为拟合值；非度量时 d̂ 为保序回归（相同的距离允许拟合值不同）。",
        "SMACOF 从经典解和随机起点出发，取应力最小的解；坐标转到主轴，每一维上绝对值最大的对象取正。",
        "度量 SMACOF 的 Stress-1 在最优的尺度上计算。RSQ 为 d̂ 与 d 的相关系数的平方。",
        "每点应力：这个对象的残差平方和占全部的比例。",
        "相似矩阵换成距离 √(s_ii + s_jj − 2s_ij)；原始数据的欧氏和绝对值距离先把变量标准化（n − 1）。",
    )
    missing = "keep"
    random = True
    row_order = True

    class Input(Form):
        variables: list[Column] = role("变量（或距离矩阵各列）", "定量", min=3, max=MOST)
        label: Column | None = role("对象名称（选填）", "任意", min=0, use="label")
        input: str = choice("数据形式", INPUTS)
        method: str = choice(
            "模型", {"nonmetric": "非度量", "metric_smacof": "度量（SMACOF）", "classical": "经典"}
        )  # fmt: skip
        distance: str = choice(
            "距离", {"euclidean": "欧氏", "cityblock": "绝对值", "correlation": "1 − 相关", "gower": "Gower"}, when=RAW
        )  # fmt: skip
        dims: int = integer("维数", 2, least=1, most=6)
        n_init: int = integer("起点数", 20, least=1, most=200, when={"method": ("nonmetric", "metric_smacof")})

    points = Table(
        "坐标表", name=text("对象"), stress=percent("点应力"), layout=Wide(score=num("坐标")), place="main",
    )  # fmt: skip
    spots = Points("感知图", name=text("对象"), x=num("维1"), y=num("维2"))
    plot = Chart(
        "感知图", "point", of=spots, x="x", y="y", label="name", over=[Reference(x=0), Reference(y=0)], place="main"
    )  # fmt: skip
    fit = Table(
        "拟合", layout="record", n=integer("对象"), stress=num("Stress-1", least=0, decimals=4),
        rsq=num("RSQ", least=0, most=1, decimals=4), grade=text("等级"), gof=num("GOF", most=1, decimals=4),
        gof2=num("GOF（正特征值）", most=1, decimals=4), place="main",
    )  # fmt: skip
    eigenvalues = Table(
        "特征值", dimension=text("维"), value=num("特征值"), share=percent("占绝对值之和", least=-1),
        when={"method": "classical"},
    )  # fmt: skip
    by_dims = Table("各维数的应力", dims=integer("维数"), stress=num("Stress-1", least=0, decimals=4))
    scree = Chart("维数-应力碎石图", "line", of=by_dims, x="dims", y="stress")
    pairs = Points("Shepard", given=num("给定的距离"), distance=num("图上的距离"))
    steps = Points("拟合线", given=num("给定的距离"), fitted=num("拟合值"))
    shepard = Chart("Shepard 图", "point", of=pairs, x="given", y="distance")
    fitted_line = Chart("Shepard 图的拟合线", "line", of=steps, x="given", y="fitted")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names, d = cls._read(report, form)
        n = len(names)
        dims = min(form.dims, n - 1)
        if dims < form.dims:
            report.warn("data.dims", "{n:integer} 个对象最多 {k:integer} 维，已自动调整。", n=n, k=dims)
        found = {k: cls._solve(form, d, k) for k in range(1, min(max(dims, 4), n - 2, 6) + 1)}
        one = found.get(dims) or cls._solve(form, d, dims)
        for k, other in found.items():
            report.row(cls.by_dims, dims=k, stress=other.stress)
        cls._tables(report, form, names, d, one)
        cls._words(report, form, names, one, dims)
        return report

    @staticmethod
    def _solve(form: Any, d: Floats, dims: int) -> Scaling:
        if form.method != "classical":
            return scaling.best_of(d, dims, form.method == "nonmetric", form.n_init, form.rng)
        points, _ = scaling.classical(d, dims)
        found = scaling.distances(points)
        given = d[np.triu_indices(len(d), 1)]
        if not found.any():
            raise Refusal("data.negative", "经典解没有正的特征值，请改用非度量模型", field="method")
        return Scaling(points, given, found, scaling.stress_of(given, found))

    # ---- reading ---------------------------------------------------------------------------------------------------
    @classmethod
    def _read(cls, report: Report, form: Any) -> tuple[list[str], Floats]:
        raw = np.column_stack([column.numbers for column in form.variables]).astype(float)
        names = list(titles(form.variables).values())
        if form.input == "raw_objects":
            kept = ~np.isnan(raw).any(axis=1)
            rows = np.flatnonzero(kept)
            cells = [None if form.label is None else form.label.cell(int(i)) for i in rows]
            numbers = form.variables[0].row_numbers[rows]
            names = [f"第{at}行" if cell is None else str(cell) for cell, at in zip(cells, numbers, strict=True)]
            raw = raw[kept]
            report.used(len(raw))
            d = cls._distances(form, raw)
        elif form.input == "raw_variables":
            kept = ~np.isnan(raw).any(axis=1)
            report.used(int(kept.sum()))
            if kept.sum() < 2:
                raise Refusal("data.few", "没有缺失的行不足 2 行", field="variables")
            d = cls._distances(form, raw[kept].T)
        else:
            report.used(len(raw))
            d = cls._matrix(form, raw, names)
        if len(d) < 3 or len(d) > MOST:
            raise Refusal(
                "data.objects", "对象要有 3 到 {most} 个，现有 {n} 个", field="variables", also=["input"], most=MOST,
                n=len(d),
            )  # fmt: skip
        if not np.isfinite(d).all() or not 1e-100 < d.max() < 1e100:
            raise Refusal("data.same", "各对象之间没有距离，或距离过大、过小，无法作图", field="variables")
        return unique(names), d

    @staticmethod
    def _distances(form: Any, x: Floats) -> Floats:
        if len(x) > MOST:
            return np.zeros((len(x), 1))
        with np.errstate(all="ignore"):
            if form.distance == "correlation":
                return np.asarray(1 - np.corrcoef(x)) if x.shape[1] > 1 else np.full((len(x), len(x)), np.nan)
            spread = np.ptp(x, axis=0) if form.distance == "gower" else x.std(axis=0, ddof=1)
            if not (spread > 0).any():
                return np.zeros((len(x), len(x)))
            gap = np.abs(x[:, None, :] - x[None, :, :])[:, :, spread > 0] / spread[spread > 0]
            if form.distance == "euclidean":
                return np.asarray(np.sqrt((gap**2).sum(axis=2)))
            return np.asarray(gap.mean(axis=2) if form.distance == "gower" else gap.sum(axis=2))

    @staticmethod
    def _matrix(form: Any, raw: Floats, names: list[str]) -> Floats:
        if raw.shape[0] != raw.shape[1]:
            raise Refusal(
                "data.square", "矩阵有 {r} 行 {c} 列，行数要与列数相同；原始数据请改数据形式", field="variables",
                also=["input"],
                r=raw.shape[0], c=raw.shape[1],
                remedies=[SetRemedy(title="行是对象的原始数据", set={"input": "raw_objects"})],
            )  # fmt: skip
        s = np.where(np.isnan(raw), raw.T, raw)
        for i, j in zip(*np.nonzero(np.isnan(s)), strict=True):
            text_of = "矩阵第 {i} 行第 {j} 列是空的，请补上"
            raise Refusal("data.gap", text_of, field="variables", i=int(i) + 1, j=int(j) + 1)
        unlike = np.abs(s - s.T) > 1e-8 * np.abs(s).max()
        diagonal = (np.diag(s) != 0) if form.input == "distance_matrix" else np.zeros(len(s), dtype=bool)
        if unlike.any() or diagonal.any():
            place = np.argwhere(unlike)[0] if unlike.any() else np.flatnonzero(diagonal)[[0, 0]]
            raise Refusal(
                "data.symmetry", "距离矩阵必须对称且对角线为0，第 {i} 行第 {j} 列不一致", field="variables",
                also=["input"],
                i=int(place[0]) + 1, j=int(place[1]) + 1,
            )  # fmt: skip
        if form.input == "similarity_matrix":
            size = np.diag(s)
            square = size[:, None] + size[None, :] - 2 * s
            if square.min() < -1e-8 * np.abs(s).max():
                text_of = "有两个对象的相似程度大于自身，请核对相似矩阵的对角线"
                raise Refusal("data.similarity", text_of, field="variables", also=["input"])
            return np.asarray(np.sqrt(np.maximum(square, 0)))
        if s.min() < 0:
            raise Refusal("data.negative", "距离不能为负", field="variables", also=["input"])
        return np.asarray(s)

    # ---- tables ----------------------------------------------------------------------------------------------------
    @classmethod
    def _tables(cls, report: Report, form: Any, names: list[str], d: Floats, one: Scaling) -> None:
        n, dims = one.points.shape
        i, j = np.triu_indices(n, 1)
        squares = (one.fitted - one.distances) ** 2
        own = (np.bincount(i, squares, n) + np.bincount(j, squares, n)) / max(2 * float(squares.sum()), 1e-300)
        for k, name in enumerate(names):
            wide = {f"维{m + 1}": {"score": one.points[k, m]} for m in range(dims)}
            report.row(cls.points, name=name, stress=min(1.0, float(own[k])), wide=wide)
            y = float(one.points[k, 1]) if dims > 1 else 0.0
            report.row(cls.spots, name=name, x=float(one.points[k, 0]), y=y)
        varies = np.ptp(one.fitted) > 0 and np.ptp(one.distances) > 0
        gof, gof2 = None, None
        if form.method == "classical":
            _, values = scaling.classical(d, dims)
            top = float(np.maximum(values[:dims], 0).sum())
            gof, gof2 = top / float(np.abs(values).sum()), top / float(np.maximum(values, 0).sum())
            for m, value in enumerate(values[: min(n, 20)]):
                share = float(value) / float(np.abs(values).sum())
                report.row(cls.eigenvalues, dimension=f"维{m + 1}", value=float(value), share=share)
        report.row(
            cls.fit, n=n, stress=one.stress, rsq=_rsq(one) if varies else None, grade=_grade(one.stress), gof=gof,
            gof2=gof2,
        )  # fmt: skip
        report.note(
            cls.fit, "等级：Stress-1 不超过 0.025 极好，0.05 好，0.1 一般，0.2 较差，更大为差（Kruskal，1964）。"
        )
        given = d[i, j]
        order = np.lexsort((one.distances, given))
        kept = order if order.size <= DRAWN else order[np.linspace(0, order.size - 1, DRAWN).astype(int)]
        report.add_rows(cls.pairs, {"given": given[kept], "distance": one.distances[kept]})
        report.add_rows(cls.steps, {"given": given[kept], "fitted": one.fitted[kept]})

    @classmethod
    def _words(cls, report: Report, form: Any, names: list[str], one: Scaling, dims: int) -> None:
        i, j = np.triu_indices(len(names), 1)
        near, far = int(np.argmin(np.round(one.distances, 10))), int(np.argmax(np.round(one.distances, 10)))
        facts: dict[str, Any] = {
            "s": one.stress, "g": _grade(one.stress), "k": dims, "n": len(names), "a": names[i[near]],
            "b": names[j[near]], "c": names[i[far]], "e": names[j[far]],
        }  # fmt: skip
        main = "{k:integer} 维图的 Stress-1 = {s:num4}（{g:text}）。图上最近的是“{a}”与“{b}”，最远的是“{c}”与“{e}”。"
        report.lead(main, [figure("Stress-1", "{s:num4}", "{g:text}"), figure("对象", "{n:integer} 个")], **facts)
        report.say(
            "图上离得近的对象相似，离得远的不同；轴的方向没有意义，可以转动。应力说明图上的距离与给定的距离差多少，"
            "应力大时先加一维再看。", voice="student",
        )  # fmt: skip
        how = {"nonmetric": "非度量", "metric_smacof": "度量", "classical": "经典"}[form.method]
        report.say(f"{how}多维尺度分析，{{n:integer}} 个对象。" + main, voice="paper", **facts)
        report.say(main, voice="brief", **facts)
        few = len(names) < 4 * dims
        report.check(
            "对象数", "care" if few else "pass",
            "{n:integer} 个对象，少于维数的 4 倍，解不稳定，应力也偏低。" if few
            else "{n:integer} 个对象，不少于维数的 4 倍。",
            n=len(names),
        )  # fmt: skip


def _rsq(one: Scaling) -> float:
    return min(1.0, float(np.corrcoef(one.fitted, one.distances)[0, 1]) ** 2)


def _grade(stress: float) -> str:
    return next((word for limit, word in GRADES if stress <= limit), "差")
