"""What the libraries are told by the environment, before they are loaded: of this process and of its children."""

from __future__ import annotations

import contextlib
import ctypes
import os
from pathlib import Path

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""A heavy run raises its own limit inside its child."""

IMPORTS = {
    "POLARS_MAX_THREADS": "3",
    "POLARS_CSV_CHUNK_SIZE": str(2 << 20),
    "_RJEM_MALLOC_CONF": "dirty_decay_ms:200,muzzy_decay_ms:0",
    "MALLOC_TOP_PAD_": str(16 << 20),
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
}
"""Polars only reads files, and somebody waits for that: of three threads two always have work on two processors. In its
own larger pieces it takes 100 MiB more and no less time. It gives memory back soon: by itself it holds for half a
second what the next stage of an import needs. The system's allocator, where it is glibc's, keeps some of what it gets
back: arrays come and go, and to get the pages of each anew takes as long as to fill them."""

SORTING = {"NPY_DISABLE_CPU_FEATURES": "X86_V4"}
"""AMD's Zen 4 has the wide vectors that numpy sorts with, but writes compressed ones by microcode: without them numpy
sorts five times, orders and finds different values three times as fast."""


def environment(cpu: str | None = None) -> dict[str, str]:
    """All of it for a machine whose processor tells this of itself (Linux), by default this one."""
    words = _cpu() if cpu is None else cpu
    told = dict(line.split(":", 1) for line in words.replace("\t", "").split("\n\n")[0].splitlines() if ":" in line)
    is_zen4 = told.get("vendor_id", "").strip() == "AuthenticAMD" and told.get("cpu family", "").strip() == "25"
    slow = is_zen4 and "avx512f" in told.get("flags", "").split()
    return {**ONE_THREAD, **IMPORTS, **(SORTING if slow else {})}


def _cpu() -> str:
    try:
        return Path("/proc/cpuinfo").read_text()
    except OSError:
        return ""


def tune() -> None:
    """Tells this process and those it starts; what the operator has set stays."""
    for name, value in environment().items():
        os.environ.setdefault(name, value)


def give_back() -> None:
    """What the allocator keeps for the next arrays goes to the system: after an import there are none for a while."""
    with contextlib.suppress(AttributeError, OSError):  # not glibc
        ctypes.CDLL(None).malloc_trim(0)
