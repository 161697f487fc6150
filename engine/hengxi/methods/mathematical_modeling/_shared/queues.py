"""Queues: steady states of birth and death, the formula of Pollaczek and Khinchine, and a simulation by events."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .grid import Floats

MOST_STATES = 20_000
WARM, BATCHES = 0.1, 20


@dataclass(frozen=True)
class Steady:
    """Long-run measures; `states` are the chances of 0, 1, 2, … in the system where they are known."""

    use: float
    p0: float
    l: float  # noqa: E741  (the letter of the field)
    lq: float
    w: float
    wq: float
    wait: float
    loss: float
    entering: float
    states: Floats | None


def birth_death(births: Callable[[int], float], mu: float, c: int, most: int | None) -> Steady:
    """Of a queue whose arrivals in state n come at `births(n)`, with c servers and at most `most` in the system.

    Chances by p[n + 1] = p[n] · births(n) / (min(n + 1, c) · mu) (Kleinrock 1975, chapter 3); W by Little's formula.
    """
    logs = [0.0]
    top = most if most is not None else MOST_STATES
    for n in range(top):
        rate = births(n)
        if rate <= 0:
            break
        logs.append(logs[-1] + float(np.log(rate) - np.log(min(n + 1, c) * mu)))
        if most is None and n > c and logs[-1] < max(logs) - 80:
            break
    p = np.exp(np.array(logs) - max(logs))
    if most is None:
        # The rest of a queue without limit is a geometric series.
        ratio = births(len(logs)) / (c * mu)
        tail = p[-1] * ratio / (1 - ratio)
        total = p.sum() + tail
    else:
        ratio, tail, total = 0.0, 0.0, p.sum()
    p, tail = p / total, tail / total
    n_ = np.arange(len(p))
    far = len(p) - 1
    # Sums over the tail: each further customer waits.
    beyond = tail * (far + 1 / (1 - ratio)) if tail else 0.0
    arrive = np.array([births(int(n)) for n in n_])
    entering = float((arrive[:-1] * p[:-1]).sum() if most is not None and arrive[-1] > 0 else (arrive * p).sum())
    if most is None:
        entering = births(0)
    l = float((n_ * p).sum()) + beyond  # noqa: E741
    lq = float((np.maximum(n_ - c, 0) * p).sum()) + (beyond - c * tail)
    offered = float((arrive * p).sum()) if most is not None else births(0)
    loss = 1 - entering / offered if offered > 0 else 0.0
    busy = n_ >= c
    if most is None:
        wait = float(p[busy].sum()) + tail
    else:
        full = (n_ == most) & (arrive > 0)
        wait = float((arrive * p)[busy & ~full].sum()) / entering
    use = (l - lq) / c
    return Steady(use, float(p[0]), l, lq, l / entering, lq / entering, wait, max(0.0, loss), entering, p)


def pollaczek(lam: float, mu: float, sd: float) -> Steady:
    """M/G/1: Lq = λ²E[S²] / (2(1 − ρ))."""
    rho = lam / mu
    lq = lam**2 * (1 / mu**2 + sd**2) / (2 * (1 - rho))
    l = lq + rho  # noqa: E741
    return Steady(rho, 1 - rho, l, lq, l / lam, lq / lam, rho, 0.0, lam, None)


@dataclass(frozen=True)
class Run:
    """Of the customers served in order of arrival: when they came, waited, left; and how many were turned away."""

    arrival: Floats
    wait: Floats
    stay: Floats
    asked: int
    lost: int


def simulate(gaps: Floats, services: Floats, c: int, most: int | None) -> Run:
    """First come, first served, c servers, at most `most` in the system; Lindley's recursion for many servers."""
    free = [0.0] * c
    inside: list[float] = []
    arrival, wait, stay = [], [], []
    now, lost = 0.0, 0
    for gap, service in zip(gaps.tolist(), services.tolist(), strict=True):
        now += gap
        if most is not None:
            while inside and inside[0] <= now:
                heapq.heappop(inside)
            if len(inside) >= most:
                lost += 1
                continue
        begin = max(now, free[0])
        heapq.heapreplace(free, begin + service)
        if most is not None:
            heapq.heappush(inside, begin + service)
        arrival.append(now)
        wait.append(begin - now)
        stay.append(begin - now + service)
    return Run(np.array(arrival), np.array(wait), np.array(stay), len(gaps), lost)


def simulate_source(rng: np.random.Generator, lam: float, services: Floats, c: int, size: int) -> Run:
    """Every one of `size` customers comes again an exponential time after it was served."""
    coming = list(rng.exponential(1 / lam, size))
    heapq.heapify(coming)
    free = [0.0] * c
    away = rng.exponential(1 / lam, len(services))
    arrival, wait, stay = [], [], []
    for k, service in enumerate(services.tolist()):
        now = coming[0]
        begin = max(now, free[0])
        heapq.heapreplace(free, begin + service)
        heapq.heapreplace(coming, begin + service + float(away[k]))
        arrival.append(now)
        wait.append(begin - now)
        stay.append(begin - now + service)
    return Run(np.array(arrival), np.array(wait), np.array(stay), len(services), 0)


def measured(run: Run, c: int) -> dict[str, tuple[float, float, float]]:
    """Means after a warm-up with 95 % intervals by batch means: use, l, lq, w, wq, wait."""
    from scipy import stats

    first = int(len(run.arrival) * WARM)
    parts = np.array_split(np.arange(first, len(run.arrival)), BATCHES)
    names = ("use", "l", "lq", "w", "wq", "wait")
    held: dict[str, list[float]] = {name: [] for name in names}
    for part in parts:
        after = part[-1] + 1 if part[-1] + 1 < len(run.arrival) else part[-1]
        span = max(run.arrival[after] - run.arrival[part[0]], 1e-300)
        w, wq = run.stay[part], run.wait[part]
        held["w"].append(float(w.mean()))
        held["wq"].append(float(wq.mean()))
        held["wait"].append(float((wq > 1e-12).mean()))
        held["l"].append(float(w.sum() / span))
        held["lq"].append(float(wq.sum() / span))
        held["use"].append(min(1.0, float((w - wq).sum() / span / c)))
    out = {}
    for name, values in held.items():
        mean, sd = float(np.mean(values)), float(np.std(values, ddof=1))
        half = float(stats.t.ppf(0.975, BATCHES - 1)) * sd / BATCHES**0.5
        out[name] = (mean, mean - half, mean + half)
    return out
