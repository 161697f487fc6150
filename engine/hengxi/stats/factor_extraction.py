"""Loadings from a correlation matrix: principal components, principal axes, minimum residuals, maximum likelihood.

The last two minimise a function of the uniquenesses alone, as Jöreskog (1967) and Harman & Jones (1966) showed:
for given uniquenesses the best loadings are known from an eigendecomposition. Quasi-Newton steps are finished by
Newton's, so that the result does not depend on where a library's criterion stops.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import optimize

from hengxi.stats.moments import Floats

LEAST = 0.005
"""The smallest uniqueness of ML and minres, as in R's factanal: one at the bound is a Heywood case."""
STEPS, CLOSE = 5000, 1e-13


@dataclass(frozen=True, slots=True)
class Extraction:
    """`loadings` (p × m), unrotated, the columns by falling sum of squares, the largest loading of each positive.

    `initial` and `communalities` are the shares of each variable's variance before and after extraction. `heywood`:
    variables whose communality reached 1 (ML and minres: the bound). `criterion`: the minimised function, None for
    components.
    """

    loadings: Floats
    initial: Floats
    communalities: Floats
    converged: bool
    heywood: list[int]
    criterion: float | None


def most_factors(p: int) -> int:
    """The largest m with degrees of freedom ((p − m)² − p − m)/2 of at least 0 (Lawley & Maxwell, 1971)."""
    return int(np.floor((2 * p + 1 - np.sqrt(8 * p + 1)) / 2 + 1e-9))


def positive(loadings: Floats) -> Floats:
    """Each column with its largest loading positive; of equally large ones the first decides."""
    size = np.abs(loadings)
    first = np.argmax(size >= size.max(axis=0) * (1 - 1e-9), axis=0)
    signs = np.sign(loadings[first, np.arange(loadings.shape[1])])
    found: Floats = loadings * np.where(signs == 0, 1.0, signs)
    return found


def squared_multiple(r: Floats) -> Floats:
    """Of each variable on all others: 1 − 1/diag(R⁻¹)."""
    found: Floats = 1 - 1 / np.diag(np.linalg.inv(r))
    return found


def principal(r: Floats, m: int) -> Extraction:
    loadings = _loadings(*_falling(r), m)
    return Extraction(loadings, np.ones(len(r)), np.sum(loadings**2, axis=1), True, [], None)


def principal_axes(r: Floats, m: int) -> Extraction:
    """Communalities from squared multiple correlations, then iterated to a standstill."""
    initial = squared_multiple(r)
    held = initial.copy()
    reduced = r.copy()
    converged = False
    loadings = np.zeros((len(r), m))
    for _ in range(STEPS):
        np.fill_diagonal(reduced, held)
        loadings = _loadings(*_falling(reduced), m)
        found = np.sum(loadings**2, axis=1)
        converged = float(np.max(np.abs(found - held))) < CLOSE
        held = found
        if converged:
            break
    heywood = [int(i) for i in np.flatnonzero(held > 1)]
    rest = r - loadings @ loadings.T
    np.fill_diagonal(rest, 0.0)
    return Extraction(loadings, initial, held, converged, heywood, float(np.sum(rest**2)) / 2)


def minimum_residuals(r: Floats, m: int) -> Extraction:
    """Unweighted least squares: half the squared eigenvalues of R − Ψ behind the first m."""

    def value(psi: Floats) -> tuple[float, Floats, Floats]:
        values, v = _falling(r - np.diag(psi))
        first, last = v[:, :m], v[:, m:]
        tail = values[m:]
        gradient = -np.sum(tail * last**2, axis=1)
        curve = (last @ last.T) ** 2
        for k in range(m):
            share = tail / (tail - values[k])
            inner = (last * share) @ last.T
            curve += 2 * np.outer(first[:, k], first[:, k]) * inner
        return float(np.sum(tail**2)) / 2, gradient, curve

    psi, converged = _descend(value, _start(r, m))
    loadings = _loadings(*_falling(r - np.diag(psi)), m)
    return Extraction(loadings, squared_multiple(r), np.sum(loadings**2, axis=1), converged, _bound(psi), value(psi)[0])


