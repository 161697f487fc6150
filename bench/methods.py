"""1,000,000 rows, the table stored: our whole run against the plain script of `methods_script.py` on its loaded frame.

Prints processor seconds of both (this machine may be busy), their ratio and the ratio aimed at; with `--memory` also
the peak of a run in a fresh process over that of its libraries, beside the bytes of the columns it uses. One thread for
both sides, as a run in a warm child has. Run in engine/:

    .venv/bin/python ../bench/methods.py [--memory] [--rows N] [part of a method's path ...]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).resolve().parents[1] / "engine")]

from hengxi.jobs.tuning import environment  # noqa: E402

os.environ.update(environment())  # of both sides, before their libraries are loaded

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

KEY = "t_" + "0" * 32
XS = [f"x{i}" for i in range(1, 9)]
FORMS: dict[str, tuple[dict[str, Any], float]] = {
    "descriptive/frequency": ({"variables": ["性别", "城市"]}, 0.6),
    "descriptive/descriptive_statistics": ({"variables": XS}, 0.6),
    "descriptive/crosstabs": ({"rows": ["性别"], "columns": ["城市"]}, 0.6),
    "descriptive/correlation": ({"variables": XS}, 0.8),
    "hypothesis_test/independent_t_test": ({"group": "性别", "variables": ["y"]}, 0.6),
    "hypothesis_test/variance": ({"group": "城市", "variables": ["y"]}, 0.6),
    "statistical/linear_regression": ({"y": "y", "x": XS}, 0.6),
    "statistical/logistic_regression": ({"y": "购买", "x": XS}, 1.1),
    "statistical/kmeans_cluster": ({"x": XS[:4]}, 1.1),
    "statistical/factor_analysis": ({"items": XS}, 1.1),
    "supervised_learning/classifier/random_forest": ({"y": "购买", "x": XS}, 1.1),
}
"""Form by names, and the ratio aimed at."""
LONG = 5.0


def make(path: Path, rows: int) -> None:
    rng = np.random.default_rng(20240101)
    sex = rng.choice(["男", "女"], rows)
    table = {"性别": sex, "城市": rng.choice(["北京", "上海", "广州", "成都"], rows)}
    for name in XS:
        table[name] = np.maximum(rng.normal(50, 8, rows), 1.0).round(3)
    noise = rng.normal(0, 5, rows)
    table["y"] = np.round(10 + 0.3 * table["x1"] - 0.2 * table["x2"] + (sex == "男") + noise, 3)
    eta = -3 + 0.04 * table["x1"] + 0.02 * table["x3"] + 0.3 * (sex == "男") - 0.03 * table["x5"]
    table["购买"] = np.where(rng.random(rows) < 1 / (1 + np.exp(-eta)), "是", "否")
    pd.DataFrame(table).to_csv(path, index=False)


def store_table(path: Path) -> dict[str, str]:
    """Ids of the stored columns by name."""
    from hengxi.data import store
    from hengxi.data.importing import import_table

    done = import_table(path, "big.csv", {}, {}, "text", None, store.table_path(KEY), lambda *_: True)
    return {column["name"]: column["id"] for column in done["columns"]}


def request(method: str, ids: dict[str, str]) -> dict[str, Any]:
    form = {
        key: [ids[one] for one in value] if isinstance(value, list) else ids[value]
        for key, value in FORMS[method][0].items()
    }
    platform = {"filter": None, "split": None, "weight": None, "fill_missing": 0, "seed": 1}
    return {"path": method, "form": form, "table": KEY, **platform}


def run(payload: dict[str, Any]) -> None:
    from hengxi.jobs.analysis import run_analysis

    run_analysis(payload, lambda *_: True)


def cpu_seconds(work: Callable[[], object], times: int = 5) -> float:
    """Median processor time of a few runs, after one that is not counted; of one run where that took long."""
    start = time.process_time()
    work()
    taken: list[float] = []
    for _ in range(times if time.process_time() - start < LONG else 1):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return sorted(taken)[len(taken) // 2]


_ALONE = """
import json, re, sys
sys.path[:0] = json.loads(sys.argv[1])
import statsmodels.api, hengxi.registry
from methods import run
hengxi.registry.load_all()
def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) / 1024
run(json.loads(sys.argv[2]))  # on a few rows: what a first run loads is no part of the measure
base = peak()
run(json.loads(sys.argv[3]))
print(peak() - base)
"""


def memory(method: str, ids: dict[str, str], small: str) -> tuple[float, float]:
    """MiB a run needs over its libraries, and MiB of the columns used (8 bytes a number, 4 a category)."""
    payload = request(method, ids)
    arguments = [json.dumps(sys.path[:2]), json.dumps({**payload, "table": small}), json.dumps(payload)]
    done = subprocess.run([sys.executable, "-c", _ALONE, *arguments], capture_output=True, text=True, check=True)
    from hengxi.data.table import Table

    table = Table.open(KEY)
    used = {one for value in payload["form"].values() for one in (value if isinstance(value, list) else [value])}
    width = sum(4 if table.column(one).storage == "text" else 8 for one in used)
    return float(done.stdout.strip().splitlines()[-1]), width * table.rows / 2**20


def main() -> None:
    reader = argparse.ArgumentParser()
    reader.add_argument("--memory", action="store_true")
    reader.add_argument("--rows", type=int, default=1_000_000)
    reader.add_argument("parts", nargs="*")
    asked = reader.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HENGXI_DATA"] = folder
        from hengxi.jobs.worker import calm_collector
        from methods_script import SCRIPTS

        path = Path(folder) / "big.csv"
        global KEY
        whole, KEY = KEY, "t_" + "1" * 32
        make(path, 500)
        store_table(path)
        small, KEY = KEY, whole
        make(path, asked.rows)
        ids = store_table(path)
        frame = pd.read_csv(path)
        calm_collector()
        for method, (_, aim) in FORMS.items():
            if asked.parts and not any(part in method for part in asked.parts):
                continue
            payload = request(method, ids)
            ours, theirs = cpu_seconds(lambda p=payload: run(p)), cpu_seconds(lambda m=method: SCRIPTS[m](frame))
            line = f"{method:36} ours {ours:6.3f} s   script {theirs:6.3f} s   ratio {ours / theirs:5.2f} (aim {aim})"
            if asked.memory:
                needed, used = memory(method, ids, small)
                line += f"   memory {needed:4.0f} MiB, columns {used:3.0f} MiB"
            print(line, flush=True)


if __name__ == "__main__":
    main()
