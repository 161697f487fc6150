from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

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
    rows_column,
    text,
)
from hengxi.methods.unsupervised_learning._shared import clusters, space
from hengxi.methods.unsupervised_learning._shared.clusters import COMMON, NOISE, Clustering
from hengxi.stats.moments import Floats
from hengxi.stats.partition import Codes

MOST_ROWS = 10_000
EXTRACTIONS = {"xi": "陡度 ξ", "dbscan": "按半径切割"}


@dataclass(frozen=True)
class Walk:
    """`order`: rows as they were met; of each row its reachability, core distance, and the row it was reached from."""

    order: Codes
    reach: Floats
    core: Floats
    before: Codes


def _walk(u: Floats, m: int, farthest: float, metric: Any) -> Walk:
    """Ankerst et al. (1999). Exact ties go to the row that comes first, which scikit-learn's rounded distances do not
    see: its order changes in the last digit, and with it the clusters."""
    n = len(u)
    reach, core = np.full(n, np.inf), np.full(n, np.inf)
    before, order, left = np.full(n, -1), np.empty(n, dtype=np.int64), np.full(n, np.inf)
    open_ = np.ones(n, dtype=bool)
    for step in range(n):
        at = int(np.argmin(left))
        if left[at] == np.inf:
            at = int(np.argmax(open_))
        order[step], open_[at], left[at] = at, False, np.inf
        away = cdist(u[at : at + 1], u, metric)[0]
        away[at] = 0.0
        own = float(np.partition(away, m - 1)[m - 1])
        if own > farthest:
            continue
        core[at] = own
        new = np.maximum(away, own)
        better = np.flatnonzero(open_ & (away <= farthest) & (new < reach))
        reach[better], left[better], before[better] = new[better], new[better], at
    return Walk(order, reach, core, before)


