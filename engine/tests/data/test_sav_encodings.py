"""SPSS files as Chinese versions of SPSS wrote them for years: GBK with and without saying so, either byte order."""

from __future__ import annotations

import pytest

from hengxi.data.refusal import DataRefusal
from tests.data.conftest import Import
from tests.data.hand_sav import Variable, hand_made

VARIABLES = [
    Variable("性别", label="您的性别", labels={1: "男", 2: "女"}, missing=[9]),
    Variable("备注", width=24, label="文本备注"),
    Variable("微信"),
    Variable("抖音"),
]
ROWS: list[list[float | str | None]] = [[1, "北京市海淀区", 1, 0], [9, "你好", 0, 1], [None, "", 1, 1]]
SETS = f"$媒体=D1 1 {len('用过哪些'.encode('gbk'))} 用过哪些 V3 V4\n$次序=C 4 顺序 V3 V4\n"


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(
    ("encoding", "declared", "codepage"),
    [("gbk", "GBK", 936), ("gbk", "", 936), ("gbk", "", 2), ("gb18030", "gb18030", 54936), ("big5", "", 2)],
)
def test_chinese_is_read_whether_the_file_names_its_encoding_or_not(
    read: Import, encoding: str, declared: str, codepage: int, order: str
) -> None:
    names = {"gbk": "性别", "gb18030": "性别", "big5": "性別"}
    rows: list[list[float | str | None]] = [[1, "臺北市大安區", 1, 0]] if encoding == "big5" else ROWS
    variables = VARIABLES
    if encoding == "big5":
        variables = [
            Variable("性別", label="您的性別", labels={1: "男", 2: "女"}),
            Variable("備註", 24),
            *VARIABLES[2:],
        ]
    table = read(hand_made(variables, rows, encoding, declared, codepage, order), "a.sav")["table"]
    first = table.meta.columns[0]
    assert first.name == names[encoding] and [level.label for level in first.levels or []] == ["男", "女"]
    assert table.text("c2").tolist()[0] == rows[0][1]


def test_multiple_response_sets_in_gbk_do_not_stop_the_import(read: Import) -> None:
    answer = read(hand_made(VARIABLES, ROWS, "gbk", "GBK", 936, sets=SETS), "a.sav")
    assert [(one["name"], one["label"], one["columns"], one["counted"]) for one in answer["sets"]] == [
        ("媒体", "用过哪些", ["c3", "c4"], 1),
        ("次序", "顺序", ["c3", "c4"], None),
    ]
    assert answer["table"].meta.columns[0].missing.values == [9]


def test_accents_of_western_europe_are_no_chinese(read: Import) -> None:
    variables = [Variable("prénom", width=16, label="Prénom de l'élève"), Variable("âge")]
    table = read(hand_made(variables, [["José", 3], ["Málaga", 4], ["Zoë", 5]], "cp1252", "", 1252), "a.sav")["table"]
    assert [column.name for column in table.meta.columns] == ["prénom", "âge"]
    assert table.text("c1").tolist() == ["José", "Málaga", "Zoë"]


def test_a_missing_code_of_one_letter_stays_a_letter(read: Import) -> None:
    """ "X" of a text is no special missing value of Stata or SAS."""
    table = read(hand_made([Variable("级", width=8, missing=["X"])], [["A"], ["X"]], declared="UTF-8"), "a.sav")[
        "table"
    ]
    assert table.meta.columns[0].missing.values == ["X"] and table.meta.columns[0].profile.missing == 1


@pytest.mark.parametrize("cut", [180, 300, 420, 500])
def test_sets_in_a_file_that_is_cut_off_are_no_crash(read: Import, cut: int) -> None:
    with pytest.raises(DataRefusal) as caught:
        read(hand_made(VARIABLES, ROWS, "gbk", "GBK", 936, sets=SETS)[:cut], "a.sav")
    assert caught.value.code == "sav.damaged"


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_weight_and_documents_are_told(read: Import, order: str) -> None:
    """The text takes three slots, so the weight in slot 6 is the fourth variable."""
    notes = ("2024 年调查", "第二行")
    answer = read(hand_made(VARIABLES, ROWS, declared="UTF-8", order=order, weight=6, documents=notes), "a.sav")
    said = {warning["code"]: warning for warning in answer["report"]["warnings"]}
    assert said["sav.weight"]["facts"] == {"name": "抖音"}
    assert "2 行文档说明（“2024 年调查”）" in said["sav.documents"]["text"]
    quiet = read(hand_made(VARIABLES, ROWS, declared="UTF-8", order=order), "a.sav")["report"]["warnings"]
    assert not [warning for warning in quiet if warning["code"].startswith("sav.")]
