# SPDX-License-Identifier: BSD-3-Clause
"""Tests the records of real MPI programs, and that the recorder never harms a program.

  recorder_test.py SOURCE_ROOT LIBRARY COMPILER_SUFFIX BUILD_FOLDER OTHER_LIBRARY

compiles the programs beside this file with mpicc.SUFFIX and mpifort.SUFFIX, and runs them under mpirun.SUFFIX."""
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from recorder_segments import VERSION, Names, Process, read_recording

ROOT, LIBRARY, FLAVOUR, FOLDER, OTHER_LIBRARY = (pathlib.Path(argument) for argument in sys.argv[1:6])
FLAVOUR = str(FLAVOUR)
HERE = ROOT / 'tests/unit'
NAMES = Names(ROOT)
POLLS = ('Iprobe', 'Improbe', 'Test', 'Testall', 'Testany', 'Testsome')
LAUNCHER = {'openmpi': ['mpirun.openmpi', '--allow-run-as-root', '--oversubscribe'], 'mpich': ['mpirun.mpich']}
LIMIT_S = 900  # far above the duration of any run, even on a busy machine
ASLEEP_OFFSET = 4788 + 8192 + 4 + 1024 * 8  # in the ProcessFile


def compile_program(source):
    fortran = source.endswith('.f90')
    program = FOLDER / f'{source.split(".")[0]}-{FLAVOUR}'
    compiler = [f'mpifort.{FLAVOUR}', '-fallow-argument-mismatch'] if fortran else [f'mpicc.{FLAVOUR}']
    subprocess.run(compiler + ['-w', '-O1', '-o', program, HERE / source], check=True)
    return program


def compile_loader():
    """Compiles the loader, and the behaviour program as a library for it."""
    loader = FOLDER / f'recorder_loader-{FLAVOUR}'
    subprocess.run(['cc', '-O1', '-o', loader, HERE / 'recorder_loader.c', '-ldl', '-pthread'], check=True)
    return loader, compile_library('recorder_behaviour.c', 'recorder_behaviour')


def compile_library(source, name, *options):
    library = FOLDER / f'{name}-{FLAVOUR}.so'
    subprocess.run([f'mpicc.{FLAVOUR}', '-w', '-O1', '-fPIC', '-shared', '-o', library, HERE / source, *options],
                   check=True)
    return library


def recorder_after(n_requests):
    """The recorder as it is after so many requests: the library's objects, but for one of them."""
    library = FOLDER / f'requests-{FLAVOUR}.so'
    includes = subprocess.run([f'mpicc.{FLAVOUR}', '-show'], capture_output=True, text=True, check=True).stdout.split()
    requests = FOLDER / f'requests-{FLAVOUR}.o'
    subprocess.run(['cc', '-std=gnu17', '-D_GNU_SOURCE', '-O1', '-fPIC', '-fvisibility=hidden',
                    '-ftls-model=initial-exec', f'-DREQUESTS_BEFORE={n_requests}', '-I', ROOT / 'src',
                    *(word for word in includes if word.startswith('-I')), '-c', '-o', requests,
                    ROOT / 'src/trace/recorder/requests.c'], check=True)
    others = [path for path in LIBRARY.with_name(LIBRARY.name + '.p').glob('*.o') if path.name != 'requests.c.o']
    subprocess.run(['cc', '-shared', '-o', library, requests, *others, '-ldl', '-lpthread'], check=True)
    return library


class Run:
    """A run of a program under the recorder."""

    def __init__(self, program, n, *arguments, library=LIBRARY, prepare=None):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix='recorder-'))
        if prepare:
            prepare(self.directory)
        preload = ['env', f'LD_PRELOAD={library}', f'FIRMA_RECORD_DIRECTORY={self.directory}']
        command = LAUNCHER[FLAVOUR] + ['-n', str(n)] + preload + [program, *arguments]
        self.process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)

    def finish(self):
        try:
            self.output, self.errors = self.process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.terminate()  # the launcher ends its processes
            self.process.communicate()
            raise
        self.status = self.process.returncode
        return self

    def recording(self):
        return read_recording(self.directory, NAMES)

    def remove(self):
        shutil.rmtree(self.directory)


