"""The base of methods that rank objects by weighted indicators: whose weights, how firm it is, what others say.

A member declares `Input(RankedForm)` and its table, computes scores (larger = better) by a function of the weights, and
ends with `cls.robust(…)`: what 10 % more or less weight changes, and the rank correlation with other methods.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from scipy.stats import norm, rankdata

from hengxi.contract import (
    Method,
    Refusal,
    Report,
    Row,
    SetRemedy,
    Table,
    choice,
    integer,
    num,
    number,
    percent,
    settings,
    text,
)
from hengxi.contract.limits import Limit
from hengxi.stats.indicator_weights import correlations

from .indicators import BOXES, DIRECTED, Data, Directed, Floats, distances, range_scaled, ranked, refuse_flat
from .weigh import by_source

SHARE = 0.1
SOURCES = {
    "entropy": "熵值法定权",
    "equal": "等权",
    "manual": "手工给定权重",
    "critic": "CRITIC 定权",
    "cv": "变异系数法定权",
}
Scorer = Callable[[Floats], Floats]
FEW, MANY = 3, 300
"""Fewer objects have no rank correlation; more make the comparison cost more than it tells."""


class RankedForm(Directed):
    weight_source: str = choice("权重", {
        "entropy": "熵值法（极差法）", "equal": "等权", "manual": "手工", "critic": "CRITIC",
            "cv": "变异系数法"})  # fmt: skip
    weights_value: list[Row] = settings(
        "自定义权重", of=BOXES[0], also=BOXES[1:], when={"weight_source": "manual"}, hint="不必合计为 1，会自动归一",
        w=number("权重", 1, least=0, most=1e6),
    )  # fmt: skip


class Ranking(Method):
    family = "综合评价"
    limits: ClassVar[tuple[Limit, ...]] = DIRECTED

    used = Table("所用权重", item=text("指标"), kind=text("方向"), weight=percent("权重"), place="detail")
    shaken = Table(
        "权重增减 10% 时的名次", item=text("指标"), down=integer("减 10%：名次变动的对象"), down_first=text(
            "减 10%：第一名"),
        up=integer("增 10%：名次变动的对象"), up_first=text("增 10%：第一名"), place="detail",
    )  # fmt: skip
    beside = Table("与其他方法的名次比较", other=text("方法"), rho=num("Spearman 相关", least=-1, most=1),
                   first=text("第一名"), place="detail")  # fmt: skip

    @classmethod
    def weigh(cls, report: Report, form: Any, data: Data) -> Floats:
        """The weights in force, told in a table."""
        weights = weights_of(form, data)
        for one, weight in zip(data.indicators, weights, strict=True):
            report.row(cls.used, item=one.name, kind=one.words, weight=weight)
        return weights

    @classmethod
    def robust(cls, report: Report, data: Data, weights: Floats, score: Scorer, own: str) -> int:
        """The tables on firmness; how many single changes of a weight give another first."""
        base = score(weights)
        ranks = np.array(ranked(base))
        best = data.objects[int(np.argmax(base))]
        turned = 0
        if data.m < 2:
            report.skip(cls.shaken, "只有一个指标")
        else:
            for k, name in enumerate(data.names):
                cells: dict[str, Any] = {}
                for key, factor in (("down", 1 - SHARE), ("up", 1 + SHARE)):
                    changed = weights.copy()
                    changed[k] *= factor
                    again = score(changed / changed.sum())
                    first = data.objects[int(np.argmax(again))]
                    cells |= {key: int((np.array(ranked(again)) != ranks).sum()), f"{key}_first": first}
                    turned += first != best
                report.row(cls.shaken, item=name, **cells)
            report.note(cls.shaken, "每次只改一个指标的权重（相对增减 10%，其余按比例调整）。")
        cls._beside(report, data, weights, base, own)
        return turned

    @classmethod
    def _beside(cls, report: Report, data: Data, weights: Floats, base: Floats, own: str) -> None:
        if not FEW <= data.n <= MANY or np.ptp(base) <= 1e-12:
            report.skip(cls.beside, f"对象少于 {FEW} 个、多于 {MANY} 个，或得分全部相同")
            return
        for name, values in others(data, weights).items():
            if name == own or np.ptp(values) <= 1e-12:
                continue
            pair = np.stack([np.round(base, 12), np.round(values, 12)], axis=1)
            first = data.objects[int(np.argmax(np.round(values, 12)))]
            report.row(cls.beside, other=name, rho=correlations(pair, rank=True)[0, 1], first=first)
        report.note(cls.beside, "其他方法用同样的指标和权重，按各自的默认设置。")


def weights_of(form: Any, data: Data) -> Floats:
    if form.weight_source != "manual":
        return by_source(data, form.weight_source)
    given = {row.column.id: float(row.w) for row in form.weights_value}
    raw = np.array([given[one.column.id] for one in data.indicators])
    if raw.sum() <= 0:
        remedies = [SetRemedy(title="改为等权", set={"weight_source": "equal"})]
        raise Refusal(
            "data.weights", "权重不能全为 0，请至少给一个指标大于 0 的权重", field="weights_value", remedies=remedies
        )
    return np.asarray(raw / raw.sum())


def others(data: Data, weights: Floats) -> dict[str, Floats]:
    """Scores of the usual rankings, larger = better."""
    return {
        "TOPSIS": topsis(data, weights)[2],
        "VIKOR": -vikor(range_scaled(data), weights, 0.5)[2],
        "加权和（极差法）": range_scaled(data) @ weights,
        "秩和比": rank_sums(data, False) @ weights / data.n,
    }


def ideal_matrix(data: Data, scale: str = "vector", negative: str = "ideal") -> tuple[Floats, list[bool]]:
    """Indicators made comparable for TOPSIS, and of each whether more is better there."""
    if scale == "minmax":
        return range_scaled(data), [True] * data.m
    x, up = data.x.copy(), [True] * data.m
    for k, one in enumerate(data.indicators):
        if one.kind == "interval":
            away = distances(one, x[:, k])
            x[:, k] = away.max() - away
        elif one.kind == "low" and negative == "difference":
            x[:, k] = x[:, k].max() - x[:, k]
        elif one.kind == "low" and negative == "reciprocal":
            x[:, k] = 1 / x[:, k]
        elif one.kind == "low":
            up[k] = False
    size = np.sqrt((x**2).sum(axis=0)) if scale == "vector" else x.sum(axis=0)
    return x / size, up


def topsis(
    data: Data, weights: Floats, scale: str = "vector", negative: str = "ideal", distance: str = "euclidean"
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """D+, D−, closeness, and both ideal solutions (weighted)."""
    z, up = ideal_matrix(data, scale, negative)
    v = z * weights
    high, low = v.max(axis=0), v.min(axis=0)
    good, bad = np.where(up, high, low), np.where(up, low, high)
    match distance:
        case "manhattan":
            plus, minus = np.abs(v - good).sum(axis=1), np.abs(v - bad).sum(axis=1)
        case "mahalanobis":
            inverse = np.linalg.inv(np.cov(z, rowvar=False))
            root = np.sqrt(weights)
            plus, minus = (_mahalanobis(z, end / weights, root, inverse) for end in (good, bad))
        case "grey_relational":
            plus, minus = _grade(v, bad), _grade(v, good)
        case _:
            plus, minus = (np.sqrt(((v - end) ** 2).sum(axis=1)) for end in (good, bad))
    total = plus + minus
    return plus, minus, np.where(total > 0, minus / np.where(total > 0, total, 1.0), 0.0), good, bad


def _mahalanobis(z: Floats, end: Floats, root: Floats, inverse: Any) -> Floats:
    away = (z - end) * root
    return np.asarray(np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", away, inverse, away), 0.0)))


def _grade(v: Floats, end: Floats) -> Floats:
    """Grey relational grade with an ideal, ρ = .5: nearness to the bad stands for distance from the good."""
    away = np.abs(v - end)
    return np.asarray(((away.min() + 0.5 * away.max()) / (away + 0.5 * away.max())).mean(axis=1))


def vikor(scaled: Floats, weights: Floats, v: float) -> tuple[Floats, Floats, Floats]:
    """S, R, Q of range-scaled indicators (1 = best)."""
    loss = weights * (1 - scaled)
    s, r = loss.sum(axis=1), loss.max(axis=1)

    def part(x: Floats) -> Floats:
        width = x.max() - x.min()
        return np.asarray((x - x.min()) / width) if width > 1e-14 else np.zeros_like(x)

    return s, r, v * part(s) + (1 - v) * part(r)


def rank_sums(data: Data, non_integer: bool) -> Floats:
    """Ranks, 1 = worst, ties share; or 1 + (n − 1)·(distance on the range)."""
    if non_integer:
        return np.asarray(1 + (data.n - 1) * range_scaled(data))
    out = np.empty_like(data.x)
    for k, one in enumerate(data.indicators):
        x = data.x[:, k]
        merit = x if one.kind == "high" else -x if one.kind == "low" else -distances(one, x)
        out[:, k] = rankdata(np.round(merit, 12))
    return out


def probits(p: Floats) -> Floats:
    return np.asarray(norm.ppf(p) + 5)


def refuse_same(data: Data) -> None:
    """All objects equal in everything."""
    if not np.any(data.spread > 0):
        first = data.indicators[0]
        raise Refusal("data.same", "所有对象在全部指标上相同，无法排序，请检查数据", field=first.field)
    refuse_flat(data, range_scaled(data))
