"""Which groups differ: twelve procedures on the same pairs, each with the interval that belongs to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import stats

from hengxi.methods.hypothesis_test._shared.many_groups import ManyGroups
from hengxi.stats import multiple
from hengxi.stats.moments import Floats
from hengxi.stats.two_groups import pooled_sd

TITLES = {
    "lsd": "LSD", "tukey": "Tukey HSD", "scheffe": "Scheffé", "bonferroni": "Bonferroni", "sidak": "Šidák",
    "holm": "Holm", "snk": "SNK-q", "duncan": "Duncan", "dunnett": "Dunnett", "games_howell": "Games-Howell",
    "tamhane_t2": "Tamhane T2", "dunnett_t3": "Dunnett T3",
}  # fmt: skip
FURTHER = {"hochberg_gt2": "Hochberg GT2", "gabriel": "Gabriel"}
"""Only offered by the method that has them all."""
UNCONTROLLED = ("lsd", "snk", "duncan")
"""These do not hold the error rate of the whole family."""
UNEQUAL = ("games_howell", "tamhane_t2", "dunnett_t3")
STEPS = ("snk", "duncan")


@dataclass(frozen=True, slots=True)
class PairTest:
    """`first` and `second` count groups; without a standard error the rest is None."""

    first: int
    second: int
    difference: float | None
    se: float | None
    t: float | None
    df: float | None
    p: float | None
    low: float | None
    high: float | None
    d: float | None


@dataclass(frozen=True)
class Means:
    """Means to be compared, whatever model they come from; all on one scale, brought back to the data's by `back`."""

    centres: Floats
    se: Floats
    """Of each difference, k × k; 0 where a pair has none."""
    df: Floats
    """k × k."""
    df2: float
    """Of the common error."""
    back: Callable[[float], float | None]
    d: Callable[[int, int], float | None]
    """Standardised difference of a pair."""
    n: Floats | None = None
    """Sizes, where the standard error of a difference is s √(1/n1 + 1/n2): what Dunnett's distribution asks for."""

    @property
    def k(self) -> int:
        return int(self.centres.size)

    @property
    def order(self) -> list[int]:
        """From the highest to the lowest."""
        return sorted(range(self.k), key=lambda i: -self.centres[i])

    def t(self, i: int, j: int) -> float:
        se = float(self.se[i, j])
        return abs(float(self.centres[i] - self.centres[j])) / se if se > 0 else np.nan


def means_of(groups: ManyGroups, unequal: bool) -> Means:
    """Of independent groups: pooled error, or each pair with its own variances and Welch's degrees of freedom."""
    whole, k = groups.whole, groups.k
    if unequal:
        parts = whole.sds / np.sqrt(whole.n)
        se = np.hypot(parts[:, None], parts[None, :])
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = (parts[:, None] / se) ** 4 / (whole.n - 1)[:, None]
            df = np.where(se > 0, 1 / (shares + shares.T), 1.0)
    else:
        se = np.sqrt(whole.mse * (1 / whole.n[:, None] + 1 / whole.n[None, :]))
        df = np.full((k, k), whole.df2)

    def d(i: int, j: int) -> float | None:
        sd = pooled_sd(groups.each[i], groups.each[j])
        return (groups.each[i].centre - groups.each[j].centre) / sd if sd > 0 else None

    return Means(whole.centres, se, df, whole.df2, whole.back, d, whole.n)


def compare(groups: ManyGroups, how: str, level: float, control: int | None = None) -> list[PairTest]:
    """All pairs i < j (Dunnett: each group against the control); differences are first minus second."""
    return compare_means(means_of(groups, how in UNEQUAL), how, level, control)


def compare_means(means: Means, how: str, level: float, control: int | None = None) -> list[PairTest]:
    """The same for means of any model."""
    k = means.k
    if control is not None:
        places = [(i, control) for i in range(k) if i != control]
    else:
        places = list(combinations(range(k), 2))
    known = [place for place in places if means.se[place] > 0]
    p, reach = _judge(means, how, known, 1 - level, control)
    found = dict(zip(known, zip(p, reach, strict=True), strict=True))
    return [_finish(means, i, j, *found.get((i, j), (None, None))) for i, j in places]


def _finish(means: Means, i: int, j: int, p: float | None, reach: float | None) -> PairTest:
    difference, se, back = float(means.centres[i] - means.centres[j]), float(means.se[i, j]), means.back
    if p is None:
        return PairTest(i, j, back(difference), None, None, None, None, None, None, means.d(i, j))
    low = high = None
    if reach is not None:
        low, high = back(difference - reach * se), back(difference + reach * se)
    return PairTest(
        i, j, back(difference), back(se), difference / se, float(means.df[i, j]), p, low, high, means.d(i, j)
    )


