"""1,000,000 rows, the table stored: our whole run against a plain pandas/SciPy/statsmodels script whose data is loaded.

The script computes what a user would: the same main tables and fits, no charts, no sentences, no checks of its own.
Prints CPU seconds of both (this machine may be busy) and the ratio. Run in engine/:

    .venv/bin/python ../bench/methods.py [rows]
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy import stats

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine"))

KEY = "t_" + "0" * 32


def make(path: Path, rows: int) -> None:
    rng = np.random.default_rng(20240101)
    sex = rng.choice(["男", "女"], rows)
    table = {"性别": sex, "城市": rng.choice(["北京", "上海", "广州", "成都"], rows)}
    for i in range(1, 9):
        table[f"x{i}"] = rng.normal(50, 10, rows).round(3)
    table["y"] = np.round(10 + 0.3 * table["x1"] - 0.2 * table["x2"] + (sex == "男") + rng.normal(0, 5, rows), 3)
    pd.DataFrame(table).to_csv(path, index=False)


def cpu_seconds(work: Callable[[], object], times: int = 3) -> float:
    """Median CPU time of a few runs, after one that is not counted."""
    work()
    taken = []
    for _ in range(times):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return sorted(taken)[len(taken) // 2]


def frequency(frame: pd.DataFrame) -> object:
    return [(frame[name].value_counts(), frame[name].value_counts(normalize=True)) for name in ("性别", "城市")]


def t_test(frame: pd.DataFrame) -> object:
    groups = [frame.loc[frame["性别"] == sex, "y"] for sex in ("男", "女")]
    found = [stats.ttest_ind(*groups, equal_var=equal) for equal in (True, False)]
    return [group.describe() for group in groups], [one.confidence_interval() for one in found], stats.levene(*groups, center="mean")


def regression(frame: pd.DataFrame) -> object:
    x = sm.add_constant(frame[[f"x{i}" for i in range(1, 9)]])
    fit = sm.OLS(frame["y"], x).fit()
    return fit.summary(), fit.get_influence().hat_matrix_diag


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HENGXI_DATA"] = folder
        from hengxi.data import store
        from hengxi.data.importing import import_table
        from hengxi.jobs.analysis import run_analysis

        path = Path(folder) / "big.csv"
        make(path, rows)
        done = import_table(path, "big.csv", {}, {}, "text", None, store.table_path(KEY), lambda *_: True)
        ids = {column["name"]: column["id"] for column in done["columns"]}
        frame = pd.read_csv(path)
        xs = [ids[f"x{i}"] for i in range(1, 9)]
        cases: list[tuple[str, dict[str, object], Callable[[pd.DataFrame], object]]] = [
            ("descriptive/frequency", {"variables": [ids["性别"], ids["城市"]]}, frequency),
            ("hypothesis_test/independent_t_test", {"group": ids["性别"], "variables": [ids["y"]]}, t_test),
            ("statistical/linear_regression", {"y": ids["y"], "x": xs}, regression),
        ]
        for method, form, script in cases:
            payload = {"path": method, "form": form, "table": KEY, "filter": None, "split": None, "weight": None}
            ours = cpu_seconds(lambda p=payload: run_analysis({**p, "fill_missing": 0, "seed": None}, lambda *_: True))
            theirs = cpu_seconds(lambda s=script: s(frame))
            print(f"{method:40} ours {ours:6.3f} s   script {theirs:6.3f} s   ratio {ours / theirs:.2f}")


main()
