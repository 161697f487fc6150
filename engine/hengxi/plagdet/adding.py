"""Texts added to a library: a segment of their own; and segments put together, without what was removed."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from hengxi.contract.progress import Progress
from hengxi.data.refusal import Cancelled, DataRefusal
from hengxi.plagdet import files, segment
from hengxi.plagdet.documents import document_of
from hengxi.plagdet.normal import Codes


def add(payload: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """`{segment, documents: [{id, text, file, name | from}]}` → `{documents: [{id, characters, sha256 | refusal}]}`.

    What cannot be read is told and left out; the others are added all the same.
    """
    asked = payload["documents"]
    answers: list[dict[str, Any]] = []
    added: list[tuple[int, Codes]] = []
    for number, given in enumerate(asked):
        _tell(progress, number, len(asked), f"解析第 {number + 1}/{len(asked)} 篇")
        try:
            document = document_of(given, lambda share: None)
        except DataRefusal as refusal:
            answers.append({"id": given["id"], "refusal": {"code": refusal.code, "text": refusal.text}})
            continue
        files.write_text(given["text"], document.text)
        codes = document.normal.codes
        added.append((given["id"], codes))
        digest = hashlib.sha256(codes.astype("<u4").tobytes()).hexdigest()
        answers.append({"id": given["id"], "characters": len(codes), "sha256": digest})
    _tell(progress, len(asked), len(asked), "建立索引")
    segment.write(payload["segment"], added)
    return {"documents": answers}


def merge(payload: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """`{segment, from: [{key, documents}]}` → `{documents}`: the numbers of those that are in the new segment."""
    kept: list[tuple[int, Codes]] = []
    for number, old in enumerate(payload["from"]):
        _tell(progress, number, len(payload["from"]), "整理索引")
        opened = segment.open_segment(old["key"])
        wanted = np.isin(opened.ids, np.array(old["documents"], dtype=np.int64))
        kept += [(int(opened.ids[index]), opened.document(index)) for index in np.flatnonzero(wanted).tolist()]
    segment.write(payload["segment"], kept)
    return {"documents": [number for number, _ in kept]}


def _tell(progress: Progress, done: int, of: int, text: str) -> None:
    if progress(done, of, text) is False:
        raise Cancelled
