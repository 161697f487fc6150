"""Four heuristics on one kernel: particle swarm, genetic algorithm, annealing, Monte Carlo; all by whole populations.

Points are compared by feasibility first: below a violation of epsilon the target decides, else the smaller violation.
Epsilon shrinks to nothing over the first part of a run, so that equality constraints can be approached at all (a plain
swarm with a global best fails on them). Whole variables are rounded before anything is computed of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.stats import qmc

Floats = npt.NDArray[np.float64]
Algorithm = Literal["ga", "pso", "sa", "monte_calo"]
Watch = Callable[[float, float, str, float | None], bool]
"""Told the share done, of 1, words and the best so far; False stops the run with what it has."""
RELAXED = 0.6
"""Share of a run after which no violation is forgiven."""
PATIENCE = 0.35
"""A run that has not got better for this share of its iterations has settled."""
TRACED = 400


@dataclass(frozen=True)
class Landscape:
    """What is minimised: `target` and `violation` (0 = feasible) of rows of points within finite bounds."""

    target: Callable[[Floats], Floats]
    violation: Callable[[Floats], Floats]
    low: Floats
    high: Floats
    whole: npt.NDArray[np.bool_]

    def point(self, raw: Floats) -> Floats:
        inside = np.clip(raw, self.low, self.high)
        found: Floats = np.where(self.whole, np.clip(np.round(inside), np.ceil(self.low), np.floor(self.high)), inside)
        return found


@dataclass(frozen=True)
class Run:
    x: Floats
    value: float
    violation: float
    trace: list[tuple[int, float, float]]
    """Iteration, best target, mean target; only while there is a feasible best."""
    iterations: int


@dataclass
class Search:
    """All runs; `best` is the first of the best."""

    runs: list[Run] = field(default_factory=list)
    evaluations: int = 0
    stopped: bool = False
    out_of_time: bool = False

    @property
    def best(self) -> Run:
        return min(self.runs, key=lambda run: (max(run.violation - 1e-9, 0.0), run.value))


@dataclass
class _Swarm:
    """Points with what was computed of them."""

    x: Floats
    value: Floats
    violation: Floats

    def take(self, where: npt.NDArray[np.intp]) -> _Swarm:
        return _Swarm(self.x[where], self.value[where], self.violation[where])

    def order(self, epsilon: float) -> npt.NDArray[np.intp]:
        return np.lexsort((self.value, np.maximum(self.violation - epsilon, 0.0)))


def _better(a: _Swarm, b: _Swarm, epsilon: float) -> npt.NDArray[np.bool_]:
    one, other = np.maximum(a.violation - epsilon, 0), np.maximum(b.violation - epsilon, 0)
    found: npt.NDArray[np.bool_] = (one < other) | ((one == other) & (a.value < b.value))
    return found


class _Kernel:
    def __init__(self, land: Landscape, size: int, iterations: int, rng: np.random.Generator, search: Search) -> None:
        self.land, self.size, self.iterations, self.rng, self.search = land, size, iterations, rng, search
        self.n = len(land.low)
        self.span = np.maximum(land.high - land.low, 0.0)

    def judged(self, raw: Floats) -> _Swarm:
        x = self.land.point(raw)
        self.search.evaluations += len(x)
        value, violation = self.land.target(x), self.land.violation(x)
        bad = ~np.isfinite(value)
        return _Swarm(x, np.where(bad, np.inf, value), np.where(bad, np.inf, violation))

    def sample(self, size: int, low: Floats, high: Floats) -> Floats:
        cube = qmc.LatinHypercube(self.n, rng=self.rng).random(size)
        made: Floats = low + cube * (high - low)
        return made

    def begin(self) -> _Swarm:
        return self.judged(self.sample(self.size, self.land.low, self.land.high))

    def epsilon(self, first: float, step: int) -> float:
        share = step / (RELAXED * self.iterations)
        return 0.0 if share >= 1 or not np.isfinite(first) else first * (1 - share) ** 6

    # ---- the four ------------------------------------------------------------------------------------------------
    def pso(self) -> Iterator[tuple[_Swarm, _Swarm]]:
        """Ring of neighbours (best of the two beside and itself), constriction 0.7298."""
        now = self.begin()
        best, x = now, now.x.astype(float)
        speed = self.rng.uniform(-0.2, 0.2, x.shape) * self.span
        first = (
            float(np.quantile(best.violation[np.isfinite(best.violation)], 0.2))
            if np.isfinite(best.violation).any()
            else 0.0
        )
        ring = np.arange(self.size)
        for step in range(self.iterations):
            eps = self.epsilon(first, step)
            lead = ring.copy()
            for other in (np.roll(ring, 1), np.roll(ring, -1)):
                ahead = _better(best.take(other), best.take(lead), eps)
                lead = np.where(ahead, other, lead)
            a, b = self.rng.random(x.shape), self.rng.random(x.shape)
            speed = 0.7298 * (speed + 2.05 * a * (best.x - x) + 2.05 * b * (best.x[lead] - x))
            speed = np.clip(speed, -0.5 * self.span, 0.5 * self.span)
            x = x + speed
            outside = (x < self.land.low) | (x > self.land.high)
            speed = np.where(outside, -0.5 * speed, speed)
            x = np.clip(x, self.land.low, self.land.high)
            now = self.judged(x)
            ahead = _better(now, best, eps)
            best = _Swarm(
                np.where(ahead[:, None], now.x, best.x), np.where(ahead, now.value, best.value),
                np.where(ahead, now.violation, best.violation),
            )  # fmt: skip
            yield best, now

    def ga(self) -> Iterator[tuple[_Swarm, _Swarm]]:
        """Simulated binary crossover, polynomial mutation; 0–1 variables exchange and flip; the better half stays."""
        now = self.begin()
        finite = now.violation[np.isfinite(now.violation)]
        first = float(np.quantile(finite, 0.2)) if len(finite) else 0.0
        binary = self.land.whole & (self.span <= 1)
        for step in range(self.iterations):
            eps = self.epsilon(first, step)
            order = now.order(eps)
            rank = np.empty(self.size, dtype=int)
            rank[order] = np.arange(self.size)
            duel = self.rng.integers(0, self.size, (2, self.size))
            parents = np.where(rank[duel[0]] < rank[duel[1]], duel[0], duel[1])
            mates = self.rng.permutation(parents)
            a, b = now.x[parents], now.x[mates]
            u = self.rng.random(a.shape)
            spread = np.where(u < 0.5, (2 * u) ** (1 / 16), (1 / (2 * (1 - u) + 1e-300)) ** (1 / 16))
            child = 0.5 * ((1 + spread) * a + (1 - spread) * b)
            swap = self.rng.random(a.shape) < 0.5
            child = np.where(binary, np.where(swap, a, b), np.where(swap, child, a))
            v = self.rng.random(a.shape)
            shift = np.where(v < 0.5, (2 * v) ** (1 / 21) - 1, 1 - (2 * (1 - v)) ** (1 / 21))
            mutates = self.rng.random(a.shape) < max(1 / self.n, 0.02)
            far = self.rng.random(a.shape) < 0.1
            moved = np.where(far, self.land.low + v * self.span, child + shift * self.span)
            stride = np.where(v < 0.5, -1.0, 1.0) * np.ceil(np.abs(shift * self.span) + 1e-12)
            moved = np.where(self.land.whole & ~far, child + stride, moved)
            child = np.where(mutates, np.where(binary, 1 - child, moved), child)
            born = self.judged(child)
            both = _Swarm(
                np.vstack([now.x, born.x]), np.append(now.value, born.value), np.append(now.violation, born.violation)
            )
            # Of equal points one stays: else the population becomes one point.
            _, single = np.unique(both.x, axis=0, return_index=True)
            order = both.take(single).order(eps)
            kept = single[order][: self.size]
            if len(kept) < self.size:
                kept = np.append(kept, self.rng.choice(len(both.x), self.size - len(kept)))
            now = both.take(kept)
            yield now, born

    def sa(self) -> Iterator[tuple[_Swarm, _Swarm]]:
        """As many chains as the population; steps and temperature shrink together, warmed again twice."""
        now = self.begin()
        best = now
        finite = now.violation[np.isfinite(now.violation)]
        first = float(np.quantile(finite, 0.2)) if len(finite) else 0.0
        values = now.value[np.isfinite(now.value)]
        warm = float(np.std(values)) if len(values) > 1 else 1.0
        third = max(1, self.iterations // 3)
        for step in range(self.iterations):
            eps = self.epsilon(first, step)
            share = (step % third) / third
            heat = max(warm * 10 ** (-8 * share) * 0.3 ** (step // third), 1e-300)
            if step % third == 0 and step > 0:
                # Warmed again: every second chain goes on from the best one.
                order = best.order(eps)
                now.x[::2] = best.x[order[0]]
                now.value[::2], now.violation[::2] = best.value[order[0]], best.violation[order[0]]
            size = self.span * 10 ** (-5 * share) * 0.5 * self.rng.random((self.size, 1))
            move = self.rng.standard_normal(now.x.shape) * size
            picked = self.rng.random(now.x.shape) < np.maximum(1 / self.n, self.rng.random((self.size, 1)) ** 2)
            picked[np.arange(self.size), self.rng.integers(0, self.n, self.size)] = True
            stride = np.sign(move) * np.maximum(1, np.round(np.abs(move)))
            tried = self.judged(now.x + np.where(picked, np.where(self.land.whole, stride, move), 0.0))
            one, other = np.maximum(tried.violation - eps, 0), np.maximum(now.violation - eps, 0)
            with np.errstate(all="ignore"):
                worse = np.nan_to_num(tried.value - now.value, nan=np.inf)
                chance = np.where(one > 0, np.exp(-(one - other) / max(first * 0.1, 1e-9)), np.exp(-worse / heat))
            chance = np.where((one > 0) & (one == other), np.exp(-np.clip(worse, 0, None) / heat), chance)
            goes = _better(tried, now, eps) | (np.isfinite(tried.value) & (self.rng.random(self.size) < chance))
            now = _Swarm(
                np.where(goes[:, None], tried.x, now.x), np.where(goes, tried.value, now.value),
                np.where(goes, tried.violation, now.violation),
            )  # fmt: skip
            ahead = _better(now, best, eps)
            best = _Swarm(
                np.where(ahead[:, None], now.x, best.x), np.where(ahead, now.value, best.value),
                np.where(ahead, now.violation, best.violation),
            )  # fmt: skip
            yield best, now

    def monte_calo(self) -> Iterator[tuple[_Swarm, _Swarm]]:
        """Latin hypercubes in a box around the best that shrinks; every tenth sample is of the whole region."""
        now = self.begin()
        best = now
        finite = now.violation[np.isfinite(now.violation)]
        first = float(np.quantile(finite, 0.2)) if len(finite) else 0.0
        shrink = 10 ** (-7 / max(1, self.iterations))
        box = self.span.copy()
        for step in range(self.iterations):
            eps = self.epsilon(first, step)
            centre = best.x[best.order(eps)[0]]
            wide = step % 10 == 9
            half = np.maximum(box / 2, np.where(self.land.whole, np.minimum(1.0, self.span), 0.0))
            low = self.land.low if wide else np.maximum(self.land.low, centre - half)
            high = self.land.high if wide else np.minimum(self.land.high, centre + half)
            now = self.judged(self.sample(self.size, low, high))
            both = _Swarm(
                np.vstack([best.x, now.x]), np.append(best.value, now.value), np.append(best.violation, now.violation)
            )
            best = both.take(both.order(eps)[: self.size])
            box = box * shrink
            yield best, now


def search(
    land: Landscape,
    algorithm: Algorithm,
    *,
    size: int,
    iterations: int,
    runs: int,
    seconds: float,
    seed: int,
    watch: Watch,
    tolerance: float = 1e-9,
) -> Search:
    """`runs` independent runs, each from its own seed; stopped by the clock or by the watcher with what there is."""
    found = Search()
    began = time.monotonic()
    for number in range(runs):
        rng = np.random.default_rng([seed, number])
        kernel = _Kernel(land, max(size, 4), iterations, rng, found)
        found.runs.append(_run(kernel, algorithm, number, runs, began + seconds, watch, tolerance))
        if found.stopped or found.out_of_time:
            break
    return found


def _run(
    kernel: _Kernel, algorithm: Algorithm, number: int, runs: int, ends: float, watch: Watch, tolerance: float
) -> Run:
    generation: Iterator[tuple[_Swarm, _Swarm]] = getattr(kernel, algorithm)()
    trace: list[tuple[int, float, float]] = []
    every = max(1, kernel.iterations // TRACED)
    top = (np.inf, np.inf)
    earlier = min((run.value for run in kernel.search.runs if run.violation <= tolerance), default=np.inf)
    x, since, step = kernel.land.point((kernel.land.low + kernel.land.high) / 2), 0, 0
    for step, (best, now) in enumerate(generation, 1):
        first = int(np.lexsort((best.value, np.maximum(best.violation - tolerance, 0.0)))[0])
        key = (max(float(best.violation[first]) - tolerance, 0.0), float(best.value[first]))
        if key < (top[0], top[1] - 1e-12 * max(1.0, abs(top[1])) if np.isfinite(top[1]) else top[1]):
            since = step
        if key < top:
            top, x = key, best.x[first].copy()
        if top[0] == 0 and (step % every == 0 or step == kernel.iterations):
            held = now.value[np.isfinite(now.value) & (now.violation <= max(tolerance, 1e-6))]
            trace.append((step, top[1], float(held.mean()) if len(held) else top[1]))
        share = (number + step / kernel.iterations) / runs
        if step % 10 == 0:
            # Of all runs so far: what is told as the best never gets worse.
            known = min(earlier, top[1] if top[0] == 0 else np.inf)
            shown = known if np.isfinite(known) else None
            if not watch(share, 1.0, f"第 {number + 1}/{runs} 次运行", shown):
                kernel.search.stopped = True
                break
            if time.monotonic() > ends:
                kernel.search.out_of_time = True
                break
        settled = step - since > PATIENCE * kernel.iterations and top[0] == 0
        if step > RELAXED * kernel.iterations and settled:
            break
    value = float(kernel.land.target(x[None])[0])
    return Run(x, value, float(kernel.land.violation(x[None])[0]), trace, step)
