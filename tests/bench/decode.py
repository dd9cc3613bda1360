#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""decode.py PROGRAM [--rounds=N] [--cores=1,2] [--memory=system,device] [--results=FOLDER] FILE...: this decoder and avdec_h264, in turn, on the same cores.

PROGRAM is bench-decoderate.  First both outputs are compared.  Then for each number of cores the two run in pairs, one directly after the other; the ratio is
that of a pair, so that what else the machine does weighs on both.  This row's output is in system memory, or is left
in the device's.  Last, where the time goes: the row is cut off after each of its elements; and the bytes that cross it, by counting.
FOLDER gets the former as a table and a plot, too."""
import argparse
import os
import statistics
import subprocess
import sys

import timeshares

CODED = 'video/x-coded-picture'
OUTPUTS = {'system': 'video/x-raw', 'device': 'video/x-raw(memory:OpenCL)'}


def read_row(program):
    """The elements of the row, as the library has them"""
    return subprocess.run([program, '--list'], check=True, stdout=subprocess.PIPE, text=True).stdout.split()


# of PROGRAM
ROW = read_row(sys.argv[1]) if len(sys.argv) > 1 and not sys.argv[1].startswith('-') else []


def row(threads, n_elements=None):
    return ' ! '.join([f'{ROW[0]} n-threads={threads}', *(f'{name} name={name}' for name in ROW[1:n_elements])])


def avdec(threads):
    return f'avdec_h264 max-threads={threads}'


class Failed(Exception):
    pass


def run(program, file, elements, cores, *options):
    """Name: value of one run, on the first `cores` cores this process may use"""
    usable = sorted(os.sched_getaffinity(0))[:cores]
    environment = dict(os.environ, POCL_MAX_PTHREAD_COUNT=str(cores))
    command = ['taskset', '-c', ','.join(map(str, usable)), program, f'--row={elements}', *options, file]
    result = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode:
        raise Failed(f'{elements}: {result.stderr.strip().splitlines()[-1] if result.stderr.strip() else result.returncode}')
    return dict(pair.split('=', 1) for pair in result.stdout.split())


def milliseconds(measured, key, n_pictures=None):
    return 1000 * float(measured[key]) / max((n_pictures or int(measured['pictures'])) - 1, 1)


def spread(ratios):
    return f'min {min(ratios):.2f}, median {statistics.median(ratios):.2f}, max {max(ratios):.2f} ({len(ratios)} pairs)'


def compare_outputs(program, file):
    ours = run(program, file, row(0), 1, '--md5')
    theirs = run(program, file, avdec(1), 1, '--md5')
    if (ours['md5'], ours['pictures']) != (theirs['md5'], theirs['pictures']):
        raise Failed(f'outputs differ: {ours["pictures"]} pictures, md5 {ours["md5"]}, and {theirs["pictures"]} pictures, md5 {theirs["md5"]}')
    print(f'  outputs are equal: {ours["pictures"]} pictures, md5 {ours["md5"]}')
    return int(ours['pictures'])


def compare_speed(program, file, cores, rounds, memory):
    caps = f'--caps={OUTPUTS[memory]}'
    pairs = [(run(program, file, row(cores), cores, caps), run(program, file, avdec(cores), cores)) for _ in range(rounds)]
    where = f'  {cores} core{"s" * (cores > 1)}, {memory} memory '
    for name, runs in (('this row', [ours for ours, _ in pairs]), ('avdec_h264', [theirs for _, theirs in pairs])):
        wall = statistics.median(milliseconds(r, 'seconds') for r in runs)
        cpu = statistics.median(milliseconds(r, 'cpu') for r in runs)
        print(f'{where} {name:12} {1000 / wall:8.1f} pictures/s  {wall:7.2f} ms a picture  {cpu:7.2f} ms CPU a picture')
    ratios = [milliseconds(theirs, 'seconds') / milliseconds(ours, 'seconds') for ours, theirs in pairs]
    print(f'{where} speed over avdec_h264: {spread(ratios)}')


def profiled(program, file, n):
    """A run of the row's first n elements on one core"""
    return run(program, file, row(1, n), 1, f'--caps={CODED if n < len(ROW) else OUTPUTS["system"]}')


