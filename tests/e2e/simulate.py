# SPDX-License-Identifier: BSD-3-Clause
"""firma simulate: times on other machines, what they depend on, and what can't be simulated. The truth is SimGrid's SMPI, which
runs the program on the same platform."""

import json
import os
import re
import shutil
import signal
import subprocess

from harness import FIRMA, Skip, check, check_equal, firma, launch, main, simulated, test, trace, traced, wait_until

COSTS = ("bw-factor:0:1", "lat-factor:0:1", "os:0:0:0", "or:0:0:0", "ois:0:0:0", "async-small-thresh:65536",
         "send-is-detached-thresh:65536", "host-speed:1000000000f", "coll-selector:default")
ENGINE = os.path.join(os.path.dirname(os.path.dirname(FIRMA)), "simulation", "firma-simgrid-replay")
FLAT = "4x1:50us,125MB/s"
SLOW_HOST = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full">{}<link id="l" bandwidth="1GBps" latency="5us"/>{}</zone></platform>
"""

TWO_HOSTS = """<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full"><host id="a" speed="{}f" core="2"/><host id="b" speed="{}f" core="2"/>
<link id="l" bandwidth="1GBps" latency="{}"/><route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>
"""


def smpi_trace(directory, ranks, *program):
    """The archive of a simulated run, and its platform."""
    command = simulated(directory, ranks, *program)
    at = command.index("--cfg=smpi/wtime:0")
    costs = [f"--cfg=smpi/{cost}" for cost in COSTS] + ["--cfg=network/TCP-gamma:0", "--cfg=network/crosstraffic:0"]
    return traced(directory, command[:at] + costs + command[at:])[1], command[command.index("-platform") + 1]


def real_trace(directory, *program):
    if not os.path.exists(ENGINE):
        raise Skip("firma was built without SimGrid")
    return traced(directory, launch("openmpi", *program))[1]


def simulate(archive, platform, *words):
    return firma("simulate", archive, "--platform", platform, "--json", *words).expect(0).json()


def check_near(found, expected, share, what):
    check(abs(found - expected) <= share * expected, f"{what}: {found}, expected {expected}")


def hosts_platform(directory, name, hosts, routes):
    path = os.path.join(directory, name)
    lines = "".join(f'<host id="{host}" speed="{speed}Gf"/>' for host, speed in hosts.items())
    links = "".join(f'<route src="{a}" dst="{b}"><link_ctn id="l"/></route>' for a, b in routes)
    with open(path, "w", encoding="utf-8") as file:
        file.write(SLOW_HOST.format(lines, links))
    return path


def machine_model(directory, name, latencies):
    """A host of four processors, with messages of these latencies up to 127 bytes, up to 255 and so on."""
    def around(value):
        return {"value": value, "low": value, "high": value}

    path = os.path.join(directory, name + ".json")
    segments = [{"from_bytes": 128 * i, "latency_s": around(latency), "s_per_byte": around(8e-9), "error": 0}
                for i, latency in enumerate(latencies)]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"format": "firma machine", "version": 1, "date": "", "command": "", "collectives": [],
                   "hosts": [{"name": "made up", "system": "", "processor": "", "cpus": 4}],
                   "paths": [{"middleware": "openmpi", "transport": "shm", "packing": "", "library": "", "from_host": 0,
                              "to_host": 0, "linear": True, "largest_error": 0, "largest_bytes": 1024,
                              "segments": segments}]}, file)
    return path


@test("a program's time on the machine of its trace is that of its run, by a sample and as a whole")
def same_machine(directory):
    archive, platform = smpi_trace(directory, 4, "stencil", 64, 4000)
    sample = simulate(archive, platform)
    whole = simulate(archive, platform, "--whole", "--no-sensitivity")
    check(whole["is_whole"] and not sample["is_whole"], "how much was simulated")
    check(sample["simulated_occurrences"] < sample["occurrences"], "the sample isn't smaller")
    check_near(whole["predicted_s"], whole["traced_s"], 0.02, "the whole")
    check_near(sample["predicted_s"], whole["predicted_s"], 0.01, "the sample")
    check_equal(len(sample["processes_s"]), 4, "processes")
    factors = [row["latency_factor"] or 1e4 for row in sample["tolerances"]]
    check(1 < factors[0] < factors[1] < factors[2], f"tolerated latencies: {factors}")
    check(sample["latency_elasticity"] > 0 and sample["bandwidth_elasticity"] <= 1e-9, "signs of sensitivities")
    for phase in sample["phases"]:
        for row in phase["processes"]:
            check(row["duration_s"] + 1e-9 >= row["computation_s"], f"phase {phase['id']}: more computation than time")
            waits = row["late_sender_s"] + row["late_receiver_s"] + row["collective_s"]
            check(waits <= row["communication_s"] + 1e-9, f"phase {phase['id']}: waits longer than communication")
            three = row["computation_s"] + row["transfer_s"] + row["waiting_s"]
            check_near(three, row["duration_s"], 1e-3, f"phase {phase['id']}: computation, transfer and waiting")
            check_near(row["waiting_s"], waits, 1e-9, "waiting")
            check_equal(row["other_s"], 0, "other time")
    check_near(sum(sample[key + "_share"] for key in ("compute", "transfer", "waiting")), 1, 1e-6, "the three shares")
    check(0 < sample["transfer_share"] and 0 < sample["waiting_share"], "transfer and waiting take no time")
    waited = sum(row["waiting_s"] for phase in sample["phases"] for row in phase["processes"])
    check_near(sum(cause["time_s"] for cause in sample["causes"]), waited, 0.05, "waits by their causes")


@test("the document says all that the text says")
def document(directory):
    archive = real_trace(directory, 4, "stencil", 64, 200)
    words = ("--sweep", "latency=2")
    found = simulate(archive, FLAT, *words)
    lines = firma("simulate", archive, "--platform", FLAT, *words).expect(0).out.splitlines()
    answer = " ".join(lines[:lines.index("")])
    check(answer.startswith("On ") and answer.endswith(found["answer"]), f"the answer: {answer}")
    text = "\n".join(lines)
    shares = {name: f"{100 * found[key + '_share']:.1f} %" for name, key in
              (("computation", "compute"), ("transfer", "transfer"), ("waiting", "waiting"))}
    changes = {name: f"{100 * found[key + '_change']:+.2f} %" for name, key in
               (("latency", "latency"), ("bandwidth", "bandwidth"), ("processors' speed", "speed"))}
    sweep = {"× 2": f"{100 * found['sweep'][0]['change']:+.1f} %"}
    for name, value in (*shares.items(), *changes.items(), *sweep.items()):
        check(re.search(rf"^ *{name} .*{re.escape(value)}", text, re.M), f"{name} isn't {value}\n{text}")
    check(re.search(rf", simulated {found['simulations']} times?$", text, re.M), text)
    check_equal(found["latency_s"], 5e-5, "latency")
    check(-found["network_change"] > 0 and "answer" not in simulate(archive, FLAT, "--no-sensitivity"), "the answer")


@test("a sweep gives all combinations, and a picture; faster processors and networks make a program faster")
def sweep(directory):
    archive, picture = real_trace(directory, 4, "stencil", 64, 200), os.path.join(directory, "sweep.svg")
    document = simulate(archive, FLAT, "--whole", "--no-sensitivity", "--sweep", "latency=1:10x10", "--sweep", "speed=1,2x",
                        "--svg", picture)
    times = {(row["latency"], row["speed"]): row["predicted_s"] for row in document["sweep"]}
    check_equal(sorted(times), [(1, 1), (1, 2), (10, 1), (10, 2)], "combinations")
    check(times[1, 2] < times[1, 1] < times[10, 1], f"{times}")
    check_near(times[1, 1], document["predicted_s"], 1e-9, "the unchanged machine")
    with open(picture, encoding="utf-8") as file:
        check("speed × 2: 10, " in file.read(), "the picture has no times")
    fast = simulate(archive, FLAT, "--whole", "--no-sensitivity", "--compute-speed", "2")
    check_near(fast["predicted_s"], times[1, 2], 0.001, "--compute-speed")
    out = firma("simulate", archive, "--platform", FLAT).expect(0).out
    answer = " ".join(out.split("\n\n")[0].split())
    check(any(f"). {words}" in answer for words in ("Faster processors", "A better network")), f"the answer:\n{out[:300]}")


@test("processes that compute on a slow host are waited for")
def slow_host(directory):
    archive = real_trace(directory, 4, "stencil", 64, 200)
    hosts = {"a": 1, "b": 1, "c": 1, "d": 0.25}
    routes = [(a, b) for a in hosts for b in hosts if a < b]
    slow = simulate(archive, hosts_platform(directory, "slow.xml", hosts, routes), "--no-sensitivity", "--whole")
    even = simulate(archive, hosts_platform(directory, "even.xml", dict.fromkeys(hosts, 1), routes), "--no-sensitivity", "--whole")

    def computed(document, rank):
        return sum(phase["processes"][rank]["computation_s"] for phase in document["phases"])

    check_near(computed(slow, 3), 4 * computed(even, 3), 0.01, "computation on the slow host")
    check_near(computed(slow, 0), computed(even, 0), 0.01, "computation on another host")
    check(slow["predicted_s"] > even["predicted_s"], "a slow host costs nothing")
    shared = simulate(archive, "2x1:50us,125MB/s", "--no-sensitivity", "--whole", "--given", "0,0,1,1")
    check_near(computed(shared, 0), 2 * computed(even, 0), 0.6, "computation on a shared processor")


@test("messages of a process to another follow each other, so the first doesn't wait for those behind it")
def messages_queue(directory):
    n, size, latency_s, rate = 20, 20000, 50e-6, 1e6
    archive = real_trace(directory, 2, "ahead", n, size, 50_000_000)
    document = simulate(archive, "2x1:50us,1MB/s", "--no-sensitivity", "--whole")
    check(document["compute_share"] > 0.05, f"computation is too short to be seen: {document['compute_share']}")
    check_near(document["predicted_s"], latency_s + n * size / rate, 0.02, "the time of all messages, and not of computation")


@test("what memory costs at some sizes changes nothing between hosts")
def costs_by_path(directory):
    def estimated(value):
        return {"value": value, "low": value, "high": value}

    def path(start, end, *segments):
        return {"middleware": "openmpi", "transport": "shm" if start == end else "tcp", "packing": "", "library": "",
                "from_host": start, "to_host": end, "linear": True, "largest_error": 0, "largest_bytes": 1 << 20,
                "segments": [{"from_bytes": size, "latency_s": estimated(latency), "s_per_byte": estimated(per_byte),
                              "error": 0} for size, latency, per_byte in segments]}

    def predicted(*memory):
        machine = os.path.join(directory, "machine.json")
        with open(machine, "w", encoding="utf-8") as file:
            json.dump({"format": "firma machine", "version": 1, "date": "", "command": "", "collectives": [],
                       "hosts": [{"name": name, "system": "", "processor": "", "cpus": 1} for name in ("anna", "otto")],
                       "paths": [path(0, 0, *memory), path(0, 1, (0, 1e-4, 1e-6))]}, file)
        return firma("simulate", archive, "--machine", machine, "--no-sensitivity", "--whole", "--json").expect(0).json()

    archive = real_trace(directory, 2, "heat", 400, 100)
    plain, stepped = predicted((0, 1e-6, 1e-10)), predicted((0, 1e-6, 1e-9), (1024, 5e-6, 1e-10), (65536, 5e-5, 1e-10))
    check_near(stepped["predicted_s"], plain["predicted_s"], 1e-9, "with steps in the costs of memory")


@test("study --platform predicts as simulate does from its trace, measures nothing, and keeps the trace if that fails")
def study(directory):
    if not os.path.exists(ENGINE):
        raise Skip("firma was built without SimGrid")
    behind = ("--repeat", "1", "--force", "--", *launch("openmpi", 4, "stencil", 64, 200))
    archive = os.path.join(directory, "s", "app.trace")
    failed = firma("study", "-o", "s", "-p", "2x1:50us,125MB/s", *behind, cwd=directory).expect(3)
    check("the platform 2 processors" in failed.err and "firma simulate takes the trace" in failed.err, failed.err)
    simulate(archive, FLAT, "--no-sensitivity")
    document = firma("study", "-o", "s", "-p", FLAT, "--json", *behind, cwd=directory).expect(0).json()
    again = simulate(archive, FLAT)
    check_equal(document["simulation"], {key: again[key] for key in document["simulation"]}, "the simulation")
    check_equal(set(again) - set(document["simulation"]), {"firma", "verb"}, "fields that the study lacks")
    check_equal(document["files"], ["s/app.firma", "s/app.trace", "s/app.trace.log"], "files")
    copy = shutil.copytree(os.path.join(directory, "s"), os.path.join(directory, "copy"))
    shutil.rmtree(archive)
    os.mkdir(archive)  # no longer a trace: the copy is read
    check_equal(simulate(copy, FLAT), again, "of the copied study")
    for words in (("--verify", "-p", FLAT), ("--estimator", "process", "-p", FLAT), ("--whole",), ("--nodes", "a")):
        result = firma("study", "-o", "s", *words, *behind, cwd=directory).expect(2)
        check(words[0] in result.err, f"{words[0]} isn't named\n{result}")


def signature_of(directory, archive, name="app"):
    path = os.path.join(directory, f"{name}.firma")
    firma("phases", archive, "-o", path, "-q").expect(0)
    return path


def without_trace(path, **fields):
    """Takes the trace's path from a signature, and sets other fields."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    found = document.pop("trace")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**document, **fields}, file)
    return found


