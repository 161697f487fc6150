from __future__ import annotations

from typing import Any

from hengxi.testing import Trial, records, said

NAMES = ["A", "B", "C"]


def trial(values: Any = None, **more: Any) -> Trial:
    form = {"source": "adjacency", "adjacency": {"rows": NAMES, "columns": NAMES, "values": values}, **more}
    return Trial("evaluation/interpretative_structural_modelling", form=form)


def test_cells_other_than_zero_and_one_are_refused() -> None:
    assert "邻接矩阵只能填 0 或 1" in trial([[0, 0.5, 0], [0, 0, 1], [0, 0, 0]]).refused().text
    assert "没有任何影响" in trial([[0, 0, 0]] * 3).refused().text


def test_a_factor_without_any_relation_is_named() -> None:
    report = trial([[0, 1, 0], [0, 0, 0], [0, 0, 0]]).report()
    warning = next(one for one in report if one["type"] == "warning")
    assert warning["facts"]["who"] == "C"


def test_letters_are_as_many_as_pairs() -> None:
    factors = [{"id": f"r{k}", "name": name} for k, name in enumerate(NAMES)]
    letters = {"source": "vaxo", "factors": factors}
    assert "要有 2 行 VAXO，现有 1 行" in trial(**letters, vaxo="VA").refused().text
    assert "要有 2 个字母" in trial(**letters, vaxo="VB;O").refused().text
    rows = records(trial(**letters, vaxo="V O；v").report(), "levels")
    assert [row["factors_"] for row in rows] == ["C", "B", "A"]


def test_a_circle_is_one_block_on_one_level() -> None:
    report = trial([[0, 1, 0], [0, 0, 1], [1, 0, 0]]).report()
    assert records(report, "blocks")[0]["n"] == 3 and "都在同一层" in said(report)


def test_total_influence_needs_the_same_factors_in_rows_and_columns() -> None:
    total = {"rows": ["A", "B"], "columns": ["A", "C"], "values": [[0.1, 0.4], [0.2, 0.1]]}
    assert "同样的因素" in trial(source="dematel", total=total).refused().text
