"""`blocks`: named groups of variables, such as the items of a latent variable or the steps of a hierarchical model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from ..measures import Wanted, title_of
from ..when import Condition
from .base import COLUMN, AutoRule, Binder, Context, Field, Schema, common
from .role import RoleField

LOOSE = "loose"
"""Id of the one block without a name, where variables may stand outside all blocks."""
NAME_LENGTH = 40


@dataclass(frozen=True)
class Block:
    """What `run` reads: a name, its variables, and the block's own settings. `name` is None for the loose variables."""

    id: str
    name: str | None
    columns: tuple[Any, ...]
    settings: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Any:
        return self.settings[key]


@dataclass(kw_only=True)
class BlocksField(Field):
    """Wire: `[{"id": "b1", "name": "满意度", "columns": ["c1", "c2"], "mode": "A"}]`, in order."""

    holds_variables = True

    type: Literal["blocks"] = "blocks"
    min: int
    max: int | None
    size: tuple[int, int | None]
    names: str
    ordered: bool
    """The order of the blocks means something and can be changed."""
    loose: bool
    measure: Wanted
    varies: bool
    cells: list[Field]

    def schema(self) -> Schema:
        properties: dict[str, Schema] = {
            "id": {"type": "string"},
            "name": {"type": ["string", "null"]},
            "columns": {"type": "array", "items": COLUMN},
            **{cell.key: cell.schema() for cell in self.cells},
        }
        block = {
            "type": "object",
            "properties": properties,
            "required": ["id", "columns"],
            "additionalProperties": False,
        }
        return {"type": ["array", "null"], "items": block}

    def empty(self) -> list[Any]:
        return []

    def resolve(self, raw: Any, context: Context) -> Any:
        blocks = [self._resolved(block, number, context) for number, block in enumerate(raw or [], 1)]
        named = [block for block in blocks if block["id"] != LOOSE]
        self._judge_number(len(named), context)
        self._judge_names(named, context)
        self._judge_overlap(blocks, context)
        for block in blocks:
            self._judge_columns(block, context)
        return blocks

    def _resolved(self, block: dict[str, Any], number: int, context: Context) -> dict[str, Any]:
        if self.loose and block["id"] == LOOSE:
            return {"id": LOOSE, "name": None, "columns": list(block["columns"])}
        given = block.get("name")
        name = self.names.format(i=number) if given is None else given.strip()
        cells = {cell.key: cell.resolve(block.get(cell.key), context) for cell in self.cells}
        return {"id": block["id"], "name": name, "columns": list(block["columns"]), **cells}

    def _judge_number(self, k: int, context: Context) -> None:
        if k == 0 and self.min > 0:
            context.fault("blocks.required", f"请在“{self.title}”放入变量：每组一个名称，至少 {self.size[0]} 个变量")
        elif k < self.min:
            text = f"“{self.title}”至少要 {self.min} 组，现有 {k} 组"
            context.fault("blocks.few", text, k=k, min=self.min)
        elif self.max is not None and k > self.max:
            text = f"“{self.title}”最多 {self.max} 组，现有 {k} 组，请移去多余的"
            context.fault("blocks.many", text, k=k, max=self.max)

    def _judge_names(self, blocks: list[dict[str, Any]], context: Context) -> None:
        names = [block["name"] for block in blocks]
        ids = [block["id"] for block in blocks]
        if (again := next((i for i in ids if ids.count(i) > 1), None)) is not None:
            context.fault("blocks.name", f"“{self.title}”里有两组的内部编号相同（{again}），请删去一组后重新添加")
        for number, name in enumerate(names, 1):
            if not name:
                context.fault("blocks.name", f"“{self.title}”第 {number} 组没有名称，请填写", row=number)
            elif len(name) > NAME_LENGTH:
                text = f"“{self.title}”第 {number} 组的名称有 {len(name)} 个字，最多 {NAME_LENGTH} 个"
                context.fault("blocks.name", text, row=number)
            elif name in names[: number - 1]:
                text = f"“{self.title}”有两组都叫“{name}”，请改一个名称"
                context.fault("blocks.name", text, row=number)

    def _judge_overlap(self, blocks: list[dict[str, Any]], context: Context) -> None:
        homes: dict[str, str] = {}
        for block in blocks:
            for column_id in block["columns"]:
                other = homes.setdefault(column_id, block["id"])
                repeated = block["columns"].count(column_id) > 1
                if other == block["id"] and not repeated:
                    continue
                column = context.column(column_id)
                name = title_of(column) if column is not None else column_id
                text = f"“{self.title}”里变量“{name}”放了两次，一个变量只能在一组里，请移去一个"
                context.fault("blocks.overlap", text, column=column_id)
                return

    def _judge_columns(self, block: dict[str, Any], context: Context) -> None:
        name, ids = block["name"], block["columns"]
        box = self.box(name)
        for column_id in ids:
            box.judge_column(column_id, ids, context)
        if name is None:
            return
        least, most = self.size
        if len(ids) < least:
            text = f"“{self.title}”的“{name}”至少放 {least} 个变量，现有 {len(ids)} 个"
            context.fault("blocks.size", text, k=len(ids), min=least)
        elif most is not None and len(ids) > most:
            text = f"“{self.title}”的“{name}”最多放 {most} 个变量，现有 {len(ids)} 个，请移去多余的"
            context.fault("blocks.size", text, k=len(ids), max=most)

    def box(self, name: str | None) -> RoleField:
        """The box of one block, which judges its variables."""
        title = self.title if name is None else f"{self.title}·{name}"
        return RoleField(
            title=title, measure=self.measure, varies=self.varies, many=True, min=0, max=None, shared_with=[]
        )

    def bind(self, resolved: Any, binder: Binder) -> list[Block]:
        blocks = []
        for block in resolved:
            columns = tuple(binder.column(column_id) for column_id in block["columns"])
            for column in columns:
                self.box(block["name"]).judge_used(column, block["columns"])
            cells = {cell.key: cell.bind(block[cell.key], binder) for cell in self.cells if cell.key in block}
            blocks.append(Block(block["id"], block["name"], columns, cells))
        return blocks

    def column_ids(self, resolved: Any) -> list[str]:
        return list(dict.fromkeys(column_id for block in resolved for column_id in block["columns"]))

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        if self.min > 0:
            yield ([], "blocks.required")
        if not good:
            return
        first, others = good[0], list(good[1:])
        if self.min > 1:
            yield (good[: self.min - 1], "blocks.few")
        yield ([{**first, "columns": first["columns"][: self.size[0] - 1]}, *others], "blocks.size")
        yield ([{**first, "name": " "}, *others], "blocks.name")
        yield ([{**first, "columns": [*first["columns"], first["columns"][0]]}, *others], "blocks.overlap")
        yield ([{**first, "columns": [*first["columns"], "c99999"]}, *others], "role.gone")


def blocks(
    title: str,
    measure: Wanted = "任意",
    *,
    min: int = 1,
    max: int | None = None,
    size: tuple[int, int | None] = (1, None),
    names: str = "F{i}",
    ordered: bool = False,
    loose: bool = False,
    varies: bool = False,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
    **cells: Any,
) -> Any:
    """Named groups of variables; annotate `list[Block]`. `size`: fewest and most variables of a group.

    `names` is what a new group is called (`{i}` counts). `loose=True`: variables may also stand outside all groups
    (a `Block` without a name). `cells` are fields, set for each group.
    """
    for key, cell in cells.items():
        cell.key = key
        cell.required = cell.required and cell.auto is None
    return BlocksField(
        title=title,
        measure=measure,
        min=min,
        max=max,
        size=size,
        names=names,
        ordered=ordered,
        loose=loose,
        varies=varies,
        cells=list(cells.values()),
        required=min > 0,
        **common(hint=hint, when=when, advanced=advanced, auto=auto),
    )
