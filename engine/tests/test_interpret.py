"""Words for effects change exactly at the bounds of their source."""

from __future__ import annotations

import pytest

from hengxi.interpret import cohen1988


@pytest.mark.parametrize(
    ("words", "bounds"),
    [
        (cohen1988.difference, (0.2, 0.5, 0.8)),
        (cohen1988.explained, (0.02, 0.15, 0.35)),
        (cohen1988.correlation, (0.1, 0.3, 0.5)),
        (cohen1988.spread, (0.1, 0.25, 0.4)),
    ],
)
def test_words_change_at_the_bounds(words: object, bounds: tuple[float, ...]) -> None:
    assert callable(words)
    below = [words(bound - 1e-9) for bound in bounds]
    at = [words(bound) for bound in bounds]
    assert below == ["很小", "小到中等", "中等到大"] and at == ["小到中等", "中等到大", "大"]


def test_the_sign_does_not_matter() -> None:
    assert cohen1988.difference(-0.9) == "大" and cohen1988.correlation(-0.2) == "小到中等"
