"""What is particular to reliability: reversed items are named and never turned unasked, dimensions, what has no α."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, cells, check, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
TRUST = [name for name in FRAME.columns if name.startswith("信任")]


def loose(items: list[str]) -> list[dict[str, Any]]:
    return [{"id": "loose", "name": None, "columns": items}]


TRIAL = Trial("descriptive/reliability", FRAME, {"items": loose(TRUST)}, dict.fromkeys(FRAME.columns, "定量"))
report, refused = TRIAL.report, TRIAL.refused


def test_one_item_is_refused() -> None:
    assert refused(items=loose(TRUST[:1])).code == "role.few"


def test_an_item_all_answered_alike_is_left_out_by_name() -> None:
    elements = report(FRAME.assign(信任1=3))
    assert warnings(elements) == ["data.constant"] and "“信任3”" in check(elements, "题项方向")["facts"]["which"]
    assert records(elements, "result")[0]["p"] == 3
    alike = FRAME.assign(信任1=3, 信任2=2, 信任3=1)
    assert "至少需要2个" in refused(alike).text


def test_reversed_items_are_named_and_not_turned_unasked() -> None:
    elements = report()
    found = check(elements, "题项方向")
    assert found["state"] == "care" and found["facts"]["which"] == "“信任3”"
    assert records(elements, "result")[0]["alpha"] < 0.1 and "data.reversed" not in warnings(elements)
    turned = report(reverse=True)
    by_hand = report(turned=[{"for": "信任3", "reversed": True}])
    assert records(turned, "result") == records(by_hand, "result")
    assert "data.reversed" in warnings(turned) and check(turned, "题项方向")["state"] == "pass"


def test_a_negative_alpha_says_so() -> None:
    assert "Cronbach α 为负" in said(report(items=loose(["信任1", "信任3"])))


def test_opposite_items_have_no_total() -> None:
    frame = FRAME.assign(信任2=6 - FRAME["信任1"])
    refusal = refused(frame, items=loose(["信任1", "信任2"]))
    assert refusal.code == "data.constant" and refusal.faults[0].remedies


def test_words_are_refused_and_kr20_wants_zero_and_one() -> None:
    words = FRAME.assign(信任1=np.where(FRAME["信任1"] > 3, "同意", "不同意"))
    assert refused(words, {"信任1": "定类"}).code == "role.measure"
    refusal = refused(model=["kr20"])
    assert refusal.code == "data.binary" and "“信任1”" in refusal.text


def test_a_dimension_of_one_item_is_refused_by_name() -> None:
    blocks = [{"id": "b1", "name": "信", "columns": TRUST[:3]}, {"id": "b2", "name": "任", "columns": TRUST[3:]}]
    assert refused(items=blocks).code == "blocks.size"
    rest = [{"id": "b1", "name": "信", "columns": TRUST[:3]}, *loose(TRUST[3:])]
    refusal = refused(items=rest)
    assert refusal.code == "data.few_items" and "“其他题项”只有一题“信任4”" in refusal.text


def test_a_name_that_was_typed_stands_and_one_of_ours_gives_way() -> None:
    service = [name for name in FRAME.columns if name.startswith("服务质量")]
    blocks = [{"id": "b1", "name": "可信", "columns": TRUST}, {"id": "b2", "name": "维度2", "columns": service}]
    assert [row["scale"] for row in records(report(items=blocks), "result")] == ["可信", "服务质量", "全部题项"]


def test_a_form_of_version_1_gives_the_same_report() -> None:
    """Items in a list, the number of the dimension in the settings of each item."""
    names = list(FRAME.columns[:8])
    ids = {name: f"c{i}" for i, name in enumerate(names, 1)}
    rows = [{"for": ids[name], "number": 1 + (name in TRUST), "reversed": name == "信任3"} for name in names]
    old = TRIAL.document(items=list(ids.values()), dimension=rows)
    halves = [[name for name in names if (name in TRUST) == trust] for trust in (False, True)]
    blocks = [{"id": f"b{k}", "name": f"维度{k}", "columns": half} for k, half in enumerate(halves, 1)]
    new = TRIAL.document(items=blocks, turned=[{"for": "信任3", "reversed": True}])
    assert old["form"] == new["form"] and old["parts"] == new["parts"] and old["version"] == 2
    one = TRIAL.document(items=TRUST, dimension=[])
    assert one["form"]["items"] == [{"id": "loose", "name": None, "columns": one["form"]["items"][0]["columns"]}]


def test_omega_needs_three_items_and_a_proper_solution() -> None:
    assert records(report(items=loose(TRUST[:2])), "result")[0]["omega"] is None
    rng = np.random.default_rng(3)
    x = rng.normal(size=80)
    near = pd.DataFrame({"信任1": x, "信任2": x + rng.normal(0, 0.01, 80), "信任3": rng.normal(size=80)})
    assert records(report(near, items=loose(TRUST[:3])), "result")[0]["omega"] is None


def test_weights_count_as_copies() -> None:
    weighted = FRAME.assign(份数=np.arange(len(FRAME)) % 3)
    long = FRAME.loc[np.repeat(FRAME.index, weighted["份数"])]
    form: dict[str, Any] = {
        "reverse": True,
        "model": ["alpha", "omega", "split_half", "guttman", "theta", "item_deleted"],
    }
    a, b = report(weighted, weight="份数", **form), report(long, **form)
    for name in ("result", "totals", "half", "bounds"):
        for one, other in zip(cells(a, name), cells(b, name), strict=True):
            for x, y in zip(one, other, strict=True):
                assert x == (pytest.approx(y, rel=1e-9) if not isinstance(y, str) else y)
