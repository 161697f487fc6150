"""Best-worst scaling: of the items shown the best and the worst, as counts and as two choices of a logit model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import stats
from scipy.sparse import csgraph

from hengxi.contract import (
    AnswerSet,
    Chart,
    Column,
    Form,
    Method,
    Points,
    Refusal,
    Report,
    Table,
    choice,
    claim,
    confidence,
    figure,
    integer,
    interval,
    num,
    percent,
    pvalue,
    role,
    stat,
    text,
    words,
)
from hengxi.families.choice.fitting import fit_table, fitted, numbered, write_fit
from hengxi.stats.answer_sets import answers
from hengxi.stats.choice_model import ChoiceFit, Choices, Share, shares_with_bounds
from hengxi.stats.moments import Floats
from hengxi.stats.names import sharing

MOST_ITEMS = 100
LOGIT = {"model": ("aggregate_logit", "count_and_logit")}


@dataclass(frozen=True)
class Tasks:
    """`shown`: tasks × items; `best`, `worst`: places of items; `persons`: 0 … g − 1 of each task."""

    items: list[str]
    shown: Any
    best: Any
    worst: Any
    persons: Any

    @property
    def k(self) -> int:
        return len(self.items)

    @cached_property
    def bests(self) -> Any:
        return np.bincount(self.best, minlength=self.k)

    @cached_property
    def worsts(self) -> Any:
        return np.bincount(self.worst, minlength=self.k)

    @cached_property
    def times(self) -> Any:
        return self.shown.sum(axis=0)

    def choices(self, anchor: int) -> Choices:
        """The best out of all shown, then the worst out of the others: a choice with the signs turned."""
        eye = np.delete(np.eye(self.k), anchor, axis=1)
        rows, sizes, chosen, start = [], [], [], 0
        for shown, best, worst in zip(self.shown, self.best, self.worst, strict=True):
            there = np.flatnonzero(shown)
            rest = there[there != best]
            rows += [eye[there], -eye[rest]]
            sizes += [len(there), len(rest)]
            chosen += [start + int(np.flatnonzero(there == best)[0])]
            start += len(there)
            chosen += [start + int(np.flatnonzero(rest == worst)[0])]
            start += len(rest)
        return Choices(np.vstack(rows), np.array(sizes), np.array(chosen), np.repeat(self.persons, 2))

    def individual(self) -> Floats:
        """Persons × items: (best − worst) over how often shown to the person; NaN where never shown."""
        g = int(self.persons.max()) + 1
        score, shown = np.zeros((g, self.k)), np.zeros((g, self.k))
        np.add.at(score, (self.persons, self.best), 1)
        np.add.at(score, (self.persons, self.worst), -1)
        np.add.at(shown, self.persons, self.shown.astype(float))
        return np.divide(score, shown, out=np.full_like(score, np.nan), where=shown > 0)


class Maxdiff(Method):
    title, title_en = "MaxDiff模型", "MaxDiff (best-worst scaling)"
    family, tier = "市场与产品研究", "member"
    slug = "maxdiff"
    purpose = "在多次“最重要/最不重要”选择中，各属性的偏好强度排序如何"
    aliases = ("MaxDiff", "最大差异", "最优最差", "BWS", "最好最差")
    references = ("finn1992", "marley2005", "louviere2015", "mcfadden1974")
    conventions = (
        "标准化 B−W =（最好次数 − 最差次数）÷ 展示次数，−1 到 1；√(B/W) 是最好与最差次数之比的平方根。",
        "Logit 把一次任务当作两次选择：先从全部展示项里选最好，再从其余项里选最差（效用取负）。",
        "没有指定基准项时，效用减去全部项的平均；指定时减去基准项。份额由效用的指数得到，合计 100%。",
        "标准误按受访者聚类；份额的区间在 logit 尺度上由 delta 法得到。",
    )
    missing = "keep"
    reads_names = True

    class Input(Form):
        respondent: Column = role("受访者编号", "任意", use="id")
        task: Column = role("任务号", "任意", use="label")
        shown: list[Column] = role("展示项（多列，或一列分隔文本）", "定类", min=1, max=20)
        best: Column = role("最好", "定类")
        worst: Column = role("最差", "定类")
        delimiter: str = words("分隔符", "┋", kind="delimiter", hint="展示项在一列里时用")
        model: str = choice(
            "模型", {"count_and_logit": "计数与 Logit", "count": "只计数", "aggregate_logit": "只 Logit"}
        )  # fmt: skip
        anchor_item: str | None = words("基准项", hint="效用与它比；不填时与平均比")
        conf_level: float = confidence()

    counts = Table(
        "计数表", item=text("属性"), shown=integer("展示次数"), best=integer("最好次数"), worst=integer("最差次数"),
        gap=integer("B−W", fractions=True), score=num("标准化 B−W", least=-1, most=1, decimals=3), ratio=num("√(B/W)"),
        when={"model": ("count", "count_and_logit")}, place="main",
    )  # fmt: skip
    logit = Table(
        "Logit 表", standing=integer("排名"), item=text("属性"), utility=num("效用"),
        se=num("标准误", least=0, around="utility"), z=num("*z*"), p=pvalue(), share=percent("份额"),
        ci=interval("份额的CI", "low", "high", around="share", format="percent"), when=LOGIT, place="main",
        claim=claim("named", stat("*z*", "z"), effect="utility", names=("item",)),
    )  # fmt: skip
    bars = Chart(
        "偏好份额", "interval", of=logit, x="item", y="share", low="low", high="high", when=LOGIT, place="main"
    )
    scores = Points("计数得分", item=text("属性"), score=num("标准化 B−W"))
    score_bars = Chart("标准化 B−W", "bar", of=scores, x="item", y="score", when={"model": "count"})
    persons = Table(
        "个体得分", item=text("属性"), n=integer("人数"), mean=num("均值"), sd=num("标准差", least=0),
        min=num("最小"), q1=num("Q1"), median=num("中位数"), q3=num("Q3"), max=num("最大"),
    )  # fmt: skip
    spread = Chart(
        "个体得分的分布", "box", of=persons, x="item", min="min", q1="q1", median="median", q3="q3", max="max"
    )  # fmt: skip
    fit = fit_table(when=LOGIT)
    design = Table(
        "设计诊断", layout="record", tasks=integer("任务数"), items=integer("属性数"), size=num("每次展示", least=0),
        least=integer("出现最少"), most=integer("出现最多"), together=integer("两两共现最少"),
        together_most=integer("两两共现最多"),
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        tasks = cls._read(report, form)
        together = tasks.shown.T.astype(float) @ tasks.shown
        cls._judge(report, tasks, together)
        cls._count(report, form, tasks)
        if form.model == "count":
            cls._count_words(report, tasks)
            return report
        anchor = cls._anchor(form, tasks)
        at = 0 if anchor is None else anchor
        names = [f"{one}" for i, one in enumerate(tasks.items) if i != at]
        fit = fitted(tasks.choices(at), names, "shown")
        shares = cls._logit(report, form, tasks, fit, at, anchor is not None)
        write_fit(report, cls.fit, fit)
        cls._words(report, form, tasks, shares)
        return report

    # ---- reading ---------------------------------------------------------------------------------------------------
    @classmethod
    def _read(cls, report: Report, form: Any) -> Tasks:
        items, shown = cls._shown(form)
        if len(items) > MOST_ITEMS or len(items) < 3:
            raise Refusal(
                "data.items", "属性要有 3 到 {most} 个，现有 {k} 个；请核对展示项或分隔符", field="shown",
                also=["delimiter"],
                k=len(items), most=MOST_ITEMS,
            )  # fmt: skip
        kept = (form.best.codes >= 0) & (form.worst.codes >= 0) & ~form.respondent.missing & (shown.sum(axis=0) > 1)
        rows = np.flatnonzero(kept)
        if rows.size == 0:
            raise Refusal(
                "data.empty", "没有一行同时有展示项、最好和最差，请核对放入的列", field="shown", also=["best", "worst"]
            )
        numbers = form.best.row_numbers[rows]
        places = []
        for column in (form.best, form.worst):
            known = {name: i for i, name in enumerate(items)}
            codes = np.array([known.get(str(one.label), known.get(str(one.value), -1)) for one in column.levels])
            chosen = codes[column.codes[rows]]
            there = (chosen >= 0) & shown[np.maximum(chosen, 0), rows]
            if not there.all():
                bad = int(np.flatnonzero(~there)[0])
                raise Refusal(
                    "data.not_shown", "第 {at} 行（任务 {t}）选择了未展示的属性“{v}”，请核对数据",
                    field="best" if column is form.best else "worst",
                    also=["shown"], at=int(numbers[bad]), t=_task(form, rows[bad]),
                    v=column.levels[int(column.codes[rows[bad]])].label,
                )  # fmt: skip
            places.append(chosen)
        same = places[0] == places[1]
        if same.any():
            bad = int(np.flatnonzero(same)[0])
            raise Refusal(
                "data.same", "第 {at} 行（任务 {t}）的最好与最差相同，请核对数据", field="worst", also=["best"],
                at=int(numbers[bad]),
                t=_task(form, rows[bad]),
            )  # fmt: skip
        report.used(rows.size)
        persons = np.unique(numbered(form.respondent)[rows], return_inverse=True)[1]
        return Tasks(items, shown[:, rows].T, places[0], places[1], persons)

    @staticmethod
    def _shown(form: Any) -> tuple[list[str], Any]:
        """Items, and items × rows."""
        if len(form.shown) > 1:
            found = answers(AnswerSet("", "展示项", form.shown, None), "展示项")
            return found.options, found.chosen
        column = form.shown[0]
        parts = [{p.strip() for p in str(one.value).split(form.delimiter) if p.strip()} for one in column.levels]
        items = sorted(set().union(*parts)) if parts else []
        table = np.array([[item in held for held in parts] + [False] for item in items])
        return items, table[:, column.codes] if items else table

    @staticmethod
    def _judge(report: Report, tasks: Tasks, together: Floats) -> None:
        """Items are compared only along tasks that show them together."""
        groups = csgraph.connected_components(together > 0, directed=False)[1]
        never = np.flatnonzero(tasks.times == 0)
        apart = never if never.size else np.flatnonzero(groups != np.bincount(groups).argmax())
        if apart.size:
            raise Refusal(
                "data.apart", "属性“{v}”与其余属性不连通（没有一起展示过），效用不可比；请移出它的任务", field="shown",
                v=tasks.items[int(apart[0])],
            )  # fmt: skip
        pairs = together[np.triu_indices(tasks.k, 1)]
        report.row(
            Maxdiff.design, tasks=len(tasks.best), items=tasks.k, size=float(tasks.shown.sum() / len(tasks.best)),
            least=int(tasks.times.min()), most=int(tasks.times.max()), together=int(pairs.min()),
            together_most=int(pairs.max()),
        )  # fmt: skip
        uneven = tasks.times.max() > 1.5 * tasks.times.min()
        report.check(
            "展示是否均衡", "care" if uneven else "pass",
            "“{v}”只展示了 {least:integer} 次，最多的有 {most:integer} 次；计数得分受影响，看 Logit 更稳妥。" if uneven
            else "各属性展示的次数相近（{least:integer} 到 {most:integer} 次）。",
            v=tasks.items[int(tasks.times.argmin())], least=int(tasks.times.min()), most=int(tasks.times.max()),
        )  # fmt: skip

    @staticmethod
    def _anchor(form: Any, tasks: Tasks) -> int | None:
        wanted = (form.anchor_item or "").strip()
        if not wanted:
            return None
        if wanted not in tasks.items:
            listed = "".join(f"“{one}”" for one in tasks.items[:8])
            raise Refusal(
                "data.anchor", "没有叫“{v}”的属性，请从这些里选：{listed}", field="anchor_item", v=wanted, listed=listed
            )
        return tasks.items.index(wanted)

    # ---- tables ----------------------------------------------------------------------------------------------------
    @classmethod
    def _count(cls, report: Report, form: Any, tasks: Tasks) -> None:
        scores = (tasks.bests - tasks.worsts) / tasks.times
        own = tasks.individual()
        for i in np.argsort(-scores, kind="stable"):
            b, w = int(tasks.bests[i]), int(tasks.worsts[i])
            if form.model != "aggregate_logit":
                report.row(
                    cls.counts, item=tasks.items[i], shown=int(tasks.times[i]), best=b, worst=w, gap=b - w,
                    score=float(scores[i]), ratio=float(np.sqrt(b / w)) if w else None,
                )  # fmt: skip
            report.row(cls.scores, item=tasks.items[i], score=float(scores[i]))
            values = own[:, i][~np.isnan(own[:, i])]
            q1, median, q3 = np.quantile(values, [0.25, 0.5, 0.75])
            report.row(
                cls.persons, item=tasks.items[i], n=values.size, mean=float(values.mean()),
                sd=float(values.std(ddof=1)) if values.size > 1 else None, min=float(values.min()), q1=float(q1),
                median=float(median), q3=float(q3), max=float(values.max()),
            )  # fmt: skip
        report.note(
            cls.persons, "每位受访者的标准化 B−W。一个人只见过几次，个体得分粗略，只看分布。四分位数按第 7 类。"
        )
        if form.model != "aggregate_logit" and (tasks.worsts == 0).any():
            report.note(cls.counts, "从没有被选为最差的属性没有 √(B/W)。")

    @classmethod
    def _logit(
        cls, report: Report, form: Any, tasks: Tasks, fit: ChoiceFit, anchor: int, anchored: bool
    ) -> list[Share]:  # fmt: skip
        design = np.delete(np.eye(tasks.k), anchor, axis=1)
        shares = shares_with_bounds(design, fit.beta, fit.covariance, form.conf_level)
        shown = design if anchored else design - design.mean(axis=0)
        utility = shown @ fit.beta
        se = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", shown, fit.covariance, shown), 0))
        order = sorted(range(tasks.k), key=lambda i: -shares[i].value)
        for rank, i in enumerate(order, 1):
            is_anchor = anchored and i == anchor
            z = None if is_anchor else utility[i] / se[i]
            report.row(
                cls.logit, standing=rank, item=tasks.items[i], utility=utility[i], se=None if is_anchor else se[i], z=z,
                p=None if z is None else float(2 * stats.norm.sf(abs(z))), share=shares[i].value, low=shares[i].low,
                high=shares[i].high,
            )  # fmt: skip
        report.note(
            cls.logit, "效用与{v:text}比；份额是只有这些属性时被选为最好的概率。CI 的置信水平为 {level:percent}。",
            v=f"“{tasks.items[anchor]}”" if anchored else "全部属性的平均", level=form.conf_level,
        )  # fmt: skip
        return shares

    # ---- words -----------------------------------------------------------------------------------------------------
    @classmethod
    def _count_words(cls, report: Report, tasks: Tasks) -> None:
        scores = ((tasks.bests - tasks.worsts) / tasks.times).tolist()
        facts: dict[str, Any] = {
            "a": sharing(tasks.items, scores, max(scores)), "b": sharing(tasks.items, scores, min(scores)),
            "sa": max(scores), "sb": min(scores),
        }  # fmt: skip
        main = "最受重视的是“{a}”（标准化 B−W {sa:num}），最不受重视的是“{b}”（{sb:num}）。"
        report.lead(main, [figure("最受重视", "{a:text}", "{sa:num}")], **facts)
        report.say(main + "得分大于 0，被选为最好的次数比最差的多。", **facts)

    @classmethod
    def _words(cls, report: Report, form: Any, tasks: Tasks, shares: list[Share]) -> None:
        order = sorted(range(tasks.k), key=lambda i: -shares[i].value)
        first, second, last = order[0], order[1], order[-1]
        facts: dict[str, Any] = {
            "a": tasks.items[first], "sa": shares[first].value, "low": shares[first].low, "high": shares[first].high,
            "b": tasks.items[last], "sb": shares[last].value, "c": tasks.items[second], "sc": shares[second].value,
            "n": len(tasks.best), "m": int(tasks.persons.max()) + 1, "level": form.conf_level,
        }  # fmt: skip
        main = "最受重视的是“{a}”，份额 {sa:percent1}（{level:percent} CI {low:percent1} 到 {high:percent1}）；"
        main += "其次是“{c}”（{sc:percent1}），最后是“{b}”（{sb:percent1}）。"
        report.lead(
            main,
            [figure("最受重视", "{a:text}", "{sa:percent1}"), figure("任务", "{n:integer} 次", "{m:integer} 位受访者")],
            **facts,
        )  # fmt: skip
        report.say(
            "份额合计 100%，20% 是 10% 的两倍重视。份额只在这些属性之间比：换一批属性，份额就变。"
            "区间重叠的两个属性，先后不一定可靠。", voice="student",
        )  # fmt: skip
        report.say(
            "{m:integer} 人共 {n:integer} 次任务，条件 Logit，标准误按受访者聚类。" + main, voice="paper", **facts
        )
        report.say(main, voice="brief", **facts)


def _task(form: Any, row: int) -> str:
    cell = form.task.cell(int(row))
    return "" if cell is None else f"{cell:.10g}" if isinstance(cell, float) else str(cell)
