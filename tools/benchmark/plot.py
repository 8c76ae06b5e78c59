"""The plot of a GPU's table as SVG: ratio to a copy by the length of rows."""

import math

from benchmark.gpu_cases import BY_LENGTH
from benchmark.gpu_results import OURS
from benchmark.gpu_tables import find_fastest
from benchmark.peer_process import FAMILIES

_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 400, 300, 45, 35, 50
_HIGHEST = 1.1
_SERIES = {OURS: ("RuDNN", "#d62728"), **dict(zip(FAMILIES, zip(
    FAMILIES.values(), ["#7f7f7f", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e"])))}


def draw(results):
    """The text of the plot: a panel for the forward and one for the backward."""
    width = 2 * (_LEFT + _WIDTH) + _GAP
    height = _TOP + _HEIGHT + 75
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for number, operation in enumerate(("forward", "backward")):
        left = _LEFT + number * (_LEFT + _WIDTH + _GAP / 2)
        parts += [f'<g transform="translate({left} {_TOP})">', *_draw_axes(operation),
                  *_draw_lines(results, operation), "</g>"]
    return "\n".join(parts + _draw_legend(_LEFT, height - 15) + ["</svg>"]) + "\n"


def _get_x(columns):
    first, last = math.log2(BY_LENGTH[0][1]), math.log2(BY_LENGTH[-1][1])
    return (math.log2(columns) - first) / (last - first) * _WIDTH


def _get_y(ratio):
    return _HEIGHT * (1 - ratio / _HIGHEST)


def _draw_axes(operation):
    yield (f'<text x="{_WIDTH / 2:.0f}" y="-12" text-anchor="middle" font-size="13">'
           f"{operation}, bf16: time of a copy by time</text>")
    for tenths in range(0, 11, 2):
        y = _get_y(tenths / 10)
        yield f'<line x1="0" x2="{_WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        yield f'<text x="-6" y="{y + 4:.1f}" text-anchor="end">{tenths / 10:.1f}</text>'
    for _, columns in BY_LENGTH:
        shown = f"{columns // 1024}K" if columns >= 1024 else columns
        yield (f'<text x="{_get_x(columns):.1f}" y="{_HEIGHT + 16}" text-anchor="middle">'
               f"{shown}</text>")
    yield f'<text x="{_WIDTH / 2:.0f}" y="{_HEIGHT + 33}" text-anchor="middle">columns</text>'


def _draw_lines(results, operation):
    for peer, (_, colour) in _SERIES.items():
        points = []
        for rows, columns in BY_LENGTH:
            case = {"operation": operation, "dtype": "bf16", "rows": rows, "columns": columns}
            found = find_fastest(results, case, peer)
            if found and "function" in found:
                ratio = min(results.get_ratio(found), _HIGHEST)
                points.append(f"{_get_x(columns):.1f},{_get_y(ratio):.1f}")
        if points:
            width = 2.5 if peer == OURS else 1.2
            yield (f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" '
                   f'stroke-width="{width}"/>')
        for point in points:
            x, y = point.split(",")
            yield f'<circle cx="{x}" cy="{y}" r="2.5" fill="{colour}"/>'


def _draw_legend(left, y):
    parts = []
    for number, (name, colour) in enumerate(_SERIES.values()):
        x = left + number * 130
        parts.append(f'<circle cx="{x}" cy="{y - 4}" r="4" fill="{colour}"/>')
        parts.append(f'<text x="{x + 9}" y="{y}">{name}</text>')
    return parts
