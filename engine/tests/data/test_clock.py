"""Times of SPSS are found and previewed as times."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyreadstat

from hengxi.data import pages, previewing
from tests.data.conftest import Import


def written(tmp_path: Path) -> Path:
    path = tmp_path / "t.sav"
    pyreadstat.write_sav(
        pd.DataFrame({"t": [30_615.0, 97_323.5, 99.0, None]}), str(path), variable_format={"t": "TIME11.2"},
        missing_ranges={"t": [99]}, variable_measure={"t": "scale"},
    )  # fmt: skip
    return path


def test_they_are_found_as_they_are_shown(read: Import, tmp_path: Path) -> None:
    key = read(written(tmp_path), "t.sav")["key"]

    def rows(find: str) -> list[int]:
        found: list[int] = pages.rows(key, {"find": find, "limit": 10})["index"]
        return found

    assert (rows("08:30"), rows("27:02:03.5"), rows("99"), rows("30615")) == ([0], [1], [2], [])


def test_the_preview_shows_them_so(home: Path, tmp_path: Path) -> None:
    answer = previewing.preview(written(tmp_path), "t.sav")
    assert [row[0] for row in answer["rows"]] == ["08:30:15", "27:02:03.5", 99, None]
