"""A text column before it is analysed."""

from __future__ import annotations

from hengxi.data.text_preview import text_preview
from tests.data.conftest import Import

ROWS = [
    "很好，打13812345678",
    "",
    "很好，打13812345678",
    "有事写 a.b@c.com",
    "身份证11010519491231002X",
    "wifi很快",
    "1381234567890 不是",
]


def test_counts_are_of_rows_with_a_text(read: Import) -> None:
    found = text_preview(
        read("n,t\n" + "".join(f"{i},{cell}\n" for i, cell in enumerate(ROWS)))["key"], {"column": "c2"}
    )
    assert (found["total"], found["read"], found["empty"], found["duplicates"]) == (7, 7, 1, 1)
    assert found["pii"] == {"phone": 2, "id": 1, "email": 1}
    assert found["masking"] == "data_processing/data_masking"
    assert found["rows"][1] == {"row": 3, "text": ROWS[2]}
    assert found["max_len"] == 21 and abs(found["mean_len"] - sum(map(len, ROWS)) / 6) < 1e-12


def test_language_goes_by_letters(read: Import) -> None:
    for cells, language in (
        (["服务好", "房间 wifi 快"], "zh"),
        (["good room", "nice"], "en"),
        (["服务 good service here", "hello 好"], "mixed"),
    ):
        key = read("t\n" + "".join(f"{cell}\n" for cell in cells))["key"]
        assert text_preview(key, {"column": "c1"})["language"] == language


def test_a_column_of_nothing(read: Import) -> None:
    found = text_preview(read("n,t\n1,\n2,\n", on_doubt="text")["key"], {"column": "c2"})
    assert found["rows"] == [] and found["mean_len"] is None and found["language"] is None
