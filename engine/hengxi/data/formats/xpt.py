"""SAS transport files (xpt, versions 5 and 8)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyreadstat

from hengxi.data.formats import Job, Staged
from hengxi.data.meta import Warn
from hengxi.data.statfile import reading, transport
from hengxi.data.statfile.dialect import Dialect, sas_kind

KIND = "xpt"
TITLE = "SAS 传输文件"
ENDINGS = ("xpt", "xport")
PRIORITY = 15


def _special(path: Path, offset: int, rows: int) -> dict[int, dict[int, str]]:
    found = transport.layout(path)
    return transport.letters(path, found, offset, rows) if found else {}


DIALECT = Dialect(
    KIND,
    "SAS",
    pyreadstat.read_xport,
    sas_kind,
    encodings=("UTF-8", "GB18030", None),
    catalogued=True,
    special=_special,
)


def recognises(head: bytes, name: str) -> bool:
    return head.startswith((b"HEADER RECORD*******LIBRARY HEADER", b"HEADER RECORD*******LIBV8   HEADER"))


_RECORD = 80


def _guard(job: Job) -> None:
    """A transport file consists of whole records; it does not say how many rows it has, so a cut shows only there."""
    if job.path.stat().st_size % _RECORD:
        raise reading.damaged(job.name, DIALECT)


def preview(job: Job) -> dict[str, Any]:
    _guard(job)
    with transport.alone(job) as (one, names, chosen):
        shown = reading.preview(one, DIALECT)
    if chosen:
        shown["settings"] |= {"member": chosen}
        shown["candidates"] |= {"member": names}
    return shown


def stage(job: Job) -> Staged:
    _guard(job)
    with transport.alone(job) as (one, names, chosen):
        staged = reading.stage(one, DIALECT)
    if chosen:
        staged.settings |= {"member": chosen}
        listed = "、".join(names[:5]) + (" 等" if len(names) > 5 else "")
        text = f"文件里有 {len(names)} 个数据集（{listed}），读入的是“{chosen}”。要读别的，请重新导入并选择“数据集”。"
        staged.warnings.append(Warn(code="xpt.members", text=text, facts={"names": names[:50], "chosen": chosen}))
    return staged
