"""What is particular to Apriori, and the layouts its base reads."""

import numpy as np
import pandas as pd

from hengxi.stats.itemsets import Rule, apriori, fp_growth, kinds, redundant
from hengxi.testing import Trial, check, records

WIDE = pd.DataFrame({"牛奶": [1, 1, 0, 1], "面包": [1, 1, 1, 0], "蛋": [0, 1, 0, 1]})
KINDS = {**dict.fromkeys(WIDE.columns, "定类"), "单": "定类", "物": "定类", "格": "定类"}
TRIAL = Trial("unsupervised_learning/apriori", WIDE, {"items": list(WIDE.columns), "min_support": 0.5}, KINDS)
LONG = pd.DataFrame(
    [(t, name) for t, row in WIDE.iterrows() for name in WIDE.columns if row[name]], columns=["单", "物"]
)
CELLS = pd.DataFrame({"格": [f"、{chr(32)}".join(LONG["物"][LONG["单"] == t]) for t in range(4)]})


def counts(elements: list[dict[str, object]]) -> dict[frozenset[str], int]:
    return {frozenset(row["items"].split(" + ")): row["n"] for row in records(elements, "itemsets")}


def test_three_layouts_give_the_same_itemsets() -> None:
    wide = counts(TRIAL.report())
    assert wide[frozenset({"牛奶", "面包"})] == 2 and len(wide) == 5
    assert counts(TRIAL.report(LONG, items=["物"], tid="单", layout="long")) == wide
    assert counts(TRIAL.report(CELLS, items=["格"], layout="cell")) == wide


def test_a_multiple_answer_question_is_read_as_it_is() -> None:
    ids = [f"c{i + 1}" for i in range(3)]
    question = {"set": "s1", "name": "购物", "columns": ids, "counted": 1}
    assert sum(counts(TRIAL.report(items=[question])).values()) == sum(counts(TRIAL.report()).values())


def test_apriori_and_fp_growth_and_brute_force_agree() -> None:
    rng = np.random.default_rng(1)
    for _ in range(8):
        held = rng.random((7, 40)) < rng.random((7, 1))
        paths = [(np.flatnonzero(row).tolist(), 1) for row in held.T]
        brute = {}
        for bits in range(1, 2**7):
            one = tuple(i for i in range(7) if bits >> i & 1)
            n = int(np.logical_and.reduce(held[list(one)]).sum())
            if n >= 5:
                brute[one] = n
        assert apriori(held, 5, 7, 10**6) == fp_growth(paths, 5, 10**6) == brute
        assert {one for one in brute if len(one) <= 2} == set(apriori(held, 5, 2, 10**6))
        largest, closed = kinds(brute)
        assert largest == {a for a in brute if not any(set(a) < set(b) for b in brute)} and largest <= closed


def test_other_values_in_a_wide_table_are_refused() -> None:
    assert "宽表格式要求项目列只含0和1：“蛋”" in TRIAL.refused(WIDE.assign(蛋=[0, 2, 0, 1])).text


def test_no_frequent_itemset_names_the_largest_support() -> None:
    assert "没有频繁项集，最大支持度为0.75" in TRIAL.refused(min_support=0.9).text


def test_one_transaction_is_refused() -> None:
    assert "至少需要2笔事务" in TRIAL.refused(WIDE[:1]).text


def test_too_many_itemsets_are_refused() -> None:
    many = pd.DataFrame(np.ones((3, 18), dtype=int), columns=[f"v{i}" for i in range(18)])
    kinds_ = dict.fromkeys(many.columns, "定类")
    refusal = TRIAL.refused(many, kinds_, items=list(many.columns), max_len=10)
    assert "频繁项集超过10万个，请提高最小支持度" in refusal.text


def test_what_the_layout_needs_is_asked_for() -> None:
    assert TRIAL.refused(LONG, items=["物"], layout="long").code == "role.required"
    assert TRIAL.refused(layout="long").code == "data.layout"
    assert "没有找到分隔符" in TRIAL.refused(CELLS, items=["格"], layout="cell", sep="|").text
    assert TRIAL.refused(consequent="咖啡").code == "data.consequent"


def test_rules_near_independence_and_by_chance_are_told() -> None:
    report = TRIAL.report(min_lift=0)
    assert check(report, "偶然的规则")["state"] == "care"


def test_a_rule_with_a_needless_condition_is_redundant() -> None:
    found = {(0,): 4, (1,): 4, (2,): 4, (0, 1): 3, (0, 2): 3, (1, 2): 3, (0, 1, 2): 2}
    assert redundant(Rule((0, 1), (2,), 2, 3, 4, 6), found)
    found[(0, 1, 2)] = 3
    assert not redundant(Rule((0, 1), (2,), 3, 3, 4, 6), found)


def test_a_rule_that_never_fails_has_no_bound_on_its_conviction() -> None:
    assert Rule((0,), (1,), 3, 3, 4, 6).conviction == np.inf
