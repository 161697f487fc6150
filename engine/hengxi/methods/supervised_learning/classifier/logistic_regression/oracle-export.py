"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path

from tools.export_learner import export

PATH = "supervised_learning/classifier/logistic_regression"
HERE = Path(__file__).parent
CANCER = {
    "y": "diagnosis", "x": ["radius", "texture", "smoothness", "concavity", "symmetry"], "event": "恶性", "cv_folds": 4,
}  # fmt: skip
CHURN = {
    "y": "流失", "x": ["月费", "合约", "投诉次数", "性别"], "event": "是", "class_weight": "balanced", "threshold": 0.4,
    "cv_folds": 0, "shap": False,
}  # fmt: skip
LEVELS = {"流失": "定类", "合约": "定类", "性别": "定类"}
PLANS = {"y": "套餐", "x": ["月费", "投诉次数"], "cv_folds": 4, "shap": False}
KINDS = {
    "l2": {"penalty": "l2", "C": 0.5},
    "l1": {"penalty": "l1", "C": 0.2},
    "elastic": {"penalty": "elastic", "C": 0.2, "l1_ratio": 0.4, "standardize": False},
}

if __name__ == "__main__":
    export(HERE, PATH, "cancer", "example.csv", CANCER, {"diagnosis": "定类"})
    export(HERE, PATH, "churn", "oracle-churn.csv", CHURN, LEVELS)
    export(HERE, PATH, "plans", "oracle-plans.csv", PLANS, {"套餐": "定类"})
    for name, settings in KINDS.items():
        export(HERE, PATH, name, "oracle-churn.csv", CHURN | {"class_weight": "none"} | settings, LEVELS)
    doubled = {"y": "流失", "x": ["月费", "月费的两倍"], "event": "是", "cv_folds": 0, "shap": False}
    export(HERE, PATH, "doubled", "oracle-doubled.csv", doubled, LEVELS)
    export(HERE, PATH, "multi", "oracle-plans.csv", PLANS | {"penalty": "l2", "C": 2, "cv_folds": 0}, {"套餐": "定类"})
