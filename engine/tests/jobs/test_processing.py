"""Around a data step: the new version, its account, the look before and after; steps done again on another table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hengxi.contract import Refusal
from hengxi.data.build import table_of
from hengxi.data.derive import write
from hengxi.data.evaluate import rows_where
from hengxi.data.store import table_path
from hengxi.data.table import Table
from hengxi.jobs import processing
from hengxi.jobs.analysis import draft, plain, run_analysis
from hengxi.jobs.replay import run_replay

KEYS = [f"t_{letter * 32}" for letter in "abcdef"]
FILTER = "data_processing/filter"
MISSING = "data_processing/missing_value"


@pytest.fixture(autouse=True)
def home(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HENGXI_DATA", str(tmp_path))


def store(columns: dict[str, list[Any]], key: str = KEYS[0]) -> None:
    write(table_of(columns), table_path(key))


def ran(payload: dict[str, Any]) -> dict[str, Any]:
    """A run's result as it travels."""
    return {"report": plain(run_analysis(payload)["report"])}


def step(report: dict[str, Any]) -> dict[str, Any]:
    return next(e for part in report["parts"] for e in part["elements"] if e["type"] == "data")


def test_the_new_version_is_written_whole_under_the_key_given() -> None:
    store({"年龄": [15, 20, 30, None], "城市": list("甲乙甲丙")})
    payload = {"path": FILTER, "form": {"condition": "{c1} >= 18"}, "table": KEYS[0], "kept": KEYS[1]}
    element = step(ran(payload)["report"])
    made = Table.open(KEYS[1])
    assert element["kept"] == KEYS[1] and element["rows"] == made.rows == 2
    assert [column.id for column in made.meta.columns] == ["c1", "c2"]
    assert made.text("c2").tolist() == ["乙", "甲"] and made.column("c1").profile.mean == 25
    assert [level.value for level in made.column("c2").levels or [] if level.count] == ["甲", "乙"]
    assert Table.open(KEYS[0]).rows == 4


def test_gaps_are_counted_in_the_whole_table_before_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    store({"年龄": [15, None, 99, 40, None], "城市": ["甲", None, "丙", "丁", "戊"], "分": [1, 2, None, 4, None]})
    filled = {"path": MISSING, "form": {"variables": ["c1"], "method": "mean", "mode": "replace"}, "table": KEYS[0]}
    account = step(ran({**filled, "kept": KEYS[1]})["report"])["step"]
    assert (account["missing_before"], account["missing_after"]) == (5, 3)
    dropped = {"path": FILTER, "form": {"condition": "{c1} > 20"}, "table": KEYS[0], "kept": KEYS[2]}
    account = step(ran(dropped)["report"])["step"]
    assert (account["missing_before"], account["missing_after"]) == (5, 1)
    beside = {**filled, "form": {**filled["form"], "mode": "new"}, "kept": KEYS[3]}
    look = step(ran(beside)["report"])["step"]["preview"]
    assert [(one["name"], one["source"]) for one in look["columns"] if one["change"] == "new"] == [("年龄_填补", "c1")]
    # A look ahead speaks of the rows it has looked at.
    monkeypatch.setattr(processing, "PREVIEW_ROWS", 4)
    account = step(ran({**filled, "preview": True})["report"])["step"]
    assert (account["missing_before"], account["missing_after"]) == (3, 2)


def test_a_look_ahead_shows_the_rows_that_come_and_fills_the_screen() -> None:
    store({"组": ["甲"] * 30 + ["乙"] * 3, "年龄": list(range(33)), "分": list(range(33))})
    form = {"target": "c1", "features": ["c2"], "method": "random_over"}
    payload = {"path": "data_processing/class_balance", "form": form, "table": KEYS[0], "preview": True}
    account = step(ran(payload)["report"])["step"]
    look = account["preview"]
    assert len(look["rows"]) == 33 and {one["name"] for one in look["columns"]} >= {"组", "年龄", "分"}
    assert account["rows_after"] > 33 and [one["row"] for one in look["came"]] == list(range(34, 42))
    at = [one["name"] for one in look["columns"]].index("组")
    assert all(one["cells"][at] == "乙" for one in look["came"])