@test("a signature stands for its trace, where that was or beside it, with the phases that it holds")
def signatures(directory):
    archive = real_trace(directory, 4, "stencil", 64, 200)
    path = signature_of(directory, archive, "other")
    of_trace = simulate(archive, FLAT, "--no-sensitivity")
    check_equal(simulate(path, FLAT, "--no-sensitivity"), of_trace, "the signature's simulation")
    beside = os.path.join(directory, "other.trace")
    check_equal(without_trace(path), os.path.realpath(archive), "the trace's path")
    result = firma("simulate", path, "--platform", FLAT).expect(3)
    check("doesn't name its trace" in result.err and beside in result.err, f"{result}")
    os.rename(archive, beside)
    check_equal(simulate(path, FLAT, "--no-sensitivity"), of_trace, "the simulation of a signature without a path")
    path = signature_of(directory, beside, "app")
    os.rename(beside, archive)  # away from where the signature says
    result = firma("simulate", path, "--platform", FLAT).expect(3)
    for name in (os.path.realpath(beside), os.path.join(directory, "app.trace")):
        check(name in result.err, f"{name} isn't named\n{result}")
    result = firma("simulate", path, "--platform", FLAT, "--similarity", "block").expect(2)
    check("--similarity" in result.err, f"{result}")
    firma("simulate", path, "--platform", FLAT, "--memory", "1G").expect(3)


