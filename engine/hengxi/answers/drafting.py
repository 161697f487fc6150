"""A first code book: groups of answers that share words, with these words as rules. A person goes on from there."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from hengxi.answers.reading import read_answers
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table
from hengxi.families.text.tokens import KEPT, Segmenter, lexicon, pos_class

MOST_TEXTS, LONGEST, MOST_WORDS, WORDS_OF_CODE, SAMPLES = 5_000, 500, 2_000, 4, 3
LONGEST_NAME = 30
SEED = 20240101


def draft(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """`{column, mask, k}` → at most k codes: name, words, answers that hold one of the words, three of them."""
    found = read_answers(Table.open(key), str(body["column"]), bool(body["mask"]))
    step = max(1, -(-len(found.texts) // MOST_TEXTS))
    texts = found.texts[::step]
    words = _words(texts)
    counts = Counter(word for own in words for word in own)
    kept = [word for word, n in sorted(counts.items(), key=lambda one: (-one[1], one[0])) if n > 1][:MOST_WORDS]
    k = min(int(body["k"]), len(kept))
    if k < 2:
        raise DataRefusal("answers.draft", "回答里反复出现的词太少，起草不出码表，请自己新建编码")
    codes = _codes(texts, words, kept, k)
    if step > 1:
        for one in codes:
            one["answers"] = sum(any(word in text for word in one["words"]) for text in found.texts)
    return {"codes": sorted(codes, key=lambda one: -one["answers"]), "read": len(texts)}


def _words(texts: list[str]) -> list[frozenset[str]]:
    segmenter, stop = Segmenter(), frozenset(lexicon("stopwords"))
    return [
        frozenset(
            word
            for word, tag in segmenter.cut(text[:LONGEST])
            if len(word) > 1 and word not in stop and pos_class(tag) in (*KEPT["nva"], "eng")
        )
        for text in texts
    ]


def _codes(texts: list[str], words: list[frozenset[str]], kept: list[str], k: int) -> list[dict[str, Any]]:
    place = {word: j for j, word in enumerate(kept)}
    groups = _groups(words, place, k)
    share = np.zeros((k, len(kept)))
    for own, group in zip(words, groups, strict=True):
        if group >= 0:
            for word in own & place.keys():
                share[group, place[word]] += 1
    # A word belongs where most of its answers are; of a group the words come by how often they stand in it.
    home = share.argmax(axis=0)
    drafted = []
    for group in range(k):
        top = [j for j in np.argsort(-share[group], kind="stable") if home[j] == group and share[group, j] > 1]
        chosen = [kept[j] for j in top[:WORDS_OF_CODE]]
        held = [text for text in texts if any(word in text for word in chosen)]
        if chosen:
            samples = sorted(held, key=len)[: SAMPLES * 3 : 3]
            name = chosen[0][:LONGEST_NAME]
            drafted.append({"name": name, "words": chosen, "answers": len(held), "samples": samples})
    return drafted


def _groups(words: list[frozenset[str]], place: dict[str, int], k: int) -> list[int]:
    """The group of each answer by its words, −1 without any."""
    import scipy.sparse as sp
    from sklearn.cluster import KMeans

    rows = [i for i, own in enumerate(words) if own & place.keys()]
    pairs = [(n, place[word]) for n, i in enumerate(rows) for word in sorted(words[i] & place.keys())]
    cells = np.array(pairs, dtype=np.int64)
    counts = sp.csr_matrix((np.ones(len(cells)), (cells[:, 0], cells[:, 1])), shape=(len(rows), len(place)))
    idf = np.log(len(rows) / np.asarray((counts > 0).sum(axis=0)).ravel()) + 1
    weighted = sp.csr_matrix(counts @ sp.diags_array(idf))
    length = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    unit = sp.csr_matrix(sp.diags_array(1 / length) @ weighted)
    found = KMeans(min(k, len(rows)), n_init=3, random_state=SEED).fit_predict(unit)
    groups = [-1] * len(words)
    for i, group in zip(rows, found, strict=True):
        groups[i] = int(group)
    return groups
