"""Names as a person types them: of methods, settings and variables; a wrong one is answered with the nearest."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Any

from hengxi import registry
from hengxi.contract.fields import Field, FormulaField

COLUMN = re.compile(r"\{([^{}]+)\}")


class UnknownName(LookupError):  # noqa: N818
    """A name nothing is called by; the message lists the nearest ones."""


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names most like this one: those that contain it first, then those spelled alike."""
    names = list(dict.fromkeys(known))
    within = [other for other in names if name and (name in other or other in name)]
    alike = difflib.get_close_matches(name, names, n=most, cutoff=0.5)
    return list(dict.fromkeys([*within[:most], *alike]))[:most]


def unknown(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """What to raise for a name of this kind (“变量”, “方法”) that is not among the known ones."""
    options = list(known)
    close = nearest(name, options)
    if close:
        return UnknownName(f"没有叫“{name}”的{kind}，是不是：{'、'.join(close)}")
    few = f"，可用的有：{'、'.join(options)}" if 0 < len(options) <= 12 else ""
    return UnknownName(f"没有叫“{name}”的{kind}{few}")


def path_of(name: str) -> str:
    """`group/key`, its end (a key alone, `classifier/random_forest`) or a Chinese title → the path of the method.

    Raises UnknownName where no method, or more than one, is called so.
    """
    paths = list(registry.paths())
    if name in paths:
        return name
    ends = [path for path in paths if path.endswith(f"/{name}")]
    if not ends and not name.isascii():
        ends = [path for path in paths if registry.load(path).title == name]
    if len(ends) == 1:
        return ends[0]
    if ends:
        raise UnknownName(f"有几个方法叫“{name}”，请写全路径：{'、'.join(ends)}")
    titles = [] if name.isascii() else [registry.load(path).title for path in paths]
    raise unknown("方法", name, [*paths, *(path.rsplit("/", 1)[-1] for path in paths), *titles])


def check_settings(known: set[str], form: dict[str, Any]) -> None:
    """Every setting of a form is one the method has; raises UnknownName."""
    for key in form:
        if key not in known:
            raise unknown("设置", key, sorted(known))


def formulas_by_id(fields: dict[str, Field], form: dict[str, Any], ids: dict[str, str]) -> dict[str, Any]:
    """Formulas with `{年龄}` → the same with `{c3}`, in the fields that take one."""
    return {
        key: _formula(value, ids) if isinstance(fields.get(key), FormulaField) else value for key, value in form.items()
    }


def _formula(value: Any, ids: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_formula(line, ids) for line in value]
    return by_id(value, ids) if isinstance(value, str) else value


def by_id(formula: str, ids: dict[str, str]) -> str:
    """`{年龄} > 30` → `{c3} > 30`; text in quotes stays. Raises UnknownName for a variable that is not there."""

    def column(match: re.Match[str]) -> str:
        name = match[1].strip()
        if name not in ids and name not in ids.values():
            raise unknown("变量", name, ids)
        return "{" + ids.get(name, name) + "}"

    pieces = re.split(r'("[^"]*")', formula)
    return "".join(piece if piece.startswith('"') else COLUMN.sub(column, piece) for piece in pieces)
