"""Hartigan's dip: the distance of a sample from the nearest unimodal distribution (Hartigan & Hartigan 1985).

The algorithm is theirs (AS 217, Hartigan 1985): greatest convex minorant and least concave majorant, ever closer modes.
"""

from __future__ import annotations

import numpy as np

from hengxi.stats.moments import Floats

MOST = 50_000
"""Beyond so many values the loop takes seconds."""
SHARES = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 0.9999)
# fmt: off
QUANTILES = {
    4: (2500, 2500, 2500, 2500, 2500, 2893, 3752, 4145, 4475, 4634, 4744, 4840, 4888, 4921, 4964),
    5: (2236, 2236, 2236, 2236, 2719, 3446, 3953, 4167, 4329, 4395, 4432, 4455, 4464, 4468, 4471),
    6: (2041, 2041, 2041, 2411, 3016, 3549, 3897, 4035, 4388, 4700, 4957, 5219, 5372, 5497, 5715),
    7: (1890, 1923, 2164, 2618, 3117, 3532, 3818, 4232, 4637, 4870, 5053, 5236, 5343, 5426, 5552),
    8: (1768, 2091, 2320, 2721, 3140, 3474, 4011, 4356, 4696, 4892, 5059, 5272, 5498, 5689, 6042),
    10: (1927, 2272, 2466, 2782, 3092, 3610, 4126, 4414, 4766, 5046, 5278, 5535, 5706, 5863, 6211),
    15: (2115, 2362, 2489, 2789, 3238, 3720, 4263, 4596, 4984, 5261, 5511, 5806, 6014, 6196, 6638),
    20: (2121, 2359, 2540, 2868, 3280, 3810, 4346, 4702, 5113, 5392, 5653, 5970, 6193, 6402, 6856),
    30: (2167, 2435, 2596, 2928, 3366, 3904, 4466, 4833, 5269, 5564, 5840, 6184, 6419, 6638, 7151),
    50: (2217, 2494, 2666, 3001, 3456, 4008, 4586, 4967, 5418, 5729, 6018, 6377, 6623, 6853, 7369),
    100: (2286, 2568, 2743, 3084, 3549, 4117, 4714, 5109, 5578, 5900, 6207, 6588, 6850, 7124, 7625),
    200: (2333, 2617, 2797, 3143, 3616, 4191, 4801, 5202, 5690, 6037, 6348, 6730, 7033, 7325, 7861),
    500: (2382, 2670, 2851, 3199, 3678, 4270, 4895, 5311, 5817, 6163, 6483, 6915, 7188, 7455, 8160),
    1000: (2403, 2691, 2874, 3230, 3716, 4313, 4940, 5371, 5885, 6241, 6577, 6997, 7247, 7549, 8206),
    5000: (2454, 2745, 2928, 3283, 3763, 4364, 5008, 5441, 5941, 6262, 6592, 7049, 7434, 7737, 8294),
    20000: (2460, 2750, 2934, 3288, 3788, 4392, 5054, 5463, 5954, 6242, 6527, 6919, 7114, 7480, 8096),
}
# fmt: on
"""√n times the dip of n uniform values, in 1/10,000: quantiles at `SHARES`, of 10,000 (n = 20,000) to
2,000,000 samples of our own; they agree with Table 1 of Hartigan & Hartigan within sampling error."""


def dip(x: Floats) -> float:
    """The statistic, 1/(2n) of values that are all the same."""
    values = np.sort(x).tolist()
    n = len(values)
    if n < 2 or values[0] == values[-1]:
        return 1 / (2 * max(n, 1))
    down, up = _minorant(values), _majorant(values)
    low, high, found = 0, n - 1, 1.0
    while True:
        convex = _chain(high, low, down)
        concave = _chain(low, high, up)
        gap, at, to = _widest(values, convex, concave)
        if gap < found:
            break
        left = [_above(values, convex[j + 1], convex[j]) for j in range(at, len(convex) - 1)]
        right = [_below(values, concave[j], concave[j + 1]) for j in range(to, len(concave) - 1)]
        found = max([found, *left, *right])
        if (low, high) == (convex[at], concave[to]):
            break
        low, high = convex[at], concave[to]
    return found / (2 * n)


