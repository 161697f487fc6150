"""1,000,000 x 20 csv: our import until the table can be used and until it is wholly stored, against pandas.read_csv.

With --gaps the survey of gaps.py instead: 19 columns, 2 % missing in every one.
Run in engine/:  .venv/bin/python ../bench/import_csv.py [--gaps] [rows]
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from measure import costs, ratio, show


def make(path: Path, rows: int) -> None:
    """Ten measures, six 5-point items, two categories, a date and an id."""
    rng = np.random.default_rng(20240101)
    table: dict[str, object] = {f"指标{i}": rng.normal(50, 10, rows).round(4) for i in range(10)}
    table |= {f"题{i}": rng.integers(1, 6, rows) for i in range(6)}
    table["性别"] = rng.choice(["男", "女"], rows)
    table["城市"] = rng.choice(["北京", "上海", "广州", "成都"], rows)
    table["日期"] = (np.datetime64("2020-01-01") + rng.integers(0, 2000, rows)).astype(str)
    table["编号"] = np.arange(rows)
    pd.DataFrame(table).to_csv(path, index=False)


THEIRS = "import pandas; pandas.read_csv({path!r})"
USABLE = """
from pathlib import Path
import hengxi.data.finish as finish
from hengxi.data.importing import import_table

class Usable(Exception): ...

def stop(*_):
    raise Usable
finish.write_data = stop
try:
    import_table(Path({path!r}), "a.csv", {{}}, {{}}, "text", None, Path({target!r}))
except Usable:
    pass
"""
STORED = """
from pathlib import Path
from hengxi.data.importing import import_table
import_table(Path({path!r}), "a.csv", {{}}, {{}}, "text", None, Path({target!r}))
"""


def main() -> None:
    reader = argparse.ArgumentParser()
    reader.add_argument("--gaps", action="store_true")
    reader.add_argument("rows", type=int, nargs="?", default=1_000_000)
    asked = reader.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "big.csv"
        if asked.gaps:
            from gaps import make as survey

            survey(asked.rows).to_csv(path, index=False)
        else:
            make(path, asked.rows)
        names = {"path": str(path), "target": f"{folder}/table"}
        theirs, usable, stored = costs(*(code.format(**names) for code in (THEIRS, USABLE, STORED)))
        show("pandas.read_csv", theirs)
        show("typed, profiled, checked", usable)
        show("wholly stored", stored)
        print(f"ratio until it can be used: {ratio(usable, theirs)}")
        print(f"ratio until it is stored:   {ratio(stored, theirs)}")


main()
