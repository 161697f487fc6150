from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Level,
    Method,
    Points,
    Refusal,
    Report,
    Silent,
    Table,
    confidence,
    figure,
    filled,
    flag,
    integer,
    interval,
    level,
    num,
    percent,
    pvalue,
    role,
    text,
)
from hengxi.stats import agreement, many_raters
from hengxi.stats.pairwise_group import kendall
from hengxi.stats.proportions import clopper_pearson

Ints = npt.NDArray[np.int64]

MOST_SAMPLES, MOST_PEOPLE, MOST_CATEGORIES = 2000, 20, 20
GOOD, POOR = 0.75, 0.40
WHY = "测量系统分析里逐人逐类列出的检验"
OWN, STANDARD, BETWEEN, ALL = "检验员自身", "与标准", "检验员之间", "全体与标准"


@dataclass(frozen=True)
class Ratings:
    """`codes`: samples × appraisers × trials; `standard`: of each sample, or None; categories by name."""

    codes: Ints
    standard: Ints | None
    people: list[str]
    names: list[str]

    @property
    def trials(self) -> int:
        return int(self.codes.shape[2])


class AttributeAgreement(Method):
    """Appraisers who judge samples: with themselves, with one another, with the standard."""

    title, title_en = "计数型测量系统分析", "Attribute agreement analysis"
    family, tier = "质量控制", "standard"
    purpose = "检验员之间及与标准的判定是否一致"
    aliases = ("属性一致性", "计数型 MSA", "判定一致性", "漏判率", "误判率", "attribute agreement", "通止规")
    references = ("aiag2010", "fleiss1971", "fleiss1979", "cohen1960", "clopper1934", "kendall1939")
    conventions = (
        "一致：一个样品的各次判定（与标准比较时连同标准）全部相同；区间用 Clopper-Pearson 精确法。",
        "Fleiss κ：检验员自身以各次判定为评价者，检验员之间以全部判定为评价者。",
        "与标准的 κ 是各次判定与标准的 Fleiss κ 的平均。",
        "*Z* 用没有一致时的标准误（Fleiss, Nee & Landis 1979），平均的 κ 用各方差之和的平方根除以次数；*p* 为双侧。",
        "Cohen κ 按 AIAG 手册把各次判定合在一张表里；同一样品的几次判定并不独立，*p* 偏小，只作参考。",
        "有效率为各次都判对的样品比例；漏判率 = 不合格判成合格的次数/不合格样品的判定次数，误判率相反。",
        "AIAG 准则：有效率 ≥ 90%、漏判率 ≤ 2%、误判率 ≤ 5% 可以接受；有效率 ≥ 80%、漏判率 ≤ 5%、误判率 ≤ 10% 为边缘。",
        "Kendall：W 校正了同分；与标准的相关为各次判定与标准的 τ-b 的平均。",
        "各检验员对样品的判定次数要相同，不同的样品不参与计算。",
    )
    row_order = True

    class Input(Form):
        rating: Column = role("判定结果", "定类", levels=(2, MOST_CATEGORIES))
        sample: Column = role("样品", "任意")
        appraiser: Column = role("检验员", "任意")
        standard: Column | None = role("标准判定（选填）", "定类", hint="同一样品的每一行写同样的标准")
        accept: Level | None = level(
            "合格的取值",
            of="rating",
            auto="不算漏判率和误判率",
            when={"standard": filled},
            hint="只有两类时用，区分漏判和误判",
        )
        ordinal: bool = flag("有序等级（Kendall）", False, hint="类别有大小次序时打开")
        conf_level: float = confidence()

    matches = Table(
        "一致率", kind=text("比较"), appraiser=text("检验员"), n=integer("样品数"), matched=integer("一致数"),
        share=percent("一致率"), ci=interval("CI", "low", "high", around="share", format="percent"), merge=("kind",),
        place="main",
    )  # fmt: skip
    effectiveness = Table(
        "有效性", appraiser=text("检验员"), effective=percent("有效率"), miss=percent("漏判率"),
        alarm=percent("误判率"), misses=integer("漏判次数"), alarms=integer("误判次数"), verdict=text("判定"),
        when={"standard": filled}, place="main",
    )  # fmt: skip
    fleiss = Table(
        "Fleiss κ", kind=text("比较"), appraiser=text("检验员"), category=text("类别"), kappa=num("κ"),
        se=num("标准误", least=0), z=num("*Z*"), p=pvalue(), merge=("kind", "appraiser"), claim=Silent(WHY),
        place="main",
    )  # fmt: skip
    cohen = Table(
        "Cohen κ", first=text("甲"), second=text("乙"), n=integer("判定数"), same=percent("相同的比例"), kappa=num("κ"),
        se=num("标准误", least=0), ci=interval("CI", "low", "high", around="kappa"), z=num("*Z*"), p=pvalue(),
        claim=Silent(WHY),
    )  # fmt: skip
    ordered = Table(
        "Kendall 系数", kind=text("比较"), appraiser=text("检验员"), coefficient=text("系数"), value=num("值"),
        chi2=num("*χ*²", least=0), df=integer("*df*"), p=pvalue(), when={"ordinal": True}, claim=Silent(WHY),
    )  # fmt: skip
    bars = Points(
        "一致率区间", label=text("检验员"), share=num("一致率"), low=num("下限"), high=num("上限"), kind=text("比较")
    )
    plot = Chart(
        "一致率与置信区间",
        "interval",
        of=bars,
        x="label",
        y="share",
        low="low",
        high="high",
        group="kind",
        place="main",
    )

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.rating.title}的测量系统分析"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = _ratings(report, form)
        cls._matches(report, form, data)
        overall = cls._fleiss(report, data)
        cls._cohen(report, form, data)
        if data.standard is not None:
            cls._effectiveness(report, form, data)
        if form.ordinal:
            cls._ordered(report, data)
        cls._say(report, form, data, overall)
        return report

    # ---- tables ----------------------------------------------------------------------------------------------------
    @classmethod
    def _matches(cls, report: Report, form: Any, data: Ratings) -> None:
        n = data.codes.shape[0]
        lines: list[tuple[str, str | None, npt.NDArray[np.bool_]]] = []
        own = [(data.codes[:, a] == data.codes[:, a, :1]).all(axis=1) for a in range(len(data.people))]
        if data.trials > 1:
            lines += [(OWN, name, same) for name, same in zip(data.people, own, strict=True)]
        if data.standard is not None:
            right = data.codes == data.standard[:, None, None]
            lines += [(STANDARD, name, right[:, a].all(axis=1)) for a, name in enumerate(data.people)]
        if len(data.people) > 1:
            lines.append((BETWEEN, None, (data.codes == data.codes[:, :1, :1]).all(axis=(1, 2))))
            if data.standard is not None:
                lines.append((ALL, None, right.all(axis=(1, 2))))
        for kind, name, same in lines:
            matched = int(same.sum())
            low, high = clopper_pearson(matched, n, form.conf_level)
            share = matched / n
            report.row(cls.matches, kind=kind, appraiser=name, n=n, matched=matched, share=share, low=low, high=high)
            report.row(cls.bars, label=name or "全体", share=share, low=low, high=high, kind=kind)
        report.chart(cls.plot, titles={"x": form.appraiser.title, "y": "一致率"})

    @classmethod
    def _fleiss(cls, report: Report, data: Ratings) -> dict[str, float | None]:
        """Rows by comparison and category; gives the overall κ of the comparisons of all appraisers."""
        everyone = data.codes.reshape(data.codes.shape[0], -1)
        found: dict[str, float | None] = {}
        if data.trials > 1:
            for a, name in enumerate(data.people):
                cls._kappas(report, data, OWN, name, [data.codes[:, a]])
        if data.standard is not None:
            for a, name in enumerate(data.people):
                pairs = [np.column_stack((one, data.standard)) for one in data.codes[:, a].T]
                found[STANDARD] = cls._kappas(report, data, STANDARD, name, pairs)
        if len(data.people) > 1:
            found[BETWEEN] = cls._kappas(report, data, BETWEEN, None, [everyone])
            if data.standard is not None:
                pairs = [np.column_stack((one, data.standard)) for one in everyone.T]
                found[ALL] = cls._kappas(report, data, ALL, None, pairs)
        return found

    @classmethod
    def _kappas(cls, report: Report, data: Ratings, kind: str, name: str | None, groups: list[Ints]) -> float | None:
        """Means over the groups (one, or each trial with the standard); κ of a group of one category is not defined."""
        rated = [many_raters.patterns(codes, None, len(data.names)) for codes in groups]
        overall = [
            (float(many_raters.coefficient("fleiss", r, r.weights[None, :])[0]), many_raters.fleiss_null(r))
            for r in rated if (r.shares(r.weights[None, :])[0] < 1).all()
        ]  # fmt: skip
        rows: list[tuple[str, list[tuple[float, float]]]] = []
        for j, category in enumerate(data.names) if len(data.names) > 2 else []:
            null = [float(np.sqrt(2 / (r.n * r.raters * (r.raters - 1)))) for r in rated]
            of = [many_raters.by_category(r)[j].kappa for r in rated]
            rows.append((category, [(k, s) for k, s in zip(of, null, strict=True) if k is not None]))
        value = None
        for category, pairs in [*rows, ("整体", overall)]:
            if len(pairs) < len(groups):
                report.row(cls.fleiss, kind=kind, appraiser=name, category=category)
                report.note(cls.fleiss, "全部判成同一类（或没有人判成这一类）时 κ 没有定义，空着。")
                continue
            value = float(np.mean([k for k, _ in pairs]))
            se = float(np.sqrt(np.sum([s**2 for _, s in pairs]))) / len(pairs)
            z = value / se
            report.row(
                cls.fleiss, kind=kind, appraiser=name, category=category, kappa=value, se=se, z=z,
                p=float(2 * stats.norm.sf(abs(z))),
            )  # fmt: skip
        return value if len(overall) == len(groups) else None

    @classmethod
    def _cohen(cls, report: Report, form: Any, data: Ratings) -> None:
        """Two appraisers by sample and trial; each with the standard."""
        k, n = len(data.names), data.codes.shape[0]
        series = [(name, data.codes[:, a].ravel()) for a, name in enumerate(data.people)]
        pairs = list(combinations(series, 2))
        if data.standard is not None:
            pairs += [(one, ("标准", np.repeat(data.standard, data.trials))) for one in series]
        if not pairs:
            report.skip(cls.cohen, "只有 1 名检验员，也没有标准")
            return
        for (first, a), (second, b) in pairs:
            table = np.zeros((k, k))
            np.add.at(table, (a, b), 1)
            found = agreement.kappa(table, agreement.weights("simple", k))
            cells: dict[str, Any] = {"n": n * data.trials, "same": float(np.trace(table)) / (n * data.trials)}
            if found is not None:
                low, high = found.interval(form.conf_level)
                cells |= {"kappa": found.value, "se": found.ase, "low": low, "high": high, "z": found.z, "p": found.p}
            else:
                report.note(cls.cohen, "两边都只用了一类时 κ 没有定义，空着。")
            report.row(cls.cohen, first=first, second=second, **cells)

    @classmethod
    def _effectiveness(cls, report: Report, form: Any, data: Ratings) -> None:
        good = data.names.index(form.accept.label) if form.accept is not None and len(data.names) == 2 else None
        standard = data.standard
        assert standard is not None
        if good is None:
            report.note(cls.effectiveness, "漏判率、误判率要求只有两类判定，并在“合格的取值”里选哪一类是合格。")
        for a, name in enumerate(data.people):
            codes = data.codes[:, a]
            effective = float((codes == standard[:, None]).all(axis=1).mean())
            cells: dict[str, Any] = {}
            if good is not None:
                bad = standard != good
                misses, alarms = int((codes[bad] == good).sum()), int((codes[~bad] != good).sum())
                miss = misses / (bad.sum() * data.trials) if bad.any() else None
                alarm = alarms / ((~bad).sum() * data.trials) if (~bad).any() else None
                cells = {
                    "miss": miss, "alarm": alarm, "misses": misses, "alarms": alarms,
                    "verdict": _verdict(effective, miss or 0.0, alarm or 0.0),
                }  # fmt: skip
            report.row(cls.effectiveness, appraiser=name, effective=effective, **cells)
        if good is None:
            return
        verdicts = [str(row.cells["verdict"]) for row in report.rows_of(cls.effectiveness)]
        k = {word: verdicts.count(word) for word in ("可以接受", "边缘", "不可接受")}
        state: Any = "fail" if k["不可接受"] else "care" if k["边缘"] else "pass"
        report.check(
            "有效性", state,
            "按 AIAG 准则，{good:integer} 名检验员可以接受，{near:integer} 名在边缘，{bad:integer} 名不可接受"
            + ("；先看漏判和误判各是哪些样品，再统一判定标准。" if state != "pass" else "。"),
            good=k["可以接受"], near=k["边缘"], bad=k["不可接受"],
        )  # fmt: skip

    @classmethod
    def _ordered(cls, report: Report, data: Ratings) -> None:
        order = " < ".join(data.names)
        report.note(cls.ordered, "等级的次序：{order}。", order=order)
        scores = data.codes.astype(float)
        n = scores.shape[0]
        sets: list[tuple[str, str | None, Any]] = []
        if data.trials > 1:
            sets += [(OWN, name, scores[:, a].T) for a, name in enumerate(data.people)]
        if len(data.people) > 1:
            sets.append((BETWEEN, None, scores.reshape(n, -1).T))
        for kind, name, raters in sets:
            if all(np.ptp(one) == 0 for one in raters) or n < 2:
                report.row(cls.ordered, kind=kind, appraiser=name, coefficient="W")
                report.note(cls.ordered, "判定没有差别时系数没有定义，空着。")
                continue
            w, chi2, df = kendall(raters)
            report.row(
                cls.ordered, kind=kind, appraiser=name, coefficient="W", value=w, chi2=chi2, df=df,
                p=float(stats.chi2.sf(chi2, df)),
            )  # fmt: skip
        if data.standard is None:
            return
        for a, name in enumerate(data.people):
            found = [float(stats.kendalltau(one, data.standard).statistic) for one in scores[:, a].T]
            defined = bool(np.isfinite(found).all())
            report.row(
                cls.ordered, kind=STANDARD, appraiser=name, coefficient="τ-b",
                value=float(np.mean(found)) if defined else None,
            )  # fmt: skip
            if not defined:
                report.note(cls.ordered, "判定没有差别时系数没有定义，空着。")

    # ---- sentences -------------------------------------------------------------------------------------------------
    @classmethod
    def _say(cls, report: Report, form: Any, data: Ratings, overall: dict[str, float | None]) -> None:
        rows = {str(row.cells["kind"]): row.cells for row in report.rows_of(cls.matches)}
        kind = next(key for key in (ALL, STANDARD, BETWEEN, OWN) if key in rows)
        row, kappa = rows[kind], overall.get(kind)
        words = {
            ALL: "全部检验员的各次判定都与标准相同的样品占 {share:percent1}",
            STANDARD: "检验员的各次判定都与标准相同的样品占 {share:percent1}",
            BETWEEN: "全部检验员的各次判定都相同的样品占 {share:percent1}",
            OWN: "检验员自己前后判定都相同的样品占 {share:percent1}",
        }[kind]
        facts: dict[str, Any] = {} if kappa is None else {"kappa": kappa}
        report.lead(
            words + "（{level:percent} CI {low:percent1} 到 {high:percent1}）"
            + ("。" if kappa is None else "，Fleiss κ = {kappa:num}。"),
            (figure("一致率", "{share:percent1}"),) + (() if kappa is None else (figure("κ", "{kappa:num}"),)),
            share=row["share"], low=row["low"], high=row["high"], level=form.conf_level, **facts,
        )  # fmt: skip
        report.say("一致率受样品难易的影响：容易的样品越多，一致率越高。κ 扣除了碰巧的一致。")
        if kappa is not None:
            state: Any = "pass" if kappa >= GOOD else "care" if kappa >= POOR else "fail"
            report.check(
                "一致性", state, "κ = {kappa:num}，" + (
                    "不小于 0.75，一致性好。" if state == "pass"
                    else "在 0.4 与 0.75 之间，一致性一般，先统一判定标准。" if state == "care"
                    else "小于 0.4，一致性差，判定还不能用。"
                ), kappa=kappa,
            )  # fmt: skip
        n = data.codes.shape[0]
        report.check(
            "样品数", "care" if n < 50 else "pass",
            "{n:integer} 个样品" + ("，少于 50 个，区间宽，漏判率、误判率更不准。" if n < 50 else "，够用。"), n=n,
        )  # fmt: skip