@test("a signature isn't simulated by the trace of another run, of another program or of other processes")
def other_traces(directory):
    path = signature_of(directory, real_trace(directory, 4, "stencil", 64, 200))
    runs = {"another run": trace(directory, launch("openmpi", 4, "stencil", 64, 200), name="again.trace"),
            "2 processes": trace(directory, launch("openmpi", 2, "stencil", 64, 200), name="two.trace"),
            "arguments": trace(directory, launch("openmpi", 4, "stencil", 64, 100), name="short.trace")}
    for said, (result, other) in runs.items():
        result.expect(0)
        without_trace(path_of := shutil.copy2(path, os.path.join(directory, "copy.firma")), trace=other)
        result = firma("simulate", path_of, "--platform", FLAT).expect(3)
        for text in (said, path_of, other):
            check(text in result.err, f"`{text}` isn't said\n{result}")


@test("from which size on messages wait for their receivers is given, or as the machine model shows, or SMPI's")
def eager(directory):
    archive = real_trace(directory, 4, "stencil", 64, 200)
    by_default = simulate(archive, FLAT, "--no-sensitivity")
    check_equal((by_default["eager_bytes"], by_default["eager_source"]), (65536, "SMPI's default"), "by default")
    given = simulate(archive, FLAT, "--no-sensitivity", "--eager", "100")
    check_equal((given["eager_bytes"], given["eager_source"]), (100, "--eager"), "as given")
    check(given["predicted_s"] != by_default["predicted_s"], "--eager changes nothing")
    for name, latencies, expected in (("steps", (5e-5, 2e-4), (128, "by the costs of the machine model")),
                                      ("straight", (5e-5, 5.1e-5), (65536, "SMPI's default"))):
        found = firma("simulate", archive, "--machine", machine_model(directory, name, latencies), "--no-sensitivity",
                      "--json").expect(0).json()
        check_equal((found["eager_bytes"], found["eager_source"]), expected, name)
    out = firma("simulate", archive, "--platform", FLAT, "--eager", "1k", "--no-sensitivity").expect(0).out
    check("1.02 kB  or more; they wait for their receivers (--eager)" in out, out)
    firma("simulate", archive, "--platform", FLAT, "--eager", "1k,2k").expect(2)


