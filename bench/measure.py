"""What a piece of Python costs in a fresh process: wall and processor seconds without the imports, peak memory."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ENGINE = Path(__file__).resolve().parents[1] / "engine"
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


def costs(*codes: str, times: int = 3) -> list[Cost]:
    """Of each code the run with the least processor time of a few: others on the machine only add.

    The codes take turns, so that a busy minute meets them all.
    """
    runs: list[list[Cost]] = [[] for _ in codes]
    for _ in range(times):
        for code, found in zip(codes, runs, strict=True):
            done = subprocess.run(
                [sys.executable, "-c", _WRAP, code], stdout=subprocess.PIPE, text=True, check=True, cwd=ENGINE
            )
            found.append(Cost(*json.loads(done.stdout.strip().splitlines()[-1])))
    return [min(found, key=lambda run: run.cpu) for found in runs]


def show(title: str, found: Cost) -> None:
    print(f"{title:28} wall {found.wall:6.2f} s   cpu {found.cpu:6.2f} s   peak {found.peak:5.0f} MiB "
          f"(libraries {found.base:.0f})")  # fmt: skip
