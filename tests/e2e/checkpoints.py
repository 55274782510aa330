# SPDX-License-Identifier: BSD-3-Clause
"""Saving real MPI jobs and restoring them. CHECKPOINTING is checkpoint.h as a command (checkpointing.c).

Tests that need only checkpoint.h run with each back end; back ends that aren't installed are skipped. DMTCP needs no root,
so its tests also run as an ordinary user."""

import contextlib
import os
import re
import shutil
import signal
import stat
import subprocess
import time

from harness import HANG_LIMIT_S, Skip, app, check, check_equal, descendants, launcher, main, run, test, wait_until

CHECKPOINTING = os.environ.get("CHECKPOINTING", "checkpointing")
STEPS, STOP = 60, 20
BACK_ENDS = {"criu": "", "dmtcp": ", by DMTCP"}
USER = 1000


def each_back_end(sentence):
    """Registers a test for each back end. The test gets a directory and the back end's name."""
    def register(function):
        for name, suffix in BACK_ENDS.items():
            def one(directory, name=name):
                os.environ["BACK_END"] = name
                function(directory, name)
            test(sentence + suffix)(lambda directory, one=one: one(directory))
        return function
    return register


def by_criu(sentence):
    def register(function):
        def one(directory):
            os.environ["BACK_END"] = "criu"
            function(directory)
        test(sentence)(one)
        return function
    return register


def checkpointing(*words, **options):
    return run([CHECKPOINTING, *map(str, words)], **options)


def launch_words(running):
    """The words before the launcher. Skips the test without a back end."""
    if os.geteuid() != 0 and os.environ["BACK_END"] == "criu":
        raise Skip("saving and restoring jobs takes root")
    result = checkpointing("words", running)
    if result.status != 0:
        raise Skip(result.err.splitlines()[0])
    return result.out.split()


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def make_go(directory):
    with open(os.path.join(directory, "go"), "w", encoding="utf-8"):
        pass


class Job:
    """A program that sleeps in the middle of its communication; files in `directory`/run, output in `directory`/out."""

    def __init__(self, directory, mpi, ranks, program="resting", before=()):
        self.running = os.path.join(directory, "running")
        words = launch_words(self.running)
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
        time.sleep(0.3)  # the others reach the point where they wait for the sleeping rank
        return self

    def save(self, state, then="run"):
        return checkpointing("save", self.process.pid, state, then, self.running, self.run)

    def go_on(self):
        make_go(self.run)
        check_equal(self.process.wait(HANG_LIMIT_S), 0, "the original's exit status")
        return read(self.output)

    def end(self):
        """Kills what is left of the job: its launcher first, then its processes."""
        if self.process.poll() is None:
            for pid in pids_below(self.process.pid) + [self.process.pid]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


def pids_below(pid):
    return [process.pid for process in descendants(pid)]


class Copy:
    """Files that a restored job gets instead of the original's."""

    def __init__(self, job, state, name):
        self.run, self.output = os.path.join(job.directory, name), os.path.join(job.directory, name + ".out")
        checkpointing("take", state, job.run, self.run).expect(0)
        with open(self.output, "w", encoding="utf-8"):
            pass
        self.binds = [f"{self.run}={job.run}", f"{self.output}={job.output}"]


def printed(text):
    """The program's output, without DMTCP's warnings."""
    lines = text.splitlines()
    return lines if os.environ["BACK_END"] == "criu" else [line for line in lines if line.startswith("checksum")]


def reference(mpi, ranks, program, directory):
    result = run([*launcher(mpi, ranks), app(program, mpi), directory, str(STEPS)]).expect(0)
    return printed(result.out)


def restore_to_the_end(job, state, name):
    copy = Copy(job, state, name)
    make_go(copy.run)
    checkpointing("restore", state, *copy.binds).expect(0)
    return printed(read(copy.output))


def check_cycle(directory, mpi, ranks, program="resting"):
    state = os.path.join(directory, "a state")
    os.mkdir(os.path.join(directory, "reference"))
    with Job(directory, mpi, ranks, program) as job:
        job.await_sleep().save(state).expect(0)
        expected = reference(mpi, ranks, program, os.path.join(directory, "reference"))
        check_equal(restore_to_the_end(job, state, "first"), expected, "restored beside the original")
        check(expected, "the program prints a checksum")
        check_equal(printed(job.go_on()), expected, "the original")
        check_equal(restore_to_the_end(job, state, "second"), expected, "restored after the original's end")


