# SPDX-License-Identifier: BSD-3-Clause
"""Saving real MPI jobs and restoring them. CHECKPOINTING is checkpoint.h as a command (checkpointing.c)."""

import contextlib
import os
import shutil
import signal
import stat
import subprocess
import time

from harness import LAUNCH_LIMIT_S, Skip, app, check, check_equal, launcher, main, run, test

CHECKPOINTING = os.environ.get("CHECKPOINTING", "checkpointing")
STEPS, STOP = 60, 20


def checkpointing(*words, **options):
    return run([CHECKPOINTING, *map(str, words)], **options)


def launch_words():
    """What stands before the launcher; without a back end there's nothing to test."""
    if os.geteuid() != 0:
        raise Skip("saving and restoring jobs takes root")
    result = checkpointing("words")
    if result.status != 0:
        raise Skip(result.err.splitlines()[0])
    return result.out.split()


def wait_until(condition, what, limit_s=30):
    end_s = time.monotonic() + limit_s
    while not condition():
        check(time.monotonic() < end_s, f"{what}: not after {limit_s} s")
        time.sleep(0.01)


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def make_go(directory):
    with open(os.path.join(directory, "go"), "w", encoding="utf-8"):
        pass


class Job:
    """A program that sleeps in the middle of its communication; files in `directory`/run, output in `directory`/out."""

    def __init__(self, directory, mpi, ranks, program="resting", before=()):
        words = launch_words()
        self.directory, self.run = directory, os.path.join(directory, "run")
        self.output = os.path.join(directory, "out")
        os.mkdir(self.run)
        with open(os.path.join(self.run, "stop"), "w", encoding="utf-8") as file:
            file.write(f"{STOP}\n")
        command = [*words, *before, *launcher(mpi, ranks), app(program, mpi), self.run, str(STEPS)]
        with open(self.output, "ab") as out:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                            start_new_session=True)

    def await_sleep(self):
        wait_until(lambda: any(name.startswith("asleep") for name in os.listdir(self.run)) or
                   self.process.poll() is not None, "the job sleeps")
        check(self.process.poll() is None, f"the job has ended: {read(self.output)}")
        time.sleep(0.3)  # the others come to wait for the one that sleeps
        return self

    def save(self, state, then="run"):
        return checkpointing("save", self.process.pid, state, then, self.run)

    def go_on(self):
        make_go(self.run)
        check_equal(self.process.wait(LAUNCH_LIMIT_S), 0, "the original's exit status")
        return read(self.output)

    def end(self):
        """Kills what is left of it; its launcher first, and then its processes."""
        if self.process.poll() is None:
            for pid in descendants(self.process.pid) + [self.process.pid]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


def descendants(pid):
    try:
        threads = os.listdir(f"/proc/{pid}/task")
        children = [int(word) for thread in threads for word in read(f"/proc/{pid}/task/{thread}/children").split()]
    except OSError:
        return []
    return children + [one for child in children for one in descendants(child)]


class Copy:
    """What a restored job gets in place of the original's files."""

    def __init__(self, job, state, name):
        self.run, self.output = os.path.join(job.directory, name), os.path.join(job.directory, name + ".out")
        checkpointing("take", state, job.run, self.run).expect(0)
        with open(self.output, "w", encoding="utf-8"):
            pass
        self.binds = [f"{self.run}={job.run}", f"{self.output}={job.output}"]


def reference(mpi, ranks, program, directory):
    result = run([*launcher(mpi, ranks), app(program, mpi), directory, str(STEPS)]).expect(0)
    return result.out


def restore_to_the_end(job, state, name):
    copy = Copy(job, state, name)
    make_go(copy.run)
    checkpointing("restore", state, *copy.binds).expect(0)
    return read(copy.output)


def check_cycle(directory, mpi, ranks, program="resting"):
    state = os.path.join(directory, "a state")
    os.mkdir(os.path.join(directory, "reference"))
    with Job(directory, mpi, ranks, program) as job:
        job.await_sleep().save(state).expect(0)
        expected = reference(mpi, ranks, program, os.path.join(directory, "reference"))
        check_equal(restore_to_the_end(job, state, "first"), expected, "restored beside the original")
        check_equal(job.go_on(), expected, "the original")
        check_equal(restore_to_the_end(job, state, "second"), expected, "restored after the original's end")


