"""Latent classes of categories and numbers by EM: within a class everything is independent, categories multinomial,
numbers normal with a variance all classes share (Lazarsfeld & Henry, 1968; Hagenaars & McCutcheon, 2002)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hengxi.stats.moments import Floats

Data = tuple[Floats, Floats, Floats]
"""Indicators of levels, numbers, how many rows each stands for."""
STEPS, ROUGH, FINE, SAME, LEAST = 3000, 1e-7, 1e-11, 1e-5, 1e-10
"""Starts end by the relative gain of the log likelihood, the best one by the largest change of a posterior."""


@dataclass(frozen=True, slots=True)
class Latent:
    """`posterior`: rows × classes. `reached` of `starts` came to the same log likelihood."""

    posterior: Floats
    log_likelihood: float
    parameters: int
    starts: int
    reached: int
    log_density: Callable[[Floats, Floats], Floats]

    @property
    def entropy(self) -> float:
        """1 − Σ −p ln p/(n ln k) (Ramaswamy et al., 1993)."""
        p = np.clip(self.posterior, 1e-300, 1)
        return 1 + float((p * np.log(p)).sum()) / float(p.shape[0] * np.log(p.shape[1]))

    @property
    def bic(self) -> float:
        return -2 * self.log_likelihood + self.parameters * float(np.log(len(self.posterior)))


def latent_classes(
    marks: Floats, sizes: list[int], numbers: Floats, k: int, starts: int, rng: np.random.Generator, polish: bool = True
) -> Latent:
    """`marks`: rows × levels, one 1 for each category, its levels side by side (`sizes`); `numbers`: rows × numbers."""
    n = len(marks)
    weight, back = np.ones(n), np.arange(n)
    if not numbers.shape[1]:  # few patterns stand for many rows
        marks, back, counts = np.unique(marks, axis=0, return_inverse=True, return_counts=True)
        back, weight, numbers = back.ravel(), counts.astype(float), np.empty((len(marks), 0))
    data = (marks, numbers, weight)
    best: tuple[float, Floats] | None = None
    found = []
    for _ in range(starts):
        value, posterior = _climb(data, rng.dirichlet(np.ones(k) * 0.5, len(marks)), ROUGH)
        found.append(value)
        if best is None or value > best[0]:
            best = value, posterior
    assert best is not None
    value, posterior = _climb(data, best[1], ROUGH, FINE) if polish else best
    reached = int(np.sum(np.array(found) > value - SAME * (1 + abs(value))))
    model = _maximised(data, posterior)
    free = parameters(sizes, numbers.shape[1], k)
    return Latent(posterior[back], value, free, starts, reached, lambda m, x: _density(m, x, *model))


def parameters(sizes: list[int], numbers: int, k: int) -> int:
    return k - 1 + k * sum(size - 1 for size in sizes) + (k + 1) * numbers


def _climb(data: Data, start: Floats, close: float, moved: float | None = None) -> tuple[float, Floats]:
    marks, numbers, weight = data
    posterior, before = start, -np.inf
    for _ in range(STEPS):
        logs = _density(marks, numbers, *_maximised(data, posterior))
        top = logs.max(axis=1, keepdims=True)
        shares = np.exp(logs - top)
        sums = shares.sum(axis=1, keepdims=True)
        value = float(weight @ (np.log(sums) + top)[:, 0])
        shares /= sums
        gone = float(np.abs(shares - posterior).max()) if moved is not None else 0.0
        posterior = shares
        if gone < moved if moved is not None else value - before <= close * (1 + abs(value)):
            break
        before = value
    return value, posterior


def _maximised(data: Data, posterior: Floats) -> tuple[Floats, ...]:
    """Shares of the classes, of each level in each, means and the common variances."""
    marks, numbers, weight = data
    held = posterior * weight[:, None]
    n = float(weight.sum())
    n_k = np.maximum(held.sum(axis=0), LEAST)
    levels = np.maximum(marks.T @ held / n_k, LEAST)
    means = numbers.T @ held / n_k
    spread = (numbers**2 * weight[:, None]).sum(axis=0) / n - (means**2 * n_k).sum(axis=1) / n
    return np.log(n_k / n), np.log(levels), means, np.maximum(spread, LEAST)


def _density(marks: Floats, numbers: Floats, share: Floats, levels: Floats, means: Floats, spread: Floats) -> Floats:
    logs = share + marks @ levels
    for j in range(numbers.shape[1]):
        logs = logs - ((numbers[:, j : j + 1] - means[j]) ** 2 / spread[j] + np.log(2 * np.pi * spread[j])) / 2
    found: Floats = logs
    return found