for _mpi, _name, _ranks in (("openmpi", "Open MPI", 4), ("mpich", "MPICH", 2)):
    def _c(directory, _, mpi=_mpi, ranks=_ranks):
        check_cycle(directory, mpi, ranks)

    def _fortran(directory, _, mpi=_mpi):
        check_cycle(directory, mpi, 2, "resting_f")
    each_back_end(f"a job under {_name} is saved, and ends as the original, beside it and after it")(_c)
    each_back_end(f"so does one in Fortran under {_name}")(_fortran)


@each_back_end("two jobs restored from one state at once don't meet")
def two_at_once(directory, _):
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
            check_equal(process.wait(HANG_LIMIT_S), 0, "exit status")
            process.stdout.close()
        check_equal(printed(read(copies[0].output)), printed(read(copies[1].output)), "what they print")
        check("checksum" in read(copies[0].output), "they print it")


def remains(job, state):
    """Processes, mounts, segments and session directories that a job left behind."""
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
    wait_until(lambda: not remains(job, state), f"nothing remains: {remains(job, state)}")


def segments_of(job):
    """Names of the segments in /dev/shm that the job's processes map."""
    maps = [read(f"/proc/{pid}/maps") for pid in pids_below(job.process.pid)]
    return {name for text in maps for name in re.findall(r" /dev/shm/(\S+)", text)}


@each_back_end("when the process that restored a job is killed, nothing is left of the job")
def killed(directory, _):
    state = os.path.join(directory, "state")
    with Job(directory, "openmpi", 2) as job:
        segments = segments_of(job.await_sleep())
        check(segments, "the job's processes share memory")
        job.save(state, "end").expect(0)
        job.process.wait(HANG_LIMIT_S)
        check_equal(segments & set(os.listdir("/dev/shm")), set(), "segments of a job that was ended")
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            copy = Copy(job, state, f"copy{number}")
            process = subprocess.Popen([CHECKPOINTING, "restore", state, *copy.binds], stdout=subprocess.PIPE, text=True)
            check(process.stdout.readline().startswith("restored"), "restored")
            check(remains(job, state), "it runs")
            process.send_signal(number)
            process.wait(HANG_LIMIT_S)
            process.stdout.close()
            check_nothing_remains(job, state)


@each_back_end("a job can be restored where its directories aren't any more")
def gone(directory, _):
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


@each_back_end("threads are bound as they were, or as is asked for")
def binding(directory, _):
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
            found = sorted(sorted(bound_to(pid)) for pid in pids_below(room) if is_rank(pid))
            process.kill()
            process.wait()
            process.stdout.close()
            check_equal(found, [[one] for one in expected], "CPUs of each process's threads")
        result = checkpointing("restore", state, "cpus=4000").expect(4)
        check("cannot be bound to CPUs 4000" in result.err and "hint:" in result.err, result.err)


def is_rank(pid):
    """True for a process of the job. Processes that DMTCP restored have no command line, but a special name."""
    return b"resting" in cmdline(pid).split(b"\0")[0] or read(f"/proc/{pid}/comm").startswith("DMTCP:resting")


def bound_to(pid):
    lists = set()
    for thread in os.listdir(f"/proc/{pid}/task"):
        for line in read(f"/proc/{pid}/task/{thread}/status").splitlines():
            if line.startswith("Cpus_allowed_list:"):
                lists.add(line.split()[1])
    return lists


@each_back_end("a failed save leaves the job running and no state")
def failed_save(directory, back_end):
    with Job(directory, "openmpi", 2) as job:
        job.await_sleep()
        result = checkpointing("save", job.process.pid, os.path.join(directory, "no such folder", "state"), "end",
                               job.running)
        check_equal(result.status, 4, "exit status")
        state = os.path.join(directory, "state")
        result = checkpointing("save", job.process.pid, state, "end", job.running, "/nowhere/at/all").expect(4)
        check("/nowhere/at/all" in result.err, result.err)
        check(not os.path.exists(state) and not os.path.exists(state + ".part"), "no state")
        child = pids_below(job.process.pid)[0]
        result = checkpointing("save", child, state, "end", job.running)
        check(result.status == 4 and f"{back_end.upper()} couldn't save the job" in result.err, str(result))
        check("checksum" in job.go_on(), "the original ends well")


