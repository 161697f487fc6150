"""A segment: the texts of some documents with their fingerprints, sorted, as files that are mapped and never change.

A library is a list of segments; documents are added as a new one and removed by no longer being asked for. Characters
are stored in two bytes; the few beyond that get a number of their own within the segment, in an area no text uses.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.data import folder, store
from hengxi.data.refusal import DataRefusal
from hengxi.plagdet.normal import Codes
from hengxi.plagdet.prints import fingerprints

_PRIVATE = 0xE000
_PRIVATE_ROOM = 6399
_UNKNOWN = 0xF8FF
_WIDE = 0x10000
SMALL = 4096
MOST_CHARACTERS = 2**32 - 1
"""Places are stored in four bytes."""


@dataclass(frozen=True)
class Segment:
    ids: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    """Where each document begins in `codes`, and the end."""
    codes: npt.NDArray[np.uint16]
    hashes: npt.NDArray[np.uint32]
    places: npt.NDArray[np.uint32]
    wide: npt.NDArray[np.uint32]

    def narrow(self, codes: Codes) -> npt.NDArray[np.uint16]:
        """A text in the characters of this segment."""
        return _narrow(codes, self.wide)

    def document(self, index: int) -> Codes:
        """The text of a document as it was given."""
        return _widen(self.codes[self.starts[index] : self.starts[index + 1]], self.wide)


def _narrow(codes: Codes, wide: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint16]:
    out = codes.astype(np.uint16)
    beyond = np.flatnonzero(codes >= _WIDE)
    if len(beyond):
        at = np.searchsorted(wide, codes[beyond])
        known = at < len(wide)
        known[known] = wide[at[known]] == codes[beyond][known]
        out[beyond] = np.where(known, _PRIVATE + np.minimum(at, _PRIVATE_ROOM), _UNKNOWN).astype(np.uint16)
    return out


def _widen(codes: npt.NDArray[np.uint16], wide: npt.NDArray[np.uint32]) -> Codes:
    out = codes.astype(np.uint32)
    beyond = (out >= _PRIVATE) & (out < _PRIVATE + len(wide))
    out[beyond] = wide[out[beyond] - _PRIVATE]
    return out


_PARTS = ("ids", "starts", "codes", "hashes", "places", "wide")


def build(documents: Iterable[tuple[int, Codes]]) -> Segment:
    given = list(documents)
    texts = [codes for _, codes in given]
    lengths = np.array([len(codes) for codes in texts], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    if starts[-1] > MOST_CHARACTERS:
        raise DataRefusal("plagdet.segment", "一次加入的文字过多，请分几次加入。", {})
    joined = np.concatenate([*texts, np.zeros(0, np.uint32)]).astype(np.uint32)
    wide = np.unique(joined[joined >= _WIDE])[:_PRIVATE_ROOM]
    prints = [fingerprints(codes) for codes in texts]
    hashes = np.concatenate([*(found for found, _ in prints), np.zeros(0, np.uint32)]).astype(np.uint32)
    spots = [places + start for (_, places), start in zip(prints, starts, strict=False)]
    places = np.concatenate([*spots, np.zeros(0, np.int64)]).astype(np.uint32)
    order = np.argsort(hashes, kind="stable")
    numbers = np.array([number for number, _ in given], dtype=np.int64)
    return Segment(numbers, starts, _narrow(joined, wide), hashes[order], places[order], wide.astype(np.uint32))


def write(key: str, documents: Iterable[tuple[int, Codes]]) -> None:
    """Whole or not at all: the folder gets its name when everything in it is on the disk."""
    target = store.compared_path(key)
    segment = build(documents)
    with store.work_folder(target.parent) as work:
        made = work / "segment"
        made.mkdir(mode=0o700)
        for name in _PARTS:
            np.save(made / f"{name}.npy", getattr(segment, name))
            folder.sync(made / f"{name}.npy")
        # A run that is tried a second time finds what the first one left.
        shutil.rmtree(target, ignore_errors=True)
        os.rename(made, target)
    folder.sync(target.parent)


def open_segment(key: str) -> Segment:
    path = store.compared_path(key)
    try:
        return Segment(**{name: _mapped(path / f"{name}.npy") for name in _PARTS})
    except (OSError, ValueError) as error:
        text = "文库的索引在磁盘上已损坏，请从备份恢复，或删除后重新加入文档。"
        raise DataRefusal("plagdet.damaged", text, {"segment": key}) from error


def _mapped(path: Path) -> npt.NDArray[Any]:
    # An empty file cannot be mapped.
    if path.stat().st_size < SMALL:
        return np.asarray(np.load(path, allow_pickle=False))
    return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
