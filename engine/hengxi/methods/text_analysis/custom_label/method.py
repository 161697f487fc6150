from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Dictionary,
    Label,
    Method,
    NewColumns,
    NextStep,
    Points,
    Refusal,
    Report,
    Silent,
    Table,
    Wide,
    choice,
    confidence,
    dictionary,
    figure,
    filled,
    flag,
    integer,
    interval,
    marked,
    num,
    percent,
    pvalue,
    role,
    rows_column,
    text,
)
from hengxi.families.text.form import TextForm
from hengxi.families.text.tokens import MOST_ROWS_OF_WORD, Segmenter, normal, stop_set, texts_of
from hengxi.stats.multiple import adjust
from hengxi.stats.proportions import wilson

Bools = npt.NDArray[np.bool_]
LISTED, MISSED, STEP, LONGEST_SHOWN = 300, 20, 2_000, 400
ALPHA, LEAST_EXPECTED = 0.05, 5
GROUPED: dict[str, Any] = {"group": filled}
ONE: dict[str, Any] = {"multi": False}
SAVED: dict[str, Any] = {"save": True}
MULTI: dict[str, Any] = {"multi": True}


@dataclass(frozen=True)
class Hits:
    """Which words of a label a text holds, in order; empty where the label does not fit it."""

    words: tuple[str, ...]


