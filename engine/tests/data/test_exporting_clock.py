"""Times of day and durations of SPSS leave as times, and go back under their own formats."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pyreadstat
import pytest

from tests.data.conftest import Import
from tests.data.exported import cells_of, codes, export

FORMATS = {"clock": "TIME8", "fine": "TIME11.2", "long": "DTIME11", "short": "MTIME5"}
SECONDS = {
    "clock": [30_615, 0, 86_399, 99, np.nan],
    "fine": [30_615.25, 0.5, 86_399.99, 1, np.nan],
    "long": [97_323, 360_000, 86_400, -60, np.nan],
    "short": [59, 61, 3599, 0, np.nan],
}


@pytest.fixture
def timed(read: Import, tmp_path: Path) -> str:
    path = tmp_path / "t.sav"
    pyreadstat.write_sav(
        pd.DataFrame(SECONDS), str(path), variable_format=FORMATS, missing_ranges={"clock": [99]},
        variable_measure=dict.fromkeys(FORMATS, "scale"),
    )  # fmt: skip
    key: str = read(path, "t.sav")["key"]
    return key


def test_text_and_sheet_hold_times_and_codes_stay_numbers(timed: str) -> None:
    lines = export(timed, "csv")[0].read_text("utf-8-sig").split()
    assert lines[1:] == [
        "08:30:15,08:30:15.25,27:02:03,00:00:59",
        "00:00:00,00:00:00.5,100:00:00,00:01:01",
        "23:59:59,23:59:59.99,24:00:00,00:59:59",
        "99,00:00:01,-00:01:00,00:00:00",
        ",,,",
    ]
    rows = cells_of(export(timed, "xlsx")[0], "数据")
    assert rows[1] == [dt.timedelta(seconds=cells[0]) for cells in SECONDS.values()]
    assert rows[4][0] == "99" and rows[4][2] == "-00:01:00"


def test_sav_has_them_under_their_own_formats(timed: str) -> None:
    path, _ = export(timed, "sav")
    frame, meta = pyreadstat.read_sav(str(path), disable_datetime_conversion=True, user_missing=True)
    assert meta.original_variable_types == FORMATS and meta.missing_ranges == {"clock": [{"lo": 99.0, "hi": 99.0}]}
    for name, cells in SECONDS.items():
        np.testing.assert_array_equal(frame[name].to_numpy(), cells)


def test_parquet_has_durations_and_comes_back(timed: str, read: Import) -> None:
    path, _ = export(timed, "parquet")
    for name, cells in SECONDS.items():
        found = pq.read_table(path).column(name).to_pylist()
        assert [None if one is None else one.total_seconds() for one in found] == [
            None if np.isnan(cell) else cell for cell in cells
        ]
    again = read(path, "t.parquet")["key"]
    assert export(again, "csv")[0].read_bytes() == export(timed, "csv")[0].read_bytes()


def test_stata_gets_seconds_and_is_told(timed: str) -> None:
    path, answer = export(timed, "dta")
    assert "export.clock" in codes(answer)
    assert pd.read_stata(path).iloc[:4, 2].tolist() == SECONDS["long"][:4]
