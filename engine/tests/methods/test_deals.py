"""Troubles of a table and the methods that mend them."""

from __future__ import annotations

from typing import get_args

from hengxi import registry
from hengxi.contract.declared import Trouble
from hengxi.contract.method import Trouble as OfMethods


def test_every_trouble_has_one_way_out_with_settings_the_method_knows() -> None:
    assert get_args(Trouble) == get_args(OfMethods)
    found: list[str] = []
    for path in registry.paths():
        if not path.startswith("data_processing/"):
            continue
        method = registry.load(path)
        for trouble, settings in method.deals_with.items():
            found.append(trouble)
            assert set(settings) <= set(method.Input.fields), (path, trouble)
    assert sorted(found) == sorted(get_args(Trouble))
