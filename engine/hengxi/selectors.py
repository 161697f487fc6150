"""Pages that choose among methods: what suits the chosen variables, and the difference-analysis selector.

The rules are the table of the design (deterministic, no learning); a path nobody has built yet is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from hengxi import registry
from hengxi.contract.measures import ColumnInfo, is_number
from hengxi.contract.when import level_count
from hengxi.data.table import Table

MOST = 8
BEFORE = ("前测", "前", "pre", "before", "t1", "time1", "第一次")
AFTER = ("后测", "后", "post", "after", "t2", "time2", "第二次")


@dataclass(frozen=True)
class Chosen:
    """The chosen columns sorted by what they can be."""

    numbers: list[ColumnInfo]
    categories: list[ColumnInfo]
    scales: list[ColumnInfo]
    times: list[ColumnInfo]
    texts: list[ColumnInfo]

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers and categories, when there is nothing else."""
        return (-1, -1) if self.times or self.texts else (len(self.numbers), len(self.categories))


def sort_columns(columns: list[ColumnInfo]) -> Chosen:
    """量表 counts among the numbers, and is kept apart as well."""
    chosen = Chosen([], [], [], [], [])
    for column in columns:
        if "标识" in column.flags:
            continue
        if "量表" in column.flags:
            chosen.scales.append(column)
        if column.measure == "时间":
            chosen.times.append(column)
        elif column.measure == "文本":
            chosen.texts.append(column)
        elif column.measure == "定量" or ("量表" in column.flags and is_number(column)):
            chosen.numbers.append(column)
        else:
            chosen.categories.append(column)
    return chosen


@dataclass(frozen=True)
class Rule:
    """When it holds, these methods in order, each with its reason."""

    holds: Callable[[Chosen], bool]
    methods: tuple[tuple[str, str], ...]


def _paired(columns: list[ColumnInfo]) -> bool:
    """The same words, once with 前 and once with 后."""
    if len(columns) != 2:
        return False
    first, second = (re.sub(r"[\s_\-（）()]", "", column.name.lower()) for column in columns)
    return any(
        a in x and b in y and x.replace(a, "", 1) == y.replace(b, "", 1)
        for a, b in zip(BEFORE, AFTER, strict=True)
        for x, y in ((first, second), (second, first))
    )


def _repeated(columns: list[ColumnInfo]) -> bool:
    """One name with running numbers: 血压1, 血压2, 血压3; items of a scale are named so too, and are none."""
    stems = {re.sub(r"\d+", "", column.name) for column in columns}
    return len(stems) == 1 and not any("量表" in column.flags for column in columns)


def _same_levels(columns: list[ColumnInfo]) -> bool:
    values = [{str(level.value) for level in column.levels or []} for column in columns]
    return bool(values[0]) and all(other == values[0] for other in values)


def _counted(columns: list[ColumnInfo]) -> bool:
    """One is called a number of events: 次数, 例数, 件数, 发生数, 死亡数."""
    return any(re.search(r"次数|例数|件数|人次|发生数|死亡数|事故数|缺陷数", column.name) for column in columns)


def _levels(column: ColumnInfo) -> int:
    return level_count(column)


def _ordered(columns: list[ColumnInfo]) -> bool:
    return all(column.ordered for column in columns)


H, D, S, Q, E, M = "hypothesis_test", "descriptive", "statistical", "questionnaire", "econometric", "medical"
C = "supervised_learning/classifier"