def p_of(statistic: float, n: int) -> float | None:
    """Share of uniform samples with a dip as large, interpolated in the table; None below four values."""
    if n < 4:
        return None
    value = float(np.sqrt(n)) * statistic
    sizes = np.array(sorted(QUANTILES), dtype=float)
    table = np.array([QUANTILES[int(size)] for size in sizes]) / 10_000
    place = np.sqrt(min(float(n), sizes[-1]))
    row = np.array([np.interp(place, np.sqrt(sizes), column) for column in table.T])
    ends = np.r_[0.0, row, row[-1] * 1.25]
    steps = np.r_[0.0, SHARES, 1.0]
    # Of equal quantiles (few values) the highest share counts.
    keep = np.r_[np.diff(ends) > 0, True]
    return float(1 - np.interp(value, ends[keep], steps[keep]))


def _minorant(x: list[float]) -> list[int]:
    """The previous corner of the greatest convex minorant of the cumulated counts up to each value."""
    back = [0] * len(x)
    for j in range(1, len(x)):
        at = j - 1
        while at != 0:
            before = back[at]
            if (x[j] - x[at]) * (at - before) < (x[at] - x[before]) * (j - at):
                break
            at = before
        back[j] = at
    return back


def _majorant(x: list[float]) -> list[int]:
    """The next corner of the least concave majorant from each value on."""
    last = len(x) - 1
    ahead = [last] * len(x)
    for k in range(last - 1, -1, -1):
        at = k + 1
        while at != last:
            after = ahead[at]
            if (x[k] - x[at]) * (at - after) < (x[at] - x[after]) * (k - at):
                break
            at = after
        ahead[k] = at
    return ahead


def _chain(start: int, end: int, next_of: list[int]) -> list[int]:
    out = [start]
    while out[-1] != end:
        out.append(next_of[out[-1]])
    return out


def _widest(x: list[float], convex: list[int], concave: list[int]) -> tuple[float, int, int]:
    """Where majorant and minorant lie furthest apart: the distance in counts and the corners beside it.

    `convex` runs down from the high end, `concave` up from the low end.
    """
    if len(convex) == 2 and len(concave) == 2:
        return 1.0, 1, 1
    at, to = len(convex) - 1, len(concave) - 1
    i, j, gap = len(convex) - 2, 1, 0.0
    while True:
        g, c = convex[i], concave[j]
        if g > c:
            start = convex[i + 1]
            away = (c - start + 1) - (x[c] - x[start]) * (g - start) / (x[g] - x[start])
            j += 1
            if away >= gap:
                gap, at, to = away, i + 1, j - 1
        else:
            start = concave[j - 1]
            away = (x[g] - x[start]) * (c - start) / (x[c] - x[start]) - (g - start - 1)
            i -= 1
            if away >= gap:
                gap, at, to = away, i + 1, j
        i, j = max(i, 0), min(j, len(concave) - 1)
        if convex[i] == concave[j]:
            return gap, at, to


def _above(x: list[float], start: int, end: int) -> float:
    """How far the cumulated counts rise above the straight piece of the minorant."""
    if end - start <= 1 or x[end] == x[start]:
        return 1.0
    slope = (end - start) / (x[end] - x[start])
    part = np.array(x[start : end + 1])
    return float(max(1.0, np.max(np.arange(1, part.size + 1) - (part - x[start]) * slope)))


def _below(x: list[float], start: int, end: int) -> float:
    """How far they fall below the straight piece of the majorant."""
    if end - start <= 1 or x[end] == x[start]:
        return 1.0
    slope = (end - start) / (x[end] - x[start])
    part = np.array(x[start : end + 1])
    return float(max(1.0, np.max((part - x[start]) * slope - np.arange(-1, part.size - 1))))
