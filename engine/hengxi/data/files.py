"""Tables without a server: `open_file("调查.sav")` in a script or a notebook."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

from hengxi.data.importing import import_table
from hengxi.data.table import Table


def open_file(path: Path | str, settings: dict[str, Any] | None = None, password: str | None = None) -> Table:
    """Reads a file of any format in `formats/`. What is doubtful stays text; DataRefusal as for an upload.

    The table lies in a temporary folder that disappears with the Table.
    """
    path = Path(path)
    work = Path(tempfile.mkdtemp(prefix="hengxi-"))
    try:
        import_table(path, path.name, settings, {}, "text", password, work / "table")
        table = Table.at(work / "table")
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
    weakref.finalize(table, shutil.rmtree, work, True)
    return table
