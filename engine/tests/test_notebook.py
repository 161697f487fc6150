"""The engine without a server: any frame in, data frames out, wrong names answered with the nearest."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import hengxi
from hengxi import registry
from hengxi.contract.refusal import Refusal
from hengxi.notebook.names import UnknownName, nearest
from hengxi.notebook.words import filled, number

T_TEST = "hypothesis_test/independent_t_test"
ENGINE = Path(__file__).parents[1]


def people() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {"性别": ["男", "女"] * 30, "时长": rng.normal(4, 1, 60), "学历": ["本科", "高中", "硕士"] * 20}
    )
    frame.loc[::13, "时长"] = np.nan
    return frame


def oracle_cell(path: str, table: str, where: dict[str, Any], key: str) -> float:
    """A number of the first case of a method's oracle."""
    case = json.loads((registry.folder(path) / "oracle.json").read_text(encoding="utf-8"))["cases"][0]
    block = next(b for b in case["expect"] if b["table"] == table and b["where"].items() >= where.items())
    return float(block["cells"][key])


def test_a_key_or_a_title_names_the_method_and_the_numbers_are_those_of_the_oracle() -> None:
    example = registry.folder(T_TEST) / "example.csv"
    for name in (T_TEST, "independent_t_test", "独立样本t检验"):
        result = hengxi.analyse(name, example, group="补充方式", variables=["牙长"])
        rows = result.tables["result"].set_index("检验")
        want = oracle_cell(T_TEST, "result", {"test": "Welch"}, "t")
        assert rows.loc["Welch", "t"] == pytest.approx(want, rel=1e-8)


@pytest.mark.parametrize("convert", [lambda f: f, pl.from_pandas, pa.Table.from_pandas, lambda f: f.to_dict("list")])
def test_every_kind_of_frame_gives_the_same_report(convert: Any) -> None:
    wanted = hengxi.analyse(T_TEST, people(), group="性别", variables=["时长"])
    result = hengxi.analyse(T_TEST, convert(people()), group="性别", variables=["时长"])
    pd.testing.assert_frame_equal(result.tables["result"], wanted.tables["result"])
    assert result.document["sample"]["used"] == 55


def test_a_matrix_comes_by_name_with_its_layers_side_by_side() -> None:
    frame = pd.DataFrame({"甲": [1.0, 2, 3, 4], "乙": [2.0, 1, 4, 3]})
    table = hengxi.analyse("correlation", frame, variables=["甲", "乙"]).tables["matrix"]
    assert table[""].tolist() == ["甲", "乙"] and table["系数 乙"][0] == pytest.approx(0.6)


