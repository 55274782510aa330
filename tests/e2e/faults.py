# SPDX-License-Identifier: BSD-3-Clause
"""Each call of the recorder into the C library fails once, in turn, in each process. The program's output never changes; its
trace is whole, or says what it lacks. `make check` tries one program under one MPI, and the first call of each kind; FIRMA_SOAK=1 tries
all calls of five programs under both."""

import os

from harness import MPIS, check, check_equal, firma, launch, main, run, stable_output, test

FAULTS = os.environ["FAULTS"]
CALLS = ("malloc", "calloc", "realloc", "open", "mmap", "posix_fallocate", "write", "read", "pwrite", "pread", "fstat", "stat",
         "readlink", "realpath", "madvise")
SOAK = "FIRMA_SOAK" in os.environ
NTHS = range(1, 60) if SOAK else (1,)
PROGRAMS = (("cg", 64, 10, 10), ("threads", 3, 40), ("onesided", 20), ("masterworker", 20, 1000), ("stencil", 16, 200))


def judge(name, result, archive, whole):
    """A trace that is taken for whole must have all events."""
    phases = firma("phases", "--json", archive)
    if result.status == 0 and phases.status == 0:
        check_equal(phases.json()["send_events"], whole, f"{name}: send-like events of a trace that is taken for whole")
    else:
        check("incomplete" in result.err + phases.err, f"{name}: it isn't said to be incomplete\n{result}\n{phases}")


def add_program(mpi, name, arguments):
    @test(f"whatever fails for the recorder, {name} under {mpi} does the same, and no part of it passes for the whole")
    def faults(directory):
        command = launch(mpi, 2, name, *arguments)
        plain = stable_output(run(command).expect(0).out)
        firma("trace", "-o", os.path.join(directory, "whole"), "--", *command).expect(0)
        events = firma("phases", "--json", os.path.join(directory, "whole")).expect(0).json()["send_events"]
        log, tried = os.path.join(directory, "log"), 0
        for call in CALLS:
            for nth in NTHS:
                archive = os.path.join(directory, f"{call}-{nth}")
                result = firma("trace", "-o", archive, "--", *command, env={
                    "LD_PRELOAD": FAULTS, "FAULT_CALL": call, "FAULT_NTH": str(nth), "FAULT_LOG": log})
                if not os.path.exists(log):
                    result.expect(0)
                    break  # the recorder makes no further call
                os.unlink(log)
                tried += 1
                missing = [line for line in plain if line not in result.out.splitlines()]
                check(not missing, f"{call} {nth}: the program's output lacks {missing}\n{result}")
                check("launcher" not in result.out or "status 0" in result.out, f"{call} {nth}: the launcher's status\n{result}")
                check(result.status in (0, 1, 3, 4), f"{call} {nth}: exit status {result.status}\n{result}")
                if os.path.isdir(archive):
                    judge(f"{call} {nth}", result, archive, events)
        check(tried > 5, f"only {tried} calls failed")


for program in PROGRAMS if SOAK else PROGRAMS[:1]:
    for mpi in MPIS if SOAK else ("mpich",):
        add_program(mpi, program[0], program[1:])

main()