RULES: tuple[Rule, ...] = (
    Rule(
        lambda c: c.shape == (0, 1),
        (
            (f"{D}/frequency", "一个定类变量：看各类别有多少、占多大比例"),
            (f"{H}/chisquare_goodness_fit", "检验各类别的比例是否等于给定的比例"),
        ),
    ),
    Rule(
        lambda c: c.shape == (1, 0),
        (
            (f"{D}/descriptive_statistics", "一个定量变量：先看集中、离散与分布"),
            (f"{D}/frequency", "看取值的分布与直方图"),
            (f"{D}/normality_test", "看分布是否接近正态"),
            (f"{H}/single_sample_t_test", "均值与一个给定值比较"),
            (f"{H}/single_sample_wilcoxon_test", "中位数与一个给定值比较，不要求正态"),
        ),
    ),
    Rule(
        lambda c: len(c.numbers) >= 1 and len(c.categories) == 1 and c.shape[0] > 0 and _levels(c.categories[0]) == 2,
        (
            (f"{H}/independent_t_test", "两组的定量变量比较均值；默认 Welch，不要求方差相等"),
            (f"{H}/independent_samples_mann_whitney_test", "样本小或明显偏态时，用秩比较两组"),
            (f"{H}/yuen_test", "两端有极端值时，用截尾均值比较两组"),
            (f"{H}/equivalence_tost", "想证明两组差不多时，做等价性检验"),
            (f"{H}/permutation_test", "不想假定正态时，由重新分组得出 p"),
            (f"{H}/ks_two_sample", "关心整个分布是否相同，不只是平均高低"),
            (f"{H}/variance_test", "关心哪一组更分散时，比较方差"),
            (f"{H}/bayesian_t_test", "想知道数据支持有差异还是没有差异"),
        ),
    ),
    Rule(
        lambda c: len(c.numbers) >= 2 and len(c.categories) == 1 and c.shape[0] > 0 and _levels(c.categories[0]) == 2,
        ((f"{H}/hotelling_t2", "几个定量变量一起比较两组，只做一次检验"),),
    ),
    Rule(
        lambda c: len(c.numbers) >= 1 and len(c.categories) == 1 and c.shape[0] > 0 and _levels(c.categories[0]) >= 3,
        (
            (f"{H}/variance", "三组及以上的定量变量比较均值，附事后比较"),
            (f"{H}/multiple_sample_kruskal_wallis_test", "样本小或明显偏态时，用秩比较多组"),
            (f"{H}/welch_anova", "各组方差不等时比较均值"),
            (f"{H}/independent_t_test", "只比较其中两组时，选出两组"),
        ),
    ),
    Rule(
        lambda c: c.shape[0] >= 1 and c.shape[1] == 1 and _levels(c.categories[0]) >= 3 and _ordered(c.categories),
        ((f"{H}/jonckheere_terpstra", "组别有高低次序：看定量变量是否随次序升降"),),
    ),
    Rule(
        lambda c: len(c.numbers) == 1 and len(c.categories) == 2 and sum(c.shape) == 3,
        (
            (f"{H}/two_way_anova", "一个定量变量、两个分组因素：各自的作用与交互作用"),
            (f"{H}/scheirer_ray_hare", "两个分组因素而明显偏态时，用秩比较"),
        ),
    ),
    Rule(
        lambda c: len(c.numbers) == 1 and len(c.categories) == 3 and sum(c.shape) == 4,
        ((f"{H}/three_way_anova", "一个定量变量、三个分组因素：各自的作用与交互作用"),),
    ),
    Rule(
        lambda c: c.shape == (2, 1),
        ((f"{H}/ancova", "比较各组时，扣除另一个定量变量的影响"),),
    ),
    Rule(
        lambda c: c.shape == (2, 0) and _paired(c.numbers),
        (
            (f"{H}/paired_sample_t_test", "同一批对象前后两次的定量变量比较"),
            (f"{H}/paired_sample_wilcoxon_test", "差值明显偏态时，用秩比较前后两次"),
        ),
    ),
    Rule(
        lambda c: c.shape[0] >= 3 and c.shape[1] == 0 and _repeated(c.numbers),
        (
            (f"{H}/repeated_measures_anova", "同一批对象测了三次以上：比较各次的均值"),
            (f"{H}/multiple_paired_sample_friedman_test", "三次以上而明显偏态时，用秩比较各次"),
            (f"{H}/page_trend_test", "研究前就预期一次比一次高（或低）时，看趋势"),
        ),
    ),
    Rule(
        lambda c: c.shape == (0, 2) and _paired(c.categories) and _same_levels(c.categories),
        ((f"{H}/mcnemar_test", "同一批对象前后两次的分类：看有没有变化"),),
    ),
    Rule(
        lambda c: len(c.scales) >= 3 and len(c.scales) == len(c.numbers) + len(c.categories),
        (
            (f"{D}/reliability", "三个及以上量表题：看内部一致性"),
            (f"{Q}/validity", "看题目是否测到同一件事"),
            (f"{S}/factor_analysis", "看题目归为几个因子"),
        ),
    ),
    Rule(
        lambda c: c.shape[0] == 0 and c.shape[1] == 2 and _ordered(c.categories),
        ((f"{D}/correlation", "两个有序变量：看秩相关（Spearman、Kendall）"),),
    ),
    Rule(
        lambda c: c.shape == (0, 2),
        (
            (f"{D}/crosstabs", "两个定类变量：看交叉分布与卡方检验"),
            (f"{D}/chi_square", "检验两个定类变量是否有关联"),
            (f"{H}/fisher_exact_test", "期望频数小时，用精确检验"),
            (f"{H}/multi_proportion_test", "比较各组的率，附两两比较"),
        ),
    ),
    Rule(
        lambda c: c.shape[0] == 0 and c.shape[1] >= 3,
        ((f"{D}/crosstabs", "多个定类变量：两两交叉，或把其中一个作为分层"),),
    ),
    Rule(
        lambda c: c.shape == (0, 3) and sum(_levels(one) == 2 for one in c.categories) >= 2,
        ((f"{H}/cmh_test", "两个二分类变量的关联，按第三个变量分层后合并"),),
    ),
    Rule(
        lambda c: c.shape == (2, 1) and _counted(c.numbers) and _levels(c.categories[0]) == 2,
        ((f"{H}/poisson_rate_test", "比较两组单位时间（或人口）的发生次数"),),
    ),
    Rule(
        lambda c: c.shape == (2, 0),
        (
            (f"{D}/correlation", "两个定量变量：看相关的方向与强弱"),
            (f"{S}/linear_regression", "看一个变量随另一个变化多少"),
        ),
    ),
    Rule(
        lambda c: len(c.numbers) >= 1 and len(c.numbers) + len(c.categories) >= 3 and c.shape[0] > 0,
        (
            (f"{S}/linear_regression", "一个定量因变量与多个自变量：看各自的关联和能解释多少变异"),
            (f"{D}/correlation", "多个定量变量：两两相关"),
            (f"{S}/quantile_regression", "关心高低两端而不只是平均时"),
            (f"{S}/robust_regression", "有极端值时"),
        ),
    ),
    Rule(
        lambda c: any(_levels(one) == 2 for one in c.categories) and len(c.numbers) + len(c.categories) >= 2,
        (
            (f"{S}/logistic_regression", "二分类因变量：看各自变量与发生比的关联"),
            (f"{M}/roc", "看一个指标区分两类的能力"),
        ),
    ),
    Rule(
        lambda c: bool(c.categories) and len(c.numbers) + len(c.categories) >= 4 and not c.texts,
        ((f"{C}/random_forest", "由多个变量判断类别：不要求线性，并看靠哪几个变量判断"),),
    ),
    Rule(
        lambda c: len(c.times) == 1 and len(c.numbers) >= 1,
        (
            (f"{E}/seasonal_decomposition", "时间与定量变量：看趋势与季节"),
            (f"{H}/adf", "看序列是否平稳"),
            (f"{E}/arima", "由过去预测以后"),
        ),
    ),
    Rule(
        lambda c: len(c.numbers) >= 3 and not c.categories,
        (
            (f"{S}/principal_component_analysis", "多个定量变量：压缩为少数几个"),
            (f"{S}/kmeans_cluster", "按多个变量把对象分组"),
        ),
    ),
    Rule(
        lambda c: bool(c.numbers or c.scales),
        ((f"{D}/descriptive_statistics", "先看各变量的分布"),),
    ),
    Rule(
        lambda c: bool(c.numbers or c.categories or c.scales),
        ((f"{D}/frequency", "看每个变量的取值分布"),),
    ),
)


