"""Plots of costs by size as SVG: both axes logarithmic, so that a power is a straight line."""

import math
from xml.sax.saxutils import escape

# Told apart by people who see few colours.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c564b",
           "#7f7f7f", "#bcbd22")
PANEL_WIDTH, PANEL_HEIGHT = 300, 220
LEFT, TOP, BETWEEN, LEGEND = 60, 34, 66, 150
BOTTOM = 44


def short(number):
    """12800 as 12.8k."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.4g}{unit}"
    return f"{number:.3g}"


class Scale:
    """Places numbers on an axis by their logarithm."""

    def __init__(self, lowest, highest, begin, end):
        self.low, self.high = math.log(lowest), math.log(highest)
        self.begin, self.end = begin, end

    def place(self, number):
        share = (math.log(number) - self.low) / ((self.high - self.low) or 1.0)
        return round(self.begin + share * (self.end - self.begin), 1)


def ticks(lowest, highest):
    """1, 2 and 5 times powers of ten in the range; only powers where those are enough."""
    steps = (1,) if highest / lowest > 100 else (1, 2, 5)
    powers = range(math.floor(math.log10(lowest)), math.ceil(math.log10(highest)) + 1)
    found = [step * 10.0 ** power for power in powers for step in steps]
    return [tick for tick in found if lowest <= tick <= highest]


def text(x, y, content, anchor="middle", size=11, colour="#333"):
    return (f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}" '
            f'fill="{colour}">{escape(content)}</text>')


def line(x1, y1, x2, y2, colour, dashes="", width=1):
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" '
            f'stroke-width="{width}"{dashed}/>')


def guide(sizes, lowest, highest, across, upward, power):
    """A dashed line of a power, up to the right upper corner."""
    first = max(sizes[0], sizes[-1] * (lowest / highest) ** (1 / power))
    begin = highest * (first / sizes[-1]) ** power
    return line(across.place(first), upward.place(begin), across.place(sizes[-1]),
                upward.place(highest), "#bbb", "4 3")


def panel(left, title, sizes, series):
    """One plot; `series` is [(name, costs)]."""
    costs = [max(cost, 1e-3) for _, values in series for cost in values]
    lowest, highest = min(costs) / 1.3, max(costs) * 1.3
    right, bottom = left + PANEL_WIDTH, TOP + PANEL_HEIGHT
    across = Scale(sizes[0], sizes[-1], left, right)
    upward = Scale(lowest, highest, bottom, TOP)
    parts = [text(left + PANEL_WIDTH / 2, TOP - 12, title, size=13)]
    for tick in ticks(lowest, highest):
        y = upward.place(tick)
        parts += [line(left, y, right, y, "#e6e6e6"),
                  text(left - 6, y + 4, short(tick), anchor="end")]
    for size in sizes:
        parts.append(text(across.place(size), bottom + 17, short(size), size=10))
    parts += [guide(sizes, lowest, highest, across, upward, power) for power in (1, 2)]
    for index, (_, values) in enumerate(series):
        colour = COLOURS[index % len(COLOURS)]
        points = [(across.place(size), upward.place(max(cost, 1e-3)))
                  for size, cost in zip(sizes, values)]
        path = " ".join(f"{x},{y}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="2.6" fill="{colour}"/>' for x, y in points]
    parts.append(f'<rect x="{left}" y="{TOP}" width="{PANEL_WIDTH}" height="{PANEL_HEIGHT}" '
                 'fill="none" stroke="#999"/>')
    return parts


def plot(name, sizes, cpu, memory):
    """An SVG of processor time and memory; `cpu` and `memory` are [(command, costs)]."""
    second = LEFT + PANEL_WIDTH + BETWEEN
    legend = second + PANEL_WIDTH + 16
    width, height = legend + LEGEND, TOP + PANEL_HEIGHT + BOTTOM
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="0 0 {width} {height}" font-family="sans-serif">',
             f'<title>{escape(name)}: processor time and memory by size</title>',
             f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for left, title, series in ((LEFT, "CPU, s", cpu), (second, "peak memory, MB", memory)):
        parts += panel(left, title, sizes, series)
        parts.append(text(left + PANEL_WIDTH / 2, height - 8, name, size=12))
    for index, (command, _) in enumerate(cpu):
        y = TOP + 10 + 18 * index
        parts += [line(legend, y, legend + 18, y, COLOURS[index % len(COLOURS)], width=2),
                  text(legend + 24, y + 4, command, anchor="start")]
    y = TOP + 10 + 18 * len(cpu)
    parts += [line(legend, y, legend + 18, y, "#bbb", "4 3"),
              text(legend + 24, y + 4, "powers 1 and 2", anchor="start", colour="#777")]
    return "\n".join([*parts, "</svg>", ""])
