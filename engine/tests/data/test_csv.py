"""Delimited text: encodings, faults of form, and the promise that no value changes silently."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hengxi.data import previewing
from hengxi.data.pages import page
from hengxi.data.refusal import Cancelled, DataRefusal
from hengxi.data.table import Table
from tests.data.conftest import Import, leftovers

ROWS = "编号,性别,年龄,日期\n001,男,18,2024-01-02\n002,女,NA,2024/1/3\n003,男,20,\n"


def refusal(read: Import, content: bytes | str, name: str = "数据.csv", **options: Any) -> DataRefusal:
    with pytest.raises(DataRefusal) as caught:
        read(content, name, **options)
    return caught.value


def shown(answer: dict[str, Any]) -> dict[str, list[Any]]:
    table = answer["table"]
    return {column.name: table.text(column.id).tolist() for column in table.meta.columns}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings_are_recognised(read: Import, encoding: str) -> None:
    answer = read(ROWS.encode(encoding))
    assert shown(answer) == {
        "编号": ["001", "002", "003"],
        "性别": ["男", "女", "男"],
        "年龄": ["18", None, "20"],
        "日期": ["2024-01-02", "2024-01-03", None],
    }
    assert [c.measure for c in answer["table"].meta.columns] == ["定类", "定类", "定量", "时间"]


def test_big5_is_told_from_gb18030(read: Import) -> None:
    text = "姓名,城市,備註\n" + "陳小明,臺北市,這是一個測試的說明文字\n林美麗,高雄市,資料分析與統計方法\n" * 20
    answer = read(text.encode("big5"))
    assert answer["report"]["settings"]["encoding"] == "Big5"
    assert shown(answer)["姓名"][0] == "陳小明"


def test_rare_characters_survive(read: Import) -> None:
    name = "𠮷㐂龘" + "长" * 200 + '"x'
    answer = read(f'"{name.replace(chr(34), chr(34) * 2)}",b\n𠮷野家,1\n', on_doubt="text")
    assert answer["table"].meta.columns[0].name == name
    assert shown(answer)[name] == ["𠮷野家"]


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends(read: Import, end: str) -> None:
    assert shown(read(ROWS.replace("\n", end).encode()))["年龄"] == ["18", None, "20"]


def test_no_final_line_end(read: Import) -> None:
    assert shown(read("a,b\n1,2\n3,4"))["b"] == ["2", "4"]


@pytest.mark.parametrize("sign", [",", "\t", ";", "|"])
def test_separators(read: Import, sign: str) -> None:
    answer = read(f"a{sign}b\nx{sign}1\ny{sign}2\n", "数据.txt")
    assert shown(answer) == {"a": ["x", "y"], "b": ["1", "2"]}


def test_header_is_found_below_a_title_and_missed_where_there_is_none(read: Import) -> None:
    assert shown(read("某某调查\n\na,b\n1,2\n3,4\n"))["b"] == ["2", "4"]
    assert shown(read("1,2\n3,4\n")) == {"列1": ["1", "3"], "列2": ["2", "4"]}


def test_leading_zeros_anywhere_keep_a_column_text(read: Import) -> None:
    answer = read("a,b\n" + "1,x\n" * 60_000 + "007,y\n")
    column = answer["table"].meta.columns[0]
    assert column.storage == "text" and "0 开头" in column.why
    assert answer["table"].text("c1")[-1] == "007"


def test_long_codes_stay_text(read: Import) -> None:
    code = "110101199001011234"
    answer = read("身份证号\n" + "\n".join(str(int(code) + i) for i in range(30)) + "\n")
    assert answer["table"].text("c1")[0] == code
    assert "标识" in answer["table"].meta.columns[0].flags


def test_missing_tokens_are_counted_and_their_text_kept(read: Import) -> None:
    answer = read("a,b\n1,x\nNA,y\n-,z\n缺失,x\n,y\n5,-\n")
    table, note = answer["table"], answer["report"]["columns"][0]
    assert np.isnan(table.numeric("c1")).tolist() == [False, True, True, True, True, False]
    assert note["tokens"] == {"NA": 1, "-": 1, "缺失": 1} and note["missing"] == 4
    assert table.raw("c1").to_pylist() == [None, "NA", "-", "缺失", None, None]
    assert table.text("c2").tolist()[-1] == "-", "in a text column only the empty cell is missing"


@pytest.mark.parametrize(
    ("cells", "key", "values"),
    [
        (["1,234.5", "3"], "thousands", [1234.5, 3]),
        (["1.234,5", "3"], "comma_decimal", [1234.5, 3]),
        (["12%", "5"], "percent", [0.12, 5]),
        (["3万", "5"], "wan", [30_000, 5]),
        (["３４", "5"], "fullwidth", [34, 5]),
        (["￥12.5", "5"], "currency", [12.5, 5]),
        (["1,234", "5%"], "thousands+percent", [1234, 0.05]),
    ],
)
def test_what_could_change_a_magnitude_waits(read: Import, cells: list[str], key: str, values: list[float]) -> None:
    content = "a;b\n" + "".join(f"{cell};x\n" for cell in cells)
    asked = read(content)
    assert asked["state"] == "asking"
    (question,) = asked["questions"]
    assert question["column"] == "c1" and key in [choice["key"] for choice in question["choices"]]
    chosen = read(content, answers={question["id"]: key})["table"]
    assert chosen.numeric("c1").tolist() == pytest.approx(values)
    assert chosen.raw("c1").to_pylist()[0] == cells[0], "the original text is kept"
    kept = read(content, on_doubt="text")["table"]
    assert kept.text("c1").tolist() == cells


def test_a_doubtful_comma_offers_both_readings(read: Import) -> None:
    (question,) = read("a;b\n1,234;x\n2,5;y\n")["questions"]
    assert [choice["key"] for choice in question["choices"]] == ["comma_decimal", "thousands", "text"]
    assert question["choices"][0]["preview"][0] == {"before": "1,234", "after": 1.234}
    titles = [choice["title"] for choice in question["choices"][:2]]
    assert titles == ["逗号是小数点", "逗号是千位分隔符；其余 1 个不是数字的单元格作缺失（原文保留）"], (
        "each says what it loses"
    )


@pytest.mark.slow
def test_odd_cells_late_in_a_long_column_are_asked_with_their_row(read: Import) -> None:
    content = "a,b\n" + "1,x\n" * 60_000 + "2x,y\n"
    (question,) = read(content)["questions"]
    assert question["samples"] == [{"row": 60_001, "value": "2x"}]
    table = read(content, answers={"c1": "missing"})["table"]
    assert np.isnan(table.numeric("c1")[-1]) and table.raw("c1")[-1].as_py() == "2x"


def test_infinity_and_hex_are_no_numbers(read: Import) -> None:
    (question,) = read("a,b\n1,x\ninf,x\n1e400,x\n2,x\n3,x\n")["questions"]
    assert question["count"] == 2


def test_ragged_rows_are_named_and_can_be_skipped_or_padded(read: Import, home: Path) -> None:
    content = ROWS + "1,2\n3,4,5,6,7\n"
    error = refusal(read, content)
    assert error.code == "csv.ragged" and "第 5 行有 2 个字段，表头有 4 个" in error.text
    assert [choice["set"]["on_bad_row"] for choice in error.choices] == ["extra", "repair", "pad", "skip"]
    assert leftovers(home) == []
    skipped = read(content, settings={"on_bad_row": "skip"})
    assert skipped["rows"] == 3 and "第 5、6 行" in skipped["report"]["warnings"][0]["text"]
    padded = read(content, settings={"on_bad_row": "pad"})
    assert padded["rows"] == 4 and shown(padded)["年龄"][-1] is None


def test_repair_joins_a_row_broken_inside_a_cell(read: Import) -> None:
    answer = read("a,b,c\n1,上\n下,3\n4,5,6\n", settings={"on_bad_row": "repair"})
    assert shown(answer)["b"] == ["上\n下", "5"]


@pytest.mark.parametrize("line", ['5" x,男,3,', '"abc,男,3,', '"abc"d,男,3,'])
def test_stray_quotes_are_read_literally_and_said(read: Import, line: str) -> None:
    answer = read(ROWS + line + "\n004,女,5,\n")
    assert shown(answer)["编号"][3:] == [line.split(",")[0], "004"]
    said = answer["report"]["warnings"][0]
    assert (said["code"], said["facts"]["lines"]) == ("rows.literal", [5])
    assert "第 5 行" in said["text"]


def test_quotes_with_line_breaks_and_doubled_quotes(read: Import) -> None:
    answer = read('a,b\n"x\ny",1\n"say ""hi""",2\n"",3\n')
    assert shown(answer)["a"] == ["x\ny", 'say "hi"', None]


