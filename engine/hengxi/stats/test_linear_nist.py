"""Least squares against the certified values of the NIST Statistical Reference Datasets, and against exact arithmetic.

The data are NIST's (public domain). Each data set is also solved here in rational numbers: that the exact solution
reproduces the certified value shows that the data were typed correctly, and is the second, independent source.
"""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from hengxi.stats.linear_covariance import covariance
from hengxi.stats.linear_fit import Collinear, Fit, least_squares

FILIP_X = [
    -6.860120914,
    -4.324130045,
    -4.358625055,
    -4.358426747,
    -6.955852379,
    -6.661145254,
    -6.355462942,
    -6.118102026,
    -7.115148017,
    -6.815308569,
    -6.519993057,
    -6.204119983,
    -5.853871964,
    -6.109523091,
    -5.79832982,
    -5.482672118,
    -5.171791386,
    -4.851705903,
    -4.517126416,
    -4.143573228,
    -3.709075441,
    -3.499489089,
    -6.300769497,
    -5.953504836,
    -5.642065153,
    -5.031376979,
    -4.680685696,
    -4.329846955,
    -3.928486195,
    -8.56735134,
    -8.363211311,
    -8.107682739,
    -7.823908741,
    -7.522878745,
    -7.218819279,
    -6.920818754,
    -6.628932138,
    -6.323946875,
    -5.991399828,
    -8.781464495,
    -8.663140179,
    -8.473531488,
    -8.247337057,
    -7.971428747,
    -7.676129393,
    -7.352812702,
    -7.072065318,
    -6.774174009,
    -6.478861916,
    -6.159517513,
    -6.835647144,
    -6.53165267,
    -6.224098421,
    -5.910094889,
    -5.598599459,
    -5.290645224,
    -4.974284616,
    -4.64454848,
    -4.290560426,
    -3.885055584,
    -3.408378962,
    -3.13200249,
    -8.726767166,
    -8.66695597,
    -8.511026475,
    -8.165388579,
    -7.886056648,
    -7.588043762,
    -7.283412422,
    -6.995678626,
    -6.691862621,
    -6.392544977,
    -6.067374056,
    -6.684029655,
    -6.378719832,
    -6.065855188,
    -5.752272167,
    -5.132414673,
    -4.811352704,
    -4.098269308,
    -3.66174277,
    -3.2644011,
]
FILIP_Y = [
    0.8116,
    0.9072,
    0.9052,
    0.9039,
    0.8053,
    0.8377,
    0.8667,
    0.8809,
    0.7975,
    0.8162,
    0.8515,
    0.8766,
    0.8885,
    0.8859,
    0.8959,
    0.8913,
    0.8959,
    0.8971,
    0.9021,
    0.909,
    0.9139,
    0.9199,
    0.8692,
    0.8872,
    0.89,
    0.891,
    0.8977,
    0.9035,
    0.9078,
    0.7675,
    0.7705,
    0.7713,
    0.7736,
    0.7775,
    0.7841,
    0.7971,
    0.8329,
    0.8641,
    0.8804,
    0.7668,
    0.7633,
    0.7678,
    0.7697,
    0.77,
    0.7749,
    0.7796,
    0.7897,
    0.8131,
    0.8498,
    0.8741,
    0.8061,
    0.846,
    0.8751,
    0.8856,
    0.8919,
    0.8934,
    0.894,
    0.8957,
    0.9047,
    0.9129,
    0.9209,
    0.9219,
    0.7739,
    0.7681,
    0.7665,
    0.7703,
    0.7702,
    0.7761,
    0.7809,
    0.7961,
    0.8253,
    0.8602,
    0.8809,
    0.8301,
    0.8664,
    0.8834,
    0.8898,
    0.8964,
    0.8963,
    0.9074,
    0.9119,
    0.9228,
]
NORRIS = """0.1 0.2 338.8 337.4 118.1 118.2 888.0 884.6 9.2 10.1 228.1 226.5 668.5 666.3 998.5 996.3 449.1 448.6
778.9 777.0 559.2 558.2 0.3 0.4 0.1 0.6 778.1 775.5 668.8 666.9 339.3 338.0 448.9 447.5 10.8 11.6 557.7
556.0 228.3 228.1 998.0 995.8 888.8 887.6 119.6 120.2 0.3 0.3 0.6 0.3 557.6 556.8 339.3 339.1 888.0
887.2 998.5 999.0 778.9 779.0 10.2 11.1 117.6 118.3 228.9 229.2 668.4 669.1 449.2 448.9 0.2 0.5"""
PONTIUS_Y = """.11019 .21956 .32949 .43899 .54803 .65694 .76562 .87487 .98292 1.09146 1.20001 1.30822 1.41599 1.52399
1.63194 1.73947 1.84646 1.95392 2.06128 2.16844 .11052 .22018 .32939 .43886 .54798 .65739 .76596 .87474
.98300 1.09150 1.20004 1.30818 1.41613 1.52408 1.63159 1.73965 1.84696 1.95445 2.06177 2.16829"""
LONGLEY = """60323 83.0 234289 2356 1590 107608 1947 61122 88.5 259426 2325 1456 108632 1948
60171 88.2 258054 3682 1616 109773 1949 61187 89.5 284599 3351 1650 110929 1950
63221 96.2 328975 2099 3099 112075 1951 63639 98.1 346999 1932 3594 113270 1952
64989 99.0 365385 1870 3547 115094 1953 63761 100.0 363112 3578 3350 116219 1954
66019 101.2 397469 2904 3048 117388 1955 67857 104.6 419180 2822 2857 118734 1956
68169 108.4 442769 2936 2798 120445 1957 66513 110.8 444546 4681 2637 121950 1958
68655 112.6 482704 3813 2552 123366 1959 69564 114.2 502601 3931 2514 125368 1960
69331 115.7 518173 4806 2572 127852 1961 70551 116.9 554894 4007 2827 130081 1962"""
NOISE = [759, -2048, 2048, -2048, 2523, -2048, 2048, -2048, 1838, -2048, 2048]
NOISE += NOISE[-2::-1]


