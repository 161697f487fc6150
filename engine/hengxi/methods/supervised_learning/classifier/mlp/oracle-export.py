"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path
from typing import Any

from tools.export_learner import export, export_layers

PATH = "supervised_learning/classifier/mlp"
HERE = Path(__file__).parent
IRIS = {
    "y": "species", "x": ["sepal_length", "sepal_width", "petal_length", "petal_width"], "hidden_layers": "8",
    "solver": "lbfgs", "alpha": 0.1, "cv_folds": 3,
}  # fmt: skip
CHURN = {
    "y": "流失", "x": ["月费", "合约", "投诉次数"], "event": "是", "class_weight": "balanced", "threshold": 0.4,
    "hidden_layers": "6,3", "activation": "tanh", "max_iter": 40, "learning_rate_init": 0.05, "cv_folds": 0,
    "shap": False,
}  # fmt: skip


def write(name: str, data: str, form: dict[str, Any], measures: dict[str, str]) -> None:
    found, _ = export(HERE, PATH, name, data, form, measures)
    export_layers(HERE, name, found.fit.learner)


if __name__ == "__main__":
    write("iris", "example.csv", IRIS, {"species": "定类"})
    write("churn", "oracle-churn.csv", CHURN, {"流失": "定类"})
