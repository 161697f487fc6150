"""`paths`: arrows between named things of other fields, such as the structure of a structural equation model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..when import Condition
from .base import AutoRule, Binder, Context, Field, Schema, common

PathKind = Literal["path", "cov"]
KIND_WORDS: dict[str, str] = {"path": "单向路径", "cov": "协方差"}
MOST = 2000


@dataclass(frozen=True)
class Path:
    """One arrow between ids of blocks, records or variables. `free=False`: fixed to `value`."""

    source: str
    target: str
    kind: PathKind
    free: bool
    value: float | None


@dataclass(frozen=True)
class Paths:
    """What `run` reads: the arrows in order; `names` says what each node is called."""

    edges: tuple[Path, ...]
    names: dict[str, str]


@dataclass(kw_only=True)
class PathsField(Field):
    """Wire: `{"edges": [{"source": "b1", "target": "b2", "kind": "path", "free": true}], "at": {"b1": [0, 0]}}`;
    `at` is where the user put the nodes and means nothing to a computation."""

    type: Literal["paths"] = "paths"
    nodes: list[str]
    """Fields that give the nodes: blocks, records, roles."""
    kinds: list[PathKind]
    acyclic: bool

    def schema(self) -> Schema:
        edge = {
            "type": "object",
            "properties": {
                "source": {"type": "string"},
                "target": {"type": "string"},
                "kind": {"type": ["string", "null"]},
                "free": {"type": ["boolean", "null"]},
                "value": {"type": ["number", "null"]},
            },
            "required": ["source", "target"],
            "additionalProperties": False,
        }
        place = {"type": "array", "items": {"type": "number"}}
        properties = {
            "edges": {"type": ["array", "null"], "items": edge},
            "at": {"type": ["object", "null"], "additionalProperties": place},
        }
        return {"type": ["object", "null"], "properties": properties, "additionalProperties": False}

    def empty(self) -> Any:
        return {"edges": [], "at": {}, "names": {}}

    def _names(self, context: Context) -> dict[str, str]:
        names: dict[str, str] = {}
        for key in self.nodes:
            value = context.value(key)
            entries = value if isinstance(value, list) else [value] if value else []
            for entry in entries:
                if isinstance(entry, dict) and "id" in entry:
                    names[entry["id"]] = entry.get("name") or entry["id"]
                elif isinstance(entry, str) and (column := context.column(entry)) is not None:
                    names[entry] = column.label or column.name
        return names

    def resolve(self, raw: Any, context: Context) -> Any:
        given = raw or {}
        names = self._names(context)
        edges = [
            {
                "source": edge["source"],
                "target": edge["target"],
                "kind": edge.get("kind") or self.kinds[0],
                "free": edge.get("free") is not False,
                "value": edge.get("value"),
            }
            for edge in given.get("edges") or []
        ]
        if not edges and self.required:
            context.fault("paths.none", f"“{self.title}”里还没有路径，请从一个变量画到另一个")
        if len(edges) > MOST:
            context.fault("paths.many", f"“{self.title}”最多 {MOST:,} 条，现有 {len(edges):,} 条", k=len(edges))
            edges = edges[:MOST]
        for edge in edges:
            self._judge_edge(edge, names, context)
        self._judge_repeats(edges, names, context)
        if self.acyclic and (circle := circle_in([e for e in edges if e["kind"] == "path"])) is not None:
            words = " → ".join(names.get(node, node) for node in circle)
            context.fault("paths.cycle", f"“{self.title}”绕成了圈：{words}。请去掉其中一条")
        return {"edges": edges, "at": given.get("at") or {}, "names": names}

    def _judge_edge(self, edge: dict[str, Any], names: dict[str, str], context: Context) -> None:
        unknown = next((edge[end] for end in ("source", "target") if edge[end] not in names), None)
        if unknown is not None:
            context.fault("paths.unknown", f"“{self.title}”有一条路径连着已移去的变量（{unknown}），请删去它")
        elif edge["source"] == edge["target"]:
            context.fault("paths.self", f"“{self.title}”里“{names[edge['source']]}”连着自己，请删去这条路径")
        if edge["kind"] not in self.kinds:
            words = "、".join(KIND_WORDS[kind] for kind in self.kinds)
            context.fault("paths.kind", f"“{self.title}”的路径只能是{words}", value=edge["kind"])
        if not edge["free"] and edge["value"] is None:
            context.fault("paths.value", f"“{self.title}”有一条固定的路径没有给出数值，请填写或改为自由估计")

    def _judge_repeats(self, edges: list[dict[str, Any]], names: dict[str, str], context: Context) -> None:
        seen: set[tuple[str, ...]] = set()
        for edge in edges:
            ends = (edge["source"], edge["target"])
            key = ("path", *ends) if edge["kind"] == "path" else ("cov", *sorted(ends))
            if key in seen:
                first, second = (names.get(end, end) for end in ends)
                context.fault("paths.repeated", f"“{self.title}”里“{first}”到“{second}”画了两次，请删去一条")
                return
            seen.add(key)

    def bind(self, resolved: Any, binder: Binder) -> Paths:
        edges = tuple(Path(e["source"], e["target"], e["kind"], e["free"], e["value"]) for e in resolved["edges"])
        return Paths(edges, dict(resolved.get("names") or {}))

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        if self.required:
            yield ({"edges": []}, "paths.none")
        if not good or not good["edges"]:
            return
        first = good["edges"][0]
        yield ({"edges": [*good["edges"], {**first, "target": "no_such"}]}, "paths.unknown")
        yield ({"edges": [*good["edges"], {**first, "target": first["source"]}]}, "paths.self")
        yield ({"edges": [*good["edges"], first]}, "paths.repeated")
        if self.acyclic and first["kind"] == "path":
            back = {**first, "source": first["target"], "target": first["source"]}
            yield ({"edges": [*good["edges"], back]}, "paths.cycle")


def circle_in(edges: list[dict[str, Any]]) -> list[str] | None:
    """The nodes of one circle of arrows, the first again at the end; None where there is none. Linear in the arrows."""
    below: dict[str, list[str]] = {}
    for edge in edges:
        below.setdefault(edge["source"], []).append(edge["target"])
    done: set[str] = set()
    for start in below:
        trail: list[str] = []
        on_trail: set[str] = set()
        stack: list[tuple[str, bool]] = [(start, False)]
        while stack:
            node, is_leaving = stack.pop()
            if is_leaving:
                trail.pop()
                on_trail.discard(node)
                done.add(node)
                continue
            if node in on_trail:
                return [*trail[trail.index(node) :], node]
            if node in done:
                continue
            trail.append(node)
            on_trail.add(node)
            stack.append((node, True))
            stack.extend((target, False) for target in below.get(node, []))
    return None


def paths(
    title: str,
    *,
    nodes: tuple[str, ...],
    kinds: tuple[PathKind, ...] = ("path",),
    acyclic: bool = True,
    required: bool = True,
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """Arrows between the entries of the fields `nodes` (blocks, records, roles). Annotate `Paths`."""
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return PathsField(title=title, nodes=list(nodes), kinds=list(kinds), acyclic=acyclic, required=required, **words)