def numbers(text: str, width: int = 1) -> np.ndarray:
    return np.array([float(word) for word in text.split()]).reshape(-1, width)


def powers(x: np.ndarray, degree: int) -> np.ndarray:
    return np.column_stack([x**k for k in range(1, degree + 1)])


def wampler(noise: int) -> tuple[np.ndarray, np.ndarray]:
    x = powers(np.arange(21.0), 5)
    return x, 1 + x.sum(axis=1) + noise * np.array(NOISE, dtype=float)


norris, longley = numbers(NORRIS, 2), numbers(LONGLEY, 7)
pontius_x = 150000.0 * np.tile(np.arange(1, 21), 2)
u = np.arange(21.0)
wampler2 = np.array([float(sum(Fraction(int(v)) ** k / 10**k for k in range(6))) for v in u])

CERTIFIED: dict[str, tuple[Any, ...]]
# name: x, y, intercept, certified coefficients, certified standard errors, certified residual sd, relative tolerance
CERTIFIED = {
    "Norris": (
        norris[:, 1:], norris[:, 0], True,
        [-0.262323073774029, 1.00211681802045], [0.232818234301152, 0.429796848199937e-03], 0.884796396144373, 1e-12,
    ),
    "Pontius": (
        powers(pontius_x, 2), numbers(PONTIUS_Y)[:, 0], True,
        [0.673565789473684e-03, 0.732059160401003e-06, -0.316081871345029e-14],
        [0.107938612033077e-03, 0.157817399981659e-09, 0.486652849992036e-16], 0.205177424076185e-03, 1e-11,
    ),
    "NoInt1": (
        np.arange(60.0, 71)[:, None], np.arange(130.0, 141), False,
        [2.07438016528926], [0.165289256198347e-01], 3.56753034006338, 1e-13,
    ),
    "NoInt2": (
        np.array([[4.0], [5.0], [6.0]]), np.array([3.0, 4.0, 4.0]), False,
        [0.727272727272727], [0.420827318078432e-01], 0.369274472937998, 1e-12,
    ),
    "Longley": (
        longley[:, 1:], longley[:, 0], True,
        [-3482258.63459582, 15.0618722713733, -0.358191792925910e-01, -2.02022980381683, -1.03322686717359,
         -0.511041056535807e-01, 1829.15146461355],
        [890420.383607373, 84.9149257747669, 0.334910077722432e-01, 0.488399681651699, 0.214274163161675,
         0.226073200069370, 455.478499142212], 304.854073561965, 1e-11,
    ),
    "Filip": (
        powers(np.array(FILIP_X), 10), np.array(FILIP_Y), True,
        [-1467.48961422980, -2772.17959193342, -2316.37108160893, -1127.97394098372, -354.478233703349,
         -75.1242017393757, -10.8753180355343, -1.06221498588947, -0.670191154593408e-01, -0.246781078275479e-02,
         -0.402962525080404e-04],
        [298.084530995537, 559.779865474950, 466.477572127796, 227.204274477751, 71.6478660875927, 15.2897178747400,
         2.23691159816033, 0.221624321934227, 0.142363763154724e-01, 0.535617408889821e-03, 0.896632837373868e-05],
        # The powers themselves are rounded to doubles before we see them: that alone moves the 8th digit.
        0.334801051324544e-02, 1e-7,
    ),
    "Wampler1": (*wampler(0), True, [1.0] * 6, None, 0.0, 1e-10),
    "Wampler2": (
        powers(u, 5), wampler2, True, [1.0, 0.1, 0.01, 0.001, 0.0001, 0.00001], None, 0.0, 1e-10,
    ),
    "Wampler3": (
        *wampler(1), True, [1.0] * 6,
        [2152.32624678170, 2363.55173469681, 779.343524331583, 101.475507550350, 5.64566512170752, 0.112324854679312],
        2360.14502379268, 1e-10,
    ),
    "Wampler4": (
        *wampler(100), True, [1.0] * 6,
        [215232.624678170, 236355.173469681, 77934.3524331583, 10147.5507550350, 564.566512170752, 11.2324854679312],
        236014.502379268, 1e-10,
    ),
    "Wampler5": (
        *wampler(10000), True, [1.0] * 6,
        [21523262.4678170, 23635517.3469681, 7793435.24331583, 1014755.07550350, 56456.6512170752, 1123.24854679312],
        23601450.2379268, 1e-8,
    ),
}  # fmt: skip


