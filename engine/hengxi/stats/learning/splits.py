"""Training and test rows, and folds; the same for the same seed on every machine."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold, train_test_split

Codes = NDArray[np.int64]


def train_and_test(
    n: int, share: float, shuffle: bool, strata: Codes | None, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Places of the training and the test rows. Not shuffled: the first rows train. ceil((1 − share) n) rows test."""
    test = min(max(int(np.ceil((1 - share) * n - 1e-9)), 1), n - 1)
    if not shuffle:
        return np.arange(n - test), np.arange(n - test, n)
    if strata is not None:
        test = min(max(test, int(np.unique(strata).size)), n - int(np.unique(strata).size))
    train, rest = train_test_split(np.arange(n), test_size=test, random_state=seed, shuffle=True, stratify=strata)
    return np.sort(train), np.sort(rest)


def folds(
    n: int, k: int, shuffle: bool, strata: Codes | None, groups: Codes | None, seed: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """k pairs of training and test rows. With groups, all rows of one group are in the same fold."""
    random = {"shuffle": True, "random_state": seed} if shuffle else {}
    place = np.arange(n)
    if groups is not None:
        grouped = GroupKFold(k) if strata is None else StratifiedGroupKFold(k, **random)
        yield from grouped.split(place, strata, groups)
    elif strata is not None:
        yield from StratifiedKFold(k, **random).split(place, strata)
    else:
        yield from KFold(k, **random).split(place)