def _ratings(report: Report, form: Any) -> Ratings:
    """Samples × appraisers × trials; samples judged a different number of times by someone are left out and named."""
    names, rating, standard = _categories(form)
    sample, person = np.asarray(form.sample.codes), np.asarray(form.appraiser.codes)
    people, samples = form.appraiser.labels, form.sample.labels
    if len(samples) > MOST_SAMPLES or len(people) > MOST_PEOPLE:
        words = f"最多 {MOST_SAMPLES} 个样品、{MOST_PEOPLE} 名检验员，请核对“样品”和“检验员”是否放反"
        raise Refusal("data.many", words, field="sample", also=["appraiser"], column=form.sample.id)
    counts = np.zeros((len(samples), len(people)), dtype=int)
    np.add.at(counts, (sample, person), 1)
    usual = int(np.bincount(counts[counts > 0]).argmax())
    keep = (counts == usual).all(axis=1)
    if not keep.any():
        words = "没有一个样品被每名检验员判定同样的次数，请核对“样品”和“检验员”"
        raise Refusal("data.unbalanced", words, field="sample", also=["appraiser"], column=form.sample.id)
    if not keep.all():
        first = samples[int(np.flatnonzero(~keep)[0])]
        report.warn(
            "data.unbalanced", "{k:integer} 个样品的判定次数与别处不同（如“{s}”），没有参与计算。",
            k=int((~keep).sum()), s=first,
        )  # fmt: skip
    if usual == 1 and len(people) == 1 and standard is None:
        words = "只有 1 名检验员、每个样品 1 次判定，又没有标准，没有可比较的"
        raise Refusal("data.nothing", words, field="appraiser", also=["standard"], column=form.appraiser.id)
    use = np.flatnonzero(keep[sample])
    report.used(use.size)
    order = use[np.lexsort((use, person[use], sample[use]))]
    codes = rating[order].reshape(int(keep.sum()), len(people), usual)
    if standard is None:
        return Ratings(codes, None, people, names)
    own = standard[order].reshape(int(keep.sum()), -1)
    mixed = np.flatnonzero((own != own[:, :1]).any(axis=1))
    if mixed.size:
        name = [samples[i] for i in np.flatnonzero(keep)][int(mixed[0])]
        raise Refusal(
            "data.standard", "样品“{s}”有多个标准判定，请改成一个", field="standard", column=form.standard.id, s=name
        )
    return Ratings(codes, own[:, 0], people, names)


def _categories(form: Any) -> tuple[list[str], Ints, Ints | None]:
    """Names of the categories, and the ratings and the standard as codes along them."""
    names = list(form.rating.labels)
    if form.standard is None:
        return names, np.asarray(form.rating.codes), None
    known = form.standard.labels
    strange = next((name for name in names if name not in known), None)
    if strange is not None:
        words = "判定中出现标准没有的类别“{g}”，请统一两列的写法"
        raise Refusal("data.category", words, field="rating", also=["standard"], column=form.rating.id, g=strange)
    names += [name for name in known if name not in names]
    if form.ordinal:
        # The standard knows all categories in their order.
        names = list(known)
    place = {name: i for i, name in enumerate(names)}
    rating = np.array([place[name] for name in form.rating.labels])[form.rating.codes]
    standard = np.array([place[name] for name in known])[form.standard.codes]
    return names, rating, standard


def _verdict(effective: float, miss: float, alarm: float) -> str:
    if effective >= 0.9 and miss <= 0.02 and alarm <= 0.05:
        return "可以接受"
    return "边缘" if effective >= 0.8 and miss <= 0.05 and alarm <= 0.10 else "不可接受"
