"""Clustering of texts: too few, all alike, too many clusters; four ways agree on clear topics."""

from pathlib import Path

import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {"title": "定类", "body": "文本", "topic": "定类"}
TRIAL = Trial("text_analysis/text_clustering", FRAME, {"text": "body"}, KINDS)
report, refused = TRIAL.report, TRIAL.refused


def purity(elements: list[dict]) -> float:  # type: ignore[type-arg]
    """Share of the rows whose cluster is that of most of their topic."""
    cluster = pd.Series([row["name"] for row in records(elements, "members")])
    counts = pd.crosstab(cluster, FRAME["topic"])
    return float(counts.max(axis=1).sum() / len(FRAME))


@pytest.mark.parametrize("method", ["kmeans", "ward", "nmf", "hdbscan"])
def test_clear_topics_come_back(method: str) -> None:
    assert purity(report(method=method, k=3)) >= 0.9


def test_fewer_than_ten_rows_are_refused() -> None:
    assert "至少需要10行有效文本" in refused(FRAME.head(9)).text


def test_as_many_clusters_as_rows_are_refused() -> None:
    refusal = refused(FRAME.head(12), k=12)
    assert "聚类数必须小于文本行数12" in refusal.text and refusal.faults[0].remedies


def test_texts_all_alike_are_refused() -> None:
    assert "文本内容完全相同" in refused(FRAME.assign(body="球队赢得比赛")).text
    assert refused(FRAME.assign(body=["球队赢得比赛", "比赛！球队赢得"] * 30)).code == "data.alike"


def test_two_kinds_of_text_need_no_clusters() -> None:
    refusal = refused(FRAME.assign(body=["球队赢得比赛", "银行下调利率"] * 30))
    assert "只有两种不同的文本" in refusal.text


def test_rows_without_a_word_are_in_no_cluster() -> None:
    frame = FRAME.copy()
    frame.loc[[0, 5], "body"] = ["！！！", "123"]
    elements = report(frame, append=True)
    assert "data.wordless" in warnings(elements)
    assert sum(row["n"] for row in records(elements, "sizes")) == 58


def test_what_is_nowhere_dense_is_refused_under_hdbscan() -> None:
    frame = pd.DataFrame(
        {"body": [f"甲{a}乙 丙{b}丁" for a, b in zip("天地玄黄宇宙洪荒日月", "盈昃辰宿列张寒来暑往", strict=True)]}
    )
    refusal = Trial("text_analysis/text_clustering", frame, {"text": "body"}, {"body": "文本"}).refused(
        method="hdbscan", min_len=1
    )
    assert refusal.code in {"data.noise", "data.no_words"}


def test_the_cluster_is_saved() -> None:
    data = next(e for e in report(append=True) if e["type"] == "data")
    assert [column["name"] for column in data["columns"]] == ["文本类别"]


def test_like_texts_are_not_split_to_reach_the_number_asked_for() -> None:
    refusal = refused(FRAME.assign(body=["球队赢得比赛", "银行下调利率"] * 30), k=5)
    assert "只有 2 种不同的文本" in refusal.text and refusal.faults[0].remedies


def test_leaves_of_the_tree_bear_the_row_of_the_table() -> None:
    frame = FRAME.copy()
    frame.loc[[0, 1], "body"] = "！！！"
    assert records(report(frame, method="ward", k=3), "nodes")[0]["label"].strip() == "第 3 行"
