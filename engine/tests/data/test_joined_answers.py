"""Several answers in a cell of any table: recognised, asked about, split into a set."""

from __future__ import annotations

import numpy as np
import pytest

from tests.data.conftest import Import

PHONES = ["华为", "小米", "苹果", "OPPO"]


def _table(sign: str, rows: int = 60) -> str:
    rng = np.random.default_rng(5)
    picks = rng.random((rows, len(PHONES))) < 0.45
    cells = [sign.join(one for one, flag in zip(PHONES, row, strict=True) if flag) for row in picks]
    return "编号,手机\n" + "".join(f'{place},"{cell}"\n' for place, cell in enumerate(cells))


@pytest.mark.parametrize("sign", [";", "、", "；", ",", "，"])
def test_joined_answers_are_asked_about_and_split(read: Import, sign: str) -> None:
    (question,) = read(_table(sign))["questions"]
    assert (question["id"], question["kind"], question["name"]) == ("joined_c2", "joined", "手机")
    split, text = question["choices"]
    assert split["title"].startswith("拆成多选题：4 个选项（") and text["key"] == "text"
    assert split["preview"][0]["after"] == split["preview"][0]["before"].replace(sign, " ＋ ")
    done = read(_table(sign), answers={"joined_c2": "split"})
    assert [(one["name"], len(one["columns"])) for one in done["sets"]] == [("手机", 4)]
    table = done["table"]
    cells = [set((cell or "").split(sign)) for cell in table.text("c2").tolist()]
    for column in table.meta.columns[2:]:
        option = column.name.removeprefix("手机(").removesuffix(")")
        assert [v == 1 for v in table.numeric(column.id)] == [option in cell for cell in cells]


def test_kept_as_text_on_demand(read: Import) -> None:
    for options in ({"answers": {"joined_c2": "text"}}, {"on_doubt": "text"}):
        done = read(_table("、"), **options)
        assert done["sets"] == [] and len(done["columns"]) == 2


@pytest.mark.parametrize(
    "cells",
    [
        [f"{'北京上海'[i % 2 * 2 :][:2]}、{'海淀朝阳东城'[i % 3 * 2 :][:2]}" for i in range(40)],
        [f"很好、谢谢{i}" for i in range(40)],
        [f"{i % 4};{i % 3}" for i in range(40)],
        [f"王{i}、李{i + 1}" for i in range(40)],
    ],
)
def test_places_remarks_and_pairs_of_numbers_are_no_answers(read: Import, cells: list[str]) -> None:
    done = read("a,文\n" + "".join(f"{place},{cell}\n" for place, cell in enumerate(cells)))
    assert done["state"] == "done" and done["sets"] == []
