"""The platform around `run`: filter, split, weights, missing, each, fills, kept columns; the account of rows."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from hengxi.contract import Refusal, layout
from hengxi.contract.form import SEED
from hengxi.data import row_pages
from hengxi.data.build import table_of
from hengxi.data.table import Table
from hengxi.jobs.analysis import analyse, plain, run_analysis
from hengxi.jobs.validation import Request, draft, identity, judge
from tests.support.toy import PATH, Toy, toys  # noqa: F401

pytestmark = pytest.mark.usefixtures("toys")


@pytest.fixture(scope="module")
def table() -> Table:
    return table_of(
        {
            "y": [1.0, 2.0, 3.0, 4.0, None, 6.0, 7.0, 8.5],
            "g": ["a", "b", "a", "b", "a", "b", None, "c"],
            "w": [1, 2, 0, 1, 1, None, 3, 1],
            "z": [1.5, None, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5],
            "flat": [2.5] * 8,
        },
        {"w": "定量", "flat": "定量"},
    )


def run(table: Table, path: str = PATH, **request: Any) -> dict[str, Any]:
    return plain(analyse(Request.read({"path": path, **request}), table, strict=True))


def rows(report: dict[str, Any], part: int = 0, name: str = "result") -> list[list[Any]]:
    return next(e for e in report["parts"][part]["elements"] if e.get("name") == name)["rows"]


def refused(table: Table, **request: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        run(table, **request)
    return caught.value


def test_rows_with_a_gap_in_a_named_column_fall_out_and_are_accounted_for(table: Table) -> None:
    report = run(table, form={"y": ["c1", "c4"]})
    assert rows(report)[0][1] == 6
    assert report["sample"] == {
        "file": 8,
        "filter": 8,
        "weight": 8,
        "missing": 6,
        "used": 6,
        "weighted": None,
        "why": [
            {"column": "c1", "name": "y", "rows": 1, "reason": None},
            {"column": "c4", "name": "z", "rows": 1, "reason": None},
        ],
        "columns": ["c1", "c4"],
        "chosen": None,
        "either": None,
    }
    assert report["roles"]["y"][0] == {"id": "c1", "name": "y", "label": None, "measure": "定量"}


def test_a_filter_keeps_only_rows_that_surely_match(table: Table) -> None:
    report = run(table, form={"y": ["c4"]}, filter="{c1} > 2")
    assert report["sample"]["filter"] == 5
    assert report["filter"] == {"condition": "{c1} > 2", "filter_type": "keep", "text": "y > 2"}
    dropped = run(table, form={"y": ["c4"]}, filter={"condition": "{c1} > 2", "filter_type": "drop"})
    assert dropped["sample"]["filter"] == 3  # the row whose y is missing is not dropped


def test_a_filter_that_keeps_nothing_says_so(table: Table) -> None:
    assert refused(table, form={"y": ["c1"]}, filter="{c1} > 100").code == "data.filtered"


def test_too_few_rows_mark_the_boxes_that_lost_them_and_say_what_to_do() -> None:
    made = table_of(
        {"y": [1.5, None, None, None, 5.5], "z": [None, 2.5, 3.5, 4.5, 6.5], "w": [1, 1, 1, 1, 1], "g": list("abaab")},
        {"w": "定量"},
    )
    few = refused(made, form={"y": ["c1", "c2"], "weight": "c3"})
    text = "有效样本只有 1 行，“玩具”至少需要 2 行；“y”缺失 3 行，请换一个变量或先处理缺失"
    assert [(one.field, one.text) for one in few.faults] == [("y", text)]
    strict = refused(made, form={"y": ["c1"], "group": "c4"}, filter="{c1} > 3")
    assert [one.field for one in strict.faults] == ["_filter"]
    assert strict.text.endswith("；筛选去掉了 4 行，请放宽条件")
    both = refused(made, form={"y": ["c1"]}, filter="{c1} > 3 or {c2} < 3")
    assert [one.field for one in both.faults] == ["y", "_filter"]
    report = run(made, form={"y": ["c2"]}, split={"column": "c4", "total": False})
    assert [part["refusal"] and part["refusal"]["fields"][0]["field"] for part in report["parts"]] == [None, None]
    part = run(made, form={"y": ["c1"]}, split={"column": "c4"})["parts"][0]["refusal"]["fields"]
    assert [(one["field"], one["text"].split("；")[1]) for one in part] == [
        ("y", "“y”缺失 2 行，请换一个变量或先处理缺失")
    ]


def test_what_was_not_analysed_is_called_by_its_name() -> None:
    made = table_of({"g": ["a", "a", "b", "b"] * 3, "v": [1.5, 2.5, 3.5, 5.5] * 3, "u": [2.5, 2.5, None, None] * 3})
    form = {"group": "c1", "variables": ["c2", "c3"]}
    report = run(made, path="hypothesis_test/independent_t_test", form=form)
    [said] = [one for one in report["parts"][0]["elements"] if "没有分析" in str(one.get("text"))]
    assert said["facts"]["name"] == "u"


def test_each_group_is_a_part_and_all_together_come_last(table: Table) -> None:
    report = run(table, form={"y": ["c1"]}, split={"column": "c2", "levels": ["a", "b"], "total": True})
    groups = [(part["group"]["label"], part["group"]["total"], part["sample"]["used"]) for part in report["parts"]]
    assert groups == [("a", False, 2), ("b", False, 3), ("合计", True, 5)]
    assert report["sample"]["used"] == 5


def test_rows_in_no_group_are_accounted_for_as_such_and_not_as_filtered(table: Table) -> None:
    whole = run(table, form={"y": ["c1"]}, split={"column": "c2"})["sample"]
    assert (whole["file"], whole["filter"], whole["used"]) == (8, 8, 6)
    assert [(one["name"], one["rows"], one["reason"]) for one in whole["why"]] == [("g", 1, None), ("y", 1, None)]
    some = run(table, form={"y": ["c1"]}, split={"column": "c2", "levels": ["a", "b"]}, filter="{c4} > 2")["sample"]
    assert (some["filter"], some["used"]) == (6, 3)
    assert [one["reason"] for one in some["why"] if one["name"] == "g"] == ["“g”缺失或不在所选各组"]


def test_a_refusal_stays_in_its_part(table: Table) -> None:
    report = run(table, form={"y": ["c1"]}, split={"column": "c2", "total": False})
    states = [part["refusal"] and part["refusal"]["fields"][0]["code"] for part in report["parts"]]
    assert states == [None, None, "data.few"]  # group c has one row
    with pytest.raises(Refusal, match="没有变异"):
        run(table, form={"y": ["c5"]}, split={"column": "c2"})


def test_more_than_thirty_groups_are_refused(table: Table) -> None:
    many = table_of({"y": [float(i) + 0.5 for i in range(62)], "k": [f"组{i // 2}" for i in range(62)]})
    found = refused(many, form={"y": ["c1"]}, split={"column": "c2"})
    assert found.code == "split.many" and "31" in found.text


def test_the_active_weight_goes_into_its_box_and_drops_rows_without_weight(table: Table) -> None:
    report = run(table, form={"y": ["c1"]}, weight={"column": "c3", "kind": "frequency"})
    assert report["form"]["weight"] == "c3"
    assert report["sample"] | {"why": []} == {
        "file": 8,
        "filter": 8,
        "weight": 6,
        "missing": 5,
        "used": 5,
        "weighted": 8.0,
        "why": [],
        "columns": ["c3", "c1"],
        "chosen": None,
        "either": None,
    }
    assert report["sample"]["why"][0]["reason"] == "权重缺失或为 0"
    assert report["weight"] == {"column": "c3", "name": "w", "kind": "frequency"}


def test_null_in_the_box_means_no_weight(table: Table) -> None:
    report = run(table, form={"y": ["c1"], "weight": None}, weight={"column": "c3", "kind": "frequency"})
    assert report["weight"] is None and report["sample"]["used"] == 7


def test_a_weight_of_another_kind_is_refused_with_the_way_out(table: Table) -> None:
    found = refused(table, form={"y": ["c1"]}, weight={"column": "c3", "kind": "sampling"})
    fault = found.faults[0]
    assert fault.code == "weight.kind" and "抽样权重" in fault.text
    assert fault.remedies[0].set == {"_weight": None}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("weights", "code", "words"),
    [
        ([1, -2, 1], "weight.negative", "第 2 行为 -2"),
        ([1, 0.5, 1], "weight.whole", "第 2 行为 0.5"),
        ([0, 0, 0], "weight.zero", "之和为 0"),
        (["一", "二", "三"], "weight.text", "文字"),
    ],
)
def test_weights_that_cannot_be_are_refused(weights: list[Any], code: str, words: str) -> None:
    table = table_of({"y": [1.0, 2.5, 4.0], "w": weights})
    found = refused(table, form={"y": ["c1"], "weight": "c2"})
    assert found.code == code and words in found.text


@pytest.mark.parametrize(
    ("condition", "code", "field"),
    [("{c1} = 3 or {c1} = 6", "weight.zero", "weight"), ("{c1} = 99", "data.filtered", "_filter")],
)
def test_what_leaves_no_row_is_named_the_weight_or_the_filter(
    table: Table, condition: str, code: str, field: str
) -> None:
    found = refused(table, form={"y": ["c1"], "weight": "c3"}, filter=condition)
    assert (found.code, found.faults[0].field) == (code, field)


def test_a_weight_that_is_wrong_only_in_rows_left_out_is_no_hindrance() -> None:
    table = table_of({"y": [1.0, 2.5, 4.0, 6.0], "w": [1, -2, 1, 2]})
    report = run(table, form={"y": ["c1"], "weight": "c2"}, filter="{c2} > 0")
    assert report["sample"]["used"] == 3


def test_a_negative_weight_behind_a_filter_is_named_by_its_row() -> None:
    from hengxi.jobs.rows import Rows  # noqa: F401
    from hengxi.jobs.weighting import Acting, judge_values

    with pytest.raises(Refusal, match="第 6 行为 -2"):
        judge_values(Acting("w", "c2", "frequency", True), "w", np.array([1.0, -2.0]), np.array([2, 5]))


def test_gaps_are_filled_only_when_asked_and_said_so(table: Table) -> None:
    report = run(table, form={"y": ["c1"], "group": "c2"} | {"pair": ["a", "b"]}, fill_missing=1)
    assert report["sample"]["used"] == 8 and report["fill_missing"] is True
    texts = [e for e in report["parts"][0]["elements"] if e["type"] == "warning"]
    assert [(e["facts"]["name"], e["facts"]["n"]) for e in texts] == [("y", 1), ("g", 1)]
    mean = np.nanmean([1.0, 2.0, 3.0, 4.0, np.nan, 6.0, 7.0, 8.5])
    assert rows(report)[0][2] == pytest.approx(mean)


def test_each_variable_keeps_its_own_rows_and_one_refused_becomes_a_warning() -> None:
    table = table_of({"a": [1.0, 2.0, None, 4.5], "b": [1.5, 2.0, 3.0, 4.0], "c": [1.5, None, None, 2.5]})
    report = run(table, path="descriptive/each", form={"y": ["c1", "c2", "c3"]})
    assert [row[:2] for row in rows(report)] == [["a", 3], ["b", 4]]
    warning = next(e for e in report["parts"][0]["elements"] if e["type"] == "warning")
    assert warning["facts"]["name"] == "c" and warning["columns"] == ["c3"]
    leads = [e for e in report["parts"][0]["elements"] if e["type"] == "lead"]
    assert len(leads) == 1 and leads[0]["text"] == "均值 {m:num}。\n均值 {m_2:num}。"
    notes = [e for e in report["parts"][0]["elements"] if e.get("about")]
    assert len(notes) == 1
    with pytest.raises(Refusal, match="c"):
        run(table, path="descriptive/each", form={"y": ["c3"]})


def test_the_heading_names_the_variables_as_far_as_a_line_holds_them() -> None:
    table = table_of({f"v{i}": [1.0, 2.0, 4.5, float(i)] for i in range(1, 6)})
    headings = {
        n: run(table, path="descriptive/each", form={"y": [f"c{i}" for i in range(1, n + 1)]}) for n in (1, 2, 5)
    }
    assert {n: report["title"] for n, report in headings.items()} == {
        1: "v1的均值",
        2: "v1、v2的均值",
        5: "v1、v2、v3等 5 个变量的均值",
    }


def test_what_stands_in_the_way_of_all_variables_is_said_once(table: Table) -> None:
    path = "hypothesis_test/independent_t_test"
    with pytest.raises(Refusal) as caught:
        run(table, path=path, form={"group": "c2", "variables": ["c1", "c4"]})
    assert [(fault.field, fault.code) for fault in caught.value.faults] == [("groups", caught.value.code)]


def test_chance_comes_from_the_seed_alone() -> None:
    table = table_of({"a": [1.0, 2.0, 3.5, 4.0], "b": [1.5, 2.0, 3.0, 4.0]})
    first = run(table, path="descriptive/each", form={"y": ["c1", "c2"]})
    assert first["seed"] == SEED and first["form"]["seed"] == SEED
    assert rows(first)[0][3] == rows(first)[1][3]
    other = run(table, path="descriptive/each", form={"y": ["c1"], "seed": 7})
    assert other["seed"] == 7 and rows(other)[0][3] != rows(first)[0][3]


def test_too_many_rows_for_the_plan_are_refused(table: Table) -> None:
    assert refused(table, form={"y": ["c1"]}, rows_limit=5).code == "data.rows"
    assert run(table, form={"y": ["c1"]}, rows_limit=5, filter="{c1} > 2")["sample"]["filter"] == 5


def test_columns_made_are_told_for_all_rows_of_the_version(table: Table) -> None:
    report = run(table, form={"y": ["c1"], "name": "得分"})
    data = next(e for e in report["parts"][0]["elements"] if e["type"] == "data")
    assert (data["rows"], data["changed"], data["vid"], data["kept"]) == (8, 7, None, None)
    assert data["columns"][0]["name"] == "得分" and data["preview"][0] == [2.0]
    assert "columns_made" not in data


def test_columns_made_are_written_where_a_key_was_given(
    table: Table, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HENGXI_DATA", str(tmp_path))
    key = "t_" + "a" * 32
    run(table, form={"y": ["c1"], "name": "得分"}, kept=key)
    kept = Table.open(key)
    assert kept.rows == 8
    assert np.allclose(kept.numeric("c1"), [2, 4, 6, 8, np.nan, 12, 14, 17], equal_nan=True)


def test_rows_too_many_for_the_document_are_kept_beside_it(
    table: Table, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HENGXI_DATA", str(tmp_path))
    monkeypatch.setattr(layout, "INLINE_ROWS", 1)
    key = "t_" + "b" * 32
    long = next(
        e for e in run(table, form={"y": ["c1", "c4"]}, kept=key)["parts"][0]["elements"] if e["type"] == "table"
    )
    assert (len(long["rows"]), long["more"]["rows"], "rest" in long) == (1, 2, False)
    rest = row_pages.read(key, long["more"]["file"], 0, 10)
    assert rest["total"] == 1 and rest["rows"][0][0] == "z"
    unkept = next(e for e in run(table, form={"y": ["c1", "c4"]})["parts"][0]["elements"] if e["type"] == "table")
    assert unkept["more"] == {"rows": 2, "file": None}


def test_the_key_changes_with_everything_that_changes_the_result(table: Table) -> None:
    def key(**request: Any) -> str:
        made = Request.read({"path": PATH, "form": {"y": ["c1"]}, "table": "t_" + "0" * 32, **request})
        return identity(Toy, made, judge(Toy, made, table.meta.columns))  # type: ignore[arg-type]

    base = key()
    assert key(form={"y": ["c1"], "low": 0.1}) == base  # a default said aloud
    others = [
        key(form={"y": ["c4"]}),
        key(filter="{c1} > 1"),
        key(filter={"condition": "{c1} > 1", "filter_type": "drop"}),
        key(split={"column": "c2"}),
        key(weight={"column": "c3", "kind": "frequency"}),
        key(fill_missing=1),
        key(table="t_" + "1" * 32),
    ]
    assert len({base, *others}) == 8


def test_a_setting_nobody_declared_is_refused(table: Table) -> None:
    assert refused(table, form={"y": ["c1"], "colour": 1}).code == "form.unknown"


def test_stop_and_keep_is_told() -> None:
    table = table_of({"a": [1.0, 2.0, 3.5, 4.0], "b": [1.5, 2.0, 3.0, 4.0]})
    request = Request.read({"path": "descriptive/each", "form": {"y": ["c1", "c2"]}})
    report = analyse(request, table, lambda done, of, text="", best=None: False)
    assert report.stopped


def test_categories_are_judged_again_in_the_rows_used(table: Table) -> None:
    found = refused(table, form={"y": ["c4"], "group": "c2", "pair": ["a", "b"]}, filter='{c2} = "a"')
    assert found.code == "role.levels" and "参与分析的行" in found.text


def test_a_condition_that_cannot_be_read_is_a_fault_of_the_filter(table: Table) -> None:
    found = refused(table, form={"y": ["c1"]}, filter="{c1} >")
    assert found.faults[0].field == "_filter" and found.code.startswith("formula.")


def test_an_unknown_method_is_refused(table: Table) -> None:
    assert refused(table, path="descriptive/no_such", form={}).code == "method.unknown"


def test_reports_call_a_variable_by_its_label_and_tell_equal_labels_apart() -> None:
    table = table_of({"q1": [1.0, 2.0, 3.5, 4.0], "q2": [1.5, 2.0, 3.0, 4.0], "q3": [1.5, None, None, 2.5]})
    labels = {"q1": "满意度", "q2": "满意度", "q3": "难度"}
    columns = [msgspec.structs.replace(column, label=labels[column.name]) for column in table.meta.columns]
    labelled = table.with_meta(msgspec.structs.replace(table.meta, columns=columns))
    report = run(labelled, path="descriptive/each", form={"y": ["c1", "c2", "c3"]})
    assert [row[0] for row in rows(report)] == ["满意度（q1）", "满意度（q2）"]
    warning = next(e for e in report["parts"][0]["elements"] if e["type"] == "warning")
    assert warning["facts"]["name"] == "难度"
    assert report["roles"]["y"][0] == {"id": "c1", "name": "q1", "label": "满意度", "measure": "定量"}


def test_a_method_without_data_runs_on_its_form_alone() -> None:
    path = "hypothesis_test/summary_t_test"
    form = {"type": "one_sample", "n1": 10, "mean1": 2.33, "sd1": 2.002249, "mean2": 0}
    report = run_analysis({"path": path, "form": form})["report"]
    assert report.sample.file == 0 and report.parts[0].refusal is None
    assert draft({"path": path, "form": {**form, "n1": None}})["fields"][0]["code"] == "number.required"


def test_a_method_with_data_asks_for_them() -> None:
    with pytest.raises(Refusal) as caught:
        run_analysis({"path": "descriptive/frequency", "form": {}})
    assert caught.value.code == "data.none"
