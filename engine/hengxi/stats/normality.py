"""Tests of normality. Each p answers to a published formula, which the report names."""

from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from hengxi.stats.moments import Floats, Moments, Ordered, expand, moments

SHAPIRO_MOST = 5000
"""Royston's approximation (AS R94) is fitted to 3..5000."""
TESTED_MOST = 50_000
"""Above this every small deviation has a tiny p: shape is judged by skewness and kurtosis alone."""


@dataclass(frozen=True, slots=True)
class Normality:
    name: str
    statistic: float
    p: float


def normality(x: Floats, counts: Floats | None = None) -> Normality | None:
    """Shapiro-Wilk up to 5000 cases, Lilliefors up to 50,000; None above, and where neither is defined."""
    n = int(x.size if counts is None else round(float(counts.sum())))
    if n < 3 or n > TESTED_MOST or float(x.min()) == float(x.max()):
        return None
    if n <= SHAPIRO_MOST:
        return shapiro(expand(x, counts))
    return lilliefors(x, counts)


# Royston's polynomials (AS R94, 1995), lowest power first.
_LAST, _NEXT = (0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056), (
    0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633,
)  # fmt: skip
_SMALL_MEAN, _SMALL_SD = (0.544, -0.39978, 0.025054, -6.714e-4), (1.3822, -0.77857, 0.062767, -0.0020322)
_MEAN, _SD = (-1.5861, -0.31082, -0.083751, 0.0038915), (-0.4803, -0.082676, 0.0030302)
_BOUND = (-2.273, 0.459)
_SMALL = 11
_poly = np.polynomial.polynomial.polyval


def shapiro(x: Floats) -> Normality:
    """W with normal scores in double precision, as R's; SciPy takes them from a formula of seven digits."""
    m = moments(x)
    z = np.sort(standardise(x, m.mean, m.sd))
    n = z.size
    weights = _shapiro_weights(n)
    z -= z.mean()
    # 1 − W directly: W is close to 1, and its p reads the difference.
    size = float(np.sqrt(np.dot(z, z)))
    along = float(np.dot(weights, z)) / (size * float(np.sqrt(np.dot(weights, weights))))
    rest = max((1 - along) * (1 + along), 0.0)
    return Normality("Shapiro-Wilk", 1 - rest, _shapiro_p(rest, n))


def _shapiro_weights(n: int) -> Floats:
    """Coefficients of the ordered cases; they need not have length 1."""
    if n == 3:
        return np.array([-1.0, 0.0, 1.0])
    scores = special.ndtri((np.arange(1, n + 1) - 0.375) / (n + 0.25))
    squares, root = float(np.dot(scores, scores)), 1 / float(np.sqrt(n))
    ends = [_poly(root, c) + scores[-1 - i] / np.sqrt(squares) for i, c in enumerate((_LAST, _NEXT)[: 1 + (n > 5)])]
    inner = slice(len(ends), n - len(ends))
    weights = scores / 1.0
    outer = 2 * sum(scores[-1 - i] ** 2 for i in range(len(ends)))
    weights[inner] /= np.sqrt((squares - outer) / (1 - 2 * sum(end**2 for end in ends)))
    for i, end in enumerate(ends):
        weights[i], weights[-1 - i] = -end, end
    return np.asarray(weights)


def _shapiro_p(rest: float, n: int) -> float:
    if n == 3:
        return max(0.0, 6 / np.pi * (float(np.arcsin(np.sqrt(1 - rest))) - np.pi / 3))
    with np.errstate(divide="ignore"):
        y = float(np.log(rest))
    if n <= _SMALL:
        bound = _poly(n, _BOUND)
        if y >= bound:
            return 0.0
        y, mean, sd = -float(np.log(bound - y)), _poly(n, _SMALL_MEAN), np.exp(_poly(n, _SMALL_SD))
    else:
        mean, sd = _poly(np.log(n), _MEAN), np.exp(_poly(np.log(n), _SD))
    return float(special.ndtr(-(y - mean) / sd))


def standardise(x: Floats, mean: float, sd: float) -> Floats:
    with np.errstate(over="ignore", under="ignore"):
        if 1e-150 < sd < 1e150:
            plain: Floats = (x - mean) / sd
            return plain
        up = int(np.frexp(sd)[1])
        scaled: Floats = (np.ldexp(x, -up) - np.ldexp(mean, -up)) / float(np.ldexp(sd, -up))
        return scaled


def lilliefors(x: Floats, counts: Floats | None = None) -> Normality:
    """Distance to the fitted normal; p by Dallal & Wilkinson (1986), above .1 by Stephens (1974).

    The corrected tables of statsmodels are off by up to 39 % between .1 and .2; these two formulas are R's
    (nortest). Needs n > 4.
    """
    m = moments(x, counts)
    found = Ordered.of(x, counts)
    cdf = special.ndtr(standardise(found.rows.parts((0, x.size))[0], m.mean, m.sd))
    ends = np.arange(1, x.size + 1, dtype=float) if found.ends is None else found.ends
    starts = np.concatenate(([0.0], ends[:-1]))
    d = float(max(np.max(ends / m.n - cdf), np.max(cdf - starts / m.n)))
    return Normality("Lilliefors", d, lilliefors_p(d, m.n))


def lilliefors_p(d: float, n: int) -> float:
    near, size = (d, float(n)) if n <= 100 else (d * (n / 100) ** 0.49, 100.0)
    shifted = size + 2.78019
    p = float(
        np.exp(
            -7.01256 * near**2 * shifted
            + 2.99587 * near * np.sqrt(shifted)
            - 0.122119
            + 0.974598 / np.sqrt(size)
            + 1.67997 / size
        )
    )
    if p <= 0.1:
        return p
    k = (np.sqrt(n) - 0.01 + 0.85 / np.sqrt(n)) * d
    pieces = (
        (0.302, (1.0,)),
        (0.5, (2.76773, -19.828315, 80.709644, -138.55152, 81.218052)),
        (0.9, (-4.901232, 40.662806, -97.490286, 94.029866, -32.355711)),
        (1.31, (6.198765, -19.558097, 23.186922, -12.234627, 2.423045)),
    )
    for end, coefficients in pieces:
        if k <= end:
            return float(np.polynomial.polynomial.polyval(k, coefficients))
    return 0.0


def jarque_bera(m: Moments) -> Normality | None:
    """n/6 (S² + K²/4) with moments divided by n (Jarque & Bera 1987); None where they are not defined (n < 4)."""
    if m.skewness is None or m.kurtosis is None:
        return None
    n = float(m.n)
    s = m.skewness * (n - 2) / float(np.sqrt(n * (n - 1)))
    k = (m.kurtosis * (n - 2) * (n - 3) / (n - 1) - 6) / (n + 1)
    value = n / 6 * (s**2 + k**2 / 4)
    return Normality("Jarque-Bera", value, float(stats.chi2.sf(value, 2)))
