"""Where files lie. Only keys travel between the programs; this is the one place that turns a key into a path."""

from __future__ import annotations

import os
import re
from pathlib import Path

from hengxi.data.refusal import DataRefusal

_KEY = {"upload": re.compile(r"u_[0-9a-f]{32}"), "table": re.compile(r"t_[0-9a-f]{32}")}


def root() -> Path:
    """`HENGXI_DATA`, read at each call because tests and children set it late."""
    return Path(os.environ.get("HENGXI_DATA", "data"))


def check_key(key: str, kind: str) -> str:
    """The key itself if it has the right shape, else a refusal. A key is the only thing that becomes part of a path."""
    if not isinstance(key, str) or not _KEY[kind].fullmatch(key):
        raise DataRefusal("key.invalid", "数据的编号不正确，请刷新页面后再试。", {"kind": kind})
    return key


def table_path(key: str) -> Path:
    """The folder of a table (it may not exist yet)."""
    return root() / "tables" / check_key(key, "table")


def upload_path(key: str, *, partial: bool = False) -> Path:
    """The uploaded file; `partial` = the file still being received, if it is not whole yet."""
    path = root() / "uploads" / check_key(key, "upload")
    if partial and not path.exists():
        return path.with_name(path.name + ".part")
    return path
