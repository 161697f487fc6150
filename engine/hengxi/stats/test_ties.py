from __future__ import annotations

import numpy as np
import pytest

from hengxi.stats.ties import settled


def test_differences_of_decimals_are_ties() -> None:
    a, b = np.array([5.55, 5.75, 5.6]), np.array([5.4, 5.6, 5.45])
    assert len(np.unique(a - b)) > 1
    assert len(np.unique(settled(a - b, 5.75))) == 1


@pytest.mark.parametrize("reach", [1e-300, 1.0, 1e300])
def test_what_differs_by_more_than_rounding_stays_apart(reach: float) -> None:
    assert len(np.unique(settled(np.array([0.1, 0.1 + 1e-9]) * reach, reach))) == 2


def test_nothing_to_go_by_changes_nothing() -> None:
    d = np.array([0.0, 0.0])
    assert settled(d, 0.0) is d and settled(d, float("nan")) is d
