"""The direction that makes the projection index Q(a) = S(a)·D(a) largest (Friedman and Tukey, 1974).

z = Xa, S its standard deviation (n − 1), D = Σᵢⱼ max(αS − |zᵢ − zⱼ|, 0) over all ordered pairs, i = j too. Q has ridges
where two objects coincide (zᵢ = zⱼ) and its maximum usually lies on several at once; so the local search follows the
steepest direction of the superdifferential, which keeps the ridges it stands on unless leaving them pays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import lsq_linear, minimize_scalar

from .indicators import Floats

MEMBERS, GENERATIONS, STEPS = 80, 300, 300
AGREE = 1e-6


@dataclass(frozen=True)
class Index:
    """`x`: objects × indicators; `pairs`: differences of unlike objects; `same`: ordered pairs that always coincide."""

    x: Floats
    alpha: float
    nonnegative: bool
    pairs: Floats
    same: int
    cov: Floats

    @classmethod
    def of(cls, x: Floats, alpha: float, nonnegative: bool) -> Index:
        i, j = np.triu_indices(len(x), 1)
        pairs = x[i] - x[j]
        unlike = np.abs(pairs).max(axis=1) > 1e-12
        same = len(x) + 2 * int((~unlike).sum())
        return cls(x, alpha, nonnegative, pairs[unlike], same, np.atleast_2d(np.cov(x, rowvar=False)))

    def parts(self, a: Floats) -> tuple[Floats, Floats]:
        """S and D of unit directions in rows."""
        s = np.sqrt(np.maximum(np.einsum("kj,jl,kl->k", a, self.cov, a), 0))
        near = np.maximum(self.alpha * s[:, None] - np.abs(a @ self.pairs.T), 0).sum(axis=1)
        return s, self.same * self.alpha * s + 2 * near

    def value(self, b: Floats) -> Floats:
        """Q of the directions in rows, brought to length 1."""
        s, d = self.parts(b / np.linalg.norm(b, axis=1, keepdims=True))
        return np.asarray(s * d)

    def ascent(self, a: Floats, width: float) -> Floats:
        """Shortest element of the superdifferential on the sphere: zero at a local maximum."""
        z = self.pairs @ a
        s = float(np.sqrt(a @ self.cov @ a))
        inside = np.abs(z) < self.alpha * s
        tied = np.abs(z) <= width * s
        smooth = self.pairs[inside & ~tied] * np.sign(z[inside & ~tied])[:, None]
        total = smooth.sum(axis=0)
        up = self.cov @ a
        gradient = 2 * self.alpha * (self.same + 2 * inside.sum()) * up - 2 * (total @ a) * up / s - 2 * s * total
        gradient -= (gradient @ a) * a
        ridges = 2 * s * self.pairs[tied].T
        edges = np.eye(len(a))[:, (a <= 1e-12) & self.nonnegative]
        pull = np.hstack([ridges, edges])
        if not pull.shape[1]:
            return np.asarray(gradient)
        low = np.r_[-np.ones(ridges.shape[1]), np.zeros(edges.shape[1])]
        high = np.r_[np.ones(ridges.shape[1]), np.full(edges.shape[1], np.inf)]
        found = lsq_linear(pull, -gradient, (low, high), method="bvls", tol=1e-14)
        v = gradient + pull @ found.x
        return np.asarray(np.where((a <= 1e-12) & self.nonnegative, np.maximum(v, 0), v))

    def along(self, a: Floats, v: Floats) -> tuple[Floats, float]:
        """The best point on the ray a + t·v: ridges crossed first, a coarse grid, then between neighbours."""
        falling = v < -1e-15
        end = 8.0
        if self.nonnegative and falling.any():
            end = min(end, float((-a[falling] / v[falling]).min()))
        p, q = self.pairs @ a, self.pairs @ v
        crossed = -p[np.abs(q) > 1e-12] / q[np.abs(q) > 1e-12]
        crossed = np.sort(crossed[(crossed > 1e-12) & (crossed <= end)])[:16]
        t = np.unique(np.r_[0.0, crossed, end * 3.0 ** -np.arange(16)])
        values = self.value(a + t[:, None] * v)
        k = int(np.argmax(values))
        best, top = float(t[k]), float(values[k])
        low, high = float(t[max(k - 1, 0)]), float(t[min(k + 1, len(t) - 1)])
        finer = minimize_scalar(lambda u: -float(self.value((a + u * v)[None])[0]), bounds=(low, high),
                                method="bounded", options={"xatol": 1e-11 + 1e-7 * high})  # fmt: skip
        if -finer.fun > top * (1 + 1e-15):
            best, top = float(finer.x), -float(finer.fun)
        b = a + best * v
        b = np.where((b < 1e-13) & self.nonnegative, 0.0, b)
        return b / np.linalg.norm(b), top

    def climb(self, a: Floats) -> tuple[Floats, float]:
        """A local maximum from one start."""
        a = a / np.linalg.norm(a)
        top, width = float(self.value(a[None])[0]), 1e-10
        for _ in range(STEPS):
            v = self.ascent(a, width)
            size = float(np.linalg.norm(v))
            if size <= 1e-8 * top:
                break
            b, value = self.along(a, v / size)
            if value <= top * (1 + 1e-13):
                if width > 1e-7:
                    break
                width *= 10  # two ridges closer than the step: take both as tied
                continue
            a, top = b, value
        return a, top

    def evolve(self, seed: int) -> Floats:
        """Best direction of one differential evolution (best of current and random parents, dithered step)."""
        rng = np.random.default_rng(seed)
        m = self.x.shape[1]
        b = rng.standard_normal((MEMBERS, m))
        b = np.abs(b) if self.nonnegative else b
        b /= np.linalg.norm(b, axis=1, keepdims=True)
        values = self.value(b)
        for _ in range(GENERATIONS):
            r1, r2, r3 = (rng.permutation(MEMBERS) for _ in range(3))
            trial = b[r1] + rng.uniform(0.4, 0.9, (MEMBERS, 1)) * (b[r2] - b[r3])
            trial = np.where(rng.random((MEMBERS, m)) < 0.9, trial, b)
            trial = np.maximum(trial, 0) if self.nonnegative else trial
            size = np.linalg.norm(trial, axis=1, keepdims=True)
            trial = np.where(size > 1e-9, trial / np.maximum(size, 1e-9), b)
            again = self.value(trial)
            better = again > values
            b[better], values[better] = trial[better], again[better]
        return np.asarray(b[int(np.argmax(values))])

    def search(self, starts: list[Floats]) -> tuple[Floats, Floats]:
        """Best direction of these starts, its sum not negative; Q reached by each."""
        found = [self.climb(a) for a in starts]
        values = np.array([value for _, value in found])
        a = found[int(np.argmax(values))][0]
        return (a if a.sum() >= 0 else -a), values


def first_component(x: Floats) -> Floats:
    """First principal component of the scaled indicators, its sum not negative."""
    a = np.linalg.eigh(np.atleast_2d(np.cov(x, rowvar=False)))[1][:, -1]
    return np.asarray(a if a.sum() >= 0 else -a)
