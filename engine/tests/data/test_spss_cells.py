"""The quick way to an SPSS file's cells against the library, on sound and on hurt files."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyreadstat
import pytest

from hengxi.data.arrays import ArrowFile
from hengxi.data.importing import import_table
from hengxi.data.statfile import reading
from hengxi.data.statfile.dialect import Unsure
from hengxi.data.statfile.spss_cells import quick

ROWS = 700
OVER = struct.pack("<ii", 999, 0)


def sheet() -> pd.DataFrame:
    rng = np.random.default_rng(7)
    system, highest = -1.7976931348623157e308, 1.7976931348623157e308
    return pd.DataFrame({
        "decimals": rng.normal(0, 1e3, ROWS).round(3),
        "codes": rng.integers(-110, 260, ROWS).astype(float),  # -99 to 151 are packed into a byte, others are not
        "gaps": np.where(rng.random(ROWS) < 0.3, np.nan, 1.0),
        "ends": rng.choice([system, np.nextafter(system, 0), highest, 1.0], ROWS),
        "empty": np.nan,
        "short": rng.choice(["a", "", " ", "b ", " c"], ROWS),
        "word": rng.choice(["abcdefgh", "北京", ""], ROWS),
        "sentence": rng.choice(["长" * 60, "x" * 255, "上海市浦东新区"], ROWS),
    })  # fmt: skip


def written(home: Path, packed: bool) -> Path:
    path = home / "a.sav"
    pyreadstat.write_sav(sheet(), str(path), row_compress=packed, missing_ranges={"codes": [{"lo": 200, "hi": 300}]})
    return path


def meta_of(path: Path) -> Any:
    return pyreadstat.read_sav(path, metadataonly=True)[1]


def by_library(path: Path) -> pl.DataFrame:
    frame: pl.DataFrame = pyreadstat.read_sav(path, output_format="polars", user_missing=True)[0]
    return frame.with_columns(pl.col(pl.Float64).fill_nan(None))


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("size", [50, 97, ROWS])
def test_the_cells_are_those_of_the_library(tmp_path: Path, packed: bool, size: int) -> None:
    path = written(tmp_path, packed)
    found = pl.concat(quick(path, meta_of(path), None, size))
    assert found.equals(by_library(path))


@pytest.mark.parametrize("packed", [False, True])
def test_a_sound_file_is_not_read_by_the_library(home: Path, monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    asked = []
    chunk = reading.Opened.chunk

    def counting(self: reading.Opened, offset: int, rows: int) -> pl.DataFrame:
        asked.append((offset, rows))
        return chunk(self, offset, rows)

    monkeypatch.setattr(reading.Opened, "chunk", counting)
    found = import_table(written(home, packed), "a.sav", target_dir=home / "tables" / "t")
    assert found["rows"] == ROWS
    assert asked == [(0, 200), (0, reading.FIRST)]


@pytest.mark.parametrize("packed", [False, True])
def test_a_hurt_file_is_never_read_otherwise_than_by_the_library(tmp_path: Path, packed: bool) -> None:
    path = written(tmp_path, packed)
    whole, meta, rng = path.read_bytes(), meta_of(path), np.random.default_rng(3)
    begin = whole.index(OVER) + len(OVER)
    sure = 0
    for _ in range(60):
        hurt = bytearray(whole)
        place = int(rng.integers(begin, len(hurt)))
        hurt[place] = int(rng.choice([0, 1, 32, 200, 252, 253, 254, 255]))
        path.write_bytes(hurt)
        try:
            found = pl.concat(quick(path, meta, None, 100))
        except Unsure:
            continue
        sure += 1
        assert found.equals(by_library(path))
    assert sure > 5


def test_what_the_quick_way_does_not_know_is_read_by_the_library_from_there(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "CHUNK_CELLS", 100 * 8)
    path = written(home, packed=False)
    raw = bytearray(path.read_bytes())
    row = (len(raw) - raw.index(OVER) - len(OVER)) // ROWS
    raw[len(raw) - 250 * row + 5 * 8 + 1] = 0  # a NUL within a text of row 450
    path.write_bytes(raw)

    with pytest.raises(Unsure):
        list(quick(path, meta_of(path), None, 100))
    found = import_table(path, "a.sav", target_dir=home / "tables" / "t")
    assert found["rows"] == ROWS
    numbers = ArrowFile(home / "tables" / "t" / "data.arrow").array("c1").to_pylist()
    assert numbers == by_library(path)["decimals"].to_list()


@pytest.mark.parametrize("cut", [1, 8, 4000])
@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_ends_too_early_is_left_to_the_library(tmp_path: Path, packed: bool, cut: int) -> None:
    path = written(tmp_path, packed)
    meta = meta_of(path)
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(Unsure):
        list(quick(path, meta, None, 100))
