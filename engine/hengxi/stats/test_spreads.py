"""What is summed at once, or put together from the groups, against the plain way."""

import numpy as np
import pytest

from hengxi.stats.moments import BLOCK, Floats, moments
from hengxi.stats.one_way import shape_within
from hengxi.stats.two_groups import Middle, deviations

ROWS = BLOCK + 5
RNG = np.random.default_rng(7)
NORMAL = RNG.normal(40, 6, ROWS)


@pytest.mark.parametrize("counts", [None, RNG.integers(1, 4, ROWS).astype(float)])
@pytest.mark.parametrize(
    ("x", "middle"),
    [
        (NORMAL, (40.0, 0.0)),
        (1e12 + NORMAL, (1e12, 39.9)),
        (np.where(np.arange(ROWS) % 2 == 0, -3.0, 3.0) + 1e-7 * NORMAL, (0.0, 0.0)),
        (NORMAL * 1e150, (40e150, 0.0)),
    ],
    ids=["normal", "far", "hardly varying", "huge"],
)
def test_deviations_of_many_values(x: Floats, middle: Middle, counts: Floats | None) -> None:
    plain = moments(np.abs((x - middle[0]) - middle[1]), counts, anchor=0.0, shape=False)
    found = deviations(x, counts, middle)
    assert (found.n, found.least, found.most) == (plain.n, plain.least, plain.most)
    assert found.centre == pytest.approx(plain.centre, rel=1e-13)
    assert found.sd == pytest.approx(plain.sd, rel=1e-12)


@pytest.mark.parametrize("size", [1.0, 1e200, 1e-200])
def test_shape_of_residuals_from_the_shapes_of_the_groups(size: float) -> None:
    groups = [size * (RNG.gamma(2, 3, n) + 10 * n) for n in (4, 9, 40)] + [np.full(5, size)]
    whole = moments(np.concatenate([x - moments(x).mean for x in groups]))
    assert shape_within([moments(x) for x in groups]) == pytest.approx((whole.skewness, whole.kurtosis), rel=1e-9)


def test_shape_of_residuals_is_left_to_the_values_where_a_group_has_none() -> None:
    assert shape_within([moments(np.array([1.0, 2.0, 4.0])), moments(NORMAL)]) is None
