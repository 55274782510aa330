# SPDX-License-Identifier: BSD-3-Clause
"""Stops for checkpoints. Every process of a running program sleeps before a send-like event with a given number, or waits for a
process that sleeps. At each stop, the recording is complete. The program goes on as if it had not been stopped."""

import os
import pathlib
import re
import signal
import subprocess
import sys

from checkpointer import processes_that_name
from harness import (HANG_LIMIT_S, Archive, check, check_equal, check_same_events, events_said, firma, launch, main,
                     run, some, stable_output, test, wait_until)

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/unit"))
from recorder_segments import Names, read_recording  # noqa: E402

DRIVER = os.environ.get("STOPS_DRIVER", "stops_driver")
NAMES = Names(ROOT)
ENVIRONMENT = {"FIRMA_LIBDIR": os.environ["RECORDERS"]}
NOT_SEND_LIKE = ("recv", "send_done", "cancel", "done")
LIMIT_S = 120


def counts(stop):
    return ",".join(map(str, stop))


class Driven:
    """A run of the driver: its output about each stop, and its files."""

    def __init__(self, directory, name, command, stops, *modes):
        self.directory = os.path.join(directory, name)
        os.mkdir(self.directory)
        self.command = [DRIVER, *modes, self.directory, *map(counts, stops), "--", *command]
        self.result = run(self.command, env=ENVIRONMENT).expect(0)
        self.stops, self.why, self.status = [], "", None
        for line in self.result.out.splitlines():
            words = line.split()
            if words[0] == "stop":
                self.stops.append((words[2], [(state, int(n)) for state, n in (word.rsplit(":", 1) for word in words[3:])]))
            elif words[0] == "why":
                self.why = line[4:]
            elif words[0] == "status":
                self.status = int(words[1])
        with open(os.path.join(self.directory, "output"), encoding="utf-8") as output:
            self.output = output.read()

    def archive(self, name="archive"):
        return os.path.join(self.directory, name)

    def recording(self):
        return read_recording(os.path.join(self.directory, "recording"), NAMES)

    def sleeps(self, rank=0):
        """Returns (stop, begin, end) of each sleep of the rank."""
        return [asleep[1:] for segment in self.recording()[rank].segments() for asleep in segment.asleep]


def send_like(call):
    return sum(not event.startswith(NOT_SEND_LIKE) for event in call[4])


def cuts(driven, *shares):
    """For each share, the numbers of events before a collective of all processes. There, all processes can sleep."""
    before = []
    for process in driven.recording():
        (segment,) = process.segments()
        n, places = 0, []
        for call in segment.calls:
            if any(re.search(r" comm 0 ", event) and " root " in event for event in call[4]):
                places.append(n)
            n += send_like(call)
        before.append(places)
    return [[places[int(share * len(places))] for places in before] for share in shares]


def check_undisturbed(driven, plain, ranks):
    check_equal(driven.status, 0, "the launcher's exit status")
    check_equal(stable_output(driven.output), stable_output(plain.output), "output, with and without stops")
    check_same_events(Archive(driven.archive()), events_said(driven.output), ranks)


def check_times(driven):
    """Checks that no time in the recording goes back, and that no call overlaps a sleep."""
    for process in driven.recording():
        for segment in process.segments():
            last = process.init_enter
            at = {place: (begin, end) for place, _, begin, end in segment.asleep}
            for i, (name, _, enter, leave, _) in enumerate(segment.calls):
                if i in at:
                    check(last <= at[i][0] <= at[i][1] <= enter, f"the sleep before {name} overlaps a call")
                check(last <= enter <= leave or not leave, f"the time goes back at {name}")
                last = leave
            check_equal(segment.cpu, sorted(segment.cpu), "samples of the processor's time")


PROGRAMS = (("cg", "C with nonblocking messages and collectives", (100, 20, 30)),
            ("heat", "Fortran with mpi", (100, 1500)),
            ("adi", "Fortran with mpi_f08", (64, 150)))
