"""Tables and charts of extracted factors; members add their own fields and what else they print."""

from __future__ import annotations

from hengxi.contract import (
    Chart,
    Matrix,
    Method,
    Points,
    Reference,
    Table,
    Wide,
    claim,
    integer,
    num,
    percent,
    pvalue,
    stat,
    text,
)  # fmt: skip

ORTHOGONAL, OBLIQUE = ("varimax", "quartimax", "equamax"), ("oblimin", "promax")


class Factored(Method):
    """The form has `extraction`, `rotation`, `n_rule`, `n_factors` and `matrix`, as `model.py` reads."""

    random = True
    min_rows = 2

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
    heat_cells = Points("载荷", row=text("题项"), column=text("因子"), value=num("载荷"))
    heat = Chart("载荷热图", "heat", of=heat_cells, row="row", column="column", value="value", place="detail")
