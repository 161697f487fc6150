"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path

from tools.export_learner import export_comparison

PATH = "supervised_learning/regression/auto_model_compare"
HERE = Path(__file__).parent
CURVE = {"y": "y", "x": ["x1", "x2"], "candidates": "own", "own": ["linear_regression", "decision_tree", "knn"]}
CARS = {
    "y": "mpg", "x": ["disp", "hp", "wt"], "candidates": "own", "own": ["linear_regression", "knn"],
    "cv_folds": 4, "tune_metric": "r2",
}  # fmt: skip

if __name__ == "__main__":
    export_comparison(HERE, PATH, "curve", "example.csv", CURVE, {})
    export_comparison(HERE, PATH, "cars", "oracle-cars.csv", CARS, {})
