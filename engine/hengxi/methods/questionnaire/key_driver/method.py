from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Matrix,
    Method,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    Silent,
    Table,
    choice,
    figure,
    integer,
    interval,
    num,
    percent,
    pvalue,
    role,
    text,
)
from hengxi.stats.importance import MOST_LMG, all_r2, betas, conditional, dominates, lmg, relative_weights
from hengxi.stats.moments import Floats
from hengxi.stats.names import short, titles

METHODS = {
    "lmg": "LMG（平均贡献，Shapley）", "relative_weights": "相对权重（Johnson）", "dominance": "优势分析",
    "standardized_beta": "标准化系数",
}  # fmt: skip
WORK = 40_000_000
"""Subsets × resamples that are still a matter of half a minute."""
LEVEL = 0.95


class KeyDriver(Method):
    """Which of many correlated judgements drive an overall one, and how well the drivers are rated."""

    title, title_en = "关键驱动因素分析", "Key-driver analysis (relative importance)"
    family, tier = "影响机制", "member"
    purpose = "在相互相关的众多因素中，哪些对总体满意度贡献最大？"
    aliases = ("驱动力分析", "相对重要性", "Shapley", "LMG", "相对权重", "优势分析", "满意度驱动", "key driver")
    references = ("lindeman1980", "johnson2000", "budescu1993", "gromping2006")
    conventions = (
        "重要性都由相关矩阵算出，LMG、优势分析、相对权重之和等于 *R*²。",
        "LMG：一个因素加入模型时 *R*² 的增量，对所有加入次序取平均，等于 Shapley 值和一般优势。",
        "LMG 与优势分析枚举全部 2^p 个子集，最多 15 个因素；更多时用相对权重。",
        "相对权重：Johnson（2000），Λ² 乘以正交变量的标准化系数平方。标准化系数法：|β| 在 Σ|β| 中的份额。",
        "区间：对行有放回重抽样的百分位区间；因素多时自动减少次数，报告里写明。",
        "完全优势：加入任何一组其他因素时都增加得更多；条件优势：在每种个数下平均增加更多。",
        "绩效是该因素的均值；高低以各因素的平均为界。",
    )
    random = True
    min_rows = 4

    class Input(Form):
        y: Column = role("总体评价", "定量")
        x: list[Column] = role("驱动因素", "定量", min=2, max=20)
        method: str = choice("方法", METHODS)
        n_boot: int = integer("Bootstrap次数", 1000, least=200, most=10_000)

    result = Table(
        "驱动力", rank=integer("排名"), name=text("因素"), importance=num("重要性", least=0),
        ci=interval("95% CI", "low", "high", inside=False), share=percent("占比"), beta=num("标准化系数 *β*"),
        r=num("相关 *r*", least=-1, most=1), mean=num("绩效（均值）"), place="main",
    )  # fmt: skip
    summary = Table(
        "回归概要", n=integer("*n*"), r2=percent("*R*²"), adjusted=percent("调整 *R*²", least=None),
        F=num("*F*", least=0), df1=integer("df₁"), df2=integer("df₂"), p=pvalue(), vif=num("最大 VIF", least=0),
        place="main", claim=Silent("the model is told by the conclusion"),
    )  # fmt: skip
    bars = Chart("重要性", "interval", of=result, x="name", y="importance", low="low", high="high", place="main")
    quadrants = Points("象限", name=text("因素"), mean=num("绩效（均值）"), share=num("重要性占比"))
    quadrant_plot = Chart("重要性与绩效", "point", of=quadrants, x="mean", y="share", label="name", place="main")
    general = Table(
        "优势分析：加入时 R² 的平均增量", name=text("因素"), others=integer("已有因素数"), gain=num("平均增量"),
        merge=("name",), when={"method": "dominance"}, place="detail",
    )  # fmt: skip
    pairs = Table(
        "完全优势", layout=Matrix(won=text("行对列"), show="full"), item=text("因素"), when={"method": "dominance"},
        place="detail",
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"“{form.y.title}”的关键驱动因素"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        p = len(form["x"] or [])
        times = int(form["n_boot"] or 0)
        return 0.1 + times * (1e-6 * float(2 ** min(p, MOST_LMG)) + rows * p * 1e-8)

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [
            NextStep(
                title="看系数和假定", method="statistical/linear_regression", form={"y": form["y"], "x": form["x"]}
            )
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = short([titles(form.x)[column.id] for column in form.x])
        data = np.column_stack([*(column.numbers for column in form.x), form.y.numbers])
        n, p = data.shape[0], len(form.x)
        if n <= p + 1:
            raise Refusal(
                "data.few",
                "样本量 {n} 不足以估计模型：{p} 个因素至少要 {least} 行，请减少因素",
                field="x",
                n=n,
                p=p,
                least=p + 2,
            )
        r = cls._correlations(form, data, names)
        how = form.method
        if how in ("lmg", "dominance") and p > MOST_LMG:
            report.warn(
                "data.many",
                "{p:integer} 个因素超过 {most:integer} 个，全部子集算不完，已改用相对权重（结果与 LMG 很接近）。",
                p=p, most=MOST_LMG,
            )  # fmt: skip
            how = "relative_weights"
            for table in (cls.general, cls.pairs):
                report.skip(table, "因素超过 15 个，不做优势分析")
        importance = parts_of(how, r[None])[0]
        times = cls._times(report, form, how, p)
        drawn = cls._drawn(form, data, how, times)
        ends = np.percentile(drawn, [100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2], axis=0)
        cls._result(report, form, names, r, importance, ends, times)
        cls._summary(report, r, n, p)
        if how == "dominance":
            cls._dominance(report, names, all_r2(r[None])[0])
        cls._say(report, form, names, importance, drawn, r)
        return report

    @classmethod
    def _correlations(cls, form: Any, data: Floats, names: list[str]) -> Floats:
        data /= np.maximum(np.abs(data).max(axis=0), 1e-300)
        spread = data.std(axis=0)
        for column, sd in zip([*form.x, form.y], spread, strict=True):
            if not sd > 0 or not column.varies:
                raise Refusal(
                    "role.constant", "“{v}”在有效样本中只有一个取值，没有变异，请移去",
                    field="y" if column is form.y else "x", column=column.id, v=column.title,
                )  # fmt: skip
        r = np.asarray(np.corrcoef(data, rowvar=False))
        for j in range(1, len(form.x)):
            beta = np.linalg.lstsq(r[:j, :j], r[:j, j], rcond=1e-12)[0]
            if 1 - float(beta @ r[:j, j]) < 1e-9:
                other = names[int(np.abs(beta).argmax())]
                raise Refusal(
                    "data.collinear",
                    "因素“{a}”“{b}”完全共线，请删除一个",
                    field="x",
                    column=form.x[j].id,
                    a=other,
                    b=names[j],
                )
        return r

    @classmethod
    def _times(cls, report: Report, form: Any, how: str, p: int) -> int:
        most = WORK // 2**p if how in ("lmg", "dominance") else form.n_boot
        times = min(form.n_boot, max(200, most))
        if times < form.n_boot:
            report.warn("data.times", "因素多，Bootstrap 次数减为 {k:integer}。", k=times)
        return int(times)

    @classmethod
    def _drawn(cls, form: Any, data: Floats, how: str, times: int) -> Floats:
        """times × p; a resample in which something does not vary is drawn again (at most ten times over)."""
        data = data[np.lexsort(data.T)]
        made: list[Floats] = []
        size, tries = max(1, 4_000_000 // data.size), 0
        held = 0
        while held < times and tries < 10 * times:
            count = min(size, times - held)
            tries += count
            r = correlations(data[form.rng.integers(0, len(data), (count, len(data)))])
            r = r[np.isfinite(r).all(axis=(1, 2))]
            r = r[np.linalg.eigvalsh(r[:, :-1, :-1])[:, 0] > 1e-9] if len(r) else r
            if len(r):
                made.append(parts_of(how, r))
                held += len(r)
        if held < times / 2:
            raise Refusal("data.few", "样本太小，重抽样后常有因素不再变化，请增加样本或减少因素", field="x")
        return np.vstack(made)

    @classmethod
    def _result(
        cls, report: Report, form: Any, names: list[str], r: Floats, importance: Floats, ends: Floats, times: int
    ) -> None:
        beta, means = betas(r[None])[0], np.array([column.numbers.mean() for column in form.x])
        whole = float(importance.sum())
        order = sorted(range(len(names)), key=lambda j: -importance[j])
        for rank, j in enumerate(order, 1):
            report.row(
                cls.result, rank=rank, name=names[j], importance=float(importance[j]), low=float(ends[0, j]),
                high=float(ends[1, j]), share=float(importance[j]) / whole, beta=float(beta[j]), r=float(r[j, -1]),
                mean=float(means[j]),
            )  # fmt: skip
            report.row(cls.quadrants, name=names[j], mean=float(means[j]), share=float(importance[j]) / whole)
        kind = "重要性之和等于 *R*²；" if form.method != "standardized_beta" else "重要性是 |*β*|；"
        report.note(cls.result, kind + "区间由 {k:integer} 次 Bootstrap 得到。", k=times)
        over = [Reference(x=float(means.mean()), label="平均绩效"), Reference(y=1 / len(names), label="平均重要性")]
        report.chart(cls.quadrant_plot, over=over)
        report.note(cls.quadrant_plot, "左上：重要而绩效低，先改进。各因素的量程相同时才能横向比较绩效。")

    @classmethod
    def _summary(cls, report: Report, r: Floats, n: int, p: int) -> None:
        r2 = float(betas(r[None])[0] @ r[:-1, -1])
        df2 = n - p - 1
        rest = max(1 - r2, 0.0)
        value = r2 / p / (rest / df2) if rest > 1e-14 else None
        report.row(
            cls.summary, n=n, r2=r2, adjusted=1 - rest * (n - 1) / df2, F=value, df1=p, df2=df2,
            p=None if value is None else float(stats.f.sf(value, p, df2)),
            vif=float(np.diag(np.linalg.inv(r[:-1, :-1])).max()),
        )  # fmt: skip

    @classmethod
    def _dominance(cls, report: Report, names: list[str], r2: Floats) -> None:
        p = len(names)
        for name, gains in zip(names, conditional(r2, p), strict=True):
            for k, gain in enumerate(gains):
                report.row(cls.general, name=name, others=k, gain=float(gain))
        for i in range(p):
            for j in range(p):
                if i < j:
                    won = "优于" if dominates(r2, p, i, j) else "劣于" if dominates(r2, p, j, i) else "不定"
                    report.row(cls.pairs, item=names[i], against=names[j], won=won)
        report.note(cls.pairs, "左边的因素对上边的因素；“不定”表示谁增加得多要看模型里已有哪些因素。")

    @classmethod
    def _say(cls, report: Report, form: Any, names: list[str], importance: Floats, drawn: Floats, r: Floats) -> None:
        order = np.argsort(-importance, kind="stable")
        top, second = int(order[0]), int(order[1])
        r2 = float(betas(r[None])[0] @ r[:-1, -1])
        facts: dict[str, Any] = {
            "y": form.y.title, "top": names[top], "share": float(importance[top] / importance.sum()), "r2": r2,
            "second": names[second],
        }  # fmt: skip
        report.lead(
            "对“{y}”贡献最大的是“{top}”，占 {share:percent1}，其次是“{second}”。全部因素共解释 {r2:percent1}。",
            [figure("首要因素", "{top:text}"), figure("占比", "{share:percent1}"), figure("*R*²", "{r2:percent1}")],
            **facts,
        )  # fmt: skip
        ahead = float(np.mean(drawn[:, top] > drawn[:, second]))
        if ahead < LEVEL:
            report.say(
                "“{top}”与“{second}”谁更重要还分不清：重抽样中前者领先的占 {ahead:percent}。", ahead=ahead, **facts
            )
        else:
            report.say("“{top}”领先“{second}”是稳定的：重抽样中领先的占 {ahead:percent}。", ahead=ahead, **facts)
        means = np.array([column.numbers.mean() for column in form.x])
        first = [names[j] for j in order if importance[j] > importance.mean() and means[j] < means.mean()]
        if first:
            report.say("重要而绩效偏低、应先改进的：“{names:text}”。", names="”“".join(first[:5]))
        negative = [names[j] for j in range(len(names)) if betas(r[None])[0][j] < 0 < r[j, -1]]
        if negative:
            report.say(
                "“{names:text}”单独看与总体评价正相关，系数却是负的，这是因素彼此重叠造成的；看重要性，不看系数的正负号。",
                names="”“".join(negative[:5]),
            )  # fmt: skip
        report.say("重要性说的是关联，不是因果：改进这个因素，总体评价不一定按比例提高。")


def parts_of(how: str, r: Floats) -> Floats:
    if how in ("lmg", "dominance"):
        return lmg(r)
    return relative_weights(r) if how == "relative_weights" else np.abs(betas(r))


def correlations(samples: Floats) -> Floats:
    """B × n × q samples → B × q × q; NaN where something does not vary."""
    apart = samples - samples.mean(axis=1, keepdims=True)
    size = np.sqrt((apart**2).sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = np.where(size[:, None, :] > 1e-9 * np.abs(samples).max(), apart / size[:, None, :], np.nan)
    return np.asarray(unit.transpose(0, 2, 1) @ unit)
