"""The forms of dates are told apart by one look, as each of them would by itself."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

import polars as pl
import pytest

from hengxi.data.readings import _USUAL, _USUAL_DATE, DATE_FORMS, date_forms

DAYS = ("2020-1-05", "2020/12/31", "2020.1.1", "2020年1月1日", "20201-1-1", "2020-1/1", "04-MAR-2024", "4 3 2024")
CLOCKS = ("", " 1:02", " 11:22:33", " 11:22:33.5", "T11:22:33", " 1:02 AM", " 1:02 上午", " 下午1:02:03", " 1:02:03pm")
TAILS = ("", "Z", "+08", "+08:00", "+00:00", "-0000", " GMT", " GMT+8", " UTC+08:00", "x")


def test_one_look_finds_the_same_forms_as_each_pattern_by_itself() -> None:
    patterns = {form: re.compile(form.pattern) for form in DATE_FORMS}
    seen = set()
    for parts in product(DAYS, CLOCKS, TAILS):
        text = "".join(parts)
        wanted = {form for form, pattern in patterns.items() if pattern.match(text)}
        assert {form for form, n in date_forms(Counter({text: 3})).items() if n == 3} == wanted
        seen |= wanted
    assert set(_USUAL) <= seen


def test_each_usual_form_is_one_group() -> None:
    assert _USUAL_DATE.groups == len(_USUAL)


@pytest.mark.parametrize("tail", ["", " 10:20:30", " 10:20 AM"])
def test_years_before_1000_are_typing_errors(tail: str) -> None:
    cells = pl.DataFrame({"cell": [f"{year}-02-03{tail}" for year in ("0999", "1000", "9999")]})
    read = [cells.select(form.expr(pl.col("cell")).dt.year()).to_series().to_list() for form in DATE_FORMS]
    assert [years for years in read if any(years)] == [[None, 1000, 9999]]
