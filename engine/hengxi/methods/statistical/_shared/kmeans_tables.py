"""The tables, charts and saved classes of a k-means clustering."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import Report
from hengxi.methods.statistical._shared.kmeans_model import INLINE, REFERENCE_RUNS, SAMPLE, Model
from hengxi.stats.moments import Floats
from hengxi.stats.thin import thin

NEAREST, DRAWN, RADAR = 3, 2000, 3


def write(report: Report, cls: Any, model: Model) -> None:
    _centres(report, cls, model)
    _sizes(report, cls, model)
    _evaluation(report, cls, model)
    _anova(report, cls, model)
    _standard(report, cls, model)
    _nearest(report, cls, model)
    _comparison(report, cls, model)
    _silhouette_chart(report, cls, model)
    _plane(report, cls, model)
    _radar(report, cls, model)
    if model.form.save:
        classes = np.empty(model.n, dtype=object)
        names = np.array(model.class_names, dtype=object)
        classes[model.order] = names[model.found.labels]
        report.columns(cls.saved, {"聚类类别": classes})


def _spread(model: Model, squares: Floats, n: Floats | int) -> Floats:
    """sd in the units of the data from squared standard scores; None-able where a class has one case."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        found: Floats = np.sqrt(squares / (np.asarray(n, dtype=float) - 1)) * model.scale
    return found


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _centres(report: Report, cls: Any, model: Model) -> None:
    sizes = model.found.sizes.astype(float)
    with np.errstate(over="ignore", under="ignore"):
        means = model.centre + model.standard_centres * model.scale
    sds = np.vstack([_spread(model, model.inside[i], int(sizes[i])) for i in range(model.k)])
    for j, name in enumerate(model.names):
        wide = {one: {"mean": _plain(means[i, j]), "sd": _plain(sds[i, j])} for i, one in enumerate(model.class_names)}
        wide["全部"] = {"mean": _plain(model.centre[j]), "sd": _plain(model.scale[j])}
        report.row(cls.centres, name=name, wide=wide)
    report.note(
        cls.centres,
        "表中为均值 ± 标准差（n − 1）。类别按个案数从多到少编号，个案数相同的按第一个变量的中心从小到大；"
        "编号没有其他含义。",
    )
    if (sizes == 1).any():
        report.note(cls.centres, "只有 1 个个案的类没有标准差。")


def _sizes(report: Report, cls: Any, model: Model) -> None:
    labels = model.found.labels[model.sample]
    for i, name in enumerate(model.class_names):
        mine = model.widths[labels == i]
        report.row(
            cls.sizes, name=name, n=int(model.found.sizes[i]), share=float(model.found.sizes[i]) / model.n,
            width=float(mine.mean()) if mine.size else None, negative=int((mine < 0).sum()),
        )  # fmt: skip
    report.row(
        cls.sizes, total=True, name="合计", n=model.n, share=1.0, width=model.silhouette,
        negative=int((model.widths < 0).sum()),
    )  # fmt: skip
    report.note(
        cls.sizes,
        "轮廓系数比较一个个案到本类与到最近的另一类的平均距离，从 −1 到 1；小于 0 的个案离另一类更近。",
    )
    _say_sample(report, cls.sizes, model)


def _say_sample(report: Report, about: Any, model: Model) -> None:
    if model.sampled:
        report.note(
            about, "个案超过 {most:integer} 个：轮廓系数由按种子 {seed:text} 抽取的 {most:integer} 个个案计算，"
            "其余的用全部个案。",
            most=SAMPLE, seed=str(model.form.seed),
        )  # fmt: skip


def _evaluation(report: Report, cls: Any, model: Model) -> None:
    squares: dict[str, Any] = {
        "total_squares": model.squares(model.total),
        "between_squares": model.squares(max(0.0, model.total - model.found.within)),
        "within": model.squares(model.found.within),
    }
    report.row(
        cls.evaluation, n=model.n, variables=len(model.names), k=model.k, **squares,
        between=model.between_share, silhouette=model.silhouette, calinski=model.calinski, davies=model.davies,
    )  # fmt: skip
    report.note(
        cls.evaluation,
        "平方和在{scale}的数值上计算；Calinski-Harabasz 越大、Davies-Bouldin 越小，类分得越开。",
        scale=INLINE[str(model.form.scale)],
    )
    if None in squares.values():
        report.note(cls.evaluation, "有的平方和超出可表示的范围，没有给出；请给变量换一个单位。")
    if model.calinski is None:
        report.note(cls.evaluation, "类内没有变异，Calinski-Harabasz 指数未给。")
    sampled = model.found.sampled
    if sampled is not None:
        report.note(
            cls.evaluation,
            "个案多：先在按种子抽取的 {drawn:integer} 例上重启 {runs:integer} 次，再用全部个案迭代 {whole:integer} 次，"
            "取组内平方和最小的一次。",
            drawn=sampled.rows, runs=sampled.restarts, whole=sampled.whole,
        )  # fmt: skip