def print_shares(pairs, key, where):
    shares = [float(entropy[key]) / float(theirs[key]) for entropy, theirs in pairs]
    print(f'    {ROW[0]} over avdec_h264, {where}: {spread(shares)}')


def profile(program, file, rounds):
    """Prints CPU time of the row cut off after each element, on one core, and gives what each element adds, and that of avdec_h264: milliseconds a picture"""
    pairs = [(profiled(program, file, 1), run(program, file, avdec(1), 1)) for _ in range(rounds)]
    whole = run(program, file, row(1), 1, f'--caps={OUTPUTS["system"]}')
    before = 0.0
    times = []
    print('  profile, one core, ms CPU a picture (what each adds):')
    for n in range(1, len(ROW) + 1):
        runs = [entropy for entropy, _ in pairs] if n == 1 else [profiled(program, file, n) for _ in range(rounds)]
        # what comes out of a row that is cut off may be fields
        time = statistics.median(milliseconds(r, 'cpu', int(whole['pictures'])) for r in runs)
        print(f'    {ROW[n - 1]:14}{time - before:8.2f}')
        times.append(time - before)
        before = time
    print(f'    {"sum":14}{before:8.2f}')
    avdec_time = statistics.median(milliseconds(theirs, 'cpu') for _, theirs in pairs)
    print(f'    {"avdec_h264":14}{avdec_time:8.2f}')
    print_shares(pairs, 'cpu', 'first picture to last')
    print_shares(pairs, 'process', 'whole processes')
    print_counters(whole)
    return times, avdec_time


def print_traffic(program, file):
    """What a picture makes each element read and write, in bytes, and what share of what a copy crosses that is at the speed of one core"""
    measured = run(program, file, row(1).replace(ROW[0], f'{ROW[0]} name=entropy', 1), 1, f'--caps={OUTPUTS["system"]}', '--traffic')
    n_pictures, total = int(measured['pictures']), 0.0
    print('  bytes that a picture makes each element read and write, each access counted once, MB:')
    for name in [*ROW, 'output']:
        megabytes = {kind: int(measured[f'traffic.{name}.{kind}']) / n_pictures / 1e6 for kind in ('records', 'coeffs', 'samples')}
        total += sum(megabytes.values())
        print(f'    {name:14}{sum(megabytes.values()):8.2f}: ' + ', '.join(f'{value:.2f} {kind}' for kind, value in megabytes.items()))
    copy = float(measured['copy']) / 1e6
    print(f'    {"sum":14}{total:8.2f}: {total / copy * 1000:.2f} ms if all of it came from memory at the {copy / 1000:.1f} GB/s that a copy reads and writes')


def print_counters(measured):
    n_pictures = int(measured['pictures'])
    for name in ROW[1:]:
        counters = {key.split('.', 1)[1]: int(value) / n_pictures for key, value in measured.items() if key.startswith(name + '.')}
        if counters:
            print(f'    {name:14} a picture: ' + ', '.join(f'{value:.4g} {key}' for key, value in counters.items()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('files', nargs='+')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--cores', default='1,2')
    parser.add_argument('--memory', default='system', help='where the output is: system, device, or both')
    parser.add_argument('--results', help='folder for the table and the plot of where the time goes')
    arguments = parser.parse_args()
    memories = arguments.memory.split(',')
    if not set(memories) <= set(OUTPUTS):
        parser.error('--memory: system, device, or system,device')
    usable = len(os.sched_getaffinity(0))
    failed = False
    streams = {}
    for file in arguments.files:
        print(file)
        try:
            if compare_outputs(arguments.program, file) < 20:
                print('  few pictures: the figures say little')
            for cores in map(int, arguments.cores.split(',')):
                for memory in memories if cores <= usable else ():
                    compare_speed(arguments.program, file, cores, arguments.rounds, memory)
            streams[os.path.splitext(os.path.basename(file))[0]] = profile(arguments.program, file, arguments.rounds)
            print_traffic(arguments.program, file)
        except Failed as error:
            print(f'  {error}')
            failed = True
        sys.stdout.flush()
    if arguments.results and streams:
        timeshares.write(arguments.results, ROW, streams)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
