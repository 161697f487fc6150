"""Item response models by marginal maximum likelihood: 1PL, 2PL, 3PL, graded response, (generalized) partial credit.

Ability is standard normal, integrated on equally spaced nodes. The likelihood is climbed with its own gradient (Bock &
Aitkin's expected counts), the last steps are Newton's, and standard errors come from the observed information.
Answers are codes 0 … k − 1 of each item; patterns that come again are one row with a frequency.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from hengxi.stats.moments import Floats

Ints = NDArray[np.int64]
Array = NDArray[Any]
REACH = 6.0
ROUNDS = 500
BINARY, GRADED, CREDIT = ("1pl", "rasch", "2pl", "3pl"), ("grm",), ("pcm", "gpcm")
COMMON = ("1pl", "rasch", "pcm")
"""One discrimination for all items."""
GUESS = (-7.0, 0.4)
"""Bounds of the logit of the guessing parameter."""


@dataclass(frozen=True)
class Patterns:
    """`codes`: patterns × items, −1 where not answered; `counts`: how often; `place`: pattern of each row."""

    codes: Ints
    counts: Floats
    place: Ints
    levels: list[int]
    """Number of categories of each item."""

    @property
    def n(self) -> float:
        return float(self.counts.sum())

    @cached_property
    def indicators(self) -> Floats:
        """Patterns × all categories of all items; a row of zeros where the item was not answered."""
        blocks = [self.codes[:, [j]] == np.arange(k)[None, :] for j, k in enumerate(self.levels)]
        found: Floats = np.hstack(blocks).astype(float)
        return found

    @cached_property
    def starts(self) -> Ints:
        return np.concatenate(([0], np.cumsum(self.levels))).astype(np.int64)


def patterns(codes: Ints, frequencies: Floats | None = None) -> Patterns:
    """Rows × items; categories of each item counted from 0 without gaps."""
    rows, place = np.unique(codes, axis=0, return_inverse=True)
    counts = np.bincount(place.ravel(), weights=frequencies, minlength=len(rows)).astype(float)
    levels = [int(column.max()) + 1 for column in codes.T]
    return Patterns(rows, counts, place.ravel(), levels)


@dataclass
class Item:
    """`a`, intercepts `d` (one a step), `g` the logit of guessing; slopes × ability + intercept is the logit."""

    a: float
    d: Floats
    g: float | None = None

    @property
    def guess(self) -> float:
        return 0.0 if self.g is None else float(special.expit(self.g))


class Unconverged(Exception):  # noqa: N818
    """No maximum was reached."""


# ---- probabilities -------------------------------------------------------------------------------------------------
def probabilities(kind: str, item: Item, theta: Array) -> Array:
    """Abilities × categories; takes complex abilities too."""
    z = item.a * theta[:, None] + item.d[None, :]
    if kind in BINARY:
        p = item.guess + (1 - item.guess) / (1 + np.exp(-z))
        return np.hstack((1 - p, p))
    if kind in GRADED:
        above = 1 / (1 + np.exp(-z))
        ones, zeros = np.ones_like(above[:, :1]), np.zeros_like(above[:, :1])
        graded: Array = np.hstack((ones, above)) - np.hstack((above, zeros))
        return graded
    logits = np.hstack((np.zeros_like(z[:, :1]), np.cumsum(z, axis=1)))
    top = logits.real.max(axis=1, keepdims=True)
    weight = np.exp(logits - top)
    found: Array = weight / weight.sum(axis=1, keepdims=True)
    return found


def _slopes(kind: str, item: Item, theta: Floats) -> tuple[Floats, list[Floats]]:
    """Probabilities, and their derivatives by a, each d, and g: abilities × categories each."""
    p = probabilities(kind, item, theta).astype(float)
    if kind in BINARY:
        core = special.expit(item.a * theta + item.d[0])
        inner = (1 - item.guess) * core * (1 - core)
        made = [inner * theta, inner]
        if item.g is not None:
            made.append((1 - core) * item.guess * (1 - item.guess))
        return p, [np.column_stack((-one, one)) for one in made]
    steps = len(item.d)
    if kind in GRADED:
        above = special.expit(item.a * theta[:, None] + item.d[None, :])
        w = above * (1 - above)
        found = [np.zeros_like(p)]
        for k in range(steps):
            one = np.zeros_like(p)
            one[:, k + 1] += w[:, k]
            one[:, k] -= w[:, k]
            found.append(one)
        found[0] = sum(found[1:], np.zeros_like(p)) * theta[:, None]
        return p, found
    # Partial credit: d log p_k / d d_v = [k ≥ v] − P(X ≥ v).
    at_least = np.cumsum(p[:, ::-1], axis=1)[:, ::-1]
    found = [np.zeros_like(p)]
    for v in range(1, steps + 1):
        found.append(p * ((np.arange(steps + 1) >= v)[None, :] - at_least[:, [v]]))
    found[0] = sum(found[1:], np.zeros_like(p)) * theta[:, None]
    return p, found


# ---- the likelihood ------------------------------------------------------------------------------------------------
@dataclass
class Fit:
    kind: str
    items: list[Item]
    data: Patterns
    nodes: Floats
    weights: Floats
    loglik: float
    v: Floats
    """Covariance matrix of the free parameters."""
    layout: Layout
    at_bound: list[int] = field(default_factory=list)
    """Items whose guessing parameter ran into its bound."""

    @property
    def k(self) -> int:
        return self.layout.size - len(self.at_bound)

    @cached_property
    def posterior(self) -> Floats:
        """Patterns × nodes."""
        return _posterior(self.kind, self.items, self.data, self.nodes, self.weights)[0]


class Layout:
    """Where the parameters of the items stand in one vector; a common discrimination stands first."""

    def __init__(self, kind: str, levels: list[int]) -> None:
        self.kind, self.levels = kind, levels
        self.common = kind in COMMON
        self.places: list[list[int]] = []
        at = 1 if self.common else 0
        for k in levels:
            own = [0] if self.common else [at]
            at += 0 if self.common else 1
            own += list(range(at, at + k - 1))
            at += k - 1
            if kind == "3pl":
                own.append(at)
                at += 1
            self.places.append(own)
        self.size = at

    def items(self, x: Floats) -> list[Item]:
        found = []
        for own, k in zip(self.places, self.levels, strict=True):
            g = float(x[own[-1]]) if self.kind == "3pl" else None
            found.append(Item(float(x[own[0]]), x[own[1:k]].astype(float), g))
        return found

    @property
    def guesses(self) -> list[int]:
        return [own[-1] for own in self.places] if self.kind == "3pl" else []


def _posterior(kind: str, items: list[Item], data: Patterns, nodes: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Posterior of the nodes for each pattern, and the log likelihood of each."""
    logs = np.vstack([np.log(np.maximum(probabilities(kind, item, nodes).real, 1e-300)).T for item in items])
    whole = data.indicators @ logs + np.log(weights)[None, :]
    total = special.logsumexp(whole, axis=1)
    found: Floats = np.exp(whole - total[:, None])
    return found, total


