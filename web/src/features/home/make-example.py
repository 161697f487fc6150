"""Writes example.json, the report shown on the home page, by running the method on a sample table.

Run from the repository: engine/.venv/bin/python web/src/features/home/make-example.py
Numbers on the home page come from here and from nowhere else; run it again when the method or the table changes.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pandas as pd

ROOT = Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "engine"))

from hengxi.prepare import run_on_frame  # noqa: E402

METHOD = "hypothesis_test/independent_t_test"
GROUPS, OUTCOME = "品种", "酒精度"


def named(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Rows of a wire table as dicts by column key."""
    keys = [column["key"] for column in table["columns"]]
    return [dict(zip(keys, row, strict=True)) for row in table["rows"]]


def main() -> None:
    frame = pd.read_csv(ROOT / "server/sample/wine.csv", encoding="utf-8-sig")
    frame = frame[frame[GROUPS].isin(["品种A", "品种B"])][[GROUPS, OUTCOME]].reset_index(drop=True)
    report = run_on_frame(METHOD, frame, {"group": GROUPS, "variables": [OUTCOME]})
    elements = report["parts"][0]["elements"]
    tables = {one["name"]: one for one in elements if one["type"] == "table"}
    lead = next(one for one in elements if one["type"] == "lead")
    rows, described = named(tables["comparison"]), named(tables["descriptives"])
    cases: dict[str, list[float]] = {}
    for _, group, value in tables["cases"]["rows"]:
        cases.setdefault(group, []).append(value)
    contrast = tables["contrast"]["rows"][0]
    example = {
        "method": report["method"]["title"],
        "data": "葡萄酒成分（UCI，CC BY 4.0）",
        "used": report["sample"]["used"],
        "outcome": OUTCOME,
        "lead": {"text": lead["text"], "facts": lead["facts"]},
        "rows": rows,
        "groups": [
            {
                "name": one["group"],
                "n": one["n"],
                "mean": one["mean"],
                "interval": one["ci"],
                "values": cases[one["group"]],
            }
            for one in described
        ],
        "contrast": {"label": contrast[1], "y": contrast[2], "low": contrast[3], "high": contrast[4]},
        "checks": [{"title": one["title"], "state": one["state"]} for one in elements if one["type"] == "check"],
    }
    (Path(__file__).parent / "example.json").write_text(json.dumps(example, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
