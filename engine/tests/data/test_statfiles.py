"""Files of Stata, SAS and SPSS portable: labels and missing codes survive; damage is refused in words."""

from __future__ import annotations

import subprocess
import sys
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from hengxi.data import previewing
from hengxi.data.refusal import DataRefusal
from hengxi.data.special import special_code, special_letter
from tests.data.conftest import Import, leftovers
from tests.data.hand_dta import ROWS, old_stata


def stata(path: Path, **options: Any) -> Path:
    frame = pd.DataFrame(
        {
            "gender": [1.0, 2.0, 1.0, "a", None],
            "inc": [1.5, 2.25, "a", "z", 3.0],
            "city": ["北京", "上海", "", "广州", "成都"],
            "day": [date(2024, 1, i) for i in range(1, 6)],
            "at": [datetime(2024, 1, 1, 10, 5)] * 5,
            "month": [768.0, 769.0, 770.0, None, 771.0],
        }
    )
    pyreadstat.write_dta(
        frame,
        str(path),
        column_labels={"gender": "性别", "inc": "月收入"},
        variable_value_labels={"gender": {1: "男", 2: "女", "a": "拒答"}},
        missing_user_values={"gender": ["a"], "inc": ["a", "z"]},
        variable_format={"month": "%tm"},
        **options,
    )
    return path


def sas(path: Path, version: int = 5) -> Path:
    frame = pd.DataFrame({"SEX": [1.0, 2.0, np.nan], "NAME": ["张三", "李四", ""], "DAY": [23376.0, 23377.0, 23378.0]})
    pyreadstat.write_xport(
        frame, str(path), file_format_version=version, column_labels={"SEX": "性别"}, variable_format={"DAY": "DATE9."}
    )
    return path


def portable(path: Path) -> Path:
    frame = pd.DataFrame({"SEX": [1.0, 2.0, np.nan], "NAME": ["a", "b", ""], "INC": [1.5, -2.25, 1e6]})
    pyreadstat.write_por(frame, str(path), column_labels={"SEX": "gender"})
    return path


MAKE = {"dta": stata, "xpt": sas, "por": portable}


def refused(read: Import, path: Path) -> DataRefusal:
    with pytest.raises(DataRefusal) as caught:
        read(path, path.name)
    return caught.value


@pytest.mark.parametrize(
    ("labels", "ordered"),
    [(["低", "中", "高"], True), (["高", "中", "低"], True), (["中", "低", "高"], False)],
)
def test_labels_with_an_order_make_one_only_where_the_codes_follow_it(
    read: Import, tmp_path: Path, labels: list[str], ordered: bool
) -> None:
    """R numbers the levels of a factor by the alphabet: 2 is then no more than 1."""
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0]})
    path = tmp_path / "a.dta"
    pyreadstat.write_dta(frame, str(path), variable_value_labels={"x": dict(enumerate(labels, 1))})
    answer = read(path, "a.dta")
    assert answer["table"].meta.columns[0].ordered is ordered
    assert answer["report"]["columns"][0]["type"] == ("定序" if ordered else "定类")


@pytest.mark.parametrize("version", [12, 13, 14, 15])
def test_stata(read: Import, tmp_path: Path, version: int) -> None:
    answer = read(stata(tmp_path / "a.dta", version=version), "a.dta")
    assert answer["report"]["kind"] == "dta"
    table = answer["table"]
    gender, inc, _, day, at, month = table.meta.columns
    assert (gender.label, gender.measure, gender.storage) == ("性别", "定类", "int")
    assert [(v.value, v.label, v.count) for v in gender.levels] == [(1, "男", 2), (2, "女", 1)]
    a, z = special_code("a"), special_code("z")
    assert gender.missing.values == [a] and gender.missing_labels[0].label == ".a 拒答"
    assert (inc.missing.values, inc.measure) == ([a, z], "定量")
    assert np.isnan(table.numeric("c2")).tolist() == [False, False, True, True, False]
    kinds, named = table.missing_kinds("c2")
    assert kinds.tolist() == [-1, -1, 0, 1, -1] and [v.label for v in named] == [".a", ".z"]
    assert (day.storage, at.storage, month.storage) == ("date", "datetime", "date")
    assert table.text("c4")[0] == "2024-01-01" and table.text("c5")[0] == "2024-01-01 10:05:00"
    assert table.text("c6").tolist() == ["2024-01-01", "2024-02-01", "2024-03-01", None, "2024-04-01"]
    assert table.text("c3").tolist() == ["北京", "上海", None, "广州", "成都"]


