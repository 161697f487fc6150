"""Which processors numpy is told to sort on without the widest vectors."""

from __future__ import annotations

import pytest

from hengxi.jobs.tuning import environment

CPU = "vendor_id\t: {}\ncpu family\t: {}\nflags\t\t: fpu avx2 {}\n\nvendor_id\t: other\n"


@pytest.mark.parametrize(
    ("vendor", "family", "flag", "slow"),
    [
        ("AuthenticAMD", 25, "avx512f", True),
        ("AuthenticAMD", 25, "avx", False),
        ("AuthenticAMD", 26, "avx512f", False),
        ("GenuineIntel", 6, "avx512f", False),
    ],
)
def test_only_zen_4_sorts_without_its_wide_vectors(vendor: str, family: int, flag: str, slow: bool) -> None:
    assert ("NPY_DISABLE_CPU_FEATURES" in environment(CPU.format(vendor, family, flag))) == slow


def test_a_machine_that_tells_nothing_is_left_as_it_is() -> None:
    found = environment("")
    assert "NPY_DISABLE_CPU_FEATURES" not in found
    assert found["OMP_NUM_THREADS"] == "1"
