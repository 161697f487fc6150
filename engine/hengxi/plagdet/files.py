"""Texts, scopes and reports as files: packed, whole or not at all."""

from __future__ import annotations

import gzip
import os
from typing import Any

import orjson

from hengxi.data import folder, store
from hengxi.data.refusal import DataRefusal


def write(key: str, content: bytes) -> None:
    target = store.compared_path(key)
    with store.work_folder(target.parent) as work:
        made = work / "file"
        made.write_bytes(gzip.compress(content, 4, mtime=0))
        os.chmod(made, 0o600)
        folder.sync(made)
        os.rename(made, target)
    folder.sync(target.parent)


def read(key: str) -> bytes:
    try:
        return gzip.decompress(store.compared_path(key).read_bytes())
    except (OSError, EOFError) as error:
        raise DataRefusal("file.absent", "文件已不在服务器上，请重新上传。", {}) from error


def write_text(key: str, text: str) -> None:
    write(key, text.encode("utf-8", "replace"))


def read_text(key: str) -> str:
    return read(key).decode("utf-8")


def write_json(key: str, value: Any) -> None:
    write(key, orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY))


def read_json(key: str) -> Any:
    return orjson.loads(read(key))
