#!/usr/bin/env python3
"""Draws the figures of a run as SVG, for docs/benchmarks.md.

    bench/plot.py [RESULTS [FOLDER]]

Colours follow the reader's choice of a light or a dark page.
"""
import json
import math
import pathlib
import sys
from xml.sax.saxutils import escape

from targets import Results
from workloads import COUNTS, HERE, SIZES

RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-size: 16px; font-weight: 600 }
  .small { font-size: 12px; fill: #59636e }
  .grid { stroke: #d1d9e0; stroke-width: 1 }
  .limit { stroke: #59636e; stroke-width: 1.5 }
  .ours { fill: #0969da; stroke: #0969da } .ts { fill: #bf8700; stroke: #bf8700 }
  .simdjson { fill: #818b98; stroke: #818b98 }
  rect { stroke: none } polyline { fill: none !important; stroke-width: 2 }
  .ideal { fill: none; stroke: #818b98; stroke-dasharray: 3 4 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9198a1 }
    .grid { stroke: #30363d } .limit { stroke: #9198a1 }
    .ours { fill: #4493f8; stroke: #4493f8 } .ts { fill: #d29922; stroke: #d29922 }
  }
"""


class Drawing:
    """Collects elements; the page's own background shows through."""

    def __init__(self, width, height, title):
        self.width, self.height = width, height
        self.parts = [f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>"]
        self.text(16, 24, title, "title")

    def text(self, x, y, words, style="", anchor="start"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{style}" '
                          f'text-anchor="{anchor}">{escape(words)}</text>')

    def line(self, x1, y1, x2, y2, style):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                          f'class="{style}"/>')

    def bar(self, x, y, width, height, style):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
                          f'height="{height:.1f}" rx="2" class="{style}"/>')

    def curve(self, points, style):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" class="{style}"/>')

    def dot(self, x, y, style):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" class="{style}"/>')

    def legend(self, x, y, entries):
        for style, words in entries:
            self.bar(x, y - 10, 12, 12, style)
            self.text(x + 18, y, words, "small")
            x += 40 + 7 * len(words)

    def save(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        body = "\n".join(self.parts)
        path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} '
                        f'{self.height}" role="img">\n{body}\n</svg>\n')


# (what, metric, workload, the limit it is divided by)
RATIOS = (
    ("stream: CPU a message", "cpu_us", "stream", "simdjson"),
    ("stream, one write each: CPU", "cpu_us", "stream-line", "simdjson"),
    ("short turn, cold: CPU", "cpu_us", "turn", "simdjson"),
    ("8 sessions at once: CPU", "cpu_us", "parallel-8", "simdjson"),
    ("64 KB messages: CPU a byte", "cpu_ns_byte", "64k", "simdjson"),
    ("1 MB messages: CPU a byte", "cpu_ns_byte", "1m", "simdjson"),
    ("10 MB messages: CPU a byte", "cpu_ns_byte", "10m", "simdjson"),
    ("hook, inline: p50", "p50_us", "hooks", "pingpong"),
    ("permission, inline: p50", "p50_us", "perms", "pingpong"),
    ("MCP call, inline: p50", "p50_us", "mcp", "pingpong"),
    ("set_model: p50", "p50_us", "control", "pingpong"),
    ("paced delta: latency p50", "p50_us", "paced", "raw"),
    ("paced delta: CPU", "cpu_us", "paced", "raw"),
    ("launch to first result", "startup_ms", "startup", "raw"),
)


def ratio_bars(results, path):
    """How many times the limit each client takes. The limit itself is the line at 1."""
    left, right, top, step = 230, 700, 66, 40
    drawing = Drawing(760, top + step * len(RATIOS) + 34,
                      "How many times the limit (less is better)")
    drawing.legend(left, 48, [("ours", "claude-agent-cpp"), ("ts", "TypeScript SDK")])
    low, high = 0.5, 200

    def across(ratio):
        part = math.log(min(max(ratio, low), high) / low) / math.log(high / low)
        return left + part * (right - left)

    bottom = top + step * len(RATIOS)
    for mark in (0.5, 1, 2, 5, 10, 20, 50, 100, 200):
        drawing.line(across(mark), top, across(mark), bottom, "limit" if mark == 1 else "grid")
        drawing.text(across(mark), bottom + 18, f"x{mark:g}", "small", "middle")
    for row, (what, metric, workload, limit) in enumerate(RATIOS):
        y = top + step * row
        drawing.text(left - 12, y + 24, what, anchor="end")
        for place, client in enumerate(("ours", "ts")):
            ratio = results.ratio(metric, (workload, client), (workload, limit))
            if ratio is None:
                continue
            ends = sorted((across(1), across(ratio)))
            drawing.bar(ends[0], y + 5 + 15 * place, max(ends[1] - ends[0], 1), 12, client)
            drawing.text(ends[1] + 6, y + 15.5 + 15 * place,
                         f"{ratio:.1f}" if ratio < 10 else f"{ratio:.0f}", "small")
    drawing.save(path)


def decades(values):
    logs = [math.log10(value) for value in values]
    return math.floor(min(logs)), math.ceil(max(logs))


def panel(drawing, results, left, points, metric, words):
    """Cost over size with logarithmic axes, and the straight line of slope 1 through our last."""
    width, top, bottom = 270, 84, 330
    curves = {client: [(size, cost) for name, size in points.items()
                       if (cost := results.median(metric, name, client))]
              for client in ("simdjson", "ours")}
    if not all(curves.values()):
        return
    sizes = [size for size, _ in curves["ours"]]
    x0, x1 = decades(sizes)
    y0, y1 = decades([cost for curve in curves.values() for _, cost in curve])

    def at(size, cost):
        x = left + (math.log10(size) - x0) / (x1 - x0) * width
        return x, bottom - (math.log10(cost) - y0) / max(y1 - y0, 1) * (bottom - top)

    for power in range(x0, x1 + 1):
        x, _ = at(10**power, 10**y0)
        drawing.line(x, top, x, bottom, "grid")
        drawing.text(x, bottom + 18, "10" + str(power).translate(RAISED), "small", "middle")
    for power in range(y0, y1 + 1):
        _, y = at(10**x0, 10.0**power)
        drawing.line(left, y, left + width, y, "grid")
        drawing.text(left - 8, y + 4, f"{10.0**power:g}", "small", "end")
    drawing.text(left, top - 12, words[0], "small")
    drawing.text(left + width / 2, bottom + 38, words[1], "small", "middle")
    last_size, last_cost = curves["ours"][-1]
    first_size = max(sizes[0], last_size * 10**y0 / last_cost)
    drawing.curve([at(first_size, last_cost * first_size / last_size), at(last_size, last_cost)],
                  "ideal")
    for client, curve in curves.items():
        drawing.curve([at(*point) for point in curve], client)
        for point in curve:
            drawing.dot(*at(*point), client)


def linearity(results, path):
    drawing = Drawing(760, 384, "Cost against size and count (dotted: exactly linear)")
    drawing.legend(76, 48, [("ours", "claude-agent-cpp"), ("simdjson", "limit-simdjson")])
    panel(drawing, results, 76, SIZES, "message_ms", ("CPU ms a message", "bytes of text in it"))
    panel(drawing, results, 456, COUNTS, "cpu_ms", ("CPU ms in all", "messages of a stream"))
    drawing.save(path)


def main():
    data = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else
                        HERE.parent / "build/bench/results.json")
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else HERE.parent / "docs/images")
    results = Results(json.loads(data.read_text()))
    ratio_bars(results, folder / "ratios.svg")
    linearity(results, folder / "linearity.svg")


if __name__ == "__main__":
    main()