def recommend(table_key: str, columns: list[str]) -> list[dict[str, str]]:
    """`[{path, why}]`, best first, at most eight (a page shows as many as it has room for), only methods that exist."""
    table = Table.open(table_key)
    return recommend_for([table.column(column_id) for column_id in columns])  # type: ignore[misc]


def recommend_for(columns: list[ColumnInfo]) -> list[dict[str, str]]:
    """The same from the columns themselves. Repeated measures and the roles of x and y are the user's to say."""
    chosen = sort_columns(columns)
    offers = [[offer for offer in rule.methods if registry.exists(offer[0])] for rule in RULES if rule.holds(chosen)]
    recommended: dict[str, str] = {}
    # What each rule thinks of first goes before what any thinks of second: the reader sees different questions.
    for row in zip_longest(*offers):
        for path, why in filter(None, row):
            recommended.setdefault(path, why)
    return [{"path": path, "why": why} for path, why in list(recommended.items())[:MOST]]


@dataclass(frozen=True)
class SelectorGroup:
    """One answer to a selector's question, and the methods it leads to: `(path, when)`, when one uses it."""

    key: str
    title: str
    hint: str
    question: str
    """The second question; the `when` of each method is an answer to it."""
    methods: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Selector:
    """A page that leads to a method in two questions at most."""

    key: str
    title: str
    question: str
    groups: tuple[SelectorGroup, ...]


