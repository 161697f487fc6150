"""A copy of a table lives on without the one it came from."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hengxi.data import copying, edits, store
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table
from tests.data.conftest import Import, leftovers


def test_a_copy_outlives_its_origin_and_the_folder_its_cells_lay_in(
    home: Path, read: Import, keys: Callable[[], str]
) -> None:
    first = read("a,b\n1,x\n2,y\n")["key"]
    edits.edit(first, {"table": (named := keys()), "columns": [{"id": "c1", "label": "年龄"}]})
    assert Table.open(named).meta.data == first
    mine = keys()
    assert copying.copy(named, {"table": mine}) == {"table": mine}
    for gone in (first, named):
        shutil.rmtree(store.table_path(gone))
    (store.table_path(mine) / "data.arrow").unlink()
    table = Table.open(mine)
    assert table.meta.data is None and table.column("c1").label == "年龄"
    assert list(table.numeric("c1")) == [1.0, 2.0]
    assert leftovers(home) == [mine]


def test_a_folder_without_a_table_is_copied_whole(home: Path, keys: Callable[[], str]) -> None:
    kept, mine = keys(), keys()
    (store.table_path(kept) / "files").mkdir(parents=True)
    (store.table_path(kept) / "files" / "rows").write_bytes(b"x")
    copying.copy(kept, {"table": mine})
    assert (store.table_path(mine) / "files" / "rows").read_bytes() == b"x"


def test_what_is_gone_or_no_key_is_refused(home: Path, keys: Callable[[], str]) -> None:
    with pytest.raises(DataRefusal, match="已被删除"):
        copying.copy(keys(), {"table": keys()})
    with pytest.raises(DataRefusal, match="编号不正确"):
        copying.copy(keys(), {"table": "../../x"})
