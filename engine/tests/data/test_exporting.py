"""Exported files, read back by programs that are not ours: cells, labels, codes and measures are the user's."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest

from hengxi.contract.progress import no_progress
from hengxi.data import edits, store
from hengxi.data.build import table_of
from hengxi.data.exporting import dta, sav, xlsx
from hengxi.data.exporting.job import Job, Options
from hengxi.data.exporting.run import export_table
from hengxi.data.refusal import Cancelled, DataRefusal
from hengxi.data.table import Table
from tests.data.conftest import Import
from tests.data.exported import FILE, Keys, cells_of, codes, export


def test_sav_keeps_all_that_spss_knows(survey: str) -> None:
    path, answer = export(survey, "sav")
    assert (answer["name"], answer["rows"], answer["notes"]) == ("调查.sav", 5, [])
    frame, meta = pyreadstat.read_sav(path, user_missing=True)
    assert meta.column_names == ["性别", "学历", "q1", "inc", "d", "t"]
    assert meta.column_labels[0] == "您的性别" and meta.column_labels[3] == "月收入(千元)"
    assert meta.variable_value_labels["性别"] == {1: "男", 2: "女", 9: "拒答"}
    assert meta.variable_value_labels["学历"] == {"本科": "大学本科"}
    assert meta.variable_value_labels["q1"][5] == "非常同意"
    assert meta.missing_ranges["性别"] == [{"lo": 9, "hi": 9}]
    assert meta.missing_ranges["inc"] == [{"lo": -9, "hi": -1}, {"lo": 99, "hi": 99}]
    measures = [meta.variable_measure[name] for name in meta.column_names[:4]]
    # 学历 was found to be ordered at the import.
    assert measures == ["nominal", "ordinal", "ordinal", "scale"]
    assert frame["性别"].tolist()[:4] == [1, 2, 1, 9] and np.isnan(frame["性别"][4])
    assert frame["学历"].tolist() == ["本科", "硕士", "", "本科", "博士"]
    assert frame["inc"].tolist() == [1.5, 2.25, -9, 99, 3]
    assert frame["d"][4] == date(2024, 1, 5) and frame["t"][0] == datetime(2024, 1, 1, 10, 5, 7)
    assert pd.isna(frame["t"][4])


def test_sav_comes_back_as_the_same_table(read: Import, survey: str) -> None:
    before = store.table_path(survey)
    path, _ = export(survey, "sav")
    back = read(path, "调查.sav")["table"]
    table = Table.at(before)
    for old, new in zip(table.meta.columns, back.meta.columns, strict=True):
        kept = ("name", "label", "measure", "ordered", "storage", "levels", "missing", "missing_labels")
        assert [getattr(old, part) for part in kept] == [getattr(new, part) for part in kept]
        assert table.text(old.id).tolist() == back.text(new.id).tolist()


NAMES = ["2 岁", "ALL", "a b", "a-b", "A_B", "很" * 40, "_x", "月.收入."]


@pytest.mark.parametrize("kind", ["sav", "dta"])
def test_names_are_made_valid_and_said(read: Import, kind: str) -> None:
    key = read(",".join(NAMES) + "\n" + ",".join("12345678") + "\n")["key"]
    path, answer = export(key, kind)
    reader = pyreadstat.read_sav if kind == "sav" else pyreadstat.read_dta
    _, meta = reader(path)
    names = meta.column_names
    assert len({name.upper() for name in names}) == len(NAMES)
    note = next(note for note in answer["notes"] if note["code"] == "export.names")
    mapped = dict(note["facts"]["names"])
    assert [mapped.get(name, name) for name in NAMES] == names
    # A variable without a label keeps its own name there.
    labels = dict(zip(names, meta.column_labels, strict=True))
    assert labels[mapped["a b"]] == "a b" and labels[mapped["2 岁"]] == "2 岁"
    if kind == "dta":
        assert pd.read_stata(path).columns.tolist() == names


@pytest.mark.parametrize(
    ("cells", "missing", "declared", "is_whole"),
    [
        ("1 2 97 98 99 96", {"values": [96, 97, 98, 99]}, [{"lo": 96, "hi": 99}], True),
        ("1 2 -1 97 98 99", {"values": [-1, 97, 98, 99]}, [{"lo": 97, "hi": 99}, {"lo": -1, "hi": -1}], True),
        ("1 5 9 4 7 0 3", {"values": [0, 3, 5, 9]}, [{"lo": v, "hi": v} for v in (0, 3, 5)], False),
        ("1 2 3 -5 50 60", {"ranges": [{"low": None, "high": -1}]}, [{"lo": -np.inf, "hi": -1}], True),
    ],
)
def test_more_codes_than_spss_has_places(
    read: Import, keys: Keys, cells: str, missing: dict[str, Any], declared: list[Any], is_whole: bool
) -> None:
    key = read("x\n" + "\n".join(cells.split()) + "\n")["key"]
    target = keys()
    edits.edit(key, {"table": target, "columns": [{"id": "c1", "missing": missing}]})
    path, answer = export(target, "sav")
    _, meta = pyreadstat.read_sav(path, user_missing=True)
    assert meta.missing_ranges["x"] == declared
    assert ("export.missing" not in codes(answer)) == is_whole


# -- dta ---------------------------------------------------------------------------------------------------------------


def test_dta_keeps_labels_and_turns_codes_into_letters(survey: str) -> None:
    path, answer = export(survey, "dta")
    frame, meta = pyreadstat.read_dta(path, user_missing=True)
    assert meta.column_labels[0] == "您的性别"
    assert meta.variable_value_labels["性别"] == {1: "男", 2: "女", "a": "拒答"}
    assert frame["性别"].tolist()[:4] == [1, 2, 1, "a"] and pd.isna(frame["性别"][4])
    assert frame["inc"].tolist() == [1.5, 2.25, "a", "b", 3]
    assert meta.variable_value_labels["inc"] == {"a": "-9", "b": "99"}
    letters = next(note for note in answer["notes"] if note["code"] == "export.letters")
    assert letters["facts"]["columns"][1] == {"name": "inc", "codes": [["-9", ".a"], ["99", ".b"]]}
    with pd.io.stata.StataReader(path) as reader:
        other = reader.read(convert_categoricals=False, preserve_dtypes=False)
        assert reader.variable_labels()["inc"] == "月收入(千元)"
    assert other["q1"].tolist() == [1, 2, 3, 4, 5] and other["inc"].isna().tolist() == [False, False, True, True, False]
    assert other["d"][4] == pd.Timestamp(2024, 1, 5) and other["t"][0] == pd.Timestamp(2024, 1, 1, 10, 5, 7)
    assert other["学历"].tolist() == ["本科", "硕士", "", "本科", "博士"]
    # Labels of texts have no place in Stata, and that is said.
    assert {"export.labels", "export.measures"} <= set(codes(answer))


def test_letters_of_stata_come_back_as_themselves(read: Import, tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": pd.Series([1.0, "c", None, "z", 2.0], dtype=object)})
    path = tmp_path / "a.dta"
    labels: dict[Any, str] = {1: "是", 2: "否", "c": "拒答"}
    pyreadstat.write_dta(frame, path, variable_value_labels={"x": labels}, missing_user_values={"x": ["c", "z"]})
    path, answer = export(read(path, "a.dta")["key"], "dta")
    back, meta = pyreadstat.read_dta(path, user_missing=True)
    assert back["x"].tolist()[:2] == [1, "c"] and pd.isna(back["x"][2]) and back["x"][3] == "z"
    assert meta.variable_value_labels["x"] == labels
    assert codes(answer) == ["export.measures"]


def test_texts_longer_than_a_cell_of_stata(read: Import) -> None:
    key = read("note,n\n" + "长" * 3000 + ",5\n短,1\n,2\n")["key"]
    path, _ = export(key, "dta")
    assert pd.read_stata(path)["note"].tolist() == ["长" * 3000, "短", ""]
    assert b"<release>118</release>" in path.read_bytes()[:64], "119 is for Stata/MP only, and R loses its long texts"
    assert pyreadstat.read_sav(export(key, "sav")[0])[0]["note"].tolist() == ["长" * 3000, "短", ""]


@pytest.mark.parametrize(("module", "most"), [(sav, 2**53), (dta, 2**53), (xlsx, 10**15)])
def test_whole_numbers_never_lose_their_last_digits(tmp_path: Path, module: Any, most: int) -> None:
    table = table_of({"id": [most + 1, None, 7], "n": [most - 1, 2, 3]})
    path = tmp_path / f"file{module.EXTENSION}"
    job = Job(table, "x", path, tmp_path, Options(), no_progress)
    module.write(job)
    assert job.notes[0].code == "export.digits"
    if module is xlsx:
        first = cells_of(path, "数据")[1]
    else:
        reader = pyreadstat.read_sav if module is sav else pyreadstat.read_dta
        first = reader(path)[0].iloc[0].tolist()
    assert first == [str(most + 1), most - 1]


# -- xlsx --------------------------------------------------------------------------------------------------------------


def test_parquet_has_types_names_and_labels(survey: str) -> None:
    path, _ = export(survey, "parquet")
    table = pq.read_table(path)
    assert [str(kind) for kind in table.schema.types[2:5]] == ["int64", "double", "date32[day]"]
    assert table.column("性别").to_pylist() == [1, 2, 1, 9, None]
    assert table.schema.field("性别").metadata[b"label"].decode() == "您的性别"
    known = json.loads(table.schema.metadata[b"hengxi"])["columns"]
    assert known[0]["missing"]["values"] == [9] and known[0]["labels"][2] == {"value": 9, "label": "拒答"}


def test_codebook_as_csv_and_workbook(survey: str) -> None:
    path, answer = export(survey, "codebook", sheet="csv")
    assert answer["name"] == "调查_编码表.csv"
    book = pd.read_csv(path)
    row = book[(book["变量名"] == "q1") & (book["取值"] == "5")].iloc[0]
    assert row["取值标签"] == "非常同意" and row["频数"] == 1
    path, answer = export(survey, "codebook")
    assert answer["name"] == "调查_编码表.xlsx" and len(cells_of(path, "编码表")) == len(book) + 1


@pytest.mark.parametrize("kind", ["csv", "xlsx", "sav", "dta", "parquet", "codebook"])
def test_a_table_without_rows(read: Import, kind: str) -> None:
    key = read("a,b\n")["key"]
    assert export(key, kind)[1]["rows"] == 0


@pytest.mark.parametrize("kind", ["csv", "xlsx", "sav", "dta", "parquet", "codebook"])
def test_stopped_leaves_nothing_behind(home: Path, survey: str, kind: str) -> None:
    payload = {"table": survey, "name": "x", "format": kind, "file": FILE}
    with pytest.raises(Cancelled):
        export_table(payload, lambda done, of, text="", best=None: done < 0.01)
    assert list((home / "files").iterdir()) == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"file": "../../x"}, "key.invalid"),
        ({"table": "t_1"}, "key.invalid"),
        ({"table": "t_" + "e" * 32}, "table.gone"),
        ({"format": "exe"}, "export.format"),
        ({"options": {"encoding": "latin-1"}}, "export.options"),
        ({"options": {"path": "/etc"}}, "export.options"),
        ({"filter": {"condition": "{c9} = 1"}}, "formula.symbol"),
    ],
)
def test_faulty_orders_are_refused(survey: str, change: dict[str, Any], code: str) -> None:
    with pytest.raises(DataRefusal) as caught:
        export_table({"table": survey, "name": "x", "format": "csv", "file": FILE, **change})
    assert caught.value.code == code


def test_a_full_disk_is_said(survey: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from hengxi.data.exporting import csv

    def full(job: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(csv, "write", full)
    with pytest.raises(DataRefusal, match="磁盘空间不足"):
        export(survey, "csv")


# -- multiple-answer questions -----------------------------------------------------------------------------------------
@pytest.fixture
def channels(read: Import, tmp_path: Path) -> str:
    """Two questions: options of 0 and 1 with long and Chinese names, and three columns of categories."""
    path = tmp_path / "channels.csv"
    path.write_text(
        "渠道(朋友),渠道(网络),渠道(带“引号” 的很长的选项名称),品牌1,品牌2,序号\n"
        "1,0,1,3,1,a\n0,1,0,2,,b\n1,1,0,1,3,c\n,,,,,d\n"
    )
    base: str = read(path, "channels.csv")["key"]
    key = "t_" + "5" * 32
    sets = [
        {
            "id": "s1",
            "name": "渠道",
            "label": "您从哪里知道我们（可多选）",
            "columns": ["c1", "c2", "c3"],
            "counted": 1,
        },
        {"id": "s2", "name": "品牌 A/B", "label": None, "columns": ["c4", "c5"], "counted": None},
    ]
    edits.edit(base, {"table": key, "columns": [], "sets": sets})
    return key


def test_multiple_answer_questions_go_to_spss_and_come_back(channels: str, read: Import, tmp_path: Path) -> None:
    path, _ = export(channels, "sav")
    frame, meta = pyreadstat.read_sav(path)
    long = "渠道_带_引号__的很长的选项名称_"
    assert meta.mr_sets == {
        "渠道": {
            "type": "D",
            "is_dichotomy": True,
            "counted_value": 1,
            "label": "您从哪里知道我们（可多选）",
            "variable_list": ["渠道_朋友_", "渠道_网络_", long],
        },
        "品牌_A_B": {
            "type": "C",
            "is_dichotomy": False,
            "counted_value": None,
            "label": "品牌 A/B",
            "variable_list": ["品牌1", "品牌2"],
        },
    }
    assert frame["品牌1"].tolist()[:3] == [3, 2, 1] and frame["序号"].tolist() == list("abcd")
    again = read(path, "channels.sav")
    assert [(one["name"], one["label"], one["columns"], one["counted"]) for one in again["sets"]] == [
        ("渠道", "您从哪里知道我们（可多选）", ["c1", "c2", "c3"], 1),
        ("品牌_A_B", "品牌 A/B", ["c4", "c5"], None),
    ]


GOLDEN = Path(__file__).parent / "golden"
CREATED = slice(92, 109)
"""Day and time of creation in the header of an SPSS file."""


def test_pspp_reads_what_we_write(survey: str) -> None:
    """The file is, but for its date, the one that PSPP read; and PSPP's account of it (golden/survey.pspp.csv, made by
    `pspp -O format=csv -o survey.pspp.csv survey.sps`) is what the table says."""
    key = "t_" + "6" * 32
    sets = [
        {"id": "s1", "name": "拒答题", "label": "两道题", "columns": ["c1", "c3"], "counted": 1},
        {"id": "s2", "name": "任意", "label": None, "columns": ["c1", "c3"], "counted": None},
    ]
    edits.edit(survey, {"table": key, "columns": [], "sets": sets})
    written, golden = export(key, "sav")[0].read_bytes(), (GOLDEN / "survey.sav").read_bytes()
    assert written[: CREATED.start] + written[CREATED.stop :] == golden[: CREATED.start] + golden[CREATED.stop :]
    said = (GOLDEN / "survey.pspp.csv").read_text().splitlines()
    table = Table.open(key)
    for column in table.meta.columns:
        word = "Ordinal" if column.ordered else {"定类": "Nominal", "文本": "Nominal"}.get(column.measure, "Scale")
        line = next(line for line in said if line.startswith(f"{column.name},{column.id[1:]},"))
        assert line.split(",")[2:4] == [column.label or "", word]
        assert line.endswith({"性别": ",9", "inc": ",-9 THRU -1; 99"}.get(column.name, ","))
    income = table.column("c4").profile
    numbers = [f"{x:.2f}".replace("0.", ".", 1) for x in (income.mean, income.sd)]
    assert f"月收入(千元),{income.n},{','.join(numbers)},1.50,3.00" in said
    for level in table.column("c1").levels or []:
        assert any(line.removeprefix("Valid").startswith(f",{level.label},{level.count},") for line in said)
    assert {"学历,本科,大学本科", ",5,非常同意", ",9[a],拒答"} <= set(said)
    assert {'$任意,,Categories,,"性别', '$拒答题,两道题,Dichotomies,1,"性别'} <= set(said)
    assert "1,,3,-9.00,2024/01/03,01-JAN-2024 10:05:07" in said and ".,博士,5,3.00,2024/01/05,." in said


# -- round trips -------------------------------------------------------------------------------------------------------
def _known(key: str) -> list[tuple[Any, ...]]:
    return [
        (c.name, c.label, c.measure, c.ordered, c.flags, c.unit, c.levels, c.missing, c.missing_labels, c.profile.n)
        for c in Table.open(key).meta.columns
    ]


@pytest.mark.parametrize("kind", ["parquet", "sav", "dta"])
def test_a_file_we_wrote_comes_back_as_it_was(
    survey: str, channels: str, read: Import, tmp_path: Path, kind: str
) -> None:
    """Labels, levels, measures, missing codes and, where the format has a place for them, the questions."""
    for place, key in enumerate([survey, channels]):
        path = tmp_path / f"back{place}.{kind}"
        path.write_bytes(export(key, kind)[0].read_bytes())
        back = read(path, path.name)
        before, after = _known(key), _known(back["key"])
        if kind == "parquet":
            assert after == before
            sets = msgspec.to_builtins(Table.open(key).meta)["sets"] if place else []
            assert back["sets"] == sets
            continue
        assert [one[9] for one in after] == [one[9] for one in before]
        if kind == "sav":
            assert [one[2:9] for one in after] == [one[2:9] for one in before]
        if place == 0:
            # Stata has no measures, and its codes for missing are letters.
            assert [one[:2] for one in after] == [one[:2] for one in before]
            assert after[0][6] == before[0][6]


def test_what_another_program_wrote_under_our_key_is_not_believed(read: Import, tmp_path: Path) -> None:
    table = pa.table({"a": [1, 2, 9], "b": ["x", "y", "z"]})
    odd = {"name": "a", "measure": "定类", "missing": {"values": ["x", 9]}, "flags": ["?"]}
    sets = [{"name": "s", "columns": ["a", "a", "q"]}]
    for said in (
        b"no json",
        b'{"columns": 7}',
        json.dumps({"columns": [{"name": "b", "measure": "定量"}, {"name": "zz", "measure": "定类"}]}).encode(),
        json.dumps({"columns": [odd], "sets": sets}).encode(),
    ):
        pq.write_table(table.replace_schema_metadata({b"hengxi": said}), tmp_path / "x.parquet")
        found = read(tmp_path / "x.parquet", "x.parquet")
        a, b = found["table"].meta.columns
        assert b.measure != "定量" and a.missing.values in ([], [9]) and found["sets"] == [] and a.flags != ["?"]


def test_numbers_larger_than_a_program_keeps_are_missing_and_told(read: Import) -> None:
    largest = "1.7976931348623157e308"
    key = read(f"x,y\n{largest},1\n-{largest},2\n1e308,3\n1.5,4\n")["key"]
    for kind, count, program in (("sav", 2, pyreadstat.read_sav), ("dta", 3, pyreadstat.read_dta)):
        path, answer = export(key, kind)
        note = next(one for one in answer["notes"] if one["code"] == "export.large")
        assert note["facts"] == {"name": "x", "count": count}
        frame, _ = program(str(path))
        assert frame["x"].isna().sum() == count and frame["x"].iloc[-1] == 1.5