def test_special_missing_codes_go_both_ways() -> None:
    letters = [*"abcdefghijklmnopqrstuvwxyz", "_"]
    assert [special_letter(special_code(letter)) for letter in letters] == letters
    assert special_letter(99) is None and special_code("A") == special_code("a")


@pytest.mark.parametrize("version", [5, 8])
def test_sas_transport(read: Import, tmp_path: Path, version: int) -> None:
    table = read(sas(tmp_path / "a.xpt", version), "a.xpt")["table"]
    assert [c.storage for c in table.meta.columns] == ["int", "text", "date"]
    assert table.meta.columns[0].label == "性别"
    assert table.text("c2").tolist() == ["张三", "李四", None]
    assert table.text("c3").tolist() == ["2024-01-01", "2024-01-02", "2024-01-03"]


def test_special_missing_values_of_sas_transport(read: Import, tmp_path: Path) -> None:
    path = sas(tmp_path / "a.xpt")
    content = path.read_bytes()
    assert content.count(b"." + bytes(7)) == 1
    path.write_bytes(content.replace(b"." + bytes(7), b"R" + bytes(7)))
    table = read(path, "a.xpt")["table"]
    column = table.meta.columns[0]
    assert column.missing.values == [special_code("R")] and column.missing_labels[0].label == ".R"
    assert np.isnan(table.numeric("c1")).tolist() == [False, False, True]
    assert previewing.preview(path, "a.xpt")["rows"][2][0] == ".R"


def test_sas_data_set(read: Import) -> None:
    path = Path(__file__).parent / "golden" / "iris.sas7bdat"
    answer = read(path, "iris.sas7bdat")
    assert (answer["rows"], answer["report"]["kind"]) == (150, "sas7bdat")
    assert answer["table"].numeric("c1").mean() == pytest.approx(5.8433333)
    assert [level.count for level in answer["table"].meta.columns[4].levels] == [50, 50, 50]


def test_portable(read: Import, tmp_path: Path) -> None:
    table = read(portable(tmp_path / "a.por"), "a.por")["table"]
    assert [c.name for c in table.meta.columns] == ["SEX", "NAME", "INC"]
    assert table.meta.columns[0].label == "gender"
    assert table.numeric("c3").tolist() == [1.5, -2.25, 1e6]


@pytest.mark.parametrize("kind", list(MAKE))
def test_preview(tmp_path: Path, kind: str) -> None:
    seen = previewing.preview(MAKE[kind](tmp_path / f"a.{kind}"), f"a.{kind}")
    assert seen["kind"] == kind and len(seen["rows"]) in (3, 5)
    assert seen["rows"][0][0] == 1


def test_preview_shows_special_missing_values(tmp_path: Path) -> None:
    rows = previewing.preview(stata(tmp_path / "a.dta"), "a.dta")["rows"]
    assert rows[3][:2] == [".a", ".z"] and rows[0][3:5] == ["2024-01-01", "2024-01-01 10:05:00"]


@pytest.mark.parametrize(("kind", "keep"), [("dta", 0.3), ("dta", 0.6), ("dta", 0.9), ("por", 0.75)])
def test_truncated(read: Import, tmp_path: Path, home: Path, kind: str, keep: float) -> None:
    path = MAKE[kind](tmp_path / f"a.{kind}")
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * keep)])
    assert refused(read, path).code == f"{kind}.damaged"
    assert leftovers(home) == []


def test_a_header_that_promises_too_much(read: Import, tmp_path: Path) -> None:
    path = stata(tmp_path / "a.dta", version=15)
    content = path.read_bytes()
    place = content.index(b"<N>") + 3
    path.write_bytes(content[:place] + (2**40).to_bytes(8, "little") + content[place + 8 :])
    assert refused(read, path).code == "dta.size"
    old = stata(tmp_path / "b.dta", version=12)
    raw = bytearray(old.read_bytes())
    raw[4 + 2 : 4 + 6] = (2_000_000_000).to_bytes(4, "little")
    old.write_bytes(bytes(raw))
    assert refused(read, old).code == "dta.size"


