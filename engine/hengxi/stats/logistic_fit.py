"""Binary logistic regression by Newton's method: maximum likelihood, Firth's penalty, profile likelihood.

The design comes in standard coordinates (constant first, columns of mean 0 and mean square 1), so that units and
origins neither spoil the digits nor overflow. Frequencies are copies. p and 1 − p are both taken from the linear
predictor: where the outcome is separated the steps never die out, and the missing maximum is seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.special import expit

from hengxi.stats.moments import Floats

STEPS, PENALISED_STEPS, OUTER = 40, 300, 80
SETTLED, FINE = 1e-7, 1e-12
"""Newton's last step before the error is below 1e-13; with the information for the curvature the penalised score
converges only linearly."""
LONGEST = 5.0
FARTHEST = 700.0
"""Linear predictors beyond this have odds no double can hold."""
CELLS = 1 << 16
EXACT = 1e9
"""Rows × columns³ up to which the curvature of the penalised likelihood is computed; with more rows the penalty weighs
little, and the information does instead."""
LEVEL = 1e-9
"""Two penalised values this close do not tell which point is better: the score does."""


@dataclass(frozen=True)
class Data:
    design: Floats
    y: Floats
    """0 or 1."""
    counts: Floats

    @property
    def k(self) -> int:
        return int(self.design.shape[1])

    def block(self, span: slice) -> Floats:
        """Rows of the design."""
        return self.design[span]

    def spans(self) -> Iterator[slice]:
        """Blocks whose temporaries stay in the processor's cache."""
        step = max(64, CELLS // self.k)
        for start in range(0, self.y.size, step):
            yield slice(start, min(start + step, self.y.size))

    def predictor(self, beta: Floats) -> Floats:
        eta = np.empty(self.y.size)
        for span in self.spans():
            eta[span] = self.block(span) @ beta
        return eta


@dataclass(frozen=True, slots=True)
class State:
    """Where an iteration stands: penalised quantities when the penalty is on."""

    beta: Floats
    value: float
    log_likelihood: float
    score: Floats
    information: Floats
    curvature: Floats
    """What the score falls by; the information where there is no penalty."""
    rough: bool
    """The information stands for the curvature: there is a penalty, and too much to compute."""

    def step(self, held: NDArray[np.intp]) -> tuple[Floats, float]:
        """Newton's, and how short it is when it is the last; with the information where the penalised likelihood is
        not concave."""
        place, last = np.ix_(held, held), SETTLED
        try:
            root = linalg.cho_factor(self.curvature[place])
        except linalg.LinAlgError:
            root, last = linalg.cho_factor(self.information[place]), FINE
        if self.rough:
            last = FINE
        return np.asarray(linalg.cho_solve(root, self.score[held])), last * (1 + float(np.max(np.abs(self.beta))) / 100)


@dataclass(frozen=True)
class Logit:
    beta: Floats
    covariance: Floats
    log_likelihood: float
    value: float
    """The maximised log-likelihood, with Jeffreys' term where Firth's penalty is on."""
    eta: Floats
    firth: bool
    converged: bool

    @cached_property
    def p(self) -> Floats:
        return np.asarray(expit(self.eta))

    @property
    def spread(self) -> Floats:
        """p (1 − p) without cancellation."""
        return self.density(self.eta)

    @property
    def bend(self) -> Floats:
        """How `spread` moves with the linear predictor."""
        return self.spread * (1 - 2 * self.p)

    @staticmethod
    def mean(eta: Floats) -> Floats:
        return np.asarray(expit(eta))

    @staticmethod
    def density(eta: Floats) -> Floats:
        small = np.exp(-np.abs(eta))
        return np.asarray(small / (1 + small) ** 2)


class Flat(Exception):  # noqa: N818  (a finding about the data)
    """The information has no inverse any more."""


def _state(data: Data, beta: Floats, firth: bool) -> State:
    losses: list[float] = []
    information, score = np.zeros((data.k, data.k)), np.zeros(data.k)
    for span in data.spans():
        x, f, signs = data.block(span), data.counts[span], 1 - 2 * data.y[span]
        against = signs * (x @ beta)
        # The odds of what did not happen; both probabilities come from them without cancellation.
        odds = np.exp(np.clip(against, -FARTHEST, FARTHEST))
        losses.append(float(np.dot(f, np.log1p(odds) + np.maximum(against - FARTHEST, 0.0))))
        share = 1 / (1 + odds)
        missed = odds * share
        # Columns lie one after the other in memory: weighted row by row of the transpose.
        # A product of a table with itself takes half the work of one with another.
        half = x.T * np.sqrt(f * missed * share)
        information += half @ half.T
        score -= x.T @ (f * signs * missed)
    likelihood = -math.fsum(losses)
    information = (information + information.T) / 2
    plain = State(beta, likelihood, likelihood, score, information, information, rough=False)
    return _penalised(data, plain) if firth else plain


def _penalised(data: Data, plain: State) -> State:
    """With Jeffreys' term. Its curvature beside the information: Σ f h (½ − 3w) xxᵀ and half the products of the
    third derivatives of the log-likelihood in coordinates where the information is 1."""
    try:
        root = np.linalg.cholesky(plain.information)
    except np.linalg.LinAlgError as error:
        raise Flat from error
    exact = data.y.size * data.k**3 <= EXACT
    score, curvature = plain.score.copy(), plain.information.copy()
    third = np.zeros((data.k, data.k, data.k))
    for span in data.spans():
        x, f = data.block(span), data.counts[span]
        eta = x @ plain.beta
        p, rest = expit(eta), expit(-eta)
        part = linalg.solve_triangular(root, x.T, lower=True)
        spread = p * rest
        leverage = spread * np.einsum("ij,ij->j", part, part)
        score += x.T @ (f * leverage * (0.5 - p))
        if exact:
            curvature -= (x.T * (f * leverage * (0.5 - 3 * spread))) @ x
            slope = f * spread * (rest - p)
            for j in range(data.k):
                third[j] += (part * (slope * x[:, j])) @ part.T
    if exact:
        flat = third.reshape(data.k, -1)
        curvature += flat @ flat.T / 2
    value = plain.log_likelihood + float(np.sum(np.log(np.diag(root))))
    return State(plain.beta, value, plain.log_likelihood, score, plain.information, curvature, rough=not exact)


def _climb(data: Data, start: Floats, firth: bool, free: NDArray[np.intp] | None = None) -> tuple[State, bool]:
    """To the maximum over the free coefficients; false where the steps do not die out."""
    held = np.arange(data.k) if free is None else free
    now = _state(data, start, firth)
    for _ in range(PENALISED_STEPS if firth else STEPS):
        try:
            step, last = now.step(held)
        except (linalg.LinAlgError, ValueError):
            return now, False
        size = float(np.max(np.abs(step))) if step.size else 0.0
        step *= min(1.0, LONGEST / size) if size > 0 else 1.0
        done = size < last
        for halving in range(30):
            moved = now.beta.copy()
            moved[held] += step / 2**halving
            try:
                then = _state(data, moved, firth)
            except Flat:
                continue
            if done or not _worse(then, now, held, firth):
                break
        else:
            return now, size < SETTLED
        now = then
        if done:
            return now, True
    return now, False


def _worse(then: State, now: State, held: NDArray[np.intp], firth: bool) -> bool:
    """Lower by more than rounding. Steps with the information may swing over a penalised maximum for ever, from a
    point to another of the same height: there the score must have become smaller."""
    drop = now.value - then.value
    if not firth or abs(drop) > LEVEL * (1 + abs(now.value)):
        return drop > 1e-10 * (1 + abs(now.value))
    return _length(then.score[held], now, held) > _length(now.score[held], now, held)


def _length(score: Floats, at: State, held: NDArray[np.intp]) -> float:
    """Of a score, in units of its standard errors; nothing below what rounding makes of it."""
    found = float(score @ linalg.solve(at.information[np.ix_(held, held)], score, assume_a="pos"))
    return max(found, 1e-26)


def fit_logit(data: Data, firth: bool, start: Floats | None = None) -> Logit:
    if start is None:
        share = float(np.dot(data.counts, data.y) / data.counts.sum())
        start = np.zeros(data.k)
        start[0] = np.log(share / (1 - share))
    climbed, converged = _climb(data, start, firth)
    try:
        covariance: Floats = np.linalg.inv(climbed.information).astype(float)
    except np.linalg.LinAlgError:
        covariance, converged = np.full((data.k, data.k), np.nan), False
    eta = data.predictor(climbed.beta)
    return Logit(climbed.beta, covariance, climbed.log_likelihood, climbed.value, eta, firth, converged)


def held_at_zero(data: Data, fit: Logit, columns: list[int]) -> float:
    """The (penalised) log-likelihood with these coefficients 0, the others at their best; the penalty keeps all
    columns (Heinze & Schemper 2002)."""
    if not fit.firth and len(columns) == data.k - 1:
        n, events = float(data.counts.sum()), float(np.dot(data.counts, data.y))
        return float(events * np.log(events / n) + (n - events) * np.log((n - events) / n))
    start = fit.beta.copy()
    start[columns] = 0.0
    if len(columns) == data.k - 1:
        share = float(np.dot(data.counts, data.y) / data.counts.sum())
        start[0] = np.log(share / (1 - share))
    free = np.array([j for j in range(data.k) if j not in columns], dtype=np.intp)
    return _climb(data, start, fit.firth, free)[0].value


def profile_bound(data: Data, fit: Logit, j: int, side: int, reach: float) -> float | None:
    """Where twice the drop of the profile reaches `reach`; Newton on the profile, whose slope is the score of j."""
    se = float(np.sqrt(fit.covariance[j, j]))
    free = np.array([i for i in range(data.k) if i != j], dtype=np.intp)
    inside, outside = float(fit.beta[j]), None
    at = inside + side * se * float(np.sqrt(reach))
    beta = fit.beta.copy()
    for _ in range(OUTER):
        beta = beta.copy()
        beta[j] = at
        try:
            climbed, converged = _climb(data, beta, fit.firth, free)
        except Flat:
            return None
        if not converged:
            return None
        beta = climbed.beta
        over = 2 * (fit.value - climbed.value) - reach
        if over < 0:
            inside = at
        else:
            outside = at
        slope = -2 * float(climbed.score[j])
        then = at - over / slope if slope * side > 0 else np.inf
        if abs(then - at) < 1e-12 * se + 1e-15 * abs(at):
            return float(then)
        if outside is None:
            then = then if 0 < (then - at) * side < 4 * se else at + side * se
        elif not min(inside, outside) < then < max(inside, outside):
            then = (inside + outside) / 2
        if abs(then - at) < 1e-11 * se:
            return float(then)
        at = float(then)
    return None