def _anova(report: Report, cls: Any, model: Model) -> None:
    df1, df2 = model.k - 1, model.n - model.k
    inside = model.inside.sum(axis=0)
    total = np.sum(model.z**2, axis=0)
    for j, name in enumerate(model.names):
        between = max(0.0, float(total[j] - inside[j]))
        with np.errstate(divide="ignore"):
            f = float(np.float64(between / df1) / np.float64(inside[j] / df2))
        report.row(
            cls.anova, name=name, F=f, df1=df1, df2=df2, p=float(stats.f.sf(f, df1, df2)),
            eta2=between / float(total[j]),
        )  # fmt: skip
    report.note(
        cls.anova,
        "只作描述：类别正是按这些变量分出来的，*F* 必然偏大，*p* 不能当作检验；看 η² 可知哪些变量把类分得开。",
    )


def _standard(report: Report, cls: Any, model: Model) -> None:
    for j, name in enumerate(model.names):
        wide = {one: {"centre": float(model.standard_centres[i, j])} for i, one in enumerate(model.class_names)}
        report.row(cls.standard_centres, name=name, wide=wide)
    report.note(cls.standard_centres, "各类均值与总均值之差，以全部个案的标准差（n − 1）为单位；0 为总平均。")


def _nearest(report: Report, cls: Any, model: Model) -> None:
    away = np.sqrt(np.sum((model.u - model.found.centres[model.found.labels]) ** 2, axis=1))
    label = model.form.label
    numbers = model.columns[0].row_numbers
    for i, name in enumerate(model.class_names):
        mine = np.flatnonzero(model.found.labels == i)
        if mine.size > NEAREST:
            far = float(np.partition(away[mine], NEAREST - 1)[NEAREST - 1])
            mine = mine[away[mine] <= far + 1e-11]
        # Equal distances: the row that comes first in the file.
        rows = model.order[mine]
        best = np.lexsort((rows, np.round(away[mine], 12)))[:NEAREST]
        for place in best:
            row = int(rows[place])
            told = away[mine[place]] * model.unit
            report.row(
                cls.nearest, name=name, row=[int(numbers[row])],
                label=None if label is None else str(label.text[row] or "—"), distance=_plain(told),
            )  # fmt: skip
    report.note(cls.nearest, "每类离中心最近的个案，可当作这一类的代表；距离按所选的标准化计算。")


def _comparison(report: Report, cls: Any, model: Model) -> None:
    if not model.tried:
        return
    for one in model.tried:
        cells: dict[str, Any] = {}
        if model.gap is not None and one.k <= len(model.gap.gap):
            cells = {"gap": float(model.gap.gap[one.k - 1]), "gap_se": float(model.gap.error[one.k - 1])}
        report.row(
            cls.comparison, k=one.k, within=model.squares(one.within),
            between=max(0.0, 1 - one.within / model.total), silhouette=one.silhouette, calinski=one.calinski,
            davies=one.davies, **cells,
        )  # fmt: skip
        told = model.squares(one.within)
        if told is not None:
            report.row(cls.elbow_points, k=one.k, within=told)
    report.note(cls.elbow, "组内平方和总随 K 减小；下降明显变缓的拐点是候选的 K，拐点不清楚时不要硬找。")
    report.note(
        cls.comparison,
        "K = 1 为不分类。各指标可能指向不同的 K，没有一个能代替对各类内容的判断。"
        "每个 K 取 {runs:integer} 次重启中组内平方和最小的一次，K 越大越不容易找到最小值，增加重启次数会更稳。",
        runs=int(model.form.n_init),
    )
    _say_sample(report, cls.comparison, model)
    if model.form.compare_k and model.gap is not None:
        most = int(np.argmax(model.gap.gap)) + 1
        whole = "" if not model.sampled else "（在抽取的个案上计算）"
        report.note(
            cls.comparison,
            ("Gap" + whole if whole else "Gap ") + "与 {b:integer} 次参照比较，"
            "参照在数据的主轴方向上均匀分布，每次重启 {runs:integer} 次；"
            "按 1 个标准误的规则（Tibshirani 等，2001）应取 K = {best:integer}"
            + (
                "。"
                if most == model.gap.chosen
                else "，而 Gap 在 K = {most:integer} 处最大：规则取第一个够好的 K，偏保守。"
            ),
            b=model.gap.references, runs=REFERENCE_RUNS, best=model.gap.chosen, most=most,
        )  # fmt: skip
    elif model.form.compare_k:
        report.note(cls.comparison, "Gap 统计量未给：" + ("计算被停止。" if model.stopped else "有的 K 组内已无变异。"))


