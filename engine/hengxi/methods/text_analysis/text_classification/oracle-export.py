"""What R cannot repeat: how rows are split, and what the support vector machine and the forest of scikit-learn say.

The tokens were cut by hand in R (oracle-tokens.csv: tokens, label; the label is empty where there is none)."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import LinearSVC

HERE = Path(__file__).parent
SEED = 20240101


def weighted(counts: Any, train: Any, rows: Any) -> Any:
    docs = (counts[train] > 0).sum(axis=0)
    table = counts[rows] * np.where(docs > 0, np.log((1 + len(train)) / (1 + docs)) + 1, 0)
    return sp.csr_matrix(table / np.linalg.norm(table, axis=1, keepdims=True))


def machines() -> dict[str, Any]:
    svm = CalibratedClassifierCV(LinearSVC(C=1.0, tol=1e-8, random_state=SEED, max_iter=100_000), cv=3, ensemble=False)
    return {"svm": svm, "forest": RandomForestClassifier(200, random_state=SEED)}


def main() -> None:
    table = pd.read_csv(HERE / "oracle-tokens.csv", keep_default_na=False)
    rows = [cell.split(" ") for cell in table["tokens"]]
    words = sorted({word for row in rows for word in row})
    counts = np.array([[row.count(word) for word in words] for row in rows], dtype=float)
    names = ["体育", "财经", "健康"]
    known = np.flatnonzero(table["label"] != "")
    y = np.array([names.index(label) for label in table["label"][known]])
    folds = list(StratifiedKFold(5, shuffle=True, random_state=SEED).split(y, y))
    which = np.zeros(len(known), dtype=int)
    for fold, (_, test) in enumerate(folds, start=1):
        which[test] = fold
    pd.DataFrame({"row": known + 1, "fold": which}).to_csv(HERE / "oracle-folds.csv", index=False)
    for kind in machines():
        out = np.zeros((len(known), 3))
        for train, test in folds:
            part = known[train]
            machine = machines()[kind].fit(weighted(counts, part, part), y[train])
            out[test] = machine.predict_proba(weighted(counts, part, known[test]))
        save(out, f"oracle-{kind}-folds.csv", names)
        whole = machines()[kind].fit(weighted(counts, known, known), y)
        save(whole.predict_proba(weighted(counts, known, np.arange(len(rows)))), f"oracle-{kind}-whole.csv", names)
        if kind == "svm":
            save(whole.calibrated_classifiers_[0].estimator.coef_, "oracle-svm-weights.csv", words)


def save(values: Any, file: str, header: list[str]) -> None:
    pd.DataFrame(values, columns=header).to_csv(HERE / file, index=False, float_format="%.17g")


if __name__ == "__main__":
    main()
