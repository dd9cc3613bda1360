# SPDX-License-Identifier: LGPL-2.1-or-later
"""Where the time of a picture goes, as a table and a plot: CPU time of each element over that of avdec_h264, on one core."""
import configparser
import csv
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'papers', 'bench'))
from papertables import Table  # noqa: E402
from plots import Plot, draw  # noqa: E402

NAME = 'time-shares'


def write(folder, elements, streams):
    """streams: name: (milliseconds of each of the elements, of avdec_h264).  What another run measured of other streams is kept."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, NAME + '.csv')
    rows = {row['stream']: row for row in (Table(path).rows if os.path.exists(path) else [])}
    for stream, (times, theirs) in streams.items():
        rows[stream] = {'stream': stream, **{name: f'{max(time, 0) / theirs:.3f}' for name, time in zip(elements, times)}, 'avdec_h264 ms': f'{theirs:.2f}'}
    with open(path, 'w', encoding='utf-8', newline='') as file:
        writer = csv.DictWriter(file, ('stream', *elements, 'avdec_h264 ms'), lineterminator='\n')
        writer.writeheader()
        writer.writerows(rows[stream] for stream in sorted(rows))
    config = configparser.ConfigParser()
    config['plot'] = {'title': 'CPU time of each element over that of avdec_h264, one core', 'x': 'stream', 'y-title': 'over avdec_h264',
                      'series': '\n'.join(f'{name} = {name}' for name in elements), 'panel': 'stream', 'across': '3'}
    with open(os.path.join(folder, NAME + '.svg'), 'w', encoding='utf-8') as file:
        file.write(draw(Plot(NAME, config['plot'], Table(path))))
