"""Steps that work on cells, texts, dates and series: the same bytes each time, cases held, replayed on other data."""

from __future__ import annotations

from datetime import date, timedelta
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

KEYS = [f"t_{letter * 32}" for letter in "abcd"]
ROWS = 48
NAMES = ["编号", "码", "日", "答", "值", "组"]
CELLS: dict[str, list[Any]] = {
    "编号": [f"11010519{i:010d}" for i in range(ROWS)],
    "码": [f"{i:03d}-甲{i % 3} " for i in range(ROWS)],
    "日": [date(2024, 1, 31) + timedelta(days=i) for i in range(ROWS)],
    "答": ["A┋C", "B", "A", None] * (ROWS // 4),
    "值": [float(i % 12) + i / 10 + (i % 7) / 7 for i in range(ROWS)],
    "组": ["一", "二"] * (ROWS // 2),
}
MEASURES = {"编号": "文本", "码": "文本", "答": "文本", "值": "定量", "组": "定类"}
STEPS: dict[str, dict[str, Any]] = {
    "variable_label": {"variables": ["c6"], "value_labels": "一=甲组", "names": [{"for": "c6", "name": "组别"}]},
    "type_convert": {"variables": ["c5"], "target": "integer", "rounding": "round"},
    "text_clean": {"variables": ["c2"]},
    "split_column": {"variable": "c2", "delimiter": "-"},
    "multi_choice_split": {"variables": ["c4"]},
    "date_parts": {"date": "c3", "parts": ["week", "yearmonth", "is_holiday"], "shift": 1, "diff_unit": "month"},
    "rank_cases": {"variables": ["c5"], "group": ["c6"], "type": "ntile"},
    "interaction_terms": {"variables": ["c5"], "interaction_only": False},
    "lag_difference": {"variables": ["c5"], "time": "c3", "group": ["c6"], "operation": ["lag", "rolling_mean"]},
    "generate_sequence": {"name": "随机", "type": "random"},
    "resample_time": {"time": "c3", "variables": ["c5"], "group": ["c6"], "freq": "week", "fill": "linear"},
    "smoothing": {"variables": ["c5"], "time": "c3", "method": "stl"},
    "signal_transform": {"variables": ["c5"], "method": "dwt"},
}
OTHER_ROWS = ("resample_time",)


@pytest.fixture(autouse=True)
def home(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HENGXI_DATA", str(tmp_path))
    write(table_of(CELLS, MEASURES), table_path(KEYS[0]))


def run(key: str, kept: str) -> dict[str, Any]:
    body = {"path": f"data_processing/{key}", "form": STEPS[key], "table": KEYS[0], "kept": kept}
    made = plain(run_analysis(body)["report"])
    return next(e for part in made["parts"] for e in part["elements"] if e["type"] == "data")


def replay(key: str, table: str, **more: Any) -> dict[str, Any]:
    names = {f"c{i + 1}": name for i, name in enumerate(NAMES)}
    step = {"path": f"data_processing/{key}", "form": STEPS[key], "names": names, **more}
    return run_replay({"table": table, "steps": [step], "tables": [KEYS[3]]})


def names_of(key: str) -> list[str]:
    return [column.name for column in Table.open(key).meta.columns]


def test_every_step_is_here() -> None:
    assert len(STEPS) == 13


@pytest.mark.parametrize("key", list(STEPS))
def test_the_same_step_gives_the_same_bytes_and_keeps_cases_and_ids(key: str) -> None:
    for kept in KEYS[1:3]:
        run(key, kept)
    first, second = ((table_path(kept) / "data.arrow").read_bytes() for kept in KEYS[1:3])
    assert first == second
    made = Table.open(KEYS[1])
    if key in OTHER_ROWS:
        assert all(one < ROWS or one >= FIRST_OF_STEP for one in origins(made).tolist())
    else:
        assert origins(made).tolist() == list(range(ROWS))
        assert made.text("c1").tolist() == CELLS["编号"]


@pytest.mark.parametrize("key", list(STEPS))
def test_a_replay_on_more_rows_makes_the_same_variables(key: str) -> None:
    run(key, KEYS[1])
    more = {name: cells + cells[:1] if name != "日" else [*cells, date(2024, 3, 30)] for name, cells in CELLS.items()}
    write(table_of(more, MEASURES), table_path(KEYS[2]))
    replay(key, KEYS[2])
    assert names_of(KEYS[3]) == names_of(KEYS[1])


@pytest.mark.parametrize("key", [key for key in STEPS if key != "generate_sequence"])
def test_a_variable_that_is_gone_is_named_with_the_step(key: str) -> None:
    used = {"variable_label": "组", "text_clean": "码", "split_column": "码", "multi_choice_split": "答",
            "date_parts": "日"}.get(key, "值")  # fmt: skip
    write(table_of({name: cells for name, cells in CELLS.items() if name != used}, MEASURES), table_path(KEYS[2]))
    with pytest.raises(Refusal) as caught:
        replay(key, KEYS[2])
    assert "第 1 步" in caught.value.faults[0].text and f"没有变量“{used}”" in caught.value.faults[0].text


def test_options_and_parts_made_before_are_made_again() -> None:
    """New data without option C and without a second part: later steps find the variables all the same."""
    for key in ("multi_choice_split", "split_column"):
        added = [column["name"] for column in run(key, KEYS[1])["step"]["added"]]
        fewer = {**CELLS, "答": ["A", "B"] * (ROWS // 2), "码": ["001"] * ROWS}
        write(table_of(fewer, MEASURES), table_path(KEYS[2]))
        replay(key, KEYS[2], made=added)
        assert set(added) <= set(names_of(KEYS[3]))