def _scores_of(layout: Layout, x: Floats, data: Patterns, nodes: Floats, weights: Floats) -> tuple[float, Floats]:
    """Log likelihood, and the gradient of each pattern's: patterns × parameters."""
    items = layout.items(x)
    posterior, logs = _posterior(layout.kind, items, data, nodes, weights)
    found = np.zeros((len(data.counts), layout.size))
    rows = np.arange(len(data.counts))
    for j, (item, own) in enumerate(zip(items, layout.places, strict=True)):
        p, slopes = _slopes(layout.kind, item, nodes)
        codes = data.codes[:, j]
        seen = codes >= 0
        for place, one in zip(own, slopes, strict=True):
            by_category = posterior @ (one / np.maximum(p, 1e-300))
            found[:, place] += np.where(seen, by_category[rows, np.maximum(codes, 0)], 0.0)
    return float(data.counts @ logs), found


def _gradient(layout: Layout, x: Floats, data: Patterns, nodes: Floats, weights: Floats) -> Floats:
    """Of the log likelihood, from the expected counts of each category at each node."""
    items = layout.items(x)
    posterior, _ = _posterior(layout.kind, items, data, nodes, weights)
    expected = data.indicators.T @ (posterior * data.counts[:, None])
    found = np.zeros(layout.size)
    for item, own, start, k in zip(items, layout.places, data.starts, layout.levels, strict=False):
        p, slopes = _slopes(layout.kind, item, nodes)
        ratio = expected[start : start + k].T / np.maximum(p, 1e-300)
        for place, one in zip(own, slopes, strict=True):
            found[place] += float(np.sum(ratio * one))
    return found


