"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

import json
from pathlib import Path

from tools.export_learner import export, export_rounds

PATH = "supervised_learning/classifier/lightgbm"
HERE = Path(__file__).parent
IRIS = {
    "y": "species", "x": ["sepal_length", "sepal_width", "petal_length", "petal_width"], "n_estimators": 15,
    "cv_folds": 4, "num_leaves": 4, "learning_rate": 0.2,
}  # fmt: skip
CHURN = {
    "y": "流失", "x": ["月费", "合约", "投诉次数", "性别"], "event": "是", "class_weight": "balanced", "threshold": 0.4,
    "cv_folds": 0, "n_estimators": 12, "num_leaves": 5, "min_child_samples": 4, "boosting_type": "rf",
    "subsample": 0.7,
}  # fmt: skip
CASES = [
    ("iris", "example.csv", IRIS, {"species": "定类"}),
    ("churn", "oracle-churn.csv", CHURN, {"流失": "定类", "性别": "定类"}),
]

if __name__ == "__main__":
    for name, data, fields, measures in CASES:
        found, form = export(HERE, PATH, name, data, fields, measures)
        watched = export_rounds(HERE / f"oracle-{name}-rounds.csv", PATH, found, form)
        for kind, grown in (("model", found.fit.learner), ("rounds-model", watched.grown)):
            (HERE / f"oracle-{name}-{kind}.json").write_text(json.dumps(grown.library.dump_model()["tree_info"]))
