"""Steps whose result has other rows or other columns: which case a row is, words that go along, replay, the look."""

from __future__ import annotations

from typing import Any

import pytest

from hengxi.contract import Refusal
from hengxi.data.build import table_of
from hengxi.data.cases import FIRST_OF_STEP, origins
from hengxi.data.derive import write
from hengxi.data.store import table_path
from hengxi.data.table import Table
from hengxi.jobs.analysis import plain, run_analysis
from hengxi.jobs.replay import run_replay

KEYS = [f"t_{letter * 32}" for letter in "abcdef"]
LONGER, WIDER, SORT = (f"data_processing/{key}" for key in ("pivot_longer", "pivot_wider", "sort"))
WIDE: dict[str, list[Any]] = {"编号": [1, 2, 3], "前": [5, 6, None], "后": [7, 9, 8], "别": list("甲乙丙")}


@pytest.fixture(autouse=True)
def home(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HENGXI_DATA", str(tmp_path))


def store(columns: dict[str, list[Any]], key: str = KEYS[0]) -> None:
    write(table_of(columns), table_path(key))


def run(path: str, form: dict[str, Any], table: str = KEYS[0], kept: str = KEYS[1], **more: Any) -> dict[str, Any]:
    made = plain(run_analysis({"path": path, "form": form, "table": table, "kept": kept, **more})["report"])
    return next(e for part in made["parts"] for e in part["elements"] if e["type"] == "data")


def grid(key: str) -> dict[str, list[Any]]:
    table = Table.open(key)
    return {c.name: table.text(c.id).tolist() for c in table.meta.columns}


def test_longer_and_wider_again_are_the_same_cells_and_cases() -> None:
    store(WIDE)
    run(LONGER, {"variables": ["c2", "c3"], "id": ["c1"], "names_to": "时", "values_to": "值"})
    assert grid(KEYS[1]) == {
        "编号": ["1", "1", "2", "2", "3", "3"],
        "时": ["前", "后"] * 3,
        "值": ["5", "7", "6", "9", None, "8"],
    }
    assert origins(Table.open(KEYS[1])).tolist() == [0, 0, 1, 1, 2, 2]
    run(WIDER, {"id": ["c1"], "names_from": ["c5"], "values_from": ["c6"]}, KEYS[1], KEYS[2])
    assert grid(KEYS[2]) == {name: grid(KEYS[0])[name] for name in ("编号", "前", "后")}
    assert origins(Table.open(KEYS[2])).tolist() == [0, 1, 2]


def test_value_labels_and_missing_codes_go_along() -> None:
    store({"编号": [1, 2, 3], "q1": [1, 2, 9], "q2": [2, 9, 1]})
    edit = {"columns": [
        {"id": c, "measure": "定类", "levels": [{"value": 1, "label": "是"}, {"value": 2, "label": "否"}],
         "missing": {"values": [9]}}
        for c in ("c2", "c3")
    ]}  # fmt: skip
    run_replay({"table": KEYS[0], "steps": [{"edit": edit["columns"], "names": {}}], "tables": [KEYS[1]]})
    run(LONGER, {"variables": ["c2", "c3"], "id": ["c1"]}, KEYS[1], KEYS[2])
    made = Table.open(KEYS[2])
    value = made.column("c5")
    assert [(level.value, level.label, level.count) for level in value.levels or []] == [(1, "是", 2), (2, "否", 2)]
    assert value.missing.values == [9] and made.cells("c5", [3, 4]) == [9, 9]  # type: ignore[arg-type]
    assert made.missing("c5").tolist() == [False, False, False, True, True, False]


def test_rows_that_are_no_row_of_the_import_have_the_same_origin_each_time() -> None:
    store(WIDE)
    for key in KEYS[1:3]:
        run("data_processing/transpose", {"variables": ["c2", "c3"]}, kept=key)
        assert origins(Table.open(key)).tolist() == [FIRST_OF_STEP, FIRST_OF_STEP + 1]
    first, second = ((table_path(key) / "data.arrow").read_bytes() for key in KEYS[1:3])
    assert first == second


def test_a_replay_on_other_data_names_the_step_and_the_column() -> None:
    store({"编号": [1, 2], "前": [3, 4]})
    steps = [
        {"path": SORT, "form": {"keys": ["c1"]}, "names": {"c1": "编号"}},
        {"path": LONGER, "form": {"variables": ["c2", "c3"], "id": ["c1"]},
         "names": {"c1": "编号", "c2": "前", "c3": "后"}},
    ]  # fmt: skip
    with pytest.raises(Refusal) as caught:
        run_replay({"table": KEYS[0], "steps": steps, "tables": KEYS[1:3]})
    assert "第 2 步“宽表转长表”不适用：没有变量“后”" in caught.value.faults[0].text
    assert not table_path(KEYS[1]).exists()


def test_a_replay_gives_the_same_table() -> None:
    store(WIDE)
    form = {"variables": ["c2", "c3"], "id": ["c1", "c4"]}
    run(LONGER, form)
    names = {"c1": "编号", "c2": "前", "c3": "后", "c4": "别"}
    done = run_replay(
        {"table": KEYS[0], "steps": [{"path": LONGER, "form": form, "names": names}], "tables": [KEYS[2]]}
    )
    assert grid(KEYS[1]) == grid(KEYS[2]) and done["steps"][0]["rows"] == 6


def test_the_look_shows_the_first_rows_of_either_table() -> None:
    store(WIDE)
    step = run("data_processing/transpose", {"variables": ["c2", "c3"]}, preview=True)["step"]
    assert step["reshaped"] and step["rows_before"] == 3 and step["rows_after"] == 2
    assert [line is None for line in step["preview"]["before"]] == [False, False, False]
    assert [line is None for line in step["preview"]["after"]] == [False, False, True]


def test_a_filter_in_force_is_refused_where_rows_change() -> None:
    store(WIDE)
    with pytest.raises(Refusal) as caught:
        run(SORT, {"keys": ["c3"]}, filter={"condition": "{c2} > 5"})
    assert caught.value.code == "data.filtered"
