#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Turns the tables of a run into a page: report.py RESULTS

Reads RESULTS/*.csv, writes RESULTS/papers.md and RESULTS/*.svg.  Lines that start with "# " before the header line are a table's title, device,
number of runs, and how to draw it: "bars label=COLUMN values=COLUMN,COLUMN [group=COLUMN] [log]" or "lines x=COLUMN values=COLUMN,...
[group=COLUMN] [log]".  Needs nothing but Python.
"""
import csv
import math
import os
import sys
from html import escape

COLOURS = ["#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5", "#9c6b4e", "#9498a0"]
LABEL_WIDTH, BAR_WIDTH, BAR_HEIGHT = 300, 420, 13


class Table:
    def __init__(self, path):
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.about = {}
        with open(path, encoding="utf-8", newline="") as file:
            lines = file.read().splitlines()
        while lines and lines[0].startswith("# "):
            key, _, value = lines.pop(0)[2:].partition(": ")
            self.about[key] = value
        rows = list(csv.reader(lines))
        self.columns, self.rows = rows[0], [dict(zip(rows[0], row)) for row in rows[1:]]

    def plot(self):
        """How to draw it: kind, options, whether logarithmic; None: not"""
        words = self.about.get("plot", "").split()
        if not words:
            return None
        options = dict(word.split("=", 1) for word in words[1:] if "=" in word)
        return words[0], options, "log" in words


def number(text):
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


class Scale:
    """Positions of values between 0 and @length"""

    def __init__(self, values, length, logarithmic):
        positive = [v for v in values if v > 0]
        self.length = length
        self.log = logarithmic and bool(positive)
        self.low = 10 ** math.floor(math.log10(min(positive))) if self.log else min([0] + values)
        self.high = max(values + [self.low * 10 if self.log else self.low + 1e-9])

    def __call__(self, value):
        if self.log:
            return self.length * max(math.log(max(value, self.low) / self.low), 0) / math.log(self.high / self.low)
        return self.length * (value - self.low) / (self.high - self.low)


def svg(width, height, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="11">\n'
            f'<rect width="{width}" height="{height}" fill="white"/>\n' + "\n".join(body) + "\n</svg>\n")


def text(x, y, what, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(str(what))}</text>'


def grouped(table, options):
    """Rows by the value of the group column, in order"""
    groups = {}
    for row in table.rows:
        groups.setdefault(row.get(options.get("group", ""), ""), []).append(row)
    return groups


def bar_label(table, options, row):
    """The label, behind the first column where that is neither label nor group"""
    first = table.columns[0]
    if first in (options["label"], options.get("group")):
        return row[options["label"]]
    return f'{row[first]}: {row[options["label"]]}'


def draw_bars(table, options, logarithmic):
    values = options["values"].split(",")
    scale = Scale([v for row in table.rows for c in values if (v := number(row.get(c, ""))) is not None], BAR_WIDTH, logarithmic)
    body, y = [text(8, 16, table.about.get("title", table.name), 'font-weight="bold"')], 34
    for i, column in enumerate(values):
        body.append(f'<rect x="{8 + i * 180}" y="{y - 9}" width="10" height="10" fill="{COLOURS[i % len(COLOURS)]}"/>')
        body.append(text(22 + i * 180, y, column + (" (logarithmic)" if scale.log else "")))
    for group, rows in grouped(table, options).items():
        y += 22
        if group:
            body.append(text(8, y, group, 'font-weight="bold"'))
        for row in rows:
            y += 5
            body.append(text(LABEL_WIDTH - 6, y + BAR_HEIGHT - 3, bar_label(table, options, row), 'text-anchor="end"'))
            for i, column in enumerate(values):
                value = number(row.get(column, ""))
                if value is None and i > 0:
                    continue
                if value is not None:
                    body.append(f'<rect x="{LABEL_WIDTH}" y="{y}" width="{max(scale(value), 1):.1f}" height="{BAR_HEIGHT - 2}" '
                                f'fill="{COLOURS[i % len(COLOURS)]}"/>')
                    body.append(text(LABEL_WIDTH + max(scale(value), 1) + 4, y + BAR_HEIGHT - 3, f"{value:g}"))
                y += BAR_HEIGHT
    return svg(LABEL_WIDTH + BAR_WIDTH + 80, y + 16, body)


def draw_lines(table, options, logarithmic):
    values, width, height = options["values"].split(","), 520, 300
    points = [(number(row[options["x"]]), number(row.get(c, ""))) for row in table.rows for c in values]
    points = [p for p in points if None not in p]
    across = Scale([p[0] for p in points], width, False)
    across.low = min([p[0] for p in points], default=0)
    up = Scale([p[1] for p in points], height, logarithmic)
    if not up.log:
        up.low = min([p[1] for p in points], default=0)
    body, n = [text(8, 16, table.about.get("title", table.name), 'font-weight="bold"')], 0
    body.append(f'<rect x="60" y="30" width="{width}" height="{height}" fill="none" stroke="#888"/>')
    for scale, low, high in ((across, (60, height + 46), (60 + width, height + 46)), (up, (4, 30 + height), (4, 40))):
        body.append(text(*low, f"{scale.low:g}"))
        body.append(text(*high, f"{scale.high:g}"))
    for group, rows in grouped(table, options).items():
        for column in values:
            pairs = sorted((x, v) for row in rows if (x := number(row[options["x"]])) is not None and (v := number(row.get(column, ""))) is not None)
            colour = COLOURS[n % len(COLOURS)]
            path = " ".join(f"{60 + across(x):.1f},{30 + height - up(v):.1f}" for x, v in pairs)
            body.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
            body += [f'<circle cx="{60 + across(x):.1f}" cy="{30 + height - up(v):.1f}" r="3" fill="{colour}"/>' for x, v in pairs]
            body.append(text(75 + width, 40 + 15 * n, f"{group} {column}".strip(), f'fill="{colour}"'))
            n += 1
    return svg(width + 320, max(height + 60, 60 + 15 * n), body)


def page(tables):
    lines = ["# The papers' tables, from this run"]
    for table in tables:
        lines += ["", f'## {table.about.get("title", table.name)}', ""]
        about = [f'{table.about[key]}{more}' for key, more in (("device", "; "), ("runs", " runs. ")) if key in table.about]
        lines += ["".join(about) + "Columns that start with `published` are the paper's.", ""]
        lines += ["| " + " | ".join(table.columns) + " |", "|" + "---|" * len(table.columns)]
        lines += ["| " + " | ".join(row.get(c, "") for c in table.columns) + " |" for row in table.rows]
        if table.plot():
            lines += ["", f"![{table.name}]({table.name}.svg)"]
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    folder = sys.argv[1]
    tables = [Table(os.path.join(folder, name)) for name in sorted(os.listdir(folder)) if name.endswith(".csv")]
    for table in tables:
        if table.plot() and table.rows:
            kind, options, logarithmic = table.plot()
            drawing = (draw_lines if kind == "lines" else draw_bars)(table, options, logarithmic)
            with open(os.path.join(folder, table.name + ".svg"), "w", encoding="utf-8") as file:
                file.write(drawing)
    with open(os.path.join(folder, "papers.md"), "w", encoding="utf-8") as file:
        file.write(page(tables))
    print(f"{folder}/papers.md: {len(tables)} tables")


main()
