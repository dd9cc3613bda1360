# SPDX-License-Identifier: LGPL-2.1-or-later
"""The plots of the papers' pages: they are what papers/bench/plots.py draws of papers/docs/results, and a browser shows them legibly.

plots.py SOURCE_ROOT: prints TAP; without chromium, or its shell without windows, the browser's part is skipped.
"""
import configparser
import csv
import glob
import os
import re
import sys
import tempfile

root = os.path.abspath(sys.argv[1])
sys.path[:0] = [os.path.join(root, 'papers', 'bench'), os.path.join(root, 'tests', 'check', 'tools')]
sys.dont_write_bytecode = True

from browser import Browser, find_browser
from papertables import Table, read_tables
from plots import MAX_HEIGHT, WIDTH, Axis, NothingToDraw, Plot, draw, draw_all, read_sections
from tap import check, finish, same, skip

DOCS = os.path.join(root, 'papers', 'docs')

# What a reader would stumble over in the drawing that is element @id of the page
FIND_FAULTS = '''(id => {
  const faults = [], svg = document.getElementById(id), all = svg.getBoundingClientRect();
  const within = (a, b, slack) => a.left >= b.left - slack && a.right <= b.right + slack && a.top >= b.top - slack && a.bottom <= b.bottom + slack;
  const texts = [...svg.querySelectorAll('text')].map(element => ({ what: element.textContent, box: element.getBoundingClientRect() }));
  for (const [i, a] of texts.entries()) {
    if (!a.what.trim() || a.box.width === 0)
      faults.push('an empty label');
    if (!within(a.box, all, 0))
      faults.push(`"${a.what}" is cut off`);
    for (const b of texts.slice(i + 1))
      if (Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > 1 && Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > 2)
        faults.push(`"${a.what}" and "${b.what}" overlap`);
  }
  for (const panel of svg.querySelectorAll('.panel')) {
    const [x, y, width, height] = panel.dataset.box.split(' ').map(Number);
    const box = { left: all.left + x, top: all.top + y, right: all.left + x + width, bottom: all.top + y + height };
    const marks = [...panel.querySelectorAll('.mark')];
    if (marks.length === 0)
      faults.push('a panel without marks');
    if (panel.querySelectorAll('text[text-anchor=end]').length < 2)
      faults.push('an axis with fewer than two ticks');
    for (const mark of marks) {
      const place = mark.getBoundingClientRect();
      if (place.width < 0.8 || place.height < 0.8)
        faults.push(`a mark is too small to be seen: ${mark.textContent}`);
      if (!within(place, box, 5))
        faults.push(`a mark is outside of its axes: ${mark.textContent}`);
    }
  }
  const series = new Set([...svg.querySelectorAll('.mark')].map(mark => mark.dataset.series)).size;
  const legends = svg.querySelectorAll('.legend').length;
  if (series === 0 || legends < series)
    faults.push(`${legends} legends of ${series} series`);
  return faults;
})'''