def without_polls(text):
    """Removes polls that found nothing, because their number differs from run to run."""
    return ''.join(line + '\n' for line in text.splitlines() if line not in POLLS)


def expected(name):
    """Returns the ranks' parts of an expectation file, which lines '=== rank' separate."""
    parts = (HERE / name).read_text().split('=== rank ')[1:]
    return [without_polls(part.split('\n', 1)[1]) for part in parts]


class RecorderTest(unittest.TestCase):
    maxDiff = None

    def run_program(self, *arguments, **options):
        run = Run(*arguments, **options)
        self.addCleanup(run.remove)
        return run.finish()

    def behave(self, *arguments, **options):
        """Runs the behaviour program as one process. Returns the calls of its segment."""
        run = self.run_program(BEHAVIOUR, 1, *arguments, **options)
        return run, run.recording()

    def check_records(self, program, expectation):
        run = self.run_program(compile_program(program), 2)
        self.assertEqual(run.status, 0, run.errors)
        recording = run.recording()
        self.assertEqual([process.rank for process in recording], [0, 1])
        for process, text in zip(recording, expected(expectation)):
            segments = process.segments()
            self.assertEqual(len(segments), 1)
            self.assertEqual(without_polls(segments[0].text()), text)
            self.check_times(process, segments[0])
        return recording

    def check_times(self, process, segment):
        last = process.init_enter
        for name, _, enter, leave, _ in segment.calls:
            self.assertLessEqual(last, enter, name)
            self.assertLessEqual(enter, leave, name)
            last = leave
        self.assertLessEqual(process.init_leave, process.finalize_enter)
        self.assertLessEqual(process.finalize_enter, process.finalize_leave)
        self.assertEqual(segment.cpu, sorted(segment.cpu))
        sends = sum(1 for call in segment.calls for event in call[4]
                    if not event.startswith(('recv', 'send_done', 'cancel', 'done', 'complete', 'notify', 'await')))
        self.assertEqual(segment.send_events, sends)

    def test_records_every_family_of_a_c_program(self):
        recording = self.check_records('recorder_program.c', 'recorder_program.expected')
        for process in recording:
            self.assertEqual(process.counted, {'MPI_Win_lock': 1, 'MPI_Win_unlock': 1})
            self.assertEqual(process.windows, [13 - process.rank])
            self.assertEqual(process.neighbours[8 - process.rank], ((1 - process.rank,), (1 - process.rank,)))
            self.assertEqual(process.comms[11 - process.rank], ([process.rank], [1 - process.rank]))
            self.assertEqual(process.comms[3], ([1, 0], []))

    def test_records_an_mpif_h_program(self):
        self.check_records('recorder_mpif.f90', 'recorder_fortran.expected')

    def test_records_an_mpi_f08_program(self):
        self.check_records('recorder_f08.f90', 'recorder_fortran.expected')

    def test_describes_the_process(self):
        _, (process,) = self.behave('plain', '5')
        self.assertEqual((process.rank, process.size, process.end, process.n_threads, process.level), (0, 1, 0, 1, 3))
        self.assertEqual(process.arguments[1:], ['plain', '5'])
        self.assertEqual(os.path.realpath(process.executable), os.path.realpath(BEHAVIOUR))
        self.assertIn({'openmpi': 'Open MPI', 'mpich': 'MPICH'}[FLAVOUR], process.mpi)
        self.assertEqual(process.comms, [([0], []), ([0], [])])

    def test_measures_what_recording_costs(self):
        _, (process,) = self.behave('plain', '5')
        self.assertTrue(0 < process.call_cost < 1000000, process.call_cost)
        self.assertTrue(0 < process.sample_cost < 1000000, process.sample_cost)

    def test_grows_its_segment(self):
        run, (process,) = self.behave('plain', '20000')
        self.assertEqual(run.status, 0, run.errors)
        (segment,) = process.segments()
        self.assertEqual(len(segment.calls), 60002)
        self.assertEqual(segment.send_events, 20000)

    def test_matches_thousands_of_requests_in_any_order(self):
        _, (process,) = self.behave('many')
        events = [event.split()[0] for call in process.segments()[0].calls for event in call[4]]
        for kind in ('send', 'send_done', 'recv_post', 'recv'):
            self.assertEqual(events.count(kind), 5000)

    def test_numbers_requests_also_after_billions_of_them(self):
        for n_before in (2 ** 32 - 4, 2 ** 48 - 4):
            _, (process,) = self.behave('requests', library=recorder_after(n_before))
            (segment,) = process.segments()
            self.assertEqual(len(segment.requests), 8)
            events = [event for call in segment.calls for event in call[4]]
            posted = [event.split()[:2] for event in events if event.startswith(('barrier', 'put'))]
            done = [event.split()[1:3] for event in events if event.startswith('done')]
            self.assertEqual(len(posted), 8)
            self.assertEqual(sorted(posted), sorted(done))

    def test_keeps_threads_apart(self):
        run, (process,) = self.behave('threads')
        self.assertEqual(run.status, 0, run.errors)
        segments = process.segments()
        self.assertEqual([segment.thread for segment in segments], [0, 1, 2, 3])
        for segment in segments[1:]:
            tags = {event.split(' tag ')[1].split()[0] for call in segment.calls for event in call[4]
                    if ' tag ' in event}
            self.assertEqual(len(tags), 1)
            self.assertEqual(len(segment.calls), 6000)

    def test_gives_the_segments_of_threads_that_ended_to_threads_that_begin(self):
        run, (process,) = self.behave('short threads')
        self.assertEqual(run.status, 0, run.errors)
        segments = process.segments()
        self.assertLessEqual(len(segments), 1 + 2 * 3)  # a thread may begin before the one before is gone
        calls = [call for segment in segments[1:] for call in segment.calls]
        self.assertEqual(len(calls), 1000 * 3 * 3)
        self.assertEqual(sum(segment.send_events for segment in segments), 1000 * 3)
        for segment in segments:
            self.check_times(process, segment)

    def test_lets_real_time_threads_of_different_priorities_share_a_processor(self):
        if FLAVOUR == 'openmpi':
            self.skipTest('Open MPI itself spins for ever then')
        run, (process,) = self.behave('priorities')
        if 'not privileged' in run.output:
            self.skipTest('real-time priorities need privileges')
        self.assertEqual(run.status, 0, run.errors)
        self.assertEqual(len(process.segments()), 2)

    def test_folds_polls_that_find_nothing(self):
        _, (process,) = self.behave('polls')
        polls = [call for call in process.segments()[0].calls if call[0] == 'MPI_Iprobe']
        self.assertEqual(sum(1 + call[1] for call in polls), 1000)
        self.assertLess(len(polls), 500)

    def test_keeps_what_a_killed_process_did(self):
        _, (process,) = self.behave('kill')
        self.assertEqual(process.finalize_enter, 0)
        self.assertEqual(len(process.segments()[0].calls), 31)

    def test_keeps_what_a_process_did_that_never_finalises(self):
        _, (process,) = self.behave('unfinished')
        self.assertEqual(len(process.segments()[0].calls), 31)

    def test_stamps_an_abort(self):
        _, (process,) = self.behave('abort')
        self.assertGreater(process.abort, process.init_leave)
        name, _, _, leave, _ = process.segments()[0].calls[-1]
        self.assertEqual((name, leave), ('MPI_Abort', 0))

    def test_stops_recording_when_files_cannot_grow(self):
        run, (process,) = self.behave('full')
        self.assertEqual(run.status, 0, run.errors)
        self.assertIn('finished', run.output)
        self.assertEqual(run.errors.count('firma: recording stopped'), 1)
        self.assertEqual(process.end, 1)
        self.assertGreater(len(process.segments()[0].calls), 500)

    def test_leaves_forked_children_alone(self):
        run, recording = self.behave('fork')
        self.assertEqual(run.status, 0, run.errors)
        self.assertEqual(len(recording), 1)
        self.assertEqual(len(recording[0].segments()[0].calls), 1 + 3 + 1)

    def test_counts_each_poll_of_a_streak(self):
        _, (process,) = self.behave('streak')
        (segment,) = process.segments()
        polls = [call for call in segment.calls if call[0] in ('MPI_Iprobe', 'MPI_Test')]
        empty = [call for call in polls if not call[4]]
        self.assertEqual(sum(1 + call[1] for call in polls), 100002)
        self.assertLess(len(empty), 5000)
        self.assertEqual([call[1] for call in polls if call[4]], [0])
        gaps = [after[2] - before[3] for before, after in zip(segment.calls, segment.calls[1:])]
        self.assertGreater(max(gaps), 10 ** 7)  # the computation between two streaks belongs to neither

    def test_records_no_event_of_a_call_that_failed(self):
        run, (process,) = self.behave('failure')
        self.assertEqual(run.status, 0, run.errors)
        calls = process.segments()[0].calls
        self.assertEqual([call[4] for call in calls if call[0] == 'MPI_Send'], [[]])
        (waitall,) = (call for call in calls if call[0] == 'MPI_Waitall')
        self.assertEqual(sum(event.startswith('recv ') for event in waitall[4]), 1)

    def test_records_receives_whose_message_was_too_long(self):
        run, (process,) = self.behave('long')
        self.assertEqual(run.status, 0, run.errors)
        events = [event for call in process.segments()[0].calls for event in call[4]]
        found = [event.split(' tag ')[1].split()[0] for event in events if event.startswith('recv ')]
        sent = [event.split(' tag ')[1].split()[0] for event in events if event.startswith('send ')]
        self.assertEqual(found, [str(tag) for tag in range(1, 9)])
        self.assertEqual(sent, found)
        self.assertEqual([event for event in events if event.startswith('cancel')], [])

    def test_goes_on_after_a_call_that_was_left_by_a_jump(self):
        if FLAVOUR == 'mpich':
            self.skipTest('a call that is left holds the lock of MPICH')
        for how in ('jump', 'shallow jump'):  # whether the frame is deeper than that of later calls
            with self.subTest(how):
                run, (process,) = self.behave(how)
                self.assertEqual(run.status, 0, run.errors)
                calls = process.segments()[0].calls
                self.assertEqual([calls[1][0], calls[1][3]], ['MPI_Send', 0])
                self.assertEqual(len(calls), 1 + 1 + 3 + 1)

    def check_stopped(self, run, reason):
        """The program went on, and one line says why it isn't recorded any more."""
        self.assertIn('finished', run.output, run.errors)
        lines = [line for line in run.errors.splitlines() if 'firma:' in line]
        self.assertEqual(len(lines), 1, run.errors)
        self.assertIn('recording stopped', lines[0])
        self.assertIn(reason, lines[0])

    def test_stops_recording_when_a_call_returns_that_was_left(self):
        if FLAVOUR == 'mpich':
            self.skipTest('a call that is left holds the lock of MPICH')
        run, (process,) = self.behave('coroutine')
        self.assertEqual(run.status, 0, run.errors)
        self.check_stopped(run, 'had left')
        calls = process.segments()[0].calls
        self.assertEqual([calls[1][0], calls[1][3]], ['MPI_Send', 0])
        self.assertEqual(len(calls), 1 + 1 + 9)

    def test_goes_on_after_a_call_that_was_left_and_its_stack_freed(self):
        if FLAVOUR == 'mpich':
            self.skipTest('a call that is left holds the lock of MPICH')
        run, (process,) = self.behave('freed coroutine')
        self.assertEqual(run.status, 0, run.errors)
        self.assertEqual(len(process.segments()[0].calls), 1 + 1 + 9 + 1)

    def test_stops_recording_when_the_program_forbids_reading_the_clock(self):
        run, (process,) = self.behave('no clock')
        self.assertEqual(run.status, 0, run.errors)
        self.check_stopped(run, 'PR_SET_TSC')
        self.assertEqual(len(process.segments()[0].calls), 1 + 300)

    def test_stops_recording_when_the_program_restricts_its_system_calls(self):
        run, (process,) = self.behave('no files')
        self.check_stopped(run, 'PR_SET_NO_NEW_PRIVS')
        self.assertEqual(len(process.segments()[0].calls), 1 + 300)

    def test_says_that_the_directory_is_not_there(self):
        run, recording = self.behave('plain', prepare=shutil.rmtree)
        run.directory.mkdir()
        self.assertEqual(run.status, 0)
        self.assertIn('firma: cannot record', run.errors)
        self.assertEqual(recording, [])

    def test_does_nothing_for_the_other_mpi(self):
        if not OTHER_LIBRARY.exists():
            self.skipTest('built for one MPI only')
        run, recording = self.behave('plain', library=OTHER_LIBRARY)
        self.assertEqual((run.status, recording), (0, []), run.errors)

    def test_loads_into_a_process_without_mpi(self):
        environment = dict(os.environ, LD_PRELOAD=str(LIBRARY), LD_BIND_NOW='1', FIRMA_RECORD_DIRECTORY='/nowhere')
        result = subprocess.run(['sh', '-c', 'echo here'], env=environment, capture_output=True, text=True, check=True)
        self.assertEqual((result.stdout, result.stderr), ('here\n', ''))

    def test_records_an_mpi_that_is_loaded_late_while_other_threads_load_libraries(self):
        loader, library = compile_loader()
        for _ in range(8):
            run = self.run_program(loader, 1, library, 'plain')
            self.assertEqual(run.status, 0, run.errors)
            (process,) = run.recording()
            self.assertEqual(len(process.segments()[0].calls), 32)

    def test_calls_an_mpi_that_was_unloaded_and_loaded_again(self):
        loader, library = compile_loader()
        run = self.run_program(loader, 1, library, 'reload')
        self.assertEqual(run.output.count('finished'), 1, run.errors)
        self.assertIn('MPI_Init_thread', run.errors)  # launchers let a process start MPI once only
        self.assertNotIn('Segmentation fault', run.errors)

    def test_programs_that_disturb_it_end_as_without_it(self):
        program = compile_program('recorder_disturbance.c')
        stopped = {'limit of files': 'File too large', 'limit of descriptors': 'Too many open files',
                   'limit of memory': 'Cannot allocate memory'}
        for what in ('deferred cancellation', 'asynchronous cancellation', 'vfork', 'fork', *stopped):
            if what == 'asynchronous cancellation' and FLAVOUR == 'mpich':
                continue  # a thread that is cancelled in MPICH leaves its locks behind
            with self.subTest(what):
                run = self.run_program(program, 1, what)
                self.assertEqual((run.status, run.output), (0, 'finished\n'), run.errors)
                if what in stopped:
                    self.check_stopped(run, stopped[what])
                self.assertEqual(len(run.recording()), 1)

    def test_an_abort_in_a_signal_handler_ends_the_job(self):
        run = self.run_program(compile_program('recorder_disturbance.c'), 1, 'abort in a handler')
        if FLAVOUR == 'openmpi':  # mpirun kills the process if it doesn't end soon
            self.assertIn(run.status, (5, 128 + signal.SIGKILL), run.errors)
        else:  # MPICH may find its own lock taken by the call that was interrupted, and then fail or wait
            self.assertNotEqual(run.status, 0, run.errors)
        self.assertGreater(run.recording()[0].abort, 0)

    def check_tooled(self, run, *counts):
        """Checks the output of the program and the tool, and the number of records of each call."""
        self.assertEqual(run.status, 0, run.errors)
        self.assertEqual(run.errors.count('firma'), 0, run.errors)
        self.assertEqual(run.output.split('tool')[0], '0 42\n0 42\n')
        (process,) = run.recording()
        calls = [call[0] for call in process.segments()[0].calls]
        self.assertEqual([calls.count(f'MPI_{name}') for name in ('Init_thread', 'Allreduce', 'Barrier', 'Finalize')],
                         list(counts))

    def test_goes_on_by_the_name_that_was_called_beside_another_tool(self):
        program, tool = compile_program('recorder_tooled.c'), compile_library('recorder_tool.c', 'recorder_tool')
        run = self.run_program(program, 1, library=f'{LIBRARY}:{tool}')
        self.assertIn('tool: 2 barriers, 2 reductions\n', run.output)
        self.check_tooled(run, 1, 2, 5, 1)
        run = self.run_program(program, 1, library=f'{tool}:{LIBRARY}')
        self.assertIn('tool: 2 barriers, 2 reductions\n', run.output)
        self.check_tooled(run, 1, 2, 8, 1)  # the recorder sees the tool's own barriers

    def test_records_once_beside_a_second_recorder(self):
        second = FOLDER / f'second-{FLAVOUR}.so'
        shutil.copy(LIBRARY, second)
        run = self.run_program(compile_program('recorder_tooled.c'), 1, library=f'{second}:{LIBRARY}')
        self.check_tooled(run, 1, 2, 5, 1)

    def test_leaves_a_serial_mpi_without_profiling_names_alone(self):
        stub = compile_library('recorder_stub.c', 'recorder_stub', '-nostdlib')
        program = FOLDER / f'recorder_serial-{FLAVOUR}'
        subprocess.run([f'mpicc.{FLAVOUR}', '-w', '-DNO_PROFILING_NAMES', '-c', '-o', f'{program}.o',
                        HERE / 'recorder_tooled.c'], check=True)
        subprocess.run(['cc', '-o', program, f'{program}.o', stub, '-Wl,--unresolved-symbols=ignore-all',
                        f'-Wl,-rpath,{FOLDER}'], check=True)
        environment = dict(os.environ, LD_PRELOAD=str(LIBRARY), FIRMA_RECORD_DIRECTORY='/nowhere')
        result = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=True)
        self.assertEqual((result.stdout, result.stderr), ('0 42\n0 42\n', ''))

    def test_waits_when_it_is_told_to_stop(self):
        run = Run(BEHAVIOUR, 1, 'plain', prepare=lambda directory: write_control(directory, os.getpid()))
        self.addCleanup(run.remove)
        self.addCleanup(run.process.communicate)
        while not list(run.directory.glob('*.process')):
            time.sleep(0.01)
        time.sleep(0.3)
        self.assertIsNone(run.process.poll())
        (path,) = run.directory.glob('*.process')
        os.kill(int(path.stem.split('-')[-1]), signal.SIGKILL)
        run.process.communicate(timeout=LIMIT_S)
        self.assertEqual(len(Process(path, NAMES).segments()[0].calls), 1)

    def start_with_stops(self, what, *counts):
        """Starts the behaviour program with stops; this test plays firma. Returns the run and its recording."""
        def prepare(directory):
            write_control(directory, os.getpid(), stop=0)
            write_stops(directory, *counts)
        run = Run(BEHAVIOUR, 1, *what, prepare=prepare)
        self.addCleanup(run.remove)
        return run

    def wait_until_asleep(self, run, stop):
        """Waits until the run's process sleeps at the stop. Returns the process."""
        for _ in range(LIMIT_S * 100):
            for path in run.directory.glob('*.process'):
                if path.read_bytes()[ASLEEP_OFFSET:ASLEEP_OFFSET + 4] == struct.pack('I', stop + 1):
                    return Process(path, NAMES)
            time.sleep(0.01)
        self.fail(f'it does not fall asleep at stop {stop}')

    def test_sleeps_before_the_event_of_its_number_until_it_is_released(self):
        run = self.start_with_stops(['plain', '10'], 0, 4, 4, 10)
        for stop, count in enumerate((0, 4, 4)):
            process = self.wait_until_asleep(run, stop)
            (segment,) = process.segments()
            self.assertEqual(segment.send_events, count)
            self.assertEqual([asleep[1] for asleep in segment.asleep], list(range(stop + 1)))
            time.sleep(0.2)
            self.assertEqual(process.segments()[0].send_events, count)
            put(run.directory / 'stops', STOPS_RELEASED, 'I', stop + 1)
        self.assertEqual(run.finish().status, 0, run.errors)
        (process,) = run.recording()
        (segment,) = process.segments()
        self.assertEqual(segment.send_events, 10)
        self.check_times(process, segment)
        for place, _, begin, end in segment.asleep:
            self.assertLessEqual(segment.calls[place - 1][3], begin)
            self.assertGreater(end, begin + 10 ** 8)
            self.assertLessEqual(end, segment.calls[place][2])

    def test_does_not_sleep_where_it_is_released_before_it_comes(self):
        run = self.start_with_stops(['plain', '10'], 0, 4)
        self.wait_until_asleep(run, 0)
        put(run.directory / 'stops', STOPS_RELEASED, 'I', 2)
        self.assertEqual(run.finish().status, 0, run.errors)
        self.assertEqual([asleep[1] for asleep in run.recording()[0].segments()[0].asleep], [0])

    def test_its_time_goes_on_when_the_clock_has_gone_back(self):
        run = self.start_with_stops(['plain', '2000'], 1000)
        self.wait_until_asleep(run, 0)
        put(run.directory / 'control', CONTROL_SHIFT, 'q', -10 ** 10)
        put(run.directory / 'stops', STOPS_RELEASED, 'I', 1)
        self.assertEqual(run.finish().status, 0, run.errors)
        (process,) = run.recording()
        (segment,) = process.segments()
        self.check_times(process, segment)
        self.assertGreater(process.finalize_enter, segment.asleep[0][3])
        durations = [leave - enter for _, _, enter, leave, _ in segment.calls]
        self.assertGreater(sorted(durations[-1000:])[500], 0)

    def test_finds_the_rate_of_its_ticks_again_when_it_was_adopted(self):
        run = self.start_with_stops(['plain', '40000'], 1000)
        pid = self.wait_until_asleep(run, 0).pid
        os.kill(pid, signal.SIGSTOP)
        put(run.directory / 'control', CONTROL_SHIFT, 'q', -10 ** 10)
        put(run.directory / 'control', CONTROL_ADOPTIONS, 'I', 1)
        put(run.directory / 'stops', STOPS_RELEASED, 'I', 1)
        os.kill(pid, signal.SIGCONT)
        self.assertEqual(run.finish().status, 0, run.errors)
        (process,) = run.recording()
        (segment,) = process.segments()
        self.check_times(process, segment)
        self.assertLess(len(segment.cpu), 10000)  # it would be one or two for each of 120 000 calls if all seemed long

    def test_ignores_stops_of_another_number_of_processes(self):
        run = self.run_program(BEHAVIOUR, 2, 'plain', prepare=lambda directory: write_stops(directory, 0))
        self.assertEqual(run.status, 0, run.errors)

    def test_goes_on_when_who_stopped_it_is_gone(self):
        gone = subprocess.Popen(['true'])
        gone.wait()
        run, (process,) = self.behave('plain', prepare=lambda directory: write_control(directory, gone.pid))
        self.assertEqual(run.status, 0, run.errors)
        self.assertEqual(len(process.segments()[0].calls), 32)


    def test_goes_on_when_another_process_has_the_id_of_who_stopped_it(self):
        run, _ = self.behave('plain', prepare=lambda directory: write_control(directory, os.getpid(), start=1))
        self.assertEqual(run.status, 0, run.errors)


# src/trace/segment.h
CONTROL, CONTROL_ADOPTIONS, CONTROL_SHIFT = '=8sIi256sIIqqiiQQd3072s', 276, 288
STOPS, STOPS_RELEASED = '=8sIIII40s', 20


def write_control(directory, pid, stop=1, start=0, namespace=0):
    """Writes a control file. By default, it tells processes to stop."""
    host = os.uname().nodename.encode()
    (directory / 'control').write_bytes(struct.pack(CONTROL, b'firmaCTL', VERSION, pid, host, stop, 0, 0, 0, 0, 0, start, namespace, 0.0, b''))


def write_stops(directory, *counts):
    """Writes the stops of a single process."""
    (directory / 'stops').write_bytes(struct.pack(STOPS, b'firmaSTP', VERSION, 1, len(counts), 0, b'') +
                                      struct.pack(f'={len(counts)}Q', *counts))


def put(path, offset, form, value):
    """Changes a field of a file that others have mapped."""
    with open(path, 'r+b') as file:
        file.seek(offset)
        file.write(struct.pack(form, value))


if __name__ == '__main__':
    BEHAVIOUR = compile_program('recorder_behaviour.c')
    unittest.main(argv=sys.argv[:1] + sys.argv[6:])
