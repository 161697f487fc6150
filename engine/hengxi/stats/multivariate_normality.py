"""Tests of joint normality: Mardia, Henze-Zirkler, Royston, energy. `z`: rows × variables, whitened."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from hengxi.stats.moments import Floats

BLOCK = 1 << 14


@dataclass(frozen=True, slots=True)
class Test:
    name: str
    value: float | None
    """The coefficient a statistic is made of (b₁ₚ, b₂ₚ)."""
    statistic: float
    df: float | None
    p: float


def whitened(x: Floats, r: Floats) -> Floats:
    """Standard scores (n in the divisor) whose correlations are `r`, made uncorrelated with variance 1."""
    found: Floats = np.linalg.solve(np.linalg.cholesky(r), x.T).T
    return found


def mardia(z: Floats) -> list[Test]:
    """Mardia (1970): b₁ₚ as the squared third moments of whitened scores, which needs no table of all pairs of rows.

    The second skewness has his correction for small samples (1974).
    """
    n, p = z.shape
    cubes = np.zeros((p, p, p))
    for start in range(0, n, BLOCK):
        part = z[start : start + BLOCK]
        for a in range(p):
            cubes[a] += (part * part[:, a : a + 1]).T @ part
    b1 = float(np.sum((cubes / n) ** 2))
    b2 = float(np.mean(np.sum(z * z, axis=1) ** 2))
    df = p * (p + 1) * (p + 2) / 6
    small = (p + 1) * (n + 1) * (n + 3) / (n * ((n + 1) * (p + 1) - 6))
    plain, corrected = n * b1 / 6, n * small * b1 / 6
    kurtosis = (b2 - p * (p + 2)) / float(np.sqrt(8 * p * (p + 2) / n))
    return [
        Test("Mardia 偏度", b1, plain, df, float(stats.chi2.sf(plain, df))),
        Test("Mardia 偏度（小样本校正）", b1, corrected, df, float(stats.chi2.sf(corrected, df))),
        Test("Mardia 峰度", b2, kurtosis, None, float(2 * special.ndtr(-abs(kurtosis)))),
    ]


def henze_zirkler(z: Floats) -> Test:
    """Henze & Zirkler (1990), p by the lognormal distribution of the same mean and variance."""
    n, p = z.shape
    b2 = ((2 * p + 1) * n / 4) ** (2 / (p + 4)) / 2
    size = np.sum(z * z, axis=1)
    pairs = 0.0
    rows = max(1, 4_000_000 // n)
    for start in range(0, n, rows):
        square = size[start : start + rows, None] + size[None, :] - 2 * z[start : start + rows] @ z.T
        pairs += float(np.exp(-b2 / 2 * np.maximum(square, 0)).sum())
    alone = float(np.exp(-b2 / (2 * (1 + b2)) * size).sum())
    value = pairs / n - 2 * (1 + b2) ** (-p / 2) * alone + n * (1 + 2 * b2) ** (-p / 2)
    a, w, b4 = 1 + 2 * b2, (1 + b2) * (1 + 3 * b2), b2**2
    mean = 1 - a ** (-p / 2) * (1 + p * b2 / a + p * (p + 2) * b4 / (2 * a**2))
    variance = (
        2 * (1 + 4 * b2) ** (-p / 2)
        + 2 * a ** (-p) * (1 + 2 * p * b4 / a**2 + 3 * p * (p + 2) * b4**2 / (4 * a**4))
        - 4 * w ** (-p / 2) * (1 + 3 * p * b4 / (2 * w) + p * (p + 2) * b4**2 / (2 * w**2))
    )
    spread = np.log(1 + variance / mean**2)
    return Test(
        "Henze-Zirkler", None, value, None, float(special.ndtr(-(np.log(value / mean) + spread / 2) / np.sqrt(spread)))
    )


def royston(p_values: Floats, r: Floats, n: int) -> Test:
    """Royston (1983, 1992): Shapiro-Wilk's p of each variable, joined with equivalent degrees of freedom."""
    p, x = len(r), float(np.log(n))
    parts = special.ndtri(np.maximum(p_values, 1e-300) / 2) ** 2
    v = 0.21364 + 0.015124 * x**2 - 0.0018034 * x**3
    other = r**5 * (1 - 0.715 * (1 - r) ** 0.715 / v)
    np.fill_diagonal(other, 0.0)
    df = p / (1 + (p - 1) * float(other.sum()) / (p * p - p))
    value = df * float(parts.mean())
    return Test("Royston", None, value, df, float(stats.chi2.sf(value, df)))


def energy_statistic(z: Floats) -> float:
    """Székely & Rizzo (2005): n(2 mean E|z − Z| − E|Z − Z'| − mean |z − z'|), Z standard normal."""
    n, p = z.shape
    norms = np.sqrt(np.sum(z * z, axis=1))
    between = 2 * float(np.exp(special.gammaln((p + 1) / 2) - special.gammaln(p / 2)))
    # E|z − Z| by Kummer's function of the squared length.
    to_normal = np.sqrt(2) * np.exp(special.gammaln((p + 1) / 2) - special.gammaln(p / 2)) * special.hyp1f1(
        -0.5, p / 2, -(norms**2) / 2
    )  # fmt: skip
    square = norms[:, None] ** 2 + norms[None, :] ** 2 - 2 * z @ z.T
    inside = float(np.sqrt(np.maximum(square, 0)).sum()) - float(np.sqrt(np.maximum(square.diagonal(), 0)).sum())
    return float(n * (2 * float(to_normal.mean()) - between - inside / n**2))


def energy(z: Floats, times: int, rng: np.random.Generator) -> Test:
    """p by normal samples of the same size, each whitened by its own moments."""
    n, p = z.shape
    value = energy_statistic(z)
    above = 0
    for _ in range(times):
        drawn = rng.standard_normal((n, p))
        drawn -= drawn.mean(axis=0)
        root = np.linalg.cholesky(drawn.T @ drawn / (n - 1))
        above += energy_statistic(np.asarray(np.linalg.solve(root, drawn.T).T, dtype=np.float64)) >= value
    return Test("能量检验", None, value, None, (above + 1) / (times + 1))
