"""References are written from fields, in both styles."""

from __future__ import annotations

from pathlib import Path

import pytest

from hengxi.citations import SHARED, Work, apa, gbt, read, references


def test_an_article() -> None:
    found = references(["welch1947"])[0]
    assert found.gbt.startswith("WELCH B L. The generalization of")
    assert found.gbt.endswith("[J]. Biometrika, 1947, 34(1/2): 28-35. DOI:10.1093/biomet/34.1-2.28.")
    assert found.apa == (
        'Welch, B. L. (1947). The generalization of "Student\'s" problem when several different population variances '
        "are involved. *Biometrika*, *34*(1–2), 28–35. https://doi.org/10.1093/biomet/34.1-2.28"
    )


def test_a_book() -> None:
    found = references(["cohen1988"])[0]
    title = "Statistical power analysis for the behavioral sciences"
    assert found.gbt == f"COHEN J. {title}[M]. 2nd ed. Hillsdale: Lawrence Erlbaum Associates, 1988."
    assert found.apa == f"Cohen, J. (1988). *{title}* (2nd ed.). Lawrence Erlbaum Associates."


def test_a_chapter() -> None:
    work = read(SHARED)["levene1960"]
    assert "//OLKIN I. Contributions to probability" in gbt(work)
    assert "In I. Olkin (Ed.), *Contributions to probability" in apa(work) and "(pp. 278–292)" in apa(work)


def test_more_than_three_authors() -> None:
    work = Work(type="article", authors=["A, B.", "C, D.", "E, F.", "G, H."], year=2001, title="T", journal="J")
    assert gbt(work).startswith("A B, C D, E F, et al. T[J]. J, 2001.")
    assert apa(work).startswith("A, B., C, D., E, F., & G, H. (2001).")


def test_every_shared_work_can_be_written() -> None:
    for key in read(SHARED):
        assert references([key])[0].gbt.endswith(".")


def test_an_unknown_work_and_an_unknown_field_are_mistakes(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="nobody2000"):
        references(["nobody2000"])
    own = tmp_path / "references.yaml"
    own.write_text("x2000: {type: article, authors: [X], year: 2000, title: T, colour: red}\n", encoding="utf-8")
    with pytest.raises(TypeError, match="x2000"):
        references(["x2000"], own)


def test_a_work_says_by_which_words_a_report_names_it() -> None:
    by_key = {work.key: work.named for work in references(["ramsey1969", "welch1947"])}
    assert by_key == {"ramsey1969": ["RESET"], "welch1947": []}