def test_what_is_no_frame_is_refused_by_type() -> None:
    with pytest.raises(TypeError, match="int"):
        hengxi.analyse(T_TEST, 3, group="性别", variables=["时长"])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: hengxi.analyse("独立样本t检", {}), "独立样本t检验"),
        (lambda: hengxi.analyse("independent_ttest", {}), "independent_t_test"),
        (lambda: hengxi.analyse(T_TEST, people(), gruop="性别", variables=["时长"]), "group"),
        (lambda: hengxi.analyse(T_TEST, people(), group="性別", variables=["时长"]), "性别"),
        (lambda: hengxi.analyse(T_TEST, people(), group="性别", variables=["时常"]), "时长"),
        (lambda: hengxi.analyse("correlation", people(), variables=["时长"], method="pearsn"), "pearson"),
        (lambda: hengxi.analyse(T_TEST, people(), group="性别", variables=["时长"], _filter="{时常} > 2"), "时长"),
        (lambda: hengxi.analyse(T_TEST, people(), group="性别", variables=["时长"], _split="学力"), "学历"),
        (lambda: hengxi.table(people(), measures={"时常": "定量"}), "时长"),
        (lambda: hengxi.help("correlaton"), "correlation"),
        (lambda: hengxi.analyse(T_TEST, people(), group="性别", variables=["时长"]).tables["效应"], "效应量"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest(call: Any, words: str) -> None:
    with pytest.raises(UnknownName, match=words):
        call()


def test_a_name_like_nothing_lists_what_there_is() -> None:
    with pytest.raises(UnknownName, match="可用的有：男、女"):
        raise hengxi.notebook.names.unknown("变量", "zzz", ["男", "女"])
    assert nearest("zzz", ["男", "女"]) == []


def test_what_a_method_refuses_is_raised_with_its_words() -> None:
    with pytest.raises(Refusal, match="两组"):
        hengxi.analyse(T_TEST, people(), group="学历", variables=["时长"])


def test_filter_split_and_weight_name_variables() -> None:
    frame = people().assign(次数=[1, 2, 3] * 20)
    form = {"group": "性别", "variables": ["时长"]}
    some = hengxi.analyse(T_TEST, frame, **form, _filter='{时长} > 3 and {学历} != "{硕士}"')
    assert some.document["sample"]["filter"] == int((frame["时长"] > 3).sum())
    parts = hengxi.analyse(T_TEST, frame, **form, _split="学历").tables["result"]
    assert list(dict.fromkeys(parts["部分"])) == ["高中", "本科", "硕士"]
    weighted = hengxi.analyse(T_TEST, frame, **form, _weight="次数").tables["descriptives"]
    assert weighted["样本量"].sum() == frame.loc[frame["时长"].notna(), "次数"].sum()
    with pytest.raises(UnknownName, match="frequency"):
        hengxi.analyse(T_TEST, frame, **form, _weight=("次数", "frequencies"))


def test_order_labels_and_measures_are_given_with_the_table() -> None:
    frame = people().assign(性别=[1, 2] * 30)
    table = hengxi.table(
        frame,
        levels={"学历": ["硕士", "高中", "本科"]},
        labels={"性别": {1: "男生", 2: "女生"}},
        measures={"性别": "定类"},
    )
    counts = hengxi.analyse("frequency", table, variables=["学历", "性别"]).tables
    cells = [str(cell) for name in counts for cell in counts[name].to_numpy().ravel()]
    assert cells.index("硕士") < cells.index("高中") < cells.index("本科") and "男生" in cells
    ordered = frame.assign(学历=pd.Categorical(frame["学历"], ["硕士", "本科", "高中"], ordered=True))
    assert [level.value for level in hengxi.table(ordered).meta.columns[2].levels or []] == ["硕士", "本科", "高中"]
    with pytest.raises(ValueError, match="数值"):
        hengxi.table(frame, measures={"时长": "数值"})


def test_a_step_returns_its_table() -> None:
    frame = pl.DataFrame({"体重": [60.0, 70.0, None], "身高": [1.6, 1.7, 1.8]})
    result = hengxi.analyse("compute_variable", frame, name="BMI", expression="{体重} / {身高} ^ 2")
    assert result.data is not None
    assert result.data["BMI"].tolist()[:2] == pytest.approx([60 / 1.6**2, 70 / 1.7**2]) and result.data["BMI"].isna()[2]
    assert hengxi.analyse(T_TEST, people(), group="性别", variables=["时长"]).data is None


def test_a_saved_model_predicts_new_rows_by_their_names() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=80), "z": rng.normal(size=80)})
    frame["y"] = np.where(frame["x"] + 0.5 * rng.normal(size=80) > 0, "是", "否")
    model = hengxi.analyse("classifier/random_forest", frame, y="y", x=["x", "z"], n_estimators=10).model
    assert model is not None and model.features == ["x", "z"]
    answers = model.predict(pd.DataFrame({"z": [0.0, 0.0], "x": [2.5, -2.5]}))
    assert answers["预测值"].tolist() == ["是", "否"]
    assert answers[["P(是)", "P(否)"]].sum(axis=1).tolist() == pytest.approx([1, 1])
    with pytest.raises(UnknownName, match="x"):
        model.predict({"z": [1.0], "x1": [1.0]})


def test_it_prints_and_shows_in_a_notebook_without_markup_of_users() -> None:
    frame = people().rename(columns={"时长": "<b>时长</b>"})
    result = hengxi.analyse(T_TEST, frame, group="性别", variables=["<b>时长</b>"])
    shown = str(result)
    assert result.lead in shown and "{" not in result.lead and "两组比较" in shown
    assert "<b>时长" not in result._repr_html_().replace("<p><b>", "<p>") and "&lt;b&gt;" in result._repr_html_()
    assert {"正态性", "方差齐性"} <= set(result.checks["检查"])


def test_numbers_in_sentences() -> None:
    assert filled("*p* {p:peq}，占 {s:percent}", {"p": 0.0004, "s": 0.25}) == "p < .001，占 25%"
    assert [number(0.0451, "peq"), number(12345, "integer"), number("inf")] == ["= .045", "12,345", "∞"]
    assert (
        number(0.9231, "percent1") == "92.3%"
        and number(1.0, "percent") == "100%"
        and number(0.05, "alpha") == ".05"
        and number(2.5, "+num") == "+2.5"
    )


def test_methods_are_searched_and_help_names_every_setting() -> None:
    assert T_TEST in set(hengxi.list_methods("t检验")["path"])
    text = hengxi.help("independent_t_test")
    assert all(key in text for key in registry.load(T_TEST).Input.fields) and "{{" not in text


def test_the_package_carries_every_file_a_method_reads() -> None:
    data = tomllib.loads((ENGINE / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = data["tool"]["setuptools"]["package-data"]["*"]
    needed = {f"*{file.suffix}" for file in registry.ROOT.rglob("*") if file.is_file()}
    assert needed - set(patterns) - {"*.py", "*.pyc", "*.R", "*.sps", "*.inp"} == set()
