"""A table read as a grid of numbers: rows are people or places, each chosen column is a task or a destination."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import Column, Refusal

Floats = npt.NDArray[np.float64]
LARGEST = 1e15


def grid(columns: list[Column], key: str, gap: str | None) -> tuple[Floats, list[int]]:
    """Numbers of the rows that hold any, NaN where a cell is empty, and the rows of the file.

    `gap`: what an empty cell lacks, where it is refused; None leaves it NaN.
    """
    values = np.column_stack([column.numbers for column in columns])
    kept = np.flatnonzero(np.isfinite(values).any(axis=1))
    rows = columns[0].row_numbers[kept].tolist()
    if not len(kept):
        raise Refusal("data.few", "这几列里没有数，请核对", field=key)
    values = values[kept]
    for i, j in np.argwhere(~np.isfinite(values)).tolist():
        if gap is not None:
            text = f"第 {{at}} 行“{{v}}”{gap}，请补上"
            raise Refusal("data.gap", text, field=key, column=columns[j].id, at=rows[i], v=columns[j].title)
    if np.nanmax(np.abs(values)) > LARGEST:
        raise Refusal("data.magnitude", "数值太大，请换一个单位", field=key)
    return values, rows


def row_names(column: Column | None, rows: list[int], word: str) -> list[str]:
    """What the rows are called: by the label column, else 人员1, 人员2, …; repeated names get their row."""
    if column is None:
        return [f"{word}{k}" for k in range(1, len(rows) + 1)]
    at = {int(row): k for k, row in enumerate(column.row_numbers)}
    levels = column.levels
    names = []
    for row in rows:
        code = int(column.codes[at[row]])
        names.append(levels[code].label if code >= 0 else f"第{row}行")
    often: dict[str, int] = {}
    for name in names:
        often[name] = often.get(name, 0) + 1
    return [name if often[name] == 1 else f"{name}（第{row}行）" for name, row in zip(names, rows, strict=True)]


def few_names(names: list[str], most: int = 5) -> str:
    """“甲”“乙”等, for sentences."""
    return "".join(f"“{name}”" for name in names[:most]) + ("等" if len(names) > most else "")


def column_of(columns: list[Column], key: str) -> Any:
    """Titles of the columns; two of one title are refused."""
    titles = [column.title for column in columns]
    again = next((title for title in titles if titles.count(title) > 1), None)
    if again is not None:
        raise Refusal("data.names", f"有两列都叫“{again}”，请改一个名称", field=key)
    return titles
