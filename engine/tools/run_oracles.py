"""Re-makes the reference numbers that can be re-made and compares them with oracle.json.

An oracle script (oracle.R, oracle.sps for PSPP, oracle.py) prints lines `table[key=value;key=value].cell<TAB>number`
(`case:` before the table picks one case; the first otherwise), or the whole oracle.json. A script
whose program or package is not installed is reported as skipped with the reason.

Usage: run_oracles.py [--write] [path …]. `--write` makes oracle.json anew from a script that prints it whole. What
agrees is sealed: oracle.seal holds the digests of scripts and oracle.json, so that a number edited by hand, or a script
changed and not run, is found out on machines without R as well (test_every_method).
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ENGINE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ENGINE))

from hengxi import registry  # noqa: E402
from tools.seals import SEAL, seal  # noqa: E402

PROGRAMS = {
    ".R": ["Rscript", "--vanilla"],
    ".py": [sys.executable],
    ".sps": ["pspp", "-O", "format=csv"],
}
LINE = re.compile(r"^(?:(?P<case>[\w -]+):)?(?P<table>\w+)\[(?P<where>[^\]]*)\]\.(?P<cell>\w+)\t(?P<value>\S+)$")
PACKAGE = re.compile(r"there is no package called .(\w[\w.]*).")
"""How R says that a package is wanted that nobody installed."""
TOLERANCE = 1e-8
LONGEST = 1200
"""Seconds a script may take on a busy machine."""


@dataclass(frozen=True)
class Number:
    """One reference number, as the script prints it."""

    case: str | None
    table: str
    where: dict[str, str]
    cell: str
    value: float


def read(output: str) -> list[Number]:
    """The lines of a script that are numbers; others are its own remarks."""
    numbers = []
    for line in output.splitlines():
        if match := LINE.match(line):
            pairs = (pair.split("=", 1) for pair in match["where"].split(";") if pair)
            value = float(match["value"].replace("NA", "nan").replace("Inf", "inf"))
            numbers.append(Number(match["case"], match["table"], dict(pairs), match["cell"], value))
    return numbers


def compare(number: Number, oracle: dict[str, Any]) -> str | None:
    """What is wrong with the stored number, or None."""
    cases = [c for c in oracle["cases"] if number.case is None or c["name"] == number.case]
    blocks = [
        block
        for case in cases[: None if number.case else 1]
        for block in case.get("expect", [])
        if block["table"] == number.table
        and number.cell in block.get("cells", {})
        and {k: str(v) for k, v in (block.get("where") or {}).items()} == number.where
    ]
    name = f"{number.table}{number.where}.{number.cell}"
    if not blocks:
        return f"{name} = {number.value} is not in oracle.json"
    stored = blocks[0]["cells"][number.cell]
    tolerance = float(blocks[0].get("tolerance", TOLERANCE))
    if stored is None or abs(float(stored) - number.value) > tolerance * max(abs(number.value), 1e-12):
        return f"{name}: the script gives {number.value!r}, oracle.json has {stored!r}"
    return None


def compare_whole(name: str, made: Any, stored: Any) -> tuple[str, str]:
    """A script that prints the whole oracle.json: everything must be the same, numbers within the tolerance."""
    wrong = list(_unlike("", made, stored))
    if wrong:
        return "failed", f"{name}:\n  " + "\n  ".join(wrong[:20])
    count = sum(len(block.get("cells", {})) for case in stored["cases"] for block in case.get("expect", []))
    return "agrees", f"{name}: {count} numbers"


def _unlike(where: str, a: Any, b: Any) -> Iterator[str]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in a.keys() | b.keys():
            yield from _unlike(f"{where}.{key}", a.get(key), b.get(key))
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (one, other) in enumerate(zip(a, b, strict=True)):
            yield from _unlike(f"{where}[{i}]", one, other)
    elif isinstance(a, float | int) and isinstance(b, float | int) and not isinstance(a, bool):
        if abs(a - b) > TOLERANCE * max(abs(a), abs(b), 1e-12):
            yield f"{where}: the script gives {a!r}, oracle.json has {b!r}"
    elif a != b:
        yield f"{where}: the script gives {a!r}, oracle.json has {b!r}"


def run(script: Path) -> tuple[str | None, str]:
    """(why it was skipped or None, its output)."""
    program = PROGRAMS[script.suffix]
    if shutil.which(program[0]) is None:
        return f"{program[0]} is not installed", ""
    try:
        done = subprocess.run(
            [*program, script.name], cwd=script.parent, capture_output=True, text=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        return f"was not done after {LONGEST} seconds", ""
    if missing := PACKAGE.search(done.stderr):
        return f"{missing[1]} is not installed", ""
    if done.returncode != 0:
        return f"ended with {done.returncode}: {done.stderr.strip()[-400:]}", ""
    return None, done.stdout


def check(path: str) -> Iterator[tuple[str, str]]:
    """(state, text) for each script of a method."""
    folder = registry.folder(path)
    oracle = json.loads((folder / "oracle.json").read_text(encoding="utf-8"))
    for script in sorted(folder.glob("oracle.*")):
        if script.suffix not in PROGRAMS:
            continue
        why, output = run(script)
        if why is not None:
            yield ("skipped" if "not installed" in why else "failed"), f"{path}/{script.name}: {why}"
            continue
        if output.lstrip().startswith("{"):
            yield compare_whole(f"{path}/{script.name}", json.loads(output), oracle)
            continue
        numbers = read(output)
        wrong = [text for number in numbers if (text := compare(number, oracle)) is not None]
        if not numbers:
            yield "failed", f"{path}/{script.name} printed no numbers"
        elif wrong:
            yield "failed", f"{path}/{script.name}:\n  " + "\n  ".join(wrong)
        else:
            yield "agrees", f"{path}/{script.name}: {len(numbers)} numbers"


def write(path: str) -> str | None:
    """Makes oracle.json from the script that prints it whole; what went wrong, or None."""
    folder = registry.folder(path)
    for script in sorted(folder.glob("oracle.*")):
        if script.suffix not in PROGRAMS:
            continue
        why, output = run(script)
        if why is not None:
            return why
        if output.lstrip().startswith("{"):
            (folder / "oracle.json").write_text(output, encoding="utf-8")
    return None


def main() -> int:
    paths = [given for given in sys.argv[1:] if given != "--write"] or list(registry.paths())
    failed = False
    for path in paths:
        if "--write" in sys.argv and (why := write(path)) is not None:
            print(f"failed  {path}: {why}")
            failed = True
            continue
        states = []
        for state, text in check(path):
            print(f"{state:8}{text}", flush=True)
            states.append(state)
        failed = failed or "failed" in states
        if all(state == "agrees" for state in states):
            (registry.folder(path) / SEAL).write_text(seal(registry.folder(path)), encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
