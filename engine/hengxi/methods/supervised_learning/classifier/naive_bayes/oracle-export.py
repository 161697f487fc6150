"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path

from tools.export_learner import export

PATH = "supervised_learning/classifier/naive_bayes"
HERE = Path(__file__).parent
IRIS = {"y": "species", "x": ["sepal_length", "sepal_width", "petal_length", "petal_width"]}
CHURN = {
    "y": "流失", "x": ["月费", "合约", "投诉次数", "性别"], "event": "是", "threshold": 0.4, "cv_folds": 4,
    "alpha": 0.5, "prior": "own", "prior_values": [0.6, 0.4],
}  # fmt: skip
COUNTS = {"y": "流失", "x": ["合约", "投诉次数", "性别"], "event": "是", "cv_folds": 0, "shap": False}
MEASURES = {"流失": "定类", "性别": "定类", "合约": "定类"}

if __name__ == "__main__":
    export(HERE, PATH, "iris", "example.csv", IRIS, {"species": "定类"})
    export(HERE, PATH, "churn", "oracle-churn.csv", CHURN, MEASURES)
    for kind in ("multinomial", "bernoulli", "complement"):
        export(HERE, PATH, kind, "oracle-churn.csv", COUNTS | {"variant": kind}, MEASURES)
