from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from hengxi.methods.evaluation._shared.digraph import cycles, kernel, reachable, without_detours
from hengxi.methods.evaluation._shared.distillation import credibility, distillation, ramp
from hengxi.testing import Trial, records

FRAME = pd.DataFrame({"名": list("甲乙丙丁"), "a": [1.0, 2, 4, 3], "b": [5.0, 3, 4, 1], "c": [2, 2.5, 2, 1]})
FORM: dict[str, Any] = {"positive": ["a", "c"], "negative": ["b"], "label": "名", "weight_source": "equal"}
TRIAL = Trial("evaluation/electre", FRAME, FORM)


def test_thresholds_out_of_order_are_refused_by_indicator() -> None:
    rows = [{"for": "a", "q": 2, "p": 1}]
    assert "指标“a”阈值须满足 q≤p≤v" in TRIAL.refused(variant="III", thresholds=rows).text
    rows = [{"for": "a", "q": 0, "p": 2, "v": 1}]
    assert "v = 1" in TRIAL.refused(variant="III", thresholds=rows).text


def test_a_circle_is_told_and_merged() -> None:
    frame = pd.DataFrame({"名": list("甲乙丙"), "a": [3.0, 1, 2], "b": [2.0, 3, 1], "c": [1.0, 2, 3]})
    form: dict[str, Any] = {
        "positive": ["a", "b", "c"],
        "negative": [],
        "cut": "manual",
        "concord_cut": 0.6,
        "discord_cut": 1,
    }
    report = TRIAL.report(frame, **form)
    warning = next(one for one in report if one["type"] == "warning")
    assert "存在循环" in warning["text"] and all(row["kernel"] == "是" for row in records(report, "result"))


def test_a_kernel_covers_what_is_outside_and_holds_no_pair() -> None:
    relation = np.zeros((5, 5), dtype=bool)
    for a, b in ((0, 1), (1, 2), (2, 3), (0, 3), (3, 4)):
        relation[a, b] = True
    inside = kernel(relation)
    assert inside == [0, 2, 4]
    assert not without_detours(relation)[0, 3] and cycles(reachable(relation)) == [[0], [1], [2], [3], [4]]


def test_a_veto_takes_the_credibility_away() -> None:
    s = credibility(np.array([[1.0, 0.6], [0.7, 1.0]]), np.array([[[0.0, 1.0], [0.8, 0.0]]]))
    assert s[0, 1] == 0 and abs(s[1, 0] - 0.7 * 0.2 / 0.3) < 1e-9
    assert list(ramp(np.array([0.0, 1, 2]), 1, 1)) == [0, 0, 1]


def test_alternatives_without_a_relation_stay_in_one_class() -> None:
    assert distillation(np.eye(3), True) == [1, 1, 1]
    order = np.array([[1, 1, 1], [0.1, 1, 1], [0.1, 0.1, 1]])
    assert distillation(order, True) == [1, 2, 3] == distillation(order, False)
