"""What a questionnaire asks, read from its columns: matrix questions, dimensions of items, background questions.

All of it is a proposal for the person who knows the questionnaire; nothing here is used before it is confirmed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import UNSET

from hengxi.contract.measures import ColumnInfo
from hengxi.data.meta import Column
from hengxi.data.questionnaire.sets import NUMBERED, Option, common_label, options_of, worded
from hengxi.data.table import Table

Floats = npt.NDArray[np.float64]

MOST_PLACES = 11
"""A rating has at most eleven places (0 … 10); a quantity has more."""
LEAST_ITEMS, LEAST_RUN = 2, 4
"""Items of a question of its own, and of single questions that merely stand side by side."""
LONGEST_NAME = 40
MOST_ITEMS, MOST_GROUPS, MOST_BACKGROUND = 300, 100, 200
"""As much as can be kept; a longer run of items is cut into several."""
LOOKED_AT = 100_000
"""Rows that tell the direction of an item well enough."""
_ASIDE = frozenset({"标识", "答题时间", "用时", "IP"})
_CODE = re.compile(r"^(.*?[^\d\s_.\-])[\s_.\-]*(\d{1,2})$")
_BARE_CODE = re.compile(r"^(?:q|question|var|v|item|x|题|第|问题|变量|列)$", re.IGNORECASE)
_COUNT = re.compile(
    r"几[个次天人口]|多少|次数|人数|人口|个数|数量|天数|小时|年龄|年级|岁|\bhow many\b|\bnumber of\b", re.IGNORECASE
)
_PLATFORM = re.compile(
    r"^(?:status|progress|finished|distribution\s?channel|user\s?language|recipient.*|external.*reference|location.*"
    r"|response\s?(?:id|type)|q_.*|.*_DO(?:_.*)?|.*_(?:first|last)[ _]click|.*_page[ _]submit|.*_click[ _]count"
    r"|序号|编号|答卷编号|作答ID|总分|得分|来源|来源详情|来自.*|提交.*|审核状态|渠道|答题设备|浏览器|操作系统|用户ID|微信.*|昵称)$",
    re.IGNORECASE,
)
_BACKGROUND = re.compile(
    r"性别|年龄|年级|学历|学位|教育程度|文化程度|受教育|婚姻|婚育|职业|职位|职务|职称|岗位|行业|工龄|工作年限|教龄|收入|月薪|薪资"
    r"|月生活费|可支配|城市|省份|地区|户籍|户口|居住|所在地|家庭所在|生源|民族|政治面貌|专业|院系|学院|学科|班级|部门|单位性质|独生"
    r"|身份类别|\b(?:gender|sex|age|education|degree|income|occupation|marital|region|city|major|grade)\b",
    re.IGNORECASE,
)


@dataclass
class _Group:
    """Items side by side; `matrix`: they are rows of one question."""

    name: str
    matrix: bool
    least: int
    columns: list[Column] = field(default_factory=list)


def propose(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """The proposal for a stored table; `sets`: its multiple-answer questions, whose columns are no items."""
    return structure_of(Table.open(key), [one["columns"] for one in body.get("sets") or []])


def structure_of(table: Table, sets: Sequence[Sequence[str]] = ()) -> dict[str, Any]:
    taken = {column_id for ids in sets for column_id in ids}
    columns = table.meta.columns
    options = options_of(columns)
    asked = Counter(option.question for option in options if option is not None)
    rows = {c.id for c, option in zip(columns, options, strict=True) if option and asked[option.question] > 1}
    # A row of a question with several (专业可靠, 收入与付出) asks for an opinion, whatever words it holds.
    background = [c.id for c in columns if c.id not in taken | rows and is_background(c)][:MOST_BACKGROUND]
    groups = [group for group in _groups(columns, taken | set(background)) if len(group.columns) >= group.least]
    scales = [group for group in groups if not _is_ranking(table, group.columns)][:MOST_GROUPS]
    names = _unique([group.name for group in scales])
    dimensions = [
        _dimension(table, n, name, group) for n, (name, group) in enumerate(zip(names, scales, strict=True), 1)
    ]
    matrices = [
        {"id": f"m{n}", "name": name, "columns": [column.id for column in group.columns]}
        for n, (name, group) in enumerate([pair for pair in zip(names, scales, strict=True) if pair[1].matrix], 1)
    ]
    return {"dimensions": dimensions, "matrices": matrices, "background": background}


def is_background(column: Column) -> bool:
    """A question about the person, which divides the sample into groups."""
    if _ASIDE & set(column.flags) or column.measure not in ("定类", "定量") or column.profile.n == 0:
        return False
    if _PLATFORM.match(column.name.strip()):
        return False
    asked = worded(column.label or column.name)
    # A long sentence that mentions 收入 asks for an opinion.
    return len(asked) <= 24 and _BACKGROUND.search(asked) is not None


def is_aside(column: ColumnInfo | Column) -> bool:
    """What a platform tells about the answering: no question."""
    return (
        bool(_ASIDE & set(column.flags)) or _PLATFORM.match(column.name.strip()) is not None or column.measure == "时间"
    )


def _is_item(column: Column) -> bool:
    """A rating: a few whole numbers from 0 or 1 on."""
    if _ASIDE & set(column.flags) or column.measure == "时间" or column.storage not in ("int", "float"):
        return False
    if column.measure == "定类" and "量表" not in column.flags:
        return False
    if _PLATFORM.match(column.name.strip()):
        return False
    low, high = column.profile.min, column.profile.max
    if not isinstance(low, (int, float)) or not isinstance(high, (int, float)) or not column.profile.whole:
        return False
    return 0 <= low <= high <= MOST_PLACES - 1 and high - low + 1 > 2 and column.profile.distinct >= 2


def _groups(columns: list[Column], taken: set[str]) -> list[_Group]:
    """Neighbours that belong together, in the order of the table."""
    groups: list[_Group] = []
    last: object = None
    for column, option in zip(columns, options_of(columns), strict=True):
        if column.id in taken or not _is_item(column):
            last = None
            continue
        key, name, matrix, least = _belonging(column, option)
        if key is None:
            last = None
            continue
        if key != last or len(groups[-1].columns) == MOST_ITEMS:
            groups.append(_Group(name, matrix, least))
        groups[-1].columns.append(column)
        last = key
    for group in groups:
        group.name = _named(group)
    return groups


def _belonging(column: Column, option: Option | None) -> tuple[object, str, bool, int]:
    """What its neighbours share with it, what that is called, whether it is one question, the fewest items."""
    code = _CODE.match(column.name.strip())
    if option is not None and not (code and option.rule == 1 and _BARE_CODE.match(option.stem)):
        return ("question", option.question), option.title, True, LEAST_ITEMS
    if code and not NUMBERED.match(column.name) and not _BARE_CODE.match(code[1].strip()):
        return ("code", code[1].strip()), code[1].strip(), False, LEAST_ITEMS
    if (NUMBERED.match(column.name) or code) and not _COUNT.search(column.label or column.name):
        return ("run", _scale_key(column)), "", False, LEAST_RUN
    return None, "", False, 0


def _scale_key(column: Column) -> object:
    """Single questions belong together where they are answered on the same scale."""
    if column.wording is not UNSET:
        return tuple(column.wording.labels)
    words = [level.label for level in column.levels or [] if level.label != str(level.value)]
    if len(words) > 2:
        return tuple(words)
    # On a scale of seven some items are never answered by the last place.
    low, high = ends_of([column])
    return low, 7 if high == 6 else high


def _named(group: _Group) -> str:
    if group.matrix:
        asked = common_label([column.label or "" for column in group.columns])
        return _short(worded(asked or group.name).strip(" ：:？?。—-_")) or _short(group.name) or "量表"
    if group.name:
        return _short(group.name) or "量表"
    numbers = [found[0] for column in group.columns if (found := re.search(r"\d{1,3}", column.name))]
    return f"第{numbers[0]}–{numbers[-1]}题" if len(numbers) > 1 else "量表"


def _short(name: str, most: int = LONGEST_NAME) -> str:
    """Cut as names are measured where they are kept: a pictograph counts twice."""
    name = name.strip()[:most]
    while len(name.encode("utf-16-le")) > 2 * most:
        name = name[:-1]
    return name.strip()


def _unique(names: list[str]) -> list[str]:
    unique: list[str] = []
    for name in names:
        fresh, n = name, 1
        while fresh in unique:
            n += 1
            fresh = f"{_short(name, LONGEST_NAME - 4)}_{n}"
        unique.append(fresh)
    return unique


def ends_of(columns: Sequence[Column]) -> tuple[int, int]:
    """The ends of the scale: of its words where it has such, else the usual scale that holds what was answered."""
    words = [column.wording for column in columns if column.wording is not UNSET]
    if words:
        return 1, max(len(one.labels) for one in words)
    values = [
        level.value
        for column in columns
        for level in column.levels or []
        if isinstance(level.value, (int, float)) and level.label != str(level.value)
    ]
    values += [
        end for column in columns for end in (column.profile.min, column.profile.max) if isinstance(end, (int, float))
    ]
    low, high = int(min(values)), int(max(values))
    return (0 if low < 1 else 1), next(top for top in (3, 4, 5, 6, 7, 10) if high <= top or top == 10)


def _is_ranking(table: Table, columns: list[Column]) -> bool:
    """Places given to options: nobody gives the same one twice, from 1 up to the number of options."""
    if len(columns) < 3 or max(float(column.profile.max or 0) for column in columns) > len(columns):
        return False
    answers = _answers(table, columns)
    given = np.sort(np.where(np.isnan(answers) | (answers < 1), np.inf, answers), axis=1)
    some = np.isfinite(given).any(axis=1)
    with np.errstate(invalid="ignore"):
        again = np.isfinite(given[:, 1:]) & (given[:, 1:] == given[:, :-1])
    return bool(some.any()) and not bool(again[some].any())


def _answers(table: Table, columns: Sequence[Column]) -> Floats:
    return np.column_stack([table.numeric(column.id)[:LOOKED_AT] for column in columns])


def _dimension(table: Table, number: int, name: str, group: _Group) -> dict[str, Any]:
    low, high = ends_of(group.columns)
    against = against_the_others(_answers(table, group.columns))
    return {
        "id": f"d{number}",
        "name": name,
        "columns": [column.id for column in group.columns],
        "reversed": [],
        "low": low,
        "high": high,
        "against": [{"column": group.columns[i].id, "r": r} for i, r in against],
    }


def against(key: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    """Items of a group as it stands now that may be reversed, with the correlation that says so."""
    table = Table.open(key)
    columns = [table.column(column_id) for column_id in body["columns"]]
    found = against_the_others(_answers(table, columns)) if len(columns) > 2 else []
    return [{"column": columns[i].id, "r": r} for i, r in found]


def against_the_others(answers: Floats) -> list[tuple[int, float]]:
    """(item, its correlation with the sum of the others) of items that run against the rest.

    The most negative item is turned first and the sums are taken again, so that two reversed items do not hide each
    other; where more than half would be turned, it is the others that are reversed.
    """
    whole = answers[~np.isnan(answers).any(axis=1)]
    k = whole.shape[1]
    if k < 3 or len(whole) < 5 or bool((whole.std(axis=0) == 0).any()):
        return []
    signs = np.ones(k)
    for _ in range(k):
        rest = _rest_correlations(whole * signs)
        worst = int(rest.argmin())
        if not rest[worst] < 0:
            break
        signs[worst] = -signs[worst]
    turned = signs < 0
    if turned.sum() * 2 > k:
        turned = ~turned
    # As it stands in the file, against the others as they ought to run.
    aligned = _rest_correlations(whole * np.where(turned, -1.0, 1.0))
    return [(int(i), -float(aligned[i])) for i in np.flatnonzero(turned) if aligned[i] > 0]


def _rest_correlations(x: Floats) -> Floats:
    """Corrected item–total correlations from the covariance matrix."""
    s = np.cov(x, rowvar=False)
    total = s.sum(axis=0)
    own = s.diagonal()
    rest = s.sum() - 2 * total + own
    with np.errstate(invalid="ignore", divide="ignore"):
        r = (total - own) / np.sqrt(own * rest)
    return np.where(np.isfinite(r), r, 0.0)