def cpu_model(directory, name, *kinds):
    path = os.path.join(directory, name + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"format": "firma machine", "version": 1, "processors": [
            {"name": kind, "cores": 1, "languages": [{"language": language, "benchmark_s": seconds, "operations": {}}]}
            for kind, language, seconds in kinds]}, file)
    return path


@test("computation is scaled by the benchmarks of two machines as by the same factor, and it is said how")
def benchmarks(directory):
    archive = real_trace(directory, 4, "stencil", 64, 200)
    old, new = cpu_model(directory, "old", ("old", "c", 3)), cpu_model(directory, "new", ("new", "c", 2))
    both = cpu_model(directory, "both", ("a", "c", 3), ("b", "c", 2))
    java, empty = cpu_model(directory, "java", ("java", "java", 1)), cpu_model(directory, "empty")
    found = simulate(archive, FLAT, "--no-sensitivity", "--traced-cpu", old, "--target-cpu", new)
    by_factor = simulate(archive, FLAT, "--no-sensitivity", "--compute-speed", "1.5")
    check_near(found["predicted_s"], by_factor["predicted_s"], 1e-9, "the time")
    check_equal([document["computation_source"] for document in (found, by_factor)], ["--traced-cpu", "--compute-speed"],
                "sources")
    check_equal([document["compute_speed"] for document in (found, by_factor)], [1.5, 1.5], "speeds")
    check(f"1.5 times as fast as in the trace, by the benchmarks in C of old ({old}) and new ({new})" in found["computation"],
          found["computation"])
    for words, said in ((("--traced-cpu", old, "--target-cpu", both), "both.json: holds several kinds of machines (a, b)"),
                        (("--traced-cpu", old, "--target-cpu", java), "no language was measured on both"),
                        (("--traced-cpu", empty, "--target-cpu", new), "empty.json: doesn't say what computing costs")):
        result = firma("simulate", archive, "--platform", FLAT, *words).expect(3)
        check(said in result.err, f"`{said}` isn't said\n{result}")
    for words in (("--traced-cpu", old), ("--target-cpu", new),
                  ("--traced-cpu", old, "--target-cpu", new, "--compute-speed", "2"),
                  ("--traced-cpu", old, "--target-cpu", new, "--times", new)):
        firma("simulate", archive, "--platform", FLAT, *words).expect(2)


