"""Suggestions learnt from what people have coded: one logistic regression a code, on runs of one and two characters.

Characters and not words: short answers hold few words, and misspelt ones still share most of their characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.data.refusal import DataRefusal

LEAST_CODED, LEAST_OF_CODE, FOLDS, MOST_FEATURES = 50, 5, 5, 20_000
LEAST_P, MOST_PER_ANSWER = 0.5, 3
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9)
Floats = npt.NDArray[np.float64]


def learn(texts: list[str], marks: list[tuple[int, list[int]]]) -> dict[str, Any]:
    """Suggestions for all answers but those in `marks`, most likely first.

    `agreed`: of the suggestions a model without an answer's own codes would have made at p or more, how many a person
    has given (five folds of the coded answers).
    """
    if len(marks) < LEAST_CODED:
        raise DataRefusal("answers.few", f"人工编码满 {LEAST_CODED} 条不同的回答后，再更新建议，会按已编码的学习")
    size = len(marks)
    codes = [code for code, n in _counts(marks) if LEAST_OF_CODE <= n <= size - LEAST_OF_CODE]
    if not codes:
        raise DataRefusal(
            "answers.codes", f"还没有一个编码用过 {LEAST_OF_CODE} 次以上、又没有用在几乎所有回答上，学不出规律"
        )
    features = _features(texts)
    coded = np.array([at for at, _ in marks], dtype=np.int64)
    held = np.array([[code in own for code in codes] for _, own in marks])
    rest = np.setdiff1d(np.arange(len(texts)), coded)
    p = _fitted(features[coded], held, features[rest]) if len(rest) else np.zeros((0, len(codes)))
    return {
        "suggestions": _listed(rest, codes, p),
        "codes": codes,
        "agreed": _agreed(features[coded], held),
    }


def _counts(marks: Sequence[tuple[int, list[int]]]) -> list[tuple[int, int]]:
    found, n = np.unique([code for _, own in marks for code in own], return_counts=True)
    return [(int(code), int(k)) for code, k in zip(found, n, strict=True)]


def _features(texts: list[str]) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    least = 1 if len(texts) < 1_000 else 2
    vectorizer = TfidfVectorizer(
        analyzer="char", ngram_range=(1, 2), min_df=least, max_features=MOST_FEATURES, sublinear_tf=True
    )
    return vectorizer.fit_transform(texts)


def _fitted(x: Any, held: npt.NDArray[np.bool_], new: Any) -> Floats:
    """Probability of each code for each new answer."""
    from sklearn.linear_model import LogisticRegression

    out = np.zeros((new.shape[0], held.shape[1]))
    for j in range(held.shape[1]):
        if held[:, j].any() and not held[:, j].all():
            model = LogisticRegression(C=10.0, max_iter=500).fit(x, held[:, j])
            out[:, j] = model.predict_proba(new)[:, 1]
    return out


def _listed(rest: npt.NDArray[np.int64], codes: list[int], p: Floats) -> list[list[float]]:
    """[answer, code, p]; at most three codes an answer."""
    order = np.argsort(-p, axis=1, kind="stable")[:, :MOST_PER_ANSWER]
    found = [
        [int(rest[i]), codes[j], round(float(p[i, j]), 4)]
        for i in range(len(rest))
        for j in order[i]
        if p[i, j] >= LEAST_P
    ]
    return sorted(found, key=lambda one: (-one[2], one[0], one[1]))


def _agreed(x: Any, held: npt.NDArray[np.bool_]) -> list[dict[str, Any]]:
    fold = np.random.default_rng(20240101).permutation(len(held)) % FOLDS
    p = np.zeros(held.shape)
    for k in range(FOLDS):
        p[fold == k] = _fitted(x[fold != k], held[fold != k], x[fold == k])
    return [
        {"p": least, "suggested": int((p >= least).sum()), "right": int((held & (p >= least)).sum())}
        for least in THRESHOLDS
    ]
