"""oracle.json: the form used, the numbers expected, the sentences expected; read, compared, and measured for coverage.

    {"sources": ["R 4.2.2 t.test"],
     "cases": [{"name": "toothgrowth", "form": {"group": "补充方式", "variables": ["牙长"]},
                "data": "example.csv", "measures": {"剂量": "定类"}, "filter": null, "split": null, "weight": null,
                "expect": [{"table": "result", "where": {"test": "Welch"}, "cells": {"t": 1.9153}, "tolerance": 1e-8,
                            "reason": "…"},
                           {"table": "cases", "count": 60, "sums": {"value": 1128.8}}],
                "says": ["未发现", {"contains": "均值差", "facts": {"diff": 3.7}}]}],
     "unverified": [{"what": "shape.statistic", "reason": "…"}],
     "quick": {"n_estimators": 10}}

`quick` is for a method whose runs take seconds, all its tests below are slow ones: settings for the test that only asks
whether every choice runs.

Variables are named; rows are found by what is shown in `where`; cells by the keys given to `report.row`. `form` null
inside `expect` means nothing. A tolerance looser than 1e-8 needs its reason.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import pandas as pd

from hengxi import registry
from hengxi.data.build import table_of
from hengxi.data.table import Table
from hengxi.jobs.analysis import plain
from hengxi.jobs.artifacts import Handle
from hengxi.jobs.other_tables import TableHandle, choice_of
from hengxi.prepare import report_on, trained

TOLERANCE = 1e-8
NUMERIC = ("integer", "num", "pvalue", "percent")
SLOT = re.compile(r"\{(\w+)(?::[^{}]*)?\}")


@dataclass(frozen=True)
class Case:
    path: str
    raw: dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.raw["name"])

    @property
    def form(self) -> dict[str, Any]:
        return dict(self.raw["form"])

    @property
    def frame(self) -> pd.DataFrame:
        """An empty one for a method without data. Shared between tests: make a copy before changing it."""
        file = registry.folder(self.path) / self.raw.get("data", "example.csv")
        return _frame(file) if file.is_file() or "data" in self.raw else pd.DataFrame()

    @property
    def measures(self) -> dict[str, str]:
        return dict(self.raw.get("measures") or {})

    @property
    def key(self) -> tuple[str, str, str]:
        """What the table depends on: cases of one method mostly share theirs."""
        return (self.path, self.raw.get("data", "example.csv"), json.dumps(self.measures))

    def table(self) -> Table:
        """Made once; methods never write into a table."""
        return _table(self.key, self)

    def around(self) -> dict[str, Any]:
        """Filter, split, weight and filling, as `report_on` takes them."""
        named = {key: self.raw.get(key) for key in ("filter", "split", "weight")}
        return {**named, "fill": bool(self.raw.get("fill_missing")), "kept": self.models()}

    def models(self) -> dict[str, Handle | TableHandle]:
        """Saved models the form names: `{"model": {"path": …, "data": …, "measures": …, "form": …}}`.

        And other tables: `{"right": [{"vid": 2, "data": "scores.csv", "measures": …}]}` under `datasets`.
        """
        models = {key: _trained(json.dumps(raw)) for key, raw in (self.raw.get("models") or {}).items()}
        return {**models, **{key: self._tables(raw) for key, raw in (self.raw.get("datasets") or {}).items()}}

    def _tables(self, raw: list[dict[str, Any]]) -> TableHandle:
        tables = []
        for one in raw:
            frame = _frame(registry.folder(self.path) / one["data"])
            table = _table((self.path, one["data"], json.dumps(one.get("measures") or {})), self, frame, one)
            tables.append((choice_of(one["vid"], one["data"].removesuffix(".csv"), table), table))
        return TableHandle(tables)


@cache
def _frame(file: Path) -> pd.DataFrame:
    return pd.read_csv(file)


_TABLES: dict[tuple[str, str, str], Table] = {}


def _table(
    key: tuple[str, str, str], case: Case, frame: pd.DataFrame | None = None, raw: dict[str, Any] | None = None
) -> Table:
    if key not in _TABLES:
        measures = case.measures if raw is None else raw.get("measures") or {}
        _TABLES[key] = table_from(case.frame if frame is None else frame, measures)
    return _TABLES[key]


@cache
def _trained(raw: str) -> Handle:
    made = json.loads(raw)
    frame = pd.read_csv(registry.folder(made["path"]) / made.get("data", "example.csv"))
    return trained(made["path"], table_from(frame, made.get("measures") or {}), made["form"])


def table_from(frame: pd.DataFrame, measures: dict[str, str]) -> Table:
    """`measures` as the user would set them; "日期" reads the column as dates, as an import does."""
    cells = {str(name): [None if pd.isna(v) else v for v in frame[name].tolist()] for name in frame.columns}
    dated = [name for name, kind in measures.items() if kind == "日期" and name in cells]
    cells |= {name: _dates(frame[name]) for name in dated}
    return table_of(cells, measures | dict.fromkeys(dated, "时间"))


def _dates(column: pd.Series) -> list[Any]:
    moments = pd.to_datetime(column, format="ISO8601", errors="coerce")
    whole = bool((moments.dropna() == moments.dropna().dt.normalize()).all())
    return [None if pd.isna(v) else v.date() if whole else v.to_pydatetime() for v in moments]


@cache
def oracle(path: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((registry.folder(path) / "oracle.json").read_text(encoding="utf-8"))
    return read


def cases(path: str) -> list[Case]:
    return [Case(path, raw) for raw in oracle(path)["cases"]]


def is_slow(path: str) -> bool:
    """Whether runs of this method take seconds, so that `npm run check` leaves them to `npm test`."""
    return "quick" in oracle(path)


def quick(path: str) -> dict[str, Any]:
    """Settings that make a run of this method cheap; none for most."""
    found: dict[str, Any] = oracle(path).get("quick", {})
    return found


def quick_form(case: Case) -> dict[str, Any]:
    """The form of a case, made cheap. Numbers of the whole form are compared with the oracle; that the same form gives
    the same report, whatever rows and names are called, shows as well in the quick one."""
    return {**case.form, **quick(case.path)}


@cache
def quick_reports(path: str) -> list[tuple[Case, dict[str, Any]]]:
    """Each case run once in its quick form, strictly."""
    return [(case, run(case, quick_form(case))) for case in cases(path)] if quick(path) else reports(path)


@cache
def reports(path: str) -> list[tuple[Case, dict[str, Any]]]:
    """Each case run once, strictly."""
    return [(case, run(case)) for case in cases(path)]


def run(
    case: Case, form: dict[str, Any] | None = None, table: Table | None = None, strict: bool = True
) -> dict[str, Any]:
    around = case.around()
    made = report_on(case.path, table or case.table(), case.form if form is None else form, strict, **around)
    return plain(made)


# ---- reading a report ----------------------------------------------------------------------------------------------
def elements(report: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [element for part in report["parts"] for element in part["elements"] if element["type"] == kind]


def table_rows(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Each row as key → value, parts of combined cells by their own keys; wide cells by `key@label`."""
    if table["matrix"] is not None:
        return _matrix_rows(table["matrix"])
    rows = []
    for cells in table["rows"]:
        row: dict[str, Any] = {}
        for column, cell in zip(table["columns"], cells, strict=True):
            key = f"{column['key'].split('@')[0]}@{column['wide']}" if column["wide"] is not None else column["key"]
            if column["parts"] is None:
                row[key] = cell
            else:
                at = f"@{column['wide']}" if column["wide"] is not None else ""
                keys = [f"{part}{at}" for part in column["parts"]]
                row |= dict(zip(keys, cell or [None] * len(keys), strict=True))
        rows.append(row)
    return rows


