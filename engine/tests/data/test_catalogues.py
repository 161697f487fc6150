"""SAS catalogues: their labels reach the variables, leave again with an export, and hostile ones are refused.

`formats.sas7bcat` and `hadley.sas7bdat` were written by SAS; other catalogues are made of the former, byte by byte.
"""

from __future__ import annotations

import random
import struct
from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import pytest

from hengxi.data import previewing
from hengxi.data.exporting.run import export_table
from hengxi.data.formats import CompanionFile
from hengxi.data.refusal import DataRefusal
from hengxi.data.special import special_code
from hengxi.data.statfile.catalogue import read_catalogue
from hengxi.data.statfile.dialect import is_users, sas_format, sas_kind
from tests.data.conftest import Import

GOLDEN = Path(__file__).parent / "golden"
DATA, FORMATS = GOLDEN / "hadley.sas7bdat", GOLDEN / "formats.sas7bcat"
ONE, TWO = struct.pack(">d", -1.0), struct.pack(">d", -2.0)
"""1 and 2 as a catalogue writes them."""


def changed(path: Path, *swaps: tuple[bytes, bytes], encoding: int | None = None) -> CompanionFile:
    """The catalogue of SAS with other bytes in the same places."""
    raw = FORMATS.read_bytes()
    for old, new in swaps:
        assert old in raw and len(old) == len(new)
        raw = raw.replace(old, new)
    if encoding is not None:
        raw = raw[:70] + bytes([encoding]) + raw[71:]
    path.write_bytes(raw)
    return CompanionFile(path, path.name)


def beside(path: Path = FORMATS) -> CompanionFile:
    return CompanionFile(path, path.name)


def levels(answer: dict[str, Any]) -> dict[str, list[tuple[Any, str, int]]]:
    columns = answer["table"].meta.columns
    return {c.name: [(v.value, v.label, v.count) for v in c.levels] for c in columns if c.levels}


def said(answer: dict[str, Any]) -> dict[str, str]:
    return {warning["code"]: warning["text"] for warning in answer["report"]["warnings"]}


def test_labels_reach_the_variables_as_another_reader_puts_them(read: Import) -> None:
    answer = read(DATA, DATA.name, catalogue=beside())
    _, meta = pyreadstat.read_sas7bdat(str(DATA), catalog_file=str(FORMATS))
    assert meta.variable_value_labels == {"workshop": {1.0: "R", 2.0: "SAS"}, "gender": {"f": "Female", "m": "Male"}}
    assert levels(answer) == {
        "workshop": [(1, "R", 4), (2, "SAS", 4)],
        "gender": [("f", "Female", 3), ("m", "Male", 4)],
    }
    assert answer["table"].meta.columns[1].measure == "定类"
    text = "2 个变量按“formats.sas7bcat”加上了值标签（workshop：WORKSHOP、gender：$GENDER）。"
    assert said(answer) == {"sas7bcat.used": text}


def test_labels_are_told_for_a_table_that_is_there_already(read: Import) -> None:
    wanted = next(w for w in read(DATA, DATA.name)["report"]["warnings"] if w["code"] == "sas7bcat.wanted")["facts"]
    answer = previewing.preview(FORMATS, FORMATS.name, {"formats": {**wanted["formats"], "x": "NONE"}})
    assert answer["labels"] == {
        "workshop": [{"value": 1.0, "label": "R"}, {"value": 2.0, "label": "SAS"}],
        "gender": [{"value": "f", "label": "Female"}, {"value": "m", "label": "Male"}],
    }
    assert {"WORKSHOP", "$GENDER"} <= set(answer["formats"])


def test_without_it_the_report_says_where_the_labels_are(read: Import) -> None:
    answer = read(DATA, DATA.name)
    assert levels(answer) == {"gender": [("f", "f", 3), ("m", "m", 4)]}
    assert "sas7bcat" in said(answer)["sas7bcat.wanted"] and "workshop：WORKSHOP" in said(answer)["sas7bcat.wanted"]


def test_the_preview_says_the_same_before_the_import() -> None:
    assert "自定义格式" in previewing.preview(DATA, DATA.name)["notes"][0]
    assert "加上了值标签" in previewing.preview(DATA, DATA.name, catalogue=beside())["notes"][0]


def test_labels_go_out_to_other_programs(read: Import, home: Path, tmp_path: Path) -> None:
    key = read(DATA, DATA.name, catalogue=beside())["key"]
    for form, reader in (("sav", pyreadstat.read_sav), ("dta", pyreadstat.read_dta)):
        file = f"f_{'0' * 32}"
        (home / "files").mkdir(exist_ok=True)
        export_table({"table": key, "name": "数据", "format": form, "options": {}, "file": file}, lambda *_: True)
        target = tmp_path / f"out.{form}"
        target.write_bytes((home / "files" / file).read_bytes())
        _, meta = reader(str(target))
        assert meta.variable_value_labels["workshop"] == {1: "R", 2: "SAS"}


