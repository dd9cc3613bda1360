# SPDX-License-Identifier: LGPL-2.1-or-later
"""The tables of scripts/bench papers: CSV, with lines of the form "# KEY: VALUE" (title, device, runs) before the line of column names."""
import csv
import math
import os


class Table:
    """name: of the file, without its ending; about: the lines before the columns; columns; rows: dictionaries by column"""

    def __init__(self, path):
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.about = {}
        with open(path, encoding='utf-8', newline='') as file:
            lines = file.read().splitlines()
        while lines and lines[0].startswith('# '):
            key, _, value = lines.pop(0)[2:].partition(': ')
            self.about[key] = value
        rows = list(csv.reader(lines))
        self.columns, self.rows = rows[0], [dict(zip(rows[0], row)) for row in rows[1:]]


def read_tables(folder):
    """All tables of a folder by name"""
    names = sorted(name for name in os.listdir(folder) if name.endswith('.csv')) if os.path.isdir(folder) else []
    return {table.name: table for table in (Table(os.path.join(folder, name)) for name in names)}


def number(text):
    """The number that a cell holds, or None"""
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None