def maximum_likelihood(r: Floats, m: int) -> Extraction:
    """F = ln|Σ| + tr(RΣ⁻¹) − ln|R| − p (Jöreskog, 1967); Newton in ln ψ after Clarke (1970)."""

    def value(psi: Floats) -> tuple[float, Floats, Floats]:
        root = np.sqrt(psi)
        values, v = _falling(r / np.outer(root, root))
        first, last = v[:, :m], v[:, m:]
        tail = np.maximum(values[m:], 1e-300)
        slope = -np.sum((tail - 1) * last**2, axis=1)
        inner = last @ last.T
        curve = ((last * tail) @ last.T) * inner
        for k in range(m):
            share = (tail - 1) * (tail + values[k]) / (tail - values[k])
            curve += np.outer(first[:, k], first[:, k]) * ((last * share) @ last.T)
        # From ln ψ to ψ.
        gradient = slope / psi
        curve = curve / np.outer(psi, psi) - np.diag(slope / psi**2)
        return float(np.sum(tail - np.log(tail) - 1)), gradient, curve

    psi, converged = _descend(value, _start(r, m))
    root = np.sqrt(psi)
    values, v = _falling(r / np.outer(root, root))
    loadings = positive(root[:, None] * v[:, :m] * np.sqrt(np.maximum(values[:m] - 1, 0)))
    loadings = loadings[:, np.argsort(-np.sum(loadings**2, axis=0), kind="stable")]
    return Extraction(loadings, squared_multiple(r), np.sum(loadings**2, axis=1), converged, _bound(psi), value(psi)[0])


EXTRACT: dict[str, Callable[[Floats, int], Extraction]] = {
    "principal": principal,
    "paf": principal_axes,
    "minres": minimum_residuals,
    "ml": maximum_likelihood,
}


def _falling(r: Floats) -> tuple[Floats, Floats]:
    values, v = np.linalg.eigh(r)
    return values[::-1], v[:, ::-1]


def _loadings(values: Floats, v: Floats, m: int) -> Floats:
    return positive(v[:, :m] * np.sqrt(np.maximum(values[:m], 0.0)))


def _start(r: Floats, m: int) -> Floats:
    """Jöreskog's start, as in R's factanal."""
    found: Floats = np.clip((1 - 0.5 * m / len(r)) / np.diag(np.linalg.inv(r)), LEAST, 1.0)
    return found


def _bound(psi: Floats) -> list[int]:
    return [int(i) for i in np.flatnonzero(psi <= LEAST * (1 + 1e-6))]


def _descend(value: Callable[[Floats], tuple[float, Floats, Floats]], start: Floats) -> tuple[Floats, bool]:
    """The minimum within [LEAST, 1]: L-BFGS-B, then Newton on the uniquenesses that are free."""
    solution = optimize.minimize(
        lambda x: value(x)[:2], start, jac=True, method="L-BFGS-B", bounds=[(LEAST, 1.0)] * start.size,
        options={"maxiter": STEPS, "maxfun": 4 * STEPS, "ftol": 1e-15, "gtol": 1e-9},
    )  # fmt: skip
    x = np.clip(solution.x, LEAST, 1.0)
    level, gradient, curve = value(x)
    for _ in range(50):
        held = ((x <= LEAST) & (gradient > 0)) | ((x >= 1) & (gradient < 0))
        free = ~held
        if not free.any() or float(np.max(np.abs(gradient[free]))) < 1e-13:
            break
        inner = curve[np.ix_(free, free)]
        lowest = float(np.linalg.eigvalsh(inner)[0])
        if lowest <= 0:
            inner = inner + (1e-8 - lowest) * np.eye(int(free.sum()))
        step = np.zeros_like(x)
        step[free] = np.linalg.solve(inner, -gradient[free])
        share = 1.0
        moved = False
        while share > 1e-6:
            tried = np.clip(x + share * step, LEAST, 1.0)
            newer = value(tried)
            if newer[0] <= level + 1e-15 * max(1.0, abs(level)):
                moved = bool(np.max(np.abs(tried - x)) > 1e-15)
                x, (level, gradient, curve) = tried, newer
                break
            share /= 2
        if not moved:
            break
    held = ((x <= LEAST) & (gradient > 0)) | ((x >= 1) & (gradient < 0))
    return x, bool(np.max(np.abs(np.where(held, 0.0, gradient))) < 1e-7)