def fit(kind: str, data: Patterns, points: int = 41) -> Fit:
    """Raises `Unconverged`."""
    nodes = np.linspace(-REACH, REACH, points)
    weights = np.exp(-0.5 * nodes**2)
    weights /= weights.sum()
    layout = Layout(kind, data.levels)
    x = _start(layout, data)

    def value(at: Floats) -> float:
        if kind in GRADED and any((np.diff(item.d) >= 0).any() for item in layout.items(at)):
            return -np.inf
        return float(data.counts @ _posterior(kind, layout.items(at), data, nodes, weights)[1])

    def slope(at: Floats) -> Floats:
        return _gradient(layout, at, data, nodes, weights)

    x, stuck = _climbed(layout, x, data, nodes, weights, value)
    free = np.setdiff1d(np.arange(layout.size), [layout.guesses[i] for i in stuck])
    hessian = np.eye(len(free))
    for turn in range(12):
        if turn == 0:
            hessian = _curvature(slope, x, free)
            values = np.linalg.eigvalsh(hessian)
            if values[0] <= 1e-9 * max(values[-1], 1.0):
                raise Unconverged
        step = np.linalg.solve(hessian, slope(x)[free])
        if not np.isfinite(step).all() or np.abs(step).max() > 1:
            raise Unconverged
        x = x.copy()
        x[free] += step
        if np.abs(step).max() < 1e-10:
            break
    hessian = _curvature(slope, x, free)
    v = np.zeros((layout.size, layout.size))
    v[np.ix_(free, free)] = np.linalg.inv(hessian)
    return Fit(kind, layout.items(x), data, nodes, weights, value(x), v, layout, stuck)


def _climbed(
    layout: Layout, x: Floats, data: Patterns, nodes: Floats, weights: Floats, value: Callable[[Floats], float]
) -> tuple[Floats, list[int]]:
    """Near the maximum by scoring with the cross-products of the patterns' gradients (Berndt et al. 1974)."""
    guesses = np.array(layout.guesses, dtype=np.int64)
    held = np.zeros(layout.size, dtype=bool)
    now = value(x)
    for _ in range(ROUNDS):
        _, scores = _scores_of(layout, x, data, nodes, weights)
        down = data.counts @ scores
        inner = ~held
        information = (scores * data.counts[:, None]).T @ scores
        size = np.sqrt(np.maximum(np.diag(information), 1e-12))
        scaled = information / np.outer(size, size) + 1e-9 * np.eye(layout.size)
        step = np.zeros(layout.size)
        step[inner] = np.linalg.solve(scaled[np.ix_(inner, inner)], (down / size)[inner]) / size[inner]
        gain, share = float(down @ step), 1.0
        if gain < 1e-9:
            break
        biggest = float(np.abs(step).max())
        share = min(1.0, 2.0 / biggest)
        while share > 1e-7:
            tried = x + share * step
            tried[guesses] = np.clip(tried[guesses], *GUESS)
            then = value(tried)
            if np.isfinite(then) and then >= now:
                break
            share /= 2
        else:
            break
        x, now = tried, then
        # A guessing parameter at its bound stays there.
        for place in guesses:
            if x[place] <= GUESS[0] or x[place] >= GUESS[1]:
                held[place] = True
    else:
        raise Unconverged
    return x, [i for i, place in enumerate(layout.guesses) if held[place]]


