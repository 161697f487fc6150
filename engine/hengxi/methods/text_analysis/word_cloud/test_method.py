"""What the word cloud refuses, how dictionaries act, and what hostile text becomes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import pytest

from hengxi.contract.assets import read_lines
from hengxi.contract.fields.dictionary import MOST_EXTRA
from hengxi.families.text.shapes import SHAPES, grid
from hengxi.families.text.tokens import LONGEST_CELL
from hengxi.prepare import run_on_frame
from hengxi.testing import Trial, cells, element, records, warnings

FRAME = pd.DataFrame({
    "意见": ["衡析平台好用，衡析平台方便", "宾馆位置方便", "旅馆早餐丰富", "酒店早餐丰富",
        "<img src=x onerror=alert(1)>"],
    "数": [3.0, 1.0, 2.0, 5.0, 1.0],
})  # fmt: skip
TRIAL = Trial("text_analysis/word_cloud", FRAME, {"text": "意见"}, {"意见": "文本", "数": "定量"})
report, refused = TRIAL.report, TRIAL.refused


def lines(*extra: str, builtin: str | None = None) -> dict[str, Any]:
    return {"builtin": builtin, "id": None, "version": None, "extra": list(extra)}


def counts(**form: Any) -> dict[str, float]:
    return {row["word"]: row["n"] for row in records(report(**form), "words")}


def test_own_words_stay_whole_synonyms_count_together_and_stop_words_are_left_out() -> None:
    assert "衡析平台" not in counts()
    found = counts(
        user_dict=lines("衡析平台"), synonyms=lines("酒店=宾馆，旅馆"), stopwords=lines("方便", builtin="通用")
    )
    assert found["衡析平台"] == 2 and found["酒店"] == 3 and "宾馆" not in found and "方便" not in found


def test_a_word_opens_its_rows_and_every_word_is_text_whatever_it_says() -> None:
    rows = records(report(), "words")
    assert next(row for row in rows if row["word"] == "早餐")["rows"] == [3, 4]
    assert {row["word"] for row in rows if row["tag"] == "英文"} == {"img", "src", "onerror", "alert"}
    assert all(row["stop"] == row["word"] == row["join"] for row in rows)


@pytest.mark.parametrize(
    ("form", "code", "words"),
    [
        ({"synonyms": lines("甲=丙", "乙=丙")}, "dictionary.conflict", "同义词“丙”同时属于两个主词"),
        ({"user_dict": lines("两个 词 不行 吧")}, "dictionary.line", "第 1 行应写成"),
        ({"stopwords": lines(*(f"词{i}" for i in range(100_000)))}, "dictionary.line", f"最多 {MOST_EXTRA:,} 行"),
        ({"stopwords": {**lines(), "id": 7}}, "dictionary.gone", "停用词表已删除"),
        ({"shape": "mask"}, "upload.required", "蒙版图片"),
        ({"shape": "mask", "mask": {"file_id": "u9"}}, "upload.gone", "请重新上传"),
    ],
)
def test_what_is_wrong_with_a_dictionary_or_a_picture_is_said(form: dict[str, Any], code: str, words: str) -> None:
    refusal = refused(**form)
    assert refusal.code == code and words in refusal.text


def with_assets(assets: Mapping[str, Any], **form: Any) -> list[dict[str, Any]]:
    made = run_on_frame(
        TRIAL.path, FRAME, {"text": "意见", **form}, measures=TRIAL.measures, strict=True, assets=assets
    )
    return list(made["parts"][0]["elements"])


def test_a_kept_dictionary_and_a_picture_reach_the_run() -> None:
    kept = {"id": 7, "kind": "stopwords", "name": "我的", "version": 3, "lines": ["早餐"]}
    picture = {"file_id": "u3", "mime": "image/png", "bytes": 900, "shape": ["0110", "1111"]}
    elements = with_assets(
        {"stopwords": kept, "mask": picture}, stopwords={"builtin": "通用", "id": 7}, shape="mask",
        mask={"file_id": "u3"},
    )  # fmt: skip
    assert "早餐" not in {row[0] for row in cells(elements, "words")}
    assert [row[0] for row in cells(elements, "frame")] == ["0110", "1111"]


def test_negative_counts_empty_texts_and_lists_of_nothing_are_refused() -> None:
    bad = FRAME.assign(数=[3.0, -1.0, 2.0, 5.0, 1.0])
    assert "第 2 行词频不是非负数" in refused(bad, freq="数").text
    assert "没有剩余词语" in refused(FRAME.assign(意见=["的", "！", "1", "的", "是"])).text
    assert "没有剩余词语" in refused(min_len=10).text
    assert "为 0" in refused(FRAME.assign(数=0.0), freq="数").text


def test_a_cell_of_a_book_is_cut_and_said() -> None:
    long = FRAME.assign(意见=["酒店" * LONGEST_CELL, *FRAME["意见"][1:]])
    elements = report(long)
    assert "data.cut" in warnings(elements)
    assert next(row for row in records(elements, "words") if row["word"] == "酒店")["n"] == LONGEST_CELL // 2 + 1


def test_one_word_alone_is_a_cloud() -> None:
    elements = report(FRAME.assign(意见=["酒店"] * 5), weight="textrank")
    assert cells(elements, "words")[0][:3] == ["酒店", "名词", 5]
    assert element(elements, "cloud")["mask"] == "frame"


@pytest.mark.parametrize("shape", list(SHAPES))
def test_shapes_have_room_and_an_outside(shape: str) -> None:
    marks = "".join(grid(shape))
    assert len(set(map(len, grid(shape)))) == 1
    share = marks.count("1") / len(marks)
    assert share == 1 if shape == "rectangle" else 0.2 < share < 0.9


def test_lines_of_every_kind_are_read_or_faulted() -> None:
    labels = read_lines("labels", ["服务=热情，前台+慢，!机器人，/退.?房/", "服务=又", "空=", "坏=/(/"])
    (service,) = labels.dictionary.labels
    assert (service.include, service.all_of, service.exclude, service.pattern) == (
        ("热情",), (("前台", "慢"),), ("机器人",), "退.?房",
    )  # fmt: skip
    assert [code for code, _, _ in labels.faults] == ["dictionary.conflict", "dictionary.line", "dictionary.line"]
    lexicon = read_lines("lexicon", ["贴心 0.8", "贴心 0.5", "差 -3", "好"])
    assert lexicon.dictionary.scores == {"贴心": 0.8} and len(lexicon.faults) == 3
    assert read_lines("words", ["\u200b衡析\x00", "# 注释", ""]).dictionary.words == (("衡析", None, None),)
