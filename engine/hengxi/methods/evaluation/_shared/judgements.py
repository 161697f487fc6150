"""Words and notes of pairwise judgements: the ways to weigh, grades as experts write them, consistency while typing."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import CellOffer, FormNote
from hengxi.stats.pairwise import Floats, repairs
from hengxi.stats.pairwise_group import apart, completed, incomplete_consistency, open_pairs

METHODS = {
    "geometric_mean": "几何平均法",
    "arithmetic_mean": "算术平均法",
    "eigenvector": "特征根法",
}
OFFERS = 20
"""So many inconsistent sheets get a proposal: the notes come with every keystroke."""


def grade(value: float) -> str:
    """A grade as an expert writes it: 3, 1/5."""
    return f"{value:.4g}" if value >= 1 else f"1/{1 / value:.4g}"


def read_half(values: Any) -> Floats | None:
    """A typed reciprocal matrix with both halves, NaN where a pair is open; None where it cannot be one yet."""
    n = len(values or [])
    if n < 2 or any(len(row) != n for row in values):
        return None
    full = np.array([[np.nan if cell is None else float(cell) for cell in row] for row in values])
    np.fill_diagonal(full, 1.0)
    if not np.all(np.isnan(full) | ((full > 0) & (full < 1e6))):
        return None
    return np.where(np.isnan(full), 1 / full.T, full)


def matrix_notes(field: str, sheets: list[dict[str, Any]], limit: float) -> list[FormNote]:
    """For each matrix being typed: how consistent it is so far, and of one beyond the limit the worst pair."""
    notes, offered = [], 0
    for sheet in sheets:
        full = read_half(sheet.get("values"))
        if full is None:
            continue
        note = _note(field, sheet, full, limit, offered < OFFERS)
        offered += note.state == "care"
        notes.append(note)
    return notes


def _note(field: str, sheet: dict[str, Any], full: Floats, limit: float, propose: bool) -> FormNote:
    key, names = [str(part) for part in sheet.get("key") or []], [str(name) for name in sheet.get("rows") or []]
    names = names if len(names) == len(full) else [str(k + 1) for k in range(len(full))]
    missing, total = len(open_pairs(full)), len(full) * (len(full) - 1) // 2
    gone = f"还有 {missing} 对没有填" if missing else ""
    if apart(full) is not None:
        return FormNote(field=field, sheet=key, state="pass", text=f"{total} 对里填了 {total - missing} 对", offer=None)
    whole = completed(full, "harker", bounded=False)
    found = incomplete_consistency(whole, missing)
    if found.ratio is None:
        text = gone or ("只有两项，判断总是一致" if len(full) == 2 else "判断没有矛盾的余地")
        return FormNote(field=field, sheet=key, state="pass", text=text, offer=None)
    words = f"一致性比率 CR = {found.ratio:.3f}" + (f"（{gone}）" if gone else "")
    if found.ratio < limit:
        return FormNote(field=field, sheet=key, state="pass", text=f"{words}，通过", offer=None)
    text, offer = f"{words}，不小于 {limit:g}，判断前后矛盾", None
    worst = next((one for one in repairs(whole) if not np.isnan(full[one.row, one.column])), None) if propose else None
    if worst is not None:
        first, second = names[worst.row], names[worst.column]
        text += f"。最不合的一对：“{first}”对“{second}”现为 {grade(worst.current)}，其余判断隐含 {worst.implied:.2g}"
        title = f"改为 {grade(worst.proposed)}（CR 变为 {worst.ratio:.3f}）"
        offer = CellOffer(title=title, row=worst.row, column=worst.column, value=worst.proposed)
    return FormNote(field=field, sheet=key, state="care", text=text, offer=offer)
