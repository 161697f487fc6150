"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

import json
from pathlib import Path

from tools.export_learner import export, export_rounds

PATH = "supervised_learning/regression/lightgbm"
HERE = Path(__file__).parent
CARS = {
    "y": "mpg", "x": ["cyl", "disp", "hp", "wt"], "n_estimators": 15, "cv_folds": 4, "num_leaves": 4,
    "learning_rate": 0.2, "min_child_samples": 2,
}  # fmt: skip
RENT = {
    "y": "月租", "x": ["面积", "区", "装修", "楼层"], "weight": "权重", "cv_folds": 0, "n_estimators": 15,
    "num_leaves": 5, "objective": "quantile", "alpha": 0.8,
}  # fmt: skip
CASES = [
    ("cars", "example.csv", CARS, {}),
    ("rent", "oracle-rent.csv", RENT, {"区": "定类", "装修": "定类"}),
]

if __name__ == "__main__":
    for name, data, fields, measures in CASES:
        found, form = export(HERE, PATH, name, data, fields, measures)
        watched = export_rounds(HERE / f"oracle-{name}-rounds.csv", PATH, found, form)
        for kind, grown in (("model", found.fit.learner), ("rounds-model", watched.grown)):
            (HERE / f"oracle-{name}-{kind}.json").write_text(json.dumps(grown.library.dump_model()["tree_info"]))
