"""Moments leave to the very second: programs cut what is a billionth short of it."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pandas as pd
import pyreadstat
import pytest

from tests.data.conftest import Import
from tests.data.exported import cells_of, export

MINUTES = 600


@pytest.mark.parametrize("kind", ["sav", "dta"])
def test_moments_are_whole_seconds(read: Import, kind: str) -> None:
    moments = pd.date_range("2024-03-01 10:02:00", periods=MINUTES, freq="7min13s")
    key = read("t\n" + "\n".join(moments.strftime("%Y-%m-%d %H:%M:%S")) + "\n")["key"]
    reader: Callable[..., tuple[pd.DataFrame, object]] = pyreadstat.read_sav if kind == "sav" else pyreadstat.read_dta
    raw, _ = reader(Path(export(key, kind)[0]), disable_datetime_conversion=True)
    parts = raw["t"] if kind == "sav" else raw["t"] / 1000
    assert (parts == parts.round()).all() and parts.diff().iloc[1:].eq(433).all()


def test_stata_shows_the_second(read: Import) -> None:
    key = read("t\n2024-03-02 10:02:00\n2024-03-04 10:04:00\n")["key"]
    shown = pd.read_stata(export(key, "dta")[0])["t"]
    assert shown.astype(str).tolist() == ["2024-03-02 10:02:00", "2024-03-04 10:04:00"]


def test_days_far_off_are_written_to_every_format(read: Import) -> None:
    """9999-12-31 stands for "open" in many tables; in microseconds it has more digits than a double."""
    lines = ["9999-12-31,9999-12-31 23:59:59", "1015-06-01,1600-01-01 00:00:01", "2024-02-29,2024-02-29 12:30:00"]
    key = read("d,t\n" + "\n".join(lines) + "\n")["key"]
    for kind in ("csv", "sav", "dta", "parquet", "xlsx"):
        export(key, kind)
    (_, first, early, usual) = cells_of(export(key, "xlsx")[0], "数据")
    assert [str(cell) for cell in first] == ["9999-12-31 00:00:00", "9999-12-31 23:59:59"]
    assert early == ["1015-06-01", "1600-01-01 00:00:01"], "before the calendar of Excel: as text"
    assert [str(cell) for cell in usual] == ["2024-02-29 00:00:00", "2024-02-29 12:30:00"]


def test_fractions_of_a_second_are_shown_and_not_rounded_into_the_next_day(read: Import) -> None:
    key = read("t,u\n2024-02-29 23:59:59.5,2024-02-29 10:00:00\n2024-03-01 10:02:00,2024-02-29 10:00:01\n")["key"]
    sheet = openpyxl.load_workbook(io.BytesIO(export(key, "xlsx")[0].read_bytes()))["数据"]
    assert sheet["A2"].number_format.endswith(".000") and sheet["B2"].number_format == "yyyy-mm-dd hh:mm:ss"
    lines = export(key, "csv")[0].read_text("utf-8-sig").splitlines()
    assert [line.split(",")[0] for line in lines] == ["t", "2024-02-29 23:59:59.5", "2024-03-01 10:02:00"]
