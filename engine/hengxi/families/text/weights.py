"""Weights of words: TF-IDF of this corpus, and TextRank."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from .tokens import Tokens

DAMPING = 0.85
ROUNDS = 2_000
SMALL = 200
"""Up to so many words the equations are solved at once."""


def count_matrix(tokens: Tokens) -> sp.csr_matrix:
    """Rows × words, how often."""
    docs, words, n = tokens.pairs
    return sp.csr_matrix((n.astype(float), (docs, words)), shape=(tokens.size, len(tokens.words)))


def idf(tokens: Tokens, rows: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """ln((1 + n) / (1 + df)) + 1, with n the rows that have a word."""
    return np.asarray(np.log((1 + rows) / (1 + tokens.doc_counts)) + 1)


def tfidf(tokens: Tokens) -> sp.csr_matrix:
    """Count × idf, each row scaled to length 1."""
    counts = count_matrix(tokens)
    weighted = counts @ sp.diags_array(idf(tokens, int((tokens.lengths > 0).sum())))
    length = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
    return sp.csr_matrix(sp.diags_array(scale) @ weighted)


def mean_tfidf(tokens: Tokens) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Over the rows that have a word."""
    return np.asarray(tfidf(tokens).sum(axis=0)).ravel() / max(1, int((tokens.lengths > 0).sum()))


def neighbours(tokens: Tokens, window: int) -> sp.csr_matrix:
    """How often two different words stand less than `window` words apart, symmetric."""
    size = len(tokens.words)
    ends: list[Any] = []
    for step in range(1, min(window, len(tokens.codes))):
        left, right = tokens.codes[:-step], tokens.codes[step:]
        same = (tokens.docs[:-step] == tokens.docs[step:]) & (left != right)
        ends.append(np.stack((left[same], right[same])))
    pairs = np.concatenate(ends, axis=1) if ends else np.zeros((2, 0), dtype=np.int64)
    both = np.concatenate((pairs, pairs[::-1]), axis=1)
    return sp.csr_matrix((np.ones(both.shape[1]), (both[0], both[1])), shape=(size, size))


def textrank(tokens: Tokens, window: int = 5) -> np.ndarray[Any, np.dtype[np.float64]]:
    """PageRank on the graph of neighbours, weights by how often; the scores of all words sum to 1."""
    graph = neighbours(tokens, window)
    size = graph.shape[0]
    out = np.asarray(graph.sum(axis=1)).ravel()
    alone = out == 0
    if size <= SMALL:
        dense = graph.toarray()
        dense[~alone] /= out[~alone, None]
        dense[alone] = 1 / size
        return np.asarray(np.linalg.solve(np.eye(size) - DAMPING * dense.T, np.full(size, (1 - DAMPING) / size)))
    steps = sp.csr_matrix(sp.diags_array(np.divide(1.0, out, out=np.zeros_like(out), where=~alone)) @ graph).T
    score = np.full(size, 1 / size)
    for _ in range(ROUNDS):
        # A word without neighbours gives its score to all alike.
        fresh = (1 - DAMPING) / size + DAMPING * (steps @ score + score[alone].sum() / size)
        if np.abs(fresh - score).sum() < 1e-15:
            break
        score = fresh
    return np.asarray(fresh)
