"""What a run keeps beside its report, and a saved model met again: written, signed, drafted, predicted, asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hengxi.contract.refusal import Refusal
from hengxi.data import models, store
from hengxi.data.append import write_columns
from hengxi.jobs import artifacts
from hengxi.jobs.analysis import draft, plain, run_analysis

pytestmark = pytest.mark.slow

TRAIN = "supervised_learning/classifier/random_forest"
PREDICT = "supervised_learning/classifier/classifier_predict"
DATA, COLUMNS, TABLE = ("t_" + c * 32 for c in "123")
MODEL = "m_" + "4" * 32
FOLDERS = {"kept": COLUMNS, "kept_table": TABLE, "kept_model": MODEL}


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HENGXI_DATA", str(tmp_path))
    monkeypatch.setenv("HENGXI_MODEL_KEY", "s" * 64)
    artifacts._read.cache_clear()
    rng = np.random.default_rng(2)
    x, sex = rng.normal(size=60), rng.choice(["男", "女"], 60).astype(object)
    y = np.where(x + rng.normal(size=60) > 0, "是", "否").astype(object)
    write_columns(DATA, {"分数": x, "性别": sex, "流失": y})


def elements(**more: Any) -> list[dict[str, Any]]:
    form = {"y": "c3", "x": ["c1", "c2"], "n_estimators": 10, "cv_folds": 0, **more}
    report = plain(run_analysis({"path": TRAIN, "form": form, "table": DATA, **FOLDERS})["report"])
    made: list[dict[str, Any]] = report["parts"][0]["elements"]
    return made


def train(**more: Any) -> dict[str, Any]:
    return {one["type"]: one for one in elements(**more)}


def handle(element: dict[str, Any]) -> dict[str, Any]:
    return {"model_id": 8, "name": "流失", "key": element["kept"], "sha256": element["sha256"]}


def question(model: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"path": PREDICT, "form": {"model": {"model_id": 8}, **more}, "table": DATA, "models": {"model": model}}


def test_a_model_and_its_files_are_written_where_the_server_said() -> None:
    made = elements()
    model = next(one for one in made if one["type"] == "model")
    assert model["kept"] == MODEL and model["bytes"] > 0
    assert models.read(MODEL, model["sha256"])[0].method == "随机森林分类"
    starts = {".csv": b"\xef\xbb\xbf", ".xlsx": b"PK\x03\x04"}
    files = [one for one in made if one["type"] == "file"]
    assert [Path(one["file_name"]).suffix for one in files] == list(starts)
    for one, start in zip(files, starts.values(), strict=True):
        file = store.table_path(COLUMNS) / "files" / one["file_id"]
        assert file.read_bytes().startswith(start) and file.stat().st_size == one["bytes"]
    assert "model" not in train(save_model=False)


def test_a_prediction_names_its_columns_and_keeps_a_table_when_asked() -> None:
    model = handle(train()["model"])
    judged = draft(question(model))
    assert judged["fields"] == [] and judged["resolved"]["model"] == {
        "model_id": 8, "columns": {"x1": "c1", "x2": "c2"}, "target": "c3",
    }  # fmt: skip
    report = plain(
        run_analysis(question(model, append=True) | {"kept": "t_" + "5" * 32, "kept_table": TABLE})["report"]
    )
    made = [one for one in report["parts"][0]["elements"] if one["type"] == "data"]
    assert [one["table"] for one in made] == [False, True] and made[1]["kept"] == TABLE
    assert (store.table_path(TABLE) / "meta.json").is_file()
    # Two models are two results, and a model is another result than none.
    assert draft(question({**model, "model_id": 9}))["key"] != judged["key"]


def test_a_model_that_was_changed_is_a_fault_of_its_field() -> None:
    model = handle(train()["model"])
    file = store.model_path(MODEL) / "arrays.npz"
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    faults = draft(question(model))["fields"]
    assert [(one["field"], one["code"]) for one in faults] == [("model", "model.damaged")]


def test_a_model_of_other_libraries_must_be_trained_again(monkeypatch: pytest.MonkeyPatch) -> None:
    model = handle(train()["model"])
    monkeypatch.setattr(artifacts, "libraries", lambda: {"scikit-learn": "9.0.0", "numpy": "9.0.0"})
    (fault,) = draft(question(model))["fields"]
    assert fault["code"] == "model.version" and "请重新训练" in fault["text"]


def test_typed_cases_are_answered_or_told_why_not() -> None:
    model = handle(train()["model"])
    cases: list[dict[str, Any]] = [
        {"x1": 0.5, "x2": "男"},
        {"x1": 0.5},
        {"x1": "多", "x2": "男"},
        {"x1": 1, "x2": "无"},
    ]
    answer = artifacts.answer({"model": model, "cases": cases})
    first, *others = answer["rows"]
    assert set(answer["classes"]) == {"是", "否"}
    assert first["value"] in ("是", "否") and sum(first["probabilities"]) == pytest.approx(1)
    assert [one["status"] for one in others] == ["请填写“性别”", "“分数”须填数值", "“性别”没有取值“无”"]


@pytest.mark.parametrize("key", ["xgboost", "lightgbm"])
def test_a_model_that_takes_gaps_answers_them(key: str) -> None:
    form = {"y": "c3", "x": ["c1", "c2"], "n_estimators": 5, "cv_folds": 0, "shap": False}
    path = f"supervised_learning/classifier/{key}"
    report = plain(run_analysis({"path": path, "form": form, "table": DATA, **FOLDERS})["report"])
    made = next(one for one in report["parts"][0]["elements"] if one["type"] == "model")
    cases: list[dict[str, Any]] = [{"x1": 0.5, "x2": "男"}, {"x1": 0.5}, {}]
    answer = artifacts.answer({"model": handle(made), "cases": cases})
    assert [row["status"] for row in answer["rows"]] == [None] * 3
    assert all(sum(row["probabilities"]) == pytest.approx(1) for row in answer["rows"])


def test_without_a_secret_the_report_stands_and_no_model_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HENGXI_MODEL_KEY")
    assert train()["model"]["kept"] is None


def test_a_form_without_its_model_is_refused() -> None:
    with pytest.raises(Refusal) as caught:
        run_analysis({"path": PREDICT, "form": {}, "table": DATA, "models": {"model": None}})
    assert caught.value.code == "model.required"
