"""Ranks of two and more samples and of differences: exact permutation distributions with ties, normal approximations,
Hodges-Lehmann estimates with intervals, rank-biserial correlation.

Everything works on distinct values with counts, so that a frequency of 3 is the value written three times, and a
million answers on a scale of five cost no more than five.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special, stats

from hengxi.stats.effect_size import Effect
from hengxi.stats.moments import Floats
from hengxi.stats.multiple import range_tail
from hengxi.stats.parted import Sample
from hengxi.stats.two_groups import Alternative

EXACT_MOST = 50
"""Below this size of both samples (of the non-zero differences) a p is exact unless told otherwise."""
WORK_MOST = 4e8
"""Additions an exact distribution may take; about half a second."""
PAIRS_MOST = 2_000_000
"""Differences that are written down to pick some of them by rank."""
SHIFT_MOST = 50_000
"""Cases up to which the Hodges-Lehmann estimate is computed."""
DRAWS = 10_000
DRAWN_MOST = 1e8
"""Cells that Monte Carlo draws may take."""


@dataclass(frozen=True)
class RankTable:
    """Distinct values in ascending order, and how many cases of each sample have them (samples × values)."""

    values: Floats
    counts: Floats

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> RankTable:
        if any(f is not None for _, f in samples):
            values, place = np.unique(np.concatenate([x for x, _ in samples]), return_inverse=True)
            ends = np.cumsum([x.size for x, _ in samples])[:-1]
            parts = zip(np.split(place, ends), samples, strict=True)
            counts = [np.bincount(at, weights=f, minlength=values.size).astype(float) for at, (_, f) in parts]
            return cls(values, np.array(counts))
        parts_of = [x for x, _ in samples]
        whole = _whole_counts(parts_of)
        if whole is not None:
            return cls(*whole)
        # Sorting plain values and looking the distinct ones up is quicker than sorting places.
        every = np.sort(np.concatenate(parts_of))
        first_of = np.flatnonzero(np.concatenate(([True], every[1:] != every[:-1])))
        values = every[first_of]
        rows = [np.diff(np.searchsorted(np.sort(x), values, side="right"), prepend=0) for x in parts_of[:-1]]
        last = np.diff(first_of, append=every.size) - sum(rows)
        return cls(values, np.array([*rows, last], dtype=float))

    @cached_property
    def sizes(self) -> Floats:
        return np.asarray(self.counts.sum(axis=1))

    @cached_property
    def together(self) -> Floats:
        """Cases of all samples at each value."""
        return np.asarray(self.counts.sum(axis=0))

    @cached_property
    def n(self) -> int:
        return round(float(self.sizes.sum()))

    @cached_property
    def midranks(self) -> Floats:
        if self.values.size == self.n:
            return np.arange(1.0, self.n + 1)
        ends = np.cumsum(self.together)
        return np.asarray(ends - (self.together - 1) / 2)

    @cached_property
    def rank_sums(self) -> Floats:
        return np.asarray(self.counts @ self.midranks)

    @cached_property
    def tie_term(self) -> float:
        """Σ (t³ − t) over groups of tied cases."""
        if self.values.size == self.n:
            return 0.0
        t = self.together[self.together > 1]
        return float(np.sum(t * t * t - t))

    @property
    def tied(self) -> int:
        """Cases that share their value with another."""
        if self.values.size == self.n:
            return 0
        return round(float(self.together[self.together > 1].sum()))

    @property
    def rank_variance(self) -> float:
        """Σ (rank − mean rank)² / (n − 1)."""
        n = float(self.n)
        return (n * (n + 1) / 12) - self.tie_term / (12 * (n - 1))


WIDE = 1 << 16


def _whole_counts(samples: Sequence[Floats]) -> tuple[Floats, Floats] | None:
    """Distinct values and counts of whole numbers that lie close together (scores, ages), by counting; else None."""
    least, most = min(float(x.min()) for x in samples), max(float(x.max()) for x in samples)
    if not most - least < WIDE or any(x.size < WIDE for x in samples) or float(least) != int(least):
        return None
    places = [(x - least).astype(np.int32) for x in samples]
    if any(bool((p != x - least).any()) for p, x in zip(places, samples, strict=True)):
        return None
    counts = np.array([np.bincount(p, minlength=int(most - least) + 1) for p in places], dtype=float)
    held = np.flatnonzero(counts.sum(axis=0))
    return np.asarray(held + least, dtype=float), np.asarray(counts[:, held])


@dataclass(frozen=True)
class KruskalWallis:
    """H with ties corrected, and the p of its χ² approximation."""

    H: float
    df: int
    p: float


def kruskal_wallis(table: RankTable) -> KruskalWallis:
    """H = Σ n (mean rank − (N + 1)/2)² / the variance of the ranks; needs two values that differ."""
    means = table.rank_sums / table.sizes
    h = float(np.dot(table.sizes, (means - (table.n + 1) / 2) ** 2)) / table.rank_variance
    df = table.sizes.size - 1
    return KruskalWallis(h, df, float(stats.chi2.sf(h, df)))


@dataclass(frozen=True)
class PairOfRanks:
    """Two of several samples: places, mean rank difference, its se, the statistic and its p before adjusting."""

    first: int
    second: int
    difference: float
    se: float | None
    statistic: float
    p: float


def compared(table: RankTable, how: str) -> list[PairOfRanks]:
    """All pairs. `dunn` (1964, z), `conover` (Conover & Iman 1979, t), `dscf` (q of Dwass, Steel, Critchlow & Fligner),
    `pairwise_mw` (z of each pair's own ranks)."""
    k, n = table.sizes.size, table.n
    means, variance = table.rank_sums / table.sizes, table.rank_variance
    h = kruskal_wallis(table).H
    found = []
    for i in range(k):
        for j in range(i + 1, k):
            a, b = float(table.sizes[i]), float(table.sizes[j])
            if how in ("dunn", "conover"):
                factor = 1.0 if how == "dunn" else (n - 1 - h) / (n - k)
                se = float(np.sqrt(variance * factor * (1 / a + 1 / b)))
                gap = float(means[i] - means[j])
                z = gap / se if se > 0 else float(np.sign(gap)) * np.inf
                p = normal_p(z, "two_sided") if how == "dunn" else float(2 * stats.t.sf(abs(z), n - k))
                found.append(PairOfRanks(i, j, gap, se, z, p))
                continue
            own = RankTable(table.values, table.counts[[i, j]])
            spread = float(np.sqrt(a * b / own.n * own.rank_variance))
            gap = float(own.rank_sums[0] / a - own.rank_sums[1] / b)
            z = (float(own.rank_sums[0]) - a * (own.n + 1) / 2) / spread if spread > 0 else 0.0
            if how == "dscf":
                q = float(np.sqrt(2)) * z
                found.append(PairOfRanks(i, j, gap, None, q, float(range_tail(np.array([abs(q)]), k)[0])))
            else:
                found.append(PairOfRanks(i, j, gap, None, z, normal_p(z, "two_sided")))
    return found


# ---- exact distributions ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Tails:
    """P(S ≤ s), P(S ≥ s), and P(|S − E S| ≥ |s − E S|) as a two-sided p."""

    lower: float
    upper: float
    both: float

    def of(self, alternative: Alternative) -> float:
        p = {"greater": self.upper, "less": self.lower}.get(alternative, self.both)
        return min(1.0, p)


def _tails(weights: Floats, observed: int) -> Tails:
    """`weights[s]`: how many arrangements have the sum s."""
    total = float(weights.sum())
    at = np.arange(weights.size)
    mean = float(np.dot(weights, at)) / total
    far = np.abs(at - mean) >= abs(observed - mean) - 1e-9 * max(1.0, mean)
    lower, upper = float(weights[: observed + 1].sum()), float(weights[observed:].sum())
    return Tails(lower / total, upper / total, float(weights[far].sum()) / total)


def exact_sum(scores: Floats, size: int, observed: float) -> Tails | None:
    """The sum of `size` scores drawn without replacement (Streitberg & Röhmel 1986); scores are multiples of ½.

    None where it would take too long.
    """
    doubled = np.rint(2 * np.asarray(scores)).astype(np.int64)
    wanted, whole = round(2 * observed), int(doubled.sum())
    mirrored = 2 * size > doubled.size
    if mirrored:
        size, wanted = doubled.size - size, whole - wanted
    shift = int(doubled.min())
    doubled, wanted = doubled - shift, wanted - shift * size
    top = int(np.sort(doubled)[doubled.size - size :].sum()) if size else 0
    if float(doubled.size) * size * (top + 1) > WORK_MOST:
        return None
    ways = np.zeros((size + 1, top + 1))
    ways[0, 0] = 1.0
    for score in doubled.tolist():
        if score > top:
            continue
        ways[1:, score:] += ways[:-1, : top + 1 - score].copy()
    found = _tails(ways[size], wanted)
    return Tails(found.upper, found.lower, found.both) if mirrored else found


def exact_signs(scores: Floats, observed: float) -> Tails | None:
    """The sum of those scores whose sign is positive, each sign with chance ½; None where it would take too long."""
    doubled = np.rint(2 * np.asarray(scores)).astype(np.int64)
    top = int(doubled.sum())
    if float(doubled.size) * (top + 1) > WORK_MOST:
        return None
    chance = np.zeros(top + 1)
    chance[0] = 1.0
    for score in doubled.tolist():
        moved = np.zeros_like(chance)
        moved[score:] = chance[: top + 1 - score]
        chance = (chance + moved) / 2
    return _tails(chance, round(2 * observed))


def normal_p(z: float, alternative: Alternative) -> float:
    if alternative == "greater":
        return float(special.ndtr(-z))
    if alternative == "less":
        return float(special.ndtr(z))
    return float(min(1.0, 2 * special.ndtr(-abs(z))))


def z_of(deviation: float, spread: float, alternative: Alternative, correction: float = 0.0) -> float:
    """`correction`: ½ moves the statistic towards its expectation."""
    if correction:
        toward = {"greater": correction, "less": -correction}.get(alternative, float(np.sign(deviation)) * correction)
        deviation -= toward
    return deviation / spread


# ---- two samples --------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class RankSum:
    """`u`: pairs in which the first is larger, ties half; `w`: rank sum of the first; `p` by the way `how` says."""

    u: float
    w: float
    z: float | None
    asymptotic: float
    exact: float | None
    """The exact p, where it was asked for or the samples are small."""
    plain_z: float | None
    """Without continuity correction."""


def rank_sum(table: RankTable, alternative: Alternative, *, exact: bool, continuity: bool = False) -> RankSum:
    """Mann-Whitney of two samples. Normal approximation with ties corrected; `exact`: the permutation distribution."""
    (m, n), w = table.sizes.tolist(), float(table.rank_sums[0])
    u = w - m * (m + 1) / 2
    spread = float(np.sqrt(m * n / table.n * table.rank_variance)) if table.values.size > 1 else 0.0
    z = z_of(u - m * n / 2, spread, alternative, 0.5 * continuity) if spread > 0 else None
    tails = None
    if exact:
        tails = exact_sum(np.repeat(table.midranks, np.rint(table.together).astype(np.int64)), round(m), w)
    p = normal_p(z, alternative) if z is not None else 1.0
    plain = (u - m * n / 2) / spread if spread > 0 else None
    return RankSum(u, w, z, p, tails.of(alternative) if tails else None, plain)


def draw_sums(table: RankTable, rng: np.random.Generator, draws: int = DRAWS) -> Floats | None:
    """Rank sums of the samples (draws × samples) when the cases are shared out at random; None where too large."""
    sizes = np.rint(table.sizes).astype(np.int64).tolist()
    if (3 * table.values.size if len(sizes) == 2 else table.n) * draws > DRAWN_MOST or table.n > 10**9:
        return None
    left = np.rint(table.together).astype(np.int64)
    sums = np.empty((draws, len(sizes)))
    if len(sizes) == 2:
        first = rng.multivariate_hypergeometric(left, sizes[0], size=draws, method="marginals") @ table.midranks
        return np.column_stack((first, float(table.rank_sums.sum()) - first))
    ranks = np.repeat(table.midranks, left)
    ends = np.cumsum([0, *sizes[:-1]])
    for i in range(draws):
        sums[i] = np.add.reduceat(rng.permutation(ranks), ends)
    return sums


def share_at_least(hits: int, draws: int, level: float = 0.99) -> tuple[float, float, float]:
    """(hits + 1) / (draws + 1) (Phipson & Smyth 2010) and the Clopper-Pearson interval of the true p."""
    a = (1 - level) / 2
    low = float(stats.beta.ppf(a, hits, draws - hits + 1)) if hits else 0.0
    high = float(stats.beta.ppf(1 - a, hits + 1, draws - hits)) if hits < draws else 1.0
    return (hits + 1) / (draws + 1), low, high


def drawn_p(sums: Floats, observed: float, middle: float, alternative: Alternative) -> tuple[float, float, float]:
    room = 1e-9 * max(1.0, abs(middle))
    far = {"greater": sums >= observed - room, "less": sums <= observed + room}.get(
        alternative, np.abs(sums - middle) >= abs(observed - middle) - room
    )
    return share_at_least(int(far.sum()), sums.size)


def rank_biserial(u: float, m: float, n: float, alternative: Alternative, level: float) -> Effect:
    """2u/(mn) − 1, which is Cliff's δ; interval by Fisher's z with se √((m + n + 1)/(3mn)) (as effectsize)."""
    return fisher_interval(2 * u / (m * n) - 1, float(np.sqrt((m + n + 1) / (3 * m * n))), alternative, level)


def fisher_interval(r: float, se: float, alternative: Alternative, level: float) -> Effect:
    """The bounds of a correlation by Fisher's z; NaN where it is ±1, which has no such interval."""
    if abs(r) >= 1:
        return Effect(r, np.nan, np.nan)
    alpha = (1 - level) / (2 if alternative == "two_sided" else 1)
    half = float(stats.norm.isf(alpha)) * se
    middle = float(np.arctanh(r))
    low = -1.0 if alternative == "less" else float(np.tanh(middle - half))
    high = 1.0 if alternative == "greater" else float(np.tanh(middle + half))
    return Effect(r, low, high)


def brunner_munzel(table: RankTable, alternative: Alternative) -> tuple[float, float, float] | None:
    """W, df and p of Brunner & Munzel (2000); positive where the first tends to be larger. None without spread."""
    (m, n) = table.sizes.tolist()
    inner = [RankTable(table.values, row[None, :]).midranks for row in table.counts]
    means = table.rank_sums / table.sizes
    spreads = []
    for counts, own, mean, size in zip(table.counts, inner, means, (m, n), strict=True):
        gap = table.midranks - own - mean + (size + 1) / 2
        held = counts > 0
        spreads.append(float(np.dot(counts[held], gap[held] ** 2)) / (size - 1) if size > 1 else 0.0)
    s = m * spreads[0] + n * spreads[1]
    if s <= 0 or min(m, n) < 2:
        return None
    w = m * n * float(means[0] - means[1]) / ((m + n) * float(np.sqrt(s)))
    df = s**2 / ((m * spreads[0]) ** 2 / (m - 1) + (n * spreads[1]) ** 2 / (n - 1))
    p = {"greater": stats.t.sf(w, df), "less": stats.t.cdf(w, df)}.get(alternative, 2 * stats.t.sf(abs(w), df))
    return w, float(df), float(min(1.0, p))


# ---- one sample of differences -----------------------------------------------------------------------------------
@dataclass(frozen=True)
class SignedRank:
    """Sums of the ranks of positive and negative differences; `zeros` are left out or ranked first (Pratt)."""

    positive: float
    negative: float
    n_positive: int
    n_negative: int
    zeros: int
    z: float | None
    asymptotic: float
    exact: float | None
    tied: int
    spread: float

    @property
    def n(self) -> int:
        """Differences that are not 0."""
        return self.n_positive + self.n_negative


def signed_rank(
    sample: Sample, alternative: Alternative, *, pratt: bool = False, exact: bool = False, continuity: bool = False
) -> SignedRank:
    """Wilcoxon's test of differences; normal approximation with ties corrected."""
    d, f = sample
    f = np.ones(d.size) if f is None else f
    size, sign = np.abs(d), np.sign(d)
    values, place = np.unique(size, return_inverse=True)
    zeros = float(f[sign == 0].sum())
    counts = np.bincount(place, weights=f, minlength=values.size)
    if values[0] == 0 and not pratt:
        counts[0] = 0
    ranks = np.cumsum(counts) - (counts - 1) / 2
    if values[0] == 0:
        counts[0] = 0
    up = np.bincount(place, weights=f * (sign > 0), minlength=values.size)
    down = counts - up
    positive, negative = float(ranks @ up), float(ranks @ down)
    spread = float(np.sqrt(np.dot(counts, ranks**2) / 4))
    z = z_of((positive - negative) / 2, spread, alternative, 0.5 * continuity) if spread > 0 else None
    tails = None
    if exact:
        tails = exact_signs(np.repeat(ranks, np.rint(counts).astype(np.int64)), positive)
    return SignedRank(
        positive, negative, round(float(up.sum())), round(float(down.sum())), round(zeros), z,
        normal_p(z, alternative) if z is not None else 1.0, tails.of(alternative) if tails else None,
        round(float(counts[counts > 1].sum())), spread,
    )  # fmt: skip


def plain_z(test: SignedRank) -> float | None:
    """Z without continuity correction."""
    return (test.positive - test.negative) / 2 / test.spread if test.spread > 0 else None


def matched_biserial(test: SignedRank, alternative: Alternative, level: float) -> Effect:
    """(positive − negative)/their sum (Kerby 2014); interval by Fisher's z with the se of the signed-rank sum."""
    n = float(test.n)
    r = (test.positive - test.negative) / (test.positive + test.negative)
    se = float(np.sqrt((2 * n**3 + 3 * n**2 + n) / 6)) / ((n**2 + n) / 2)
    return fisher_interval(r, se, alternative, level)


# ---- Hodges-Lehmann ----------------------------------------------------------------------------------------------
def _sum_quantiles(n: int, size: int | None, alpha: float) -> int:
    """The largest k with P(U < k) ≤ α without ties: where the interval begins, 0 where none can.

    `size`: of the first sample; None for signed ranks.
    """
    if size is None:
        chance = np.zeros(n * (n + 1) // 2 + 1)
        chance[0] = 1.0
        for rank in range(1, n + 1):
            moved = np.zeros_like(chance)
            moved[rank:] = chance[: chance.size - rank]
            chance = (chance + moved) / 2
        below = np.cumsum(chance)
    else:
        other = n - size
        ways = np.zeros((size + 1, size * other + 1))
        ways[0, 0] = 1.0
        # The number of partitions: each case of the other sample below j of the first adds j pairs.
        for score in range(n):
            row = ways[:-1].copy()
            for j in range(size):
                add = score - j
                if 0 <= add <= size * other:
                    ways[j + 1, add:] += row[j, : size * other + 1 - add]
        below = np.cumsum(ways[size]) / ways[size].sum()
    return int(np.searchsorted(below, alpha * (1 + 1e-12), side="right"))


def _interval_rank(n: int, size: int | None, pairs: float, spread: float, alpha: float, exact: bool) -> int:
    if exact:
        return _sum_quantiles(n, size, alpha)
    middle = pairs / 2 - float(stats.norm.isf(alpha)) * spread
    return int(min(max(round(middle), 1), pairs))


def _ends(low: float, high: float, alternative: Alternative) -> tuple[float, float]:
    return (-np.inf if alternative == "less" else low), (np.inf if alternative == "greater" else high)


def shift(table: RankTable, alternative: Alternative, level: float) -> Effect | None:
    """Median of all differences first − second (Hodges & Lehmann 1963) and the interval that inverts the test.

    None above 50,000 cases with many distinct values; bounds are NaN where the samples are too small for any.
    Exact ranks of the interval below 50 cases in both samples.
    """
    (m, n) = np.rint(table.sizes).astype(np.int64).tolist()
    if table.n > SHIFT_MOST and table.values.size > PAIRS_MOST**0.5:
        return None
    alpha = (1 - level) / (2 if alternative == "two_sided" else 1)
    spread = float(np.sqrt(m * n / table.n * table.rank_variance))
    k = _interval_rank(m + n, m, m * n, spread, alpha, m < EXACT_MOST and n < EXACT_MOST)
    held = [row > 0 for row in table.counts]
    a, b = (table.values[at] for at in held)
    fa, fb = (row[at] for row, at in zip(table.counts, held, strict=True))
    middle = [(m * n + 1) // 2, m * n // 2 + 1]
    ranks = [max(k, 1), *middle, m * n + 1 - max(k, 1)]
    if a.size * b.size <= PAIRS_MOST:
        found = _picked((a[:, None] - b[None, :]).ravel(), (fa[:, None] * fb[None, :]).ravel(), ranks)
    elif table.n > SHIFT_MOST:
        return None
    else:
        ends = np.concatenate(([0.0], np.cumsum(fb)))
        lowest, highest = float(a[0] - b[-1]), float(a[-1] - b[0])
        found = [
            # b ≥ a − t
            _bisected(lambda t: float(np.dot(fa, ends[-1] - ends[np.searchsorted(b, a - t)])), lowest, highest, rank)
            for rank in ranks
        ]
    ends_of = _ends(found[0], found[3], alternative) if k else (np.nan, np.nan)
    return Effect((found[1] + found[2]) / 2, *ends_of)


def centre(sample: Sample, alternative: Alternative, level: float) -> Effect | None:
    """Median of all Walsh averages (xi + xj)/2, i ≤ j, and the interval that inverts the signed-rank test."""
    x, f = sample
    values, place = np.unique(x, return_inverse=True)
    counts = np.bincount(place, weights=f, minlength=values.size).astype(float)
    n = round(float(counts.sum()))
    alpha = (1 - level) / (2 if alternative == "two_sided" else 1)
    pairs = n * (n + 1) // 2
    k = _interval_rank(n, None, pairs, float(np.sqrt(n * (n + 1) * (2 * n + 1) / 24)), alpha, n < EXACT_MOST)
    ranks = [max(k, 1), (pairs + 1) // 2, pairs // 2 + 1, pairs + 1 - max(k, 1)]
    if values.size**2 <= PAIRS_MOST:
        i, j = np.triu_indices(values.size)
        weights = np.where(i == j, counts[i] * (counts[i] + 1) / 2, counts[i] * counts[j])
        found = _picked(values[i] / 2 + values[j] / 2, weights, ranks)
    elif n > SHIFT_MOST:
        return None
    else:
        ends = np.concatenate(([0.0], np.cumsum(counts)))

        def below(t: float) -> float:
            ordered = float(np.dot(counts, ends[np.searchsorted(values, 2 * t - values, side="right")]))
            own = float(counts[values <= t].sum())
            return (ordered + own) / 2

        found = [_bisected(below, float(values[0]), float(values[-1]), rank) for rank in ranks]
    ends_of = _ends(found[0], found[3], alternative) if k else (np.nan, np.nan)
    return Effect((found[1] + found[2]) / 2, *ends_of)


def _picked(values: Floats, weights: Floats, ranks: Sequence[int]) -> list[float]:
    """The values of these ranks (from 1), each standing for `weights` cases."""
    if bool((weights == 1).all()):
        at = sorted({rank - 1 for rank in ranks})
        part = np.partition(values, at)
        return [float(part[rank - 1]) for rank in ranks]
    order = np.argsort(values, kind="stable")
    ends = np.cumsum(weights[order])
    return [float(values[order[int(np.searchsorted(ends, rank - 0.5))]]) for rank in ranks]


def _bisected(below: object, low: float, high: float, rank: int) -> float:
    """The smallest t of which at least `rank` values are not larger; as exact as doubles are."""
    count = below
    assert callable(count)
    for _ in range(200):
        middle = low / 2 + high / 2
        if middle in (low, high):
            break
        if count(middle) >= rank:
            high = middle
        else:
            low = middle
    return high
