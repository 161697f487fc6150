"""What is called what, what is kept, and what is refused."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.contract.derived import Words
from hengxi.data.build import table_of
from hengxi.data.derive import derive
from hengxi.data.meta import Level, Missing, Range
from hengxi.testing import Elements, Trial, cells, records, warnings

FRAME = pd.DataFrame({"性别": [1.0, 2, 1, 9], "学历": ["低", "高", "中", "低"], "编号": ["0012", "0013", "0014", None]})
TRIAL = Trial("data_processing/variable_label", FRAME, {"variables": ["性别"]}, {"编号": "文本"})
report, refused = TRIAL.report, TRIAL.refused


def with_measure(measure: str) -> Trial:
    """`measures` of a call is the trial's own word."""
    return Trial(TRIAL.path, FRAME, {"variables": ["性别"], "measures": measure}, TRIAL.measures)


def step(elements: Elements) -> dict[str, Any]:
    found: dict[str, Any] = next(e for e in elements if e["type"] == "data")["step"]
    return found


def grid(column: str, **cells: Any) -> list[dict[str, Any]]:
    return [{"for": column, **cells}]


def test_labels_of_all_and_of_one() -> None:
    made = report(variables=["性别", "学历"], value_labels="低=Low", names=grid("性别", value_labels="1=男；2＝女"))
    rows = [(row["level"], row["meaning"], row["n"]) for row in records(made, "labels")]
    assert rows == [("1", "男", 2), ("2", "女", 1), ("9", "9", 1), ("低", "Low", 2), ("中", "中", 1), ("高", "高", 1)]
    assert cells(made, "unlabelled") == [["性别", "9", 1]] and step(made)["cells"] == 0


def test_a_missing_code_takes_cells_away() -> None:
    made = with_measure("nominal").report(missing_codes="9")
    (row,) = records(made, "result")
    assert (row["codes"], row["gone"], row["measured"]) == (1, 1, 1)
    assert not records(made, "unlabelled") or all(r["level"] != "9" for r in records(made, "unlabelled"))


def test_the_order_of_words_is_that_of_their_labels() -> None:
    made = with_measure("ordinal").report(variables=["学历"], value_labels="低=低；中=中；高=高")
    assert [row["level"] for row in records(made, "labels")] == ["低", "中", "高"]
    assert {row["measure"] for row in records(made, "labels")} == {"有序"}


def test_a_name_changes_and_cells_do_not() -> None:
    made = step(report(names=grid("性别", name="sex", label="受访者性别")))
    assert made["reworded"][0]["name"] == "sex" and made["reworded"][0]["label"] == "受访者性别"


def test_declared_ranges_and_their_labels_stay() -> None:
    table = table_of({"x": [1, 2, 97, 99]}, {"x": "定类"})
    column = table.meta.columns[0]
    column.missing = Missing(values=[97], ranges=[Range(low=98, high=None)])
    column.levels = [Level(value=1, label="男", count=1)]
    made = derive(table, [], words=[Words(column=column, missing=[97, 2])]).table.meta.columns[0]
    assert made.missing.values == [97, 2] and made.missing.ranges[0].low == 98
    assert [(level.value, level.label) for level in made.levels or []] == [(1, "男")]


def test_a_name_twice_is_refused() -> None:
    """新变量名重复 → 变量名“{v}”重复"""
    assert "变量名“学历”重复" in refused(names=grid("性别", name="学历")).text


def test_a_name_too_long_is_refused() -> None:
    """变量名为空或过长 → 变量名不能为空且不超过64个字符"""
    assert "最多 64 个字" in refused(names=grid("性别", name="长" * 65)).text
    assert refused(names=grid("性别", name="  ")).code == "data.nothing"


def test_a_value_that_does_not_occur_keeps_its_label() -> None:
    """标签取值不存在 → 取值“{x}”在“{v}”中未出现，仍会保留标签"""
    made = report(value_labels="1=男；3=其他")
    assert warnings(made) == ["label.unused"] and ["3", "其他", 0] in [row[3:] for row in cells(made, "labels")]


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"value_labels": "男"}, "label.pair"),
        ({"value_labels": "1=男；1=女"}, "label.twice"),
        ({"value_labels": "甲=男"}, "label.value"),
        ({"value_labels": ";".join(f"{i}=甲{i}" for i in range(201))}, "label.many"),
    ],
)
def test_what_cannot_be_is_refused(form: dict[str, Any], code: str) -> None:
    assert refused(**form).code == code


def test_numbers_are_not_called_text() -> None:
    assert with_measure("text").refused().code == "label.measure"