def _curvature(slope: Callable[[Floats], Floats], x: Floats, free: Ints) -> Floats:
    """Of −log likelihood: central differences of the gradient."""
    found = np.empty((len(free), len(free)))
    h = 1e-4
    for i, place in enumerate(free):
        up, down = x.copy(), x.copy()
        up[place] += h
        down[place] -= h
        found[i] = (slope(down)[free] - slope(up)[free]) / (2 * h)
    return (found + found.T) / 2


def _start(layout: Layout, data: Patterns) -> Floats:
    x = np.ones(layout.size)
    for j, (own, k) in enumerate(zip(layout.places, layout.levels, strict=True)):
        seen = data.codes[:, j] >= 0
        share = (
            np.array([data.counts[seen & (data.codes[:, j] >= v)].sum() for v in range(k)]) / data.counts[seen].sum()
        )
        share = np.clip(share, 0.005, 0.995)
        if layout.kind in CREDIT:
            own_share = np.clip(-np.diff(np.append(share, 0.0)), 0.002, None)
            x[own[1:k]] = np.log(own_share[1:] / own_share[:-1])
        else:
            x[own[1:k]] = special.logit(share[1:]) - 0.01 * np.arange(k - 1)
        if layout.kind == "3pl":
            x[own[-1]] = special.logit(0.15)
    return x


# ---- people --------------------------------------------------------------------------------------------------------
def expected_a_posteriori(found: Fit) -> tuple[Floats, Floats]:
    """Mean and sd of the posterior of each pattern."""
    mean = found.posterior @ found.nodes
    spread = found.posterior @ found.nodes**2 - mean**2
    return mean, np.sqrt(np.maximum(spread, 0.0))


def modes(found: Fit, prior: bool) -> tuple[Floats, Floats]:
    """MAP (`prior`) or ML ability of each pattern with the inverse root of the curvature; ML is NaN beyond ±6."""
    data = found.data
    theta, _ = expected_a_posteriori(found)

    def score(at: Floats) -> Floats:
        moved = at + 1e-20j
        total = np.zeros(len(at))
        for j, item in enumerate(found.items):
            p = probabilities(found.kind, item, moved)
            seen = data.codes[:, j] >= 0
            own = p[np.arange(len(at)), np.maximum(data.codes[:, j], 0)]
            total += np.where(seen, np.imag(np.log(own)) / 1e-20, 0.0)
        return total - at if prior else total

    low, high = np.full(len(theta), -REACH), np.full(len(theta), REACH)
    ends = score(low), score(high)
    inside = (ends[0] > 0) & (ends[1] < 0)
    for _ in range(60):  # bisection is slow and sure: 3PL likelihoods may bend
        middle = (low + high) / 2
        up = score(middle) > 0
        low, high = np.where(up, middle, low), np.where(up, high, middle)
    theta = np.where(inside, (low + high) / 2, np.nan)
    at = np.nan_to_num(theta)
    h = 1e-4
    curve = -(score(at - 2 * h) - 8 * score(at - h) + 8 * score(at + h) - score(at + 2 * h)) / (12 * h)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.where(inside & (curve > 0), 1 / np.sqrt(curve), np.nan)
    return theta, error


def information(kind: str, item: Item, theta: Floats) -> Floats:
    """Σ (dp/dθ)² / p."""
    p = probabilities(kind, item, theta + 1e-20j)
    found: Floats = np.sum((np.imag(p) / 1e-20) ** 2 / np.maximum(p.real, 1e-300), axis=1)
    return found


