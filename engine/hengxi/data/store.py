"""Where files lie. Only keys travel between the programs; this is the one place that turns a key into a path."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hengxi.data.refusal import DataRefusal

_KEY = {
    "upload": re.compile(r"u_[0-9a-f]{32}"),
    "table": re.compile(r"t_[0-9a-f]{32}"),
    "file": re.compile(r"f_[0-9a-f]{32}"),
    "model": re.compile(r"m_[0-9a-f]{32}"),
    "compared": re.compile(r"p_[0-9a-f]{32}"),
}


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


def file_path(key: str) -> Path:
    """A file made to be taken away; the server removes it after a day."""
    return root() / "files" / check_key(key, "file")


def model_path(key: str) -> Path:
    """The folder of a saved model."""
    return root() / "models" / check_key(key, "model")


def compared_path(key: str) -> Path:
    """What the comparison of texts keeps: an uploaded file, a text, a report, the folder of a segment."""
    return root() / "plagdet" / check_key(key, "compared")


_FULL = ("No space left", "os error 28", "Disk quota exceeded")
_SHORT = re.compile(r"^\d+ requested and \d+ written$")
"""What numpy says of it."""


def is_full(error: BaseException | None) -> bool:
    """Whether the disk had no room. Each library wraps the system's answer in its own way; some keep only its words."""
    while error is not None:
        words = str(error)
        if getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
            return True
        if any(said in words for said in _FULL) or _SHORT.search(words):
            return True
        error = error.__cause__ or error.__context__
    return False


def full_disk() -> DataRefusal:
    """What is said whatever the disk had no room for. What was there before is never written over."""
    text = "服务器磁盘空间不足，这次操作已停止，原有的数据和报告未受影响。请稍后再试。"
    return DataRefusal("disk.full", text, {})


_WORK = ".work-"
_YOUNG = 5.0
"""Seconds in which a new work folder may not have its lock yet."""


@contextmanager
def work_folder(beside: Path) -> Iterator[Path]:
    """An empty folder on the disk of the tables, gone at the end whatever happens.

    It is locked while its process lives: what a killed process left is recognised by `sweep` and removed.
    """
    beside.mkdir(parents=True, exist_ok=True)
    sweep(beside)
    work = Path(tempfile.mkdtemp(prefix=_WORK, dir=beside))
    try:
        with (work / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def sweep(folder: Path | None = None) -> int:
    """Removes work folders of processes that are gone; how many. Called before each import and at start."""
    folder = root() / "tables" if folder is None else folder
    removed = 0
    for work in folder.glob(f"{_WORK}*") if folder.is_dir() else ():
        try:
            if time.time() - work.stat().st_mtime < _YOUNG:
                continue
            with (work / ".lock").open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(work, ignore_errors=True)
                removed += 1
        except OSError:
            continue  # locked by a living process, or removed by another sweep
    return removed
