"""100,000 x 20 xlsx: our whole import against python-calamine alone; the scan for hostile references is told apart.

Run in engine/:  .venv/bin/python ../bench/import_xlsx.py [rows]
"""

import sys
import tempfile
from pathlib import Path
from statistics import median

import numpy as np
import xlsxwriter
from measure import costs, ratio, show


def make(path: Path, rows: int) -> None:
    """Ten measures, six 5-point items, two categories, a text and an id."""
    rng = np.random.default_rng(20240101)
    columns: list[list[object]] = [rng.normal(50, 10, rows).round(4).tolist() for _ in range(10)]
    columns += [rng.integers(1, 6, rows).tolist() for _ in range(6)]
    columns += [rng.choice(["男", "女"], rows).tolist(), rng.choice(["北京", "上海", "广州"], rows).tolist()]
    columns += [[f"备注{i % 5000}" for i in range(rows)], list(range(rows))]
    book = xlsxwriter.Workbook(str(path), {"constant_memory": True})
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, [f"变量{i + 1}" for i in range(len(columns))])
    for i, row in enumerate(zip(*columns, strict=True)):
        sheet.write_row(i + 1, 0, row)
    book.close()


THEIRS = """
from python_calamine import CalamineWorkbook
for row in CalamineWorkbook.from_path({path!r}).get_sheet_by_index(0).iter_rows():
    pass
"""
OURS = """
import time
from pathlib import Path
from hengxi.data.formats import xlsx
from hengxi.data.importing import import_table

apart, check = [0, 0], xlsx.check

def timed(*given):
    wall, cpu = time.perf_counter(), time.process_time()
    found = check(*given)
    apart[:] = time.perf_counter() - wall, time.process_time() - cpu
    return found

xlsx.check = timed
import_table(Path({path!r}), "a.xlsx", {{}}, {{}}, "text", None, Path({target!r}))
"""


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "big.xlsx"
        make(path, rows)
        names = {"path": str(path), "target": f"{folder}/table"}
        theirs, ours = costs(*(code.format(**names) for code in (THEIRS, OURS)))
        show("calamine alone", theirs)
        show("import after the scan, stored", ours)
        print(f"scan of references                            cpu {median(run.apart for run in ours):6.2f} s")
        print(f"ratio after the scan: {ratio(ours, theirs)}")


main()
