"""Where a method says it takes the dimensions of a questionnaire there are such fields, of the kinds that take them."""

from __future__ import annotations

import pytest

from hengxi import registry
from hengxi.declaration import declare, takes_dimensions

TAKERS = [path for path in registry.paths() if takes_dimensions(registry.load(path)) is not None]


@pytest.mark.parametrize("path", TAKERS)
def test_the_fields_are_there(path: str) -> None:
    declared = declare(path)
    takes = declared["takes_dimensions"]
    fields = {field["key"]: field for field in declared["fields"]}
    items = fields[takes["items"]]
    assert items["type"] == "blocks" or (items["type"] == "role" and items["many"])
    if takes["rows"] is not None:
        rows = fields[takes["rows"]]
        cells = {cell["key"]: cell["type"] for cell in rows["cells"]}
        assert rows["type"] == "settings" and rows["of"] == takes["items"]
        assert takes["reversed"] is None or cells[takes["reversed"]] == "flag"
        assert takes["name"] is None or cells[takes["name"]] in ("words", "integer")
    for end in (takes["low"], takes["high"]):
        assert end is None or fields[end]["type"] == "number"
    assert set(takes["form"]) <= set(fields)


def test_who_takes_them() -> None:
    assert set(TAKERS) >= {
        "data_processing/scale_score",
        "data_processing/value_coding",
        "descriptive/reliability",
        "questionnaire/common_method_bias",
        "questionnaire/confirmatory_factor",
        "questionnaire/discrimination",
        "questionnaire/measurement_invariance",
        "questionnaire/pls_sem",
        "questionnaire/response_quality",
        "questionnaire/sem",
        "questionnaire/validity",
    }
    turning = [path for path in TAKERS if declare(path)["takes_dimensions"]["turns"]]
    assert turning == ["data_processing/value_coding"]


def test_the_fields_that_turn_items_are_found() -> None:
    found = {path: declare(path)["takes_dimensions"] for path in ("descriptive/reliability", "questionnaire/validity")}
    assert [(one["items"], one["rows"], one["reversed"]) for one in found.values()] == [
        ("items", "turned", "reversed"),
        ("items", None, None),
    ]
