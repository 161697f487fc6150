"""Restarts on a sample, then on all rows: as good as the library's restarts on all rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import KMeans

from hengxi.stats.partition import Partition, partition
from hengxi.stats.restarts import IDLE

CENTRES = np.array([[0.0, 0, 0], [6, 0, 0], [0, 6, 0], [0, 0, 6], [6, 6, 6]])


def always(_done: float, _best: float, _where: str) -> bool:
    return True


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    """Five classes, and twenty rows far away: a sample of 1,000 may well miss them."""
    rng = np.random.default_rng(8)
    rows = CENTRES[rng.integers(0, 5, 30_000)] + rng.normal(size=(30_000, 3))
    rows[:20] = 80 + rng.normal(size=(20, 3))
    return rows


@pytest.fixture
def small_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hengxi.stats.partition.EXACT", 0)
    monkeypatch.setattr("hengxi.stats.restarts.CELLS", 3_000)


@pytest.mark.usefixtures("small_samples")
def test_many_rows_come_to_what_the_library_finds_in_all_of_them(table: np.ndarray) -> None:
    found = partition(table, 6, 10, 1)
    theirs = KMeans(6, n_init=10, random_state=0, tol=0.0).fit(table).inertia_
    assert found.within == pytest.approx(theirs, rel=1e-6) and found.sizes[-1] == 20
    assert found.sampled is not None and found.sampled.rows == 1_000
    assert found.runs == found.sampled.restarts == 10 and found.sampled.whole < 10


@pytest.mark.usefixtures("small_samples")
def test_the_search_ends_when_nothing_better_comes(table: np.ndarray) -> None:
    told: list[tuple[float, float, str]] = []

    def heard(done: float, best: float, where: str) -> bool:
        told.append((done, best, where))
        return True

    found = partition(table, 6, 25, 1, heard)
    whole = [best for _, best, where in told if "全部个案" in where]
    assert found.sampled is not None and found.sampled.whole == len(whole) + 1
    assert whole == sorted(whole, reverse=True) and len(set(whole[-IDLE:])) == 1
    shares = [done for done, _, _ in told]
    assert shares == sorted(shares) and shares[-1] <= 25


@pytest.mark.usefixtures("small_samples")
def test_a_stop_among_the_restarts_of_the_sample_still_divides_all_rows(table: np.ndarray) -> None:
    found = partition(table, 6, 10, 1, lambda done, best, where: not where.endswith("第 3/10 次重启"))
    assert found.sampled is not None and (found.sampled.restarts, found.sampled.whole) == (3, 1)
    assert found.labels.size == len(table) and found.sizes.sum() == len(table)


@pytest.mark.usefixtures("small_samples")
def test_huge_offsets_and_constant_variables_change_nothing(table: np.ndarray) -> None:
    plain = partition(table, 6, 5, 1)

    def same(other: Partition) -> bool:
        return bool(np.mean(other.labels == plain.labels) > 0.999)

    assert same(partition(np.ascontiguousarray(table + 1e9), 6, 5, 1))
    assert same(partition(np.column_stack((table, np.full(len(table), 7.0))), 6, 5, 1))


@pytest.mark.usefixtures("small_samples")
def test_ties_give_no_empty_class() -> None:
    """Items of 1–3: 27 different rows, each many times."""
    items = np.random.default_rng(2).integers(1, 4, (5_000, 3)).astype(float)
    found = partition(items, 5, 5, 3)
    again = partition(items, 5, 5, 3)
    assert found.k == 5 and np.array_equal(found.labels, again.labels)
    assert found.within <= KMeans(5, n_init=1, random_state=0).fit(items).inertia_ * 1.02
