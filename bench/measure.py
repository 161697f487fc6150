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
wall, cpu = time.perf_counter(), time.process_time()
exec(code, {{}})
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu,
                  peak(), base]))
""".replace("{{}}", "{}")


@dataclass
class Cost:
    """Seconds, and MiB of the whole process at its peak and before the work."""

    wall: float
    cpu: float
    peak: float
    base: float


def cost(code: str, times: int = 3) -> Cost:
    """The run with the least processor time of a few: others on the machine only add."""
    runs = []
    for _ in range(times):
        done = subprocess.run(
            [sys.executable, "-c", _WRAP, code], capture_output=True, text=True, check=True, cwd=ENGINE
        )
        runs.append(Cost(*json.loads(done.stdout.strip().splitlines()[-1])))
    return min(runs, key=lambda run: run.cpu)


def show(title: str, found: Cost) -> None:
    print(f"{title:28} wall {found.wall:6.2f} s   cpu {found.cpu:6.2f} s   peak {found.peak:5.0f} MiB "
          f"(libraries {found.base:.0f})")  # fmt: skip
