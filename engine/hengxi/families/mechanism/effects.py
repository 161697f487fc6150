"""Regressions of a mechanism model, and bootstrap of any effect made of their coefficients, from cross-products alone.

A resample is a vector of counts: its cross-products are one matrix product, so thousands cost a few matrix products.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from hengxi.stats.moments import Floats

CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class Equation:
    """`y` on a constant and `x`: places in the table of variables."""

    y: int
    x: tuple[int, ...]


@dataclass(frozen=True)
class Regression:
    """Ordinary least squares; the constant is the first coefficient."""

    b: Floats
    v: Floats
    df: int
    beta: Floats
    r2: float
    adjusted: float
    f: float | None
    p_f: float | None

    @property
    def se(self) -> Floats:
        found: Floats = np.sqrt(np.diag(self.v))
        return found

    @property
    def t(self) -> Floats:
        found: Floats = self.b / self.se
        return found

    @property
    def p(self) -> Floats:
        found: Floats = 2 * stats.t.sf(np.abs(self.t), self.df)
        return found


def regression(z: Floats, equation: Equation, hc3: bool = False) -> Regression:
    """`z`: rows × variables. Raises LinAlgError where the predictors are collinear."""
    n, k = len(z), len(equation.x)
    x, y = z[:, list(equation.x)], z[:, equation.y]
    centre = x.mean(axis=0)
    away, rest = x - centre, y - y.mean()
    size = np.sqrt(np.sum(away**2, axis=0))
    q, r = np.linalg.qr(away / size)
    if k and np.abs(np.diag(r)).min() < 1e-7:
        raise np.linalg.LinAlgError
    slopes = np.linalg.solve(r, q.T @ rest) / size
    inverse = np.linalg.inv(r.T @ r) / np.outer(size, size)
    errors = rest - away @ slopes
    df = n - k - 1
    whole, left = float(rest @ rest), float(errors @ errors)
    transform = np.vstack((-centre, np.eye(k)))
    if hc3:
        design = np.column_stack((np.ones(n), x))
        lever = 1 / n + np.sum((away @ inverse) * away, axis=1)
        bread = transform @ inverse @ transform.T
        bread[0, 0] += 1 / n
        weighed = design * (errors / (1 - lever))[:, None]
        v = bread @ (weighed.T @ weighed) @ bread
    else:
        v = transform @ inverse @ transform.T
        v[0, 0] += 1 / n
        v = v * (left / df)
    b = np.concatenate(([float(y.mean() - centre @ slopes)], slopes))
    spread = x.std(axis=0, ddof=1) / y.std(ddof=1)
    r2 = 1 - left / whole
    if hc3:
        f = float(slopes @ np.linalg.solve(v[1:, 1:], slopes)) / k if k else None
    else:
        f = (whole - left) / k / (left / df) if k and left > 0 else None
    p_f = None if f is None else float(stats.f.sf(f, k, df))
    return Regression(b, v, df, slopes * spread, r2, 1 - (1 - r2) * (n - 1) / df, f, p_f)


def coefficients(moments: Floats, equations: Sequence[Equation]) -> list[Floats]:
    """`moments`: resamples × q × q cross-products, the constant last. Slopes by equation, resamples first."""
    found: list[Floats] = []
    last = moments.shape[-1] - 1
    for equation in equations:
        places = [*equation.x, last]
        inner = moments[:, places][:, :, places]
        beside = moments[:, places, equation.y]
        found.append(np.linalg.solve(inner, beside[..., None])[..., 0][:, :-1].astype(float))
    return found


Effect = Callable[[list[Floats]], Floats]
"""Slopes by equation (resamples × predictors) → resamples × effects."""


def _products(z: Floats) -> Floats:
    wide = np.column_stack((z, np.ones(len(z))))
    q = wide.shape[1]
    return (wide[:, :, None] * wide[:, None, :]).reshape(len(z), q * q)


def drawn(z: Floats, times: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Cross-products of resamples, block by block. The order of the rows must not decide what is drawn."""
    z = z[np.lexsort(z.T)]
    products = _products(z)
    n, q = len(z), int(np.sqrt(products.shape[1]))
    rows = int(min(500, max(1, CELLS // n)))
    even = np.full(n, 1 / n)
    for start in range(0, times, rows):
        counts = rng.multinomial(n, even, size=min(rows, times - start)).astype(float)
        yield (counts @ products).reshape(-1, q, q)


def left_out(z: Floats) -> Floats:
    """Cross-products without each row in turn."""
    products = _products(z)
    q = int(np.sqrt(products.shape[1]))
    found: Floats = (products.sum(axis=0)[None, :] - products).reshape(-1, q, q)
    return found


def limits(
    values: Floats, at: Floats, level: float, kind: str, jackknife: Floats | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Percentile, bias-corrected or BCa limits of each effect (columns of `values`)."""
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    low, high = np.empty(len(at)), np.empty(len(at))
    for k in range(len(at)):
        shares = tails
        if kind != "percentile":
            times = len(values)
            below = (float(np.mean(values[:, k] < at[k])) + float(np.mean(values[:, k] <= at[k]))) / 2
            z0 = float(special.ndtri(np.clip(below, 0.5 / times, 1 - 0.5 / times)))
            a = 0.0
            if kind == "bca" and jackknife is not None:
                away = jackknife[:, k].mean() - jackknife[:, k]
                square = float(np.sum(away**2))
                a = float(np.sum(away**3)) / (6 * square**1.5) if square > 0 else 0.0
            z = z0 + special.ndtri(tails)
            shares = special.ndtr(z0 + z / (1 - a * z))
        low[k], high[k] = np.quantile(values[:, k], shares)
    return low, high
