# SPDX-License-Identifier: BSD-3-Clause
"""firma trace on programs that make every MPI call at least once: numbers of calls, messages, bytes and collectives are
exactly those that the program counted."""

import json
import os

from harness import Archive, check, check_equal, check_same_events, events_said, launch, main, test, trace

ONE_SIDED = ("MPI_Put", "MPI_Get", "MPI_Accumulate")


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


for mpi, ranks in (("openmpi", 2), ("openmpi", 4), ("openmpi", 7), ("mpich", 2), ("mpich", 4)):
    add_c_tests(mpi, ranks)


def add_fortran_tests(mpi, ranks, name):
    @test(f"the calls of {name} on {ranks} ranks of {mpi} leave their events and nothing else")
    def events_are_exact(directory):
        result, path = trace(directory, launch(mpi, ranks, name))
        result.expect(0)
        check_same_events(Archive(path), events_said(result.out), ranks)


for name in ("everycall_mpifh", "everycall_f08"):
    for mpi, ranks in (("openmpi", 2), ("openmpi", 4), ("openmpi", 7), ("mpich", 2)):
        add_fortran_tests(mpi, ranks, name)


def add_one_sided_tests(mpi):
    @test(f"one-sided calls under {mpi} are counted and named at the end, or recorded")
    def one_sided_is_named(directory):
        result, path = trace(directory, launch(mpi, 2, "everycall", "--one-sided"))
        result.expect(0)
        archive = Archive(path)
        recorded = sum(archive.records[0][kind] for kind in ("RMA_PUT", "RMA_GET", "RMA_ATOMIC"))
        unnamed = [call for call in ONE_SIDED if call not in result.out + result.err]
        check(recorded == 3 or not unnamed, f"neither recorded nor named: {unnamed}\n{result}")


for mpi in ("openmpi", "mpich"):
    add_one_sided_tests(mpi)

main()
