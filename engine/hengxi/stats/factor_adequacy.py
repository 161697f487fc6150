"""Is a correlation matrix fit for factoring, and how many factors: KMO, Bartlett's sphericity, parallel analysis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize, stats

from hengxi.stats.moments import Floats


@dataclass(frozen=True, slots=True)
class Adequacy:
    """`kmo` of all and `msa` of each variable (Kaiser & Rice, 1974); Bartlett's χ² (1950) against the identity."""

    kmo: float
    msa: Floats
    chi2: float
    df: int
    p: float


def adequacy(r: Floats, n: int) -> Adequacy:
    """`r` must be positive definite."""
    size = len(r)
    inverse = np.linalg.inv(r)
    scale = np.sqrt(np.diag(inverse))
    partial = inverse / np.outer(scale, scale)
    squares, rests = r**2, partial**2
    np.fill_diagonal(squares, 0.0)
    np.fill_diagonal(rests, 0.0)
    own, left = squares.sum(axis=1), rests.sum(axis=1)
    df = size * (size - 1) // 2
    chi2 = max(0.0, -(n - 1 - (2 * size + 5) / 6) * float(np.linalg.slogdet(r)[1]))
    with np.errstate(invalid="ignore", divide="ignore"):
        msa = np.where(own + left > 0, own / (own + left), 0.5)
        whole = float(own.sum() + left.sum())
    kmo = float(own.sum()) / whole if whole > 0 else 0.5
    return Adequacy(kmo, msa, chi2, df, float(stats.chi2.sf(chi2, df)))


@dataclass(frozen=True, slots=True)
class Parallel:
    """Eigenvalues of correlation matrices of independent normal variables: their mean and upper quantile (type 7)."""

    mean: Floats
    high: Floats


def parallel(n: int, p: int, rng: np.random.Generator, times: int = 100, quantile: float = 0.95) -> Parallel:
    """Horn (1965). The cross-products of n normal cases are drawn at once, from their Wishart distribution
    (Bartlett's decomposition): the same distribution as simulating every case, at no cost in n. Needs n > p."""
    drawn = np.empty((times, p))
    below = np.tril_indices(p, -1)
    df = n - 1 - np.arange(p)
    for k in range(times):
        root = np.zeros((p, p))
        root[np.diag_indices(p)] = np.sqrt(rng.chisquare(df))
        root[below] = rng.standard_normal(below[0].size)
        root /= np.sqrt(np.sum(root**2, axis=1))[:, None]
        drawn[k] = np.linalg.eigvalsh(root @ root.T)[::-1]
    return Parallel(drawn.mean(axis=0), np.quantile(drawn, quantile, axis=0))


def partials(r: Floats) -> Floats:
    """Velicer (1976): mean squared partial correlation after taking out 0, 1, … p − 2 principal components."""
    p = len(r)
    values, vectors = np.linalg.eigh(r)
    loadings = (vectors * np.sqrt(np.maximum(values, 0.0)))[:, ::-1]
    found = np.full(p - 1, np.inf)
    for m in range(p - 1):
        rest = r - loadings[:, :m] @ loadings[:, :m].T
        own = np.diag(rest)
        if own.min() <= 1e-10:
            break
        squares = rest**2 / np.outer(own, own)
        found[m] = (squares.sum() - p) / (p * (p - 1))
    return found


@dataclass(frozen=True, slots=True)
class Fit:
    """Of a maximum likelihood solution; what has no degrees of freedom is None. `rmsr`: of the off-diagonal residuals.

    χ² with Bartlett's factor; RMSEA, TLI and BIC from it (Steiger & Lind, 1980; Tucker & Lewis, 1973).
    """

    chi2: float
    df: int
    p: float | None
    rmsea: float | None
    rmsea_low: float | None
    rmsea_high: float | None
    tli: float | None
    bic: float


def likelihood_fit(criterion: float, r: Floats, m: int, n: int) -> Fit:
    """`criterion`: the minimum of F. The 90 % interval of RMSEA from the noncentral χ² (Browne & Cudeck, 1992)."""
    p = len(r)
    df = ((p - m) ** 2 - p - m) // 2
    factor = n - 1 - (2 * p + 5) / 6 - 2 * m / 3
    chi2 = max(0.0, factor * criterion)
    if df == 0:
        return Fit(chi2, 0, None, None, None, None, None, chi2)
    null = -float(np.linalg.slogdet(r)[1])
    inside, whole = criterion / df, 2 * null / (p * (p - 1))
    tli = (whole - inside) / (whole - 1 / factor) if factor > 0 and whole != 1 / factor else None
    rmsea, low, high = (
        float(np.sqrt(max(0.0, away) / (df * (n - 1))))
        for away in (chi2 - df, _noncentrality(chi2, df, 0.95), _noncentrality(chi2, df, 0.05))
    )
    p_value = float(stats.chi2.sf(chi2, df))
    return Fit(chi2, df, p_value, rmsea, low, high, tli, chi2 - df * float(np.log(n)))


def _noncentrality(chi2: float, df: int, share: float) -> float:
    """The noncentrality at which this share of the distribution lies below χ²; 0 if even the central one has less."""
    if stats.chi2.cdf(chi2, df) <= share:
        return 0.0
    top = chi2 + 10 * float(np.sqrt(chi2)) + 100
    return float(optimize.brentq(lambda x: stats.ncx2.cdf(chi2, df, x) - share, 1e-12, top, xtol=1e-12, rtol=1e-14))


def root_mean_residual(r: Floats, implied: Floats) -> float:
    rest = r - implied
    np.fill_diagonal(rest, 0.0)
    return float(np.sqrt(np.sum(rest**2) / (len(r) * (len(r) - 1))))
