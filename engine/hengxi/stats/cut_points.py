"""Where to cut a variable into bins. Each function gives inner cut points, ascending; bins are (…, c1], (c1, c2], …"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from hengxi.contract.columns import Floats, Ints

CELLS = 2000
"""Natural breaks of more distinct values than this are found on as many groups of neighbours."""
LEAF = 0.05
"""Share of the rows that a bin of a tree has at least (Siddiqi 2006): the rate of a smaller one tells nothing."""
FINE = 200
"""Merging starts from at most as many groups of equal size."""


def equal_width(x: Floats, k: int) -> Floats:
    low, high = float(x.min()), float(x.max())
    # Halves first, so that the width of a range beyond the largest number stays finite.
    return np.array([low + (high / k - low / k) * i for i in range(1, k)])


def equal_count(x: Floats, k: int) -> Floats:
    """Quantiles (linear between order statistics, R's type 7); equal ones are one cut."""
    cuts = np.quantile(x, np.arange(1, k) / k)
    return np.unique(cuts[cuts < x.max()])


def parting(x: Floats, cuts: Floats, right: bool) -> Floats:
    """The ascending cuts with values between them: of several in one gap of the values the first, so no bin is empty.

    `right`: bins take their upper end.
    """
    below = np.searchsorted(np.sort(x), cuts, side="right" if right else "left")
    parts = (np.diff(below, prepend=0) > 0) & (below < len(x))
    return np.asarray(cuts[parts])


def around_mean(x: Floats, mean: float, sd: float) -> Floats:
    """Mean − 2s, − s, mean, + s, + 2s, as far as they lie inside the data."""
    cuts = mean + sd * np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    return cuts[(cuts > x.min()) & (cuts < x.max())] if sd > 0 else np.zeros(0)


def k_means(x: Floats, k: int, rounds: int = 300) -> Floats:
    """The least sum of squares within k groups; cuts halfway between their centres.

    On a line the best groups are neighbours and can be found: no start of Lloyd's rule ends below them. The rule only
    finishes where so many values were grouped first that the groups are not exact.
    """
    values, counts = np.unique(x, return_counts=True)
    k = min(k, len(values))
    groups = np.searchsorted(natural_breaks(x, k), values, side="left")
    centres = np.bincount(groups, counts * values) / np.bincount(groups, counts)
    for _ in range(rounds):
        owner = np.searchsorted(centres[:-1] / 2 + centres[1:] / 2, values, side="left")
        sums = np.bincount(owner, counts * values, minlength=len(centres))
        sizes = np.bincount(owner, counts, minlength=len(centres))
        moved = np.sort(sums[sizes > 0] / sizes[sizes > 0])
        if len(moved) == len(centres) and np.array_equal(moved, centres):
            break
        centres = moved
    return np.asarray(centres[:-1] / 2 + centres[1:] / 2)


def natural_breaks(x: Floats, k: int) -> Floats:
    """Jenks: the k classes of neighbours with the least sum of squares within (Fisher 1958); cuts at class maxima."""
    cells, counts = _grouped(x, CELLS)
    k = min(k, len(cells))
    largest = float(np.abs(cells).max())
    values = cells / largest if largest > 0 else cells  # squares of the largest numbers would not be finite
    shift = float(values.mean())
    weight = np.concatenate([[0.0], np.cumsum(counts)])
    first = np.concatenate([[0.0], np.cumsum(counts * (values - shift))])
    second = np.concatenate([[0.0], np.cumsum(counts * (values - shift) ** 2)])
    n = len(values)
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    back: list[npt.NDArray[np.int64]] = []
    for _ in range(k):
        now, start = np.full(n + 1, np.inf), np.zeros(n + 1, dtype=np.int64)
        for end in range(1, n + 1):
            i = np.arange(end)
            w, s = weight[end] - weight[i], first[end] - first[i]
            cost = best[i] + (second[end] - second[i] - s * s / w)
            start[end] = int(np.argmin(cost))
            now[end] = cost[start[end]]
        best = now
        back.append(start)
    cuts, end = [], n
    for start in reversed(back):
        end = int(start[end])
        if end == 0:
            break
        cuts.append(float(cells[end - 1]))
    return np.array(cuts[::-1])


def _grouped(x: Floats, most: int) -> tuple[Floats, Floats]:
    """Distinct values and their counts; beyond `most`, the largest of each group of neighbours."""
    values, counts = np.unique(x, return_counts=True)
    if len(values) <= most:
        return values, counts.astype(np.float64)
    ends = np.unique(np.linspace(0, len(values), most + 1).astype(np.int64))[1:]
    starts = np.concatenate([[0], ends[:-1]])
    return values[ends - 1], np.add.reduceat(counts, starts).astype(np.float64)


# ---- with a target -------------------------------------------------------------------------------------------------
def tree(x: Floats, target: npt.NDArray[np.float64], k: int, is_classes: bool) -> Floats:
    """Thresholds of a tree with at most k leaves (Gini for classes, squares for numbers), each `LEAF` of the rows."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    # Ranks: a tree sees only the order, and its float32 would blur the values.
    values, ranks = np.unique(x, return_inverse=True)
    kind = DecisionTreeClassifier if is_classes else DecisionTreeRegressor
    fitted = kind(max_leaf_nodes=max(k, 2), min_samples_leaf=LEAF, random_state=0).fit(
        ranks.reshape(-1, 1).astype(np.float32), target
    )
    cuts = fitted.tree_.threshold[fitted.tree_.feature >= 0]
    below = np.sort(np.floor(cuts).astype(np.int64))
    return np.asarray(values[below] / 2 + values[below + 1] / 2)


def chi_merge(x: Floats, classes: Ints, k: int) -> Floats:
    """Kerber 1992: neighbours with the smallest chi-squared are merged until k are left; cuts at the maxima."""
    values = np.unique(x)
    if len(values) > FINE:
        values = np.unique(np.quantile(x, np.arange(1, FINE + 1) / FINE, method="inverted_cdf"))
    place = np.searchsorted(values, x, side="left")
    table = np.zeros((len(values), int(classes.max()) + 1))
    np.add.at(table, (place, classes), 1.0)
    tops = values.tolist()
    chis = [_chi_squared(table[i], table[i + 1]) for i in range(len(table) - 1)]
    rows = list(table)
    while len(rows) > k:
        i = int(np.argmin(chis))
        rows[i : i + 2] = [rows[i] + rows[i + 1]]
        del tops[i], chis[i]
        for j in (i - 1, i):
            if 0 <= j < len(chis):
                chis[j] = _chi_squared(rows[j], rows[j + 1])
    return np.array(tops[:-1])


def _chi_squared(a: Floats, b: Floats) -> float:
    both = np.vstack([a, b])
    expected = both.sum(axis=1, keepdims=True) * both.sum(axis=0) / both.sum()
    used = expected > 0
    return float((((both - expected) ** 2)[used] / expected[used]).sum())


def mdlp(x: Floats, classes: Ints) -> Floats:
    """Fayyad & Irani 1993: split at the least entropy while the gain pays for the description; cuts halfway."""
    order = np.argsort(x, kind="stable")
    k = int(classes.max()) + 1
    found: list[float] = []
    _split(x[order], np.eye(k)[classes[order]], found, 0)
    return np.array(sorted(found))


def _split(x: Floats, marks: Floats, cuts: list[float], depth: int) -> None:
    n = len(x)
    borders = np.flatnonzero(x[1:] > x[:-1]) + 1
    if len(borders) == 0 or depth > 30:
        return
    whole = marks.sum(axis=0)
    left = np.cumsum(marks, axis=0)[borders - 1]
    right = whole - left
    entropy = (borders * _entropy(left) + (n - borders) * _entropy(right)) / n
    best = int(np.argmin(entropy))
    total = float(_entropy(whole[None, :])[0])
    parts = [whole, left[best], right[best]]
    k, k1, k2 = (int((one > 0).sum()) for one in parts)
    e1, e2 = (float(_entropy(one[None, :])[0]) for one in parts[1:])
    price = math.log2(n - 1) + math.log2(3**k - 2) - (k * total - k1 * e1 - k2 * e2)
    if total - float(entropy[best]) <= price / n:
        return
    at = int(borders[best])
    cuts.append(float(x[at - 1] / 2 + x[at] / 2))
    _split(x[:at], marks[:at], cuts, depth + 1)
    _split(x[at:], marks[at:], cuts, depth + 1)


def _entropy(counts: Floats) -> Floats:
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    logs = np.where(share > 0, np.log2(np.where(share > 0, share, 1.0)), 0.0)
    return np.asarray(-(share * logs).sum(axis=1))