class CustomLabel(Method):
    """Texts coded by a list of labels with their words: open questions become multiple-choice ones."""

    title, title_en = "自定义标签归类", "Custom label coding"
    family, tier = "文本分析", "member"
    slug = "custom-label"
    purpose = "按用户维护的标签词典给每行文本打一个或多个标签，用于开放题编码"
    aliases = ("开放题编码", "标签", "文本编码", "归类", "关键词归类", "多选题")
    references = ("wilson1927", "holm1979")
    conventions = (
        "一个标签写成“标签=词1，词2，词3+词4，!排除词，/正则/”：有任一词、或同时有“+”连接的词、或正则能匹配，且没有排除词时算命中。",
        "文字先转成半角小写再匹配。分词匹配要求词是切出来的一个词（词典里没有的标签词不会被切开）；子串匹配只要文字里有。",
        "响应率 = 标签的行数 / 全部标签的次数；普及率 = 标签的行数 / 有文字的行数，CI 用 Wilson 法。",
        "不许多标签时：按优先级取标签组里在前的，按命中数取命中词最多的（并列时取在前的）。",
        "组间比较：每个标签的有、无乘各组的 Pearson χ²，p 对各标签按 Holm 法校正。",
    )
    queue = "text"
    row_order = True  # the first rows are listed

    class Input(TextForm):
        labels: Dictionary = dictionary("标签组", kind="labels", hint="一行一个标签，如“服务=前台，服务员，态度”。")
        group: Column | None = role("分组变量（选填）", "定类", min=0, max=1, levels=(2, 10))
        match: str = choice("匹配方式", {"words": "分词匹配", "substring": "子串匹配"}, hint="正则总是在整段文字里找")
        multi: bool = flag("允许多标签", True)
        conflict: str = choice("单标签时的取舍", {"priority": "按优先级", "hits": "按命中数"}, when=ONE)
        save: bool = flag("保存为新变量", True, hint="多标签存为 0/1 列，可以合成一道多选题；单标签存为一列")
        user_dict: Dictionary | None = dictionary(
            "自定义词", kind="words", hint="品牌、人名等不想被切开的词。", when={"match": "words"}
        )
        conf_level: float = confidence()

    result = Table(
        "标签汇总", label=text("标签"), n=integer("行数"), response=percent("响应率"), share=percent("普及率"),
        ci=interval("普及率的CI", "low", "high", around="share", format="percent"), rows=rows_column("所在行"),
        place="main",
    )  # fmt: skip
    plot = Chart("各标签的普及率", "interval", of=result, x="label", y="share", low="low", high="high", place="main")
    missed = Table(
        "未命中", layout="record", rows=integer("有文字的行数"), n=integer("没有标签的行数"), share=percent("占比"),
        mean=num("每行平均标签数", least=0), place="main",
    )  # fmt: skip
    hints = Table("未命中的行里常见的词", word=text("词"), n=integer("行数"), rows=rows_column("所在行"))
    coded = Table("归类结果", row=rows_column("行"), text=marked("文字"), labels=text("标签"), place="detail")
    pairs = Table("同时出现的标签", a=text("标签 1"), b=text("标签 2"), n=integer("行数"), merge=("a",), when=MULTI)
    cells = Points("标签共现", row=text("标签"), column=text("标签 "), n=num("行数"), when=MULTI)
    heat = Chart("标签共现", "heat", of=cells, row="row", column="column", value="n", when=MULTI, place="detail")
    groups = Table(
        "标签与分组", label=text("标签"), layout=Wide(n=integer("行数"), share=percent("普及率")),
        chi2=num("*χ*²", least=0), df=integer("*df*"), p=pvalue("*p*（Holm）"), few=flag("期望不足 5"), when=GROUPED,
        claim=Silent("many labels at once: the sentences name those that differ"),
    )  # fmt: skip
    saved = NewColumns("标签变量", when=SAVED)

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [
            NextStep(title="看没有归类的说了什么", method="text_analysis/word_frequency", form={"text": form["text"]})
        ]

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        labels = form.labels.labels
        if not labels:
            raise Refusal("dictionary.empty", "标签组没有标签，请先添加，如“服务=前台，态度”", field="labels")
        texts = texts_of(form.text, report)
        hits = _coded(form, texts, labels)
        held = np.array([[bool(own.words) for own in row] for row in hits])
        if not form.multi:
            held = _single(form, held, hits)
        known = np.array([bool(cell.strip()) for cell in texts])
        if not held.any():
            raise Refusal(
                "data.no_labels",
                "没有一行命中任何标签，请检查标签的关键词，或改用子串匹配",
                field="labels",
                also=["match"],
            )
        cls._result(report, form, labels, held, known)
        cls._missed(report, form, texts, held, known)
        cls._coded_rows(report, form, texts, labels, held, hits)
        if form.multi:
            cls._pairs(report, labels, held)
        differing = cls._groups(report, form, labels, held, known) if form.group is not None else None
        cls._say(report, form, labels, held, known, differing)
        if form.save:
            report.columns(cls.saved, _columns(form, labels, held))
        return report

    @classmethod
    def _result(cls, report: Report, form: Any, labels: tuple[Label, ...], held: Bools, known: Bools) -> None:
        n, total = int(known.sum()), int(held.sum())
        for j, label in enumerate(labels):
            own = int(held[:, j].sum())
            low, high = wilson(own, n, form.conf_level)
            rows = [int(row) for row in form.text.row_numbers[held[:, j]][:MOST_ROWS_OF_WORD]]
            report.row(
                cls.result, label=label.name, n=own, response=own / total, share=own / n, low=low, high=high, rows=rows
            )  # fmt: skip
        empty = [label.name for j, label in enumerate(labels) if not held[:, j].any()]
        if empty:
            report.note(cls.result, "没有一行命中的标签：“{names:text}”。", names="”“".join(empty[:10]))

    @classmethod
    def _missed(cls, report: Report, form: Any, texts: list[str], held: Bools, known: Bools) -> None:
        left = known & ~held.any(axis=1)
        n = int(known.sum())
        report.row(cls.missed, rows=n, n=int(left.sum()), share=float(left.sum() / n), mean=float(held.sum() / n))
        if not left.any():
            report.skip(cls.hints, "每一行都有标签")
            return
        stop = stop_set(Dictionary(kind="stopwords", builtin="通用"))
        segmenter = Segmenter("auto", form.user_dict)
        places: dict[str, list[int]] = {}
        for i in np.flatnonzero(left):
            for word in {word for word, _ in segmenter.cut(texts[i]) if len(word) > 1 and word not in stop}:
                places.setdefault(word, []).append(int(form.text.row_numbers[i]))
        if not places:
            report.skip(cls.hints, "没有标签的行里没有可计数的词")
        for word in sorted(places, key=lambda word: (-len(places[word]), word))[:MISSED]:
            report.row(cls.hints, word=word, n=len(places[word]), rows=places[word][:MOST_ROWS_OF_WORD])

    @classmethod
    def _coded_rows(
        cls, report: Report, form: Any, texts: list[str], labels: tuple[Label, ...], held: Bools, hits: list[list[Hits]]
    ) -> None:  # fmt: skip
        shown = np.flatnonzero(held.any(axis=1))[:LISTED]
        for i in shown:
            names = [label.name for j, label in enumerate(labels) if held[i, j]]
            words = {word for j, own in enumerate(hits[i]) if held[i, j] for word in own.words}
            row = [int(form.text.row_numbers[i])]
            report.row(cls.coded, row=row, text=_marked(texts[i], words), labels="、".join(names))
        left = int(held.any(axis=1).sum()) - len(shown)
        if left > 0:
            report.note(cls.coded, "另有 {left:integer} 行没有列出；保存的新变量里都有。", left=left)

    @classmethod
    def _pairs(cls, report: Report, labels: tuple[Label, ...], held: Bools) -> None:
        both = held.T.astype(np.int64) @ held.astype(np.int64)
        found = [(int(both[i, j]), i, j) for i in range(len(labels)) for j in range(i + 1, len(labels)) if both[i, j]]
        for n, i, j in sorted(found, key=lambda pair: (-pair[0], pair[1], pair[2])):
            report.row(cls.pairs, a=labels[i].name, b=labels[j].name, n=n)
        if not found:
            report.skip(cls.pairs, "没有一行有两个标签")
            report.skip(cls.cells, "没有一行有两个标签")
            return
        for i, first in enumerate(labels[:30]):
            for j, second in enumerate(labels[:30]):
                if i != j:
                    report.row(cls.cells, row=first.name, column=second.name, n=float(both[i, j]))

    @classmethod
    def _groups(
        cls, report: Report, form: Any, labels: tuple[Label, ...], held: Bools, known: Bools
    ) -> list[tuple[str, str]]:
        """(label, the group that has it most) of those that differ after correction."""
        parts = [(level, known & (form.group.codes == level.code)) for level in form.group.levels]
        parts = [(level, rows) for level, rows in parts if rows.any()]
        if len(parts) < 2:
            report.skip(cls.groups, "只有一组有文字")
            return []
        sizes = np.array([int(rows.sum()) for _, rows in parts], dtype=float)
        own = np.array([held[rows].sum(axis=0) for _, rows in parts], dtype=float)
        expected = sizes[:, None] * own.sum(axis=0) / sizes.sum()
        rest = sizes[:, None] - expected
        with np.errstate(divide="ignore", invalid="ignore"):
            chi2 = np.nan_to_num((own - expected) ** 2 / expected + (own - expected) ** 2 / rest).sum(axis=0)
        tested = [j for j in range(len(labels)) if 0 < own[:, j].sum() < sizes.sum()]
        df = len(parts) - 1
        p = dict(zip(tested, adjust(stats.chi2.sf(chi2[tested], df), "holm"), strict=True))
        differing = []
        for j, label in enumerate(labels):
            shares = own[:, j] / sizes
            wide = {level: {"n": int(own[g, j]), "share": float(shares[g])} for g, (level, _) in enumerate(parts)}
            few = bool((np.minimum(expected[:, j], rest[:, j]) < LEAST_EXPECTED).any())
            cells: dict[str, Any] = {"chi2": float(chi2[j]), "df": df, "p": p[j]} if j in p else {}
            report.row(cls.groups, label=label.name, wide=wide, few=few, **cells)
            if j in p and p[j] < ALPHA and not few:
                differing.append((label.name, parts[int(np.argmax(shares))][0].label))
        report.note(cls.groups, "“期望不足 5”的标签 *p* 不可靠。人人有或人人没有的标签不检验。")
        return differing

    @classmethod
    def _say(
        cls, report: Report, form: Any, labels: tuple[Label, ...], held: Bools, known: Bools,
        differing: list[tuple[str, str]] | None,
    ) -> None:  # fmt: skip
        counts = held.sum(axis=0)
        top = int(np.argmax(counts))
        n = int(known.sum())
        facts: dict[str, Any] = {
            "top": labels[top].name, "share": float(counts[top] / n), "k": int(counts[top]),
            "coded": float(held.any(axis=1).sum() / n),
        }  # fmt: skip
        report.lead(
            "提到最多的是“{top:text}”，{k:integer} 行，占 {share:percent1}。{coded:percent1} 的行有标签。",
            [figure("标签", f"{len(labels)} 个"), figure("有标签", "{coded:percent1}")], **facts,
        )  # fmt: skip
        if form.labels.name:
            report.say(
                "用的是标签组“{name:text}”第 {version:integer} 版；以后改动标签不影响这份报告。", name=form.labels.name,
                version=int(form.labels.version or 1),
            )  # fmt: skip
        if differing:
            told = "、".join(f"“{label}”（{group}最多）" for label, group in differing[:5])
            report.say(
                "各组提到得不一样多的标签有 {k:integer} 个（Holm 校正后 *p* < .05）：{told:text}。",
                k=len(differing),
                told=told,
            )
        elif differing is not None:
            report.say("没有发现各组提到得不一样多的标签（Holm 校正后 *p* 均不小于 .05，或次数太少）。")
        report.say("命中只说明提到了这些词，不说明是夸还是怨。")


