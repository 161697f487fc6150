from __future__ import annotations

import re
from typing import Any

import numpy as np
import polars as pl

from hengxi.contract import (
    Chart,
    ColumnToBe,
    NextStep,
    Points,
    Processing,
    Refusal,
    Report,
    Table,
    choice,
    flag,
    integer,
    many,
    num,
    rows_column,
    text,
    words,
)
from hengxi.families.text.cleaning import EMOJI, simplified, without_markup
from hengxi.families.text.form import TextForm
from hengxi.families.text.tokens import texts_of
from hengxi.stats.histogram import histogram

CUSTOM = {"steps": "custom"}
SHOWN = 20
REMOVED = {
    "html": "HTML标记", "url": "网址", "email": "邮箱", "phone": "手机号", "emoji": "表情", "digits": "数字",
    "english": "英文",
}  # fmt: skip
RECOMMENDED = ("html", "url", "email", "phone")
# The letters and signs an address is made of; a Chinese character or a wide sign ends it.
PATTERNS = {
    "url": r"(?i)(?-u:\b)(?:https?://|www\.)[a-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+",
    "email": r"(?i)[a-z0-9._%+\-]+@[a-z0-9\-]+(?:\.[a-z0-9\-]+)+",
    "phone": r"(?:\+?86[- ]?|(?-u:\b))1[3-9][0-9](?:[- ]?[0-9]{4}){2}(?-u:\b)",
    "emoji": EMOJI,
    "digits": r"[0-9０-９]+(?:[.．][0-9０-９]+)?",
    "english": r"[A-Za-zＡ-Ｚａ-ｚ]+(?:['’-][A-Za-z]+)*",
}
_WIDE = [*(chr(code) for code in range(0xFF10, 0xFF1A)), *(chr(code) for code in range(0xFF21, 0xFF3B)),
         *(chr(code) for code in range(0xFF41, 0xFF5B)), "\u3000"]  # fmt: skip
_NARROW = [*(chr(ord(sign) - 0xFEE0) for sign in _WIDE[:-1]), " "]


class TextPreprocess(Processing):
    """A text variable without noise, and the rows that are not worth keeping left out."""

    title, title_en = "文本清洗", "Text cleaning"
    family, tier = "文本分析", "standard"
    purpose = "清除文本列中的噪声字符、重复与空白，生成可分析的新文本列"
    aliases = ("文本预处理", "去噪", "去网址", "去表情", "繁体转简体", "去重", "文本去HTML")
    references = ("wickham2014",)
    conventions = (
        "先后固定：HTML标记、网址、邮箱、手机号、表情，全角转半角，数字、英文，自定义正则，繁体转简体，合并空白；然后删除过短和重复的行。",
        "推荐组合：删除 HTML标记、网址、邮箱和手机号，全角转半角，繁体转简体。",
        "每一步的字符数是这一步前后的长度之差；全角转半角和繁体转简体不改变长度。",
        "繁体转简体逐字转换，不看词语；只有字母、数字、空格转成半角，汉字标点不变。",
        "正则表达式用线性时间的引擎，不会超时，但不支持前后查看和反向引用。原变量不变。",
    )

    class Input(TextForm):
        steps: str = choice("清洗步骤", {"recommended": "推荐组合", "custom": "自选"})
        simplify: bool = flag("繁体转简体", True, when=CUSTOM)
        width: bool = flag("全角转半角", True, when=CUSTOM)
        remove: list[str] = many("删除内容", REMOVED, default=RECOMMENDED, when=CUSTOM)
        regex: str | None = words("自定义正则", longest=500, hint="与它相符的文字会被删去。", when=CUSTOM)
        dedup: bool = flag("删除完全重复行", False, hint="清洗后文本相同的行只留第一行。")
        min_len: int = integer("最短字数", 0, least=0, most=1000, hint="清洗后不足的行会被删去，0 表示不删。")
        mode: str = choice("结果写入", {"new": "新增变量", "replace": "在新版本中替换原变量"})
        suffix: str = words("新变量后缀", "_清洗", kind="name", longest=20, when={"mode": "new"})

    account = Table(
        "清洗汇总", step=text("步骤"), rows=integer("影响行数"), letters=integer("删除字符数"), place="main"
    )
    samples = Table("清洗前后", row=rows_column("行"), before=text("清洗前"), after=text("清洗后"), place="main")
    sizes = Table(
        "文本长度", when_=text("时间"), n=integer("有文本的行"), mean=num("平均字数"), longest=integer("最长")
    )
    bins = Points("长度分布", low=num("下限"), high=num("上限"), count=integer("行数"), series=text("时间"))
    drawn = Chart(
        "长度分布", "histogram", of=bins, low="low", high="high", count="count", series="series", place="detail"
    )

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="看词频", method="text_analysis/word_frequency", form={"text": form["text"]})]

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        if form["mode"] != "new":
            return []
        chosen = [column for column in columns if column.id == form["text"]]
        return [ColumnToBe(name=f"{one.name}{form['suffix']}", measure="文本", source=one.id) for one in chosen]

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        before = pl.Series(texts_of(form.text, report), dtype=pl.String)
        after = before
        for name, clean in _steps(form):
            made = clean(after)
            report.row(
                cls.account, step=name, rows=int((made != after).sum()),
                letters=int(after.str.len_chars().sum()) - int(made.str.len_chars().sum()),
            )  # fmt: skip
            after = made
        if not (after != "").any():
            raise Refusal("data.all_empty", "所选步骤会清空全部文本，请减少步骤", field="steps")
        changed = (before != after).to_numpy()
        letters = int(before.str.len_chars().sum()) - int(after.str.len_chars().sum())
        report.row(cls.account, step="合计", rows=int(changed.sum()), letters=letters, total=True)
        keep = _kept(cls, report, form, before, after)
        for i in np.flatnonzero(changed)[:SHOWN]:
            report.row(
                cls.samples, row=[int(form.text.row_numbers[i])], before=before[int(i)], after=after[int(i)] or "（空）"
            )
        if not changed.any():
            report.skip(cls.samples, "没有一行改变")
        _lengths(cls, report, before, after)
        cells = np.array([one or None for one in after.to_list()], dtype=object)
        report.put(form, form.text, cells[keep], measure="文本")
        if not keep.all():
            report.take(np.flatnonzero(keep))
        report.lead(
            "{size:integer} 行中有 {changed:integer} 行改变，共删除 {letters:integer} 个字符；删除 {gone:integer} 行。",
            size=len(before), changed=int(changed.sum()), gone=int((~keep).sum()),
            letters=letters,
        )  # fmt: skip
        return report


