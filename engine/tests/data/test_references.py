"""The furthest cell a sheet's XML names, in every spelling XML allows; plain spellings are read as arrays."""

from __future__ import annotations

import random

import pytest

from hengxi.data.workbook.references import BEYOND, furthest


@pytest.mark.parametrize(
    ("xml", "found"),
    [
        (b'<row r="9"><c r="A9"/><c r="C9" t="s"/>', (3, 9)),
        (b'<c r="XFD1048576">', (16_384, 1_048_576)),
        (b"<c\tr = 'xfd10'><c r=\"B2\">", (16_384, 10)),
        (b'<c\nr="D4"><c s="1" r ="B7">', (4, 7)),
        (b'<is><t>a r b</t></is><c r="B2"/>', (2, 2)),
        (b'<c r="ABCDEFG2">', (BEYOND, 2)),
        (b"<c r='ABCDEFG2'>", (BEYOND, 2)),
        (b'<c r="A12345678901234">', (1, BEYOND)),
        (b'<c r="' + b"A" * 60 + b'1">', (BEYOND, BEYOND)),
        (b'<x r:id="rId5" r="word">', (0, 0)),
        (b' r="', (0, 0)),
        (b"", (0, 0)),
    ],
)
def test_spellings(xml: bytes, found: tuple[int, int]) -> None:
    assert furthest(xml) == found


def test_both_ways_of_reading_agree() -> None:
    chance = random.Random(7)
    for _ in range(200):
        cells = [
            ("".join(chance.choices("ABCXYZ", k=chance.randint(1, 3))), chance.randint(1, 10 ** chance.randint(1, 7)))
            for _ in range(chance.randint(1, 40))
        ]
        plain = "".join(f'<c r="{letters}{row}"><v>{chance.random()}</v></c>' for letters, row in cells).encode()
        assert furthest(plain) == furthest(plain.replace(b' r="', b'\tr="'))
