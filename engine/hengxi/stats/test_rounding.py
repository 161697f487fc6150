"""What rounding leaves of nothing is told as nothing: 0, not 5.6e-17, whatever the order of the rows."""

from __future__ import annotations

import numpy as np
import pytest

from hengxi.stats.association import goodman_kruskal_tau, uncertainty
from hengxi.stats.correlation import matrix, settled
from hengxi.stats.linear_fit import least_squares
from hengxi.stats.linear_tests import breusch_pagan
from hengxi.stats.moments import Floats, levelled, moments
from hengxi.stats.names import number_words
from hengxi.stats.one_way import OneWay

BASE: Floats = np.array([0.1, 0.2, 0.3, 0.7, 1.1, 0.9, 0.35])
MEAN = float(BASE.mean())
SPREAD = [BASE, (BASE[::-1] - MEAN) * 0.5 + MEAN, 1.5 * BASE - 0.5 * MEAN]
"""Three samples whose means differ in the last digit only."""


def test_means_that_differ_by_rounding_are_the_same() -> None:
    raw = [moments(x, None, 0.1) for x in SPREAD]
    assert len({m.centre for m in raw}) == 3
    level = levelled(raw)
    assert len({m.centre for m in level}) == 1 and [m.sd for m in level] == [m.sd for m in raw]
    assert OneWay.of(level).fisher().F == 0


@pytest.mark.parametrize("far", [0.0, 1e12])
def test_means_that_truly_differ_stay_apart(far: float) -> None:
    """NIST SmLs07 to 09: values around 10^12 whose means differ by 0.1."""
    groups = [moments(np.array([0.2, 0.3, 0.4]) + far + step, None, far + 0.2) for step in (0.0, 0.1)]
    assert len({m.centre for m in levelled(groups)}) == 2


def test_no_correlation_is_none() -> None:
    x = np.array([0.1, 0.2, 0.3])
    columns = [np.repeat(x, 3), np.tile(x, 3)]
    found = float(matrix(columns, None, [moments(column) for column in columns])[0, 1])
    assert abs(found) < 1e-30 and settled(found) == 0


def test_a_symmetric_sample_is_not_skewed() -> None:
    assert moments(np.repeat([0.1, 0.2, 0.3], 3)).skewness == 0


def test_equal_means_have_slopes_of_0_and_no_explained_variation() -> None:
    """Dummies of three groups with the same values: the slopes came out as −2.7e-20, the test as 8.8e-32."""
    codes = np.tile([0, 1, 2], 8)
    x = np.column_stack([(codes == 1).astype(float), (codes == 2).astype(float)])
    fit = least_squares(x, np.repeat(np.arange(1.0, 9.0), 3))
    assert fit.coefficients.tolist() == [4.5, 0.0, 0.0] and fit.r2 == 0
    checked = breusch_pagan(fit)
    assert checked is not None and checked.statistic == 0


def test_a_constant_of_0_is_0() -> None:
    """The reference group has only zeros, others thirds: the constant came out as 7.8e-17."""
    codes = np.repeat([0, 1, 2], [23, 30, 7])
    y = np.where(codes == 0, 0.0, np.arange(60) % 7 / 3)
    fit = least_squares(np.column_stack([(codes == 1).astype(float), (codes == 2).astype(float)]), y)
    assert fit.coefficients[0] == 0 and fit.coefficients[1] == pytest.approx(y[codes == 1].mean(), rel=1e-12)


def test_a_table_without_association_has_measures_of_0() -> None:
    table = np.outer([3.0, 5.0, 7.0], [2.0, 3.0, 7.0])
    for measure in [*goodman_kruskal_tau(table).values(), *uncertainty(table, 1.0).values()]:
        assert measure is not None and (measure.value, measure.ase) == (0, 0)


def test_a_zero_has_no_minus() -> None:
    assert (number_words(-0.0), number_words(-0.5)) == ("0", "−0.5")