def test_blank_lines_and_trailing_separators(read: Import) -> None:
    assert read(ROWS + "\n\n")["rows"] == 3
    inner = read(ROWS.replace("002", "\n002"))
    assert inner["rows"] == 3 and inner["report"]["warnings"][0]["code"] == "rows.blank"
    assert shown(read("a,b\n1,2,\n3,4,\n")) == {"a": ["1", "3"], "b": ["2", "4"]}


def test_a_blank_line_in_a_single_column_is_a_missing_cell(read: Import) -> None:
    assert shown(read("x\n1\n\n3\n"))["x"] == ["1", None, "3"]


def test_nul_bytes(read: Import) -> None:
    assert "第 2 行含有空字节" in refusal(read, "a,b\n1,2\0\n3,4\n").text
    error = refusal(read, ROWS + "\0x,男,3,\n")
    assert error.code == "csv.nul" and error.facts["line"] == 5
    assert shown(read(ROWS + "\0x,男,3,\n", settings=error.choices[0]["set"]))["编号"][-1] == "x"


def test_bad_bytes_name_their_line(read: Import) -> None:
    error = refusal(read, b"a,b\n" + b"1,x\n" * 3 + b"2,\xff\xfe\xff\n", settings={"encoding": "UTF-8"})
    assert error.code == "csv.encoding" and error.facts["line"] == 5


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "file.empty"),
        (b"\n\n", "file.empty"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "file.type"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "file.type"),
        (b"%PDF-1.7\n", "file.type"),
        (bytes(range(256)) * 20, "file.type"),
    ],
)
def test_what_is_no_table_is_refused(read: Import, home: Path, content: bytes, code: str) -> None:
    assert refusal(read, content).code == code
    assert leftovers(home) == []