# ---- fit -----------------------------------------------------------------------------------------------------------
def residual_correlations(found: Fit) -> Floats:
    """Yen's Q3: correlations of answers minus what the EAP ability expects."""
    theta, _ = expected_a_posteriori(found)
    columns = []
    for j, item in enumerate(found.items):
        p = probabilities(found.kind, item, theta).real
        x = found.data.codes[:, j].astype(float)
        columns.append(np.where(x >= 0, x - p @ np.arange(p.shape[1]), np.nan))
    rest = np.column_stack(columns)
    k = rest.shape[1]
    r = np.full((k, k), np.nan)
    for i in range(k):
        for j in range(i):
            both = ~np.isnan(rest[:, i]) & ~np.isnan(rest[:, j])
            w = found.data.counts[both]
            if w.sum() < 3:
                continue
            s = np.cov(rest[both][:, [i, j]].T, fweights=np.round(w).astype(int))
            if min(s[0, 0], s[1, 1]) > 0:
                r[i, j] = r[j, i] = s[0, 1] / np.sqrt(s[0, 0] * s[1, 1])
    return r


def mean_squares(found: Fit, j: int) -> tuple[float, float]:
    """Infit and outfit of an item at the EAP abilities."""
    theta, _ = expected_a_posteriori(found)
    codes = found.data.codes[:, j]
    seen = codes >= 0
    p = probabilities(found.kind, found.items[j], theta[seen]).real
    score = np.arange(p.shape[1])
    mean = p @ score
    spread = p @ score**2 - mean**2
    w, away = found.data.counts[seen], (codes[seen] - mean) ** 2
    return float(w @ away / (w @ spread)), float(w @ (away / spread) / w.sum())


@dataclass(frozen=True, slots=True)
class ItemFit:
    chi2: float
    df: int
    rmsea: float | None


def _scores(parts: list[Floats]) -> Floats:
    """Distribution of the sum at each node (Lord & Wingersky): nodes × scores."""
    found = np.ones((len(parts[0]), 1))
    for p in parts:
        wide = np.zeros((len(p), found.shape[1] + p.shape[1] - 1))
        for k in range(p.shape[1]):
            wide[:, k : k + found.shape[1]] += found * p[:, [k]]
        found = wide
    return found


def item_fit(found: Fit, j: int) -> ItemFit | None:
    """S-χ² of a binary item (Orlando & Thissen 2000) over summed scores, neighbouring scores joined until every
    expected count is at least 1; df = groups − parameters. Complete answers only."""
    data = found.data
    full = (data.codes >= 0).all(axis=1)
    counts, codes = data.counts[full], data.codes[full]
    parts = [probabilities(found.kind, item, found.nodes).real for item in found.items]
    rest = _scores([p for i, p in enumerate(parts) if i != j])
    whole = _scores(parts)
    k = len(found.items)
    right = np.zeros(k + 1)
    right[1:] = found.weights @ (rest * parts[j][:, [1]])
    expected = right[1:k] / (found.weights @ whole)[1:k]
    score = codes.sum(axis=1)
    n = np.array([counts[score == s].sum() for s in range(1, k)])
    seen = np.array([counts[(score == s) & (codes[:, j] == 1)].sum() for s in range(1, k)])
    groups: list[list[float]] = []
    held = np.zeros(3)
    for s in range(k - 1):
        held += (n[s], seen[s], n[s] * expected[s])
        if held[2] >= 1 and held[0] - held[2] >= 1:
            groups.append(list(held))
            held = np.zeros(3)
    if groups and held[0] > 0:
        groups[-1] = [a + b for a, b in zip(groups[-1], held, strict=True)]
    table = np.array(groups)
    size = {"1pl": 1, "rasch": 1, "2pl": 2, "3pl": 3}[found.kind]
    df = len(groups) - size
    if df < 1:
        return None
    chi2 = float(np.sum((table[:, 1] - table[:, 2]) ** 2 * table[:, 0] / (table[:, 2] * (table[:, 0] - table[:, 2]))))
    total = float(table[:, 0].sum())
    return ItemFit(chi2, df, float(np.sqrt(max(chi2 - df, 0.0) / (df * (total - 1)))))


