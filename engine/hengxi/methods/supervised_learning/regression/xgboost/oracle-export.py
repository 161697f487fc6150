"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path

from tools.export_learner import export, export_rounds

PATH = "supervised_learning/regression/xgboost"
HERE = Path(__file__).parent
CARS = {
    "y": "mpg", "x": ["cyl", "disp", "hp", "wt"], "n_estimators": 15, "cv_folds": 4, "max_depth": 2,
    "learning_rate": 0.3,
}  # fmt: skip
RENT = {
    "y": "月租", "x": ["面积", "区", "装修", "楼层"], "weight": "权重", "cv_folds": 0, "n_estimators": 20,
    "objective": "count:poisson", "max_depth": 3,
}  # fmt: skip
CASES = [
    ("cars", "example.csv", CARS, {}),
    ("rent", "oracle-rent.csv", RENT, {"区": "定类", "装修": "定类"}),
]

if __name__ == "__main__":
    for name, data, fields, measures in CASES:
        found, form = export(HERE, PATH, name, data, fields, measures)
        watched = export_rounds(HERE / f"oracle-{name}-rounds.csv", PATH, found, form)
        (HERE / f"oracle-{name}-model.json").write_bytes(found.fit.learner.library.save_raw("json"))
        (HERE / f"oracle-{name}-rounds-model.json").write_bytes(watched.grown.library.save_raw("json"))
