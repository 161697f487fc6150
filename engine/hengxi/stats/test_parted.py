import numpy as np
import pytest

from hengxi.stats.parted import BLOCK, FEW, parted


@pytest.mark.parametrize("k", [2, FEW, FEW + 1, 40])
@pytest.mark.parametrize("rows", [0, 7, BLOCK + 1])
def test_each_group_holds_its_values_in_the_order_of_the_rows(k: int, rows: int) -> None:
    rng = np.random.default_rng(k)
    codes = rng.integers(-1, k, rows).astype(np.int32)
    values = rng.normal(size=rows)
    wanted = [k - 1, *range(k - 1)]
    for code, found in zip(wanted, parted(values, codes, wanted), strict=True):
        assert np.array_equal(found, values[codes == code])
