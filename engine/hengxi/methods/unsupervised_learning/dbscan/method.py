from __future__ import annotations

from typing import Any

import numpy as np

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
    integer,
    num,
    number,
    percent,
    text,
)
from hengxi.methods.unsupervised_learning._shared import clusters, space
from hengxi.methods.unsupervised_learning._shared.clusters import COMMON, NOISE, Clustering
from hengxi.stats.moments import Floats

MOST_ROWS, MOST_PAIRS, DRAWN = 50_000, 60_000_000, 500


class Dbscan(Clustering):
    """Dense regions grown from core points; a border point of two clusters goes to the first in the fixed order."""

    title, title_en = "DBSCAN密度聚类", "DBSCAN clustering"
    slug = "dbscan"
    tier = "standard"
    purpose = "按密度把样本聚成任意形状的簇，并识别噪声点"
    aliases = ("密度聚类", "DBSCAN", "任意形状聚类", "噪声点", "k距离图", "邻域半径")
    references = ("ester1996", "schubert2017", "rousseeuw1987", "kaufman1990", "calinski1974", "davies1979")
    conventions = (
        "核心点：半径 ε 内（含边界）至少有最小邻居数个样本，含自身。边界点离某个核心点不超过 ε；其余为噪声。",
        "边界点同时靠近两类时，归计算次序中先出现的一类。",
        "自动的 ε：把各样本到第（最小邻居数 − 1）个邻居的距离从小到大排列，取离两端连线最远的一点。",
        *COMMON,
    )

    class Input(Form):
        x: list[Column] = space.variables()
        label: Column | None = space.identity()
        eps: float | None = number("邻域半径 ε", None, least=0.000001, most=1_000_000, auto="按 k 距离的拐点")
        min_samples: int = integer("最小邻居数（含自身）", 5, least=2, most=500)
        metric: str = space.metric()
        standardize: bool = space.standardize()
        missing: str = space.gaps()
        append: bool = space.append()

    sizes = Table(
        "聚类汇总", name=text("类别"), n=integer("频数"), share=percent("百分比"), core=integer("核心点"),
        border=integer("边界点"), place="main",
    )  # fmt: skip
    settings = Table("参数", layout="record", eps=num("ε", least=0), min_samples=integer("最小邻居数"), place="detail")
    reach_points = Points("k距离", position=integer("样本"), value=num("k距离"))
    reach = Chart(
        "k 距离图", "line", of=reach_points, x="position", y="value", place="main",
        titles={"x": "样本（按 k 距离排列）", "y": "到第 k 个邻居的距离"},
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        from sklearn.cluster import DBSCAN
        from sklearn.neighbors import NearestNeighbors

        report = Report()
        held = space.space_of(report, form, MOST_ROWS)
        k = form.min_samples
        if k > held.n:
            raise Refusal(
                "data.neighbours", "最小邻居数 {k} 大于样本量 {n}，不会有任何类", field="min_samples", k=k, n=held.n
            )
        # The search tree knows no angles: of directions, half the squared chord is the cosine distance.
        chord = form.metric == "cosine"
        u = held.u / np.linalg.norm(held.u, axis=1)[:, None] if chord else held.u
        near = NearestNeighbors(n_neighbors=k, metric="euclidean" if chord else form.metric).fit(u)
        far = near.kneighbors(u)[0][:, -1]
        curve = np.sort(far**2 / 2 if chord else far * held.unit)
        elbow = _elbow(curve)
        eps = form.eps if form.eps is not None else elbow
        if eps <= 0:
            raise Refusal("data.eps", "重复的样本太多，k 距离的拐点是 0，请手动填写邻域半径 ε 或先去重", field="eps")
        radius = np.sqrt(2 * eps) if chord else eps / held.unit
        # Rounding must not decide whether a neighbour at exactly ε counts.
        radius *= 1 + 1e-12
        pairs = int(held.n * float(np.mean(_counts(u, radius, form.metric))))
        if pairs * held.n > MOST_PAIRS:
            raise Refusal(
                "data.pairs", "ε = {eps} 时每个样本平均有 {k} 个邻居，内存不够。请减小 ε，或先随机抽样", field="eps",
                eps=f"{eps:.4g}", k=pairs,
            )  # fmt: skip
        found = DBSCAN(eps=float(radius), min_samples=k, metric="euclidean" if chord else form.metric).fit(u)
        made = clusters.clusters_of(held, found.labels_, form.metric)
        if made.k == 0:
            raise Refusal(
                "data.noise", "当前ε与最小邻居数下没有任何簇，请增大ε或减小最小邻居数", field="eps",
                also=["min_samples"], remedies=[SetRemedy(title="ε 按 k 距离的拐点", set={"eps": None})],
            )  # fmt: skip
        core = np.zeros(held.n, dtype=bool)
        core[found.core_sample_indices_] = True
        cls._tables(report, made, core, eps, k)
        cls._curve(report, curve, eps, k)
        clusters.write(report, cls, form, made)
        cls._words(report, form, made, eps, elbow)
        return report

    @classmethod
    def _tables(cls, report: Report, made: clusters.Clusters, core: Any, eps: float, k: int) -> None:
        for i, name in [*enumerate(made.names), (-1, NOISE)]:
            mine = made.labels == i
            n, cores = int(mine.sum()), int((mine & core).sum())
            border = None if i < 0 else n - cores
            report.row(cls.sizes, name=name, n=n, share=n / made.space.n, core=None if i < 0 else cores, border=border)
        report.note(cls.sizes, "核心点的邻域里样本够多；边界点在核心点的邻域里，自己的邻域不够密；噪声两者都不是。")
        report.row(cls.settings, eps=eps, min_samples=k)

    @classmethod
    def _curve(cls, report: Report, curve: Floats, eps: float, k: int) -> None:
        shown = np.unique(np.linspace(0, curve.size - 1, DRAWN).astype(int)) if curve.size > DRAWN else slice(None)
        report.add_rows(cls.reach_points, {"position": (np.arange(curve.size) + 1)[shown], "value": curve[shown]})
        report.chart(cls.reach, over=[Reference(y=eps, label="ε")])
        report.note(cls.reach, "每个样本到第 {k:integer} 个邻居的距离，从小到大。曲线开始陡升的高度适合作 ε。", k=k - 1)

    @classmethod
    def _words(cls, report: Report, form: Any, made: clusters.Clusters, eps: float, elbow: float) -> None:
        chosen = "按 k 距离的拐点自动取" if form.eps is None else "指定为"
        how = f"DBSCAN（{space.METRICS[form.metric]}距离，ε {chosen} {{eps:num}}，最小邻居数 {{m:integer}}）"
        clusters.tell(
            report, cls, made, how,
            "DBSCAN 从样本密集的地方长出类：半径 ε 里有足够多的邻居就连成一片，所以类可以是任意形状。"
            f"ε {chosen} {{eps:num}}。ε 变小，类变碎、噪声变多；ε 变大，类会连在一起。",
            eps=eps, m=form.min_samples,
        )  # fmt: skip
        clusters.check_noise(
            report, made, "请调整 ε：k 距离图的拐点约在 {elbow:num}。",
            [SetRemedy(title="ε 按 k 距离的拐点", set={"eps": None})] if form.eps is not None else [], elbow=elbow,
        )  # fmt: skip


def _counts(u: Floats, radius: float, metric: str) -> Floats:
    """Of up to 200 rows: the share of all rows within the radius."""
    from scipy.spatial.distance import cdist

    some = u[np.linspace(0, len(u) - 1, min(len(u), 200)).astype(int)]
    kind = "euclidean" if metric == "cosine" else space.SCIPY[metric]
    return np.asarray((cdist(some, u, kind) <= radius).mean(axis=1))


def _elbow(curve: Floats) -> float:
    """The value farthest below the line between the ends of a rising curve."""
    n = curve.size
    span = float(curve[-1] - curve[0])
    if span <= 0:
        return float(curve[-1])
    below = np.arange(n) / (n - 1) - (curve - curve[0]) / span
    return float(curve[int(np.argmax(np.round(below, 12)))])
