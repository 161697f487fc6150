"""One document as both runs need it: its text, the characters that count, and where they stand for a browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.data import store
from hengxi.data.refusal import DataRefusal
from hengxi.plagdet import files
from hengxi.plagdet.extracting import Extracted, Tick, extract, long_text
from hengxi.plagdet.normal import Normal, normalise, oddities, points, unreadable

FEWEST, MOST = 300, 200_000
"""Characters that count."""


@dataclass(frozen=True)
class Document:
    text: str
    normal: Normal
    notes: dict[str, int]
    pages: list[int]

    @property
    def units(self) -> npt.NDArray[np.int64]:
        return units_of(self.text)


def units_of(text: str) -> npt.NDArray[np.int64]:
    """For each character, and the end, its place in UTF-16: as a browser counts."""
    wide = points(text) > 0xFFFF
    return np.concatenate([[0], np.cumsum(1 + wide)]).astype(np.int64)


def document_of(given: dict[str, Any], tick: Tick) -> Document:
    """`{file, name}` as it was uploaded, or `{from}`: a text read before. DataRefusal `file.*`, `text.*`."""
    if given.get("from"):
        found = Extracted(files.read_text(given["from"]))
    else:
        found = extract(store.compared_path(given["file"]), given["name"], tick)
    normal = normalise(found.text)
    count = len(normal)
    if count > 2 * MOST:
        raise long_text()
    if not FEWEST <= count <= MOST:
        text = f"有效文字 {count} 字，需在 {FEWEST} 到 {MOST} 字之间（只数汉字、字母和数字）。"
        raise DataRefusal("text.length", text, {"n": count, "least": FEWEST, "most": MOST})
    broken = unreadable(found.text)
    notes = {**found.notes, **oddities(found.text), **({"unreadable": broken} if broken else {})}
    return Document(found.text, normal, notes, found.pages)