def test_a_name_that_looks_like_a_picture_is_none(read: Import) -> None:
    assert shown(read("BMI,年龄\n20.5,18\n"))["BMI"] == ["20.5"]


def test_what_a_killed_import_left_is_swept(read: Import, home: Path) -> None:
    work = home / "tables" / ".work-dead"
    work.mkdir(parents=True)
    (work / ".lock").touch()
    os.utime(work, (0, 0))
    alive = home / "tables" / ".work-alive"
    alive.mkdir()
    with (alive / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        os.utime(alive, (0, 0))
        key = read(ROWS)["key"]
        assert leftovers(home) == [".work-alive", key]


def test_a_full_disk_is_said(read: Import, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("hengxi.data.finish.write_data", full)
    assert refusal(read, ROWS).code == "disk.full"
    assert leftovers(home) == []


def test_header_only_and_all_missing(read: Import) -> None:
    assert read("a,b,c")["rows"] == 0
    empty = read("a,b,c\n")
    assert empty["rows"] == 0 and empty["report"]["warnings"][0]["code"] == "rows.none"
    assert empty["table"].numeric("c1").tolist() == []
    gone = read("a,b\n,1\n,2\n")
    assert gone["table"].meta.columns[0].profile.n == 0


def test_names_blank_and_doubled(read: Import) -> None:
    answer = read("a,a,,a\n1,2,3,4\n")
    assert [c.name for c in answer["table"].meta.columns] == ["a", "a_2", "列3", "a_3"]
    assert [w["code"] for w in answer["report"]["warnings"]] == ["names.blank", "names.doubled"]


@pytest.mark.slow
def test_three_thousand_columns(read: Import) -> None:
    header = ",".join(f"题{i}" for i in range(3000))
    line = ",".join(str(i % 7) for i in range(3000))
    answer = read(f"{header}\n" + f"{line}\n" * 5)
    assert len(answer["columns"]) == 3000
    assert answer["table"].numeric("c2999").tolist() == [2998 % 7] * 5


def test_too_many_columns(read: Import) -> None:
    assert refusal(read, ",".join("a" * 20_001) + "\n").code == "csv.columns"


def test_numbers_are_exact(read: Import) -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=2000) * 10.0 ** rng.integers(-20, 20, 2000)
    table = read("x,y\n" + "".join(f"{v!r},1\n" for v in values.tolist()))["table"]
    assert np.array_equal(table.numeric("c1"), values)


def test_cancel_leaves_nothing(read: Import, home: Path) -> None:
    with pytest.raises(Cancelled):
        read(ROWS, progress=lambda done, of, text: done < 50)
    assert leftovers(home) == []


def test_preview_follows_the_settings_and_a_partial_file(home: Path) -> None:
    path = home / "uploads" / "part"
    path.write_bytes(ROWS.encode("gb18030") + "004,女,2".encode("gb18030"))
    seen = previewing.preview(path, "a.csv", {}, partial=True)
    assert seen["settings"]["encoding"] == "GB18030" and seen["rows"][0] == ["001", "男", "18", "2024-01-02"]
    assert seen["total_rows"] is None and len(seen["rows"]) == 3
    wrong = previewing.preview(path, "a.csv", {"encoding": "UTF-8"})
    assert wrong["candidates"]["garbled"]["suspicious"]
    assert [line["encoding"] for line in wrong["candidates"]["garbled"]["lines"]] == ["UTF-8", "GB18030", "Big5"]
    assert wrong["candidates"]["garbled"]["lines"][1]["text"] == "编号,性别,年龄,日期"
    shifted = previewing.preview(path, "a.csv", {"header_row": 2})
    assert [c["name"] for c in shifted["columns"]] == ["001", "男", "18", "2024-01-02"]


def test_two_lines_of_header(read: Import) -> None:
    text = "1、性别,2、用过哪些,,3、年龄\n,微信,微博,\n男,1,0,20\n女,0,1,30\n女,1,1,31\n"
    answer = read(text, on_doubt="text")
    assert list(shown(answer)) == ["1、性别", "2、用过哪些(微信)", "2、用过哪些(微博)", "3、年龄"]
    assert answer["rows"] == 3 and shown(answer)["3、年龄"] == ["20", "30", "31"]
    coded = read("Q1,Q2\n您的年龄,您的收入\n20,1.5\n30,2.5\n40,3\n")["table"]
    assert [(c.name, c.label) for c in coded.meta.columns] == [("Q1", "您的年龄"), ("Q2", "您的收入")]
    assert read(text, settings={"header_rows": 1}, on_doubt="text")["rows"] == 4


def test_a_first_row_of_words_is_no_second_header(read: Import) -> None:
    for text in ("a,b,c\nx,y,z\n1,2,3\n4,5,6\n", "姓名,分数,年龄\n张三,缺考,NA\n李四,3,20\n王五,5,30\n赵六,5,30\n"):
        assert read(text, on_doubt="text")["report"]["settings"]["header_rows"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "a:b:c\n1:2:3\n4:5:6\n",
        "a^b^c\n1^2^3\n4^5^6\n",
        "a  b   c\n 1 2    3\n4  5  6  \n",
        "a b c\r\n1 2 3\r\n4 5 6\r\n",
    ],
)
def test_rare_separators(read: Import, text: str) -> None:
    assert shown(read(text, "数据.txt")) == {"a": ["1", "4"], "b": ["2", "5"], "c": ["3", "6"]}


