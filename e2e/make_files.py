"""Files for the journeys, made fresh so that none of them is one the product has seen: python make_files.py FOLDER."""

import sys
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyreadstat

folder = Path(sys.argv[1])
rng = np.random.default_rng(7)


def survey(rows: int) -> pd.DataFrame:
    """A small survey: id, sex, grade, three measures with gaps."""
    sex = rng.choice(["男", "女"], rows, p=[0.45, 0.55])
    hours = np.round(rng.gamma(4, 0.8, rows) + np.where(sex == "男", 0.6, 0.0), 1)
    sleep = np.round(rng.normal(7.2, 0.9, rows), 1)
    table = pd.DataFrame(
        {
            "编号": np.arange(1, rows + 1),
            "性别": sex,
            "年级": rng.choice(["大一", "大二", "大三", "大四"], rows),
            "每周运动时长": hours,
            "每晚睡眠时长": sleep,
            "日均手机时长": np.round(9.5 - 0.6 * sleep + rng.normal(0, 1, rows), 1),
        }
    )
    table.loc[rng.choice(rows, 9, replace=False), "每周运动时长"] = np.nan
    return table


table = survey(240)
table.to_csv(folder / "运动与睡眠.csv", index=False, encoding="gb18030")
table.to_csv(folder / "utf8.csv", index=False, encoding="utf-8-sig")

book = openpyxl.Workbook()
sheet = book.active
sheet.title = "数据"
sheet.append(list(table.columns))
for row in table.astype(object).where(table.notna(), None).itertuples(index=False):
    sheet.append([value.item() if hasattr(value, "item") else value for value in row])
book.create_sheet("说明").append(["由测试生成"])
book.save(folder / "运动与睡眠.xlsx")

coded = pd.DataFrame(
    {
        "SEX": table["性别"].map({"男": 1, "女": 2}).astype(float),
        "HOURS": table["每周运动时长"].fillna(99),
        "SLEEP": table["每晚睡眠时长"],
    }
)
pyreadstat.write_sav(
    coded,
    folder / "运动与睡眠.sav",
    column_labels=["性别", "每周运动时长（小时）", "每晚睡眠时长（小时）"],
    variable_value_labels={"SEX": {1: "男", 2: "女"}},
    missing_ranges={"HOURS": [99]},
    variable_measure={"SEX": "nominal", "HOURS": "scale", "SLEEP": "scale"},
)

(folder / "参差.csv").write_text("甲,乙,丙\n1,2,3\n4,5\n6,7,8,9\n", encoding="utf-8")
(folder / "空.csv").write_bytes(b"")
(folder / "图片.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
(folder / "截断.xlsx").write_bytes((folder / "运动与睡眠.xlsx").read_bytes()[:3000])
(folder / "只有表头.csv").write_text("甲,乙,丙\n", encoding="utf-8")
