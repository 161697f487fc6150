"""Average run lengths of EWMA, CUSUM and multivariate EWMA charts by Fredholm integral equations (Crowder 1987; Brook &
Evans 1972; Rigdon 1995).

Solved by Gauss-Legendre quadrature, which for these smooth kernels is exact to about 1e-10.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy import optimize, special, stats

NODES = 80
MEWMA_NODES = 60


def _density(x: np.ndarray) -> np.ndarray:
    return np.asarray(np.exp(-x * x / 2) / np.sqrt(2 * np.pi))


def ewma(lam: float, width: float, shift: float = 0.0) -> float:
    """ARL of a two-sided EWMA chart with steady limits ± width σ_z, started at the target; `shift` in σ."""
    if lam == 1:
        return float(1 / (special.ndtr(-width - shift) + special.ndtr(-width + shift)))
    half = width * np.sqrt(lam / (2 - lam))
    x, w = np.polynomial.legendre.leggauss(NODES)
    nodes, weights = half * x, half * w
    kernel = weights * _density((nodes[None, :] - (1 - lam) * nodes[:, None]) / lam - shift) / lam
    run = np.linalg.solve(np.eye(NODES) - kernel, np.ones(NODES))
    return float(1 + np.sum(weights * _density(nodes / lam - shift) / lam * run))


def cusum(k: float, h: float, shift: float = 0.0, head: float = 0.0) -> float:
    """ARL of a two-sided tabular CUSUM in σ; `head`: where both sums start (fast initial response).

    Of both sides by 1/ARL = 1/ARL⁺ + 1/ARL⁻, with a head start as Lucas & Crosier (1982) combine them.
    """
    up, up_zero = _one_sided(k, h, shift, head)
    down, down_zero = _one_sided(k, h, -shift, head)
    if head == 0:
        return 1 / (1 / up + 1 / down)
    return (up * down_zero + down * up_zero - up_zero * down_zero) / (up_zero + down_zero)


def _one_sided(k: float, h: float, shift: float, head: float) -> tuple[float, float]:
    """ARL of the upper sum started at `head`, and at zero."""
    x, w = np.polynomial.legendre.leggauss(NODES)
    nodes, weights = h * (x + 1) / 2, h * w / 2
    starts = np.concatenate([[0.0, head], nodes])
    kernel = np.zeros((NODES + 2, NODES + 2))
    kernel[:, 0] = special.ndtr(k - starts - shift)
    kernel[:, 2:] = weights * _density(nodes[None, :] + k - starts[:, None] - shift)
    run = np.linalg.solve(np.eye(NODES + 2) - kernel, np.ones(NODES + 2))
    return float(run[1]), float(run[0])


def mewma(lam: float, p: int, limit: float) -> float:
    """In-control ARL of a multivariate EWMA of p variables with steady covariance, started at the mean."""
    top = np.sqrt(limit * lam / (2 - lam))
    x, w = np.polynomial.legendre.leggauss(MEWMA_NODES)
    # Over the length of the vector, not its square: the integrand is smooth there.
    lengths, weights = top * (x + 1) / 2, top * w / 2
    squares = lengths**2
    starts = np.concatenate([[0.0], squares])
    shift = np.maximum(((1 - lam) / lam) ** 2 * starts, 1e-300)
    kernel = stats.ncx2.pdf(squares[None, :] / lam**2, p, shift[:, None]) / lam**2 * (2 * lengths * weights)[None, :]
    matrix = np.eye(MEWMA_NODES + 1)
    matrix[:, 1:] -= kernel
    return float(np.linalg.solve(matrix, np.ones(MEWMA_NODES + 1))[0])


@cache
def mewma_limit(lam: float, p: int, run: float) -> float:
    """The limit whose in-control ARL is `run`; below that of λ = 1, a χ² quantile."""
    top = float(stats.chi2.isf(1 / run, p))
    if lam == 1:
        return top
    return float(optimize.brentq(lambda limit: np.log(mewma(lam, p, limit) / run), 1e-3, 1.01 * top, xtol=1e-11))
