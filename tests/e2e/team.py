# SPDX-License-Identifier: BSD-3-Clause
"""firma phases in several processes under a launcher: the same bytes as with one process, each error once, no process left."""

import contextlib
import os
import signal
import subprocess
import time

import harness
from harness import (FIRMA, HANG_LIMIT_S, MPIS, Skip, check, check_equal, descendants, end_session, firma, launch, launcher,
                     main, run, some, test)

# MPICH spins while it waits. With more than two processes on two cores, processes take turns by
# time slices.
TEAMS = some([("openmpi", 3), ("mpich", 2)], [("openmpi", 2), ("mpich", 3)])


def traced(directory, ranks, name, *arguments):
    return harness.traced(directory, launch("openmpi", ranks, name, *arguments))[1]


def together(mpi, size, *words, **options):
    return run(launcher(mpi, size) + [FIRMA, *map(str, words)], **options)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def own_lines(text):
    """firma's lines on stderr, without those of launchers."""
    return [line for line in text.splitlines() if line.startswith(("firma", "  hint:"))]


def check_same(directory, archive, mpi, size, *options):
    files = [os.path.join(directory, name) for name in ("alone.firma", "together.firma")]
    alone = firma("phases", archive, "-o", files[0], "--force", *options).expect(0)
    team = together(mpi, size, "phases", archive, "-o", files[1], "--force", *options).expect(0)
    check_equal(team.out.replace(files[1], files[0]), alone.out, "what is printed")
    check(read(files[0]) == read(files[1]), "the two signatures differ")


def add_same(mpi, size):
    @test(f"{size} processes under {mpi} print and write what one does")
    def same(directory):
        archive = traced(directory, 4, "stencil", 32, 200)
        for options in ((), ("--json",), ("--order", "lamport"), ("--similarity", "block")):
            check_same(directory, archive, mpi, size, *options)

    @test(f"{size} processes under {mpi} say once what is wrong with a broken archive, as one does")
    def broken(directory):
        archive = traced(directory, 4, "cg", 64, 5, 10)
        for rank in (1, 3):
            path = os.path.join(archive, "traces", f"{rank}.evt")
            os.truncate(path, os.path.getsize(path) * 2 // 3)
        signature = os.path.join(directory, "app.firma")
        alone = firma("phases", archive, "-o", signature).expect(3)
        team = together(mpi, size, "phases", archive, "-o", signature).expect(3)
        check_equal(own_lines(team.err), own_lines(alone.err), "what is said")
        check(not os.path.exists(signature), "a signature was written")
        document = together(mpi, size, "phases", archive, "--json").expect(3).json()
        check_equal(document["error"]["exit_status"], 3, "exit status in the document")


for mpi, size in TEAMS:
    add_same(mpi, size)


def add_behaviour(mpi):
    @test(f"two processes under {mpi} refuse a trace that isn't there, and a wrong option, once")
    def refuse(directory):
        for status, *words in ((3, "phases", os.path.join(directory, "nothing")), (2, "phases", "--bogus", directory)):
            alone, team = firma(*words).expect(status), together(mpi, 2, *words).expect(status)
            check_equal(own_lines(team.err), own_lines(alone.err), "what is said")

    @test(f"more processes under {mpi} than the trace has are fine")
    def many(directory):
        check_same(directory, traced(directory, 2, "heat", 32, 50), mpi, 4)

    @test(f"two processes under {mpi} compare the methods as one does, whatever it takes")
    def compare(directory):
        archive = traced(directory, 2, "cg", 64, 5, 10)
        kept = ("order", "similarity", "ticks", "phases", "coverage")
        alone, team = firma("phases", "--compare", archive, "--json").expect(0).json(), together(
            mpi, 2, "phases", "--compare", archive, "--json").expect(0).json()
        rows = [next(value for value in document.values() if isinstance(value, list)) for document in (alone, team)]
        check_equal(*[[{key: row.get(key) for key in kept} for row in table] for table in rows], "the table")

    @test(f"a verb for one process is done by the first of two under {mpi}, which says so")
    def one(directory):
        signature = os.path.join(directory, "app.firma")
        firma("phases", traced(directory, 2, "heat", 32, 50), "-o", signature).expect(0)
        alone, team = firma("predict", signature, "none.json"), together(mpi, 2, "predict", signature, "none.json")
        check_equal(team.status, alone.status, "exit status")
        check_equal(own_lines(team.err)[1:], own_lines(alone.err), "what is said after that")
        check("one process" in own_lines(team.err)[0], "what is said first")
        check_equal(len(together(mpi, 2, "--version").expect(0).out.splitlines()), 1, "lines of --version")


def add_death(mpi):
    @test(f"when a reader under {mpi} is killed, the others end too")
    def killed(directory):
        archive = traced(directory, 2, "heat", 32, 50)
        fifo = os.path.join(archive, "traces", "1.evt")
        os.remove(fifo)
        os.mkfifo(fifo)  # a reader hangs here
        process = subprocess.Popen(launcher(mpi, 2) + [FIRMA, "phases", archive], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            os.kill(find_rank(process.pid, 1), signal.SIGKILL)
            check(process.wait(timeout=HANG_LIMIT_S) != 0, "the launcher ended with 0")
        finally:
            end_session(process.pid)
            process.wait()


def find_rank(launcher_pid, rank):
    """Returns firma's process with this rank among those that a launcher started."""
    marks = {f"OMPI_COMM_WORLD_RANK={rank}", f"PMI_RANK={rank}"}
    end = time.monotonic() + HANG_LIMIT_S
    while time.monotonic() < end:
        for process in descendants(launcher_pid):
            with contextlib.suppress(OSError):
                with open(f"/proc/{process.pid}/environ", encoding="utf-8", errors="replace") as environment:
                    is_rank = marks & set(environment.read().split("\0"))
                if is_rank and os.readlink(f"/proc/{process.pid}/exe") == os.path.realpath(FIRMA):
                    return process.pid
        time.sleep(0.02)
    raise Skip("the launcher's processes can't be seen")


for mpi in some(["openmpi"], ["mpich"]):
    add_behaviour(mpi)
for mpi in MPIS:
    add_death(mpi)


main()
