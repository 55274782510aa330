# SPDX-License-Identifier: BSD-3-Clause
"""firma simulate: times on other machines, what they depend on, and what can't be simulated. The truth is SimGrid's SMPI, which
runs the program on the same platform."""

import os

from harness import FIRMA, Skip, check, check_equal, firma, launch, main, simulated, test, traced

COSTS = ("bw-factor:0:1", "lat-factor:0:1", "os:0:0:0", "or:0:0:0", "ois:0:0:0", "async-small-thresh:65536",
         "send-is-detached-thresh:65536", "host-speed:1000000000f", "coll-selector:default")
ENGINE = os.path.join(os.path.dirname(os.path.dirname(FIRMA)), "simulation", "firma-simgrid-replay")
FLAT = "4x1:50us,125MB/s"
SLOW_HOST = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full">{}<link id="l" bandwidth="1GBps" latency="5us"/>{}</zone></platform>
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


@test("a program's time on the machine of its trace is that of its run, by a sample and as a whole")
def same_machine(directory):
    archive, platform = smpi_trace(directory, 4, "stencil", 64, 300)
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


@test("a sweep gives all combinations, and a picture; faster processors and networks make a program faster")
def sweep(directory):
    archive, data = real_trace(directory, 4, "stencil", 64, 200), os.path.join(directory, "sweep.gp")
    document = simulate(archive, FLAT, "--whole", "--no-sensitivity", "--sweep", "latency=1,10", "--sweep", "speed=1,2",
                        "--data", data)
    times = {(row["latency"], row["speed"]): row["predicted_s"] for row in document["sweep"]}
    check_equal(sorted(times), [(1, 1), (1, 2), (10, 1), (10, 2)], "combinations")
    check(times[1, 2] < times[1, 1] < times[10, 1], f"{times}")
    check_near(times[1, 1], document["predicted_s"], 1e-9, "the unchanged machine")
    with open(data, encoding="utf-8") as file:
        check("$times" in file.read(), "the picture has no times")
    fast = simulate(archive, FLAT, "--whole", "--no-sensitivity", "--compute-speed", "2")
    check_near(fast["predicted_s"], times[1, 2], 0.001, "--compute-speed")
    out = firma("simulate", archive, "--platform", FLAT).expect(0).out
    check(out.splitlines()[0].startswith(("Faster processors", "A better network")), f"the first line:\n{out[:300]}")


@test("processes that compute on a slow host are waited for")
def slow_host(directory):
    archive = real_trace(directory, 4, "stencil", 64, 200)
    hosts = {"a": 1, "b": 1, "c": 1, "d": 0.25}
    routes = [(a, b) for a in hosts for b in hosts if a < b]
    slow = simulate(archive, hosts_platform(directory, "slow.xml", hosts, routes), "--no-sensitivity")
    even = simulate(archive, hosts_platform(directory, "even.xml", dict.fromkeys(hosts, 1), routes), "--no-sensitivity")

    def computed(document, rank):
        return sum(phase["processes"][rank]["computation_s"] for phase in document["phases"])

    check_near(computed(slow, 3), 4 * computed(even, 3), 0.01, "computation on the slow host")
    check_near(computed(slow, 0), computed(even, 0), 0.01, "computation on another host")
    check(slow["predicted_s"] > even["predicted_s"], "a slow host costs nothing")
    shared = simulate(archive, "2x1:50us,125MB/s", "--no-sensitivity", "--given", "0,0,1,1")
    check_near(computed(shared, 0), 2 * computed(even, 0), 0.6, "computation on a shared processor")


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
    for words in (("--verify", "-p", FLAT), ("--estimator", "process", "-p", FLAT), ("--whole",), ("--nodes", "a")):
        result = firma("study", "-o", "s", *words, *behind, cwd=directory).expect(2)
        check(words[0] in result.err, f"{words[0]} isn't named\n{result}")


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
    for words in ((), ("--platform", FLAT, "--sweep", "latency=a"), ("--platform", FLAT, "--svg", "a.svg"),
                  ("--platform", FLAT, "--sweep", "latency=1", "--sweep", "latency=2")):
        firma("simulate", archive, *words).expect(2)


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


@test("a program that stops on another machine says who waits for what")
def deadlock(directory):
    if not os.path.exists(ENGINE):
        raise Skip("firma was built without SimGrid")
    archive = ti_trace(directory, ("send 1 0 1000000 6", "recv 1 0 1000000 6"), ("send 0 0 1000000 6", "recv 0 0 1000000 6"))
    result = firma("simulate", archive, "--platform", "2x1:50us,125MB/s").expect(3)
    for text in ("wait for each other for ever", "process 0 waits", "for process 1 to receive 1000000 bytes"):
        check(text in result.err, f"`{text}` isn't said\n{result}")


main()
