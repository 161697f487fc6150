"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path
from typing import Any

from tools.export_learner import export, save

PATH = "supervised_learning/classifier/svm"
HERE = Path(__file__).parent
IRIS = {
    "y": "species", "x": ["sepal_length", "sepal_width", "petal_length", "petal_width"], "decision": "ovo",
    "tol": 0.000001, "cv_folds": 3,
}  # fmt: skip
CHURN = {
    "y": "流失", "x": ["月费", "合约", "投诉次数"], "event": "是", "class_weight": "balanced", "threshold": 0.4,
    "kernel": "linear", "cv_folds": 3, "tol": 0.000001, "shap": False,
}  # fmt: skip
REST = {
    "y": "species", "x": ["sepal_length", "sepal_width"], "kernel": "poly", "gamma": "own", "gamma_value": 0.5,
    "degree": 2, "coef0": 1, "standardize": False, "cv_folds": 0, "shap": False, "tol": 0.000001,
}  # fmt: skip


def write(name: str, data: str, form: dict[str, Any], measures: dict[str, str]) -> None:
    """Supports, dual coefficients and calibration, and the decisions the calibration was learned from."""
    found, _ = export(HERE, PATH, name, data, form, measures)
    model, train = found.fit.learner, found.task.train
    head = ["row", *(f"d{m + 1}" for m in range(model.duals.shape[1]))]
    save(HERE / f"oracle-{name}-supports.csv", head,
         ([int(train[i]) + 1, *duals] for i, duals in zip(model.rows, model.duals.tolist(), strict=True)))  # fmt: skip
    numbers = [model.intercepts, model.slopes, model.shifts]
    save(
        HERE / f"oracle-{name}-machines.csv", ["intercept", "a", "b"], zip(*(v.tolist() for v in numbers), strict=True)
    )
    save(HERE / f"oracle-{name}-left.csv", ["machine", "row", "f"],
         ([m + 1, int(train[i]) + 1, f] for m, (own, out) in enumerate(model.left)
          for i, f in zip(own, out.tolist(), strict=True)))  # fmt: skip


if __name__ == "__main__":
    write("iris", "example.csv", IRIS, {"species": "定类"})
    write("churn", "oracle-churn.csv", CHURN, {"流失": "定类"})
    write("rest", "example.csv", REST, {"species": "定类"})
