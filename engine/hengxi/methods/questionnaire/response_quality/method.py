from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Match,
    Method,
    NewColumns,
    NextStep,
    Points,
    Refusal,
    Report,
    Row,
    Table,
    figure,
    flag,
    integer,
    matched,
    more,
    num,
    number,
    percent,
    role,
    rows_column,
    settings,
    slot,
    text,
    words,
)
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles

LISTED = 1000
CONTRADICTED = 0.75
"""Share of the scale's range by which a pair's sum may miss its middle."""
Bools = NDArray[np.bool_]


@dataclass
class Found:
    """One indicator: its words, its bound, which rows it marks, and of how many rows it could be told."""

    name: str
    bound: str
    marked: Bools
    told: int


@dataclass
class Answers:
    """`x`: rows × items in the order asked, NaN missing; low and high end of the scale."""

    columns: list[Column]
    x: Floats
    low: float
    high: float
    found: list[Found] = field(default_factory=list)
    cells: dict[str, list[Any]] = field(default_factory=dict)

    @property
    def n(self) -> int:
        return len(self.x)


class ResponseQuality(Method):
    """Indicators of careless responding, one by one; nothing is deleted."""

    title, title_en = "作答质量检查", "Careless-response screening"
    slug = "response-quality"
    family, tier = "问卷研究", "standard"
    purpose = "哪些问卷可能是乱填、直线作答、重复提交或作答过快"
    aliases = (
        "无效问卷",
        "乱填",
        "直线作答",
        "长串",
        "longstring",
        "IRV",
        "马氏距离",
        "注意力检测题",
        "作答时间",
        "重复问卷",
        "认真作答",
    )
    references = ("meade2012", "curran2016", "dunn2018", "mahalanobis1936")
    conventions = (
        "最长同选：按题目次序，连续选同一答案的最长一串占已答题数的比例；空题会打断一串。",
        "IRV 是一个人在各题上得分的标准差（n − 1）；只列出，不单独作标记。",
        "马氏 D² 用全部答完的答卷的均值与协方差（n − 1），自由度为题数；没有答完的答卷没有 D²。",
        "偶奇一致性：每个维度按题目次序分成奇数题与偶数题两半，各求平均，在维度之间求相关，"
        "再用 Spearman-Brown 校正（低于 −1 记为 −1）；"
        "至少 3 个维度，每维至少 2 题，反向题先转换；小于 0 时标记。",
        "正反题矛盾：两题得分之和与（最低分 + 最高分）相差达到量程的 0.75；矛盾的题对达到一半时标记。",
        "完全相同：全部题项（含空题）都与另一份答卷相同，两份都标记。",
    )
    missing = "keep"

    class Input(Form):
        items: list[Column] = role("量表题项（按题序）", "定量", min=5, max=300, hint="量程相同的题，按问卷上的次序放")
        duration: Column | None = role("作答时长（秒，选填）", "定量", values="non_negative")
        attention: list[Column] = role("注意力检测题（选填）", "任意", min=0, max=20)
        answers: list[Row] = settings(
            "检测题的正确答案", of="attention", answer=words("应选的值", kind="text"), hint="如“请选非常同意”填 5"
        )  # fmt: skip
        pairs: list[Match] = matched(
            "正反向题对（选填）", min=0, first=slot("正向题", "定量", shared_with=("items",)),
            second=slot("反向题", "定量", shared_with=("items",)),
        )  # fmt: skip
        dimension: list[Row] = settings(
            "题项设置", of="items", number=integer("维度", 1, least=1, most=50), reversed=flag("反向题", False),
            advanced=True,
            hint="分了 3 个以上维度时，计算偶奇一致性",
        )  # fmt: skip
        longstring_limit: float = number("最长同选占比", 0.5, least=0.2, most=1)
        mahal_alpha: float = number("马氏距离显著性", 0.001, least=0.00001, most=0.05)
        seconds_per_item: float = number("每题最短秒数", 2, least=0.1, most=60)
        flags_needed: int = integer("判为无效所需标记数", 2, least=1, most=7)
        save_flag: bool = flag("生成标记列", True)

    summary = Table(
        "质量汇总", indicator=text("指标"), bound=text("标记的条件"), told=integer("可判的答卷"), n=integer("标记人数"),
        share=percent("占比"), place="main",
    )  # fmt: skip
    suspects = Table(
        "可疑答卷", row=rows_column("行号"), longest=percent("最长同选"), irv=num("IRV", least=0), d2=num("马氏 D²",
        least=0),
        p=num("D² 的 *p*", least=0, most=1, decimals=4), even_odd=num("偶奇一致性", decimals=3),
        contradictions=integer("矛盾题对"),
        seconds=num("时长", least=0), attention=text("检测题"), same=text("与他人完全相同"), flags=integer("标记数"),
        advice=text("建议"),
        place="main",
    )  # fmt: skip
    counts = Table("标记数的分布", flags=integer("标记数"), n=integer("人数"), share=percent("占比"))
    bars = Chart("标记数的分布", "bar", of=counts, x="flags", y="n", place="main")
    irv_bins = Points("IRV 的分布", low=num("下限"), high=num("上限"), count=integer("人数"))
    irv_plot = Chart("IRV 的分布", "histogram", of=irv_bins, low="low", high="high", count="count")
    time_bins = Points("时长的分布", low=num("下限"), high=num("上限"), count=integer("人数"))
    time_plot = Chart("时长的分布", "histogram", of=time_bins, low="low", high="high", count="count")
    saved = NewColumns("标记数与建议", when={"save_flag": True})

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.items)} 题的作答质量"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        loose = [{"id": "loose", "name": None, "columns": form["items"]}]
        return [NextStep(title="剔除之后看信度", method="descriptive/reliability", form={"items": loose})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = _answers(form)
        report.used(data.n)
        _longest(data, form)
        _variability(report, cls, data)
        _distance(report, data, form)
        _consistency(data, form)
        _contradictions(data, form)
        _seconds(report, cls, data, form)
        _attention(data, form)
        _same(data)
        flags = np.sum([one.marked for one in data.found], axis=0).astype(int)
        cls._tables(report, data, form, flags)
        return report

    @classmethod
    def _tables(cls, report: Report, data: Answers, form: Any, flags: NDArray[np.int64]) -> None:
        for one in data.found:
            n = int(one.marked.sum())
            report.row(
                cls.summary,
                indicator=one.name,
                bound=one.bound,
                told=one.told,
                n=n,
                share=n / one.told if one.told else None,
            )
        for k in range(int(flags.max()) + 1):
            n = int((flags == k).sum())
            report.row(cls.counts, flags=k, n=n, share=n / data.n)
        need = form.flags_needed
        advice = np.where(flags >= need, "建议剔除", np.where(flags > 0, "复核", "保留"))
        order = sorted(np.flatnonzero(flags > 0), key=lambda i: (-flags[i], i))
        numbers = data.columns[0].row_numbers
        for i in order[:LISTED]:
            cells = {key: values[i] for key, values in data.cells.items()}
            report.row(cls.suspects, row=[int(numbers[i])], flags=int(flags[i]), advice=str(advice[i]), **cells)
        if not order:
            report.skip(cls.suspects, "没有任何答卷被标记")
        elif len(order) > LISTED:
            report.note(cls.suspects, "只列出标记最多的 1000 份；全部见新变量。")
        if form.save_flag:
            report.columns(cls.saved, {"作答标记数": flags.astype(float), "作答建议": list(advice)})
        _words(report, data, form, flags)


# ---- data ----------------------------------------------------------------------------------------------------------
def _answers(form: Any) -> Answers:
    x = np.column_stack([column.numbers for column in form.items])
    names = titles(form.items)
    if np.isnan(x).all():
        raise Refusal("role.empty", "所选题项没有任何回答", field="items")
    for column, own in zip(form.items, x.T, strict=True):
        if np.isnan(own).all():
            raise Refusal(
                "role.empty", "题项“{v}”没有任何回答，请移去", field="items", column=column.id, v=names[column.id]
            )
    tops, bottoms = np.nanmax(x, axis=0), np.nanmin(x, axis=0)
    times = form.duration.numbers if form.duration is not None else np.zeros(1)
    most = max(float(np.abs(tops).max()), float(np.abs(bottoms).max()), float(np.nanmax(np.append(times, 0.0))))
    if not most < 1e100:
        raise Refusal("data.magnitude", "题项或时长的数值过大，不像问卷的回答；请核对数据", field="items")
    usual = Counter(tops.tolist()).most_common(1)[0][0]
    odd = [i for i, top in enumerate(tops) if abs(top - usual) >= 2]
    if odd and len(x) >= 20:
        i = odd[0]
        raise Refusal(
            "data.scales",
            "题项取值范围不同：多数题最高 {usual}，“{v}”最高 {top}（如 1-5 与 1-7）；请把量程相同的题放在一起，"
            "分批检查",
            field="items", column=form.items[i].id, v=names[form.items[i].id], usual=f"{usual:g}", top=f"{tops[i]:g}",
        )  # fmt: skip
    if tops.max() == bottoms.min():
        raise Refusal("data.constant", "所有人在所有题上的回答都相同，没有可检查的内容", field="items")
    return Answers(list(form.items), x, float(bottoms.min()), float(tops.max()))


# ---- indicators ----------------------------------------------------------------------------------------------------
def _longest(data: Answers, form: Any) -> None:
    run, best = np.zeros(data.n), np.zeros(data.n)
    before = np.full(data.n, np.nan)
    for own in data.x.T:
        run = np.where(own == before, run + 1, np.where(np.isnan(own), 0, 1))
        best, before = np.maximum(best, run), own
    answered = (~np.isnan(data.x)).sum(axis=1)
    share = np.where(answered > 0, best / np.maximum(answered, 1), 0.0)
    data.cells["longest"] = [float(v) if a else None for v, a in zip(share, answered, strict=True)]
    enough = answered >= 5
    marked = enough & (share >= form.longstring_limit - 1e-12)
    data.found.append(Found("最长同选", f"连续选同一答案的题 ≥ {form.longstring_limit:.0%}", marked, int(enough.sum())))


def _variability(report: Report, cls: type[ResponseQuality], data: Answers) -> None:
    known = (~np.isnan(data.x)).sum(axis=1)
    irv = np.full(data.n, np.nan)
    some = known > 1
    irv[some] = np.nanstd(data.x[some], axis=1, ddof=1)
    data.cells["irv"] = [None if np.isnan(v) else float(v) for v in irv]
    _bins(report, cls.irv_bins, irv[some])


def _distance(report: Report, data: Answers, form: Any) -> None:
    full = ~np.isnan(data.x).any(axis=1)
    n, p = int(full.sum()), data.x.shape[1]
    d2 = np.full(data.n, np.nan)
    data.cells["d2"] = data.cells["p"] = [None] * data.n
    if n <= p + 1:
        report.warn("data.few", "答完全部题目的只有 {n:integer} 份，不多于题数，马氏距离已跳过。", n=n)
        return
    rows = data.x[full]
    s = np.cov(rows.T)
    spread = np.sqrt(np.diag(s))
    if spread.min() == 0 or np.linalg.eigvalsh(s / np.outer(spread, spread))[0] <= 1e-10:
        report.warn("data.singular", "题项完全共线或有题没有变化，马氏距离不可用，已跳过该指标。")
        return
    away = (rows - rows.mean(axis=0)) / spread
    d2[full] = np.sum(away * np.linalg.solve(s / np.outer(spread, spread), away.T).T, axis=1)
    tail = stats.chi2.sf(d2, p)
    data.cells["d2"] = [None if np.isnan(v) else float(v) for v in d2]
    data.cells["p"] = [None if np.isnan(v) else float(v) for v in tail]
    marked = full & (tail < form.mahal_alpha)
    data.found.append(Found("马氏距离", f"D² 的 p < {form.mahal_alpha:g}", marked, n))


def _consistency(data: Answers, form: Any) -> None:
    cells = {row.column.id: row for row in form.dimension}
    numbers = np.array([cells[c.id].number for c in data.columns])
    groups = [np.flatnonzero(numbers == number_) for number_ in np.unique(numbers)]
    groups = [group for group in groups if len(group) > 1]
    data.cells["even_odd"] = [None] * data.n
    if len(groups) < 3:
        return
    turned = np.array([bool(cells[c.id].reversed) for c in data.columns])
    x = np.where(turned, data.low + data.high - data.x, data.x)
    odd = np.column_stack([x[:, group[::2]].mean(axis=1) for group in groups])
    even = np.column_stack([x[:, group[1::2]].mean(axis=1) for group in groups])
    a, b = odd - odd.mean(axis=1, keepdims=True), even - even.mean(axis=1, keepdims=True)
    size = np.sqrt(np.sum(a * a, axis=1) * np.sum(b * b, axis=1))
    told = ~np.isnan(size) & (size > 1e-12)
    r = np.full(data.n, np.nan)
    r[told] = np.clip(np.sum(a * b, axis=1)[told] / size[told], -1, 1)
    r[told] = np.maximum(2 * r[told] / np.maximum(1 + r[told], 1e-12), -1.0)
    data.cells["even_odd"] = [None if np.isnan(v) else float(v) for v in r]
    data.found.append(Found("偶奇一致性", "校正后的相关 < 0", told & (r < -1e-9), int(told.sum())))


def _contradictions(data: Answers, form: Any) -> None:
    data.cells["contradictions"] = [None] * data.n
    if not form.pairs:
        return
    gaps = np.column_stack([pair.first.numbers + pair.second.numbers - data.low - data.high for pair in form.pairs])
    known = ~np.isnan(gaps)
    against = known & (np.abs(gaps) >= CONTRADICTED * (data.high - data.low) - 1e-9)
    count, of = against.sum(axis=1), known.sum(axis=1)
    data.cells["contradictions"] = [int(c) if k else None for c, k in zip(count, of, strict=True)]
    marked = (of > 0) & (2 * count >= of) & (count > 0)
    data.found.append(Found("正反题矛盾", "一半以上的题对矛盾", marked, int((of > 0).sum())))


def _seconds(report: Report, cls: type[ResponseQuality], data: Answers, form: Any) -> None:
    data.cells["seconds"] = [None] * data.n
    if form.duration is None:
        report.skip(cls.time_bins, "没有放入作答时长")
        return
    seconds = form.duration.numbers
    known = ~np.isnan(seconds)
    least = form.seconds_per_item * len(data.columns)
    data.cells["seconds"] = [None if np.isnan(v) else float(v) for v in seconds]
    data.found.append(
        Found(
            "作答过快",
            f"时长 < {least:g} 秒（每题 {form.seconds_per_item:g} 秒）",
            known & (seconds < least),
            int(known.sum()),
        )
    )
    if known.any():
        _bins(report, cls.time_bins, seconds[known])
    else:
        report.skip(cls.time_bins, "作答时长全部为空")


def _attention(data: Answers, form: Any) -> None:
    data.cells["attention"] = ["—"] * data.n
    if not form.attention:
        return
    right = {row.column.id: (row.answer or "").strip() for row in form.answers}
    wrong = np.zeros(data.n, dtype=int)
    for column in form.attention:
        if not right.get(column.id):
            raise Refusal(
                "settings.row", "请填写检测题“{v}”应选的值", field="answers", column=column.id, v=column.title
            )
        wrong += np.array([_unlike(cell, right[column.id]) for cell in column.text])
    data.cells["attention"] = ["通过" if k == 0 else f"错 {k} 题" for k in wrong]
    data.found.append(Found("注意力检测题", "答错或没答任何一题", wrong > 0, data.n))


def _unlike(cell: Any, answer: str) -> bool:
    if cell is None:
        return True
    told = str(cell).strip()
    try:
        return float(told) != float(answer)
    except ValueError:
        return told != answer


def _same(data: Answers) -> None:
    _, place, count = np.unique(np.nan_to_num(data.x, nan=np.inf), axis=0, return_inverse=True, return_counts=True)
    twice = (count[place.ravel()] > 1) & ~np.isnan(data.x).all(axis=1)
    data.cells["same"] = ["是" if one else "—" for one in twice]
    data.found.append(Found("完全相同", "全部题项与另一份答卷相同", twice, data.n))


def _bins(report: Report, table: Any, values: Floats) -> None:
    edges = np.histogram_bin_edges(values, 20)
    counts, _ = np.histogram(values, edges)
    for i, count in enumerate(counts):
        report.row(table, low=edges[i], high=edges[i + 1], count=int(count))


# ---- words ---------------------------------------------------------------------------------------------------------
def _words(report: Report, data: Answers, form: Any, flags: NDArray[np.int64]) -> None:
    bad, some = int((flags >= form.flags_needed).sum()), int((flags > 0).sum())
    facts: dict[str, Any] = {"n": data.n, "bad": bad, "some": some, "need": form.flags_needed, "share": bad / data.n}
    lead = (
        "{n:integer} 份答卷中，{bad:integer} 份达到 {need:integer} 个标记，建议剔除（{share:percent1}）；"
        "有标记的共 {some:integer} 份。"
    )
    if some == 0:
        lead = "{n:integer} 份答卷都没有被标记，没有发现乱填的迹象。"
        facts = {"n": data.n}
    elif bad == 0:
        lead = "{n:integer} 份答卷中没有一份达到 {need:integer} 个标记；有标记的 {some:integer} 份，请复核。"
        facts = {"n": data.n, "need": form.flags_needed, "some": some}
    report.lead(lead, [figure("建议剔除", "{bad:integer}", "{share:percent1}")] if bad else [], **facts)
    used = "、".join(one.name for one in data.found)
    report.voices(
        [("标记只是疑点，不是结论：认真的人也可能连选同一项。数据没有改动；要剔除，请在数据处理里用“作答建议”筛选，"
        "并在论文里写明标准和份数。", {})],
        [(f"以{used}等指标检查作答质量。" + lead, {})], [(lead, {})], **facts,
    )  # fmt: skip
    missing = [
        name
        for name, absent in (
            ("作答时长", form.duration is None),
            ("注意力检测题", not form.attention),
            ("正反向题对", not form.pairs),
        )
        if absent
    ]
    report.check(
        "可用的指标", "care" if len(missing) > 1 else "pass",
        "用了 {k:integer} 个指标" + ("；没有：{missing}。" if missing else "。"), k=len(data.found),
        missing="、".join(missing),
        more=more(
            "一个指标只能发现一种乱填。", "用了 {k:integer} 个指标。", "直线作答与随机作答要用不同的指标发现。",
            "下次设计问卷时记录时长，放一两道检测题和几对正反题。",
        ),
    )  # fmt: skip