@test("with --times, waiting for processors in the measured run counts for nothing, and computation for what it took")
def computation_alone(directory):
    archive = real_trace(directory, 2, "stencil", 64, 200)
    signature, path = os.path.join(directory, "app.firma"), os.path.join(directory, "times.json")
    firma("phases", archive, "-o", signature).expect(0)
    firma("measure", signature, "-o", path, "--", *launch("openmpi", 2, "stencil", 64, 200)).expect(0)
    with open(path, encoding="utf-8") as file:
        times = json.load(file)

    def with_times(changed):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(changed, file)
        return simulate(signature, "2x1:0us,1000GB/s", "--no-sensitivity", "--times", path)

    def predicted(pace, computation, of_windows=True, of_phases=True):
        changed = json.loads(json.dumps(times))
        for window in changed["windows"]:
            window["elapsed_s"] *= pace
            window["compute_s"] *= computation if of_windows else 0
        for phase in changed["phases"]:
            phase["process_total_s"] = [total * pace for total in phase["process_total_s"]]
            phase["compute_s"] *= computation if of_phases else 0
        return with_times(changed)["predicted_s"]

    once = predicted(1, 1)
    apart, shared = (with_times({**times, "ranks_per_processor": number}) for number in (0, 8))
    check(shared["high_s"] / shared["low_s"] > apart["high_s"] / apart["low_s"],
          "the interval doesn't say that processes shared processors")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**times, "application": {**times["application"], "executable": "/bin/other"}}, file)
    refused = firma("simulate", signature, "--platform", "2x1:0us,1000GB/s", "--times", path).expect(3).err
    check(f"{path}: the phase times belong to another application" in refused and "other" in refused, refused)
    check_near(predicted(7, 1), once, 1e-6, "the time after waiting for processors")
    check_near(predicted(1, 3), 3 * once, 0.01, "the time of three times as much computation")
    by_windows = predicted(1, 1, of_phases=False)
    check_near(predicted(1, 3, of_phases=False), 3 * by_windows, 0.01, "the same by windows alone")
    check_near(predicted(7, 1, of_windows=False, of_phases=False),
               7 * predicted(1, 1, of_windows=False, of_phases=False), 0.05, "the time by an older file, which has no computation")


