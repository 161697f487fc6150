"""Hypotheses about several outcomes at once: Pillai, Wilks, Hotelling-Lawley, Roy; Box's M of several groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from hengxi.stats.moments import Floats

TITLES = {"pillai": "Pillai 迹", "wilks": "Wilks Λ", "hotelling": "Hotelling-Lawley 迹", "roy": "Roy 最大根"}
SINGULAR = 1e-12


@dataclass(frozen=True, slots=True)
class Criterion:
    """`eta`: multivariate partial η². Roy's F is an upper bound where it is not exact, so its p is too small."""

    key: str
    value: float
    F: float
    df1: float
    df2: float
    p: float
    eta: float


def roots(hypothesis: Floats, error: Floats) -> Floats | None:
    """Eigenvalues of H E⁻¹ from the largest down; None where E is singular."""
    size = np.sqrt(np.diag(error))
    if not (size > 0).all():
        return None
    unit = np.outer(size, size)
    values, axes = np.linalg.eigh(error / unit)
    if values[0] <= SINGULAR * values[-1]:
        return None
    half = axes / np.sqrt(values)
    found = np.linalg.eigvalsh(half.T @ (hypothesis / unit) @ half)[::-1]
    return np.asarray(np.maximum(found, 0.0))


def criteria(hypothesis: Floats, error: Floats, q: int, v: float) -> list[Criterion]:
    """Of a hypothesis with q degrees of freedom against an error with v; empty where the error has too few."""
    p = hypothesis.shape[0]
    if v < p:
        return []
    latent = roots(hypothesis, error)
    if latent is None:
        return []
    s = min(p, q)
    latent = latent[:s]
    m, n = (abs(p - q) - 1) / 2, (v - p - 1) / 2
    made = []
    # Pillai
    value = float((latent / (1 + latent)).sum())
    df1, df2 = s * (2 * m + s + 1), s * (2 * n + s + 1)
    made.append(_criterion("pillai", value, value / max(s - value, 1e-300) * df2 / df1, df1, df2, value / s))
    # Wilks, by Rao's F
    log = -float(np.log1p(latent).sum())
    spread = p * p + q * q - 5
    t = float(np.sqrt((p * p * q * q - 4) / spread)) if spread > 0 else 1.0
    df1, df2 = float(p * q), (v - (p - q + 1) / 2) * t - (p * q - 2) / 2
    made.append(_criterion("wilks", float(np.exp(log)), float(np.expm1(-log / t)) * df2 / df1, df1, df2,
                           float(-np.expm1(log / s))))  # fmt: skip
    # Hotelling-Lawley
    value = float(latent.sum())
    df1, df2 = s * (2 * m + s + 1), 2 * (s * n + 1)
    made.append(_criterion("hotelling", value, value * df2 / (s * df1), df1, df2, value / s / (1 + value / s)))
    # Roy: an upper bound of F unless s is 1
    value = float(latent[0])
    df1 = float(max(p, q))
    df2 = v - df1 + q
    made.append(_criterion("roy", value, value * df2 / df1, df1, df2, value / (1 + value)))
    return [one for one in made if one.df2 > 0]


def _criterion(key: str, value: float, F: float, df1: float, df2: float, eta: float) -> Criterion:
    p = float(special.fdtrc(df1, df2, F)) if df2 > 0 else float("nan")
    return Criterion(key, value, F, df1, df2, p, eta)


@dataclass(frozen=True, slots=True)
class BoxM:
    """Box (1949): M with its χ² and its F approximation."""

    m: float
    chi2: float
    df: float
    chi2_p: float
    F: float
    df1: float
    df2: float
    p: float


def box_m(sizes: Sequence[float], covariances: Sequence[Floats]) -> BoxM | None:
    """None where a group has no more cases than variables, or a covariance is singular."""
    k, p = len(sizes), covariances[0].shape[0]
    v = np.asarray(sizes, dtype=float) - 1
    if k < 2 or (v < p).any():
        return None
    pooled = sum(one * c for one, c in zip(v, covariances, strict=True)) / v.sum()
    size = np.sqrt(np.outer(np.diag(pooled), np.diag(pooled)))
    if not (size > 0).all():
        return None
    logs = []
    for c in (pooled, *covariances):
        values = np.linalg.eigvalsh(c / size)
        if values[0] <= SINGULAR * values[-1]:
            return None
        logs.append(float(np.log(values).sum()))
    m = float(v.sum()) * logs[0] - float(np.dot(v, logs[1:]))
    c1 = (float((1 / v).sum()) - 1 / float(v.sum())) * (2 * p * p + 3 * p - 1) / (6 * (p + 1) * (k - 1))
    c2 = (float((1 / v**2).sum()) - 1 / float(v.sum()) ** 2) * (p - 1) * (p + 2) / (6 * (k - 1))
    df = p * (p + 1) * (k - 1) / 2
    df2 = (df + 2) / abs(c2 - c1**2)
    if c2 > c1**2:
        F = m * (1 - c1 - df / df2) / df
    else:
        b = df2 / (1 - c1 + 2 / df2)
        F = df2 * m / (df * (b - m)) if b > m else float("inf")
    chi2 = m * (1 - c1)
    return BoxM(m, chi2, df, float(special.chdtrc(df, chi2)), F, df, df2, float(special.fdtrc(df, df2, F)))
