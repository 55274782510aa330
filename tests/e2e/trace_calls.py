# SPDX-License-Identifier: BSD-3-Clause
"""firma trace on programs that make every MPI call at least once. The numbers of calls, messages, bytes and collectives are
exactly those that the program counted."""

import json
import os

from harness import (MPIS, Archive, Skip, check, check_equal, check_one_beginning_and_end, check_same_events, events_said, firma,
                     launch, main, run, some, test, trace)


def counts_of(prefix, rank):
    with open(f"{prefix}.{rank}", encoding="utf-8") as file:
        return json.load(file)


def add_c_tests(mpi, ranks):
    @test(f"every kind of call in C on {ranks} ranks of {mpi} leaves its events and nothing else")
    def events_are_exact(directory):
        prefix = os.path.join(directory, "counts")
        result, path = trace(directory, launch(mpi, ranks, "everycall", "--json", prefix))
        result.expect(0)
        archive, wrong = Archive(path), []
        check_equal(archive.ranks, list(range(ranks)), "ranks in the archive")
        for rank in range(ranks):
            found = {**archive.said(rank), "receive_bytes": archive.receive_bytes[rank]}
            said = counts_of(prefix, rank)
            wrong += [f"rank {rank}: {key}: found {found[key]}, expected {said[key]}"
                      for key in found if found[key] != said[key]]
            for call, count in said["calls"].items():
                if archive.calls[rank][call] != count:
                    wrong.append(f"rank {rank}: calls of {call}: found {archive.calls[rank][call]}, expected {count}")
        check(not wrong, "\n".join(wrong))
        check_one_beginning_and_end(archive)


for mpi, ranks in some([("openmpi", 2), ("openmpi", 5), ("mpich", 4)], [("openmpi", 4), ("openmpi", 7), ("mpich", 2)]):
    add_c_tests(mpi, ranks)


def add_fortran_tests(mpi, ranks, name):
    @test(f"the calls of {name} on {ranks} ranks of {mpi} leave their events and nothing else")
    def events_are_exact(directory):
        result, path = trace(directory, launch(mpi, ranks, name))
        result.expect(0)
        archive = Archive(path)
        check_same_events(archive, events_said(result.out), ranks)
        check_one_beginning_and_end(archive)


for name, further in (("everycall_mpifh", 4), ("everycall_f08", 5)):
    for mpi, ranks in some([("openmpi", further), ("mpich", 2)], [("openmpi", 2), ("openmpi", 7), ("openmpi", 9 - further)]):
        add_fortran_tests(mpi, ranks, name)


def lines_said(text, word):
    """Returns {rank: {"puts": …}} from a program's lines `WORD rank R NAME N …`."""
    lines = (line.split() for line in text.splitlines())
    return {int(words[2]): dict(zip(words[3::2], map(int, words[4::2])))
            for words in lines if words[:2] == [word, "rank"]}


def find_phases(path):
    return firma("phases", path, "--json").expect(0).json()


def add_one_sided_tests(mpi, ranks, *arguments):
    how = "under locks and groups" if arguments else "between fences"
    @test(f"one-sided operations {how} on {ranks} ranks of {mpi} are events with their bytes, and fences are collectives")
    def one_sided_is_recorded(directory):
        result, path = trace(directory, launch(mpi, ranks, "onesided", 5, *arguments))
        result.expect(0)
        archive, said = Archive(path), lines_said(result.out, "rma")
        for rank in range(ranks):
            kinds = archive.records[rank]
            found = {"puts": kinds["RMA_PUT"], "gets": kinds["RMA_GET"], "atomics": kinds["RMA_ATOMIC"],
                     "bytes_put": archive.rma_bytes[rank]["RMA_PUT"], "bytes_got": archive.rma_bytes[rank]["RMA_GET"],
                     "fences": kinds["RMA_COLLECTIVE_END"] - kinds["RMA_WIN_CREATE"] - kinds["RMA_WIN_DESTROY"],
                     "windows": kinds["RMA_WIN_DESTROY"], "completed": kinds["RMA_OP_COMPLETE_NON_BLOCKING"]}
            check_equal(found, said[rank], f"one-sided events of rank {rank}")
        check_equal("10 MPI_Win_lock" in result.err, bool(arguments) and ranks == 2, "MPI_Win_lock is named with its number")
        check_equal(find_phases(path)["problem_count"], 0, "problems of the order")


for mpi, ranks in some([("openmpi", 2), ("mpich", 2)], [("openmpi", 4)]):
    add_one_sided_tests(mpi, ranks, "lock")
for mpi, ranks in some([("openmpi", 4), ("mpich", 2)], [("openmpi", 2)]):
    add_one_sided_tests(mpi, ranks)


def add_spawn_test(mpi):
    @test(f"processes that a program starts under {mpi} don't disturb its trace, and are named")
    def spawned_are_apart(directory):
        command = launch(mpi, 2, "spawn", 2)
        if run(command).status:
            raise Skip(f"MPI_Comm_spawn doesn't work under {mpi} here, untraced either")
        result, path = trace(directory, command)
        result.expect(0)
        archive = Archive(path)
        check_same_events(archive, events_said(result.out), 2)
        check_equal([archive.handles[rank] for rank in (0, 1)], [2, 2], "communicators made and freed")
        check("2 processes started with MPI_Comm_spawn" in result.err, f"the children are not named\n{result}")
        check("4 messages with processes outside" in result.err, f"messages to them are not named\n{result}")
        check_equal(find_phases(path)["problem_count"], 0, "problems of the order")


for mpi in MPIS:
    add_spawn_test(mpi)


def add_file_test(mpi):
    @test(f"file operations under {mpi} are regions, computation, and named")
    def files_are_computation(directory):
        result, path = trace(directory, launch(mpi, 2, "files", os.path.join(directory, "data"), 20))
        result.expect(0)
        archive = Archive(path)
        check_same_events(archive, events_said(result.out), 2)
        check_equal(archive.calls[0]["MPI_File_write_at"], 20, "calls of MPI_File_write_at on rank 0")
        check("40 MPI_File_write_at" in result.err and "computation" in result.err, f"they are not named\n{result}")
        check_equal(find_phases(path)["problem_count"], 0, "problems of the order")


for mpi in MPIS:
    add_file_test(mpi)


def add_mpi4_test(mpi, ranks):
    @test(f"what {mpi} has of MPI 4 leaves its events and nothing else on {ranks} ranks")
    def new_calls_are_exact(directory):
        result, path = trace(directory, launch(mpi, ranks, "mpi4", 10))
        result.expect(0)
        check_same_events(Archive(path), events_said(result.out), ranks)
        check_equal(find_phases(path)["problem_count"], 0, "problems of the order")


for mpi, ranks in some([("openmpi", 4), ("mpich", 2)], [("openmpi", 2)]):
    add_mpi4_test(mpi, ranks)

main()