def test_a_transport_file_takes_its_labels_from_a_catalogue_too(read: Import, tmp_path: Path) -> None:
    path = tmp_path / "a.xpt"
    frame = pd.DataFrame({"W": [1.0, 2.0, 1.0], "N": [1.0, 2.0, 3.0]})
    pyreadstat.write_xport(frame, str(path), variable_format={"W": "WORKSHOP."})
    assert levels(read(path, "a.xpt", catalogue=beside())) == {"W": [(1, "R", 2), (2, "SAS", 1)]}


@pytest.mark.parametrize(
    ("encoding", "codec", "given"), [(20, "utf-8", None), (125, "gb18030", None), (62, "gb18030", "GB18030")]
)
def test_chinese_labels(read: Import, tmp_path: Path, encoding: int, codec: str, given: str | None) -> None:
    """SAS says in the header how the text is encoded; where it says wrong, the setting of the import decides."""
    label = "女性" if codec == "utf-8" else "女同志"
    made = changed(tmp_path / "a.sas7bcat", (b"Female", label.encode(codec)), encoding=encoding)
    assert read_catalogue(made.path, made.name, given)["$GENDER"].labels["f"] == label
    _, other = pyreadstat.read_sas7bcat(str(made.path), encoding=given)
    assert other.value_labels["$GENDER"]["f"] == label
    settings = {"encoding": given} if given else {}
    assert ("f", label, 3) in levels(read(DATA, DATA.name, catalogue=made, settings=settings))["gender"]


def test_a_label_of_a_range_is_not_given_to_its_first_number(read: Import, tmp_path: Path) -> None:
    """The value stands four times: lowest, highest, and both again with room for rounding."""
    raw = FORMATS.read_bytes()
    place = raw.index(TWO + TWO) + 8
    path = tmp_path / "a.sas7bcat"
    path.write_bytes(raw[:place] + struct.pack(">d", -5.0) + raw[place + 8 :])
    _, other = pyreadstat.read_sas7bcat(str(path))
    assert other.value_labels["WORKSHOP"] == {1.0: "R", 2.0: "SAS"}  # what we do not want
    answer = read(DATA, DATA.name, catalogue=beside(path))
    assert read_catalogue(path, "a")["WORKSHOP"].labels == {1.0: "R"}
    assert "WORKSHOP" in said(answer)["sas7bcat.ranged"]


def test_special_missing_values_and_numbers_below_zero(tmp_path: Path, read: Import) -> None:
    letter = b"\0\0\x41" + b"\xff" * 5
    below = struct.pack(">Q", struct.unpack(">Q", struct.pack(">d", -2.5))[0] ^ 0xFFFFFFFFFFFFFFFF)
    made = changed(tmp_path / "a.sas7bcat", (ONE + ONE, letter + letter), (TWO + TWO, below + below))
    assert read_catalogue(made.path, made.name)["WORKSHOP"].labels == {"A": "R", -2.5: "SAS"}
    _, other = pyreadstat.read_sas7bcat(str(made.path))
    assert other.value_labels["WORKSHOP"] == {"A": "R", -2.5: "SAS"}
    column = read(DATA, DATA.name, catalogue=made)["table"].meta.columns[1]
    assert column.missing.values == [special_code("A")] and column.missing_labels[0].label == ".A R"


def test_a_catalogue_of_other_data_changes_nothing_and_says_so(read: Import, tmp_path: Path) -> None:
    made = changed(tmp_path / "other.sas7bcat", (b"WORKSHOP", b"LIKERTSX"), (b"$GENDER ", b"$REGION "))
    answer = read(DATA, DATA.name, catalogue=made)
    assert "没有一个给数据中的变量加上值标签" in said(answer)["sas7bcat.unmatched"]
    assert "数据用的是 $GENDER、WORKSHOP" in said(answer)["sas7bcat.unmatched"]
    partly = changed(tmp_path / "part.sas7bcat", (b"$GENDER ", b"$REGION "))
    assert "gender：$GENDER" in said(read(DATA, DATA.name, catalogue=partly))["sas7bcat.lacking"]


def refused(read: Import, path: Path, **options: Any) -> DataRefusal:
    with pytest.raises(DataRefusal) as caught:
        read(path, path.name, **options)
    return caught.value


