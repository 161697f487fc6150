"""What no method has used yet runs through the whole engine; web, contracts and server draw and write these reports."""

from __future__ import annotations

from typing import Any, get_args

from hengxi.contract.charts import KINDS, ChartKind
from hengxi.testing import Trial
from tests.toy.drawings import Drawings
from tests.toy.reports import DRAWINGS, FIXTURE, FRAME, SOLVING, documents, registered, rendered


def elements(path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = documents()[path]["parts"][0]["elements"]
    return found


def test_the_fixture_is_what_the_engine_sends() -> None:
    assert FIXTURE.read_text(encoding="utf-8") == rendered(), "run `python -m tests.toy.reports` in engine/"


def test_each_way_of_drawing_is_drawn() -> None:
    drawn = {(e["kind"], e.get("draw") or e.get("arrange")) for e in elements(DRAWINGS) if e["type"] == "chart"}
    for kind in ("network", "surface", "tree", "words", "flow", "nomogram", "control", "share"):
        ways = next(iter(KINDS[kind].options.values()), (None,))
        assert {(kind, way) for way in ways} <= drawn
    assert set(get_args(ChartKind)) == set(KINDS)


def test_the_first_picture_of_a_picture_method_is_main() -> None:
    places = {e["name"]: e["place"] for e in elements(DRAWINGS) if e["type"] == "chart"}
    assert [name for name, place in places.items() if place == "main"] == ["groups"]


def test_a_panel_stands_whole_and_first_and_its_charts_do_not_stand_beside_it() -> None:
    parts = elements(SOLVING)
    (panel,) = (e for e in parts if e["type"] == "panel")
    assert panel["place"] == "main"
    assert [chart["name"] for chart in panel["charts"]] == ["demand", "income"]
    assert not any(e["type"] == "chart" for e in parts)
    rows = next(e for e in parts if e.get("name") == "curve")["rows"]
    assert len(rows) == 9


def test_a_chart_of_a_panel_that_is_not_asked_for_is_left_out() -> None:
    with registered():
        (panel,) = (e for e in Trial(SOLVING).report(show_curve=False) if e["type"] == "panel")
    assert [chart["name"] for chart in panel["charts"]] == ["income"]


def test_rules_and_file_of_a_solver_arrive() -> None:
    by_type = {e["type"]: e for e in elements(SOLVING)}
    assert [(rule["then"], rule["n"], rule["share"]) for rule in by_type["rules"]["rules"]] == [
        ("提价", 4, 0.8),
        ("降价", 5, 1.0),
    ]
    assert by_type["rules"]["rules"][1]["when"] == [["价格", ">", 5.0], ["销量", "!=", 0]]
    assert by_type["file"]["file_name"] == "计算表.csv"
    assert by_type["lead"]["facts"] == {"p": 5.0, "top": 250.0}


def test_a_split_gives_each_part_its_pictures() -> None:
    frame = FRAME.assign(年级=["一", "二"] * 3)
    with registered():
        document = Trial(DRAWINGS, frame).document(value="得分", group="组别", split={"column": "年级"})
    counts = [sum(e["type"] == "chart" for e in part["elements"]) for part in document["parts"]]
    wanted = sum(element.type == "chart" for element in Drawings.elements().values())
    assert set(counts) == {wanted} and len(counts) >= 2