def _silhouette_chart(report: Report, cls: Any, model: Model) -> None:
    labels = model.found.labels[model.sample]
    start = 0
    drawn = 0
    for i, name in enumerate(model.class_names):
        falling = np.sort(model.widths[labels == i])[::-1]
        most = max(2, DRAWN * falling.size // model.widths.size)
        held = thin(falling.size, most=most)
        places = (start + held + 1).astype(np.int64)
        report.add_rows(cls.widths_points, {"position": places, "value": falling[held], "group": [name] * held.size})
        start += falling.size
        drawn += held.size
    thinned = (drawn, int(model.widths.size)) if drawn < model.widths.size else None
    report.chart(cls.widths_chart, thinned=thinned)
    report.note(
        cls.widths_chart, "每类的个案按轮廓系数从大到小排列；整段都高的类紧凑而分得开，降到 0 以下的个案归属含糊。"
    )
    _say_sample(report, cls.widths_chart, model)


def _plane(report: Report, cls: Any, model: Model) -> None:
    if len(model.names) < 2:
        report.skip(cls.plane_points, "只有 1 个聚类变量，画不出主成分平面")
        return
    centred = model.u - model.u.mean(axis=0)
    values, axes = np.linalg.eigh(centred.T @ centred)
    axes = axes[:, ::-1][:, :2]
    size = np.abs(axes)
    axes = axes * np.sign(axes[size.argmax(axis=0), [0, 1]])
    shares = values[::-1][:2] / values.sum()
    # Drawn in the order of the file, so that what is thinned out does not depend on the classes.
    back = np.argsort(model.order, kind="stable")
    shown = thin(model.n)
    rows = back[shown]
    scores = centred[rows] @ axes
    names = np.array(model.class_names, dtype=object)[model.found.labels[rows]]
    by_class = np.argsort(model.found.labels[rows], kind="stable")
    numbers = model.columns[0].row_numbers[shown][by_class]
    label = model.form.label
    told = (
        [str(label.text[r] or "—") for r in shown[by_class]] if label is not None else [f"第 {r} 行" for r in numbers]
    )
    report.add_rows(
        cls.plane_points,
        {
            "x": scores[by_class, 0], "y": scores[by_class, 1], "group": names[by_class], "row": numbers, "label": told,
        },
    )  # fmt: skip
    titles = {
        "x": f"第一主成分（{shares[0] * 100:.1f}%）",
        "y": f"第二主成分（{shares[1] * 100:.1f}%）",
    }
    report.chart(cls.plane, titles=titles, thinned=(shown.size, model.n) if shown.size < model.n else None)
    report.note(
        cls.plane, "把聚类所用的变量投到方差最大的两个方向上，共占 {share:percent1} 的变异；"
        "在图上重叠的类，在其余方向上可能是分开的。",
        share=float(shares.sum()),
    )  # fmt: skip


def _radar(report: Report, cls: Any, model: Model) -> None:
    if len(model.names) < RADAR:
        report.skip(cls.radar_points, "聚类变量不足 3 个，画不成雷达图")
        return
    for j, name in enumerate(model.names):
        for i, one in enumerate(model.class_names):
            report.row(cls.radar_points, axis=name, value=float(model.standard_centres[i, j]), group=one)
    report.note(cls.radar, "各类的标准化中心：0 为总平均，向外为高于总平均。")
