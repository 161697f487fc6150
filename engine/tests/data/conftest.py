"""Files made on the spot, imported by the real importer into a temporary HENGXI_DATA."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

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
