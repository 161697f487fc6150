"""What is particular to the semantic network: ranges, published centralities, what cannot be a network."""

from pathlib import Path

import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {"body": "文本", "topic": "定类", "title": "文本", "pair": "文本"}
TRIAL = Trial("text_analysis/semantic_network", FRAME, {"text": "body"}, KINDS)


def test_the_karate_club_has_its_published_centralities() -> None:
    club = pd.read_csv(Path(__file__).parent / "oracle-club.csv")
    report = TRIAL.report(club, text="pair", lang="en", min_edge=1)
    words = {row["word"]: row for row in records(report, "words")}
    assert words["memberaa"]["betweenness"] == pytest.approx(0.437635, abs=1e-6)
    (whole,) = records(report, "whole")
    assert whole["density"] == pytest.approx(0.139037, abs=1e-6) and whole["modularity"] > 0.41


def test_no_edge_few_words_and_no_text_are_refused() -> None:
    assert "最小共现次数为 900 时没有任何共现" in TRIAL.refused(min_edge=900).text
    assert "少于 3 个" in TRIAL.refused(pd.DataFrame({"body": ["酒店 早餐"] * 3})).text
    assert "没有文本内容" in TRIAL.refused(pd.DataFrame({"body": [" ", " "]})).text


def test_a_network_too_dense_is_refused() -> None:
    words = [f"word{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(250)]
    frame = pd.DataFrame({"body": [" ".join(words)] * 2})
    assert "网络过密" in TRIAL.refused(frame, lang="en", top=250).text


def test_a_sentence_is_narrower_than_a_row() -> None:
    frame = pd.DataFrame({"body": ["早餐丰富。停车方便", "早餐丰富。停车方便", "前台热情"]})
    row = {(pair["a"], pair["b"]) for pair in records(TRIAL.report(frame, min_edge=1), "pairs")}
    sentence = {(pair["a"], pair["b"]) for pair in records(TRIAL.report(frame, min_edge=1, window="sentence"), "pairs")}
    assert sentence < row


def test_louvain_gives_the_same_groups_every_time() -> None:
    first, second = (records(TRIAL.report(), "words") for _ in range(2))
    assert first == second
