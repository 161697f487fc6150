"""The Arrow file of a table: one batch where its columns can be joined, several where one of them is too large."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

Import = Callable[..., dict[str, Any]]
ROWS = 1000


@pytest.mark.parametrize("largest", [1 << 20, 0])
def test_one_batch_and_several_hold_the_same_cells(read: Import, monkeypatch: pytest.MonkeyPatch, largest: int) -> None:
    monkeypatch.setattr("hengxi.data.writing.LARGEST", largest)
    monkeypatch.setattr("hengxi.data.writing.GROUP_ROWS", 300)
    lines = [f"{i % 7},{'' if i % 5 == 0 else i / 4},{'甲乙丙'[i % 3]},词{i}" for i in range(ROWS)]
    table = read("整,小数,类,文\n" + "\n".join(lines) + "\n")["table"]
    with pa.OSFile(str(table.folder / "data.arrow")) as file:
        assert pa.ipc.open_file(file).num_record_batches == (1 if largest else 4)
    assert {path.name for path in table.folder.iterdir()} == {"data.arrow", "data.parquet", "meta.json"}
    known = np.arange(ROWS) % 5 != 0
    assert np.array_equal(np.isnan(table.numeric("c2")), ~known)
    assert np.array_equal(table.numeric("c2")[known], (np.arange(ROWS) / 4)[known])
    assert np.array_equal(table.numeric("c1"), np.arange(ROWS) % 7)
    codes, levels = table.codes("c3")
    assert "".join(str(levels[code].value) for code in codes[:4]) == "甲乙丙甲"
    assert table.text("c4")[998] == "词998"
    held = pq.read_table(table.folder / "data.parquet")
    assert held.num_rows == ROWS and held.column("c1").to_pylist() == [i % 7 for i in range(ROWS)]
