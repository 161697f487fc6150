"""ROC curves: how well numbers tell two states apart, and where to cut."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Diagonal,
    Form,
    Level,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    Visualization,
    choice,
    claim,
    confidence,
    figure,
    filled,
    flag,
    integer,
    interval,
    level,
    num,
    number,
    percent,
    pvalue,
    resamples,
    role,
    stat,
    text,
)
from hengxi.families.diagnosis.roc import Curve, Marker, Measures, binormal, covariance, measures, resampled
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, titles, unique
from hengxi.stats.proportions import wilson

CUTOFFS = {"youden": "约登指数", "closest": "距左上角最近", "cost": "代价加权", "sens_fixed": "固定灵敏度"}
BETTER = {"auto": "自动", "higher": "值大为阳性", "lower": "值小为阳性"}
YES = ("是", "有", "阳性", "1", "患病", "病例", "发生")
DRAWN = 300
GROUPED: dict[str, Any] = {"group": filled}
PART: dict[str, Any] = {"partial": filled}


class RocCurve(Visualization):
    title, title_en = "ROC曲线", "ROC curve"
    family, tier = "可视化模型", "standard"
    slug = "roc-curve"
    purpose = "指标或模型区分两类的能力如何，最佳截断值是多少"
    aliases = ("ROC", "AUC", "受试者工作特征", "截断值", "约登指数", "灵敏度", "特异度", "DeLong")
    references = ("delong1988", "hanley1982", "mcclish1989", "youden1950", "simel1991", "swets1988", "wilson1927")
    conventions = (
        "AUC 按 Mann-Whitney 计算，同值算一半。",
        "DeLong、Hanley-McNeil 区间为正态近似，截到 0–1；自助法在阳性、阴性中各自抽样，取百分位。",
        "H₀：AUC = 0.5，z = (AUC − 0.5)/标准误，双侧。",
        "截断值取相邻两个值的中点；值大为阳性时，不低于截断值判为阳性。",
        "同样好的截断值取灵敏度最高的一个。",
        "代价加权取 灵敏度 + (1 − π)/(r π) × 特异度 最大，π 为阳性占比，r 为漏诊与误诊的代价之比。",
        "比例的 CI 用 Wilson 法，似然比用对数法；PPV、NPV 按样本中的阳性占比。",
        "部分 AUC 从误诊率 0 到上限；标准化的部分 AUC 用 McClish 法，0.5 相当于随机。",
        "平滑：双正态，由 Φ⁻¹(灵敏度) 对 Φ⁻¹(误诊率) 的最小二乘直线。",
        "平均精确率为各点精确率按召回率增量的加权和。",
    )
    random = True
    reads_names = True

    class Input(Form):
        state: Column = role("状态变量（真实类别）", "定类", levels=(2, 20))
        tests: list[Column] = role("检验变量（指标或预测概率）", "定量", min=1, max=20)
        group: Column | None = role("分组变量（选填）", "定类", min=0, levels=(2, 12))
        positive: Level | None = level(
            "阳性类别", of="state", auto="两类时取“是”“有”“阳性”“1”，都没有时取后一类；多于两类时必选"
        )  # fmt: skip
        direction: str = choice("方向", BETTER, hint="自动：按两组中位数的高低")
        ci_method: str = choice("AUC 的区间", {"delong": "DeLong", "hanley": "Hanley-McNeil", "bootstrap": "自助法"})
        n_resamples: int = resamples(1000, 200, 5000, when={"ci_method": "bootstrap"})
        compare: bool = flag("AUC 两两比较（DeLong）", True)
        cutoff: str = choice("最佳截断准则", CUTOFFS)
        fixed: float = number("固定的灵敏度", 0.9, least=0.5, most=1, percent=True, when={"cutoff": "sens_fixed"})
        cost: float = number(
            "漏诊与误诊的代价之比", 1, above=0, hint="漏诊一例相当于误诊几例", when={"cutoff": "cost"}
        )  # fmt: skip
        prevalence: float | None = number(
            "阳性占比", None, above=0, below=1, percent=True, auto="样本中的占比", when={"cutoff": "cost"}
        )  # fmt: skip
        smooth: bool = flag("平滑 ROC（双正态）", False)
        partial: float | None = number("部分 AUC 的误诊率上限", None, least=0.01, below=1, auto="不算部分 AUC")
        pr_curve: bool = flag("同时绘制 PR 曲线", True)
        conf_level: float = confidence()

    points = Points("曲线", name=text("变量"), false=num("1 − 特异度"), true=num("灵敏度"), low=num("l"), high=num("h"))
    plot = Chart(
        "ROC 曲线", "line", of=points, x="false", y="true", series="name", low="low", high="high", place="main"
    )
    aucs = Table(
        "AUC", name=text("检验变量"), auc=num("AUC", least=0, most=1, decimals=3),
        se=num("标准误", least=0, around="auc"), z=num("*z*"), p=pvalue(),
        ci=interval("AUC 的CI", "low", "high", around="auc"), gini=num("Gini", least=-1, most=1, decimals=3),
        partial=num("部分 AUC", least=0, decimals=4, when=PART),
        standard=num("标准化的部分 AUC", decimals=3, when=PART),
        smooth=num("平滑的 AUC", least=0, most=1, decimals=3, when={"smooth": True}),
        quality=text("区分能力"), place="main",
        claim=claim("named", stat("*z*", "z"), effect="auc", effect_symbol="AUC", names=("name",)),
    )  # fmt: skip
    best = Table(
        "最佳截断值", name=text("检验变量"), cut=num("截断值"), rule=text("判为阳性"),
        youden=num("约登指数", least=-1, most=1, decimals=3), sens=percent("灵敏度"),
        sens_ci=interval("灵敏度的CI", "sens_low", "sens_high", around="sens", format="percent"),
        spec=percent("特异度"), place="main",
        spec_ci=interval("特异度的CI", "spec_low", "spec_high", around="spec", format="percent"),
    )  # fmt: skip
    accuracy = Table(
        "截断值处的诊断指标", name=text("检验变量"), measure=text("指标"), value=num("值", least=0),
        ci=interval("CI", "low", "high", around="value"), merge=("name",),
    )  # fmt: skip
    compared = Table(
        "AUC 两两比较", pair=text("变量对"), diff=num("AUC 差"), se=num("标准误", least=0, around="diff"), z=num("*z*"),
        p=pvalue(), ci=interval("差的CI", "low", "high", around="diff"), when={"compare": True},
        claim=claim("named", stat("*z*", "z"), effect="diff", names=("pair",)),
    )  # fmt: skip
    groups = Table(
        "各组的 AUC", name=text("检验变量"), group=text("组"), n1=integer("阳性"), n0=integer("阴性"),
        auc=num("AUC", least=0, most=1, decimals=3), se=num("标准误", least=0, around="auc"),
        ci=interval("AUC 的CI", "low", "high", around="auc"), merge=("name",), when=GROUPED,
    )  # fmt: skip
    between = Table(
        "组间比较", name=text("检验变量"), pair=text("两组"), diff=num("AUC 差"),
        se=num("标准误", least=0, around="diff"), z=num("*z*"), p=pvalue(),
        ci=interval("差的CI", "low", "high", around="diff"), merge=("name",), when=GROUPED,
        claim=claim("named", stat("*z*", "z"), effect="diff", names=("name", "pair")),
    )  # fmt: skip
    rest = Table(
        "各类对其余的 AUC", name=text("检验变量"), state=text("类别"), n=integer("个数"),
        auc=num("AUC（值大偏向此类）", least=0, most=1, decimals=3), merge=("name",),
    )  # fmt: skip
    cases = Table("个案", state=text("状态"), n=integer("个数"), share=percent("占比"))
    coordinates = Table(
        "坐标点", name=text("检验变量"), cut=num("截断值"), sens=num("灵敏度", least=0, most=1, decimals=4),
        false=num("1 − 特异度", least=0, most=1, decimals=4), merge=("name",), place="detail",
    )  # fmt: skip
    recalls = Points(
        "PR 曲线的点", name=text("变量"), recall=num("召回率"), precision=num("精确率"), when={"pr_curve": True}
    )
    pr = Chart("PR 曲线", "line", of=recalls, x="recall", y="precision", series="name", when={"pr_curve": True})
    precisions = Table(
        "平均精确率", name=text("检验变量"), average=num("平均精确率", least=0, most=1, decimals=3),
        chance=num("随机时", least=0, most=1, decimals=3), when={"pr_curve": True}, place="detail",
    )  # fmt: skip
    traces = Points("随截断值变化", name=text("变量"), cut=num("截断值"), value=num("值"), kind=text("指标"))
    trace = Chart("灵敏度、特异度与截断值", "line", of=traces, x="cut", y="value", series="kind", facet="name")

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        carry = {"y": form["state"], "x": form["tests"]}
        return [NextStep(title="把几个指标合起来预测", method="statistical/logistic_regression", form=carry)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        positive, name = cls._state(report, form)
        markers = cls._markers(form, positive)
        areas = cls._areas(report, form, markers)
        cuts = cls._cuts(report, form, markers, float(positive.mean()))
        for marker in markers:
            cls._draw(report, form, marker)
            if form.smooth:
                cls._smooth_line(report, marker)
        report.chart(cls.plot, over=[Diagonal(label="随机")], titles={"x": "1 − 特异度（误诊率）", "y": "灵敏度"})
        if len(markers) > 1 and form.compare:
            cls._compare(report, form, markers)
        elif form.compare:
            report.skip(cls.compared, "只有一个检验变量，没有可比的")
        if form.group is not None:
            cls._groups(report, form, markers)
        cls._words(report, form, markers, name, areas, cuts)
        report.used(positive.size)
        return report

    # ---- reading ---------------------------------------------------------------------------------------------------
    @classmethod
    def _state(cls, report: Report, form: Any) -> tuple[Any, str]:
        held = [one for one in form.state.levels if one.count > 0]
        if len(held) < 2:
            raise Refusal(
                "data.one_class", "状态变量“{v}”在有效样本中只有一个类别，无法绘制 ROC 曲线", field="state",
                column=form.state.id, v=form.state.title,
            )  # fmt: skip
        target = form.positive
        if target is None:
            if len(held) > 2:
                raise Refusal(
                    "level.required", "状态变量“{v}”有 {k} 个类别，请指定阳性类别", field="positive", also=["state"],
                    column=form.state.id, v=form.state.title, k=len(held),
                    remedies=[
                        SetRemedy(title=f"“{one.label}”为阳性", set={"positive": one.value}) for one in held[:3]
                    ],
                )  # fmt: skip
            target = next((one for one in held if one.label in YES), held[-1])
        positive = form.state.where(target)
        n1, n0 = int(positive.sum()), int((~positive).sum())
        if min(n1, n0) < 2:
            raise Refusal(
                "data.few", "有效样本中阳性 {a} 例、阴性 {b} 例，都至少要 2 例才能估计方差", field="state",
                column=form.state.id, a=n1, b=n0,
            )  # fmt: skip
        for one, label in zip(held, level_words(held), strict=True):
            word = "（阳性）" if one.code == target.code else "（阴性）"
            report.row(cls.cases, state=label + word, n=one.count, share=one.count / positive.size)
        if len(held) > 2:
            report.warn(
                "data.rest", "“{v}”有 {k:integer} 个类别：“{one:text}”为阳性，其余都算阴性。", v=form.state.title,
                k=len(held), one=target.label,
            )  # fmt: skip
            for column, title in titles(form.tests).items():
                values = next(test.numbers for test in form.tests if test.id == column)
                for one, label in zip(held, level_words(held), strict=True):
                    own = Marker("", values, form.state.where(one), True)
                    report.row(cls.rest, name=title, state=label, n=own.n1, auc=own.auc)
        else:
            report.skip(cls.rest, "状态只有两类")
        return positive, str(target.label)

    @staticmethod
    def _markers(form: Any, positive: Any) -> list[Marker]:
        names = unique(list(titles(form.tests).values()))
        found = []
        for column, name in zip(form.tests, names, strict=True):
            values = column.numbers
            if not column.varies:
                raise Refusal(
                    "role.constant", "“{v}”取值完全相同，AUC 恒为 0.5，请移去", field="tests", column=column.id,
                    v=column.title,
                )  # fmt: skip
            higher = form.direction != "lower"
            if form.direction == "auto":
                middle = np.median(values[positive]), np.median(values[~positive])
                # With equal medians the area itself decides.
                tied = middle[0] == middle[1]
                higher = Marker("", values, positive, True).auc >= 0.5 if tied else bool(middle[0] > middle[1])
            found.append(Marker(name, values, positive, higher))
        return found

    # ---- areas -----------------------------------------------------------------------------------------------------
    @classmethod
    def _areas(cls, report: Report, form: Any, markers: list[Marker]) -> list[tuple[float | None, float | None]]:
        """Bounds of each area."""
        found = []
        drawn = resampled(markers, form.n_resamples, form.rng) if form.ci_method == "bootstrap" else None
        for k, marker in enumerate(markers):
            se, low, high = _interval(form, marker, None if drawn is None else drawn[:, k])
            found.append((low, high))
            z = None if se is None else (marker.auc - 0.5) / se
            cells: dict[str, Any] = {}
            if form.partial is not None:
                cells["partial"], cells["standard"] = marker.curve.partial(form.partial)
            if form.smooth:
                fitted = binormal(marker.curve)
                cells["smooth"] = None if fitted is None else fitted[2]
            report.row(
                cls.aucs, name=marker.name, auc=marker.auc, se=se, z=z,
                p=None if z is None else float(2 * stats.norm.sf(abs(z))), low=low, high=high,
                gini=2 * marker.auc - 1, quality=_quality(marker.auc), **cells,
            )  # fmt: skip
            if se is None:
                report.note(
                    cls.aucs, "“{v:text}”把两类完全分开（或毫无重叠可比），标准误算不出来，不检验。", v=marker.name
                )  # fmt: skip
            if marker.auc < 0.5:
                report.warn(
                    "data.direction", "“{v}”的 AUC 小于 0.5：方向可能相反，请把“方向”改为自动。", v=marker.name
                )  # fmt: skip
        report.note(
            cls.aucs,
            "区间为{kind:text}，置信水平 {level:percent}。区分能力：AUC 低于 0.7 较低，0.7–0.9 中等，0.9 以上较高。",
            kind={"delong": "DeLong 法", "hanley": "Hanley-McNeil 法", "bootstrap": "自助法"}[form.ci_method],
            level=form.conf_level,
        )  # fmt: skip
        return found

    @classmethod
    def _compare(cls, report: Report, form: Any, markers: list[Marker]) -> None:
        spread = covariance(markers)
        for i, first in enumerate(markers):
            for j in range(i + 1, len(markers)):
                variance = float(spread[i, i] + spread[j, j] - 2 * spread[i, j])
                diff = first.auc - markers[j].auc
                cells = _difference(diff, np.sqrt(variance) if variance > 1e-18 else None, form.conf_level)
                report.row(cls.compared, pair=f"{first.name} − {markers[j].name}", diff=diff, **cells)
        report.note(cls.compared, "同一批个案上比较，考虑了相关；*p* 没有作多重比较校正。")

    @classmethod
    def _groups(cls, report: Report, form: Any, markers: list[Marker]) -> None:
        held = list(zip(form.group.levels, level_words(form.group.levels), strict=True))
        thin: list[str] = []
        pairs = 0
        for marker in markers:
            found: list[tuple[str, float, float | None]] = []
            for one, label in held:
                rows = form.group.where(one)
                own = Marker(marker.name, marker.values[rows], marker.positive[rows], marker.higher)
                if min(own.n1, own.n0) < 2:
                    thin.append(label)
                    continue
                se, low, high = _delong(own, form.conf_level)
                report.row(
                    cls.groups, name=marker.name, group=label, n1=own.n1, n0=own.n0, auc=own.auc, se=se, low=low,
                    high=high,
                )  # fmt: skip
                found.append((label, own.auc, se))
            for i, (a, auc, se) in enumerate(found):
                for b, other, error in found[i + 1 :]:
                    pairs += 1
                    both = None if se is None or error is None else float(np.hypot(se, error))
                    cells = _difference(auc - other, both, form.conf_level)
                    report.row(cls.between, name=marker.name, pair=f"{a} − {b}", diff=auc - other, **cells)
        if thin and len(set(thin)) < len(held):
            report.note(
                cls.groups, "阳性或阴性不足 2 例的组没有计算：“{names:text}”。", names="”“".join(dict.fromkeys(thin))
            )  # fmt: skip
        if len(set(thin)) == len(held):
            report.skip(cls.groups, "没有一组的阳性和阴性都有 2 例")
        if pairs:
            report.note(cls.between, "各组的个案不同，按独立样本比较（DeLong 标准误）；*p* 没有作多重比较校正。")
        else:
            report.skip(cls.between, "能计算的组不到两个")

    # ---- cuts ------------------------------------------------------------------------------------------------------
    @classmethod
    def _cuts(cls, report: Report, form: Any, markers: list[Marker], share: float) -> list[tuple[float, float, float]]:
        """Cut, sensitivity and specificity of each marker."""
        found = []
        for marker in markers:
            place = _place(form, marker.curve, share)
            table = measures(marker.curve, place)
            cut = float(marker.curve.cuts[place])
            sens, spec = float(marker.curve.sensitivity[place]), float(marker.curve.specificity[place])
            found.append((cut, sens, spec))
            n1, n0 = marker.curve.n1, marker.curve.n0
            (a, b), (c, d) = wilson(table.tp, n1, form.conf_level), wilson(table.tn, n0, form.conf_level)
            report.row(
                cls.best, name=marker.name, cut=cut if np.isfinite(cut) else None,
                rule="不低于截断值" if marker.higher else "不高于截断值", youden=sens + spec - 1, sens=sens, sens_low=a,
                sens_high=b, spec=spec, spec_low=c, spec_high=d,
            )  # fmt: skip
            if not np.isfinite(cut):
                report.note(cls.best, "“{v:text}”没有有用的截断值：全部判为阳性或阴性最好。", v=marker.name)
            cls._accuracy(report, form, marker.name, table)
        report.note(
            cls.best, "准则：{rule:text}。截断值由同一批数据选出，用在新数据上会差一些。", rule=CUTOFFS[form.cutoff]
        )
        return found

    @classmethod
    def _accuracy(cls, report: Report, form: Any, name: str, table: Measures) -> None:
        n = table.tp + table.fp + table.fn + table.tn
        for title, count, base in (
            ("阳性预测值 PPV", table.tp, table.tp + table.fp), ("阴性预测值 NPV", table.tn, table.tn + table.fn),
            ("准确率", table.tp + table.tn, n),
        ):  # fmt: skip
            if base > 0:
                low, high = wilson(count, base, form.conf_level)
                report.row(cls.accuracy, name=name, measure=title, value=count / base, low=low, high=high)
        for title, value, bounds in zip(
            ("阳性似然比 LR+", "阴性似然比 LR−"),
            table.likelihoods,
            table.likelihood_bounds(form.conf_level),
            strict=True,
        ):
            ends: dict[str, Any] = {} if bounds is None else {"low": bounds[0], "high": bounds[1]}
            report.row(cls.accuracy, name=name, measure=title, value=value, **ends)

    # ---- figures ---------------------------------------------------------------------------------------------------
    @classmethod
    def _draw(cls, report: Report, form: Any, marker: Marker) -> None:
        curve = marker.curve
        for cut, sens, spec in zip(curve.cuts, curve.sensitivity, curve.specificity, strict=True):
            report.row(
                cls.coordinates, name=marker.name, cut=cut if np.isfinite(cut) else None, sens=sens, false=1 - spec
            )  # fmt: skip
        most = max(16, DRAWN // len(form.tests))
        alone = len(form.tests) == 1
        for i in _some(curve.cuts.size, most):
            low, high = wilson(float(curve.hits[i]), curve.n1, form.conf_level)
            band: dict[str, Any] = {"low": low, "high": high} if alone else {}
            report.row(
                cls.points, name=marker.name, false=float(1 - curve.specificity[i]), true=float(curve.sensitivity[i]),
                **band,
            )  # fmt: skip
        inner = np.flatnonzero(np.isfinite(curve.cuts))
        for i in inner[_some(inner.size, most // 2)] if inner.size else []:
            report.row(
                cls.traces, name=marker.name, cut=float(curve.cuts[i]), value=float(curve.sensitivity[i]), kind="灵敏度"
            )  # fmt: skip
            report.row(
                cls.traces, name=marker.name, cut=float(curve.cuts[i]), value=float(curve.specificity[i]), kind="特异度"
            )  # fmt: skip
        if form.pr_curve:
            recall, precision, average = curve.precision_recall()
            for i in _some(recall.size, most):
                report.row(cls.recalls, name=marker.name, recall=float(recall[i]), precision=float(precision[i]))
            report.row(
                cls.precisions, name=marker.name, average=average, chance=curve.n1 / (curve.n1 + curve.n0)
            )  # fmt: skip

    @classmethod
    def _smooth_line(cls, report: Report, marker: Marker) -> None:
        fitted = binormal(marker.curve)
        if fitted is None:
            report.note(cls.plot, "“{v:text}”的点太少，画不出平滑的曲线。", v=marker.name)
            return
        for x in np.linspace(0, 1, 41):
            true = float(stats.norm.cdf(fitted[0] + fitted[1] * stats.norm.ppf(x)))
            report.row(cls.points, name=f"{marker.name}（双正态）", false=float(x), true=true)

    # ---- words -----------------------------------------------------------------------------------------------------
    @classmethod
    def _words(
        cls, report: Report, form: Any, markers: list[Marker], state: str,
        areas: list[tuple[float | None, float | None]], cuts: list[tuple[float, float, float]],
    ) -> None:  # fmt: skip
        best = max(range(len(markers)), key=lambda k: markers[k].auc)
        top, (low, high), (cut, sens, spec) = markers[best], areas[best], cuts[best]
        facts: dict[str, Any] = {"v": top.name, "auc": top.auc, "n1": top.n1, "n0": top.n0, "state": state}
        subject = "“{v:text}”区分“{state:text}”的能力最强，AUC 为 {auc:num}" if len(markers) > 1 else (
            "“{v:text}”区分“{state:text}”的 AUC 为 {auc:num}"
        )  # fmt: skip
        if low is not None:
            facts |= {"low": low, "high": high, "level": form.conf_level}
            subject += "（{level:percent} CI {low:num} 到 {high:num}）"
        tail = "。"
        if np.isfinite(cut):
            facts |= {"cut": cut, "sens": sens, "spec": spec}
            way = "不低于" if top.higher else "不高于"
            tail = f"。{way} {{cut:num}} 判为阳性时，灵敏度 {{sens:percent1}}，特异度 {{spec:percent1}}。"
        report.lead(
            subject + tail,
            [
                figure("AUC", "{auc:num}"),
                figure("阳性", "{n1:integer} 例"),
                figure("阴性", "{n0:integer} 例"),
            ],
            **facts,
        )
        spoken = {key: value for key, value in facts.items() if key not in ("n1", "n0")}
        report.say(
            "AUC 是随机取一个阳性和一个阴性，阳性的指标更像阳性的机会：0.5 等于乱猜，1 是完全分开。"
            "灵敏度是阳性中判对的比例，特异度是阴性中判对的比例；截断值一变，两者此消彼长。", voice="student",
        )  # fmt: skip
        report.say("阳性 {n1:integer} 例，阴性 {n0:integer} 例。" + subject + tail, voice="paper", **facts)
        report.say(subject + tail, voice="brief", **spoken)
        if form.direction == "auto":
            lower = [marker.name for marker in markers if not marker.higher]
            if lower:
                others = "，其余值大为阳性。" if len(lower) < len(markers) else "。"
                report.say("方向自动判断：“{names:text}”值小为阳性" + others, names="”“".join(lower))
            else:
                report.say("方向自动判断：值大为阳性。")
        report.say("检验变量若是用这批数据建的模型的预测概率，AUC 会偏高，应换新数据再看。")
        least = min(top.n1, top.n0)
        report.check(
            "样本量", "pass" if least >= 30 else "care",
            "较少的一类有 {k:integer} 例" + ("，够用。" if least >= 30 else "，偏少，AUC 和截断值都不稳定。"), k=least,
        )  # fmt: skip


def _interval(form: Any, marker: Marker, drawn: Floats | None) -> tuple[float | None, float | None, float | None]:
    """Standard error and bounds of the area."""
    if drawn is not None:
        tail = (1 - form.conf_level) / 2
        low, high = np.quantile(drawn, [tail, 1 - tail])
        return float(drawn.std(ddof=1)) or None, float(low), float(high)
    if form.ci_method == "delong":
        return _delong(marker, form.conf_level)
    return _bounds(marker.auc, marker.hanley_se, form.conf_level)


def _delong(marker: Marker, conf_level: float) -> tuple[float | None, float | None, float | None]:
    return _bounds(marker.auc, marker.delong_se, conf_level)


def _bounds(auc: float, se: float | None, conf_level: float) -> tuple[float | None, float | None, float | None]:
    if se is None:
        return None, None, None
    reach = float(stats.norm.isf((1 - conf_level) / 2))
    return se, max(0.0, auc - reach * se), min(1.0, auc + reach * se)


def _difference(diff: float, se: float | None, conf_level: float) -> dict[str, Any]:
    if se is None:
        return {}
    z, reach = diff / se, float(stats.norm.isf((1 - conf_level) / 2))
    p = float(2 * stats.norm.sf(abs(z)))
    return {"se": float(se), "z": float(z), "p": p, "low": diff - reach * se, "high": diff + reach * se}


def _place(form: Any, curve: Curve, share: float) -> int:
    """Where the curve is cut; with one cost for both errors the share of positives decides."""
    wanted = form.prevalence if form.cutoff == "cost" and form.prevalence is not None else share
    return curve.best(form.cutoff, form.fixed, form.cost if form.cutoff == "cost" else 1.0, wanted)


def _quality(auc: float) -> str:
    """Swets (1988)."""
    return "较高" if auc >= 0.9 else "中等" if auc >= 0.7 else "较低" if auc > 0.5 else "无"


def _some(size: int, most: int) -> Any:
    return np.unique(np.linspace(0, size - 1, min(size, most)).round().astype(int)) if size else np.zeros(0, int)