WORLDS = (("openmpi", 2), ("openmpi", 4), ("mpich", 2))
CHOSEN = some([("openmpi", 4, "cg"), ("openmpi", 2, "adi"), ("mpich", 2, "heat")],
              [(*world, program[0]) for world in WORLDS for program in PROGRAMS])


def add_program(mpi, ranks, name, what, arguments):
    @test(f"{ranks} ranks of a program in {what} under {mpi} sleep before the events of their numbers, and go on")
    def sleeps(directory):
        command = launch(mpi, ranks, name, *arguments)
        plain = Driven(directory, "plain", command, [])
        stops = cuts(plain, 0, 0.3, 0.6, 0.9)
        driven = Driven(directory, "driven", command, stops)
        check_equal(driven.stops, [("settled", [("asleep", n) for n in stop]) for stop in stops], "the stops")
        check_undisturbed(driven, plain, ranks)
        check_times(driven)
        firma("diff", plain.archive(), driven.archive()).expect(0)
        for rank in range(ranks):
            check_equal([stop for stop, _, _ in driven.sleeps(rank)], [0, 1, 2, 3], f"sleeps of rank {rank}")


for mpi, ranks in WORLDS:
    for name, what, arguments in PROGRAMS:
        if (mpi, ranks, name) in CHOSEN:
            add_program(mpi, ranks, name, what, arguments)


def add_convoy(mpi, ranks):
    @test(f"{ranks} ranks under {mpi} whose long messages cannot be sent, or are polled for, wait for one that sleeps")
    def waits(directory):
        command = launch(mpi, ranks, "convoy", 100)
        plain = Driven(directory, "plain", command, [])
        stop = [50] * (ranks - 2) + [20] + [0]  # before the last rank but one sends number 20; the last rank sends nothing
        driven = Driven(directory, "driven", command, [stop, [90] * (ranks - 1) + [0]])
        outcome, states = driven.stops[0]
        check_equal(outcome, "settled", f"the stop, with {states}")
        check_equal(states[-2], ("asleep", 20), "the last rank but one")
        for state, n in states[:-2]:
            check(state == "MPI_Send" and n < 50, f"a rank in front of it is {state} after {n} events")
        check(states[-1][0] in ("MPI_Iprobe", "MPI_Recv", "asleep"), f"the last rank is {states[-1]}")
        check_equal(driven.stops[1][0], "settled", "the second stop")
        check_undisturbed(driven, plain, ranks)


for mpi, ranks in some(WORLDS[1:], WORLDS[:1]):
    add_convoy(mpi, ranks)


def add_threads(mpi):
    @test(f"several threads a rank under {mpi} make as many events together as the stop says, and no more")
    def threads_sleep(directory):
        command = launch(mpi, 2, "threads", 3, 200)
        plain = Driven(directory, "plain", command, [])
        driven = Driven(directory, "driven", command, [[300, 300], [500, 500]])
        for stop, (outcome, states) in zip((300, 500), driven.stops):
            check_equal(outcome, "settled", f"the stop, with {states}")
            # Up to two threads of each rank may be in a collective that waits for a thread asleep on the other rank.
            check(any(state == "asleep" and n >= stop - 2 for state, n in states), f"nobody sleeps after {stop} events: {states}")
            check(all(n <= stop for _, n in states), f"more than {stop} events: {states}")
        check_undisturbed(driven, plain, 2)


add_threads("openmpi")
add_threads("mpich")


def makes_a_signature(archive, signature):
    """The archive is of a run that goes on, so it must be accepted as incomplete."""
    firma("phases", "--accept-incomplete", archive, "-o", signature).expect(0)


def add_copies(mpi):
    @test(f"a recording under {mpi} that was copied while all slept makes an archive, and so does the one that goes on")
    def copies(directory):
        command = launch(mpi, 2, "cg", 100, 20, 30)
        plain = Driven(directory, "plain", command, [])
        stops = cuts(plain, 0.2, 0.7)
        driven = Driven(directory, "driven", command, stops, "copy")
        check_undisturbed(driven, plain, 2)
        for i, stop in enumerate(stops):
            archive = Archive(driven.archive(f"archive-{i}"))
            for rank in range(2):
                said = archive.said(rank)
                check_equal(said["sends"] + said["collectives"], stop[rank], f"events of rank {rank} at stop {i}")
            makes_a_signature(driven.archive(f"archive-{i}"), os.path.join(directory, f"{i}.firma"))


