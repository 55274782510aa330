# SPDX-License-Identifier: BSD-3-Clause
"""firma trace on programs that end badly or behave oddly, and on a full disk. The recorded part is readable, firma reports what
happened, and the program is never disturbed."""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess

from checkpointer import processes_that_name
from harness import (FIRMA, HANG_LIMIT_S, MPIS, Archive, app, check, check_equal, check_same_events, events_said, firma, launch, main, run,
                     small_disk, some, stable_output, test, trace, wait_until)

STEPS, AT, WHO = 200, 120, 1


def add_bad_ending(mpi, mode, what):
    @test(f"a rank that {what} under {mpi} leaves a readable archive, exit status 1 and a sentence")
    def leaves_archive(directory):
        result, path = trace(directory, launch(mpi, 2, "odd", mode, STEPS, AT, WHO))
        result.expect(1)
        sends = Archive(path).said(WHO)["sends"]
        check(AT - 1 <= sends <= AT + 1, f"{sends} sends of rank {WHO} in the archive, expected about {AT}")
        said = [line for line in result.err.splitlines() if line.startswith("firma")]
        check(any(re.search(r"finali[sz]e|signal|killed|abort|ended|exit", line, re.I) for line in said),
              f"firma does not say how the program ended\n{result}")
        firma("phases", path, "-o", os.path.join(directory, "app.firma"), "--accept-incomplete").expect(0)


for mpi in MPIS:
    add_bad_ending(mpi, "kill", "is killed by kill -9")
    add_bad_ending(mpi, "abort", "calls MPI_Abort")
    add_bad_ending(mpi, "exit", "exits without MPI_Finalize")
    add_bad_ending(mpi, "segfault", "makes a segmentation fault")


def add_local_ending(mpi, mode, what):
    @test(f"with --local, a rank that {what} under {mpi} leaves its records in the archive, and none elsewhere")
    def leaves_archive(directory):
        own = os.path.join(directory, "own")
        os.mkdir(own)
        result, path = trace(directory, launch(mpi, 2, "odd", mode, STEPS, AT, WHO), "--local", own)
        result.expect(1)
        for rank in range(2):
            sends = Archive(path).said(rank)["sends"]
            check(AT - 1 <= sends <= AT + 1, f"{sends} sends of rank {rank}, expected about {AT}\n{result}")
        check_equal(os.listdir(own), [], "files left")


for mpi in MPIS:
    add_local_ending(mpi, "kill", "is killed by kill -9")
    add_local_ending(mpi, "abort", "calls MPI_Abort")
    add_local_ending(mpi, "exit", "exits without MPI_Finalize")


@test("--local takes an absolute path, and needs a program")
def local_is_absolute(directory):
    result, _ = trace(directory, ["mpirun", "./app"], "--local", "own")
    check("`own`" in result.expect(2).err, result)
    check("--local" in firma("trace", "--convert", "app.recording", "--local", "/tmp").expect(2).err, "no word of --local")


def add_odd_but_fine(mpi, mode, what, *arguments):
    @test(f"a rank that {what} under {mpi} is traced to its end")
    def is_whole(directory):
        command = launch(mpi, 2, "odd", mode, *(arguments or (STEPS, AT, WHO)))
        plain = run(command).expect(0)
        result, path = trace(directory, command, "-q")
        result.expect(0)
        check_equal(stable_output(result.out), stable_output(plain.out), "output, traced and untraced")
        check_same_events(Archive(path), events_said(result.out), 2)


# Both MPIs where the MPI's own start, end or communicators take part.
for mpi in some(["openmpi"], ["mpich"]):
    add_odd_but_fine(mpi, "fork", "has a child that exits")
    add_odd_but_fine(mpi, "system", "runs a shell command")
    add_odd_but_fine(mpi, "close-stderr", "closes its standard error")
    add_odd_but_fine(mpi, "chdir", "changes its directory")
    add_odd_but_fine(mpi, "arguments", "has a huge command line", STEPS, AT, WHO, *["argument-of-some-length"] * 500)
for mpi in MPIS:
    add_odd_but_fine(mpi, "exec", "becomes another program after MPI_Finalize")
    add_odd_but_fine(mpi, "environment", "clears its environment")
    add_odd_but_fine(mpi, "communicators", "makes and frees three thousand communicators", 3000)