def test_spaces_inside_a_single_column_do_not_separate(read: Import) -> None:
    lines = "".join(f"2024-01-{day:02d} 10:00:00\n" for day in range(1, 29))
    assert list(shown(read("时间\n" + lines, "数据.txt"))) == ["时间"]
    assert refusal(read, "a，b\n", settings={"delimiter": "，"}).code == "csv.settings"


# -- dates with the year last ------------------------------------------------------------------------------------------
def dates(found: dict[str, Any], column: str = "c1") -> list[Any]:
    return [None if x != x else str(np.datetime64(int(x), "D")) for x in found["table"].numeric(column)]


def test_dates_that_read_two_ways_wait_for_a_click(read: Import) -> None:
    text = "日期\n03/04/2024\n1/2/2024\n12/11/2023\n"
    asked = read(text, on_doubt="ask")
    assert asked["state"] == "asking"
    (question,) = asked["questions"]
    assert question["kind"] == "order" and question["count"] == 3
    assert [(c["key"], c["title"], c["preview"][0]["after"]) for c in question["choices"]] == [
        ("mdy", "月/日/年", "2024-03-04"),
        ("dmy", "日/月/年", "2024-04-03"),
        ("text", "保留为文本，不换算", "03/04/2024"),
    ]
    assert dates(read(text, answers={"c1": "dmy"})) == ["2024-04-03", "2024-02-01", "2023-11-12"]
    set_for_file = read(text, settings={"date_order": "mdy"})
    assert dates(set_for_file) == ["2024-03-04", "2024-01-02", "2023-12-11"]
    assert "所选" in set_for_file["table"].column("c1").why
    assert read(text, on_doubt="text")["table"].column("c1").storage == "text"


