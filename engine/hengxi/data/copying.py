"""A stored folder once more under another key. Files never change, so the copy shares their bytes (hard links) and
outlives the folder it came from."""

from __future__ import annotations

import os
import shutil
from typing import Any

from hengxi.data import folder, store
from hengxi.data.finish import publish
from hengxi.data.meta import Meta
from hengxi.data.refusal import DataRefusal

_DATA = ("data.parquet", "data.arrow")


def copy(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """`{table: newKey}` → `{table}`. Also for folders an analysis kept. DataRefusal `table.gone` if there is none.

    A version whose cells lie in another folder gets them into its own: the copy refers to nothing.
    """
    source, target = store.table_path(key), store.table_path(str(body.get("table")))
    if not source.is_dir():
        raise DataRefusal("table.gone", "这份数据已被删除或尚未导入完成。", {"table": key})
    with store.work_folder(target.parent) as work:
        part = work / "table"
        shutil.copytree(source, part, copy_function=os.link, ignore=shutil.ignore_patterns(".*"))
        described = part / "meta.json"
        meta = Meta.from_json(described.read_bytes()) if described.exists() else None
        if meta is None:
            os.rename(part, target)
            folder.sync(target.parent)
            return {"table": target.name}
        described.unlink()  # the link only: `publish` writes its own
        if meta.data:
            base = store.table_path(meta.data)
            for name in _DATA:
                if (base / name).exists():
                    (part / name).unlink(missing_ok=True)
                    os.link(base / name, part / name)
            meta.sha256 = Meta.from_json((base / "meta.json").read_bytes()).sha256
            meta.data = None
        publish(meta, part, target)
    return {"table": target.name}
