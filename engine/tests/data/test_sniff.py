"""What is guessed from pieces of a text file, wherever they are cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from hengxi.data.delimited.sniff import HEAD, _samples, guess_encodings


@pytest.mark.parametrize("shift", range(4))
def test_a_cell_longer_than_a_piece_does_not_hide_the_encoding(tmp_path: Path, shift: int) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"id,text\n" + b"1" * shift + b"," + "𠮷".encode() * HEAD + b"\n")
    assert guess_encodings(_samples(path, partial=False)) == ["UTF-8"]