FLIPS = """
import sys
from pathlib import Path
from hengxi.data.importing import import_table
from hengxi.data.refusal import DataRefusal

path, start = Path(sys.argv[1]), int(sys.argv[2])
content = path.read_bytes()
step = max(len(content) // 40, 1)
for place in range(start, len(content), step):
    print(place + step, flush=True)
    broken = path.with_name("broken" + path.suffix)
    broken.write_bytes(content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :])
    try:
        import_table(broken, path.name, on_doubt="text", target_dir=path.with_name("table"))
    except DataRefusal as error:
        assert error.text
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(MAKE))
def test_flipped_bytes_are_refused_or_end_the_child_and_are_never_a_traceback(tmp_path: Path, kind: str) -> None:
    path, start, crashes = MAKE[kind](tmp_path / f"a.{kind}"), "0", 0
    while True:
        run = subprocess.run(
            [sys.executable, "-c", FLIPS, str(path), start], capture_output=True, text=True, check=False, timeout=120
        )
        assert "Traceback" not in run.stderr, run.stderr
        if run.returncode == 0:
            return
        assert run.returncode < 0, run.stderr
        start, crashes = run.stdout.split()[-1], crashes + 1
        assert crashes < 10


def test_a_transport_file_cut_off_within_a_record_is_refused(read: Import, tmp_path: Path) -> None:
    path = tmp_path / "a.xpt"
    pyreadstat.write_xport(pd.DataFrame({"x": [float(i) for i in range(50)]}), str(path))
    with pytest.raises(DataRefusal) as caught:
        read(path.read_bytes()[:-30], "a.xpt")
    assert caught.value.code == "xpt.damaged"


def test_long_texts_that_haven_packs_in_the_old_way_are_found(read: Import, tmp_path: Path) -> None:
    """write_dta(version = 15) of R's haven numbers its file 119 and packs it as 118; pandas packs it as Stata does."""
    texts = ["长" * 900, "", "乙", "丙" * 1000]
    frame = pd.DataFrame(
        {"x": [1.5, 2.5, 3.5, 4.5], "s": texts, "y": [1.0, 2.0, 3.0, 4.0], "t": ["甲", "", "", "戊" * 800]}
    )
    path = tmp_path / "a.dta"
    frame.to_stata(path, version=119, convert_strl=["s", "t"], write_index=False)
    raw = bytearray(path.read_bytes())
    start, width = raw.index(b"<data>") + 6, 8 + 8 + 8 + 8
    for row in range(4):
        for place in (8, 24):
            at = start + row * width + place
            raw[at + 2 : at + 8] = raw[at + 3 : at + 8] + b"\0"
    for content in (path.read_bytes(), bytes(raw)):
        table = read(content, "a.dta")["table"]
        assert [str(cell or "") for cell in table.text("c2").tolist()] == texts
        assert table.text("c4").tolist()[3] == "戊" * 800 and table.numeric("c3").tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("release", [104, 105, 108, 110, 111])
def test_stata_before_release_8(read: Import, tmp_path: Path, release: int, order: str) -> None:
    path = tmp_path / "old.dta"
    path.write_bytes(old_stata(release, order))
    table = read(path, "old.dta")["table"]
    sex, _, day, _, _, text = table.meta.columns
    assert (sex.label, [(level.value, level.label) for level in sex.levels]) == ("性别", [(1, "男"), (2, "女")])
    for place in (0, 1, 3, 4):
        found = table.numeric(f"c{place + 1}")
        assert found[:3].tolist() == [row[place] for row in ROWS] and np.isnan(found[3])
    assert day.storage == "date"
    assert table.text("c3").tolist() == ["1960-01-01", "1957-04-06", "2020-01-01", None]
    assert table.text(text.id).tolist() == ["ab", "中", "12345", None]


@pytest.mark.parametrize("version", [5, 8])
def test_of_several_data_sets_in_a_transport_file_one_is_read(read: Import, tmp_path: Path, version: int) -> None:
    parts = []
    for name, cells in (("ONE", [1.0, 2.0, 3.0]), ("TWO", [7.5, 8.5])):
        path = tmp_path / name
        pyreadstat.write_xport(pd.DataFrame({"x": cells}), str(path), table_name=name, file_format_version=version)
        parts.append(path.read_bytes())
    both = parts[0] + parts[1][3 * 80 :]
    answer = read(both, "a.xpt")
    assert answer["table"].numeric("c1").tolist() == [1, 2, 3]
    assert [said["code"] for said in answer["report"]["warnings"]] == ["xpt.members"]
    assert read(both, "a.xpt", settings={"member": "TWO"})["table"].numeric("c1").tolist() == [7.5, 8.5]
    with pytest.raises(DataRefusal) as caught:
        read(both, "a.xpt", settings={"member": "THREE"})
    assert caught.value.code == "xpt.member"
    path.write_bytes(both)
    assert previewing.preview(path, "a.xpt")["candidates"]["member"] == ["ONE", "TWO"]
