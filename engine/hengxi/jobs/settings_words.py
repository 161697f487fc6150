"""A form in one line of words, for the record of a data step."""

from __future__ import annotations

from typing import Any

from hengxi.contract.fields import (
    ChoiceField,
    DatasetField,
    Field,
    FlagField,
    FormulaField,
    ManyField,
    MappingField,
    MatchedField,
    RoleField,
    SettingsField,
    WordsField,
)
from hengxi.contract.fields.formula import in_words
from hengxi.contract.fields.mapping import read, shown
from hengxi.contract.grammar import parse
from hengxi.contract.measures import title_of
from hengxi.contract.method import Method
from hengxi.data.table import Table


def form_words(method: type[Method], resolved: dict[str, Any], table: Table) -> str:
    """`处理方式 均值；处理变量 臭氧、太阳辐射`: every setting that acts, hidden and empty ones left out."""
    parts = []
    for key, field in method.Input.fields.items():
        value = resolved[key]
        if value is None or value in ([], ""):
            continue
        if words := _words(field, value, table):
            parts.append(f"{field.title.split('(')[0]} {words}")
    return "；".join(parts)


def _words(field: Field, value: Any, table: Table) -> str:
    match field:
        case WordsField(secret=True):
            return "（已填写）"
        case RoleField():
            return "、".join(title_of(table.column(column_id)) for column_id in field.column_ids(value))
        case ChoiceField():
            return next((option.title for option in field.options if option.key == value), str(value))
        case ManyField():
            return "、".join(option.title for option in field.options if option.key in value)
        case FlagField():
            return "是" if value else "否"
        case FormulaField():
            names = {column.id: column.name for column in table.meta.columns}
            return in_words(parse(value, field.kind), names)
        case MappingField():
            return "，".join(_rule(line, i + 1) for i, line in enumerate(value))
        case DatasetField():
            return "、".join(one["name"] for one in (value if field.many else [value]))
        case MatchedField():
            own = [slot.key for slot in field.slots if slot.table is None]
            return "、".join(title_of(table.column(row[key])) for row in value for key in own if row[key])
        case SettingsField():
            return "、".join(_row(field, row, table) for row in value)
        case _:
            return "、".join(map(shown, value)) if isinstance(value, list) else shown(value)


def _row(field: SettingsField, row: dict[str, Any], table: Table) -> str:
    """`成绩 降序`: what the row is for, and its cells."""
    ids = {column.id for column in table.meta.columns}
    about = title_of(table.column(row["for"])) if row["for"] in ids else str(row["for"])
    cells = [_words(cell, row[cell.key], table) for cell in field.cells if row.get(cell.key) not in (None, [], "")]
    return " ".join([about, *cells])


def _rule(line: dict[str, Any], number: int) -> str:
    rule = read(line, number)
    new = "保持原值" if rule.copy else "缺失" if rule.new is None else shown(rule.new)
    return f"{rule.words} → {new}{f'“{rule.label}”' if rule.label else ''}"