def is_saving(job, state):
    """True if CRIU has begun its log, or one of DMTCP's processes its image."""
    images = os.path.join(job.running, "images")
    written = os.listdir(images) if os.path.isdir(images) else []
    return os.path.exists(state + ".part/images/dump.log") or any(name.endswith(".temp") for name in written)


@each_back_end("if firma is killed while it saves a job, the job goes on running")
def killed_save(directory, _):
    state = os.path.join(directory, "state")
    with Job(directory, "openmpi", 2) as job:
        job.await_sleep()
        process = subprocess.Popen([CHECKPOINTING, "save", str(job.process.pid), state, "end", job.running, job.run])
        wait_until(lambda: is_saving(job, state) or process.poll() is not None, "it saves")
        process.kill()
        process.wait()
        time.sleep(1)
        check(not os.path.exists(state), "no state")
        result = checkpointing("restore", state).expect(3)
        check("is incomplete" in result.err, result.err)
        check("checksum" in job.go_on(), "the original ends well")
        job.end()


@each_back_end("a state is for its owner alone, and refused when it isn't whole")
def refused(directory, _):
    state = os.path.join(directory, "state")
    with Job(directory, "openmpi", 2) as job:
        job.await_sleep().save(state, "end").expect(0)
    for place, folders, files in os.walk(state):
        for name in folders + files:
            mode = stat.S_IMODE(os.stat(os.path.join(place, name)).st_mode)
            check(mode & 0o077 == 0, f"{place}/{name}: mode {mode:o}")
    os.rename(os.path.join(state, "images"), os.path.join(state, "moved"))
    result = checkpointing("restore", state).expect(3)
    check("lacks its images" in result.err, result.err)
    os.rename(os.path.join(state, "moved"), os.path.join(state, "images"))
    os.unlink(os.path.join(state, "state.json"))
    result = checkpointing("restore", state).expect(3)
    check("is incomplete" in result.err, result.err)


@by_criu("a state is refused when another program would run")
def other_program(directory):
    state, program = os.path.join(directory, "state"), os.path.join(directory, "program")
    with Job(directory, "openmpi", 2) as job:
        job.await_sleep().save(state, "end").expect(0)
    shutil.copyfile(app("pingpong"), program)
    os.chmod(program, 0o755)
    result = checkpointing("restore", state, f"{program}={app('resting')}").expect(4)
    check("CRIU couldn't restore the job" in result.err and "hint:" in result.err, result.err)


@test("a DMTCP state whose images have changed is refused with DMTCP's message")
def damaged_images(directory):
    os.environ["BACK_END"] = "dmtcp"
    state = os.path.join(directory, "state")
    with Job(directory, "openmpi", 2) as job:
        job.await_sleep().save(state, "end").expect(0)
    images = os.path.join(state, "images")
    image = next(name for name in os.listdir(images) if name.endswith(".dmtcp"))
    with open(os.path.join(images, image), "wb") as file:
        file.write(b"nothing")
    result = checkpointing("restore", state).expect(4)
    check("DMTCP couldn't restore the job" in result.err, result.err)


def as_user(words):
    return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *words]


def add_by_user(name):
    @test(f"an ordinary user's job under {name} is saved and restored, by DMTCP")
    def by_user(directory):
        os.environ["BACK_END"] = "dmtcp"
        if os.geteuid() != 0:
            raise Skip("takes root, to become another user")
        os.chmod(directory, 0o755)
        os.mkdir(os.path.join(directory, "mine"))
        os.chown(os.path.join(directory, "mine"), USER, USER)
        launch_words(os.path.join(directory, "running"))  # skips without DMTCP
        own = os.path.join(directory, "mine")
        if run(as_user(["test", "-x", CHECKPOINTING, "-a", "-x", app("resting"), "-a", "-r", __file__])).status != 0:
            raise Skip("other users may not read this build")
        words = as_user(["python3", os.path.abspath(__file__)])
        environment = {**os.environ, "E2E_ONLY": f"^a job under {name} .* by DMTCP$", "TMPDIR": own, "HOME": own}
        result = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=HANG_LIMIT_S, cwd=own,
                                check=False)
        check(result.returncode == 0 and "\nok 1" in result.stdout and "SKIP" not in result.stdout,
              result.stdout + result.stderr)


for _name in ("Open MPI", "MPICH"):
    add_by_user(_name)


if __name__ == "__main__":
    main()
