"""A 复现包 computed again: the same numbers from the package alone, and every number that differs is named."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from hengxi.data.build import table_of
from hengxi.data.table import Table
from hengxi.prepare import run_on_frame
from hengxi.reproduce import reproduce

DESCRIBED = ("id", "name", "label", "measure", "ordered", "flags", "storage", "unit", "levels", "missing")
SETTINGS = ("method", "form", "filter", "split", "weight", "fill_missing", "seed", "libraries")


def people() -> Table:
    rng = np.random.default_rng(5)
    sex = ['男,"引号"' if i % 2 else "女|𠮷" for i in range(80)]
    hours: list[Any] = [round(float(x), 13) for x in rng.normal(4, 1, 80) + np.arange(80) % 2]
    hours[3] = None
    tiny = [float(x) * 1e-300 for x in rng.normal(4, 1, 80)]
    cells = {"性别": sex, "时长": hours, "小": tiny, "人数": [1 + i % 3 for i in range(80)], "校区": ["东", "西"] * 40}
    return table_of(cells, {"性别": "定类", "校区": "定类"})


def package(folder: Path, table: Table, report: dict[str, Any]) -> Path:
    """As the server writes one."""
    columns = [{k: v for k, v in msgspec.to_builtins(c).items() if k in DESCRIBED} for c in table.meta.columns]
    put = {"变量.json": columns, "报告.json": report}
    put["设置.json"] = {"title": "报告", **{key: report[key] for key in SETTINGS}}  # type: ignore[assignment]
    for name, value in put.items():
        (folder / name).write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    every = np.arange(table.rows)
    cells = [table.cells(column.id, every) for column in table.meta.columns]
    with (folder / "数据.csv").open("w", encoding="utf-8-sig", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([column.name for column in table.meta.columns])
        rows.writerows(zip(*cells, strict=True))
    return folder


CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("hypothesis_test/independent_t_test", {"group": "性别", "variables": ["时长", "小"], "weight": "人数"}, {}),
    (
        "hypothesis_test/independent_t_test",
        {"group": "性别", "variables": ["时长"]},
        {"split": {"column": "校区", "levels": None, "total": True}, "weight": {"column": "人数", "kind": "frequency"}},
    ),
    ("descriptive/frequency", {"variables": ["性别"]}, {"filter": {"condition": "{c4} > 1", "filter_type": "drop"}}),
]


@pytest.mark.parametrize(("path", "form", "around"), CASES)
def test_a_package_gives_its_numbers_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], path: str, form: dict[str, Any], around: dict[str, Any]
) -> None:
    table = people()
    report = run_on_frame(path, table, form, **around)
    assert reproduce(package(tmp_path, table, report)) == 0
    assert "个数字全部相同" in capsys.readouterr().out


def test_a_number_that_differs_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = people()
    report = run_on_frame("descriptive/frequency", table, {"variables": ["性别"]})
    counts = next(one for one in report["parts"][0]["elements"] if one["type"] == "table" and one["rows"])
    counts["rows"][0][2] += 1
    assert reproduce(package(tmp_path, table, report)) == 1
    said = capsys.readouterr().out
    assert f"/0/elements/{counts['id']}/rows/0/2：导出时 41.0，这里 40.0" in said
    assert "处不同" in said


def test_files_that_a_run_kept_and_words_of_a_later_engine_are_no_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = people()
    report = run_on_frame("statistical/kmeans_cluster", table, {"x": ["时长", "小"], "k": 2})
    saved = next(one for one in report["parts"][0]["elements"] if one["type"] == "data")
    saved |= {"kept": "t_8d40d28a", "sha256": "d111", "bytes": 54695, "file_id": "download_1"}
    del report["parts"][0]["sample"]["columns"]
    assert reproduce(package(tmp_path, table, report)) == 0
    assert "个数字全部相同" in capsys.readouterr().out


def test_what_cannot_be_computed_again_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reproduce(tmp_path) == 1
    table = people()
    folder = package(tmp_path, table, run_on_frame("descriptive/frequency", table, {"variables": ["性别"]}))
    (folder / "数据.csv").unlink()
    assert reproduce(folder) == 1
    said = capsys.readouterr().out
    assert "没有 设置.json" in said
    assert "没有带数据" in said
