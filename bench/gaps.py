"""1,000,000 rows of a survey with gaps (2 % missing in every column), the table stored: our run against NumPy sketches.

Ten items of 1–5, three categories, five numeric columns. The first sketch computes the statistics of the main table on
arrays that are loaded already, with the same gaps left out, and nothing else: no tables, figures or sentences. The
second (`gaps_whole.py`) computes all numbers of the report: moments, checks, diagnostics of cases, points of figures.
Ours reads its columns from the file and writes the report. Prints processor seconds, both ratios, and what a report of
1,000 such rows takes: tables and sentences, which do not grow. One thread for all. k-means is beside one start of the
library, and beside as many as its report says it made of all rows. Run in engine/:

    .venv/bin/python ../bench/gaps.py [--rows N] [--profile] [part of a name ...]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).resolve().parents[1] / "engine")]

from hengxi.jobs.tuning import environment  # noqa: E402

os.environ.update(environment())

import gaps_whole as whole  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from methods import cpu_seconds  # noqa: E402
from scipy import special, stats  # noqa: E402
from sklearn.cluster import KMeans  # noqa: E402

KEY, SMALL = "t_" + "2" * 32, "t_" + "3" * 32
ITEMS = [f"题{i}" for i in range(1, 11)]
NUMBERS = [f"x{i}" for i in range(1, 6)]
AIM = 1.5

Frame = dict[str, Any]
Work = Callable[[], object]
Sketches = tuple[Work, Work]


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


def pearson(frame: pd.DataFrame) -> Sketches:
    x = numbers(frame, ITEMS)
    return lambda: pairwise(x), lambda: whole.correlation(x, lambda: pairwise(x))


def spearman(frame: pd.DataFrame) -> Sketches:
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
                out[i, j] = out[j, i] = a @ table @ b / np.sqrt((rows @ a**2) * (columns @ b**2))
        return out

    return work, lambda: whole.correlation(x, work)


def frequencies(frame: pd.DataFrame) -> Sketches:
    x = np.where(np.isnan(found := numbers(frame, ITEMS[:5])), 0, found).astype(np.int8)
    return lambda: [np.bincount(row, minlength=6) for row in x], lambda: whole.frequencies(found)


def t_test(frame: pd.DataFrame) -> Sketches:
    y, g = frame["x1"].to_numpy(), codes(frame, "性别")

    def work() -> object:
        ok = (g >= 0) & ~np.isnan(y)
        return stats.ttest_ind(y[ok & (g == 0)], y[ok & (g == 1)], equal_var=False)

    return work, lambda: whole.t_test(y, g)


def anova(frame: pd.DataFrame) -> Sketches:
    y, g = frame["x1"].to_numpy(), codes(frame, "城市")

    def work() -> object:
        ok = (g >= 0) & ~np.isnan(y)
        v, k = y[ok] - 50.0, g[ok]
        n, s, q = np.bincount(k), np.bincount(k, v), np.bincount(k, v * v)
        within = (q - s**2 / n).sum()
        between = (s**2 / n).sum() - s.sum() ** 2 / n.sum()
        return between / (len(n) - 1) / (within / (n.sum() - len(n)))

    return work, lambda: whole.anova(y, g)


def design(frame: pd.DataFrame, names: list[str], y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    x = np.vstack([np.ones(len(y)), numbers(frame, names)])
    ok = ~np.isnan(x).any(axis=0) & ~np.isnan(y)
    return x[:, ok], y[ok]


def linear(frame: pd.DataFrame) -> Sketches:
    chosen = [*NUMBERS[1:], *ITEMS[:4]]

    def work() -> object:
        x, y = design(frame, chosen, frame["x1"].to_numpy())
        gram = x @ x.T
        b = np.linalg.solve(gram, x @ y)
        e = y - b @ x
        return b / np.sqrt(np.diag(np.linalg.inv(gram)) * (e @ e) / (len(y) - len(b)))

    return work, lambda: whole.linear(*design(frame, chosen, frame["x1"].to_numpy()))


def logistic(frame: pd.DataFrame) -> Sketches:
    chosen = [*NUMBERS, *ITEMS[:3]]
    y = frame["购买"].map({"是": 1.0, "否": 0.0}).to_numpy(float)

    def work() -> object:
        x, z = design(frame, chosen, y)
        b = np.zeros(len(x))
        for _ in range(6):
            p = special.expit(b @ x)
            b = b + np.linalg.solve((x * (p * (1 - p))) @ x.T, x @ (z - p))
        return b

    return work, lambda: whole.logistic(*design(frame, chosen, y))


CASES: dict[str, tuple[str, dict[str, Any], Callable[[pd.DataFrame], Sketches]]] = {
    "pearson": ("descriptive/correlation", {"variables": ITEMS}, pearson),
    "spearman": ("descriptive/correlation", {"variables": ITEMS, "method": "spearman"}, spearman),
    "frequency": ("descriptive/frequency", {"variables": ITEMS[:5]}, frequencies),
    "t test": ("hypothesis_test/independent_t_test", {"group": "性别", "variables": ["x1"]}, t_test),
    "anova": ("hypothesis_test/variance", {"group": "城市", "variables": ["x1"]}, anova),
    "linear": ("statistical/linear_regression", {"y": "x1", "x": [*NUMBERS[1:], *ITEMS[:4]]}, linear),
    "logistic": ("statistical/logistic_regression", {"y": "购买", "x": [*NUMBERS, *ITEMS[:3]]}, logistic),
}


GROUPED = [*NUMBERS, *ITEMS[:3]]


def clusters(frame: pd.DataFrame, run: Callable[[dict[str, Any]], Any], ids: dict[str, str]) -> None:
    """k-means with four groups on eight columns beside one start of the library on the same standard scores."""
    z = frame[GROUPED].dropna().to_numpy()
    z = (z - z.mean(axis=0)) / z.std(axis=0, ddof=1)
    payload = request("statistical/kmeans_cluster", {"x": GROUPED, "k": 4}, ids)
    elements = run(payload)["report"].parts[0].elements
    facts = next(one["facts"] for one in elements if "whole" in one.get("facts", {}))
    ours = cpu_seconds(lambda: run(payload), 3)
    theirs = cpu_seconds(lambda: KMeans(4, n_init=1, random_state=1).fit(z), 3)
    print(
        f"k-means     {ours * 1000:9.0f} ms, one start of the library {theirs * 1000:.0f} ms: {ours / theirs:.2f}; "
        f"{facts['runs']} restarts of a sample, {facts['whole']} starts of all rows: {ours / theirs / facts['whole']:.2f} "
        "of the library's for each (aim 2)",
        flush=True,
    )


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
        from hengxi.jobs.worker import calm_collector

        def stored(key: str, frame: pd.DataFrame) -> dict[str, str]:
            path = Path(folder) / "survey.csv"
            frame.to_csv(path, index=False)
            done = import_table(path, "survey.csv", {}, {}, "text", None, store.table_path(key), lambda *_: True)
            return {column["name"]: column["id"] for column in done["columns"]}

        def run(payload: dict[str, Any]) -> Any:
            return run_analysis(payload, lambda *_: True)

        frame = make(asked.rows)
        stored(SMALL, frame[:1000])
        ids = stored(KEY, frame)
        calm_collector()
        heads = f"{'ms':12}{'ours':>8}{'1,000 rows':>12}{'sketch':>8}{'ratio':>7}{'all numbers':>13}{'ratio':>7}"
        print(f"{heads}   (aim {AIM})")
        for name, (method, form, sketch) in CASES.items():
            if asked.parts and not any(part in name for part in asked.parts):
                continue
            payload = request(method, form, ids)
            few = {**payload, "table": SMALL}
            main_table, every_number = sketch(frame)
            # In turns: other work on the machine meets all alike.
            turns = [
                [cpu_seconds(work, 1) for work in (partial(run, payload), partial(run, few), main_table, every_number)]
                for _ in range(3)
            ]
            ours, small, least, most = (sorted(taken)[1] * 1000 for taken in zip(*turns, strict=True))
            print(
                f"{name:12}{ours:8.0f}{small:12.0f}{least:8.0f}{ours / least:7.2f}{most:13.0f}{ours / most:7.2f}",
                flush=True,
            )
            if asked.profile:
                profile(partial(run, payload))
        if not asked.parts or "k-means" in asked.parts:
            clusters(frame, run, ids)


if __name__ == "__main__":
    main()