for _mpi, _name, _ranks in (("openmpi", "Open MPI", 4), ("mpich", "MPICH", 2)):
    def _c(directory, mpi=_mpi, ranks=_ranks):
        check_cycle(directory, mpi, ranks)

    def _fortran(directory, mpi=_mpi):
        check_cycle(directory, mpi, 2, "resting_f")
    test(f"a job under {_name} is saved, and ends as the original, beside it and after it")(lambda d, f=_c: f(d))
    test(f"so does one in Fortran under {_name}")(lambda d, f=_fortran: f(d))


@test("two jobs restored from one state at once don't meet")
def two_at_once(directory):
    state = os.path.join(directory, "state")
    with Job(directory, "openmpi", 2) as job:
        job.await_sleep().save(state, "end").expect(0)
        copies = [Copy(job, state, name) for name in ("one", "two")]
        restored = [subprocess.Popen([CHECKPOINTING, "restore", state, *copy.binds], stdout=subprocess.PIPE, text=True)
                    for copy in copies]
        for process in restored:
            check(process.stdout.readline().startswith("restored"), "restored")
        for copy in copies:
            make_go(copy.run)
        for process in restored:
            check_equal(process.wait(LAUNCH_LIMIT_S), 0, "exit status")
            process.stdout.close()
        check_equal(read(copies[0].output), read(copies[1].output), "what they print")
        check("checksum" in read(copies[0].output), "they print it")


def remains(job, state):
    """Processes, mounts, segments and session directories that came of a job."""
    found = [f"process {pid}" for pid in os.listdir("/proc") if pid.isdigit() and int(pid) != os.getpid() and
             job.directory.encode() in cmdline(pid)]
    with open("/proc/self/mountinfo", encoding="utf-8") as mounts:
        found += [line for line in mounts if job.directory in line or ".firma" in line]
    pid = f"{job.process.pid}"
    for folder in ("/dev/shm", "/tmp"):
        for place, folders, files in os.walk(folder):
            found += [os.path.join(place, name) for name in folders + files
                      if name == f"pid.{pid}" or name == ".firma"]
    if os.path.exists(state + ".part"):
        found.append(state + ".part")
    return found