add_copies("openmpi")
add_copies("mpich")


@test("a copy of the recording of long messages under way has each receive behind its send")
def copies_of_a_convoy(directory):
    command = launch("openmpi", 3, "convoy", 60)
    driven = Driven(directory, "driven", command, [[50, 20, 0], [55, 50, 0]], "copy")
    for i in range(2):
        archive = Archive(driven.archive(f"archive-{i}"))
        for rank in (1, 2):
            check(archive.said(rank)["receives"] <= archive.said(rank - 1)["sends"] + 1, f"receives of rank {rank}")
        makes_a_signature(driven.archive(f"archive-{i}"), os.path.join(directory, f"{i}.firma"))


@test("time of an adopted job goes on, without the time for which it stood still")
def adopts(directory):
    command = launch("openmpi", 2, "cg", 100, 20, 30)
    plain = Driven(directory, "plain", command, [])
    driven = Driven(directory, "driven", command, cuts(plain, 0.3, 0.6), "adopt")
    check_undisturbed(driven, plain, 2)
    check_times(driven)
    for rank in range(2):
        _, begin, end = driven.sleeps(rank)[1]
        check(end - begin < 10 ** 9, f"rank {rank} slept for {(end - begin) / 1e9} s, of which 1.2 s are not to count")


@test("a rank that ends before its stop is named with its events, and the program goes on to its end")
def misses(directory):
    driven = Driven(directory, "driven", launch("openmpi", 2, "cg", 20, 5, 3), [[5, 10 ** 6]])
    check_equal(driven.status, 0, "the launcher's exit status")
    outcome, states = driven.stops[0]
    if outcome == "late":  # rank 1 waits for rank 0, which sleeps
        check_equal(states[0], ("asleep", 5), "rank 0")
    driven = Driven(directory, "again", launch("openmpi", 2, "cg", 20, 5, 3), [[10 ** 6, 10 ** 6]])
    check_equal(driven.stops[0][0], "unreachable", "the stop")
    check(re.search(r"after \d+ of 1000000|has ended", driven.why), f"not explained: {driven.why}")


@test("a rank that is killed on the way to a stop is named")
def killed(directory):
    driven = Driven(directory, "driven", launch("openmpi", 2, "odd", "kill", 200, 120, 1), [[190, 190]])
    check_equal(driven.stops[0][0], "unreachable", "the stop")
    check("died" in driven.why or "ended" in driven.why, f"not explained: {driven.why}")


@test("if firma ends while a program sleeps, the program is ended, too")
def abandoned(directory):
    command = launch("openmpi", 2, "cg", 100, 20, 30)
    place = os.path.join(directory, "driven")
    os.mkdir(place)
    run([DRIVER, "abandon", place, "20,20", "--", *command], env=ENVIRONMENT).expect(0)
    wait_until(lambda: not processes_that_name(place), "the program is ended", 0.1)
    output = pathlib.Path(place, "output").read_text(encoding="utf-8")
    check("time_s" not in output, f"the program went on: {output}")


@test("a signal to the program that waits for a detached job ends the job, also while the job sleeps")
def interrupted(directory):
    command = launch("openmpi", 2, "convoy", 100)
    place = os.path.join(directory, "driven")
    os.mkdir(place)
    process = subprocess.Popen([DRIVER, "hold", place, "20,0", "--", *command], stdout=subprocess.PIPE, text=True,
                               start_new_session=True, env={**os.environ, **ENVIRONMENT})
    check("stop 0 settled" in process.stdout.readline(), "the job never slept")
    os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=HANG_LIMIT_S)
    check(re.search(r"^status [1-9]", out, re.M), f"the job was not ended: {out}")
    left = run(["pgrep", "-f", place])
    check_equal(left.out, "", "processes that are left")


main()