def test_a_look_ahead_begins_with_the_cells_that_change_and_leaves_room_for_others() -> None:
    store({"年龄": [*range(60), None, None], "分": list(range(62))})
    form = {"variables": ["c1"], "method": "mean", "mode": "replace"}
    payload = {"path": MISSING, "form": form, "table": KEYS[0], "preview": True}
    rows = step(ran(payload)["report"])["step"]["preview"]["rows"]
    assert rows == [61, 62, *range(1, 39)]
    payload = {"path": FILTER, "form": {"condition": "{c2} >= 61"}, "table": KEYS[0], "preview": True}
    look = step(ran(payload)["report"])["step"]["preview"]
    assert look["rows"] == [*range(1, 31), 62] and [row is None for row in look["after"]] == [True] * 30 + [False]


def test_a_look_ahead_writes_nothing_and_takes_the_first_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processing, "PREVIEW_ROWS", 3)
    store({"年龄": [15, 20, 30, 40]})
    payload = {"path": FILTER, "form": {"condition": "{c1} >= 18"}, "table": KEYS[0], "kept": KEYS[1], "preview": True}
    element = step(ran(payload)["report"])
    assert element["step"]["sampled"] and element["rows"] == 2 and element["kept"] is None
    assert not table_path(KEYS[1]).exists()


@pytest.mark.parametrize(
    ("path", "form"),
    [
        (FILTER, {"condition": "{c1} >= 18"}),
        (FILTER, {"condition": "{c1} >= 18", "filter_type": "drop"}),
        (MISSING, {"variables": ["c1", "c2"], "method": "drop_rows"}),
        (FILTER, {"condition": "{c1} >= 15", "take": "first", "take_value": 2}),
        (MISSING, {"variables": ["c1"], "method": "drop_rows", "user_missing": "30"}),
    ],
)
def test_a_step_names_the_rows_that_it_leaves_out(path: str, form: dict[str, Any]) -> None:
    store({"年龄": [15, 20, 30, None, 18, 15], "城市": ["甲", None, "甲", "丙", "乙", "丁"], "号": [1, 2, 3, 4, 5, 6]})
    account = step(ran({"path": path, "form": form, "table": KEYS[0], "kept": KEYS[1]})["report"])["step"]
    stay = set(Table.open(KEYS[1]).numeric("c3").tolist())
    if "take" in form or "user_missing" in form:
        assert account["left_out"] is None, "no condition names them"
        return
    left = rows_where(Table.open(KEYS[0]), account["left_out"])
    assert set(Table.open(KEYS[0]).numeric("c3")[left].tolist()) == {1, 2, 3, 4, 5, 6} - stay
    payload = {"table": KEYS[0], "steps": [{"path": path, "form": form}], "tables": [KEYS[2]]}
    assert run_replay(payload)["steps"][0]["left_out"] == account["left_out"]


def test_user_missing_codes_and_labels_survive_a_choice_of_rows() -> None:
    from hengxi.data.edits import edit

    store({"题": [1, 2, 9, 1, 2], "序": [1, 2, 3, 4, 5]})
    change = {"id": "c1", "measure": "定类", "missing": {"values": [9]}, "levels": [
        {"value": 1, "label": "是"}, {"value": 2, "label": "否"}, {"value": 9, "label": "拒答"}]}  # fmt: skip
    edit(KEYS[0], {"table": KEYS[1], "columns": [change]})
    payload = {"path": FILTER, "form": {"condition": "{c2} >= 3"}, "table": KEYS[1], "kept": KEYS[2]}
    ran(payload)
    made = Table.open(KEYS[2])
    assert [(level.label, level.count) for level in made.column("c1").levels or []] == [("是", 1), ("否", 1)]
    assert [(kind.label, kind.count) for kind in made.missing_kinds("c1")[1]] == [("拒答", 1)]


