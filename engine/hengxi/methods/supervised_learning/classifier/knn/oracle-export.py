"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path

from tools.export_learner import export

PATH = "supervised_learning/classifier/knn"
HERE = Path(__file__).parent
IRIS = {"y": "species", "x": ["sepal_length", "sepal_width", "petal_length", "petal_width"]}
CHURN = {
    "y": "流失", "x": ["月费", "合约", "投诉次数"], "event": "是", "class_weight": "balanced", "threshold": 0.4,
    "n_neighbors": 8, "cv_folds": 4, "metric": "manhattan", "standardize": False,
}  # fmt: skip

if __name__ == "__main__":
    export(HERE, PATH, "iris", "example.csv", IRIS, {"species": "定类"})
    export(HERE, PATH, "churn", "oracle-churn.csv", CHURN, {"流失": "定类"})