def _matrix_rows(matrix: dict[str, Any]) -> list[dict[str, Any]]:
    labels = matrix["labels"]
    return [
        {"item": a, "against": b} | {layer["key"]: layer["values"][i][j] for layer in matrix["layers"]}
        for i, a in enumerate(labels)
        for j, b in enumerate(labels)
    ]


def numeric_keys(table: dict[str, Any]) -> list[str]:
    """Keys of numbers in a table, parts included."""
    if table["matrix"] is not None:
        return [layer["key"] for layer in table["matrix"]["layers"] if layer["format"] in NUMERIC]
    keys = []
    for column in table["columns"]:
        if (column["part_format"] or column["format"]) in NUMERIC:
            names = column["parts"] or [column["key"]]
            keys += [f"{name.split('@')[0]}" for name in names]
    return list(dict.fromkeys(keys))


# ---- comparing -----------------------------------------------------------------------------------------------------
def differences(case: Case, report: dict[str, Any]) -> list[str]:
    """Every expected cell, count and sum that does not agree."""
    found = []
    for block in case.raw.get("expect", []):
        found += _block(block, report)
    return found


def _block(block: dict[str, Any], report: dict[str, Any]) -> list[str]:
    name, where = block["table"], block.get("where") or {}
    tolerance = float(block.get("tolerance", TOLERANCE))
    if tolerance > TOLERANCE and not block.get("reason"):
        return [f"{name}: a tolerance of {tolerance} needs its reason"]
    part = block.get("part")
    tables = [
        t
        for p in report["parts"]
        if part is None or (p["group"] or {}).get("label") == part
        for t in p["elements"]
        if t["type"] == "table" and t["name"] == name and block.get("at", t["at"]) == t["at"]
    ]
    rows = [row for table in tables for row in table_rows(table)]
    hits = [row for row in rows if all(_shown(row.get(key)) == _shown(value) for key, value in where.items())]
    faults = []
    if "count" in block and len(hits) != block["count"]:
        faults.append(f"{name}: {len(hits)} rows, expected {block['count']}")
    for key, total in (block.get("sums") or {}).items():
        got = math.fsum(float(row[key]) for row in hits if row[key] is not None)
        faults += _unequal(f"sum of {name}.{key}", got, total, tolerance)
    if not block.get("cells"):
        return faults
    if len(hits) != 1:
        return [*faults, f"{name} {where}: {len(hits)} rows match, expected one"]
    for key, value in block["cells"].items():
        if key not in hits[0]:
            faults.append(f"{name}: no cell {key!r}; there are {sorted(hits[0])}")
        else:
            faults += _unequal(f"{name} {where}.{key}", hits[0][key], value, tolerance)
    return faults


