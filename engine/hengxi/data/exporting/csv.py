"""csv, with a byte order mark so that Excel and WPS see the Chinese, or in GB18030 for programs that know only that."""

from __future__ import annotations

import io

import polars as pl

from hengxi.data.exporting import formulas
from hengxi.data.exporting.cells import Cells, cells_of, names_of, unread
from hengxi.data.exporting.job import Job
from hengxi.data.meta import Value

EXTENSION = ".csv"


def write(job: Job) -> None:
    columns = [cells_of(job, column) for column in job.table.meta.columns]
    unread(job, columns)
    labels = [names_of(job, cells.column) for cells in columns]
    # Only these can hold a text: a number or a date never starts a formula.
    worded = [cells.kind == "text" or bool(named) for cells, named in zip(columns, labels, strict=True)]
    names = [cells.column.name for cells in columns]
    formula_count = int(formulas.mark(names).sum())
    with job.path.open("wb") as out:
        out.write(b"\xef\xbb\xbf" if job.options.encoding == "utf-8-sig" else b"")
        header = pl.DataFrame([names], schema=[str(i) for i in range(len(names))], orient="row")
        _put(job, out, header, [True] * len(names))
        for start, stop in job.spans():
            frame = pl.DataFrame(
                [
                    _series(i, cells, named, start, stop)
                    for i, (cells, named) in enumerate(zip(columns, labels, strict=True))
                ]
            )
            formula_count += _count(frame, worded)
            _put(job, out, frame, worded)
            job.tick(stop / job.table.rows, "写入")
    formulas.say(job, formula_count)


def _series(place: int, cells: Cells, labels: dict[Value, str], start: int, stop: int) -> pl.Series:
    return pl.Series(str(place), cells.text(start, stop, labels), dtype=pl.String)


def _count(frame: pl.DataFrame, worded: list[bool]) -> int:
    picked = [
        formulas.risky(pl.col(name)).sum() for name, is_text in zip(frame.columns, worded, strict=True) if is_text
    ]
    return sum(frame.select(picked).row(0)) if picked else 0


def _put(job: Job, out: io.BufferedWriter, frame: pl.DataFrame, worded: list[bool]) -> None:
    if job.options.quote:
        frame = frame.with_columns(
            [
                formulas.quoted(pl.col(name)).alias(name)
                for name, is_text in zip(frame.columns, worded, strict=True)
                if is_text
            ]
        )
    if job.options.encoding == "gb18030":
        out.write(frame.write_csv(include_header=False, line_terminator="\r\n").encode("gb18030"))
    else:
        frame.write_csv(out, include_header=False, line_terminator="\r\n")
