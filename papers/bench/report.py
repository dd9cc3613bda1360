#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Turns the tables of a run into a page: report.py RESULTS

Reads RESULTS/*.csv, writes RESULTS/papers.md with all of them, and RESULTS/*.svg, the plots of papers/docs/plots drawn from this run.  Needs nothing but
Python.
"""
import os
import sys

from papertables import read_tables
from plots import draw_all


def page(tables, plots):
    lines = ["# The papers' tables, from this run"]
    for table in tables.values():
        lines += ['', f'## {table.about.get("title", table.name)}', '']
        about = [f'{table.about[key]}{more}' for key, more in (('device', '; '), ('runs', ' runs. ')) if key in table.about]
        lines += [''.join(about) + 'Columns that start with `published` are the paper\'s.', '']
        lines += ['| ' + ' | '.join(table.columns) + ' |', '|' + '---|' * len(table.columns)]
        lines += ['| ' + ' | '.join(row.get(c, '') for c in table.columns) + ' |' for row in table.rows]
        for name, (source, _) in plots.items():
            if source == table.name:
                lines += ['', f'![{name}]({name}.svg)']
    return '\n'.join(lines) + '\n'


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    folder = sys.argv[1]
    tables = read_tables(folder)
    plots = draw_all(tables, partly=True)
    for name, (_, drawing) in plots.items():
        with open(os.path.join(folder, name + '.svg'), 'w', encoding='utf-8') as file:
            file.write(drawing)
    with open(os.path.join(folder, 'papers.md'), 'w', encoding='utf-8') as file:
        file.write(page(tables, plots))
    print(f'{folder}/papers.md: {len(tables)} tables, {len(plots)} plots')


main()