# ---- coding --------------------------------------------------------------------------------------------------------
def _coded(form: Any, texts: list[str], labels: tuple[Label, ...]) -> list[list[Hits]]:
    """For each text and label the words found."""
    rules = [_Rule(label) for label in labels]
    segmenter = Segmenter("auto", _words_of(form, labels)) if form.match == "words" else None
    found = []
    for i, cell in enumerate(texts):
        if i % STEP == 0:
            form.progress(i, len(texts), f"归类 {i:,}/{len(texts):,} 行")
        line = normal(cell)
        words = None if segmenter is None else frozenset(word for word, _ in segmenter.cut(cell))
        found.append([Hits(rule.hits(line, words)) for rule in rules])
    return found


def _words_of(form: Any, labels: tuple[Label, ...]) -> Dictionary:
    """Words of the labels that no dictionary knows are never cut; the others are words as they are."""
    own = list(form.user_dict.words) if form.user_dict is not None else []
    plain = Segmenter("auto", form.user_dict)
    for label in labels:
        for word in (*label.include, *label.exclude, *(word for part in label.all_of for word in part)):
            if not plain.knows(normal(word)):
                own.append((word, None, None))
    return Dictionary(kind="words", words=tuple(dict.fromkeys(own)))


class _Rule:
    """A label ready to be looked for."""

    def __init__(self, label: Label) -> None:
        self.include = tuple(normal(word) for word in label.include)
        self.all_of = tuple(tuple(normal(word) for word in part) for part in label.all_of)
        self.exclude = tuple(normal(word) for word in label.exclude)
        self.pattern = re.compile(label.pattern, re.IGNORECASE) if label.pattern else None

    def hits(self, line: str, words: frozenset[str] | None) -> tuple[str, ...]:
        def there(word: str) -> bool:
            return word in line if words is None else word in words

        if any(there(word) for word in self.exclude):
            return ()
        found = [word for word in self.include if there(word)]
        for part in self.all_of:
            if all(there(word) for word in part):
                found += part
        match = self.pattern.search(line) if self.pattern is not None else None
        if match is not None and match[0]:
            found.append(match[0])
        return tuple(dict.fromkeys(found))


