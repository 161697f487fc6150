"""Texts compared: one check against 10,000 documents, each in a process of its own. Run by hand from `engine/`:

    PYTHONPATH=. .venv/bin/python ../bench/plagdet.py [documents] [checks]

Words are drawn by the frequencies of a language: real prose shares more phrases, so these are best cases.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

PIECE = 2000


def build(folder: Path, count: int) -> list[list[int]]:
    from hengxi.plagdet import files, segment
    from hengxi.plagdet.normal import normalise
    from tests.plagdet.conftest import Prose

    prose = Prose(20240101, 100_000)
    words = np.array(prose.words, dtype=object)
    stock = ["".join(prose.sentence()) + "。" for _ in range(200)]
    (folder / "plagdet").mkdir()
    began, parts = time.perf_counter(), []
    for start in range(0, count, PIECE):
        documents = []
        for number in range(start, min(start + PIECE, count)):
            text = written(prose.random, words, prose.steps, stock)
            files.write_text(f"p_{number:032x}", text)
            documents.append((number + 1, normalise(text).codes))
        segment.write(f"p_{'f' * 24}{start:08x}", documents)
        parts.append([number for number, _ in documents])
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    print(f"library: {count} documents, {time.perf_counter() - began:.0f} s, {size / 2**20:.0f} MB on disk")
    return parts


def written(random: np.random.Generator, words: np.ndarray, steps: np.ndarray, stock: list[str]) -> str:
    """Some 13,000 characters; one sentence of twenty stands in many documents."""
    count = int(random.lognormal(np.log(7800), 0.5))
    drawn = words[np.searchsorted(steps, random.random(count))].tolist()
    out, at = [], 0
    for length in random.integers(6, 25, count // 6):
        if at >= count:
            break
        out.append("".join(drawn[at : at + length]) + "。")
        if random.random() < 0.05:
            out.append(stock[int(random.integers(len(stock)))])
        at += int(length)
    return "".join(out)


def check(folder: str, count: int) -> None:
    """One check of 30,000 characters in this process; says its seconds and how much memory it had."""
    from hengxi.contract.progress import no_progress
    from hengxi.plagdet import comparing, files

    random = np.random.default_rng(int(time.time() * 1000) % 2**32)
    text = "".join(files.read_text(f"p_{int(random.integers(count)):032x}")[2000:5000] for _ in range(10))
    own = Path(folder) / "plagdet" / f"p_{'e' * 32}"
    own.write_bytes(text.encode())
    made, used = time.perf_counter(), time.process_time()
    scope = f"p_{'d' * 32}"
    payload = {"file": own.name, "name": "文.txt", "scope": scope, "text": f"p_{'b' * 32}", "report": f"p_{'c' * 32}"}
    result = comparing.check(payload, no_progress)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{time.perf_counter() - made:.2f} {time.process_time() - used:.2f} {peak:.0f} {result['matches']}")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    checks = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HENGXI_DATA"] = folder
        parts = build(Path(folder), count)
        from hengxi.plagdet import files

        keys = [f"p_{'f' * 24}{start:08x}" for start in range(0, count, PIECE)]
        listed = [
            {"key": key, "documents": [[number, f"p_{number - 1:032x}"] for number in part]}
            for key, part in zip(keys, parts, strict=True)
        ]
        files.write_json(f"p_{'d' * 32}", {"segments": listed})
        seconds, processor, memory = [], [], []
        for _ in range(checks):
            command = [sys.executable, __file__, "check", folder, str(count)]
            out = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ).stdout.split()
            seconds.append(float(out[0]))
            processor.append(float(out[1]))
            memory.append(float(out[2]))
        share = np.quantile(seconds, [0.5, 0.95])
        print(f"checks: {checks} of 30,000 characters, median {share[0]:.2f} s, p95 {share[1]:.2f} s")
        busy = np.quantile(processor, [0.5, 0.95])
        print(f"processor seconds, what counts on a busy machine: median {busy[0]:.2f}, p95 {busy[1]:.2f}")
        print(f"memory of the process at most {max(memory):.0f} MB, mapped files included")


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        check(sys.argv[2], int(sys.argv[3]))
    else:
        main()
