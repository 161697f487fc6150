"""Writes what oracle.R reads; run from engine/ with PYTHONPATH=."""

from pathlib import Path

import pandas as pd

from hengxi.prepare import answers, trained
from tools.export_learner import save

HERE = Path(__file__).parent
CARS = HERE.parent / "knn" / "example.csv"
FORM = {"y": "mpg", "x": ["cyl", "disp", "hp", "wt"], "n_neighbors": 3, "cv_folds": 4}

if __name__ == "__main__":
    model = trained("supervised_learning/regression/knn", pd.read_csv(CARS), FORM)
    new = pd.read_csv(HERE / "example.csv").dropna()
    save(HERE / "oracle-predictions.csv", ["p"], answers(model)(new[FORM["x"]].to_numpy(dtype=float)).tolist())
