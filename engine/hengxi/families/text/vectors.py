"""Texts as vectors of length 1: TF-IDF, counts, or the axes of a singular value decomposition of TF-IDF (LSA)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from hengxi.stats.moments import Floats

from .tokens import Tokens
from .weights import count_matrix, tfidf

VECTORS = {"lsa": "TF-IDF+LSA", "tfidf": "TF-IDF", "counts": "词频"}
EXACT_CELLS = 4_000_000
MOST_WORDS = 2_000


@dataclass(frozen=True)
class TextVectors:
    """`docs`: the rows that have a word, as places in the tokens; `weights`: their TF-IDF, rows × words; `u`: what is
    clustered, each row of length 1; `plane`: the first two axes of LSA; `words_left`: words beyond `MOST_WORDS`."""

    docs: Any
    weights: sp.csr_matrix
    u: Floats
    plane: Floats
    dims: int
    words_left: int


def vectors_of(tokens: Tokens, vector: str, dims: int) -> TextVectors:
    docs = np.flatnonzero(tokens.lengths > 0)
    weights = sp.csr_matrix(tfidf(tokens)[docs])
    wanted = min(dims, len(docs) - 1, len(tokens.words) - 1) if vector == "lsa" else 2
    axes = lsa(weights, max(2, wanted))
    plane = axes[:, :2] if axes.shape[1] > 1 else np.column_stack([axes, np.zeros(len(axes))])
    left = 0
    if vector == "lsa":
        dense = axes[:, : max(1, wanted)]
    else:
        sparse = weights if vector == "tfidf" else sp.csr_matrix(count_matrix(tokens)[docs])
        often = np.argsort(-tokens.doc_counts, kind="stable")[:MOST_WORDS]
        left = len(tokens.words) - len(often)
        by_word = sorted(often, key=lambda word: tokens.words[word])
        dense = np.asarray(sparse[:, by_word].todense())
    length = np.linalg.norm(dense, axis=1, keepdims=True)
    u = np.divide(dense, length, out=np.zeros_like(dense), where=length > 1e-12)
    return TextVectors(docs, weights, u, plane, dense.shape[1], left)


def lsa(weights: sp.csr_matrix, k: int) -> Floats:
    """U·S of the largest k singular values; the entry of an axis that is largest in size is positive."""
    k = min(k, *weights.shape)
    if weights.shape[0] * weights.shape[1] <= EXACT_CELLS:
        left, sizes, _ = np.linalg.svd(weights.toarray(), full_matrices=False)
        scores = left[:, :k] * sizes[:k]
    else:
        from sklearn.utils.extmath import randomized_svd

        left, sizes, _ = randomized_svd(weights, k, n_iter=7, random_state=0)
        scores = left * sizes
    top = np.abs(np.round(scores, 9)).argmax(axis=0)
    return np.asarray(scores * np.where(scores[top, np.arange(scores.shape[1])] < 0, -1.0, 1.0))
