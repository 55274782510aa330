# SPDX-License-Identifier: BSD-3-Clause
"""Tests that the recorder has no data races: its test of threads runs under ThreadSanitizer, with a recorder built for it.

  recorder_races.py SOURCE_ROOT COMPILER_SUFFIX BUILD_FOLDER

ThreadSanitizer only watches the recorder and the program, not MPI. The recorder wraps only the calls that the program makes,
because compiling all entry points for ThreadSanitizer takes a minute."""
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

ROOT, FLAVOUR, FOLDER = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
COMPILER = [f'mpicc.{FLAVOUR}', '-std=gnu17', '-D_GNU_SOURCE', '-w', '-g', '-O1', '-fsanitize=thread']
RECORDER = FOLDER / f'races-{FLAVOUR}.so'
PROGRAM = FOLDER / f'races-{FLAVOUR}'
FOUND_STATUS = 66
N_THREADS, N_WAVES = 8, 50
CALLS = ('MPI_Init_thread', 'MPI_Isend{,_c}', 'MPI_Recv{,_c}', 'MPI_Wait', 'MPI_Finalize')


def compile_with_mpi(*words):
    subprocess.run([str(word) for word in (*COMPILER, *words)], check=True)


def generate(what, output, *compiler):
    """Generates the names or the entry points of CALLS."""
    lines = (ROOT / 'src/trace/calls.def').read_text().splitlines()
    table = FOLDER / 'races.def'
    table.write_text('\n'.join([line for line in lines if line.split(' ')[0] in CALLS] + ['MPI_* local', '']))
    subprocess.run([sys.executable, ROOT / 'src/trace/recorder/gen_calls.py', what, table, FOLDER / output, *compiler],
                   check=True)
    return FOLDER / output


def build():
    includes = subprocess.run([COMPILER[0], '-show'], capture_output=True, text=True, check=True).stdout.split()[1:]
    generated = [generate('names', 'races-calls.c'), generate('glue', 'races-glue.c', 'cc', *includes)]
    sources = sorted(path for path in (ROOT / 'src/trace/recorder').glob('*.c') if path.name not in ('simulated.c', 'pvm.c'))
    compile_with_mpi(*sources, *generated, '-o', RECORDER, '-fPIC', '-shared', '-fvisibility=hidden',
                     '-ftls-model=initial-exec', '-I', ROOT / 'src', '-ldl')
    compile_with_mpi(ROOT / 'tests/unit/recorder_behaviour.c', f'-DN_THREADS={N_THREADS}', f'-DN_WAVES={N_WAVES}',
                     '-o', PROGRAM, '-lpthread')


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
        build()
        plain = run('', 'plain')[0]
        if plain.returncode != 0:
            raise unittest.SkipTest('programs of this MPI do not run under ThreadSanitizer here:\n' + plain.stderr)

    def test_threads_record_without_races(self):
        done, files = run(RECORDER, 'threads')
        self.assertEqual(done.returncode, 0, done.stderr[:4000])
        self.assertEqual(files.count('.segment'), 1 + N_THREADS)

    def test_threads_take_over_segments_without_races(self):
        done, files = run(RECORDER, 'short threads')
        self.assertEqual(done.returncode, 0, done.stderr[:4000])
        self.assertLessEqual(files.count('.segment'), 1 + 2 * N_THREADS)

    def test_threads_sleep_and_wake_without_races(self):
        done, files = run(RECORDER, 'threads', stops=(500, 501, 2000))
        self.assertEqual(done.returncode, 0, done.stderr[:4000])
        self.assertEqual(files.count('.segment'), 1 + N_THREADS)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
