"""Moments, quantiles, normality, intervals and rank tests against R 4.2.2 (numbers made by R, not by us)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate, stats

from hengxi.stats.boxes import box, density, evenly, hinges
from hengxi.stats.effect_size import detectable, noncentral_f_interval, noncentrality
from hengxi.stats.histogram import histogram
from hengxi.stats.moments import Floats, Ordered, expand, median, moments, quantiles
from hengxi.stats.normality import lilliefors, lilliefors_p, normality
from hengxi.stats.proportions import wilson
from hengxi.stats.thin import thin
from hengxi.stats.two_groups import levene, mann_whitney, student, welch

Z: Floats = np.asarray(np.arange(1, 31) * 0.7548776662466927 % 1, dtype=float)


def bent(n: int) -> np.ndarray:
    x = np.arange(1, n + 1) * 0.6180339887498949 % 1
    return np.asarray(stats.norm.ppf(x * 0.998 + 0.001) + 0.15 * x**2)


# ---- NIST NumAcc: one-pass sums have no correct digit here -----------------------------------------------------------
@pytest.mark.parametrize(("base", "step", "n"), [(10000000.2, 0.1, 1001), (1000000.2, 0.1, 1001), (10000001.0, 1.0, 3)])
def test_sd_of_large_numbers_that_differ_little(base: float, step: float, n: int) -> None:
    """NumAcc2–4: 1.2, 1.1, 1.3, 1.1, 1.3, … with a growing origin; checked in rational arithmetic."""
    x = np.array([base] + [base - step, base + step] * ((n - 1) // 2))
    exact = [Fraction(float(v)) for v in x]
    mean = sum(exact) / n
    variance = sum((v - mean) ** 2 for v in exact) / (n - 1)
    found = moments(x)
    assert found.mean == pytest.approx(float(mean), rel=1e-15)
    assert found.sd == pytest.approx(float(variance) ** 0.5, rel=1e-12)


def test_quantiles_and_hinges() -> None:
    at = [0.1, 0.25, 0.5, 0.9]
    six = [0.06048306145898899, 0.23261841278190731, 0.51951066498677068, 0.85047992468187028]
    seven = [0.07609159344840642, 0.26951066498677068, 0.51951066498677068, 0.83487139269245281]
    assert quantiles(Z, at, kind=6) == pytest.approx(six, rel=1e-12)
    assert quantiles(Z, at, kind=7) == pytest.approx(seven, rel=1e-12)
    assert hinges(Ordered.of(Z)) == pytest.approx(
        (0.2646329987400780, 0.5195106649867707, 0.7548776662466927), rel=1e-12
    )


@pytest.mark.parametrize(("x", "d", "p"), [
    (bent(6000), 0.00694839229307298, 0.6884786105390095),
    (bent(6000)[:40], 0.03475387289332788, 1.0),
    (Z, 0.1096239490440052, 0.4730540574608746),
])  # fmt: skip
def test_lilliefors_as_nortest(x: np.ndarray, d: float, p: float) -> None:
    found = lilliefors(x)
    assert (found.statistic, found.p) == pytest.approx((d, p), rel=1e-9)


def test_small_p_of_lilliefors_is_dallal_and_wilkinsons() -> None:
    assert lilliefors_p(0.2, 30) < 0.01 < lilliefors_p(0.15, 30) < 0.1 < lilliefors_p(0.1, 30)


def test_the_test_of_normality_changes_above_five_thousand() -> None:
    names = [found.name for n in (5000, 5001) if (found := normality(bent(n))) is not None]
    assert names == ["Shapiro-Wilk", "Lilliefors"]
    assert normality(np.array([1.0, 2.0])) is None and normality(np.ones(9)) is None


@pytest.mark.parametrize(("t", "df", "delta"), [
    (20, 100, 16.59025711319617), (-3, 8, -5.376176955309091), (0.5, 3, -1.534376297056981),
])  # fmt: skip
def test_noncentrality_of_t(t: float, df: float, delta: float) -> None:
    assert noncentrality(t, df, 0.975) == pytest.approx(delta, rel=1e-8)


def test_noncentrality_beyond_the_reach_of_r() -> None:
    """R approximates for δ > 37.62; the defining integral over the chi-square is the judge there."""
    delta = noncentrality(45, 400, 0.975)

    def weighed(u: float) -> float:
        return float(stats.norm.cdf(45 * np.sqrt(u / 400) - delta) * stats.chi2.pdf(u, 400))

    assert integrate.quad(weighed, 200, 700, epsabs=1e-12, limit=500)[0] == pytest.approx(0.975, rel=1e-8)


@pytest.mark.parametrize(("f", "df1", "df2", "high"), [
    (5, 3, 40, 33.44307201448014), (0.7, 2, 30, 8.290717171868403), (200, 5, 194, 1243.087322332627),
])  # fmt: skip
def test_noncentrality_of_f(f: float, df1: float, df2: float, high: float) -> None:
    assert noncentral_f_interval(f, df1, df2, 0.95)[1] == pytest.approx(high, rel=1e-7)


def test_wilson() -> None:
    assert wilson(3, 17, 0.9) == pytest.approx((0.07281446654706449, 0.36896697806902579), rel=1e-10)
    assert wilson(0, 10, 0.95)[0] == 0 and wilson(10, 10, 0.95)[1] == 1


def test_density_is_close_to_r() -> None:
    # R evaluates on a grid and interpolates; three digits are what the picture needs.
    heights = [pair[1] for pair in density(Ordered.of(Z), moments(Z).sd, points=3)]
    assert heights == pytest.approx([0.6805747587265454, 0.9842710259753205, 0.7408876366386302], rel=2e-3)


def test_one_sided_rank_test_with_ties() -> None:
    a, b = np.array([1.0, 2, 2, 5, 7]), np.array([2.0, 3, 8, 8, 9, 9])
    found = mann_whitney(a, b, None, None, "less")
    assert found.u == 5 and found.p == pytest.approx(0.03207330936720221, rel=1e-10) and not found.exact


def test_frequencies_are_copies_everywhere() -> None:
    rng = np.random.default_rng(1)
    x, z = rng.gamma(2, 3, 40).round(1), rng.gamma(3, 2, 30).round(1)
    fx, fz = rng.integers(1, 4, 40).astype(float), rng.integers(1, 4, 30).astype(float)
    long_x, long_z = expand(x, fx), expand(z, fz)
    assert quantiles(x, [0.1, 0.5, 0.77], fx) == quantiles(long_x, [0.1, 0.5, 0.77])
    assert lilliefors(x, fx).statistic == pytest.approx(lilliefors(long_x).statistic, rel=1e-12)
    assert mann_whitney(x, z, fx, fz, "two_sided") == mann_whitney(long_x, long_z, None, None, "two_sided")
    middles = ((median(x, fx), 0.0), (median(z, fz), 0.0))
    short, long = levene(x, z, fx, fz, middles), levene(long_x, long_z, None, None, middles)
    assert short is not None and long is not None and pytest.approx(long.F, rel=1e-12) == short.F
    a, b = box(Ordered.of(x, fx)), box(Ordered.of(long_x))
    assert (a.low, a.q1, a.median, a.q3, a.high, a.outside) == (b.low, b.q1, b.median, b.q3, b.high, b.outside)
    assert histogram(x, fx).counts.tolist() == histogram(long_x).counts.tolist()
    for test in (student, welch):
        assert test(moments(x, fx), moments(z, fz)).t == pytest.approx(
            test(moments(long_x), moments(long_z)).t, rel=1e-9
        )


def test_whole_numbers_do_not_share_bins_unevenly() -> None:
    likert = np.repeat(np.arange(1.0, 6.0), [17, 16, 16, 31, 16])
    found = histogram(likert)
    assert found.counts.tolist() == [17, 16, 16, 31, 16]
    assert found.edges[0] == 0.5 and found.width == 1
    even = histogram(np.repeat(np.arange(0.0, 101.0), 3))
    inner = even.counts[:-1]
    assert inner.min() == inner.max()


def test_histograms_have_round_edges_and_lose_nothing() -> None:
    for scale in (1e-8, 1.0, 1e7):
        x = np.random.default_rng(4).normal(50, 10, 3000) * scale
        found = histogram(x)
        assert found.counts.sum() == 3000
        mantissa = found.width / 10 ** np.floor(np.log10(found.width) + 1e-9)
        assert min(abs(mantissa - m) for m in (1, 2, 5)) < 1e-6
        assert found.edges[0] <= x.min() and found.edges[-1] >= x.max()


def test_few_of_many_points_keep_the_ends() -> None:
    assert thin(100).size == 100
    assert {0, 999_999, 77} <= set(thin(1_000_000, np.array([77])).tolist())
    values = evenly(Ordered.of(np.arange(10_000.0)))
    assert values.size == 200 and values[0] == 0 and values[-1] == 9999


def test_detectable_effect_has_the_power_it_claims() -> None:
    d = detectable(30, 30, "two_sided", 0.95)
    # R: power.t.test(n = 30, delta = d, strict = TRUE)$power
    assert d == pytest.approx(0.7356211, rel=1e-6)
