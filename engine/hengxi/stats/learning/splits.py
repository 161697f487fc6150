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


def train_and_test_groups(
    groups: Codes, share: float, shuffle: bool, strata: Codes | None, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Whole groups train or test. Each goes to the side that is further behind its share of every stratum.

    Large groups are placed first, equal ones in an order drawn by the seed. Not shuffled: groups train in the order of
    their first rows until the share is reached.
    """
    names, first, codes = np.unique(groups, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    classes = np.zeros(groups.size, dtype=np.int64) if strata is None else strata
    k = int(classes.max()) + 1
    counts = np.bincount(codes * k + classes, minlength=names.size * k).reshape(names.size, k).astype(float)
    if not shuffle:
        reached = np.cumsum(counts[order].sum(axis=1))
        n = int(np.searchsorted(reached, share * groups.size - 1e-9)) + 1
        chosen = order[: min(n, names.size - 1)]
    else:
        chosen = _drawn(counts, share, np.random.default_rng(seed).permutation(names.size))
    train = np.isin(codes, chosen)
    return np.flatnonzero(train), np.flatnonzero(~train)


def _drawn(counts: NDArray[np.float64], share: float, order: Codes) -> Codes:
    """Groups that train; large ones are placed first, so that small ones can even out what is left."""
    order = order[np.argsort(-counts[order].sum(axis=1), kind="stable")]
    behind = np.vstack([share * counts.sum(axis=0), (1 - share) * counts.sum(axis=0)])
    side_of = np.zeros(order.size, dtype=np.int64)
    for place, group in enumerate(order):
        # The side with the group is nearer its share by this much; the sum over strata decides.
        gain = np.sum(behind**2 - (behind - counts[group]) ** 2, axis=1)
        side = int(gain[1] > gain[0])
        taken = set(side_of[:place].tolist()) | {side}
        if place == order.size - 1 and len(taken) == 1:
            side = 1 - side
        behind[side] -= counts[group]
        side_of[place] = side
    chosen: Codes = order[side_of == 0]
    return chosen


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
