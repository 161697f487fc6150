"""1,000,000 rows of a survey with gaps (2 % missing in every column), the table stored: our run against a NumPy sketch.

Ten items of 1–5, three categories, five numeric columns. The sketch computes the statistics of the report's main table on
arrays that are loaded already, with the same gaps left out, and nothing else: no tables, figures or sentences. Prints
processor seconds of both, their ratio and the ratio aimed at. One thread for both sides. Run in engine/:

    .venv/bin/python ../bench/gaps.py [--rows N] [--profile] [part of a name ...]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).resolve().parents[1] / "engine")]

from hengxi.jobs.tuning import environment  # noqa: E402

os.environ.update(environment())

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from methods import cpu_seconds  # noqa: E402
from scipy import special, stats  # noqa: E402

KEY = "t_" + "2" * 32
ITEMS = [f"题{i}" for i in range(1, 11)]
NUMBERS = [f"x{i}" for i in range(1, 6)]
AIM = 1.5

Frame = dict[str, Any]


def make(rows: int) -> pd.DataFrame:
    rng = np.random.default_rng(20240101)
    common = rng.normal(size=rows)
    table: Frame = {}
    for name in ITEMS:
        table[name] = np.clip(np.round(3 + 0.7 * common + rng.normal(0, 0.9, rows)), 1, 5)
    table["性别"] = rng.choice(["男", "女"], rows)
    table["城市"] = rng.choice(["北京", "上海", "广州", "成都"], rows)
    table["学历"] = rng.choice(["高中", "大专", "本科", "硕士", "博士"], rows)
    for name in NUMBERS:
        table[name] = np.round(rng.normal(50, 8, rows) + 2 * common, 3)
    eta = -4 + 0.04 * table["x1"] + 0.02 * table["x2"] + 0.3 * (table["性别"] == "男")
    table["购买"] = np.where(rng.random(rows) < special.expit(eta), "是", "否")
    frame = pd.DataFrame(table)
    for name in frame.columns:
        frame.loc[rng.random(rows) < 0.02, name] = np.nan
    return frame


def numbers(frame: pd.DataFrame, names: list[str]) -> np.ndarray:
    return np.ascontiguousarray(frame[names].to_numpy(float).T)


def codes(frame: pd.DataFrame, name: str) -> np.ndarray:
    return frame[name].astype("category").cat.codes.to_numpy()


def pairwise(x: np.ndarray) -> np.ndarray:
    """Pearson of every pair of rows over the cases both have, by products of zero-filled columns."""
    known = (~np.isnan(x)).astype(float)
    mean = np.nansum(x, axis=1) / known.sum(axis=1)
    filled = np.where(known > 0, x - mean[:, None], 0.0)
    n, s, q, xy = known @ known.T, filled @ known.T, (filled**2) @ known.T, filled @ filled.T
    cov = xy - s * s.T / n
    return cov / np.sqrt((q - s**2 / n) * (q - s**2 / n).T)


def pearson(frame: pd.DataFrame) -> Callable[[], object]:
    x = numbers(frame, ITEMS)
    return lambda: pairwise(x)


def spearman(frame: pd.DataFrame) -> Callable[[], object]:
    """Items of few values: the ranks of a pair follow from its table of counts."""
    x = numbers(frame, ITEMS)

    def work() -> object:
        small = np.where(np.isnan(x), 0, x).astype(np.int8)
        out = np.eye(len(x))
        for i in range(len(x)):
            for j in range(i):
                table = np.bincount(small[i] * 6 + small[j], minlength=36).reshape(6, 6)[1:, 1:]
                n, rows, columns = table.sum(), table.sum(1), table.sum(0)
                a, b = np.cumsum(rows) - (rows - 1) / 2, np.cumsum(columns) - (columns - 1) / 2
                a, b = a - (rows @ a) / n, b - (columns @ b) / n
                out[i, j] = a @ table @ b / np.sqrt((rows @ a**2) * (columns @ b**2))
        return out

    return work


def frequencies(frame: pd.DataFrame) -> Callable[[], object]:
    x = np.where(np.isnan(found := numbers(frame, ITEMS[:5])), 0, found).astype(np.int8)
    return lambda: [np.bincount(row, minlength=6) for row in x]


def t_test(frame: pd.DataFrame) -> Callable[[], object]:
    y, g = frame["x1"].to_numpy(), codes(frame, "性别")

    def work() -> object:
        ok = (g >= 0) & ~np.isnan(y)
        return stats.ttest_ind(y[ok & (g == 0)], y[ok & (g == 1)], equal_var=False)

    return work


def anova(frame: pd.DataFrame) -> Callable[[], object]:
    y, g = frame["x1"].to_numpy(), codes(frame, "城市")

    def work() -> object:
        ok = (g >= 0) & ~np.isnan(y)
        v, k = y[ok] - 50.0, g[ok]
        n, s, q = np.bincount(k), np.bincount(k, v), np.bincount(k, v * v)
        within = (q - s**2 / n).sum()
        between = (s**2 / n).sum() - s.sum() ** 2 / n.sum()
        return between / (len(n) - 1) / (within / (n.sum() - len(n)))

    return work


def design(frame: pd.DataFrame, names: list[str], y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    x = np.vstack([np.ones(len(y)), numbers(frame, names)])
    ok = ~np.isnan(x).any(axis=0) & ~np.isnan(y)
    return x[:, ok], y[ok]


def linear(frame: pd.DataFrame) -> Callable[[], object]:
    def work() -> object:
        x, y = design(frame, [*NUMBERS[1:], *ITEMS[:4]], frame["x1"].to_numpy())
        gram = x @ x.T
        b = np.linalg.solve(gram, x @ y)
        e = y - b @ x
        return b / np.sqrt(np.diag(np.linalg.inv(gram)) * (e @ e) / (len(y) - len(b)))

    return work


def logistic(frame: pd.DataFrame) -> Callable[[], object]:
    y = frame["购买"].map({"是": 1.0, "否": 0.0}).to_numpy(float)

    def work() -> object:
        x, z = design(frame, [*NUMBERS, *ITEMS[:3]], y)
        b = np.zeros(len(x))
        for _ in range(6):
            p = special.expit(b @ x)
            b = b + np.linalg.solve((x * (p * (1 - p))) @ x.T, x @ (z - p))
        return b

    return work


CASES: dict[str, tuple[str, dict[str, Any], Callable[[pd.DataFrame], Callable[[], object]]]] = {
    "pearson": ("descriptive/correlation", {"variables": ITEMS}, pearson),
    "spearman": ("descriptive/correlation", {"variables": ITEMS, "method": "spearman"}, spearman),
    "frequency": ("descriptive/frequency", {"variables": ITEMS[:5]}, frequencies),
    "t test": ("hypothesis_test/independent_t_test", {"group": "性别", "variables": ["x1"]}, t_test),
    "anova": ("hypothesis_test/variance", {"group": "城市", "variables": ["x1"]}, anova),
    "linear": ("statistical/linear_regression", {"y": "x1", "x": [*NUMBERS[1:], *ITEMS[:4]]}, linear),
    "logistic": ("statistical/logistic_regression", {"y": "购买", "x": [*NUMBERS, *ITEMS[:3]]}, logistic),
}


def request(method: str, form: dict[str, Any], ids: dict[str, str]) -> dict[str, Any]:
    named = {
        key: [ids.get(one, one) for one in value] if isinstance(value, list) else ids.get(value, value)
        for key, value in form.items()
    }
    platform = {"filter": None, "split": None, "weight": None, "fill_missing": 0, "seed": 1}
    return {"path": method, "form": named, "table": KEY, **platform}


def profile(work: Callable[[], object]) -> None:
    import cProfile
    import pstats

    watched = cProfile.Profile()
    watched.runcall(work)
    pstats.Stats(watched).sort_stats("tottime").print_stats(14)


def main() -> None:
    reader = argparse.ArgumentParser()
    reader.add_argument("--rows", type=int, default=1_000_000)
    reader.add_argument("--profile", action="store_true")
    reader.add_argument("parts", nargs="*")
    asked = reader.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HENGXI_DATA"] = folder
        from hengxi.data import store
        from hengxi.data.importing import import_table
        from hengxi.jobs.analysis import run_analysis
        from hengxi.jobs.child import calm_collector

        frame = make(asked.rows)
        path = Path(folder) / "survey.csv"
        frame.to_csv(path, index=False)
        done = import_table(path, "survey.csv", {}, {}, "text", None, store.table_path(KEY), lambda *_: True)
        ids = {column["name"]: column["id"] for column in done["columns"]}
        calm_collector()
        for name, (method, form, sketch) in CASES.items():
            if asked.parts and not any(part in name for part in asked.parts):
                continue
            payload = request(method, form, ids)
            work = lambda: run_analysis(payload, lambda *_: True)  # noqa: E731, B023
            ours, theirs = cpu_seconds(work, 3), cpu_seconds(sketch(frame), 3)
            print(
                f"{name:12}{ours * 1000:9.0f} ms {theirs * 1000:9.0f} ms   {ours / theirs:6.2f}   (aim {AIM})",
                flush=True,
            )
            if asked.profile:
                profile(work)


if __name__ == "__main__":
    main()