class Optics(Clustering):
    """Rows in the order of their reachability, of which clusters of any radius can be read."""

    title, title_en = "OPTICS聚类", "OPTICS clustering"
    slug = "optics"
    tier = "member"
    purpose = "以可达距离排序展示密度结构，一次得到多种半径下的聚类"
    aliases = ("OPTICS", "可达图", "可达距离", "核心距离", "密度聚类")
    references = ("ankerst1999", "schubert2018", "rousseeuw1987", "kaufman1990", "calinski1974", "davies1979")
    conventions = (
        "核心距离：到第（最小邻居数 − 1）个邻居的距离；可达距离：核心距离与两点距离中较大的一个。",
        "从第一个样本开始，每次处理可达距离最小的样本；并列时取固定次序中靠前的一个。",
        "陡度法按 Ankerst 等（1999），用前驱订正类的边界（Schubert 与 Gertz，2018）。",
        "陡度法的类至少有最小邻居数个样本，每个样本归入包含它的最小的类。",
        "按半径切割：可达距离超过 ε 处断开；核心距离也超过 ε 的是噪声。",
        *COMMON,
    )

    class Input(Form):
        x: list[Column] = space.variables()
        label: Column | None = space.identity()
        min_samples: int = integer("最小邻居数", 5, least=2, most=500)
        max_eps: float | None = number("最大半径", None, above=0, most=1_000_000, auto="不限")
        method: str = choice("提取方法", EXTRACTIONS)
        xi: float = number("陡度 ξ", 0.05, least=0.001, most=0.5, when={"method": "xi"})
        eps: float = number("切割半径", 0.5, above=0, most=1_000_000, when={"method": "dbscan"})
        metric: str = space.metric()
        standardize: bool = space.standardize()
        missing: str = space.gaps()
        append: bool = space.append()

    sizes = Table("聚类汇总", name=text("类别"), n=integer("频数"), share=percent("百分比"), place="main")
    reach_points = Points("可达图", position=integer("次序"), value=num("可达距离"), group=text("类别"))
    reach = Chart("可达图", "point", of=reach_points, x="position", y="value", series="group", place="main")
    ordering = Table(
        "排序结果", position=integer("次序"), row=integer("行号"), core=num("核心距离", least=0),
        reach=num("可达距离", least=0), before=rows_column("前驱"), cluster=text("类别"), place="detail",
    )  # fmt: skip

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.1 + rows * 5e-5 + rows * rows * 1.5e-8

    @classmethod
    def run(cls, form: Input) -> Report:
        from sklearn.cluster import cluster_optics_dbscan, cluster_optics_xi

        report = Report()
        held = space.space_of(report, form, MOST_ROWS)
        m = form.min_samples
        if m > held.n:
            raise Refusal(
                "data.neighbours", "最小邻居数 {k} 大于样本量 {n}，请改小", field="min_samples", k=m, n=held.n
            )
        unit = 1.0 if form.metric == "cosine" else held.unit
        farthest = np.inf if form.max_eps is None else form.max_eps / unit
        found = _walk(held.u, m, farthest, space.SCIPY[form.metric])
        if form.method == "dbscan":
            raw = cluster_optics_dbscan(
                reachability=found.reach, core_distances=found.core, ordering=found.order,
                eps=form.eps / unit * (1 + 1e-12),
            )  # fmt: skip
        elif np.isfinite(found.reach).any():
            with np.errstate(divide="ignore", invalid="ignore"):
                raw, _ = cluster_optics_xi(
                    reachability=found.reach, predecessor=found.before, ordering=found.order, min_samples=m, xi=form.xi
                )
        else:
            raw = np.full(held.n, -1)
        made = clusters.clusters_of(held, raw, form.metric)
        if made.k == 0:
            raise Refusal(
                "data.noise", "没有提取出任何类，请减小最小邻居数或陡度，或增大半径", field="method",
                also=["min_samples"],
            )  # fmt: skip
        for i, name in [*enumerate(made.names), (-1, NOISE)]:
            n = int((made.labels == i).sum())
            report.row(cls.sizes, name=name, n=n, share=n / held.n)
        cls._order(report, form, made, found, unit)
        clusters.write(report, cls, form, made)
        cls._words(report, form, made)
        return report

    @classmethod
    def _order(cls, report: Report, form: Any, made: clusters.Clusters, found: Walk, unit: float) -> None:
        order = found.order
        names, n = made.of_rows(), made.space.n
        numbers = made.space.numbers
        with np.errstate(over="ignore"):
            reach, core = found.reach[order] * unit, found.core[order] * unit
        before = found.before[order]
        report.add_rows(
            cls.ordering,
            {
                "position": np.arange(1, n + 1), "row": numbers[order],
                "core": [float(v) if np.isfinite(v) else None for v in core],
                "reach": [float(v) if np.isfinite(v) else None for v in reach],
                "before": [[int(numbers[b])] if b >= 0 else None for b in before],
                "cluster": [names[i] for i in order],
            },
        )  # fmt: skip
        report.note(cls.ordering, "第一个样本没有前驱和可达距离；超过最大半径的也空着。")
        shown = np.flatnonzero(np.isfinite(reach))
        if shown.size > space.DRAWN:
            shown = shown[np.linspace(0, shown.size - 1, space.DRAWN).astype(int)]
        groups = [*made.names, NOISE]
        shown = shown[np.argsort([groups.index(names[order[i]]) for i in shown], kind="stable")]
        report.add_rows(
            cls.reach_points,
            {"position": shown + 1, "value": reach[shown], "group": [names[order[i]] for i in shown]},
        )
        over = [Reference(y=form.eps, label="切割半径")] if form.method == "dbscan" else []
        report.chart(cls.reach, over=over)
        report.note(cls.reach, "低处是密集的类，高处是类与类之间的间隔或噪声；谷越深，类越密。")

    @classmethod
    def _words(cls, report: Report, form: Any, made: clusters.Clusters) -> None:
        cut = "陡度 ξ = {xi:num}" if form.method == "xi" else "切割半径 {eps:num}"
        facts = {"xi": form.xi} if form.method == "xi" else {"eps": form.eps}
        clusters.tell(
            report, cls, made, f"OPTICS（{space.METRICS[form.metric]}距离，最小邻居数 {{m:integer}}，{cut}）",
            "OPTICS 把样本按可达距离排成一列，密集的样本排在一起，可达图上的谷就是类。"
            f"这里用{cut}把谷取出来。换一个值不用重新排序，类的粗细会变。",
            m=form.min_samples, **facts,
        )  # fmt: skip
        other = "dbscan" if form.method == "xi" else "xi"
        clusters.check_noise(
            report, made, "请看可达图，换一个切割的高度或提取方法。",
            [SetRemedy(title=f"改用{EXTRACTIONS[other]}", set={"method": other})],
        )  # fmt: skip