@test("calls cost what the fastest ones of the trace took, and less on faster processors")
def calls_cost(directory):
    archive = real_trace(directory, 2, "stencil", 64, 400)

    def transfer_s(*words):
        found = simulate(archive, "2x1:0us,1000GB/s", "--no-sensitivity", "--whole", *words)
        return sum(process["transfer_s"] for phase in found["phases"] for process in phase["processes"])

    once, calls = transfer_s(), 2 * 2 * 400  # sends and receives that are started
    check(1e-9 * calls < once < 1e-3 * calls, f"{once} s in {calls} calls")
    check_near(transfer_s("--compute-speed", "4"), once / 4, 0.3, "transfer with processors that are 4 times as fast")


@test("a picture shows what each process does: each kind takes the time that the tables say")
def schedule(directory):
    archive = real_trace(directory, 4, "stencil", 64, 30)
    page, picture = os.path.join(directory, "page.html"), os.path.join(directory, "a.svg")
    found = simulate(archive, FLAT, "--whole", "--no-sensitivity", "--report", page)
    with open(page, encoding="utf-8") as file:
        data = json.loads(file.read().split("id=data>")[1].split("</script>")[0])
    activity = data["simulation"]["schedule"]["activity"]
    check_equal([len(activity["rows"]), activity["processes"]], [4, 4], "processes")
    for row in activity["rows"]:
        check(all(sum(kinds) <= 102 for kinds in zip(*row.values())), f"{row}")
    columns = len(activity["rows"][0]["waiting"])
    waiting_s = sum(sum(row["waiting"]) for row in activity["rows"]) / 100 * activity["length_s"] / columns
    whole_s = sum(found["processes_s"])
    if activity["length_s"] > 0.99 * max(found["processes_s"]):  # otherwise only the first occurrences are shown
        check_near(waiting_s / whole_s, found["waiting_share"], 0.1, "waiting")
    both = ("--no-sensitivity", "--sweep", "latency=2", "--force", "--svg", picture)
    for words, expected in (((), ["latency, as a multiple"]),
                            (("--picture", "schedule"), ["phase 1", "computation", "waiting", "stencil-openmpi on " + FLAT])):
        check_equal(simulate(archive, FLAT, *both, *words)["svg"], picture, "the picture's name")
        with open(picture, encoding="utf-8") as file:
            text = file.read()
        for said in expected:
            check(said in text, f"`{said}` isn't in the picture")


