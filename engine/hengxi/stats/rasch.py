"""Rasch family by conditional maximum likelihood: Rasch (0/1), rating scale, partial credit.

Given the raw score, the ability drops out of the likelihood (Andersen 1970; Masters 1982); its sums over answer
patterns are elementary symmetric functions, formed by multiplying polynomials with positive terms only, so nothing
cancels. A step difficulty δ_ik is the ability at which categories k − 1 and k are equally likely. People who left
items out are grouped by what they answered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse.csgraph import connected_components

from hengxi.stats.item_models import Ints, Item, Patterns, patterns
from hengxi.stats.moments import Floats

ROUNDS, FAR = 60, 30.0
"""Newton steps; a difficulty (logit) beyond which the estimate is called infinite."""


class Unconverged(Exception):  # noqa: N818
    """The conditional likelihood has no finite maximum, or none was reached."""


@dataclass(frozen=True)
class Fit:
    kind: str
    data: Patterns
    steps: Floats
    """Step difficulties of all items one after the other; the mean of the item locations is 0."""
    v: Floats
    """Covariance matrix of `steps`."""
    loglik: float
    k: int

    @cached_property
    def owner(self) -> Ints:
        """The item of each step."""
        return np.repeat(np.arange(len(self.data.levels)), [level - 1 for level in self.data.levels])

    @cached_property
    def averaging(self) -> Floats:
        """Items × steps: the location of an item is the mean of its steps."""
        return _averaging(self.data.levels)

    @property
    def locations(self) -> Floats:
        return self.averaging @ self.steps

    @property
    def location_errors(self) -> Floats:
        return np.sqrt(np.diag(self.averaging @ self.v @ self.averaging.T))

    @cached_property
    def logits(self) -> Floats:
        """Items × categories: log chance of each category at ability 0, up to a constant; −∞ beyond the last."""
        found = np.full((len(self.data.levels), max(self.data.levels)), -np.inf)
        found[:, 0] = 0
        for i, level in enumerate(self.data.levels):
            found[i, 1:level] = -np.cumsum(self.steps[self.owner == i])
        return found

    @property
    def items(self) -> list[Item]:
        return [Item(1.0, -self.steps[self.owner == i]) for i in range(len(self.data.levels))]


def _averaging(levels: list[int]) -> Floats:
    found = np.zeros((len(levels), sum(levels) - len(levels)))
    start = 0
    for i, level in enumerate(levels):
        found[i, start : start + level - 1] = 1 / (level - 1)
        start += level - 1
    return found


def _design(kind: str, levels: list[int]) -> Floats:
    """Steps × free parameters. The first step (rating scale: the first item) is 0 until the scale is centred."""
    size = sum(levels) - len(levels)
    if kind != "rsm":
        return np.eye(size)[:, 1:]
    count, m = len(levels), levels[0] - 1
    found = np.zeros((size, count - 1 + m - 1))
    for i in range(count):
        for k in range(m):
            if i:
                found[i * m + k, i - 1] = 1
            if k < m - 1:
                found[i * m + k, count - 1 + k] = 1
            else:
                found[i * m + k, count - 1 :] = -1
    return found


# ---- elementary symmetric functions ----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Answered:
    """People by what they answered and their raw score, and how often each category was chosen."""

    seen: Floats
    """Groups × items, 1 where the group answered."""
    people: Floats
    """Groups × raw scores."""
    chosen: Floats
    """By step: how many people chose that category."""


def _answered(data: Patterns) -> Answered:
    answered = data.codes >= 0
    score = np.where(answered, data.codes, 0).sum(axis=1)
    most = answered @ (np.array(data.levels) - 1)
    inner = (score > 0) & (score < most)
    if not inner.any():
        raise Unconverged
    seen, group = np.unique(answered[inner], axis=0, return_inverse=True)
    people = np.zeros((len(seen), sum(data.levels) - len(data.levels) + 1))
    np.add.at(people, (group.ravel(), score[inner]), data.counts[inner])
    chosen = [
        data.counts[inner] @ (data.codes[inner, i] == k) for i, level in enumerate(data.levels) for k in range(1, level)
    ]
    return Answered(seen.astype(float), people, np.array(chosen, dtype=float))


def _times(poly: Floats, terms: Floats, seen: Floats) -> Floats:
    """Groups × scores, with one more item; an item not answered is a factor of 1."""
    out = poly.copy()
    for k, term in enumerate(terms, 1):
        out[:, k:] += poly[:, :-k] * (term * seen)[:, None]
    return out


def _without_each(start: Floats, items: list[int], terms: list[Floats], seen: Floats) -> Iterator[tuple[int, Floats]]:
    """For each item the product of `start` and all the other items, halving the list: I log I products."""
    if len(items) == 1:
        yield items[0], start
        return
    half = len(items) // 2
    for own, other in ((items[:half], items[half:]), (items[half:], items[:half])):
        product = start
        for i in other:
            product = _times(product, terms[i], seen[:, i])
        yield from _without_each(product, own, terms, seen)


def _shift(poly: Floats, k: int) -> Floats:
    out = np.zeros_like(poly)
    out[:, k:] = poly[:, : poly.shape[1] - k]
    return out


@dataclass(frozen=True)
class Slopes:
    value: float
    gradient: Floats
    curvature: Floats
    """Of −log likelihood by the cumulative parameters ψ_ik = −Σ δ_iv, v ≤ k."""


def _value(psi: list[Floats], data: Answered) -> float:
    poly = np.zeros_like(data.people)
    poly[:, 0] = 1
    for i, own in enumerate(psi):
        poly = _times(poly, np.exp(own), data.seen[:, i])
    at = data.people > 0
    if not (np.isfinite(poly[at]).all() and (poly[at] > 0).all()):
        return -np.inf
    return float(data.chosen @ np.concatenate(psi) - data.people[at] @ np.log(poly[at]))


def _slopes(psi: list[Floats], data: Answered) -> Slopes:
    terms, everyone = [np.exp(own) for own in psi], list(range(len(psi)))
    starts = np.concatenate(([0], np.cumsum([len(own) for own in psi])))
    one = np.zeros_like(data.people)
    one[:, 0] = 1
    whole = one
    for i in everyone:
        whole = _times(whole, terms[i], data.seen[:, i])
    at = data.people > 0
    share = np.where(at, data.people / np.where(at, whole, 1), 0)
    chances = np.zeros((starts[-1], *data.people.shape))
    for i, rest in _without_each(one, everyone, terms, data.seen):
        for k, term in enumerate(terms[i], 1):
            chances[starts[i] + k - 1] = np.where(at, term * data.seen[:, [i]] * _shift(rest, k), 0)
    expected = chances.reshape(starts[-1], -1) @ share.ravel()
    scaled = (chances / np.where(at, whole, 1)).reshape(starts[-1], -1)
    curvature = -(scaled * data.people.ravel()) @ scaled.T + np.diag(expected)
    for i in everyone[:-1]:
        later = everyone[i + 1 :]
        before = one
        for j in everyone[:i]:
            before = _times(before, terms[j], data.seen[:, j])
        for j, rest in _without_each(before, later, terms, data.seen):
            both = share * (data.seen[:, i] * data.seen[:, j])[:, None]
            ends = [float(np.sum(both * _shift(rest, s))) for s in range(2, len(terms[i]) + len(terms[j]) + 1)]
            block = np.array([[a * b * ends[k + m] for m, b in enumerate(terms[j])] for k, a in enumerate(terms[i])])
            curvature[starts[i] : starts[i + 1], starts[j] : starts[j + 1]] += block
            curvature[starts[j] : starts[j + 1], starts[i] : starts[i + 1]] += block.T
    return Slopes(_value(psi, data), data.chosen - expected, curvature)


def work(data: Patterns) -> float:
    """Multiplications of one Newton step, about: pairs of items, their categories, groups × scores and overhead."""
    groups, items = len(np.unique(data.codes >= 0, axis=0)), len(data.levels)
    steps = sum(data.levels) - items
    return float(items * np.log2(items + 1) * steps * (groups * (steps + 1) + 2000))


def fit(kind: str, data: Patterns) -> Fit:
    """`kind`: rm, rsm (all items of the same levels) or pcm. Raises `Unconverged`."""
    levels, people = data.levels, _answered(data)
    design = _design(kind, levels)
    cuts = np.cumsum([level - 1 for level in levels])[:-1]
    cumulate = np.zeros((len(design), len(design)))
    for own in np.split(np.arange(len(design)), cuts):
        cumulate[np.ix_(own, own)] = -np.tril(np.ones((len(own), len(own))))
    start = _start(data)
    x = np.linalg.lstsq(design, start - start[0], rcond=None)[0]
    centre = np.eye(len(design)) - np.ones((len(design), 1)) * _averaging(levels).mean(axis=0)[None, :]
    to_psi = cumulate @ centre @ design  # centred: the terms stay near 1
    now = _value(np.split(to_psi @ x, cuts), people)
    for _ in range(ROUNDS):
        at = _slopes(np.split(to_psi @ x, cuts), people)
        information = to_psi.T @ at.curvature @ to_psi
        try:
            step = np.linalg.solve(information, to_psi.T @ at.gradient)
        except np.linalg.LinAlgError:
            raise Unconverged from None
        size = float(np.abs(step).max())
        if not np.isfinite(size):
            raise Unconverged
        if size < 1e-9:
            x = x + step
            break
        share = min(1.0, 3.0 / size)
        while (then := _value(np.split(to_psi @ (x + share * step), cuts), people)) < now - 1e-9 * abs(now):
            share /= 2
            if share < 1e-6:
                raise Unconverged
        x, now = x + share * step, then
        if np.abs(centre @ design @ x).max() > FAR:
            raise Unconverged
    else:
        raise Unconverged
    values = np.linalg.eigvalsh(information)
    if values[0] <= 1e-10 * values[-1]:
        raise Unconverged
    turn = centre @ design
    loglik = _value(np.split(to_psi @ x, cuts), people)
    return Fit(kind, data, turn @ x, turn @ np.linalg.inv(information) @ turn.T, loglik, design.shape[1])


def _start(data: Patterns) -> Floats:
    found = []
    for own, level in zip(data.codes.T, data.levels, strict=True):
        n = np.array([data.counts[own == k].sum() for k in range(level)]) + 0.5
        found.append(np.log(n[:-1] / n[1:]))
    start: Floats = np.clip(np.concatenate(found), -5, 5)
    return start


def apart(data: Patterns) -> list[int]:
    """0/1 items outside the largest set that can be compared: i reaches j where somebody solved i and not j (Fischer
    1981). Empty where all are connected."""
    right, wrong = (data.codes == 1).astype(float), (data.codes == 0).astype(float)
    beaten = (right * data.counts[:, None]).T @ wrong > 0
    count, part = connected_components(beaten, directed=True, connection="strong")
    if count == 1:
        return []
    return [int(i) for i in np.flatnonzero(part != np.bincount(part).argmax())]


# ---- people --------------------------------------------------------------------------------------------------------
def moments(found: Fit, theta: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Mean and second to fourth central moments of each answer: abilities × items."""
    score = np.arange(found.logits.shape[1], dtype=float)
    z = theta[:, None, None] * score + found.logits
    p = np.exp(z - z.max(axis=2, keepdims=True))
    p /= p.sum(axis=2, keepdims=True)
    mean = p @ score
    away = score - mean[:, :, None]
    two, three, four = (np.sum(p * away**power, axis=2) for power in (2, 3, 4))
    return mean, two, three, four


