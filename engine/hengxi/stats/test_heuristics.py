"""Searches by chance: what is told on the way."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from hengxi.stats.solving.heuristics import Landscape, search


def rastrigin(x: np.ndarray) -> np.ndarray:
    return np.asarray((x**2 - 10 * np.cos(2 * np.pi * x) + 10).sum(axis=1))


@pytest.mark.parametrize("algorithm", ["ga", "pso", "sa", "monte_calo"])
def test_the_best_told_never_gets_worse_over_several_runs(algorithm: str) -> None:
    told: list[float] = []

    def watch(done: float, of: float, text: str, best: float | None) -> bool:
        told.extend([] if best is None else [best])
        return True

    land = Landscape(
        rastrigin, lambda x: np.zeros(len(x)), np.full(6, -5.12), np.full(6, 5.12), np.zeros(6, dtype=bool)
    )
    found = search(
        land, algorithm, size=20, iterations=60, runs=5, seconds=60, seed=1, watch=watch,  # type: ignore[arg-type]
    )  # fmt: skip
    assert told and all(later <= earlier for earlier, later in pairwise(told))
    assert found.best.value <= told[-1]
