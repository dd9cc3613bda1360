#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws tables of scripts/bench papers as SVG: plots.py [RESULTS]

What is drawn stands in papers/docs/plots/*.ini, a section a plot, which becomes papers/docs/plots/SECTION.svg.  The tables are those of papers/docs/results;
with RESULTS, the folder of a run, its tables that a plot needs are copied there first.  Keys of a section:

  title    above the plot
  table    name of the CSV file, without its ending
  kind     bars (default); points: categories too, but marks only; lines: x is a number
  x        column of the categories or numbers;  x-title: (lines) quantity and unit
  y-title  quantity and unit
  series   a line each: "COLUMN = legend", or "COLUMN [LOWEST HIGHEST] = legend", columns whose values become a whisker.  Columns that start with
           "published" are hatched, or dashed, in the colour of the series with the rest of their name, or of the one before
  by       (optional) column: a series for each of its values; the legends are those values
  published (optional) once: published columns are not repeated for each value of "by"
  panel    (optional) column: axes of its own for each of its values
  where    (optional) a line each: "COLUMN: VALUE | VALUE...": rows with other values are left out
  lines    (optional) a line each: "NUMBER = legend": a published value that holds for the whole plot, dashed
  bands    (optional) a line each: "NUMBER NUMBER = legend": a published range
  log      (optional) x, y, or both
  across   (optional) panels side by side; default: as fits
"""
import configparser
import glob
import math
import os
import shutil
import sys
from html import escape

from papertables import number, read_tables

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'docs')
WIDTH, MAX_HEIGHT = 760, 960  # pixels; a page of A4 is 794 x 1123
LEFT, RIGHT, GAP = 62, 14, 14
FONT, SMALL = 11, 10
COLOURS = ('#4269d0', '#efb118', '#ff725c', '#6cc5b0', '#3ca951', '#ff8ab7', '#a463f2', '#97bbf5', '#9c6b4e', '#7a7f87')


def text_width(text, size):
    """About as wide as browsers make it, rather wider"""
    return 0.6 * size * len(text)


class NothingToDraw(ValueError):
    """The table has no row that the plot wants"""


class Series:
    """One column of a table, or the part of it that a value of another column chooses"""

    def __init__(self, column, low, high, legend):
        self.column, self.low, self.high, self.legend = column, low, high, legend
        self.published = column.startswith('published')
        self.by = None  # (column, value)
        self.colour = COLOURS[0]

    def points(self, rows):
        """(row, value, lowest, highest) of the rows that have a value"""
        for row in rows:
            value = number(row.get(self.column))
            if value is not None and (self.by is None or row[self.by[0]] == self.by[1]):
                yield row, value, number(row.get(self.low)), number(row.get(self.high))


def pairs(text, separator='='):
    """Lines of the form "a = b" """
    for line in (text or '').strip().splitlines():
        left, found, right = line.partition(separator)
        if not found:
            raise ValueError(f'"{line}": no "{separator}" in it')
        yield left.strip(), right.strip()


class Plot:
    """A section of an .ini file together with its table"""

    def __init__(self, name, section, table):
        self.name, self.section, self.table = name, section, table
        self.kind = section.get('kind', 'bars')
        self.log = section.get('log', '').split()
        self.rows = [row for row in table.rows if self.wants(row)]
        self.series = self.colour(self.split(self.read_series()))
        self.marks = [(float(left), legend) for left, legend in pairs(section.get('lines'))]
        self.bands = [(*map(float, left.split()), legend) for left, legend in pairs(section.get('bands'))]
        self.panels = self.values(section['panel'], self.rows) if 'panel' in section else ['']
        if not self.series:
            raise NothingToDraw(f'{name}: nothing to draw')

    def wants(self, row):
        return all(row[column] in [value.strip() for value in values.split('|')] for column, values in pairs(self.section.get('where'), ':'))

    def read_series(self):
        for left, legend in pairs(self.section['series']):
            column, _, whisker = left.partition('[')
            low, high = whisker.rstrip(']').split() if whisker else (None, None)
            for name in filter(None, (column.strip(), low, high, self.section['x'], self.section.get('by'), self.section.get('panel'))):
                if name not in self.table.columns:
                    raise ValueError(f'{self.name}: table {self.table.name} has no column {name}')
            yield Series(column.strip(), low, high, legend)

    def split(self, series):
        for one in series:
            by = self.section.get('by')
            for value in self.values(by, self.rows) if by else [None]:
                part = Series(one.column, one.low, one.high, one.legend if value is None else f'{value}, {one.legend}' if one.published else value)
                part.by = (by, value) if by else None
                once = one.published and self.section.get('published') == 'once'
                if once:
                    part.legend = one.legend
                if any(part.points(self.rows)):
                    yield part
                    if once:
                        break

    @staticmethod
    def colour(series):
        """A published series takes the colour of what it is published for."""
        series, colours = list(series), {}
        for one in series:
            if not one.published:
                colours[one.column, one.by] = COLOURS[len(colours) % len(COLOURS)]
        ours = list(colours)
        n_others = 0
        for one in series:
            rest = one.column.removeprefix('published').lstrip('_')
            key = next((key for key in ours if key[1] == one.by and (not one.published or key[0].startswith(rest) or one.by)), None)
            if not one.published:
                key = (one.column, one.by)
            if key is None:
                n_others += 1
            one.colour = colours[key] if key else COLOURS[(len(colours) + n_others - 1) % len(COLOURS)]
        return series

    @staticmethod
    def values(column, rows):
        return list(dict.fromkeys(row[column] for row in rows))

    def rows_of(self, panel):
        return [row for row in self.rows if 'panel' not in self.section or row[self.section['panel']] == panel]


# ---- axes ----

def steps(low, high, n):
    """About @n round numbers, a step apart, that enclose both"""
    raw = (high - low or abs(high) or 1) / n
    power = 10 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(i * step, 12) for i in range(first, max(last, first + 1) + 1)]


def decades(low, high, n):
    """Round numbers that enclose both: powers of ten, where those are few 2 and 5 times them as well"""
    exponents = range(math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9) + 1)
    factors = (1, 2, 5) if len(exponents) <= 3 else (1,)
    ticks = [f * 10.0 ** e for e in exponents for f in factors]
    inside = [t for t in ticks if low * 0.999 <= t <= high * 1.001]
    below, above = [t for t in ticks if t < low * 0.999], [t for t in ticks if t > high * 1.001]
    ticks = below[-1:] + inside + above[:1]
    every = math.ceil(len(ticks) / (n + 3))
    return ticks if len(factors) == 3 else ticks[::every] + (ticks[-1:] if (len(ticks) - 1) % every else [])


class Axis:
    """Places of values on @length pixels from @start on; upwards where @length is negative"""

    def __init__(self, values, log, start, length, zero):
        if log and min(values) <= 0:
            raise ValueError(f'a logarithmic axis cannot show {min(values)}')
        n = max(2, int(abs(length) / (70 if length > 0 else 34)))
        low, high = min(values + ([0] if zero and not log else [])), max(values + ([0] if zero and not log else []))
        self.ticks = decades(low, high if high > low else low * 10, n) if log else steps(low, high, n)
        self.log, self.start, self.length = log, start, length
        self.low, self.high = self.ticks[0], self.ticks[-1]

    def __call__(self, value):
        low, high, value = (math.log10(v) for v in (self.low, self.high, value)) if self.log else (self.low, self.high, value)
        return self.start + self.length * (value - low) / (high - low)

    def base(self):
        """Where bars begin"""
        return self(max(self.low, 0) if not self.log else self.low)


def label(value):
    return f'{value:,.6g}' if abs(value) < 1e6 else f'{value:g}'


# ---- pieces of SVG ----

def text(x, y, what, anchor='start', size=FONT, more=''):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" {more}>{escape(str(what))}</text>'


def line(x1, y1, x2, y2, colour='#ccc', more=''):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" {more}/>'


def hint(series, value):
    return f'<title>{escape(series.legend)}: {value:g}</title>'


class Painter:
    def __init__(self, plot):
        self.plot = plot
        self.body = []

    def fill(self, series):
        return f'url(#{self.plot.name}-{self.plot.series.index(series)})' if series.published else series.colour

    def patterns(self):
        for i, series in enumerate(self.plot.series):
            if series.published:
                self.body.append(f'<pattern id="{self.plot.name}-{i}" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
                                 f'<rect width="4" height="4" fill="white"/><rect width="1.6" height="4" fill="{series.colour}"/></pattern>')

    def swatch(self, series, x, y):
        if self.plot.kind == 'bars':
            return f'<rect x="{x}" y="{y - 9}" width="14" height="10" fill="{self.fill(series)}" stroke="{series.colour}"/>'
        return line(x, y - 4, x + 16, y - 4, series.colour, 'stroke-width="2"' + (' stroke-dasharray="4 3"' if series.published else '')) + self.point(series, x + 8, y - 4)

    @staticmethod
    def point(series, x, y, more='/>'):
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{"white" if series.published else series.colour}" stroke="{series.colour}" {more}'

    def legend(self, y):
        """In lines from left to right; returns where it ends"""
        x, entries = 12, [(self.swatch, one, one.legend) for one in self.plot.series]
        entries += [(self.constant, None, mark[-1]) for mark in self.plot.marks] + [(self.range, None, band[-1]) for band in self.plot.bands]
        for draw, one, what in entries:
            width = 24 + text_width(what, FONT) + 16
            if x > 12 and x + width > WIDTH:
                x, y = 12, y + 17
            self.body.append('<g class="legend">' + draw(one, x, y) + text(x + 20, y, what) + '</g>')
            x += width
        return y

    @staticmethod
    def constant(_, x, y):
        return line(x, y - 4, x + 16, y - 4, '#222', 'stroke-dasharray="6 3"')

    @staticmethod
    def range(_, x, y):
        return f'<rect x="{x}" y="{y - 9}" width="14" height="10" fill="#ddd"/>'

    # ---- one panel ----

    def constants(self, axis, x, width):
        for low, high, _ in self.plot.bands:
            self.body.append(f'<rect x="{x:.1f}" y="{axis(high):.1f}" width="{width:.1f}" height="{axis(low) - axis(high):.1f}" fill="#ddd"/>')
        for value, _ in self.plot.marks:
            self.body.append(line(x, axis(value), x + width, axis(value), '#222', 'stroke-dasharray="6 3"'))

    def vertical_axis(self, axis, x, width):
        for tick in axis.ticks:
            self.body.append(line(x, axis(tick), x + width, axis(tick)))
            self.body.append(text(x - 5, axis(tick) + 4, label(tick), 'end', SMALL))
        self.body.append(line(x, axis.start, x, axis.start + axis.length, '#444'))
        self.body.append(line(x, axis.base(), x + width, axis.base(), '#444'))

    def whisker(self, axis, x, low, high):
        if low is not None and high is not None:
            for value in low, high:
                self.body.append(line(x - 2, axis(value), x + 2, axis(value), '#222'))
            self.body.append(line(x, axis(low), x, axis(high), '#222'))

    def bar(self, series, axis, x, width, value):
        top, bottom = sorted((axis(value), axis.base()))
        self.body.append(f'<rect class="mark" data-series="{self.plot.series.index(series)}" x="{x:.1f}" y="{top if bottom - top >= 1 else bottom - 1:.1f}" '
                         f'width="{width:.1f}" height="{max(bottom - top, 1):.1f}" fill="{self.fill(series)}" stroke="{series.colour}" stroke-width="0.5">'
                         + hint(series, value) + '</rect>')

    def dot(self, series, x, y, value):
        self.body.append(self.point(series, x, y, f'class="mark" data-series="{self.plot.series.index(series)}">') + hint(series, value) + '</circle>')

    def categories(self, rows, axis, x, width):
        plot = self.plot
        names = plot.values(plot.section['x'], rows)
        shown = [one for one in plot.series if any(one.points(rows))]
        slot = width / max(len(names), 1)
        step = slot * 0.84 / max(len(shown), 1)
        for i, one in enumerate(shown):
            for row, value, low, high in one.points(rows):
                at = x + slot * (names.index(row[plot.section['x']]) + 0.08) + step * i
                if plot.kind == 'bars':
                    self.bar(one, axis, at, step * 0.92, value)
                else:
                    self.dot(one, at + step / 2, axis(value), value)
                self.whisker(axis, at + step * 0.46, low, high)
        for i, name in enumerate(names):
            self.category(name, x + slot * (i + 0.5), axis.start, slot)

    def category(self, name, x, y, slot):
        lines = wrap(name, slot)
        if lines:
            self.body.extend(text(x, y + 13 + 12 * i, part, 'middle', SMALL) for i, part in enumerate(lines))
        else:
            self.body.append(text(x + 3, y + 7, name, 'end', SMALL, f'transform="rotate(-90 {x + 3:.1f} {y + 7:.1f})"'))

    def numbers(self, rows, axis, x, width):
        plot, column = self.plot, self.plot.section['x']
        across = Axis([number(row[column]) for row in rows if number(row[column]) is not None], 'x' in plot.log, x, width, False)
        for tick in across.ticks:
            self.body.append(line(across(tick), axis.start, across(tick), axis.start + axis.length))
            at = min(across(tick), WIDTH - 1 - text_width(label(tick), SMALL) / 2)
            self.body.append(text(at, axis.start + 14, label(tick), 'middle', SMALL))
        self.body.append(text(x + width / 2, axis.start + 29, plot.section['x-title'], 'middle', SMALL))
        for one in plot.series:
            points = sorted((number(row[column]), value, low, high) for row, value, low, high in one.points(rows) if number(row[column]) is not None)
            path = ' '.join(f'{across(a):.1f},{axis(b):.1f}' for a, b, _, _ in points)
            dashes = ' stroke-dasharray="4 3"' if one.published else ''
            self.body.append(f'<polyline points="{path}" fill="none" stroke="{one.colour}" stroke-width="1.6"{dashes}/>')
            for a, b, low, high in points:
                self.whisker(axis, across(a), low, high)
                self.dot(one, across(a), axis(b), b)

    def panel(self, name, x, y, width, height):
        plot, rows = self.plot, self.plot.rows_of(name)
        values = [v for one in plot.series for _, *found in one.points(rows) for v in found if v is not None]
        values += [v for mark in plot.marks + plot.bands for v in mark[:-1]]
        axis = Axis(values, 'y' in plot.log, y + height, -height, plot.kind == 'bars')
        self.body.append(f'<g class="panel" data-box="{x:.1f} {y:.1f} {width:.1f} {height:.1f}">')
        self.body.append(text(x, y - 8, name, size=FONT, more='font-weight="bold"') if name else '')
        self.constants(axis, x, width)
        self.vertical_axis(axis, x, width)
        (self.numbers if plot.kind == 'lines' else self.categories)(rows, axis, x, width)
        self.body.append('</g>')


def wrap(name, width):
    """The lines of a label, or None where it does not fit"""
    lines = ['']
    for word in name.split():
        longer = f'{lines[-1]} {word}'.strip()
        if text_width(longer, SMALL) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines if len(lines) <= 3 and all(text_width(part, SMALL) <= width - 2 for part in lines) else None


def below(plot, width):
    """Height of what stands below the axis of a panel"""
    if plot.kind == 'lines':
        return 36
    most = 0
    for panel in plot.panels:
        names = plot.values(plot.section['x'], plot.rows_of(panel))
        for name in names:
            lines = wrap(name, width / len(names))
            most = max(most, 6 + 12 * len(lines) if lines else 12 + text_width(name, SMALL))
    return most


def choose_across(plot):
    if 'across' in plot.section:
        return int(plot.section['across'])
    most = max(sum(1 for one in plot.series for _ in one.points(plot.rows_of(panel))) for panel in plot.panels)
    return min(len(plot.panels), 1 if plot.kind == 'bars' and most > 32 else 2)


def draw(plot):
    """The plot as text of an SVG file"""
    painter, across = Painter(plot), choose_across(plot)
    painter.body.append(text(12, 18, plot.section['title'], size=12, more='font-weight="bold"'))
    painter.patterns()
    top = painter.legend(38) + 14
    painter.body.append(text(12, top + 8, plot.section['y-title'] + (' (logarithmic)' if 'y' in plot.log else ''), size=SMALL))
    top += 12
    width = (WIDTH - across * (LEFT + RIGHT)) / across
    rest, n_down, heading = below(plot, width), math.ceil(len(plot.panels) / across), 24 if plot.panels != [''] else 10
    height = min(220 if n_down < 3 else 150, (MAX_HEIGHT - top - GAP) / n_down - rest - heading)
    for i, name in enumerate(plot.panels):
        x, y = LEFT + i % across * (WIDTH / across), top + heading + i // across * (height + rest + heading)
        painter.panel(name, x, y, width, height)
    bottom = top + n_down * (height + rest + heading) + GAP
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{bottom:.0f}" viewBox="0 0 {WIDTH} {bottom:.0f}" font-family="sans-serif">\n'
            f'<title>{escape(plot.section["title"])}</title>\n<rect width="{WIDTH}" height="{bottom:.0f}" fill="white"/>\n'
            + '\n'.join(filter(None, painter.body)) + '\n</svg>\n')


# ---- files ----

def read_sections(folder):
    """(name, section) of all plots"""
    parser = configparser.ConfigParser(delimiters=('=',), interpolation=None)
    for path in sorted(glob.glob(os.path.join(folder, '*.ini'))):
        with open(path, encoding='utf-8') as file:
            parser.read_file(file)
    return [(name, parser[name]) for name in parser.sections()]


def draw_all(tables, folder=os.path.join(DOCS, 'plots'), partly=False):
    """{name: (table, text of the SVG file)} of the plots whose tables are there.  @partly: the run may have left out what a plot wants; then it is left out too"""
    drawings = {}
    for name, section in read_sections(folder):
        try:
            if section['table'] in tables:
                drawings[name] = section['table'], draw(Plot(name, section, tables[section['table']]))
        except NothingToDraw:
            if not partly:
                raise
    return drawings


def main():
    if len(sys.argv) > 2:
        sys.exit(__doc__.splitlines()[0])
    results, plots = os.path.join(DOCS, 'results'), os.path.join(DOCS, 'plots')
    needed = {section['table'] for _, section in read_sections(plots)}
    os.makedirs(results, exist_ok=True)
    for name in sorted(needed):
        source = os.path.join(sys.argv[1], name + '.csv') if len(sys.argv) == 2 else ''
        if os.path.exists(source):
            shutil.copyfile(source, os.path.join(results, name + '.csv'))
    for name, (table, drawing) in draw_all(read_tables(results)).items():
        with open(os.path.join(plots, name + '.svg'), 'w', encoding='utf-8') as file:
            file.write(drawing)
        print(f'{os.path.relpath(plots)}/{name}.svg: table {table}')


if __name__ == '__main__':
    main()
