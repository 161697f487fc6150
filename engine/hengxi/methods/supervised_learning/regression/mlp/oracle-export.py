"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path
from typing import Any

from tools.export_learner import export, export_layers

PATH = "supervised_learning/regression/mlp"
HERE = Path(__file__).parent
CURVE = {"y": "y", "x": ["x1", "x2"], "hidden_layers": "10,5", "solver": "lbfgs", "alpha": 0.01, "cv_folds": 3}
RENT = {
    "y": "月租", "x": ["面积", "区", "装修", "楼层"], "missing": "median", "hidden_layers": "5",
    "activation": "logistic", "max_iter": 20, "learning_rate_init": 0.05, "cv_folds": 0, "shap": False,
}  # fmt: skip
LINE = {
    "y": "mpg", "x": ["hp", "wt"], "hidden_layers": "3", "activation": "identity", "solver": "lbfgs", "alpha": 0,
    "max_iter": 5000, "cv_folds": 0, "shap": False,
}  # fmt: skip


def write(name: str, data: str, form: dict[str, Any], measures: dict[str, str]) -> None:
    found, _ = export(HERE, PATH, name, data, form, measures)
    export_layers(HERE, name, found.fit.learner)


if __name__ == "__main__":
    write("curve", "example.csv", CURVE, {})
    write("rent", "oracle-rent.csv", RENT, {"区": "定类", "装修": "定类"})
    write("line", "oracle-cars.csv", LINE, {})
