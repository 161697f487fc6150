from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Refusal,
    Report,
    Table,
    Wide,
    flag,
    integer,
    num,
    number,
    percent,
    text,
)
from hengxi.methods.unsupervised_learning._shared import clusters, space
from hengxi.methods.unsupervised_learning._shared.clusters import COMMON, NOISE, Clustering
from hengxi.stats.moments import Floats
from hengxi.stats.thin import thin

MOST_ROWS, SLOW, BINNED, CURVE, LISTED = 20_000, 10_000, 2_000, 500, 20
STEPS, STILL, CELLS = 301, 1e-3, 8_000_000
MULTIPLES = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0)


class MeanShift(Clustering):
    """Every row climbs to the nearest peak of the density; the peaks are the clusters."""

    title, title_en = "均值漂移聚类", "Mean shift clustering"
    slug = "mean-shift"
    tier = "member"
    purpose = "沿密度上升方向移动样本，自动确定簇的个数与中心"
    aliases = ("均值漂移", "Mean shift", "带宽", "密度峰", "自动聚类数")
    references = ("comaniciu2002", "rousseeuw1987", "kaufman1990", "calinski1974", "davies1979")
    conventions = (
        "平核：每一步移到带宽内各样本的均值，移动不超过带宽的千分之一时停止。",
        "到达的峰按带宽内的样本数从多到少取，与已取的峰相距不超过带宽的并入它；样本归最近的峰。",
        "自动带宽：每个样本到第（分位数 × 样本量）个邻居（含自身）的距离的平均。",
        "不超过 2000 行而且种子最小频数为 1 时从每个样本出发；否则从边长为带宽的网格出发，格中样本不少于种子最小频数。",
        "带宽与类数的曲线超过 500 行时等距抽 500 行计算。",
        *COMMON,
    )

    class Input(Form):
        x: list[Column] = space.variables()
        label: Column | None = space.identity()
        bandwidth: float | None = number("带宽", None, least=0.000001, most=1_000_000, auto="自动估计")
        quantile: float = number("自动带宽的分位数", 0.3, least=0.01, most=0.9)
        cluster_all: bool = flag("孤立点也归簇", True)
        min_bin_freq: int = integer("种子最小频数", 1, least=1, most=100)
        standardize: bool = space.standardize()
        missing: str = space.gaps()
        append: bool = space.append()

    sizes = Table(
        "聚类汇总", name=text("类别"), n=integer("频数"), share=percent("百分比"), layout=Wide(centre=num("中心")),
        place="main",
    )  # fmt: skip
    settings = Table(
        "带宽与聚类数", layout="record", bandwidth=num("带宽", least=0), source=text("来源"), k=integer("类数"),
        place="main",
    )  # fmt: skip
    curve = Table(
        "不同带宽的聚类数", bandwidth=num("带宽", least=0), multiple=num("所用带宽的倍数", decimals=2),
        k=integer("类数"),
    )  # fmt: skip
    bend = Chart("带宽-聚类数曲线", "line", of=curve, x="bandwidth", y="k", place="main")

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.1 + rows * min(rows, MOST_ROWS) * 1.6e-7

    @classmethod
    def run(cls, form: Input) -> Report:
        from sklearn.cluster import estimate_bandwidth

        report = Report()
        held = space.space_of(report, form, MOST_ROWS)
        if held.n > SLOW:
            report.warn("data.slow", "{n:integer} 行计算较慢，建议先随机抽样。", n=held.n)
        if form.bandwidth is None:
            width = float(estimate_bandwidth(held.u, quantile=form.quantile))
            if width <= 0:
                raise Refusal(
                    "data.bandwidth",
                    "自动带宽为0（重复的行太多），请手动指定带宽",
                    field="bandwidth",
                    also=["quantile"],
                )
        else:
            width = form.bandwidth / held.unit
        made, peaks = cls._shift(form, held, held.u, width)
        cls._tables(report, form, made, peaks, width)
        few = held.u[thin(held.n, most=CURVE)]
        for multiple in MULTIPLES:
            _, found = cls._climb(form, few, width * multiple)
            report.row(cls.curve, bandwidth=width * multiple * held.unit, multiple=multiple, k=len(found))
        report.note(cls.curve, "类数在一段带宽里不变，说明这个类数比较可靠。")
        clusters.write(report, cls, form, made)
        cls._words(report, form, made, width * held.unit)
        return report

    @classmethod
    def _shift(cls, form: Any, held: space.Space, u: Floats, width: float) -> tuple[clusters.Clusters, Floats]:
        """Clusters, and the peak of each in their order."""
        labels, peaks = cls._climb(form, u, width)
        if not len(peaks) or not (labels >= 0).any():
            raise Refusal(
                "data.peaks", "没有足够密的地方可以出发，请减小种子最小频数或增大带宽", field="min_bin_freq",
                also=["bandwidth"],
            )  # fmt: skip
        made = clusters.clusters_of(held, labels)
        first = [int(labels[np.flatnonzero(made.labels == i)[0]]) for i in range(made.k)]
        return made, peaks[first]

    @classmethod
    def _climb(cls, form: Any, u: Floats, width: float) -> tuple[Any, Floats]:
        seeds = u if form.min_bin_freq == 1 and len(u) <= BINNED else _grid(u, width, form.min_bin_freq)
        ends, held = np.array(seeds), np.zeros(len(seeds), dtype=np.int64)
        for rows in spans(len(seeds), len(u)):
            ends[rows], held[rows] = _ascend(u, ends[rows], width)
        ends, held = ends[held > 0], held[held > 0]
        order = np.lexsort((*ends.T[::-1], held))[::-1]
        ends = ends[order]
        kept = np.ones(len(ends), dtype=bool)
        for i in range(len(ends)):
            if kept[i]:
                kept[i + 1 :] &= np.sqrt(((ends[i + 1 :] - ends[i]) ** 2).sum(axis=1)) > width
        peaks = ends[kept]
        if not len(peaks):
            return np.full(len(u), -1), peaks
        labels = np.empty(len(u), dtype=np.int64)
        for rows in spans(len(u), len(peaks)):
            away = cdist(u[rows], peaks)
            labels[rows] = away.argmin(axis=1)
            if not form.cluster_all:
                labels[rows][away.min(axis=1) > width] = -1
        return labels, peaks

    @classmethod
    def _tables(cls, report: Report, form: Any, made: clusters.Clusters, peaks: Floats, width: float) -> None:
        held = made.space
        raw = peaks * held.scale + held.x.mean(axis=0) if held.standardized else peaks * held.unit
        names = held.names[:LISTED]
        for i, name in enumerate(made.names):
            n = int(made.found.sizes[i]) if made.found is not None else 0
            wide = {names[j]: {"centre": float(raw[i, j])} for j in range(len(names))}
            report.row(cls.sizes, name=name, n=n, share=n / held.n, wide=wide)
        if made.noise:
            report.row(cls.sizes, name=NOISE, n=made.noise, share=made.noise / held.n)
        report.note(cls.sizes, "中心是密度的峰，不是均值。")
        if len(held.names) > LISTED:
            report.note(cls.sizes, "只列前 20 个变量的中心。")
        source = "自动估计" if form.bandwidth is None else "指定"
        report.row(cls.settings, bandwidth=width * held.unit, source=source, k=made.k)

    @classmethod
    def _words(cls, report: Report, form: Any, made: clusters.Clusters, width: float) -> None:
        clusters.tell(
            report, cls, made, "均值漂移（平核，带宽 {h:num}）",
            "均值漂移让每个样本向附近最密的地方移动，到达同一个峰的样本是一类，所以不用说要分几类。"
            "带宽 {h:num} 决定粗细：带宽变小，类变多；带宽变大，类合并。",
            h=width,
        )  # fmt: skip
        clusters.check_noise(report, made, "请换一个带宽，参考带宽与类数的曲线。")


def spans(n: int, across: int) -> list[slice]:
    """Blocks of `n` rows that hold some millions of distances to `across` others."""
    step = max(1, CELLS // max(across, 1))
    return [slice(start, min(start + step, n)) for start in range(0, n, step)]


def _ascend(u: Floats, means: Floats, width: float) -> tuple[Floats, Any]:
    """Where each of these points ends, and how many rows are within the bandwidth there."""
    held = np.zeros(len(means), dtype=np.int64)
    active = np.arange(len(means))
    for _ in range(STEPS):
        near = (cdist(means[active], u, "sqeuclidean") <= width * width).astype(np.float64)
        counts = near.sum(axis=1)
        held[active] = counts
        active, near, counts = active[counts > 0], near[counts > 0], counts[counts > 0]
        new = near @ u / counts[:, None]
        still = np.sqrt(((new - means[active]) ** 2).sum(axis=1)) <= STILL * width
        means[active] = new
        active = active[~still]
        if not active.size:
            break
    return means, held


def _grid(u: Floats, width: float, least: int) -> Floats:
    cells, counts = np.unique(np.round(u / width), axis=0, return_counts=True)
    return np.asarray(cells[counts >= least] * width)
