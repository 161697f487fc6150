"""Groups are never torn apart, whatever their sizes; shares and strata are kept as well as whole groups allow."""

from __future__ import annotations

import numpy as np
import pytest

from hengxi.stats.learning.splits import train_and_test_groups


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whole_groups_train_or_test(shuffle: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    groups, y = rng.integers(0, 40, 400), rng.integers(0, 3, 400)
    train, test = train_and_test_groups(groups, 0.7, shuffle, y if shuffle else None, seed)
    assert not set(groups[train]) & set(groups[test])
    assert np.array_equal(np.sort(np.concatenate((train, test))), np.arange(400))
    assert abs(train.size / 400 - 0.7) < 0.05
    if shuffle:
        assert np.allclose(np.bincount(y[train]) / np.bincount(y), 0.7, atol=0.06)


def test_the_seed_decides_and_two_groups_are_one_each() -> None:
    groups = np.repeat(np.arange(30), 5)
    one, same, other = (train_and_test_groups(groups, 0.7, True, None, seed)[0] for seed in (1, 1, 2))
    assert np.array_equal(one, same) and not np.array_equal(one, other)
    train, test = train_and_test_groups(np.array([5, 5, 5, 9]), 0.95, True, None, 1)
    assert train.tolist() == [0, 1, 2] and test.tolist() == [3]


def test_without_shuffling_groups_train_in_their_order() -> None:
    groups = np.array([7, 7, 2, 2, 7, 2, 5, 5, 1, 1])
    train, test = train_and_test_groups(groups, 0.6, False, None, 1)
    assert train.tolist() == [0, 1, 2, 3, 4, 5] and test.tolist() == [6, 7, 8, 9]
