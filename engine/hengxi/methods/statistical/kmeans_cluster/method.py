from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    NewColumns,
    Points,
    Reference,
    Report,
    Silent,
    Table,
    Wide,
    choice,
    combo,
    flag,
    integer,
    num,
    percent,
    pvalue,
    role,
    rows_column,
    text,
)
from hengxi.methods.statistical._shared import kmeans_tables, kmeans_words
from hengxi.methods.statistical._shared.kmeans_model import build_model

COMPARED: list[Mapping[str, Any]] = [{"compare_k": True}, {"k_rule": "auto"}]


class KmeansCluster(Method):
    """Lloyd's algorithm on rows in an order of their own values: the order of the file changes nothing."""

    title, title_en = "K-Means聚类", "K-means clustering"
    slug = "k-means"
    family, tier = "多元统计", "standard"
    purpose = "按多个定量指标把样本分成 K 个内部相似的群"
    aliases = ("聚类分析", "K均值", "分群", "客户细分", "市场细分", "分成几类", "轮廓系数", "肘部法")
    references = (
        "macqueen1967", "lloyd1982", "hartigan1979", "arthur2007", "rousseeuw1987", "kaufman1990", "calinski1974",
        "davies1979", "tibshirani2001", "milligan1988", "bradley1998",
    )  # fmt: skip
    conventions = (
        "距离为欧氏距离；起点用 k-means++，每次重启由种子决定，取组内平方和最小的一次。",
        "计算前个案按取值排成固定的次序，文件里的行序不影响结果；种子写在报告里。",
        "行数 × 变量数不超过 20 万时，每次重启都迭代到没有个案换类，"
        "再逐个交换边界上的个案（Hartigan 与 Wong，1979），直到组内平方和不能再减小。",
        "更多时按种子抽取约 20 万个数（个案数 × 变量数），先在其中重启（Bradley 与 Fayyad，1998）；"
        "最好的几组中心，加上从全部个案选的一组起点，再用全部个案迭代，连续 3 组没有更小的组内平方和就停。",
        "抽样时各次在中心的移动小于容差 10⁻⁴ 时停止，最好的一次最多再迭代 10 轮，不作逐个交换。",
        "类别按个案数从多到少编号；个案数相同的按第一个变量的中心从小到大，再相同看下一个变量。",
        "Z 标准化和标准差以 n − 1 为分母；极差标准化为（x − 最小值）/（最大值 − 最小值）。",
        "轮廓系数超过 10000 个个案时按种子抽 10000 个计算；只有 1 个个案的类取 0。",
        "Gap 统计量：50 次参照，在数据的主成分方向的范围内均匀分布，每次重启 3 次；标准误为 s·√(1 + 1/50)。",
        "主成分散点图最多画 5000 个点，等距抽取；每个主成分绝对值最大的系数取正。",
        "类别差异的 F 与 p 只作描述，不是检验。",
    )
    random = True
    min_rows = 3

    class Input(Form):
        x: list[Column] = role("聚类变量", "定量", min=1, max=None)
        label: Column | None = role("样本标签（可选）", "任意", use="label")
        k_rule: str = choice("聚类数", {"fixed": "指定", "auto": "自动（2—10 中平均轮廓系数最大者）"})
        k: int = integer("K", 3, least=2, most=20, when={"k_rule": "fixed"})
        scale: str = choice(
            "标准化", {"none": "不处理", "z": "Z标准化", "range": "极差"}, default="z", hint="单位不同的变量要标准化"
        )
        n_init: int = integer("重启次数", 25, least=1, most=200, advanced=True)
        compare_k: bool = flag("K=2—10 对照与Gap统计量", False)
        save: bool = flag("保存类别", True)

    centres = Table(
        "聚类中心", name=text("变量"), layout=Wide(value=combo("均值 ± 标准差", "mean_sd", "mean", "sd")), place="main",
    )  # fmt: skip
    sizes = Table(
        "聚类规模", name=text("类别"), n=integer("频数"), share=percent("占比"),
        width=num("平均轮廓系数", least=-1, most=1, decimals=3), negative=integer("轮廓系数为负"), place="main",
    )  # fmt: skip
    plane_points = Points(
        "主成分平面", x=num("第一主成分"), y=num("第二主成分"), group=text("类别"), row=integer("行号"),
        label=text("样本"),
    )  # fmt: skip
    plane = Chart("主成分散点图", "point", of=plane_points, x="x", y="y", series="group", row="row", place="main")
    evaluation = Table(
        "评价", layout="record", n=integer("*N*"), variables=integer("变量数"), k=integer("类数"),
        total_squares=num("总平方和", least=0), between_squares=num("组间平方和", least=0),
        within=num("组内平方和", least=0), between=percent("组间平方和/总平方和"),
        silhouette=num("平均轮廓系数", least=-1, most=1, decimals=3), calinski=num("Calinski-Harabasz", least=0),
        davies=num("Davies-Bouldin", least=0, decimals=3), place="detail",
    )  # fmt: skip
    comparison = Table(
        "不同 K 的对照", k=integer("K"), within=num("组内平方和", least=0), between=percent("组间平方和/总平方和"),
        silhouette=num("平均轮廓系数", least=-1, most=1, decimals=3), calinski=num("Calinski-Harabasz", least=0),
        davies=num("Davies-Bouldin", least=0, decimals=3), gap=num("Gap", decimals=3, when={"compare_k": True}),
        gap_se=num("Gap 的标准误", least=0, decimals=3, when={"compare_k": True}), when=COMPARED,
    )  # fmt: skip
    elbow_points = Points("各 K 的组内平方和", k=integer("K"), within=num("组内平方和"), when=COMPARED)
    elbow = Chart("肘部图", "line", of=elbow_points, x="k", y="within", when=COMPARED, place="detail")
    anova = Table(
        "类别差异（只作描述）", name=text("变量"), F=num("*F*", least=0), df1=integer("*df*1"), df2=integer("*df*2"),
        p=pvalue(), eta2=num("η²", least=0, most=1, decimals=3),
        claim=Silent("the clusters were made from these very variables: the p proves nothing"),
    )  # fmt: skip
    standard_centres = Table("标准化的聚类中心", name=text("变量"), layout=Wide(centre=num("标准化均值", decimals=3)))
    radar_points = Points("各类画像", axis=text("变量"), value=num("标准化均值"), group=text("类别"))
    radar = Chart("雷达图", "radar", of=radar_points, axis="axis", value="value", group="group", place="detail")
    widths_points = Points("轮廓系数", position=integer("个案"), value=num("轮廓系数"), group=text("类别"))
    widths_chart = Chart(
        "轮廓图", "line", of=widths_points, x="position", y="value", series="group", over=[Reference(y=0)],
        titles={"x": "个案（按类和轮廓系数排列）"}, place="detail",
    )  # fmt: skip
    nearest = Table(
        "各类的代表个案", name=text("类别"), row=rows_column("行号"), label=text("样本标签"),
        distance=num("到中心的距离", least=0), merge=("name",),
    )  # fmt: skip
    saved = NewColumns("聚类类别", when={"save": True})

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.x)} 个变量的 K-Means 聚类"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.3 + rows * max(columns, 1) * 6e-7

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        model = build_model(form)
        kmeans_tables.write(report, cls, model)
        kmeans_words.Words(model).write(report)
        kmeans_words.report_checks(report, model)
        return report
