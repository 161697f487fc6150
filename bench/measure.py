"""What a piece of Python costs in a fresh process: wall and processor seconds without the imports, peak memory."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ENGINE = Path(__file__).resolve().parents[1] / "engine"
sys.path.append(str(ENGINE))

from hengxi.jobs.tuning import environment  # noqa: E402, as the children that import have it

_WRAP = """
import json, re, sys, time
import numpy, pandas, polars, pyarrow, pyarrow.parquet, pyreadstat, python_calamine
import hengxi.data.importing as importing
from hengxi.data.formats import formats
formats()
def peak():  # getrusage would tell the peak of the parent as well
    return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) / 1024
code = compile(sys.argv[1], "bench", "exec")
base = peak()
scope = {{}}
wall, cpu = time.perf_counter(), time.process_time()
exec(code, scope)
apart = scope.get("apart", [0, 0])
print(json.dumps([time.perf_counter() - wall - apart[0], time.process_time() - cpu - apart[1], peak(), base, apart[1]]))
""".replace("{{}}", "{}")


@dataclass
class Cost:
    """Seconds, and MiB of the whole process at its peak and before the work; `apart` = processor seconds that the
    code told to leave out by its variable `apart` = [wall, processor]."""

    wall: float
    cpu: float
    peak: float
    base: float
    apart: float


def costs(*codes: str, times: int = 5) -> list[list[Cost]]:
    """The runs of each code. The codes take turns, so that a busy minute meets them all."""
    runs: list[list[Cost]] = [[] for _ in codes]
    for _ in range(times):
        for code, readings in zip(codes, runs, strict=True):
            done = subprocess.run(
                [sys.executable, "-c", _WRAP, code],
                stdout=subprocess.PIPE, text=True, check=True, cwd=ENGINE, env={**environment(), **os.environ},
            )  # fmt: skip
            readings.append(Cost(*json.loads(done.stdout.strip().splitlines()[-1])))
    return runs


def show(title: str, runs: list[Cost]) -> None:
    """The medians of some runs."""
    wall, cpu, peak, base = (median(getattr(run, one) for run in runs) for one in ("wall", "cpu", "peak", "base"))
    print(f"{title:28} wall {wall:6.2f} s   cpu {cpu:6.2f} s   peak {peak:5.0f} MiB (libraries {base:.0f})")


def ratio(ours: list[Cost], theirs: list[Cost]) -> str:
    """Ratios of processor and of wall time: median, least and largest turn by turn, and that of the two quickest runs.

    Other work on the machine only adds: on a busy one the quickest runs tell the most.
    """
    texts = []
    for clock in ("cpu", "wall"):
        mine, other = ([getattr(run, clock) for run in runs] for runs in (ours, theirs))
        found = sorted(a / b for a, b in zip(mine, other, strict=True))
        least = min(mine) / min(other)
        texts.append(f"{clock} {median(found):.2f} ({found[0]:.2f} to {found[-1]:.2f}, quickest {least:.2f})")
    return ", ".join(texts)
