"""Menus: every method of the catalogue has its place, and no sub-heading names what there is not."""

from __future__ import annotations

import pytest

import tools.catalogue as catalogue
from hengxi import registry
from hengxi.groups import FAMILIES
from hengxi.menu import SECTIONS, order, place

LONG = 12


def keys_of(family: str) -> set[str]:
    return {path.rsplit("/", 1)[-1] for path, entry in catalogue.entries().items() if entry["family_zh"] == family}


@pytest.mark.parametrize("family", SECTIONS)
def test_sub_headings_name_every_method_of_the_catalogue_once(family: str) -> None:
    named = [key for _, keys in SECTIONS[family] for key in keys.split()]
    assert sorted(named) == sorted(keys_of(family))


def test_long_families_have_sub_headings() -> None:
    assert [family for family in FAMILIES if len(keys_of(family)) > LONG and family not in SECTIONS] == []


def test_methods_of_a_family_stand_together_in_the_order_of_its_sub_headings() -> None:
    tests = ["hypothesis_test/yuen_test", "hypothesis_test/z_test", "hypothesis_test/independent_t_test"]
    assert sorted(tests, key=lambda path: order(path, "差异性分析")) == [tests[1], tests[2], tests[0]]
    assert place("descriptive/frequency", "描述性分析").section == "概览与频数"
    assert place("evaluation/ahp", "决策分析").section is None
    families = [registry.load(path).family for path in sorted(registry.paths(), key=_order)]
    assert list(dict.fromkeys(families)) == sorted(set(families), key=FAMILIES.index)


def _order(path: str) -> tuple[tuple[int, int, int], str]:
    return order(path, registry.load(path).family)
