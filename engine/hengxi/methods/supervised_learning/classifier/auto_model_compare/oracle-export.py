"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path

from tools.export_learner import export_comparison

PATH = "supervised_learning/classifier/auto_model_compare"
HERE = Path(__file__).parent
CANCER = {
    "y": "diagnosis", "x": ["radius", "texture", "smoothness", "concavity", "symmetry"], "event": "恶性",
    "candidates": "own", "own": ["logistic_regression", "naive_bayes", "decision_tree", "knn", "svm"],
}  # fmt: skip
IRIS = {
    "y": "species", "x": ["sepal_length", "sepal_width"], "candidates": "own", "own": ["naive_bayes", "knn"],
    "cv_folds": 4, "tune_metric": "log_loss", "ensemble": False,
}  # fmt: skip
ALONE = IRIS | {"own": ["naive_bayes"], "tune_metric": "accuracy", "cv_folds": 3}

if __name__ == "__main__":
    export_comparison(HERE, PATH, "cancer", "example.csv", CANCER, {"diagnosis": "定类"})
    export_comparison(HERE, PATH, "iris", "oracle-iris.csv", IRIS, {"species": "定类"})
    export_comparison(HERE, PATH, "alone", "oracle-iris.csv", ALONE, {"species": "定类"})
