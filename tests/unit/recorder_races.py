# SPDX-License-Identifier: BSD-3-Clause
"""Tests that the recorder has no data races: its test of threads runs under ThreadSanitizer, with a recorder built for it.

  recorder_races.py SOURCE_ROOT COMPILER_SUFFIX BUILD_FOLDER GENERATED_FOLDER

GENERATED_FOLDER holds calls.c and calls-SUFFIX.c. ThreadSanitizer only watches the recorder and the program, not MPI."""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from recorder_segments import VERSION

ROOT, FLAVOUR, FOLDER, GENERATED = pathlib.Path(sys.argv[1]), sys.argv[2], *map(pathlib.Path, sys.argv[3:5])
COMPILER = [f'mpicc.{FLAVOUR}', '-std=gnu17', '-D_GNU_SOURCE', '-w', '-g', '-O1', '-fsanitize=thread']
RECORDER = FOLDER / f'races-{FLAVOUR}.so'
PROGRAM = FOLDER / f'races-{FLAVOUR}'
FOUND_STATUS = 66


def build():
    sources = sorted((ROOT / 'src/trace/recorder').glob('*.c')) + [GENERATED / 'calls.c',
                                                                   GENERATED / f'calls-{FLAVOUR}.c']
    library = ['-fPIC', '-shared', '-fvisibility=hidden', '-ftls-model=initial-exec', '-I', ROOT / 'src', '-ldl']
    for command in ([*COMPILER, *sources, '-o', RECORDER, *library],
                    [*COMPILER, ROOT / 'tests/unit/recorder_behaviour.c', '-o', PROGRAM, '-lpthread']):
        subprocess.run(list(map(str, command)), check=True)


def write_stops(directory, counts):
    """Writes the stops of a single process (src/trace/segment.h)."""
    content = struct.pack(f'=8sIIIII36x{len(counts)}Q', b'firmaSTP', VERSION, 1, len(counts), 0, 0, *counts)
    path = pathlib.Path(directory) / 'stops'
    path.write_bytes(content)
    return path


def release_one_after_the_other(path, n_stops):
    for released in range(1, n_stops + 1):
        time.sleep(1)
        with open(path, 'r+b') as file:
            file.seek(20)
            file.write(struct.pack('I', released))


def run(recorder, mode, stops=()):
    """Runs one process without address space randomisation, because ThreadSanitizer doesn't support all layouts."""
    with tempfile.TemporaryDirectory(prefix='races-') as directory:
        if stops:
            path = write_stops(directory, stops)
            threading.Thread(target=release_one_after_the_other, args=(path, len(stops))).start()
        environment = dict(os.environ, FIRMA_RECORD_DIRECTORY=directory,
                           TSAN_OPTIONS=f'exitcode={FOUND_STATUS} ignore_noninstrumented_modules=1')
        runtime = subprocess.run(['cc', '-print-file-name=libtsan.so'], capture_output=True, text=True, check=True)
        environment['LD_PRELOAD'] = f'{os.path.realpath(runtime.stdout.strip())} {recorder}'.strip()
        done = subprocess.run(['setarch', '-R', PROGRAM, mode], env=environment, capture_output=True, text=True,
                              timeout=900, check=False)
        return done, sorted(pathlib.Path(path).suffix for path in os.listdir(directory))


class RacesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            build()
            works = run('', 'plain')[0].returncode == 0
        except (OSError, subprocess.CalledProcessError):
            works = False
        if not works:
            raise unittest.SkipTest('programs of this MPI do not run under ThreadSanitizer here')

    def test_threads_record_without_races(self):
        done, files = run(RECORDER, 'threads')
        self.assertEqual(done.returncode, 0, done.stderr[:4000])
        self.assertEqual(files.count('.segment'), 4)

    def test_threads_sleep_and_wake_without_races(self):
        done, files = run(RECORDER, 'threads', stops=(500, 501, 2000))
        self.assertEqual(done.returncode, 0, done.stderr[:4000])
        self.assertEqual(files.count('.segment'), 4)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
