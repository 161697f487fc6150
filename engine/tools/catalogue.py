"""The catalogue of all methods (engine/catalogue/*.yaml): what each is to be, whether it stands yet or not."""

from __future__ import annotations

import difflib
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1] / "catalogue"

Entry = dict[str, Any]


@cache
def entries() -> dict[str, Entry]:
    """Every entry by its path (`group/key` with underscores, as the folders are named)."""
    by_path: dict[str, Entry] = {}
    for file in sorted(ROOT.glob("*.yaml")):
        for entry in yaml.safe_load(file.read_text(encoding="utf-8")):
            path = f"{entry['group']}/{entry['key']}".replace("-", "_")
            if path in by_path:
                raise ValueError(f"{file.name}: {path} stands twice")
            by_path[path] = entry
    return by_path


def entry_of(path: str) -> Entry:
    """The entry of a path; raises LookupError with the nearest paths."""
    known = entries()
    if path in known:
        return known[path]
    near = difflib.get_close_matches(path, known, n=3, cutoff=0.5)
    raise LookupError(f"{path} is not in the catalogue" + (f"; near it: {', '.join(near)}" if near else ""))
