"""SAS catalogues (sas7bcat) hold value labels and no table: known, so that it can be said where they belong."""

from __future__ import annotations

from typing import Any

from hengxi.data.formats import Job, Staged
from hengxi.data.refusal import DataRefusal
from hengxi.data.statfile.catalogue import MAGIC, Format, read_catalogue
from hengxi.data.statfile.cells import is_special

KIND = "sas7bcat"
TITLE = "SAS 值标签目录"
ENDINGS = ("sas7bcat",)
PRIORITY = 17


def recognises(head: bytes, name: str) -> bool:
    return head.startswith(MAGIC)


def preview(job: Job) -> dict[str, Any]:
    """The labels that were asked for: `settings.formats` says which variable has which format.

    They are for a table that was imported without its catalogue. DataRefusal `sas7bcat.alone` where nothing was asked.
    """
    asked = job.settings.get("formats")
    if not isinstance(asked, dict):
        raise _alone(job)
    found = read_catalogue(job.path, job.name, job.settings.get("encoding"))
    labels = {column: _labels(found[form]) for column, form in asked.items() if form in found}
    return {"kind": KIND, "formats": sorted(found), "labels": {column: some for column, some in labels.items() if some}}


def _labels(fmt: Format) -> list[dict[str, Any]]:
    """A letter among numbers is a special missing value, which the table holds under a number of its own."""
    lettered = not fmt.name.startswith("$")
    return [
        {"value": value, "label": label} for value, label in fmt.labels.items() if not (lettered and is_special(value))
    ]


def stage(job: Job) -> Staged:
    raise _alone(job)


def _alone(job: Job) -> DataRefusal:
    formats = read_catalogue(job.path, job.name)
    names = "、".join(sorted(formats)[:5])
    holds = f"有 {len(formats)} 个格式（{names}{' 等' if len(formats) > 5 else ''}）" if formats else "没有格式"
    text = f"“{job.name}”是 SAS 的值标签目录，{holds}，没有数据。请与数据文件（sas7bdat 或 xpt）一起上传。"
    return DataRefusal("sas7bcat.alone", text, {"formats": len(formats)})
