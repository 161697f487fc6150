"""Files made on the spot, imported by the real importer into a temporary HENGXI_DATA."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from hengxi.data import importing, store
from hengxi.data.table import Table

Import = Callable[..., dict[str, Any]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder."""
    monkeypatch.setenv("HENGXI_DATA", str(tmp_path))
    (tmp_path / "uploads").mkdir()
    return tmp_path


@pytest.fixture
def keys() -> Callable[[], str]:
    """Fresh table keys."""
    numbers = count(1)
    return lambda: f"t_{next(numbers):032x}"


@pytest.fixture
def read(home: Path, keys: Callable[[], str]) -> Import:
    """`read(b"a,b\\n1,2\\n")` → the answer of the import, with the open `table` when it is done."""

    def run(content: bytes | str | Path, name: str = "数据.csv", **options: Any) -> dict[str, Any]:
        path = home / "uploads" / "file"
        if isinstance(content, Path):
            path = content
        else:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        key = keys()
        answer = importing.import_table(path, name, target_dir=store.table_path(key), **options)
        if answer["state"] == "done":
            answer |= {"key": key, "table": Table.open(key)}
        return answer

    return run


def leftovers(home: Path) -> list[str]:
    """What an import left among the tables."""
    folder = home / "tables"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


@pytest.fixture
def survey(read: Import, tmp_path: Path) -> str:
    """Labels, codes and a range, dates, moments, Chinese names, empty cells."""
    frame = pd.DataFrame(
        {
            "性别": [1.0, 2.0, 1.0, 9.0, np.nan],
            "学历": ["本科", "硕士", "", "本科", "博士"],
            "q1": [1.0, 2.0, 3.0, 4.0, 5.0],
            "inc": [1.5, 2.25, -9.0, 99.0, 3.0],
            "d": [date(2024, 1, i) for i in range(1, 6)],
            "t": [datetime(2024, 1, 1, 10, 5, 7)] * 4 + [None],
        }
    )
    path = tmp_path / "survey.sav"
    pyreadstat.write_sav(
        frame,
        str(path),
        column_labels={"性别": "您的性别", "inc": "月收入(千元)"},
        variable_value_labels={
            "性别": {1: "男", 2: "女", 9: "拒答"},
            "q1": {1: "非常不同意", 2: "不同意", 3: "一般", 4: "同意", 5: "非常同意"},
            "学历": {"本科": "大学本科"},
        },
        missing_ranges={"性别": [9], "inc": [{"lo": -9, "hi": -1}, 99]},
        variable_measure={"性别": "nominal", "q1": "ordinal", "inc": "scale"},
    )
    key: str = read(path, "survey.sav")["key"]
    return key


# -- sav ---------------------------------------------------------------------------------------------------------------