@dataclass(frozen=True, slots=True)
class WholeFit:
    m2: float
    df: int
    rmsea: float
    cfi: float | None


def whole_fit(found: Fit) -> WholeFit | None:
    """M₂ of binary items (Maydeu-Olivares & Joe 2006): first and second margins, residuals orthogonal to the model's
    slopes. Complete answers only; None without degrees of freedom."""
    data = found.data
    full = (data.codes >= 0).all(axis=1)
    counts, codes = data.counts[full], data.codes[full].astype(float)
    n, k = float(counts.sum()), codes.shape[1]
    pairs = [(i, j) for i in range(k) for j in range(i)]
    sets = [(i,) for i in range(k)] + pairs
    free = [i for i in range(found.layout.size) if found.v[i, i] > 0]
    df = len(sets) - len(free)
    if df < 1:
        return None
    p = np.column_stack([probabilities(found.kind, item, found.nodes)[:, 1].real for item in found.items])
    w = found.weights
    conditional = np.column_stack([np.prod(p[:, list(one)], axis=1) for one in sets])
    model = w @ conditional
    seen = np.array([counts @ np.prod(codes[:, list(one)], axis=1) for one in sets]) / n
    ratio = np.column_stack([1 / np.maximum(p[:, i], 1e-300) for i in range(k)])
    # E[m_s m_t | θ]: the product over the union; what both have would be counted twice.
    joint = np.empty((len(sets), len(sets)))
    for s, one in enumerate(sets):
        scaled = conditional * (w * conditional[:, s])[:, None]
        back = np.ones((len(w), len(sets)))
        for i in one:
            has = np.array([i in other for other in sets])
            back[:, has] *= ratio[:, [i]]
        joint[s] = np.sum(scaled * back, axis=0)
    cover = joint - np.outer(model, model)
    delta = np.zeros((len(sets), found.layout.size))
    for j, (item, own) in enumerate(zip(found.items, found.layout.places, strict=True)):
        _, slopes = _slopes(found.kind, item, found.nodes)
        for place, slope in zip(own, slopes, strict=True):
            for s, one in enumerate(sets):
                if j in one:
                    rest = np.prod(p[:, [i for i in one if i != j]], axis=1)
                    delta[s, place] += float(w @ (slope[:, 1] * rest))
    m2 = _quadratic(seen - model, cover, delta[:, free], n)
    alone = np.array([float(seen[i]) for i in range(k)])
    free_model = np.array([np.prod(alone[list(one)]) for one in sets])
    free_joint = np.array([[np.prod(alone[list(set(a) | set(b))]) for b in sets] for a in sets])
    slopes0 = np.array(
        [[np.prod(alone[[i for i in one if i != j]]) if j in one else 0.0 for j in range(k)] for one in sets]
    )
    base = _quadratic(seen - free_model, free_joint - np.outer(free_model, free_model), slopes0, n)
    base_df = len(sets) - k
    away, base_away = max(m2 - df, 0.0), max(base - base_df, m2 - df, 0.0)
    return WholeFit(m2, df, float(np.sqrt(away / (df * n))), 1 - away / base_away if base_away > 0 else None)


def _quadratic(rest: Floats, cover: Floats, delta: Floats, n: float) -> float:
    root = np.linalg.cholesky(cover)
    e, d = np.linalg.solve(root, rest), np.linalg.solve(root, delta)
    q, _ = np.linalg.qr(d)
    left = e - q @ (q.T @ e)
    return float(n * left @ left)
