"""Answers such as “A┋C┋D” as one 0/1 column for each option, kept together as a multiple-answer set."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from hengxi.contract import (
    Column,
    Form,
    Processing,
    Refusal,
    Report,
    Table,
    choice,
    few_of,
    figure,
    flag,
    integer,
    num,
    percent,
    role,
    text,
    words,
)
from hengxi.contract.missing_tokens import MISSING_TOKENS
from hengxi.methods.data_processing._shared.rows import tell
from hengxi.methods.data_processing._shared.texts import Distinct, distinct, trimmed, visible, without_unseen

MOST_OPTIONS = 200
SEPARATORS = ("┋", "|", "｜", "；", ";", "，", ",", "、", "\n", "\t")
OTHER = "其他"
_WITH_TEXT = r"^(?:其他|其它|Other|other)[\s_]*(?:[:：〖【\[(（]\s*(.*?)\s*[〗】\])）]?)?$"


@dataclass
class Answered:
    """One question. `has`: words × options; `labels`: option → its label, where that is another."""

    column: Column
    found: Distinct
    sign: str
    options: list[str]
    has: npt.NDArray[np.bool_]
    answered: npt.NDArray[np.bool_]
    labels: dict[str, str] = field(default_factory=dict)
    texts: pl.Series | None = None
    """What was written beside 其他, for each word."""
    merged: int = 0
    unlisted: list[tuple[str, int]] = field(default_factory=list)


class MultiChoiceSplit(Processing):
    """The different answers are taken apart once; a row without an answer is missing in all options, not 0."""

    title, title_en = "多选题拆分", "Split multiple-response answers"
    family, tier = "数据处理", "standard"
    purpose = "把“A┋C┋D”式多选答案拆成0/1列"
    aliases = ("多选题", "多重响应", "选项拆分", "get_dummies", "multiple response", "问卷星多选")
    references = ("wickham2014",)
    conventions = (
        "没有作答的行在各选项列里都是缺失，不是 0；同一行重复的选项只算一次。",
        "选项全是数字时按大小排，否则按第一次出现的先后；填了选项清单就按清单。",
        "“其他:文字”“其他〖文字〗”算选了“其他”，文字另存一列。",
        "个案百分比 = 选的人数 ÷ 作答人数，各项相加可以超过 100%；应答百分比 = 选的次数 ÷ 全部选择次数。",
    )
    pool = True
    reads_names = True

    class Input(Form):
        variables: list[Column] = role("多选题变量", "任意", max=None)
        delimiter: str | None = words("分隔符", kind="delimiter", auto="自动识别（┋ | ； ; ， , 、）")
        options: str | None = words(
            "选项清单（选填）", longest=2000, hint="几个选项用分号隔开；选项是编码时写作 1=苹果；2=香蕉"
        )
        other: bool = flag("含“其他:文字”", True)
        coding: str = choice("编码", {"01": "0/1", "yesno": "是/否"})
        min_freq: int = integer("低频选项并入其他", 0, least=0, most=10000, hint="少于这么多人选的选项并入“其他”")

    result = Table(
        "拆分结果", variable=text("多选题"), sign=text("分隔符"), answered=integer("作答"), gaps=integer("未作答"),
        options=integer("选项数"), chosen=integer("选择次数"), mean=num("人均选择"), merged=integer("并入其他的选项"),
    )  # fmt: skip
    frequencies = Table(
        "选项频数", variable=text("多选题"), option=text("选项"), n=integer("频数"),
        share=percent("应答百分比", sums_within=("variable",)), cases=percent("个案百分比"), merge=("variable",),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{few_of([column.title for column in form.variables])}的多选题拆分"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        taken = {column.name for column in form.whole.columns}
        facts: dict[str, Any] = {
            "v": few_of([column.title for column in form.variables]),
            "options": 0,
            "chosen": 0,
            "gaps": 0,
        }
        for column in form.variables:
            one = _answered(column, form)
            cls._make(report, one, form, taken)
            row = cls._account(report, one)
            for key in ("options", "chosen", "gaps"):
                facts[key] += row[key]
        lead = "{v}拆成 {options:integer} 个选项列，共 {chosen:integer} 次选择。"
        student = "每道题的选项列组成一个多选题集，分析多选题时放入整个集。"
        if facts["gaps"]:
            student += "{gaps:integer} 行没有作答，各选项都是缺失。"
        tell(report, lead, student, [figure("选项列", "{options:integer}", "{chosen:integer} 次选择")], **facts)
        return report

    @classmethod
    def _make(cls, report: Report, one: Answered, form: Any, taken: set[str]) -> None:
        names = []
        for j, option in enumerate(one.options):
            name = _fresh(f"{one.column.name}_{option}", taken)
            title = f"{one.column.title}：{one.labels.get(option, option)}"
            chosen = one.has[:, j]
            if form.coding == "01":
                cells = np.where(one.answered, chosen.astype(np.float32), np.float32(np.nan))
                report.make(name, one.found.lay(cells, np.nan), label=title, measure="定类", source=one.column,
                            levels=[(0, "未选"), (1, "选中")])  # fmt: skip
            else:
                yes = np.where(chosen, "是", "否").astype(object)
                yes[~one.answered] = None
                report.make(name, one.found.lay(yes), label=title, measure="定类", source=one.column,
                            levels=[("否", "否"), ("是", "是")])  # fmt: skip
            names.append(name)
        if len(names) > 1:
            report.answers(one.column.title, names, counted=1 if form.coding == "01" else "是")
        wanted = f"{one.column.name}_{OTHER}文字"
        if one.texts is not None or wanted in (form.again or ()):
            texts = one.texts if one.texts is not None else pl.Series([None] * len(one.found.words), dtype=pl.String)
            label = f"{one.column.title}：{OTHER}的文字"
            report.make(_fresh(wanted, taken), one.found.lay(texts), measure="文本", source=one.column, label=label)

    @classmethod
    def _account(cls, report: Report, one: Answered) -> dict[str, Any]:
        counts = one.found.counts @ one.has
        answered, chosen = one.found.rows_where(one.answered), int(counts.sum())
        for option, n in zip(one.options, counts.tolist(), strict=True):
            report.row(
                cls.frequencies, variable=one.column.title, option=one.labels.get(option, option), n=n,
                share=n / max(chosen, 1), cases=n / max(answered, 1),
            )  # fmt: skip
        sign = {"\n": "换行", "\t": "制表符"}.get(one.sign, one.sign)
        row = report.row(
            cls.result, variable=one.column.title, sign=sign, answered=answered, gaps=len(one.found.codes) - answered,
            options=len(one.options), chosen=chosen, mean=chosen / max(answered, 1), merged=one.merged,
        )  # fmt: skip
        if one.unlisted:
            text_ = "“{v}”有 {n:integer} 次选择不在选项清单里，没有拆出：{x}。"
            listed = "、".join(f"{visible(piece, 20)}（{n} 次）" for piece, n in one.unlisted[:5])
            report.warn("multi.unlisted", text_, columns=[one.column], v=one.column.title,
                        n=sum(n for _, n in one.unlisted), x=listed)  # fmt: skip
        return row


def _fresh(wanted: str, taken: set[str]) -> str:
    """A name nobody has: the set names its columns, so that the platform must not rename them."""
    wanted = wanted.replace("\n", " ")[:200]
    name, k = wanted, 2
    while name in taken:
        name, k = f"{wanted}_{k}", k + 1
    taken.add(name)
    return name


def _answered(column: Column, form: Any) -> Answered:
    found = distinct(column)
    plain = trimmed(without_unseen(found.words))
    there = found.counts > 0
    sign = form.delimiter or _sign_of(plain.filter(pl.Series(there)), found.counts[there])
    if not plain.filter(pl.Series(there)).str.contains(sign, literal=True).any() and form.again is None:
        shown = "┋ | ； ; ， , 、" if form.delimiter is None else sign
        text_ = f"“{column.title}”中没有分隔符“{shown}”，疑似单选题"
        raise Refusal("multi.none", text_, field="delimiter", column=column.id)
    empty = plain.is_in([one for one in MISSING_TOKENS if one != "无"])
    whole = pl.DataFrame({"word": np.arange(len(plain), dtype=np.int64), "piece": plain}).filter(~empty)
    pieces = whole.with_columns(pl.col("piece").str.split(sign)).explode("piece")
    pieces = pieces.with_columns(trimmed(pieces["piece"])).filter(pl.col("piece") != "")
    texts = None
    if form.other:
        pieces, texts = _others(pieces, len(plain))
    pieces = pieces.unique(maintain_order=True)
    one = Answered(column, found, sign, [], np.zeros((0, 0), dtype=bool), np.zeros(len(plain), dtype=bool), texts=texts)
    one.answered[pieces["word"].to_numpy()] = True
    _options(one, pieces, form)
    return one


def _sign_of(words_: pl.Series, counts: npt.NDArray[np.int64]) -> str:
    """The sign most answers hold; of equal ones the first in `SEPARATORS`."""
    rows = [int(counts[words_.str.contains(sign, literal=True).to_numpy()].sum()) for sign in SEPARATORS]
    return SEPARATORS[int(np.argmax(rows))]


def _others(pieces: pl.DataFrame, n: int) -> tuple[pl.DataFrame, pl.Series | None]:
    """其他:文字 becomes 其他, its text stands apart."""
    is_other = pieces["piece"].str.contains(_WITH_TEXT)
    told = pieces.filter(is_other).with_columns(pl.col("piece").str.extract(_WITH_TEXT, 1))
    told = told.filter(pl.col("piece").is_not_null() & (pl.col("piece") != ""))
    plain = pieces.with_columns(pl.when(is_other).then(pl.lit(OTHER)).otherwise(pl.col("piece")).alias("piece"))
    if not len(told):
        return plain, None
    joined = told.group_by("word", maintain_order=True).agg(pl.col("piece").str.join("；"))
    texts = np.full(n, None, dtype=object)
    texts[joined["word"].to_numpy()] = joined["piece"].to_list()
    return plain, pl.Series(texts.tolist(), dtype=pl.String)


def _options(one: Answered, pieces: pl.DataFrame, form: Any) -> None:
    """Which options there are, in their order, and who chose them."""
    weights = pl.Series(one.found.counts[pieces["word"].to_numpy()])
    sums = pieces.with_columns(weights.alias("n")).group_by("piece", maintain_order=True).agg(pl.col("n").sum())
    counts: dict[str, int] = {piece: n for piece, n in zip(sums["piece"], sums["n"], strict=True) if n > 0}
    if form.options:
        listed = _listed(form.options)
        one.labels = {key: label for key, label in listed.items() if label != key}
        one.unlisted = [(piece, n) for piece, n in counts.items() if piece not in listed and piece != OTHER]
        options = list(listed) + ([OTHER] if OTHER in counts and OTHER not in listed else [])
    else:
        rare = [piece for piece, n in counts.items() if n < form.min_freq and piece != OTHER]
        one.merged = len(rare)
        options = [piece for piece in counts if piece not in rare and piece != OTHER]
        if all(re.fullmatch(r"\d{1,9}", option) for option in options):
            options.sort(key=int)
        options += [OTHER] if rare or OTHER in counts else []
        pieces = pieces.with_columns(
            pl.when(pl.col("piece").is_in(rare)).then(pl.lit(OTHER)).otherwise("piece").alias("piece")
        )
    prefix = f"{one.column.name}_"
    before = [name.removeprefix(prefix) for name in form.again or () if name.startswith(prefix)]
    options += [option for option in before if option not in options and option != f"{OTHER}文字"]
    if len(options) > MOST_OPTIONS:
        text_ = f"“{one.column.title}”拆出 {len(options):,} 个选项，超过 {MOST_OPTIONS}，请检查分隔符"
        raise Refusal("multi.many", text_, field="delimiter", column=one.column.id, k=len(options), m=MOST_OPTIONS)
    if not options:
        text_ = f"“{one.column.title}”没有一个选项，请检查数据"
        raise Refusal("role.empty", text_, field="variables", column=one.column.id)
    place = {option: j for j, option in enumerate(options)}
    one.options, one.has = options, np.zeros((len(one.found.words), len(options)), dtype=bool)
    at = pieces["piece"].replace_strict(list(place), list(place.values()), default=-1, return_dtype=pl.Int64).to_numpy()
    known = at >= 0
    one.has[pieces["word"].to_numpy()[known], at[known]] = True


def _listed(typed: str) -> dict[str, str]:
    """`苹果；香蕉` or `1=苹果；2=香蕉`: option → label."""
    found: dict[str, str] = {}
    for part in re.split(r"[;；\n]", typed):
        key, sign, label = part.replace("＝", "=").partition("=")
        key, label = key.strip(), label.strip()
        if key:
            found[key] = label if sign and label else key
    if not found:
        raise Refusal("multi.options", "选项清单没有内容，请写作 苹果；香蕉", field="options")
    if len(set(found.values())) < len(found):
        raise Refusal("multi.options", "选项清单里有两个选项的名称相同，请改一个", field="options")
    return found
