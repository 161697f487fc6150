"""Whether a wire value has the shape its field declares: one of another shape would crash the reading of a field."""

from __future__ import annotations

import math
from typing import Any

Schema = dict[str, Any]


def _is(value: Any, kind: str) -> bool:
    match kind:
        case "null":
            return value is None
        case "boolean":
            return isinstance(value, bool)
        case "string":
            return isinstance(value, str)
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
        case "integer":
            return _is_number(value) and float(value).is_integer()
        case "number":
            return _is_number(value)
    raise TypeError(f"no such type of JSON: {kind}")


def _is_number(value: Any) -> bool:
    """A number that a double holds: JSON itself knows no bound."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def has_shape(value: Any, schema: Schema) -> bool:
    """Types, members and closed lists. Lengths, bounds and patterns are limits: the fields have words for these."""
    if "anyOf" in schema:
        return any(has_shape(value, one) for one in schema["anyOf"])
    if "const" in schema:
        return bool(value == schema["const"])
    if "enum" in schema:
        return any(type(value) is type(one) and value == one for one in schema["enum"])
    kinds = schema.get("type")
    if kinds is not None and not any(_is(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        return False
    if isinstance(value, list):
        return "items" not in schema or all(has_shape(item, schema["items"]) for item in value)
    return not isinstance(value, dict) or _has_members(value, schema)


def _has_members(value: dict[str, Any], schema: Schema) -> bool:
    members: dict[str, Schema] = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    if any(key not in value for key in schema.get("required", [])):
        return False
    for key, item in value.items():
        if key in members:
            if not has_shape(item, members[key]):
                return False
        elif others is False or (isinstance(others, dict) and not has_shape(item, others)):
            return False
    return True
