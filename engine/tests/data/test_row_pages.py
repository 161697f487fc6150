"""Rows kept beside a report: what goes in comes out, page by page."""

from __future__ import annotations

import pytest

from hengxi.data import row_pages
from hengxi.data.refusal import DataRefusal

KEY = "t_" + "0" * 32


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("HENGXI_DATA", str(tmp_path))


def body(rows: int) -> dict[str, object]:
    return {
        "rows": [[f"第{i}行", i / 7, None] for i in range(rows)],
        "depth": [i % 2 for i in range(rows)],
        "totals": [rows - 1],
        "marks": {f"{rows - 1},1": "*", "0,0": "a"},
    }


def test_every_row_comes_back_once_and_in_order():
    whole = body(2345)
    row_pages.write(KEY, "r0_3", whole)
    found, marks, totals = [], {}, []
    for offset in range(0, 2345, 700):
        page = row_pages.read(KEY, "r0_3", offset, 700)
        assert page["total"] == 2345
        found += page["rows"]
        totals += [offset + i for i in page["totals"]]
        marks |= {f"{int(k.split(',')[0]) + offset},{k.split(',')[1]}": v for k, v in page["marks"].items()}
    assert found == whole["rows"]
    assert (totals, marks) == (whole["totals"], whole["marks"])


@pytest.mark.parametrize(("offset", "limit", "rows"), [(2345, 10, 0), (2340, 10, 5), (-5, 3, 3), (0, 5000, 1000)])
def test_a_page_stays_inside_the_table(offset, limit, rows):
    row_pages.write(KEY, "r0_3", body(2345))
    assert len(row_pages.read(KEY, "r0_3", offset, limit)["rows"]) == rows


@pytest.mark.parametrize("name", ["r0_4", "../r0_3", "r0_3.parquet", ""])
def test_absent_and_foreign_names_are_refused_alike(name):
    row_pages.write(KEY, "r0_3", body(3))
    with pytest.raises(DataRefusal, match="其余行已不存在"):
        row_pages.read(KEY, name, 0, 10)
