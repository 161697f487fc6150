"""What makes two results the same: the key of a run, and the versions of what computed it."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import version
from typing import Any

import orjson

ENGINE_VERSION = "0.1.0"
NAMED = ("numpy", "scipy", "pandas", "statsmodels", "scikit-learn", "pyarrow")


@cache
def libraries() -> dict[str, str]:
    """Versions of what numbers depend on."""
    return {"hengxi": ENGINE_VERSION, "python": platform.python_version()} | {name: version(name) for name in NAMED}


def key(facts: dict[str, Any]) -> str:
    """SHA-256 over the facts and the libraries; the order of keys does not matter."""
    text = orjson.dumps({**facts, "libraries": libraries()}, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(text).hexdigest()
