# SPDX-License-Identifier: BSD-3-Clause
"""firma trace on whole programs, in C and Fortran, under both MPIs. The archive has the events that the program counted, and the
program's results don't change."""

from harness import (Archive, check, check_equal, check_one_beginning_and_end, check_same_events, events_said, launch, main,
                     run, some, stable_output, test, trace)

# Program, arguments, and whether the number of messages between ranks is the same in each run.
PROGRAMS = (
    ("cg", (64, 10, 5), True),
    ("stencil", (32, 300), True),
    ("multigrid", (5, 5), True),
    ("masterworker", (60, 500), False),
    ("montecarlo", (5, 2000), True),
    ("particles", (20, 30), True),
    ("adaptive", (500, 100, 10), True),
    ("threads", (3, 50), True),
    ("sweep", (16, 8, 10), True),   # mpif.h
    ("heat", (32, 100), True),      # use mpi
    ("adi", (28, 20), True),        # use mpi_f08
)
def check_trace(directory, mpi, ranks, name, arguments):
    result, archive = trace(directory, launch(mpi, ranks, name, *arguments), "-q")
    result.expect(0)
    found = Archive(archive)
    check_same_events(found, events_said(result.out), ranks)
    check_one_beginning_and_end(found)
    return result


def add_tests(mpi, ranks, name, arguments, deterministic):
    @test(f"the trace of {name} on {ranks} ranks of {mpi} holds the events that the program made")
    def holds_the_events(directory):
        result = check_trace(directory, mpi, ranks, name, arguments)
        if ranks == 2 and deterministic and mpi == "mpich":
            plain = run(launch(mpi, ranks, name, *arguments)).expect(0)
            check_equal(stable_output(result.out), stable_output(plain.out), "output, traced and untraced")


for number, program in enumerate(PROGRAMS):
    add_tests("mpich", 2, *program)
    # The recorder does the same on any number of ranks. So each program has one number under each MPI.
    for each_number in some([(4, 3)[number % 2]], [2, 7, (3, 4)[number % 2]]):
        add_tests("openmpi", each_number, *program)


@test("a traced program reads firma's standard input")
def reads_standard_input(directory):
    text = "one\ntwo\n" * 1000
    result, _ = trace(directory, launch("openmpi", 1, "odd", "stdin", 10, 5, 0), stdin=text)
    result.expect(0)
    check(text in result.out, f"what was written to stdin did not come back\n{result}")


@test("a single rank is traced too")
def one_rank(directory):
    check_trace(directory, "openmpi", 1, "pingpong", (100,))


@test("a plain program gives no reason for notes")
def no_notes(directory):
    result, _ = trace(directory, launch("openmpi", 2, "cg", 32, 10, 5), "--json")
    check_equal(result.expect(0).json()["notes"], [], "notes")


@test("an archive that is already there is not overwritten")
def keeps_archive(directory):
    command = launch("openmpi", 2, "cg", 16, 5, 1)
    trace(directory, command)[0].expect(0)
    before = Archive(f"{directory}/trace").records
    result, archive = trace(directory, command)
    result.expect(2)
    check_equal(Archive(archive).records, before, "the first run's records")


main()
