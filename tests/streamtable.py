#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""streamtable.py page FOLDER: writes the tables of docs/streams.md anew, from the manifests in FOLDER.
streamtable.py manifests FOLDER: the other way round, for whoever has fetched streams and wants to run the tests on them: writes manifest.tsv,
made/manifest.tsv and features.tsv into FOLDER, from the page, of the streams that are there."""
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / 'docs' / 'streams.md'
# a manifest and the heading above its table
TABLES = {'manifest.tsv': '## Official streams', 'made/manifest.tsv': '## Synthetic streams'}
COLUMNS = ['file', 'md5 of the output', 'format', 'profile', 'uses', 'how made']


def read_rows(path):
    lines = path.read_text(encoding='utf-8').splitlines()
    return [line.split('\t') for line in lines if line and not line.startswith('#')]


def table_of(manifest, features):
    rows = []
    for file, md5, output_format, profile, *_, last in manifest:
        how = [last] if file.startswith('made/') else []
        rows.append([file, md5, output_format, profile, features[file].strip(), *how])
    columns = COLUMNS[:len(rows[0])]
    return '\n'.join('| ' + ' | '.join(row) + ' |' for row in [columns, ['---'] * len(columns), *rows]) + '\n'


def write_page(folder):
    features = {file: words for file, words, *_ in read_rows(folder / 'features.tsv')}
    text = PAGE.read_text(encoding='utf-8')
    for name, heading in TABLES.items():
        table = table_of(read_rows(folder / name), features)
        text, n = re.subn(rf'({re.escape(heading)}\n.*?\n)\| file \|[^\n]*\n(\|[^\n]*\n)*', lambda match: match.group(1) + table, text, count=1, flags=re.DOTALL)
        assert n == 1, heading
    PAGE.write_text(text, encoding='utf-8')


def write_manifests(folder):
    text = PAGE.read_text(encoding='utf-8')
    features, n_absent = [], 0
    for name, heading in TABLES.items():
        table = re.search(r'\| file \|[^\n]*\n(\|[^\n]*\n)*', text[text.index(heading):]).group(0)
        rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in table.splitlines()[2:]]
        there = [row for row in rows if (folder / row[0]).exists()]
        n_absent += len(rows) - len(there)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(''.join('\t'.join(row[:4]) + '\n' for row in there), encoding='utf-8')
        features += [[row[0], row[4]] for row in there]
    (folder / 'features.tsv').write_text(''.join('\t'.join(row) + '\n' for row in features), encoding='utf-8')
    print(f'{len(features)} streams; {n_absent} of the page are not in {folder}')


actions = {'page': write_page, 'manifests': write_manifests}
if len(sys.argv) != 3 or sys.argv[1] not in actions:
    sys.exit(__doc__)
actions[sys.argv[1]](pathlib.Path(sys.argv[2]))
