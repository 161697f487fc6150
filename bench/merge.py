"""1,000,000 × 1,000,000 rows joined by a number: the step with its whole report against the bare join in Polars."""

from __future__ import annotations

import resource
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine"))

import numpy as np  # noqa: E402
import polars as pl  # noqa: E402
import pyarrow as pa  # noqa: E402

from hengxi.data.build import columns_of  # noqa: E402
from hengxi.data.meta import Meta  # noqa: E402
from hengxi.data.table import Table  # noqa: E402
from hengxi.jobs.other_tables import TableHandle, choice_of  # noqa: E402
from hengxi.prepare import report_on  # noqa: E402

ROWS, TURNS = 1_000_000, 7


def table(columns: dict[str, np.ndarray]) -> Table:
    data, described = columns_of(list(columns), [pa.array(values) for values in columns.values()])
    return Table.in_memory(Meta(data=None, rows=ROWS, columns=described), data)


def main() -> None:
    rng = np.random.default_rng(1)
    left = {"k": rng.permutation(ROWS), "a": rng.normal(size=ROWS), "b": rng.integers(1, 6, ROWS)}
    right = {"k": rng.permutation(ROWS) + ROWS // 10, "c": rng.normal(size=ROWS), "d": rng.integers(1, 6, ROWS)}
    ours, other = table(left), table(right)
    frames = pl.DataFrame(left), pl.DataFrame(right)
    form = {"right": {"vid": 1}, "keys": [{"left": "k", "right": "c1"}]}
    kept = {"right": TableHandle([(choice_of(1, "另表", other), other)])}
    ratios = []
    for turn in range(TURNS):
        began = time.perf_counter()
        frames[0].join(frames[1], on="k", how="left")
        bare = time.perf_counter() - began
        began = time.perf_counter()
        report_on("data_processing/merge_files", ours, form, kept=kept)
        step = time.perf_counter() - began
        if turn:
            ratios.append(step / bare)
        print(f"Polars {bare:.2f} s, step {step:.2f} s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}), peak {peak:.0f} MiB")


if __name__ == "__main__":
    main()