def test_dates_that_read_one_way_only_are_not_asked_about(read: Import) -> None:
    found = read("日期,时刻\n03/04/2024,25.12.2023 08:30\n31/12/2023,01.02.2024 09:00:05\n", on_doubt="ask")
    assert dates(found) == ["2024-04-03", "2023-12-31"]
    assert found["table"].column("c2").storage == "datetime" and "日/月/年" in found["table"].column("c1").why
    mixed = read("日期\n2024-01-31\n02/28/2024\n12/25/2023\n没有\n", answers={"c1": "mdy"})
    assert dates(mixed) == ["2024-01-31", "2024-02-28", "2023-12-25", None]


def test_the_order_of_dates_is_offered_where_such_dates_are(read: Import, home: Path) -> None:
    (home / "uploads" / "d.csv").write_text("a,b\n1,03/04/2024\n")
    shown = previewing.preview(home / "uploads" / "d.csv", "d.csv", {})
    assert shown["candidates"]["date_order"] == ["", "mdy", "dmy"] and shown["columns"][1]["measure"] == "时间"
    (home / "uploads" / "d.csv").write_text("a,b\n1,2024-03-04\n")
    assert "date_order" not in previewing.preview(home / "uploads" / "d.csv", "d.csv", {})["candidates"]
    with pytest.raises(DataRefusal, match="月/日/年"):
        read("a\n1\n", settings={"date_order": "ydm"})


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030"])
def test_a_range_is_cut_out_as_from_a_sheet(read: Import, home: Path, encoding: str) -> None:
    text = '某校调查,,,\n编号,姓名,年龄,备注\n1,"甲,\n乙",20,x\n2,丙,31,y\n3,丁,x,z\n合计,,51,\n'
    for chosen, names, ages in (
        ("B2:C4", ["姓名", "年龄"], [20, 31]),
        ("B2:C5", ["姓名", "年龄"], ["20", "31", "x"]),
        ("c2:d4", ["年龄", "备注"], [20, 31]),
        ("A2:D", ["编号", "姓名", "年龄", "备注"], ["20", "31", "x", "51"]),
    ):
        answer = read(text.encode(encoding), settings={"range": chosen}, on_doubt="text")
        table: Table = answer["table"]
        assert [column.name for column in table.meta.columns] == names
        at = names.index("年龄")
        assert [row[at] for row in page(table, 0, 9)["rows"]] == ages
        assert answer["report"]["settings"]["range"] == chosen.upper()
    (home / "uploads").mkdir(exist_ok=True)
    (home / "uploads" / "r.csv").write_bytes(text.encode(encoding))
    seen = previewing.preview(home / "uploads" / "r.csv", "r.csv", {"range": "B2:C4"})
    assert seen["rows"] == [["甲,\n乙", "20"], ["丙", "31"]] and seen["candidates"]["range"] == ["", "B2:C4"]
    assert refusal(read, text, settings={"range": "A50:B60"}).code == "csv.range"
    assert refusal(read, text, settings={"range": "第三行"}).code == "xlsx.range"
