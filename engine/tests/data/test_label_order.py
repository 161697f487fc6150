"""Numeric codes stand in numeric order, whatever labels the file gives and in which order it stores them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import pytest

from hengxi.data import edits
from hengxi.data.build import table_of
from hengxi.data.meta import Level
from hengxi.data.table import Table
from hengxi.testing import Trial, records
from tests.data.conftest import Import

CODES = [1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 4, 2, 1, 5, 3, 4, 2, 3, 5, 1]
OTHER = [1, 1, 2, 3, 2, 4, 4, 5, 5, 4, 3, 2, 2, 5, 3, 4, 3, 3, 4, 1]
SCORE = [2.1, 2.9, 3.4, 3.2, 4.4, 3.9, 4.1, 5.2, 5.9, 5.1, 4.0, 3.3, 2.4, 6.2, 3.6, 4.9, 2.7, 4.2, 5.5, 1.8]
ENDS = {1: "非常不同意", 5: "非常同意"}
DESCENDING = {5: "非常同意", 4: "同意", 3: "一般", 2: "不同意", 1: "非常不同意"}
TAU_B = 0.7886474571814788
"""R: cor(item, other, method = "kendall")"""


def survey(read: Import, folder: Path, labels: dict[Any, str], name: str = "a.sav") -> tuple[str, Table]:
    frame = pd.DataFrame({"item": CODES, "other": OTHER, "score": SCORE}, dtype="float64")
    path = folder / name
    kinds: dict[str, Any] = {"variable_measure": {"item": "ordinal", "other": "ordinal"}} if name == "a.sav" else {}
    write = pyreadstat.write_sav if name == "a.sav" else pyreadstat.write_dta
    write(frame, str(path), variable_value_labels={"item": labels, "other": labels}, **kinds)
    answer = read(path, name)
    return answer["key"], answer["table"]


def values(table: Table) -> list[Any]:
    return [level.value for level in table.codes("c1")[1]]


@pytest.mark.parametrize("labels", [ENDS, {5: "非常同意", 1: "非常不同意"}, {3: "一般"}, DESCENDING])
@pytest.mark.parametrize("name", ["a.sav", "a.dta"])
def test_codes_go_by_number(read: Import, tmp_path: Path, labels: dict[Any, str], name: str) -> None:
    _, table = survey(read, tmp_path, labels, name)
    assert values(table) == [1, 2, 3, 4, 5]
    shown = {level.value: level.label for level in table.column("c1").levels or []}
    assert shown == {code: labels.get(code, str(code)) for code in range(1, 6)}


def test_texts_of_digits_go_by_number(read: Import, tmp_path: Path) -> None:
    frame = pd.DataFrame({"item": ["10", "2", "9", "2", "10", "1"]})
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(frame, str(path), variable_value_labels={"item": {"10": "总是", "1": "从不"}},
                         variable_measure={"item": "ordinal"})  # fmt: skip
    assert values(read(path, "a.sav")["table"]) == ["1", "2", "9", "10"]


@pytest.mark.parametrize("labels", [ENDS, DESCENDING])
def test_measures_of_order_agree_with_r(read: Import, tmp_path: Path, labels: dict[Any, str]) -> None:
    _, table = survey(read, tmp_path, labels)
    crossed = Trial("descriptive/crosstabs", table, {"rows": ["c1"], "columns": ["c2"], "association": ["tau_b"]})
    assert records(crossed.report(), "symmetric")[0]["value"] == pytest.approx(TAU_B, abs=1e-12)
    related = Trial("descriptive/correlation", table, {"variables": ["c1", "c2"], "method": "kendall"})
    assert records(related.report(), "details")[0]["r"] == pytest.approx(TAU_B, abs=1e-12)


def test_trends_and_cumulative_percentages_agree_with_r(read: Import, tmp_path: Path) -> None:
    _, table = survey(read, tmp_path, {5: "非常同意", 1: "非常不同意"})
    counted = Trial("descriptive/frequency", table, {"variables": ["c1"]}).report()
    shares = [row["cumulative"] for row in records(counted, "counts")][:5]
    assert shares == pytest.approx([0.15, 0.35, 0.6, 0.8, 1], abs=1e-12)  # R: cumsum(prop.table(table(item)))
    form = {"group": "c1", "variables": "c3", "contrast": "polynomial"}
    linear = records(Trial("hypothesis_test/variance", table, form).report(), "contrasts")[0]
    # R: summary(lm(score ~ f))$coefficients["f.L", ] with contrasts(f) <- contr.poly(5)
    assert linear["estimate"] == pytest.approx(2.72746448189522939, abs=1e-8)
    assert linear["t"] == pytest.approx(11.1691109948102838, abs=1e-8)


def test_the_order_a_user_gives_stays(read: Import, tmp_path: Path, keys: Any) -> None:
    key, _ = survey(read, tmp_path, ENDS)
    own = [3, 5, 1, 2, 4]
    target = keys()
    levels = [{"value": code, "label": ENDS.get(code, str(code))} for code in own]
    edits.edit(key, {"table": target, "columns": [{"id": "c1", "levels": levels}]})
    assert values(Table.open(target)) == own


@pytest.mark.parametrize(
    ("listed", "order"), [([1, 5], [1, 2, 3, 4, 5]), ([5, 1], [5, 4, 3, 2, 1]), ([3, 1, 5], [3, 1, 5, 2, 4])]
)
def test_a_code_without_label_takes_its_place(listed: list[int], order: list[int]) -> None:
    table = table_of({"item": CODES}, {"item": "定类"})
    table.meta.columns[0].levels = [Level(value=code, label=f"第{code}") for code in listed]
    assert values(table) == order
