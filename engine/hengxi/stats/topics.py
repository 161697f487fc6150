"""Topics of texts: latent Dirichlet allocation, and measures of its topics from the texts themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from hengxi.stats.moments import Floats

WINDOW, MOST_WINDOWS, TINY = 110, 200_000, 1e-12
ONLINE_ROWS = 10_000


@dataclass(frozen=True)
class Topics:
    """`phi`: topics × words, `theta`: rows × topics, rows of both sum to 1; `machine` infers topics of other rows."""

    phi: Floats
    theta: Floats
    machine: Any


def fit_topics(counts: sp.csr_matrix, k: int, alpha: float, passes: int, seed: int) -> Topics:
    """Variational Bayes (Hoffman, Blei & Bach, 2010) in scikit-learn, all rows a pass; batches of 2,048 rows where
    there are more than `ONLINE_ROWS`. Both priors symmetric: `alpha` of topics in a row, 1/k of words in a topic."""
    from sklearn.decomposition import LatentDirichletAllocation

    machine = LatentDirichletAllocation(
        k, doc_topic_prior=alpha, topic_word_prior=1 / k, max_iter=passes, random_state=seed, n_jobs=1,
        learning_method="online" if counts.shape[0] > ONLINE_ROWS else "batch", batch_size=2048, evaluate_every=0,
    )  # fmt: skip
    theta = np.asarray(machine.fit_transform(counts))
    phi = np.asarray(machine.components_ / machine.components_.sum(axis=1, keepdims=True))
    return Topics(phi, theta, machine)


def top_words(phi: Floats, names: Sequence[str], most: int) -> list[list[int]]:
    """Of each topic its words by probability falling; of equal ones by the word itself."""
    by_name = np.argsort(np.argsort(np.asarray(names, dtype=object), kind="stable"), kind="stable")
    return [list(np.lexsort((by_name, -np.round(row, 12)))[:most]) for row in phi]


def perplexity(phi: Floats, theta: Floats, counts: sp.csr_matrix) -> float:
    """exp(−Σ n ln Σ_k θ φ / Σ n)."""
    table = counts.tocoo()
    chance = np.einsum("ij,ij->i", theta[table.row], phi[:, table.col].T)
    return float(np.exp(-(table.data * np.log(np.maximum(chance, TINY))).sum() / table.data.sum()))


def window_counts(sequences: Sequence[Any], words: Sequence[int]) -> tuple[Floats, int]:
    """In how many windows of 110 words each two of `words` stand together (diagonal: each alone), and how many windows.
    A text not longer than a window is one window; with very many windows only every s-th is counted."""
    place = {int(word): i for i, word in enumerate(words)}
    long = sum(max(0, len(codes) - WINDOW) for codes in sequences)
    step = 1 + long // MOST_WINDOWS
    rows: list[int] = []
    columns: list[int] = []
    n = 0
    for codes in sequences:
        for start in range(0, max(1, len(codes) - WINDOW + 1), step):
            inside = {place[int(code)] for code in codes[start : start + WINDOW] if int(code) in place}
            rows += [n] * len(inside)
            columns += sorted(inside)
            n += 1
    present = sp.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(n, len(words)))
    return np.asarray((present.T @ present).todense()), n


def coherence_cv(together: Floats, n: int, topics: Sequence[Sequence[int]]) -> float:
    """C_v (Röder, Both & Hinneburg, 2015): cosine of each word's NPMI with the topic's words and the sum of them."""
    means = []
    for topic in topics:
        joint = together[np.ix_(topic, topic)] / n
        alone = np.diag(joint)
        with np.errstate(divide="ignore", invalid="ignore"):
            npmi = np.log((joint + TINY) / np.outer(alone, alone)) / -np.log(joint + TINY)
        # A word of every window has p = 1, where NPMI is 0/0.
        npmi = np.where(np.isfinite(npmi), npmi, 0.0)
        whole = npmi.sum(axis=0)
        length = np.linalg.norm(npmi, axis=1) * np.linalg.norm(whole)
        means.append(float(np.divide(npmi @ whole, length, out=np.zeros(len(topic)), where=length > 0).mean()))
    return float(np.mean(means))


def coherence_umass(present: sp.csr_matrix, topics: Sequence[Sequence[int]]) -> float:
    """U_mass (Mimno et al., 2011): mean of ln((D(wi, wj) + 1) / D(wj)), wj before wi; then the mean of the topics."""
    means = []
    for topic in topics:
        part = present[:, topic]
        both = np.asarray((part.T @ part).todense())
        below = np.tril_indices(len(topic), -1)
        means.append(float(np.log((both[below] + 1) / np.diag(both)[below[1]]).mean()))
    return float(np.mean(means))


def distances(phi: Floats) -> Floats:
    """Jensen-Shannon distance of each two topics (square root of the divergence, natural logarithms)."""
    from scipy.spatial.distance import jensenshannon

    k = len(phi)
    apart = np.zeros((k, k))
    for i in range(k):
        for j in range(i):
            apart[i, j] = apart[j, i] = float(jensenshannon(phi[i], phi[j]))
    return apart


def principal_coordinates(apart: Floats) -> Floats:
    """Two axes of classical scaling; the entry of an axis that is largest in size is positive."""
    k = len(apart)
    centre = np.eye(k) - 1 / k
    values, vectors = np.linalg.eigh(-0.5 * centre @ apart**2 @ centre)
    order = np.argsort(-values)[:2]
    axes = vectors[:, order] * np.sqrt(np.maximum(values[order], 0))
    top = np.abs(np.round(axes, 9)).argmax(axis=0)
    return np.asarray(axes * np.where(axes[top, np.arange(axes.shape[1])] < 0, -1.0, 1.0))


def cosines(phi: Floats) -> Floats:
    unit = phi / np.linalg.norm(phi, axis=1, keepdims=True)
    return np.asarray(unit @ unit.T)