def _single(form: Any, held: Bools, hits: list[list[Hits]]) -> Bools:
    """One label a row."""
    chosen = np.zeros_like(held)
    for i in np.flatnonzero(held.any(axis=1)):
        counts = [len(own.words) for own in hits[i]]
        first = int(np.argmax(counts)) if form.conflict == "hits" else int(np.argmax(held[i]))
        chosen[i, first] = True
    return chosen


def _marked(cell: str, words: set[str]) -> list[list[Any]]:
    """The text in pieces, hits marked; unmarked where its letters were changed before they were looked for."""
    line = normal(cell)
    if len(line) != len(cell) or not words:
        return [[cell[:LONGEST_SHOWN], None]]
    pattern = re.compile("|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word))))
    pieces: list[list[Any]] = []
    at = 0
    for match in pattern.finditer(line[:LONGEST_SHOWN]):
        pieces += [[cell[at : match.start()], None], [cell[match.start() : match.end()], "hit"]]
        at = match.end()
    pieces.append([cell[at:LONGEST_SHOWN], None])
    return [piece for piece in pieces if piece[0]]


def _columns(form: Any, labels: tuple[Label, ...], held: Bools) -> dict[str, Any]:
    if form.multi:
        return {f"标签：{label.name}": held[:, j].astype(float) for j, label in enumerate(labels)}
    first = [int(np.argmax(row)) if row.any() else None for row in held]
    return {"标签": [None if j is None else labels[j].name for j in first]}
