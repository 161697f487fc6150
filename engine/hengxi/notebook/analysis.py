"""`analyse`, `list_methods` and `help`: the engine without a server."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from hengxi import registry
from hengxi.contract.fields import ChoiceField, Field, RoleField
from hengxi.contract.method import Method
from hengxi.contract.models import Fitted
from hengxi.contract.refusal import Refusal
from hengxi.data.table import Table
from hengxi.declaration import declare, needs
from hengxi.jobs import artifacts, processing
from hengxi.jobs.analysis import plain as wire
from hengxi.menu import order
from hengxi.notebook.frames import table
from hengxi.notebook.names import by_id, check_settings, formulas_by_id, path_of, unknown
from hengxi.notebook.result import Result
from hengxi.prepare import ids_by_name, report_on

PLATFORM = ("_filter", "_split", "_weight")
WEIGHTS = ("frequency", "sampling", "precision")


def analyse(method: str, data: Any = None, /, **form: Any) -> Result:
    """Runs one method on a frame (pandas, Polars, Arrow), a dict of columns, a file or a `table`; without data where it
    needs none.

    `method`: its path, its key or its Chinese title. `form`: the settings of its form (`help(method)` lists them),
    variables by name, formulas with the names in braces (`"{体重} / {身高} ^ 2"`). Besides, of every method:
    `_filter`: a condition that rows must fulfil (`"{年龄} >= 18"`); `_split`: a variable whose groups are analysed
    apart; `_weight`: a variable with frequencies, or a pair (variable, frequency | sampling | precision).

    Returns a `Result`. Raises UnknownName for a name that is not there, with the nearest ones; `Refusal` where the
    method cannot answer, saying what, where and what to do.
    """
    path = path_of(method)
    fields = registry.load(path).Input.fields
    check_settings({*fields, *PLATFORM}, form)
    frame = table({} if data is None else data)
    ids = ids_by_name(frame)
    _check_variables(fields, form, ids)
    settings = {key: value for key, value in form.items() if key not in PLATFORM}
    fitted: list[Fitted] = []
    derived: list[Table] = []
    with artifacts.hearing(fitted.append), processing.hearing(derived.append):
        report = report_on(path, frame, formulas_by_id(fields, settings, ids), **_around(form, ids))
    handle = artifacts.handle_of(fitted[-1].card, fitted[-1].arrays) if fitted else None
    return Result(wire(report), derived[-1] if derived else None, handle)


def _around(form: dict[str, Any], ids: dict[str, str]) -> dict[str, Any]:
    """Filter, split and weight as the pipeline takes them."""
    condition, split, weight = (form.get(key) for key in PLATFORM)
    name, kind = weight if isinstance(weight, tuple) else (weight, "frequency")
    if kind not in WEIGHTS:
        raise unknown("权重", str(kind), WEIGHTS)
    for variable in (split, name):
        if variable is not None and variable not in ids:
            raise unknown("变量", variable, ids)
    return {
        "filter": None if condition is None else {"condition": by_id(condition, ids), "filter_type": "keep"},
        "split": None if split is None else {"column": split, "levels": None, "total": False},
        "weight": None if name is None else {"column": name, "kind": kind},
    }


def _check_variables(fields: dict[str, Field], form: dict[str, Any], ids: dict[str, str]) -> None:
    """Variables are there, and a choice is one of its options: a typed name is answered with the nearest ones."""
    for key, value in form.items():
        field = fields.get(key)
        if isinstance(field, RoleField) and isinstance(value, str | list):
            for name in [value] if isinstance(value, str) else value:
                if isinstance(name, str) and name not in ids and name not in ids.values():
                    raise unknown("变量", name, ids)
        elif isinstance(field, ChoiceField) and isinstance(value, str):
            keys = [option.key for option in field.options]
            if value not in keys:
                raise unknown(f"“{field.title}”", value, keys)


def list_methods(search: str = "") -> pd.DataFrame:
    """All methods, or those whose path, title, aliases or purpose contain `search`: path, title, family, purpose."""
    rows = [(path, registry.load(path)) for path in registry.paths()]
    rows = [(path, method) for path, method in rows if search in _searched(path, method)]
    rows.sort(key=lambda row: order(row[0], row[1].family))
    cells = [(path, method.title, method.family, method.purpose) for path, method in rows]
    return pd.DataFrame(cells, columns=["path", "title", "family", "purpose"])


def _searched(path: str, method: type[Method]) -> str:
    return " ".join([path, method.title, method.title_en, method.purpose, *method.aliases])


class Help(str):
    """The text of `help`, printed as it is."""

    def __repr__(self) -> str:
        return str(self)


def help(method: str) -> Help:
    """What a method needs, its settings with their options and defaults, and its help page. Raises UnknownName."""
    path = path_of(method)
    cls = registry.load(path)
    lines = [f"{cls.title}（{cls.title_en}）  {path}", cls.purpose, f"需要：{needs(cls)}", "", "设置"]
    for field in declare(path)["fields"]:
        lines.append("  " + _setting(field))
    page = (registry.folder(path) / "help.md").read_text(encoding="utf-8")
    # The reading of the example has its numbers filled in on the site.
    sections = [part for part in re.split(r"(?m)^(?=## )", page) if not part.startswith("## 结果解读")]
    return Help("\n".join([*lines, "", *sections]))


def _setting(field: dict[str, Any]) -> str:
    options = [f"{option['key']}（{option['title']}）" for option in field.get("options") or []]
    default = field.get("default")
    words = [f"{field['key']}：{field['title']}"]
    if field.get("measure"):
        words.append(field["measure"])
    if options:
        words.append("可选 " + "、".join(options))
    if default not in (None, [], ""):
        words.append(f"默认 {default}")
    return "；".join(words)


__all__ = ["Refusal", "Result", "analyse", "help", "list_methods", "table"]
