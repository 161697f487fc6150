"""1,000,000 x 20 sav: our whole import against pyreadstat.read_sav alone.

Run in engine/:  .venv/bin/python ../bench/import_sav.py [rows]
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
from measure import costs, ratio, show


def make(path: Path, rows: int) -> None:
    """Ten measures, six labelled items, two categories, a text and an id."""
    rng = np.random.default_rng(20240101)
    table: dict[str, object] = {f"m{i}": rng.normal(50, 10, rows).round(4) for i in range(10)}
    table |= {f"q{i}": rng.integers(1, 6, rows).astype(float) for i in range(6)}
    table["sex"] = rng.integers(1, 3, rows).astype(float)
    table["city"] = rng.choice(["北京", "上海", "广州", "成都"], rows)
    table["note"] = rng.choice([f"n{i}" for i in range(500)], rows)
    table["id"] = np.arange(rows).astype(float)
    labels = {f"q{i}": {1: "很不同意", 2: "不同意", 3: "一般", 4: "同意", 5: "很同意"} for i in range(6)}
    pyreadstat.write_sav(pd.DataFrame(table), str(path), variable_value_labels={**labels, "sex": {1: "男", 2: "女"}})


THEIRS = "import pyreadstat; pyreadstat.read_sav({path!r})"
POLARS = "import pyreadstat; pyreadstat.read_sav({path!r}, output_format='polars')"
OURS = """
from pathlib import Path
from hengxi.data.importing import import_table
import_table(Path({path!r}), "a.sav", {{}}, {{}}, "text", None, Path({target!r}))
"""


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "big.sav"
        make(path, rows)
        names = {"path": str(path), "target": f"{folder}/table"}
        theirs, polars, ours = costs(*(code.format(**names) for code in (THEIRS, POLARS, OURS)))
        show("pyreadstat alone", theirs)
        show("pyreadstat, polars output", polars)
        show("import, wholly stored", ours)
        print(f"ratio: {ratio(ours, theirs)}")


main()