def test_alone_or_beside_another_kind_of_file(read: Import, tmp_path: Path) -> None:
    alone = refused(read, FORMATS)
    assert alone.code == "sas7bcat.alone" and "请与数据文件（sas7bdat 或 xpt）一起上传" in alone.text
    with pytest.raises(DataRefusal) as caught:
        previewing.preview(FORMATS, FORMATS.name)
    assert caught.value.code == "sas7bcat.alone"
    plain = tmp_path / "a.csv"
    plain.write_text("a\n1\n")
    assert refused(read, plain, catalogue=beside()).code == "sas7bcat.kind"
    assert refused(read, DATA, catalogue=beside(DATA)).code == "sas7bcat.damaged"
    assert refused(read, DATA, catalogue=CompanionFile(tmp_path / "gone", "目录.sas7bcat")).code == "upload.gone"


@pytest.mark.parametrize("keep", [0, 100, 300, 5000, 13400, 17000])
def test_cut_off(read: Import, tmp_path: Path, keep: int) -> None:
    path = tmp_path / "a.sas7bcat"
    path.write_bytes(FORMATS.read_bytes()[:keep])
    assert refused(read, DATA, catalogue=beside(path)).code == "sas7bcat.damaged"


def test_any_changed_bytes_are_read_or_refused_in_words(tmp_path: Path) -> None:
    raw, path, chance = FORMATS.read_bytes(), tmp_path / "a.sas7bcat", random.Random(7)
    ends = {"read": 0, "refused": 0}
    places = [*range(64, 220), *range(0x1400, 0x1500, 3), *range(0x3400, 0x3700)]
    for place in places:
        path.write_bytes(raw[:place] + bytes([chance.randrange(256)]) + raw[place + 1 :])
        try:
            read_catalogue(path, "a.sas7bcat")
            ends["read"] += 1
        except DataRefusal as error:
            assert error.code == "sas7bcat.damaged"
            ends["refused"] += 1
    assert min(ends.values()) > 20


def test_a_chain_that_comes_back_to_itself(tmp_path: Path) -> None:
    raw = bytearray(FORMATS.read_bytes())
    place = raw.index(b"$GENDER") - 8 - 16
    page, inside = divmod(place - 1024, 4096)
    raw[place : place + 6] = struct.pack("<IH", page + 1, inside)
    (tmp_path / "a").write_bytes(raw)
    with pytest.raises(DataRefusal) as caught:
        read_catalogue(tmp_path / "a", "a")
    assert caught.value.code == "sas7bcat.damaged"


def test_formats_of_users_are_told_from_those_of_sas() -> None:
    own = ["WORKSHOP", "$GENDER", "YEARGRP", "DAYS", "TIMELY8", "QTRS", "DATEOK9"]
    built = ["", "BEST12", "F8.2", "$CHAR20", "DATE9", "DATETIME22.3", "YYMMDDS10", "TIME8", "DOLLAR12.2", "$", "Z5"]
    assert [is_users(form) for form in own] == [True] * len(own) and not any(is_users(form) for form in built)
    assert {sas_kind(form).name for form in own} == {"number"}
    kinds = [sas_kind(form).name for form in ("DATE9", "DATETIME22.3", "YYMMDDS10", "TIME8", "DTDATE9", "MONYY7")]
    assert kinds == ["date", "datetime", "date", "duration", "datetime", "date"]
    assert [sas_format(form) for form in ("sex8", "$gender12", "rate8.2")] == ["SEX", "$GENDER", "RATE"]


HALVES = [6208, 6424, 13332, 13334, 13346, 13452, 13472, 13510, 13554, 13571, 13587, 13589, 13601, 13707, 13727, 13781]
WORDS = [200, 204, 208, 6204, 6420, 13328, 13386, 13390, 13414, 13484, 13522, 13583, 13641, 13645, 13669, 13739, 13793]


def test_a_catalogue_of_a_machine_with_the_high_byte_first(tmp_path: Path) -> None:
    """The catalogue of SAS with its whole numbers turned round; ReadStat reads it alike."""
    raw = bytearray(FORMATS.read_bytes())
    for places, size in (([*HALVES, 13841, 13853], 2), (WORDS, 4)):
        for place in places:
            raw[place : place + size] = raw[place : place + size][::-1]
    raw[37] = 0
    path = tmp_path / "big.sas7bcat"
    path.write_bytes(raw)
    found = {made.name: made.labels for made in read_catalogue(path, "big.sas7bcat").values()}
    assert found == {made.name: made.labels for made in read_catalogue(FORMATS, "a").values()}
    assert sorted(found) == sorted(pyreadstat.read_sas7bcat(str(path))[1].value_labels)
