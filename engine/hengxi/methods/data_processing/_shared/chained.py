"""Multiple imputation by chained equations (van Buuren & Groothuis-Oudshoorn 2011).

Numbers by predictive mean matching: coefficients are drawn from their posterior, and a gap takes the value of one of
the five cases whose prediction is nearest. Categories are drawn from a (multinomial) logistic model fitted to a
bootstrap sample of the known cases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from hengxi.contract.columns import Floats

Bools = npt.NDArray[np.bool_]
DONORS = 5
RIDGE = 1e-5


@dataclass
class Series:
    """A variable of the chain: numbers, or codes of `levels` categories."""

    cells: Floats
    gone: Bools
    levels: int | None = None


@dataclass
class Chain:
    """The completed copies: values of each variable, and mean and sd of the imputed values in each round."""

    copies: list[list[Floats]] = field(default_factory=list)
    means: list[Floats] = field(default_factory=list)
    """One array a copy: rounds × variables; NaN for variables without gaps."""


def impute(
    series: list[Series], m: int, rounds: int, rng: np.random.Generator, step: Callable[[int, int], bool]
) -> Chain:
    """`step(done, of)` is told after each round and answers False to stop after the copies finished so far."""
    chain = Chain()
    for copy in range(m):
        now = [_start(one, rng) for one in series]
        means = np.full((rounds, len(series)), np.nan)
        for r in range(rounds):
            for i, one in enumerate(series):
                if not one.gone.any():
                    continue
                others = [j for j in range(len(series)) if j != i]
                x = _design([series[j] for j in others], [now[j] for j in others])
                draw = _matched if one.levels is None else _drawn
                now[i][one.gone] = draw(one, x, rng)
                means[r, i] = float(now[i][one.gone].mean())
            if not step(copy * rounds + r + 1, m * rounds) and chain.copies:
                return chain
        chain.copies.append(now)
        chain.means.append(means)
    return chain


def _start(one: Series, rng: np.random.Generator) -> Floats:
    values = one.cells.copy()
    if one.gone.any():
        values[one.gone] = rng.choice(one.cells[~one.gone], int(one.gone.sum()))
    return values


def _design(others: list[Series], values: list[Floats]) -> Floats:
    """Standard scores of numbers, 0/1 columns of categories but the first, and a constant."""
    blocks = [np.ones((len(values[0]), 1))]
    for one, v in zip(others, values, strict=True):
        if one.levels is None:
            unit = float(np.abs(v).max()) or 1.0
            z = v / unit
            sd = float(z.std())
            blocks.append(((z - z.mean()) / sd if sd > 0 else np.zeros(len(z)))[:, None])
        else:
            blocks.append((v[:, None] == np.arange(1, one.levels)).astype(np.float64))
    return np.hstack(blocks)


def _matched(one: Series, x: Floats, rng: np.random.Generator) -> Floats:
    known = ~one.gone
    unit = float(np.abs(one.cells[known]).max()) or 1.0
    y, a = one.cells[known] / unit, x[known]
    # A little ridge, as mice uses, keeps collinear predictors from breaking the draw.
    gram = a.T @ a
    inverse = np.linalg.pinv(gram + np.diag(np.diag(gram) * RIDGE))
    b = inverse @ (a.T @ y)
    rest = y - a @ b
    freedom = max(len(y) - a.shape[1], 1)
    sigma = np.sqrt(float(rest @ rest) / rng.chisquare(freedom))
    root = np.linalg.cholesky((inverse + inverse.T) / 2 + 1e-12 * np.eye(len(b)))
    drawn = b + sigma * (root @ rng.standard_normal(len(b)))
    return _nearest(a @ b, y, x[one.gone] @ drawn, rng) * unit


def _nearest(predicted: Floats, y: Floats, wanted: Floats, rng: np.random.Generator) -> Floats:
    """For each wanted prediction one of the nearest donors, at random."""
    order = np.argsort(predicted, kind="stable")
    p = predicted[order]
    k = min(DONORS, len(p))
    place = np.searchsorted(p, wanted)
    window = np.clip(place[:, None] + np.arange(-k, k), 0, len(p) - 1)
    distance = np.abs(p[window] - wanted[:, None])
    # A place clipped to the end stands several times; only its first copy may be chosen.
    repeated = np.zeros(window.shape, dtype=np.bool_)
    repeated[:, 1:] = window[:, 1:] == window[:, :-1]
    distance[repeated] = np.inf
    near = np.argsort(distance, axis=1, kind="stable")[:, :k]
    pick = near[np.arange(len(wanted)), rng.integers(0, k, len(wanted))]
    chosen: Floats = y[order[window[np.arange(len(wanted)), pick]]]
    return chosen


def _drawn(one: Series, x: Floats, rng: np.random.Generator) -> Floats:
    known = np.flatnonzero(~one.gone)
    sample = rng.choice(known, len(known))
    codes = one.cells[sample].astype(np.int64)
    gaps = int(one.gone.sum())
    present = np.unique(codes)
    if len(present) < 2:
        return np.full(gaps, float(codes[0]))
    chance = _chances(x[sample], np.searchsorted(present, codes), len(present), x[one.gone])
    place = (rng.random((gaps, 1)) > np.cumsum(chance, axis=1)).sum(axis=1).clip(0, len(present) - 1)
    drawn: Floats = present[place].astype(np.float64)
    return drawn


def _chances(x: Floats, codes: npt.NDArray[np.int64], k: int, new: Floats) -> Floats:
    """Category probabilities of new rows from a multinomial logistic model, by Newton's method.

    A weak ridge (as of a normal prior with sd 10 on standard scores) keeps separated categories finite.
    """
    p = x.shape[1]
    marks = np.eye(k)[codes][:, 1:]
    b = np.zeros((p, k - 1))
    prior = np.full(p, 0.01)
    prior[0] = 1e-6
    for _ in range(25):
        chance = _softmax(x @ b)[:, 1:]
        gradient = x.T @ (marks - chance) - prior[:, None] * b
        hessian = np.zeros((p * (k - 1), p * (k - 1)))
        for i in range(k - 1):
            for j in range(k - 1):
                weight = chance[:, i] * ((i == j) - chance[:, j])
                hessian[i * p : (i + 1) * p, j * p : (j + 1) * p] = (x * weight[:, None]).T @ x
        hessian += np.diag(np.tile(prior, k - 1))
        move = np.linalg.solve(hessian, gradient.T.reshape(-1)).reshape(k - 1, p).T
        largest = float(np.abs(move).max())
        b += move * min(1.0, 5.0 / max(largest, 1e-300))  # no wild first steps
        if largest < 1e-6:
            break
    return _softmax(new @ b)


def _softmax(score: Floats) -> Floats:
    """Probabilities of all categories; the first is the base with score 0."""
    whole = np.column_stack([np.zeros(len(score)), score])
    whole = np.exp(whole - whole.max(axis=1, keepdims=True))
    found: Floats = whole / whole.sum(axis=1, keepdims=True)
    return found
