"""Exports what the saved iris forest says of example.csv, for oracle.R to compute every score.

Run from engine/ with PYTHONPATH=.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pandas as pd

from hengxi.prepare import answers, trained

FOREST = "supervised_learning/classifier/random_forest"
HERE = Path(__file__).parent
X = ["sepal_length", "sepal_width", "petal_length", "petal_width"]


def main() -> None:
    iris = pd.read_csv(HERE.parent / "random_forest/example.csv")
    handle = trained(FOREST, iris, {"y": "species", "x": X}, measures={"species": "定类"})
    new = pd.read_csv(HERE / "example.csv")
    x = new[X].to_numpy()
    good = ~np.isnan(x).any(axis=1)
    with (HERE / "oracle-predictions.csv").open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["p1", "p2", "p3"])
        shares = np.full((len(new), 3), np.nan)
        shares[good] = answers(handle)(x[good])
        writer.writerows([["" if np.isnan(v) else repr(float(v)) for v in row] for row in shares])


if __name__ == "__main__":
    main()
