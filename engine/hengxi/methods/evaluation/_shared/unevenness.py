"""Indices of inequality with population weights, their parts by group, their intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import norm

Floats = npt.NDArray[np.float64]
Index = Callable[[Floats, Floats], float]
GRADES = ((0.2, "高度平均"), (0.3, "比较平均"), (0.4, "相对合理"), (0.5, "差距较大"))


def grade(value: float) -> str:
    return next((word for end, word in GRADES if value < end), "差距悬殊")


def gini(x: Floats, w: Floats) -> float:
    """Half the mean absolute difference over the mean; weights of any sum."""
    order = np.argsort(x, kind="stable")
    x, w = x[order], w[order] / w.sum()
    before = np.concatenate([[0.0], np.cumsum(w)[:-1]])
    return max(float((w * x * (2 * before + w - 1)).sum() / (w @ x)), 0.0)


def theil_t(x: Floats, w: Floats) -> float:
    share = x / float(w @ x / w.sum())
    terms = np.where(share > 0, share * np.log(np.where(share > 0, share, 1.0)), 0.0)
    return max(float(w @ terms / w.sum()), 0.0)


def theil_l(x: Floats, w: Floats) -> float:
    return max(float(np.log(w @ x / w.sum()) - w @ np.log(x) / w.sum()), 0.0)


def atkinson(x: Floats, w: Floats, epsilon: float) -> float:
    p, share = w / w.sum(), x / float(w @ x / w.sum())
    if abs(epsilon - 1) < 1e-12:
        return max(float(1 - np.exp(p @ np.log(share))), 0.0)
    return max(float(1 - (p @ share ** (1 - epsilon)) ** (1 / (1 - epsilon))), 0.0)


def index(key: str, x: Floats, w: Floats, epsilon: float, corrected: bool) -> float:
    match key:
        case "gini":
            return gini(x, w) * (len(x) / (len(x) - 1) if corrected else 1.0)
        case "theil_t":
            return theil_t(x, w)
        case "theil_l":
            return theil_l(x, w)
        case "atkinson":
            return atkinson(x, w, epsilon)
    mean = float(w @ x / w.sum())
    return float(np.sqrt(w @ (x - mean) ** 2 / w.sum()) / mean)


def interval(
    how: str, x: Floats, w: Floats, find: Index, level: float | None, times: int | None, rng: Any
) -> tuple[float | None, float | None]:
    """Percentiles of resampled rows, or estimate ± z·jackknife standard error; nothing where it cannot be computed."""
    n = len(x)
    if how == "none" or n < 3:
        return None, None
    if how == "bootstrap":
        picks = rng.integers(0, n, size=(times, n))
        drawn = np.array([find(x[at], w[at]) for at in picks if x[at].sum() > 0])
        low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])  # type: ignore[operator]
        return float(low), float(high)
    keep = ~np.eye(n, dtype=bool)
    left = np.array([find(x[at], w[at]) for at in keep if x[at].sum() > 0])
    if len(left) < n:
        return None, None
    se = float(np.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum()))
    half = float(norm.ppf((1 + level) / 2)) * se  # type: ignore[operator]
    value = find(x, w)
    return value - half, value + half


def lorenz(x: Floats, w: Floats, most: int) -> tuple[Floats, Floats]:
    """Cumulative shares of people and of what they have, from (0, 0); thinned to `most` points."""
    order = np.argsort(x, kind="stable")
    a = np.concatenate([[0.0], np.cumsum(w[order])]) / w.sum()
    b = np.concatenate([[0.0], np.cumsum((w * x)[order])]) / float(w @ x)
    kept = np.unique(np.linspace(0, len(a) - 1, min(len(a), most)).astype(int))
    return a[kept], b[kept]


def theil_parts(key: str, x: Floats, p: Floats, group: Any, names: Sequence[Any]) -> tuple[float, dict[Any, float]]:
    """Between, and within by group; they add up to the index."""
    mean = float(p @ x)
    between, within = 0.0, {}
    for name in names:
        at = group == name
        own = float(p[at].sum())
        local = float(p[at] @ x[at]) / own
        share = own * local / mean
        if key == "theil_t":
            between += share * np.log(local / mean) if share > 0 else 0.0
            within[name] = share * theil_t(x[at], p[at]) if share > 0 else 0.0
        else:
            between += own * float(np.log(mean / local))
            within[name] = own * theil_l(x[at], p[at])
    return float(between), within


def dagum(x: Floats, p: Floats, group: Any, names: Sequence[Any]) -> tuple[float, float, float]:
    """Within, net between, and intensity of overlap (Dagum 1997), which add up to the Gini index."""
    mean = float(p @ x)
    parts = []
    for name in names:
        at = group == name
        own = float(p[at].sum())
        parts.append((x[at], p[at] / own, own, float(p[at] @ x[at]) / own))
    within = sum(gini(v, w) * own * own * m / mean for v, w, own, m in parts if m > 0)
    gross = net = 0.0
    for j, (x1, w1, p1, m1) in enumerate(parts):
        for x2, w2, p2, m2 in parts[:j]:
            gap = x1[:, None] - x2[None, :]
            both = w1[:, None] * w2[None, :]
            up, down = float((both * np.maximum(gap, 0)).sum()), float((both * np.maximum(-gap, 0)).sum())
            if up + down <= 0:
                continue
            weight = (p1 * p2 * m2 + p2 * p1 * m1) / mean
            g = (up + down) / (m1 + m2)
            gross += g * weight
            net += g * weight * abs(up - down) / (up + down)
    return float(within), float(net), float(gross - net)
