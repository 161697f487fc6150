from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import SetRemedy
from hengxi.methods.evaluation._shared import unevenness as uneven
from hengxi.testing import Trial, records

FRAME = pd.DataFrame({
    "x": np.arange(1.0, 11), "p": [1.0, 2, 1, 3, 1, 2, 1, 1, 2, 1], "g": list("甲甲甲甲甲乙乙乙乙乙"),
})  # fmt: skip
KINDS = {"x": "定量", "p": "定量", "g": "定类"}
TRIAL = Trial("evaluation/inequality", FRAME, {"value": ["x"], "ci": "none"}, KINDS)


def test_negative_values_are_refused_with_their_row() -> None:
    assert "不接受负值：“x”第 3 行是 -1" in TRIAL.refused(FRAME.assign(x=[1.0, 2, -1, 4, 5, 6, 7, 8, 9, 10])).text


def test_a_zero_is_refused_for_theil_l_with_a_way_out() -> None:
    frame = FRAME.assign(x=[0.0, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    refusal = TRIAL.refused(frame)
    assert "泰尔 L 指数不接受 0 值，请改用泰尔 T 或基尼" in refusal.text
    (remedy,) = refusal.faults[0].remedies
    assert isinstance(remedy, SetRemedy) and TRIAL.report(frame, **remedy.set)


def test_one_to_ten_as_published() -> None:
    values = {row["index"]: row["value"] for row in records(TRIAL.report(), "result")}
    assert list(values.values()) == pytest.approx([0.3, 0.1513034, 0.1943068], abs=1e-6)
    assert records(TRIAL.report(small_sample=True), "result")[0]["value"] == pytest.approx(1 / 3)


def test_parts_add_up() -> None:
    x, p, group = FRAME["x"].to_numpy(), FRAME["p"].to_numpy() / 15, FRAME["g"].to_numpy()
    for key, whole in (("theil_t", uneven.theil_t(x, p)), ("theil_l", uneven.theil_l(x, p))):
        between, within = uneven.theil_parts(key, x, p, group, ["甲", "乙"])
        assert between + sum(within.values()) == pytest.approx(whole)
    assert sum(uneven.dagum(x, p, group, ["甲", "乙"])) == pytest.approx(uneven.gini(x, p))


def test_people_written_out_give_the_weighted_index() -> None:
    x, p = FRAME["x"].to_numpy(), FRAME["p"].to_numpy()
    assert uneven.gini(x, p) == pytest.approx(uneven.gini(np.repeat(x, p.astype(int)), np.ones(15)))


def test_dagum_needs_groups_and_population_is_positive() -> None:
    assert "要有分组" in TRIAL.refused(indices=["dagum"]).text
    assert "人口要大于 0" in TRIAL.refused(FRAME.assign(p=[0.0, 2, 1, 3, 1, 2, 1, 1, 2, 1]), population="p").text
