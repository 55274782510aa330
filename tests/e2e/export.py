# SPDX-License-Identifier: BSD-3-Clause
"""firma export: the contents of the new archive, as tools for timelines see it; firma finds the same phases in it. Also traces
of simulated runs, by SimGrid's SMPI."""

import collections
import json
import os
import re
import shutil

from harness import check, check_equal, firma, launch, main, run, simulated, test, trace, traced

RECORD = re.compile(r"^(ENTER|LEAVE) +(\d+) +(\d+) +Region: \"([^\"]*)\"")


def exported(directory, *program):
    """Returns (original archive, exported archive, the document of `firma export`)."""
    _, archive = traced(directory, launch("openmpi", *program))
    target = os.path.join(directory, "exported")
    return archive, target, firma("export", archive, "-o", target, "--json").expect(0).json()


def printed(archive, *options):
    result = run(["otf2-print", *options, os.path.join(archive, "traces.otf2")]).expect(0)
    check("error" not in result.err.lower(), f"otf2-print complains\n{result.err[:1500]}")
    return result.out


def signature_text(directory, archive, name):
    path = os.path.join(directory, name)
    firma("phases", archive, "-o", path).expect(0)
    with open(path, encoding="utf-8") as file:
        return file.read()


def add_same_phases(name, *arguments):
    @test(f"the signature of an exported trace of {name} is that of the trace, to the byte")
    def same_phases(directory):
        archive, target, _ = exported(directory, 4, name, *arguments)
        check(signature_text(directory, target, "b.firma") == signature_text(directory, archive, "a.firma"),
              "the signatures differ")


def without_path(text):
    """Exports don't tell calls without events from time off the processor (docs/LIMITS.md)."""
    signature = json.loads(text)
    for milestone in signature["milestones"]:
        milestone["phases"] = [entry[:3] for entry in milestone["phases"]]
    for phase in signature["phases"]:
        for stratum in phase["strata"]:
            del stratum["path_s"]
    return signature


def add_same_phases_but_for_the_path(name, *arguments):
    @test(f"the signature of an exported trace of {name}, which makes calls without events, differs in the path alone")
    def same_phases(directory):
        archive, target, _ = exported(directory, 4, name, *arguments)
        check_equal(without_path(signature_text(directory, target, "b.firma")),
                    without_path(signature_text(directory, archive, "a.firma")), "signatures")


add_same_phases("stencil", 32, 200)
add_same_phases("masterworker", 100)
add_same_phases_but_for_the_path("everycall")
add_same_phases_but_for_the_path("onesided")


@test("startup, phases and shutdown cover each process's time from MPI_Init to MPI_Finalize, and add up to the signature's")
def regions_tile(directory):
    archive, target, _ = exported(directory, 4, "cg", 64, 20, 10)
    signature = json.loads(signature_text(directory, archive, "app.firma"))
    own = {"startup", "shutdown"} | {f"phase {phase['id']}" for phase in signature["phases"]}
    spent = collections.defaultdict(lambda: collections.Counter())
    opened, left, ends = {}, {}, {}
    for line in printed(target).splitlines():
        if not (match := RECORD.match(line)):
            continue
        kind, rank, time, region = match[1], int(match[2]), int(match[3]), match[4]
        if region == "MPI_Init" and kind == "LEAVE":
            left[rank] = time
        elif region == "MPI_Finalize" and kind == "ENTER":
            ends[rank] = time
        elif region in own and kind == "ENTER":
            check_equal(time, left[rank], f"start of {region} in rank {rank}")
            opened[rank] = time
        elif region in own:
            spent[rank][region] += time - opened[rank]
            left[rank] = time
    check_equal(left, ends, "end of the last region, and entry of MPI_Finalize")
    for phase in signature["phases"]:
        for rank in range(4):
            found_s, expected_s = spent[rank][f"phase {phase['id']}"] * 1e-9, phase["total_s"][rank]
            check(abs(found_s - expected_s) < 1e-8, f"phase {phase['id']}, rank {rank}: {found_s} s, not {expected_s} s")


@test("every send, receive and collective of an exported trace has a logical time, and each receive one more than a send")
def logical_times(directory):
    _, target, said = exported(directory, 4, "stencil", 32, 50)
    text = printed(target)
    check_equal(text.count('"logical time"'), said["events"], "logical times")
    check_equal(said["events_unplaced"], 0, "events without a logical time")
    times = collections.defaultdict(collections.Counter)
    for kind, time in re.findall(r"^(MPI_SEND|MPI_RECV|MPI_IRECV) .*\n.*\"logical time\" <\d+>; UINT64; (\d+)", text, re.M):
        times["sends" if kind == "MPI_SEND" else "receives"][int(time)] += 1
    check_equal(times["receives"], {time + 1: n for time, n in times["sends"].items()}, "times of receives")


@test("markers lie where relevant phases begin")
def markers(directory):
    _, target, said = exported(directory, 2, "cg", 64, 20, 10)
    check(said["markers"] > 0 and said["markers_left_out"] == 0, str(said))
    check(os.path.exists(os.path.join(target, "traces.marker")), "no file of markers")


@test("an archive is not overwritten, nor written into the trace that it is made from")
def not_overwritten(directory):
    archive, target, _ = exported(directory, 2, "cg", 32, 5, 2)
    for refused in (target, archive):
        result = firma("export", archive, "-o", refused).expect(2)
        check("exists already" in result.err if refused == target else "is an input" in result.err, str(result))
    firma("export", archive).expect(2)
    firma("phases", archive).expect(0)


@test("a trace that can't be read leaves no archive behind")
def nothing_left(directory):
    archive, _, _ = exported(directory, 2, "cg", 32, 5, 2)
    for name in os.listdir(os.path.join(archive, "traces")):
        if name.endswith(".evt"):
            path = os.path.join(archive, "traces", name)
            os.truncate(path, os.path.getsize(path) // 2)
            break
    firma("export", archive, "-o", os.path.join(directory, "new")).expect(3)
    check(not os.path.exists(os.path.join(directory, "new")), "a directory stays")
    check_equal([name for name in os.listdir(directory) if name.startswith(".")], [], "temporary files")


# ---- SMPI ----

@test("a simulated run is traced with all its events, in simulated time")
def traces_simulation(directory):
    command = simulated(directory, 16, "stencil", 32, 50)
    result, archive = trace(directory, command, "-q")
    result.expect(0)
    text = signature_text(directory, archive, "app.firma")
    signature = json.loads(text)
    check_equal(signature["application"]["processes"], 16, "processes")
    check(signature["application"]["executable"].endswith("/stencil"), signature["application"]["executable"])
    check_equal(signature["application"]["arguments"], ["32", "50"], "arguments")
    sends = sum(int(line.split()[4]) for line in result.out.splitlines() if line.startswith("events rank"))
    check_equal(printed(archive).count("MPI_ISEND ") + printed(archive).count("MPI_SEND "), sends, "sends")
    check_equal(signature["recording_cost_s"], 0, "cost of recording, which takes no simulated time")
    check(0 < signature["application_s"] < 1, f"{signature['application_s']} s")


@test("two traces of a simulation without computation have the same signature, to the byte")
def simulation_repeats(directory):
    command = simulated(directory, 8, "masterworker", 64)
    texts = []
    for name in ("one", "two"):
        result, archive = trace(directory, command, "-q", name=name)
        result.expect(0)
        texts.append(signature_text(directory, archive, name + ".firma"))
    check(texts[0] == texts[1], "the signatures differ")


main()