def test_a_draft_tells_the_variables_to_come() -> None:
    store({"年龄": [15, 20]})
    form = {"condition": "{c1} >= 18", "filter_type": "flag"}
    made = draft({"path": FILTER, "form": form, "table": KEYS[0], "weight": {"column": "c1", "kind": "frequency"}})
    assert made["fields"] == [] and [one["name"] for one in made["makes"]] == ["filter_$"]


# ---- again ---------------------------------------------------------------------------------------------------------
def test_steps_are_done_again_on_an_upload_whose_columns_stand_elsewhere() -> None:
    store({"编号": [1, 2, 3], "城市": list("甲乙丙"), "年龄": [15, 20, 30]})
    names = {"c1": "年龄", "c2": "城市"}
    done = run_replay(
        {
            "table": KEYS[0],
            "tables": KEYS[1:4],
            "steps": [
                {"edit": [{"id": "c1", "label": "周岁"}], "names": names},
                {"cells": [{"row": 0, "column": "c1", "value": 17}], "names": names},
                {"path": FILTER, "form": {"condition": '{c1} > 16 且 {c2} != "乙"'}, "names": names},
            ],
        }
    )
    made = Table.open(KEYS[3])
    assert done["tables"] == KEYS[1:4] and done["columns"] == {"c1": "c3", "c2": "c2"}
    assert [one["rows"] for one in done["steps"]] == [3, 3, 2] and done["steps"][1]["changed"] == 1
    assert made.column("c3").label == "周岁" and made.numeric("c3").tolist() == [17, 30]


@pytest.mark.parametrize("method", ["mean", "em", "indicator", "drop_rows", "drop_columns"])
def test_gaps_are_treated_again_where_a_new_upload_has_none(method: str) -> None:
    """What the step made the first time is made again: later steps use it."""
    store({"年龄": [15, 20, 31], "收入": [1, 2, 4]})
    form = {"variables": ["c1", "c2"], "method": method}
    made = {"mean": "年龄_填补", "em": "年龄_填补", "indicator": "年龄_缺失"}.get(method)
    step = {"path": MISSING, "form": form, "names": {"c1": "年龄", "c2": "收入"}, "made": [made] if made else []}
    (done,) = run_replay({"table": KEYS[0], "tables": KEYS[1:2], "steps": [step]})["steps"]
    assert done["rows"] == 3 and [one["name"] for one in done["added"]] == ([made] if made else [])
    if made:
        assert Table.open(KEYS[1]).numeric("c3").tolist() == ([0, 0, 0] if method == "indicator" else [15, 20, 31])


def test_a_step_that_does_not_fit_says_which_and_why_and_leaves_nothing() -> None:
    store({"年龄": [15, 20]})
    steps: list[dict[str, Any]] = [
        {"edit": [{"id": "c1"}], "names": {}},
        {"path": FILTER, "form": {"condition": "{c4} > 1"}, "names": {"c4": "身高"}, "number": 5},
    ]
    with pytest.raises(Refusal) as caught:
        run_replay({"table": KEYS[0], "tables": KEYS[1:3], "steps": steps})
    fault = caught.value.faults[0]
    assert fault.code == "replay.step" and fault.text == "第 5 步“数据筛选”不适用：没有变量“身高”"
    assert (
        fault.facts == {"step": 1, "number": 5, "code": "replay.column"} and caught.value.faults[1].field == "condition"
    )
    assert not any(table_path(key).exists() for key in KEYS[1:3])
    named = [steps[0], {**steps[1], "title": "只留高个", "number": 2}]
    with pytest.raises(Refusal, match="第 2 步“只留高个”不适用：没有变量“身高”"):
        run_replay({"table": KEYS[0], "tables": KEYS[1:3], "steps": named})


