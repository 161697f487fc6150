"""Counting values into bins first gives the very values and ranks that sorting gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hengxi.stats import in_order
from hengxi.stats.boxes import box, density
from hengxi.stats.in_order import Binned, Sorted
from hengxi.stats.moments import Ordered

N = 5_000
SHAPES: dict[str, Callable[[Any], Any]] = {
    "normal": lambda rng: rng.normal(50, 8, N),
    "ties": lambda rng: rng.normal(50, 8, N).round(0),
    "one far value": lambda rng: np.append(rng.normal(size=N), 1e150),
    "two values": lambda rng: rng.integers(0, 2, N).astype(float),
    "tiny": lambda rng: rng.normal(size=N) * 1e-150,
    "on a large mean": lambda rng: 1e12 + rng.random(N),
    "skewed": lambda rng: np.exp(3 * rng.normal(size=N)),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_bins_answer_as_sorted_values_do(shape: str) -> None:
    x = SHAPES[shape](np.random.default_rng(5))
    binned, plain = Binned(x, float(x.min()), float(x.max())), Sorted(np.sort(x))
    ranks = np.array([x.size - 1, 0, 17, 17, x.size // 2, x.size // 3])
    assert np.array_equal(binned.take(ranks), plain.take(ranks))
    edges = np.array(
        [x.min() - 1, x.max() * 2 + 1, *np.quantile(x, [0.1, 0.5]), *x[:5], x.max(), x.min(), -np.inf, np.inf]
    )
    for on in (None, edges[::-1]):
        assert np.array_equal(binned.below(edges, on), plain.below(edges, on))
    spans = (0, 40), (100, 100), (30, 2_000), (x.size - 3, x.size), (0, x.size)
    assert all(np.array_equal(a, b) for a, b in zip(binned.parts(*spans), plain.parts(*spans), strict=True))
    assert [part.size for part in binned.parts((7, 7))] == [0]


def test_a_large_sample_has_the_same_box_and_density(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(6).gamma(2, 3, N).round(2)
    sorted_box, sorted_density = box(Ordered.of(x)), density(Ordered.of(x), 4.0)
    monkeypatch.setattr(in_order, "MANY", 1_000)
    assert isinstance(Ordered.of(x).rows, Binned)
    assert box(Ordered.of(x)) == sorted_box and density(Ordered.of(x), 4.0) == sorted_density


def test_values_of_any_size_find_a_way() -> None:
    for x in (np.full(200_000, 3.0), np.linspace(-1e300, 1e300, 200_000), np.linspace(0, 1e-300, 200_000)):
        assert isinstance(in_order.in_order(x), Sorted)
