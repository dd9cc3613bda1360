# SPDX-License-Identifier: LGPL-2.1-or-later
"""Chromium without a window, for tests of pages and drawings."""
import json
import os
import pathlib
import select
import shutil
import subprocess
import time

SLOW = 120


def find_browser():
    """Its path, or None where there is none"""
    return shutil.which('chromium-headless-shell') or shutil.which('chromium')


class Browser:
    """Spoken to through a pipe by its DevTools protocol: JSON, with a zero byte behind each message"""

    def __init__(self, program, folder):
        from_us, to_browser = os.pipe()
        from_browser, to_us = os.pipe()
        # the pages are ours, and containers often have no sandbox
        options = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-pipe', f'--user-data-dir={folder}/profile', '--window-size=1200,900',
                   '--disable-dev-shm-usage']
        environment = {name: value for name, value in os.environ.items() if not name.startswith(('LD_PRELOAD', 'GST_', 'ASAN_', 'UBSAN_'))}
        environment['HOME'] = folder
        self.process = subprocess.Popen(['sh', '-c', f'exec "$@" 3<&{from_us} 4>&{to_us}', 'sh', program, *options, 'about:blank'], env=environment,
                                        pass_fds=(from_us, to_us), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        self.input, self.output = to_browser, from_browser
        self.pending = b''
        self.events = []
        self.n_commands = 0
        self.session = None

    def read(self, deadline):
        while b'\0' not in self.pending:
            if not select.select([self.output], [], [], max(deadline - time.monotonic(), 0))[0]:
                raise TimeoutError('the browser does not answer')
            chunk = os.read(self.output, 1 << 16)
            if not chunk:
                raise EOFError('the browser has ended')
            self.pending += chunk
        message, self.pending = self.pending.split(b'\0', 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.n_commands += 1
        command = {'id': self.n_commands, 'method': method, 'params': parameters}
        if self.session:
            command['sessionId'] = self.session
        os.write(self.input, json.dumps(command).encode() + b'\0')
        deadline = time.monotonic() + SLOW
        while True:
            message = self.read(deadline)
            if message.get('id') != self.n_commands:
                self.events.append(message)
            elif 'error' in message:
                raise RuntimeError(f'{method}: {message["error"]}')
            else:
                return message['result']

    def open(self):
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in 'Page', 'Runtime', 'Log', 'Network':
            self.call(f'{domain}.enable')

    def evaluate(self, expression):
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(f'{expression}: {result["exceptionDetails"]}')
        return result['result'].get('value')

    def show(self, path):
        # the page before must not be taken for this one
        self.evaluate("document.documentElement.dataset.ready = 'before'")
        self.events.clear()
        self.call('Page.navigate', url=pathlib.Path(path).as_uri())
        deadline = time.monotonic() + SLOW
        while self.evaluate('document.documentElement?.dataset.ready') != 'true':
            if time.monotonic() > deadline or self.complaints():
                return False
            time.sleep(0.05)
        return True

    def complaints(self):
        """What the console has, and exceptions that nobody catches"""
        found = []
        for event in self.events:
            if event['method'] == 'Runtime.exceptionThrown' or event['method'] == 'Log.entryAdded':
                found.append(event['params'])
            elif event['method'] == 'Runtime.consoleAPICalled':
                found.append(event['params'])
        return found

    def requests(self):
        return [event['params']['request']['url'] for event in self.events if event['method'] == 'Network.requestWillBeSent']

    def close(self):
        try:
            self.session = None
            self.call('Browser.close')
        except (OSError, EOFError, RuntimeError, TimeoutError):
            self.process.kill()
        self.process.wait(timeout=SLOW)
        os.close(self.input)
        os.close(self.output)
