"""1,000,000 x 20 csv: our import until the table is wholly stored, against pandas.read_csv. Prints seconds and the ratio.

Run in engine/:  .venv/bin/python ../bench/import_csv.py [rows]
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine"))
from hengxi.data.importing import import_table


def make(path: Path, rows: int) -> None:
    """Ten measures, six 5-point items, two categories, a date and an id."""
    rng = np.random.default_rng(20240101)
    table: dict[str, object] = {f"指标{i}": rng.normal(50, 10, rows).round(4) for i in range(10)}
    table |= {f"题{i}": rng.integers(1, 6, rows) for i in range(6)}
    table["性别"] = rng.choice(["男", "女"], rows)
    table["城市"] = rng.choice(["北京", "上海", "广州", "成都"], rows)
    table["日期"] = (np.datetime64("2020-01-01") + rng.integers(0, 2000, rows)).astype(str)
    table["编号"] = np.arange(rows)
    pd.DataFrame(table).to_csv(path, index=False)


def seconds(work: object, times: int = 3) -> float:
    """Median of a few runs."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()  # type: ignore[operator]
        taken.append(time.perf_counter() - start)
    return sorted(taken)[len(taken) // 2]


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "big.csv"
        make(path, rows)
        theirs = seconds(lambda: pd.read_csv(path))
        count = iter(range(100))
        ours = seconds(
            lambda: import_table(path, "big.csv", {}, {}, "text", None, Path(folder) / f"t{next(count)}", lambda *_: True)
        )
        print(f"pandas.read_csv {theirs:.2f} s   import {ours:.2f} s   ratio {ours / theirs:.1f}")


main()
