"""The count on bytes, which the import's checksum rests on, against Python's own csv reader."""

from __future__ import annotations

import csv
import io
import random
import re
from pathlib import Path

import pytest

from hengxi.data.delimited import scan
from hengxi.data.delimited.scan import Scanner, Shape


def shape_of(path: Path, text: str, columns: int) -> Shape:
    path.write_bytes(text.encode())
    return Scanner(",", '"', columns, 1).run(path, 0, lambda share: None)


def counted(text: str, columns: int) -> tuple[int, list[int], list[int]]:
    rows = [row or [""] for row in csv.reader(io.StringIO(text, newline=""))]
    cells = list(zip(*rows, strict=True)) or [()] * columns
    empties = [sum(cell == "" for cell in column) for column in cells]
    zeros = [sum(bool(re.match(r"0\d", cell)) for cell in column) for column in cells]
    return len(rows), empties, zeros


CELLS = ("", "", "0", "00", "007", "0.5", "0a", "-01", "12", "中", "x y", "1.25e-3", "09", "a" * 40)


@pytest.mark.slow
@pytest.mark.parametrize("block", [1, 7, 64, 1 << 18])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("quoted", [False, True])
def test_cells_are_counted_as_the_csv_reader_sees_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int, end: str, quoted: bool
) -> None:
    monkeypatch.setattr(scan, "BLOCK", block)
    draw = random.Random(block)
    for columns in (1, 2, 5):
        for _ in range(10):
            cells = [[draw.choice(CELLS) for _ in range(columns)] for _ in range(draw.randrange(1, 40))]
            if quoted:
                cells = [[f'"{cell}"' if draw.random() < 0.1 else cell for cell in row] for row in cells]
            if columns == 1 and cells[-1] == [""]:
                cells[-1] = ["9"]
            lines = [",".join(row) for row in cells]
            text = end.join(lines) + draw.choice(["", end])
            if columns > 1 and not any(cells[-1]):  # a last line of separators alone needs its end to be one
                text = end.join(lines) + end
            found = shape_of(tmp_path / "a.csv", text, columns)
            assert found.problem is None
            assert (found.rows, found.empties.tolist(), found.zeros.tolist()) == counted(text, columns)


@pytest.mark.parametrize("block", [5, 1 << 18])
@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("1,2\n3,4\n5\n6,7\n", "ragged", 3),
        ("1,2\n3,4,5\n", "ragged", 2),
        ("1,2,3\n4\n", "ragged", 1),  # as many separators as two regular rows have
        ("1,2\n3,\0\n", "nul", 2),
        ('1,2\n3,"4\n', "quote", 2),
    ],
)
def test_the_first_irregular_line_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int, text: str, kind: str, line: int
) -> None:
    monkeypatch.setattr(scan, "BLOCK", block)
    problem = shape_of(tmp_path / "a.csv", text, 2).problem
    assert problem is not None
    assert (problem.kind, problem.line) == (kind, line)


def test_a_field_beyond_the_limit_is_found(tmp_path: Path) -> None:
    text = "1,2\n3," + "x" * (scan.MAX_FIELD + 1) + "\n"
    problem = shape_of(tmp_path / "a.csv", text, 2).problem
    assert problem is not None
    assert (problem.kind, problem.line) == ("field", 2)