def _judge(
    means: Means, how: str, places: list[tuple[int, int]], alpha: float, control: int | None
) -> tuple[list[float], list[float | None]]:
    """Adjusted p and the multiple of the standard error that the interval reaches."""
    ts, dfs = [means.t(i, j) for i, j in places], [float(means.df[place]) for place in places]
    plain = [float(min(1.0, 2 * stats.t.sf(t, df))) for t, df in zip(ts, dfs, strict=True)]
    m = means.k * (means.k - 1) // 2
    match how:
        case "lsd":
            return plain, [_t_reach(alpha, df) for df in dfs]
        case "bonferroni":
            return multiple.adjust(plain, how), [_t_reach(alpha / m, df) for df in dfs]
        case "holm":
            return multiple.adjust(plain, how), [_t_reach(alpha / m, df) for df in dfs]
        case "sidak":
            return multiple.adjust(plain, how), [_t_reach(_sidak(alpha, m), df) for df in dfs]
        case "tamhane_t2":
            p = [float(-np.expm1(m * np.log1p(-value))) if value < 1 else 1.0 for value in plain]
            return p, [_t_reach(_sidak(alpha, m), df) for df in dfs]
        case "scheffe":
            df1, df2 = means.k - 1, means.df2
            reach = float(np.sqrt(df1 * stats.f.isf(alpha, df1, df2)))
            return [float(stats.f.sf(t**2 / df1, df1, df2)) for t in ts], [reach] * len(ts)
        case "snk" | "duncan":
            held = dict(zip(combinations(range(means.k), 2), _steps(means, how), strict=True))
            return [held[place] for place in places], [None] * len(places)
        case "gabriel":
            # The same distribution as Hochberg's, of another distance: they agree where sizes do.
            assert means.n is not None
            roots = np.sqrt(1 / means.n)
            scale = [float((roots[i] + roots[j]) / np.sqrt(2) / np.hypot(roots[i], roots[j])) for i, j in places]
            scaled = [t / s for t, s in zip(ts, scale, strict=True)]
            p, reaches = _distributed(means, how, scaled, dfs, alpha, m, None)
            return p, [None if r is None else r * s for r, s in zip(reaches, scale, strict=True)]
        case _:
            return _distributed(means, how, ts, dfs, alpha, m, control)


def _distributed(
    means: Means, how: str, ts: list[float], dfs: list[float], alpha: float, m: int, control: int | None
) -> tuple[list[float], list[float | None]]:
    root = float(np.sqrt(2))

    def tail(df: float) -> Callable[[float], float]:
        if how in ("tukey", "games_howell"):
            return lambda t: multiple.tukey_sf(t * root, means.k, df)
        if how in ("dunnett_t3", "hochberg_gt2", "gabriel"):
            return lambda t: multiple.modulus_sf(t, m, df)
        assert control is not None and means.n is not None
        others, own = np.delete(means.n, control), float(means.n[control])
        return lambda t: multiple.dunnett_sf(t, others, own, df)

    reaches: dict[float, float] = {}
    near, step = 2.5, 0.05
    for df in dfs:
        if df not in reaches:
            # With other degrees of freedom it lies close by.
            reaches[df] = near = multiple.critical(tail(df), alpha, near, step)
            step = 1e-4
    return [tail(df)(t) for t, df in zip(ts, dfs, strict=True)], [reaches[df] for df in dfs]


def _steps(means: Means, how: str) -> list[float]:
    """A pair differs only where every range of ordered means around it does: the largest p of those ranges counts."""
    order, k = means.order, means.k
    root = float(np.sqrt(2))
    own = np.zeros((k, k))
    for a, b in combinations(range(k), 2):
        size = b - a + 1
        p = multiple.tukey_sf(means.t(order[a], order[b]) * root, size, means.df2)
        own[a, b] = -np.expm1(np.log1p(-min(p, 1 - 1e-16)) / (size - 1)) if how == "duncan" else p
    for a in range(k):
        for b in range(k - 1, a, -1):
            around = [own[a, b]]
            if a > 0:
                around.append(own[a - 1, b])
            if b < k - 1:
                around.append(own[a, b + 1])
            own[a, b] = max(around)
    place = {g: at for at, g in enumerate(order)}
    pairs = combinations(range(k), 2)
    return [float(own[min(place[i], place[j]), max(place[i], place[j])]) for i, j in pairs]


def _t_reach(alpha: float, df: float) -> float:
    return float(stats.t.isf(alpha / 2, df))


def _sidak(alpha: float, m: int) -> float:
    return float(-np.expm1(np.log1p(-alpha) / m))


def letters(groups: ManyGroups, pairs: list[PairTest], alpha: float) -> list[str]:
    """Letters from the highest mean down; groups that share one were not found to differ."""
    return letters_of(groups.order, pairs, alpha)


def letters_of(order: list[int], pairs: list[PairTest], alpha: float) -> list[str]:
    """The same for means in this order from the highest down."""
    place = {g: at for at, g in enumerate(order)}
    different = [
        tuple(sorted((place[pair.first], place[pair.second])))
        for pair in pairs
        if pair.p is not None and pair.p < alpha
    ]
    found = multiple.letters(len(order), [(a, b) for a, b in sorted(different)])
    return [found[place[i]] for i in range(len(order))]
