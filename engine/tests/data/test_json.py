"""JSON in the shapes people have, and texts that are none."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from hengxi.data import previewing
from hengxi.data.formats import json as format_json
from hengxi.data.refusal import DataRefusal
from tests.data.conftest import Import, leftovers

FRAME = pd.DataFrame({"姓名": ["张三", "李四", None], "年龄": [18, 20, 30], "分数": [1.5, None, 3.25]})


def refused(read: Import, content: bytes | str, name: str = "a.json") -> DataRefusal:
    with pytest.raises(DataRefusal) as caught:
        read(content, name)
    return caught.value


@pytest.mark.parametrize("orient", ["records", "columns", "split", "lines"])
def test_shapes_of_pandas(read: Import, orient: str) -> None:
    lines = orient == "lines"
    text = FRAME.to_json(orient="records" if lines else orient, lines=lines, force_ascii=False)
    answer = read("\ufeff" + text, "a.jsonl" if lines else "a.json")
    assert answer["report"]["kind"] == "json" and answer["rows"] == 3
    table = answer["table"]
    assert [(c.name, c.storage) for c in table.meta.columns] == [("姓名", "text"), ("年龄", "int"), ("分数", "float")]
    assert table.text("c1").tolist() == ["张三", "李四", None]
    assert table.text("c3").tolist() == ["1.5", None, "3.25"]


def test_columns_of_lists_rows_below_names_and_an_envelope(read: Import) -> None:
    for text in ('{"a": [1, 2], "b": ["x", "y"]}', '[["a", "b"], [1, "x"], [2, "y"]]',
                 '{"code": 0, "data": [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]}'):  # fmt: skip
        table = read(text, "a.json")["table"]
        assert [c.name for c in table.meta.columns] == ["a", "b"] and table.numeric("c1").tolist() == [1, 2]


def test_a_first_row_of_numbers_is_data_and_equal_names_lose_nothing(read: Import) -> None:
    table = read("[[1, 2], [3, 4.5]]", "a.json")["table"]
    assert [c.name for c in table.meta.columns] == ["列1", "列2"] and table.numeric("c2").tolist() == [2, 4.5]
    for text in ('[["a", "a"], [1, 2]]', '{"columns": ["a", "a"], "data": [[1, 2]]}'):
        answer = read(text, "a.json")
        assert [c.name for c in answer["table"].meta.columns] == ["a", "a_2"]
        assert [said["code"] for said in answer["report"]["warnings"]] == ["names.doubled"]


def test_late_keys_nested_values_and_long_numbers(read: Import) -> None:
    text = '[{"a": 1}, {"a": 2, "b": {"c": [1]}, "id": 12345678901234567890}, {"b": null, "t": true}]'
    answer = read(text, "a.json")
    table = answer["table"]
    assert [c.name for c in table.meta.columns] == ["a", "b", "id", "t"]
    assert table.text("c2").tolist() == [None, '{"c":[1]}', None]
    assert table.text("c3").tolist() == [None, "12345678901234567890", None]
    assert [w["code"] for w in answer["report"]["warnings"]] == ["json.nested"]


def test_doubtful_numbers_wait(read: Import) -> None:
    text = '[{"x": "1,234.5"}, {"x": 2}, {"x": 3}]'
    assert read(text, "a.json")["state"] == "asking"
    assert read(text, "a.json", answers={"c1": "thousands"})["table"].numeric("c1").tolist() == [1234.5, 2, 3]


@pytest.mark.parametrize(
    "text", ['[{"a": 1}, {"a": ', '[{"a": 1}] x', '{"a": [1, 2', '[{"a": 1}, 3]', '{"a":1}\n{"a":']
)
def test_broken(read: Import, home: Path, text: str) -> None:
    assert refused(read, text).code in ("json.syntax", "json.shape")
    assert leftovers(home) == []


def test_chinese_that_is_not_utf8_is_read_and_told(read: Import) -> None:
    answer = read('[{"姓名": "张三"}, {"姓名": "李四"}]'.encode("gb18030"), "a.json")
    assert answer["table"].text("c1").tolist() == ["张三", "李四"]
    assert [warning["code"] for warning in answer["report"]["warnings"]] == ["json.encoding"]
    assert refused(read, b'[{"a": "\xff\xfe\xff"}]').code == "json.syntax"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '[{"a": NaN, "s": "NaN, -Infinity"}, {"a": -Infinity, "s": "x\\"NaN"}, {"a": 2, "s": "y"}]'),
        ("a.jsonl", '{"a": NaN, "s": "NaN, -Infinity"}\n{"a": Infinity, "s": "x\\"NaN"}\n{"a": 2, "s": "y"}\n'),
    ],
)
def test_what_python_writes_for_no_number_is_missing(read: Import, name: str, text: str) -> None:
    answer = read(text, name)
    assert answer["table"].numeric("c1").tolist() == pytest.approx([float("nan"), float("nan"), 2], nan_ok=True)
    assert answer["table"].text("c2").tolist() == ["NaN, -Infinity", 'x"NaN', "y"], "in a text it is a word"
    assert [warning["facts"] for warning in answer["report"]["warnings"]] == [{"count": 2}]


def test_a_broken_line_is_named(read: Import) -> None:
    with pytest.raises(DataRefusal) as caught:
        read('{"a": 1}\n{"a": 2\n{"a": 3}\n', "a.jsonl")
    assert caught.value.code == "json.syntax" and "第 2 行" in caught.value.text


@pytest.mark.parametrize("depth", [80, 5_000, 2_000_000])
def test_deep_nesting(read: Import, depth: int) -> None:
    assert refused(read, '[{"a": ' + "[" * depth + "]" * depth + "}]").code in ("json.depth", "json.syntax")
    assert refused(read, "[" * depth, "b.json").code in ("json.depth", "json.syntax")


def test_no_table(read: Import) -> None:
    assert refused(read, '{"a": 1, "b": [2]}').code == "json.shape"
    assert refused(read, '{"a": [1], "b": [2, 3]}').code == "json.shape"
    assert refused(read, "[]").code == "file.empty"
    assert refused(read, "姓名,年龄\n张三,1\n").code == "file.mismatch"


def test_too_many_columns(read: Import, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(format_json, "MAX_COLUMNS", 100)
    text = "[" + ",".join(f'{{"k{i}": 1}}' for i in range(200)) + "]"
    assert refused(read, text).code == "json.size"


def test_preview(home: Path) -> None:
    path = home / "uploads" / "p"
    path.write_text('[{"a": 1, "b": "x"}, {"a": 2}]')
    seen = previewing.preview(path, "a.json")
    assert seen["rows"] == [[1, "x"], [2, None]] and seen["total_rows"] == 2


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_a_column_named_twice_in_a_record_is_said(read: Import, name: str) -> None:
    records = ['{"a": 1, "b" : 2, "a": 3}', '{"a": 5, "c": "x\\":{y"}', '{"a": 7, "b": 8}', '{"a": 1, "a": 1}']
    answer = read("\n".join(records) if name.endswith("l") else f"[{','.join(records)}]", name)
    assert answer["table"].text("c1").tolist() == ["3", "5", "7", "1"]
    said = [warning for warning in answer["report"]["warnings"] if warning["code"] == "json.repeated"]
    assert [warning["facts"] for warning in said] == [{"names": ["a"], "count": 2}]


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, 2], "b": ["x", "y"], "a": [3, 4]}',
        '{"a": {"0": 1, "1": 2}, "b": {"0": "x", "1": "y"}, "\\u0061" : {"0": 3, "1": 4}}',
    ],
)
def test_columns_that_are_named_alike_are_both_kept(read: Import, text: str) -> None:
    answer = read(text, "a.json")
    table = answer["table"]
    assert [c.name for c in table.meta.columns] == ["a", "b", "a_2"]
    assert [table.numeric(c).tolist() for c in ("c1", "c3")] == [[1, 2], [3, 4]]
    assert [said["code"] for said in answer["report"]["warnings"]] == ["names.doubled"]


@pytest.mark.parametrize(
    "text",
    [
        '{"columns": ["a"], "data": [[1]], "data": [[2]]}',
        '{"rows": [{"a": 1}], "rows": [{"a": 2}]}',
        '{"ok": 1, "ok": 12, "rows": [{"a": 1}]}',
        '{"a": {"0": 1, "0": 2}, "b": {"0": 3}}',
    ],
)
def test_what_stands_twice_and_may_be_either_is_refused(read: Import, text: str) -> None:
    assert refused(read, text).code == "json.repeated"


def test_a_first_row_with_numbers_in_it_is_no_row_of_names(read: Import) -> None:
    table = read('[["甲", 1.5, "x"], ["乙", 2, null]]', "a.json")["table"]
    assert [c.name for c in table.meta.columns] == ["列1", "列2", "列3"] and table.rows == 2
    table = read('[["地区", 2020, 2021], ["甲", 1, 2]]', "a.json")["table"]
    assert [c.name for c in table.meta.columns] == ["地区", "2020", "2021"] and table.rows == 1


def test_records_by_the_number_of_their_row_are_rows(read: Import) -> None:
    answer = read(FRAME.to_json(orient="index", force_ascii=False), "a.json")
    assert answer["table"].text("c1").tolist() == ["张三", "李四", None]
    assert [said["code"] for said in answer["report"]["warnings"]] == ["json.rows"]
