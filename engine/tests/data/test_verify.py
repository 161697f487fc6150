"""The second look at an imported table answers at once, whatever the cells are."""

from __future__ import annotations

import numpy as np

from hengxi.data.decide import guess
from hengxi.data.delimited.verify import _same


def test_a_blank_cell_after_many_numbers_is_seen_at_once() -> None:
    """Reading the numbers before it in every other way as well would take longer than anybody waits."""
    values = np.array([25.0] * 200 + [np.nan])
    assert _same(["25"] * 200 + [""], values)
    assert not _same(["25"] * 199 + ["26", ""], values)


def test_a_cell_of_two_lines_is_no_number() -> None:
    assert _same(["1\n2", "3"], np.array([np.nan, 3.0]))
    assert guess(["1\n2", "3\n4"]).kind == "text"
    assert guess(["1\n2", "3", " 4", "NA"]).kind == "int"


def test_a_sample_of_numbers_is_guessed_as_when_each_is_looked_at() -> None:
    assert guess(["1", " 2 ", "", "缺失"]).kind == "int"
    assert guess(["1", "2.5"]).kind == "float"
    assert guess(["1", "007"]).kind == "text"
    assert guess(["1", "1234567890123456"]).kind == "text"
    assert guess(["", "NA"]).kind == "float"
