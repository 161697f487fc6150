"""Binary logistic regression by Newton's method: maximum likelihood, Firth's penalty, profile likelihood.

The design comes in standard coordinates (constant first, columns of mean 0 and mean square 1), so that units and
origins neither spoil the digits nor overflow. Frequencies are copies. p and 1 − p are both taken from the linear
predictor: where the outcome is separated the steps never die out, and the missing maximum is seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.special import expit

from hengxi.stats.moments import Floats

STEPS, PENALISED_STEPS, OUTER = 40, 2000, 80
SETTLED, FINE = 1e-7, 1e-12
"""Newton's last step before the error is below 1e-13; the penalised score converges only linearly."""
LONGEST = 5.0


@dataclass(frozen=True, slots=True)
class Data:
    design: Floats
    y: Floats
    counts: Floats

    @property
    def k(self) -> int:
        return int(self.design.shape[1])


@dataclass(frozen=True, slots=True)
class State:
    """Where an iteration stands: penalised quantities when the penalty is on."""

    beta: Floats
    value: float
    log_likelihood: float
    score: Floats
    information: Floats


@dataclass(frozen=True, slots=True)
class Logit:
    beta: Floats
    covariance: Floats
    log_likelihood: float
    value: float
    """The maximised log-likelihood, with Jeffreys' term where Firth's penalty is on."""
    eta: Floats
    firth: bool
    converged: bool

    @property
    def p(self) -> Floats:
        return np.asarray(expit(self.eta))

    @property
    def spread(self) -> Floats:
        """p (1 − p) without cancellation."""
        return np.asarray(expit(self.eta) * expit(-self.eta))


class Flat(Exception):  # noqa: N818  (a finding about the data)
    """The information has no inverse any more."""


def _state(data: Data, beta: Floats, firth: bool) -> State:
    eta = data.design @ beta
    p = expit(eta)
    w = p * expit(-eta)
    signs = 1 - 2 * data.y
    likelihood = -float(np.dot(data.counts, np.logaddexp(0.0, signs * eta)))
    information = data.design.T @ (data.design * (data.counts * w)[:, None])
    pull = data.y - p
    value = likelihood
    if firth:
        try:
            root = np.linalg.cholesky(information)
        except np.linalg.LinAlgError as error:
            raise Flat from error
        part = linalg.solve_triangular(root, data.design.T, lower=True)
        pull = pull + w * np.einsum("ij,ij->j", part, part) * (0.5 - p)
        value += float(np.sum(np.log(np.diag(root))))
    return State(beta, value, likelihood, data.design.T @ (data.counts * pull), information)


def _climb(data: Data, start: Floats, firth: bool, free: NDArray[np.intp] | None = None) -> tuple[State, bool]:
    """To the maximum over the free coefficients; false where the steps do not die out."""
    held = np.arange(data.k) if free is None else free
    now = _state(data, start, firth)
    for _ in range(PENALISED_STEPS if firth else STEPS):
        try:
            step = linalg.cho_solve(linalg.cho_factor(now.information[np.ix_(held, held)]), now.score[held])
        except (linalg.LinAlgError, ValueError):
            return now, False
        size = float(np.max(np.abs(step))) if step.size else 0.0
        step *= min(1.0, LONGEST / size) if size > 0 else 1.0
        done = size < (FINE if firth else SETTLED)
        for halving in range(30):
            moved = now.beta.copy()
            moved[held] += step / 2**halving
            try:
                then = _state(data, moved, firth)
            except Flat:
                continue
            if then.value >= now.value - 1e-10 * (1 + abs(now.value)):
                break
        else:
            return now, size < SETTLED
        now = then
        if done:
            return now, True
    return now, False


def fit_logit(data: Data, firth: bool, start: Floats | None = None) -> Logit:
    if start is None:
        share = float(np.dot(data.counts, data.y) / data.counts.sum())
        start = np.zeros(data.k)
        start[0] = np.log(share / (1 - share))
    found, converged = _climb(data, start, firth)
    try:
        covariance: Floats = np.linalg.inv(found.information).astype(float)
    except np.linalg.LinAlgError:
        covariance, converged = np.full((data.k, data.k), np.nan), False
    return Logit(found.beta, covariance, found.log_likelihood, found.value, data.design @ found.beta, firth, converged)


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
            found, converged = _climb(data, beta, fit.firth, free)
        except Flat:
            return None
        if not converged:
            return None
        beta = found.beta
        over = 2 * (fit.value - found.value) - reach
        if over < 0:
            inside = at
        else:
            outside = at
        slope = -2 * float(found.score[j])
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
