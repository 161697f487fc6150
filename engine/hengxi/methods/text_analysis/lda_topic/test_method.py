"""What is particular to topic models: refusals, planted topics that come back, names, what is saved."""

from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp

from hengxi.stats import topics
from hengxi.testing import Trial, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {"title": "定类", "body": "文本", "topic": "定类", "年": "定量"}
TRIAL = Trial("text_analysis/lda_topic", FRAME, {"text": "body", "choose": "given", "n_topics": 3}, KINDS)
report, refused = TRIAL.report, TRIAL.refused


def test_bars_of_griffiths_and_steyvers_come_back() -> None:
    rng = np.random.default_rng(8)
    bars = np.zeros((10, 5, 5))
    for i in range(5):
        bars[i, i, :] = bars[5 + i, :, i] = 0.2
    phi = bars.reshape(10, 25)
    theta = rng.dirichlet(np.full(10, 0.3), 1000)
    counts = sp.csr_matrix(np.array([rng.multinomial(100, row @ phi) for row in theta], dtype=float))
    found = topics.fit_topics(counts, 10, 0.3, 60, 3).phi
    unit = found / np.linalg.norm(found, axis=1, keepdims=True)
    assert ((phi / np.linalg.norm(phi, axis=1, keepdims=True)) @ unit.T).max(axis=1).min() > 0.95


def test_umass_by_hand() -> None:
    # Words 0, 1, 2 in rows {0,1}, {0,1}, {0}, {2}: D = 3, 2, 1; together 2, 0, 0.
    present = sp.csc_matrix(np.array([[1, 1, 0], [1, 1, 0], [1, 0, 0], [0, 0, 1]], dtype=float))
    expected = (np.log(3 / 3) + np.log(1 / 3) + np.log(1 / 2)) / 3
    assert abs(topics.coherence_umass(present, [[0, 1, 2]]) - expected) < 1e-12


def test_windows_slide_over_long_texts() -> None:
    text = np.zeros(112, dtype=int)
    text[[0, 111]] = [1, 2]
    together, n = topics.window_counts([text, np.array([1, 2])], [1, 2])
    # Windows of 110 from 0, 1, 2: word 1 stands in the first alone, word 2 in the last alone; the short text is one.
    assert n == 4 and together.tolist() == [[2, 1], [1, 2]]


def test_fewer_than_ten_rows_are_refused() -> None:
    assert "至少需要10行有效文本" in refused(FRAME.head(9)).text


def test_more_topics_than_words_are_refused() -> None:
    frame = FRAME.head(12).assign(body=["球队 比赛", "银行 利率"] * 6)
    assert "主题数不能大于词语种类数4" in refused(frame, n_topics=9).text


def test_a_range_written_wrongly_is_refused() -> None:
    refusal = refused(choose="auto", k_range="二到十")
    assert "候选主题数请写成 2-10" in refusal.text and refusal.faults[0].remedies
    assert "2 到 50" in refused(choose="auto", k_range="9-3").text


def test_a_vocabulary_cut_to_nothing_is_refused() -> None:
    refusal = refused(min_df=59)
    assert "最少出现行数或最大行占比过严，词表为空" in refusal.text and refusal.faults[0].remedies


def test_too_many_periods_are_refused() -> None:
    wide = pd.concat([FRAME] * 3, ignore_index=True).assign(年=range(180))
    assert "最多 100 个" in refused(wide, time="年").text


def test_planted_topics_come_back_under_their_names() -> None:
    elements = report(names="甲,乙、丙")
    assert [row["name"] for row in records(elements, "topics")] == ["主题1 甲", "主题2 乙", "主题3 丙"]
    main = pd.Series([row["main"] for row in records(elements, "documents")])
    assert pd.crosstab(main, FRAME["topic"]).max(axis=1).sum() >= 54


def test_short_texts_are_warned_of() -> None:
    assert "data.short" in warnings(report(FRAME.head(30), n_topics=2))


def test_one_seed_gives_one_model() -> None:
    first, again, other = (records(report(seed=s), "topics") for s in (1, 1, 2))
    assert first == again and first != other


def test_shares_are_saved() -> None:
    data = next(e for e in report(append=True) if e["type"] == "data")
    assert [column["name"] for column in data["columns"]] == ["主题1", "主题2", "主题3", "主要主题"]


def test_rows_of_a_single_word_have_no_perplexity() -> None:
    words = ["球队", "比赛", "银行", "市场", "医院", "医生"]
    elements = report(pd.DataFrame({"body": [words[i % 6] for i in range(60)]}), choose="auto", k_range="2-3")
    assert {row["perplexity"] for row in records(elements, "chosen")} == {None}


def test_a_range_of_superscripts_is_refused() -> None:
    assert "候选主题数请写成" in refused(choose="auto", k_range="²-³").text


def test_periods_follow_the_numbers_in_them() -> None:
    frame = FRAME.assign(when=[f"{1 + i % 12}月" for i in range(len(FRAME))])
    elements = report(frame, measures={"when": "定类"}, time="when", choose="given", n_topics=2)
    shown = list(dict.fromkeys(row["period"] for row in records(elements, "periods")))
    assert shown == [f"{i}月" for i in range(1, 13)]
