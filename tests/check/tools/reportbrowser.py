# SPDX-License-Identifier: LGPL-2.1-or-later
"""The page of gst-gpu-decode --report in a browser: what it shows, in both colour schemes, and that it asks no network.

reportbrowser.py TOOL: prints TAP, one result a case; without chromium, or its shell without windows, all is skipped.
"""
import os
import subprocess
import sys
import tempfile

import handmadestream as handmade
from browser import SLOW, Browser, find_browser
from tap import check, finish, same

tool = os.path.abspath(sys.argv[1])


def make_report(name, stream, folder, *arguments):
    """The path of the page; @name may have any characters"""
    with open(os.path.join(folder, name), 'wb') as file:
        file.write(stream)
    environment = {key: value for key, value in os.environ.items() if key not in ('DISPLAY', 'WAYLAND_DISPLAY')}
    process = subprocess.run([tool, name, '-o', 'out.png', '--backend=c', '--report', 'report.html', *arguments], cwd=folder, env=environment, timeout=SLOW,
                             text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if not check(process.returncode == 0, 'a page is made', process.stderr):
        return None
    return os.path.join(folder, 'report.html')


TABLE = "Array.from(document.querySelectorAll('{}'), row => Array.from(row.children, cell => cell.textContent))"
CANVAS = "document.getElementById('canvas').toDataURL()"


def contrast(browser, ink, paper):
    """Of two custom properties (WCAG 2)"""
    def luminance(name):
        value = browser.evaluate(f"getComputedStyle(document.documentElement).getPropertyValue('--{name}').trim()")
        parts = [int(value[i:i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    light, dark = sorted((luminance(ink), luminance(paper)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def check_quiet(browser, name):
    check(not browser.complaints(), f'{name}: nothing in the console', browser.complaints())
    outside = [url for url in browser.requests() if not url.startswith(('file:', 'data:'))]
    check(not outside and len([url for url in browser.requests() if url.startswith('file:')]) == 1, f'{name}: no file but the page, and no network', browser.requests())


def check_colours(browser):
    backgrounds = set()
    for scheme in 'light', 'dark':
        browser.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': scheme}])
        backgrounds.add(browser.evaluate('getComputedStyle(document.body).backgroundColor'))
        ratios = {ink: contrast(browser, ink, paper) for ink, paper in (('ink', 'card'), ('soft', 'card'), ('soft', 'page'), ('accent', 'page'), ('bad', 'card'))}
        check(min(ratios.values()) >= 4.5, f'{scheme}: text is legible', ratios)
    check(len(backgrounds) == 2, 'light and dark differ', backgrounds)


def toggle(browser, element):
    browser.evaluate(f"document.getElementById('{element}').click()")
    return browser.evaluate(CANVAS)


def check_canvas(browser):
    drawn = browser.evaluate(CANVAS)
    for layer in 'image', 'partitions', 'list0':
        without = toggle(browser, f'layer-{layer}')
        again = toggle(browser, f'layer-{layer}')
        check(without != drawn and again == drawn, f'{layer} can be switched off and on')
    same(toggle(browser, 'layer-list1'), drawn, 'there are no vectors of list 1')
    fills = {toggle(browser, f'fill-{fill}') for fill in ('kinds', 'qp', 'none')}
    same(len(fills), 3, 'each choice of colours has its own')
    toggle(browser, 'fill-kinds')


def point_at(browser, width, x, y):
    """The text of the macroblock at a place of a frame of @width columns"""
    box = browser.evaluate("(({x, y, width}) => [x, y, width])(document.getElementById('canvas').getBoundingClientRect())")
    scale = box[2] / width
    browser.call('Input.dispatchMouseEvent', type='mouseMoved', x=box[0] + x * scale, y=box[1] + y * scale)
    return browser.evaluate("document.getElementById('macroblock').textContent").split('\n')


def check_pointing(browser):
    # macroblock 7 is the last one of the second row
    text = point_at(browser, 64, 56, 24)
    same(text, ['Macroblock 7 at (48, 16): Inter, list 0, QP 26, no residual, slice 0 (P)',
                '8x8 at (0, 0): list 0: (0.5, 0) from refIdx 0, 1 frame before', '8x8 at (8, 0): list 0: (0, 1.5) from refIdx 0, 1 frame before',
                '8x8 at (0, 8): list 0: (1, 0) from refIdx 0, 1 frame before', '8x8 at (8, 8): list 0: (0.5, 0) from refIdx 0, 1 frame before'],
         'the macroblock pointed at, in words')
    browser.evaluate("document.getElementById('canvas').focus()")
    for name, code in ('ArrowDown', 40), ('ArrowLeft', 37):
        browser.call('Input.dispatchKeyEvent', type='keyDown', key=name, code=name, windowsVirtualKeyCode=code)
    check(browser.evaluate("document.getElementById('macroblock').textContent").startswith('Macroblock 10 at (32, 32)'), 'arrow keys move among macroblocks')


def check_frames(browser, folder):
    stream, slice_bytes = handmade.frames_stream(2)
    path = make_report('<img src=x onerror=alert(1)>.264', stream, folder)
    if not path or not check(browser.show(path), 'the page is ready', browser.complaints()):
        return
    same(browser.evaluate("document.querySelector('h1').textContent"), '<img src=x onerror=alert(1)>.264', 'its title')
    summary = browser.evaluate("document.getElementById('summary').textContent")
    check(summary.startswith('64x48 4:2:0 8 bit · 4 frames came out · ') and summary.endswith('decoded on the CPU'), 'its summary', summary)
    same(browser.evaluate("document.getElementById('frame-note').textContent"),
         f'Frame 1 in decoding order: 64x48 4:2:0 8 bit; frame of 1 slice, type P, {8 * slice_bytes[1]} bits, 0 coefficients.', 'the frame in words')
    same(browser.evaluate(TABLE.format('#kinds tbody tr')), [['Intra 16x16', '1', '8.3 %', '1', '0'], ['Inter, list 0', '11', '91.7 %', '11', '0']], 'kinds, counted')
    same(browser.evaluate("Array.from(document.querySelectorAll('.chart'), chart => chart.id)"),
         ['chart-bits', 'chart-coefficients', 'chart-kinds', 'chart-stage-time'], 'charts')
    same(browser.evaluate("document.querySelectorAll('#chart-bits svg rect').length"), 4, 'a bar a frame')
    check('bits: ' in browser.evaluate("document.querySelector('#chart-bits svg').getAttribute('aria-label')"), 'charts in words')
    stages = browser.evaluate(TABLE.format('#stages tbody tr'))
    same([row[0] for row in stages], ['h264entropy', 'gpuidct', 'gpuinterpred', 'gpuintrapred', 'gpudeblock', 'gpucsc'], 'stages')
    same(browser.evaluate(TABLE.format('#flags tbody tr'))[0][0], 'discont', 'flags')
    check_canvas(browser)
    check_pointing(browser)
    check_colours(browser)
    same(browser.evaluate("document.images.length"), 0, 'a name with markup makes no element')
    check_quiet(browser, 'frames')


def check_fields(browser, folder):
    path = make_report('fields.264', handmade.fields_stream(), folder)
    if path and check(browser.show(path), 'the page of fields is ready', browser.complaints()):
        same(browser.evaluate("Array.from(document.getElementById('picture').options, option => option.textContent)"), ['top field, I', 'bottom field, P'],
             'a field can be chosen')
        browser.evaluate("{ const choice = document.getElementById('picture'); choice.value = 1; choice.dispatchEvent(new Event('change')); }")
        same(browser.evaluate(TABLE.format('#kinds tbody tr')), [['Inter, list 0', '2', '100.0 %', '2', '0']], 'and then its macroblocks are counted')
        check_quiet(browser, 'fields')


def check_mbaff(browser, folder):
    """A pair in fields has its macroblocks line by line, one in frames one above the other."""
    path = make_report('mbaff.264', handmade.mbaff_stream(), folder)
    if path and check(browser.show(path), 'the page of an MBAFF frame is ready', browser.complaints()):
        found = [point_at(browser, 32, x, y)[0].split(', QP')[0] for x, y in ((8, 2.5), (8, 27.5), (24, 2.5), (24, 27.5))]
        same(found, ['Macroblock 0 at (0, 0): Intra 16x16, field macroblock', 'Macroblock 1 at (0, 1): Intra 16x16, field macroblock',
                     'Macroblock 2 at (16, 0): Intra 16x16, frame macroblock', 'Macroblock 3 at (16, 16): Intra 16x16, frame macroblock'],
             'field and frame macroblocks, where they are')
        check_quiet(browser, 'MBAFF')


def check_damaged(browser, folder):
    stream, _ = handmade.frames_stream(3)
    nals = stream.split(b'\0\0\0\1')[1:]
    del nals[3]
    path = make_report('damaged.264', handmade.byte_stream(*nals), folder)
    if path and check(browser.show(path), 'the page of a damaged stream is ready', browser.complaints()):
        same(browser.evaluate("document.querySelector('#messages tbody td').textContent"), 'warning', 'messages')
        same(browser.evaluate("document.getElementById('messages').hidden"), False, 'which are shown')
        check(browser.evaluate("document.querySelectorAll('#chart-bits .corrupted').length") > 0, 'frames flagged as corrupted are shaded')
        check_quiet(browser, 'damage')


def main():
    program = find_browser()
    if not program:
        print('1..0 # SKIP neither chromium-headless-shell nor chromium is installed')
        return 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(program, folder)
        try:
            browser.open()
            check_frames(browser, folder)
            check_fields(browser, folder)
            check_mbaff(browser, folder)
            check_damaged(browser, folder)
        finally:
            browser.close()
    finish()


sys.exit(main())
