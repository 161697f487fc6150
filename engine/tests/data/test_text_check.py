"""What text columns hold besides words."""

from __future__ import annotations

from typing import Any

import pytest

from hengxi.data.build import table_of
from hengxi.data.derive import write
from hengxi.data.store import table_path
from hengxi.data.text_check import text_check

KEY = f"t_{'a' * 32}"


def test_cells_are_counted_by_what_they_hold(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HENGXI_DATA", str(tmp_path))
    write(
        table_of(
            {
                "数": ["12", "-3.5", "1,234", "15%", "010020", "123456789012345678", "3万", None],
                "日": [
                    "2024-3-5",
                    "2024年12月31日",
                    "2024/03/05 08:30",
                    "2024-03-05T08:30:15.5",
                    "5/3/2024",
                    "",
                    "无",
                    "2",
                ],
                "字": ["Ａ组", "A组", " A组", "A组 ", "A\u200b组", "Ａ组", "甲，乙", None],
                "值": [1, 2, 3, 4, 5, 6, 7, 8],
            }
        ),
        table_path(KEY),
    )
    columns = text_check(KEY)["columns"]
    assert set(columns) == {"c1", "c2", "c3"}
    assert columns["c1"] == {"n": 7, "numbers": 4, "dates": 0, "moments": 0, "stray": 0}
    assert (columns["c2"]["dates"], columns["c2"]["moments"], columns["c2"]["numbers"]) == (2, 2, 1)
    # 甲，乙: a comma of full width is how Chinese is written.
    assert columns["c3"] == {"n": 7, "numbers": 0, "dates": 0, "moments": 0, "stray": 5}
