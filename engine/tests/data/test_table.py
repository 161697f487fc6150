"""Stored tables: typed columns, pages, profiles, edits, appended columns, damage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest

from hengxi.data import append, edits, pages, store
from hengxi.data.arrays import picked
from hengxi.data.files import open_file
from hengxi.data.levels import word_order
from hengxi.data.meta import Missing
from hengxi.data.pages import page, stable_order
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table
from tests.data.conftest import Import

CSV = "编号,性别,年龄,备注,学历\n1,男,18,2,本科\n2,女,99,3,硕士\n3,男,NA,x,专科\n4,,25,,本科\n"


@pytest.fixture
def stored(read: Import) -> dict[str, Any]:
    return read(CSV, on_doubt="text")


# -- columns -----------------------------------------------------------------------------------------------------------


def test_columns_come_typed(stored: dict[str, Any]) -> None:
    table: Table = stored["table"]
    assert table.numeric("c3")[:2].tolist() == [18, 99] and np.isnan(table.numeric("c3")[2])
    codes, levels = table.codes("c2")
    assert codes.tolist() == [0, 1, 0, -1] and codes.dtype == np.int32
    assert [(v.value, v.label, v.count) for v in levels] == [("男", "男", 2), ("女", "女", 1)]
    assert table.text("c4").tolist() == ["2", "3", "x", None]
    assert table.missing("c2").tolist() == [False, False, False, True]
    assert not table.numeric("c1").flags.writeable
    with pytest.raises(DataRefusal, match=r"column\.gone"):
        table.numeric("c77")


@pytest.mark.parametrize("cell", ["{}", "{}.0", "{}.5", "{}000", "2024-01-0{}", "{}万", "答{}"])
def test_small_codes_say_what_the_numbers_say(read: Import, cell: str) -> None:
    """Whatever the storage: whole numbers, decimals, dates, text; with gaps, a constant column and an empty one."""
    values = [cell.format(i % 5 + 1) if i % 7 else "" for i in range(200)]
    table = read("x,同,空\n" + "".join(f"{x},3,\n" for x in values), on_doubt="text")["table"]
    assert (table.few("c1") is not None) == (cell in ("{}", "{}.0", "2024-01-0{}"))
    for column in table.meta.columns:
        few = table.few(column.id)
        if column.storage == "text":
            assert few is None
            continue
        numbers = table.numeric(column.id)
        if few is not None:
            assert np.array_equal(few.numbers(), numbers, equal_nan=True)
        unread = Table(table.meta, table.source)
        assert unread.missing(column.id).tolist() == np.isnan(numbers).tolist()


def test_declared_missing_codes_are_missing_among_small_codes(stored: dict[str, Any], keys: Callable[[], str]) -> None:
    numbers = stored["table"].with_meta(stored["table"].meta)
    column = numbers.column("c3")
    coded = msgspec.structs.replace(column, missing=Missing(values=[99]))
    meta = msgspec.structs.replace(numbers.meta, columns=[coded if c.id == "c3" else c for c in numbers.meta.columns])
    table = numbers.with_meta(meta)
    few = table.few("c3")
    assert few is not None and few.numbers()[[0, 3]].tolist() == [18, 25] and few.codes[[1, 2]].tolist() == [0, 0]
    assert table.missing("c3").tolist() == [False, True, True, False]


def test_ordered_words_are_found(stored: dict[str, Any]) -> None:
    column = stored["table"].meta.column("c5")
    assert column.ordered and [level.value for level in column.levels or []] == ["专科", "本科", "硕士"]
    assert word_order(["26-35岁", "18岁以下", "18-25岁", "36岁以上"]) == ["18岁以下", "18-25岁", "26-35岁", "36岁以上"]
    assert word_order(["甲", "乙", "丙"]) is None
    assert word_order(["北京1-2", "上海", "3-4"]) is None


def test_cells_on_disk_are_small_and_a_float_column_is_not_copied(read: Import) -> None:
    table = read("x,g,n\n" + "".join(f"{i / 7!r},{'甲乙'[i % 2]},{i % 5}\n" for i in range(1000)))["table"]
    assert table.array("c2").type == pa.dictionary(pa.int8(), pa.string())
    assert table.array("c3").type == pa.int8()
    values = table.array("c1")
    address = values.buffers()[1].address
    assert table.numeric("c1").__array_interface__["data"][0] == address


def test_renaming_changes_no_number(read: Import) -> None:
    first = read("a,b\n1,x\n2,y\n")["table"]
    second = read('"b","男, 女"\n1,x\n2,y\n')["table"]
    assert np.array_equal(first.numeric("c1"), second.numeric("c1"))
    assert first.codes("c2")[0].tolist() == second.codes("c2")[0].tolist()


# -- storage -----------------------------------------------------------------------------------------------------------


def test_the_cache_is_made_again_and_damage_is_noticed(stored: dict[str, Any]) -> None:
    folder = store.table_path(stored["key"])
    before = stored["table"].text("c2").tolist()
    (folder / "data.arrow").unlink()
    assert Table.open(stored["key"]).text("c2").tolist() == before
    (folder / "data.arrow").unlink()
    parquet = folder / "data.parquet"
    content = bytearray(parquet.read_bytes())
    content[len(content) // 3] ^= 1
    parquet.write_bytes(bytes(content))
    with pytest.raises(DataRefusal, match=r"table\.damaged"):
        Table.open(stored["key"])


@pytest.mark.parametrize("key", ["", "t_1", "../../etc", "t_" + "0" * 31 + "/", "u_" + "0" * 32, "t_" + "A" * 32])
def test_only_keys_become_paths(home: Path, key: str) -> None:
    with pytest.raises(DataRefusal, match=r"key\.invalid"):
        store.table_path(key)


def test_a_table_that_is_gone(home: Path) -> None:
    with pytest.raises(DataRefusal, match=r"table\.gone"):
        Table.open("t_" + "f" * 32)


def test_without_a_server(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(CSV, encoding="gb18030")
    table = open_file(tmp_path / "a.csv")
    assert table.rows == 4 and table.codes("c2")[1][0].label == "男"


# -- pages -------------------------------------------------------------------------------------------------------------


def test_pages(stored: dict[str, Any]) -> None:
    second = page(stored["table"], 1, 2, ["c1", "c2", "c3"])
    assert second == {"total": 4, "rows": [[2, "女", 99], [3, "男", None]], "index": [1, 2], "odd": []}
    assert page(stored["table"], 9, 5)["rows"] == []
    with pytest.raises(DataRefusal):
        page(stored["table"], 0, 501)


def test_sorting_is_stable_with_missing_last(stored: dict[str, Any]) -> None:
    table: Table = stored["table"]
    assert page(table, 0, 9, ["c1"], [{"column": "c3"}])["index"] == [0, 3, 1, 2]
    assert page(table, 0, 9, ["c1"], [{"column": "c3", "desc": True}])["index"] == [1, 3, 0, 2]
    assert page(table, 0, 9, ["c1"], [{"column": "c5"}])["index"] == [2, 0, 3, 1], "by the order of levels"
    assert page(table, 0, 9, ["c1"], [{"column": "c5"}, {"column": "c1", "desc": True}])["index"] == [2, 3, 0, 1]


def test_an_order_is_kept_beside_a_long_table(read: Import, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "KEEP_FROM", 10)
    answer = read("x,g\n" + "".join(f"{(i * 7919) % 1000},{'甲乙丙'[i % 3]}\n" for i in range(1000)))
    table: Table = answer["table"]
    first = page(table, 0, 5, ["c1"], [{"column": "c1"}])
    assert (store.table_path(answer["key"]) / "order-c1-a.npy").exists()
    assert first == page(table, 0, 5, ["c1"], [{"column": "c1"}])
    assert [row[0] for row in first["rows"]] == [0, 1, 2, 3, 4]
    kept = page(table, 0, 3, ["c1"], [{"column": "c1", "desc": True}], '{c2} = "甲"')
    assert kept["total"] == 334 and kept["rows"] == sorted(kept["rows"], reverse=True)


def test_find_looks_at_cells_and_labels(stored: dict[str, Any]) -> None:
    table: Table = stored["table"]
    assert page(table, 0, 9, None, None, None, "女")["index"] == [1]
    assert page(table, 0, 9, ["c1"], None, None, "女")["total"] == 1, "whatever columns the page shows"
    assert page(table, 0, 9, None, None, None, "na")["index"] == [2], "the original text of a missing cell"


def test_cells_read_otherwise_than_written_are_told_and_found(read: Import) -> None:
    text = 'n,m\n1,a\n"1,234",b\nNA,c\nx,7\n5,8\n6,9\n'
    key = read(text, answers={"c1": "thousands"})["key"]
    page = pages.rows(key, {"limit": 10})
    assert [row[0] for row in page["rows"]] == [1, 1234, None, None, 5, 6]
    assert page["odd"] == [[1, "c1", "1,234"], [3, "c1", "x"]]  # NA is known to mean nothing
    assert pages.rows(key, {"limit": 2, "offset": 3})["odd"] == [[0, "c1", "x"]]
    found = pages.find(key, {"odd": True, "row": 2})
    assert found == {"total": 2, "before": 1, "row": 3, "columns": ["c1"]}
    down = [{"column": "c1", "desc": True}]
    assert pages.find(key, {"odd": True, "sort": down})["row"] == 0
    made = edits.edit(key, {"table": "t_" + "e" * 32, "columns": [{"id": "c2", "measure": "定量"}]})
    assert made["warnings"] and pages.rows("t_" + "e" * 32, {"columns": ["c2"]})["odd"] == [
        [0, "c2", "a"],
        [1, "c2", "b"],
        [2, "c2", "c"],
    ]


def test_dates_with_the_year_last_are_asked_about_when_declared(read: Import, keys: Callable[[], str]) -> None:
    stored = read("d,e\n03/04/2024,13/04/2024\n05/06/2023,05/06/2023\nx,y\n", on_doubt="text")
    assert [column.storage for column in stored["table"].meta.columns] == ["text", "text"]
    with pytest.raises(DataRefusal, match=r"edit\.date_order") as caught:
        edited(stored, keys, {"id": "c1", "measure": "时间"})
    assert caught.value.facts["orders"] == ["mdy", "dmy"] and "月/日/年 还是 日/月/年" in caught.value.text
    asked = {"id": "c1", "measure": "时间", "date_order": "mdy"}
    mine = keys()
    changes = [asked, {"id": "c2", "measure": "时间", "date_order": "mdy"}]
    meta, table = edits.edit(stored["key"], {"table": mine, "columns": changes}), Table.open(mine)
    assert [column.storage for column in table.meta.columns] == ["date", "date"]
    # Only one order reads the second column, whatever was answered for the first.
    shown = [(str(a)[:10], str(b)[:10]) for a, b in page(table, 0, 2)["rows"]]
    assert shown == [("2024-03-04", "2024-04-13"), ("2023-05-06", "2023-06-05")]
    assert len(meta["warnings"]) == 2
    edits.edit(mine, {"table": (key := keys()), "columns": [{"id": "c1", "measure": "文本"}]})
    assert Table.open(key).text("c1")[0] == "03/04/2024"


def test_finding_goes_round_the_view(stored: dict[str, Any]) -> None:
    def find(**body: Any) -> dict[str, Any]:
        return pages.find(stored["key"], body)

    assert find(text="男", row=0) == {"total": 2, "before": 0, "row": 0, "columns": ["c2"]}
    assert find(text="男", row=1)["row"] == 2
    assert find(text="男", row=3)["row"] == 0, "on past the end at the beginning"
    assert find(text="男", row=-1, back=True)["row"] == 2
    assert find(text="男", row=2, back=True)["before"] == 1
    assert find(text="男", row=0, sort=[{"column": "c1", "desc": True}])["row"] == 1, "places in the view"
    assert find(text="男", row=0, condition="{c1} > 1") == {"total": 1, "before": 0, "row": 1, "columns": ["c2"]}
    assert find(text="不在", row=0)["row"] is None
    assert find(text="na", row=0)["columns"] == ["c3"]


def test_a_row_is_found_again_in_another_view(stored: dict[str, Any]) -> None:
    def place(**body: Any) -> int | None:
        found: int | None = pages.find(stored["key"], body)["row"]
        return found

    assert place(number=2) == 2
    assert place(number=2, text="男") == 1, "among the rows that the text leaves"
    assert place(number=2, condition="{c1} > 1") == 1
    assert place(number=0, sort=[{"column": "c1", "desc": True}]) == 3
    assert place(number=1, text="男") is None


def test_counts_and_faulty_conditions(stored: dict[str, Any]) -> None:
    assert pages.count(stored["key"], {"condition": '{c2} = "男"'}) == {"count": 2, "rows": 4}
    assert pages.count(stored["key"], {"condition": None}) == {"count": 4, "rows": 4}
    with pytest.raises(DataRefusal) as caught:
        pages.rows(stored["key"], {"condition": "{c2} = 1"})
    assert caught.value.code == "formula.type" and caught.value.facts["at"] == 5


# -- edits -------------------------------------------------------------------------------------------------------------


def edited(stored: dict[str, Any], keys: Callable[[], str], *changes: dict[str, Any]) -> tuple[Table, dict[str, Any]]:
    key = keys()
    meta = edits.edit(stored["key"], {"table": key, "columns": list(changes)})
    return Table.open(key), meta


def test_a_type_change_never_loses_text(stored: dict[str, Any], keys: Callable[[], str]) -> None:
    table, meta = edited(stored, keys, {"id": "c4", "measure": "定量"})
    assert meta["data"] == stored["key"]
    assert meta["warnings"][0]["text"].startswith("“备注”有 1 个单元格不是数字，将作缺失")
    assert table.numeric("c4")[:2].tolist() == [2, 3] and np.isnan(table.numeric("c4")[2:]).all()
    assert table.meta.column("c4").profile.mean == 2.5
    assert page(table, 0, 3, ["c4"])["rows"] == [[2], [3], [None]]
    back = keys()
    edits.edit(meta_key(table), {"table": back, "columns": [{"id": "c4", "measure": "文本"}]})
    assert Table.open(back).text("c4").tolist() == ["2", "3", "x", None]
    assert stored["table"].meta.column("c4").measure == Table.open(stored["key"]).meta.column("c4").measure


def meta_key(table: Table) -> str:
    assert table.folder is not None
    return table.folder.name


def test_missing_codes_levels_and_names(stored: dict[str, Any], keys: Callable[[], str]) -> None:
    table, meta = edited(
        stored,
        keys,
        {"id": "c3", "missing": {"values": [99], "ranges": []}, "unit": "岁", "label": "周岁"},
        {"id": "c2", "levels": [{"value": "女", "label": "女性"}, {"value": "男", "label": ""}]},
        {"id": "c1", "name": "号"},
    )
    assert meta["warnings"] == []
    assert table.meta.column("c3").profile.n == 2 and table.meta.column("c3").unit == "岁"
    codes, levels = table.codes("c2")
    assert codes.tolist() == [1, 0, 1, -1] and [v.label for v in levels] == ["女性", "男"]
    assert page(table, 1, 1, ["c3"])["rows"] == [[99]], "the grid still shows the code"
    assert page(table, 0, 9, None, None, None, "女性")["index"] == [1]


@pytest.mark.parametrize(
    "change",
    [
        {"id": "c1", "name": "性别"},
        {"id": "c1", "name": " "},
        {"id": "c1", "measure": "定比"},
        {"id": "c9", "name": "x"},
        {"id": "c1", "path": "/etc"},
        {"id": "c3", "missing": {"ranges": [{"low": 3, "high": 1}]}},
        {"id": "c2", "levels": [{"value": "男", "label": "a"}, {"value": "男", "label": "b"}]},
    ],
)
def test_impossible_edits_are_refused(stored: dict[str, Any], keys: Callable[[], str], change: dict[str, Any]) -> None:
    key = keys()
    with pytest.raises(DataRefusal):
        edits.edit(stored["key"], {"table": key, "columns": [change]})
    assert not store.table_path(key).exists()


def test_converted_cells_show_their_text_when_declared_text(read: Import, keys: Callable[[], str]) -> None:
    stored = read('x,y\n"1,234.5",a\n2,b\nNA,c\n', answers={"c1": "thousands"})
    table, _ = edited(stored, keys, {"id": "c1", "measure": "文本"})
    assert table.text("c1").tolist() == ["1,234.5", "2", "NA"]


# -- appended columns --------------------------------------------------------------------------------------------------


def test_columns_kept_and_appended(stored: dict[str, Any], keys: Callable[[], str]) -> None:
    kept, joined = keys(), keys()
    append.write_columns(
        kept, {"预测": np.array([1.5, np.nan, 2, 3]), "年龄": np.array(["a", None, "b", "a"], dtype=object)}
    )
    meta = append.append(stored["key"], {"table": joined, "from": kept})
    assert [(c["id"], c["name"]) for c in meta["columns"][5:]] == [("c6", "预测"), ("c7", "年龄_2")]
    table = Table.open(joined)
    assert table.numeric("c6")[[0, 2]].tolist() == [1.5, 2] and table.text("c7").tolist() == ["a", None, "b", "a"]
    assert table.text("c2").tolist() == stored["table"].text("c2").tolist()
    assert table.raw("c3").to_pylist() == [None, None, "NA", None]


def test_columns_of_another_length_are_refused(stored: dict[str, Any], keys: Callable[[], str]) -> None:
    kept = keys()
    append.write_columns(kept, {"x": np.array([1.0])})
    with pytest.raises(DataRefusal, match=r"append\.rows"):
        append.append(stored["key"], {"table": keys(), "from": kept})


def test_meta_survives_the_wire(stored: dict[str, Any]) -> None:
    meta = stored["table"].meta
    assert type(meta).from_json(meta.to_json()) == meta
    wire = meta.wire()
    assert set(wire) == {"data", "rows", "columns", "import", "sha256"}
    assert "physical" not in wire["columns"][0]


@pytest.mark.parametrize(
    "ranks",
    [
        np.array([], dtype=np.int64),
        np.array([3.0, np.inf, -0.0, 0.0, 3.0, -1.0, np.inf]),
        np.random.default_rng(5).normal(size=3000),
        np.random.default_rng(5).integers(0, 40, 3000).astype(np.float64),
        np.random.default_rng(5).integers(-30_000, 30_000, 3000),
        np.random.default_rng(5).integers(0, 2**40, 3000) // 2**33,
        np.arange(100_000)[::-1],
    ],
)
def test_a_quick_order_keeps_equal_rows_in_theirs(ranks: npt.NDArray[Any]) -> None:
    assert np.array_equal(stable_order(ranks), np.argsort(ranks, kind="stable"))


def test_cells_are_picked_from_pieces_in_any_order() -> None:
    column = pa.chunked_array([[1, 2, None], [], [4], [5, 6]])
    rows = np.array([5, 0, 3, 2, 0, 4])
    assert picked(column, rows) == column.take(pa.array(rows)).to_pylist()
    assert picked(column, np.array([4, 5])) == [5, 6]
    assert picked(column, np.array([], dtype=np.int64)) == []
