"""SPSS portable files: Chinese text in its encodings, user-missing values, numbers as another reader has them."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from hengxi.data import previewing
from hengxi.data.meta import Range
from hengxi.data.refusal import DataRefusal
from hengxi.data.statfile import portable
from hengxi.data.statfile.portable import BrokenPortableError, Portable
from tests.data.conftest import Import, leftovers

GOLDEN = Path(__file__).parent / "golden"
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRST"


def whole(n: int) -> bytes:
    text = ""
    while n or not text:
        n, rest = divmod(n, 30)
        text = DIGITS[rest] + text
    return text.encode() + b"/"


def word(text: str, codec: str) -> bytes:
    raw = text.encode(codec)
    return whole(len(raw)) + raw


def made(path: Path, codec: str, body: bytes | None = None, end: bytes = b"\r\n", tail: bytes = b"") -> Path:
    """SEX (男/女, label 性别) and CITY (up to 20 bytes) in three rows; `body` instead of everything after the date."""
    letters = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz .<(+|&[]!$*);^-/"
    table = (b"0" * 64 + letters).ljust(256, b"0")
    head = b"ASCII SPSS PORT FILE".ljust(40) * 5 + table + b"SPSSPORT" + b"A8/202401016/101010"
    forms = b"5/8/2/" * 2
    if body is None:
        body = b"42/70/" + word("SEX", codec) + forms + b"C" + word("性别", codec)
        body += b"7K/" + word("CITY", codec) + b"1/K/0/" * 2 + b"C" + word("所在城市", codec)
        body += b"D1/" + word("SEX", codec) + b"2/1/" + word("男", codec) + b"2/" + word("女", codec)
        body += b"F1/" + word("北京", codec) + b"2/" + word("上海", codec) + b"*." + word("广州、深圳", codec)
    raw = head + body + tail
    raw += b"Z" * (-len(raw) % 80 or 80)
    path.write_bytes(b"".join(raw[i : i + 80] + end for i in range(0, len(raw), 80)))
    return path


@pytest.mark.parametrize(("codec", "name"), [("utf-8", "UTF-8"), ("gb18030", "GB18030"), ("big5", "Big5")])
@pytest.mark.parametrize("end", [b"\r\n", b"\n", b""])
def test_chinese_text_in_every_encoding(read: Import, tmp_path: Path, codec: str, name: str, end: bytes) -> None:
    # 广 and 别 are none of the letters of Big5.
    path = made(tmp_path / "a.por", codec, body=traditional(codec) if codec == "big5" else None, end=end)
    answer = read(path, path.name)
    assert answer["report"]["settings"] == {"encoding": name} and answer["report"]["warnings"] == []
    sex, city = answer["table"].meta.columns
    assert (sex.label, sex.measure) == ("性別" if codec == "big5" else "性别", "定类")
    assert [(level.value, level.label, level.count) for level in sex.levels] == [(1, "男", 1), (2, "女", 1)]
    assert answer["table"].text(city.id).tolist() == ["臺北", "上海", None] if codec == "big5" else [
        "北京", "上海", "广州、深圳",
    ]  # fmt: skip


def traditional(codec: str) -> bytes:
    forms = b"5/8/2/" * 2
    body = b"42/70/" + word("SEX", codec) + forms + b"C" + word("性別", codec)
    body += b"7K/" + word("CITY", codec) + b"1/K/0/" * 2
    body += b"D1/" + word("SEX", codec) + b"2/1/" + word("男", codec) + b"2/" + word("女", codec)
    return body + b"F1/" + word("臺北", codec) + b"2/" + word("上海", codec) + b"*." + word("", codec)


def test_the_encoding_can_be_changed(read: Import, tmp_path: Path) -> None:
    path = made(tmp_path / "a.por", "gb18030")
    seen = previewing.preview(path, path.name)
    assert (seen["total_rows"], seen["settings"]) == (3, {"encoding": "GB18030"})
    assert {"UTF-8", "Big5"} < set(seen["candidates"]["encoding"])
    other = read(path, path.name, settings={"encoding": "UTF-8"})["report"]
    assert other["settings"] == {"encoding": "UTF-8"}
    assert [warning["facts"]["names"] for warning in other["warnings"]] == [["SEX", "CITY"]]


@pytest.mark.parametrize("name", ["from_pspp", "from_pspp_gbk"])
def test_a_file_of_pspp(read: Import, name: str) -> None:
    """golden/from_pspp_por.sps says what is in it. In the locale of GBK the cells are GBK, the labels UTF-8."""
    path = GOLDEN / f"{name}.por"
    table = read(path, path.name)["table"]
    sex, city, income, day, _, code, score = table.meta.columns
    assert [(level.value, level.label) for level in sex.levels] == [(1, "男"), (2, "女")]
    assert (sex.label, sex.missing.values, sex.missing_labels[0].label) == ("您的性别", [9], "拒答")
    last = "𠮷" if name == "from_pspp" else "村"
    assert table.text(city.id).tolist() == [f"北京市海淀区{last}", "上海", None, "广州，天河"]
    assert income.label == "月收入（千元）"
    assert (income.missing.values, income.missing.ranges) == ([99], [Range(low=-1_000_000.0, high=-1.0)])
    assert np.isnan(table.numeric(income.id)).tolist() == [False, True, True, True]
    assert table.missing_kinds(income.id)[0].tolist()[2] == 0 or table.text(income.id)[2] is None
    assert table.text(day.id).tolist() == ["2024-01-01", "2024-02-29", None, "1999-12-31"]
    assert [(level.value, level.label) for level in code.levels] == [("a", "甲"), ("b", "b")]
    assert code.missing.values == ["99"]
    frame, _ = pyreadstat.read_por(str(path))
    assert table.numeric(score.id).tolist() == frame["SCORE"].tolist()


def test_numbers_are_those_of_another_reader(read: Import, tmp_path: Path) -> None:
    chance = np.random.default_rng(3)
    size = chance.uniform(-12, 12, 600)
    frame = pd.DataFrame({"X": np.round(chance.normal(size=600), 4) * 10**size, "N": chance.integers(-9, 9, 600) * 1.0})
    frame.loc[5, "X"] = np.nan
    path = tmp_path / "a.por"
    pyreadstat.write_por(frame, str(path))
    table = read(path, path.name)["table"]
    other, _ = pyreadstat.read_por(str(path))
    for place, name in enumerate(frame, 1):
        np.testing.assert_array_equal(table.numeric(f"c{place}"), other[name].to_numpy())


def test_rows_come_in_chunks_of_any_size(tmp_path: Path) -> None:
    frame = pd.DataFrame({"N": np.arange(500.0), "T": [f"第{i}行" for i in range(500)]})
    path = tmp_path / "a.por"
    pyreadstat.write_por(frame.assign(T="x"), str(path))
    reader = Portable(path)
    rows = []
    for offset in range(0, 600, 70):
        rows += reader.read(path, row_offset=offset, row_limit=70, encoding="UTF-8")[0]["N"].to_list()
    assert rows == frame["N"].tolist()
    again = reader.read(path, row_offset=100, row_limit=2, encoding="UTF-8")[0]
    assert again["N"].to_list() == [100.0, 101.0]


def test_blanks_that_an_editor_cut_away_are_put_back(read: Import, tmp_path: Path) -> None:
    body = b"41/7K/" + word("T", "ascii") + b"1/K/0/" * 2 + b"F"
    cells = [b"K/" + f"row {i}".encode().ljust(20) for i in range(40)]
    path = made(tmp_path / "a.por", "ascii", body=body + b"".join(cells))
    path.write_bytes(b"\n".join(line.rstrip() for line in path.read_bytes().split(b"\r\n")))
    assert read(path, path.name)["table"].text("c1").tolist() == [f"row {i}" for i in range(40)]


NUMERIC = b"41/70/1/X5/8/2/5/8/2/F"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (NUMERIC + b"1" * 100_000, "a number without an end"),
        (NUMERIC + b"1+TTT/", "beyond any number"),
        (NUMERIC + b"1/" + b" " * 200_000, "blanks without an end"),
        (NUMERIC + b"1/?", "no number"),
        (b"42/70/1/X5/8/2/5/8/2/F1/", "fewer variables than promised"),
        (b"41/7K/1/T1/K/0/1/K/0/FTTT/abc", "a text longer than the file"),
        (b"4TTTTTT/70/1/X5/8/2/5/8/2/F1/", "a count beyond all bounds"),
        (b"41/70/1/X5/8/2/5/8/2/DTTTT/1/X", "labels of more variables than there are"),
        (b"41/70/1/X5/8/2/5/8/2/D1/1/XTTTTT/1/1/a", "more labels than allowed"),
        (b"41/70/1/X5/8/2/5/8/2/D1/1/Y1/1/1/aF1/", "labels of an unknown variable"),
        (b"C1/aF", "a label of nothing"),
        (b"81/F", "a missing value of nothing"),
        (b"Q1/", "an unknown record"),
        (b"", "nothing"),
    ],
)
def test_hostile(read: Import, tmp_path: Path, home: Path, body: bytes, why: str) -> None:
    path = made(tmp_path / "a.por", "ascii", body=body)
    with pytest.raises(DataRefusal) as caught:
        read(path, path.name)
    assert caught.value.code == "por.damaged", why
    assert leftovers(home) == []


def test_cut_off_anywhere(read: Import, tmp_path: Path) -> None:
    raw = made(tmp_path / "a.por", "gb18030").read_bytes()
    for end in range(480, raw.rindex(b"Z", 0, len(raw) - 90), 7):
        path = tmp_path / "cut.por"
        path.write_bytes(raw[:end])
        with pytest.raises(DataRefusal) as caught:
            read(path, path.name)
        assert caught.value.code in ("por.damaged", "file.type"), end


def test_any_changed_bytes_are_read_or_refused(tmp_path: Path) -> None:
    raw, path, chance = made(tmp_path / "a.por", "gb18030").read_bytes(), tmp_path / "b.por", random.Random(5)
    ends = {"read": 0, "refused": 0}
    for place in range(200, len(raw), 2):
        path.write_bytes(raw[:place] + bytes([chance.randrange(256)]) + raw[place + 1 :])
        try:
            Portable(path).read(path, row_offset=0, row_limit=10, encoding="GB18030")
            ends["read"] += 1
        except BrokenPortableError:
            ends["refused"] += 1
    assert min(ends.values()) > 20


def test_a_file_without_line_ends_is_read_piece_by_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portable, "_PIECE", 4096)
    monkeypatch.setattr(portable, "_WINDOW", 256)
    rows = b"".join(whole(i) for i in range(20_000))
    path = made(tmp_path / "a.por", "ascii", body=NUMERIC + rows, end=b"")
    reader = Portable(path)
    frame, _ = reader.read(path, row_offset=0, row_limit=15_000, encoding="UTF-8")
    assert frame["X"].to_list() == list(range(15_000))
    assert len(reader.source.buffer) < 20_000


def test_an_open_range_without_its_beginning_is_told(read: Import, tmp_path: Path) -> None:
    """PSPP writes the largest number, rounded up, where 90 belongs in 90 THRU HIGHEST."""
    body = b"41/70/1/X5/8/2/5/8/2/AA9E17IR6IG+6J/F1/30/"
    answer = read(made(tmp_path / "a.por", "ascii", body=body), "a.por")
    assert not answer["table"].meta.columns[0].missing
    assert [(said["code"], said["facts"]["names"]) for said in answer["report"]["warnings"]] == [("por.ranges", ["X"])]
