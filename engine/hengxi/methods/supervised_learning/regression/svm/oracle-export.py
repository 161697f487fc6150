"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path
from typing import Any

from tools.export_learner import export, save

PATH = "supervised_learning/regression/svm"
HERE = Path(__file__).parent
CARS = {"y": "mpg", "x": ["disp", "hp", "wt"], "cv_folds": 4, "tol": 0.000001}
RENT = {
    "y": "月租", "x": ["面积", "区", "装修", "楼层"], "weight": "权重", "missing": "median", "kernel": "linear",
    "C": 10, "cv_folds": 3, "shap": False, "tol": 0.000001,
}  # fmt: skip
WIDE = {"y": "mpg", "x": ["disp", "wt"], "cv_folds": 0, "shap": False, "epsilon": 1.2, "kernel": "poly", "degree": 1}


def write(name: str, data: str, form: dict[str, Any], measures: dict[str, str]) -> None:
    """Supports with their dual coefficients, and the intercept."""
    found, _ = export(HERE, PATH, name, data, form, measures)
    model, train = found.fit.learner, found.task.train
    lines = [[int(train[i]) + 1, dual] for i, dual in zip(model.rows, model.duals.tolist(), strict=True)]
    save(HERE / f"oracle-{name}-supports.csv", ["row", "dual"], [*lines, [0, float(model.numbers[0])]])


if __name__ == "__main__":
    write("cars", "example.csv", CARS, {})
    write("rent", "oracle-rent.csv", RENT, {"区": "定类", "装修": "定类"})
    write("wide", "example.csv", WIDE, {})