@test("what can't be simulated is an error that names the cause")
def errors(directory):
    archive = real_trace(directory, 4, "stencil", 64, 200)
    for words, said in ((("--platform", "2x1:50us,125MB/s"), "4 processes, and the platform 2 processors"),
                        (("--platform", hosts_platform(directory, "cut.xml", {"a": 1, "b": 1, "c": 1, "d": 1}, [("a", "b")])),
                         "no route from host a to host c")):
        result = firma("simulate", archive, *words).expect(3)
        check(said in result.err, f"`{said}` isn't said\n{result}")
    with open(os.path.join(directory, "other.xml"), "w", encoding="utf-8") as file:
        file.write("<other/>")
    firma("simulate", archive, "--platform", os.path.join(directory, "other.xml")).expect(3)
    chosen = firma("simulate", archive, "--platform", FLAT, "--only", "99999").expect(3)
    check(f"{archive}: has no phase 99999" in chosen.err, f"the phase isn't said\n{chosen}")
    missing = firma("simulate", archive, "--platform", FLAT, env={"TMPDIR": os.path.join(directory, "missing")}).expect(4)
    check("TMPDIR" in missing.err, f"`TMPDIR` isn't said\n{missing}")
    for words in ((), ("--platform", FLAT, "--sweep", "latency=a"),
                  ("--platform", FLAT, "--sweep", "latency=1", "--sweep", "latency=2"),
                  ("--platform", FLAT, "--picture", "schedule"), ("--platform", FLAT, "--svg", "a.svg", "--picture", "sweep")):
        firma("simulate", archive, *words).expect(2)


@test("a time too long to be simulated is an error")
def too_long(directory):
    archive = real_trace(directory, 4, "stencil", 64, 200)
    path = os.path.join(directory, "slow.xml")
    for first, second, latency in ((1e9, 1e9, "1e20s"), (1e9, 1e-25, "1us"), (1e200, 1e-200, "1us")):
        with open(path, "w", encoding="utf-8") as file:
            file.write(TWO_HOSTS.format(first, second, latency))
        result = firma("simulate", archive, "--platform", path).expect(3)
        check("runs for more than 1e+09 s" in result.err, f"{first}, {second}, {latency}: it isn't said\n{result}")
    for factor in ("1e-20", "1e-7", "1e7"):
        result = firma("simulate", archive, "--platform", FLAT, "--compute-speed", factor).expect(2)
        check("from 1e-6 to 1e6" in result.err, f"{factor}: the limits aren't said\n{result}")


def ti_trace(directory, *processes):
    """A trace of these actions of each process."""
    for i, actions in enumerate(processes):
        with open(os.path.join(directory, f"{i}.txt"), "w", encoding="utf-8") as file:
            file.writelines(f"{i} {action}\n" for action in ("init", *actions, "finalize"))
    with open(os.path.join(directory, "ti.txt"), "w", encoding="utf-8") as file:
        file.writelines(f"{i}.txt\n" for i in range(len(processes)))
    archive = os.path.join(directory, "ti.trace")
    firma("trace", "--convert", os.path.join(directory, "ti.txt"), "--flop-rate", "1e9", "-o", archive).expect(0)
    return archive


@test("an interrupt leaves no temporary files, and ends firma by its signal")
def interrupt(directory):
    archive, temporary = real_trace(directory, 4, "stencil", 64, 200), os.path.join(directory, "temporary")
    os.mkdir(temporary)
    process = subprocess.Popen([FIRMA, "simulate", archive, "--platform", FLAT, "--whole"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": temporary}, start_new_session=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    wait_until(lambda: os.listdir(temporary) or process.poll() is not None, "a temporary directory")
    process.send_signal(signal.SIGINT)
    status = process.wait()
    check_equal(os.listdir(temporary), [], "files that are left")
    check_equal(status, -signal.SIGINT, "status")


@test("a program that stops on another machine says who waits for what")
def deadlock(directory):
    if not os.path.exists(ENGINE):
        raise Skip("firma was built without SimGrid")
    archive = ti_trace(directory, ("send 1 0 1000000 6", "recv 1 0 1000000 6"), ("send 0 0 1000000 6", "recv 0 0 1000000 6"))
    result = firma("simulate", archive, "--platform", "2x1:50us,125MB/s").expect(3)
    for text in (archive, "wait for each other for ever", "process 0 waits", "for process 1 to receive 1000000 bytes"):
        check(text in result.err, f"`{text}` isn't said\n{result}")


main()
