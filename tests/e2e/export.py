# SPDX-License-Identifier: BSD-3-Clause
"""firma export: the contents of the new archive, as tools for timelines see it; firma finds the same phases in it. Also traces
of simulated runs, by SimGrid's SMPI. Other formats are read back by their own tools, or by their documented form."""

import collections
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess

from harness import FIRMA, check, check_equal, firma, launch, main, run, simulated, test, trace, traced, wait_until

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
    """A signature's file, without the path of its trace."""
    path = os.path.join(directory, name)
    firma("phases", archive, "-o", path).expect(0)
    with open(path, encoding="utf-8") as file:
        return "".join(line for line in file if not line.startswith(' "trace": '))


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

@test("an interrupt leaves no part of an export")
def interrupt(directory):
    _, archive = traced(directory, launch("openmpi", 4, "stencil", 64, 5000))
    folder = os.path.join(directory, "out")
    for form in ("goal", "ti", "otf2"):
        os.mkdir(folder)
        process = subprocess.Popen([FIRMA, "export", archive, "--to", form, "-o", os.path.join(folder, "a"), "-q"],
                                   start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        wait_until(lambda: os.listdir(folder) or process.poll() is not None, "the export")
        process.send_signal(signal.SIGINT)
        process.wait()
        check([name for name in os.listdir(folder) if name != "a"] == [], f"{form}: {os.listdir(folder)} is left")
        shutil.rmtree(folder)


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


# ---- Other formats ----

FORMATS = pathlib.Path(__file__).parents[2] / "src" / "formats"


def add_round_trip(name, *arguments):
    @test(f"the time-independent trace of {name} is read back with the same communication")
    def round_trip(directory):
        _, archive = traced(directory, launch("openmpi", 4, name, *arguments))
        said = firma("export", archive, "--to", "ti", "-o", "ti", "--json", cwd=directory).expect(0).json()
        check_equal((said["format"], said["processes"], said["notes"]), ("ti", 4, []), "what firma says")
        lines = pathlib.Path(directory, "ti", "0.txt").read_text().splitlines()
        check(lines[0].startswith("#") and "1e+09 flops" in lines[0] and lines[1] == "0 init" and lines[-1] == "0 finalize",
              lines[:2])
        check_equal(sum(len(pathlib.Path(directory, "ti", f"{rank}.txt").read_text().splitlines()) - 1 for rank in range(4)),
                    said["records"], "actions")
        firma("trace", "--convert", "ti/traces.txt", "--flop-rate", "1e9", "-o", "back", cwd=directory).expect(0)
        firma("diff", archive, "back", cwd=directory).expect(0)


add_round_trip("cg", 64, 20, 10)  # nonblocking messages, collectives
add_round_trip("masterworker", 100)  # receives from any source


@test("SMPI takes as long for a program as for the replay of its trace; what the replay can't express is named")
def replay(directory):
    for name, *arguments in (("stencil", 32, 50), ("cg", 32, 5, 2)):
        command = simulated(directory, 4, name, *arguments)
        result, archive = trace(directory, command, "-q", name=name + ".trace")
        result.expect(0)
        firma("export", archive, "--to", "ti", "-o", name + ".ti", cwd=directory).expect(0)
        words = command[:command.index("-hostfile") + 2]
        said = run([*words, "-replay", "traces.txt"], cwd=os.path.join(directory, name + ".ti")).expect(0)
        took = firma("show", archive, "--json").expect(0).json()["application_s"]
        check_equal(re.search(r"Simulation time ([0-9.]+)", said.out + said.err)[1], f"{took:.6f}", f"time of {name}")
    _, archive = traced(directory, launch("openmpi", 4, "everycall"))
    notes = " ".join(firma("export", archive, "--to", "ti", "-o", "all", "--json", cwd=directory).expect(0).json()["notes"])
    for what in ("nonblocking collectives", "MPI_Alltoallv", "posted receives", "have become messages"):
        check(what in notes, f"no word of {what}: {notes}")
    said = run([*words, "-replay", "traces.txt"], cwd=os.path.join(directory, "all")).expect(0)
    check("Simulation time" in said.out + said.err, said)


def run_goal(text):
    """Executes a GOAL schedule, in which messages take no time. Returns the operations, and how many are never reached."""
    operations, needs, rank = {}, collections.defaultdict(list), None
    for line in text.splitlines():
        if match := re.fullmatch(r"rank (\d+) \{", line):
            rank = match[1]
        elif match := re.fullmatch(r"(l\d+): (calc \d+|(send|recv) (\d+)b (?:to|from) (\d+) tag (\d+))", line):
            operations[rank, match[1]] = (match[3], rank, *match.groups()[3:])
        elif match := re.fullmatch(r"(l\d+) requires (l\d+)", line):
            check((rank, match[1]) in operations and (rank, match[2]) in operations, f"not defined: {line}")
            needs[rank, match[1]].append((rank, match[2]))
        else:
            check(line == "}" or line.startswith("num_ranks"), line)
    done, sent, more = set(), collections.Counter(), True
    while more:
        more = False
        for label, (kind, own, *message) in operations.items():
            if label in done or not all(need in done for need in needs[label]):
                continue
            if kind == "recv":
                channel = (message[1], own, message[2], message[0])
                if not sent[channel]:
                    continue
                sent[channel] -= 1
            elif kind == "send":
                sent[own, message[1], message[2], message[0]] += 1
            done.add(label)
            more = True
    check(not any(sent.values()), f"sends without a receive: {[key for key in sent if sent[key]]}")
    return operations, len(operations) - len(done)


@test("in a GOAL schedule every message has both sides and every operation is reached; collectives become messages")
def goal(directory):
    for name, *arguments in (("stencil", 32, 20), ("everycall",)):
        _, archive = traced(directory, launch("openmpi", 4, name, *arguments), name=name + ".trace")
        said = firma("export", archive, "--to", "goal", "-o", name, "--json", cwd=directory).expect(0).json()
        operations, n_left = run_goal(pathlib.Path(directory, name).read_text())
        check_equal((len(operations), n_left), (said["records"], 0), f"operations of {name}, and those never reached")
    firma("export", archive, "--to", "goal", "-o", "without", "--collectives", "left-out", cwd=directory).expect(0)
    check(len(run_goal(pathlib.Path(directory, "without").read_text())[0]) < len(operations), "collectives aren't left out")


@test("Perfetto's timeline is read by protoc: slices end in their order, and each message's arrow has two ends")
def perfetto(directory):
    _, archive = traced(directory, launch("openmpi", 4, "stencil", 32, 50))
    said = firma("export", archive, "--to", "perfetto", "-o", "a.pftrace", "--json", cwd=directory).expect(0).json()
    text = run(["sh", "-c", 'protoc --decode=perfetto.Trace -I"$1" perfetto.proto <a.pftrace', "sh", str(FORMATS)],
               cwd=directory).expect(0).out
    packets = text.split("\npacket {")
    check_equal(len(packets), said["records"], "packets")
    latest, depth, begins, ends = {}, collections.Counter(), collections.Counter(), collections.Counter()
    for packet in packets:
        if not (kind := re.search(r"type: TYPE_SLICE_(BEGIN|END)", packet)):
            continue
        track, time = (int(re.search(key + r": (\d+)", packet)[1]) for key in ("track_uuid", "timestamp"))
        check(time >= latest.get(track, 0), f"time goes back in track {track}")
        latest[track] = time
        depth[track] += 1 if kind[1] == "BEGIN" else -1
        check(0 <= depth[track] <= 1, f"slices overlap in track {track}")
        begins.update(re.findall(r" flow_ids: (\d+)", packet))
        ends.update(re.findall(r"terminating_flow_ids: (\d+)", packet))
    check(not any(depth.values()), "slices stay open")
    check(begins == ends and set(begins.values()) == {1}, "arrows")
    check_equal(len(begins), firma("graph", archive, "--collectives", "left-out", "--json").expect(0).json()["messages"], "messages")
    check('name: "phase 1"' in text and text.count("process_name") == 4, "no phases, or no processes")


@test("Extra-P's file has the documented form, a point for each number of processes, and a value for each trace")
def extrap(directory):
    archives = [traced(directory, launch("openmpi", n, "cg", 32, 5, 2), name=f"{n}.trace")[1] for n in (2, 4)]
    said = firma("export", *archives, archives[1], "--to", "extrap", "-o", "a.json", "--json", cwd=directory).expect(0).json()
    check(any("Extra-P advises 5" in note for note in said["notes"]), said["notes"])
    with open(os.path.join(directory, "a.json"), encoding="utf-8") as file:
        document = json.load(file)
    check_equal(document["parameters"], ["p"], "parameters")
    measurements = document["measurements"]
    check({"main", "main->computation", "main->MPI->isend", "main->MPI->allreduce", "main->phase 1"} <= set(measurements),
          list(measurements))
    for path, metrics in measurements.items():
        check(set(metrics) <= {"time", "visits", "bytes"}, metrics)
        for points in metrics.values():
            check_equal([(point["point"], len(point["values"])) for point in points], [([2], 1), ([4], 2)], path)
    check_equal(sum(len(point["values"]) for metrics in measurements.values() for points in metrics.values()
                    for point in points), said["records"], "measurements")


@test("a format that doesn't exist, an option of another format, and a second trace are refused")
def refused(directory):
    _, archive = traced(directory, launch("openmpi", 2, "cg", 32, 5, 2))
    for words, expected in ((("--to", "vampir"), "otf2"), (("--to", "goal", "--flop-rate", "1e9"), "--flop-rate isn't for --to goal"),
                            (("--to", "ti", "--order", "lamport"), "--order isn't for --to ti"),
                            (("--collectives", "smpi"), "--collectives isn't for --to otf2"),
                            (("--to", "ti", "--flop-rate", "much"), "`much`"), ((archive, "--to", "goal"), "expected one trace")):
        result = firma("export", archive, *words, "-o", "x", cwd=directory).expect(2)
        check(expected in result.err, result)
    check(not os.path.exists(os.path.join(directory, "x")), "something was written")


@test("what a killed process left open is left out, and counted, so that a replay doesn't wait for it")
def incomplete(directory):
    archive = os.path.join(directory, "a.trace")
    firma("trace", "-q", "-o", archive, "--", *launch("openmpi", 3, "odd", "kill", 200, 100, 1)).expect(1)
    said = firma("export", archive, "--to", "goal", "-o", "goal", "--json", cwd=directory).expect(0).json()
    check(said["notes"], "nothing is said")
    check_equal(run_goal(pathlib.Path(directory, "goal").read_text())[1], 0, "operations that are never reached")


main()
