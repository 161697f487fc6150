"""`tree`: a hierarchy the user draws, such as goal, criteria and alternatives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..when import Condition
from .base import AutoRule, Binder, Context, Field, Schema, common

NAME_LENGTH = 60
MOST_NODES = 500


@dataclass(frozen=True)
class Node:
    """One node as `run` reads it; `level` counts from 0 at the root."""

    id: str
    name: str
    level: int
    children: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """The node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(kw_only=True)
class TreeField(Field):
    """Wire: `{"id": "n1", "name": "选址", "children": [{"id": "n2", "name": "价格", "children": []}]}`."""

    type: Literal["tree"] = "tree"
    levels: list[str]
    """What the levels are called, from the root."""
    depth: tuple[int, int]
    children: tuple[int, int]

    def schema(self) -> Schema:
        return {"type": ["object", "null"]}

    def resolve(self, raw: Any, context: Context) -> Any:
        if not raw:
            if self.required:
                context.fault("tree.required", f"请画出“{self.title}”：从“{self.levels[0]}”开始，逐层加入")
            return None
        resolved = self._read(raw, 0, [0], context)
        if resolved is None:
            return None
        nodes = list(_walk(resolved))
        self._judge_depth(nodes, context)
        self._judge_names(nodes, context)
        for node, level in nodes:
            self._judge_children(node, level, context)
        return resolved

    def _read(self, raw: Any, level: int, count: list[int], context: Context) -> dict[str, Any] | None:
        """The tree without keys of other shapes; None with a fault where it is none or too large."""
        count[0] += 1
        if level >= 20 or count[0] > MOST_NODES:
            if count[0] <= MOST_NODES + 1:
                context.fault("tree.depth", f"“{self.title}”太大：最多 {MOST_NODES} 个节点，请减少")
            return None
        children = raw.get("children", []) if isinstance(raw, dict) else None
        if (
            not isinstance(raw, dict)
            or not isinstance(raw.get("id"), str)
            or not isinstance(raw.get("name"), str)
            or not isinstance(children, list)
        ):
            context.fault("form.shape", f"“{self.title}”的值不是这一设置项的写法，请重新设置")
            return None
        read = [self._read(child, level + 1, count, context) for child in children]
        if any(child is None for child in read):
            return None
        return {"id": raw["id"], "name": raw["name"].strip(), "children": read}

    def _judge_depth(self, nodes: list[tuple[dict[str, Any], int]], context: Context) -> None:
        low, high = self.depth
        depth = max(level for _, level in nodes) + 1
        if not low <= depth <= high:
            text = f"“{self.title}”要有 {low} 到 {high} 层，现有 {depth} 层"
            context.fault("tree.depth", text, k=depth)

    def _judge_names(self, nodes: list[tuple[dict[str, Any], int]], context: Context) -> None:
        ids = [node["id"] for node, _ in nodes]
        if len(set(ids)) < len(ids):
            context.fault("tree.name", f"“{self.title}”里有两个节点的内部编号相同，请删去一个后重新添加")
        for node, level in nodes:
            if not node["name"] or len(node["name"]) > NAME_LENGTH:
                text = f"“{self.title}”第 {level + 1} 层有一个节点没有名称或超过 {NAME_LENGTH} 个字，请修改"
                context.fault("tree.name", text)
                return
            names = [child["name"] for child in node["children"]]
            if (again := next((name for name in names if names.count(name) > 1), None)) is not None:
                context.fault("tree.name", f"“{self.title}”的“{node['name']}”下有两个“{again}”，请改一个名称")
                return

    def _judge_children(self, node: dict[str, Any], level: int, context: Context) -> None:
        k = len(node["children"])
        low, high = self.children
        if k == 0:
            return
        if k < low:
            text = f"“{self.title}”的“{node['name']}”下只有 {k} 个，至少要 {low} 个，才能比较"
            context.fault("tree.single", text, k=k, level=level)
        elif k > high:
            text = f"“{self.title}”的“{node['name']}”下有 {k} 个，最多 {high} 个，请分成几层"
            context.fault("tree.single", text, k=k, level=level)

    def bind(self, resolved: Any, binder: Binder) -> Node | None:
        return None if resolved is None else _bound(resolved, 0)

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        if self.required:
            yield (None, "tree.required")
        if good:
            yield ({**good, "name": " "}, "tree.name")
            yield ({**good, "children": []}, "tree.depth")
            if self.children[0] > 1:
                yield ({**good, "children": good["children"][:1]}, "tree.single")


def _walk(node: dict[str, Any], level: int = 0) -> Iterator[tuple[dict[str, Any], int]]:
    yield node, level
    for child in node["children"]:
        yield from _walk(child, level + 1)


def _bound(node: dict[str, Any], level: int) -> Node:
    return Node(node["id"], node["name"], level, tuple(_bound(child, level + 1) for child in node["children"]))


def tree(
    title: str,
    *,
    levels: tuple[str, ...],
    depth: tuple[int, int] = (2, 6),
    children: tuple[int, int] = (2, 15),
    required: bool = True,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """A hierarchy; annotate `Node` (`| None` where not required). `levels` names them, the last also those below."""
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return TreeField(title=title, levels=list(levels), depth=depth, children=children, required=required, **words)
