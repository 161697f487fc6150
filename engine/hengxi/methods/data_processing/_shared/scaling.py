"""What a scaling learns of a variable (its centre, its scale, its ranks), and the same done to other cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from hengxi.contract.columns import Floats

BY_ROW = ("l1", "l2")
RANKED = ("quantile_normal", "quantile_uniform")
DIVIDED = ("max_ratio", "min_ratio", "init_ratio", "sum_ratio", "mean_ratio", "sqrt_ss", "maxabs", "decimal")
"""Methods that divide by a number of the variable: they work on a constant, too."""
KNOTS = 10_000
"""So many points of a rank score are remembered for new data; between them one interpolates."""


class UnfitError(Exception):
    """A variable the method cannot be used on; the words begin after its name."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code, self.words = code, words


@dataclass
class Scale:
    """`knots`: sorted values with their scores, of rank methods only."""

    center: float
    scale: float
    knots: tuple[Floats, Floats] | None = None


def learn(x: Floats, method: str, a: float, b: float, ddof: int) -> Scale:
    """From known values (at least one); `UnfitError` where the method has no meaning. Quartiles as R's type 7."""
    low, high = float(x.min()), float(x.max())
    if low == high and method not in DIVIDED:
        raise UnfitError("role.constant", "取值完全相同，无法标准化")
    match method:
        case "zscore" | "logistic":
            return Scale(float(x.mean()), float(x.std(ddof=ddof)))
        case "center":
            return Scale(float(x.mean()), 1.0)
        case "minmax" | "interval" | "positive":
            return Scale(low, high - low)
        case "negative":
            return Scale(high, low - high)
        case "robust":
            q1, median, q3 = np.quantile(x, [0.25, 0.5, 0.75])
            if q1 == q3:
                raise UnfitError("scale.iqr", "的四分位距为0，无法用稳健方法标准化，请改用Z标准化")
            return Scale(float(median), float(q3 - q1))
        case "moderate":
            return Scale(a, float(np.abs(x - a).max()))
        case "interval_type":
            reach = max(a - low, high - b)
            if reach <= 0:
                raise UnfitError("scale.inside", f"的值都在最佳区间 {a:g} 到 {b:g} 之内，结果全部为1，请核对区间")
            return Scale(a, reach)
        case "quantile_normal" | "quantile_uniform":
            return Scale(float("nan"), float("nan"), _ranks(x, method == "quantile_normal"))
        case _:
            return Scale(0.0, _divisor(x, method))


def _divisor(x: Floats, method: str) -> float:
    match method:
        case "maxabs":
            value, word = float(np.abs(x).max()), "全部为0"
        case "mean_ratio" | "sum_ratio":
            total = float(x.sum())
            # A sum that is only what rounding left over is zero.
            value = 0.0 if abs(total) <= 1e-12 * float(np.abs(x).sum()) else total
            value, word = value / (len(x) if method == "mean_ratio" else 1), "之和为0"
        case "max_ratio":
            value, word = float(x.max()), "的最大值为0"
        case "min_ratio":
            value, word = float(x.min()), "的最小值为0"
        case "init_ratio":
            value, word = float(x[0]), "第一个值为0"
        case "decimal":
            most = float(np.abs(x).max())
            value, word = (10.0 ** (np.floor(np.log10(most)) + 1) if most else 0.0), "全部为0"
        case _:
            value, word = float(np.sqrt(np.square(x).sum())), "全部为0"
    if value == 0:
        tail = "，初值化不适用" if method == "init_ratio" else "，该方法不适用"
        raise UnfitError("scale.zero", word + tail)
    return value


def _ranks(x: Floats, normal: bool) -> tuple[Floats, Floats]:
    """Mean ranks r of equal values. Normal: Φ⁻¹((r − 3/8)/(n + 1/4)) (Blom 1958); uniform: (r − 1)/(n − 1)."""
    values, counts = np.unique(x, return_counts=True)
    rank = np.cumsum(counts) - (counts - 1) / 2
    n = len(x)
    score = stats.norm.ppf((rank - 0.375) / (n + 0.25)) if normal else (rank - 1) / (n - 1)
    return values, score


def thinned(knots: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """At most `KNOTS` points, the ends among them."""
    at = np.unique(np.linspace(0, len(knots[0]) - 1, min(KNOTS, len(knots[0]))).round().astype(np.int64))
    return knots[0][at], knots[1][at]


def scaled(x: Floats, method: str, scale: Scale, a: float, b: float) -> Floats:
    """The same shape; NaN stays. Beyond the values learned from, linear methods go on, ranks end."""
    if scale.knots is not None:
        done = np.interp(x, *scale.knots)
        done[np.isnan(x)] = np.nan
        return done
    match method:
        case "interval":
            return a + (b - a) * (x - scale.center) / scale.scale
        case "moderate":
            return 1 - np.abs(x - scale.center) / scale.scale
        case "interval_type":
            away = np.maximum(np.maximum(a - x, x - b), np.where(np.isnan(x), np.nan, 0.0))
            return 1 - away / scale.scale
        case "logistic":
            return np.asarray(special.expit((x - scale.center) / scale.scale))
        case _:
            return (x - scale.center) / scale.scale


def by_row(block: Floats, method: str) -> Floats:
    """Each row over its length (l1: sum of absolute values; l2: root of squares); NaN with a gap or only zeros."""
    with np.errstate(divide="ignore", invalid="ignore"):
        length = np.abs(block).sum(axis=1) if method == "l1" else np.sqrt(np.square(block).sum(axis=1))
        length[length == 0] = np.nan
        return np.asarray(block / length[:, None])
