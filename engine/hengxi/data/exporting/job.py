"""One export: the table, the rows that go out, the options, and what has to be said about the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from hengxi.contract.progress import Progress
from hengxi.data.arrays import Bools
from hengxi.data.meta import Warn
from hengxi.data.refusal import Cancelled
from hengxi.data.table import Table

BLOCK_CELLS = 1_000_000
BLOCK_ROWS = 50_000
SHORT = 24


class Options(Struct, forbid_unknown_fields=True):
    """What the user may choose; a format looks only at its own."""

    cells: Literal["values", "labels"] = "values"
    """csv, xlsx: codes as they are, or their value labels."""
    encoding: Literal["utf-8-sig", "gb18030"] = "utf-8-sig"
    """csv."""
    quote: bool = False
    """csv: a single quote before texts that a spreadsheet would take for a formula."""
    sheet: Literal["xlsx", "csv"] = "xlsx"
    """Codebook: which kind of file."""


@dataclass
class Job:
    """`path` is the file to write, `work` a scratch folder on the same disk; `keep` marks the rows, None = all."""

    table: Table
    name: str
    path: Path
    work: Path
    options: Options
    progress: Progress
    keep: Bools | None = None
    notes: list[Warn] = field(default_factory=list)

    @property
    def rows(self) -> int:
        return self.table.rows if self.keep is None else int(self.keep.sum())

    def spans(self, most: int = BLOCK_ROWS) -> Iterator[tuple[int, int]]:
        """Pieces of the table that fit into memory whatever its width: from row, to row."""
        step = min(most, max(100, BLOCK_CELLS // max(1, len(self.table.meta.columns))))
        for start in range(0, self.table.rows, step):
            yield start, min(start + step, self.table.rows)

    def tick(self, done: float, text: str) -> None:
        """Says how far it is, from 0 to 1; ends the export when the user has stopped it."""
        if not self.progress(round(done, 3), 1, text):
            raise Cancelled

    def note(self, code: str, text: str, **facts: Any) -> None:
        self.notes.append(Warn(code=code, text=text, facts=facts))


def listed(names: list[str]) -> str:
    """“甲”、“乙” 等 5 个 – the first three by name."""
    shown = "、".join(f"“{short(name)}”" for name in names[:3])
    return shown + (f"等 {len(names)} 个" if len(names) > 3 else "")


def short(name: str) -> str:
    """A name for a sentence: a whole question would drown it."""
    return name if len(name) <= SHORT else f"{name[:SHORT]}…"
