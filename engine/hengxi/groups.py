"""Groups and families in the order of the menus, and the methods used most. A new method only adds a folder; a new
family adds a line here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Group:
    """`key` is the folder, `wire` the spelling in addresses where it differs."""

    key: str
    title: str
    wire: str


def _group(key: str, title: str, wire: str | None = None) -> Group:
    return Group(key, title, wire or key)


GROUPS = (
    _group("descriptive", "描述性分析"),
    _group("hypothesis_test", "假设检验"),
    _group("data_processing", "数据处理"),
    _group("questionnaire", "问卷分析"),
    _group("evaluation", "综合评价"),
    _group("statistical", "统计建模"),
    _group("econometric", "计量经济"),
    _group("medical", "医学统计"),
    _group("quality_control", "质量控制"),
    _group("supervised_learning/classifier", "机器学习分类"),
    _group("supervised_learning/regression", "机器学习回归"),
    _group("unsupervised_learning", "无监督学习"),
    _group("programming_solution", "规划求解"),
    _group("mathematical_modeling", "数学建模"),
    _group("text_analysis", "文本分析"),
    _group("research_visualization_model", "可视化模型", "research-visualization-model"),
)

FREQUENT = (
    "descriptive/frequency",
    "descriptive/crosstabs",
    "descriptive/descriptive_statistics",
    "descriptive/correlation",
    "hypothesis_test/independent_t_test",
    "hypothesis_test/variance",
    "statistical/linear_regression",
    "statistical/logistic_regression",
    "statistical/kmeans_cluster",
    "statistical/factor_analysis",
)
"""Methods that are loaded before somebody asks for them. All others are when their form is first judged or run, so that
start and memory of the engine do not grow with their number: this list stays short."""

FAMILIES = (
    "描述性分析",
    "差异性分析",
    "方差分析",
    "非参数检验",
    "一致性检验",
    "率与计数检验",
    "样本量与其他检验",
    "数据处理",
    "问卷研究",
    "影响机制",
    "市场与产品研究",
    "决策分析",
    "权重计算",
    "综合评价",
    "效率评价",
    "灰色预测",
    "一致性与均衡",
    "回归分析",
    "多元统计",
    "时间序列",
    "计量经济",
    "生存分析",
    "医学统计",
    "质量控制",
    "机器学习分类",
    "机器学习回归",
    "机器学习聚类",
    "机器学习降维",
    "异常检测",
    "关联规则",
    "规划求解",
    "数学建模",
    "文本分析",
    "可视化模型",
)


def group_of(path: str) -> Group:
    """The group a path lies in."""
    key = path.rsplit("/", 1)[0]
    found = next((group for group in GROUPS if group.key == key), None)
    if found is None:
        raise LookupError(f"{path}: add its group to groups.py")
    return found
