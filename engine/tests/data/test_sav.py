"""SPSS files: labels, codes and measures survive; damage and promises that cannot be kept are refused."""

from __future__ import annotations

import struct
import subprocess
import sys
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from hengxi.data import previewing
from hengxi.data.pages import page
from hengxi.data.refusal import DataRefusal
from hengxi.data.statfile.password import key_of
from tests.data.conftest import Import, leftovers
from tests.data.hand_sav import Variable, hand_made


def write(path: Path, **options: Any) -> Path:
    frame = pd.DataFrame(
        {
            "gender": [1.0, 2.0, 1.0, 9.0, np.nan],
            "edu": ["本科", "硕士", "", "本科", "博士"],
            "q1": [1.0, 2.0, 3.0, 4.0, 5.0],
            "inc": [1.5, 2.25, -9.0, 99.0, 3.0],
            "d": [date(2024, 1, i) for i in range(1, 6)],
            "t": [datetime(2024, 1, 1, 10, 5)] * 5,
        }
    )
    pyreadstat.write_sav(
        frame,
        str(path),
        column_labels={"gender": "性别", "inc": "月收入(千元)"},
        variable_value_labels={
            "gender": {1: "男", 2: "女", 9: "拒答"},
            "q1": {1: "非常不同意", 2: "不同意", 3: "一般", 4: "同意", 5: "非常同意"},
            "edu": {"本科": "本科生"},
        },
        missing_ranges={"gender": [9], "inc": [{"lo": -9, "hi": -1}, 99]},
        variable_measure={"gender": "nominal", "q1": "ordinal", "inc": "scale"},
        **options,
    )
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path / "a.sav")


def refused(read: Import, path: Path) -> DataRefusal:
    with pytest.raises(DataRefusal) as caught:
        read(path, "a.sav")
    return caught.value


@pytest.mark.parametrize("compressed", [False, True])
def test_all_that_spss_knows_is_kept(read: Import, tmp_path: Path, compressed: bool) -> None:
    table = read(write(tmp_path / "b.sav", row_compress=compressed), "b.sav")["table"]
    gender, edu, q1, inc, day, moment = table.meta.columns
    assert (gender.label, gender.measure, gender.storage) == ("性别", "定类", "int")
    assert [(v.value, v.label, v.count) for v in gender.levels or []] == [(1, "男", 2), (2, "女", 1)]
    assert gender.missing.values == [9]
    assert [(v.value, v.label) for v in gender.missing_labels] == [(9, "拒答")]
    kinds, named = table.missing_kinds("c1")
    assert kinds.tolist() == [-1, -1, -1, 0, -1] and [(v.value, v.label, v.count) for v in named] == [(9, "拒答", 1)]
    assert q1.measure == "定类" and q1.ordered
    assert (inc.missing.values, [(r.low, r.high) for r in inc.missing.ranges]) == ([99], [(-9, -1)])
    assert np.isnan(table.numeric("c4")).tolist() == [False, False, True, True, False]
    assert (edu.levels or [])[0].label == "本科生"
    assert (day.storage, moment.storage) == ("date", "datetime")
    assert table.text("c5")[0] == "2024-01-01" and table.text("c6")[0] == "2024-01-01 10:05:00"
    assert page(table, 3, 1)["rows"][0][:4] == [9, "本科", 4, 99.0], "the grid shows what is in the file"


def test_zsav(read: Import, tmp_path: Path) -> None:
    answer = read(write(tmp_path / "c.zsav", compress=True), "c.zsav")
    assert answer["rows"] == 5 and answer["report"]["kind"] == "sav"


def test_an_open_question_is_text_though_spss_calls_it_nominal(read: Import, tmp_path: Path) -> None:
    frame = pd.DataFrame({"why": [f"因为第 {i} 个很长的理由，说来话长" for i in range(100)], "x": range(100)})
    pyreadstat.write_sav(frame, str(tmp_path / "o.sav"), variable_measure={"why": "nominal"})
    assert read(tmp_path / "o.sav", "o.sav")["table"].meta.columns[0].measure == "文本"


def test_many_chunks_agree_with_one(read: Import, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hengxi.data.statfile import reading

    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"x": rng.normal(size=950), "n": rng.integers(0, 5, 950).astype(float)})
    pyreadstat.write_sav(frame, str(tmp_path / "m.sav"))
    monkeypatch.setattr(reading, "CHUNK_CELLS", 200)
    table = read(tmp_path / "m.sav", "m.sav")["table"]
    assert np.array_equal(table.numeric("c1"), frame["x"].to_numpy())
    assert table.meta.columns[1].storage == "int"


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.9])
def test_truncated(read: Import, path: Path, home: Path, keep: float) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * keep)])
    assert refused(read, path).code == "sav.damaged"
    assert leftovers(home) == []


def test_a_header_that_promises_too_much(read: Import, path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[80:84] = struct.pack("<i", 2_000_000_000)
    path.write_bytes(bytes(content))
    assert refused(read, path).code == "sav.size"


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
    broken = path.with_name("broken.sav")
    broken.write_bytes(content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :])
    try:
        import_table(broken, "a.sav", on_doubt="text", target_dir=path.with_name("table"))
    except DataRefusal as error:
        assert error.text