def abilities(found: Fit, seen: Any, score: Floats, warm: bool) -> tuple[Floats, Floats]:
    """ML (NaN for the lowest and highest score) or Warm's (1989) weighted ML, with 1/√information; a row of `seen` says
    which items were answered."""
    each, place = np.unique(np.column_stack((seen, score)).astype(float), axis=0, return_inverse=True)
    seen, score = each[:, :-1], each[:, -1]
    steps = found.steps
    low, high = np.full(len(score), steps.min() - 20), np.full(len(score), steps.max() + 20)
    for _ in range(60):
        middle = (low + high) / 2
        mean, spread, third, _fourth = moments(found, middle)
        left = score - np.sum(seen * mean, axis=1)
        if warm:
            left += np.sum(seen * third, axis=1) / (2 * np.sum(seen * spread, axis=1))
        low, high = np.where(left > 0, middle, low), np.where(left > 0, high, middle)
    theta = (low + high) / 2
    error = 1 / np.sqrt(np.sum(seen * moments(found, theta)[1], axis=1))
    if not warm:
        ends = (score <= 0) | (score >= seen @ (np.array(found.data.levels) - 1.0))
        theta, error = np.where(ends, np.nan, theta), np.where(ends, np.nan, error)
    return theta[place.ravel()], error[place.ravel()]


