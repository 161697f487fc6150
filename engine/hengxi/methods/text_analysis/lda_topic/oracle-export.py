"""What R cannot repeat: the topics scikit-learn finds, of all rows (phi, theta) and without the held rows."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.decomposition import LatentDirichletAllocation

HERE = Path(__file__).parent
CASES: dict[str, list[int]] = {"example": [2, 3, 4], "reviews": [3]}


def cut(name: str) -> list[list[str]]:
    """Tokens of each row, cut by hand in R."""
    return [str(row).split(" ") for row in pd.read_csv(HERE / f"oracle-{name}-tokens.csv")["tokens"]]


def counts_of(rows: list[list[str]], words: list[str]) -> Any:
    place = {word: i for i, word in enumerate(words)}
    counts = np.zeros((len(rows), len(words)))
    for i, row in enumerate(rows):
        for word in row:
            counts[i, place[word]] += 1
    return counts


def machine(k: int) -> Any:
    return LatentDirichletAllocation(
        k, doc_topic_prior=1 / k, topic_word_prior=1 / k, max_iter=20, random_state=20240101, learning_method="batch",
        evaluate_every=0,
    )  # fmt: skip


def save(table: Any, name: str, header: list[str]) -> None:
    pd.DataFrame(table, columns=header).to_csv(HERE / f"{name}.csv", index=False, float_format="%.17g")


def main() -> None:
    for name, ks in CASES.items():
        rows = cut(name)
        words = sorted({word for row in rows for word in row})
        counts = counts_of(rows, words)
        held = np.arange(len(rows)) % 5 == 4
        for k in ks:
            topics = [f"t{j + 1}" for j in range(k)]
            lda = machine(k)
            theta = lda.fit_transform(counts)
            stem = f"oracle-{name}-{k}"
            save(lda.components_ / lda.components_.sum(axis=1, keepdims=True), f"{stem}-phi", words)
            save(theta, f"{stem}-theta", topics)
            part = machine(k).fit(counts[~held])
            seen = counts_of([row[0::2] for row, away in zip(rows, held, strict=True) if away], words)
            save(part.components_ / part.components_.sum(axis=1, keepdims=True), f"{stem}-held-phi", words)
            save(part.transform(seen), f"{stem}-held-theta", topics)


if __name__ == "__main__":
    main()
