"""Clocks and durations in files that know only text: seconds, shown as times."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pytest

from hengxi.data import pages, previewing
from hengxi.data.clock import is_clock
from tests.data.conftest import Import
from tests.data.workbook_files import book


@pytest.mark.parametrize(
    ("heading", "cells", "seconds"),
    [
        ("x", ["8:30:15", "27:02:03", "0:00:59"], [30_615, 97_323, 59]),
        ("x", ["1:02:03.5", "-0:00:01"], [3723.5, -1]),
        ("起床时间", ["6:30", "7:05"], [23_400, 25_500]),
        ("x", ["08:30", "12:00"], [30_600, 43_200]),
        ("x", ["1小时20分", "35分钟", "2分5秒"], [4800, 2100, 125]),
    ],
)
def test_a_column_of_them_is_a_duration(read: Import, heading: str, cells: list[str], seconds: list[float]) -> None:
    done = read(f"{heading},y\n" + "".join(f"{cell},1\n" for cell in cells))
    (column, _) = done["table"].meta.columns
    assert is_clock(column) and (column.measure, column.unit) == ("定量", "秒")
    assert done["table"].numeric("c1").tolist() == seconds


def test_the_preview_shows_it(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("时,y\n1:00:00,1\n0:30:00,2\n")
    assert previewing.preview(path, "a.csv")["columns"][0] == {
        "name": "时",
        "measure": "定量",
        "why": "前几行是时刻或时长",
    }


def test_gaps_are_missing_and_their_words_stay(read: Import) -> None:
    done = read("用了,y\n1:00:00,1\nNA,2\n,3\n0:30:00,4\n")
    assert np.array_equal(done["table"].numeric("c1"), [3600, np.nan, np.nan, 1800], equal_nan=True)
    assert done["table"].raw("c1").to_pylist() == [None, "NA", None, None]


def test_cells_of_a_sheet(read: Import) -> None:
    rows = [
        ["时长", "时刻"],
        [dt.timedelta(hours=25, minutes=1), dt.time(8, 30)],
        [dt.timedelta(seconds=7), dt.time(0)],
    ]
    done = read(book(rows), "a.xlsx")
    assert done["table"].numeric("c1").tolist() == [90_060, 7] and done["table"].numeric("c2").tolist() == [30_600, 0]
    assert pages.rows(done["key"], {"find": "25:01:00", "limit": 5})["index"] == [0]


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("比分", ["21:15", "3:02"]),
        ("比例", ["16:9", "4:3"]),
        ("成绩", ["90分", "85分"]),
        ("x", ["8:30:15", "不记得"]),
        ("x", ["8:75:15", "9:00:00"]),
    ],
)
def test_results_ratios_and_marks_are_none(read: Import, heading: str, cells: list[str]) -> None:
    done = read(f"{heading},y\n" + "".join(f"{cell},1\n" for cell in cells), on_doubt="text")
    assert done["table"].text("c1").tolist() == cells
