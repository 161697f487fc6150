"""Non-negative matrix factorisation: X ≈ WH, all entries at least 0."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.stats.moments import Floats

LOSSES = {"frobenius": "平方误差", "kullback-leibler": "KL 散度", "itakura-saito": "Itakura-Saito 散度"}
STARTS = {"nndsvda": "SVD（0 换成平均值）", "nndsvd": "SVD", "random": "随机"}
TOLERANCE = {"frobenius": 1e-6, "kullback-leibler": 1e-7, "itakura-saito": 1e-7}
TINY = 1e-6


@dataclass(frozen=True)
class Factors:
    """`w`: rows × k, `h`: k × columns. Rows of `h` sum to 1, so that `w` is in the units of the data and a column sum
    of `w` is what its component contributes to the total; components by contribution, falling. `residual`: Frobenius
    norm of X − WH; `loss`: the divergence that was minimised (½‖X − WH‖² for `frobenius`), in units of X / mean(X)."""

    w: Floats
    h: Floats
    residual: float
    loss: float
    converged: bool

    @property
    def shares(self) -> Floats:
        total = self.w.sum(axis=0)
        return np.asarray(total / total.sum())


def factorise(
    x: Floats, k: int, loss: str = "frobenius", start: str = "nndsvda", seed: int = 0, alpha: float = 0.0,
    l1_ratio: float = 0.0, most: int = 2000,
) -> Factors:  # fmt: skip
    """Coordinate descent for squared error (Cichocki & Phan, 2009), multiplicative updates for the two divergences
    (Févotte & Idier, 2011), by scikit-learn on X / mean(X). Start: the exact SVD (Boutsidis & Gallopoulos, 2008)."""
    from sklearn.decomposition import NMF

    unit = float(x.mean())
    scaled = np.ascontiguousarray(x / unit)
    w, h = _start(scaled, k, start, seed)
    machine = NMF(
        k, init="custom", solver="cd" if loss == "frobenius" else "mu", beta_loss=loss, tol=TOLERANCE[loss],
        max_iter=most, alpha_W=alpha, l1_ratio=l1_ratio,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        w = np.asarray(machine.fit_transform(scaled, W=w.copy(), H=h.copy()))
    h = np.asarray(machine.components_)
    fitted = w @ h
    return _in_units(w, h, unit, float(np.linalg.norm(scaled - fitted)), divergence(scaled, fitted, loss),
                     machine.n_iter_ < most)  # fmt: skip


def divergence(x: Floats, fitted: Floats, loss: str) -> float:
    """½Σ(x − y)², Σ(x ln(x/y) − x + y) with 0 ln 0 = 0, or Σ(x/y − ln(x/y) − 1)."""
    if loss == "frobenius":
        return float(((x - fitted) ** 2).sum() / 2)
    y = np.maximum(fitted, np.finfo(float).eps)
    ratio = x / y
    if loss == "itakura-saito":
        return float((ratio - np.log(ratio) - 1).sum())
    some = x > 0
    return float((x[some] * np.log(ratio[some])).sum() - x.sum() + fitted.sum())


def hoyer(a: Floats) -> float:
    """Sparseness by Hoyer (2004), mean over the columns: 0 where all entries are alike, 1 where one alone is not 0."""
    root = np.sqrt(len(a))
    length = np.sqrt((a**2).sum(axis=0))
    ratio = np.divide(a.sum(axis=0), length, out=np.full(a.shape[1], root), where=length > 0)
    return float(((root - ratio) / (root - 1)).mean())


def _in_units(w: Floats, h: Floats, unit: float, residual: float, loss: float, converged: bool) -> Factors:
    totals = h.sum(axis=1)
    empty = totals <= 0
    h = np.where(empty[:, None], 1 / h.shape[1], h / np.where(empty, 1.0, totals)[:, None])
    w = w * totals * unit
    order = np.lexsort((np.arange(len(totals)), -np.round(w.sum(axis=0) / max(w.sum(), 1e-300), 8)))
    return Factors(w[:, order], h[order], residual * unit, loss, converged)


def _start(x: Floats, k: int, start: str, seed: int) -> tuple[Floats, Floats]:
    if start == "random":
        rng = np.random.default_rng(seed)
        size = float(np.sqrt(1 / k))
        return np.abs(size * rng.standard_normal((len(x), k))), np.abs(size * rng.standard_normal((k, x.shape[1])))
    left, sizes, right = np.linalg.svd(x, full_matrices=False)
    w, h = np.zeros((len(x), k)), np.zeros((k, x.shape[1]))
    w[:, 0], h[0] = np.sqrt(sizes[0]) * np.abs(left[:, 0]), np.sqrt(sizes[0]) * np.abs(right[0])
    for j in range(1, k):
        pairs: list[tuple[float, Any, Any]] = []
        for sign in (1.0, -1.0):
            u, v = np.maximum(sign * left[:, j], 0), np.maximum(sign * right[j], 0)
            pairs.append((float(np.linalg.norm(u) * np.linalg.norm(v)), u, v))
        weight, u, v = max(pairs, key=lambda pair: pair[0])
        if weight > 0:
            scale = np.sqrt(sizes[j] * weight)
            w[:, j], h[j] = scale * u / np.linalg.norm(u), scale * v / np.linalg.norm(v)
    w[w < TINY] = 0
    h[h < TINY] = 0
    if start == "nndsvda":
        w[w == 0] = 1.0  # the mean of x, which is scaled to 1
        h[h == 0] = 1.0
    return w, h
