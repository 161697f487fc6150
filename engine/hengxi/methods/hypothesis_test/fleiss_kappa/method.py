from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Refusal,
    Report,
    Silent,
    Table,
    Wide,
    choice,
    claim,
    combo,
    confidence,
    counted,
    figure,
    flag,
    interval,
    many,
    num,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.interpret import landis1977
from hengxi.methods.hypothesis_test._shared.two_raters import few_objects
from hengxi.stats import many_raters
from hengxi.stats.frequencies import frequencies
from hengxi.stats.many_raters import Ratings
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, titles

MOST_LEVELS, MOST_RATERS, MOST_PATTERNS = 50, 100, 2000
DRAWS = 2000
NAMES = {
    "fleiss": "Fleiss κ", "conger": "Conger κ", "randolph": "Randolph κ（自由边际）", "krippendorff": "Krippendorff α",
    "gwet": "Gwet AC1",
}  # fmt: skip


class FleissKappa(Method):
    """Agreement of several raters; the conclusion reads the first coefficient chosen."""

    title, title_en = "Fleiss Kappa", "Fleiss' kappa / Krippendorff's alpha"
    family, tier = "一致性检验", "standard"
    purpose = "三名及以上评估者的分类是否一致"
    aliases = ("多评估者一致性", "Fleiss", "Krippendorff alpha", "Gwet AC1", "Conger", "评分者信度", "编码员间信度")
    references = (
        "fleiss1971", "fleiss1979", "conger1980", "randolph2005", "krippendorff2004", "gwet2008", "landis1977",
    )  # fmt: skip
    conventions = (
        "Fleiss κ 的碰巧一致率用全体评估者合并的比例；Conger κ 用每位评估者自己的比例，两人时等于 Cohen κ。",
        "Fleiss κ 的 *Z* 用一致性为 0 时的标准误（Fleiss、Nee 和 Landis，1979）。",
        "标准误为刀切法（每次去掉一个对象）；区间为重抽对象 2000 次的百分位区间，不用自助法时为估计值 ± z × 标准误。",
        "有缺失的对象只有 Krippendorff α 用到（至少两人评过），其余统计量不用。",
        "Randolph κ 与 Gwet AC1 的类别数为数据中出现的类别数。",
    )
    weights = ("frequency",)
    missing = "keep"
    random = True

    class Input(Form):
        raters: list[Column] = role("评估者（每列一人）", "定类", min=2, max=MOST_RATERS)
        weight: Column | None = counted()
        statistic: list[str] = many("统计量", NAMES, default=("fleiss",), hint="结论采用所选的第一种")
        level: str = choice(
            "Krippendorff尺度", {"nominal": "名义", "ordinal": "有序", "interval": "区间"},
            when={"statistic": "krippendorff"},
        )  # fmt: skip
        bootstrap_ci: bool = flag("自助区间", True)
        conf_level: float = confidence()

    result = Table(
        "总体一致性", kind=text("统计量"), read=text("采用"), value=num("估计"), se=num("标准误（刀切）", least=0),
        ci=interval("CI", "low", "high", around="value", inside=False), se0=num("H0标准误", least=0), z=num("*Z*"),
        p=pvalue(), strength=text("一致性强度"), place="main",
        claim=claim("agreement", stat("*Z*", "z"), effect="value", interval="ci", names=("kind",), read="read"),
    )  # fmt: skip
    rates = Table("一致率", measure=text("指标"), value=percent("值", least=-1))
    categories = Table(
        "分类别κ", category=text("类别"), share=percent("占比"), conditional=percent("条件概率"), kappa=num("κ"),
        z=num("*Z*"), p=pvalue(), when={"statistic": "fleiss"},
        claim=Silent("single categories are read together with the overall agreement"),
    )  # fmt: skip
    use = Table(
        "评估者使用类别分布", category=text("类别"), layout=Wide(cell=combo("频数（%）", "n_percent", "n", "percent"))
    )
    pairs = Table("两两一致率", first=text("评估者1"), second=text("评估者2"), agree=percent("一致率"))
    heat = Chart("两两一致率热力图", "heat", of=pairs, row="first", column="second", value="agree", place="main")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.raters)} 名评估者的一致性"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        first, second = form["raters"][:2]
        start = {"rater1": first, "rater2": second, "weight": form.get("weight")}
        return [NextStep(title="只看其中两人（Kappa）", method="hypothesis_test/kappa", form=start)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        every, whole, words, values = cls._ratings(report, form)
        cls._coefficients(report, form, every, whole, values)
        if "fleiss" in form.statistic and whole is not None:
            for word, one in zip(words, many_raters.by_category(whole), strict=True):
                report.row(
                    cls.categories, category=word, share=one.share, conditional=one.conditional, kappa=one.kappa,
                    z=one.z, p=one.p,
                )  # fmt: skip
        elif "fleiss" in form.statistic:
            report.skip(cls.categories, "没有全部评估者都评过的对象")
        cls._use(report, form, every, words)
        few_objects(report, round(float(every.weights.sum())))
        report.check("独立评定", "unknown", "各人应当独立评定、互不商量；每个对象只计一次。请按评定过程自行判断。")
        return report

    # ---- data ------------------------------------------------------------------------------------------------------
    @classmethod
    def _ratings(cls, report: Report, form: Any) -> tuple[Ratings, Ratings | None, list[str], Floats]:
        """All cases, those rated by everyone, the categories' words and values."""
        levels: dict[Any, Any] = {}
        for column in form.raters:
            if column.distinct_least > MOST_LEVELS:
                raise Refusal(
                    "role.levels", "“{v}”的类别超过 {k} 个，请先合并类别", field="raters", column=column.id,
                    v=column.title, k=MOST_LEVELS,
                )  # fmt: skip
            levels |= {one.value: one for one in column.all_levels if one.value not in levels}
        kept = list(levels.values())
        if all(not isinstance(one.value, str) for one in kept):
            kept.sort(key=lambda one: float(one.value))
        place = {one.value: i for i, one in enumerate(kept)}
        codes = np.column_stack([
            np.array([place[one.value] for one in column.levels] + [-1])[column.codes] for column in form.raters
        ])  # fmt: skip
        present = [i for i in range(len(kept)) if (codes == i).any()]
        if len(present) < 2:
            raise Refusal("data.constant", "各评估者都只给出一个类别，一致性无定义", field="raters")
        codes = np.array([*(present.index(i) if i in present else -1 for i in range(len(kept))), -1])[codes]
        kept = [kept[i] for i in present]
        weights = frequencies(form.weight)
        known = (codes >= 0).sum(axis=1)
        held = known > 0 if weights is None else (known > 0) & (weights > 0)
        whole = held & (known == codes.shape[1])
        lost = np.flatnonzero(held & ~whole)
        if lost.size:
            row = int(form.raters[0].row_numbers[lost[0]])
            text = "有 {k:integer} 行没有人人评定（如第 {row:integer} 行只有 {m:integer} 人评定），"
            text += "除 Krippendorff α 外已剔除这些行；要用上它们，请加选 Krippendorff α。"
            rows = [int(form.raters[0].row_numbers[i]) for i in lost[:50]]
            report.warn("data.gaps", text, k=lost.size, row=row, m=int(known[lost[0]]), rows=rows)
        k = len(kept)
        some = many_raters.patterns(codes[held], None if weights is None else weights[held], k)
        full = many_raters.patterns(codes[whole], None if weights is None else weights[whole], k)
        everyone = full if whole.any() else None
        used = held if "krippendorff" in form.statistic else whole
        report.used(int(used.sum()), None if weights is None else float(weights[used].sum()))
        values = np.array([0.0 if isinstance(one.value, str) else float(one.value) for one in kept])
        if "krippendorff" in form.statistic and form.level == "interval":
            if any(isinstance(one.value, str) for one in kept):
                text = "区间尺度要数值，类别是文字，请改用名义或有序，或先编码"
                raise Refusal("role.measure", text, field="level", also=["raters"])
            reach = float(np.abs(values).max())
            values = values / reach if reach > 0 else values
        return some, everyone, level_words(kept), values

    # ---- coefficients ----------------------------------------------------------------------------------------------
    @classmethod
    def _coefficients(cls, report: Report, form: Any, every: Ratings, whole: Ratings | None, values: Floats) -> None:
        read: dict[str, Any] | None = None
        for kind in [kind for kind in NAMES if kind in form.statistic]:
            data = every if kind == "krippendorff" else whole
            if data is None or data.n < 2:
                report.warn("data.few", "{kind}：人人都评过的对象不足 2 个，没有给出。", kind=NAMES[kind])
                continue
            row = cls._row(report, form, kind, data, values)
            if row is not None:
                report.row(cls.result, read="采用" if read is None else "", **row)
                read = read or {**row, "key": kind, "n": data.n}
        if read is None:
            text = "没有可用的对象：至少要有 2 个对象由每个人评过，且不全是同一类"
            raise Refusal("data.few", text, field="raters")
        report.note(
            cls.result, "CI 的置信水平为 {level:percent}，"
            + ((
                "由重抽对象 {draws:integer} 次得出，种子 {seed:text}。"
                ""
            ) if form.bootstrap_ci else "为估计值 ± *z* × 标准误。"),
            level=form.conf_level, **({"draws": DRAWS, "seed": str(form.seed)} if form.bootstrap_ci else {}),
        )  # fmt: skip
        if whole is not None and whole.n >= 2:
            w = whole.weights[None, :]
            agree = float(whole.weights @ whole.agreement / whole.n)
            report.row(cls.rates, measure="观察一致率（两两平均）", value=agree)
            report.row(
                cls.rates, measure="碰巧一致率（Fleiss）", value=float(many_raters.chance("fleiss", whole, w)[0])
            )
        cls._words(report, form, read)

    @classmethod
    def _row(cls, report: Report, form: Any, kind: str, data: Ratings, values: Floats) -> dict[str, Any] | None:
        of: Callable[[Floats], Floats] = lambda w: many_raters.coefficient(kind, data, w)  # noqa: E731
        if kind == "krippendorff":
            of = lambda w: many_raters.krippendorff(data, w, form.level, values)  # noqa: E731
        value = float(of(data.weights[None, :])[0])
        if not np.isfinite(value):
            report.warn("data.constant", "{kind}：评定全是同一类，没有给出。", kind=NAMES[kind])
            return None
        row: dict[str, Any] = {"kind": NAMES[kind], "value": value, "strength": landis1977.agreement(value)}
        if len(data.weights) <= MOST_PATTERNS:
            left = of(many_raters.left_out(data))
            if np.isfinite(left).all():
                row["se"] = many_raters.jackknife(data, left)
        if form.bootstrap_ci:
            draws = of(many_raters.resampled(data, DRAWS, np.random.default_rng(form.seed)))
            draws = draws[np.isfinite(draws)]
            share = (1 - form.conf_level) / 2
            row["low"], row["high"] = (float(v) for v in np.quantile(draws, [share, 1 - share]))
        elif "se" in row:
            half = float(stats.norm.isf((1 - form.conf_level) / 2)) * row["se"]
            row["low"], row["high"] = max(-1.0, value - half), min(1.0, value + half)
        if kind == "fleiss":
            null = many_raters.fleiss_null(data)
            row |= {"se0": null, "z": value / null, "p": float(2 * stats.norm.sf(abs(value / null)))}
        return row

    @classmethod
    def _words(cls, report: Report, form: Any, read: dict[str, Any]) -> None:
        facts: dict[str, Any] = {
            "kind": read["kind"], "value": read["value"], "m": len(form.raters), "n": read["n"],
            "level": form.conf_level,
        }  # fmt: skip
        size = "{kind} = {value:num}"
        if "low" in read:
            facts |= {"low": read["low"], "high": read["high"]}
            size += "，{level:percent} CI {low:num} 到 {high:num}"
        test = ""
        if "p" in read:
            facts |= {"p": read["p"], "z": read["z"]}
            test = "，*Z* = {z:num}，*p* {p:peq}"
        strength = "一致的程度比碰巧还低" if read["value"] < 0 else f"一致性{read['strength']}"
        report.lead(
            f"{{m:integer}} 名评估者评了 {{n:integer}} 个对象，扣去碰巧相同的部分，{strength}（{size}）。",
            [figure("一致性", "{value:num}", "{kind}")], **facts,
        )  # fmt: skip
        report.say(
            "1 为完全一致，0 为与碰巧一样。*p* 只说明是否好于碰巧，一致得够不够要看系数和区间；强度的叫法是 "
            "Landis 和 Koch"
            "（1977）的参考标准。各种系数对“碰巧”的算法不同，研究前先定用哪一种。",
            voice="student",
        )  # fmt: skip
        report.say(
            f"{{m:integer}} 名评估者、{{n:integer}} 个对象，{size}{test}，{strength}（Landis 和 Koch，1977）。"
            "", voice="paper", **facts
        )  # fmt: skip
        report.say(f"{{m:integer}} 名评估者{strength}（{{kind}} = {{value:num}}）。", voice="brief", **facts)

    # ---- raters ----------------------------------------------------------------------------------------------------
    @classmethod
    def _use(cls, report: Report, form: Any, every: Ratings, words: list[str]) -> None:
        names = list(titles(form.raters).values())
        w = every.weights
        totals = [float(w @ (every.codes[:, i] >= 0)) for i in range(every.raters)]
        for j, word in enumerate(words):
            wide: dict[Any, Any] = {}
            for i, column in enumerate(form.raters):
                n = float(w @ (every.codes[:, i] == j))
                wide[column] = {"n": n, "percent": n / totals[i] if totals[i] else None}
            report.row(cls.use, category=word, wide=wide)
        for i, first in enumerate(names):
            for j, second in enumerate(names):
                both = (every.codes[:, i] >= 0) & (every.codes[:, j] >= 0)
                n = float(w @ both)
                if n > 0:
                    same = float(w @ (both & (every.codes[:, i] == every.codes[:, j])))
                    report.row(cls.pairs, first=first, second=second, agree=same / n)