def cmdline(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read()
    except OSError:
        return b""


def check_nothing_remains(job, state):
    wait_until(lambda: not remains(job, state), f"nothing remains: {remains(job, state)}", 5)


@test("when the process that restored a job is killed, nothing is left of the job")
def killed(directory):
    state = os.path.join(directory, "state")
    with Job(directory, "openmpi", 2) as job:
        segments = set(os.listdir("/dev/shm"))
        job.await_sleep().save(state, "end").expect(0)
        job.process.wait(LAUNCH_LIMIT_S)
        check(not [name for name in set(os.listdir("/dev/shm")) - segments if "vader" in name],
              "segments of a job that was ended")
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            copy = Copy(job, state, f"copy{number}")
            process = subprocess.Popen([CHECKPOINTING, "restore", state, *copy.binds], stdout=subprocess.PIPE, text=True)
            check(process.stdout.readline().startswith("restored"), "restored")
            check(remains(job, state), "it runs")
            process.send_signal(number)
            process.wait(LAUNCH_LIMIT_S)
            process.stdout.close()
            check_nothing_remains(job, state)


@test("a job can be restored where its directories aren't any more")
def gone(directory):
    state = os.path.join(directory, "state")
    away = os.path.join(directory, "away")
    os.mkdir(away)
    with Job(away, "openmpi", 2) as job:
        job.await_sleep().save(state, "end").expect(0)
        kept = os.path.join(directory, "kept")
        checkpointing("take", state, job.run, kept).expect(0)
        make_go(kept)
        output = os.path.join(directory, "output")
        with open(output, "w", encoding="utf-8"):
            pass
        shutil.rmtree(away)
        checkpointing("restore", state, f"{kept}={job.run}", f"{output}={job.output}").expect(0)
        check("checksum" in read(output), read(output))
        check(not os.path.exists(away), "the directory that isn't there isn't made")


@test("threads are bound as they were, or as is asked for")
def binding(directory):
    if os.cpu_count() < 2:
        raise Skip("one CPU")
    state = os.path.join(directory, "state")
    with Job(directory, "openmpi", 2, before=("taskset", "--cpu-list", "1")) as job:
        job.await_sleep().save(state, "end").expect(0)
        for words, expected in (((), ["1", "1"]), (("cpus=0/1",), ["0", "1"]), (("cpus=0/0-1",), ["0", "0-1"])):
            copy = Copy(job, state, f"copy {len(expected[1])}{len(words)}")
            process = subprocess.Popen([CHECKPOINTING, "restore", state, *copy.binds, *words], stdout=subprocess.PIPE,
                                       text=True)
            room = int(process.stdout.readline().split()[1])
            found = sorted(sorted(bound_to(pid)) for pid in descendants(room) if b"resting" in cmdline(pid).split(b"\0")[0])
            process.kill()
            process.wait()
            process.stdout.close()
            check_equal(found, [[one] for one in expected], "CPUs of each process's threads")
        result = checkpointing("restore", state, "cpus=4000").expect(4)
        check("cannot be bound to CPUs 4000" in result.err and "hint:" in result.err, result.err)


def bound_to(pid):
    lists = set()
    for thread in os.listdir(f"/proc/{pid}/task"):
        for line in read(f"/proc/{pid}/task/{thread}/status").splitlines():
            if line.startswith("Cpus_allowed_list:"):
                lists.add(line.split()[1])
    return lists


@test("a failed save leaves the job running and no state")
def failed_save(directory):
    with Job(directory, "openmpi", 2) as job:
        job.await_sleep()
        result = checkpointing("save", job.process.pid, os.path.join(directory, "no such folder", "state"), "end")
        check_equal(result.status, 4, "exit status")
        state = os.path.join(directory, "state")
        result = checkpointing("save", job.process.pid, state, "end", "/nowhere/at/all").expect(4)
        check("/nowhere/at/all" in result.err, result.err)
        check(not os.path.exists(state) and not os.path.exists(state + ".part"), "no state")
        child = descendants(job.process.pid)[0]
        result = checkpointing("save", child, state, "end")
        check(result.status == 4 and "CRIU couldn't save the job" in result.err, str(result))
        check("checksum" in job.go_on(), "the original ends well")


@test("a save whose firma is killed in its middle leaves the job running")
def killed_save(directory):
    state = os.path.join(directory, "state")
    with Job(directory, "openmpi", 2) as job:
        job.await_sleep()
        process = subprocess.Popen([CHECKPOINTING, "save", str(job.process.pid), state, "end", job.run])
        wait_until(lambda: os.path.exists(state + ".part/images/dump.log") or process.poll() is not None, "it saves")
        process.kill()
        process.wait()
        time.sleep(1)
        check(not os.path.exists(state), "no state")
        result = checkpointing("restore", state).expect(3)
        check("wasn't written to its end" in result.err, result.err)
        check("checksum" in job.go_on(), "the original ends well")
        job.end()


@test("a state is for its owner alone, and refused when it isn't whole or another program would run")
def refused(directory):
    state, program = os.path.join(directory, "state"), os.path.join(directory, "program")
    with Job(directory, "openmpi", 2) as job:
        job.await_sleep().save(state, "end").expect(0)
    for place, folders, files in os.walk(state):
        for name in folders + files:
            mode = stat.S_IMODE(os.stat(os.path.join(place, name)).st_mode)
            check(mode & 0o077 == 0, f"{place}/{name}: mode {mode:o}")
    os.rename(os.path.join(state, "images"), os.path.join(state, "moved"))
    result = checkpointing("restore", state).expect(3)
    check("without its images" in result.err, result.err)
    os.rename(os.path.join(state, "moved"), os.path.join(state, "images"))
    shutil.copyfile(app("pingpong"), program)
    os.chmod(program, 0o755)
    result = checkpointing("restore", state, f"{program}={app('resting')}").expect(4)
    check("CRIU couldn't restore the job" in result.err and "hint:" in result.err, result.err)
    os.unlink(os.path.join(state, "state.json"))
    result = checkpointing("restore", state).expect(3)
    check("wasn't written to its end" in result.err, result.err)


if __name__ == "__main__":
    main()
