"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path

from tools.export_learner import export

PATH = "supervised_learning/regression/knn"
HERE = Path(__file__).parent
CARS = {"y": "mpg", "x": ["cyl", "disp", "hp", "wt"], "n_neighbors": 3, "cv_folds": 4}
RENT = {
    "y": "月租", "x": ["面积", "区", "装修", "楼层"], "weight": "权重", "weights": "distance", "metric": "gower",
    "missing": "median", "cv_folds": 3, "shap": False,
}  # fmt: skip
MEASURES = {"区": "定类", "装修": "定类"}

if __name__ == "__main__":
    export(HERE, PATH, "cars", "example.csv", CARS, {})
    export(HERE, PATH, "rent", "oracle-rent.csv", RENT, MEASURES)
