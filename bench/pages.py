"""A page, a sort and a filter count of a table of 1,000,000 x 30, as the engine answers them (warm medians).

Run in engine/:  .venv/bin/python ../bench/pages.py [rows]
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine"))
from hengxi.data import pages, store
from hengxi.data.importing import import_table

KEY = "t_" + "0" * 32


def make(path: Path, rows: int) -> None:
    rng = np.random.default_rng(20240101)
    table: dict[str, object] = {f"x{i}": rng.normal(50, 10, rows) for i in range(15)}
    table |= {f"q{i}": rng.integers(1, 6, rows) for i in range(10)}
    table |= {f"t{i}": rng.choice(["甲", "乙", "丙"], rows) for i in range(5)}
    pq.write_table(pa.table(table), path)


def middle(work: Callable[[int], object], times: int = 9) -> tuple[float, float]:
    """Median milliseconds of wall and processor."""
    runs = []
    for i in range(times):
        wall, cpu = time.perf_counter(), time.process_time()
        work(i)
        runs.append(((time.perf_counter() - wall) * 1e3, (time.process_time() - cpu) * 1e3))
    return statistics.median(r[0] for r in runs), statistics.median(r[1] for r in runs)


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HENGXI_DATA"] = folder
        path = Path(folder) / "big.parquet"
        make(path, rows)
        import_table(path, "big.parquet", {}, {}, "text", None, store.table_path(KEY))
        late = rows * 9 // 10
        asks: dict[str, Callable[[int], object]] = {
            "page at 90 %": lambda i: pages.rows(KEY, {"offset": late + i, "limit": 100}),
            "sort, page at 90 %": lambda i: pages.rows(
                KEY, {"offset": late, "limit": 100, "sort": [{"column": f"c{i + 1}", "desc": False}]}
            ),
            "filter count": lambda i: pages.count(KEY, {"condition": f"{{c1}} > {40 + i} and {{c16}} >= 3"}),
        }
        for title, ask in asks.items():
            wall, cpu = middle(ask)
            print(f"{title:20} wall {wall:7.1f} ms   cpu {cpu:7.1f} ms")


main()
