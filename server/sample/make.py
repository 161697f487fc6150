"""How the two sample tables were made; run once by a maintainer, the results are checked in beside it.

python server/sample/make.py      (engine environment: statsmodels and scikit-learn carry the originals)
"""

from pathlib import Path

import pandas as pd
import pyreadstat
import statsmodels.api as sm
from sklearn.datasets import load_wine

HERE = Path(__file__).parent

EDUCATION = {1: "8年级及以下", 2: "高中肄业", 3: "高中毕业", 4: "大学肄业", 5: "大学毕业", 6: "硕士", 7: "博士"}
WINE = {
    "alcohol": "酒精度", "malic_acid": "苹果酸", "ash": "灰分", "alcalinity_of_ash": "灰分碱度", "magnesium": "镁",
    "total_phenols": "总酚", "flavanoids": "类黄酮", "nonflavanoid_phenols": "非类黄酮酚", "proanthocyanins": "原花青素",
    "color_intensity": "颜色强度", "hue": "色调", "od280/od315_of_diluted_wines": "稀释酒OD280/OD315", "proline": "脯氨酸",
}  # fmt: skip


def survey() -> None:
    """American National Election Study 1996, 944 respondents, as an SPSS file with variable and value labels."""
    source = sm.datasets.anes96.load_pandas().data
    table = pd.DataFrame(
        {
            "TVNEWS": source["TVnews"],
            "AGE": source["age"],
            "EDUC": source["educ"],
            "INCOME": source["income"],
            "POPUL": source["popul"],
            "VOTE": source["vote"],
        }
    )
    labels = ["每周看电视新闻的天数", "年龄", "教育程度", "家庭收入档（1 最低，24 最高）", "居住地人口（千人）", "投票意向"]
    pyreadstat.write_sav(
        table,
        HERE / "anes96.sav",
        file_label="ANES 1996",
        column_labels=labels,
        variable_value_labels={"EDUC": EDUCATION, "VOTE": {0: "克林顿", 1: "多尔"}},
        variable_measure={"TVNEWS": "scale", "AGE": "scale", "EDUC": "ordinal", "INCOME": "scale", "POPUL": "scale", "VOTE": "nominal"},
        variable_format={name: "F8.0" for name in table.columns},
    )


def wine() -> None:
    """UCI Wine recognition data, 178 Italian wines of three cultivars, 13 chemical measures."""
    source = load_wine(as_frame=True)
    table = source.data.rename(columns=WINE)
    table.insert(0, "品种", source.target.map({0: "品种A", 1: "品种B", 2: "品种C"}))
    table.to_csv(HERE / "wine.csv", index=False, encoding="utf-8-sig")


survey()
wine()
