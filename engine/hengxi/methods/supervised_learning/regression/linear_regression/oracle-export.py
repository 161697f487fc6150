"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path

from tools.export_learner import export

PATH = "supervised_learning/regression/linear_regression"
HERE = Path(__file__).parent
CARS = {"y": "mpg", "x": ["disp", "hp", "wt"], "cv_folds": 4}
RENT = {
    "y": "月租", "x": ["面积", "区", "装修", "楼层"], "weight": "权重", "missing": "median", "cv_folds": 3,
    "shap": False,
}  # fmt: skip
PENALISED = {"y": "mpg", "x": ["cyl", "disp", "hp", "wt"], "cv_folds": 4, "shap": False}
MEASURES = {"区": "定类", "装修": "定类"}
KINDS = {
    "ridge": {"penalty": "ridge", "alpha": 3},
    "lasso": {"penalty": "lasso", "alpha": 0.5},
    "elastic": {"penalty": "elastic", "alpha": 0.5, "l1_ratio": 0.3, "cv_folds": 0},
    "positive": {"positive": True, "fit_intercept": False, "x": ["drat", "wt", "qsec"]},
}

if __name__ == "__main__":
    export(HERE, PATH, "cars", "example.csv", CARS, {})
    export(HERE, PATH, "rent", "oracle-rent.csv", RENT, MEASURES)
    for name, settings in KINDS.items():
        export(HERE, PATH, name, "example.csv", PENALISED | settings, {})
