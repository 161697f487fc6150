"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path

from tools.export_learner import boosted_again, export, export_rounds, export_trees

PATH = "supervised_learning/regression/gbdt"
HERE = Path(__file__).parent
CARS = {"y": "mpg", "x": ["cyl", "disp", "hp", "wt"], "n_estimators": 20, "cv_folds": 4, "max_depth": 2}
RENT = {
    "y": "月租", "x": ["面积", "区", "装修", "楼层"], "weight": "权重", "missing": "median", "cv_folds": 0,
    "min_samples_leaf": 4, "n_estimators": 15, "loss": "quantile", "alpha": 0.8,
}  # fmt: skip
CASES = [
    ("cars", "example.csv", CARS, {}),
    ("rent", "oracle-rent.csv", RENT, {"区": "定类", "装修": "定类"}),
]

if __name__ == "__main__":
    for name, data, fields, measures in CASES:
        found, form = export(HERE, PATH, name, data, fields, measures)
        watched = export_rounds(HERE / f"oracle-{name}-rounds.csv", PATH, found, form)
        export_trees(HERE / f"oracle-{name}-trees.csv", found.fit.learner.library.estimators_.ravel())
        export_trees(HERE / f"oracle-{name}-rounds-trees.csv", watched.grown.library.estimators_.ravel())
        if form.loss == "quantile":
            other = boosted_again(PATH, found, form, alpha=1 - form.alpha)
            export_trees(HERE / f"oracle-{name}-other-trees.csv", other.library.estimators_.ravel())
