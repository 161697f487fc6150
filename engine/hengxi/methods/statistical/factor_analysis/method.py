from __future__ import annotations

from typing import Any

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Formula,
    Matrix,
    Method,
    NewColumns,
    Points,
    Reference,
    Report,
    Table,
    Wide,
    choice,
    claim,
    flag,
    integer,
    interval,
    num,
    number,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.contract import weight as weights_box
from hengxi.methods.statistical._shared import factor_checks, factor_tables, factor_words
from hengxi.methods.statistical._shared.factor_model import build_model

FACTORS = ("paf", "ml", "minres")
ORTHOGONAL, OBLIQUE = ("varimax", "quartimax", "equamax"), ("oblimin", "promax")


class FactorAnalysis(Method):
    """From the correlation matrix alone: rows are read once, everything else is of the size of the items."""

    title, title_en = "因子分析（探索性）", "Exploratory factor analysis"
    slug = "factor-analysis"
    family, tier = "多元统计", "standard"
    purpose = "许多题项背后有几个潜在因子，每个题项归属哪个因子"
    aliases = (
        "EFA",
        "主成分分析",
        "PCA",
        "KMO",
        "Bartlett",
        "巴特利特",
        "碎石图",
        "因子载荷",
        "因子旋转",
        "维度",
        "结构效度",
        "降维",
    )
    references = (
        "kaiser1974", "bartlett1950", "kaiser1960", "horn1965", "joreskog1967", "harman1966", "heywood1931",
        "kaiser1958", "harman1976", "jennrich1966", "jennrich2002", "hendrickson1964", "thurstone1935", "olsson1979",
        "tucker1973", "browne1992", "costello2005", "gorsuch1983", "zwick1986",
    )  # fmt: skip
    conventions = (
        "主成分法得到的是成分，其余三种得到的是公因子；结论第一句写明提取方法。",
        "主轴因子以复相关系数平方为初值，迭代到公因子方差的变动小于 10⁻¹³；最大似然和最小残差的独有方差不小于 0.005。",
        "旋转均用 Kaiser 正规化；等量最大的 γ = m/2，直接斜交的 δ = 0，Promax 的 κ = 4。",
        "Promax 的目标矩阵取正规化载荷的 4 次方（SPSS 的做法）；R 的 promax 取未正规化的，结果略有不同。",
        "因子按旋转后的平方和从大到小排列；每个因子绝对值最大的载荷取正。",
        "因子得分用回归法（Thurstone），主成分法用成分得分；题项的标准差以 n − 1 为分母。",
        "平行分析用主成分特征根：100 次正态模拟，第 95 百分位，随机种子写在报告里。",
        "综合得分与权重按旋转后的方差占比加权，是国内惯例，不是检验；斜交旋转后不给。",
        "斜交旋转后的平方和是结构矩阵各列的平方和，不给方差百分比。",
        "多分格相关分两步估计：先由各题的频数求界限，再用最大似然逐对求相关；空格不加常数。",
    )
    weights = ("frequency",)
    random = True
    min_rows = 2

    class Input(Form):
        items: list[Column] = role("分析项", "定量", min=3, max=None)
        weight: Column | None = weights_box("频数权重（可选）", kind="frequency", whole=True)
        extraction: str = choice(
            "提取方法",
            {"principal": "主成分法", "paf": "主轴因子", "ml": "最大似然", "minres": "最小残差"},
            hint="主成分法得到成分；研究潜在因子用后三种",
        )
        rotation: str = choice(
            "旋转",
            {
                "none": "不旋转", "varimax": "最大方差", "quartimax": "四次方最大", "equamax": "等量最大",
                "oblimin": "直接斜交（δ = 0）", "promax": "Promax（κ = 4）",
            },
            default="varimax",
            hint="后两种是斜交旋转，允许因子相关",
        )  # fmt: skip
        n_rule: str = choice("因子个数", {"kaiser": "特征根大于1", "parallel": "平行分析", "fixed": "指定"})
        n_factors: int = integer("指定个数", 3, least=1, most=30, when={"n_rule": "fixed"})
        matrix: str = choice(
            "相关矩阵", {"pearson": "Pearson", "spearman": "Spearman", "polychoric": "多分格相关"},
            hint="等级少、偏斜的题项用多分格相关", advanced=True,
        )  # fmt: skip
        suppress: float = number("隐藏小于此值的载荷", 0, least=0, most=0.9, advanced=True)
        save: bool = flag("保存因子得分与综合得分", False)

    loadings = Table(
        "载荷", item=text("题项"), layout=Wide(loading=num("载荷", decimals=3)), belongs=text("归属"),
        communality=num("共同度", least=0, decimals=3), place="main",
    )  # fmt: skip
    variance = Table(
        "总方差解释", number=integer("序号"),
        eigenvalue=num("特征根", least=0, span="初始特征根"), share=percent("方差%", span="初始特征根"),
        running=percent("累计%", span="初始特征根"),
        square=num("平方和", least=0, span="提取载荷平方和"),
        square_share=percent("方差%", most=None, span="提取载荷平方和"),
        square_sum=percent("累计%", most=None, span="提取载荷平方和"),
        rotated=num("平方和", least=0, span="旋转后平方和", when={"rotation": (*ORTHOGONAL, *OBLIQUE)}),
        rotated_share=percent("方差%", most=None, span="旋转后平方和", when={"rotation": ORTHOGONAL}),
        rotated_sum=percent("累计%", most=None, span="旋转后平方和", when={"rotation": ORTHOGONAL}),
        place="main",
    )  # fmt: skip
    scree_points = Points("特征根", number=integer("序号"), value=num("特征根"), series=text("来源"))
    scree = Chart(
        "碎石图与平行分析", "line", of=scree_points, x="number", y="value", series="series",
        over=[Reference(y=1, label="特征根 1")], place="main",
    )  # fmt: skip
    adequacy = Table(
        "KMO 与 Bartlett 球形检验", layout="record", kmo=num("KMO", least=0, most=1, decimals=3),
        chi2=num("Bartlett χ²", least=0), df=integer("*df*"), p=pvalue(), place="detail",
        claim=claim("named", stat("χ²", "chi2", "df")),
    )  # fmt: skip
    communalities = Table(
        "公因子方差", item=text("题项"), initial=num("初始", decimals=3), extracted=num("提取", least=0, decimals=3),
        msa=num("MSA", least=0, most=1, decimals=3),
    )  # fmt: skip
    unrotated = Table(
        "未旋转的载荷", item=text("题项"), layout=Wide(loading=num("载荷", decimals=3)),
        when={"rotation": (*ORTHOGONAL, *OBLIQUE)},
    )  # fmt: skip
    structure = Table(
        "结构矩阵", item=text("题项"), layout=Wide(loading=num("相关", decimals=3)), when={"rotation": OBLIQUE},
    )  # fmt: skip
    correlations = Table(
        "因子相关", layout=Matrix(phi=num("相关", least=-1, most=1, decimals=3), show="lower"),
        when={"rotation": OBLIQUE},
    )  # fmt: skip
    parallel = Table(
        "平行分析", number=integer("序号"), eigenvalue=num("数据的特征根", least=0),
        mean=num("随机数据：均值", least=0), high=num("随机数据：第95百分位", least=0), kept=text("建议"),
    )  # fmt: skip
    advice = Table(
        "题项核对", item=text("题项"), problem=text("问题"), first=num("最大载荷", least=0, decimals=3),
        second=num("第二大载荷", least=0, decimals=3), communality=num("共同度", least=0, decimals=3),
        advice=text("建议"),
    )  # fmt: skip
    coefficients = Table("得分系数", item=text("题项"), layout=Wide(coefficient=num("系数", decimals=3)))
    importance = Table(
        "权重计算", factor=text("因子"), share=percent("方差%", most=None), weight=percent("权重"), place="detail",
    )  # fmt: skip
    composite = Formula("综合得分", place="detail")
    fit = Table(
        "拟合", layout="record", chi2=num("χ²", least=0, when={"extraction": "ml"}),
        df=integer("*df*", when={"extraction": "ml"}), p=pvalue(when={"extraction": "ml"}),
        rmsea=num("RMSEA", least=0, decimals=3, when={"extraction": "ml"}),
        ci=interval("RMSEA 的90%CI", "low", "high", around="rmsea", when={"extraction": "ml"}),
        tli=num("TLI", decimals=3, when={"extraction": "ml"}), bic=num("BIC", when={"extraction": "ml"}),
        rmsr=num("RMSR", least=0, decimals=3),
        claim=claim("named", stat("χ²", "chi2", "df")),
    )  # fmt: skip
    heat_cells = Points("载荷", row=text("题项"), column=text("因子"), value=num("载荷"))
    heat = Chart("载荷热图", "heat", of=heat_cells, row="row", column="column", value="value", place="detail")
    space_points = Points("旋转空间", item=text("题项"), x=num("因子1"), y=num("因子2"), series=text("归属"))
    space = Chart(
        "旋转空间图", "point", of=space_points, x="x", y="y", series="series", label="item",
        over=[Reference(x=0), Reference(y=0)], place="detail",
    )  # fmt: skip
    saved = NewColumns("因子得分与综合得分", when={"save": True})

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.items)} 个题项的因子分析"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.1 + rows * columns * 5e-8 + columns**2 * 2e-4

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        model = build_model(form)
        factor_tables.write(report, cls, model)
        factor_words.Words(model).write(report)
        factor_checks.report_all(report, model)
        return report