@test("the archive is found although the program was started with a relative -o and changed its directory")
def relative_output(directory):
    command = launch("openmpi", 2, "odd", "chdir", STEPS, AT, WHO)
    result = firma("trace", "-o", "here", "--", *command, cwd=directory).expect(0)
    check_same_events(Archive(os.path.join(directory, "here")), events_said(result.out), 2)


def add_disk_full(mpi):
    @test(f"a full disk ends the recording under {mpi} with a line on stderr, and not the program")
    def program_goes_on(directory):
        command = launch(mpi, 2, "stencil", 16, 60000)
        plain = run(command).expect(0)
        with small_disk(directory, "2m") as disk:
            result, _ = trace(disk, command)
        missing = set(stable_output(plain.out)) - set(stable_output(result.out))
        check(not missing, f"the program did not print {missing}\n{result}")
        lines = [line for line in result.err.splitlines() if re.search(r"no space|disk|full|recording", line, re.I)]
        check(lines, f"nothing is said of the full disk\n{result}")
        result.expect(0, 1, 4)


for mpi in MPIS:
    add_disk_full(mpi)


@test("a recording that stopped early passes for a whole one in no verb")
def stopped_early(directory):
    command = launch("openmpi", 2, "stencil", 16, 20000)
    archive, signature = os.path.join(directory, "part"), os.path.join(directory, "part.firma")
    with small_disk(directory, "3m") as disk:
        trace(disk, command)
        result = firma("trace", "--convert", os.path.join(disk, "trace.recording"), "-o", archive, "--json").expect(1)
    stopped = r"recording stopped at .* s of rank \d, because its records could not be stored: No space left on device"
    check(re.search(f"part is incomplete: {stopped}", result.err), f"the recording's end isn't said\n{result}")
    check_equal(result.json()["processes_cut_off"], 2, "processes whose recording stopped")
    for words in (["phases"], ["show"], ["show", "--matrix"], ["diff", archive], ["graph", "--tig"], ["scale", "trace"],
                  ["map", "--platform", "1x2:1us,1GB/s"]):
        result = firma(*words, archive, "--json")
        check(result.status in (0, 1) and re.search(stopped, result.err), f"{words[0]} doesn't say it\n{result}")
        check(re.search(stopped, " ".join(result.json()["incomplete"])), f"{words[0]} --json doesn't say it\n{result}")
    result = firma("phases", archive, "-o", signature).expect(3)
    check("--accept-incomplete" in result.err and not os.path.exists(signature), f"it makes a signature\n{result}")
    firma("phases", archive, "-o", signature, "--accept-incomplete").expect(0)
    with open(signature, encoding="utf-8") as file:
        kept = json.load(file)
    check(kept["complete"] is False and re.search(stopped, kept["incomplete"][0]), f"it says {kept['complete']}")
    result = firma("show", signature, "--json").expect(0)
    check(re.search(stopped, result.json()["incomplete"][0]), f"its signature doesn't say it\n{result}")
    result = firma("predict", signature, os.path.join(directory, "none.json")).expect(3)
    check(re.search(stopped, result.err), f"predict doesn't say it\n{result}")


def left_by_killed(path, suffix):
    """A name beside this path, as a firma that was killed leaves it. The owner is a process that has ended."""
    gone = subprocess.Popen(["true"])
    host = 2166136261
    for byte in socket.gethostname().encode():
        host = (host ^ byte) * 16777619 % 2**32
    namespace = os.stat("/proc/self/ns/pid").st_ino
    gone.wait()
    return f"{path}.{gone.pid}-1-{namespace:x}-{host:x}{suffix}"


@test("what a killed firma left of a trace is replaced by the next conversion, and the former trace stays until then")
def replaces_leftovers(directory):
    archive = os.path.join(directory, "trace")
    trace(directory, launch("openmpi", 2, "cg", 20, 10), "--keep-recording")[0].expect(0)
    left = left_by_killed(archive, ".part")
    os.mkdir(left)
    firma("trace", "--convert", archive + ".recording", "-o", archive).expect(2)
    firma("trace", "--convert", archive + ".recording", "-o", archive, "--force").expect(0)
    check_equal(sorted(os.listdir(directory)), ["trace", "trace.recording"], "what is there")
    os.rename(archive, left_by_killed(archive, ".old"))
    firma("trace", "--convert", archive + ".recording", "-o", archive).expect(2)
    firma("show", archive).expect(0)
    with open(os.path.join(archive + ".recording", "control"), "r+b") as control:
        control.seek(12)
        control.write(os.getpid().to_bytes(4, "little"))  # a process that runs, but began at another time
    firma("trace", "--convert", archive + ".recording", "-o", archive, "--force").expect(0)


