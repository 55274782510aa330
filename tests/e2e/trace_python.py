# SPDX-License-Identifier: BSD-3-Clause
"""firma trace on Python programs that use MPI through mpi4py."""

import os

from harness import Archive, Skip, check, check_equal, launcher, main, run, test, trace

PYTHON = "/usr/bin/python3"  # Debian's interpreter, for which Debian has mpi4py
PROGRAM = os.path.join(os.environ.get("APP_SOURCES", ""), "interpreter.py")
VENDOR = "import mpi4py; mpi4py.rc.initialize = False; from mpi4py import MPI; print(MPI.get_vendor()[0])"
MPI_OF_VENDOR = {"Open MPI": "openmpi", "MPICH": "mpich"}
N_ROUNDS, N_THREADS = 50, 4  # of interpreter.py


def command(ranks, mode):
    if not os.path.exists(PYTHON):
        raise Skip(f"{PYTHON} is not installed")
    vendor = run([PYTHON, "-c", VENDOR]).out.strip()
    if vendor not in MPI_OF_VENDOR:
        raise Skip(f"mpi4py is not installed for {PYTHON}")
    return [*launcher(MPI_OF_VENDOR[vendor], ranks), PYTHON, PROGRAM, mode]


def check_traced(directory, words, lines, name):
    """Traces; checks the lines of the output. Returns the archive."""
    result, path = trace(directory, words, "-q", name=name)
    result.expect(0)
    check_equal(sorted(result.out.splitlines()), sorted(lines), "output")
    check("firma" not in result.err, f"firma complains\n{result}")
    return Archive(path)


@test("twenty interpreters that load MPI while another thread loads libraries are traced, and none hangs")
def loads_late(directory):
    ranks = 10
    received = [N_ROUNDS * 1000 * ((rank - 1) % ranks) + sum(range(N_ROUNDS)) for rank in range(ranks)]
    lines = [f"rank {rank} thread level 3: {[received[rank], 0, 0, 0]}" for rank in range(ranks)]
    for launch in range(2):
        archive = check_traced(directory, command(ranks, "load"), lines, f"trace{launch}")
        check_equal({archive.said(rank)["sends"] for rank in archive.ranks}, {N_ROUNDS}, "sends of each rank")


@test("threads of an interpreter that send at the same time are traced, with the results of an untraced run")
def threads_send(directory):
    words = command(2, "threads")
    archive = check_traced(directory, words, run(words).expect(0).out.splitlines(), "trace")
    check_equal({archive.said(rank)["sends"] for rank in archive.ranks}, {N_THREADS * N_ROUNDS}, "sends of each rank")


main()