def test_a_column_of_another_type_is_refused_by_its_step() -> None:
    store({"年龄": ["老", "少"]})
    steps = [{"path": FILTER, "form": {"condition": "{c1} > 1"}, "names": {"c1": "年龄"}}]
    with pytest.raises(Refusal, match=r"第 1 步“数据筛选”不适用：.*“年龄”是文本变量"):
        run_replay({"table": KEYS[0], "tables": KEYS[1:2], "steps": steps})


def test_an_analysis_is_no_step() -> None:
    store({"年龄": [15, 20]})
    with pytest.raises(Refusal, match="不是数据处理步骤"):
        steps = [{"path": "descriptive/frequency", "form": {"variables": ["c1"]}, "names": {}}]
        run_replay({"table": KEYS[0], "tables": KEYS[1:2], "steps": steps})


def test_columns_taken_over_from_an_analysis_are_made_anew_from_the_new_rows() -> None:
    def line(xs: list[float], slope: float) -> list[float]:
        return [slope * x + (1, -1, -1, 1)[i % 4] for i, x in enumerate(xs)]

    xs = [1.0, 2, 3, 4, 5, 6, 7, 8]
    store({"旧": [0.0] * 8, "收入": line(xs, 3), "工龄": xs, "组": list("甲乙") * 4})
    form = {"y": "c1", "x": ["c2"], "save": True}
    ask = {"path": "statistical/linear_regression", "form": form, "element": "saved", "fill_missing": False}
    filtered = {"condition": "{c2} < 9", "filter_type": "keep"}
    names = {"c1": "收入", "c2": "工龄"}
    report = ran({**ask, "form": {**form, "y": "c2", "x": ["c3"]}, "table": KEYS[0], "kept": KEYS[5]})["report"]
    ask["element"] = step(report)["id"]
    done = run_replay(
        {
            "table": KEYS[0],
            "tables": KEYS[1:3],
            "steps": [
                {**ask, "filter": filtered, "names": names},
                {
                    "path": FILTER,
                    "form": {"condition": "{c9} > 0"},
                    "names": {"c9": step(report)["columns"][0]["name"]},
                },
            ],
        }
    )
    made, once = Table.open(KEYS[1]), Table.open(KEYS[5])
    assert [c.name for c in made.meta.columns[4:]] == [c["name"] for c in step(report)["columns"]]
    assert [c["name"] for c in done["steps"][0]["added"]] == [c.name for c in once.meta.columns]
    for new, old in zip(made.meta.columns[4:], once.meta.columns, strict=True):
        assert made.numeric(new.id).tolist() == once.numeric(old.id).tolist()
    # Nothing is left of the columns between.
    assert sorted(path.name for path in table_path(KEYS[0]).parent.glob("t_*")) == sorted([*KEYS[:3], KEYS[5]])
    with pytest.raises(Refusal, match="没有变量“工龄”"):
        store({"收入": xs, "x": xs}, KEYS[3])
        run_replay({"table": KEYS[3], "tables": KEYS[4:5], "steps": [{**ask, "names": names}]})


def test_row_numbers_of_the_look_point_to_the_version() -> None:
    store({"年龄": list(np.arange(20.0, 60.0))})
    payload = {"path": FILTER, "form": {"condition": "{c1} != 45"}, "table": KEYS[0]}
    look = step(ran(payload)["report"])["step"]["preview"]
    assert 26 in look["rows"] and look["after"][look["rows"].index(26)] is None


def test_the_look_says_which_columns_hold_times_after_the_step() -> None:
    table = table_of({"起床": [23_400, None, 30_600, 27_000]})
    table.meta.columns[0].clock = "TIME8"
    write(table, table_path(KEYS[0]))
    fill = {"path": MISSING, "form": {"variables": ["c1"], "method": "median", "mode": "new"}, "table": KEYS[0]}
    bins = {"path": "data_processing/binning", "form": {"variables": ["c1"], "mode": "replace"}, "table": KEYS[0]}
    fill_look, bins_look = (step(ran(one)["report"])["step"]["preview"] for one in (fill, bins))
    assert [(c["change"], c["clock_after"]) for c in fill_look["columns"]] == [("same", True), ("new", True)]
    assert [(c["change"], c["clock_after"]) for c in bins_look["columns"]] == [("changed", False)]