DIFFERENCE = Selector(
    "difference",
    "差异性分析",
    "要比较什么？",
    (
        SelectorGroup(
            "SingleSample",
            "单样本",
            "一组数据，与一个给定的值比",
            "数据的分布怎样？",
            (
                (f"{H}/single_sample_t_test", "大致正态，或例数较多：比较均值"),
                (f"{H}/single_sample_wilcoxon_test", "明显偏态、有极端值，或是等级：比较中位数"),
            ),
        ),
        SelectorGroup(
            "IndependentSample",
            "独立样本",
            "几组不同的人或对象，互相比",
            "有几组？分布怎样？",
            (
                (f"{H}/independent_t_test", "两组，大致正态或例数较多：比较均值"),
                (f"{H}/independent_samples_mann_whitney_test", "两组，明显偏态、有极端值，或是等级：比较秩"),
                (f"{H}/variance", "三组及以上，大致正态或例数较多：比较均值"),
                (f"{H}/multiple_sample_kruskal_wallis_test", "三组及以上，明显偏态、有极端值，或是等级：比较秩"),
            ),
        ),
        SelectorGroup(
            "ChiSquareTest",
            "卡方检验",
            "各组的构成（占比）有没有不同",
            "",
            ((f"{H}/chi_square_test", "比较的是类别的占比，例如男女的购买与否"),),
        ),
        SelectorGroup(
            "PairedSample",
            "配对样本",
            "同一批人或对象，前后几次比",
            "测了几次？分布怎样？",
            (
                (f"{H}/paired_sample_t_test", "两次，差值大致正态或例数较多：比较均值"),
                (f"{H}/paired_sample_wilcoxon_test", "两次，差值明显偏态，或是等级：比较秩"),
                (f"{H}/multiple_paired_sample_friedman_test", "三次及以上，或给几个对象排名次：比较秩"),
            ),
        ),
        SelectorGroup(
            "ChiSquareGoodnessFit",
            "拟合优度",
            "各类别的占比，与给定的比例比",
            "",
            ((f"{H}/chisquare_goodness_fit", "例如四个口味的选择是否一样多"),),
        ),
        SelectorGroup(
            "MultipleFactor",
            "多因素",
            "两个以上的分组因素一起看",
            "有几个因素？",
            (
                (f"{H}/two_way_anova", "两个因素：各自的作用，和两者的交互作用"),
                (f"{H}/three_way_anova", "三个因素及其交互作用"),
                (f"{H}/multivariate_way_anova", "四个以上的因素，或自己决定放哪些交互作用"),
            ),
        ),
    ),
)

P = "programming_solution"
SOLVER = Selector(
    "solver",
    "规划求解",
    "目标函数和约束是什么样的？",
    (
        SelectorGroup(
            "Linear",
            "都是一次式",
            "只有变量乘常数再相加，例如 3X + 5Y",
            "变量可以取小数吗？",
            (
                (f"{P}/linear", "可以：线性规划，给出影子价格与灵敏度"),
                (f"{P}/integer", "有的要取整数，如人数、台数"),
                (f"{P}/boolean", "只取 0 或 1，表示不选或选"),
            ),
        ),
        SelectorGroup(
            "Nonlinear",
            "有平方、乘积或函数",
            "例如 X²、XY、LN(X)，变量可以取小数",
            "有没有约束？",
            (
                (f"{P}/nonlinear", "有或没有：从一个或多个初始点出发，求局部最优"),
                (f"{P}/nonlinear_with_constraints", "有约束：还可以用遗传算法、粒子群等在整个范围里找"),
                (f"{P}/nonlinear_without_constraints", "没有约束，只有变量的上下界"),
            ),
        ),
        SelectorGroup(
            "MixedInteger",
            "不是一次式，又要取整数",
            "有平方、乘积或函数，有的变量只能取整数",
            "",
            ((f"{P}/nonlinear_with_integers", "例如选哪些项目、各做几批，收益不成比例"),),
        ),
    ),
)

SELECTORS = (DIFFERENCE, SOLVER)


def selectors() -> list[dict[str, Any]]:
    """What the selector pages show: only methods that exist; groups left empty are passed over."""
    return [
        {"key": selector.key, "title": selector.title, "question": selector.question, "groups": _groups(selector)}
        for selector in SELECTORS
    ]


def _groups(selector: Selector) -> list[dict[str, Any]]:
    shown = []
    for group in selector.groups:
        methods = [{"path": path, "when": when} for path, when in group.methods if registry.exists(path)]
        if methods:
            words = {"key": group.key, "title": group.title, "hint": group.hint, "question": group.question}
            shown.append({**words, "methods": methods})
    return shown
