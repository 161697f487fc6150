from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.linalg import eigh

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Points,
    Reference,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    integer,
    num,
    number,
    percent,
    text,
)
from hengxi.methods.unsupervised_learning._shared import clusters, space
from hengxi.methods.unsupervised_learning._shared.clusters import COMMON, Clustering
from hengxi.stats.moments import Floats
from hengxi.stats.partition import partition

MOST_ROWS, SHOWN, MOST_K, HEAT, STARTS, DRAWN = 5_000, 20, 10, 500, 25, 60
AFFINITIES = {"nearest_neighbors": "近邻图", "rbf": "RBF", "precomputed": "预计算矩阵"}
KNN, RBF = {"affinity": "nearest_neighbors"}, {"affinity": "rbf"}


class SpectralClustering(Clustering):
    """K-means on the first eigenvectors of a graph of what is alike."""

    title, title_en = "谱聚类", "Spectral clustering"
    slug = "spectral-clustering"
    tier = "member"
    purpose = "用相似度图的特征向量聚类，适合非凸形状的簇"
    aliases = ("谱聚类", "图聚类", "拉普拉斯特征值", "特征间隙", "相似度矩阵聚类")
    references = ("vonluxburg2007", "ng2001", "rousseeuw1987", "kaufman1990", "calinski1974", "davies1979")
    conventions = (
        "近邻图：每个样本连到最近的（近邻数 − 1）个样本，只有一方是另一方的近邻时权重为 0.5，互为近邻时为 1；"
        "RBF 的相似度为 exp(−γd²)。",
        "对称规范化的拉普拉斯矩阵 I − D^(−1/2) A D^(−1/2)；取最小的 K 个特征值的特征向量，除以度的平方根。",
        "在这些向量上作 K-Means，换 25 次起点，取组内平方和最小的一次。",
        "自动的类数：在 2 到 10 之间取相邻特征值间隙最大的 K。",
        "预计算矩阵：各列是一个样本与其他样本的相似度，行的次序与列相同；只给类别，不算均值。",
        *COMMON,
    )
    random = True
    noisy = False
    row_order = True  # of a matrix of similarities, rows stand for the columns in their order

    class Input(Form):
        x: list[Column] = space.variables("聚类变量（或相似度矩阵各列）")
        label: Column | None = space.identity()
        n_clusters: int | None = integer("聚类数", None, least=2, most=50, auto="特征间隙最大")
        affinity: str = choice("相似度", AFFINITIES)
        n_neighbors: int = integer("近邻数", 10, least=2, most=200, when=KNN)
        gamma: float = number("RBF 系数 γ", 1, least=0.0001, most=1000, when=RBF)
        standardize: bool = space.standardize()
        missing: str = space.gaps()
        append: bool = space.append()

    sizes = Table("聚类汇总", name=text("类别"), n=integer("频数"), share=percent("百分比"), place="main")
    eigenvalues = Table("特征值", order=integer("次序"), value=num("特征值", least=-1e-6), gap=num("与下一个的间隙"))
    gaps_chart = Chart("特征值图", "line", of=eigenvalues, x="order", y="value", place="main")
    pairs = Points("相似度", row=text("样本"), column=text("样本（列）"), value=num("相似度"))
    alike = Chart("相似度矩阵热力图（按类排序）", "heat", of=pairs, row="row", column="column", value="value",
                  place="detail")  # fmt: skip

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return float(0.2 + min(rows, MOST_ROWS) ** 3 * 3e-10)

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        given = form.affinity == "precomputed"
        held = space.space_of(report, form, MOST_ROWS, False if given else None, least=3 if given else space.LEAST)
        a = _given(form, held) if given else _affinity(form, held.u)
        n = held.n
        if form.n_clusters is not None and form.n_clusters >= n:
            raise Refusal("data.clusters", "聚类数必须小于样本量{n}", field="n_clusters", n=n)
        values, vectors = _spectrum(a)
        gaps = np.diff(values)
        top = min(MOST_K, gaps.size - 1)
        k = form.n_clusters or 2 + int(np.argmax(np.round(gaps[1:top], 10))) if top > 1 else form.n_clusters or 2
        parts = int((values < 1e-9).sum())
        found = partition(np.ascontiguousarray(vectors[:, :k]), k, STARTS, form.seed)
        made = clusters.clusters_of(held, found.labels)
        if given:
            made = replace(made, widths=np.empty(0), numeric=False)
        for i, name in enumerate(made.names):
            size = int((made.labels == i).sum())
            report.row(cls.sizes, name=name, n=size, share=size / n)
        for j in range(min(SHOWN, values.size)):
            gap = float(gaps[j]) if j < min(SHOWN, gaps.size) else None
            report.row(cls.eigenvalues, order=j + 1, value=max(0.0, float(values[j])), gap=gap)
        report.chart(cls.gaps_chart, over=[Reference(x=float(k), label="聚类数")])
        report.note(
            cls.eigenvalues, "第 K 个与第 K + 1 个特征值之间的间隙大，说明分成 K 类合适；0 的个数是不相连的部分数。"
        )
        cls._heat(report, made, a)
        if given:
            _members_only(report, cls, form, made)
        else:
            clusters.write(report, cls, form, made)
        cls._words(report, form, made, k, parts)
        return report

    @classmethod
    def _heat(cls, report: Report, made: clusters.Clusters, a: Floats) -> None:
        n = made.space.n
        if n > HEAT:
            report.skip(cls.pairs, "超过 500 个样本，不画相似度矩阵")
            return
        order = np.lexsort((np.arange(n), made.labels))
        shown = order[np.unique(np.linspace(0, n - 1, min(n, DRAWN)).astype(int))]
        names = [str(at) for at in made.space.numbers[shown]]
        for i, one in enumerate(shown):
            report.add_rows(cls.pairs, {"row": [names[i]] * len(shown), "column": names, "value": a[one, shown]})
        report.chart(cls.alike, titles={"row": "行号", "column": "行号"})
        report.note(cls.alike, "样本按类排列，最多画 60 个；对角线上的方块是类。")

    @classmethod
    def _words(cls, report: Report, form: Any, made: clusters.Clusters, k: int, parts: int) -> None:
        chosen = "由特征间隙选定" if form.n_clusters is None else "指定"
        clusters.tell(
            report, cls, made, f"谱聚类（{AFFINITIES[form.affinity]}，类数{chosen}）",
            "谱聚类先把相似的样本连成图，再把图切成连接最少的几块，所以类可以是弯曲的。"
            f"类数{chosen}为 {{kk:integer}}。",
            kk=k,
        )  # fmt: skip
        if parts > k:
            more = min(200, 2 * (form.n_neighbors or 10))
            report.check(
                "图的连通", "fail",
                "图分成 {parts:integer} 个不相连的部分，多于类数，分法不唯一。请增大近邻数或类数。", parts=parts,
                remedies=[SetRemedy(title=f"近邻数改为 {more}", set={"n_neighbors": more})]
                if form.affinity == "nearest_neighbors" else [],
            )  # fmt: skip
        elif parts > 1:
            report.check("图的连通", "care", "图分成 {parts:integer} 个不相连的部分，类不会跨过它们。", parts=parts)
        else:
            report.check("图的连通", "pass", "图是连通的。")


