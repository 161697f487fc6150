"""`matrix`: numbers the user types in a grid with named rows and columns, such as the judgements of an expert."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..when import Condition
from .base import AutoRule, Binder, Context, Field, Schema, common

MatrixKind = Literal[
    "free", "reciprocal", "complementary", "symmetric", "distance", "binary", "stochastic", "influence"
]
Numbers = list[list[float | None]]

DIAGONAL: dict[str, float] = {"reciprocal": 1, "complementary": 0.5, "distance": 0, "influence": 0}
"""What the diagonal holds, where the kind fixes it."""
MIRRORED = ("reciprocal", "complementary", "symmetric", "distance")
"""One half follows from the other."""
RANGES: dict[str, tuple[float | None, float | None, str]] = {
    "reciprocal": (None, None, "大于 0"),
    "complementary": (0, 1, "在 0 到 1 之间"),
    "distance": (0, None, "不小于 0"),
    "binary": (0, 1, "0 或 1"),
    "stochastic": (0, 1, "在 0 到 1 之间"),
    "influence": (0, None, "不小于 0"),
}
CLOSE = 1e-6
"""Typed fractions such as 0.333 are taken for what they stand for within the tolerance of the kind."""
RECIPROCAL_CLOSE = 0.01
NAME_LENGTH = 60


@dataclass(frozen=True)
class TypedMatrix:
    """What `run` reads: `values` is float64, rows × columns, NaN where a cell is left open."""

    key: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: npt.NDArray[np.float64]


@dataclass(kw_only=True)
class MatrixField(Field):
    """Wire: `{"rows": ["价格"], "columns": ["价格"], "values": [[1]]}`, or with `sheets`
    `{"sheets": [{"key": ["n2", "e1"], "rows": […], "columns": […], "values": [[…]]}]}`."""

    type: Literal["matrix"] = "matrix"
    kind: MatrixKind
    sheets: list[str]
    """Fields whose parts each have a matrix of their own; empty: there is one."""
    gaps: bool
    of: str | None
    """Field of records whose rows name what is compared; of a hierarchy each lowest node then has a matrix."""
    size: tuple[int, int]
    least: float | None
    most: float | None

    @property
    def square(self) -> bool:
        return self.kind not in ("free", "binary")

    def schema(self) -> Schema:
        names: Schema = {"type": ["array", "null"], "items": {"type": "string"}}
        values: Schema = {"type": "array", "items": {"type": "array", "items": {"type": ["number", "null"]}}}
        grid = {"rows": names, "columns": names, "values": values}
        sheet = {
            "type": "object",
            "properties": {"key": {"type": "array", "items": {"type": "string"}}, **grid},
            "required": ["key", "values"],
            "additionalProperties": False,
        }
        properties = {"sheets": {"type": "array", "items": sheet}} if self.sheets else grid
        return {"type": ["object", "null"], "properties": properties, "additionalProperties": False}

    def empty(self) -> Any:
        return {"sheets": []} if self.sheets else {"rows": [], "columns": [], "values": []}

    def resolve(self, raw: Any, context: Context) -> Any:
        given = raw or {}
        if self.sheets:
            sheets = [self._resolved(sheet, context) | {"key": sheet["key"]} for sheet in given.get("sheets") or []]
            if not sheets and self.required:
                context.fault("matrix.required", f"请填写“{self.title}”")
            keys = [tuple(sheet["key"]) for sheet in sheets]
            if len(set(keys)) < len(keys):
                context.fault("matrix.shape", f"“{self.title}”里有一张矩阵出现了两次，请重新设置")
            return {"sheets": sheets}
        if not given.get("values"):
            if self.required:
                context.fault("matrix.required", f"请填写“{self.title}”")
            return self.empty()
        return self._resolved(given, context)

    def _resolved(self, sheet: dict[str, Any], context: Context) -> dict[str, Any]:
        values: Numbers = [list(row) for row in sheet["values"]]
        rows = [name.strip() for name in sheet.get("rows") or []] or [str(k + 1) for k in range(len(values))]
        width = len(values[0]) if values else 0
        columns = [name.strip() for name in sheet.get("columns") or []] or (
            rows if self.square else [str(k + 1) for k in range(width)]
        )
        resolved = {"rows": rows, "columns": columns, "values": values}
        if self._judge_shape(rows, columns, values, context):
            self._judge_cells(rows, columns, values, context)
        return resolved

    def _judge_shape(self, rows: list[str], columns: list[str], values: Numbers, context: Context) -> bool:
        low, high = self.size
        fits = len(values) == len(rows) and all(len(row) == len(columns) for row in values)
        if not fits or (self.square and len(rows) != len(columns)):
            form = f"{len(rows)} 行 {len(columns)} 列"
            text = f"“{self.title}”的格子与名称对不上：应为 {form}"
            context.fault("matrix.shape", text)
            return False
        if not low <= len(rows) <= high or (not self.square and not 1 <= len(columns) <= high):
            context.fault("matrix.shape", f"“{self.title}”要有 {low} 到 {high} 行，现有 {len(rows)} 行", k=len(rows))
            return False
        for names, word in ((rows, "行"), (columns, "列")):
            if any(not name or len(name) > NAME_LENGTH for name in names):
                context.fault("matrix.shape", f"“{self.title}”每{word}都要有名称，最多 {NAME_LENGTH} 个字")
                return False
            if len(set(names)) < len(names):
                again = next(name for name in names if names.count(name) > 1)
                context.fault("matrix.shape", f"“{self.title}”有两{word}都叫“{again}”，请改一个名称")
                return False
        return True

    def _judge_cells(self, rows: list[str], columns: list[str], values: Numbers, context: Context) -> None:
        for i, row in enumerate(values):
            for j, value in enumerate(row):
                mirrored = values[j][i] if self.kind in MIRRORED else None
                self._judge_cell(value, mirrored, (rows[i], columns[j]), i == j, context)
        if self.kind in MIRRORED:
            self._judge_mirror(rows, columns, values, context)
        if self.kind == "stochastic":
            for name, row in zip(rows, values, strict=True):
                total = sum(value or 0 for value in row)
                if abs(total - 1) > CLOSE:
                    text = f"“{self.title}”的“{name}”一行之和是 {total:g}，应为 1"
                    context.fault("matrix.sum", text, total=total)

    def _judge_cell(
        self, value: float | None, mirrored: float | None, at: tuple[str, str], diagonal: bool, context: Context
    ) -> None:
        where = f"“{self.title}”的“{at[0]}”行“{at[1]}”列"
        if value is None:
            follows = (diagonal and self.kind in DIAGONAL) or mirrored is not None
            if not self.gaps and not follows:
                context.fault("matrix.cell", f"{where}没有填，请填写")
            return
        fixed = DIAGONAL.get(self.kind)
        if diagonal and fixed is not None and abs(value - fixed) > CLOSE:
            context.fault("matrix.cell", f"{where}是自己对自己，应为 {fixed:g}，现为 {value:g}", value=value)
            return
        low, high, words = RANGES.get(self.kind, (None, None, ""))
        outside = (low is not None and value < low) or (high is not None and value > high)
        if outside or (self.kind == "reciprocal" and value <= 0) or (self.kind == "binary" and value not in (0, 1)):
            context.fault("matrix.cell", f"{where}应{words}，现为 {value:g}", value=value)
        elif (self.least is not None and value < self.least - CLOSE) or (
            self.most is not None and value > self.most + CLOSE
        ):
            least = "" if self.least is None else f"不小于 {self.least:g}"
            most = "" if self.most is None else f"不大于 {self.most:g}"
            span = "、".join(part for part in (least, most) if part)
            context.fault("matrix.cell", f"{where}应{span}，现为 {value:g}", value=value)

    def _judge_mirror(self, rows: list[str], columns: list[str], values: Numbers, context: Context) -> None:
        for i in range(len(rows)):
            for j in range(i):
                low, high = values[i][j], values[j][i]
                if low is None or high is None:
                    continue
                match self.kind:
                    case "reciprocal":
                        wrong, words = abs(low * high - 1) > RECIPROCAL_CLOSE, "应互为倒数"
                    case "complementary":
                        wrong, words = abs(low + high - 1) > CLOSE, "之和应为 1"
                    case _:
                        wrong, words = abs(low - high) > CLOSE, "应相等"
                if wrong:
                    text = (
                        f"“{self.title}”里“{rows[i]}”对“{columns[j]}”是 {low:g}，"
                        f"“{rows[j]}”对“{columns[i]}”是 {high:g}，{words}"
                    )
                    context.fault("matrix.symmetry", text)
                    return

    def bind(self, resolved: Any, binder: Binder) -> Any:
        if self.sheets:
            return [self._bound(sheet) for sheet in resolved["sheets"]]
        return self._bound(resolved) if resolved["values"] else None

    def _bound(self, sheet: dict[str, Any]) -> TypedMatrix:
        """One half of a mirrored kind may be left open: it follows from the other."""
        values = np.array(sheet["values"], dtype=float).reshape(len(sheet["rows"]), len(sheet["columns"]))
        if self.kind in DIAGONAL:
            np.fill_diagonal(values, DIAGONAL[self.kind])
        if self.kind in MIRRORED:
            values = np.where(np.isnan(values), self._mirror(values.T), values)
        return TypedMatrix(tuple(sheet.get("key") or ()), tuple(sheet["rows"]), tuple(sheet["columns"]), values)

    def _mirror(self, other: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        match self.kind:
            case "reciprocal":
                return np.asarray(1 / other)
            case "complementary":
                return np.asarray(1 - other)
        return other

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        if self.required:
            yield (self.empty(), "matrix.required")
        sheet = good["sheets"][0] if self.sheets and good and good["sheets"] else good
        if not sheet or not sheet.get("values"):
            return

        def whole(changed: dict[str, Any]) -> Any:
            return {"sheets": [{**sheet, **changed}, *good["sheets"][1:]]} if self.sheets else {**sheet, **changed}

        values = [list(row) for row in sheet["values"]]
        yield (whole({"values": values[:-1]}), "matrix.shape")
        if self.kind in RANGES:
            worse = [list(row) for row in values]
            worse[0][-1] = -1
            yield (whole({"values": worse}), "matrix.cell")
        if self.kind in ("reciprocal", "symmetric") and len(values) > 1:
            worse = [list(row) for row in values]
            worse[0][1], worse[1][0] = 3, 3.5
            yield (whole({"values": worse}), "matrix.symmetry")


def matrix(
    title: str,
    *,
    kind: MatrixKind = "free",
    sheets: tuple[str, ...] = (),
    gaps: bool = False,
    of: str | None = None,
    size: tuple[int, int] = (1, 50),
    least: float | None = None,
    most: float | None = None,
    required: bool = True,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """Numbers typed in a grid; annotate `TypedMatrix`, `| None` where not required, with `sheets` a list.

    Of a reciprocal, complementary, symmetric or distance matrix one half is enough. `gaps=True`: cells may stay open.
    `of`: records whose rows are compared, under each lowest node of the hierarchy named in `sheets`.
    """
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return MatrixField(
        title=title,
        kind=kind,
        sheets=list(sheets),
        gaps=gaps,
        of=of,
        size=size,
        least=least,
        most=most,
        required=required,
        **words,
    )