"""


@pytest.mark.slow
def test_flipped_bytes_are_refused_or_end_the_child_and_are_never_a_traceback(path: Path) -> None:
    """The C reader may crash on hostile bytes: that is why imports run in a child whose death is a message."""
    start, crashes = "0", 0
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


def locked(content: bytes, password: str) -> bytes:
    """The file as SPSS encrypts it."""
    padding = 16 - len(content) % 16
    encryptor = Cipher(algorithms.AES(key_of(password.encode())), modes.ECB()).encryptor()
    head = bytes([0x1C, 0, 0, 0, 0, 0, 0, 0]) + b"ENCRYPTEDSAV" + bytes([0x15, *[0] * 15])
    return head + encryptor.update(content + bytes([padding]) * padding)


def test_the_key_of_a_password_is_that_of_the_description() -> None:
    """The example of PSPP's description of the format."""
    assert key_of(b"pspp").hex() == "3eda098e6604d4fdf9630c2ca86fb045" * 2


def test_a_file_with_a_password_asks_for_it_and_is_read_with_it(read: Import, path: Path) -> None:
    content = locked(path.read_bytes(), "Ab1密码")
    for password, code in ((None, "file.password"), ("ab1密码", "file.password.wrong")):
        with pytest.raises(DataRefusal) as caught:
            read(content, "a.sav", password=password)
        assert caught.value.code == code and "密码" in caught.value.text
    plain, opened = read(path, "a.sav"), read(content, "a.sav", password="Ab1密码")
    assert opened["columns"] == plain["columns"] and opened["rows"] == plain["rows"]
    with pytest.raises(DataRefusal, match="损坏"):
        read(content[:-5], "a.sav", password="Ab1密码")


def test_preview(path: Path) -> None:
    seen = previewing.preview(path, "a.sav")
    assert seen["total_rows"] == 5 and seen["rows"][0][:2] == [1, "本科"]
    # The server takes the four measures only; what is ordered stands beside them.
    assert [c["measure"] for c in seen["columns"]] == ["定类", "文本", "定类", "定量", "时间", "时间"]
    assert [c["ordered"] for c in seen["columns"]] == [False, False, True, False, False, False]


@pytest.mark.parametrize("ending", ["sav", "zsav"])
def test_a_file_that_pspp_wrote(read: Import, ending: str) -> None:
    """golden/from_pspp.sps says what is in it."""
    found = read(Path(__file__).parent / "golden" / f"from_pspp.{ending}", f"from_pspp.{ending}")
    table = found["table"]
    names = [column.name for column in table.meta.columns]
    assert names == ["id", "性别", "收入", "城市", "a1", "a2", "a3", "d"]
    sex, income, city = (table.column(one) for one in ("c2", "c3", "c4"))
    assert (sex.label, sex.measure, sex.missing.values) == ("您的性别", "定类", [9])
    assert [(one.value, one.label, one.count) for one in sex.levels or []] == [(1, "男", 2), (2, "女", 1)]
    assert [(one.value, one.label) for one in sex.missing_labels] == [(9, "拒答")]
    assert income.label == "月收入（元）" and income.profile.n == 1 and income.profile.mean == 1200.5
    assert income.missing.values == [99] and [(r.low, r.high) for r in income.missing.ranges] == [(-9, -1)]
    assert next((one.value, one.label) for one in city.levels or []) == ("北京", "首都")
    assert table.column("c5").ordered and table.column("c8").profile.min == "2023-12-31"
    assert [(one["name"], one["label"], one["columns"], one["counted"]) for one in found["sets"]] == [
        ("渠道", "知道的渠道", ["c5", "c6", "c7"], 1),
        ("mc", "multi", ["c5", "c6"], None),
    ]


def test_missing_codes_of_times_and_dates_and_words_for_days(read: Import) -> None:
    unknown = 265621593600.0  # 9999-12-31
    content = hand_made(
        [Variable("t", form=21, missing=[-5400.0]), Variable("d", form=39, missing=[unknown]), Variable("w", form=26)],
        [[91815.25, 13821667200.0, 4.0], [-5400.0, unknown, 1.0], [None, None, None]],
    )
    answer = read(content, "a.sav")
    table = answer["table"]
    time, day, week = table.meta.columns
    assert time.missing.values == [-5400] and table.text(time.id).tolist() == ["91815.25", None, None]
    assert table.text(day.id).tolist() == ["2020-10-10", None, None]
    assert [(said["code"], said["facts"].get("count")) for said in answer["report"]["warnings"]][1:] == [
        ("sav.missing_dates", 1)
    ]
    labels = {level.value: level.label for level in week.levels}
    assert (labels[1], labels[4], len(labels)) == ("星期日", "星期三", 7)


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_attributes_of_its_own_are_told_and_those_of_the_program_are_not(read: Import, encoding: str) -> None:
    own = "x:$@Role('1'\n)题号('Q5'\n)/y:$@Role('0'\n)备注[1]('多行'\n)备注[2]('x'\n)"
    for given, names in ((own, ["题号", "备注"]), ("x:$@Role('1'\n)", [])):
        content = hand_made([Variable("x"), Variable("y")], [[1.0, 2.0]], encoding=encoding, attributes=given)
        said = [one for one in read(content, "a.sav")["report"]["warnings"] if one["code"] == "sav.attributes"]
        assert [name for one in said for name in one["facts"]["names"]] == names