def _given(form: Any, held: space.Space) -> Floats:
    """A matrix of similarities as it stands in the file: square, symmetric, none negative."""
    n = held.read
    if held.n != n or len(form.x) != n:
        raise Refusal(
            "data.square", "预计算矩阵要有同样多的行和列，没有缺失；现有 {r} 行 {c} 列", field="x", also=["affinity"],
            r=n, c=len(form.x),
            remedies=[SetRemedy(title="改用近邻图", set={"affinity": "nearest_neighbors"})],
        )  # fmt: skip
    whole = np.column_stack([column.numbers for column in form.x]).astype(float)
    if whole.min() < 0 or not np.allclose(whole, whole.T, rtol=1e-8, atol=1e-10):
        raise Refusal("data.symmetry", "相似度矩阵必须对称且非负", field="x", also=["affinity"])
    return np.asarray(whole[np.ix_(held.place, held.place)])


def _affinity(form: Any, u: Floats) -> Floats:
    from scipy.spatial.distance import cdist
    from sklearn.neighbors import NearestNeighbors

    n = len(u)
    if form.affinity == "rbf":
        return np.asarray(np.exp(-form.gamma * cdist(u, u, "sqeuclidean")))
    if form.n_neighbors >= n:
        raise Refusal("data.neighbours", "近邻数必须小于样本量{n}", field="n_neighbors", n=n)
    near = NearestNeighbors(n_neighbors=form.n_neighbors - 1).fit(u).kneighbors(return_distance=False)
    graph = np.zeros((n, n))
    graph[np.repeat(np.arange(n), near.shape[1]), near.ravel()] = 1.0
    return (graph + graph.T) / 2


def _spectrum(a: Floats) -> tuple[Floats, Floats]:
    """The smallest eigenvalues of the normalised Laplacian, and their vectors over the roots of the degrees."""
    n = len(a)
    a = a.copy()
    np.fill_diagonal(a, 0.0)
    degree = a.sum(axis=1)
    root = np.sqrt(np.where(degree > 0, degree, 1.0))
    laplacian = -a / root[:, None] / root
    np.fill_diagonal(laplacian, np.where(degree > 0, 1.0, 0.0))
    last = min(n - 1, 51)
    values, vectors = eigh(laplacian, subset_by_index=[0, last])
    return values, vectors / root[:, None]


def _members_only(report: Report, cls: Any, form: Any, made: clusters.Clusters) -> None:
    """Of similarities alone there are no means, no map and no distances."""
    held, names = made.space, made.of_rows()
    for element in (cls.profile, cls.validity, cls.heat_points, cls.plane_points):
        report.skip(element, "预计算矩阵只有相似度，没有变量的数值")
    file = held.by_file
    report.add_rows(
        cls.members,
        {"row": held.numbers[file], "label": held.called(file), "cluster": [names[i] for i in file],
         "distance": [None] * held.n},
    )  # fmt: skip
    if form.append:
        report.columns(cls.saved, {"聚类类别": held.spread(np.array(names, dtype=object), object, None)})