def _steps(form: Any) -> list[tuple[str, Any]]:
    """Names and functions in the order in which they are done."""
    custom = form.steps == "custom"
    removed = form.remove if custom else RECOMMENDED
    steps: list[tuple[str, Any]] = []
    if "html" in removed:
        steps.append(("HTML标记", without_markup))
    steps += [_taken(REMOVED[key], PATTERNS[key]) for key in ("url", "email", "phone", "emoji") if key in removed]
    if not custom or form.width:
        steps.append(("全角转半角", lambda texts: texts.str.replace_many(_WIDE, _NARROW)))
    steps += [_taken(REMOVED[key], PATTERNS[key]) for key in ("digits", "english") if key in removed]
    if form.regex:
        steps.append(_taken("自定义正则", _judged(form.regex)))
    if not custom or form.simplify:
        steps.append(("繁体转简体", simplified))
    return [*steps, ("合并空白", lambda texts: texts.str.replace_all(r"[\s\u{a0}\u{3000}]+", " ").str.strip_chars(" "))]


def _taken(name: str, pattern: str) -> tuple[str, Any]:
    return name, lambda texts: texts.str.replace_all(pattern, "")


def _judged(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        place = (error.pos or 0) + 1
        raise Refusal("pattern.wrong", f"正则表达式第 {place} 个字符处有误，请改正", field="regex", k=place) from None
    try:
        pl.Series(["a"]).str.contains(pattern, strict=True)
    except pl.exceptions.ComputeError:
        words_ = "这个正则表达式太大，或用了前后查看、反向引用，请简化"
        raise Refusal("pattern.heavy", words_, field="regex") from None
    return pattern


def _kept(cls: type[TextPreprocess], report: Report, form: Any, before: pl.Series, after: pl.Series) -> Any:
    """Which rows stay. Empty texts are no duplicates of each other."""
    keep = np.ones(len(after), dtype=bool)
    if form.min_len:
        keep &= (after.str.len_chars() >= form.min_len).to_numpy()
        report.row(cls.account, step="删除过短的行", rows=int((~keep).sum()), letters=None)
    if form.dedup:
        seen: set[str] = set()
        gone = 0
        for i, one in enumerate(after.to_list()):
            if keep[i] and one and one in seen:
                keep[i] = False
                gone += 1
            seen.add(one)
        report.row(cls.account, step="删除重复的行", rows=gone, letters=None)
    if not keep.any():
        words_ = f"清洗后没有一行达到 {form.min_len} 个字，请减小“最短字数”"
        raise Refusal("data.all_short", words_, field="min_len", k=form.min_len)
    return keep


def _lengths(cls: type[TextPreprocess], report: Report, before: pl.Series, after: pl.Series) -> None:
    for name, texts in (("清洗前", before), ("清洗后", after)):
        sizes = texts.filter(texts != "").str.len_chars().to_numpy().astype(float)
        report.row(cls.sizes, when_=name, n=len(sizes), mean=float(sizes.mean()), longest=int(sizes.max()))
        found = histogram(sizes)
        for low, high, count in zip(found.edges[:-1], found.edges[1:], found.counts, strict=True):
            report.row(cls.bins, low=float(low), high=float(high), count=int(count), series=name)
