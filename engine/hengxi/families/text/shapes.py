"""Shapes a word cloud fills: rows of 1 and 0 from the top. A picture of the user's gives the same."""

from __future__ import annotations

from collections.abc import Callable

SHAPES = {
    "rectangle": "矩形", "ellipse": "椭圆", "circle": "圆形", "heart": "心形", "cloud": "云形", "star": "星形",
    "diamond": "菱形",
}  # fmt: skip
SIDE = 72


def _ellipse(x: float, y: float) -> bool:
    return x * x + y * y <= 1


def _everywhere(x: float, y: float) -> bool:
    return True


def _heart(x: float, y: float) -> bool:
    u, v = 1.25 * x, 1.2 * y + 0.15
    return (u * u + v * v - 1) ** 3 - u * u * v**3 <= 0


def _cloud(x: float, y: float) -> bool:
    parts = ((-0.55, -0.25, 0.42), (0.55, -0.25, 0.42), (-0.15, 0.25, 0.6), (0.35, 0.15, 0.5), (0.0, -0.3, 0.5))
    return y >= -0.67 and any((x - a) ** 2 + (y - b) ** 2 <= r * r for a, b, r in parts)


def _diamond(x: float, y: float) -> bool:
    return abs(x) + abs(y) <= 1


def _star(x: float, y: float) -> bool:
    """A star of five points: inside at least four of the five half planes of its edges."""
    from math import cos, pi, sin

    inner = 0.3819660112501051  # of the outer radius: the pentagram
    limit = cos(pi / 5) * inner
    sides = sum(x * cos(pi / 2 + 2 * pi * k / 5) + y * sin(pi / 2 + 2 * pi * k / 5) <= limit for k in range(5))
    return sides >= 4


INSIDE: dict[str, Callable[[float, float], bool]] = {
    "ellipse": _ellipse, "circle": _ellipse, "heart": _heart, "cloud": _cloud, "star": _star, "diamond": _diamond,
}  # fmt: skip
WIDTHS = {"ellipse": 2.0, "cloud": 1.7, "heart": 1.1, "rectangle": 2.0}


def grid(shape: str) -> list[str]:
    height, width = SIDE, round(SIDE * WIDTHS.get(shape, 1.0))
    inside = INSIDE.get(shape, _everywhere)

    def mark(row: int, column: int) -> str:
        return "1" if inside((column + 0.5) / width * 2 - 1, 1 - (row + 0.5) / height * 2) else "0"

    return ["".join(mark(i, j) for j in range(width)) for i in range(height)]
