"""Line plots: by matplotlib if it is installed, else as SVG."""

from __future__ import annotations

import html
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Figure = Any
"""A matplotlib figure, or an `SvgFigure`."""

_COLORS = ("#1f6feb", "#d1570c", "#2da44e", "#8250df")
_WIDTH, _HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 80, 20, 36, 52


@dataclass(frozen=True)
class Series:
    """A line, or single points, with an optional band from `low` to `high`."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    markers: bool = False


def figure(title: str, x_label: str, y_label: str, series: Sequence[Series]) -> Figure:
    """Draws the series."""
    try:
        from matplotlib.figure import Figure as MatplotlibFigure
    except ImportError:
        return SvgFigure(title, x_label, y_label, list(series))
    drawn = MatplotlibFigure(figsize=(6.4, 4.0), layout="tight")
    axes = drawn.subplots()
    axes.set(title=title, xlabel=x_label, ylabel=y_label)
    for color, each in zip(_COLORS, series):
        if each.low:
            axes.fill_between(each.x, each.low, each.high, color=color, alpha=0.2, label=each.name)
            axes.plot(each.x, each.y, color=color)
        else:
            axes.plot(each.x, each.y, "o" if each.markers else "-", color=color, label=each.name)
    axes.set_ylim(bottom=0)
    axes.legend()
    axes.grid(alpha=0.3)
    return drawn


def ticks(low: float, high: float) -> list[float]:
    """About five round numbers from `low` to `high`."""
    if not high > low:
        return [low]
    step = 10 ** math.floor(math.log10((high - low) / 4))
    for factor in (1, 2, 5, 10):
        if (high - low) / (step * factor) <= 6:
            step *= factor
            break
    first = math.ceil(low / step)
    return [index * step for index in range(first, math.floor(high / step) + 1)]


@dataclass
class SvgFigure:
    """A line plot as SVG. Notebooks show it; `save()` writes it to a file."""

    title: str
    x_label: str
    y_label: str
    series: list[Series]
    _x_range: tuple[float, float] = field(init=False)
    _y_range: tuple[float, float] = field(init=False)

    def __post_init__(self) -> None:
        xs = [x for each in self.series for x in each.x]
        ys = [y for each in self.series for y in [*each.y, *each.high]]
        margin = (max(xs) - min(xs)) * 0.02 or max(xs) * 0.1 or 1.0
        self._x_range = (min(xs) - margin, max(xs) + margin)
        self._y_range = (0.0, max(ys) * 1.05 or 1.0)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the figure to an .svg file."""
        Path(path).write_text(self._repr_svg_(), encoding="utf-8")

    def _repr_svg_(self) -> str:
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
            f'width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" font-size="12">',
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
            _text(_WIDTH / 2, 20, self.title, size=14),
            _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 12, self.x_label),
            _text(18, (_TOP + _HEIGHT - _BOTTOM) / 2, self.y_label, rotated=True),
        ]
        parts += self._grid()
        for color, each in zip(_COLORS, self.series):
            parts += self._drawn(each, color)
        parts += self._legend()
        return "\n".join([*parts, "</svg>"])

    def _at(self, x: float, y: float) -> tuple[float, float]:
        across = (x - self._x_range[0]) / (self._x_range[1] - self._x_range[0])
        up = (y - self._y_range[0]) / (self._y_range[1] - self._y_range[0])
        return (
            round(_LEFT + across * (_WIDTH - _LEFT - _RIGHT), 1),
            round(_HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM), 1),
        )

    def _grid(self) -> list[str]:
        parts = []
        for x in ticks(*self._x_range):
            across, bottom = self._at(x, 0)
            parts.append(f'<path d="M{across} {_TOP}V{bottom}" stroke="#ddd"/>')
            parts.append(_text(across, bottom + 16, f"{x:g}"))
        for y in ticks(*self._y_range):
            _, up = self._at(self._x_range[0], y)
            parts.append(f'<path d="M{_LEFT} {up}H{_WIDTH - _RIGHT}" stroke="#ddd"/>')
            parts.append(_text(_LEFT - 8, up + 4, f"{y:.4g}", anchor="end"))
        return parts

    def _drawn(self, series: Series, color: str) -> list[str]:
        line = [self._at(x, y) for x, y in zip(series.x, series.y)]
        parts = []
        if series.low:
            band = [self._at(x, y) for x, y in zip(series.x, series.high)]
            band += [self._at(x, y) for x, y in zip(series.x, series.low)][::-1]
            parts.append(f'<polygon points="{_points(band)}" fill="{color}" fill-opacity="0.2"/>')
        if series.markers:
            parts += [f'<circle cx="{x}" cy="{y}" r="5" fill="{color}"/>' for x, y in line]
        else:
            parts.append(
                f'<polyline points="{_points(line)}" fill="none" stroke="{color}" stroke-width="2"/>'
            )
        return parts

    def _legend(self) -> list[str]:
        parts = []
        for row, (color, each) in enumerate(zip(_COLORS, self.series)):
            y = _TOP + 12 + 16 * row
            parts.append(f'<rect x="{_WIDTH - 150}" y="{y - 8}" width="10" height="8" fill="{color}"/>')
            parts.append(_text(_WIDTH - 134, y, each.name, anchor="start"))
        return parts


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)


def _text(
    x: float, y: float, text: str, *, size: int = 12, anchor: str = "middle", rotated: bool = False
) -> str:
    transform = f' transform="rotate(-90 {x} {y})"' if rotated else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}"{transform}>'
        f"{html.escape(text)}</text>"
    )