def make_plot(columns, rows, **keys):
    """A plot of a table of the values @rows"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'table.csv')
        with open(path, 'w', encoding='utf-8', newline='') as file:
            file.write('# title: t\n')
            csv.writer(file).writerows([columns.split(), *rows])
        table = Table(path)
    parser = configparser.ConfigParser(delimiters=('=',), interpolation=None)
    parser.read_dict({'p': {'title': 't', 'table': 'table', 'x': 'x', 'x-title': 'x', 'y-title': 'y', **{key.replace('_', '-'): value for key, value in keys.items()}}})
    return Plot('p', parser['p'], table)


def fails(function, *arguments, **keys):
    try:
        function(*arguments, **keys)
    except (ValueError, KeyError) as error:
        return str(error)
    return None


def check_axes():
    axis = Axis([0, 8.2], False, 100, -100, True)
    same((axis.low, axis.high, axis(5)), (0, 10, 50), 'a linear axis ends at round numbers')
    axis = Axis([0.3, 40], True, 0, 300, False)
    same([round(axis(v)) for v in axis.ticks], [round(300 * i / (len(axis.ticks) - 1)) for i in range(len(axis.ticks))], 'powers of ten are equally far apart')
    check(fails(Axis, [0, 1], True, 0, 100, False), 'a logarithmic axis refuses 0')


def check_drawing():
    plot = make_plot('x ours published_ours low high', [('a', 2, 8, 1, 4), ('b', 4, '', 3, 5)], series='ours [low high] = us\npublished_ours = they')
    drawing = draw(plot)
    heights = re.findall(r'class="mark" data-series="(\d)".*?height="([\d.]+)"', drawing)
    same([series for series, _ in heights], ['0', '0', '1'], 'a mark for each number, none for empty cells')
    check(abs(float(heights[1][1]) / float(heights[0][1]) - 2) < 0.01 and abs(float(heights[2][1]) / float(heights[0][1]) - 4) < 0.01,
          'bars are as high as their numbers', heights)
    same(plot.series[0].colour, plot.series[1].colour, 'what is published has the colour of ours')
    plot = make_plot('x kind ours published', [(1, 'a', 2, 3), (2, 'b', 4, '')], series='ours = us\npublished = they', by='kind', kind='lines')
    same([one.legend for one in plot.series], ['a', 'b', 'a, they'], 'a series for each value that has numbers')
    check('no column' in (fails(make_plot, 'x', [('a',)], series='none = nothing') or ''), 'a column that is not there is an error')


def check_partial_run():
    """A run of small pictures has tables without the rows of the published sizes"""
    table = read_tables(os.path.join(DOCS, 'results'))['a-figure4']
    table.rows = [{**row, 'material': 'cif'} for row in table.rows]
    same(draw_all({'a-figure4': table}, partly=True), {}, 'a plot of rows that a run has left out is left out too')
    try:
        draw_all({'a-figure4': table})
        check(False, 'on the pages it is an error')
    except NothingToDraw as error:
        check('a-figure4' in str(error), 'on the pages it is an error')


def check_files():
    """{name: drawing} of the plots in the tree"""
    tables = read_tables(os.path.join(DOCS, 'results'))
    sections = read_sections(os.path.join(DOCS, 'plots'))
    pages = ''.join(open(path, encoding='utf-8').read() for path in glob.glob(os.path.join(DOCS, '*.md')))
    same(sorted(os.path.basename(path) for path in glob.glob(os.path.join(DOCS, 'plots', '*.svg'))), sorted(name + '.svg' for name, _ in sections), 'a drawing for each plot')
    linked = set(re.findall(r'\]\(results/([^)]*)\.csv\)', pages))
    same(sorted(tables), sorted({section['table'] for _, section in sections} | linked), 'the tables of plots and those that pages link to, and no others, are in results')
    drawings = {}
    for name, section in sections:
        if not check(section['table'] in tables, f'{name}: its table is there'):
            continue
        plot = Plot(name, section, tables[section['table']])
        drawings[name] = draw(plot)
        with open(os.path.join(DOCS, 'plots', name + '.svg'), encoding='utf-8') as file:
            same(file.read() == drawings[name], True, f'{name}: drawn of its table (else: scripts/bench plots)')
        check(f'](plots/{name}.svg)' in pages, f'{name}: on a page')
        check(any(one.published for one in plot.series) or plot.marks or plot.bands, f'{name}: published values beside ours')
        width, height = map(float, re.match(r'<svg [^>]*width="([\d.]+)" height="([\d.]+)"', drawings[name]).groups())
        check(width <= WIDTH and height <= MAX_HEIGHT, f'{name}: no larger than a page', (width, height))
    return drawings


def check_browser(drawings):
    program = find_browser()
    if not program:
        skip('drawings in a browser', 'neither chromium-headless-shell nor chromium is installed')
        return
    good = draw(make_plot('x ours published', [('a', 2, 3)], series='ours = us\npublished = they'))
    broken = {
        'broken-labels': (good.replace('</svg>', '<text x="12" y="18">over the title</text></svg>'), 'overlap'),
        'broken-edge': (good.replace('</svg>', '<text x="750" y="60">a label that ends outside</text></svg>'), 'cut off'),
        'broken-panel': (good.replace('class="mark"', 'class="other"'), 'without marks'),
        'broken-mark': (re.sub(r'(class="mark" data-series="0" x=")[\d.]+', r'\g<1>9000', good), 'outside of its axes'),
    }
    everything = {**drawings, **{name: drawing for name, (drawing, _) in broken.items()}}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = os.path.join(folder, 'plots.html')
        with open(page, 'w', encoding='utf-8') as file:
            file.write('<!DOCTYPE html><html data-ready="true"><meta charset="utf-8"><body>')
            file.writelines(drawing.replace('<svg ', f'<svg id="{name}" style="display: block" ', 1) for name, drawing in everything.items())
        browser = Browser(program, folder)
        try:
            browser.open()
            check(browser.show(page), 'a browser shows the drawings', browser.complaints())
            for name in drawings:
                same(browser.evaluate(f'{FIND_FAULTS}("{name}")'), [], f'{name}: no labels overlap; nothing is empty or cut off')
            for name, (_, fault) in broken.items():
                check(any(fault in found for found in browser.evaluate(f'{FIND_FAULTS}("{name}")')), f'{name}: the fault is found')
        finally:
            browser.close()


def main():
    check_axes()
    check_drawing()
    check_partial_run()
    check_browser(check_files())
    finish()


main()
