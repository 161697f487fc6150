"""Values counted by their units against numpy's own sorting."""

from __future__ import annotations

import numpy as np
import pytest

from hengxi.data import counting
from hengxi.data.arrays import Floats
from hengxi.data.counting import counted, ranked

RNG = np.random.default_rng(20240101)
MANY = 20_000


def normal(decimals: int) -> Floats:
    return np.round(RNG.normal(5, 2, MANY), decimals)


@pytest.mark.parametrize(
    ("numbers", "units"),
    [
        (normal(0), True),
        (normal(2), True),
        (-normal(3), True),
        (RNG.integers(-3, 3, MANY).astype(np.float64) * 0.5, True),
        (RNG.integers(0, 9, MANY) / 1e6 + 1e8, True),
        (np.arange(float(MANY))[::-1].copy(), True),
        (np.array([-0.0, 0.0, 1.5] * MANY), True),
        (RNG.normal(0, 1, MANY), False),
        (np.append(normal(1), normal(3)), True),
        (np.append(normal(2), 1 / 3), False),
        (np.append(normal(2), np.pi * 1e-3), False),
        (np.append(normal(2), 1e300), False),
        (np.append(normal(2), [np.inf, -np.inf]), False),
        (RNG.integers(0, 2**52, MANY).astype(np.float64), False),
        (RNG.integers(2**53, 2**53 + 100, MANY).astype(np.float64), False),
        (np.full(MANY, 5e-324), False),
        (np.array([2.5, 1.5, 2.5]), False),
        (np.array([]), False),
    ],
)
@pytest.mark.parametrize("cuts", [[], [0, 1, 700, 700]])
def test_counting_by_units_gives_the_same_as_sorting(numbers: Floats, units: bool, cuts: list[int]) -> None:
    kept = numbers.copy()
    pieces = np.split(numbers, cuts)
    distinct, counts = counted(*pieces)
    wanted, times = np.unique(numbers, return_counts=True)
    assert distinct.tobytes() == (wanted + 0.0).tobytes()
    assert counts.tolist() == times.tolist()
    full = [piece for piece in pieces if len(piece)]
    assert (len(numbers) > counting.FEW and counting._by_units(full) is not None) == units
    assert numbers.tobytes() == kept.tobytes()  # what lies in a file cannot be written to


@pytest.mark.parametrize("largest", [1 << 20, 2])
def test_the_tenth_count_is_that_of_the_sorted_counts(monkeypatch: pytest.MonkeyPatch, largest: int) -> None:
    monkeypatch.setattr(counting, "LARGEST", largest)
    for counts in (np.ones(500, np.int64), RNG.integers(1, 30, 500), np.arange(1, 501), np.full(10, 7)):
        assert ranked(counts, 10) == np.sort(counts)[-10]
