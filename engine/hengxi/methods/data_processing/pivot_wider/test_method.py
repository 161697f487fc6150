"""Keys twice, gaps in what is spread out, aggregates, and too many columns."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.contract import SetRemedy
from hengxi.testing import Trial, records, warnings

FRAME = pd.DataFrame({"号": [3, 1, 3, 1, 3, 2, 3], "科": ["语", "语", "数", "语", "数", None, "语"],
                      "分": [80.0, 70.0, 60.0, None, 65.0, 50.0, 90.0], "评": list("甲乙甲乙丙丙丁")})  # fmt: skip
FORM = {"id": ["号"], "names_from": ["科"], "values_from": ["分"], "aggfunc": "mean"}
TRIAL = Trial("data_processing/pivot_wider", FRAME, FORM, {"科": "定类", "评": "定类"})
report, refused = TRIAL.report, TRIAL.refused


def after(elements: list[Any]) -> dict[Any, Any]:
    step = next(e for e in elements if e["type"] == "data")["step"]
    names = [column["name"] for column in step["preview"]["columns"]]
    return {name: [row and row[i] for row in step["preview"]["after"] if row] for i, name in enumerate(names)}


# The same by hand: 3 has 语 80, 90 and 数 60, 65; 1 has 语 70 and a gap; 2 only a row without a subject.
@pytest.mark.parametrize(
    ("way", "chinese", "maths"),
    [("mean", [85, 70, None], [62.5, None, None]), ("sum", [170, 70, None], [125, None, None]),
     ("first", [80, 70, None], [60, None, None]), ("last", [90, None, None], [65, None, None]),
     ("count", [2, 1, None], [2, None, None])],
)  # fmt: skip
def test_several_rows_in_a_cell(way: str, chinese: list[Any], maths: list[Any]) -> None:
    made = after(report(aggfunc=way))
    assert made["号"] == [3, 1, 2] and made["语"] == chinese and made["数"] == maths


def test_a_key_that_comes_twice_is_refused_with_the_ways_out() -> None:
    """键重复且未选汇总 → 行标识“{id}”在“{x}”上有多条记录，请选择汇总方式"""
    refusal = refused(aggfunc="error")
    assert "行标识“3”在“语”上有 2 条记录（共 3 处）" in refusal.text
    assert [one.set for one in refusal.faults[0].remedies if isinstance(one, SetRemedy)] == [
        {"aggfunc": "mean"},
        {"aggfunc": "first"},
    ]


def test_rows_without_a_name_are_left_out_and_said() -> None:
    assert warnings(report()) == ["data.unnamed"]
    nobody = FRAME.assign(科=pd.Series([None] * 7, dtype=object))
    assert refused(nobody).code in ("role.empty", "data.none_left")


def test_a_fill_goes_where_there_is_no_row_and_not_into_a_gap() -> None:
    assert after(report(aggfunc="last", fill=-1.0))["语"] == [90, None, -1]


def test_words_are_not_averaged() -> None:
    assert "“评”不是数值，不能取均值" in refused(values_from=["评"]).text
    assert [row["n"] for row in records(report(values_from=["评"], aggfunc="first"), "columns")] == [3, 2, 1]


def test_too_many_columns_are_refused() -> None:
    """展开类别过多 → 将产生 {k} 列，超过上限"""
    long = pd.DataFrame({"号": range(2500), "科": range(2500), "分": 1.0})
    assert "将产生 2,500 列" in refused(long, measures={"科": "定量"}).text
