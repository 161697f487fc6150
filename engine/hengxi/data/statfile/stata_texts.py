"""Long texts (strL) of Stata files that R's haven writes as release 119: their places are packed as in release 118.

A cell of release 119 names its text by 3 bytes for the variable and 5 for the row, before that by 2 and 6. haven
writes the older form under the newer number; the reader then finds none of the texts and gives empty cells without a
word. Such a file is read from a copy whose cells are packed as the release promises.
"""

from __future__ import annotations

import shutil
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hengxi.data.formats import Job

_HEAD = b"<stata_dta><header><release>119</release><byteorder>LSF</byteorder><K>"
_TYPES, _DATA = 2, 9
_STRL = 32_768
_WIDTHS = {_STRL: 8, 65_526: 8, 65_527: 4, 65_528: 4, 65_529: 2, 65_530: 1}
_MOST = 120_000
"""Variables that Stata knows at most."""


@dataclass(frozen=True)
class _Layout:
    variables: int
    rows: int
    data: int
    width: int
    places: list[int]
    """Where the cells of long texts begin in a row."""


@contextmanager
def mended(job: Job) -> Iterator[Job]:
    """The job with a file whose long texts are found."""
    layout = _layout(job.path)
    if layout is None or not _is_old(job.path, layout):
        yield job
        return
    with tempfile.TemporaryFile(dir=job.work if job.work != Path() else None) as copy:
        with job.path.open("rb") as file:
            shutil.copyfileobj(file, copy, 1 << 20)
        copy.flush()
        cells: npt.NDArray[np.uint8] = np.memmap(
            copy,
            np.uint8,
            "r+",
            layout.data,
            (layout.rows, layout.width),
        )
        for place in layout.places:
            cells[:, place + 3 : place + 8] = cells[:, place + 2 : place + 7].copy()
            cells[:, place + 2] = 0
        cells.flush()  # type: ignore[attr-defined]
        yield replace(job, path=Path(f"/proc/self/fd/{copy.fileno()}"))


def _layout(path: Path) -> _Layout | None:
    """None for other releases, for files without long texts and for what is broken: the reader will tell."""
    try:
        with path.open("rb") as file:
            head = file.read(1024)
            if not head.startswith(_HEAD):
                return None
            (variables,) = struct.unpack_from("<I", head, len(_HEAD))
            (rows,) = struct.unpack_from("<Q", head, head.index(b"<N>") + 3)
            places = struct.unpack_from("<14Q", head, head.index(b"<map>") + 5)
            if variables > _MOST:
                return None
            file.seek(places[_TYPES] + len(b"<variable_types>"))
            kinds = struct.unpack(f"<{variables}H", file.read(2 * variables))
    except (ValueError, struct.error, OSError):
        return None
    widths = [_WIDTHS.get(kind, kind) for kind in kinds]
    starts = np.cumsum([0, *widths])
    found = [int(start) for kind, start in zip(kinds, starts, strict=False) if kind == _STRL]
    data, width = places[_DATA] + len(b"<data>"), int(starts[-1])
    fits = data + rows * width <= path.stat().st_size
    return _Layout(variables, rows, data, width, found) if found and rows and fits else None


def _is_old(path: Path, layout: _Layout) -> bool:
    """Whether the cells name variables that there are only if they are packed in the old way."""
    cells = np.memmap(path, np.uint8, "r", layout.data, (layout.rows, layout.width))
    for place in layout.places:
        packed = np.ascontiguousarray(cells[:, place : place + 8]).view("<u8").ravel()
        named = packed[packed != 0]
        if len(named):
            return bool((named & 0xFFFFFF > layout.variables).any() and (named & 0xFFFF <= layout.variables).all())
    return False
