"""Segments of customers: what marks them, whether they come again, how to tell them apart."""

from __future__ import annotations

from typing import Any

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    NewColumns,
    Points,
    Report,
    Silent,
    Table,
    Wide,
    choice,
    flag,
    integer,
    num,
    percent,
    pvalue,
    role,
    text,
)
from hengxi.methods.questionnaire._shared import segment_portrait
from hengxi.methods.questionnaire._shared.segment_model import MOST_K, build

DESCRIBED = Silent("segments were made from these variables, and several descriptors are looked at side by side")


class CustomerSegmentation(Method):
    title, title_en = "客户细分", "Customer segmentation"
    family, tier = "市场与产品研究", "member"
    slug = "customer-segmentation"
    purpose = "客户可分成哪几类，每类有什么特征，怎样快速判别新客户归属"
    aliases = ("市场细分", "客户分群", "用户画像", "人群细分", "K-prototypes", "潜类别分析")
    references = (
        "macqueen1967", "huang1998", "ward1963", "lazarsfeld1968", "rousseeuw1987", "calinski1974", "davies1979",
        "tibshirani2001", "hubert1985", "dolnicar2010", "fisher1936",
    )  # fmt: skip
    conventions = (
        "数值变量作 Z 标准化（n − 1）；两个类别不同计距离平方 γ = 0.5（Huang，1998）。",
        "轮廓系数、SSE、CH、DB 都用这个距离。",
        "K-means 25 次、K-prototypes 50 次、潜类别 20 次随机起点，取最好的一次；层次聚类用 Ward 法。",
        "潜类别：类内各变量独立；类别变量为多项分布，数值变量为正态分布、各类方差相同；按最大后验概率归类。",
        "自动的类数：K-means、K-prototypes、层次聚类取平均轮廓系数最大的，潜类别取 BIC 最小的。",
        "类数从 2 类比较到 8 类（潜类别 6 类）；指定类数时比较到多 2 类。",
        "Gap 统计量：10 次均匀参照，参照用 K-means。稳定性：有放回重抽样后再聚类，与原结果的调整兰德指数的平均。",
        "指数 = 该类的均值或比例 ÷ 总体 × 100；有负值的变量不给指数。",
        "判别函数的先验概率为各类占比；类别变量以第一个选项为参照。交叉验证为逐行留一。",
        "类别按人数从多到少编号；各行先按取值排序，文件的行序不影响结果。",
        "超过 10000 行时，轮廓系数等距抽 10000 行计算；超过 1000 行时不给 Gap。",
    )
    random = True
    missing = "keep"

    class Input(Form):
        basis: list[Column] = role("细分变量", "任意", min=2, max=None, hint="用来分类的态度、需求、行为")
        profile: list[Column] = role("描述变量", "任意", min=0, max=None, hint="不参与分类，只描述各类，如年龄、城市")
        method: str = choice(
            "聚类方法",
            {
                "auto": "自动", "kmeans": "K-means", "k_prototypes": "K-prototypes", "hierarchical": "层次聚类",
                "latent_class": "潜类别",
            },
            hint="自动：全是数值用 K-means，全是类别用潜类别，都有用 K-prototypes",
        )  # fmt: skip
        reduce: bool = flag("先做因子降维", False, hint="数值变量先提取特征值大于 1 的主成分，再按成分得分分类")
        k: int | None = integer("类数", None, least=2, most=MOST_K, auto="自动")
        stability: int = integer("稳定性重抽样次数", 50, least=10, most=1000, advanced=True)

    sizes = Table(
        "各类人数与命名建议", name=text("类别"), n=integer("*n*"), share=percent("占比"), suggested=text("命名建议"),
        width=num("平均轮廓系数", least=-1, most=1, decimals=3), place="main",
    )  # fmt: skip
    means = Table(
        "数值变量画像", name=text("变量"), use=text("用途"),
        layout=Wide(mean=num("均值"), index=num("指数", decimals=0)),
        F=num("*F*", least=0), p=pvalue(), eta2=num("η²", least=0, most=1, decimals=3), claim=DESCRIBED, place="main",
    )  # fmt: skip
    shares = Table(
        "类别变量画像", name=text("变量"), use=text("用途"), level=text("选项"),
        layout=Wide(share=percent("比例"), index=num("指数", decimals=0)),
        chi2=num("χ²", least=0), p=pvalue(), v=num("*V*", least=0, most=1, decimals=3), merge=("name",),
        claim=DESCRIBED, place="main",
    )  # fmt: skip
    heat_points = Points("各类特征", name=text("变量"), group=text("类别"), value=num("标准化差"))
    heat = Chart("画像热力图", "heat", of=heat_points, row="name", column="group", value="value", place="main")
    radar_points = Points("各类画像", axis=text("变量"), value=num("标准化均值"), group=text("类别"))
    radar = Chart("画像雷达图", "radar", of=radar_points, axis="axis", value="value", group="group", place="detail")
    plane_points = Points("投影", x=num("第一主成分"), y=num("第二主成分"), group=text("类别"), row=integer("行号"))
    plane = Chart("二维投影散点图", "point", of=plane_points, x="x", y="y", series="group", row="row", place="detail")
    choosing = Table(
        "类数选择", k=integer("类数"), sse=num("SSE", least=0),
        silhouette=num("平均轮廓系数", least=-1, most=1, decimals=3), ch=num("CH", least=0),
        db=num("DB", least=0, decimals=3), gap=num("Gap", decimals=3), bic=num("BIC"),
        ari=num("稳定性（平均 ARI）", least=-1, most=1, decimals=3), chosen=text("采用"), place="detail",
    )  # fmt: skip
    latent = Table(
        "潜类别模型", layout="record", log_likelihood=num("对数似然"), parameters=integer("参数个数"), bic=num("BIC"),
        entropy=num("熵指数", least=None, most=1, decimals=3), starts=integer("起点数"),
        reached=integer("到达最大值的起点"),
        place="detail",
    )  # fmt: skip
    loadings = Table(
        "因子载荷", name=text("变量"), layout=Wide(loading=num("载荷", least=-1, most=1, decimals=3)),
        when={"reduce": True},
    )  # fmt: skip
    rule = Table("判别函数", name=text("变量"), layout=Wide(weight=num("系数", decimals=3)), place="detail")
    judged = Table(
        "判别效果", layout="record", apparent=percent("原样回判正确率"), left_out=percent("交叉验证正确率"),
        largest=percent("全归入最大类的正确率"), place="detail",
    )  # fmt: skip
    saved = NewColumns("客户类别")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.basis)} 个变量的客户细分"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 1.0 + rows * (1e-3 + max(columns, 1) * 1e-4)

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        model = build(report, form)
        segment_portrait.write(report, cls, form, model)
        return report