@dataclass(frozen=True)
class MeanSquares:
    """With z by the cube root of Wilson and Hilferty (Wright & Masters 1982)."""

    infit: Floats
    infit_z: Floats
    outfit: Floats
    outfit_z: Floats


def mean_squares(found: Fit, codes: Ints, theta: Floats, counts: Floats | None) -> MeanSquares:
    """Of the items over people (`counts` given), or of each pattern over its items (None)."""
    mean, spread, _third, fourth = moments(found, theta)
    seen = (codes >= 0).astype(float)
    axis = 1 if counts is None else 0
    w = seen if counts is None else seen * counts[:, None]
    squared, n = (codes - mean) ** 2, w.sum(axis=axis)
    outfit = np.sum(w * squared / spread, axis=axis) / n
    infit = np.sum(w * squared, axis=axis) / np.sum(w * spread, axis=axis)
    out_sd = np.sqrt(np.maximum(np.sum(w * fourth / spread**2, axis=axis) / n**2 - 1 / n, 0))
    in_sd = np.sqrt(np.maximum(np.sum(w * (fourth - spread**2), axis=axis), 0)) / np.sum(w * spread, axis=axis)

    def z(square: Floats, sd: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            value: Floats = (np.cbrt(square) - 1) * 3 / sd + sd / 3
        return np.where(sd > 1e-9, value, np.nan)

    return MeanSquares(infit, z(infit, in_sd), outfit, z(outfit, out_sd))


# ---- tests ---------------------------------------------------------------------------------------------------------
def part(data: Patterns, rows: Any, items: list[int] | None = None, counts: Floats | None = None) -> Patterns:
    """Some patterns and items; the categories keep their numbers."""
    own = list(range(len(data.levels))) if items is None else items
    codes = data.codes[rows][:, own]
    w = (data.counts if counts is None else counts)[rows]
    held = (codes >= 0).any(axis=1) & (w > 0)
    made = patterns(codes[held], w[held])
    return Patterns(made.codes, made.counts, made.place, [data.levels[i] for i in own])


@dataclass(frozen=True)
class Andersen:
    items: list[int]
    fits: list[Fit]
    chi2: float
    df: int


def andersen(kind: str, data: Patterns, counts: list[Floats]) -> Andersen:
    """Likelihood ratio test of equal difficulties in groups of people; `counts`: how often a pattern is in each.

    Items that lack a category in a group (rating scale: do not vary in it) are left out. Raises `Unconverged`."""
    held = np.array([
        [sum(bool(w[own == k].sum() > 0) for k in range(level)) for w in counts]
        for own, level in zip(data.codes.T, data.levels, strict=True)
    ])  # fmt: skip
    # Rating scales share their steps: an item must vary in each group, not show every category.
    wanted = 2 if kind == "rsm" else np.array(data.levels)[:, None]
    kept = [int(i) for i in np.flatnonzero((held >= wanted).all(axis=1))]
    if len(kept) < 2:
        raise Unconverged
    everyone = np.arange(len(data.counts))
    fits = [fit(kind, part(data, everyone, kept, w)) for w in counts]
    whole = fit(kind, part(data, everyone, kept, np.sum(counts, axis=0)))
    gain = 2 * (sum(one.loglik for one in fits) - whole.loglik)
    return Andersen(kept, fits, gain, sum(one.k for one in fits) - whole.k)


def martin_loef(kind: str, data: Patterns, halves: list[list[int]]) -> tuple[float, int]:
    """Whether two sets of items measure the same: χ², df. Complete answers only. Raises `Unconverged`."""
    full = (data.codes >= 0).all(axis=1)
    if not full.any():
        raise Unconverged
    codes, counts = data.codes[full], data.counts[full]
    scores = np.column_stack([codes[:, half].sum(axis=1) for half in halves])

    def told(values: Any) -> float:
        _, place = np.unique(values, axis=0, return_inverse=True)
        n = np.bincount(place.ravel(), weights=counts)
        n = n[n > 0]
        return float(n @ np.log(n / n.sum()))

    whole, halved = fit(kind, part(data, full)), [fit(kind, part(data, full, half)) for half in halves]
    gain = told(scores) + sum(one.loglik for one in halved) - told(scores.sum(axis=1)) - whole.loglik
    most = [sum(data.levels[i] - 1 for i in half) for half in halves]
    df = (most[0] + 1) * (most[1] + 1) - 1 + sum(one.k for one in halved) - sum(most) - whole.k
    return 2 * gain, df
