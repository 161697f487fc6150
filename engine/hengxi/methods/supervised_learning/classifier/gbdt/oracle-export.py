"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path

from tools.export_learner import export, export_rounds, export_trees

PATH = "supervised_learning/classifier/gbdt"
HERE = Path(__file__).parent
IRIS = {
    "y": "species", "x": ["sepal_length", "sepal_width", "petal_length", "petal_width"], "n_estimators": 15,
    "cv_folds": 4, "learning_rate": 0.2, "max_depth": 2,
}  # fmt: skip
CHURN = {
    "y": "流失", "x": ["月费", "合约", "投诉次数", "性别"], "event": "是", "class_weight": "balanced", "threshold": 0.4,
    "min_samples_leaf": 5, "cv_folds": 0, "n_estimators": 12, "loss": "exponential", "learning_rate": 0.3,
    "n_iter_no_change": 4,
}  # fmt: skip
CASES = [
    ("iris", "example.csv", IRIS, {"species": "定类"}),
    ("churn", "oracle-churn.csv", CHURN, {"流失": "定类", "性别": "定类"}),
]

if __name__ == "__main__":
    for name, data, fields, measures in CASES:
        found, form = export(HERE, PATH, name, data, fields, measures)
        watched = export_rounds(HERE / f"oracle-{name}-rounds.csv", PATH, found, form)
        export_trees(HERE / f"oracle-{name}-trees.csv", found.fit.learner.library.estimators_.ravel())
        export_trees(HERE / f"oracle-{name}-rounds-trees.csv", watched.grown.library.estimators_.ravel())
