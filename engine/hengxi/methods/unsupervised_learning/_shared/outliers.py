"""What every score of unusual rows reports: how many, which, by what variables, against known marks, and on a map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import rankdata

from hengxi.contract import (
    Chart,
    Column,
    Diagonal,
    Form,
    Method,
    NewColumns,
    Points,
    Reference,
    Report,
    Table,
    figure,
    filled,
    integer,
    num,
    percent,
    role,
    text,
)
from hengxi.contract.tables import Element
from hengxi.methods.unsupervised_learning._shared.space import Space, draw_plane
from hengxi.stats.histogram import histogram
from hengxi.stats.moments import Floats
from hengxi.stats.partition import Codes

ODD, USUAL, TOP, MOST_LISTED, NAMED = "异常", "正常", 10, 200, 3
TRUTH = {"truth": filled}
COMMON = (
    "得分越大越异常。给定异常比例时，阈值是得分的相应分位数（线性插值），得分大于阈值的行判为异常。",
    "计算前各行按取值排成固定的次序，文件的行序不影响结果；得分相同的行按这个次序排名。",
    "标准化偏差 =（取值 − 均值）/ 标准差（n − 1）；列出绝对值最大的 3 个变量。",
    "已知标记中较少的一类当作异常，两类一样多时取后一类；AUC 并列得分算一半，平均精确率按并列的得分成组计算。",
)


def truth_role() -> Any:
    return role("已知异常标记（选填）", "定类", min=0, levels=2)


@dataclass
class Scores:
    """`score` of each row of the space, larger is odder; `odd`: beyond `threshold`."""

    space: Space
    score: Floats
    threshold: float
    odd: Any

    @property
    def ranking(self) -> Codes:
        """Rows from the oddest on."""
        size = np.round(self.score, 12)
        return np.asarray(np.argsort(-size, kind="stable"), dtype=np.int64)


def scores_of(space: Space, score: Floats, share: float | None, usual: float) -> Scores:
    """With the share expected, the threshold is a quantile; without, `usual`."""
    threshold = usual if share is None else float(np.quantile(score, 1 - share))
    # Rounding must not make rows at the threshold itself odd.
    odd = score > threshold + 1e-12 * max(1.0, abs(threshold))
    return Scores(space, score, threshold, odd)


class OutlierScores(Method):
    """The tables and figures all scores have; a member adds its settings and calls `write` and `tell`."""

    family = "异常检测"
    missing = "keep"

    class Input(Form):
        pass

    odd_rows = Table(
        "异常样本", row=integer("行号"), label=text("样本标识"), score=num("异常得分", decimals=4),
        rank=integer("名次"),
        verdict=text("判定"), first=text("偏离最大的变量"), z1=num("标准化偏差", decimals=2), second=text("第二"),
        z2=num("偏差", decimals=2), third=text("第三"), z3=num("偏差", decimals=2), place="main",
    )  # fmt: skip
    plane_points = Points(
        "样本平面", x=num("横轴"), y=num("纵轴"), group=text("判定"), row=integer("行号"), label=text("样本")
    )
    plane = Chart("散点图", "point", of=plane_points, x="x", y="y", series="group", row="row", place="main")
    bins = Points("异常得分", low=num("下限"), high=num("上限"), count=integer("频数"))
    spread = Chart(
        "异常得分直方图", "histogram", of=bins, low="low", high="high", count="count", place="detail",
        titles={"x": "异常得分", "y": "频数"},
    )  # fmt: skip
    judged = Table(
        "与已知标记比较", layout="record", event=text("当作异常的标记"), n=integer("已知的行"),
        known=integer("已知异常"),
        auc=num("AUC", least=0, most=1, decimals=3), ap=num("平均精确率", least=0, most=1, decimals=3),
        hits=percent("前 k 名命中率（k = 已知异常数）"), recall=percent("判为异常的召回率"),
        precision=percent("判为异常的精确率"), when=TRUTH,
    )  # fmt: skip
    roc_points = Points("ROC", fpr=num("误报率"), tpr=num("召回率"), when=TRUTH)
    roc = Chart("ROC 曲线", "line", of=roc_points, x="fpr", y="tpr", over=[Diagonal()], when=TRUTH, place="detail")
    pr_points = Points("PR", recall=num("召回率"), precision=num("精确率"), when=TRUTH)
    pr = Chart("PR 曲线", "line", of=pr_points, x="recall", y="precision", when=TRUTH, place="detail")
    saved = NewColumns("异常得分", when={"append": True})

    @classmethod
    def elements(cls) -> dict[str, Element]:
        """The summary first, so that it is the main table."""
        found = super().elements()
        return {"summary": found["summary"], **found} if "summary" in found else found

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.x)} 个变量的{cls.title}"


def write(report: Report, cls: Any, form: Any, made: Scores) -> None:
    """All but the summary and the words."""
    space, order = made.space, made.ranking
    verdicts = [ODD if odd else USUAL for odd in made.odd]
    listed = order[: min(space.n, MOST_LISTED, max(TOP, int(made.odd.sum())))]
    ranks = np.empty(space.n, dtype=np.int64)
    ranks[order] = np.arange(1, space.n + 1)
    for row in listed:
        away = np.argsort(-np.round(np.abs(space.z[row]), 12), kind="stable")[:NAMED]
        cells: dict[str, Any] = {}
        for key, value, j in zip(("first", "second", "third"), ("z1", "z2", "z3"), away, strict=False):
            cells |= {key: space.names[j], value: float(space.z[row, j])}
        report.row(
            cls.odd_rows, row=int(space.numbers[row]), label=space.called(np.array([row]))[0],
            score=float(made.score[row]), rank=int(ranks[row]), verdict=verdicts[row], **cells,
        )  # fmt: skip
    report.note(cls.odd_rows, "至少列出得分最高的 10 行，最多 200 行。偏差是离均值几个标准差。")
    draw_plane(report, cls, space, verdicts, [USUAL, ODD], made.odd)
    found = histogram(made.score)
    report.add_rows(cls.bins, {"low": found.edges[:-1], "high": found.edges[1:], "count": found.counts.astype(int)})
    report.chart(cls.spread, over=[Reference(x=made.threshold, label="阈值")])
    _against(report, cls, form, made)
    if form.append:
        columns = {"异常得分": space.spread(made.score), "异常判定": space.spread(verdicts, object, None)}
        report.columns(cls.saved, columns)


def _against(report: Report, cls: Any, form: Any, made: Scores) -> None:
    truth: Column | None = form.truth
    if truth is None:
        return
    codes = np.asarray(truth.codes)[made.space.place]
    known = codes >= 0
    counts = np.bincount(codes[known], minlength=2)
    if counts.size != 2 or not counts.all():
        report.warn("data.truth", "用到的行里已知标记只有一种，没有比较。", columns=[truth])
        for element in (cls.judged, cls.roc_points, cls.pr_points):
            report.skip(element, "用到的行里已知标记只有一种")
        return
    event = int(counts[1] <= counts[0])
    y, score, odd = codes[known] == event, np.round(made.score[known], 12), made.odd[known]
    m, n = int(y.sum()), int(y.size)
    auc = (float(rankdata(score)[y].sum()) - m * (m + 1) / 2) / (m * (n - m))
    order = np.argsort(-score, kind="stable")
    last = np.append(np.flatnonzero(np.diff(score[order])), n - 1)
    hits = np.cumsum(y[order])[last]
    taken = last + 1.0
    ap = float(np.sum(np.diff(hits, prepend=0) / m * hits / taken))
    both = int((y & odd).sum())
    report.row(
        cls.judged, event=truth.levels[event].label, n=n, known=m, auc=auc, ap=ap, hits=float(y[order[:m]].mean()),
        recall=both / m, precision=both / int(odd.sum()) if odd.any() else None,
    )  # fmt: skip
    shown = np.unique(np.linspace(0, hits.size - 1, min(hits.size, 500)).astype(int))
    report.add_rows(
        cls.roc_points,
        {"fpr": np.append(0.0, (taken - hits)[shown] / (n - m)), "tpr": np.append(0.0, hits[shown] / m)},
    )
    report.add_rows(cls.pr_points, {"recall": hits[shown] / m, "precision": (hits / taken)[shown]})
    report.note(cls.judged, "已知标记没有参与计算，只用来检验得分。AUC 为 0.5 等于乱猜，1 为完全分开。")


def tell(
    report: Report, cls: Any, made: Scores, how: str, student: str, figures: Sequence[Any] = (), **facts: Any
) -> None:
    """Lead and voices. `how`: the method with its settings, as a paper says it; `student`: how it works."""
    space, first = made.space, int(made.ranking[0])
    j = int(np.argmax(np.round(np.abs(space.z[first]), 12)))
    count = int(made.odd.sum())
    facts |= {
        "n": space.n, "vars": len({column.id for column in space.columns}), "count": count,
        "share": count / space.n, "t": made.threshold,
        "row": str(int(space.numbers[first])), "v": space.names[j], "z": float(space.z[first, j]),
        "top": float(made.score[first]),
    }  # fmt: skip
    counted = "{n:integer} 行中有 {count:integer} 行（{share:percent1}）判为异常。"
    most = "最异常的是第 {row} 行，得分 {top:num}，偏离最大的变量是“{v}”（{z:num2} 个标准差）。"
    report.lead(counted + most, [figure("异常", "{count:integer} 行", "占 {share:percent1}"), *figures], **facts)
    careful = "异常不等于错误：请核对原始记录再决定怎么处理，本方法不删除任何行。"
    report.voices(
        [(student, {}), (careful, {})],
        [(f"用{how}对 {{n:integer}} 行、{{vars:integer}} 个变量计算异常得分，阈值 {{t:num}}，" + counted[12:], {})],
        [(counted + most + careful, {})],
        **facts,
    )
    if count > space.n / 4:
        report.check(
            "异常占比", "care", "异常占 {share:percent1}，超过四分之一，已不算少数。请检查设置。", share=count / space.n
        )
    else:
        report.check("异常占比", "pass", "异常占 {share:percent1}，是少数。", share=count / space.n)
