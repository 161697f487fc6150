"""The tables, charts and saved scores of a factor analysis."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report
from hengxi.families.factor.model import MATRIX_WORDS, Model
from hengxi.stats.moments import Floats

LOW, CROSS, SHARED, FEW_ITEMS = 0.4, 0.32, 0.4, 3
"""Limits of Costello & Osborne (2005)."""


def write(report: Report, cls: Any, model: Model) -> None:
    write_shared(report, cls, model)
    _coefficients(report, cls, model)
    _weights(report, cls, model)
    _fit(report, cls, model)
    _space(report, cls, model)
    if model.form.save:
        _save(report, cls, model)


def write_shared(report: Report, cls: Any, model: Model) -> None:
    """What `base.Factored` declares."""
    _adequacy(report, cls, model)
    _loadings(report, cls, model)
    _variance(report, cls, model)
    _communalities(report, cls, model)
    _oblique(report, cls, model)
    _parallel(report, cls, model)
    _advice(report, cls, model)
    _heat(report, cls, model)


def _wide(model: Model, key: str, row: Floats, hide: float = 0.0) -> dict[str, dict[str, Any]]:
    return {
        name: {key: float(value) if abs(value) >= hide else None}
        for name, value in zip(model.factor_names, row, strict=True)
    }


def _approximate(model: Model) -> str:
    """The distribution of both χ² is derived for Pearson correlations of normal variables."""
    kind = MATRIX_WORDS[model.form.matrix]
    return "" if model.form.matrix == "pearson" else f"这里用的是{kind}矩阵，χ² 与 *p* 只是近似，不作严格的检验。"


def _adequacy(report: Report, cls: Any, model: Model) -> None:
    found = model.adequacy
    report.row(cls.adequacy, kmo=found.kmo, chi2=found.chi2, df=found.df, p=found.p)
    report.note(
        cls.adequacy,
        "KMO 的参考标准（Kaiser，1974）：0.9 以上极好，0.8 良好，0.7 中等，0.6 平平，0.5 很差，"
        "低于 0.5 不宜作因子分析。" + _approximate(model),
    )


def _loadings(report: Report, cls: Any, model: Model) -> None:
    hide = float(model.form.suppress)
    for i, name in enumerate(model.names):
        report.row(
            cls.loadings, item=name, wide=_wide(model, "loading", model.rotation.pattern[i], hide),
            communality=float(model.extraction.communalities[i]), belongs=model.factor_names[int(model.main[i])],
        )  # fmt: skip
    thing = model.thing
    kind = "模式矩阵（其他因子不变时的系数）" if model.oblique else "载荷（题项与" + thing + "的相关）"
    report.note(
        cls.loadings,
        f"表中为{kind}；归属为绝对值最大的一列。{thing}按解释的方差从大到小排列，符号取使每列绝对值最大的载荷为正。",
    )
    if hide > 0:
        report.note(cls.loadings, "绝对值小于 {hide:num} 的载荷未显示，计算不受影响。", hide=hide)
    if not model.rotated:
        why = "只有 1 个" + thing + "，无需旋转" if model.form.rotation != "none" else "没有选择旋转"
        report.note(cls.loadings, f"{why}，为未旋转的结果。")
        if model.form.rotation != "none":
            report.skip(cls.unrotated, f"只有 1 个{thing}，没有旋转，见载荷表")
        return
    for i, name in enumerate(model.names):
        report.row(cls.unrotated, item=name, wide=_wide(model, "loading", model.extraction.loadings[i]))


def _variance(report: Report, cls: Any, model: Model) -> None:
    whole = float(model.p)
    before = np.sum(model.extraction.loadings**2, axis=0)
    after = model.squares
    orthogonal = model.rotated and not model.oblique
    for k in range(model.p):
        cells: dict[str, Any] = {}
        if k < model.m:
            cells |= {"square": before[k], "square_share": before[k] / whole}
            cells |= {"square_sum": float(before[: k + 1].sum()) / whole}
            if model.rotated:
                cells |= {"rotated": after[k]}
            if orthogonal:
                cells |= {"rotated_share": after[k] / whole, "rotated_sum": float(after[: k + 1].sum()) / whole}
        report.row(
            cls.variance, number=k + 1, eigenvalue=float(model.eigenvalues[k]),
            share=float(model.eigenvalues[k]) / whole, running=float(model.eigenvalues[: k + 1].sum()) / whole, **cells,
        )  # fmt: skip
    if not model.components:
        report.note(cls.variance, "初始特征根是相关矩阵的特征根；因子法只解释公因子方差，提取的平方和因此小于特征根。")
    if model.oblique:
        report.note(cls.variance, "斜交旋转后因子彼此相关，平方和（结构矩阵各列）有重叠，不能相加，不给方差百分比。")


def _communalities(report: Report, cls: Any, model: Model) -> None:
    for i, name in enumerate(model.names):
        report.row(
            cls.communalities, item=name, initial=float(model.extraction.initial[i]),
            extracted=float(model.extraction.communalities[i]), msa=float(model.adequacy.msa[i]),
        )  # fmt: skip
    start = "主成分法的初始值为 1" if model.components else "初始值为该题项对其余题项的复相关系数平方"
    report.note(
        cls.communalities, f"{start}；提取值是各{model.thing}共同解释该题项方差的比例。MSA 为该题项的取样适当性。"
    )


def _oblique(report: Report, cls: Any, model: Model) -> None:
    if not model.oblique:
        if model.form.rotation in ("oblimin", "promax"):
            report.skip(cls.structure, f"只有 1 个{model.thing}，没有旋转")
            report.skip(cls.correlations, f"只有 1 个{model.thing}")
        return
    for i, name in enumerate(model.names):
        report.row(cls.structure, item=name, wide=_wide(model, "loading", model.rotation.structure[i]))
    report.note(cls.structure, f"结构矩阵是题项与{model.thing}的相关，等于模式矩阵乘{model.thing}相关矩阵。")
    for j, a in enumerate(model.factor_names):
        for k, b in enumerate(model.factor_names[: j + 1]):
            report.row(cls.correlations, item=a, against=b, phi=float(model.rotation.phi[j, k]))


def _coefficients(report: Report, cls: Any, model: Model) -> None:
    for i, name in enumerate(model.names):
        report.row(cls.coefficients, item=name, wide=_wide(model, "coefficient", model.coefficients[i]))
    how = "成分得分" if model.components else "因子得分用回归法（Thurstone）"
    basis = "标准化秩" if model.form.matrix == "spearman" else "标准化题项（均值 0，标准差 1）"
    report.note(cls.coefficients, f"{how}；得分 = Σ 系数 × {basis}。")
    if model.form.matrix == "polychoric":
        report.note(cls.coefficients, "多分格相关对应看不见的连续变量，得分用观察到的等级代替，是近似。")


def _weights(report: Report, cls: Any, model: Model) -> None:
    if model.oblique:
        why = "斜交旋转后因子彼此相关，方差不能分给各个因子；需要权重时请用正交旋转"
        report.skip(cls.importance, why)
        report.skip(cls.composite, "没有权重，理由同上")
        return
    for k, name in enumerate(model.factor_names):
        share = float(model.squares[k]) / model.p
        report.row(cls.importance, factor=name, share=share, weight=float(model.shares[k]))
    report.note(
        cls.importance,
        f"权重 = 该{model.thing}的方差百分比 ÷ 各{model.thing}之和。按方差占比加权是国内常用的做法，"
        "不是统计检验；方差大不等于更重要。",
    )
    slots: dict[str, Any] = {f"w{k}": float(w) for k, w in enumerate(model.shares)}
    filled = " + ".join(f"{{w{k}:num3}} F_{k + 1}" for k in range(model.m))
    report.formula(cls.composite, r"F = \sum_k w_k F_k", "F = " + filled, **slots)


def _fit(report: Report, cls: Any, model: Model) -> None:
    fit = model.fit
    cells: dict[str, Any] = {}
    if fit is not None:
        cells = {
            "chi2": fit.chi2, "df": fit.df, "p": fit.p, "rmsea": fit.rmsea, "low": fit.rmsea_low,
            "high": fit.rmsea_high, "tli": fit.tli, "bic": fit.bic,
        }  # fmt: skip
    report.row(cls.fit, rmsr=model.rmsr, **cells)
    report.note(cls.fit, "RMSR 为非对角线残差相关的均方根。")
    if fit is not None:
        report.note(
            cls.fit,
            "χ² 检验“这么多因子就够”，用 Bartlett 校正系数；RMSEA 的区间为 90%；"
            "BIC = χ² − *df* × ln *n*，只用于比较因子个数。" + _approximate(model),
        )
        if fit.df == 0:
            report.note(cls.fit, "自由度为 0，模型总能完全拟合，不能检验。")


def _parallel(report: Report, cls: Any, model: Model) -> None:
    for k in range(model.p):
        above = bool(model.eigenvalues[k] > model.random.high[k])
        report.row(
            cls.parallel, number=k + 1, eigenvalue=float(model.eigenvalues[k]), mean=float(model.random.mean[k]),
            high=float(model.random.high[k]), kept="保留" if above and k < model.beyond_chance else "—",
        )  # fmt: skip
        for series, value in (("数据", model.eigenvalues[k]), ("随机数据", model.random.high[k])):
            report.row(cls.scree_points, number=k + 1, value=float(value), series=series)
    report.note(
        cls.parallel,
        "随机数据：同样多的个案和题项、互不相关的正态变量，模拟 100 次（种子 {seed:text}），取相关矩阵的特征根；"
        "数据的特征根连续大于第 95 百分位的个数为建议个数。",
        seed=str(model.form.seed),
    )


def troubles(model: Model) -> list[tuple[int, str]]:
    """Items with a low loading, a cross loading or little in common with the rest, with the words for it."""
    found = []
    size = np.abs(model.rotation.pattern)
    for i in range(model.p):
        falling = np.sort(size[i])[::-1]
        told = []
        if falling[0] < LOW:
            told.append("载荷低")
        if model.m > 1 and falling[1] >= CROSS:
            told.append("交叉载荷")
        if model.extraction.communalities[i] < SHARED:
            told.append("共同度低")
        if told:
            found.append((i, "、".join(told)))
    return found


def _advice(report: Report, cls: Any, model: Model) -> None:
    found = troubles(model)
    if not found:
        report.skip(cls.advice, "没有需要删除的题项")
        return
    size = np.abs(model.rotation.pattern)
    for i, told in found:
        falling = np.sort(size[i])[::-1]
        advice = {True: "建议核对题意，考虑删去后重新分析", False: "先核对题意；理论上需要的题项可以保留"}
        report.row(
            cls.advice, item=model.names[i], problem=told, first=float(falling[0]),
            second=float(falling[1]) if model.m > 1 else None, communality=float(model.extraction.communalities[i]),
            advice=advice["载荷低" in told or "交叉" in told],
        )  # fmt: skip
    report.note(
        cls.advice,
        "参考标准（Costello 与 Osborne，2005）：第二大载荷达到 {cross:num}、共同度不足 {shared:num}；"
        "最大载荷不足 {low:num} 是通行的经验界限。一次只删一个题项，删后重新分析；删题要有题意上的理由，并写进报告。",
        low=LOW, cross=CROSS, shared=SHARED,
    )  # fmt: skip


def _heat(report: Report, cls: Any, model: Model) -> None:
    pattern = model.rotation.pattern
    for i, name in enumerate(model.names):
        for k, factor in enumerate(model.factor_names):
            report.row(cls.heat_cells, row=name, column=factor, value=float(pattern[i, k]))
    report.note(cls.scree, f"横线为特征根 1；随机数据的线为第 95 百分位，数据的线高于它的{model.thing}才值得保留。")
    report.note(cls.heat, "颜色深浅为载荷的大小，两种颜色为正负。")


def _space(report: Report, cls: Any, model: Model) -> None:
    pattern = model.rotation.pattern
    if model.m < 2:
        report.skip(cls.space_points, f"只有 1 个{model.thing}，画不出平面")
        return
    for i, name in enumerate(model.names):
        report.row(
            cls.space_points, item=name, x=float(pattern[i, 0]), y=float(pattern[i, 1]),
            series=model.factor_names[int(model.main[i])],
        )  # fmt: skip
    a, b = model.factor_names[:2]
    report.chart(cls.space, titles={"x": f"{a}的载荷", "y": f"{b}的载荷"})
    more = f"；其余{model.thing}不在这个平面里" if model.m > 2 else ""
    report.note(cls.space, f"一个点是一个题项，坐标为它在{a}和{b}上的载荷{more}。")


def score_columns(coefficients: Floats, z: Floats) -> Floats:
    """m × rows: `coefficients` (items × m) on standard scores `z` (items × rows, sd 1)."""
    found: Floats = coefficients.T @ z
    return found


def _save(report: Report, cls: Any, model: Model) -> None:
    """One score for each row used; rows of frequency 0 stay empty. `model.z` has mean square 1, hence n − 1."""
    scores = score_columns(model.coefficients, model.z) * np.sqrt((model.n - 1) / model.n)
    columns = {f"{name}得分": scores[k] for k, name in enumerate(model.factor_names)}
    if not model.oblique:
        columns["综合得分"] = model.shares @ scores
    made: dict[str, Any] = {}
    for name, values in columns.items():
        whole = np.full(len(model.form.items[0]), np.nan)
        whole[model.rows] = values
        made[name] = whole
    report.columns(cls.saved, made)
