"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path

from tools.export_learner import export, export_seen, export_trees

PATH = "supervised_learning/regression/extra_tree"
HERE = Path(__file__).parent
CARS = {"y": "mpg", "x": ["cyl", "disp", "hp", "wt"], "n_estimators": 50, "cv_folds": 4}
RENT = {
    "y": "月租", "x": ["面积", "区", "装修", "楼层"], "weight": "权重", "missing": "median", "cv_folds": 0,
    "min_samples_leaf": 4, "n_estimators": 15, "bootstrap": True, "oob_score": True,
}  # fmt: skip
CASES = [
    ("cars", "example.csv", CARS, {}),
    ("rent", "oracle-rent.csv", RENT, {"区": "定类", "装修": "定类"}),
]

if __name__ == "__main__":
    for name, data, fields, measures in CASES:
        found, form = export(HERE, PATH, name, data, fields, measures)
        export_trees(HERE / f"oracle-{name}-trees.csv", found.fit.learner.library.estimators_)
        if form.oob_score:
            export_seen(HERE / f"oracle-{name}-seen.csv", found)
