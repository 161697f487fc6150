"""Which groups differ: twelve procedures on the same pairs, each with the interval that belongs to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import stats

from hengxi.methods.hypothesis_test._shared.many_groups import ManyGroups
from hengxi.stats import multiple
from hengxi.stats.two_groups import pooled_sd

TITLES = {
    "lsd": "LSD", "tukey": "Tukey HSD", "scheffe": "Scheffé", "bonferroni": "Bonferroni", "sidak": "Šidák",
    "holm": "Holm", "snk": "SNK-q", "duncan": "Duncan", "dunnett": "Dunnett", "games_howell": "Games-Howell",
    "tamhane_t2": "Tamhane T2", "dunnett_t3": "Dunnett T3",
}  # fmt: skip
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
class _Raw:
    first: int
    second: int
    difference: float
    se: float
    df: float

    @property
    def t(self) -> float:
        return abs(self.difference) / self.se if self.se > 0 else np.nan


def compare(groups: ManyGroups, how: str, level: float, control: int | None = None) -> list[PairTest]:
    """All pairs i < j (Dunnett: each group against the control); differences are first minus second."""
    k = groups.k
    if control is not None:
        places = [(i, control) for i in range(k) if i != control]
    else:
        places = list(combinations(range(k), 2))
    raws = [_raw(groups, i, j, how in UNEQUAL) for i, j in places]
    known = [raw for raw in raws if raw.se > 0]
    p, reach = _judge(groups, how, known, 1 - level, control)
    found = dict(zip([(raw.first, raw.second) for raw in known], zip(p, reach, strict=True), strict=True))
    return [_finish(groups, raw, *found.get((raw.first, raw.second), (None, None))) for raw in raws]


def _raw(groups: ManyGroups, i: int, j: int, unequal: bool) -> _Raw:
    whole = groups.whole
    difference = float(whole.centres[i] - whole.centres[j])
    if not unequal:
        return _Raw(i, j, difference, float(np.sqrt(whole.mse * (1 / whole.n[i] + 1 / whole.n[j]))), whole.df2)
    a, b = (float(whole.sds[g] / np.sqrt(whole.n[g])) for g in (i, j))
    se = float(np.hypot(a, b))
    if se == 0:
        return _Raw(i, j, difference, 0.0, 1.0)
    return _Raw(i, j, difference, se, 1 / ((a / se) ** 4 / (whole.n[i] - 1) + (b / se) ** 4 / (whole.n[j] - 1)))


def _finish(groups: ManyGroups, raw: _Raw, p: float | None, reach: float | None) -> PairTest:
    back = groups.whole.back
    sd = pooled_sd(groups.each[raw.first], groups.each[raw.second])
    gap = groups.each[raw.first].centre - groups.each[raw.second].centre
    d = gap / sd if sd > 0 else None
    if p is None:
        return PairTest(raw.first, raw.second, back(raw.difference), None, None, None, None, None, None, d)
    low = high = None
    if reach is not None:
        low, high = back(raw.difference - reach * raw.se), back(raw.difference + reach * raw.se)
    t = raw.difference / raw.se
    return PairTest(raw.first, raw.second, back(raw.difference), back(raw.se), t, raw.df, p, low, high, d)


def _judge(
    groups: ManyGroups, how: str, raws: list[_Raw], alpha: float, control: int | None
) -> tuple[list[float], list[float | None]]:
    """Adjusted p and the multiple of the standard error that the interval reaches."""
    plain = [float(min(1.0, 2 * stats.t.sf(raw.t, raw.df))) for raw in raws]
    m = groups.k * (groups.k - 1) // 2
    match how:
        case "lsd":
            return plain, [_t_reach(alpha, raw.df) for raw in raws]
        case "bonferroni":
            return multiple.adjust(plain, how), [_t_reach(alpha / m, raw.df) for raw in raws]
        case "holm":
            return multiple.adjust(plain, how), [_t_reach(alpha / m, raw.df) for raw in raws]
        case "sidak":
            return multiple.adjust(plain, how), [_t_reach(_sidak(alpha, m), raw.df) for raw in raws]
        case "tamhane_t2":
            p = [float(-np.expm1(m * np.log1p(-value))) if value < 1 else 1.0 for value in plain]
            return p, [_t_reach(_sidak(alpha, m), raw.df) for raw in raws]
        case "scheffe":
            df1, df2 = groups.whole.df1, groups.whole.df2
            reach = float(np.sqrt(df1 * stats.f.isf(alpha, df1, df2)))
            return [float(stats.f.sf(raw.t**2 / df1, df1, df2)) for raw in raws], [reach] * len(raws)
        case "snk" | "duncan":
            return _steps(groups, how), [None] * len(raws)
        case _:
            return _distributed(groups, how, raws, alpha, m, control)


def _distributed(
    groups: ManyGroups, how: str, raws: list[_Raw], alpha: float, m: int, control: int | None
) -> tuple[list[float], list[float | None]]:
    root = float(np.sqrt(2))
    n = groups.whole.n

    def tail(df: float) -> Callable[[float], float]:
        if how in ("tukey", "games_howell"):
            return lambda t: multiple.tukey_sf(t * root, groups.k, df)
        if how == "dunnett_t3":
            return lambda t: multiple.modulus_sf(t, m, df)
        assert control is not None
        others = np.delete(n, control)
        return lambda t: multiple.dunnett_sf(t, others, float(n[control]), df)

    reaches: dict[float, float] = {}
    near, step = 2.5, 0.05
    for raw in raws:
        if raw.df not in reaches:
            # With other degrees of freedom it lies close by.
            reaches[raw.df] = near = multiple.critical(tail(raw.df), alpha, near, step)
            step = 1e-4
    return [tail(raw.df)(raw.t) for raw in raws], [reaches[raw.df] for raw in raws]


def _steps(groups: ManyGroups, how: str) -> list[float]:
    """A pair differs only where every range of ordered means around it does: the largest p of those ranges counts."""
    order, k, whole = groups.order, groups.k, groups.whole
    own = np.zeros((k, k))
    for a, b in combinations(range(k), 2):
        i, j = order[a], order[b]
        size = b - a + 1
        se = float(np.sqrt(whole.mse / 2 * (1 / whole.n[i] + 1 / whole.n[j])))
        p = multiple.tukey_sf(abs(float(whole.centres[i] - whole.centres[j])) / se, size, whole.df2)
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
    place = {g: at for at, g in enumerate(groups.order)}
    different = [
        tuple(sorted((place[pair.first], place[pair.second])))
        for pair in pairs
        if pair.p is not None and pair.p < alpha
    ]
    found = multiple.letters(groups.k, [(a, b) for a, b in sorted(different)])
    return [found[place[i]] for i in range(groups.k)]
