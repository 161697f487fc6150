from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Chart, Column, Form, Points, Reference, Refusal, Report, Table, integer, num, percent
from hengxi.methods.unsupervised_learning._shared import outliers, space
from hengxi.methods.unsupervised_learning._shared.outliers import COMMON, OutlierScores
from hengxi.stats.moments import Floats

MOST_ROWS, USUAL, DRAWN = 50_000, 1.5, 1000
NEAR = (10, 20, 30, 40, 50)


class LocalOutlierFactor(OutlierScores):
    """How much thinner it is around a row than around its neighbours."""

    title, title_en = "局部离群因子", "Local outlier factor"
    slug = "lof"
    tier = "standard"
    purpose = "比较样本与其近邻的局部密度，找出局部稀疏的异常点"
    aliases = ("LOF", "局部异常因子", "离群点检测", "异常检测", "局部密度")
    references = ("breunig2000",)
    conventions = (
        "近邻不含自身；可达距离为近邻的 k 距离与两点距离中较大的一个；距离相同的近邻只取 k 个。",
        "局部可达密度的分母加 10⁻¹⁰，避免重复的样本除以 0。",
        "没有给异常比例时，LOF 大于 1.5 判为异常。",
        *COMMON,
    )

    class Input(Form):
        x: list[Column] = space.variables("检测变量", 1)
        label: Column | None = space.identity()
        truth: Column | None = outliers.truth_role()
        n_neighbors: int = integer("近邻数", 20, least=1, most=500)
        contamination: float | None = space.contamination()
        metric: str = space.metric()
        standardize: bool = space.standardize()
        missing: str = space.gaps()
        append: bool = space.append()

    summary = Table(
        "异常汇总", layout="record", n=integer("*N*"), count=integer("异常数"), share=percent("占比"),
        threshold=num("LOF 阈值", decimals=3), largest=num("最大 LOF", decimals=3), place="main",
    )  # fmt: skip
    rising = Points("LOF排序", position=integer("名次"), value=num("LOF"))
    ranked = Chart("LOF 排序图", "line", of=rising, x="position", y="value", place="detail")
    sensitivity = Table(
        "近邻数敏感性", neighbours=integer("近邻数"), largest=num("最大 LOF", decimals=3), mean=num("平均 LOF",
        decimals=3),
    )  # fmt: skip
    sensitive = Chart("近邻数敏感性图", "line", of=sensitivity, x="neighbours", y="largest", place="detail")

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.1 + rows * 2e-4

    @classmethod
    def run(cls, form: Input) -> Report:
        from sklearn.neighbors import NearestNeighbors

        report = Report()
        held = space.space_of(report, form, MOST_ROWS)
        k = form.n_neighbors
        if k >= held.n:
            raise Refusal("data.neighbours", "近邻数必须小于样本量{n}", field="n_neighbors", n=held.n)
        tried = [one for one in NEAR if one < held.n]
        near = NearestNeighbors(n_neighbors=min(held.n - 1, max([k, *tried])), metric=form.metric).fit(held.u)
        away, places = near.kneighbors()
        factor = _factors(away, places, k)
        made = outliers.scores_of(held, factor, form.contamination, USUAL)
        count = int(made.odd.sum())
        report.row(
            cls.summary, n=held.n, count=count, share=count / held.n, threshold=made.threshold,
            largest=float(factor.max()),
        )  # fmt: skip
        for one in tried:
            other = factor if one == k else _factors(away, places, one)
            report.row(cls.sensitivity, neighbours=one, largest=float(other.max()), mean=float(other.mean()))
        if not tried:
            report.skip(cls.sensitivity, "样本太少，没有比较不同的近邻数")
        falling = factor[made.ranking]
        shown = np.unique(np.linspace(0, held.n - 1, min(held.n, DRAWN)).astype(int))
        report.add_rows(cls.rising, {"position": shown + 1, "value": falling[shown]})
        report.chart(cls.ranked, over=[Reference(y=made.threshold, label="阈值")])
        outliers.write(report, cls, form, made)
        space.check_units(report, held)
        cls._words(report, form, made, away[:, k - 1])
        return report

    @classmethod
    def _words(cls, report: Report, form: Any, made: outliers.Scores, far: Floats) -> None:
        outliers.tell(
            report, cls, made, f"局部离群因子（{space.METRICS[form.metric]}距离，{{k:integer}} 个近邻）",
            "LOF 比较一行与它的近邻周围的密度：接近 1 说明和近邻一样密；明显大于 1 说明它周围比近邻周围稀疏。"
            "它能发现密集的类旁边的异常点，只看总体均值时会漏掉。",
            k=form.n_neighbors,
        )  # fmt: skip
        alike = int((far <= 0).sum())
        if alike:
            report.check(
                "重复的样本",
                "care",
                "{k:integer} 行的重复行不少于近邻数，局部密度为无穷大，LOF 不可靠。请先去重或增大近邻数。",
                k=alike,
            )
        else:
            report.check("重复的样本", "pass", "没有一行的重复行多到近邻数。")


def _factors(away: Floats, places: Any, k: int) -> Floats:
    """Breunig et al. (2000) from distances and places of at least k neighbours, the row itself left out."""
    away, places = away[:, :k], places[:, :k]
    reach = np.maximum(away, away[places, k - 1])
    density = 1.0 / (reach.mean(axis=1) + 1e-10)
    return np.asarray(density[places].mean(axis=1) / density)