def _shown(value: Any) -> Any:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _unequal(where: str, got: Any, wanted: Any, tolerance: float) -> list[str]:
    if isinstance(wanted, int | float) and isinstance(got, int | float) and not isinstance(wanted, bool):
        scale = max(abs(wanted), 1e-12 if wanted == 0 else abs(wanted))
        close = abs(got - wanted) <= tolerance * (scale if wanted != 0 else 1.0)
        return [] if close else [f"{where}: {got!r}, expected {wanted!r}"]
    return [] if got == wanted else [f"{where}: {got!r}, expected {wanted!r}"]


def unsaid(case: Case, report: dict[str, Any]) -> list[str]:
    """Expected sentences that the report does not hold, or holds with other numbers."""
    spoken = sentences(report)
    absent = []
    for wanted in case.raw.get("says", []):
        contains, facts = (wanted, {}) if isinstance(wanted, str) else (wanted["contains"], wanted.get("facts") or {})
        tolerance = TOLERANCE if isinstance(wanted, str) else float(wanted.get("tolerance", TOLERANCE))
        hits = [one for one in spoken if contains in one["words"]]
        if not hits:
            absent.append(f"nothing says “{contains}”")
        elif facts and not any(
            all(key in one["facts"] and not _unequal("", one["facts"][key], v, tolerance) for key, v in facts.items())
            for one in hits
        ):
            absent.append(f"“{contains}” is said with other facts: {[one['facts'] for one in hits]}, expected {facts}")
    return absent


def sentences(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Lead, texts, checks and warnings; in `words` the facts that are text are filled in, numbers stay slots."""
    out = []
    for part in report["parts"]:
        for element in part["elements"]:
            if element["type"] in ("lead", "text", "check", "warning"):
                facts = element["facts"]
                words = SLOT.sub(partial(_filled, facts), element["text"])
                out.append({"words": words, "facts": facts, "text": element["text"], "type": element["type"]})
    return out


def _filled(facts: dict[str, Any], slot: re.Match[str]) -> str:
    word = facts.get(slot[1])
    return word if isinstance(word, str) else slot[0]


# ---- coverage ------------------------------------------------------------------------------------------------------
def uncovered(path: str) -> list[str]:
    """Numeric columns and sentences nobody checked and nobody listed as unverified."""
    excused = {sentence["what"] for sentence in oracle(path).get("unverified", []) if sentence.get("reason")}
    checked: set[str] = set()
    shown: dict[str, None] = {}
    spoken: set[str] = set()
    for case, report in reports(path):
        for block in case.raw.get("expect", []):
            checked |= {f"{block['table']}.{key.split('@')[0]}" for key in block.get("cells", {})}
        for table in elements(report, "table"):
            if not table["hidden"]:
                shown |= {f"{table['name']}.{key}": None for key in numeric_keys(table)}
        wanted = [w if isinstance(w, str) else w["contains"] for w in case.raw.get("says", [])]
        for sentence in sentences(report):
            if any(contains in sentence["words"] for contains in wanted):
                spoken.add(sentence["text"])
    for _, report in reports(path):
        for sentence in sentences(report):
            if sentence["text"] not in spoken and not any(
                x in sentence["text"] or x in sentence["words"] for x in excused
            ):
                shown[f"sentence “{sentence['words']}”"] = None
    return [name for name in shown if name not in checked and name not in excused]
