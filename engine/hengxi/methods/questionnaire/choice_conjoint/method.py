"""Choice-based conjoint: products out of sets, as part-worths of a conditional logit with errors by respondent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Case,
    Chart,
    Column,
    Form,
    Matrix,
    Method,
    Refusal,
    Report,
    Table,
    cases,
    claim,
    confidence,
    figure,
    filled,
    flag,
    integer,
    interval,
    num,
    percent,
    pvalue,
    resamples,
    role,
    stat,
    text,
)
from hengxi.families.choice.attributes import Attribute, attributes_of, design_of, importances, profile
from hengxi.families.choice.fitting import fit_table, fitted, numbered, write_fit
from hengxi.stats.choice_model import ChoiceFit, Choices, fit_choices, probabilities, shares_with_bounds
from hengxi.stats.count_table import happened
from hengxi.stats.moments import Floats

NONE = "都不选"


@dataclass(frozen=True)
class Study:
    attributes: list[Attribute]
    x: Floats
    sizes: Any
    chosen: Any
    persons: Any
    last: Any
    """Is the task the last of its person?"""
    none: bool

    @property
    def names(self) -> list[str]:
        found = [name for one in self.attributes for name in one.names]
        return [*found, NONE] if self.none else found

    def choices(self) -> Choices:
        return Choices(self.x, self.sizes, self.chosen, self.persons)

    def part(self, tasks: Any) -> Choices:
        """Some of the tasks; chosen rows counted anew."""
        rows = np.repeat(tasks, self.sizes)
        starts = np.concatenate(([0], np.cumsum(self.sizes)[:-1]))
        sizes = self.sizes[tasks]
        begin = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        return Choices(self.x[rows], sizes, begin + (self.chosen - starts)[tasks])


class ChoiceConjoint(Method):
    title, title_en = "选择型联合分析CBC", "Choice-based conjoint"
    family, tier = "市场与产品研究", "member"
    slug = "choice-conjoint"
    purpose = "在模拟购买的多次选择中，各属性水平的效用、支付意愿和市场份额是多少"
    aliases = ("CBC", "选择型联合分析", "离散选择", "DCE", "支付意愿", "WTP", "联合分析")
    references = ("mcfadden1974", "louviere1983", "train2009", "krinsky1986")
    conventions = (
        "条件 Logit 由 Newton 法求最大似然；标准误按受访者聚类（三明治），不乘小样本校正。",
        "属性用效应编码：各水平的效用合计为 0；价格属性按数值进入，效用随价格直线变化。",
        "重要性 = 属性内效用的极差 ÷ 各属性极差之和；区间由系数的正态分布抽样得到（Krinsky 和 Robb）。",
        "支付意愿 = 水平与该属性第一个水平的效用差 ÷ 负的价格系数；区间用 delta 法。",
        "留出命中率：用每人最后一个任务以外的任务估计，预测最后一个任务。",
    )
    missing = "keep"
    random = True

    class Input(Form):
        respondent: Column = role("受访者编号", "任意", use="id")
        task: Column = role("任务号", "任意")
        alternative: Column = role("选项号", "任意", use="label")
        attributes: list[Column] = role("属性", "任意", min=2, max=20)
        price_attr: Column | None = role("价格属性（选填）", "定量", min=0, hint="按数值计算支付意愿和弹性")
        choice: Column = role("是否选中（0/1）", "定类", levels=(2, 2))
        none_option: bool = flag("含“都不选”", False, hint="全部属性都空着的一行是都不选")
        scenario: list[Case] = cases("市场情景", of=("attributes", "price_attr"), hint="一行一个产品，看模拟的份额")
        n_resamples: int = resamples(2000, 500, 20_000)
        conf_level: float = confidence()

    worths = Table(
        "效用表", attribute=text("属性"), level=text("水平"), utility=num("效用"),
        se=num("标准误", least=0, around="utility"), z=num("*z*"), p=pvalue(),
        ci=interval("CI", "low", "high", around="utility"), merge=("attribute",), place="main",
        claim=claim("named", stat("*z*", "z"), effect="utility", names=("attribute", "level")),
    )  # fmt: skip
    worth_plot = Chart(
        "效用图", "interval", of=worths, x="level", y="utility", low="low", high="high", facet="attribute"
    )
    importance = Table(
        "重要性表", attribute=text("属性"), share=percent("重要性"),
        ci=interval("CI", "low", "high", format="percent", inside=False), place="main",
    )  # fmt: skip
    bars = Chart(
        "属性重要性", "interval", of=importance, x="attribute", y="share", low="low", high="high", place="main"
    )
    wtp = Table(
        "支付意愿（WTP）", attribute=text("属性"), level=text("水平"), versus=text("相对于"), value=num("支付意愿"),
        se=num("标准误", least=0, around="value"), ci=interval("CI", "low", "high", around="value"),
        merge=("attribute",),
        when={"price_attr": filled}, place="main",
    )  # fmt: skip
    wtp_plot = Chart(
        "支付意愿图", "interval", of=wtp, x="level", y="value", low="low", high="high", when={"price_attr": filled}
    )  # fmt: skip
    fit = fit_table()
    holdout = Table(
        "留出任务", layout="record", tasks=integer("预测的任务"), hits=percent("命中率"), chance=percent("随机命中率"),
    )  # fmt: skip
    simulated = Table(
        "市场模拟", product=text("产品"), share=percent("份额"), se=num("标准误", least=0),
        ci=interval("CI", "low", "high", around="share", format="percent"), when={"scenario": filled}, place="main",
    )  # fmt: skip
    simulated_bar = Chart(
        "模拟份额", "interval", of=simulated, x="product", y="share", low="low", high="high", when={"scenario": filled}
    )  # fmt: skip
    elasticities = Table("价格弹性", layout=Matrix(e=num("弹性")), when={"scenario": filled, "price_attr": filled})

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        study = cls._read(report, form)
        cls._judge(study)
        fit = fitted(study.choices(), study.names, "attributes")
        top = cls._worths(report, form, study, fit)
        shares = cls._importance(report, form, study, fit)
        cls._wtp(report, form, study, fit)
        write_fit(report, cls.fit, fit)
        cls._holdout(report, study)
        cls._simulate(report, form, study, fit)
        cls._words(report, form, study, fit, shares, top)
        return report

    # ---- reading ---------------------------------------------------------------------------------------------------
    @classmethod
    def _read(cls, report: Report, form: Any) -> Study:
        columns = [*form.attributes, *([form.price_attr] if form.price_attr is not None else [])]
        gaps = np.array([column.missing for column in columns])
        none: Any = gaps.all(axis=0) if form.none_option else np.zeros(gaps.shape[1], dtype=bool)
        known = ~form.respondent.missing & ~form.task.missing & (form.choice.codes >= 0)
        whole = known & (none | ~gaps.any(axis=0))
        persons, tasks = numbered(form.respondent), numbered(form.task)
        set_of = np.unique(persons.astype(np.int64) * (int(tasks.max()) + 1) + tasks, return_inverse=True)[1]
        # A task with a gap in any of its rows is left out: its choice set is not known.
        broken = np.zeros(int(set_of.max()) + 1, dtype=bool)
        broken[set_of[~whole]] = True
        rows = np.flatnonzero(~broken[set_of])
        if (broken).any():
            report.warn("data.gaps", "有 {n:integer} 个任务的属性或选择有缺失，整个任务不用。", n=int(broken.sum()))
        if rows.size == 0:
            raise Refusal("data.empty", "没有完整的任务，请核对属性和选择", field="attributes", also=["choice"])
        rows = rows[np.argsort(set_of[rows], kind="stable")]
        ids, sizes = np.unique(set_of[rows], return_counts=True)
        yes = form.choice.levels[happened(form.choice.levels)]
        chosen = np.flatnonzero(form.choice.codes[rows] == yes.code)
        starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        place = np.repeat(np.arange(len(ids)), sizes)
        count = np.bincount(place[chosen], minlength=len(ids))
        if (count != 1).any() or (sizes < 2).any():
            bad = int(np.flatnonzero((count != 1) | (sizes < 2))[0])
            at = rows[starts[bad]]
            raise Refusal(
                "data.chosen", "受访者 {i} 任务 {j} 有 {s} 个选项，选中了 {n} 个；"
                "每个任务要有 2 个以上选项，正好选中一个",
                field="choice", also=["task"], i=_word(form.respondent, at), j=_word(form.task, at), s=int(sizes[bad]),
                n=int(count[bad]),
            )  # fmt: skip
        attributes = attributes_of(form.attributes, form.price_attr, True, rows[~none[rows]])
        x = design_of(attributes, rows, none[rows])
        if form.none_option:
            x = np.column_stack([x, none[rows].astype(float)])
        report.used(rows.size)
        who = np.unique(persons[rows][starts], return_inverse=True)[1]
        task_of = tasks[rows][starts]
        latest = np.zeros(int(who.max()) + 1)
        np.maximum.at(latest, who, task_of)
        return Study(attributes, x, sizes, chosen, who, task_of == latest[who], bool(form.none_option))

    @staticmethod
    def _judge(study: Study) -> None:
        within = study.choices().within
        for one in study.attributes:
            if np.abs(within[:, one.first : one.first + one.width]).max() < 1e-9:
                raise Refusal(
                    "data.same", "属性“{v}”在同一任务内没有差异，无法估计；请移去它", field="attributes",
                    column=one.column.id, v=one.name,
                )  # fmt: skip
        if study.none and not study.x[:, -1].any():
            raise Refusal("data.none", "没有一行的属性全部空着，找不到“都不选”；请关闭“含都不选”", field="none_option")

    # ---- tables ----------------------------------------------------------------------------------------------------
    @classmethod
    def _worths(cls, report: Report, form: Any, study: Study, fit: ChoiceFit) -> dict[str, str]:
        """The best level of each attribute."""
        k, reach = len(fit.beta), float(stats.norm.isf((1 - form.conf_level) / 2))
        top: dict[str, str] = {}

        def row(attribute: str, level: str, contrast: Floats) -> float:
            value = float(contrast @ fit.beta)
            se = float(np.sqrt(contrast @ fit.covariance @ contrast))
            report.row(
                cls.worths, attribute=attribute, level=level, utility=value, se=se, z=value / se,
                p=float(2 * stats.norm.sf(abs(value / se))), low=value - reach * se, high=value + reach * se,
            )  # fmt: skip
            return value

        for one in study.attributes:
            if one.is_number:
                row(one.name, "每增加 1", np.eye(k)[one.first])
                continue
            values = [row(one.name, word, c) for word, c in zip(one.words, one.contrast(k), strict=True)]
            top[one.name] = one.words[int(np.argmax(values))]
        if study.none:
            row(NONE, NONE, np.eye(k)[-1])
        report.note(
            cls.worths, "同一属性各水平的效用合计为 0；*p* 检验这个水平是否等于平均。"
            "标准误按受访者聚类，CI 的置信水平为 {level:percent}。",
            level=form.conf_level,
        )  # fmt: skip
        return top

    @classmethod
    def _importance(cls, report: Report, form: Any, study: Study, fit: ChoiceFit) -> list[tuple[str, float]]:
        own = importances(study.attributes, fit.beta)
        root = np.linalg.cholesky(fit.covariance + 1e-14 * np.trace(fit.covariance) * np.eye(len(fit.beta)))
        drawn = fit.beta + form.rng.standard_normal((form.n_resamples, len(fit.beta))) @ root.T
        tail = (1 - form.conf_level) / 2
        low, high = np.quantile(importances(study.attributes, drawn), [tail, 1 - tail], axis=0)
        order = np.argsort(-own, kind="stable")
        for i in order:
            report.row(
                cls.importance, attribute=study.attributes[i].name, share=float(own[i]), low=float(low[i]),
                high=float(high[i]),
            )  # fmt: skip
        report.note(cls.importance, "重要性取决于所问的水平：水平之间差得越大，属性越“重要”。")
        return [(study.attributes[i].name, float(own[i])) for i in order]

    @classmethod
    def _wtp(cls, report: Report, form: Any, study: Study, fit: ChoiceFit) -> None:
        price = next((one for one in study.attributes if one.is_number), None)
        if price is None:
            return
        slope = float(fit.beta[price.first])
        reach = float(stats.norm.isf((1 - form.conf_level) / 2))
        for one in study.attributes:
            if one.is_number:
                continue
            contrast = one.contrast(len(fit.beta))
            for word, line in zip(one.words[1:], contrast[1:] - contrast[0], strict=True):
                value = -float(line @ fit.beta) / slope
                gradient = -line / slope
                gradient[price.first] += float(line @ fit.beta) / slope**2
                se = float(np.sqrt(gradient @ fit.covariance @ gradient))
                report.row(
                    cls.wtp, attribute=one.name, level=word, versus=one.words[0], value=value, se=se,
                    low=value - reach * se, high=value + reach * se,
                )  # fmt: skip
        report.note(cls.wtp, "单位与“{v}”相同：为了这个水平而不是“相对于”的水平，愿意多付多少。", v=price.name)
        report.check(
            "价格系数的方向", "pass" if slope < 0 else "care",
            "价格系数是负的，越贵选的人越少。" if slope < 0 else "价格系数不是负的：越贵选的人越多，支付意愿不可用。",
        )  # fmt: skip

    @classmethod
    def _holdout(cls, report: Report, study: Study) -> None:
        train, test = study.part(~study.last), study.part(study.last)
        if train.sizes.size == 0 or train.unidentified():
            report.skip(cls.holdout, "每人的任务太少，留不出最后一个")
            return
        fit = fit_choices(train)
        if fit.separated:
            report.skip(cls.holdout, "除去最后一个任务后模型没有有限的估计")
            return
        p = probabilities(test, fit.beta)
        top = np.repeat(np.maximum.reduceat(p, test.starts), test.sizes)
        best = p >= top * (1 - 1e-12)
        hits = float(np.mean(best[test.chosen] / np.add.reduceat(best.astype(float), test.starts)))
        report.row(cls.holdout, tasks=test.sizes.size, hits=hits, chance=float(np.mean(1 / test.sizes)))

    @classmethod
    def _simulate(cls, report: Report, form: Any, study: Study, fit: ChoiceFit) -> None:
        if not form.scenario:
            return
        k = len(fit.beta)
        x = [profile(study.attributes, case, k, "scenario") for case in form.scenario]
        names = [f"产品{i}" for i in range(1, len(x) + 1)]
        if study.none:
            x.append(np.eye(k)[-1])
            names.append(NONE)
        if len(x) < 2:
            text = "市场情景至少要两个产品，或打开“含都不选”"
            raise Refusal("data.scenario", text, field="scenario", also=["none_option"])
        found = shares_with_bounds(np.array(x), fit.beta, fit.covariance, form.conf_level)
        for name, one in zip(names, found, strict=True):
            report.row(cls.simulated, product=name, share=one.value, se=one.se, low=one.low, high=one.high)
        report.note(
            cls.simulated,
            "份额是这几个产品摆在一起时的选择比例，不是市场份额；产品之间按原来的比例让出份额（IIA）。",
        )
        price = next((one for one in study.attributes if one.is_number), None)
        if price is None:
            return
        slope, count = float(fit.beta[price.first]), len(form.scenario)
        for i in range(count):
            for j in range(count):
                own = 1 - found[i].value if i == j else -found[j].value
                report.row(
                    cls.elasticities, item=names[i], against=names[j], e=slope * float(x[j][price.first]) * own
                )  # fmt: skip
        report.note(cls.elasticities, "行是产品，列是涨价的产品：列的价格涨 1%，行的份额变百分之几。")

    # ---- words -----------------------------------------------------------------------------------------------------
    @classmethod
    def _words(
        cls, report: Report, form: Any, study: Study, fit: ChoiceFit, shares: list[tuple[str, float]],
        top: dict[str, str],
    ) -> None:  # fmt: skip
        (first, share), (second, other) = shares[:2]
        facts: dict[str, Any] = {
            "a": first, "sa": share, "b": second, "sb": other, "n": fit.n, "m": int(study.persons.max()) + 1,
            "r2": fit.mcfadden, "best": "、".join(f"{name}“{word}”" for name, word in list(top.items())[:6]),
        }  # fmt: skip
        main = "最影响选择的属性是“{a}”（重要性 {sa:percent1}），其次是“{b}”（{sb:percent1}）。"
        main += "最受欢迎的水平：{best:text}。"
        report.lead(
            main,
            [
                figure("最重要的属性", "{a:text}", "{sa:percent1}"),
                figure("选择", "{n:integer} 次", "{m:integer} 位受访者"),
            ],
            **facts,
        )
        report.say(
            "效用越高，这个水平越受欢迎；只有同一属性内的差有意义。重要性是属性的水平能让效用变动多大。"
            "支付意愿把效用换成钱。", voice="student",
        )  # fmt: skip
        report.say(
            "{m:integer} 人共 {n:integer} 次选择，条件 Logit（标准误按受访者聚类），McFadden *R*² = {r2:num3}。" + main,
            voice="paper", **facts,
        )  # fmt: skip
        report.say(main, voice="brief", **facts)


def _word(column: Column, row: int) -> str:
    cell = column.cell(int(row))
    return f"{cell:.10g}" if isinstance(cell, float) else str(cell)
