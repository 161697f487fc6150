"""SAS catalogues (sas7bcat) hold value labels and no table: known, so that it can be said where they belong."""

from __future__ import annotations

from typing import Any

from hengxi.data.formats import Job, Staged
from hengxi.data.refusal import DataRefusal
from hengxi.data.statfile.catalogue import MAGIC, read_catalogue

KIND = "sas7bcat"
TITLE = "SAS 值标签目录"
ENDINGS = ("sas7bcat",)
PRIORITY = 17


def recognises(head: bytes, name: str) -> bool:
    return head.startswith(MAGIC)


def preview(job: Job) -> dict[str, Any]:
    raise _alone(job)


def stage(job: Job) -> Staged:
    raise _alone(job)


def _alone(job: Job) -> DataRefusal:
    found = read_catalogue(job.path, job.name)
    names = "、".join(sorted(found)[:5])
    holds = f"有 {len(found)} 个格式（{names}{' 等' if len(found) > 5 else ''}）" if found else "没有格式"
    text = f"“{job.name}”是 SAS 的值标签目录，{holds}，没有数据。请与数据文件（sas7bdat 或 xpt）一起上传。"
    return DataRefusal("sas7bcat.alone", text, {"formats": len(found)})
