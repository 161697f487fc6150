"""A method's class → the declaration that travels: what the server registers, the web draws and a review reads."""

from __future__ import annotations

import dataclasses
import hashlib
from pathlib import Path
from typing import Any

import orjson

from hengxi import registry
from hengxi.citations import references
from hengxi.contract.declared import CONTRACT, Declaration, Dimensions, HelpLink, OracleCase, OracleSummary
from hengxi.contract.fields import DatasetField, Field, ModelField, RoleField
from hengxi.contract.fields.blocks import BlocksField
from hengxi.contract.fields.flag import FlagField
from hengxi.contract.fields.settings import SettingsField
from hengxi.contract.method import Method
from hengxi.contract.when import read_when
from hengxi.groups import group_of
from hengxi.menu import place as place_in_menu

FEW_LEVELS = 20
"""A limit above it is no need but a bound of what can be shown."""


def declare(path: str) -> dict[str, Any]:
    """The declaration of one path, as plain dicts."""
    method, place = registry.load(path), registry.folder(path)
    key = path.rsplit("/", 1)[-1]
    slug = method.slug or key.replace("_", "-")
    needs_data = method.needs_data
    menu = place_in_menu(path, method.family)
    declaration = Declaration(
        contract=CONTRACT,
        path=path,
        group=path.rsplit("/", 1)[0],
        key=key,
        slug=slug,
        wire=method.wire or f"{group_of(path).wire}/{key}",
        title=method.title,
        title_en=method.title_en,
        family=method.family,
        section=menu.section,
        order=list(menu.order),
        tier=method.tier,
        kind=method.kind,
        purpose=method.purpose,
        aliases=list(method.aliases),
        version=method.version,
        digest="",
        needs_data=needs_data if isinstance(needs_data, bool | str) else read_when(needs_data),  # type: ignore[arg-type]
        missing=method.missing,
        weights=list(method.weights),
        random=method.random,
        split=method.split,
        min_rows=method.min_rows,
        queue=method.queue,
        deals_with={trouble: dict(settings) for trouble, settings in method.deals_with.items()},
        takes_dimensions=takes_dimensions(method),
        help=_help(method, slug, place),
        needs=needs(method),
        fields=[],
        limits=list(method.limits),
        elements=[],
        references=references(list(method.references), place / "references.yaml"),
        oracle=oracle_summary(place / "oracle.json"),
        schema=method.Input.schema(method.random),
    )
    wire: dict[str, Any] = orjson.loads(orjson.dumps(declaration))
    if wire["takes_dimensions"] is None:
        del wire["takes_dimensions"]  # hardly any method does
    wire["fields"] = [wire_field(field) for field in method.Input.fields.values()]
    wire["elements"] = [orjson.loads(orjson.dumps(e.declare())) for e in method.elements().values()]
    wire["digest"] = hashlib.sha256(orjson.dumps(wire, option=orjson.OPT_SORT_KEYS)).hexdigest()
    return wire


REVERSED, DIMENSION = "反向题", "维度"
"""What the cells of an item are called that say whether it is turned, and which dimension it is of."""


def takes_dimensions(method: type[Method]) -> Dimensions | None:
    """As the method states it, else read from its fields: settings that turn items say whose, blocks of numbers take
    a dimension each."""
    if method.takes_dimensions is not None:
        return method.takes_dimensions
    fields = method.Input.fields.values()
    for field in fields:
        if isinstance(field, SettingsField):
            turned = next((c.key for c in field.cells if isinstance(c, FlagField) and c.title == REVERSED), None)
            named = next((c.key for c in field.cells if c.title == DIMENSION), None)
            if turned is not None:
                return Dimensions(items=field.of, rows=field.key, reversed=turned, name=named)
    blocks = [field for field in fields if isinstance(field, BlocksField) and field.measure == "定量"]
    return Dimensions(items=blocks[0].key) if len(blocks) == 1 else None


def wire_field(field: Field) -> dict[str, Any]:
    """A field as it travels: the attributes meant for Python only are left out; cells of settings likewise."""
    names = [f.name for f in dataclasses.fields(field) if f.metadata.get("wire", True)]
    wire: dict[str, Any] = {}
    for name in names:
        value = getattr(field, name)
        if isinstance(value, list) and value and isinstance(value[0], Field):
            wire[name] = [wire_field(cell) for cell in value]
        else:
            wire[name] = orjson.loads(orjson.dumps(value))
    return wire


def _help(method: type[Method], slug: str, place: Path) -> HelpLink:
    example = f"/data/{slug}.csv" if (place / "example.csv").is_file() else f"/data/{slug}.json"
    return HelpLink(
        doc_link=f"/help/{slug}/",
        video_link=method.video,
        iframe_video_link=method.video,
        display_name=method.title,
        example_data=example,
    )


def needs(method: type[Method]) -> str:
    """One line of what must be there: 1 个定类变量（正好两组）、1 个以上定量变量."""
    fields = method.Input.fields.values()
    parts = ["1 个已保存的模型" for field in fields if isinstance(field, ModelField)]
    parts += ["另一份数据" for field in fields if isinstance(field, DatasetField)]
    least: dict[str, tuple[int, int | None]] = {}
    for field in fields:
        if isinstance(field, RoleField) and field.required and field.when is None:
            kind = f"{'' if field.measure == '任意' else field.measure}变量{_levels(field.levels)}"
            low, high = least.get(kind, (0, 0))
            least[kind] = (low + field.min, None if high is None or field.max is None else high + field.max)
    for kind, (low, high) in least.items():
        parts.append(f"{low} 个{kind}" if low == high else f"{low}–{high} 个{kind}" if high else f"{low} 个以上{kind}")
    if parts:
        return "、".join(parts)
    return {False: "不需要数据", "optional": "可以不用数据"}.get(method.needs_data, "任意数据")


def _levels(levels: tuple[int, int | None] | None) -> str:
    match levels:
        case None:
            return ""
        case (2, 2):
            return "（正好两组）"
        case (low, None):
            return f"（至少{'两' if low == 2 else f' {low} '}组）"
        case (low, high) if high <= FEW_LEVELS:
            return f"（{low}–{high} 组）"
        case _:
            return ""


def oracle_summary(file: Path) -> OracleSummary:
    """How many cases and independent numbers stand behind the method."""
    if not file.is_file():
        return OracleSummary(cases=0, numbers=0, sources=[], analyses=[])
    raw = orjson.loads(file.read_bytes())
    cases = [
        OracleCase(name=case["name"], numbers=sum(len(block["cells"]) for block in case.get("expect", [])))
        for case in raw["cases"]
    ]
    numbers = sum(case.numbers for case in cases)
    return OracleSummary(cases=len(cases), numbers=numbers, sources=list(raw["sources"]), analyses=cases)