# ---- copies of a multiple imputation -------------------------------------------------------------------------------
def test_other_methods_refuse_the_copies_together() -> None:
    base, new = KEYS[:2]
    table = table_of({"x": [1.0, None, 3.0, 6.0, 2.0], "z": [2.0, 4, 6, 8, 10]}, {"x": "定量", "z": "定量"})
    write(table, table_path(base))
    form: dict[str, Any] = {"variables": ["c1"], "predictors": ["c2"], "method": "mice", "m": 2}
    ran({"path": "data_processing/missing_value", "form": form, "table": base, "kept": new})
    assert Table.open(new).meta.wire()["imputed"] == {"m": 2, "column": "c3"}
    frequency = {"path": "descriptive/frequency", "form": {"variables": ["c1"]}, "table": new}
    with pytest.raises(Refusal, match="2 份多重插补") as caught:
        ran(frequency)
    remedy = caught.value.faults[0].remedies[0]
    assert remedy.set == {"_filter": "{c3} = 1"}  # type: ignore[union-attr]
    one = ran({**frequency, "filter": {"condition": "{c3} = 1"}})
    assert one["report"]["sample"]["filter"] == 5
    row_by_row = {"name": "和", "expression": "{c1} + {c2}"}
    ran({"path": "data_processing/compute_variable", "form": row_by_row, "table": new})
    with pytest.raises(Refusal, match="只用其中一份"):
        ran({"path": "data_processing/binning", "form": {"variables": ["c1"]}, "table": new})


def test_an_analysis_that_pools_takes_the_copies_of_the_step() -> None:
    base, new = KEYS[:2]
    x = [1.0, None, 3.0, 6.0, 2.0, None, 4.0, 7.0]
    table = table_of({"x": x, "z": [2.0, 4, 6, 8, 10, 3, 5, 9]}, {"x": "定量", "z": "定量"})
    write(table, table_path(base))
    form: dict[str, Any] = {"variables": ["c1"], "predictors": ["c2"], "method": "mice", "m": 4}
    ran({"path": "data_processing/missing_value", "form": form, "table": base, "kept": new})
    regression = {"path": "statistical/linear_regression", "form": {"y": "c1", "x": ["c2"]}, "table": new}
    report = ran({**regression, "rows_limit": 8})["report"]
    assert report["sample"]["file"] == report["sample"]["used"] == 8
    [pooled] = [one for one in report["parts"][0]["elements"] if one.get("name") == "pooled"]
    assert [row[0] for row in pooled["rows"]] == ["系数", "系数"]
    [copies] = [one for one in report["parts"][0]["elements"] if one.get("name") == "copies"]
    assert len(copies["rows"]) == 8
    with pytest.raises(Refusal, match="最多 7 行"):
        ran({**regression, "rows_limit": 7})


def test_a_choice_of_one_copy_is_a_plain_version_again() -> None:
    write(table_of({"x": [1.0, None, 3.0, 6.0], "z": [2.0, 4, 6, 8]}, {"x": "定量", "z": "定量"}), table_path(KEYS[0]))
    form: dict[str, Any] = {"variables": ["c1"], "predictors": ["c2"], "method": "mice", "m": 2}
    steps = [
        {"path": "data_processing/missing_value", "form": form, "names": {"c1": "x", "c2": "z"}},
        {"path": FILTER, "form": {"condition": "{c3} = 1"}, "names": {"c3": "_imp_"}},
        {"path": "data_processing/binning", "form": {"variables": ["c1"], "n_bins": 2}, "names": {"c1": "x"}},
    ]
    done = run_replay({"table": KEYS[0], "tables": KEYS[1:4], "steps": steps})
    assert [one["rows"] for one in done["steps"]] == [8, 4, 4]
    assert [one["name"] for one in done["steps"][2]["added"]] == ["x_分箱"]
