"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path

from tools.export_learner import export, export_trees, fold_models

PATH = "supervised_learning/classifier/decision_tree"
HERE = Path(__file__).parent
IRIS = {"y": "species", "x": ["sepal_length", "sepal_width", "petal_length", "petal_width"], "max_depth": 4}
CHURN = {
    "y": "流失", "x": ["月费", "合约", "投诉次数", "性别"], "event": "是", "class_weight": "balanced", "threshold": 0.4,
    "min_samples_leaf": 5, "cv_folds": 4, "criterion": "entropy",
}  # fmt: skip
CASES = [
    ("iris", "example.csv", IRIS, {"species": "定类"}),
    ("churn", "oracle-churn.csv", CHURN, {"流失": "定类", "性别": "定类"}),
]

if __name__ == "__main__":
    for name, data, fields, measures in CASES:
        found, form = export(HERE, PATH, name, data, fields, measures)
        export_trees(HERE / f"oracle-{name}-trees.csv", [found.fit.learner.library])
        if form.cv_folds:
            models = fold_models(PATH, found, form, ccp_alpha=0.0)
            export_trees(HERE / f"oracle-{name}-fold-trees.csv", [model.library for model in models])
