"""A table folder on disk: `meta.json`, `data.parquet` (version of record), `data.arrow` (a cache made from it)."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from hengxi.data.meta import Meta
from hengxi.data.refusal import DataRefusal


def arrow_file(folder: Path) -> Path:
    """The Arrow file of a folder, made again from the Parquet file (after checking its SHA-256) if it is missing."""
    path = folder / "data.arrow"
    if not path.exists():
        _rebuild(folder, path)
    return path


def _rebuild(folder: Path, path: Path) -> None:
    source = folder / "data.parquet"
    meta = Meta.from_json((folder / "meta.json").read_bytes())
    if not source.exists() or sha256(source) != meta.sha256.get("data.parquet"):
        text = "这份数据在磁盘上的内容已损坏，请从备份恢复或重新上传原文件。"
        raise DataRefusal("table.damaged", text, {"table": folder.name})
    part = path.with_name(f".data.arrow.{os.getpid()}")
    reader = pq.ParquetFile(source, page_checksum_verification=True)
    options = pa.ipc.IpcWriteOptions(unify_dictionaries=True)
    try:
        with pa.OSFile(str(part), "wb") as sink, pa.ipc.new_file(sink, reader.schema_arrow, options=options) as out:
            for i in range(reader.num_row_groups):
                out.write_table(reader.read_row_group(i))
        sync(part)
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)


def sha256(path: Path) -> str:
    """Hex digest of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_SEND = 2
"""SYNC_FILE_RANGE_WRITE of Linux."""


def send(path: Path) -> None:
    """What is written of a file begins its way to disk; nothing is waited for, and nothing is promised.

    A flush would be: with each the file system settles its books, and whoever flushes next waits for that.
    """
    with contextlib.suppress(AttributeError), path.open("rb") as file:  # where the system cannot, it comes with `sync`
        ctypes.CDLL(None).sync_file_range(file.fileno(), ctypes.c_int64(0), ctypes.c_int64(0), ctypes.c_uint(_SEND))


def sync(path: Path) -> None:
    """Flushes a file or a folder to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
