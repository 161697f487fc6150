"""Options put in order by each person, wholly or only the first few: scores, agreement, worths (Plackett-Luce)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
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
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    Wide,
    choice,
    claim,
    confidence,
    figure,
    filled,
    integer,
    interval,
    num,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.stats import choice_model
from hengxi.stats.answer_sets import option_names
from hengxi.stats.blocks import compared, friedman, within_ranks
from hengxi.stats.moments import Floats
from hengxi.stats.multiple import adjust
from hengxi.stats.names import sharing, titles
from hengxi.stats.proportions import wilson
from hengxi.stats.ranks import RankTable, kruskal_wallis

MOST_ITEMS, MOST_CHOICES = 30, 3_000_000
PARTIAL = {"zero_score": "得 0 分，排在最后", "tied_last": "并列最后", "missing": "当作没有被问到"}
SCORES = {"borda": "综合得分", "first_choice": "首选率", "plackett_luce": "Plackett-Luce 价值"}


@dataclass(frozen=True)
class Ranking:
    """`ranks`: persons × items from 1, NaN where not ranked; `full`: the same with items not ranked tied last."""

    names: list[str]
    ranks: Floats
    rows: Any
    partial: str

    @property
    def k(self) -> int:
        return len(self.names)

    @cached_property
    def full(self) -> Floats:
        return within_ranks(np.where(np.isnan(self.ranks), np.inf, self.ranks))

    @cached_property
    def points(self) -> Floats:
        """k for the first place down to 1 for the last; NaN where an item counts as not asked."""
        if self.partial == "tied_last":
            return self.k + 1 - self.full
        found = self.k + 1 - self.ranks
        return np.nan_to_num(found) if self.partial == "zero_score" else found

    @property
    def places(self) -> Floats:
        return self.full if self.partial == "tied_last" else self.ranks

    @property
    def blocks(self) -> Floats:
        """Ranks of persons who can be compared on all items."""
        return self.full[~np.isnan(self.ranks).any(axis=1)] if self.partial == "missing" else self.full


class RankingQuestion(Method):
    title, title_en = "排序题分析", "Ranking-question analysis"
    family, tier = "问卷研究", "standard"
    slug = "ranking-question"
    purpose = "受访者总体上把各选项排在什么位置，排序意见是否一致"
    aliases = ("排序题", "综合得分", "平均综合得分", "名次", "Plackett-Luce", "Borda", "排名题")
    references = ("friedman1937", "kendall1939", "nemenyi1963", "plackett1975", "luce1959", "hunter2004", "holm1979")
    conventions = (
        "综合得分 = Σ（频数 × 权值）÷ 填写人次；k 个选项中排第 r 的权值为 k + 1 − r。",
        "没排的选项“得 0 分”时，Friedman 检验把它们当作并列最后；“当作没有被问到”时，Friedman 检验只用排全的答卷。",
        "Kendall *W* = χ² / (n(k − 1))，含并列校正；Nemenyi 的 *p* 来自学生化范围分布，已控制整体错误率。",
        "Plackett-Luce 由 Newton 法求最大似然，价值合计为 1；区间在 logit 尺度上由 delta 法得到。",
    )
    missing = "keep"
    reads_names = True

    class Input(Form):
        items: list[Column] = role("各选项名次列", "定量", min=3, max=MOST_ITEMS, hint="1 为第一，没排的空着")
        group: Column | None = role("分组变量（选填）", "定类", min=0, levels=(2, 20))
        partial: str = choice("未排选项的处理", PARTIAL)
        ties: str = choice("并列名次", {"refuse": "不允许", "average": "取平均名次"})
        score: str = choice("得分规则", SCORES)
        conf_level: float = confidence()

    scores = Table(
        "排序得分表", standing=integer("综合排名"), option=text("选项"), n=integer("排了的人数"),
        score=num("平均综合得分", least=0), mean=num("平均名次", least=1), sd=num("标准差", least=0),
        first=percent("首选率"), ci=interval("首选率的CI（Wilson）", "low", "high", around="first", format="percent"),
        three=percent("前三率"), place="main",
    )  # fmt: skip
    bar = Chart("综合得分条形图", "bar", of=scores, x="option", y="score", place="main")
    worths = Table(
        "Plackett-Luce 价值", option=text("选项"), worth=percent("价值"), se=num("标准误", least=0),
        ci=interval("CI", "low", "high", around="worth", format="percent"), when={"score": "plackett_luce"},
        place="main",
    )  # fmt: skip
    worth_plot = Chart(
        "价值与区间", "interval", of=worths, x="option", y="worth", low="low", high="high",
        when={"score": "plackett_luce"}, place="main",
    )  # fmt: skip
    distribution = Table("名次分布表", option=text("选项"), layout=Wide(n=integer("n"), share=percent("%")))
    cells = Points("名次分布", option=text("选项"), rank=text("名次"), share=percent("比例"))
    stacked = Chart("名次堆积条形图", "bar", of=cells, x="option", y="share", series="rank", arrange="stacked")
    agreement = Table(
        "一致性检验", n=integer("*n*"), chi2=num("Friedman χ²", least=0), df=integer("*df*"), p=pvalue(),
        w=num("Kendall *W*", least=0, most=1, decimals=3), claim=claim("named", stat("χ²", "chi2", "df"), effect="w"),
    )  # fmt: skip
    pairs = Table(
        "两两比较（Nemenyi）", first=text("选项1"), second=text("选项2"), gap=num("平均名次之差"),
        q=num("*q*"), p=pvalue(),
        claim=claim("paired", stat("*q*", "q"), effect="gap", first="first", second="second"),
    )  # fmt: skip
    groups = Table(
        "各组的平均综合得分", option=text("选项"), layout=Wide(score=num("得分", least=0), standing=integer("排名")),
        when={"group": filled},
    )  # fmt: skip
    group_tests = Table(
        "各组名次的比较", option=text("选项"), h=num("*H*", least=0), df=integer("*df*"), p=pvalue(),
        adjusted=pvalue("校正后 *p*"), when={"group": filled},
        claim=claim("named", stat("*H*", "h", "df"), p="adjusted", names=("option",)),
    )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        path = "hypothesis_test/multiple_paired_sample_friedman_test"
        return [NextStep(title="用别的方法做两两比较（Friedman 检验）", method=path, form={"variables": form["items"]})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        ranking = cls._read(report, form)
        points, places = ranking.points, ranking.places
        means = np.array([float(np.nanmean(column)) for column in points.T])
        base = np.sum(~np.isnan(points), axis=0)
        firsts = np.array([float(np.sum(column == 1)) for column in ranking.ranks.T]) / base
        worth = cls._worths(report, form, ranking)
        lead = {"borda": means, "first_choice": firsts, "plackett_luce": worth}[form.score]
        standing = stats.rankdata(-np.round(lead, 12), method="min").astype(int)
        order = np.argsort(-np.round(lead, 12), kind="stable")
        for i in order:
            own = places[:, i][~np.isnan(places[:, i])]
            low, high = wilson(firsts[i] * base[i], float(base[i]), form.conf_level)
            n = int((~np.isnan(ranking.ranks[:, i])).sum())
            report.row(
                cls.scores, standing=int(standing[i]), option=ranking.names[i], n=n,
                score=means[i], mean=own.mean(), sd=own.std(ddof=1) if own.size > 1 else None, first=firsts[i],
                low=low, high=high, three=float(np.sum(ranking.ranks[:, i] <= 3)) / base[i],
            )  # fmt: skip
        cls._distribution(report, ranking, order, base)
        test = cls._agreement(report, ranking)
        cls._groups(report, form, ranking)
        cls._words(report, form, ranking, lead, means, test)
        report.used(len(ranking.ranks))
        return report

    # ---- reading ---------------------------------------------------------------------------------------------------
    @classmethod
    def _read(cls, report: Report, form: Any) -> Ranking:
        """Raises `Refusal`: ranks beyond the number of items, fractions, ties not allowed, too few persons."""
        raw = np.column_stack([column.numbers for column in form.items]).astype(float)
        k = len(form.items)
        for column, values in zip(form.items, raw.T, strict=True):
            held = values[~np.isnan(values)]
            odd = held[(held < 1) | (held > k) | (held != np.floor(held))]
            if odd.size:
                large = odd[0] > k
                why = "名次“{r}”大于选项个数 {k}，请检查数据" if large else "“{v}”有名次“{r}”，名次要是 1 到 {k} 的整数"
                raise Refusal(
                    "data.rank", why, field="items", column=column.id, r=f"{odd[0]:.10g}", k=k, v=column.title
                )  # fmt: skip
        numbers = form.items[0].row_numbers
        known = ~np.isnan(raw).all(axis=1)
        raw, numbers = raw[known], numbers[known]
        if len(raw) < 2:
            raise Refusal("data.few", "至少要 2 份有名次的答卷，现有 {n} 份", field="items", n=len(raw))
        tidy = np.array([_ranked(line) for line in raw])
        tied = np.array([len(set(line[~np.isnan(line)])) < (~np.isnan(line)).sum() for line in raw])
        if tied.any() and (form.ties == "refuse" or form.score == "plackett_luce"):
            if form.score == "plackett_luce":
                text = "第 {at} 行存在并列名次；Plackett-Luce 不能有并列，请修正数据或改用综合得分"
                raise Refusal(
                    "data.ties", text, field="score", also=["items"], at=int(numbers[tied][0]),
                    remedies=[SetRemedy(title="改用综合得分", set={"score": "borda"})],
                )  # fmt: skip
            text = "第 {at} 行存在并列名次，请在“并列名次”里选择取平均名次，或修正数据"
            raise Refusal(
                "data.ties", text, field="ties", also=["items"], at=int(numbers[tied][0]),
                remedies=[SetRemedy(title="取平均名次", set={"ties": "average"})],
            )  # fmt: skip
        skipping = ~tied & (np.nan_to_num(tidy) != np.nan_to_num(raw)).any(axis=1)
        if skipping.any():
            report.warn(
                "data.skipped_rank", "有 {n:integer} 份答卷跳过了名次（如只有 1 和 3），已按先后重排为 1、2、3。",
                n=int(skipping.sum()), rows=[int(one) for one in numbers[skipping][:200]],
            )  # fmt: skip
        names = option_names(list(titles(form.items).values()))
        empty = [name for name, column in zip(names, tidy.T, strict=True) if np.isnan(column).all()]
        if empty:
            text = "选项“{v}”没有人排过名次，请移出"
            raise Refusal("data.never_ranked", text, field="items", v=empty[0])
        partly = int(np.isnan(tidy).any(axis=1).sum())
        share = partly / len(tidy)
        report.check(
            "排序是否完整", "care" if share > 0.2 else "pass",
            "{n:integer} 份答卷里有 {partly:integer} 份没有排全（{share:percent1}），没排的选项{how:text}。",
            n=len(tidy), partly=partly, share=share, how=PARTIAL[form.partial],
        )  # fmt: skip
        return Ranking(names, tidy, known, form.partial)

    # ---- tables ----------------------------------------------------------------------------------------------------
    @classmethod
    def _distribution(cls, report: Report, ranking: Ranking, order: Any, base: Any) -> None:
        for i in order:
            column = ranking.ranks[:, i]
            wide: dict[Any, dict[str, Any]] = {}
            for rank in range(1, ranking.k + 1):
                # Tied ranks stand between two places; they are counted at the one they round up to.
                n = int(np.sum((column > rank - 1) & (column <= rank)))
                wide[f"第 {rank}"] = {"n": n, "share": n / base[i]}
                report.row(cls.cells, option=ranking.names[i], rank=f"第 {rank}", share=n / base[i])
            n = int(base[i] - np.sum(~np.isnan(column)))
            report.row(cls.distribution, option=ranking.names[i], wide={**wide, "没排": {"n": n, "share": n / base[i]}})

    @classmethod
    def _agreement(cls, report: Report, ranking: Ranking) -> tuple[float, float] | None:
        """p and W."""
        blocks = ranking.blocks
        if len(blocks) < 2:
            for element in (cls.agreement, cls.pairs):
                report.skip(element, "排全的答卷不足 2 份")
            return None
        test = friedman(blocks)
        report.row(cls.agreement, n=len(blocks), chi2=test.chi2, df=test.df, p=test.p, w=test.w)
        for pair in compared(blocks, "nemenyi"):
            report.row(
                cls.pairs, first=ranking.names[pair.first], second=ranking.names[pair.second], gap=pair.difference,
                q=pair.statistic, p=pair.p,
            )  # fmt: skip
        report.note(cls.pairs, "平均名次之差小于 0，表示前一个选项排得更靠前。")
        return test.p, test.w

    @classmethod
    def _worths(cls, report: Report, form: Any, ranking: Ranking) -> Floats:
        if form.score != "plackett_luce":
            return np.zeros(ranking.k)
        if len(ranking.ranks) * ranking.k**2 > MOST_CHOICES:
            raise Refusal(
                "data.size", "Plackett-Luce 最多约 {most} 次比较，数据太大；请抽样或改用综合得分", field="score",
                most=MOST_CHOICES, remedies=[SetRemedy(title="改用综合得分", set={"score": "borda"})],
            )  # fmt: skip
        choices = choice_model.ranking_choices(ranking.ranks, ranking.partial != "missing")
        fit = None
        if len(choices.sizes) and not choices.unidentified():
            fit = choice_model.fit_choices(choices)
        if fit is None or fit.separated:
            raise Refusal(
                "data.separated", "有的选项总是排在另一些之前（或没有与它们一起排过），"
                "Plackett-Luce 价值没有有限的估计；请改用综合得分", field="score",
                remedies=[SetRemedy(title="改用综合得分", set={"score": "borda"})],
            )  # fmt: skip
        design = np.eye(ranking.k)[:, 1:]
        found = choice_model.shares_with_bounds(design, fit.beta, fit.covariance, form.conf_level)
        for i in sorted(range(ranking.k), key=lambda i: -found[i].value):
            one = found[i]
            report.row(
                cls.worths, option=ranking.names[i], worth=one.value, se=one.se, low=one.low, high=one.high
            )  # fmt: skip
        report.note(
            cls.worths, "价值是选项排在第一的概率，合计 100%。CI 的置信水平为 {level:percent}。", level=form.conf_level
        )
        return np.array([one.value for one in found])

    @classmethod
    def _groups(cls, report: Report, form: Any, ranking: Ranking) -> None:
        if form.group is None:
            return
        codes = form.group.codes[ranking.rows]
        members = [(level, codes == level.code) for level in form.group.levels if (codes == level.code).any()]
        means = [
            np.array([np.nanmean(c) if (~np.isnan(c)).any() else np.nan for c in ranking.points[m].T])
            for _, m in members
        ]
        tests = []
        for i, name in enumerate(ranking.names):
            wide = {
                level: {
                    "score": None if np.isnan(mean[i]) else mean[i],
                    "standing": None if np.isnan(mean[i]) else int(1 + np.sum(mean > mean[i] + 1e-12)),
                }
                for (level, _), mean in zip(members, means, strict=True)
            }
            report.row(cls.groups, option=name, wide=wide)
            samples = [(one[~np.isnan(one)], None) for one in (ranking.points[m, i] for _, m in members)]
            samples = [one for one in samples if one[0].size]
            varies = len(samples) > 1 and len(set(np.concatenate([x for x, _ in samples]))) > 1
            tests.append(kruskal_wallis(RankTable.of(samples)) if varies else None)
        adjusted = iter(adjust([one.p for one in tests if one is not None], "holm"))
        for name, one in zip(ranking.names, tests, strict=True):
            if one is not None:
                report.row(cls.group_tests, option=name, h=one.H, df=one.df, p=one.p, adjusted=next(adjusted))
        if not any(tests):
            report.skip(cls.group_tests, "各组的得分都相同，或只有一组")
        report.note(cls.group_tests, "每个选项一次 Kruskal-Wallis 检验，比较各组的得分；*p* 用 Holm 法校正。")

    # ---- words -----------------------------------------------------------------------------------------------------
    @classmethod
    def _words(
        cls, report: Report, form: Any, ranking: Ranking, lead: Floats, means: Floats, test: tuple[float, float] | None
    ) -> None:
        top, last = float(lead.max()), float(lead.min())
        facts: dict[str, Any] = {
            "best": sharing(ranking.names, lead.tolist(), top), "worst": sharing(ranking.names, lead.tolist(), last),
            "top": top, "last": last, "n": len(ranking.ranks), "k": ranking.k,
        }  # fmt: skip
        form_of = "num" if form.score == "borda" else "percent1"
        word = SCORES[form.score]
        main = f"总体上排在最前的是“{{best}}”（{word} {{top:{form_of}}}），最后的是“{{worst}}”（{{last:{form_of}}}）。"
        verdict = ""
        if test is not None:
            facts |= {"p": test[0], "w": test[1]}
            found = test[0] < 1 - form.conf_level
            verdict = "大家的排序有一定共识" if found else "没有发现大家的排序有共识"
            verdict += "（Kendall *W* = {w:num3}，*p* {p:peq}）。"
        report.lead(
            main + verdict,
            [figure("排在最前", "{best:text}", f"{word} {{top:{form_of}}}"), figure("答卷", "{n:integer} 份")],
            **facts,
        )
        report.say(
            "平均综合得分越高，排得越靠前。*W* 为 0 表示各排各的，1 表示所有人排得完全一样；*W* 小的时候，"
            "总的名次不代表大多数人。", voice="student",
        )  # fmt: skip
        report.say("{n:integer} 人对 {k:integer} 个选项排序。" + main + verdict, voice="paper", **facts)
        report.say(main + verdict, voice="brief", **facts)


def _ranked(line: Floats) -> Floats:
    """Ranks 1, 2, … of what was ranked, ties by their mean."""
    out = np.full(line.size, np.nan)
    held = ~np.isnan(line)
    out[held] = stats.rankdata(line[held])
    return out