@test("of two MPI jobs in one script the first is traced, and the other is named")
def two_jobs(directory):
    first, second = (shlex.join(launch("openmpi", 2, "cg", 20, iterations)) for iterations in (10, 20))
    result, path = trace(directory, ["sh", "-c", f"{first} && {second}"], "--mpi", "openmpi")
    result.expect(0)
    alone, path_alone = trace(directory, launch("openmpi", 2, "cg", 20, 10), name="alone")
    alone.expect(0)
    check_equal(Archive(path).said(0), Archive(path_alone).said(0), "events of the first job")
    check("2 processes" in result.err and "left out" in result.err, f"the second job is not named\n{result}")


@test("ranks that run different programs are traced, with a note")
def different_programs(directory):
    command = launch("openmpi", 1, "cg", 20, 10)
    other = shutil.copy(app("cg"), os.path.join(directory, "other"))
    result, _ = trace(directory, command + [":", "-n", "1", other, "20", "10"])
    result.expect(0, 1)
    check("2 different programs or arguments" in result.err, f"not noted\n{result}")


@test("a recording with files of the user is neither replaced nor removed, also with --force")
def users_files(directory):
    recording = os.path.join(directory, "trace.recording")
    os.mkdir(recording)
    with open(os.path.join(recording, "thesis.tex"), "w", encoding="ascii"):
        pass
    result, _ = trace(directory, launch("openmpi", 2, "cg"), "--force")
    result.expect(2)
    check("thesis.tex" in result.err, f"the file is not named\n{result}")
    check_equal(os.listdir(recording), ["thesis.tex"], "what is there")


@test("a program that cannot be started is named, with exit status 1 or 4")
def no_such_program(directory):
    command = launch("openmpi", 2, "cg")[:-1] + [os.path.join(directory, "no-such-program")]
    result, _ = trace(directory, command)
    result.expect(1, 3, 4)
    check("no-such-program" in result.err, f"the program is not named\n{result}")


@test("a launcher that does not exist is named, with exit status 4")
def no_such_launcher(directory):
    result, _ = trace(directory, ["no-such-launcher", "-n", "2", "./app"])
    result.expect(4)
    check("no-such-launcher" in result.err, f"the launcher is not named\n{result}")


STUBBORN = """trap '' TERM INT
echo ready
while :; do sleep 0.1; done
"""


def next_line(stream, words):
    """The next line with these words."""
    for line in stream:
        if words in line:
            return line
    raise AssertionError(f"`{words}` isn't said")


@test("a second signal kills a launcher that ignores the first, and what it started, and firma says so")
def second_signal(directory):
    command = [FIRMA, "trace", "--mpi", "openmpi", "-o", "new", "--", "sh", "-c", STUBBORN]
    firma_trace = subprocess.Popen(command, cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
    next_line(firma_trace.stdout, "ready")
    firma_trace.send_signal(signal.SIGTERM)
    next_line(firma_trace.stderr, "another signal, such as Ctrl-C, kills it")
    check(firma_trace.poll() is None, "it has ended after one signal")
    firma_trace.send_signal(signal.SIGTERM)
    said = firma_trace.communicate(timeout=HANG_LIMIT_S)[1]
    check_equal(firma_trace.returncode, 1, f"exit status; it said {said}")
    check("a second signal came: the launcher and its processes were killed" in said and "interrupted (Terminated)" in said,
          said)
    wait_until(lambda: not processes_that_name(directory), "the launcher's processes end")
    check_equal(os.listdir(directory), [], "what is left")


@test("a program that does not use MPI leaves no archive, exit status 4 and a reason")
def not_mpi(directory):
    result, _ = trace(directory, launch("openmpi", 2, "cg")[:-1] + ["/bin/true"])
    result.expect(4)
    check("MPI" in result.err, f"no reason is given\n{result}")


main()
