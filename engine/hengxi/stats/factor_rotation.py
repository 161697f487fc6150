"""Rotations of loadings, all with Kaiser's normalisation: rows of length 1 while rotating (Kaiser, 1958).

Orthomax (quartimax, varimax, equamax) by Kaiser's planar rotations with the general criterion of Harman (1976, ch. 13);
promax after Hendrickson & White (1964) as SPSS states it; direct oblimin with δ = 0 (Jennrich & Sampson, 1966) by the
gradient projection of Jennrich (2002). Written from these papers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hengxi.stats.factor_extraction import positive
from hengxi.stats.moments import Floats

OBLIQUE = ("oblimin", "promax")
SWEEPS, STEPS, CLOSE = 500, 20_000, 1e-12


@dataclass(frozen=True, slots=True)
class Rotation:
    """`pattern` (p × m); `structure` = pattern Φ; `phi` the factors' correlations (the identity if orthogonal).

    Factors by falling sum of squared structure loadings; the largest pattern loading of each is positive.
    """

    pattern: Floats
    structure: Floats
    phi: Floats
    converged: bool

    @property
    def squares(self) -> Floats:
        """Sums of squared structure loadings; of orthogonal factors they add to the variance explained."""
        found: Floats = np.sum(self.structure**2, axis=0)
        return found


def rotate(loadings: Floats, kind: str) -> Rotation:
    """One factor, or `none`, is left as extracted."""
    m = loadings.shape[1]
    if kind == "none" or m == 1:
        return _settled(loadings, np.eye(m), True, order=False)
    length = np.sqrt(np.sum(loadings**2, axis=1))
    length = np.where(length > 0, length, 1.0)[:, None]
    rows = loadings / length
    if kind == "oblimin":
        pattern, phi, converged = _oblimin(rows)
        return _settled(pattern * length, phi, converged)
    gamma = {"quartimax": 0.0, "equamax": m / 2}.get(kind, 1.0)
    turned, converged = _orthomax(rows, gamma)
    if kind != "promax":
        return _settled(turned * length, np.eye(m), converged)
    pattern, phi = _promax(turned, length)
    return _settled(pattern, phi, converged)


def _settled(pattern: Floats, phi: Floats, converged: bool, order: bool = True) -> Rotation:
    """Factors in their order and with their signs."""
    structure = pattern @ phi
    if order:
        squares = np.round(np.sum(structure**2, axis=0), 12)
        places = np.argsort(-squares, kind="stable")
        pattern, phi = pattern[:, places], phi[np.ix_(places, places)]
    turned = positive(pattern)
    at = np.argmax(np.abs(pattern), axis=0)
    columns = np.arange(pattern.shape[1])
    signs = np.where(turned[at, columns] * pattern[at, columns] < 0, -1.0, 1.0)
    phi = phi * np.outer(signs, signs)
    return Rotation(turned, turned @ phi, phi, converged)


def _orthomax(rows: Floats, gamma: float) -> tuple[Floats, bool]:
    """Sweeps over all planes until no angle is left; the angle of one plane is known in closed form."""
    x = rows.copy()
    p, m = x.shape
    for _ in range(SWEEPS):
        largest = 0.0
        for i in range(m - 1):
            for j in range(i + 1, m):
                a, b = x[:, i].copy(), x[:, j].copy()
                u, v = a * a - b * b, 2 * a * b
                su, sv = float(u.sum()), float(v.sum())
                up = 2 * float(u @ v) - 2 * gamma * su * sv / p
                across = float(u @ u - v @ v) - gamma * (su * su - sv * sv) / p
                if abs(up) < 1e-15 and abs(across) < 1e-15:
                    continue
                angle = np.arctan2(up, across) / 4
                largest = max(largest, abs(float(angle)))
                c, s = np.cos(angle), np.sin(angle)
                x[:, i], x[:, j] = c * a + s * b, c * b - s * a
        if largest < CLOSE:
            return x, True
    return x, False


def _promax(turned: Floats, length: Floats, kappa: int = 4) -> tuple[Floats, Floats]:
    """The target is the varimax rows raised to κ with their sign; factors of variance 1."""
    target = np.sign(turned) * np.abs(turned) ** kappa
    rotated = turned * length
    turn = np.linalg.lstsq(rotated, target, rcond=None)[0]
    turn = turn * np.sqrt(np.diag(np.linalg.inv(turn.T @ turn)))
    inverse = np.linalg.inv(turn)
    phi = inverse @ inverse.T
    return rotated @ turn, phi


def _oblimin(rows: Floats) -> tuple[Floats, Floats, bool]:
    """Minimises Σ_{j≠k} Σ_i λ_ij² λ_ik² over oblique T with unit columns; pattern = A T⁻ᵀ, Φ = TᵀT."""
    m = rows.shape[1]
    others = 1 - np.eye(m)
    t = np.eye(m)

    def at(t: Floats) -> tuple[Floats, float, Floats]:
        inverse = np.linalg.inv(t)
        pattern = rows @ inverse.T
        square = pattern**2
        crossed = square @ others
        slope = pattern * crossed
        return pattern, float(np.sum(square * crossed)) / 4, -(pattern.T @ slope @ inverse).T

    def downhill(t: Floats, g: Floats) -> tuple[Floats, float]:
        along = g - t * np.sum(t * g, axis=0)
        return along, float(np.sqrt(np.sum(along**2)))

    pattern, level, g = at(t)
    along, size = downhill(t, g)
    step, settling = 1.0, False
    for _ in range(STEPS):
        if size < CLOSE:
            return pattern, t.T @ t, True
        if not settling:
            step *= 2
        for _ in range(60):
            tried = t - step * along
            tried = tried / np.sqrt(np.sum(tried**2, axis=0))
            new, lower, steeper = at(tried)
            new_along, new_size = downhill(tried, steeper)
            # Near the minimum values can no longer be told apart in double precision: then the slope decides.
            if new_size < size if settling else level - lower > 0.5 * size**2 * step:
                break
            step /= 2
        else:
            if settling:
                return pattern, t.T @ t, size < 1e-7
            settling, step = True, 1.0
            continue
        t, pattern, level, along, size = tried, new, lower, new_along, new_size
    return pattern, t.T @ t, size < 1e-7
