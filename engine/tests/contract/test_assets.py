"""Dictionaries and pictures in a form: what is judged from the wire, and what `run` gets."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Column, Dictionary, Form, Upload, dictionary, role, upload
from hengxi.contract.form import Judge
from hengxi.data.build import table_of


class Input(Form):
    text: Column = role("文本", "文本", min=1, max=1)
    stopwords: Dictionary | None = dictionary("停用词", kind="stopwords", builtins=("通用",), default="通用")
    labels: Dictionary = dictionary("标签组", kind="labels")
    mask: Upload | None = upload("蒙版", types=("png",), most="1MB")


TABLE = table_of({"意见": ["好", "很好", "不好"]}, {"意见": "文本"})
LABELS = {"builtin": None, "id": None, "version": None, "extra": ["好评=好"]}


def judged(assets: dict[str, Any] | None = None, **form: Any) -> tuple[dict[str, Any], list[tuple[str | None, str]]]:
    judge = Judge(Input, (), {"text": "c1", "labels": LABELS, **form}, TABLE.meta.columns, assets=assets)  # type: ignore[arg-type]
    return judge.judge(), [(fault.field, fault.code) for fault in judge.faults]


def test_null_is_the_default_and_the_version_read_is_written_down() -> None:
    resolved, faults = judged()
    assert faults == [] and resolved["stopwords"] == {"builtin": "通用", "id": None, "version": None, "extra": []}
    kept = {"id": 7, "kind": "stopwords", "name": "我的", "version": 3, "lines": ["好"]}
    resolved, faults = judged({"stopwords": kept}, stopwords={"builtin": None, "id": 7, "version": 2, "extra": [" "]})
    assert faults == [] and resolved["stopwords"] == {"builtin": None, "id": 7, "version": 3, "extra": []}


def test_what_is_gone_empty_or_of_another_kind_is_refused() -> None:
    assert judged(stopwords={"id": 7})[1] == [("stopwords", "dictionary.gone")]
    other = {"id": 7, "kind": "words", "name": "词", "version": 1, "lines": ["好"]}
    assert judged({"stopwords": other}, stopwords={"id": 7})[1] == [("stopwords", "dictionary.gone")]
    none = {"id": 7, "kind": "labels", "name": "空", "version": 1, "lines": []}
    assert judged({"labels": none}, labels={"id": 7})[1] == [("labels", "dictionary.empty")]
    assert judged(labels=None)[1] == [("labels", "dictionary.required")]
    long = {"id": 7, "kind": "stopwords", "name": "长", "version": 1, "lines": ["词"] * 100_000}
    assert judged({"stopwords": long}, stopwords={"id": 7})[1] == [("stopwords", "dictionary.line")]


def test_pictures_are_judged_by_what_they_are() -> None:
    picture = {"file_id": "u3", "mime": "image/png", "bytes": 1000, "shape": ["1"]}
    assert judged({"mask": picture}, mask={"file_id": "u3"})[1] == []
    assert judged(mask={"file_id": "u3"})[1] == [("mask", "upload.gone")]
    assert judged({"mask": {**picture, "mime": "image/jpeg"}}, mask={"file_id": "u3"})[1] == [("mask", "upload.type")]
    assert judged({"mask": {**picture, "bytes": 2**21}}, mask={"file_id": "u3"})[1] == [("mask", "upload.size")]