def fit(name: str) -> Fit:
    x, y, intercept, *_ = CERTIFIED[name]
    return least_squares(np.array(x, order="F"), y, intercept)


def solve_exactly(x: np.ndarray, y: np.ndarray, intercept: bool) -> list[float]:
    """Normal equations in rational numbers."""
    rows = [[Fraction(1)] * intercept + [Fraction(float(v)) for v in row] for row in x]
    target = [Fraction(float(v)) for v in y]
    k = len(rows[0])
    m: list[list[Fraction]] = [
        [
            *(sum((r[i] * r[j] for r in rows), Fraction(0)) for j in range(k)),
            sum((r[i] * t for r, t in zip(rows, target, strict=True)), Fraction(0)),
        ]
        for i in range(k)
    ]
    for i in range(k):
        m[i] = [v / m[i][i] for v in m[i]]
        for j in range(k):
            if j != i:
                m[j] = [a - m[j][i] * b for a, b in zip(m[j], m[i], strict=True)]
    return [float(row[-1]) for row in m]


@pytest.mark.parametrize("name", CERTIFIED)
def test_coefficients_agree_with_the_certified_values(name: str) -> None:
    *_, coefficients, _, _, tolerance = CERTIFIED[name]
    np.testing.assert_allclose(fit(name).coefficients, coefficients, rtol=tolerance)


@pytest.mark.parametrize("name", [name for name in CERTIFIED if CERTIFIED[name][4] is not None])
def test_errors_and_residual_sd_agree_with_the_certified_values(name: str) -> None:
    *_, errors, sd, tolerance = CERTIFIED[name]
    found = fit(name)
    np.testing.assert_allclose(found.errors(covariance(found, "classic")), errors, rtol=max(tolerance, 1e-9))
    np.testing.assert_allclose(np.sqrt(found.variance) * found.y_scale, sd, rtol=max(tolerance, 1e-9))


@pytest.mark.parametrize("name", CERTIFIED)
def test_the_exact_rational_solution_agrees(name: str) -> None:
    x, y, intercept, certified, *_ = CERTIFIED[name]
    exact = solve_exactly(x, y, intercept)
    np.testing.assert_allclose(exact, certified, rtol=1e-7 if name == "Filip" else 1e-12)
    np.testing.assert_allclose(fit(name).coefficients, exact, rtol=1e-9)


def test_an_exact_sum_is_refused_with_its_relation() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(5, 2, 40), rng.normal(100, 30, 40)
    x = np.column_stack((a, b, 2 * a - 0.5 * b + 3))
    with pytest.raises(Collinear) as caught:
        least_squares(np.asfortranarray(x), a + rng.normal(size=40))
    constant, relation = caught.value.relations[2]
    assert constant == pytest.approx(3, rel=1e-9)
    assert relation == {0: pytest.approx(2, rel=1e-9), 1: pytest.approx(-0.5, rel=1e-9)}


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e150, 1e290])
def test_extreme_magnitudes_change_nothing_but_the_units(scale: float) -> None:
    plain = fit("Norris")
    x, y, *_ = CERTIFIED["Norris"]
    found = least_squares(np.array(x, order="F") * scale, y * scale)
    np.testing.assert_allclose(found.coefficients, plain.coefficients * [scale, 1], rtol=1e-12)
    expected = plain.errors(covariance(plain, "hc3")) * [scale, 1]
    np.testing.assert_allclose(found.errors(covariance(found, "hc3")), expected, rtol=1e-11)


def test_frequencies_are_copies() -> None:
    rng = np.random.default_rng(2)
    x, y, f = rng.normal(size=(50, 3)), rng.normal(size=50), rng.integers(1, 5, 50)
    w = rng.uniform(0.5, 2, 50)
    copied = np.repeat(np.arange(50), f)
    short = least_squares(np.asfortranarray(x), y, precision=w, counts=f.astype(float))
    long = least_squares(np.asfortranarray(x[copied]), y[copied], precision=w[copied])
    np.testing.assert_allclose(short.coefficients, long.coefficients, rtol=1e-12)
    for kind in ("classic", "hc0", "hc1", "hc2", "hc3"):
        np.testing.assert_allclose(
            short.errors(covariance(short, kind)), long.errors(covariance(long, kind)), rtol=1e-11
        )
    np.testing.assert_allclose(short.leverage, long.leverage[np.cumsum(f) - 1], rtol=1e-11)
