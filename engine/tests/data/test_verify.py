"""The second look at an imported table answers at once, whatever the cells are."""

from __future__ import annotations

import numpy as np

from hengxi.data.delimited.verify import _same


def test_a_blank_cell_after_many_numbers_is_seen_at_once() -> None:
    """Reading the numbers before it in every other way as well would take longer than anybody waits."""
    values = np.array([25.0] * 200 + [np.nan])
    assert _same(["25"] * 200 + [""], values)
    assert not _same(["25"] * 199 + ["26", ""], values)
