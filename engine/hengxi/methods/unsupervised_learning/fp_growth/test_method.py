"""What is particular to FP-growth: the same itemsets as Apriori's, kinds of itemsets, its tree."""

import pandas as pd

from hengxi.testing import Trial, cells, records

WIDE = pd.DataFrame({"牛奶": [1, 1, 0, 1], "面包": [1, 1, 1, 0], "蛋": [0, 1, 0, 1]})
KINDS = {**dict.fromkeys(WIDE.columns, "定类"), "格": "定类"}
FORM = {"items": list(WIDE.columns), "layout": "wide", "min_support": 0.5}
TRIAL = Trial("unsupervised_learning/fp_growth", WIDE, FORM, KINDS)
APRIORI = Trial("unsupervised_learning/apriori", WIDE, FORM, KINDS)


def test_itemsets_and_rules_equal_those_of_apriori() -> None:
    for table in ("items", "itemsets", "rules"):
        assert records(TRIAL.report(), table) == records(APRIORI.report(), table)


def test_maximal_itemsets_are_some_of_the_closed_ones() -> None:
    closed, largest = (
        {row["items"] for row in records(TRIAL.report(pattern=one), "itemsets")} for one in ("closed", "max")
    )
    assert largest == {"牛奶 + 面包", "牛奶 + 蛋"} and largest < closed
    assert records(TRIAL.report(pattern="max"), "rules") == records(TRIAL.report(), "rules")


def test_a_separator_that_is_nowhere_is_refused() -> None:
    table = pd.DataFrame({"格": ["牛奶,蛋", "蛋"]})
    assert "项目列中没有找到分隔符“、”" in TRIAL.refused(table, items=["格"], layout="cell").text


def test_no_frequent_itemset_and_one_transaction_are_refused() -> None:
    assert "最大支持度为0.75" in TRIAL.refused(min_support=0.9).text
    assert "至少需要2笔事务" in TRIAL.refused(WIDE[:1]).text


def test_children_of_the_tree_have_no_more_than_their_parent() -> None:
    rows = cells(TRIAL.report(), "branches")
    count = {row[0]: row[3] for row in rows}
    assert all(row[3] <= count[row[1]] for row in rows[1:]) and rows[0][3] == 4
